"""What answers the calls of each kind: one file or folder for a kind or a family of them."""

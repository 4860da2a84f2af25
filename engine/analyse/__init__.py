"""Questions that a table answers about itself, exactly: what it does with every call there can be."""

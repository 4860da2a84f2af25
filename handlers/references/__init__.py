"""What references point to, fetched to the workspace under limits: ``fetch_reference``."""

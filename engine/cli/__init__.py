"""The command line: one file per command, one per format."""

"""The engine: reading a table, resolving calls by it, and the commands on top."""

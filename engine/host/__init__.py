"""Agents, their windows and turns, modules and servers, and the store: what the table's calls work on."""

"""From the text of ``routes.yaml`` to a resolved table, or to every fault in it at its place."""

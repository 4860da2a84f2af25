"""From a resolved table to what becomes of a call, and why."""

"""The event gate: what an agent is told now, what waits until it wakes, and what may wake it."""

"""From a call to its one answer: the two paths, the handlers by kind, and what is traced on the way."""

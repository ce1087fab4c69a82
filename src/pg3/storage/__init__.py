"""Files: atomic writes, locks, JSON lines, and the shapes of everything that is read."""

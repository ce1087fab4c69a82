"""Candidates for invariants and measures, from the states that a policy meets."""

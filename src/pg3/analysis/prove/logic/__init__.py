"""What a proof speaks of: kinds, formulas, invariants, and structures in which they hold."""

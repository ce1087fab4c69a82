"""Proofs that a policy solves every problem of a class.

`logic` (domain and policy as formulas) → `mining` (candidates for invariants and measures) →
`conditions`, `reasoning` (what must be shown, by z3) → `ranking`, `search` → `proving`, which lets
the independent `checker` have the last word. docs/concepts/proofs.md has the theorem.
"""

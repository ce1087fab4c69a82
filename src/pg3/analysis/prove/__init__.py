"""Proofs that a policy solves every problem of a class.

`theory` (domain and policy as formulas) → `samples`, `mine_*` (candidates for invariants) →
`conditions`, `reasoning` (what must be shown, by z3) → `ranking`, `search` → `proving`, which lets
the independent checker (`check*`) have the last word. docs/proofs.md has the theorem.
"""

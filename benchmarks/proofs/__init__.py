"""Proofs of learned policies: `table` makes docs/results/proofs.md, `campaign` looks for a false one."""

"""Proofs of learned policies: `table` for the results page, `campaign` looks for a false one."""

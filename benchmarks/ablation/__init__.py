"""What is lost without each part of the learner: `python -m benchmarks.ablation`.

`variants`  the variants: each replaces one function, method or constant of the learner
`child`     `pg3` with one variant, in a process of its own
"""

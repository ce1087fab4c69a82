"""The commands.

`app`          their common ground
`domains`      domains, generate
`experiments`  experiment
`learning`     learn
`problems`     plan, solve, evaluate, validate, show
`report`       report
"""

"""The commands.

`app`          their common ground
`doctor`       doctor
`domains`      domains, generate
`experiments`  experiment
`exporting`    export
`learning`     learn
`problems`     plan, solve, evaluate, validate, show
`report`       report
"""

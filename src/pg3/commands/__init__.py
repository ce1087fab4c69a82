"""The commands.

`app`       their common ground
`learning`  learn
`problems`  plan, solve, evaluate, validate, show
"""

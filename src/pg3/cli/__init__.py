"""The commands.

A command is in the module of its name, but for `problems` (plan, solve, evaluate, validate, show),
`domains` (domains, generate; `grow` has generate --like) and `challenge` (challenge, certify).
`app` is their common ground, `learning` has the parts of `learn`, `output` what people see.
"""

"""The command line. Results go to stdout, everything else to stderr.

Exit codes: 0 done, 1 an honest "no" (unsolved, invalid, some failed), 2 bad input or usage; further
130 when interrupted, 143 when terminated, 141 when the reader of the output has gone, 70 for a
fault in pg3 itself.
"""

# Importing a module of commands adds them.
from pg3.commands import (
    challenging,
    doctor,
    domains,
    experiments,
    explain,
    exporting,
    learning,
    problems,
    report,
    view,
)
from pg3.commands.app import main

__all__ = [
    "challenging",
    "doctor",
    "domains",
    "experiments",
    "explain",
    "exporting",
    "learning",
    "main",
    "problems",
    "report",
    "view",
]

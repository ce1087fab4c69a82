"""The command line. Results go to stdout, everything else to stderr.

Exit codes: 0 done, 1 an honest "no" (unsolved, invalid, some failed), 2 bad input or usage; further
130 when interrupted, 143 when terminated, 141 when the reader of the output has gone, 70 for a
fault in pg3 itself.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

from pg3.cli import app

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line (by default the process's own arguments) and exit with its code."""
    words = sys.argv[1:] if arguments is None else arguments
    if list(words) not in (["--version"], ["--help"], ["-h"]):
        load(words[0] if words else "")
    app.main(arguments)


def load(name: str = "") -> None:
    """Add the command of this name, or all commands if there is none.

    Most of the time of a short command goes into imports, so only the module of the command at hand
    is imported; for completion, and to say what a wrong name may mean, all are.
    """
    modules = app.MODULES
    for module in [modules[name]] if name in modules else dict.fromkeys(modules.values()):
        importlib.import_module(f"pg3.cli.{module}")

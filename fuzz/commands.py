"""Every command with random valid policies, in this process: `python -m fuzz.commands`.

Each policy comes with a domain and a problem of its own and depends on the seed and its number
only, so that a run can go on where another has stopped (`--first`). The first that breaks a promise
(see `tests.support.policy_commands`) is left as files in a folder, with its number; exit code 1.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.support.campaign import drawn
from tests.support.policy_commands import check_commands
from tests.support.strange_names import strange_scenarios


def main() -> int:
    """Run what the command line asks for."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--policies", type=int, default=None, metavar="N", help="else: no end")
    options.add_argument("--seconds", type=float, default=None, metavar="S", help="begin no more")
    options.add_argument("--first", type=int, default=0, metavar="N", help="go on from this one")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--crashes", type=Path, default=Path("build/fuzz/commands/crashes"))
    chosen = options.parse_args()
    start, number = time.monotonic(), chosen.first
    while chosen.policies is None or number < chosen.first + chosen.policies:
        if chosen.seconds is not None and time.monotonic() - start >= chosen.seconds:
            break
        name = f"seed {chosen.seed}, policy {number}"
        with tempfile.TemporaryDirectory() as folder:
            try:
                check_commands(drawn(strange_scenarios(), name), Path(folder))
            except Exception:
                traceback.print_exc()
                kept = chosen.crashes / name.replace(", ", "-").replace(" ", "-")
                shutil.copytree(folder, kept, dirs_exist_ok=True)
                print(f"broken by {name}; its files are in {kept}", file=sys.stderr)
                return 1
        number += 1
    print(f"{'commands':16} {number - chosen.first:12,} policies")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Fast Downward, as `up-fast-downward` brings it, on two texts of PDDL."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import up_fast_downward

DRIVER = Path(up_fast_downward.__file__).parent / "downward" / "fast-downward.py"
SOLVED = 0
# "The task is provably unsolvable" by the translator or the search, and "no plan found".
UNSOLVABLE = (10, 11, 12)


def fast_downward(domain: str, problem: str, folder: Path, search: str) -> str | None:
    """The text of the plan that it finds; None if it finds out that there is none."""
    folder.mkdir(exist_ok=True)
    (folder / "domain.pddl").write_text(domain)
    (folder / "problem.pddl").write_text(problem)
    plan = folder / "plan"
    plan.unlink(missing_ok=True)
    run = subprocess.run(
        [
            *(sys.executable, str(DRIVER), "--plan-file", str(plan)),
            *(str(folder / "domain.pddl"), str(folder / "problem.pddl"), "--search", search),
        ],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
    )
    if run.returncode in UNSOLVABLE:
        return None
    assert run.returncode == SOLVED, run.stdout + run.stderr
    return plan.read_text()

"""Domains of past competitions: which are read, and for which a plan is found.

    python -m benchmarks.readability [--seconds 60] [--megabytes 2000] [--rivals] [FOLDER...]

For each folder of problems/readability (`foreign.py`): whether pg3 reads domain and problem, or its
message; the ground actions and those applicable at the start; the plan that `pg3 plan` finds within
the limits; and what unified-planning's validator says of it, where it can read the files. With
--rivals also whether pymimir's A* and pyperplan's, both with h_add, find a plan within the same
limits. Each is a process of its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from benchmarks.foreign import FOREIGN
from benchmarks.native_output import native_output_hidden

FOLDERS = FOREIGN / "problems" / "readability"
RIVALS = ("pymimir", "pyperplan")
# Validators are thousands of times slower: longer plans are left to ours.
_JUDGED_STEPS = 100


def files_of(folder: Path) -> tuple[Path, Path]:
    """The domain and the problem."""
    problem = next(path for path in sorted(folder.glob("*.pddl")) if path.name != "domain.pddl")
    return folder / "domain.pddl", problem


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--megabytes", type=float, default=2000)
    parser.add_argument("--rivals", action="store_true")
    parser.add_argument("--one", choices=("pg3", *RIVALS), help=argparse.SUPPRESS)
    parser.add_argument("folders", nargs="*", type=Path)
    options = parser.parse_args()
    if options.one:
        found = _ONE[options.one](*files_of(options.folders[0]), options)
        print(json.dumps(found))
        return
    folders = options.folders or sorted(path for path in FOLDERS.iterdir() if path.is_dir())
    planners = ("pg3", *RIVALS) if options.rivals else ("pg3",)
    counts = dict.fromkeys((*planners, "read", "actions", "judged", "accepted"), 0)
    for folder in folders:
        found = {name: _run(name, folder, options) for name in planners}
        ours = found["pg3"]
        counts["read"] += ours.get("read", False)
        counts["actions"] += bool(ours.get("applicable"))
        counts["judged"] += ours.get("judge") is not None
        counts["accepted"] += ours.get("judge") is True
        for name in planners:
            counts[name] += bool(found[name].get("steps") is not None)
        print(_line(folder.name, found), flush=True)
    print(f"of {len(folders)}:", ", ".join(f"{name} {number}" for name, number in counts.items()))


def _run(name: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    limits = ("--seconds", str(options.seconds), "--megabytes", str(options.megabytes))
    command = (sys.executable, "-m", "benchmarks.readability", "--one", name, *limits, str(folder))

    def limit() -> None:
        most = round(1.5 * options.megabytes + 512) << 20
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))

    try:
        # Processor time would be fairer on a busy machine; a rival cannot be asked for that.
        done = subprocess.run(
            command,
            capture_output=True,
            check=False,
            timeout=3 * options.seconds + 60,
            preexec_fn=limit,
        )
    except subprocess.TimeoutExpired:
        return {"status": "time limit"}
    lines = done.stdout.decode(errors="replace").strip().splitlines()
    if done.returncode or not lines:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        return {"status": said[-1][:80] if said else f"code {done.returncode}"}
    return dict(json.loads(lines[-1]))


def _line(name: str, found: dict[str, dict[str, Any]]) -> str:
    ours = found["pg3"]
    if not ours.get("read"):
        return f"{name:32} {ours.get('status')}"
    judge = {None: "", True: ", accepted", False: ", REFUSED"}[ours.get("judge")]
    text = (
        f"{name:32} {ours.get('actions', '-'):>7} {ours.get('applicable', '-'):>5}  {_plan(ours)}"
    )
    others = (f"{rival}: {_plan(found[rival])}" for rival in RIVALS if rival in found)
    return "  ".join((text + judge, *others))


def _plan(found: dict[str, Any]) -> str:
    if found.get("steps") is None:
        return str(found.get("status"))
    return f"{found['steps']} steps, {found['seconds']:.1f} s"


def _pg3(domain_path: Path, problem_path: Path, options: argparse.Namespace) -> dict[str, Any]:
    from pg3 import Task, plan, read_domain, read_problem, validate  # noqa: PLC0415
    from pg3.errors import Pg3Error  # noqa: PLC0415
    from pg3.planning import Limits  # noqa: PLC0415

    warnings.simplefilter("ignore")
    try:
        problem = read_problem(problem_path, read_domain(domain_path))
    except Pg3Error as error:
        return {"read": False, "status": str(error).split("\n")[0]}
    start = time.process_time()
    task = Task(problem)
    found: dict[str, Any] = {"read": True}
    limit = task.ground(options.seconds, options.megabytes)
    if limit is not None:
        return {**found, "status": f"not ground: {limit}"}
    found["actions"] = task.space.num_actions
    found["applicable"] = len(task.space.successors(task.space.initial))
    left = max(0.0, options.seconds - (time.process_time() - start))
    # As `pg3 plan --first` does; without that it finds the same plan first, and then cheaper ones.
    limits = Limits(seconds=left, megabytes=options.megabytes)
    outcome = plan(task, limits=limits, search="satisficing")
    found |= {"status": outcome.status, "seconds": time.process_time() - start}
    if outcome.plan is not None:
        assert validate(problem, outcome.plan).valid
        found["steps"] = len(outcome.plan)
        if len(outcome.plan) <= _JUDGED_STEPS:
            found["judge"] = _judged(domain_path, problem_path, outcome.plan)
    return found


def _judged(domain_path: Path, problem_path: Path, plan: Any) -> bool | None:
    """Whether unified-planning accepts the plan for the files as they are; None if unreadable."""
    from unified_planning.engines import (  # noqa: PLC0415
        SequentialPlanValidator,
        ValidationResultStatus,
    )
    from unified_planning.io import PDDLReader  # noqa: PLC0415

    try:
        reader = PDDLReader()
        problem = reader.parse_problem(str(domain_path), str(problem_path))
        steps = reader.parse_plan_string(problem, "\n".join(map(str, plan)))
        with SequentialPlanValidator() as validator:
            status = validator.validate(problem, steps).status
    except Exception:  # it has many of its own
        return None
    return bool(status == ValidationResultStatus.VALID)


def _pymimir(domain_path: Path, problem_path: Path, _: argparse.Namespace) -> dict[str, Any]:
    import pymimir  # noqa: PLC0415

    start = time.process_time()
    with native_output_hidden():
        problem = pymimir.Problem(pymimir.Domain(str(domain_path)), str(problem_path))
        heuristic = pymimir.AddHeuristic(problem)
        result = pymimir.astar_eager(problem, problem.get_initial_state(), heuristic)
    found = {"status": str(result.status), "seconds": time.process_time() - start}
    return found if result.solution is None else {**found, "steps": len(result.solution)}


def _pyperplan(domain_path: Path, problem_path: Path, _: argparse.Namespace) -> dict[str, Any]:
    from pyperplan.grounding import ground  # noqa: PLC0415
    from pyperplan.heuristics.relaxation import hAddHeuristic  # noqa: PLC0415
    from pyperplan.pddl.parser import Parser  # noqa: PLC0415
    from pyperplan.search import astar_search  # noqa: PLC0415

    start = time.process_time()
    parser = Parser(str(domain_path), str(problem_path))
    task = ground(parser.parse_problem(parser.parse_domain()))
    steps = astar_search(task, hAddHeuristic(task))
    found: dict[str, Any] = {"status": "done", "seconds": time.process_time() - start}
    return found if steps is None else {**found, "steps": len(steps)}


_ONE = {"pg3": _pg3, "pymimir": _pymimir, "pyperplan": _pyperplan}


if __name__ == "__main__":
    main()

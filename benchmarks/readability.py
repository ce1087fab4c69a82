"""Domains of past competitions: which are read, and for which a plan is found, next to rivals.

    python -m benchmarks.readability [FOLDER...] [--seconds 60] [--planners pg3 pymimir pyperplan]

For each folder of problems/readability (`foreign.py`): whether pg3 reads domain and problem, or its
message; the ground actions and those applicable at the start; the plan that `pg3 plan` finds within
the limits; what unified-planning's validator says of it, where it can read the files; and whether
pymimir's A* and pyperplan's, both with h_add, find a plan within the same limits. Each is a process
of its own, and its limit is processor time. Answers are kept, a line each, in
build/readability.jsonl: a run can be stopped and continued, and with a larger limit only those
without a plan are run again. `--disputed` runs only folders where some planner has a plan and
another one has none: first all with few seconds, then these with more.
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
KEPT = Path("build") / "readability.jsonl"
PLANNERS = ("pg3", "pymimir", "pyperplan")
# Validators are thousands of times slower: longer plans are left to ours.
_JUDGED_STEPS = 100
# Processor time that is no planning: start-up and, for ours, both validators.
_START_UP, _JUDGING = 3, 120

Answer = dict[str, Any]


def files_of(folder: Path) -> tuple[Path, Path]:
    """The domain and the problem."""
    problem = next(path for path in sorted(folder.glob("*.pddl")) if path.name != "domain.pddl")
    return folder / "domain.pddl", problem


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--megabytes", type=float, default=2000)
    parser.add_argument("--planners", nargs="+", choices=PLANNERS, default=PLANNERS)
    parser.add_argument("--results", type=Path, default=KEPT)
    parser.add_argument("--disputed", action="store_true")
    parser.add_argument("--one", choices=PLANNERS, help=argparse.SUPPRESS)
    parser.add_argument("folders", nargs="*", type=Path)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(_ONE[options.one](*files_of(options.folders[0]), options)))
        return
    folders = options.folders or sorted(path for path in FOLDERS.iterdir() if path.is_dir())
    kept = _read(options.results)
    if options.disputed:
        folders = [folder for folder in folders if _is_disputed(folder.name, kept)]
    for folder in folders:
        for name in options.planners:
            answer = kept.get((folder.name, name))
            if answer is None or _may_change(answer, options.seconds):
                answer = {"folder": folder.name, "planner": name, "limit": options.seconds}
                answer |= _run(name, folder, options)
                kept[folder.name, name] = answer
                options.results.parent.mkdir(parents=True, exist_ok=True)
                with options.results.open("a") as lines:
                    lines.write(json.dumps(answer) + "\n")
        print(_line(folder.name, kept), flush=True)
    _print_counts(kept)


def _read(results: Path) -> dict[tuple[str, str], Answer]:
    """The last answer of each planner for each folder."""
    lines = results.read_text().splitlines() if results.exists() else ()
    answers = map(json.loads, lines)
    return {(answer["folder"], answer["planner"]): answer for answer in answers}


def _has_plan(answer: Answer | None) -> bool:
    return answer is not None and answer.get("steps") is not None


def _may_change(answer: Answer, seconds: float) -> bool:
    """Whether more time may give a plan; what is not read is not read in more time."""
    return not _has_plan(answer) and bool(answer.get("read")) and answer["limit"] < seconds


def _is_disputed(folder: str, kept: dict[tuple[str, str], Answer]) -> bool:
    answers = [kept[folder, name] for name in PLANNERS if (folder, name) in kept]
    return len({_has_plan(answer) for answer in answers}) == 2


def _print_counts(kept: dict[tuple[str, str], Answer]) -> None:
    for name in PLANNERS:
        answers = [answer for (_, planner), answer in kept.items() if planner == name]
        counts = {
            "read": sum(bool(answer.get("read")) for answer in answers),
            "plans": sum(map(_has_plan, answers)),
        }
        if name == "pg3":
            counts |= {
                "with applicable actions": sum(bool(one.get("applicable")) for one in answers),
                "judged": sum(one.get("judge") is not None for one in answers),
                "accepted": sum(one.get("judge") is True for one in answers),
            }
        said = ", ".join(f"{number} {what}" for what, number in counts.items())
        print(f"{name}: of {len(answers)}, {said}")


def _run(name: str, folder: Path, options: argparse.Namespace) -> Answer:
    limits = ("--seconds", str(options.seconds), "--megabytes", str(options.megabytes))
    command = (sys.executable, "-m", "benchmarks.readability", "--one", name, *limits, str(folder))

    def limit() -> None:
        most = round(1.5 * options.megabytes + 512) << 20
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        # pg3 keeps its limit by itself and is judged afterwards.
        seconds = round(options.seconds) + (_JUDGING if name == "pg3" else _START_UP)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    done = subprocess.run(command, capture_output=True, check=False, preexec_fn=limit)
    lines = done.stdout.decode(errors="replace").strip().splitlines()
    # A rival that was ended while it searched had printed that it had read the files.
    found = dict(json.loads(lines[-1])) if lines else {"read": False}
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        found["status"] = said[-1][:80] if said else f"code {done.returncode}"
    return found


def _line(folder: str, kept: dict[tuple[str, str], Answer]) -> str:
    parts = [f"{folder:32}"]
    for name in PLANNERS:
        answer = kept.get((folder, name))
        if answer is None:
            continue
        judge = {None: "", True: ", accepted", False: ", REFUSED"}[answer.get("judge")]
        parts.append(f"{name}: {_plan(answer)}{judge}")
    return "  ".join(parts)


def _plan(found: Answer) -> str:
    if found.get("steps") is None:
        return str(found.get("status"))
    return f"{found['steps']} steps, {found['seconds']:.1f} s"


def _pg3(domain_path: Path, problem_path: Path, options: argparse.Namespace) -> Answer:
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
    found: Answer = {"read": True}
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


def _pymimir(domain_path: Path, problem_path: Path, _: argparse.Namespace) -> Answer:
    import pymimir  # noqa: PLC0415

    start = time.process_time()
    with native_output_hidden():
        problem = pymimir.Problem(pymimir.Domain(str(domain_path)), str(problem_path))
    print(json.dumps({"read": True}), flush=True)
    with native_output_hidden():
        heuristic = pymimir.AddHeuristic(problem)
        result = pymimir.astar_eager(problem, problem.get_initial_state(), heuristic)
    found = {"read": True, "status": str(result.status), "seconds": time.process_time() - start}
    return found if result.solution is None else {**found, "steps": len(result.solution)}


def _pyperplan(domain_path: Path, problem_path: Path, _: argparse.Namespace) -> Answer:
    from pyperplan.grounding import ground  # noqa: PLC0415
    from pyperplan.heuristics.relaxation import hAddHeuristic  # noqa: PLC0415
    from pyperplan.pddl.parser import Parser  # noqa: PLC0415
    from pyperplan.search import astar_search  # noqa: PLC0415

    start = time.process_time()
    parser = Parser(str(domain_path), str(problem_path))
    problem = parser.parse_problem(parser.parse_domain())
    print(json.dumps({"read": True}), flush=True)
    task = ground(problem)
    steps = astar_search(task, hAddHeuristic(task))
    found: Answer = {"read": True, "status": "done", "seconds": time.process_time() - start}
    return found if steps is None else {**found, "steps": len(steps)}


_ONE = {"pg3": _pg3, "pymimir": _pymimir, "pyperplan": _pyperplan}


if __name__ == "__main__":
    main()

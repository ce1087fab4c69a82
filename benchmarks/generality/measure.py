"""Learning in a process of its own, and policies on the test problems."""

from __future__ import annotations

import json
import tempfile
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.child import PG3, run
from pg3 import execute, read_domain, read_problem
from pg3.domains.chance import Chance
from pg3.errors import InputWarning
from pg3.learning.robustness.perturbations.permutations import permuted
from pg3.planning import Limits
from pg3.policy import parse_policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.child import Child
    from benchmarks.generality.cases import Case
    from benchmarks.generality.store import Result
    from pg3.pddl import Problem
    from pg3.policy import DecisionList

# A policy that needs longer than this for a test problem has failed.
SECONDS_A_PROBLEM = 60.0

# Learning ends after so long, whatever it has; five times what is promised.
SECONDS_TO_LEARN = 300

SHUFFLES = 5


def learn(
    case: Case,
    seed: int,
    seconds: int = SECONDS_TO_LEARN,
    megabytes: int | None = None,
    options: Sequence[str] = (),
    command: Sequence[str] = PG3,
) -> Result:
    """Run `pg3 learn` on one core, by default with its defaults, within these limits.

    CPU seconds tell more than those on the clock where others use the machine. `policy` is None if
    there is none; what the run says of itself is as `account` tells. `command` stands for `pg3`.
    """
    with tempfile.TemporaryDirectory() as folder:
        policy, result = Path(folder) / "learned.policy", Path(folder) / "result.json"
        arguments = ["learn", str(case.domain), *map(str, case.training), "-o", str(policy)]
        arguments += ["--json", str(result)]
        arguments += ["--jobs", "1", "--seed", str(seed), "--time-limit", str(seconds)]
        if megabytes is not None:
            arguments += ["--memory-limit", str(megabytes)]
        child = run([*command, *arguments, *options], seconds, megabytes)
        said = json.loads(result.read_text(encoding="utf-8")) if result.exists() else None
        text = policy.read_text(encoding="utf-8") if policy.exists() else None
    return {
        "seconds": child.seconds,
        "cpu_seconds": child.cpu_seconds,
        "megabytes": child.megabytes,
        "exit_code": child.code,
        "solved": child.code == 0,
        **account(child, said),
        "problems": len(case.training),
        "policy": text,
    }


def account(child: Child, result: Result | None) -> Result:
    """What `pg3 learn` says of its result, which `--json` wrote; None if it wrote none.

    `said` is the last line of its messages. `status` is how far the result can be trusted, or why
    there is none; `reason` why learning ended; `method` how the policy was found; `working_set`
    the number of problems learned from.
    """
    last = child.said.splitlines()[-1] if child.said else ""
    if result is None:
        found = {"status": child.killed or last, "reason": "", "method": "", "working_set": None}
    else:
        found = {name: result[name] for name in ("status", "reason", "method")}
        found["working_set"] = sum(problem["learned_from"] for problem in result["problems"])
    return {"said": last, **found}


def sizes(case: Case) -> list[int]:
    """The fewest and the most objects of a training problem."""
    domain = read_domain(case.domain)
    objects = [len(read_problem(path, domain).objects) for path in case.training]
    return [min(objects), max(objects)]


def solve(case: Case, text: str, *, further: bool) -> Result:
    """A policy on every test problem; `further` ones are shuffled or larger.

    `trials` are the problems as they are: name, objects, whether solved, steps, CPU seconds
    without those to read the problem. `shuffled` has for each shuffle the names of those that
    are not solved. `grown` are trials of larger problems, without a limit of steps.
    """
    domain = read_domain(case.domain)
    with warnings.catch_warnings():
        # A policy that lists a parameter that it does not use works all the same.
        warnings.simplefilter("ignore", InputWarning)
        policy = parse_policy(text, domain)
    problems = {path: read_problem(path, domain) for path in case.testing}
    shuffled = [
        [
            path.stem
            for path, problem in problems.items()
            if not _try(permuted_problem(problem, shuffle), policy, case.horizon)[0]
        ]
        for shuffle in range(SHUFFLES if further else 0)
    ]
    return {
        "trials": [_trial(path.stem, p, policy, case.horizon) for path, p in problems.items()],
        "shuffled": shuffled,
        "grown": [
            _trial(path.stem, read_problem(path, domain), policy, None)
            for path in (case.grown if further else ())
        ],
    }


def _trial(name: str, problem: Problem, policy: DecisionList, horizon: int | None) -> list[Any]:
    start = time.process_time()
    solved, steps = _try(problem, policy, horizon)
    return [name, len(problem.objects), solved, steps, round(time.process_time() - start, 4)]


def permuted_problem(problem: Problem, shuffle: int) -> Problem:
    """The problem with its objects in another order and names exchanged among like objects."""
    return permuted(problem, Chance(f"generality/{shuffle}/{problem.name}"))


def _try(problem: Problem, policy: DecisionList, horizon: int | None) -> tuple[bool, int]:
    """Whether the policy solves the problem, which the referee checks, and its steps."""
    limits = Limits(seconds=SECONDS_A_PROBLEM)
    execution = execute(problem, policy, max_steps=horizon, limits=limits)
    return execution.solved and execution.check().valid, execution.steps

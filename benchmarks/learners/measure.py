"""One domain: `pg3 learn` on its training problems, then the policy on all of its problems."""

from __future__ import annotations

import json
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.child import PG3, run
from benchmarks.generality.measure import learn, permuted_problem
from benchmarks.learners.sets import fits
from pg3 import read_domain, read_problem
from pg3.pddl import write_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.generality.cases import Case
    from benchmarks.generality.store import Result

# A policy gets so many steps where the domain has no horizon.
MAX_STEPS = 100_000


class Budget(NamedTuple):
    """What may be used: to learn, and to execute the policy on one problem."""

    cpu_seconds: int = 120
    megabytes: int = 1024
    problem_seconds: int = 30


def measure(
    case: Case,
    seed: int,
    budget: Budget,
    options: Sequence[str] = (),
    shuffles: int = 0,
    command: Sequence[str] = PG3,
) -> Result:
    """What is learned and solved; `options` are further ones of `command learn`.

    `failed` has the test problems that are not solved, with the status of each; `shuffled` how many
    are solved of those with their objects in other orders. `rules` is None if there is no policy.
    """
    learned = learn(case, seed, budget.cpu_seconds, budget.megabytes, options, command)
    tests = len(case.testing)
    found: Result = {
        **learned,
        "training_solved": 0,
        "tests": tests,
        "tests_solved": 0,
        "shuffles": shuffles,
        "shuffled_solved": 0,
        "failed": {},
        "rules": None,
    }
    if learned["policy"] is None:
        return found
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "policy").write_text(learned["policy"], encoding="utf-8")
        trained = _statuses(case, case.training, MAX_STEPS, budget, folder)
        tested = _statuses(case, case.testing, case.horizon or MAX_STEPS, budget, folder)
        shuffled = [
            status
            for shuffle in range(shuffles)
            for status in _statuses(
                case,
                _shuffled(case, shuffle, folder),
                case.horizon or MAX_STEPS,
                budget,
                folder,
            )
        ]
    failed = {
        path.stem: status
        for path, status in zip(case.testing, tested, strict=True)
        if status != "solved"
    }
    return {
        **found,
        "training_solved": trained.count("solved"),
        "tests_solved": tests - len(failed),
        "shuffled_solved": shuffled.count("solved"),
        "failed": failed,
        "rules": learned["policy"].count("(:rule "),
    }


def _statuses(
    case: Case, problems: Sequence[Path], steps: int, budget: Budget, folder: Path
) -> list[str]:
    """How the policy fares on each of the problems, by `pg3 evaluate`."""
    results = folder / "results.jsonl"
    results.unlink(missing_ok=True)
    own = [path for path in problems if fits(case.domain, path)]
    if own:
        arguments = ["evaluate", str(case.domain), *map(str, own)]
        arguments += ["--policy", str(folder / "policy"), "--json", str(results)]
        arguments += ["--max-steps", str(steps), "--time-limit", str(budget.problem_seconds)]
        arguments += ["--memory-limit", str(budget.megabytes)]
        run([*PG3, *arguments], len(own) * budget.problem_seconds, budget.megabytes)
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    statuses = {line["path"]: line["status"] for line in map(json.loads, lines)}
    return [
        statuses.get(str(path), "cut off" if path in own else "has another domain file")
        for path in problems
    ]


def _shuffled(case: Case, shuffle: int, folder: Path) -> list[Path]:
    """The test problems with their objects in another order, as files."""
    domain = read_domain(case.domain)
    paths = []
    for path in filter(partial(fits, case.domain), case.testing):
        problem = permuted_problem(read_problem(path, domain), shuffle)
        paths.append(folder / f"{shuffle}-{path.name}")
        paths[-1].write_text(write_problem(problem), encoding="utf-8")
    return paths

"""Learn each domain of the survey and try its policy: `python -m benchmarks.survey`.

For each domain `pg3 learn` with its defaults on the training problems of a seed, in a process of
its own; then the policy on the test problems as they are listed, and with their objects in other
orders. A line a domain, each as soon as it is known.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.generality.cases import Case
from benchmarks.generality.measure import learn, solve
from benchmarks.survey import SURVEY
from pg3.pddl import write_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.survey.base import SurveyDomain
    from pg3.pddl import Problem

# On a busy machine too, learning shall end by itself: what the clock cuts short differs each time.
_PATIENCE = 3600

_HEADS = (
    "domain",
    "after",
    "seed",
    "objects, training",
    "objects, tests",
    "training solved",
    "tests, as listed",
    "tests, shuffled",
    "CPU s",
    "MB",
    "rules",
    "found by",
)


def measure(domain: SurveyDomain, seed: int) -> tuple[str, ...]:
    """The cells of one line, as `_HEADS` says."""
    train, test = (domain.problems(split, seed=seed) for split in ("train", "test"))
    with tempfile.TemporaryDirectory() as folder:
        case = _case(domain, Path(folder), train, test)
        learned = learn(case, seed=0, seconds=_PATIENCE)
        text = learned["policy"]
        if text is None:
            cells = ["no", "-", "-", "-", "-", "-", str(learned["said"])]
        else:
            tried = solve(case, text, further=True)
            failed = [len(names) for names in tried["shuffled"]]
            cells = [
                "yes" if learned["solved"] else "no",
                f"{sum(trial[2] for trial in tried['trials'])}/{len(test)}",
                f"{len(failed) * len(test) - sum(failed)}/{len(failed) * len(test)}",
                f"{learned['cpu_seconds']:.1f}",
                str(learned["megabytes"]),
                str(text.count("(:rule ")),
                str(learned["method"]),
            ]
    return domain.name, domain.summary, str(seed), _sizes(train), _sizes(test), *cells


def _case(
    domain: SurveyDomain, folder: Path, train: Sequence[Problem], test: Sequence[Problem]
) -> Case:
    """The domain and its problems as files."""
    (folder / "domain.pddl").write_text(domain.text, encoding="utf-8")
    files: dict[str, list[Path]] = {"train": [], "test": []}
    for split, problems in (("train", train), ("test", test)):
        for i, problem in enumerate(problems, 1):
            path = folder / f"{split}-{i:02}.pddl"
            path.write_text(write_problem(problem), encoding="utf-8")
            files[split].append(path)
    return Case(
        domain.name,
        folder / "domain.pddl",
        tuple(files["train"]),
        tuple(files["test"]),
        None,
        domain.horizon,
    )


def _sizes(problems: Sequence[Problem]) -> str:
    numbers = [len(problem.objects) for problem in problems]
    return f"{min(numbers)}-{max(numbers)}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.survey", description=__doc__)
    parser.add_argument("domains", nargs="*", help="some of the domains; by default all")
    parser.add_argument("--seed", type=int, default=0, help="of the problems")
    given = parser.parse_args()
    for name in given.domains:
        if name not in SURVEY:
            parser.error(f"no domain '{name}' here, only {', '.join(SURVEY)}")
    print(f"| {' | '.join(_HEADS)} |")
    print("|---|---" + "|--:" * (len(_HEADS) - 3) + "|---|")
    for name in given.domains or SURVEY:
        print(f"| {' | '.join(measure(SURVEY[name], given.seed))} |", flush=True)


if __name__ == "__main__":
    main()

"""Where a run's problems come from: a built-in domain, or a folder of somebody's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pg3.domains import DOMAINS
from pg3.errors import Pg3Error
from pg3.pddl.given import load

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.experiments.runs import Run
    from pg3.pddl import Domain, Problem

# A policy that needs more steps on a problem of a folder has not solved it.
HORIZON = 10_000


class Source(NamedTuple):
    """A domain with problems to learn from and to test on; how many, before they are made."""

    domain: Callable[[], Domain]
    train: Callable[[], Sequence[Problem]]
    test: Callable[[], Sequence[Problem]]
    numbers: tuple[int, int]
    horizon: int


def source_of(run: Run) -> Source:
    """The problems of a run."""
    if run.options.data is None:
        built_in = DOMAINS[run.domain]
        return Source(
            lambda: built_in.domain,
            lambda: built_in.problems("train", seed=run.seed),
            lambda: built_in.problems("test", seed=run.seed),
            (built_in.splits["train"].count, built_in.splits["test"].count),
            built_in.horizon,
        )
    data = load(run.options.data)
    numbers = len(data.train_files), len(data.test_files)
    return Source(lambda: data.domain, lambda: data.train, lambda: data.test, numbers, HORIZON)


def benchmarks_in(folder: str) -> tuple[dict[str, str], list[str]]:
    """The benchmarks in a folder, and why some of its folders are none.

    By the name of a benchmark, which is the folder's and its own ("moose/ferry"), its path. The
    folder may be a benchmark itself.
    """
    root = Path(folder)
    if not root.is_dir():
        raise Pg3Error(f"{folder}: no such folder")
    if (root / "domain.pddl").is_file():
        places = [root]
    else:
        places = sorted(path for path in root.iterdir() if path.is_dir())
    found: dict[str, str] = {}
    refused = []
    for place in places:
        try:
            data = load(place)
        except Pg3Error as error:
            refused.append(str(error))
            continue
        if not data.train_files or not data.test_files:
            refused.append(
                f"{place}: no problems to {'test on' if data.train_files else 'learn from'}"
            )
            continue
        found[f"{place.resolve().parent.name}/{data.name}"] = str(place)
    if not found:
        listed = f": {refused[0]}" if refused else ""
        raise Pg3Error(f"{folder}: no domain with problems to learn from and to test on{listed}")
    return found, refused

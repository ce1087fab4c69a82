"""What a method gets and what it comes to: between the run and its line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pg3.experiments.result_line import Best
    from pg3.experiments.runs import Run
    from pg3.pddl import Domain, Problem

# Steps on each test problem; None where it was not solved.
Steps = tuple[int | None, ...]

# Told when a part of the run begins: "learning", "testing".
Stage = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Job:
    """A run with its problems, and what it needs beside them.

    `checkpoint` is where a method that learns for hours may keep what it has, to go on from there.
    """

    run: Run
    domain: Domain
    train: Sequence[Problem]
    test: Sequence[Problem]
    horizon: int
    checkpoint: Path | None
    stage: Stage


class Outcome(NamedTuple):
    """What a method came to; see `ResultLine` for the meaning of the fields."""

    steps: Steps
    learning_seconds: float = 0.0
    testing_seconds: float = 0.0
    candidates: int | None = None
    expansions: int | None = None
    stopped: str | None = None
    training_solved: bool | None = None
    policy: str | None = None
    bests: tuple[Best, ...] = ()
    over_time: bool = False


def success(steps: Steps) -> float:
    """The part of the problems that were solved."""
    return sum(s is not None for s in steps) / len(steps)

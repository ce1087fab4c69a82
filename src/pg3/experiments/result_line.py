"""The result of one run, as one line of JSON: the raw facts that a report computes with."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from pg3.experiments.runs import REAL, RUN_FIELDS, Options, Run
from pg3.storage.schema import (
    As,
    Flag,
    Format,
    ListOf,
    Nothing,
    Number,
    OneOf,
    Record,
    ShapeError,
    Text,
    Whole,
    parse_as,
)

FORMAT = "pg3-result"
VERSION = 1

_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"

# A success may have been rounded; by more than this it says something else than the steps.
_ROUNDED = 1e-3


class Status(StrEnum):
    """How a run ended. All but the first are failures, which count as no success at all."""

    DONE = "done"
    CRASHED = "crashed"
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"


@dataclass(frozen=True, slots=True)
class Versions:
    """What the run was made with; `torch` is None where it has no part in it."""

    pg3: str
    python: str
    platform: str
    torch: str | None = None


@dataclass(frozen=True, slots=True)
class Best:
    """A policy that was the best so far: when it was found and how it does on the test problems.

    `seconds` is learning time alone, without any testing. Of a search over policies, `candidate` is
    its number and `score` its training score; of a neural network, `epoch` and the training loss
    (None where that is no number). A run of the robust preset has its final policy only.
    """

    seconds: float
    success: float
    score: float | None
    candidate: int | None = None
    epoch: int | None = None

    def to_object(self) -> dict[str, Any]:
        """As a JSON object."""
        place = {"candidate": self.candidate} if self.epoch is None else {"epoch": self.epoch}
        return {"seconds": self.seconds, **place, "score": self.score, "success": self.success}


@dataclass(frozen=True, slots=True)
class ResultLine:
    """The result of one run.

    `success` is the part of the `test` problems that the final policy solves within `horizon`
    steps, `steps` how many it took on each (None: not solved). A run that is not done has a
    `reason`, success 0, no steps and no bests; its `learning_seconds` are those until it ended.
    `learning_seconds` and the `seconds` of the bests leave out all testing.

    `candidates` and `expansions` are None for methods that do not search over policies, `stopped`
    (why learning stopped) and `training_solved` for those that do not learn, `policy` (a text) for
    those whose policy is none. `peak_megabytes` is the most memory that the process of the run had.
    """

    domain: str
    method: str
    seed: int
    options: Options
    versions: Versions
    date: str
    status: Status
    reason: str | None
    train: int
    test: int
    horizon: int
    success: float
    steps: tuple[int | None, ...]
    learning_seconds: float
    testing_seconds: float
    candidates: int | None
    expansions: int | None
    stopped: str | None
    training_solved: bool | None
    peak_megabytes: float
    policy: str | None
    bests: tuple[Best, ...]

    @property
    def run(self) -> Run:
        """What identifies the run."""
        return Run(self.domain, self.method, self.seed, self.options)

    @property
    def done(self) -> bool:
        """Whether the run came to its end."""
        return self.status is Status.DONE

    def to_json(self) -> str:
        """One JSON object without line breaks."""
        fields = {
            "format": FORMAT,
            "version": VERSION,
            **asdict(self),
            "bests": [best.to_object() for best in self.bests],
        }
        return json.dumps(fields, allow_nan=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> ResultLine:
        """The line that `to_json` wrote; ShapeError says what is wrong if it is none."""
        line = cls(**parse_as(_SHAPE, text))
        line._check()
        return line

    def _check(self) -> None:
        """Refuse values that contradict each other."""
        if self.done == (self.reason is not None):
            wanted = "no reason" if self.done else "a reason"
            raise ShapeError(("reason",), f": a run that is {self.status} has {wanted}")
        if len(self.steps) != self.test:
            raise ShapeError(
                ("steps",),
                f": {self.test} values are expected, one a test problem, not {len(self.steps)}",
            )
        solved = sum(steps is not None for steps in self.steps)
        if abs(self.success - solved / self.test) > _ROUNDED:
            raise ShapeError(
                ("success",), f": {self.success:g}, but the steps say {solved} of {self.test}"
            )
        if not self.done and (solved or self.bests):
            raise ShapeError(("success",), f": a run that is not done ({self.status}) has none")


def _best(**fields: Any) -> Best:
    if ("epoch" in fields) == ("candidate" in fields):
        raise ShapeError(("candidate",), " is missing, or 'epoch' is: one of them is expected")
    return Best(**fields)


_COUNT = Whole(0, None)
_BEST = Record(
    {
        "seconds": REAL,
        "success": As(float, Number(0, 1)),
        "score": Nothing(As(float, Number(-math.inf))),
    },
    {"candidate": _COUNT, "epoch": _COUNT},
)
_VERSIONS = Record(
    {"pg3": Text(), "python": Text(), "platform": Text(), "torch": Nothing(Text())},
)
_SHAPE = Format(
    FORMAT,
    VERSION,
    Record(
        {
            **RUN_FIELDS,
            "versions": As(Versions, _VERSIONS),
            "date": Text(_DATE, "a date such as 2026-01-31T23:59:59Z"),
            "status": As(Status, OneOf(tuple(Status))),
            "reason": Nothing(Text()),
            "train": _COUNT,
            "test": Whole(1, None),
            "horizon": Whole(1, None),
            "success": As(float, Number(0, 1)),
            "steps": As(tuple, ListOf(Nothing(_COUNT))),
            "learning_seconds": REAL,
            "testing_seconds": REAL,
            "candidates": Nothing(_COUNT),
            "expansions": Nothing(_COUNT),
            "stopped": Nothing(Text()),
            "training_solved": Nothing(Flag()),
            "peak_megabytes": REAL,
            "policy": Nothing(Text()),
            "bests": As(tuple, ListOf(As(_best, _BEST))),
        }
    ),
)

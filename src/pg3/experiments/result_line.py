"""What came of one run, as one line of JSON: the raw facts that a report computes with."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pg3.experiments.fields import BadFieldError, Fields, parse_object
from pg3.experiments.runs import Options, Run

FORMAT = "pg3-result"
VERSION = 1

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")

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

    @classmethod
    def from_fields(cls, fields: Fields) -> Best:
        """The value that `to_object` wrote; BadFieldError if it is none."""
        best = cls(
            seconds=fields.number("seconds"),
            success=fields.number("success", 0, 1),
            score=None if fields.null("score") else fields.number("score", -math.inf),
            candidate=None if "epoch" in fields else fields.whole("candidate"),
            epoch=fields.whole("epoch") if "epoch" in fields else None,
        )
        fields.end()
        return best


@dataclass(frozen=True, slots=True)
class ResultLine:
    """What came of one run.

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
            "domain": self.domain,
            "method": self.method,
            "seed": self.seed,
            "options": self.options.to_object(),
            "versions": {
                "pg3": self.versions.pg3,
                "python": self.versions.python,
                "platform": self.versions.platform,
                "torch": self.versions.torch,
            },
            "date": self.date,
            "status": str(self.status),
            "reason": self.reason,
            "train": self.train,
            "test": self.test,
            "horizon": self.horizon,
            "success": self.success,
            "steps": list(self.steps),
            "learning_seconds": self.learning_seconds,
            "testing_seconds": self.testing_seconds,
            "candidates": self.candidates,
            "expansions": self.expansions,
            "stopped": self.stopped,
            "training_solved": self.training_solved,
            "peak_megabytes": self.peak_megabytes,
            "policy": self.policy,
            "bests": [best.to_object() for best in self.bests],
        }
        return json.dumps(fields, allow_nan=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> ResultLine:
        """The line that `to_json` wrote; BadFieldError says what is wrong if it is none."""
        fields = Fields(parse_object(text))
        if (found := fields.take("format")) != FORMAT:
            raise BadFieldError(f"'format': {json.dumps(FORMAT)} is expected, not {found!r}")
        if (found := fields.take("version")) != VERSION:
            raise BadFieldError(f"'version': this pg3 reads version {VERSION}, not {found!r}")
        run = Run.from_fields(fields)
        line = cls(
            domain=run.domain,
            method=run.method,
            seed=run.seed,
            options=run.options,
            versions=_versions(fields.inner("versions")),
            date=_date(fields),
            status=_status(fields),
            reason=None if fields.null("reason") else fields.text("reason"),
            train=fields.whole("train"),
            test=fields.whole("test", 1),
            horizon=fields.whole("horizon", 1),
            success=fields.number("success", 0, 1),
            steps=_steps(fields),
            learning_seconds=fields.number("learning_seconds"),
            testing_seconds=fields.number("testing_seconds"),
            candidates=None if fields.null("candidates") else fields.whole("candidates"),
            expansions=None if fields.null("expansions") else fields.whole("expansions"),
            stopped=None if fields.null("stopped") else fields.text("stopped"),
            training_solved=(
                None if fields.null("training_solved") else fields.flag("training_solved")
            ),
            peak_megabytes=fields.number("peak_megabytes"),
            policy=None if fields.null("policy") else fields.text("policy"),
            bests=tuple(Best.from_fields(row) for row in fields.rows("bests")),
        )
        fields.end()
        line._check()
        return line

    def _check(self) -> None:
        """Refuse values that contradict each other."""
        if self.done == (self.reason is not None):
            wanted = "no reason" if self.done else "a reason"
            raise BadFieldError(f"'reason': a run that is {self.status} has {wanted}")
        if len(self.steps) != self.test:
            raise BadFieldError(
                f"'steps': {self.test} values are expected, one a test problem, "
                f"not {len(self.steps)}"
            )
        solved = sum(steps is not None for steps in self.steps)
        if abs(self.success - solved / self.test) > _ROUNDED:
            raise BadFieldError(
                f"'success': {self.success:g}, but the steps say {solved} of {self.test}"
            )
        if not self.done and (solved or self.bests):
            raise BadFieldError(f"'success': a run that is not done ({self.status}) has none")


def _versions(fields: Fields) -> Versions:
    versions = Versions(
        pg3=fields.text("pg3"),
        python=fields.text("python"),
        platform=fields.text("platform"),
        torch=None if fields.null("torch") else fields.text("torch"),
    )
    fields.end()
    return versions


def _date(fields: Fields) -> str:
    date = fields.text("date")
    if not _DATE.fullmatch(date):
        raise BadFieldError(f"'date': 2026-01-31T23:59:59Z is the form, not {date!r}")
    return date


def _status(fields: Fields) -> Status:
    status = fields.text("status")
    if status not in list(Status):
        raise BadFieldError(f"'status': one of {', '.join(Status)} is expected, not {status!r}")
    return Status(status)


def _steps(fields: Fields) -> tuple[int | None, ...]:
    steps = fields.items("steps")
    for value in steps:
        if value is not None and (type(value) is not int or value < 0):
            raise BadFieldError(f"'steps': whole numbers and null are expected, not {value!r}")
    return tuple(steps)

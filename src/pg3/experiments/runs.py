"""A run: one method on one domain with one seed, and all that its outcome depends on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING

from pg3.errors import Pg3Error
from pg3.learning.config import OPTIONS, LearnConfig
from pg3.storage.schema import As, ListOf, Nothing, Number, Record, Text, Whole, parse_as

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pg3.storage.schema import Shape


@dataclass(frozen=True, slots=True)
class Options:
    """What a run was told to do; None where the method does not ask.

    Most are options of `LearnConfig`; `epochs` are those of the graph neural network, `data` is the
    folder with the problems of a domain that is not built in. The limits
    (candidates, expanded policies, seconds of learning, megabytes of the process) are None where
    there are none.
    """

    preset: str | None = None
    max_candidates: int | None = None
    operators: tuple[str, ...] | None = None
    epochs: int | None = None
    time_limit: float | None = None
    memory_limit: float | None = None
    max_expansions: int | None = None
    as_printed: bool = False
    accumulate: str | None = None
    data: str | None = None

    @classmethod
    def of(cls, config: LearnConfig) -> Options:
        """Those of the learner, with the limits that hold where none are given.

        Pg3Error if an option was changed that runs do not have: it would be ignored.
        """
        config, usual = config.resolved(), LearnConfig(preset=config.preset)
        known = {one.name for one in fields(cls)}.intersection(OPTIONS)
        # A run has its score function and its seed by themselves.
        for name in sorted(OPTIONS.keys() - known - {"score", "seed"}):
            if getattr(config, name) != getattr(usual, name):
                raise Pg3Error(f"experiments do not have the option '{name}'")
        return cls(**{name: getattr(config, name) for name in known})

    def config(self, score: str, seed: int) -> LearnConfig:
        """What the learner is told; the memory of a run is limited from outside."""
        told = {name: value for name, value in asdict(self).items() if name in OPTIONS}
        return LearnConfig(**told | {"score": score, "seed": seed, "memory_limit": None})


REAL = As(float, Number())
# Names are any text: results may be of a pg3 with other presets and operators.
_OPTIONS = Record(
    {
        "preset": Nothing(Text()),
        "max_candidates": OPTIONS["max_candidates"].shape,
        "operators": Nothing(As(tuple, ListOf(Text()))),
        "epochs": Nothing(Whole(0, None)),
        "time_limit": Nothing(REAL),
        "memory_limit": Nothing(REAL),
    },
    # Results of before have no such fields.
    {
        "max_expansions": OPTIONS["max_expansions"].shape,
        "as_printed": OPTIONS["as_printed"].shape,
        "accumulate": Nothing(Text()),
        "data": Nothing(Text()),
    },
)
# What a run consists of, among the fields of an object.
RUN_FIELDS: Mapping[str, Shape] = {
    "domain": Text(),
    "method": Text(),
    "seed": Whole(0, None),
    "options": As(Options, _OPTIONS),
}


@dataclass(frozen=True, slots=True)
class Run:
    """What identifies a run: equal runs have equal outcomes, but for times and memory."""

    domain: str
    method: str
    seed: int
    options: Options

    def __str__(self) -> str:
        return f"{self.domain}, {self.method}, seed {self.seed}"

    def to_json(self) -> str:
        """One JSON object without line breaks."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> Run:
        """The run that `to_json` wrote; ShapeError if it is none."""
        return cls(**parse_as(Record(RUN_FIELDS), text))

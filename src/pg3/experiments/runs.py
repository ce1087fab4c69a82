"""A run: one method on one domain with one seed, and all that its outcome depends on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pg3.storage.schema import As, Flag, ListOf, Nothing, Number, Record, Text, Whole, parse_as

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pg3.storage.schema import Shape


@dataclass(frozen=True, slots=True)
class Options:
    """What a run was told to do; None where the method does not ask.

    `preset`, `max_candidates`, `operators`, `max_expansions`, `as_printed` and `accumulate` are the
    learner's, `epochs` those of the graph neural network. The limits (candidates, expanded
    policies, seconds of learning, megabytes of the process) are None where there are none.
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

    def to_object(self) -> dict[str, Any]:
        """As a JSON object."""
        fields = asdict(self)
        if self.operators is not None:
            fields["operators"] = list(self.operators)
        return fields


REAL = As(float, Number())
_OPTIONS = Record(
    {
        "preset": Nothing(Text()),
        "max_candidates": Nothing(Whole(0, None)),
        "operators": Nothing(As(tuple, ListOf(Text()))),
        "epochs": Nothing(Whole(0, None)),
        "time_limit": Nothing(REAL),
        "memory_limit": Nothing(REAL),
    },
    # Results of before have no such fields.
    {
        "max_expansions": Nothing(Whole(0, None)),
        "as_printed": Flag(),
        "accumulate": Nothing(Text()),
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
        return json.dumps(
            {
                "domain": self.domain,
                "method": self.method,
                "seed": self.seed,
                "options": self.options.to_object(),
            }
        )

    @classmethod
    def from_json(cls, text: str | bytes) -> Run:
        """The run that `to_json` wrote; ShapeError if it is none."""
        return cls(**parse_as(Record(RUN_FIELDS), text))

"""A run: one method on one domain with one seed, and all that its outcome depends on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from pg3.experiments.fields import Fields, parse_object


@dataclass(frozen=True, slots=True)
class Options:
    """What a run was told to do; None where the method does not ask.

    `preset`, `max_candidates` and `operators` are the learner's, `epochs` those of the graph neural
    network. The limits (seconds of learning, megabytes of the process) are None where there are
    none.
    """

    preset: str | None = None
    max_candidates: int | None = None
    operators: tuple[str, ...] | None = None
    epochs: int | None = None
    time_limit: float | None = None
    memory_limit: float | None = None

    def to_object(self) -> dict[str, Any]:
        """As a JSON object."""
        fields = asdict(self)
        if self.operators is not None:
            fields["operators"] = list(self.operators)
        return fields

    @classmethod
    def from_fields(cls, fields: Fields) -> Options:
        """The options in a JSON object; BadFieldError if they are none."""
        options = cls(
            preset=None if fields.null("preset") else fields.text("preset"),
            max_candidates=(
                None if fields.null("max_candidates") else fields.whole("max_candidates")
            ),
            operators=None if fields.null("operators") else fields.texts("operators"),
            epochs=None if fields.null("epochs") else fields.whole("epochs"),
            time_limit=None if fields.null("time_limit") else fields.number("time_limit"),
            memory_limit=None if fields.null("memory_limit") else fields.number("memory_limit"),
        )
        fields.end()
        return options


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
        """The run that `to_json` wrote; BadFieldError if it is none."""
        fields = Fields(parse_object(text))
        run = cls.from_fields(fields)
        fields.end()
        return run

    @classmethod
    def from_fields(cls, fields: Fields) -> Run:
        """The run that is among the fields of an object."""
        return cls(
            domain=fields.text("domain"),
            method=fields.text("method"),
            seed=fields.whole("seed"),
            options=Options.from_fields(fields.inner("options")),
        )

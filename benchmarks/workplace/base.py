"""What a domain from working life is: as a built-in one, with its PDDL in this package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from benchmarks.survey.base import SurveyDomain
from pg3.domains.base import Size, Split

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pg3.domains.base import Draft, Range, Sizes
    from pg3.domains.chance import Chance

TRAINING_PROBLEMS = 10
TEST_PROBLEMS = 20

TIMES = 5
"""Test problems have so many times the objects of training problems."""


class WorkplaceDomain(SurveyDomain):
    """A domain whose PDDL is pddl/NAME.pddl here."""

    folder: ClassVar[Path] = Path(__file__).with_name("pddl")


def workplace(
    name: str,
    summary: str,
    generate: Callable[[Chance, Sizes], Draft],
    sizes: Mapping[str, Range],
    fixed: Mapping[str, Range] | None = None,
    kind: type[WorkplaceDomain] = WorkplaceDomain,
) -> WorkplaceDomain:
    """A domain with training problems of these sizes, and tests of `TIMES` as many of each.

    What is `fixed` has the same number in both. A policy gets 20,000 steps. The `kind` knows where
    the PDDL is.
    """
    same = dict(fixed or {})
    larger = {size: (high * TIMES, high * (TIMES + 1)) for size, (_, high) in sizes.items()}
    return kind(
        name=name,
        summary=summary,
        horizon=20_000,
        sizes=tuple(Size(size, size, least=0) for size in (*sizes, *same)),
        splits={
            "train": Split(TRAINING_PROBLEMS, {**sizes, **same}),
            "test": Split(TEST_PROBLEMS, {**larger, **same}),
        },
        generate=generate,
    )

"""What a domain of the survey is: as a built-in one, with its PDDL in this package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pg3.domains.base import BuiltInDomain, Size, Split
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pg3.domains.base import Draft, Range, Sizes
    from pg3.domains.chance import Chance

TRAINING_PROBLEMS = 15
TEST_PROBLEMS = 15


class SurveyDomain(BuiltInDomain):
    """A domain of planning competitions or of other learners, written anew: pddl/NAME.pddl."""

    folder: ClassVar[Path] = Path(__file__).with_name("pddl")

    @property
    def text(self) -> str:
        """The domain as PDDL."""
        return (self.folder / f"{self.name}.pddl").read_text(encoding="utf-8")


def survey_domain(
    name: str,
    source: str,
    generate: Callable[[Chance, Sizes], Draft],
    train: Mapping[str, Range],
    test: Mapping[str, Range],
) -> SurveyDomain:
    """A domain with a training and a test split. `source` says whose domain it is.

    A policy gets 5,000 steps, which is several times more than any of these problems needs.
    """
    return SurveyDomain(
        name=name,
        summary=source,
        horizon=5000,
        sizes=tuple(Size(size, size, least=0) for size in train),
        splits={"train": Split(TRAINING_PROBLEMS, train), "test": Split(TEST_PROBLEMS, test)},
        generate=generate,
    )


def named(prefix: str, number: int) -> list[str]:
    """`number` names that begin alike: prefix1, prefix2, ..."""
    return [f"{prefix}{i}" for i in range(1, number + 1)]


def typed(names: Iterable[str], type_: str) -> list[TypedObject]:
    """These names as objects of this type."""
    return [TypedObject(name, type_) for name in names]


def facts(predicate: str, arguments: Iterable[Sequence[str]]) -> list[Atom]:
    """An atom of this predicate for each tuple of arguments."""
    return [Atom(predicate, tuple(each)) for each in arguments]


def fact(predicate: str, *arguments: str) -> Atom:
    """One atom."""
    return Atom(predicate, arguments)

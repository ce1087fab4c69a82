"""A finding of the doctor: what to know before learning, and what to do about it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from pg3.errors import first_few

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.analysis.doctor.measurements import Measurements

# What is so in this many other problems is no accident of a small one.
USUAL = 2


class Level(StrEnum):
    """How much a finding matters."""

    CONCERN = "concern"
    NOTE = "note"


class Finding(NamedTuple):
    """A finding: what to know before learning, the files that it is about, and advice."""

    check: str
    level: Level
    message: str
    advice: str
    files: tuple[str, ...] = ()


def paths(problems: Iterable[Measurements]) -> tuple[str, ...]:
    """The files of the problems."""
    return tuple(problem.path for problem in problems)


def listed(names: Iterable[str]) -> str:
    """The first few names, in words."""
    return first_few(list(names), 6)

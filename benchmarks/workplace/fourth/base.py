"""What a domain of the fourth set is: as one of the third, with its PDDL in this package."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from benchmarks.workplace.third.base import ThirdDomain, third

if TYPE_CHECKING:
    from benchmarks.workplace.third.sketch import Sketch


class FourthDomain(ThirdDomain):
    """A domain whose PDDL is pddl/NAME.pddl here."""

    folder: ClassVar[Path] = Path(__file__).with_name("pddl")


fourth = partial(third, kind=FourthDomain)


def chain(g: Sketch, *levels: str) -> list[str]:
    """These levels, each `next` to the one before."""
    for lower, higher in pairwise(levels):
        g.fact("next", lower, higher)
    return list(levels)

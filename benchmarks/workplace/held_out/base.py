"""What a held-out domain is: as one of the first half, with its PDDL in this package."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import ClassVar

from benchmarks.workplace.base import WorkplaceDomain, workplace


class HeldOutDomain(WorkplaceDomain):
    """A domain whose PDDL is pddl/NAME.pddl here."""

    folder: ClassVar[Path] = Path(__file__).with_name("pddl")


held_out = partial(workplace, kind=HeldOutDomain)

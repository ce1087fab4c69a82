"""Names of pg3 for those of unified-planning."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pg3.pddl.model import OBJECT
from pg3.pddl.reading.conditions import RESERVED
from pg3.pddl.reading.number_reader import TOTAL_COST

if TYPE_CHECKING:
    from collections.abc import Iterable

# A predicate that never holds, for conditions that are false whatever the state. It is declared
# only where there is one, as every predicate is one more condition for a learner to try.
NEVER = "never"


class Names:
    """One-to-one names of pg3 for things that unified-planning calls by any text.

    A name that is fit for PDDL only becomes lower case. In others what cannot be is replaced by
    "_"; a name that is taken by then gets a number. The first to come keeps the plain name.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._given: dict[str, str] = {}

    def __getitem__(self, name: str) -> str:
        if name not in self._given:
            printable = "".join(c if c.isprintable() else "_" for c in name.lower())
            plain = re.sub(r"[\s();]|^[?:\-=]", "_", printable) or "_"
            unique, number = plain, 1
            while unique in self._taken:
                number += 1
                unique = f"{plain}_{number}"
            self.assign(name, unique)
        return self._given[name]

    def assign(self, name: str, to: str) -> None:
        """Reserve a name."""
        self._taken.add(to)
        self._given[name] = to


class SharedNames:
    """The names that problems of one domain have in common, and whether these need `NEVER`."""

    def __init__(self) -> None:
        self.types = Names((OBJECT,))
        self.predicates = Names((*RESERVED, NEVER))
        self.functions = Names((*RESERVED, TOTAL_COST))
        self.actions = Names()
        self.constants = Names()
        self.needs_never = False

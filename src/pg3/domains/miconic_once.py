"""Miconic in one building: every passenger has to go to another floor."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.domains.chance import Chance


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    passengers = [f"p{i}" for i in range(1, sizes.draw(chance, "passengers") + 1)]
    floors = [f"f{i}" for i in range(1, sizes.draw(chance, "floors") + 1)]
    lift = chance.choose(floors)
    origins = [chance.choose(floors) for _ in passengers]
    targets = [chance.choose_other(floors, origin) for origin in origins]

    def init() -> Iterator[Atom]:
        yield Atom("lift-at", (lift,))
        for passenger, origin, target in zip(passengers, origins, targets, strict=True):
            yield Atom("origin", (passenger, origin))
            yield Atom("destin", (passenger, target))
        for pair in combinations(floors, 2):
            yield Atom("above", pair)

    return Draft(
        objects=[
            *(TypedObject(name, "passenger") for name in passengers),
            *(TypedObject(name, "floor") for name in floors),
        ],
        init=init(),
        goal=[Atom("served", (passenger,)) for passenger in passengers],
    )


MICONIC_ONCE = BuiltInDomain(
    name="miconic-once",
    summary="Miconic in one building, where passengers who have boarded no longer wait.",
    horizon=1000,
    sizes=(
        Size("passengers", "passengers", train=(1, 3), test=(25, 40)),
        Size("floors", "floors", least=2, train=(2, 6), test=(20, 30)),
    ),
    generate=_generate,
)

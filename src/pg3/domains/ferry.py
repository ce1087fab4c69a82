"""Ferry: cars and their destinations are anywhere; some cars may be where they belong already."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.domains.chance import Chance


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    locations = [f"l{i}" for i in range(sizes.draw(chance, "locations"))]
    cars = [f"c{i}" for i in range(sizes.draw(chance, "cars"))]
    ferry = chance.choose(locations)
    origins = [chance.choose(locations) for _ in cars]
    targets = [chance.choose(locations) for _ in cars]

    def init() -> Iterator[Atom]:
        for location in locations:
            yield Atom("location", (location,))
        for car in cars:
            yield Atom("car", (car,))
        for pair in permutations(locations, 2):
            yield Atom("not-eq", pair)
        yield Atom("empty-ferry")
        yield Atom("at-ferry", (ferry,))
        for at in zip(cars, origins, strict=True):
            yield Atom("at", at)

    return Draft(
        objects=[TypedObject(name) for name in locations + cars],
        init=init(),
        goal=[Atom("at", at) for at in zip(cars, targets, strict=True)],
    )


FERRY = BuiltInDomain(
    name="ferry",
    summary="A ferry takes cars to their destinations, one at a time.",
    horizon=1000,
    sizes=(
        Size("locations", "places the ferry sails to", least=2, train=(10, 15), test=(20, 30)),
        Size("cars", "cars", train=(3, 5), test=(10, 20)),
    ),
    generate=_generate,
)

"""Miconic: each building has a lift, floors and passengers of its own."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Option, Size, Sizes
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.domains.chance import Chance

_EQUAL = "equal-buildings"


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    objects: list[TypedObject] = []
    floors_of: list[list[str]] = []
    facts: list[Atom] = []
    goal: list[Atom] = []
    floor_count = passenger_count = 0
    for b in range(sizes.draw(chance, "buildings")):
        if b == 0 or _EQUAL not in sizes.options:
            floor_count = sizes.draw(chance, "floors")
            passenger_count = sizes.draw(chance, "passengers")
        floors = [f"f{i}_b{b}" for i in range(floor_count)]
        passengers = [f"p{i}_b{b}" for i in range(passenger_count)]
        objects += [TypedObject(floor, "floor") for floor in floors]
        objects += [TypedObject(passenger, "passenger") for passenger in passengers]
        floors_of.append(floors)
        facts.append(Atom("lift-at", (chance.choose(floors),)))
        for passenger in passengers:
            origin = chance.choose(floors)
            facts.append(Atom("origin", (passenger, origin)))
            facts.append(Atom("destin", (passenger, chance.choose_other(floors, origin))))
            goal.append(Atom("served", (passenger,)))

    def init() -> Iterator[Atom]:
        for floors in floors_of:
            # (above A B): B is higher than A.
            for pair in combinations(floors, 2):
                yield Atom("above", pair)
        yield from facts

    return Draft(objects, init(), goal)


MICONIC = BuiltInDomain(
    name="miconic",
    summary="Lifts bring passengers to their floors, in one building or several.",
    horizon=1000,
    sizes=(
        Size("buildings", "buildings, each with a lift", train=(1, 2), test=(1, 5)),
        Size("floors", "floors of a building", least=2, train=(5, 10), test=(10, 20)),
        Size("passengers", "passengers of a building", train=(1, 5), test=(1, 10)),
    ),
    generate=_generate,
    options=(Option(_EQUAL, "all buildings of a problem have equally many floors and passengers"),),
)

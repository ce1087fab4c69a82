"""Transport: packages anywhere on a connected map, and vehicles of different sizes.

Every vehicle has room for a package at least, and can get everywhere.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.domains.graphs import both_ways, random_graph
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.domains.chance import Chance


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    vehicles = [f"v{i}" for i in range(1, sizes.draw(chance, "vehicles") + 1)]
    packages = [f"p{i}" for i in range(1, sizes.draw(chance, "packages") + 1)]
    locations = [f"l{i}" for i in range(1, sizes.draw(chance, "locations") + 1)]
    capacities = [f"c{i}" for i in range(sizes.draw(chance, "capacity") + 1)]
    roads = both_ways(random_graph(chance, locations))
    room = [chance.choose(capacities[1:]) for _ in vehicles]
    places = [chance.choose(locations) for _ in packages + vehicles]
    targets = [chance.choose(locations) for _ in packages]

    def init() -> Iterator[Atom]:
        for pair in zip(vehicles, room, strict=True):
            yield Atom("capacity", pair)
        for pair in pairwise(capacities):
            yield Atom("capacity-predecessor", pair)
        for pair in zip(packages + vehicles, places, strict=True):
            yield Atom("at", pair)
        for road in roads:
            yield Atom("road", road)

    return Draft(
        objects=[
            *(TypedObject(name, "vehicle") for name in vehicles),
            *(TypedObject(name, "package") for name in packages),
            *(TypedObject(name, "location") for name in locations),
            *(TypedObject(name, "size") for name in capacities),
        ],
        init=init(),
        goal=[Atom("at", pair) for pair in zip(packages, targets, strict=True)],
    )


_SIZES = (
    Size("vehicles", "vehicles", train=(1, 2), test=(4, 8)),
    Size("packages", "packages", train=(1, 3), test=(20, 30)),
    Size("locations", "locations", least=2, train=(3, 7), test=(50, 70)),
    Size(
        "capacity", "packages that the largest vehicle may have room for", train=(1, 2), test=(2, 4)
    ),
)

TRANSPORT = BuiltInDomain(
    name="transport",
    summary="Vehicles with little room bring packages to their places; no need to find the way.",
    horizon=1000,
    sizes=_SIZES,
    generate=_generate,
)

TRANSPORT_ROADS = BuiltInDomain(
    name="transport-roads",
    summary="Vehicles with little room bring packages to their places, along roads.",
    horizon=5000,
    sizes=_SIZES,
    generate=_generate,
)

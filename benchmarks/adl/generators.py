"""The domains of pddl/, most of them after the competitions', with generators of solvable problems.

Training problems are small; tests have five times as many of everything that grows.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from benchmarks.survey.base import fact, facts, named, typed
from benchmarks.workplace.base import WorkplaceDomain, workplace
from pg3.domains.base import Draft, Sizes
from pg3.domains.graphs import random_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pg3.domains.base import Range
    from pg3.domains.chance import Chance


class AdlDomain(WorkplaceDomain):
    """A domain whose PDDL is pddl/NAME.pddl here."""

    folder: ClassVar[Path] = Path(__file__).with_name("pddl")


def _miconic(chance: Chance, sizes: Sizes) -> Draft:
    passengers = named("p", sizes.draw(chance, "passengers"))
    # Nobody gets on where another gets off: who must not meet could not be kept apart there.
    origins = named("f", len(passengers) + 1)
    lobbies = named("lobby", 1 + len(passengers) // 2)
    floors = [*origins, *lobbies]
    start = {p: chance.choose(origins) for p in passengers}
    end = {p: chance.choose(lobbies) for p in passengers}
    alone = [p for p in passengers if Counter(start.values())[start[p]] == 1]
    # Passengers who wait together get on together, so only one who waits alone has conditions.
    vips = [p for p in alone if not chance.below(4)]
    nonstop = [p for p in alone if not chance.below(3)]
    conflicts = [(p, q) for p, q in pairwise(alone) if chance.below(2)]
    barred = [
        (p, floor)
        for p in alone
        for floor in chance.sample(floors, 1)
        if floor not in (start[p], end[p])
    ]
    return Draft(
        objects=[*typed(passengers, "passenger"), *typed(floors, "floor")],
        init=[
            *facts("above", ((f, g) for i, f in enumerate(floors) for g in floors[i + 1 :])),
            fact("lift-at", chance.choose(floors)),
            *facts("origin", start.items()),
            *facts("destin", end.items()),
            *facts("vip", ([p] for p in vips)),
            *facts("nonstop", ([p] for p in nonstop)),
            *facts("conflict", (both for p, q in conflicts for both in ((p, q), (q, p)))),
            *facts("no-access", barred),
        ],
        goal=facts("served", ([p] for p in passengers)),
    )


def _openstacks(chance: Chance, sizes: Sizes) -> Draft:
    orders = named("o", sizes.draw(chance, "orders"))
    products = named("p", len(orders))
    counts = [f"n{i}" for i in range(len(orders) + 1)]
    return Draft(
        objects=[*typed(orders, "order"), *typed(products, "product"), *typed(counts, "count")],
        init=[
            *facts(
                "includes",
                (
                    (order, product)
                    for order in orders
                    for product in chance.sample(products, chance.between(1, min(3, len(products))))
                ),
            ),
            *facts("waiting", ([order] for order in orders)),
            *facts("next-count", pairwise(counts)),
            fact("stacks-avail", "n0"),
        ],
        goal=facts("shipped", ([order] for order in orders)),
    )


def _roadworks(chance: Chance, sizes: Sizes) -> Draft:
    junctions = named("j", sizes.draw(chance, "junctions"))
    cars = named("c", sizes.draw(chance, "cars"))
    roads = named("r", sizes.draw(chance, "roads"))
    return Draft(
        objects=[*typed(junctions, "junction"), *typed(cars, "car"), *typed(roads, "road")],
        init=[
            *facts("near", random_graph(chance, junctions)),
            *(fact("at", car, chance.choose(junctions)) for car in cars),
        ],
        goal=[fact("at", car, chance.choose(junctions)) for car in cars],
    )


def _schedule(chance: Chance, sizes: Sizes) -> Draft:
    parts = named("part", sizes.draw(chance, "parts"))
    colours, widths = ["red", "blue", "black"], ["w1", "w2"]
    shapes, surfaces = ["cylindrical", "oblong"], ["rough", "smooth", "polished"]
    init, goal = [], []
    for part in parts:
        init += [fact("shape", part, chance.choose(shapes))]
        init += [fact("surface", part, chance.choose(surfaces))]
        init += [fact("painted", part, chance.choose(colours))] if chance.below(2) else []
        wanted = [
            fact("shape", part, "cylindrical"),
            fact("hole", part, chance.choose(widths)),
            fact("surface", part, chance.choose(surfaces[1:])),
            fact("painted", part, chance.choose(colours)),
        ]
        goal += chance.sample(wanted, chance.between(1, len(wanted)))
    return Draft(
        objects=[
            *typed(parts, "part"),
            *typed(shapes[1:], "shape"),
            *typed(colours, "colour"),
            *typed(widths, "width"),
        ],
        init=init,
        goal=goal,
    )


def _maintenance(chance: Chance, sizes: Sizes) -> Draft:
    planes = named("plane", sizes.draw(chance, "planes"))
    airports = named("airport", sizes.draw(chance, "airports"))
    days = named("day", sizes.draw(chance, "days"))
    return Draft(
        objects=[*typed(planes, "plane"), *typed(airports, "airport"), *typed(days, "day")],
        init=[
            # The days of a timetable that is repeated.
            *facts("after", (*pairwise(days), (days[-1], days[0]))),
            fact("today", chance.choose(days)),
            fact("crew-at", chance.choose(airports)),
            fact("rested"),
            *(
                fact("visits", plane, day, chance.choose(airports))
                for plane in planes
                for day in chance.sample(days, chance.between(1, min(3, len(days))))
            ),
        ],
        goal=facts("served", ([plane] for plane in planes)),
    )


def _briefcase(chance: Chance, sizes: Sizes) -> Draft:
    places = named("p", sizes.draw(chance, "places"))
    items = named("i", sizes.draw(chance, "items"))
    return Draft(
        objects=[*typed(places, "place"), *typed(items, "item")],
        init=[
            *facts("road", random_graph(chance, places)),
            fact("case-at", chance.choose(places)),
            *(fact("at", item, chance.choose(places)) for item in items),
        ],
        goal=[fact("at", item, chance.choose(places)) for item in items],
    )


def _adl(
    name: str,
    summary: str,
    generate: Callable[[Chance, Sizes], Draft],
    sizes: Mapping[str, Range],
    fixed: Mapping[str, Range] | None = None,
) -> WorkplaceDomain:
    return workplace(name, summary, generate, sizes, fixed, AdlDomain)


DOMAINS = (
    _adl("miconic-adl", "IPC 2000, full ADL", _miconic, {"passengers": (1, 4)}),
    _adl("openstacks-adl", "IPC 2008", _openstacks, {"orders": (1, 4)}),
    _adl(
        "roadworks",
        "like Citycar, IPC 2014",
        _roadworks,
        {"junctions": (3, 5), "cars": (1, 3)},
        {"roads": (2, 2)},
    ),
    _adl("schedule-adl", "like Schedule, IPC 2000", _schedule, {"parts": (1, 3)}),
    _adl(
        "maintenance-adl",
        "like Maintenance, IPC 2014",
        _maintenance,
        {"planes": (1, 4), "airports": (2, 3), "days": (2, 4)},
    ),
    _adl(
        "briefcase-roads",
        "Pednault's briefcase, along roads",
        _briefcase,
        {"places": (3, 5), "items": (1, 3)},
    ),
)

"""Domains in which vehicles, lifts or robots carry things."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from benchmarks.survey.base import fact, facts, named, survey_domain, typed
from benchmarks.survey.cells import grid_cells, neighbours
from pg3.domains.base import Draft, Sizes
from pg3.domains.graphs import both_ways, random_graph

if TYPE_CHECKING:
    from pg3.domains.chance import Chance


def _driverlog(chance: Chance, sizes: Sizes) -> Draft:
    places = named("s", sizes.draw(chance, "places"))
    drivers = named("driver", sizes.draw(chance, "drivers"))
    trucks = named("truck", sizes.draw(chance, "trucks"))
    packages = named("package", sizes.draw(chance, "packages"))
    # A path leads by a point of its own, on which no truck can drive.
    footways = random_graph(chance, places)
    points = {way: f"p-{way[0]}-{way[1]}" for way in footways}
    steps = [step for way, point in points.items() for step in ((way[0], point), (point, way[1]))]
    return Draft(
        objects=[
            *typed([*places, *points.values()], "location"),
            *typed(drivers, "driver"),
            *typed(trucks, "truck"),
            *typed(packages, "obj"),
        ],
        init=[
            *facts("link", both_ways(random_graph(chance, places))),
            *facts("path", both_ways(steps)),
            *(fact("at", each, chance.choose(places)) for each in drivers + trucks + packages),
            *facts("empty", ([truck] for truck in trucks)),
        ],
        goal=[
            *(fact("at", each, chance.choose(places)) for each in packages),
            *(
                fact("at", each, chance.choose(places))
                for each in drivers + trucks
                if chance.below(2)
            ),
        ],
    )


def _zenotravel(chance: Chance, sizes: Sizes) -> Draft:
    cities = named("city", sizes.draw(chance, "cities"))
    planes = named("plane", sizes.draw(chance, "planes"))
    people = named("person", sizes.draw(chance, "people"))
    levels = [f"fl{i}" for i in range(sizes.draw(chance, "levels"))]
    return Draft(
        objects=[
            *typed(cities, "city"),
            *typed(planes, "aircraft"),
            *typed(people, "person"),
            *typed(levels, "flevel"),
        ],
        init=[
            *facts("next", pairwise(levels)),
            *(fact("at", each, chance.choose(cities)) for each in planes + people),
            *(fact("fuel-level", plane, chance.choose(levels)) for plane in planes),
        ],
        goal=[
            *(fact("at", each, chance.choose(cities)) for each in people),
            *(fact("at", each, chance.choose(cities)) for each in planes if not chance.below(3)),
        ],
    )


def _elevators(chance: Chance, sizes: Sizes) -> Draft:
    block = sizes.draw(chance, "block")
    blocks = sizes.draw(chance, "blocks")
    floors = [f"n{i}" for i in range(block * blocks + 1)]
    slow = named("slow", blocks)
    fast = named("fast", sizes.draw(chance, "fast"))
    people = named("p", sizes.draw(chance, "people"))
    # A slow lift serves its block with the floors at both of its ends, where the fast lifts stop.
    served = {lift: floors[i * block : (i + 1) * block + 1] for i, lift in enumerate(slow)}
    served |= dict.fromkeys(fast, floors[::block])
    return Draft(
        objects=[
            *typed(floors, "count"),
            *typed(slow, "slow-elevator"),
            *typed(fast, "fast-elevator"),
            *typed(people, "passenger"),
        ],
        init=[
            *facts("next", pairwise(floors)),
            *facts(
                "above", ((low, high) for i, low in enumerate(floors) for high in floors[i + 1 :])
            ),
            *facts("reachable-floor", ((lift, floor) for lift in served for floor in served[lift])),
            *facts("passengers", ((lift, "n0") for lift in served)),
            *facts("can-hold", ((lift, seats) for lift in served for seats in floors[1:3])),
            *(fact("lift-at", lift, chance.choose(stops)) for lift, stops in served.items()),
            *(fact("passenger-at", who, chance.choose(floors)) for who in people),
        ],
        goal=[fact("passenger-at", who, chance.choose(floors)) for who in people],
    )


def _tpp(chance: Chance, sizes: Sizes) -> Draft:
    markets = named("market", sizes.draw(chance, "markets"))
    goods = named("goods", sizes.draw(chance, "goods"))
    trucks = named("truck", sizes.draw(chance, "trucks"))
    levels = [f"level{i}" for i in range(sizes.draw(chance, "levels") + 1)]
    on_sale = {(ware, market): chance.below(len(levels)) for ware in goods for market in markets}
    total = {ware: sum(on_sale[ware, market] for market in markets) for ware in goods}
    return Draft(
        objects=[
            *typed(markets, "market"),
            *typed(["depot1"], "depot"),
            *typed(goods, "goods"),
            *typed(trucks, "truck"),
            *typed(levels, "level"),
        ],
        init=[
            *facts("next", ((high, low) for low, high in pairwise(levels))),
            *facts("connected", both_ways(random_graph(chance, ["depot1", *markets]))),
            *facts("at", ((truck, "depot1") for truck in trucks)),
            *facts("on-sale", ((*what, levels[amount]) for what, amount in on_sale.items())),
            *facts("ready-to-load", ((*what, "level0") for what in on_sale)),
            *facts("loaded", ((ware, truck, "level0") for ware in goods for truck in trucks)),
            *facts("stored", ((ware, "level0") for ware in goods)),
        ],
        goal=[
            fact("stored", ware, levels[chance.between(1, min(total[ware], len(levels) - 1))])
            for ware in goods
            if total[ware]
        ],
    )


def _robots(chance: Chance, sizes: Sizes) -> Draft:
    rooms = named("room", sizes.draw(chance, "rooms"))
    robots = named("robot", sizes.draw(chance, "robots"))
    balls = named("ball", sizes.draw(chance, "balls"))
    grippers = {robot: [f"left-{robot}", f"right-{robot}"] for robot in robots}
    return Draft(
        objects=[
            *typed(rooms, "room"),
            *typed(robots, "robot"),
            *typed(balls, "ball"),
            *typed((hand for hands in grippers.values() for hand in hands), "gripper"),
        ],
        init=[
            *(fact("at-robot", robot, chance.choose(rooms)) for robot in robots),
            *facts("free", ((robot, hand) for robot in robots for hand in grippers[robot])),
            *(fact("at", ball, chance.choose(rooms)) for ball in balls),
        ],
        goal=[fact("at", ball, chance.choose(rooms)) for ball in balls],
    )


def _courier(chance: Chance, sizes: Sizes) -> Draft:
    cells = grid_cells(sizes.draw(chance, "width"), sizes.draw(chance, "height"))
    packages = named("package", sizes.draw(chance, "packages"))
    names = list(cells)
    target = chance.choose(names)
    return Draft(
        objects=[
            *typed(names, "cell"),
            *typed(["van"], "truck"),
            *typed(packages, "package"),
        ],
        init=[
            *facts("adjacent", neighbours(cells)),
            *(fact("at", each, chance.choose(names)) for each in ["van", *packages]),
            fact("empty", "van"),
        ],
        goal=[fact("at", package, target) for package in packages],
    )


def _hiking(chance: Chance, sizes: Sizes) -> Draft:
    places = named("place", sizes.draw(chance, "places"))
    couples = named("couple", sizes.draw(chance, "couples"))
    cars = named("car", len(couples) + 1)
    pairs = {couple: (f"guy-{couple}", f"girl-{couple}") for couple in couples}
    people = [person for pair in pairs.values() for person in pair]
    return Draft(
        objects=[
            *typed(places, "place"),
            *typed(couples, "couple"),
            *typed(people, "person"),
            *typed(cars, "car"),
            *typed(["tent1"], "tent"),
        ],
        init=[
            *facts("next", pairwise(places)),
            *facts("partners", ((couple, *pair) for couple, pair in pairs.items())),
            *facts("at-person", ((person, places[0]) for person in people)),
            *facts("walked", ((couple, places[0]) for couple in couples)),
            *facts("at-car", ((car, places[0]) for car in cars)),
            fact("at-tent", "tent1", chance.choose(places)),
            fact(chance.choose(["up", "down"]), "tent1"),
        ],
        goal=facts("walked", ((couple, places[-1]) for couple in couples)),
    )


CARRYING = (
    survey_domain(
        "driverlog",
        "IPC 2002",
        _driverlog,
        {"places": (3, 5), "drivers": (1, 2), "trucks": (1, 2), "packages": (2, 3)},
        {"places": (10, 15), "drivers": (4, 6), "trucks": (4, 6), "packages": (8, 12)},
    ),
    survey_domain(
        "zenotravel",
        "IPC 2002",
        _zenotravel,
        {"cities": (3, 4), "planes": (1, 2), "people": (2, 4), "levels": (3, 4)},
        {"cities": (10, 15), "planes": (3, 5), "people": (10, 15), "levels": (5, 7)},
    ),
    survey_domain(
        "elevators",
        "IPC 2008",
        _elevators,
        {"block": (2, 3), "blocks": (2, 3), "fast": (1, 1), "people": (1, 3)},
        {"block": (4, 6), "blocks": (3, 4), "fast": (2, 3), "people": (8, 12)},
    ),
    survey_domain(
        "tpp",
        "IPC 2006",
        _tpp,
        {"markets": (1, 2), "goods": (1, 3), "trucks": (1, 2), "levels": (1, 2)},
        {"markets": (5, 8), "goods": (6, 9), "trucks": (2, 4), "levels": (3, 5)},
    ),
    survey_domain(
        "robots",
        "IPC 1998, Gripper; several robots as in other learners' work",
        _robots,
        {"rooms": (2, 4), "robots": (1, 2), "balls": (2, 5)},
        {"rooms": (8, 12), "robots": (3, 5), "balls": (15, 20)},
    ),
    survey_domain(
        "courier",
        "Delivery of D2L",
        _courier,
        {"width": (2, 3), "height": (2, 3), "packages": (1, 3)},
        {"width": (8, 10), "height": (8, 10), "packages": (5, 9)},
    ),
    survey_domain(
        "hiking",
        "IPC 2014",
        _hiking,
        {"places": (2, 4), "couples": (1, 2)},
        {"places": (8, 12), "couples": (3, 5)},
    ),
)

"""Seeded problems of any number of objects, as PDDL text, one function a domain.

Every problem has exactly as many objects as asked for (Forest, a square, as many as fit), and can
be solved. What is quadratic in a type, as `above` is in the floors, keeps that type small.
"""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Miconic: 300 floors at most, in four buildings: `above` then has 11,100 atoms, whatever the size.
BUILDINGS = 4
FLOORS = 75


def gripper_problem(objects: int, seed: int, rooms: int | None = None) -> str:
    """Two grippers, a tenth of the objects rooms, the rest balls; three of four balls have a goal.

    With `rooms` given, so many, and every ball has a goal in another room, as in MOOSE's problems.
    """
    chance = random.Random(seed)
    number = objects // 10 if rooms is None else rooms
    room_names = _names("room", number)
    grippers = _names("gripper", 2)
    balls = _names("ball", objects - number - 2)
    init = [f"(at-robby {room_names[0]})"]
    init += [f"(room {room})" for room in room_names]
    init += [f"(gripper {gripper}) (free {gripper})" for gripper in grippers]
    goal = []
    for ball in balls:
        start, target = chance.sample(room_names, 2)
        init.append(f"(ball {ball}) (at {ball} {start})")
        if rooms is not None or chance.random() < 0.75:
            goal.append(f"(at {ball} {target})")
    everything = room_names + grippers + balls
    return _text("gripper-strips", objects, seed, {"": everything}, init, goal)


def miconic_problem(
    objects: int, seed: int, buildings: int = BUILDINGS, floors: int = FLOORS
) -> str:
    """So many buildings with so many floors each, the rest passengers, all with a goal."""
    chance = random.Random(seed)
    houses = [[f"f{f}-b{b}" for f in range(floors)] for b in range(buildings)]
    passengers = _names("p", objects - buildings * floors)
    init = []
    for house in houses:
        init.append(f"(lift-at {chance.choice(house)})")
        for i, lower in enumerate(house):
            init += [f"(above {lower} {higher})" for higher in house[i + 1 :]]
    for passenger in passengers:
        origin, destination = chance.sample(chance.choice(houses), 2)
        init.append(f"(origin {passenger} {origin}) (destin {passenger} {destination})")
    goal = [f"(served {passenger})" for passenger in passengers]
    groups = {"floor": [floor for house in houses for floor in house], "passenger": passengers}
    return _text("miconic", objects, seed, groups, init, goal)


def spanner_problem(objects: int, seed: int) -> str:
    """A corridor of a tenth of the objects; half of the rest are spanners, two fifths nuts."""
    chance = random.Random(seed)
    places = ["shed", *_names("location", objects // 10 - 2), "gate"]
    rest = objects - len(places) - 1
    nuts = _names("nut", rest * 45 // 100)
    spanners = _names("spanner", rest - len(nuts))
    init = ["(at bob shed)"]
    init += [f"(link {a} {b})" for a, b in pairwise(places)]
    init += [f"(useable {s}) (at {s} {chance.choice(places[1:-1])})" for s in spanners]
    init += [f"(loose {nut}) (at {nut} gate)" for nut in nuts]
    goal = [f"(tightened {nut})" for nut in nuts]
    groups = {"man": ["bob"], "spanner": spanners, "nut": nuts, "location": places}
    return _text("spanner", objects, seed, groups, init, goal)


def delivery_problem(objects: int, seed: int) -> str:
    """Half of the objects places, half papers; seven of ten places are safe and customers."""
    chance = random.Random(seed)
    home, *places = _names("loc", objects // 2)
    papers = _names("paper", objects - objects // 2)
    customers = [place for place in places if chance.random() < 0.7]
    init = [f"(at {home}) (ishomebase {home}) (safe {home})"]
    init += [f"(safe {place}) (wantspaper {place})" for place in customers]
    init += [f"(unpacked {paper})" for paper in papers]
    goal = [f"(satisfied {place})" for place in customers]
    groups = {"loc": [home, *places], "paper": papers}
    return _text("trapnewspapers", objects, seed, groups, init, goal)


def forest_problem(objects: int, seed: int) -> str:
    """A square grid; the trail winds through every second row, past water, over some hills."""
    chance = random.Random(seed)
    side = round(objects**0.5)
    trail: list[tuple[int, int]] = []
    for row in range(0, side, 2):
        columns = range(side) if row % 4 == 0 else range(side - 1, -1, -1)
        trail += [(row, column) for column in columns]
        if row + 2 < side:
            trail.append((row + 1, columns[-1]))
    on_trail = set(trail)
    init = ["(at r0-c0)"]
    for row in range(side):
        for column in range(side):
            here = _place((row, column))
            for there in ((row, column + 1), (row + 1, column)):
                if max(there) < side:
                    other = _place(there)
                    init.append(f"(adjacent {here} {other}) (adjacent {other} {here})")
            if (row, column) != trail[0] and chance.random() < 0.2:
                init.append(f"(ishill {here})")
            elif (row, column) not in on_trail and chance.random() < 0.5:
                init.append(f"(iswater {here})")
    init += [f"(ontrail {_place(a)} {_place(b)})" for a, b in pairwise(trail)]
    cells = [_place((row, column)) for row in range(side) for column in range(side)]
    return _text("hiking", side * side, seed, {"loc": cells}, init, [f"(at {_place(trail[-1])})"])


def transport_problem(objects: int, seed: int, capacity: int = 4) -> str:
    """A tenth of the objects vehicles, a tenth locations, the rest packages and sizes."""
    chance = random.Random(seed)
    vehicles = _names("v", objects // 10)
    locations = _names("l", objects // 10)
    sizes = _names("c", capacity + 1)
    packages = _names("p", objects - len(vehicles) - len(locations) - len(sizes))
    init = [f"(capacity-predecessor {a} {b})" for a, b in pairwise(sizes)]
    for vehicle in vehicles:
        init.append(f"(capacity {vehicle} {chance.choice(sizes[1:])})")
        init.append(f"(at {vehicle} {chance.choice(locations)})")
    goal = []
    for package in packages:
        start, target = chance.sample(locations, 2)
        init.append(f"(at {package} {start})")
        goal.append(f"(at {package} {target})")
    groups = {"vehicle": vehicles, "package": packages, "location": locations, "size": sizes}
    return _text("transport", objects, seed, groups, init, goal)


def carriers_problem(objects: int, seed: int) -> str:
    """A tenth of the objects vans, a tenth places, the rest parcels."""
    chance = random.Random(seed)
    vans = _names("v", objects // 10)
    places = _names("l", objects // 10)
    parcels = _names("p", objects - len(vans) - len(places))
    init = [f"(parked {v} {chance.choice(places)})" for v in vans]
    goal = []
    for parcel in parcels:
        start, target = chance.sample(places, 2)
        init.append(f"(free {parcel}) (at {parcel} {start})")
        goal.append(f"(at {parcel} {target})")
    groups = {"van": vans, "parcel": parcels, "place": places}
    return _text("carriers", objects, seed, groups, init, goal)


def fleet_problem(objects: int, seed: int) -> str:
    """A tenth of the objects vans with room for one to four, a tenth places, the rest parcels."""
    chance = random.Random(seed)
    vans = _names("v", objects // 10)
    places = _names("l", objects // 10)
    parcels = _names("p", objects - len(vans) - len(places))
    init = ["(= (on-the-road) 0)"]
    init += [
        f"(= (room {v}) {chance.randint(1, 4)}) (parked {v} {chance.choice(places)})" for v in vans
    ]
    goal = []
    for parcel in parcels:
        start, target = chance.sample(places, 2)
        init.append(f"(at {parcel} {start})")
        goal.append(f"(at {parcel} {target})")
    groups = {"van": vans, "parcel": parcels, "place": places}
    return _text("fleet", objects, seed, groups, init, goal)


def logistics_problem(objects: int, seed: int) -> str:
    """A tenth of the objects cities with a truck and three locations each, an airplane for four."""
    chance = random.Random(seed)
    cities = _names("city", max(2, objects // 10))
    trucks = _names("truck", len(cities))
    airplanes = _names("airplane", max(1, len(cities) // 4))
    places = {city: [f"{city}-{i}" for i in range(3)] for city in cities}
    locations = [place for city in cities for place in places[city]]
    used = len(cities) + len(trucks) + len(airplanes) + len(locations)
    packages = _names("package", objects - used)
    init = [f"(in-city {place} {city})" for city in cities for place in places[city]]
    init += [f"(has-airport {places[city][0]})" for city in cities]
    for city, truck in zip(cities, trucks, strict=True):
        init.append(f"(at {truck} {chance.choice(places[city])})")
    init += [f"(at {plane} {places[chance.choice(cities)][0]})" for plane in airplanes]
    init += [f"(at {package} {chance.choice(locations)})" for package in packages]
    goal = [f"(at {package} {chance.choice(locations)})" for package in packages]
    groups = {
        "airplane": airplanes,
        "city": cities,
        "truck": trucks,
        "location": locations,
        "package": packages,
    }
    return _text("logistics", objects, seed, groups, init, goal)


def _names(stem: str, number: int) -> list[str]:
    return [f"{stem}{i}" for i in range(number)]


def _place(cell: tuple[int, int]) -> str:
    return f"r{cell[0]}-c{cell[1]}"


def _text(
    domain: str,
    objects: int,
    seed: int,
    groups: Mapping[str, Iterable[str]],
    init: Iterable[str],
    goal: Iterable[str],
) -> str:
    """A problem file; `groups` maps a type, or "" for none, to its objects."""
    lines = [f"(define (problem {domain}-{objects}-{seed})", f"  (:domain {domain})", "  (:objects"]
    lines += [
        f"    {' '.join(names)} - {kind}" if kind else f"    {' '.join(names)}"
        for kind, names in groups.items()
    ]
    lines += ["  )", "  (:init", *(f"    {facts}" for facts in init)]
    lines += ["  )", "  (:goal (and", *(f"    {facts}" for facts in goal), "  )))"]
    return "\n".join(lines) + "\n"

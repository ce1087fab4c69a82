"""Garage, recycling yard, apiary, railway yard: things are put through some treatment."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from benchmarks.survey.base import fact, facts, named, typed
from benchmarks.workplace.held_out.base import held_out
from pg3.domains.base import Draft, Sizes

if TYPE_CHECKING:
    from pg3.domains.chance import Chance


def _garage(chance: Chance, sizes: Sizes) -> Draft:
    cars = named("car", sizes.draw(chance, "cars"))
    bays = named("bay", sizes.draw(chance, "bays"))
    mechanics = named("mechanic", sizes.draw(chance, "mechanics"))
    worn = {
        f"{kind}-{car}": (kind, car)
        for car in cars
        for kind in chance.sample(["tyre", "exhaust", "battery"], chance.between(1, 2))
    }
    # A car may stand in a bay already.
    inside = dict(zip(cars, [bay for bay in bays if not chance.below(3)], strict=False))
    taken = set(inside.values())
    return Draft(
        objects=[
            *typed(cars, "car"),
            *typed(bays, "bay"),
            *typed(mechanics, "mechanic"),
            *(each for name, (kind, _) in worn.items() for each in typed([name], kind)),
        ],
        init=[
            *(fact("at", mechanic, chance.choose([*bays, "store"])) for mechanic in mechanics),
            *facts("hands-free", ([mechanic] for mechanic in mechanics)),
            *facts("waiting", ([car] for car in cars if car not in inside)),
            *facts("stands", inside.items()),
            *facts("vacant", ([bay] for bay in bays if bay not in taken)),
            *facts("raised", ([bay] for bay in bays if not chance.below(3))),
            *(fact("worn", name, car) for name, (_, car) in worn.items()),
        ],
        # One car after the other: spares never run out, lifts and hoods go both ways.
        goal=[
            *(fact("fitted", name, car) for name, (_, car) in worn.items()),
            *facts("back", ([car] for car in cars)),
        ],
    )


def _recycling(chance: Chance, sizes: Sizes) -> Draft:
    materials = named("material", sizes.draw(chance, "materials"))
    waste = named("waste", sizes.draw(chance, "waste"))
    hazardous = [each for each in waste if not chance.below(4)]
    common = [each for each in waste if each not in hazardous]
    steps = ["empty", *named("level", sizes.draw(chance, "levels")), "full"]
    skips = {f"skip-{material}": material for material in materials}
    return Draft(
        objects=[
            *typed(materials, "material"),
            *typed(skips, "skip"),
            *typed(common, "common"),
            *typed(hazardous, "hazardous"),
            *typed(steps[1:-1], "level"),
        ],
        init=[
            *facts("next", pairwise(steps)),
            *(fact("made-of", each, chance.choose(materials)) for each in common),
            *facts("meant-for", skips.items()),
            *(fact("filled", skip, chance.choose(steps)) for skip in skips),
            *facts("in-bay", ([skip] for skip in skips)),
            fact("press-free"),
            *facts("bale-waits", [] if chance.below(3) else [()]),
            fact("hands-free"),
            *facts("on-floor", ([each] for each in waste)),
            *facts("dirty", ([each] for each in common if not chance.below(3))),
            fact("drum-locked"),
        ],
        # Each material has its skip, which can be emptied whenever it is full.
        goal=[
            *facts("sorted", ([each] for each in waste)),
            fact("drum-locked"),
            *(fact("filled", skip, "empty") for skip in skips if not chance.below(3)),
        ],
    )


def _apiary(chance: Chance, sizes: Sizes) -> Draft:
    meadows = named("meadow", sizes.draw(chance, "meadows"))
    hives = named("hive", sizes.draw(chance, "hives"))
    combs = named("comb", sizes.draw(chance, "combs"))
    homes = {comb: chance.choose(hives) for comb in combs}
    # Some combs shall strengthen another hive.
    ends = {c: home if chance.below(4) else chance.choose(hives) for c, home in homes.items()}
    return Draft(
        objects=[*typed(meadows, "meadow"), *typed(hives, "hive"), *typed(combs, "comb")],
        init=[
            fact("at", chance.choose([*meadows, "honey-house"])),
            fact("hands-free"),
            fact("spinner-free"),
            *facts("smoking", [] if chance.below(3) else [()]),
            *(fact("stands", hive, chance.choose(meadows)) for hive in hives),
            *facts("closed", ([hive] for hive in hives)),
            *facts("in-hive", homes.items()),
            *facts("capped", ([comb] for comb in combs if chance.below(3))),
        ],
        # One comb after the other: nothing is used up but the smoke, which is lit anew.
        goal=[
            *facts("spun", ([comb] for comb in combs)),
            *facts("in-hive", ends.items()),
            *facts("closed", ([hive] for hive in hives)),
        ],
    )


def _shunting(chance: Chance, sizes: Sizes) -> Draft:
    sidings = named("siding", sizes.draw(chance, "sidings"))
    departures = named("departure", sizes.draw(chance, "departures"))
    wagons = named("wagon", sizes.draw(chance, "wagons"))
    on: dict[str, list[str]] = {siding: [] for siding in sidings}
    for wagon in wagons:
        on[chance.choose(sidings)].append(wagon)
    stand = {siding: line for siding, line in on.items() if line}
    # The others are in the way, and there is room for them on the spur: sidings are cleared from
    # the points inwards, then trains are signed off.
    wanted = [wagon for wagon in wagons if chance.below(3)]
    return Draft(
        objects=[
            *typed(sidings, "siding"),
            *typed(departures, "departure"),
            *typed(wagons, "wagon"),
        ],
        init=[
            fact("points-to", chance.choose([*sidings, *departures, "workshop", "spur"])),
            fact("engine-free"),
            *(fact("on", wagon, siding) for siding, line in stand.items() for wagon in line),
            *(fact("nearest", line[0], siding) for siding, line in stand.items()),
            *(atom for line in stand.values() for atom in facts("before", pairwise(line))),
            *(fact("innermost", line[-1]) for line in stand.values()),
            *facts("empty", ([t] for t in [*sidings, *departures, "spur"] if t not in stand)),
            *facts("locked", ([siding] for siding in sidings if chance.below(2))),
            *facts("tested", ([wagon] for wagon in wagons if not chance.below(3))),
        ],
        goal=[
            *(fact("on", wagon, chance.choose(departures)) for wagon in wanted),
            *facts("tested", ([wagon] for wagon in wanted)),
            *facts("signed-off", ([departure] for departure in departures)),
            *facts("locked", ([siding] for siding in sidings)),
        ],
    )


YARDS = [
    held_out(
        "garage",
        "Mechanics replace worn parts of cars on lifts.",
        _garage,
        {"cars": (1, 2), "bays": (1, 2)},
        {"mechanics": (1, 2)},
    ),
    held_out(
        "recycling",
        "Waste is sorted into skips, which are emptied in a press.",
        _recycling,
        {"waste": (2, 4), "materials": (1, 2)},
        {"levels": (0, 2)},
    ),
    held_out(
        "apiary",
        "A beekeeper spins the combs of hives and puts them back.",
        _apiary,
        {"combs": (1, 2), "hives": (1, 3), "meadows": (1, 2)},
    ),
    held_out(
        "shunting",
        "An engine sorts wagons from dead-end sidings into trains.",
        _shunting,
        {"wagons": (2, 3), "sidings": (1, 2), "departures": (1, 2)},
    ),
]

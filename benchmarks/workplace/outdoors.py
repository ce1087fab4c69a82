"""Warehouse, airport, factory, parcel network, mine, farm."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from benchmarks.survey.base import fact, facts, named, typed
from benchmarks.workplace.base import workplace
from pg3.domains.base import Draft, Sizes

if TYPE_CHECKING:
    from pg3.domains.chance import Chance


def _warehouse(chance: Chance, sizes: Sizes) -> Draft:
    aisles = named("aisle", sizes.draw(chance, "aisles"))
    docks = named("dock", sizes.draw(chance, "docks"))
    boxes = named("box", sizes.draw(chance, "boxes"))
    pickers = named("picker", sizes.draw(chance, "pickers"))
    items = {f"item-{i}-{box}": box for box in boxes for i in range(1, 1 + chance.between(1, 2))}
    places = [*aisles, *docks, "desk"]
    return Draft(
        objects=[
            *typed(aisles, "aisle"),
            *typed(docks, "dock"),
            *typed(boxes, "box"),
            *typed(items, "item"),
            *typed(pickers, "picker"),
        ],
        init=[
            *(fact("at", picker, chance.choose(places)) for picker in pickers),
            *facts("free", ([picker] for picker in pickers)),
            *(fact("stored", item, chance.choose(aisles)) for item in items),
            *facts("ordered", items.items()),
            *(fact("box-at", box, chance.choose([*docks, "desk"])) for box in boxes),
            *(fact("bound-for", box, chance.choose(docks)) for box in boxes),
        ],
        goal=[
            *facts("packed", items.items()),
            *facts("loaded", ([box] for box in boxes)),
        ],
    )


def _baggage(chance: Chance, sizes: Sizes) -> Draft:
    gates = named("gate", sizes.draw(chance, "gates"))
    planes = {f"plane-{gate}": gate for gate in gates}
    bags = named("bag", sizes.draw(chance, "bags"))
    tugs = named("tug", sizes.draw(chance, "tugs"))
    booked = {bag: chance.choose(list(planes)) for bag in bags}
    places = [*gates, "hall", "screening"]
    charged = [tug for tug in tugs if chance.below(2)]
    return Draft(
        objects=[
            *typed(gates, "gate"),
            *typed(planes, "plane"),
            *typed(bags, "bag"),
            *typed(tugs, "tug"),
        ],
        init=[
            # A tug without charge stands where it can be charged.
            *(
                fact("tug-at", tug, chance.choose(places) if tug in charged else "hall")
                for tug in tugs
            ),
            *facts("charged", ([tug] for tug in charged)),
            *facts("empty", ([tug] for tug in tugs)),
            *facts("plane-at", planes.items()),
            *facts("hold-open", ([plane] for plane in planes if not chance.below(3))),
            *(fact("bag-at", bag, chance.choose(["hall", "hall", "screening"])) for bag in bags),
            *facts("booked", booked.items()),
            *facts("suspicious", ([bag] for bag in bags if not chance.below(3))),
        ],
        goal=facts("aboard", booked.items()),
    )


def _factory(chance: Chance, sizes: Sizes) -> Draft:
    parts = named("part", sizes.draw(chance, "parts"))
    bits = named("size", sizes.draw(chance, "sizes"))
    colours = named("colour", sizes.draw(chance, "colours"))
    drills = named("drill", sizes.draw(chance, "stations"))
    booths = named("booth", sizes.draw(chance, "stations"))
    carts = named("cart", sizes.draw(chance, "carts"))
    places = [*drills, *booths, "depot", "inspection"]
    return Draft(
        objects=[
            *typed(parts, "part"),
            *typed(bits, "size"),
            *typed(colours, "colour"),
            *typed(drills, "drill-station"),
            *typed(booths, "paint-station"),
            *typed(carts, "cart"),
        ],
        init=[
            *(fact("cart-at", cart, chance.choose(places)) for cart in carts),
            *facts("idle", ([cart] for cart in carts)),
            *(fact("part-at", part, "depot") for part in parts),
            *(fact("fits", part, chance.choose(bits)) for part in parts),
            *(fact("wants", part, chance.choose(colours)) for part in parts),
            *(fact("bit", drill, chance.choose(bits)) for drill in drills),
            *(fact("paint", booth, chance.choose(colours)) for booth in booths),
        ],
        goal=facts("shipped", ([part] for part in parts)),
    )


def _parcels(chance: Chance, sizes: Sizes) -> Draft:
    cities = named("city", sizes.draw(chance, "cities"))
    depots = {f"depot-{city}": city for city in cities}
    addresses = {
        f"street-{city}-{i}": city for city in cities for i in range(1, 1 + chance.between(1, 2))
    }
    vans = {f"van-{city}": city for city in cities}
    trains = named("train", sizes.draw(chance, "trains"))
    parcels = named("parcel", sizes.draw(chance, "parcels"))
    places = {**depots, **addresses}
    return Draft(
        objects=[
            *typed(cities, "city"),
            *typed(depots, "depot"),
            *typed(addresses, "address"),
            *typed(vans, "van"),
            *typed(trains, "train"),
            *typed(parcels, "parcel"),
        ],
        init=[
            *facts("in-city", places.items()),
            *facts("based", vans.items()),
            *(
                fact("at", van, chance.choose([x for x, c in places.items() if c == city]))
                for van, city in vans.items()
            ),
            *(fact("at", train, chance.choose(list(depots))) for train in trains),
            *facts("doors-open", ([train] for train in trains if chance.below(2))),
            *(fact("parcel-at", parcel, chance.choose(list(places))) for parcel in parcels),
            *facts("weighed", ([parcel] for parcel in parcels if not chance.below(4))),
        ],
        goal=[fact("delivered", parcel, chance.choose(list(addresses))) for parcel in parcels],
    )


def _mine(chance: Chance, sizes: Sizes) -> Draft:
    chambers = named("chamber", sizes.draw(chance, "chambers"))
    lumps = named("ore", sizes.draw(chance, "ore"))
    crews = named("crew", sizes.draw(chance, "crews"))
    blocked = [chamber for chamber in chambers if chance.below(2)]
    return Draft(
        objects=[*typed(chambers, "chamber"), *typed(lumps, "ore"), *typed(crews, "crew")],
        init=[
            *facts("next", pairwise(["surface", *chambers])),
            *facts("open", ([each] for each in ["surface", *chambers] if each not in blocked)),
            *(fact("at", crew, "surface") for crew in crews),
            *facts("hands-free", ([crew] for crew in crews)),
            *(fact("ore-at", lump, chance.choose(chambers)) for lump in lumps),
        ],
        goal=facts("raised", ([lump] for lump in lumps)),
    )


def _farm(chance: Chance, sizes: Sizes) -> Draft:
    fields = named("field", sizes.draw(chance, "fields"))
    seeds = named("seed", sizes.draw(chance, "seeds"))
    tractors = named("tractor", sizes.draw(chance, "tractors"))
    implements = {
        "plough1": "plough",
        "drill1": "drill",
        "harvester1": "harvester",
        "trailer1": "trailer",
    }
    return Draft(
        objects=[
            *typed(fields, "field"),
            *typed(seeds, "seed"),
            *typed(tractors, "tractor"),
            *(each for name, kind in implements.items() for each in typed([name], kind)),
        ],
        init=[
            *(fact("at", each, chance.choose([*fields, "yard", "barn"])) for each in tractors),
            *facts("bare", ([each] for each in tractors)),
            *facts("in-yard", ([name] for name in implements)),
            *(fact("seed-for", chance.choose(seeds), each) for each in fields),
            *facts("ploughed", ([each] for each in fields if not chance.below(3))),
            fact("drill-empty", "drill1"),
            fact("trailer-empty", "trailer1"),
        ],
        goal=facts("harvested", ([each] for each in fields)),
    )


OUTDOORS = [
    workplace(
        "warehouse",
        "Pickers fill, seal, label and load boxes.",
        _warehouse,
        {"boxes": (1, 3), "aisles": (1, 3), "docks": (1, 2)},
        {"pickers": (1, 2)},
    ),
    workplace(
        "baggage",
        "Tugs bring bags through screening to planes.",
        _baggage,
        {"bags": (1, 3), "gates": (1, 3)},
        {"tugs": (1, 2)},
    ),
    workplace(
        "factory",
        "Carts bring parts to stations that must be set up for them.",
        _factory,
        {"parts": (1, 3), "sizes": (1, 3), "colours": (1, 3)},
        {"stations": (1, 2), "carts": (1, 2)},
    ),
    workplace(
        "parcels",
        "Vans and trains carry parcels, which depots weigh and sort.",
        _parcels,
        {"parcels": (1, 3), "cities": (1, 3)},
        {"trains": (1, 2)},
    ),
    workplace(
        "mine",
        "Crews open the chambers of a gallery and raise the ore.",
        _mine,
        {"ore": (1, 3), "chambers": (1, 4)},
        {"crews": (1, 2)},
    ),
    workplace(
        "farm",
        "Tractors with one implement at a time work fields.",
        _farm,
        {"fields": (1, 3), "seeds": (1, 2)},
        {"tractors": (1, 1)},
    ),
]

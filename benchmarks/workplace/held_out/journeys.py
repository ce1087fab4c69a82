"""Canal, fire brigade, building site, removal: work at places that ways must lead to."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from benchmarks.survey.base import fact, facts, named, typed
from benchmarks.workplace.held_out.base import held_out
from pg3.domains.base import Draft, Sizes
from pg3.domains.graphs import both_ways, random_graph, random_tree

if TYPE_CHECKING:
    from pg3.domains.chance import Chance


def _canal(chance: Chance, sizes: Sizes) -> Draft:
    basins = named("basin", sizes.draw(chance, "basins"))
    barges = named("barge", sizes.draw(chance, "barges"))
    locks = {f"lock{i}": pair for i, pair in enumerate(pairwise(basins), 1)}
    starts = {barge: chance.choose(basins) for barge in barges}
    high = [lock for lock in locks if chance.below(2)]
    gates = {lock for lock in locks if not chance.below(3)}
    return Draft(
        objects=[*typed(basins, "basin"), *typed(locks, "lock"), *typed(barges, "barge")],
        init=[
            *facts("higher", ((upper, lower) for lower, upper in combinations(basins, 2))),
            *(fact("foot", lock, lower) for lock, (lower, _) in locks.items()),
            *(fact("head", lock, upper) for lock, (_, upper) in locks.items()),
            *facts("high", ([lock] for lock in high)),
            *facts("low", ([lock] for lock in locks if lock not in high)),
            *facts("head-open", ([lock] for lock in high if lock in gates)),
            *facts("foot-open", ([lock] for lock in locks if lock in gates and lock not in high)),
            *facts("vacant", ([lock] for lock in locks)),
            *facts("at", starts.items()),
        ],
        # Basins take any number of barges: one after the other can go all its way.
        goal=[
            fact("moored", barge, chance.choose_other(basins, start) if chance.below(5) else start)
            for barge, start in starts.items()
        ],
    )


def _fire(chance: Chance, sizes: Sizes) -> Draft:
    places = [*named("corner", sizes.draw(chance, "corners")), "station", "hospital"]
    houses = named("house", sizes.draw(chance, "houses"))
    people = named("person", sizes.draw(chance, "people"))
    engines = named("engine", sizes.draw(chance, "engines"))
    steps = ["empty", *named("level", sizes.draw(chance, "levels")), "full"]
    streets = random_graph(chance, places)
    blocked = [street for street in streets if not chance.below(4)]
    blazing = [house for house in houses if not chance.below(3)]
    # One hydrant at least: every place can be reached, if need be with a saw.
    hydrants = chance.sample(places, 1 + len(places) // 5)
    return Draft(
        objects=[
            *typed(places[:-2], "place"),
            *typed(houses, "house"),
            *typed(people, "person"),
            *typed(engines, "engine"),
            *typed(steps[1:-1], "level"),
        ],
        init=[
            *facts("street", both_ways(streets)),
            *facts("blocked", both_ways(blocked)),
            *facts("hydrant", ([place] for place in hydrants)),
            *facts("lower", pairwise(steps)),
            *(fact("at", engine, "station") for engine in engines),
            *facts("seat-free", ([engine] for engine in engines)),
            *(fact("tank", engine, chance.choose(steps)) for engine in engines),
            *(fact("stands", house, chance.choose(places)) for house in houses),
            *facts("blazing", ([house] for house in blazing)),
            *facts("burning", ([house] for house in houses if house not in blazing)),
            *(fact("trapped", person, chance.choose(houses)) for person in people),
        ],
        goal=[
            *facts("extinguished", ([house] for house in houses)),
            *facts("safe", ([person] for person in people)),
            *(fact("at", engine, "station") for engine in engines if chance.below(2)),
        ],
    )


def _building(chance: Chance, sizes: Sizes) -> Draft:
    plots = named("plot", sizes.draw(chance, "plots"))
    scaffolds = named("scaffold", sizes.draw(chance, "scaffolds"))
    heights = dict.fromkeys(plots, 1)
    for _ in range(sizes.draw(chance, "further-storeys")):
        heights[chance.choose(plots)] += 1
    storeys = {plot: named(f"storey-{plot}-", height) for plot, height in heights.items()}
    everything = [storey for own in storeys.values() for storey in own]
    spots = ["yard", *plots]
    elements = {f"{kind}-{s}": (kind, s) for s in everything for kind in ("slab", "wall")}
    return Draft(
        objects=[
            *typed(plots, "plot"),
            *typed(everything, "storey"),
            *(each for name, (kind, _) in elements.items() for each in typed([name], kind)),
            *typed(scaffolds, "scaffold"),
        ],
        init=[
            *facts("rail", both_ways(list(pairwise(spots)))),
            fact("crane-at", chance.choose(spots)),
            fact("hook-free"),
            *(fact("lies", name, chance.choose(["yard", "yard", *spots])) for name in elements),
            *(fact("part-of", name, storey) for name, (_, storey) in elements.items()),
            *(fact("ground", own[0], plot) for plot, own in storeys.items()),
            *(fact("top", own[-1], plot) for plot, own in storeys.items()),
            *(fact("belongs", storey, plot) for plot, own in storeys.items() for storey in own),
            *(fact("over", s, t) for own in storeys.values() for t, s in pairwise(own)),
            *facts("dug", ([plot] for plot in plots if chance.below(2))),
            *facts("stored", ([scaffold] for scaffold in scaffolds)),
            *facts("bare", ([plot] for plot in plots)),
        ],
        # House after house, storey after storey, with one scaffold: each has its own elements.
        goal=facts("approved", ([plot] for plot in plots)),
    )


def _removal(chance: Chance, sizes: Sizes) -> Draft:
    old = named("old-room", sizes.draw(chance, "old-rooms"))
    new = named("new-room", sizes.draw(chance, "new-rooms"))
    things = {
        f"thing{i}": chance.choose(["box", "box", "heavy", "wardrobe"])
        for i in range(1, 1 + sizes.draw(chance, "things"))
    }
    wardrobes = [name for name, kind in things.items() if kind == "wardrobe"]
    # Two at least: heavy things need both. Thing after thing can be brought with one slot.
    movers = named("mover", sizes.draw(chance, "movers"))
    slots = named("slot", sizes.draw(chance, "slots"))
    doors = [*random_tree(chance, ["old-street", *old]), *random_tree(chance, ["new-street", *new])]
    return Draft(
        objects=[
            *typed([*old, *new], "room"),
            *(each for name, kind in things.items() for each in typed([name], kind)),
            *typed(movers, "mover"),
            *typed(slots, "slot"),
        ],
        init=[
            *facts("door", both_ways(doors)),
            *(fact("at", mover, "old-street") for mover in movers),
            *facts("hands-free", ([mover] for mover in movers)),
            *(fact("lies", name, chance.choose(old)) for name in things),
            *facts("bulky", ([name] for name in wardrobes)),
            *facts("assembled", ([name] for name in wardrobes)),
            fact("van-at", chance.choose(["old-street", "new-street"])),
            *facts("slot-free", ([slot] for slot in slots)),
        ],
        goal=[
            *(fact("lies", name, chance.choose(new)) for name in things),
            *facts("assembled", ([name] for name in wardrobes)),
        ],
    )


JOURNEYS = [
    held_out(
        "canal",
        "Barges pass locks, up and down.",
        _canal,
        {"barges": (1, 2), "basins": (2, 3)},
    ),
    held_out(
        "fire",
        "Fire engines put out fires and rescue people.",
        _fire,
        {"corners": (2, 3), "houses": (1, 2), "people": (0, 1)},
        {"engines": (1, 2), "levels": (0, 2)},
    ),
    held_out(
        "building",
        "A crane on rails builds houses storey by storey.",
        _building,
        {"plots": (1, 2), "further-storeys": (0, 1)},
        {"scaffolds": (1, 2)},
    ),
    held_out(
        "removal",
        "Movers bring furniture from one house to another.",
        _removal,
        {"things": (1, 2), "old-rooms": (1, 2), "new-rooms": (1, 2)},
        {"movers": (2, 3), "slots": (1, 2)},
    ),
]

"""Cinema, pharmacy, museum, bakery: work within one house."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from benchmarks.survey.base import fact, facts, named, typed
from benchmarks.workplace.held_out.base import held_out
from pg3.domains.base import Draft, Sizes

if TYPE_CHECKING:
    from pg3.domains.chance import Chance


def _cinema(chance: Chance, sizes: Sizes) -> Draft:
    halls = named("hall", sizes.draw(chance, "halls"))
    films = named("film", sizes.draw(chance, "films"))
    # What a server holds from yesterday.
    old = {hall: chance.choose(films) for hall in halls if not chance.below(3)}
    dirty = [hall for hall in halls if chance.below(2)]
    return Draft(
        objects=[*typed(halls, "hall"), *typed(films, "film")],
        init=[
            fact("at", chance.choose([*halls, "office"])),
            fact("hands-free"),
            *facts("on-desk", ([film] for film in films)),
            *facts("licensed", ([film] for film in films if not chance.below(3))),
            *(fact("on-server", film, hall) for hall, film in old.items()),
            *facts("server-empty", ([hall] for hall in halls if hall not in old)),
            *facts("clean", ([hall] for hall in halls if hall not in dirty)),
            *facts("dark", ([hall] for hall in halls if not chance.below(3))),
        ],
        # Shows can follow each other in any order: nothing is used up, everything can be undone.
        goal=[
            *(fact("shown", film, chance.choose(halls)) for film in films),
            *facts("clean", ([hall] for hall in halls)),
        ],
    )


def _pharmacy(chance: Chance, sizes: Sizes) -> Draft:
    customers = named("customer", sizes.draw(chance, "customers"))
    prescriptions = named("prescription", sizes.draw(chance, "prescriptions"))
    # Two at least: a narcotic needs both.
    pharmacists = named("pharmacist", sizes.draw(chance, "pharmacists"))
    drugs = {
        f"drug{i}": chance.choose(["tablet", "ointment", "narcotic"])
        for i in range(1, 1 + sizes.draw(chance, "drugs"))
    }
    owners = {prescription: chance.choose(customers) for prescription in prescriptions}
    return Draft(
        objects=[
            *typed(customers, "customer"),
            *typed(prescriptions, "prescription"),
            *typed(pharmacists, "pharmacist"),
            *(each for drug, kind in drugs.items() for each in typed([drug], kind)),
        ],
        init=[
            *(fact("asks", each, chance.choose(list(drugs))) for each in prescriptions),
            *facts("belongs", owners.items()),
            *facts("in-stock", ([drug] for drug in drugs if chance.below(2))),
            *facts("mortar-clean", [()] if chance.below(2) else []),
            *facts("safe-open", [] if chance.below(3) else [()]),
        ],
        goal=facts("handed", owners.items()),
    )


def _museum(chance: Chance, sizes: Sizes) -> Draft:
    galleries = named("gallery", sizes.draw(chance, "galleries"))
    exhibits = {
        f"exhibit{i}": chance.choose(["painting", "painting", "sculpture"])
        for i in range(1, 1 + sizes.draw(chance, "exhibits"))
    }
    spots: dict[str, str] = {}
    at: dict[str, str] = {}
    goal: dict[str, str] = {}
    # Each kind has a spot for every exhibit, perhaps one more, now and in the end; and whatever is
    # in the way finds room in the depot.
    for exhibit_kind, spot_kind in (("painting", "hook"), ("sculpture", "plinth")):
        own = [name for name, kind in exhibits.items() if kind == exhibit_kind]
        places = named(spot_kind, len(own) + chance.between(0, 1))
        spots.update(dict.fromkeys(places, spot_kind))
        now, then = chance.sample(places, len(own)), chance.sample(places, len(own))
        at.update((name, spot) for name, spot in zip(own, now, strict=True) if chance.below(4))
        goal.update(zip(own, then, strict=True))
    stored = [name for name in exhibits if name not in at]
    taken = set(at.values())
    return Draft(
        objects=[
            *typed(galleries, "gallery"),
            *(each for name, kind in exhibits.items() for each in typed([name], kind)),
            *(each for name, kind in spots.items() for each in typed([name], kind)),
        ],
        init=[
            fact("handler-in", chance.choose(["corridor", "depot"])),
            fact("hands-free"),
            *(fact("part-of", spot, chance.choose(galleries)) for spot in spots),
            *facts("free", ([spot] for spot in spots if spot not in taken)),
            *facts("shown", at.items()),
            *facts("stored", ([name] for name in stored)),
            *facts("wrapped", ([name] for name in stored if exhibits[name] == "painting")),
            *facts("armed", ([gallery] for gallery in galleries if chance.below(4))),
        ],
        goal=[*facts("shown", goal.items()), *facts("armed", ([each] for each in galleries))],
    )


def _bakery(chance: Chance, sizes: Sizes) -> Draft:
    heats = named("heat", sizes.draw(chance, "heats"))
    doughs = {
        f"dough{i}": chance.choose(["bread", "cake"])
        for i in range(1, 1 + sizes.draw(chance, "doughs"))
    }
    ovens = named("oven", sizes.draw(chance, "ovens"))
    trays = named("tray", sizes.draw(chance, "trays"))
    return Draft(
        objects=[
            *typed(heats, "heat"),
            *(each for name, kind in doughs.items() for each in typed([name], kind)),
            *typed(ovens, "oven"),
            *typed(trays, "tray"),
        ],
        init=[
            # Every heat is reached from the cold, and the cold from every heat.
            *facts("hotter", pairwise(["cold", *heats])),
            *(fact("bakes-at", name, chance.choose(heats)) for name in doughs),
            *(fact("oven-at", oven, chance.choose(["cold", *heats])) for oven in ovens),
            *facts("oven-empty", ([oven] for oven in ovens)),
            *facts("tray-empty", ([tray] for tray in trays)),
            *facts("outside", ([tray] for tray in trays)),
            *facts("kneaded", ([name] for name in doughs if not chance.below(3))),
            *facts("mixer-clean", [()] if chance.below(2) else []),
        ],
        goal=[
            fact("iced" if kind == "cake" and chance.below(3) else "on-shelf", name)
            for name, kind in doughs.items()
        ],
    )


SERVICES = [
    held_out(
        "cinema",
        "A projectionist prepares halls and shows films.",
        _cinema,
        {"films": (1, 2), "halls": (1, 3)},
    ),
    held_out(
        "pharmacy",
        "Pharmacists make up prescriptions, narcotics under four eyes.",
        _pharmacy,
        {"prescriptions": (1, 3), "customers": (1, 3), "drugs": (1, 3)},
        {"pharmacists": (2, 3)},
    ),
    held_out(
        "museum",
        "A handler rehangs galleries that have alarms.",
        _museum,
        {"exhibits": (2, 3), "galleries": (1, 2)},
    ),
    held_out(
        "bakery",
        "Bread and cakes are baked at heats that ovens reach step by step.",
        _bakery,
        {"doughs": (1, 3), "heats": (1, 3)},
        {"ovens": (1, 2), "trays": (1, 2)},
    ),
]

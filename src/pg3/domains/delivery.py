"""Delivery: the home base and the customers are safe, all other locations are traps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from pg3.domains.chance import Chance


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    # The home base is a location, but no customer.
    places, requests = sizes.draw_two(chance, "locations", "requests", apart=1)
    packages = requests + sizes.draw(chance, "extra")
    home, *others = [f"loc{i}" for i in range(places)]
    chosen = set(chance.sample(others, requests))
    customers = [location for location in others if location in chosen]
    papers = [f"paper{i}" for i in range(packages)]
    return Draft(
        objects=[
            *(TypedObject(location, "loc") for location in [home, *others]),
            *(TypedObject(paper, "paper") for paper in papers),
        ],
        init=[
            Atom("at", (home,)),
            Atom("ishomebase", (home,)),
            *(Atom("safe", (location,)) for location in [home, *customers]),
            *(Atom("wantspaper", (location,)) for location in customers),
            *(Atom("unpacked", (paper,)) for paper in papers),
        ],
        goal=[Atom("satisfied", (location,)) for location in customers],
    )


DELIVERY = BuiltInDomain(
    name="delivery",
    summary="Bring a package to everyone who wants one, and stay out of traps.",
    horizon=1000,
    sizes=(
        Size(
            "locations", "the home base, customers and traps", least=2, train=(5, 9), test=(30, 39)
        ),
        Size("requests", "customers, each of whom wants a package", train=(2, 4), test=(20, 29)),
        Size("extra", "packages more than requests", least=0, train=(0, 0), test=(0, 10)),
    ),
    counts=(5, 30),
    generate=_generate,
)

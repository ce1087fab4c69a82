"""Spanner: a corridor leads one way from the shed to the gate; there are spanners enough."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from pg3.domains.chance import Chance


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    # A spanner works once, so there must be one for each nut.
    spanner_count, nut_count = sizes.draw_two(chance, "spanners", "nuts")
    spanners = [f"spanner{i}" for i in range(1, spanner_count + 1)]
    nuts = [f"nut{i}" for i in range(1, nut_count + 1)]
    corridor = [f"location{i}" for i in range(1, sizes.draw(chance, "locations") + 1)]
    return Draft(
        objects=[
            TypedObject("bob", "man"),
            *(TypedObject(spanner, "spanner") for spanner in spanners),
            *(TypedObject(nut, "nut") for nut in nuts),
            *(TypedObject(location, "location") for location in ["shed", *corridor, "gate"]),
        ],
        init=[
            *(Atom("link", pair) for pair in pairwise(["shed", *corridor, "gate"])),
            Atom("at", ("bob", "shed")),
            *(Atom("at", (spanner, chance.choose(corridor))) for spanner in spanners),
            *(Atom("useable", (spanner,)) for spanner in spanners),
            *(Atom("at", (nut, "gate")) for nut in nuts),
            *(Atom("loose", (nut,)) for nut in nuts),
        ],
        goal=[Atom("tightened", (nut,)) for nut in nuts],
    )


SPANNER = BuiltInDomain(
    name="spanner",
    summary="Pick up spanners along a one-way corridor to tighten the nuts at its end.",
    horizon=1000,
    sizes=(
        Size("spanners", "spanners, each of which works once", train=(3, 5), test=(10, 20)),
        Size("nuts", "nuts to tighten, not more than spanners", train=(3, 5), test=(10, 20)),
        Size("locations", "places between the shed and the gate", train=(3, 5), test=(10, 20)),
    ),
    generate=_generate,
)

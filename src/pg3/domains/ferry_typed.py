"""Ferry with types: as `ferry`, but without a fact for every pair of locations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from pg3.domains.chance import Chance


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    cars = [f"car{i}" for i in range(1, sizes.draw(chance, "cars") + 1)]
    locations = [f"loc{i}" for i in range(1, sizes.draw(chance, "locations") + 1)]
    init = [Atom("empty-ferry"), Atom("at-ferry", (chance.choose(locations),))]
    init += [Atom("at", (car, chance.choose(locations))) for car in cars]
    return Draft(
        objects=[
            *(TypedObject(car, "car") for car in cars),
            *(TypedObject(location, "location") for location in locations),
        ],
        init=init,
        goal=[Atom("at", (car, chance.choose(locations))) for car in cars],
    )


FERRY_TYPED = BuiltInDomain(
    name="ferry-typed",
    summary="Ferry with types, and without a list of all pairs of locations.",
    horizon=1000,
    sizes=(
        Size("cars", "cars", train=(1, 3), test=(20, 40)),
        Size("locations", "places the ferry sails to", least=2, train=(3, 6), test=(25, 40)),
    ),
    generate=_generate,
)

"""Barman: some of the glasses are to hold a cocktail each.

All are clean at first, and a single one is enough to make a cocktail: it takes the one ingredient
to the shaker, is cleaned, takes the other, is cleaned again and then filled.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.domains.chance import Chance

_LEVELS = ("l0", "l1", "l2")
_HANDS = ("left", "right")
_SHAKER = "shaker1"


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    number, goals = sizes.draw_two(chance, "shots", "goals")
    shots = [f"shot{i}" for i in range(1, number + 1)]
    ingredients = [f"ingredient{i}" for i in range(1, sizes.draw(chance, "ingredients") + 1)]
    dispensers = [f"dispenser{i}" for i in range(1, len(ingredients) + 1)]
    cocktails = [f"cocktail{i}" for i in range(1, sizes.draw(chance, "cocktails") + 1)]
    parts = [chance.sample(ingredients, 2) for _ in cocktails]
    wanted = [chance.choose(cocktails) for _ in range(goals)]

    def init() -> Iterator[Atom]:
        for container in (_SHAKER, *shots):
            yield Atom("ontable", (container,))
            yield Atom("clean", (container,))
            yield Atom("empty", (container,))
        for pair in zip(dispensers, ingredients, strict=True):
            yield Atom("dispenses", pair)
        for hand in _HANDS:
            yield Atom("handempty", (hand,))
        yield Atom("shaker-empty-level", (_SHAKER, _LEVELS[0]))
        yield Atom("shaker-level", (_SHAKER, _LEVELS[0]))
        for levels in pairwise(_LEVELS):
            yield Atom("next", levels)
        for cocktail, (one, other) in zip(cocktails, parts, strict=True):
            yield Atom("cocktail-part1", (cocktail, one))
            yield Atom("cocktail-part2", (cocktail, other))

    kinds = {
        "shaker": [_SHAKER],
        "hand": _HANDS,
        "shot": shots,
        "ingredient": ingredients,
        "cocktail": cocktails,
        "dispenser": dispensers,
        "level": _LEVELS,
    }
    return Draft(
        objects=[TypedObject(name, type_) for type_, names in kinds.items() for name in names],
        init=init(),
        goal=[Atom("contains", pair) for pair in zip(shots, wanted, strict=False)],
    )


BARMAN = BuiltInDomain(
    name="barman",
    summary="Shake cocktails of two ingredients each, and serve them in clean glasses.",
    horizon=5000,
    sizes=(
        Size("shots", "glasses", train=(2, 4), test=(36, 45)),
        Size("goals", "glasses that are to hold a cocktail", train=(1, 3), test=(20, 40)),
        Size(
            "ingredients",
            "ingredients, each with a dispenser",
            least=2,
            train=(2, 3),
            test=(10, 15),
        ),
        Size("cocktails", "recipes", train=(1, 3), test=(35, 45)),
    ),
    counts=(30, 30),
    generate=_generate,
)

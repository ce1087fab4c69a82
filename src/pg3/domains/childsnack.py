"""Childsnack: for every child there is a sandwich to make of ingredients that it can eat.

Ingredients without gluten are as many as the children who need them, others are to spare.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.domains.chance import Chance


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    number, allergic_number = sizes.draw_two(chance, "children", "allergic")
    portions = number + sizes.draw(chance, "spare")
    children = _names("child", number)
    breads, contents = _names("bread", portions), _names("content", portions)
    sandwiches = _names("sandwich", portions)
    trays = _names("tray", sizes.draw(chance, "trays"))
    places = _names("table", sizes.draw(chance, "places"))
    allergic = set(chance.sample(children, allergic_number))
    safe = [*chance.sample(breads, allergic_number), *chance.sample(contents, allergic_number)]
    waiting = [chance.choose(places) for _ in children]

    def init() -> Iterator[Atom]:
        for tray in trays:
            yield Atom("at", (tray, "kitchen"))
        for bread in breads:
            yield Atom("at_kitchen_bread", (bread,))
        for content in contents:
            yield Atom("at_kitchen_content", (content,))
        for portion in safe:
            kind = "bread" if portion.startswith("bread") else "content"
            yield Atom(f"no_gluten_{kind}", (portion,))
        for child, place in zip(children, waiting, strict=True):
            yield Atom("allergic_gluten" if child in allergic else "not_allergic_gluten", (child,))
            yield Atom("waiting", (child, place))
        for sandwich in sandwiches:
            yield Atom("notexist", (sandwich,))

    kinds = {
        "child": children,
        "bread-portion": breads,
        "content-portion": contents,
        "sandwich": sandwiches,
        "tray": trays,
        "place": places,
    }
    return Draft(
        objects=[TypedObject(name, type_) for type_, names in kinds.items() for name in names],
        init=init(),
        goal=[Atom("served", (child,)) for child in children],
    )


def _names(kind: str, number: int) -> list[str]:
    return [f"{kind}{i}" for i in range(1, number + 1)]


CHILDSNACK = BuiltInDomain(
    name="childsnack",
    summary="Make sandwiches, some without gluten, and serve each child one that it can eat.",
    horizon=1000,
    sizes=(
        Size("children", "children", train=(2, 4), test=(30, 40)),
        Size("allergic", "children who eat no gluten", least=0, train=(0, 3), test=(5, 20)),
        Size("trays", "trays", train=(1, 2), test=(3, 5)),
        Size("places", "places where children wait", train=(1, 3), test=(3, 10)),
        Size(
            "spare",
            "portions of bread and content more than needed",
            least=0,
            train=(0, 1),
            test=(0, 5),
        ),
    ),
    generate=_generate,
)

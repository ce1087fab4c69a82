"""Gripper: balls lie in any rooms; some of them, not all, are to be brought elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from pg3.domains.chance import Chance

_GRIPPERS = ("left", "right")


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    number, targets = sizes.draw_two(chance, "balls", "targets")
    balls = [f"ball{i}" for i in range(number)]
    rooms = [f"room{i}" for i in range(sizes.draw(chance, "rooms"))]
    origins = [chance.choose(rooms) for _ in balls]
    chosen = set(chance.sample(balls, targets))
    return Draft(
        objects=[TypedObject(name) for name in (*balls, *_GRIPPERS, *rooms)],
        init=[
            *(Atom("ball", (ball,)) for ball in balls),
            *(Atom("room", (room,)) for room in rooms),
            *(Atom("gripper", (gripper,)) for gripper in _GRIPPERS),
            *(Atom("free", (gripper,)) for gripper in _GRIPPERS),
            Atom("at-robby", (rooms[0],)),
            *(Atom("at", at) for at in zip(balls, origins, strict=True)),
        ],
        goal=[Atom("at", (ball, chance.choose(rooms))) for ball in balls if ball in chosen],
    )


GRIPPER = BuiltInDomain(
    name="gripper",
    summary="A robot with two grippers brings balls to their rooms.",
    horizon=1000,
    sizes=(
        Size("balls", "balls", train=(5, 10), test=(20, 30)),
        Size("rooms", "rooms", least=2, train=(15, 20), test=(40, 50)),
        Size("targets", "balls that have a target room", train=(2, 5), test=(10, 20)),
    ),
    generate=_generate,
)

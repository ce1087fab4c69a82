"""Satellite: images of directions, and satellites that are to point somewhere in the end.

Every satellite has an instrument and every instrument a mode, and images are asked for only in
modes that some instrument has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.domains.chance import Chance


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    instrument_number, satellite_number = sizes.draw_two(chance, "instruments", "satellites")
    satellites = [f"sat{i}" for i in range(1, satellite_number + 1)]
    instruments = [f"ins{i}" for i in range(1, instrument_number + 1)]
    modes = [f"mod{i}" for i in range(1, sizes.draw(chance, "modes") + 1)]
    directions = [f"dir{i}" for i in range(1, sizes.draw(chance, "directions") + 1)]
    # One for each satellite, the others anywhere.
    homes = [*satellites, *(chance.choose(satellites) for _ in instruments[satellite_number:])]
    supported = [chance.sample(modes, chance.between(1, len(modes))) for _ in instruments]
    possible = [mode for mode in modes if any(mode in some for some in supported)]
    images = [Atom("have_image", (d, m)) for d in directions for m in possible]
    goals = sizes.draw(chance, "goals")
    goal = chance.sample(images, min(goals, len(images)))
    # About one satellite in four is to look somewhere in the end.
    goal += [
        Atom("pointing", (satellite, chance.choose(directions)))
        for satellite in satellites
        if chance.below(4) == 0
    ]
    pointing = [chance.choose(directions) for _ in satellites]
    targets = [chance.choose(directions) for _ in instruments]

    def init() -> Iterator[Atom]:
        for satellite, direction in zip(satellites, pointing, strict=True):
            yield Atom("pointing", (satellite, direction))
            yield Atom("power_avail", (satellite,))
        for i, instrument in enumerate(instruments):
            yield Atom("on_board", (instrument, homes[i]))
            yield Atom("calibration_target", (instrument, targets[i]))
            for mode in supported[i]:
                yield Atom("supports", (instrument, mode))

    kinds = {
        "satellite": satellites,
        "instrument": instruments,
        "mode": modes,
        "direction": directions,
    }
    return Draft(
        objects=[TypedObject(name, type_) for type_, names in kinds.items() for name in names],
        init=init(),
        goal=goal,
    )


SATELLITE = BuiltInDomain(
    name="satellite",
    summary="Satellites turn, calibrate their instruments and take images.",
    horizon=1000,
    sizes=(
        Size("satellites", "satellites", train=(1, 2), test=(8, 12)),
        Size("instruments", "instruments on all of them", train=(1, 3), test=(15, 30)),
        Size("modes", "modes of images", train=(1, 3), test=(3, 5)),
        Size("directions", "directions", least=2, train=(2, 5), test=(40, 60)),
        Size("goals", "images to take, at most", train=(1, 3), test=(20, 60)),
    ),
    counts=(20, 30),
    generate=_generate,
)

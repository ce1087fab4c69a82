"""Blocksworld: towers are to become other towers, all of them or only parts.

Every arrangement can be reached from every other by way of the table.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.domains.chance import Chance


def _towers(chance: Chance, blocks: list[str]) -> list[list[str]]:
    """The blocks in towers, each from the table up: every block goes on any tower or the table."""
    towers: list[list[str]] = []
    for block in chance.sample(blocks, len(blocks)):
        place = chance.below(len(towers) + 1)
        if place == len(towers):
            towers.append([])
        towers[place].append(block)
    return towers


def _places(towers: list[list[str]]) -> Iterator[Atom]:
    """Where each block is."""
    for tower in towers:
        yield Atom("on-table", (tower[0],))
        for below, above in pairwise(tower):
            yield Atom("on", (above, below))


def _draft(chance: Chance, number: int) -> tuple[list[TypedObject], list[Atom], list[Atom]]:
    """The blocks, the facts of one arrangement, and the places of the blocks in another."""
    blocks = [f"b{i}" for i in range(1, number + 1)]
    before, after = _towers(chance, blocks), _towers(chance, blocks)
    tops = [Atom("clear", (tower[-1],)) for tower in before]
    init = [*_places(before), *tops, Atom("arm-empty")]
    return [TypedObject(block) for block in blocks], init, list(_places(after))


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    return Draft(*_draft(chance, sizes.draw(chance, "blocks")))


def _generate_partial(chance: Chance, sizes: Sizes) -> Draft:
    blocks, goals = sizes.draw_two(chance, "blocks", "goals")
    objects, init, places = _draft(chance, blocks)
    return Draft(objects, init, chance.sample(places, goals))


BLOCKSWORLD = BuiltInDomain(
    name="blocksworld",
    summary="An arm rebuilds towers of blocks; the goal says where every block is to be.",
    horizon=1000,
    sizes=(Size("blocks", "blocks", least=2, train=(3, 8), test=(40, 60)),),
    generate=_generate,
)

BLOCKSWORLD_PARTIAL = BuiltInDomain(
    name="blocksworld-partial",
    summary="Blocksworld where the goal says of some blocks only where they are to be.",
    horizon=1000,
    sizes=(
        Size("blocks", "blocks", least=2, train=(3, 8), test=(40, 60)),
        Size("goals", "blocks with a place to be", train=(1, 5), test=(10, 40)),
    ),
    generate=_generate_partial,
    shares="blocksworld",
)

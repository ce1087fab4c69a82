"""Domains in which things stand on, behind or inside each other."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from benchmarks.survey.base import fact, facts, named, survey_domain, typed
from benchmarks.survey.cells import grid_cells, neighbours
from pg3.domains.base import Draft, Sizes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.domains.chance import Chance
    from pg3.pddl import Atom


def _piles(chance: Chance, things: Sequence[str], number: int) -> list[list[str]]:
    """The things in random order on at most so many piles, each from below."""
    piles: list[list[str]] = [[] for _ in range(number)]
    for thing in chance.sample(things, len(things)):
        chance.choose(piles).append(thing)
    return [pile for pile in piles if pile]


def _on(pile: Sequence[str]) -> list[Atom]:
    return facts("on", zip(pile[1:], pile, strict=False))


def _depots(chance: Chance, sizes: Sizes) -> Draft:
    depots = named("depot", sizes.draw(chance, "depots"))
    distributors = named("distributor", sizes.draw(chance, "distributors"))
    places = depots + distributors
    pallets = {f"pallet-{place}": place for place in places}
    hoists = {f"hoist-{place}": place for place in places}
    trucks = named("truck", sizes.draw(chance, "trucks"))
    crates = named("crate", sizes.draw(chance, "crates"))
    start, end = _stood(chance, crates, pallets), _stood(chance, crates, pallets)
    return Draft(
        objects=[
            *typed(depots, "depot"),
            *typed(distributors, "distributor"),
            *typed(pallets, "pallet"),
            *typed(hoists, "hoist"),
            *typed(trucks, "truck"),
            *typed(crates, "crate"),
        ],
        init=[
            *facts("at", [*pallets.items(), *hoists.items()]),
            *facts("available", ([hoist] for hoist in hoists)),
            *(fact("at", truck, chance.choose(places)) for truck in trucks),
            *(atom for pile in start.values() for atom in _on(pile)),
            *(
                fact("at", one, pallets[pallet])
                for pallet, pile in start.items()
                for one in pile[1:]
            ),
            *facts("clear", ([pile[-1]] for pile in start.values())),
        ],
        goal=[atom for pile in end.values() for atom in _on(pile)],
    )


def _stood(chance: Chance, crates: Sequence[str], pallets: dict[str, str]) -> dict[str, list[str]]:
    """The crates on the pallets: each pallet's pile, which begins with the pallet."""
    piles = {pallet: [pallet] for pallet in pallets}
    for crate in chance.sample(crates, len(crates)):
        piles[chance.choose([*pallets])].append(crate)
    return piles


def _hanoi(chance: Chance, sizes: Sizes) -> Draft:
    discs = named("d", sizes.draw(chance, "discs"))  # from the smallest to the largest
    pegs = named("peg", 3)
    start, end = chance.sample(pegs, 2)
    return Draft(
        objects=typed([*discs, *pegs], "object"),
        init=[
            *facts("smaller", ((peg, disc) for peg in pegs for disc in discs)),
            *facts("smaller", ((larger, disc) for disc, larger in combinations(discs, 2))),
            *_on([start, *reversed(discs)]),
            *facts("clear", ([each] for each in [discs[0], *pegs] if each != start)),
        ],
        goal=_on([end, *reversed(discs)]),
    )


def _blocks3ops(chance: Chance, sizes: Sizes) -> Draft:
    blocks = named("b", sizes.draw(chance, "blocks"))
    start, end = (_piles(chance, blocks, max(2, len(blocks) // 2)) for _ in range(2))
    return Draft(
        objects=typed(blocks, "block"),
        init=[
            *facts("on-table", ([pile[0]] for pile in start)),
            *facts("clear", ([pile[-1]] for pile in start)),
            *(atom for pile in start for atom in _on(pile)),
        ],
        goal=[atom for pile in end for atom in _on(pile)],
    )


def _parking(chance: Chance, sizes: Sizes) -> Draft:
    curbs = named("curb", sizes.draw(chance, "curbs"))
    # As many cars as leave two spots free.
    cars = named("car", 2 * (len(curbs) - 1))
    front = cars[: len(curbs)]
    spots = [(curb, row) for curb in curbs for row in range(2)]
    mixed = chance.sample(cars, len(cars))
    at_curb, behind = mixed[: len(curbs)], mixed[len(curbs) :]
    ahead = chance.sample(at_curb, len(behind))
    assert len(spots) == len(cars) + 2
    return Draft(
        objects=[*typed(curbs, "curb"), *typed(cars, "car")],
        init=[
            *facts("at-curb", ([car] for car in at_curb)),
            *facts("at-curb-num", zip(at_curb, curbs, strict=True)),
            *facts("behind-car", zip(behind, ahead, strict=True)),
            *facts("car-clear", ([car] for car in mixed if car not in ahead)),
        ],
        goal=[
            *facts("at-curb-num", zip(front, curbs, strict=True)),
            *facts("behind-car", zip(cars[len(curbs) :], front, strict=False)),
        ],
    )


def _storage(chance: Chance, sizes: Sizes) -> Draft:
    cells = grid_cells(sizes.draw(chance, "width"), sizes.draw(chance, "height"))
    areas = list(cells)
    crates = named("crate", min(sizes.draw(chance, "crates"), len(areas)))
    stands = {crate: f"in-container-{crate}" for crate in crates}
    hoist_at = chance.choose(areas)
    door = [(areas[0], "loadarea"), *((stand, "loadarea") for stand in stands.values())]
    return Draft(
        objects=[
            *typed([*areas, *stands.values()], "storearea"),
            *typed(["loadarea"], "transitarea"),
            *typed(["depot1"], "depot"),
            *typed(["container1"], "container"),
            *typed(["hoist1"], "hoist"),
            *typed(crates, "crate"),
        ],
        init=[
            *facts("connected", neighbours(cells)),
            *facts("connected", door),
            *facts("connected", ((there, here) for here, there in door)),
            *facts("in", ((area, "depot1") for area in areas)),
            *facts("in", ((stand, "container1") for stand in stands.values())),
            *facts("in", ((crate, "container1") for crate in crates)),
            *facts("on", stands.items()),
            fact("at", "hoist1", hoist_at),
            fact("available", "hoist1"),
            *facts("clear", ([area] for area in areas if area != hoist_at)),
        ],
        goal=facts("in", ((crate, "depot1") for crate in crates)),
    )


def _tyreworld(chance: Chance, sizes: Sizes) -> Draft:
    number = sizes.draw(chance, "wheels")
    old, new = named("w", number), named("r", number)
    nuts, hubs = named("nut", number), named("the-hub", number)
    changed = chance.sample(range(number), chance.between(1, number))
    return Draft(
        objects=[*typed(old + new, "wheel"), *typed(nuts, "nut"), *typed(hubs, "hub")],
        init=[
            *facts("in", ((thing, "boot") for thing in ["jack", "wrench", "pump", *new])),
            fact("closed", "boot"),
            *facts("on", zip(old, hubs, strict=True)),
            *facts("tight", zip(nuts, hubs, strict=True)),
            *facts("fastened", ([hub] for hub in hubs)),
            *facts("on-ground", ([hub] for hub in hubs)),
            *facts("flat", ([wheel] for wheel in new)),
            *facts("intact", ([wheel] for wheel in new)),
        ],
        goal=[
            *facts("on", ((new[i], hubs[i]) for i in changed)),
            *facts("inflated", ([new[i]] for i in changed)),
            *facts("tight", ((nuts[i], hubs[i]) for i in changed)),
            *facts("in", ((old[i], "boot") for i in changed)),
            *facts("in", ((tool, "boot") for tool in ["jack", "wrench", "pump"])),
            fact("closed", "boot"),
        ],
    )


STACKS = (
    survey_domain(
        "depots",
        "IPC 2002",
        _depots,
        {"depots": (1, 1), "distributors": (1, 2), "trucks": (1, 2), "crates": (2, 4)},
        {"depots": (3, 4), "distributors": (3, 5), "trucks": (3, 4), "crates": (12, 16)},
    ),
    survey_domain("hanoi", "the towers of Hanoi", _hanoi, {"discs": (2, 5)}, {"discs": (6, 8)}),
    survey_domain(
        "blocks3ops",
        "Blocksworld of three actions",
        _blocks3ops,
        {"blocks": (3, 6)},
        {"blocks": (20, 30)},
    ),
    survey_domain("parking", "IPC 2008", _parking, {"curbs": (2, 4)}, {"curbs": (10, 14)}),
    survey_domain(
        "storage",
        "IPC 2006",
        _storage,
        {"width": (1, 3), "height": (2, 3), "crates": (1, 3)},
        {"width": (4, 5), "height": (4, 5), "crates": (8, 12)},
    ),
    survey_domain(
        "tyreworld", "the flat tyre, of UCPOP", _tyreworld, {"wheels": (1, 3)}, {"wheels": (8, 12)}
    ),
)

"""Rovers: samples and images from around a lander, by rovers with different equipment.

Waypoints see each other as the nodes of a connected graph; each rover can traverse a part of its
edges that still connects all waypoints. Some rover is equipped for each kind of work, and goals are
chosen among what the rovers can do: samples are where they are asked for, and a camera for an image
is on board of a rover that is equipped for imaging.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.domains.graphs import both_ways, random_graph
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.domains.chance import Chance

_LANDER = "general"
_MODES = ("colour", "high_res", "low_res")
_KINDS_OF_WORK = ("soil_analysis", "rock_analysis", "imaging")


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    rovers = [f"rover{i}" for i in range(1, sizes.draw(chance, "rovers") + 1)]
    stores = [f"{rover}store" for rover in rovers]
    waypoints = [f"waypoint{i}" for i in range(1, sizes.draw(chance, "waypoints") + 1)]
    cameras = [f"camera{i}" for i in range(1, sizes.draw(chance, "cameras") + 1)]
    objectives = [f"objective{i}" for i in range(1, sizes.draw(chance, "objectives") + 1)]
    edges = random_graph(chance, waypoints)
    equipped = {work: _some(chance, rovers) for work in _KINDS_OF_WORK}
    soil, rock = _some(chance, waypoints), _some(chance, waypoints)
    bearers = [chance.choose(equipped["imaging"]) for _ in cameras]
    supported = [_some(chance, _MODES) for _ in cameras]
    facts = [
        Atom("at_lander", (_LANDER, chance.choose(waypoints))),
        *(Atom("at", (rover, chance.choose(waypoints))) for rover in rovers),
        *(Atom(f"equipped_for_{work}", (r,)) for work, some in equipped.items() for r in some),
        *(Atom("empty", (store,)) for store in stores),
        *(Atom("store_of", pair) for pair in zip(stores, rovers, strict=True)),
        *(Atom("at_soil_sample", (waypoint,)) for waypoint in soil),
        *(Atom("at_rock_sample", (waypoint,)) for waypoint in rock),
        *(Atom("on_board", pair) for pair in zip(cameras, bearers, strict=True)),
        *(
            Atom("supports", (c, m))
            for c, some in zip(cameras, supported, strict=True)
            for m in some
        ),
        *(Atom("calibration_target", (c, chance.choose(objectives))) for c in cameras),
        *(Atom("visible_from", (o, w)) for o in objectives for w in _few(chance, waypoints)),
    ]
    ways = [(rover, _thinned(chance, waypoints, edges)) for rover in rovers]
    images = [mode for mode in _MODES if any(mode in some for some in supported)]
    possible = [
        *(Atom("communicated_soil_data", (waypoint,)) for waypoint in soil),
        *(Atom("communicated_rock_data", (waypoint,)) for waypoint in rock),
        *(Atom("communicated_image_data", (o, mode)) for o in objectives for mode in images),
    ]

    def init() -> Iterator[Atom]:
        yield from facts
        for pair in both_ways(edges):
            yield Atom("visible", pair)
        for rover, some in ways:
            for pair in both_ways(some):
                yield Atom("can_traverse", (rover, *pair))

    kinds = {
        "lander": [_LANDER],
        "mode": _MODES,
        "rover": rovers,
        "store": stores,
        "waypoint": waypoints,
        "camera": cameras,
        "objective": objectives,
    }
    return Draft(
        objects=[TypedObject(name, type_) for type_, names in kinds.items() for name in names],
        init=init(),
        goal=chance.sample(possible, min(sizes.draw(chance, "goals"), len(possible))),
    )


def _some(chance: Chance, options: Sequence[str]) -> list[str]:
    """At least one of the options, in their order."""
    chosen = set(chance.sample(options, chance.between(1, len(options))))
    return [option for option in options if option in chosen]


def _few(chance: Chance, options: Sequence[str]) -> list[str]:
    """One to three of the options."""
    return chance.sample(options, chance.between(1, min(3, len(options))))


def _thinned(
    chance: Chance, nodes: Sequence[str], edges: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """A part of the edges that still connects all nodes: a tree of them, drawn at random."""
    part = {node: node for node in nodes}

    def root(node: str) -> str:
        while part[node] != node:
            part[node] = node = part[part[node]]
        return node

    kept = []
    for one, other in chance.sample(edges, len(edges)):
        if root(one) != root(other):
            part[root(one)] = root(other)
            kept.append((one, other))
    return kept


_SIZES = (
    Size("rovers", "rovers", train=(1, 2), test=(4, 8)),
    Size("waypoints", "waypoints", least=2, train=(2, 5), test=(45, 60)),
    Size("cameras", "cameras on all rovers", train=(1, 2), test=(4, 10)),
    Size("objectives", "what images can be taken of", train=(1, 2), test=(25, 40)),
    Size("goals", "samples and images to send, at most", train=(1, 3), test=(20, 60)),
)

ROVERS = BuiltInDomain(
    name="rovers",
    summary="Rovers collect samples and take images for a lander; no need to find the way.",
    horizon=5000,
    sizes=_SIZES,
    # Problems as small as these show one case each: who can do what, and what is in the way.
    counts=(100, 30),
    generate=_generate,
)

ROVERS_TRAVERSE = BuiltInDomain(
    name="rovers-traverse",
    summary="Rovers collect samples and take images for a lander, each on ways of its own.",
    horizon=5000,
    sizes=_SIZES,
    counts=(20, 30),
    generate=_generate,
)

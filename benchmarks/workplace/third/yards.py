"""Orchard, tape archive, railway yard: things are fetched, put to use and put back."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from benchmarks.workplace.third.base import third
from benchmarks.workplace.third.sketch import of_kind

if TYPE_CHECKING:
    from benchmarks.workplace.third.sketch import Sketch


def _orchard(g: Sketch) -> None:
    if g.big:
        workers, number = g.new("worker", g.between(1, 3)), g.grown(32, 46)
        gates, spare = g.between(3, 6), g.between(2, 4)
    else:
        workers, number = g.new("worker", 1 + g.likely(0.2)), g.grown(1, 6)
        gates = g.likely(0.6) + (g.size > 0.7 and g.likely(0.4))
        spare = 1 + g.likely(0.15)
    pump = g.one("pump")
    nodes = []
    for i in range(number):
        kind = g.choose(["drip-plot", "spray-plot", "junction"])
        if not g.big and i == 0:
            kind = g.choose(["drip-plot", "spray-plot"])
        nodes.append(g.one(kind))
    plots = [node for node in nodes if not node.startswith("junction")]
    nodes = ["reservoir", *g.shuffled(nodes)]
    sprinklers = g.new("sprinkler", spare) if of_kind(plots, "spray") else []
    reach = _paths(g, nodes, gates)
    for sprinkler in sprinklers:
        sprays = [plot for plot in of_kind(plots, "spray") if plot in reach]
        if sprays and g.likely(0.25):
            g.fact("mounted", sprinkler, g.choose(sprays))
        else:
            g.fact("lies", sprinkler, "hut" if g.likely(0.6) else g.choose(reach))
    for worker in workers:
        g.fact("at", worker, g.choose(["hut", g.choose(reach)]))
        g.fact("hand-free", worker)
    _water(g, pump, nodes)
    for plot in g.some(plots, (1, 2), (7, 12)):
        g.want("irrigated", plot)
    if g.likely(0.4):
        g.want("stopped", pump)
    items = [name for name, type_ in g.objects if type_ in ("key", "sprinkler")]
    if items and g.likely(0.5):
        for item in g.some(items, (1, 2), (1, 3)):
            g.want("lies", item, "hut")


def _paths(g: Sketch, nodes: list[str], gates: int) -> list[str]:
    """Pipes, paths beside them, and gates whose keys can be reached; returns what can be."""
    tree = g.ways(nodes, ["tree"] if g.big else ["tree", "tree", "line"])
    gated = g.rng.sample(tree, min(gates, len(tree)))
    g.both("path", "hut", "reservoir")
    reached = {"hut", "reservoir"}
    for a, b in tree:
        g.fact("pipe", a, b)
        if (a, b) not in gated:
            g.both("path", a, b)
            if a in reached:
                reached.add(b)
    reach = sorted(reached)
    # Short cuts, none of which avoids a gate.
    for _ in range(1 + len(reach) // 4 if g.likely(0.5) else 0):
        a, b = g.rng.sample(reach, 2)
        g.both("path", a, b)
    for a, b in gated:
        gate, key = g.one("gate"), g.one("key")
        g.fact("gate-between", gate, a, b)
        g.fact("gate-between", gate, b, a)
        g.fact("opens", key, gate)
        if g.likely(0.8):
            g.fact("locked", gate)
        g.fact("lies", key, "hut" if g.likely(0.6) else g.choose(reach))
    return reach


def _water(g: Sketch, pump: str, nodes: list[str]) -> None:
    if g.likely(0.25):
        g.fact("wet", "reservoir")
    else:
        g.fact("stopped", pump)
        if g.likely(0.5):
            g.fact("filter-dirty", pump)
    g.fact("valve-open", "reservoir")
    for node in nodes[1:]:
        if g.likely(0.25):
            g.fact("valve-open", node)


def _tapearchive(g: Sketch) -> None:
    if g.big:
        stations, number = g.new("station", g.between(7, 14)), g.grown(10, 16)
        machines, kept, cleaning = g.between(2, 5), g.between(13, 20), g.choose([1, 1, 2])
    else:
        stations, number = g.new("station", g.grown(1, 3)), g.grown(1, 2)
        machines, kept, cleaning = g.perhaps_two(0.5, 0.4), g.grown(1, 3), g.pair()
    hands = g.new("hand", 2)
    for a, b in g.ways(stations, ["line", "tree", "graph"]):
        g.both("rail", a, b)
    g.fact("robot-at", g.choose(stations))
    tapes, cleaners = g.new("data-tape", number), g.new("cleaning-tape", cleaning)
    drives = g.new("drive", machines)
    slots, files = g.new("slot", number + cleaning), g.new("file", kept)
    for drive in drives:
        g.fact("drive-at", drive, g.choose(stations))
        if g.likely(0.35):
            g.fact("dirty", drive)
    for tape in tapes:
        for drive in g.some(drives, (1, len(drives))):
            g.fact("fits", tape, drive)
        if g.likely(0.4):
            g.fact("protected", tape)
    homes = dict(zip([*tapes, *cleaners], slots, strict=True))
    for tape, slot in homes.items():
        g.fact("slot-at", slot, g.choose(stations))
        g.fact("home", tape, slot)
        _cartridge(g, tape, slot, drives, hands)
    for hand in hands:
        g.fact("hand-free", hand)
    for drive in drives:
        g.fact("drive-empty", drive)
    _files(g, files, tapes, homes)


def _cartridge(g: Sketch, tape: str, slot: str, drives: list[str], hands: list[str]) -> None:
    """Where a tape is: in a drive or a hand that is free, which it takes, or in its slot."""
    drawn = g.rng.random()
    if drawn < 0.12 and drives and tape.startswith("data-tape"):
        drive = drives.pop()
        g.fact("in-drive", tape, drive)
        ready = g.holds("fits", tape, drive) and not g.holds("dirty", drive)
        if ready and g.likely(0.5):
            g.fact("threaded", tape, drive)
    elif drawn < 0.2 and hands:
        g.fact("holds", hands.pop(), tape)
    else:
        g.fact("in-slot", tape, slot)


def _files(g: Sketch, files: list[str], tapes: list[str], homes: dict[str, str]) -> None:
    """What is on the tapes, and the goals."""
    recorded, staged = [], []
    for file in files:
        if g.likely(0.55):
            recorded.append(file)
            g.fact("recorded", file, g.choose(tapes))
        else:
            staged.append(file)
            g.fact("staged", file)
    for file in g.some(recorded, (0, 2), (5, 7)):
        g.want("restored", file)
    targets = {file: g.choose(tapes) for file in g.some(staged, (0, 2), (3, 6))}
    for file, tape in targets.items():
        g.want("recorded", file, tape)
    used = [tape for tape in tapes if tape in targets.values()]
    if g.likely(0.6):
        for tape in g.some(used if used and g.likely(0.6) else tapes, (1, 2)):
            g.want("in-slot", tape, homes[tape])
    if g.likely(0.4):
        for tape in g.some(used if used and g.likely(0.6) else tapes, (1, 2)):
            g.want("protected", tape)


def _railload(g: Sketch) -> None:
    tools = []
    if g.big:
        bays, number = g.new("bay", g.between(7, 14)), g.grown(17, 26)
        tools = [*g.new("spreader", g.between(1, 2)), *g.new("grapple", g.between(1, 2))]
    else:
        bays, number = g.new("bay", g.grown(1, 3)), g.grown(1, 4)
    crane = g.one("crane")
    units = [g.one(g.choose(["box", "box", "trailer"])) for _ in range(number)]
    if not g.big:
        for kind, tool in (("box", "spreader"), ("trailer", "grapple")):
            tools += g.new(tool, g.pair()) if of_kind(units, kind) else []
    for a, b in pairwise(bays):
        g.both("next-to", a, b)
    rack = g.choose(bays)
    g.fact("rack-at", rack)
    g.fact("crane-at", crane, g.choose(bays))
    tools = g.shuffled(tools)
    fitted = g.likely(0.35)
    if fitted:
        g.fact("fitted", tools[0], crane)
    else:
        g.fact("bare", crane)
    for tool in tools[fitted:]:
        g.fact("tool-at", tool, rack)
    _loading(g, units, bays)
    g.fact("hook-free", crane)
    if g.likely(0.4):
        for tool in g.some(tools, (1, 2)):
            g.want("tool-at", tool, rack)


def _loading(g: Sketch, units: list[str], bays: list[str]) -> None:
    """Where the units are and which wagons they are booked for, and the goals of both."""
    wanted = g.between(7, 10) if g.big else g.between(1, 2)
    goal = g.some(units, (wanted, wanted))
    booked: dict[str, str] = {}
    stacks: dict[str, list[str]] = {}
    for unit in units:
        if unit in goal or g.likely(0.25):
            booked[unit] = _wagon(g, unit, bays)
        if unit not in booked or not g.holds("loaded", unit, booked[unit]):
            _stored(g, unit, g.choose(bays), stacks)
    for bay in bays:
        if bay in stacks:
            g.fact("top", stacks[bay][-1])
    for unit in goal:
        if g.likely(0.6):
            g.want("locked", unit)
        elif not g.holds("loaded", unit, booked[unit]):
            g.want("loaded", unit, booked[unit])
    ours = goal if g.likely(0.7) else units
    wagons = [wagon for unit, wagon in booked.items() if unit in ours]
    wagons = of_kind(wagons, "flat-wagon") + of_kind(wagons, "pocket-wagon")
    for wagon in g.some(wagons, (0, 2), (1, 4)):
        g.want("released", wagon)


def _wagon(g: Sketch, unit: str, bays: list[str]) -> str:
    """A wagon for a unit, which may be on it already."""
    box = unit.startswith("box")
    wagon = g.one("flat-wagon" if box else "pocket-wagon")
    g.fact("wagon-at", wagon, g.choose(bays))
    g.fact("booked", unit, wagon)
    g.fact("braked" if g.likely(0.4) else "released", wagon)
    ready = g.likely(0.3)
    if ready:
        g.fact("pins-up" if box else "hitch-down", wagon)
    if g.likely(0.1) and ready:
        g.fact("loaded", unit, wagon)
    return wagon


def _stored(g: Sketch, unit: str, bay: str, stacks: dict[str, list[str]]) -> None:
    """A unit in a bay: a box perhaps on the last stack there, of three at most."""
    g.fact("stored", unit, bay)
    below = stacks.get(bay)
    if not unit.startswith("box"):
        g.fact("on-ground", unit)
        g.fact("top", unit)
    elif below and len(below) < 3 and g.likely(0.7):
        g.fact("on", unit, below[-1])
        below.append(unit)
    else:
        if below:
            g.fact("top", below[-1])
        g.fact("on-ground", unit)
        stacks[bay] = [unit]


YARDS = [
    third("orchard", "Workers water plots through valves, gates and pipes.", _orchard),
    third("tapearchive", "A robot brings tapes to drives that get dirty.", _tapearchive, least=9),
    third("railload", "A crane with tools to change loads wagons from stacks.", _railload),
]

"""Dry docks, lockout, pottery, hangar: things go through several steps of work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.workplace.fourth.base import chain, fourth
from benchmarks.workplace.third.sketch import of_kind

if TYPE_CHECKING:
    from benchmarks.workplace.third.sketch import Sketch


# Policy: finish a ship that is in a dock (rig, blast, sweep, paint, strike, survey), then flood the
# dock and tow the ship out. For a ship that waits, empty a dock, drain it, change the blocks, flood
# it again and tow the ship in. In the end strike the scaffolds.
# Solvable: a dock can always be emptied since each step of its ship needs only one scaffold, and
# any scaffold can be struck; there is at least one dock and one scaffold.
def _drydock(g: Sketch) -> None:
    if g.big:
        ships, docks = g.new("ship", g.grown(27, 36)), g.new("dock", g.between(5, 8))
        hulls, scaffolds = g.new("hull", g.between(5, 8)), g.new("scaffold", g.between(4, 7))
    else:
        ships, docks = g.new("ship", g.grown(1, 9)), g.new("dock", g.perhaps_two(0.4, 0.5))
        hulls, scaffolds = g.new("hull", g.between(1, 2)), g.new("scaffold", g.pair())
    for hull in hulls:
        g.fact("docking-plan", hull)
    built = {ship: g.choose(hulls) for ship in ships}
    for ship, hull in built.items():
        g.fact("built-as", ship, hull)
    waiting, stored = g.shuffled(ships), g.shuffled(scaffolds)
    for dock in docks:
        if waiting and g.likely(0.5):
            ship = waiting.pop()
            g.fact("blocks-for", dock, built[ship])
            _docked(g, ship, dock, stored)
        elif g.likely(0.4):
            g.fact("bare", dock)
        else:
            g.fact("blocks-for", dock, g.choose(hulls))
            if g.likely(0.5):
                _flooded(g, dock)
    for ship in waiting:
        g.fact("afloat", ship)
    for scaffold in stored:
        g.fact("in-store", scaffold)
    wanted = g.some(ships, (1, 2), (6, 9))
    for ship in wanted:
        g.want("surveyed", ship)
    for ship in g.some(wanted if g.likely(0.8) else ships, (0, 2), (2, 5)):
        g.want("afloat", ship)
    if g.likely(0.4):
        for scaffold in g.some(scaffolds, (1, 1), (1, 3)):
            g.want("in-store", scaffold)


def _docked(g: Sketch, ship: str, dock: str, stored: list[str]) -> None:
    """How far a ship in a dock is; a scaffold may be taken from the store."""
    g.fact("in-dock", ship, dock)
    g.fact("occupied", dock)
    step = g.between(0, 3)
    for name in ("blasted", "painted", "surveyed")[:step]:
        g.fact(name, ship)
    if step in (0, 3) and g.likely(0.5):
        _flooded(g, dock)
    elif stored and step < 3 and g.likely(0.6):
        g.fact("rigged", stored.pop(), dock)
        g.fact("scaffolded", dock)
    if step == 1 and g.likely(0.7):
        g.fact("littered", dock)


def _flooded(g: Sketch, dock: str) -> None:
    g.fact("flooded", dock)
    if g.likely(0.5):
        g.fact("gate-open", dock)


# Policy: take each faulty machine through stop, switch off, padlock, bleed, permit, guard, repair,
# and back. Finish what has an open permit first, and take padlocks that hang on machines without a
# permit if no other is free. Then switch on and start what shall run.
# Solvable: an open permit can be closed without a padlock, so all padlocks become free but those
# that shall hang, and there are two more than these.
def _lockout(g: Sketch) -> None:
    number = g.grown(15, 18) if g.big else g.grown(1, 4)
    machines = [g.one(g.choose(["conveyor", "conveyor", "press"])) for _ in range(number)]
    fed: dict[str, list[str]] = {}
    for machine in machines:
        kinds = ["breaker", "valve"] if machine.startswith("press") else ["breaker"]
        fed[machine] = [g.one(kind) for kind in kinds]
        for isolator in fed[machine]:
            g.fact("feeds", isolator, machine)
    shut_down = g.some(machines, (0, 1), (1, 3))
    for machine in shut_down:
        g.want("tagged", g.choose(fed[machine]))
    spare = g.between(2, 5) if g.big else g.between(0, 2)
    free = g.shuffled(g.new("padlock", len(shut_down) + 2 + spare))
    for machine, isolators in fed.items():
        _machine(g, machine, isolators, free)
    faulty = [machine for machine in machines if g.holds("faulty", machine)]
    for machine in g.some(faulty, (0, 1), (5, 8)):
        g.want("repaired", machine)
    for machine in g.some([m for m in machines if m not in shut_down], (0, 1), (4, 7)):
        g.want("running", machine)


def _machine(g: Sketch, machine: str, isolators: list[str], free: list[str]) -> None:
    """How far the work on a machine is; padlocks that it has are no longer free."""
    if g.likely(0.6):
        g.fact("faulty", machine)
    press = machine.startswith("press")
    state = g.choose(["running", "running", "stopped", "off", "locked"])
    if state == "locked" and len(free) >= len(isolators):
        for isolator in isolators:
            padlock = free.pop()
            g.fact("hangs", padlock, isolator)
            g.fact("used", padlock)
            g.fact("tagged", isolator)
        if press and g.likely(0.4):
            g.fact("pressurised", machine)
        elif g.likely(0.7):
            g.fact("permit-open", machine)
            if g.likely(0.6):
                g.fact("guard-off", machine)
        return
    for isolator in isolators:
        if state in ("running", "stopped") or g.likely(0.3):
            g.fact("live", isolator)
    if state == "running":
        g.fact("running", machine)
    if press and (state == "running" or g.likely(0.6)):
        g.fact("pressurised", machine)


# Policy: pack what is finished, glaze biscuit ware that shall be packed, throw clay on a clean
# wheel if a board is free, clear boards. Load the table into a kiln that is cold and scraped, fire
# it, cool it, and unload it; scrape it when it is empty.
# Solvable: one piece after the other can go all the way, as each kiln can be emptied onto the
# table, which has no limit, and has room for one piece at least.
def _pottery(g: Sketch) -> None:
    if g.big:
        pieces, wheels = g.new("piece", g.grown(25, 36)), g.new("wheel", g.between(2, 4))
        boards, kilns = g.new("board", g.between(4, 7)), g.new("kiln", g.between(3, 6))
        glazes, between = g.new("glaze", g.between(4, 7)), g.between(3, 5)
    else:
        pieces, wheels = g.new("piece", g.grown(1, 6)), g.new("wheel", g.perhaps_two(0.7, 0.3))
        boards, kilns = g.new("board", g.pair()), g.new("kiln", g.perhaps_two(0.5, 0.3))
        glazes, between = g.new("glaze", g.perhaps_two(0.3, 0.5)), g.between(1, 2)
    levels = chain(g, "no-room", *g.new("level", between))
    for piece in pieces:
        g.fact("colour", piece, g.choose(glazes))
    fresh = g.shuffled(pieces)
    for kiln in kilns:
        _kiln(g, kiln, fresh, levels)
    for board in boards:
        if fresh and g.likely(0.3):
            g.fact("dries", fresh.pop(), board)
        else:
            g.fact("board-free", board)
    for piece in fresh:
        state = g.choose(["clay", "clay", "raw", "biscuit", "glazed", "finished"])
        g.fact(state, piece)
        if state != "clay":
            g.fact("on-table", piece)
    for wheel in g.some(wheels, (0, len(wheels))):
        g.fact("clean", wheel)
    for glaze in g.some(glazes, (0, len(glazes))):
        g.fact("stirred", glaze)
    plain = [p for p in pieces if not (g.holds("glazed", p) or g.holds("finished", p))]
    sold = g.some(plain, (0, 1), (2, 4))
    for piece in sold:
        g.want("biscuit", piece)
    for piece in g.some([p for p in pieces if p not in sold], (0, 2), (7, 11)):
        g.want("packed", piece)
    if g.likely(0.4):
        g.want("clean", g.choose(wheels))


def _kiln(g: Sketch, kiln: str, fresh: list[str], levels: list[str]) -> None:
    """What is in a kiln: it has just been fired, or is being loaded."""
    size = g.between(1, len(levels) - 1)
    inside = [fresh.pop() for _ in range(g.between(0, min(size, len(fresh))))]
    g.fact("size", kiln, levels[size])
    g.fact("room", kiln, levels[size - len(inside)])
    fired = g.likely(0.5)
    states = ["biscuit", "finished"] if fired else ["raw", "glazed"]
    for piece in inside:
        state = g.choose(states)
        g.fact("in", piece, kiln)
        g.fact(state, piece)
        if state == "finished":
            g.fact("dripped", kiln)
    if fired and g.likely(0.6):
        g.fact("hot", kiln)
    if not inside and g.likely(0.4):
        g.fact("dripped", kiln)


TOOLS = {"engine-panel": "torque-wrench", "gear-panel": "wrench", "wing-panel": "borescope"}
"""The tool for each kind of panel; a torque wrench also serves as a wrench."""


# Policy: with the tool for an open job in hand, calibrated if need be, go to its aircraft through
# the doors, switch off, open the panel, do the work, close it; with any other tool go and book it
# in. Without a tool collect one that lies about or book one out; sign in the office what is closed.
# Solvable: all places are connected, doors open from both sides, each kind of panel has a tool, and
# who carries one can always do its work or book it in.
def _hangar(g: Sketch) -> None:
    if g.big:
        mechanics, stands = g.new("mechanic", g.between(1, 3)), g.new("stand", g.grown(12, 15))
        fleet, number = g.new("aircraft", g.between(6, 9)), g.grown(21, 28)
    else:
        mechanics = g.new("mechanic", g.perhaps_two(0.6, 0.3))
        number, stands = g.grown(1, 4), g.new("stand", g.grown(1, 3))
        fleet = g.new("aircraft", min(len(stands), g.perhaps_two(0.4, 0.6)))
    panels = [g.one(g.choose([*TOOLS])) for _ in range(number)]
    tools = []
    for kind, tool in TOOLS.items():
        if of_kind(panels, kind):
            better = tool == "wrench" and g.likely(0.3)
            tools += g.new("torque-wrench" if better else tool, 1 + g.likely(0.3))
    for a, b in g.ways(g.shuffled(["crib", "office", *stands]), ["tree", "graph", "line"]):
        g.both("link", a, b)
        if g.likely(0.3):
            g.both("door-shut", a, b)
    for aircraft, stand in zip(fleet, g.shuffled(stands), strict=False):
        g.fact("parked", aircraft, stand)
        if g.likely(0.5):
            g.fact("powered", aircraft)
    for panel in panels:
        _panel(g, panel, g.choose(fleet))
    _crew(g, mechanics, tools, stands)
    for panel in g.some([p for p in panels if not g.holds("signed", p)], (1, 2), (7, 11)):
        g.want("signed", panel)
    for panel in g.some([p for p in panels if not g.holds("closed", p)], (0, 1), (0, 3)):
        g.want("closed", panel)
    if g.likely(0.5):
        for tool in g.some(tools, (1, 1), (1, 3)):
            g.want("in-crib", tool)


def _panel(g: Sketch, panel: str, aircraft: str) -> None:
    """How far the work behind a panel is; the power is off while one is open."""
    g.fact("panel-of", panel, aircraft)
    done = g.likely(0.3)
    if done:
        g.fact("done", panel)
    if g.likely(0.7) or g.holds("powered", aircraft):
        g.fact("closed", panel)
        if done and g.likely(0.4):
            g.fact("signed", panel)


def _crew(g: Sketch, mechanics: list[str], tools: list[str], stands: list[str]) -> None:
    """Where mechanics and tools are."""
    idle = list(mechanics)
    for mechanic in mechanics:
        g.fact("at", mechanic, g.choose(["crib", "office", *stands]))
    for tool in tools:
        drawn = g.rng.random()
        if drawn < 0.2 and idle:
            g.fact("carries", idle.pop(), tool)
        elif drawn < 0.4:
            g.fact("left-at", tool, g.choose(stands))
        else:
            g.fact("in-crib", tool)
        if tool.startswith("torque-wrench") and g.likely(0.3):
            g.fact("calibrated", tool)
    for mechanic in idle:
        g.fact("hands-free", mechanic)


WORKS = [
    fourth("drydock", "Ships are blasted and painted in docks that suit their hulls.", _drydock),
    fourth("lockout", "Machines are repaired under padlocks and permits.", _lockout),
    fourth("pottery", "Kilns fire all that is in them, pieces go in twice.", _pottery, least=8),
    fourth("hangar", "Mechanics work behind panels with tools from a crib.", _hangar),
]

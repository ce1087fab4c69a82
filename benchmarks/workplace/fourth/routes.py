"""Sewers, timber, vending machines, zoo: work at many places, to which one must get."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.workplace.fourth.base import chain, fourth

if TYPE_CHECKING:
    from benchmarks.workplace.third.sketch import Sketch


# Policy: let a robot that is underground film what it can reach, and jet the silt in its way from
# the manhole before it: drive there, fence off, lift the lid. Then raise the robot and put it down
# elsewhere; put lids and cones back on the way, and refill at the yard when the tank is empty.
# Solvable: vans can drive everywhere, each has its cones aboard or can fetch them, water never
# ends, and a robot can be raised wherever it is.
def _sewers(g: Sketch) -> None:
    if g.big:
        manholes, vans = g.new("manhole", g.grown(21, 28)), g.new("van", g.between(1, 3))
        robots, between = g.new("robot", g.between(1, 3)), g.between(1, 3)
    else:
        manholes, vans = g.new("manhole", g.grown(2, 6)), g.new("van", g.perhaps_two(0.7, 0.2))
        robots, between = g.new("robot", g.perhaps_two(0.5, 0.2)), g.between(0, 1)
    levels = chain(g, "empty", *g.new("level", between), "full")
    g.both("street", "yard", manholes[0])
    pipes = []
    for a, b in g.ways(manholes, ["tree"]):
        g.both("street", a, b)
        pipes.append(g.one("pipe"))
        g.fact("sewer", pipes[-1], a, b)
        g.fact("sewer", pipes[-1], b, a)
        if g.likely(0.35):
            g.fact("silted", pipes[-1])
        elif g.likely(0.2):
            g.fact("filmed", pipes[-1])
    g.fact("hydrant", "yard")
    for manhole in g.some(manholes, (0, 1), (1, 4)):
        g.fact("hydrant", manhole)
    opened = _vans(g, vans, manholes, levels)
    for manhole in manholes:
        if manhole not in opened:
            g.fact("lid-on", manhole)
    for robot in robots:
        if g.likely(0.4):
            g.fact("underground", robot, g.choose(manholes))
        else:
            g.fact("aboard", robot, g.choose(vans))
    for pipe in g.some([p for p in pipes if not g.holds("filmed", p)], (1, 2), (8, 11)):
        g.want("filmed", pipe)
    for manhole in g.some(opened if g.likely(0.5) else manholes, (0, 1), (0, 3)):
        g.want("lid-on", manhole)
    if g.likely(0.4):
        g.want("aboard", g.choose(robots), g.choose(vans))
    if g.likely(0.3):
        g.want("van-at", g.choose(vans), "yard")


def _vans(g: Sketch, vans: list[str], manholes: list[str], levels: list[str]) -> list[str]:
    """Where vans and their cones are; returns the manholes that are open."""
    opened = []
    for van, manhole in zip(vans, g.shuffled(manholes), strict=False):
        g.fact("van-at", van, manhole if g.likely(0.6) else "yard")
        g.fact("tank", van, g.choose(levels))
        if g.likely(0.4):
            g.fact("fenced", manhole)
            if g.likely(0.6):
                opened.append(manhole)
                if g.likely(0.5):
                    g.fact("tested", manhole)
        else:
            g.fact("cones-on", van)
    return opened


# Policy: a truck takes a key and raises the barriers. For each stand send a harvester to mark and
# fell it, sharpened before, then a forwarder that brings the logs to a landing, then a truck with
# room that brings them to the sawmill; vehicles that are full go to unload first.
# Solvable: trucks begin where they can reach the office, so all barriers can be raised; the roads
# connect all landings, the tracks all stands, and loads can always be put down.
def _timber(g: Sketch) -> None:
    if g.big:
        stands, landings = g.new("stand", g.grown(20, 27)), g.new("landing", g.grown(11, 14))
        sizes, keys = [g.between(2, 4) for _ in range(3)], g.between(1, 3)
        between = g.between(2, 4)
    else:
        stands, landings = g.new("stand", g.grown(1, 4)), g.new("landing", g.grown(1, 3))
        sizes, keys = [g.perhaps_two(0.7, 0.25) for _ in range(3)], g.perhaps_two(0.7, 0.25)
        between = g.between(1, 2)
    harvesters, forwarders, trucks = map(g.new, ("harvester", "forwarder", "truck"), sizes)
    hooks = g.new("key", keys)
    levels = chain(g, "no-room", *g.new("level", between))
    near = _roads(g, landings)
    for i, stand in enumerate(stands):
        g.both("track", stand, g.choose(stands[:i] if i and g.likely(0.4) else landings))
    for vehicle in (*harvesters, *forwarders):
        g.fact("at", vehicle, g.choose([*stands, *landings, "office"]))
    for truck in trucks:
        g.fact("at", truck, g.choose(near))
    for key in hooks:
        if g.likely(0.25):
            g.fact("has", g.choose(trucks), key)
        else:
            g.fact("on-hook", key)
    for harvester in harvesters:
        if g.likely(0.5):
            g.fact("blunt", harvester)
    _logs(
        g, stands, landings, forwarders, {truck: g.between(1, between) for truck in trucks}, levels
    )
    _orders(g, stands, landings)
    if g.likely(0.3):
        g.want("on-hook", g.choose(hooks))
    if g.likely(0.3):
        g.want("at", g.choose([*harvesters, *forwarders, *trucks]), "office")


def _roads(g: Sketch, landings: list[str]) -> list[str]:
    """Roads with barriers; returns what can be reached from the office without a key."""
    places = g.shuffled(["office", "sawmill", *landings])
    near, grown = {"office"}, True
    ways = g.ways(places, ["tree", "graph", "line", "grid"])
    open_ways = []
    for a, b in ways:
        g.both("road", a, b)
        if g.likely(0.3):
            g.both("barred", a, b)
        else:
            open_ways.append((a, b))
    while grown:
        further = {end for way in open_ways if near.intersection(way) for end in way}
        grown = not further <= near
        near |= further
    return sorted(near)


def _logs(
    g: Sketch,
    stands: list[str],
    landings: list[str],
    forwarders: list[str],
    sizes: dict[str, int],
    levels: list[str],
) -> None:
    """How far the work on each stand is; forwarders and trucks may be loaded."""
    empty, room = g.shuffled(forwarders), dict(sizes)
    for stand in stands:
        step = g.choose(
            ["", "", "", "marked", "permitted", "felled", "bunked", "stacked", "loaded"]
        )
        trucks = [truck for truck, left in room.items() if left]
        if step in ("marked", "permitted"):
            g.fact(step, stand)
        elif step:
            g.fact("cut", stand)
            if step == "bunked" and empty:
                g.fact("bunked", stand, empty.pop())
            elif step == "stacked":
                g.fact("stacked", stand, g.choose(landings))
            elif step == "loaded" and trucks:
                truck = g.choose(trucks)
                room[truck] -= 1
                g.fact("loaded", stand, truck)
            else:
                g.fact("felled", stand)
        if step and step != "marked":
            g.fact("marked", stand)
    for forwarder in empty:
        g.fact("empty", forwarder)
    for truck, left in room.items():
        g.fact("room", truck, levels[left])


def _orders(g: Sketch, stands: list[str], landings: list[str]) -> None:
    """The goals for the stands: each is delivered, stacked, or only felled."""
    left = g.shuffled(stands)
    for stand in g.some(left, (0, 2), (6, 9)):
        left.remove(stand)
        g.want("delivered", stand)
    # No logs go back: from a landing or a truck only to the sawmill, from a forwarder not to the
    # stand.
    gone = {atom.terms[0] for atom in g.init if atom.predicate in ("stacked", "loaded")}
    for stand in g.some([stand for stand in left if stand not in gone], (0, 1), (1, 3)):
        left.remove(stand)
        g.want("stacked", stand, g.choose(landings))
    uncut = [s for s in left if g.holds("felled", s) or not g.holds("cut", s)]
    for stand in g.some(uncut, (0, 1), (1, 2)):
        g.want("felled", stand)


# Policy: with stock or an empty bag for what is open, drive to its building, sign in, read the
# meter, unlock, rinse and do the work, lock it, and sign out. With a full bag or without stock go
# to the depot.
# Solvable: roads connect all buildings with the depot, where stock never ends and bags are emptied,
# and there is at least one bag, which its holder can use or hand in.
def _vending(g: Sketch) -> None:
    if g.big:
        buildings, number = g.new("building", g.grown(15, 20)), g.grown(22, 28)
        technicians, bags = g.new("technician", g.between(2, 3)), g.new("bag", g.between(2, 4))
        between = g.between(3, 5)
    else:
        buildings, number = g.new("building", g.grown(1, 4)), g.grown(1, 5)
        technicians, bags = g.new("technician", g.perhaps_two(0.6, 0.3)), g.new("bag", g.pair())
        between = g.between(1, 2)
    levels = chain(g, "empty", *g.new("level", between))
    for a, b in g.ways(g.shuffled(["depot", *buildings]), ["tree", "graph", "line", "grid"]):
        g.both("road", a, b)
    machines = []
    for _ in range(number):
        machines.append(g.one(g.choose(["snack-machine", "drink-machine", "coffee-machine"])))
        _vendor(g, machines[-1], g.choose(buildings))
    _technicians(g, technicians, buildings, bags, levels)
    for machine in g.some([m for m in machines if not g.holds("filled", m)], (0, 2), (4, 6)):
        g.want("filled", machine)
    for machine in g.some([m for m in machines if not g.holds("emptied", m)], (0, 1), (3, 5)):
        g.want("emptied", machine)
    drinks = [machine for machine in machines if not machine.startswith("snack")]
    for machine in g.some(drinks, (0, 1), (1, 4)):
        g.want("watered", machine)
    if g.likely(0.5):
        for machine in g.some(machines, (1, 1), (1, 3)):
            g.want("locked", machine)
    if g.likely(0.3):
        g.want("at-depot", g.choose(bags))


def _vendor(g: Sketch, machine: str, building: str) -> None:
    """Where a vending machine stands, and what it has."""
    g.fact("stands", machine, building)
    if g.likely(0.8):
        g.fact("locked", machine)
        if g.likely(0.2):
            g.fact("metered", machine)
    if machine.startswith("coffee") and g.likely(0.6):
        g.fact("dirty", machine)
    elif not machine.startswith("snack") and g.likely(0.3):
        g.fact("watered", machine)
    for state in ("filled", "emptied"):
        if g.likely(0.3):
            g.fact(state, machine)


def _technicians(
    g: Sketch, technicians: list[str], buildings: list[str], bags: list[str], levels: list[str]
) -> None:
    """Where the technicians are, and what they have with them."""
    stored = g.shuffled(bags)
    for technician in technicians:
        if g.likely(0.3):
            g.fact("inside", technician, g.choose(buildings))
        else:
            g.fact("at", technician, g.choose(["depot", *buildings]))
        g.fact("stock", technician, g.choose(levels))
        if stored and g.likely(0.4):
            bag = stored.pop()
            g.fact("holds", technician, bag)
            g.fact("with-bag", technician)
            if g.likely(0.5):
                g.fact("full", bag)
    for bag in stored:
        g.fact("at-depot", bag)


# Policy: for each animal fetch a key and its food, open gates on the way, raise the slide, let the
# animal out if it is in, lure it in, drop the slide, weigh it and muck out, raise the slide and let
# it out. Food that nobody wants is tipped out in the kitchen; keys and records end in the lodge.
# Solvable: paths connect all places, gates open from both sides, each enclosure has a key that its
# keeper can use or hang up, and no step but recording is final.
def _zoo(g: Sketch) -> None:
    if g.big:
        number, places = g.grown(14, 18), g.new("place", g.grown(8, 13))
        keepers, keys = g.new("keeper", g.between(1, 3)), g.new("key", g.between(2, 5))
        foods = g.new("food", g.between(3, 5))
    else:
        number, places = g.grown(1, 3), g.new("place", g.grown(0, 3))
        keepers, keys = g.new("keeper", g.perhaps_two(0.7, 0.2)), g.new("key", g.pair())
        foods = g.new("food", g.perhaps_two(0.3, 0.5))
    for food in foods:
        g.fact("in-larder", food)
    places = g.shuffled(["lodge", "kitchen", *places])
    for a, b in g.ways(places, ["tree", "graph", "line", "grid"]):
        g.both("path", a, b)
        if g.likely(0.3):
            g.both("gate-shut", a, b)
    animals, enclosures = [], g.new("enclosure", number)
    for enclosure in enclosures:
        animals.append(g.one(g.choose(["grazer", "predator", "bear"])))
        g.fact("lives", animals[-1], enclosure)
        g.fact("eats", animals[-1], g.choose(foods))
        g.fact("entrance", enclosure, g.choose(places))
        g.fact("opens", g.choose(keys), enclosure)
        for fact in ("slide-open", "clean"):
            if g.likely(0.4):
                g.fact(fact, enclosure)
        for fact in ("outside", "fed"):
            if g.likely(0.5):
                g.fact(fact, animals[-1])
    for keeper in keepers:
        g.fact("at", keeper, g.choose(places))
        if g.likely(0.45):
            g.fact("bucket", keeper, g.choose(foods))
        else:
            g.fact("hand-free", keeper)
    for key in keys:
        if g.likely(0.3):
            g.fact("has", g.choose(keepers), key)
        else:
            g.fact("on-hook", key)
    _morning(g, animals, enclosures, keys)


def _morning(g: Sketch, animals: list[str], enclosures: list[str], keys: list[str]) -> None:
    """The goals."""
    for enclosure in g.some([e for e in enclosures if not g.holds("clean", e)], (0, 1), (3, 5)):
        g.want("clean", enclosure)
    for animal in g.some([a for a in animals if not g.holds("fed", a)], (0, 1), (2, 4)):
        g.want("fed", animal)
    for animal in g.some(animals, (0, 1), (2, 4)):
        g.want("outside", animal)
    for animal in g.some(animals, (0, 1), (1, 3)):
        g.want("recorded", animal)
    for animal in g.some([a for a in animals if a.startswith("bear")], (0, 1), (1, 2)):
        g.want("weighed", animal)
    if g.likely(0.3):
        g.want("on-hook", g.choose(keys))


ROUTES = [
    fourth("sewers", "Robots film a tree of sewers, vans jet them.", _sewers),
    fourth("timber", "Stands are felled, logs go by forwarder and truck.", _timber, least=9),
    fourth("vending", "Technicians refill vending machines and fetch the cash.", _vending),
    fourth("zoo", "Keepers feed animals in their dens and muck out.", _zoo),
]

"""School buses, wind farm, winter service: vehicles on general maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.workplace.third.base import third
from benchmarks.workplace.third.sketch import of_kind

if TYPE_CHECKING:
    from benchmarks.workplace.third.sketch import Sketch


def _schoolbus(g: Sketch) -> None:
    models = ["coach", "minibus"]
    if g.big:
        drivers = g.new("driver", g.between(2, 3))
        kinds = g.rng.choices(models, k=g.between(3, 5))
        schools, stops = g.new("school", g.between(2, 4)), g.new("stop", g.grown(14, 26))
        number = g.between(11, 18)
    else:
        drivers = g.new("driver", g.perhaps_two(0.6, 0.3))
        kinds = g.rng.choices(models, k=g.perhaps_two(0.5, 0.65))
        schools, stops = g.new("school", g.perhaps_two(0.4, 0.5)), g.new("stop", g.grown(1, 3))
        number = g.grown(1, 3)
    buses = [_bus(g, kind) for kind in kinds]
    places = g.shuffled([*stops, *schools])
    for a, b in g.ways(places, ["tree", "graph", "graph", "grid"]):
        g.both("road", a, b)
    g.fact("depot-road", g.choose(places))
    _depot(g, drivers, buses, places)
    children = []
    for _ in range(number):
        # Only where there is a bus with a bay.
        wheelchair = "minibus" in kinds and g.likely(0.35)
        children.append(g.one("wheelchair-user" if wheelchair else "pupil"))
        g.fact("waits", children[-1], g.choose(stops))
        g.fact("attends", children[-1], g.choose(schools))
    for child in g.some(children, (1, 3), (8, 13)):
        g.want("delivered", child)
    if g.likely(0.5):
        for bus in g.some(buses, (1, 2), (1, 3)):
            g.want("key-on-board", bus)


def _bus(g: Sketch, kind: str) -> str:
    """A bus with seats, and a minibus with a bay."""
    bus = g.one(kind)
    spots = g.new("seat", g.between(2, 3) if g.big else g.between(1, 2))
    spots += g.new("bay") if kind == "minibus" else []
    for spot in spots:
        g.fact("spot-of", spot, bus)
        g.fact("spot-free", spot)
    return bus


def _depot(g: Sketch, drivers: list[str], buses: list[str], places: list[str]) -> None:
    """All buses and drivers are at the depot; perhaps the first driver is on the road."""
    gate_open = g.likely(0.4)
    if gate_open:
        g.fact("gate-open")
    walking = list(drivers)
    for bus in buses:
        if gate_open and walking == drivers and g.likely(0.35):
            g.fact("at", bus, g.choose(places))
            driver = walking.pop(0)
            g.fact("has-key", driver, bus)
            g.fact("driving", driver, bus)
            continue
        g.fact("at", bus, "depot")
        g.fact("key-on-board", bus)
        if g.likely(0.5):
            g.fact("fuelled", bus)
    for driver in walking:
        g.fact("on-foot", driver)


def _windfarm(g: Sketch) -> None:
    if g.big:
        sites, vans = ["base", *g.new("site", g.grown(15, 25))], g.new("van", g.between(1, 3))
        drones = g.new("camera-drone", g.between(1, 3)) + g.new("thermal-drone", g.between(1, 3))
        turbines, spare = g.new("turbine", g.grown(16, 24)), g.between(2, 6)
    else:
        sites = ["base", *g.new("site", g.grown(1, 4))]
        vans = g.new("van", g.perhaps_two(0.5, 0.3))
        lacks = g.choose(["camera-drone", "thermal-drone", None])
        kinds = [kind for kind in ("camera-drone", "thermal-drone") if kind != lacks]
        drones = [drone for kind in kinds for drone in g.new(kind, g.pair())]
        turbines, spare = g.new("turbine", g.grown(1, 3)), g.between(0, 1)
    for a, b in g.ways(sites, ["tree", "graph", "grid"]):
        g.both("road", a, b)
    g.fact("has-charger", "base")
    for site in g.some(sites[1:], (0, 1), (1, 4)):
        g.fact("has-charger", site)
    for van in vans:
        g.fact("van-at", van, g.choose(["base", g.choose(sites)]))
    _drones(g, drones, vans, spare)
    for turbine in turbines:
        g.fact("turbine-at", turbine, g.choose(sites[1:]))
        if g.likely(0.75):
            g.fact("spinning", turbine)
    _inspections(g, drones, turbines)


def _drones(g: Sketch, drones: list[str], vans: list[str], spare: int) -> None:
    """Where drones and batteries are: there is a battery for every drone."""
    free, batteries, bare = list(vans), [], 0
    for drone in drones:
        if free and g.likely(0.4):
            g.fact("in-van", drone, free.pop())
        else:
            g.fact("drone-at", drone, "base")
        if g.likely(0.7):
            batteries.append(g.one("battery"))
            g.fact("installed", batteries[-1], drone)
            g.fact("powered", drone)
        else:
            bare += 1
    for van in free:
        g.fact("bay-free", van)
    for i, battery in enumerate(g.new("battery", bare + spare)):
        batteries.append(battery)
        if i >= bare and g.likely(0.5):
            g.fact("spare", battery, g.choose(vans))
        else:
            g.fact("battery-at", battery, "base")
    for battery in batteries:
        if g.likely(0.5):
            g.fact("charged", battery)


def _inspections(g: Sketch, drones: list[str], turbines: list[str]) -> None:
    """The goals: only those for which there are drones."""
    shot = g.some(turbines, (0, 2), (3, 6)) if of_kind(drones, "camera") else []
    for turbine in shot:
        g.want("photographed", turbine)
    if of_kind(drones, "thermal"):
        for turbine in g.some(turbines, (0, 2), (3, 6)):
            g.want("scanned", turbine)
    for turbine in g.some(shot if shot and g.likely(0.7) else turbines, (0, 2), (1, 3)):
        g.want("spinning", turbine)
    if g.likely(0.4):
        for drone in g.some(drones, (1, 2)):
            g.want("drone-at", drone, "base")


FLEET = ("heavy-plough", "light-plough", "gritter", "saw-van", "bus", "blade")


def _winterroads(g: Sketch) -> None:
    fleet: dict[str, list[str]] = {}
    if g.big:
        junctions = ["depot", *g.new("junction", g.grown(15, 23))]
        most = (2, 2, 2, 2, 3, 3)
        fleet = {k: g.new(k, g.between(1, n)) for k, n in zip(FLEET, most, strict=True)}
        ways = g.ways(junctions, ["tree", "graph", "grid"])
    else:
        junctions = ["depot", *g.new("junction", g.grown(1, 4))]
        ways = g.ways(junctions, ["tree", "graph", "line", "grid"])
    roads = {g.one(g.choose(["main-road", "side-road"])): way for way in ways}
    reach = _snow(g, roads)
    mains = of_kind(list(roads), "main-road")
    sides = of_kind(list(roads), "side-road")
    if not g.big:
        fleet = _fleet(g, mains, sides)
    _vehicles(g, fleet, reach)
    g.fact("fuel-station", "depot")
    for junction in g.some(junctions[1:], (0, 1), (1, 3)):
        g.fact("fuel-station", junction)
    for gritter in fleet["gritter"]:
        if g.likely(0.5):
            g.fact("salt-loaded", gritter)
    shut = [road for road in mains + sides if not g.holds("cleared", road)]
    for road in g.some(shut, (0, 2), (4, 7)):
        g.want("cleared", road)
    for road in g.some(mains, (0, 2), (3, 5)) if fleet["gritter"] else []:
        g.want("salted", road)
    for bus in fleet["bus"]:
        start, end = g.rng.sample(junctions, 2)
        g.fact("at", bus, start)
        g.want("at", bus, end)
    if g.likely(0.4):
        for blade in g.some(fleet["blade"], (1, 2)):
            g.want("blade-stored", blade)


def _snow(g: Sketch, roads: dict[str, tuple[str, str]]) -> list[str]:
    """The roads, some of them cleared; returns where one can drive from the depot at once."""
    for road, (a, b) in roads.items():
        g.fact("ends", road, a, b)
        g.fact("ends", road, b, a)
    for road in roads:
        if g.likely(0.25):
            g.fact("cleared", road)
        elif g.likely(0.25):
            g.fact("tree-across", road)
    cleared = [way for road, way in roads.items() if g.holds("cleared", road)]
    reach = {"depot"}
    for _ in roads:
        for way in cleared:
            if reach.intersection(way):
                reach.update(way)
    return sorted(reach)


def _fleet(g: Sketch, mains: list[str], sides: list[str]) -> dict[str, list[str]]:
    """Of a small problem only what its roads need, and perhaps gritters and buses."""
    trees = any(g.holds("tree-across", road) for road in mains + sides)
    return {
        "heavy-plough": g.new("heavy-plough", g.pair()) if mains else [],
        "light-plough": g.new("light-plough", g.pair()) if sides else [],
        "gritter": g.new("gritter", g.pair()) if mains and g.likely(0.6) else [],
        "saw-van": g.new("saw-van", g.pair()) if trees else [],
        "bus": g.new("bus", g.choose([1, 1, 2])) if g.likely(0.4) else [],
        "blade": g.new("blade", 1 + g.likely(0.2)),
    }


def _vehicles(g: Sketch, fleet: dict[str, list[str]], reach: list[str]) -> None:
    """Where vehicles and blades are: all but the buses where the depot can be reached."""
    ploughs = fleet["heavy-plough"] + fleet["light-plough"]
    for vehicle in (*ploughs, *fleet["gritter"], *fleet["saw-van"]):
        g.fact("at", vehicle, "depot" if g.likely(0.6) else g.choose(reach))
    stored = list(fleet["blade"])
    for plough in ploughs:
        if stored and g.likely(0.3):
            g.fact("blade-on", stored.pop(), plough)
            g.fact("has-blade", plough)
        if g.likely(0.5):
            g.fact("fuelled", plough)
    for blade in stored:
        g.fact("blade-stored", blade)


ROADS = [
    third("schoolbus", "Buses with ramps bring children to schools.", _schoolbus),
    third("windfarm", "Vans bring drones to turbines that stop or spin.", _windfarm),
    third("winterroads", "Ploughs, saws and gritters clear the way for buses.", _winterroads),
]

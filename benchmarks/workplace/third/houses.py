"""Print shop, dental practice, brewery, stage: work within one house."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.workplace.third.base import third
from benchmarks.workplace.third.sketch import of_kind

if TYPE_CHECKING:
    from benchmarks.workplace.third.sketch import Sketch


def _printshop(g: Sketch) -> None:
    if g.big:
        number, colours = g.grown(18, 28), g.between(4, 8)
        machines = [g.between(3, 6), g.between(3, 5), g.between(3, 5), g.between(4, 9)]
    else:
        number, colours = g.grown(1, 4), g.between(1, 2)
        machines = [g.choose([1, 1, 2]) for _ in range(4)]
    jobs = [g.one(g.choose(["flyer", "booklet"])) for _ in range(number)]
    inks = ["black", *g.new("ink", colours)]
    kinds = ("press", "cutter", "stapler", "rack")
    presses, cutters, staplers, racks = map(g.new, kinds, machines)
    for job in jobs:
        g.fact("needs-ink", job, g.choose(inks))
    _printing(g, g.shuffled(jobs), inks, presses, racks)
    for cutter in cutters:
        if g.likely(0.5):
            g.fact("sharp", cutter)
    for stapler in staplers:
        if g.likely(0.5):
            g.fact("has-wire", stapler)
    for job in g.some(jobs, (1, 2 + (g.size > 0.5)), (8, 13)):
        g.want("packed", job)
    for press in g.some(presses, (0, 2), (0, 3)):
        g.want("washed", press)


def _printing(
    g: Sketch, fresh: list[str], inks: list[str], presses: list[str], racks: list[str]
) -> None:
    """How far the jobs are that have been begun."""
    for press in presses:
        if g.likely(0.4):
            g.fact("washed", press)
        else:
            g.fact("inked", press, g.choose(inks))
        if fresh and g.likely(0.25):
            g.fact("plate-on", fresh.pop(), press)
            g.fact("loaded", press)
    for rack in racks:
        if fresh and g.likely(0.2):
            g.fact("printed", fresh[-1])
            g.fact("on-rack", fresh.pop(), rack)
        else:
            g.fact("rack-free", rack)
    for job in fresh:
        drawn = g.rng.random()
        if drawn < 0.2:
            g.fact("plate-made", job)
        elif drawn < 0.38:
            g.fact("printed", job)
            g.fact("wet" if drawn < 0.3 else "dry", job)


def _dental(g: Sketch) -> None:
    if g.big:
        patients, rooms = g.new("patient", g.grown(15, 24)), g.new("surgery", g.between(4, 8))
        kinds = ("probe", "drill", "forceps")
        tools = [tool for kind in kinds for tool in g.new(kind, g.between(3, 8))]
        autoclaves, lamps = g.new("autoclave", g.between(2, 4)), g.new("lamp", g.between(2, 4))
    else:
        patients, rooms = g.new("patient", g.grown(1, 4)), g.new("surgery", g.perhaps_two(0.4, 0.5))
        tools = g.new("probe", g.perhaps_two(0.5, 0.4))
        for kind in ("drill", "forceps"):
            has_some = g.size > 0.2 or g.likely(0.6)
            tools += g.new(kind, g.choose([1, 1, 1, 2]) if has_some else 0)
        autoclaves = g.new("autoclave", g.perhaps_two(0.6, 0.3))
        lamps = g.new("lamp", g.pair())
    goal = _appointments(g, patients, rooms, tools)
    _instruments(g, rooms, tools, autoclaves)
    for lamp in lamps:
        if g.likely(0.5):
            g.fact("charged", lamp)
    for patient in goal:
        g.want("gone-home", patient)
    if g.likely(0.5):
        for room in g.some(rooms, (1, 2)):
            g.want("disinfected", room)
    if g.likely(0.5):
        for tool in g.some(tools, (1, 2), (1, 3)):
            g.want("in-cabinet", tool)


def _appointments(g: Sketch, patients: list[str], rooms: list[str], tools: list[str]) -> list[str]:
    """What the patients need, and who sits in a room that suits it; returns who shall go home."""
    # Only treatments for which there is a tool.
    kinds = ["checkup"]
    kinds += ["filling"] * 2 if of_kind(tools, "drill") else []
    kinds += ["extraction"] * 2 if of_kind(tools, "forceps") else []
    needs = {patient: g.choose(kinds) for patient in patients}
    for patient, treatment in needs.items():
        g.fact("needs", patient, treatment)
    suits = {each: g.some(rooms, (1, len(rooms))) for each in ("checkup", "filling", "extraction")}
    for treatment in sorted(suits):
        for room in suits[treatment]:
            g.fact("suits", room, treatment)
    goal = g.some(patients, (1, 2 + (g.size > 0.5)), (8, 12))
    waiting = dict.fromkeys(patients)
    for room in rooms:
        able = [each for each in goal if each in waiting and room in suits[needs[each]]]
        if able and g.likely(0.3):
            patient = g.choose(able)
            del waiting[patient]
            g.fact("seated", patient, room)
            if g.likely(0.4):
                g.fact("examined", patient)
                if g.likely(0.4) and needs[patient] != "checkup":
                    g.fact("numb", patient)
        else:
            g.fact("chair-free", room)
            if g.likely(0.5):
                g.fact("disinfected", room)
    for patient in waiting:
        g.fact("waiting", patient)
    return goal


def _instruments(g: Sketch, rooms: list[str], tools: list[str], autoclaves: list[str]) -> None:
    """Where the tools are: in the cabinet, in a room, in the sink or in an autoclave."""
    empty = list(autoclaves)
    for tool in tools:
        drawn = g.rng.random()
        if drawn < 0.5:
            g.fact("in-cabinet", tool)
            g.fact("sterile", tool)
        elif drawn < 0.7:
            g.fact("laid-out", tool, g.choose(rooms))
            if g.likely(0.3):
                g.fact("sterile", tool)
        elif drawn < 0.85 or not empty:
            g.fact("in-sink", tool)
        else:
            g.fact("inside", tool, empty.pop(0))
            if g.likely(0.4):
                g.fact("sterile", tool)
    for autoclave in empty:
        g.fact("autoclave-empty", autoclave)


def _brewery(g: Sketch) -> None:
    if g.big:
        number, ordered, kinds = g.grown(8, 14), g.grown(15, 22), g.between(3, 6)
        tuns, kettles = g.new("mashtun", g.between(2, 4)), g.new("kettle", g.between(2, 4))
        fermenters, hoses = g.new("fermenter", g.between(3, 7)), g.new("hose", g.between(2, 4))
    else:
        number, ordered, kinds = g.grown(1, 3), g.grown(1, 3), g.choose([1, 1, 2])
        tuns, kettles = g.new("mashtun", g.pair()), g.new("kettle", g.pair())
        fermenters = g.new("fermenter", g.perhaps_two(0.4, 0.5))
        hoses = g.new("hose", g.perhaps_two(0.6, 0.3))
    batches = [g.one(g.choose(["ale", "lager"])) for _ in range(number)]
    hops, kegs = g.new("hop", kinds), g.new("keg", ordered)
    for batch in batches:
        g.fact("recipe", batch, g.choose(hops))
    labels = {}
    for keg in kegs:
        labels[keg] = g.choose(batches)
        g.fact("label", keg, labels[keg])
        if g.likely(0.5):
            g.fact("keg-clean", keg)
    fresh = g.shuffled(batches)
    for vessel in (*tuns, *kettles, *fermenters):
        _vessel(g, vessel, fresh)
    for hose in hoses:
        _hose(g, hose, tuns, kettles, fermenters)
    for keg in g.some(kegs, (1, 3), (8, 12)):
        g.want("holds", keg, labels[keg])
    if g.likely(0.5):
        for vessel in g.some([*tuns, *kettles, *fermenters], (1, 2), (1, 3)):
            g.want("clean", vessel)


def _vessel(g: Sketch, vessel: str, fresh: list[str]) -> None:
    """What is in a vessel: perhaps one of the batches that are fresh yet."""
    ferments = vessel.startswith("fermenter")
    if fresh and g.likely(0.2):
        batch = fresh.pop()
        g.fact("started", batch)
        g.fact("in", batch, vessel)
        if ferments or (vessel.startswith("kettle") and g.likely(0.5)):
            g.fact("boiled", batch)
        if ferments and g.likely(0.6):
            g.fact("fermented", batch)
            if g.likely(0.4):
                g.fact("matured", batch)
    else:
        g.fact("empty", vessel)
        if g.likely(0.6):
            g.fact("clean", vessel)
    if ferments and g.likely(0.3):
        g.fact("chilled", vessel)


def _hose(g: Sketch, hose: str, tuns: list[str], kettles: list[str], fermenters: list[str]) -> None:
    if g.likely(0.25):
        g.fact("rinsed", hose)
        source, target = g.choose([(tuns, kettles), (kettles, fermenters)])
        g.fact("connected", hose, g.choose(source), g.choose(target))
    else:
        g.fact("hose-free", hose)
        if g.likely(0.5):
            g.fact("rinsed", hose)


def _stagecrew(g: Sketch) -> None:
    if g.big:
        other_rooms, hands, flymen = g.between(6, 14), g.between(2, 4), g.between(1, 2)
        carts, number = g.between(1, 3), g.grown(13, 18)
    else:
        other_rooms, hands, flymen = g.choose([0, 1, 1, 2]), g.choose([1, 1, 2]), g.pair()
        carts, number = g.pair(), g.grown(1, 3)
    crew = [*g.new("stagehand", hands), *g.new("flyman", flymen)]
    rooms = ["stage", *g.shuffled(["dock", *g.new("room", other_rooms)])]
    shapes = ["tree", "graph", "line"] if g.big else ["tree", "line", "graph"]
    for a, b in g.ways(rooms, shapes):
        g.both("adjacent", a, b)
        if g.likely(0.35):
            g.both("door-shut", a, b)
    pieces = [g.one(g.choose(["flat", "platform", "drop"])) for _ in range(number)]
    marks = g.new("mark", number)
    dollies = g.new("dolly", carts) if of_kind(pieces, "platform") or g.likely(0.3) else []
    left = _scenery(g, g.shuffled(pieces), marks, rooms, dollies, crew)
    only_last = not g.big and g.likely(0.4)
    for piece in left[-1:] if only_last else g.some(left, (1, 3), (9, 13)):
        g.want("in-place", piece)
    if dollies and g.likely(0.4):
        for dolly in g.some(dollies, (1, 2)):
            g.want("dolly-at", dolly, "dock")


def _scenery(
    g: Sketch,
    pieces: list[str],
    marks: list[str],
    rooms: list[str],
    dollies: list[str],
    crew: list[str],
) -> list[str]:
    """The pieces from back to front, the dollies and the crew; returns what is not in place."""
    g.fact("done", "backwall")
    started = g.likely(0.25)
    placed = g.between(1, len(pieces) // 3) if started and len(pieces) > 2 else 0
    left = pieces[placed:]
    loaded = g.choose(of_kind(left, "platform") or [None]) if g.likely(0.4) else None
    lifted = g.choose(of_kind(left, "flat") or [None]) if g.likely(0.4) else None
    for piece, mark, behind in zip(pieces, marks, ["backwall", *marks], strict=False):
        g.fact("belongs", piece, mark)
        g.fact("in-front-of", mark, behind)
        _piece(g, piece, mark, placed=piece not in left)
        if piece in left and piece not in (loaded, lifted):
            g.fact("piece-at", piece, g.choose(rooms))
    for i, dolly in enumerate(dollies):
        g.fact("dolly-at", dolly, g.choose(rooms))
        if loaded and i == 0:
            g.fact("on-dolly", loaded, dolly)
        else:
            g.fact("dolly-empty", dolly)
    team = g.rng.sample(crew, 2) if lifted else []
    if lifted:
        room = g.choose(rooms)
        g.fact("lifted", lifted, *team)
        for member in team:
            g.fact("crew-at", member, room)
            g.fact("in-team", member)
    for member in crew:
        if member not in team:
            g.fact("crew-at", member, g.choose(["stage", g.choose(rooms)]))
            g.fact("idle", member)
    return left


def _piece(g: Sketch, piece: str, mark: str, *, placed: bool) -> None:
    """The mark of a piece, and the batten over it if it is a drop."""
    batten = g.one("batten") if piece.startswith("drop") else None
    if batten:
        g.fact("batten-over", batten, mark)
    if placed:
        g.fact("done", mark)
        g.fact("in-place", piece)
        g.fact("taped", mark)
        if batten:
            g.fact("hung", piece, batten)
        return
    if batten and g.likely(0.4):
        g.fact("batten-low", batten)
    if g.likely(0.3):
        g.fact("taped", mark)


HOUSES = [
    third("printshop", "Jobs go through presses of one ink, racks and cutters.", _printshop),
    third("dental", "Patients are treated with instruments that come back sterile.", _dental),
    third("brewery", "Batches go through vessels and hoses into kegs.", _brewery),
    third("stagecrew", "A crew sets up scenery from back to front.", _stagecrew),
]

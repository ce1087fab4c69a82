"""Hospital, laboratory, kitchen, library, hotel, data centre."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.survey.base import fact, facts, named, typed
from benchmarks.workplace.base import workplace
from pg3.domains.base import Draft, Sizes
from pg3.domains.graphs import both_ways, random_graph

if TYPE_CHECKING:
    from pg3.domains.chance import Chance


def _hospital(chance: Chance, sizes: Sizes) -> Draft:
    floors = named("floor", sizes.draw(chance, "floors"))
    wards = named("ward", sizes.draw(chance, "wards"))
    rooms = named("office", sizes.draw(chance, "offices"))
    patients = named("patient", sizes.draw(chance, "patients"))
    nurses = named("nurse", sizes.draw(chance, "nurses"))
    places = [*wards, *rooms, "pharmacy"]
    wanted = {patient: chance.choose(wards) for patient in patients}
    return Draft(
        objects=[
            *typed(floors, "floor"),
            *typed(wards, "ward"),
            *typed(rooms, "room"),
            *typed(patients, "patient"),
            *typed(nurses, "nurse"),
        ],
        init=[
            *(fact("on-floor", place, chance.choose(floors)) for place in places),
            fact("lift-at", chance.choose(floors)),
            *(fact("in", patient, chance.choose([*wards, *rooms])) for patient in patients),
            *(fact("in", nurse, chance.choose(places)) for nurse in nurses),
            *facts("hands-free", ([nurse] for nurse in nurses)),
            *facts("infectious", ([patient] for patient in patients if not chance.below(3))),
        ],
        goal=[
            goal
            for patient in patients
            for goal in (fact("in", patient, wanted[patient]), fact("treated", patient))
        ],
    )


def _laboratory(chance: Chance, sizes: Sizes) -> Draft:
    samples = named("sample", sizes.draw(chance, "samples"))
    benches = named("bench", sizes.draw(chance, "benches"))
    machines = {
        kind: named(kind, sizes.draw(chance, "machines"))
        for kind in ("centrifuge", "incubator", "reader")
    }
    return Draft(
        objects=[
            *typed(samples, "sample"),
            *typed(benches, "bench"),
            *(each for kind, names in machines.items() for each in typed(names, kind)),
        ],
        init=[
            fact("arm-empty"),
            *(fact("at", sample, chance.choose([*benches, "freezer"])) for sample in samples),
            *facts("frozen", ([sample] for sample in samples if chance.below(2))),
            *facts("vacant", ([each] for names in machines.values() for each in names)),
            *facts("clean", ([each] for each in machines["centrifuge"] if chance.below(2))),
        ],
        goal=facts("stored", ([sample] for sample in samples)),
    )


def _kitchen(chance: Chance, sizes: Sizes) -> Draft:
    dishes = named("dish", sizes.draw(chance, "dishes"))
    tables = named("table", sizes.draw(chance, "tables"))
    pots = named("pot", sizes.draw(chance, "pots"))
    plates = named("plate", sizes.draw(chance, "plates"))
    parts = {dish: (f"{dish}-first", f"{dish}-second") for dish in dishes}
    everything = [part for pair in parts.values() for part in pair]
    raw = [part for part in everything if chance.below(3)]
    orders = {dish: chance.choose(tables) for dish in dishes}
    return Draft(
        objects=[
            *typed(dishes, "dish"),
            *typed(raw, "raw-ingredient"),
            *typed([part for part in everything if part not in raw], "ingredient"),
            *typed(tables, "table"),
            *typed(pots, "pot"),
            *typed(plates, "plate"),
        ],
        init=[
            fact("board-free"),
            *facts("in-larder", ([part] for part in everything)),
            *facts("ready", ([part] for part in everything if part not in raw)),
            *(fact("part-of", part, dish) for dish, pair in parts.items() for part in pair),
            *facts("ordered", orders.items()),
            *facts("unused", ([pot] for pot in pots)),
            *facts("dirty", ([each] for each in pots + plates if chance.below(2))),
        ],
        goal=facts("served", orders.items()),
    )


def _library(chance: Chance, sizes: Sizes) -> Draft:
    shelves = named("hall", sizes.draw(chance, "halls"))
    books = named("book", sizes.draw(chance, "books"))
    ladders = named("ladder", sizes.draw(chance, "ladders"))
    librarians = named("librarian", sizes.draw(chance, "librarians"))
    rooms = [*shelves, "counter", "workshop"]
    return Draft(
        objects=[
            *typed(shelves, "shelf-room"),
            *typed(books, "book"),
            *typed(ladders, "ladder"),
            *typed(librarians, "librarian"),
        ],
        init=[
            *facts("door", both_ways(random_graph(chance, rooms))),
            *(fact("in", each, chance.choose(rooms)) for each in librarians),
            *facts("hands-free", ([each] for each in librarians)),
            *(fact("book-in", book, chance.choose([*rooms, "counter"])) for book in books),
            *(fact("ladder-in", each, chance.choose(rooms)) for each in ladders),
            *facts("registered", ([book] for book in books if not chance.below(4))),
            *facts("torn", ([book] for book in books if not chance.below(3))),
            *facts("high", ([book] for book in books if not chance.below(3))),
            *(fact("home", book, chance.choose(shelves)) for book in books),
        ],
        goal=facts("shelved", ([book] for book in books)),
    )


def _hotel(chance: Chance, sizes: Sizes) -> Draft:
    number = sizes.draw(chance, "rooms")
    suites = named("suite", chance.between(0, number // 2))
    rooms = [*named("room", number - len(suites)), *suites]
    guests = {f"guest-of-{room}": room for room in rooms if chance.below(4)}
    sheets = {f"sheet-of-{room}": room for room in rooms}
    maids = named("maid", sizes.draw(chance, "maids"))
    washers = named("washer", sizes.draw(chance, "machines"))
    dryers = named("dryer", sizes.draw(chance, "machines"))
    return Draft(
        objects=[
            *typed([room for room in rooms if room not in suites], "room"),
            *typed(suites, "suite"),
            *typed(sheets, "sheet"),
            *typed(guests, "guest"),
            *typed(maids, "maid"),
            *typed(washers, "washer"),
            *typed(dryers, "dryer"),
        ],
        init=[
            *(fact("in", maid, chance.choose([*rooms, "cellar", "desk"])) for maid in maids),
            *facts("hands-free", ([maid] for maid in maids)),
            *facts("vacant", ([each] for each in washers + dryers)),
            *facts("on-bed", sheets.items()),
            *facts("used", ([sheet] for sheet in sheets)),
            *facts("booked", guests.items()),
        ],
        goal=[
            *facts("lodged", ([guest] for guest in guests)),
            *facts("made", ([room] for room in rooms)),
            *facts("flowers", ([suite] for suite in suites)),
        ],
    )


def _datacentre(chance: Chance, sizes: Sizes) -> Draft:
    rooms = named("hall", sizes.draw(chance, "rooms"))
    servers = named("server", sizes.draw(chance, "servers"))
    technicians = named("technician", sizes.draw(chance, "technicians"))
    # The first server is healthy and free: so there is somewhere to go for a job.
    broken = [server for server in servers[1:] if chance.below(2)] or servers[1:2]
    busy = [server for server in servers[1:] if chance.below(2)]
    jobs = {f"job{i}": server for i, server in enumerate(busy, 1)}
    disks = named("disk", len(broken) + chance.between(0, 1))
    slots = {server: f"slot-of-{server}" for server in servers}
    return Draft(
        objects=[
            *typed(rooms, "room"),
            *typed(servers, "server"),
            *typed(slots.values(), "slot"),
            *typed(jobs, "job"),
            *typed(disks, "disk"),
            *typed(technicians, "technician"),
        ],
        init=[
            *(fact("in", server, chance.choose(rooms)) for server in servers),
            *(fact("slot-of", slot, server) for server, slot in slots.items()),
            *facts("runs", jobs.items()),
            *(fact("uses", job, slots[server]) for job, server in jobs.items()),
            *facts("open-slot", ([slots[each]] for each in servers if each not in busy)),
            *facts("broken", ([server] for server in broken)),
            *facts("healthy", ([server] for server in servers if server not in broken)),
            *facts("spare", ([disk] for disk in disks)),
            *(fact("at", each, chance.choose([*rooms, "store"])) for each in technicians),
            *facts("hands-free", ([each] for each in technicians)),
        ],
        goal=facts("healthy", ([server] for server in broken)),
    )


INDOORS = [
    workplace(
        "hospital",
        "Nurses wheel patients to their wards and give them drugs.",
        _hospital,
        {"patients": (1, 3), "wards": (1, 3), "offices": (0, 2), "floors": (1, 3)},
        {"nurses": (1, 2)},
    ),
    workplace(
        "laboratory",
        "An arm moves samples between machines that take one each.",
        _laboratory,
        {"samples": (1, 3), "benches": (1, 2)},
        {"machines": (1, 2)},
    ),
    workplace(
        "kitchen",
        "A cook prepares dishes with few pots, plates and one board.",
        _kitchen,
        {"dishes": (1, 3), "tables": (1, 2)},
        {"pots": (1, 2), "plates": (1, 2)},
    ),
    workplace(
        "library",
        "Librarians register, repair and shelve returned books.",
        _library,
        {"books": (1, 3), "halls": (1, 4)},
        {"ladders": (1, 1), "librarians": (1, 2)},
    ),
    workplace(
        "hotel",
        "Maids wash sheets, make beds and check in guests.",
        _hotel,
        {"rooms": (1, 3)},
        {"maids": (1, 2), "machines": (1, 2)},
    ),
    workplace(
        "datacentre",
        "Technicians replace disks of servers that were drained first.",
        _datacentre,
        {"servers": (2, 4), "rooms": (1, 2)},
        {"technicians": (1, 2)},
    ),
]

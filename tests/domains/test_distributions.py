"""The paper's appendix in figures, and what the problems of each domain look like."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise, permutations
from typing import TYPE_CHECKING

import pytest

from pg3.domains import PAPER_DOMAINS as DOMAINS
from pg3.errors import Pg3Error
from tests.domains.solutions import Facts, facts

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.domains.base import Draft, Sizes
    from pg3.domains.chance import Chance
    from pg3.pddl import Problem


def of_type(problem: Problem, type_: str) -> list[str]:
    return [o.name for o in problem.objects if o.type == type_]


def mapping(pairs: list[tuple[str, ...]]) -> dict[str, str]:
    found = {pair[0]: pair[1] for pair in pairs}
    assert len(found) == len(pairs)
    return found


@cache
def samples(name: str, split: str) -> list[tuple[Problem, Facts]]:
    problems = [p for seed in range(6) for p in DOMAINS[name].problems(split, seed=seed)]
    return [(problem, facts(problem)) for problem in problems]


# -- the appendix ----------------------------------------------------------------------------------


def test_counts_and_horizons() -> None:
    assert list(DOMAINS) == ["delivery", "forest", "gripper", "miconic", "ferry", "spanner"]
    for name, domain in DOMAINS.items():
        assert domain.horizon == (100 if name == "forest" else 1000)
        assert domain.splits["train"].count == (5 if name == "delivery" else 10)
        assert domain.splits["test"].count == 30


def buildings(problem: Problem) -> dict[str, Counter[str]]:
    """For each building its number of floors and of passengers."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for name, type_ in problem.objects:
        found[name.split("_")[1]][type_] += 1
    return found


MEASURES: dict[str, dict[str, Callable[[Problem, Facts], list[int]]]] = {
    "delivery": {
        "locations": lambda p, _: [len(of_type(p, "loc"))],
        "requests": lambda p, _: [len(p.goal)],
        "extra": lambda p, _: [len(of_type(p, "paper")) - len(p.goal)],
    },
    "forest": {
        "height": lambda p, _: [1 + max(int(o.name[1:].split("_c")[0]) for o in p.objects)],
        "width": lambda p, _: [1 + max(int(o.name.split("_c")[1]) for o in p.objects)],
    },
    "gripper": {
        "balls": lambda _, f: [len(f["ball"])],
        "rooms": lambda _, f: [len(f["room"])],
        "targets": lambda p, _: [len(p.goal)],
    },
    "miconic": {
        "buildings": lambda p, _: [len(buildings(p))],
        "floors": lambda p, _: [b["floor"] for b in buildings(p).values()],
        "passengers": lambda p, _: [b["passenger"] for b in buildings(p).values()],
    },
    "ferry": {
        "locations": lambda _, f: [len(f["location"])],
        "cars": lambda _, f: [len(f["car"])],
    },
    "spanner": {
        "spanners": lambda p, _: [len(of_type(p, "spanner"))],
        "nuts": lambda p, _: [len(of_type(p, "nut"))],
        # The shed and the gate do not count.
        "locations": lambda p, _: [len(of_type(p, "location")) - 2],
    },
}

APPENDIX = {
    "delivery": (
        {"locations": (5, 9), "requests": (2, 4), "extra": (0, 0)},
        {"locations": (30, 39), "requests": (20, 29), "extra": (0, 10)},
    ),
    "forest": ({"height": (8, 10), "width": (8, 10)}, {"height": (10, 12), "width": (10, 12)}),
    "gripper": (
        {"balls": (5, 10), "rooms": (15, 20), "targets": (2, 5)},
        {"balls": (20, 30), "rooms": (40, 50), "targets": (10, 20)},
    ),
    "miconic": (
        {"buildings": (1, 2), "floors": (5, 10), "passengers": (1, 5)},
        {"buildings": (1, 5), "floors": (10, 20), "passengers": (1, 10)},
    ),
    "ferry": (
        {"locations": (10, 15), "cars": (3, 5)},
        {"locations": (20, 30), "cars": (10, 20)},
    ),
    "spanner": (
        {"spanners": (3, 5), "nuts": (3, 5), "locations": (3, 5)},
        {"spanners": (10, 20), "nuts": (10, 20), "locations": (10, 20)},
    ),
}


@pytest.mark.parametrize("name", APPENDIX)
@pytest.mark.parametrize("split", ["train", "test"])
def test_sizes_fill_the_ranges_of_the_appendix(name: str, split: str) -> None:
    expected = APPENDIX[name][split == "test"]
    found: dict[str, set[int]] = defaultdict(set)
    for problem, known in samples(name, split):
        for size, measure in MEASURES[name].items():
            found[size].update(measure(problem, known))
    assert {size: (min(numbers), max(numbers)) for size, numbers in found.items()} == expected


# -- each domain -----------------------------------------------------------------------------------


def test_delivery_has_a_safe_home_safe_customers_and_traps() -> None:
    traps = 0
    for problem, known in samples("delivery", "test"):
        ((home,),) = known["ishomebase"]
        customers = [c for (c,) in known["wantspaper"]]
        assert known["at"] == [(home,)]
        assert home not in customers
        assert [place for (place,) in known["safe"]] == [home, *customers]
        assert [atom.terms[0] for atom in problem.goal] == customers
        assert [p for (p,) in known["unpacked"]] == of_type(problem, "paper")
        traps += len(of_type(problem, "loc")) - len(known["safe"])
    assert traps > 300


def trail_of(known: Facts) -> list[str]:
    following = mapping(known["ontrail"])
    ((place,),) = known["at"]
    trail = [place]
    while trail[-1] in following:
        trail.append(following[trail[-1]])
        assert len(trail) <= len(following) + 1, "the trail runs in a circle"
    assert len(trail) == len(known["ontrail"]) + 1, "there is one trail, from where the hiker is"
    return trail


@pytest.mark.parametrize("split", ["train", "test"])
def test_forest_has_a_dry_trail_that_never_passes_beside_itself(split: str) -> None:
    lengths = []
    for problem, known in samples("forest", split):
        trail = trail_of(known)
        lengths.append(len(trail) - 1)
        assert [str(atom) for atom in problem.goal] == [f"(at {trail[-1]})"]
        adjacent = set(known["adjacent"])
        assert {(b, a) for a, b in adjacent} == adjacent
        assert all(step in adjacent for step in pairwise(trail))
        for (i, here), (j, there) in combinations(enumerate(trail), 2):
            assert here != there
            assert j == i + 1 or (here, there) not in adjacent
        assert not {(place,) for place in trail} & set(known["iswater"])
        rocks = sorted(trail.index(place) for (place,) in known["ishill"])
        assert len(rocks) <= 2
        assert all(2 <= i < len(trail) - 2 for i in rocks)
        assert all(j - i > 2 for i, j in pairwise(rocks))
        assert rocks or len(trail) < 5
    assert min(lengths) == 1
    assert 40 < max(lengths) <= DOMAINS["forest"].horizon or split == "train"


def test_half_of_a_forest_off_the_trail_is_water() -> None:
    wet = dry = 0
    for problem, known in samples("forest", "test"):
        wet += len(known["iswater"])
        dry += len(problem.objects) - len(known["iswater"]) - len(trail_of(known))
    assert 0.47 < wet / (wet + dry) < 0.53


def test_forest_is_a_grid() -> None:
    for problem, known in samples("forest", "train")[:5]:
        places = {
            o.name: tuple(map(int, o.name.replace("r", "").split("_c"))) for o in problem.objects
        }
        near = {
            (a, b)
            for (a, (ra, ca)), (b, (rb, cb)) in permutations(places.items(), 2)
            if abs(ra - rb) + abs(ca - cb) == 1
        }
        assert set(known["adjacent"]) == near


def test_gripper_starts_with_free_grippers_in_the_first_room() -> None:
    in_place = 0
    for problem, known in samples("gripper", "test"):
        assert len(known["gripper"]) == 2
        assert known["free"] == known["gripper"]
        assert known["at-robby"] == known["room"][:1]
        assert [b for b, _ in known["at"]] == [b for (b,) in known["ball"]]
        movers = [atom.terms[0] for atom in problem.goal]
        assert len(set(movers)) == len(movers)
        in_place += sum(atom.terms in known["at"] for atom in problem.goal)
    assert in_place > 0, "some balls are where they belong already"


def test_miconic_buildings_do_not_mix() -> None:
    for problem, known in samples("miconic", "test"):
        for pair in (*known["above"], *known["origin"], *known["destin"]):
            assert len({name.split("_")[1] for name in pair}) == 1
        lifts = [floor.split("_")[1] for (floor,) in known["lift-at"]]
        assert lifts == list(buildings(problem))
        for building, number in buildings(problem).items():
            floors = [f for f in of_type(problem, "floor") if f.endswith(f"_{building}")]
            assert len(floors) == number["floor"]
            ours = [pair for pair in known["above"] if pair[0] in floors]
            assert ours == list(combinations(floors, 2))
        destinations = mapping(known["destin"])
        for passenger, origin in known["origin"]:
            assert destinations[passenger] != origin
        assert [atom.terms[0] for atom in problem.goal] == of_type(problem, "passenger")


def shapes(problem: Problem) -> set[tuple[int, int]]:
    """The different numbers of floors and passengers that buildings have."""
    return {(number["floor"], number["passenger"]) for number in buildings(problem).values()}


@pytest.mark.parametrize("split", ["train", "test"])
def test_miconic_buildings_are_equal_if_asked_for(split: str) -> None:
    drawn: set[tuple[int, int]] = set()
    most = 0
    for seed in range(6):
        for problem in DOMAINS["miconic"].problems(split, seed=seed, options=["equal-buildings"]):
            assert len(shapes(problem)) == 1
            drawn |= shapes(problem)
            most = max(most, len(buildings(problem)))
    sizes = DOMAINS["miconic"].splits[split].sizes
    for i, name in enumerate(("floors", "passengers")):
        numbers = [shape[i] for shape in drawn]
        assert (min(numbers), max(numbers)) == sizes[name]
    assert most == sizes["buildings"][1]
    assert any(len(shapes(problem)) > 1 for problem, _ in samples("miconic", split))


def test_miconic_lifts_start_at_any_floor() -> None:
    sizes = {"buildings": (1, 1), "floors": (5, 5)}
    problems = DOMAINS["miconic"].problems(seed=0, count=100, sizes=sizes)
    starts = Counter(floor for problem in problems for (floor,) in facts(problem)["lift-at"])
    assert set(starts) == {f"f{i}_b0" for i in range(5)}
    assert min(starts.values()) > 10


def test_ferry_tells_all_locations_apart_and_every_car_has_a_target() -> None:
    for problem, known in samples("ferry", "test"):
        locations = [place for (place,) in known["location"]]
        assert known["not-eq"] == list(permutations(locations, 2))
        assert len(known["at-ferry"]) == len(known["empty-ferry"]) == 1
        cars = [c for (c,) in known["car"]]
        assert [c for c, _ in known["at"]] == cars
        assert [atom.terms[0] for atom in problem.goal] == cars


def test_spanner_has_a_one_way_corridor_and_spanners_enough() -> None:
    spare = 0
    for problem, known in samples("spanner", "test"):
        way = mapping(known["link"])
        corridor = ["shed"]
        while corridor[-1] in way:
            corridor.append(way[corridor[-1]])
        assert corridor[-1] == "gate"
        assert sorted(corridor) == sorted(of_type(problem, "location"))
        where = mapping(known["at"])
        spanners, nuts = of_type(problem, "spanner"), of_type(problem, "nut")
        assert where.pop("bob") == "shed"
        assert {where.pop(nut) for nut in nuts} == {"gate"}
        assert set(where) == set(spanners)
        assert not {"shed", "gate"} & set(where.values())
        assert len(spanners) >= len(nuts)
        spare += len(spanners) - len(nuts)
    assert spare > 0


# -- sizes of one's own ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sizes", "message"),
    [
        ("spanner", {"nuts": 9}, "9 nuts need at least 9 spanners, but at most 5 are allowed"),
        ("gripper", {"balls": 1}, "2 targets need at least 2 balls, but at most 1 are allowed"),
        ("delivery", {"requests": 9}, "9 requests need at least 10 locations, but at most 9"),
        ("forest", {"height": 1, "width": 1}, "a forest needs at least two places"),
    ],
)
def test_impossible_sizes(name: str, sizes: dict[str, int], message: str) -> None:
    with pytest.raises(Pg3Error, match=f"^impossible sizes: {message}"):
        DOMAINS[name].problems(seed=0, sizes={size: (n, n) for size, n in sizes.items()})


def test_sizes_that_fit_only_in_part_are_drawn_from_that_part() -> None:
    sizes = {"balls": (1, 6), "targets": (4, 9)}
    numbers = set()
    for problem in DOMAINS["gripper"].problems(seed=0, count=60, sizes=sizes):
        numbers.add((len(facts(problem)["ball"]), len(problem.goal)))
    assert numbers == {(b, t) for b in (4, 5, 6) for t in range(4, b + 1)}


def test_not_so_many_different_problems() -> None:
    # One car, two locations, the ferry at either: four problems in which the car is to move.
    sizes = {"locations": (2, 2), "cars": (1, 1)}
    assert len(DOMAINS["ferry"].problems(seed=0, count=4, sizes=sizes)) == 4
    with pytest.raises(Pg3Error, match="ferry: these sizes allow no more than 4 different problem"):
        DOMAINS["ferry"].problems(seed=0, count=5, sizes=sizes)


def test_large_problems_that_cannot_differ_are_not_drawn_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draws = []

    def generate(chance: Chance, sizes: Sizes) -> Draft:
        draws.append(sizes)
        return DOMAINS["spanner"].generate(chance, sizes)

    monkeypatch.setattr("pg3.domains.base._FACTS_DRAWN", 20_000)
    spanner = replace(DOMAINS["spanner"], generate=generate)
    sizes = {"spanners": (2000, 2000), "nuts": (3, 3), "locations": (1, 1)}
    with pytest.raises(Pg3Error, match="no more than 1 different problem:"):
        spanner.problems(seed=0, sizes=sizes)
    assert len(draws) == 6


def test_too_many_facts_are_refused_before_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pg3.domains.base._MOST", 1000)
    with pytest.raises(Pg3Error, match="a problem of this size has more than 1000 facts"):
        DOMAINS["ferry"].problems(seed=0, count=1, sizes={"locations": (40, 40)})

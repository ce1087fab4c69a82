"""Lines, maps and links of grown problems are like those of the given ones."""

from __future__ import annotations

import random
from collections import Counter
from itertools import cycle, pairwise

from pg3.learning.robustness.growing import Grower
from pg3.learning.robustness.growing.mining import Mined
from pg3.learning.robustness.growing.mutex_groups import mutex_groups
from pg3.learning.robustness.growing.sources import Source
from pg3.learning.robustness.growing.structure.maps import Shape
from pg3.pddl import Problem, parse_domain, parse_problem
from pg3.planning import plan
from tests.learning.robustness.growing.test_growing import grown

STAGE = parse_domain("""
    (define (domain stage) (:requirements :typing :negative-preconditions)
      (:types mark piece person place)
      (:constants wall - mark)
      (:predicates (before ?m ?n - mark) (belongs ?p - piece ?m - mark) (done ?m - mark)
        (set ?p - piece) (at ?x - person ?y - place))
      (:action place :parameters (?p - piece ?m ?n - mark)
        :precondition (and (belongs ?p ?m) (before ?m ?n) (done ?n))
        :effect (and (set ?p) (done ?m)))
      (:action go-together :parameters (?x ?z - person ?a ?b - place)
        :precondition (and (at ?x ?a) (at ?z ?a))
        :effect (and (at ?x ?b) (at ?z ?b) (not (at ?x ?a)) (not (at ?z ?a)))))""")


def stage(pieces: int) -> Problem:
    """Pieces that are set from the wall on, each at a mark of its own."""
    marks = [f"m{i}" for i in range(pieces)]
    before = " ".join(f"(before {x} {y})" for x, y in zip(marks, [*marks[1:], "wall"], strict=True))
    belongs = " ".join(f"(belongs p{i} m{i})" for i in range(pieces))
    return parse_problem(
        f"(define (problem stage-{pieces}) (:domain stage) (:objects {' '.join(marks)} - mark "
        f"{' '.join(f'p{i}' for i in range(pieces))} - piece ann bob - person here there - place) "
        f"(:init {before} {belongs} (done wall) (at ann here) (at bob there)) (:goal (set p0)))",
        STAGE,
    )


def test_lines_that_are_shared_out_are_put_together() -> None:
    """Each piece has a mark of its own: where there are more pieces, there are more marks."""
    problems = [stage(n) for n in (1, 2, 3)]
    mined = Mined([Source(problem) for problem in problems])
    (line,) = (map_ for map_ in mined.maps if map_.is_line)
    assert line.is_shared_out
    for problem in grown(problems, 3.0):
        of_type = Counter(o.type for o in problem.objects)
        assert of_type["mark"] == of_type["piece"] > 3
        assert len(line.line(Source(problem))) == of_type["mark"] + 1, "still one line"
        assert plan(problem).solved


def test_two_that_move_together_are_in_one_place_each() -> None:
    """Also if the action does not say that they are two."""
    groups = mutex_groups(STAGE, [problem.init for problem in (stage(1), stage(2))])
    assert [[*group.parts[0]] for group in groups] == [["at", (0,)]]


OVENS = parse_domain("""
    (define (domain ovens) (:requirements :typing) (:types heat loaf oven)
      (:constants cold - heat)
      (:predicates (hotter ?a ?b - heat) (bakes-at ?l - loaf ?h - heat)
        (oven-at ?o - oven ?h - heat)
        (baked ?l - loaf))
      (:action heat :parameters (?o - oven ?a ?b - heat) :precondition (and (oven-at ?o ?a)
        (hotter ?a ?b)) :effect (and (oven-at ?o ?b) (not (oven-at ?o ?a))))
      (:action bake :parameters (?l - loaf ?o - oven ?h - heat) :precondition (and (oven-at ?o ?h)
        (bakes-at ?l ?h)) :effect (baked ?l)))""")


def ovens(heats: int, *loaves: int) -> Problem:
    scale = ["cold", *(f"h{i}" for i in range(heats))]
    hotter = " ".join(f"(hotter {x} {y})" for x, y in pairwise(scale))
    bakes = " ".join(f"(bakes-at l{i} {scale[at]})" for i, at in enumerate(loaves))
    return parse_problem(
        f"(define (problem ovens) (:domain ovens) (:objects {' '.join(scale[1:])} - heat "
        f"{' '.join(f'l{i}' for i in range(len(loaves)))} - loaf oven - oven) "
        f"(:init {hotter} {bakes} (oven-at oven cold)) "
        f"(:goal (and {' '.join(f'(baked l{i})' for i in range(len(loaves)))})))",
        OVENS,
    )


def test_what_is_anywhere_on_a_line_is_anywhere_on_a_longer_one() -> None:
    """Not at its ends only, unless that is so in all given problems."""
    for problems, inside in (
        ([ovens(3, 3, 2), ovens(2, 1), ovens(1, 1), ovens(3, 3)], True),
        ([ovens(3, 3, 3), ovens(2, 2), ovens(1, 1), ovens(3, 3)], False),
    ):
        found = set()
        for problem in grown(problems, 4.0, count=8):
            line = [y for _, (_, y) in (a for a in problem.init if a.predicate == "hotter")]
            last = (set(line) - {x for p, (x, _) in problem.init if p == "hotter"}).pop()
            at = {terms[1] for predicate, terms in problem.init if predicate == "bakes-at"}
            found.add(at == {last})
        assert (False in found) == inside


# Vans on roads that are objects and may be shut; a van can carry some goods, and must at times be
# back in the end.
ROADS = parse_domain("""
    (define (domain roads) (:requirements :typing :negative-preconditions)
      (:types place road van good)
      (:predicates (joins ?r - road ?a ?b - place) (shut ?r - road) (at ?v - van ?p - place)
        (fits ?g - good ?v - van) (lies ?g - good ?p - place) (in ?g - good ?v - van)
        (over ?a ?b - good))
      (:action drive :parameters (?v - van ?r - road ?a ?b - place)
        :precondition (and (at ?v ?a) (joins ?r ?a ?b) (not (shut ?r)))
        :effect (and (at ?v ?b) (not (at ?v ?a))))
      (:action open :parameters (?r - road) :precondition (shut ?r) :effect (not (shut ?r)))
      (:action load :parameters (?g - good ?v - van ?p - place)
        :precondition (and (at ?v ?p) (lies ?g ?p) (fits ?g ?v))
        :effect (and (in ?g ?v) (not (lies ?g ?p))))
      (:action unload :parameters (?g - good ?v - van ?p - place)
        :precondition (and (at ?v ?p) (in ?g ?v)) :effect (and (lies ?g ?p) (not (in ?g ?v)))))""")


def roads(places: int, vans: int, goods: int, *, is_back: bool = False) -> Problem:
    """Places in a row; all goods fit into all vans, and one good lies over another."""
    joins = " ".join(
        f"(joins r{i} p{i} p{i + 1}) (joins r{i} p{i + 1} p{i})" for i in range(places - 1)
    )
    fits = " ".join(f"(fits g{i} v{j})" for i in range(goods) for j in range(vans))
    over = "(over g0 g1)" if goods > 1 else ""
    names = {"place": "p", "van": "v", "good": "g"}
    numbers = {"place": places, "van": vans, "good": goods}
    objects = " ".join(
        f"{' '.join(f'{letter}{i}' for i in range(numbers[kind]))} - {kind}"
        for kind, letter in names.items()
    )
    return parse_problem(
        f"(define (problem roads) (:domain roads) (:objects {objects} "
        f"{' '.join(f'r{i}' for i in range(places - 1))} - road) "
        f"(:init {joins} {fits} {over} (shut r0) {' '.join(f'(at v{i} p0)' for i in range(vans))} "
        f"{' '.join(f'(lies g{i} p1)' for i in range(goods))}) (:goal (and "
        f"{' '.join(f'(lies g{i} p0)' for i in range(goods))} {'(at v0 p0)' if is_back else ''})))",
        ROADS,
    )


ROADS_GIVEN = [roads(2, 1, 1), roads(3, 2, 2), roads(4, 2, 3, is_back=True), roads(3, 1, 2)]


def test_roads_that_are_objects_are_between_two_places_each() -> None:
    """Where maps are joined, there are new roads; so one comes from everywhere to everywhere."""
    mined = Mined([Source(problem) for problem in ROADS_GIVEN])
    (places,) = (map_ for map_ in mined.maps if map_.shape is Shape.CONNECTED)
    assert places.labels == {("joins", 0)}
    for problem in grown(ROADS_GIVEN, 4.0):
        ends: dict[str, set[frozenset[str]]] = {}
        for predicate, terms in problem.init:
            if predicate == "joins":
                ends.setdefault(terms[0], set()).add(frozenset(terms[1:]))
        assert ends.keys() == {o.name for o in problem.objects if o.type == "road"}
        assert all(len(pairs) == 1 for pairs in ends.values())
        assert plan(problem).solved


def test_objects_of_different_parts_are_linked_as_often_as_those_of_one() -> None:
    full = set()
    for problem in grown(ROADS_GIVEN, 3.0, count=12):
        of_type = Counter(o.type for o in problem.objects)
        fits = sum(atom.predicate == "fits" for atom in problem.init)
        full.add(fits == of_type["van"] * of_type["good"])
    assert full == {True, False}, "in some problems they are, in others not"


def test_one_edge_alone_tells_nothing_about_a_map() -> None:
    """No problem has two goods over goods: that they would be connected is not known."""
    mined = Mined([Source(problem) for problem in ROADS_GIVEN])
    (goods,) = (map_ for map_ in mined.maps if map_.relations[0].predicate == "over")
    assert goods.shape is Shape.APART
    assert not mined.single_paths
    over = [sum(a.predicate == "over" for a in p.init) for p in grown(ROADS_GIVEN, 4.0)]
    assert max(over) > 1


def test_what_is_wanted_now_and_then_may_be_a_resource() -> None:
    mined = Mined([Source(problem) for problem in ROADS_GIVEN])
    assert mined.possible_resources == {("van",)}
    back = [roads(2, 1, 1, is_back=True), roads(3, 2, 2, is_back=True)]
    assert not Mined([Source(problem) for problem in back]).possible_resources


def test_what_is_free_by_negation_may_be_a_resource() -> None:
    """Nothing is true of a padlock that is not used: a few serve many gates."""
    domain = parse_domain("""
(define (domain gates)
  (:requirements :strips :typing :negative-preconditions)
  (:types gate padlock - object)
  (:predicates (used ?p - padlock) (hangs ?p - padlock ?g - gate) (open ?g - gate)
               (checked ?g - gate))
  (:action lock :parameters (?p - padlock ?g - gate)
    :precondition (and (open ?g) (not (used ?p)))
    :effect (and (hangs ?p ?g) (used ?p) (not (open ?g))))
  (:action check :parameters (?p - padlock ?g - gate)
    :precondition (hangs ?p ?g)
    :effect (checked ?g))
  (:action unlock :parameters (?p - padlock ?g - gate)
    :precondition (and (hangs ?p ?g))
    :effect (and (not (hangs ?p ?g)) (not (used ?p)) (open ?g))))
""")
    problems = [
        parse_problem(
            f"""(define (problem p) (:domain gates)
            (:objects {padlocks} - padlock {gates} - gate)
            (:init {" ".join(f"(open {gate})" for gate in gates.split())})
            (:goal (and {" ".join(f"(checked {gate})" for gate in gates.split())})))""",
            domain,
        )
        for padlocks, gates in (("a b", "g"), ("a b c", "g h"))
    ]
    assert Mined([Source(problem) for problem in problems]).possible_resources == {("padlock",)}


def test_any_number_of_streets_may_be_blocked() -> None:
    domain = parse_domain("""
        (define (domain streets) (:requirements :typing :negative-preconditions) (:types place)
          (:predicates (street ?a ?b - place) (blocked ?a ?b - place) (at ?p - place))
          (:action go :parameters (?a ?b - place)
            :precondition (and (at ?a) (street ?a ?b) (not (blocked ?a ?b)))
            :effect (and (at ?b) (not (at ?a))))
          (:action clear :parameters (?a ?b - place) :precondition (blocked ?a ?b)
            :effect (and (not (blocked ?a ?b)) (not (blocked ?b ?a)))))""")

    def town(places: int) -> Problem:
        pairs = [(f"p{i}", f"p{i + 1}") for i in range(places - 1)]
        both = [pair for one in pairs for pair in (one, one[::-1])]
        streets = " ".join(f"(street {a} {b})" for a, b in both)
        return parse_problem(
            f"(define (problem town) (:domain streets) (:objects "
            f"{' '.join(f'p{i}' for i in range(places))} - place) (:init (at p0) {streets} "
            f"(blocked p0 p1) (blocked p1 p0)) (:goal (at p{places - 1})))",
            domain,
        )

    given_towns = [town(2), town(3), town(4)]
    grower, generator = Grower(given_towns), random.Random(0)
    shares = set()
    for i in range(40):
        problem = grower.grow(given_towns[i % 3], generator, times=4.0, redraw=True)
        assert problem is not None
        number = Counter(atom.predicate for atom in problem.init)
        blocked = {atom.terms for atom in problem.init if atom.predicate == "blocked"}
        assert all(pair[::-1] in blocked for pair in blocked)
        shares.add(round(4 * number["blocked"] / number["street"]))
    assert shares >= {1, 2, 3}


TANKS = parse_domain("""
    (define (domain tanks) (:requirements :typing)
      (:types level car - object)
      (:constants empty full - level)
      (:predicates (lower ?a ?b - level) (tank ?c - car ?l - level) (dirty ?c - car)
        (washed ?c - car))
      (:action wash :parameters (?c - car ?a ?b - level)
        :precondition (and (dirty ?c) (tank ?c ?a) (lower ?b ?a))
        :effect (and (washed ?c) (not (dirty ?c)) (tank ?c ?b) (not (tank ?c ?a)))))""")


def test_a_grown_problem_has_as_many_levels_as_the_one_that_it_is_grown_from() -> None:
    def tanks(levels: int, cars: int) -> Problem:
        between = [f"l{i}" for i in range(levels)]
        line = ["empty", *between, "full"]
        names = [f"c{i}" for i in range(cars)]
        return parse_problem(
            f"""(define (problem t) (:domain tanks)
              (:objects {" ".join(f"{name} - level" for name in between)} {" ".join(names)} - car)
              (:init {" ".join(f"(lower {a} {b})" for a, b in pairwise(line))}
                {" ".join(f"(tank {c} full) (dirty {c})" for c in names)})
              (:goal (and {" ".join(f"(washed {c})" for c in names)})))""",
            TANKS,
        )

    given_problems = [tanks(0, 2), tanks(1, 1), tanks(2, 3)]
    for problem, model in zip(grown(given_problems, 3), cycle(given_problems), strict=False):
        levels = [o for o in problem.objects if o.type == "level"]
        assert len(levels) == sum(o.type == "level" for o in model.objects)
        # A constant stays what it is.
        assert {a.terms[1] for a in problem.init if a.predicate == "tank"} == {"full"}


CORRIDORS = parse_domain("""
    (define (domain corridors) (:requirements :typing)
      (:types area card maid - object room hall - area)
      (:predicates (at ?m - maid ?a - area) (next ?a ?b - area) (locked ?r - room)
        (opens ?c - card ?r - room) (lies ?c - card ?a - area) (has ?m - maid ?c - card)
        (laundry ?h - hall) (clean ?r - room))
      (:action walk :parameters (?m - maid ?a ?b - hall) :precondition (and (at ?m ?a) (next ?a ?b))
        :effect (and (at ?m ?b) (not (at ?m ?a))))
      (:action enter :parameters (?m - maid ?a - hall ?b - room)
        :precondition (and (at ?m ?a) (next ?a ?b) (not (locked ?b)))
        :effect (and (at ?m ?b) (not (at ?m ?a))))
      (:action leave :parameters (?m - maid ?a - room ?b - hall)
        :precondition (and (at ?m ?a) (next ?a ?b)) :effect (and (at ?m ?b) (not (at ?m ?a))))
      (:action take :parameters (?m - maid ?c - card ?a - hall)
        :precondition (and (at ?m ?a) (lies ?c ?a)) :effect (and (has ?m ?c) (not (lies ?c ?a))))
      (:action unlock :parameters (?m - maid ?r - room ?c - card ?a - hall)
        :precondition (and (at ?m ?a) (next ?a ?r) (has ?m ?c) (opens ?c ?r) (locked ?r))
        :effect (not (locked ?r)))
      (:action clean-it :parameters (?m - maid ?r - room) :precondition (at ?m ?r)
        :effect (clean ?r)))""")


def corridors(rooms: int, locked: int, *, idle: bool = False) -> Problem:
    """Rooms off one hall, some locked, the cards in the laundry; an idle card is nowhere."""
    names = [f"r{i}" for i in range(rooms)]
    cards = [f"c{i}" for i in range(locked)]
    edges = [("hall", name) for name in names] + [("hall", "wash")]
    facts = [f"(next {a} {b}) (next {b} {a})" for a, b in edges]
    facts += [f"(locked r{i}) (opens c{i} r{i}) (lies c{i} wash)" for i in range(locked)]
    listed = [f"{name} - card" for name in (*cards, *(["master"] if idle else []))]
    return parse_problem(
        f"""(define (problem p) (:domain corridors)
          (:objects m - maid {" ".join(names)} - room hall wash - hall {" ".join(listed)})
          (:init (at m hall) (laundry wash) {" ".join(facts)})
          (:goal (and {" ".join(f"(clean {name})" for name in names)})))""",
        CORRIDORS,
    )


def test_rooms_stay_off_one_corridor_and_cards_are_somewhere() -> None:
    """An object that nothing is said of is no witness; the one laundry is that of all parts."""
    problems = [corridors(1, 0, idle=True), corridors(2, 1), corridors(3, 2), corridors(3, 1)]
    for problem in grown(problems[1:], 3) + grown(problems, 2):
        by_predicate = Counter(atom.predicate for atom in problem.init)
        types = {o.name: o.type for o in problem.objects}
        halls = Counter(
            a.terms[0]
            for a in problem.init
            if a.predicate == "next" and types[a.terms[0]] == "room"
        )
        assert set(halls.values()) == {1}
        assert by_predicate["laundry"] == 1
        assert by_predicate["lies"] == by_predicate["opens"] == by_predicate["locked"]
        assert plan(problem, search="satisficing").solved


CARS = parse_domain("""
    (define (domain cars) (:requirements :typing) (:types car place)
      (:predicates (on-foot) (driving ?c - car) (at ?c - car ?p - place) (here ?p - place))
      (:action get-in :parameters (?c - car ?p - place)
        :precondition (and (on-foot) (here ?p) (at ?c ?p))
        :effect (and (driving ?c) (not (on-foot)) (not (at ?c ?p))))
      (:action drive :parameters (?c - car ?p ?q - place)
        :precondition (and (driving ?c) (here ?p)) :effect (and (here ?q) (not (here ?p))))
      (:action walk :parameters (?p ?q - place)
        :precondition (and (on-foot) (here ?p)) :effect (and (here ?q) (not (here ?p))))
      (:action park :parameters (?c - car ?p - place) :precondition (and (driving ?c) (here ?p))
        :effect (and (on-foot) (at ?c ?p) (not (driving ?c)))))""")


def test_one_person_drives_one_car() -> None:
    """A car that nobody drives any more is in no place: it is left out, not driven as well."""

    def cars(number: int, *, is_driving: bool) -> Problem:
        names = [f"c{i}" for i in range(number)]
        parked = names[is_driving:]
        return parse_problem(
            f"""(define (problem p) (:domain cars) (:objects {" ".join(names)} - car a b - place)
              (:init (here a) {"(driving c0)" if is_driving else "(on-foot)"}
                {" ".join(f"(at {c} a)" for c in parked)})
              (:goal (and {" ".join(f"(at {c} b)" for c in names)})))""",
            CARS,
        )

    problems = [cars(2, is_driving=True), cars(1, is_driving=True), cars(2, is_driving=False)]
    for problem in grown([*problems, cars(3, is_driving=True)], 3):
        assert sum(atom.predicate in ("on-foot", "driving") for atom in problem.init) == 1
        placed = sum(atom.predicate in ("at", "driving") for atom in problem.init)
        assert placed == sum(o.type == "car" for o in problem.objects)

"""Domains with ADL conditions and conditional effects whose goals are ADL, too, most `forall`.

LIFT        a stop lets everybody on and off; some passengers travel nonstop or need an attendant
BRIEFCASE   what is in the case moves with it
STACKS      a product is made when all orders that include it have begun; openstacks without a limit
SWITCHES    a switch turns on lamps that are off, and off those that are on
PAINT       work on a part undoes what was done to it before, by the kind of work
CLEANING    cleaning a room cleans all that is in it; a room is entered by a door or a hatch

A problem has one size, from 1 to 4 for training and five to six times 4 for tests; in a building of
one room or two there is little to learn, so CLEANING has up to 6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks.workplace.base import TEST_PROBLEMS, TIMES
from pg3.domains.base import BuiltInDomain
from pg3.pddl import parse_domain, parse_problem, write_domain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.pddl.model import Domain, Problem

LIFT = parse_domain("""
(define (domain lift)
  (:requirements :adl)
  (:types passenger floor)
  (:predicates (lift-at ?f - floor) (origin ?p - passenger ?f - floor)
    (destin ?p - passenger ?f - floor) (boarded ?p - passenger) (served ?p - passenger)
    (nonstop ?p - passenger))
  (:action stop
    :parameters (?f - floor)
    :precondition (and (lift-at ?f)
      (forall (?p - passenger) (imply (and (nonstop ?p) (boarded ?p)) (destin ?p ?f))))
    :effect (and
      (forall (?p - passenger)
        (when (and (boarded ?p) (destin ?p ?f)) (and (served ?p) (not (boarded ?p)))))
      (forall (?p - passenger)
        (when (and (origin ?p ?f) (not (served ?p))) (boarded ?p)))))
  (:action go
    :parameters (?from ?to - floor)
    :precondition (and (lift-at ?from) (not (= ?from ?to)))
    :effect (and (lift-at ?to) (not (lift-at ?from)))))
""")

BRIEFCASE = parse_domain("""
(define (domain briefcase)
  (:requirements :adl)
  (:types place item)
  (:predicates (at ?i - item ?p - place) (case-at ?p - place) (in ?i - item) (out ?i - item))
  (:action move
    :parameters (?from ?to - place)
    :precondition (and (case-at ?from) (not (= ?from ?to)))
    :effect (and (case-at ?to) (not (case-at ?from))
      (forall (?i - item) (when (in ?i) (and (at ?i ?to) (not (at ?i ?from)))))))
  (:action put-in
    :parameters (?i - item ?p - place)
    :precondition (and (case-at ?p) (at ?i ?p) (not (exists (?j - item) (in ?j))))
    :effect (and (in ?i) (not (out ?i))))
  (:action take-out
    :parameters (?i - item)
    :precondition (in ?i)
    :effect (and (out ?i) (not (in ?i)))))
""")

STACKS = parse_domain("""
(define (domain stacks)
  (:requirements :adl)
  (:types order product)
  (:predicates (includes ?o - order ?p - product) (begun ?o - order) (made ?p - product)
    (shipped ?o - order))
  (:action begin
    :parameters (?o - order)
    :precondition (not (or (begun ?o) (shipped ?o)))
    :effect (begun ?o))
  (:action make
    :parameters (?p - product)
    :precondition (and (not (made ?p))
      (forall (?o - order) (imply (includes ?o ?p) (begun ?o))))
    :effect (made ?p))
  (:action ship
    :parameters (?o - order)
    :precondition (and (begun ?o)
      (forall (?p - product) (imply (includes ?o ?p) (made ?p))))
    :effect (and (shipped ?o) (not (begun ?o)))))
""")

SWITCHES = parse_domain("""
(define (domain switches)
  (:requirements :adl)
  (:types switch lamp)
  (:predicates (wired ?s - switch ?l - lamp) (lit ?l - lamp) (checked ?s - switch))
  (:action press
    :parameters (?s - switch)
    :effect (and (checked ?s)
      (forall (?l - lamp) (when (and (wired ?s ?l) (lit ?l)) (not (lit ?l))))
      (forall (?l - lamp) (when (and (wired ?s ?l) (not (lit ?l))) (lit ?l))))))
""")

PAINT = parse_domain("""
(define (domain paint)
  (:requirements :adl)
  (:types part colour)
  (:predicates (painted ?p - part ?c - colour) (smooth ?p - part) (rough ?p - part)
    (drilled ?p - part) (loaded ?c - colour))
  (:action drill
    :parameters (?p - part)
    :effect (and (drilled ?p) (rough ?p)
      (when (smooth ?p) (not (smooth ?p)))
      (forall (?c - colour) (when (painted ?p ?c) (not (painted ?p ?c))))))
  (:action polish
    :parameters (?p - part)
    :precondition (rough ?p)
    :effect (and (smooth ?p) (not (rough ?p))
      (forall (?c - colour) (not (painted ?p ?c)))))
  (:action load
    :parameters (?c - colour)
    :effect (and (loaded ?c) (forall (?d - colour) (when (not (= ?c ?d)) (not (loaded ?d))))))
  (:action spray
    :parameters (?p - part ?c - colour)
    :precondition (and (loaded ?c) (or (smooth ?p) (not (rough ?p))))
    :effect (painted ?p ?c)))
""")

CLEANING = parse_domain("""
(define (domain cleaning)
  (:requirements :adl)
  (:types room thing)
  (:predicates (door ?r ?s - room) (hatch ?r ?s - room) (me-at ?r - room)
    (lies ?t - thing ?r - room) (clean ?t - thing))
  (:action walk
    :parameters (?from ?to - room)
    :precondition (and (me-at ?from) (or (door ?from ?to) (door ?to ?from) (hatch ?from ?to)))
    :effect (and (me-at ?to) (not (me-at ?from))))
  (:action clean-room
    :parameters (?r - room)
    :precondition (and (me-at ?r) (exists (?t - thing) (and (lies ?t ?r) (not (clean ?t)))))
    :effect (forall (?t - thing) (when (lies ?t ?r) (clean ?t)))))
""")


def _problem(
    domain: Domain, objects: dict[str, list[str]], init: Iterable[str], goal: str
) -> Problem:
    typed = " ".join(f"{' '.join(names)} - {kind}" for kind, names in objects.items())
    return parse_problem(
        f"(define (problem {domain.name}) (:domain {domain.name}) (:objects {typed})"
        f" (:init {' '.join(init)}) (:goal {goal}))",
        domain,
    )


def _names(letter: str, number: int) -> list[str]:
    return [f"{letter}{i}" for i in range(number)]


def lift_problem(size: int, generator: Random) -> Problem:
    """`size` passengers and one floor more; some who are alone on their floor travel nonstop."""
    floors, passengers = _names("f", size + 1), _names("p", size)
    init = [f"(lift-at {generator.choice(floors)})"]
    ways = {passenger: generator.sample(floors, 2) for passenger in passengers}
    waiting = Counter(start for start, _ in ways.values())
    for passenger, (start, end) in ways.items():
        init += [f"(origin {passenger} {start})", f"(destin {passenger} {end})"]
        # Two who travel nonstop from one floor to different ones would be stuck together.
        if waiting[start] == 1 and generator.random() < 0.5:
            init.append(f"(nonstop {passenger})")
    goal = "(forall (?p - passenger) (served ?p))"
    return _problem(LIFT, {"passenger": passengers, "floor": floors}, init, goal)


def briefcase_problem(size: int, generator: Random) -> Problem:
    """`size` items and one place more."""
    places, items = _names("p", size + 1), _names("i", size)
    init, goal = [f"(case-at {generator.choice(places)})"], []
    for item in items:
        start, end = generator.sample(places, 2)
        init += [f"(at {item} {start})", f"(out {item})"]
        goal.append(f"(at {item} {end})")
    goal.append("(forall (?i - item) (out ?i))")
    objects = {"place": places, "item": items}
    return _problem(BRIEFCASE, objects, init, f"(and {' '.join(goal)})")


def stacks_problem(size: int, generator: Random) -> Problem:
    """`size` orders of one to three of as many products."""
    orders, products = _names("o", size), _names("p", size)
    init = [
        f"(includes {order} {product})"
        for order in orders
        for product in generator.sample(products, min(size, generator.randint(1, 3)))
    ]
    objects = {"order": orders, "product": products}
    return _problem(STACKS, objects, init, "(forall (?o - order) (shipped ?o))")


def switches_problem(size: int, generator: Random) -> Problem:
    """`size` switches with one or two lamps each, all lit or all dark, and not all lit."""
    switches, lamps, init = _names("s", size), list[str](), list[str]()
    for number, switch in enumerate(switches):
        is_lit = number > 0 and generator.random() < 0.3
        for _ in range(generator.randint(1, 2)):
            lamp = f"l{len(lamps)}"
            lamps.append(lamp)
            init.append(f"(wired {switch} {lamp})")
            init += [f"(lit {lamp})"] if is_lit else []
    objects = {"switch": switches, "lamp": lamps}
    return _problem(SWITCHES, objects, init, "(forall (?l - lamp) (lit ?l))")


def paint_problem(size: int, generator: Random) -> Problem:
    """`size` parts to be painted in one of three colours, some drilled before."""
    parts, colours = _names("p", size), _names("c", 3)
    init, goal = list[str](), list[str]()
    for part in parts:
        init.append(f"({generator.choice(['smooth', 'rough'])} {part})")
        goal.append(f"(painted {part} {generator.choice(colours)})")
        if generator.random() < 0.5:
            goal.append(f"(drilled {part})")
    objects = {"part": parts, "colour": colours}
    return _problem(PAINT, objects, init, f"(and {' '.join(goal)})")


def cleaning_problem(size: int, generator: Random) -> Problem:
    """A tree of `size` rooms with doors or hatches both ways, and as many things to be cleaned."""
    rooms, things = _names("r", size), _names("t", size)
    init = [f"(me-at {generator.choice(rooms)})"]
    for i in range(1, size):
        one, other = rooms[generator.randrange(i)], rooms[i]
        if generator.random() < 0.7:
            init.append(f"(door {one} {other})")
        else:
            init += [f"(hatch {one} {other})", f"(hatch {other} {one})"]
    init += [f"(lies {thing} {generator.choice(rooms)})" for thing in things]
    objects = {"room": rooms, "thing": things}
    return _problem(CLEANING, objects, init, "(forall (?t - thing) (clean ?t))")


Generator = Callable[[int, Random], "Problem"]

GENERATORS: dict[str, Generator] = {
    "lift": lift_problem,
    "briefcase": briefcase_problem,
    "stacks": stacks_problem,
    "switches": switches_problem,
    "paint": paint_problem,
    "cleaning": cleaning_problem,
}

_DOMAINS = {one.name: one for one in (LIFT, BRIEFCASE, STACKS, SWITCHES, PAINT, CLEANING)}

TRAINING_SIZES: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(GENERATORS, (1, 2, 2, 2, 3, 3, 3, 4, 4, 4)),
    "cleaning": (2, 3, 3, 4, 4, 5, 5, 6, 6, 6),
}


@dataclass(frozen=True)
class QuantifiedDomain(BuiltInDomain):
    """A domain of `GENERATORS`: drafts have no goals but atoms, so its problems are read."""

    @property
    def text(self) -> str:
        """The domain as PDDL."""
        return write_domain(_DOMAINS[self.name])

    def problems(
        self, split: str = "train", *, seed: int, count: int | None = None, **_: Any
    ) -> tuple[Problem, ...]:
        """The training problems, or tests of five to six times the largest size of these."""
        make, sizes, chance = GENERATORS[self.name], TRAINING_SIZES[self.name], Random(seed)
        training = tuple(make(size, chance) for size in sizes)
        if split == "train":
            return training[:count]
        low, high = TIMES * max(sizes), (TIMES + 1) * max(sizes)
        tests = TEST_PROBLEMS if count is None else count
        return tuple(make(chance.randint(low, high), chance) for _ in range(tests))


def _no_draft(*_: Any) -> Any:
    raise AssertionError("problems of these domains are made without a draft")


QUANTIFIED = tuple(
    QuantifiedDomain(name, "with an ADL goal", 20_000, (), _no_draft) for name in GENERATORS
)

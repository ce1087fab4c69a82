"""Domains with axioms, made for the tests, each with a generator of problems of any size.

BLOCKS   what is clear, above another, or held is derived; goals are whole towers
GRID     what is live follows from closed switches; nothing can be closed while a fault is fed
ROOMS    what is within reach follows from open doors; keys for doors lie in rooms
VANS     where a parcel is follows from the van that it is in; roads can be used both ways
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.model import Atom, Literal, Problem, TypedObject

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from pg3.pddl.model import Domain

BLOCKS = parse_domain("""
(define (domain blocks)
  (:requirements :strips :derived-predicates)
  (:predicates (on ?x ?y) (ontable ?x) (holding ?x) (above ?x ?y) (clear ?x) (covered ?x) (busy))
  (:derived (above ?x ?y) (or (on ?x ?y) (exists (?z) (and (on ?x ?z) (above ?z ?y)))))
  (:derived (covered ?x) (or (holding ?x) (exists (?y) (on ?y ?x))))
  (:derived (clear ?x) (not (covered ?x)))
  (:derived (busy) (exists (?x) (holding ?x)))
  (:action pick-up
    :parameters (?x)
    :precondition (and (clear ?x) (ontable ?x) (not (busy)))
    :effect (and (holding ?x) (not (ontable ?x))))
  (:action unstack
    :parameters (?x ?y)
    :precondition (and (clear ?x) (on ?x ?y) (not (busy)))
    :effect (and (holding ?x) (not (on ?x ?y))))
  (:action stack
    :parameters (?x ?y)
    :precondition (and (holding ?x) (clear ?y))
    :effect (and (on ?x ?y) (not (holding ?x))))
  (:action put-down
    :parameters (?x)
    :precondition (holding ?x)
    :effect (and (ontable ?x) (not (holding ?x)))))
""")

TOWER = parse_problem(
    """
(define (problem tower)
  (:domain blocks)
  (:objects a b c d)
  (:init (ontable a) (on b a) (on c b) (ontable d))
  (:goal (and (above a c) (above d a) (not (busy)))))
""",
    BLOCKS,
)

GRID = parse_domain("""
(define (domain grid)
  (:requirements :strips :typing :derived-predicates)
  (:types node switch)
  (:predicates (source ?n - node) (faulty ?n - node) (line ?m ?n - node ?s - switch)
    (closed ?s - switch) (live ?n - node) (alarm))
  (:derived (live ?n - node) (or (source ?n)
    (exists (?m - node ?s - switch) (and (line ?m ?n ?s) (closed ?s) (live ?m)))))
  (:derived (alarm) (exists (?n - node) (and (faulty ?n) (live ?n))))
  (:action close
    :parameters (?m ?n - node ?s - switch)
    :precondition (and (line ?m ?n ?s) (not (closed ?s)) (not (alarm)))
    :effect (closed ?s))
  (:action open
    :parameters (?m ?n - node ?s - switch)
    :precondition (and (line ?m ?n ?s) (closed ?s))
    :effect (not (closed ?s))))
""")

ROOMS = parse_domain("""
(define (domain rooms)
  (:requirements :strips :typing :derived-predicates)
  (:types room item)
  (:predicates (entrance ?r - room) (door ?q ?r - room) (fits ?k - item ?q ?r - room)
    (open ?q ?r - room) (in ?i - item ?r - room) (have ?i - item) (reachable ?r - room))
  (:derived (reachable ?r - room) (or (entrance ?r) (exists (?q - room) (and (reachable ?q)
    (or (open ?q ?r) (open ?r ?q))))))
  (:action take
    :parameters (?i - item ?r - room)
    :precondition (and (in ?i ?r) (reachable ?r))
    :effect (and (have ?i) (not (in ?i ?r))))
  (:action unlock
    :parameters (?k - item ?q ?r - room)
    :precondition (and (door ?q ?r) (fits ?k ?q ?r) (have ?k) (reachable ?q))
    :effect (open ?q ?r)))
""")

VANS = parse_domain("""
(define (domain vans)
  (:requirements :strips :typing :derived-predicates)
  (:types place van parcel)
  (:predicates (road ?a ?b - place) (linked ?a ?b - place) (parked ?v - van ?a - place)
    (lying ?p - parcel ?a - place) (in ?p - parcel ?v - van) (is-at ?p - parcel ?a - place))
  (:derived (linked ?a ?b - place) (or (road ?a ?b) (road ?b ?a)))
  (:derived (is-at ?p - parcel ?a - place) (or (lying ?p ?a)
    (exists (?v - van) (and (in ?p ?v) (parked ?v ?a)))))
  (:action drive
    :parameters (?v - van ?a ?b - place)
    :precondition (and (parked ?v ?a) (linked ?a ?b))
    :effect (and (parked ?v ?b) (not (parked ?v ?a))))
  (:action load
    :parameters (?p - parcel ?v - van ?a - place)
    :precondition (and (lying ?p ?a) (parked ?v ?a))
    :effect (and (in ?p ?v) (not (lying ?p ?a))))
  (:action unload
    :parameters (?p - parcel ?v - van ?a - place)
    :precondition (and (in ?p ?v) (parked ?v ?a))
    :effect (and (lying ?p ?a) (not (in ?p ?v)))))
""")


def _problem(
    domain: Domain, objects: dict[str, list[str]], init: list[Atom], goal: list[Atom]
) -> Problem:
    """A problem with its goals as atoms, and its objects by type."""
    typed = [TypedObject(name, type_) for type_, names in objects.items() for name in names]
    return Problem.of(domain.name, domain, typed, init, [Literal(atom) for atom in goal])


def _names(letter: str, number: int) -> list[str]:
    return [f"{letter}{i}" for i in range(number)]


def _towers(blocks: list[str], generator: random.Random) -> list[Atom]:
    order = generator.sample(blocks, len(blocks))
    atoms = [Atom("ontable", (order[0],))]
    for below, block in pairwise(order):
        if generator.random() < 0.4:
            atoms.append(Atom("ontable", (block,)))
        else:
            atoms.append(Atom("on", (block, below)))
    return atoms


def blocks_problem(size: int, generator: random.Random) -> Problem:
    """`size` blocks."""
    blocks = _names("b", size)
    while True:
        goal = [atom for atom in _towers(blocks, generator) if atom.predicate == "on"]
        init = _towers(blocks, generator)
        if not set(goal) <= set(init):
            return _problem(BLOCKS, {"object": blocks}, init, goal)


def grid_problem(size: int, generator: random.Random) -> Problem:
    """A tree of `size` nodes, of which some of the outermost are faulty.

    Some switches are closed, those that feed a fault more often than others.
    """
    nodes = _names("n", size)
    feeding = {i: generator.randrange(max(0, i - 4), i) for i in range(1, size)}
    leaves = [i for i in feeding if i not in feeding.values()]
    faulty = set(generator.sample(leaves, len(leaves) // 2))
    init = [Atom("source", (nodes[0],))]
    for i, j in feeding.items():
        init.append(Atom("line", (nodes[j], nodes[i], f"s{i}")))
        if generator.random() < (0.8 if i in faulty else 0.3):
            init.append(Atom("closed", (f"s{i}",)))
    init += [Atom("faulty", (nodes[i],)) for i in sorted(faulty)]
    goal = [Atom("live", (nodes[i],)) for i in leaves if i not in faulty]
    switches = [f"s{i}" for i in feeding]
    return _problem(GRID, {"node": nodes, "switch": switches}, init, goal)


def rooms_problem(size: int, generator: random.Random) -> Problem:
    """`size` rooms, the key to each of which lies in one that can be entered before it."""
    rooms = _names("r", size)
    init, keys, things = [Atom("entrance", (rooms[0],))], [], []
    for i in range(1, size):
        before = generator.randrange(i)
        door = (rooms[before], rooms[i])
        init.append(Atom("door", door))
        if generator.random() < 0.2:
            init.append(Atom("open", door))
            continue
        keys.append(f"k{i}")
        init.append(Atom("fits", (f"k{i}", *door)))
        init.append(Atom("in", (f"k{i}", rooms[generator.randrange(i)])))
    for i in range(max(1, size // 3)):
        things.append(f"t{i}")
        init.append(Atom("in", (f"t{i}", rooms[generator.randrange(1, size)])))
    goal = [Atom("have", (thing,)) for thing in things]
    return _problem(ROOMS, {"room": rooms, "item": [*keys, *things]}, init, goal)


def vans_problem(size: int, generator: random.Random) -> Problem:
    """`size` parcels in twice as many places, which roads make one piece, and one van."""
    places, parcels = _names("a", 2 * size), _names("p", size)
    init = [Atom("parked", ("v0", generator.choice(places)))]
    init += [
        Atom("road", (places[generator.randrange(i)], places[i])) for i in range(1, len(places))
    ]
    goal = []
    for parcel in parcels:
        start, end = generator.sample(places, 2)
        init.append(Atom("lying", (parcel, start)))
        goal.append(Atom("is-at", (parcel, end)))
    return _problem(VANS, {"place": places, "van": ["v0"], "parcel": parcels}, init, goal)


GENERATORS: dict[str, Callable[[int, random.Random], Problem]] = {
    "blocks": blocks_problem,
    "grid": grid_problem,
    "rooms": rooms_problem,
    "vans": vans_problem,
}

"""A domain whose goals are positive and negative: rooms to leave dark or lit, locked or open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.pddl import parse_domain
from pg3.pddl.model import Atom, Literal, Problem, TypedObject

if TYPE_CHECKING:
    import random

NIGHT_WATCH = parse_domain(
    """
(define (domain night-watch)
  (:requirements :strips :typing :negative-preconditions)
  (:types room)
  (:predicates (at ?r - room) (linked ?a ?b - room) (lit ?r - room) (locked ?r - room))
  (:action go
    :parameters (?a ?b - room)
    :precondition (and (at ?a) (linked ?a ?b))
    :effect (and (not (at ?a)) (at ?b)))
  (:action switch-off
    :parameters (?r - room)
    :precondition (and (at ?r) (lit ?r))
    :effect (not (lit ?r)))
  (:action switch-on
    :parameters (?r - room)
    :precondition (and (at ?r) (not (lit ?r)))
    :effect (lit ?r))
  (:action lock
    :parameters (?r - room)
    :precondition (and (at ?r) (not (locked ?r)))
    :effect (locked ?r))
  (:action unlock
    :parameters (?r - room)
    :precondition (and (at ?r) (locked ?r))
    :effect (not (locked ?r))))
"""
)


def night_watch(rooms: int, generator: random.Random) -> Problem:
    """A tree of rooms; about half of the goals are negative."""
    names = [f"r{i}" for i in range(rooms)]
    init = [Atom("at", (names[0],))]
    for i in range(1, rooms):
        other = generator.choice(names[:i])
        init += [Atom("linked", (names[i], other)), Atom("linked", (other, names[i]))]
    goal = [Literal(Atom("lit", (names[-1],)), False)]
    for name in names[:-1]:
        goal += [
            Literal(Atom(predicate, (name,)), generator.random() < 0.4)
            for predicate in ("lit", "locked")
            if generator.random() < 0.6
        ]
    for name in names:
        init += [Atom(p, (name,)) for p in ("lit", "locked") if generator.random() < 0.5]
    init.append(Atom("lit", (names[-1],)))
    objects = [TypedObject(name, "room") for name in names]
    return Problem.of(f"watch-{rooms}", NIGHT_WATCH, objects, dict.fromkeys(init), goal)

"""A small domain with everything that a task can have, one of its problems, and a policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.plans import GroundAction
from pg3.policy import parse_policy

if TYPE_CHECKING:
    from pg3.pddl import Problem

LIGHTS = parse_domain(
    """
(define (domain lights)
  (:requirements :strips :typing :negative-preconditions :action-costs)
  (:types room robot)
  (:constants hall - room)
  (:predicates (door ?a ?b - room) (in ?r - robot ?a - room) (lit ?a - room) (tired))
  (:functions (total-cost) - number (way ?a ?b - room) - number)
  (:action rest
    :parameters ()
    :precondition (tired)
    :effect (and (not (tired)) (increase (total-cost) 1)))
  (:action go
    :parameters (?r - robot ?a ?b - room)
    :precondition (and (in ?r ?a) (door ?a ?b) (not (tired)))
    :effect (and (not (in ?r ?a)) (in ?r ?b) (increase (total-cost) (way ?a ?b))))
  (:action switch
    :parameters (?r - robot ?a - room)
    :precondition (and (in ?r ?a) (lit ?a))
    :effect (and (not (lit ?a)) (tired))))
"""
)

# From the hall to b it is one long way, or two short ones through a. Nothing leads to the attic;
# the way from b to the hall has no cost, so nobody can take it.
HOUSE = """
(define (problem house)
  (:domain lights)
  (:objects a b attic - room r - robot)
  (:init (in r hall) (lit a) (lit b)
         (door hall a) (door a hall) (door a b) (door b a) (door hall b) (door b hall)
         (= (way hall a) 2) (= (way a hall) 2) (= (way a b) 3) (= (way b a) 3) (= (way hall b) 10)
         (= (total-cost) 0))
  (:goal (and GOAL))
  (:metric minimize (total-cost)))
"""


def house(goal: str = "(in r b) (not (lit a))") -> Problem:
    """The house with another goal."""
    return parse_problem(HOUSE.replace("GOAL", goal), LIGHTS)


def act(text: str) -> GroundAction:
    """An action from a text like "go r hall a"."""
    name, *objects = text.split()
    return GroundAction(name, tuple(objects))


def acts(*texts: str) -> tuple[GroundAction, ...]:
    """Several actions."""
    return tuple(map(act, texts))


# Solves the house: rests when tired, switches off, goes to a and from there to b.
POLICY = parse_policy(
    """
(define (policy saving)
  (:rule rest :preconditions (tired) :action (rest))
  (:rule off
    :parameters (?r - robot ?a - room)
    :preconditions (and (in ?r ?a) (lit ?a))
    :action (switch ?r ?a))
  (:rule go
    :parameters (?r - robot ?a ?b - room)
    :preconditions (and (in ?r ?a) (door ?a ?b) (lit ?b))
    :action (go ?r ?a ?b)))
""",
    LIGHTS,
)

"""What is learned where who moves, or from where to where, differs from action to action."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from pg3 import learn
from pg3.pddl import parse_domain, parse_problem
from pg3.planning import execute

if TYPE_CHECKING:
    from pg3.pddl.model import Problem

# Trucks keep to the roads; whoever is light also takes the tracks.
FOREST = """
(define (domain forest) (:requirements :strips :typing)
  (:types vehicle place load - object truck jeep - vehicle)
  (:predicates (at ?v - vehicle ?x - place) (road ?x ?y - place) (track ?x ?y - place)
               (light ?v - vehicle) (lies ?l - load ?x - place) (in ?l - load ?v - vehicle))
  (:action drive :parameters (?v - vehicle ?x ?y - place)
    :precondition (and (at ?v ?x) (road ?x ?y)) :effect (and (at ?v ?y) (not (at ?v ?x))))
  (:action cross :parameters (?v - MOVER ?x ?y - place)
    :precondition (and (at ?v ?x) (track ?x ?y) CONDITION)
    :effect (and (at ?v ?y) (not (at ?v ?x))))
  (:action take :parameters (?l - load ?v - jeep ?x - place)
    :precondition (and (lies ?l ?x) (at ?v ?x)) :effect (and (in ?l ?v) (not (lies ?l ?x))))
  (:action drop :parameters (?l - load ?v - jeep ?x - place)
    :precondition (and (in ?l ?v) (at ?v ?x)) :effect (and (lies ?l ?x) (not (in ?l ?v)))))
"""

# Rooms are off halls; nobody walks from room to room.
HOTEL = """
(define (domain hotel) (:requirements :strips :typing)
  (:types area maid - object hall room - area)
  (:predicates (at ?m - maid ?a - area) (door ?a ?b - area) (clean ?r - room))
  (:action walk :parameters (?m - maid ?a ?b - hall)
    :precondition (and (at ?m ?a) (door ?a ?b)) :effect (and (at ?m ?b) (not (at ?m ?a))))
  (:action enter :parameters (?m - maid ?a - hall ?b - room)
    :precondition (and (at ?m ?a) (door ?a ?b)) :effect (and (at ?m ?b) (not (at ?m ?a))))
  (:action leave :parameters (?m - maid ?a - room ?b - hall)
    :precondition (and (at ?m ?a) (door ?a ?b)) :effect (and (at ?m ?b) (not (at ?m ?a))))
  (:action tidy :parameters (?m - maid ?r - room) :precondition (at ?m ?r) :effect (clean ?r)))
"""


def forest(places: int, seed: int, text: str) -> Problem:
    """Places on roads, each with a cabin at the end of a track; a load goes from one to another.

    One load: of several, the rule of each action takes its own first one, so they may take turns.
    """
    generator = random.Random(seed)
    facts = [f"(at t p{generator.randrange(places)})", f"(at j p{generator.randrange(places)})"]
    for i in range(1, places):
        j = generator.randrange(i)
        facts += [f"(road p{i} p{j})", f"(road p{j} p{i})"]
    for i in range(places):
        facts += [f"(track p{i} c{i})", f"(track c{i} p{i})"]
    everywhere = [f"{kind}{i}" for kind in "pc" for i in range(places)]
    start, end = generator.sample(everywhere, 2)
    facts.append(f"(lies l {start})")
    goals = [f"(lies l {end})", f"(at t p{generator.randrange(places)})"]
    return parse_problem(
        f"(define (problem p) (:domain forest) (:objects t - truck j - jeep "
        f"{' '.join(everywhere)} - place l - load) "
        f"(:init (light j) {' '.join(facts)}) (:goal (and {' '.join(goals)})))",
        parse_domain(text),
    )


def hotel(halls: int, seed: int) -> Problem:
    """Halls in a tree, each room off one of them; one room is to be cleaned."""
    generator = random.Random(seed)
    facts = [f"(at ann h{generator.randrange(halls)})"]
    for i in range(1, halls):
        j = generator.randrange(i)
        facts += [f"(door h{i} h{j})", f"(door h{j} h{i})"]
    rooms = range(halls + 1)
    for i in rooms:
        j = generator.randrange(halls)
        facts += [f"(door r{i} h{j})", f"(door h{j} r{i})"]
    return parse_problem(
        f"(define (problem p) (:domain hotel) (:objects ann - maid "
        f"{' '.join(f'h{i}' for i in range(halls))} - hall "
        f"{' '.join(f'r{i}' for i in rooms)} - room) (:init {' '.join(facts)}) "
        f"(:goal (clean r{generator.randrange(halls + 1)})))",
        parse_domain(HOTEL),
    )


@pytest.mark.parametrize(("mover", "condition"), [("jeep", ""), ("vehicle", "(light ?v)")])
def test_some_take_tracks_that_others_do_not(mover: str, condition: str) -> None:
    text = FOREST.replace("MOVER", mover).replace("CONDITION", condition)
    result = learn(parse_domain(text), [forest(2 + i % 3, i, text) for i in range(6)])
    assert result.solved
    assert len(result.policy.rules) <= 12
    for seed in range(3):
        assert execute(forest(15, seed, text), result.policy).solved


def test_from_halls_into_rooms() -> None:
    result = learn(parse_domain(HOTEL), [hotel(2 + i % 3, i) for i in range(6)])
    assert result.solved
    assert len(result.policy.rules) <= 6
    for seed in range(3):
        assert execute(hotel(15, seed), result.policy).solved

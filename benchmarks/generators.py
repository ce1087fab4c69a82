"""Seeded problems of any size, as PDDL text, for the benchmarks."""

from __future__ import annotations

import random

FERRY_DOMAIN = """\
; A ferry that carries one car at a time between locations.
(define (domain ferry)
  (:requirements :strips :typing :negative-preconditions)
  (:types car location - object)
  (:predicates
    (at ?c - car ?l - location)
    (at-ferry ?l - location)
    (empty-ferry)
    (on ?c - car))
  (:action sail
    :parameters (?from - location ?to - location)
    :precondition (and (at-ferry ?from) (not (at-ferry ?to)))
    :effect (and (at-ferry ?to) (not (at-ferry ?from))))
  (:action board
    :parameters (?c - car ?l - location)
    :precondition (and (at ?c ?l) (at-ferry ?l) (empty-ferry))
    :effect (and (on ?c) (not (at ?c ?l)) (not (empty-ferry))))
  (:action debark
    :parameters (?c - car ?l - location)
    :precondition (and (on ?c) (at-ferry ?l))
    :effect (and (at ?c ?l) (empty-ferry) (not (on ?c)))))
"""


def ferry_problem(objects: int, seed: int) -> str:
    """A ferry problem of so many objects: nine cars for each location, every car has a target."""
    if objects < 2:
        raise ValueError("a ferry problem needs two objects, a location and a car")
    chance = random.Random(seed)
    locations = [f"l{i}" for i in range(max(1, objects // 10))]
    cars = [f"c{i}" for i in range(objects - len(locations))]
    lines = [f"(define (problem ferry-{objects}-{seed})", "  (:domain ferry)", "  (:objects"]
    lines += [f"    {' '.join(locations)} - location", f"    {' '.join(cars)} - car)"]
    lines += ["  (:init", "    (empty-ferry)", f"    (at-ferry {chance.choice(locations)})"]
    lines += [f"    (at {car} {chance.choice(locations)})" for car in cars]
    lines += ["  )", "  (:goal (and"]
    lines += [f"    (at {car} {chance.choice(locations)})" for car in cars]
    lines += ["  )))"]
    return "\n".join(lines) + "\n"

"""Domains with numbers, each with a generator of problems, as text.

BARS    barrels are taken to bars, a few at a time; goals are numbers
VANS    parcels are taken to places by vans with capacities, and with fuel that trips use up
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

BARS = """
(define (domain bars)
  (:types bar)
  (:predicates (at ?b - bar) (brewery ?b - bar))
  (:functions (load) (stock ?b - bar))
  (:action go
    :parameters (?a ?b - bar)
    :precondition (at ?a)
    :effect (and (at ?b) (not (at ?a))))
  (:action take
    :parameters (?b - bar)
    :precondition (and (at ?b) (brewery ?b) (<= (load) 2))
    :effect (increase (load) 1))
  (:action leave
    :parameters (?b - bar)
    :precondition (and (at ?b) (>= (load) 1))
    :effect (and (decrease (load) 1) (increase (stock ?b) 1))))
"""


def bars_problem(bars: int, most: int, seed: int) -> str:
    """Each bar wants up to so many barrels."""
    chance = random.Random(seed)
    names = [f"b{i}" for i in range(bars)]
    init = ["(brewery b0)", f"(at {chance.choice(names)})", "(= (load) 0)"]
    init += [f"(= (stock {name}) 0)" for name in names]
    goal = [f"(>= (stock {name}) {chance.randint(1, most)})" for name in names[1:]]
    return (
        f"(define (problem bars-{bars}-{seed}) (:domain bars) (:objects {' '.join(names)} - bar)"
        f" (:init {' '.join(init)}) (:goal (and {' '.join(goal)})))"
    )


VANS = """
(define (domain vans)
  (:requirements :typing :negative-preconditions :equality :numeric-fluents)
  (:types van parcel place)
  (:predicates (van-at ?v - van ?p - place) (at ?o - parcel ?p - place) (in ?o - parcel ?v - van))
  (:functions (room ?v - van) (fuel ?v - van) (tank ?v - van) (far ?a ?b - place) (trips))
  (:action go
    :parameters (?v - van ?a ?b - place)
    :precondition (and (van-at ?v ?a) (not (= ?a ?b)) (>= (fuel ?v) (+ (far ?a ?b) 0.5)))
    :effect (and (van-at ?v ?b) (not (van-at ?v ?a)) (decrease (fuel ?v) (far ?a ?b))
      (increase (trips) 1)))
  (:action fill
    :parameters (?v - van)
    :precondition (< (* 2 (fuel ?v)) (tank ?v))
    :effect (assign (fuel ?v) (tank ?v)))
  (:action load
    :parameters (?o - parcel ?v - van ?p - place)
    :precondition (and (van-at ?v ?p) (at ?o ?p) (>= (room ?v) 1))
    :effect (and (in ?o ?v) (not (at ?o ?p)) (decrease (room ?v) 1)))
  (:action unload
    :parameters (?o - parcel ?v - van ?p - place)
    :precondition (and (van-at ?v ?p) (in ?o ?v))
    :effect (and (at ?o ?p) (not (in ?o ?v)) (increase (room ?v) 1))))
"""


def vans_problem(parcels: int, places: int, seed: int) -> str:
    """Every parcel has a place to go to, and one trip is wanted; distances have decimals."""
    chance = random.Random(seed)
    names = [f"p{i}" for i in range(places)]
    goods = [f"o{i}" for i in range(parcels)]
    vans = ["v0", "v1"]
    init = ["(= (trips) 0)"]
    for van in vans:
        init += [f"(van-at {van} {chance.choice(names)})", f"(= (room {van}) 2)"]
        init += [f"(= (fuel {van}) {chance.randint(0, 6)})", f"(= (tank {van}) 8)"]
    init += [f"(at {one} {chance.choice(names)})" for one in goods]
    for one in names:
        init += [f"(= (far {one} {b}) {chance.randint(1, 5)}.5)" for b in names]
    goal = ["(>= (trips) 1)", *(f"(at {one} {chance.choice(names)})" for one in goods)]
    return (
        f"(define (problem vans-{parcels}-{seed}) (:domain vans)"
        f" (:objects {' '.join(vans)} - van {' '.join(goods)} - parcel {' '.join(names)} - place)"
        f" (:init {' '.join(init)}) (:goal (and {' '.join(goal)})))"
    )


# By name: the domain and a generator of small problems.
NUMBER_DOMAINS: dict[str, tuple[str, Callable[[int], str]]] = {
    "bars": (BARS, lambda seed: bars_problem(2 + seed % 2, 1 + seed % 3, seed)),
    "vans": (VANS, lambda seed: vans_problem(1 + seed % 3, 3, seed)),
}

"""Work that would take the kernel years, for tests of limits and of signals."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pg3 import _native
from pg3.pddl import parse_domain, parse_problem
from pg3.policy import parse_policy
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.pddl.model import Problem
    from pg3.policy.model import DecisionList

SECONDS = 0.02

LIGHTS = parse_domain("""
    (define (domain lights) (:predicates (edge ?x ?y) (node ?x) (on ?x))
      (:action switch :parameters (?x) :precondition (not (on ?x)) :effect (on ?x))
      (:action switch-off :parameters (?x) :precondition (on ?x) :effect (not (on ?x))))""")

# Ten groups of eight nodes each, every two of different groups joined: there is no clique of
# eleven, but billions of ways to look for one.
GROUPS, SIZE = 10, 8
NAMES = [f"n{i}-{k}" for i in range(GROUPS) for k in range(SIZE)]


def lights() -> Problem:
    """As many lights as nodes, all to be on and off at once at the end of a long search."""
    pairs = [(x, y) for x in NAMES for y in NAMES if x.partition("-")[0] != y.partition("-")[0]]
    facts = [*(f"(node {x})" for x in NAMES), *(f"(edge {x} {y})" for x, y in pairs)]
    return parse_problem(
        f"(define (problem p) (:domain lights) (:objects {' '.join(NAMES)})"
        f" (:init {' '.join(facts)}) (:goal (and {' '.join(f'(on {x})' for x in NAMES)})))",
        LIGHTS,
    )


VARIABLES = [f"?x{i}" for i in range(GROUPS + 1)]
CLIQUE = " ".join(f"(edge {x} {y})" for x, y in itertools.combinations(VARIABLES, 2))
FIVE = "?a ?b ?c ?d ?e"
NODES = " ".join(f"(node {x})" for x in FIVE.split())


def policy_of(name: str, rule: str, *definitions: str) -> DecisionList:
    text = f"(define (policy {name}) {' '.join(definitions)} (:rule r {rule}))"
    return parse_policy(text, LIGHTS)


FIRST_FIVE = f":parameters ({FIVE}) :preconditions (tuple {FIVE} ) :action (switch ?a)"
POLICIES = {
    policy.name: policy
    for policy in [
        policy_of(
            "clique",
            f":parameters ({' '.join(VARIABLES)}) :preconditions (and {CLIQUE})"
            " :action (switch ?x0)",
        ),
        # Static: worked out when the rule is compiled.
        policy_of(
            "static-clique",
            ":parameters (?x) :preconditions (clique ?x) :action (switch ?x)",
            f"(:derived (clique ?x0) (exists ({' '.join(VARIABLES[1:])}) (and {CLIQUE})))",
        ),
        # Billions of tuples, each found at once.
        policy_of("static-tuples", FIRST_FIVE, f"(:derived (tuple {FIVE}) (and {NODES}))"),
        policy_of("tuples", FIRST_FIVE, f"(:derived (tuple {FIVE}) (and {NODES} (not (on ?e))))"),
        policy_of(
            "recursive-tuples",
            FIRST_FIVE,
            f"(:derived (tuple {FIVE}) (and {NODES} (not (on ?e))))",
            f"(:derived (tuple {FIVE}) (exists (?z) (and (edge ?e ?z) (tuple ?a ?b ?c ?d ?z))))",
        ),
        # Tuples that are read by others, and by a negative condition.
        policy_of(
            "groups-of-tuples",
            ":parameters (?a) :preconditions (alone ?a) :action (switch ?a)",
            f"(:derived (tuple {FIVE}) (and {NODES}))",
            "(:derived (alone ?a) (and (node ?a) (not (tuple ?a _ _ _ _))))",
        ),
        policy_of(
            "paths",
            ":parameters (?a ?b ?c ?d ?e) :preconditions (and "
            + " ".join(f"(reach edge {x} {y})" for x, y in itertools.pairwise(FIVE.split()))
            + " (not (reach edge ?e ?a))) :action (switch ?a)",
        ),
        policy_of(
            "next-hops",
            ":parameters (?a ?b ?c ?d ?e) :preconditions (and (next edge ?a ?b ?c)"
            " (next edge ?b ?c ?d) (next edge ?c ?d ?e) (not (reach edge ?e ?a)))"
            " :action (switch ?a)",
        ),
    ]
}


@dataclass
class Work:
    """The problem, ground, and one of the policies in the kernel's numbers."""

    policy: DecisionList

    @cached_property
    def task(self) -> Task:
        return Task(lights())

    @cached_property
    def rules(self) -> list[int]:
        return list(self.task.rule_numbers(self.policy))

    @cached_property
    def space(self) -> _native.StateSpace:
        return self.task.space

    @cached_property
    def two(self) -> _native.TrainingSet:
        """A training set of two problems for two threads."""
        other = self.task.another(lights())
        return _native.TrainingSet([self.space, other.space], 2)

    def search(self, heuristic: str = "add", rollout: int = 50) -> str:
        found = self.space.search(self.rules, rollout, heuristic, False, None, SECONDS, None)
        return found[0]

    def of_set(self, call: Callable[[_native.TrainingSet], tuple[Any, ...]]) -> str:
        return str(call(self.two)[0])


def empty_work() -> Work:
    return Work(parse_policy("(define (policy nothing))", LIGHTS))


def many_actions(size: int) -> Task:
    """size ** 6 ground actions."""
    domain = parse_domain("""
        (define (domain many) (:predicates (on ?x) (met ?a ?b ?c ?d ?e ?f))
          (:action meet :parameters (?a ?b ?c ?d ?e ?f) :effect (met ?a ?b ?c ?d ?e ?f)))""")
    objects = " ".join(f"o{i}" for i in range(size))
    return Task(
        parse_problem(
            f"(define (problem p) (:domain many) (:objects {objects}) (:init)"
            " (:goal (met o0 o0 o0 o0 o0 o0)))",
            domain,
        )
    )


def joined_task(kind: str) -> Task:
    """An action, or an axiom, whose conditions are those of a clique that there is not."""
    parameters, head = " ".join(VARIABLES), "(found)"
    form = (
        f"(:derived {head} (exists ({parameters}) (and {CLIQUE})))"
        if kind == "axiom"
        else f"(:action find :parameters ({parameters})"
        f" :precondition (and {CLIQUE}) :effect {head})"
    )
    domain = parse_domain(f"""
        (define (domain joined) (:requirements :derived-predicates)
          (:predicates (edge ?x ?y) (node ?x) (on ?x) (found))
          (:action switch :parameters (?x) :effect (on ?x)) {form})""")
    text = lights()
    facts = " ".join(map(str, text.init))
    return Task(
        parse_problem(
            f"(define (problem p) (:domain joined) (:objects {' '.join(NAMES)})"
            f" (:init {facts}) (:goal (found)))",
            domain,
        )
    )

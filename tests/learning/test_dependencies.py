"""Functional dependencies of static facts, and the rules of regression that use them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from pg3.learning.dependencies import dependencies, shown_dependencies
from pg3.learning.regression.rules.suffixes import SuffixTree
from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.model import Atom
from pg3.pddl.plans import GroundAction

if TYPE_CHECKING:
    from pg3.pddl.model import Problem

HANGAR = parse_domain("""
(define (domain hangar) (:requirements :typing)
  (:types panel aircraft stand - object)
  (:predicates (of ?p - panel ?a - aircraft) (parked ?a - aircraft ?s - stand) (at ?s - stand)
               (open ?p - panel) (done ?p - panel))
  (:action go :parameters (?x ?y - stand) :precondition (at ?x)
    :effect (and (at ?y) (not (at ?x))))
  (:action uncover :parameters (?p - panel ?a - aircraft ?s - stand)
    :precondition (and (of ?p ?a) (parked ?a ?s) (at ?s)) :effect (open ?p))
  (:action fix :parameters (?p - panel ?a - aircraft ?s - stand)
    :precondition (and (of ?p ?a) (parked ?a ?s) (at ?s) (open ?p)) :effect (done ?p)))
""")


def hangar(*aircraft: str) -> Problem:
    """A problem with a stand for each aircraft, given by the panels on it."""
    facts = [
        f"(parked a{i} s{i}) " + " ".join(f"(of {panel} a{i})" for panel in panels)
        for i, panels in enumerate(aircraft)
    ]
    panels = " ".join(dict.fromkeys("".join(aircraft)))
    names = " ".join(f"a{i} - aircraft s{i} - stand" for i in range(len(aircraft)))
    return parse_problem(
        f"(define (problem p) (:domain hangar) (:objects {panels} - panel {names}) "
        f"(:init (at s0) {' '.join(facts)}) (:goal (done {panels[0]})))",
        HANGAR,
    )


class TestMining:
    def test_what_other_arguments_determine(self) -> None:
        assert shown_dependencies([hangar("pq", "r")]) == {"of": (1,), "parked": (0, 1)}

    def test_one_problem_refutes_it(self) -> None:
        known = [hangar("pq", "r"), hangar("pq", "pr")]
        assert shown_dependencies(known) == {"parked": (0, 1)}

    def test_what_no_problem_could_refute_is_not_shown(self) -> None:
        problems = [hangar("p"), hangar("pqr")]
        assert shown_dependencies(problems) == {}
        facts = [[a for a in p.init if a.predicate in ("of", "parked")] for p in problems]
        assert dependencies(HANGAR, facts) == {"of": (1,), "parked": (0, 1)}

    @given(st.lists(st.sets(st.tuples(st.sampled_from("pqr"), st.sampled_from("abc")))))
    def test_like_the_definition(self, problems: list[set[tuple[str, str]]]) -> None:
        facts = [[Atom("of", pair) for pair in sorted(some)] for some in problems]
        expected = tuple(
            place
            for place in (0, 1)
            if any(problems)
            and all(
                one == other or one[1 - place] != other[1 - place]
                for some in problems
                for one in some
                for other in some
            )
        )
        assert dependencies(HANGAR, facts).get("of", ()) == expected


def test_a_rule_names_what_is_determined_once() -> None:
    words = ["uncover p a0 s0", "go s0 s1", "go s1 s0", "fix p a0 s0"]
    plan = [GroundAction(name, tuple(objects)) for name, *objects in map(str.split, words)]
    types = {"p": "panel", "a0": "aircraft", "s0": "stand", "s1": "stand"}

    def aircraft_of_whole_plan(tree: SuffixTree) -> int:
        *_, last = tree.regress(Atom("done", ("p",)), plan, types)
        return sum(p.types == ("aircraft",) for p in last.rules[0].parameters)

    assert aircraft_of_whole_plan(SuffixTree(HANGAR)) == 2
    known = shown_dependencies([hangar("pq", "r")])
    assert aircraft_of_whole_plan(SuffixTree(HANGAR, dependencies=known)) == 1

"""Every command that takes a policy, with random policies and with those that once broke one."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

import pytest
from hypothesis import given

from pg3.analysis.explain import explain
from pg3.learning.operators.induce import lift
from pg3.pddl import Atom, Literal, parse_domain, parse_problem
from pg3.pddl.plans import GroundAction
from pg3.policy import parse_policy
from tests.support.number_problems import number_scenarios
from tests.support.policy_commands import check_commands
from tests.support.random_problems import Scenario
from tests.support.strange_names import strange_scenarios


@given(strange_scenarios())
def test_every_command_with_any_policy(scenario: Scenario) -> None:
    """Derived predicates, paths, `_`, constants, `either`, axioms, odd names."""
    with tempfile.TemporaryDirectory() as folder:
        check_commands(scenario, Path(folder))


@given(number_scenarios())
def test_every_command_with_numbers(scenario: Scenario) -> None:
    with tempfile.TemporaryDirectory() as folder:
        check_commands(scenario, Path(folder))


WALK = parse_domain("""(define (domain walk)
  (:types place item - object hut - place) (:constants home - hut)
  (:predicates (road ?a ?b - place) (at ?a - place) (seen ?x - (either place item))
               (kept ?x - item))
  (:action go :parameters (?a ?b - place) :precondition (and (at ?a) (road ?a ?b))
   :effect (and (not (at ?a)) (at ?b)))
  (:action look :parameters (?x - (either place item)) :precondition (not (at ?x))
   :effect (seen ?x)))""")
OPERATORS = dataclasses.replace(
    WALK,
    actions=tuple(
        dataclasses.replace(action, name=name)
        for action, name in zip(WALK.actions, ("not", "exists"), strict=True)
    ),
)
WALKED = parse_problem(
    """(define (problem p) (:domain walk) (:objects a b - place i - item)
  (:init (at a) (road a b) (road b home)) (:goal (and (at home) (seen i))))""",
    WALK,
)
GO = """(:rule go :parameters (?z ?a ?b - place) :preconditions (and {} (at ?a) (road ?a ?b))
  :goals (at ?z) :action (go ?a ?b))"""
LOOK = "(:rule look :parameters (?x - item) :goals (seen ?x) :action (look ?x))"


@pytest.mark.parametrize(
    ("definitions", "condition"),
    [
        ("(:derived (q0) (exists (?e - place) (and )))", "(q0)"),
        (
            "(:derived (far ?x ?y - place) (road ?x ?y)) (:derived (far ?x ?y - place) "
            "(exists (?w - place) (and (road ?x ?w) (far ?w ?y))))",
            "(far ?a ?z)",
        ),
        ("(:derived (open ?x - place) (not (goal (at ?x))))", "(open ?a)"),
        ("(:derived (unused ?x - place) (not (seen ?x)))", "(reach road ?a ?z)"),
        ("(:derived (step ?x ?y - (either place item)) (road ?x ?y))", "(next step ?a ?b ?z)"),
        (
            "(:derived (one ?x - (either hut item)) (or-two ?x)) "
            "(:derived (or-two ?x - object) (one ?x)) (:derived (or-two ?x - object) (and))",
            "(or-two ?a) (not (one _))",
        ),
    ],
)
def test_definitions(definitions: str, condition: str, tmp_path: Path) -> None:
    """`score` did not know them, and the PDDL of `export` was not always read again."""
    text = f"(define (policy p) {definitions} {GO.format(condition)} {LOOK})"
    check_commands(Scenario(WALKED, parse_policy(text, WALK)), tmp_path)


def test_arguments_of_other_types_than_the_actions(tmp_path: Path) -> None:
    """In exported axioms: a constant, a variable twice, an `either`, one that nothing can be."""
    text = """(define (policy p)
      (:rule home :parameters (?a - place) :preconditions (and (at ?a) (road ?a home))
       :action (go ?a home))
      (:rule stay :parameters (?a - hut) :preconditions (road ?a ?a) :action (go ?a ?a))
      (:rule look :parameters (?x - (either hut item)) :preconditions (not (at ?x))
       :goals (seen ?x) :action (look ?x))
      (:rule never :parameters (?x - (either hut item)) :preconditions (and (at ?x) (kept ?x))
       :action (look ?x))
      (:rule go :parameters (?a ?b - place) :preconditions (road ?a ?b) :action (go ?a ?b)))"""
    check_commands(Scenario(WALKED, parse_policy(text, WALK)), tmp_path)


def test_an_action_may_be_called_as_an_operator_is(tmp_path: Path) -> None:
    """A policy was refused for it, though its domain was not."""
    problem = dataclasses.replace(WALKED, domain=OPERATORS)
    text = f"(define (policy p) {GO.format('')} {LOOK})"
    text = text.replace("(look", "(exists").replace("(go", "(not")
    check_commands(Scenario(problem, parse_policy(text, OPERATORS)), tmp_path)


COVER = parse_domain("""(define (domain cover) (:types cloth - object) (:constants table)
  (:predicates (covers ?x - cloth ?y - object))
  (:action lay :parameters (?x - cloth ?y - object)
   :precondition (not (covers ?y table)) :effect (covers ?x ?y)))""")
COVERED = parse_problem(
    """(define (problem p) (:domain cover) (:objects a b - cloth)
  (:init) (:goal (and (covers a table) (covers b table))))""",
    COVER,
)


def test_what_is_learned_says_only_what_fits_a_constant(tmp_path: Path) -> None:
    """`learn` wrote `(not (covers table table))`, which the reader of policies refuses."""
    check_commands(Scenario(COVERED, parse_policy("(define (policy p))", COVER)), tmp_path)
    # The same from a plan, by `induce-rule`.
    types = {"a": "cloth", "table": "object"}
    rule = lift(
        GroundAction("lay", ("a", "table")),
        [Literal(Atom("covers", (one, "table")), False) for one in ("table", "a")],
        Atom("covers", ("a", "table")),
        types,
        COVER,
        keep_constants=True,
    )
    assert rule.preconditions == (Literal(Atom("covers", ("?a", "table")), False),)


COUNT = parse_domain("""(define (domain count) (:predicates (done)) (:functions (left))
  (:action work :parameters () :precondition () :effect (and (done) (decrease (left) 1))))""")
UNCOUNTED = parse_problem(
    "(define (problem p) (:domain count) (:init) (:goal (done)))",
    COUNT,
)


def test_an_action_that_changes_a_number_without_a_value(tmp_path: Path) -> None:
    """`solve` spoke of its cost, and `explain` did not say why it cannot be done."""
    policy = parse_policy("(define (policy p) (:rule r :action (work)))", COUNT)
    check_commands(Scenario(UNCOUNTED, policy), tmp_path)
    explanation = explain(UNCOUNTED, policy)
    assert explanation.step(1).missing == "(left), which has no value"
    assert explanation.execution.reason == (
        "after 0 steps rule 'r' chose (work), which needs (left), which has no value"
    )


def test_a_policy_that_counts_for_ever(tmp_path: Path) -> None:
    """No state comes twice; each command ends it after as many steps as it says."""
    problem = parse_problem(
        "(define (problem p) (:domain count) (:init (= (left) 0)) (:goal (counted)))",
        parse_domain("""(define (domain count) (:predicates (counted)) (:functions (left))
          (:action work :parameters () :precondition () :effect (decrease (left) 1)))"""),
    )
    policy = parse_policy("(define (policy p) (:rule r :action (work)))", problem.domain)
    check_commands(Scenario(problem, policy), tmp_path)


SWAP = parse_domain("""(define (domain swap) (:types box)
  (:predicates (shut ?b - box))
  (:action swap :parameters (?x ?y) :precondition (shut ?x)
   :effect (and (not (shut ?x)) (shut ?y))))""")
SWAPPED = parse_problem(
    """(define (problem p) (:domain swap) (:objects a - box stone)
  (:init (shut a)) (:goal (shut a)))""",
    SWAP,
)


def test_a_counterexample_can_be_read(tmp_path: Path) -> None:
    """`challenge` wrote `(shut stone)`, where actions lead to, but no problem may start."""
    check_commands(Scenario(SWAPPED, parse_policy("(define (policy p))", SWAP)), tmp_path)


def test_an_explained_state_may_be_empty() -> None:
    """It was taken for one that is not known yet, and the initial state for it."""
    count = 70
    actions = "".join(
        f"(:action a{i} :parameters () :precondition (p{i}) "
        f":effect (and (not (p{i})) {f'(p{i + 1})' if i != 63 else ''}))"
        for i in range(count)
    )
    predicates = " ".join(f"(p{i})" for i in range(count + 1))
    domain = parse_domain(f"(define (domain d) (:predicates {predicates}) {actions} {LAST})")
    problem = parse_problem(
        "(define (problem p) (:domain d) (:init (p0)) (:goal (and (p66))))", domain
    )
    rules = " ".join(f"(:rule r{i} :preconditions (p{i}) :action (a{i}))" for i in range(count))
    policy = parse_policy(f"(define (policy p) {rules} (:rule last :action (last)))", domain)
    explanation = explain(problem, policy)
    assert explanation.execution.solved
    assert explanation.state(64) == frozenset()
    assert explanation.state(65) == {Atom("p64")}
    assert explanation.step(66).firing is not None


# After step 64 nothing is true, and this goes on.
LAST = "(:action last :parameters () :precondition (and) :effect (p64))"

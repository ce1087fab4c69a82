from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pg3.errors import InputWarning, Pg3Error, PolicyError
from pg3.pddl import parse_domain
from pg3.pddl.model import Atom, Literal, Parameter
from pg3.policy import DecisionList, Rule, parse_policy, policy_to_json, read_policy, write_policy
from tests.policy.ferry import FERRY, POLICY

if TYPE_CHECKING:
    from pathlib import Path


def rule(sections: str) -> Rule:
    return parse_policy(f"(define (policy p) (:rule r {sections}))", FERRY).rules[0]


WASH = ":parameters (?c - car) :action (wash ?c)"


@pytest.mark.parametrize("nothing", ["", ":preconditions ()", ":goals (and)", ":goals () "])
def test_ways_to_say_no_condition(nothing: str) -> None:
    assert rule(f"{WASH} {nothing}").size == 0


def test_one_literal_needs_no_and() -> None:
    assert rule(f"{WASH} :goals (washed ?c)") == rule(f"{WASH} :goals (and (washed ?c))")
    assert rule(f"{WASH} :goals (not (washed ?c))").goals == (
        Literal(Atom("washed", ("?c",)), False),
    )


def test_sections_in_any_order() -> None:
    assert rule(":action (wash ?c) :parameters (?c - car)") == rule(WASH)


def test_no_parameters_section() -> None:
    assert rule(":action (sail harbour harbour)").parameters == ()


def test_types() -> None:
    parameters = rule(":parameters (?c - car ?v - (either car truck) ?x ?y) :action (wash ?c)")
    assert parameters.parameters == (
        Parameter("?c", ("car",)),
        Parameter("?v", ("car", "truck")),
        Parameter("?x", ("object",)),
        Parameter("?y", ("object",)),
    )


def test_a_wider_type_is_fine_in_a_condition() -> None:
    wide = rule(":parameters (?c - car ?x) :preconditions (washed ?x) :action (wash ?c)")
    assert wide.preconditions[0].atom == Atom("washed", ("?x",))


def test_equality_with_a_constant() -> None:
    text = (
        ":parameters (?l - location) :preconditions (not (= ?l harbour)) :action (sail harbour ?l)"
    )
    assert rule(text).preconditions == (Literal(Atom("=", ("?l", "harbour")), False),)


def test_domain_section_is_optional() -> None:
    assert parse_policy(write_policy(POLICY), FERRY) == POLICY
    assert parse_policy("(define (policy empty))", FERRY) == DecisionList("empty", ())


def test_missing_final_parenthesis_is_a_warning() -> None:
    text = write_policy(POLICY, FERRY).rstrip()[:-1]
    with pytest.warns(InputWarning, match=r"^<policy>:8:\d+: missing '\)' at the end"):
        assert parse_policy(text, FERRY) == POLICY


def test_a_name_for_messages() -> None:
    with pytest.raises(PolicyError, match=r"^mine:1:10: this is a domain"):
        parse_policy("(define (domain x))", FERRY, name="mine")


def test_files_of_both_formats(tmp_path: Path) -> None:
    for name, text in (
        ("a.policy", write_policy(POLICY, FERRY)),
        ("b.policy", "\ufeff; a comment\n" + write_policy(POLICY)),
        ("c.policy", "\ufeff \n" + policy_to_json(POLICY, FERRY)),
    ):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert read_policy(path, FERRY) == POLICY
        assert read_policy(str(path), FERRY) == POLICY
    with pytest.raises(Pg3Error, match="no such file"):
        read_policy(tmp_path / "none.policy", FERRY)


FORMULAS = parse_domain("""(define (domain formulas)
  (:requirements :adl)
  (:constants home away)
  (:predicates (p ?x) (q ?x) (r ?x ?y))
  (:action act
    :parameters (?a ?b)
    :precondition (and (or (p ?a) (q ?b)) (not (forall (?z) (imply (= ?a home) (r ?z ?b)))))
    :effect (p ?a)))""")


@pytest.mark.parametrize(
    "condition",
    [
        "(or (p ?x) (q ?y))",
        "(or (p ?x) (q ?x))",
        "(or (p home) (q ?x))",
        "(or (p home) (q home))",
        "(not (or (p away) (q home)))",
        "(not (forall (?z) (imply (= home home) (r ?z ?x))))",
        "(forall (?z) (imply (= ?x home) (r ?z ?x)))",
        "(forall (?y-2) (imply (= ?x home) (r ?y-2 away)))",
    ],
)
def test_a_formula_of_an_action_with_any_terms(condition: str) -> None:
    """What is written is read as the same: constants, a variable twice, any bound variables."""
    text = (
        f"(define (policy p) (:rule r :parameters (?x ?y) :preconditions {condition}"
        " :action (act ?x ?y)))"
    )
    policy = parse_policy(text, FORMULAS)
    [literal] = policy.rules[0].preconditions
    assert str(literal).replace("?z", "?y-2") == condition.replace("?z", "?y-2")
    assert parse_policy(write_policy(policy, FORMULAS), FORMULAS) == policy


@pytest.mark.parametrize(
    "condition",
    [
        "(or (q ?x) (p ?y))",
        "(or (p ?x) (q ?y) (q ?x))",
        "(forall (?z) (imply (= ?z home) (r ?z ?x)))",
        "(forall (?z) (imply (= ?x away) (r ?z ?x)))",
        "(forall (?z) (imply (= ?x home) (r ?x ?y)))",
    ],
)
def test_a_formula_of_no_action(condition: str) -> None:
    text = (
        f"(define (policy p) (:rule r :parameters (?x ?y) :preconditions {condition}"
        " :action (act ?x ?y)))"
    )
    with pytest.raises(PolicyError, match="unless an action has it"):
        parse_policy(text, FORMULAS)

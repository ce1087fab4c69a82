"""Goals that are reached through a chain of subgoals."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from pg3 import execute, learn
from pg3.learning.regression import Regression
from pg3.learning.regression.rules.suffixes import SuffixTree
from pg3.learning.regression.subgoals import SubgoalChain, subgoal_chains
from pg3.learning.training import Training
from pg3.pddl import parse_domain
from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.pddl.plans import GroundAction
from pg3.policy import parse_policy
from pg3.policy.derived import NEXT
from pg3.policy.rule_book import RuleBook

# One measure at a time goes from the cask into the jug, both on one scale.
CELLAR = parse_domain("""
(define (domain cellar)
  (:types wine level)
  (:predicates (cask ?w - wine ?l - level) (jug ?w - wine ?l - level) (next ?high ?low - level)
               (open ?w - wine))
  (:action tap :parameters (?w - wine) :precondition (not (open ?w)) :effect (open ?w))
  (:action pour :parameters (?w - wine ?c1 ?c2 ?j1 ?j2 - level)
    :precondition (and (open ?w) (cask ?w ?c2) (next ?c2 ?c1) (jug ?w ?j1) (next ?j2 ?j1))
    :effect (and (not (cask ?w ?c2)) (cask ?w ?c1) (not (jug ?w ?j1)) (jug ?w ?j2))))
""")


def cellar(levels: int, *wants: int) -> Problem:
    """Full casks and empty jugs, of which each is to hold so many measures."""
    scale = [f"n{i}" for i in range(levels + 1)]
    wines = [f"w{i}" for i in range(len(wants))]
    return Problem.of(
        f"cellar-{levels}-{wants}",
        CELLAR,
        [TypedObject(w, "wine") for w in wines] + [TypedObject(n, "level") for n in scale],
        [
            *(Atom("next", (high, low)) for low, high in pairwise(scale)),
            *(Atom("cask", (w, scale[-1])) for w in wines),
            *(Atom("jug", (w, scale[0])) for w in wines),
        ],
        [Literal(Atom("jug", (w, scale[want]))) for w, want in zip(wines, wants, strict=True)],
    )


def test_a_goal_that_only_steps_along_a_relation_has_subgoals() -> None:
    chains, definitions = subgoal_chains(CELLAR, {"jug", "open"}, ())
    assert chains == {"jug": SubgoalChain("jug", 1, "step-jug", ("level",))}
    (turned,) = definitions
    assert turned.name == "step-jug"
    assert [str(literal) for literal in turned.conditions] == ["(next ?y ?x)"]
    chains, _ = subgoal_chains(CELLAR, {"cask", "jug"}, ())
    down = SubgoalChain("cask", 1, "next", ("level",))
    assert chains["cask"] == down, "the relation leads down already"
    assert subgoal_chains(CELLAR, {"jug"}, {"pour"}) == ({}, ()), "macro moves need no subgoals"


def test_what_is_defined_already_is_not_defined_again_nor_changed() -> None:
    _, (turned,) = subgoal_chains(CELLAR, {"jug"}, ())
    assert subgoal_chains(CELLAR, {"jug"}, (), [turned]) == (
        {"jug": SubgoalChain("jug", 1, "step-jug", ("level",))},
        (),
    )
    other = replace(turned, conditions=(Literal(Atom("next", ("?x", "?y"))),))
    chains, (own,) = subgoal_chains(CELLAR, {"jug"}, (), [other])
    assert chains["jug"].edges == own.name == "step-jug-2"


def test_a_book_with_more_definitions_reads_what_was_written_before() -> None:
    _, (turned,) = subgoal_chains(CELLAR, {"jug"}, ())
    book = RuleBook(CELLAR)
    policy = parse_policy(
        """(define (policy p) (:rule tap :parameters (?w - wine ?a ?b ?c - level)
             :preconditions (and (next next ?a ?b ?c) (not (open ?w))) :action (tap ?w)))""",
        CELLAR,
    )
    (number,) = book.key(policy)
    book.define([turned])
    (condition,) = (c for c in book.rule(number).preconditions if c.positive)
    assert condition.atom.predicate == "next"
    assert condition.atom.terms[0] == "next"
    assert len(condition.atom.terms) == 4


def test_what_can_be_reached_at_once_has_no_subgoals() -> None:
    filled = parse_domain("""(define (domain filled) (:types level)
      (:predicates (jug ?l - level) (next ?high ?low - level))
      (:action pour :parameters (?a ?b - level) :precondition (and (jug ?a) (next ?b ?a))
        :effect (and (not (jug ?a)) (jug ?b)))
      (:action fill :parameters (?a - level) :precondition () :effect (jug ?a)))""")
    assert subgoal_chains(filled, {"jug"}, ()) == ({}, ())


def test_each_subgoal_has_its_part_of_a_plan() -> None:
    chain = SubgoalChain("jug", 1, "step-jug", ("level",))
    tap = GroundAction("tap", ("w0",))
    first = GroundAction("pour", ("w0", "n1", "n2", "n0", "n1"))
    second = GroundAction("pour", ("w0", "n0", "n1", "n1", "n2"))
    other = GroundAction("pour", ("w1", "n1", "n2", "n0", "n1"))
    parts = chain.split(Atom("jug", ("w0", "n2")), [tap, other, first, second], CELLAR)
    assert list(parts) == [
        (Atom("jug", ("w0", "n1")), [tap, other, first]),
        (Atom("jug", ("w0", "n2")), [second]),
    ]


def test_a_level_that_is_the_same_by_chance_is_none_in_the_rule() -> None:
    """From n1 to n0 here, from n0 to n1 there: nothing says that these must be the same two."""
    pour = GroundAction("pour", ("w", "n0", "n1", "n0", "n1"))
    types = {"w": "wine", "n0": "level", "n1": "level"}
    (suffix,) = SuffixTree(CELLAR).regress(Atom("jug", ("w", "n1")), [pour], types)
    assert len(set(suffix.rules[0].arguments)) == 5


def test_rules_for_subgoals_work_on_any_number_of_them() -> None:
    training = Training([cellar(2, 1), cellar(2, 2), cellar(2, 1, 2)])
    chains, definitions = subgoal_chains(CELLAR, {"jug"}, ())
    training.book.define(definitions)
    found = Regression(training, seed=0, max_run=2, subgoals=chains).learn(training)
    policy = training.book.policy(found.policy, "cellar")
    assert any(c.atom.predicate == NEXT for rule in policy.rules for c in rule.preconditions)
    for problem in (cellar(9, 7), cellar(6, 6, 1, 4)):
        execution = execute(problem, policy)
        assert execution.solved
        assert execution.check().valid


def test_learn_finds_them_by_itself() -> None:
    problems = [cellar(3, 1), cellar(3, 3), cellar(4, 4, 2), cellar(4, 3, 1), cellar(3, 2, 3)]
    policy = learn(CELLAR, problems).policy
    assert execute(cellar(12, 11, 5), policy).solved

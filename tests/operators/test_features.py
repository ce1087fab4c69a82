"""What the learner proposes beyond the domain's predicates."""

from __future__ import annotations

import dataclasses
import random

import pytest

from pg3.domains import DOMAINS
from pg3.operators.features import Move, features_of
from pg3.operators.induce import lift
from pg3.pddl.model import Atom, Atoms, Literal, Predicate, Problem, TypedObject
from pg3.plans import GroundAction
from pg3.policy import DecisionList, check_policy
from pg3.training import Training
from tests.extended.problems import MAKERS, blocksworld, domain, transport


def test_settledness_is_proposed_for_a_fluent_over_one_type_with_goals() -> None:
    problem = blocksworld(4, random.Random(0), partial=False)
    found = features_of(problem.domain, [problem])
    assert found.unsettled == {"unsettled-on": ("object",)}
    assert not found.moves
    check_policy(DecisionList("p", (), found.definitions), domain("blocksworld"))
    other = dataclasses.replace(problem, goal=Atoms.of(problem.domain, problem.object_names, []))
    assert not features_of(problem.domain, [other])


def test_a_pure_move_along_a_static_relation_is_recognised() -> None:
    found = features_of(domain("transport"), [transport(3, random.Random(0))])
    assert found.moves == {"drive": Move("road", 1, 2)}
    assert found.edges == ("road",)
    assert not found.unsettled


@pytest.mark.parametrize("name", ["childsnack", "floortile"])
def test_moves_that_do_more_or_follow_nothing_are_none(name: str) -> None:
    # A tray goes anywhere; a robot also frees one tile and takes another.
    found = features_of(domain(name), [MAKERS[name](3, random.Random(0))])
    assert not found.moves
    assert not found.unsettled
    assert bool(found) == (name == "childsnack"), "it has a constant to speak of"


def test_a_domain_with_its_own_next_keeps_it() -> None:
    roads = domain("transport")
    own = Predicate("next", roads.predicates[0].parameters)
    changed = dataclasses.replace(roads, predicates=(*roads.predicates, own))
    assert not features_of(changed, [transport(3, random.Random(0))])


def test_a_name_that_the_domain_has_is_not_taken() -> None:
    blocks = domain("blocksworld")
    own = Predicate("unsettled-on", ())
    changed = dataclasses.replace(blocks, predicates=(*blocks.predicates, own))
    assert list(features_of(changed, [blocksworld(4, random.Random(0))]).unsettled) == [
        "unsettled-on-2"
    ]


@pytest.mark.parametrize("name", ["delivery", "ferry", "forest", "gripper", "miconic", "spanner"])
def test_nothing_is_settled_where_there_are_no_chains(name: str) -> None:
    """Without types, a car at a location looks like a block on a block."""
    one = DOMAINS[name]
    assert not features_of(one.domain, one.problems("train", seed=0, count=3)).unsettled


def test_which_blocks_are_unsettled() -> None:
    """A tower a-b-c with c on the table; the goal wants b on a third block, and a where it is."""
    blocks = domain("blocksworld")
    atoms = ["on a b", "on b c", "ontable c", "clear a", "ontable d", "clear d", "handempty"]
    init = [Atom(text.split()[0], tuple(text.split()[1:])) for text in atoms]
    objects = [TypedObject(name) for name in "abcd"]
    goal = [Literal(Atom("on", ("a", "b"))), Literal(Atom("on", ("b", "d")))]
    task_problem = Problem.of("tower", blocks, objects, init, goal)
    training = Training([task_problem])
    training.book.define(features_of(blocks, [task_problem]).definitions)
    task = training.tasks[0]
    relation = training.book.vocabulary.number(Atom("unsettled-on", ("?",)))
    found = task.space.derived(relation, task.space.initial)
    assert sorted(task.names[one] for one in found) == ["a", "b"]


def test_problems_are_drawn_alike_every_time() -> None:
    for make in (blocksworld, transport):
        assert make(5, random.Random(1)) == make(5, random.Random(1))


def test_constants_are_named_in_rules() -> None:
    snack = domain("childsnack")
    action = GroundAction("move_tray", ("tray1", "table1", "kitchen"))
    at = Literal(Atom("at", ("tray1", "table1")))
    types = {"tray1": "tray", "table1": "place", "kitchen": "place", "c": "child"}
    goal = Atom("served", ("c",))
    rule = lift(action, [at], goal, types, snack, keep_constants=True)
    assert rule.arguments == ("?tray1", "?table1", "kitchen")
    assert [parameter.name for parameter in rule.parameters] == ["?c", "?tray1", "?table1"]
    check_policy(DecisionList("p", (rule,)), snack)
    assert lift(action, [at], goal, types, snack).arguments[2] == "?kitchen"

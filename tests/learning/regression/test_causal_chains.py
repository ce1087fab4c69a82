"""Chains of actions: what the first of them need not ask for, and plans in one order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from pg3.learning.regression.rules.causal_chains import late
from pg3.learning.regression.rules.steps import Step
from pg3.learning.regression.rules.suffixes import SuffixTree
from pg3.pddl import parse_domain
from tests.learning.regression.test_regression import ground
from tests.oracle import semantics
from tests.support.errands import literals
from tests.support.random_problems import action_sequences, problems

if TYPE_CHECKING:
    from pg3.pddl.model import Problem
    from pg3.pddl.plans import GroundAction
    from pg3.policy.model import Rule

# A fitter fetches the tool of a machine, switches it off, opens its lid and repairs it.
WORKSHOP = parse_domain("""
(define (domain workshop)
  (:requirements :strips :typing :negative-preconditions)
  (:types place fitter tool machine - object hall - place)
  (:constants store - place)
  (:predicates (at ?f - fitter ?p - place) (stands ?m - machine ?h - hall)
               (for ?t - tool ?m - machine) (stored ?t - tool) (has ?f - fitter ?t - tool)
               (free ?f - fitter) (running ?m - machine) (shut ?m - machine)
               (oiled ?t - tool) (repaired ?m - machine))
  (:action go :parameters (?f - fitter ?p ?q - place)
    :precondition (and (at ?f ?p) (not (= ?p ?q)))
    :effect (and (at ?f ?q) (not (at ?f ?p))))
  (:action take :parameters (?f - fitter ?t - tool)
    :precondition (and (at ?f store) (stored ?t) (free ?f))
    :effect (and (has ?f ?t) (not (stored ?t)) (not (free ?f))))
  (:action oil :parameters (?t - tool)
    :precondition ()
    :effect (oiled ?t))
  (:action stop :parameters (?f - fitter ?m - machine ?h - hall)
    :precondition (and (at ?f ?h) (stands ?m ?h) (running ?m))
    :effect (not (running ?m)))
  (:action open :parameters (?f - fitter ?m - machine ?h - hall)
    :precondition (and (at ?f ?h) (stands ?m ?h) (shut ?m) (not (running ?m)))
    :effect (not (shut ?m)))
  (:action repair :parameters (?f - fitter ?t - tool ?m - machine ?h - hall)
    :precondition (and (at ?f ?h) (stands ?m ?h) (has ?f ?t) (for ?t ?m) (oiled ?t)
                       (not (shut ?m)))
    :effect (repaired ?m)))
""")
OBJECT_TYPES = {
    "ann": "fitter",
    "key": "tool",
    "mill": "machine",
    "hall1": "hall",
    "store": "place",
}
WHOLE = (
    "oil key, go ann hall1 store, take ann key, go ann store hall1, stop ann mill hall1, "
    "open ann mill hall1, repair ann key mill hall1"
)


def rules(plan: str, *, by_chains: bool) -> dict[str, Rule]:
    """The rule of the longest suffix that begins with each action."""
    tree = SuffixTree(WORKSHOP, by_chains=by_chains)
    (goal,) = literals("repaired mill")
    found: dict[str, Rule] = {}
    for suffix in tree.regress(goal.atom, ground(plan), OBJECT_TYPES):
        for rule in suffix.rules:
            found[rule.action] = rule
    return found


def asked(rule: Rule) -> set[str]:
    return {literal.atom.predicate for literal in rule.preconditions}


def test_a_rule_does_not_ask_for_what_other_actions_need() -> None:
    """To take the tool, it is all the same whether the machine runs and its lid is shut."""
    whole, chain = (rules(WHOLE, by_chains=one)["take"] for one in (False, True))
    assert asked(whole) >= {"running", "shut"}
    assert asked(chain).isdisjoint({"running", "shut"})
    # What the chain itself needs stays, and so does what never changes.
    assert asked(chain) >= {"stored", "free", "for", "repaired"}


def test_the_order_of_a_plan_by_chance_does_not_matter() -> None:
    """What takes one action, such as oiling, comes right before what it is for."""
    (goal,) = literals("repaired mill")
    steps = [(one, Step.of(WORKSHOP.action(one.name), one.objects)) for one in ground(WHOLE)]
    found = [action.name for action in late(steps, goal.atom)]
    assert found == ["go", "take", "go", "stop", "open", "oil", "repair"]
    otherwise = [steps[i] for i in (1, 2, 0, 3, 4, 5, 6)]
    assert [action.name for action in late(otherwise, goal.atom)] == found


def test_what_could_be_done_again_and_again_must_be_missing() -> None:
    """Oiling needs nothing, so that its rule says that the tool is not oiled."""
    assert ("oiled", False) in {
        (literal.atom.predicate, literal.positive)
        for literal in rules(WHOLE, by_chains=True)["oil"].preconditions
    }


@given(problem=problems(), data=st.data())
def test_a_plan_in_another_order_still_leads_to_its_goal(
    problem: Problem, data: st.DataObject
) -> None:
    done = [one.action for one in data.draw(action_sequences(problem))]
    state = start = semantics.initial_state(problem)
    for action in done:
        state = _after(problem, action, state)
    for goal in sorted(state - start):
        steps = [(one, Step.of(problem.domain.action(one.name), one.objects)) for one in done]
        end = start
        for action in late(steps, goal):
            end = _after(problem, action, end)
        assert goal in end


def _after(problem: Problem, action: GroundAction, state: semantics.State) -> semantics.State:
    found = semantics.find(problem, action, state)
    assert found is not None
    return found.successor(state)


# Power is off while the lid is taken off and the mill repaired, and on when it starts.
POWER = parse_domain("""
(define (domain power)
  (:requirements :strips :typing :negative-preconditions)
  (:types mill switch - object)
  (:predicates (feeds ?s - switch ?m - mill) (on ?s - switch) (shut ?m - mill) (broken ?m - mill)
               (oiled ?m - mill) (runs ?m - mill))
  (:action switch-on :parameters (?s - switch) :precondition (not (on ?s)) :effect (on ?s))
  (:action open :parameters (?s - switch ?m - mill)
    :precondition (and (feeds ?s ?m) (not (on ?s)) (shut ?m))
    :effect (not (shut ?m)))
  (:action repair :parameters (?m - mill)
    :precondition (and (not (shut ?m)) (broken ?m) (oiled ?m))
    :effect (not (broken ?m)))
  (:action oil :parameters (?m - mill) :precondition () :effect (oiled ?m))
  (:action start :parameters (?s - switch ?m - mill)
    :precondition (and (feeds ?s ?m) (on ?s) (not (broken ?m)))
    :effect (runs ?m)))
""")


def test_what_could_only_be_made_true_by_undoing_the_chain_is_asked_for() -> None:
    tree = SuffixTree(POWER, by_chains=True)
    (goal,) = literals("runs mill1")
    plan = ground("switch-on s1, repair mill1, start s1 mill1")
    types = {"s1": "switch", "mill1": "mill"}
    found = [rule for suffix in tree.regress(goal.atom, plan, types) for rule in suffix.rules]
    (switch_on,) = [rule for rule in found if rule.action == "switch-on"]
    # Oil is no matter of power. That the mill is broken no action brings about.
    assert asked(switch_on) == {"feeds", "on", "runs", "shut"}

"""An agent does what the executor does, and what the oracle does as facts come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pg3 import Agent, execute, read_policy, read_problem
from pg3.errors import Pg3Error
from pg3.pddl import Atom, parse_domain, parse_problem
from pg3.policy import parse_policy
from tests.conftest import REPOSITORY
from tests.oracle import matching, semantics
from tests.support.random_problems import EVERY_LANGUAGE, Scenario, ground_atoms, scenarios

if TYPE_CHECKING:
    from pg3.pddl.plans import GroundAction

FERRY = read_problem(REPOSITORY / "examples" / "ferry" / "small.pddl")
POLICY = read_policy(REPOSITORY / "examples" / "policies" / "ferry.policy", FERRY.domain)


def expected(scenario: Scenario, state: semantics.State) -> GroundAction | None:
    match = matching.policy_action(scenario.problem, scenario.policy, state)
    return match and match.action


@settings(max_examples=40)
@given(scenarios(*EVERY_LANGUAGE), st.data())
def test_same_action_whatever_changes(scenario: Scenario, data: st.DataObject) -> None:
    """Static facts, too: the world may change what no action changes."""
    problem = scenario.problem
    domain = problem.domain
    known = {predicate.name for predicate in domain.predicates} - domain.derived
    atoms = ground_atoms(problem, known)
    agent = Agent(problem, scenario.policy)
    state = semantics.initial_state(problem)
    for _ in range(data.draw(st.integers(0, 6))):
        assert agent.act() == expected(scenario, state)
        assert agent.solved == semantics.is_goal(problem, state)
        assert agent.state == state
        if not atoms:
            break
        chosen = frozenset(data.draw(st.lists(st.sampled_from(atoms), max_size=4)))
        match data.draw(st.sampled_from(["observe", "update", "reset"])):
            case "observe":
                state = chosen
                agent.observe(state)
            case "update":
                agent.update(chosen - state, chosen & state)
                state = state ^ chosen
            case "reset":
                agent.reset()
                state = semantics.initial_state(problem)
    assert agent.act() == expected(scenario, state)


@settings(max_examples=40)
@given(scenarios(*EVERY_LANGUAGE))
def test_applied_step_by_step_it_is_the_execution(scenario: Scenario) -> None:
    execution = execute(*scenario, max_steps=20)
    agent = Agent(*scenario)
    for action in execution.plan:
        assert not agent.solved
        assert agent.act() == action
        agent.apply(action)
    assert agent.solved == semantics.is_goal(scenario.problem, agent.state)


def test_a_disturbance() -> None:
    """Somebody moves the ferry: the agent goes on from there."""
    agent = Agent(FERRY, POLICY)
    assert (str(agent.act()), agent.rule) == ("(sail l1 l2)", "sail-to-misplaced")
    agent.apply("(sail l1 l2)")
    assert str(agent.act()) == "(board c1 l2)"
    agent.update(added=["(at-ferry l3)"], deleted=[("at-ferry", "l2")])
    assert str(agent.act()) == "(board c2 l3)"
    steps = 0
    while not agent.solved:
        action = agent.act()
        assert action is not None
        agent.apply(action)
        steps += 1
    assert steps == 6
    agent.reset()
    assert str(agent.act()) == "(sail l1 l2)"


def test_facts_that_no_action_changes() -> None:
    domain = parse_domain("""
        (define (domain walk) (:predicates (road ?a ?b) (at ?a))
          (:action go :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b))
            :effect (and (at ?b) (not (at ?a)))))""")
    problem = parse_problem(
        "(define (problem p) (:domain walk) (:objects x y z)"
        " (:init (at x) (road x y) (road x z) (road z y)) (:goal (at y)))",
        domain,
    )
    policy = parse_policy(
        "(define (policy p) (:rule r :parameters (?a ?b ?c) :preconditions (and (at ?a)"
        " (next road ?a ?b ?c)) :goals (at ?c) :action (go ?a ?b)))",
        domain,
    )
    agent = Agent(problem, policy)
    assert str(agent.act()) == "(go x y)"
    agent.update(deleted=["(road x y)"])
    assert str(agent.act()) == "(go x z)"
    agent.update(deleted=["(road z y)"])
    assert agent.act() is None
    assert agent.rule is None


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ("(att c1 l1)", "the domain has no predicate 'att': did you mean 'at'?"),
        ("(at c1)", "'at' has 2 arguments, not 1"),
        ("(at c1 l9)", "there is no object 'l9'"),
        ("()", "a fact or an action is expected, such as (at car1 port), not []"),
    ],
)
def test_facts_are_checked(fact: str, message: str) -> None:
    agent = Agent(FERRY, POLICY)
    before = agent.state
    for tell in (agent.update, agent.observe):
        with pytest.raises(Pg3Error) as error:
            tell([fact])
        assert message in str(error.value)
    assert agent.state == before


def test_actions_are_checked() -> None:
    agent = Agent(FERRY, POLICY)
    for action, message in (
        ("(sale l1 l2)", "the domain has no action 'sale': did you mean 'sail'?"),
        ("(sail l1)", "'sail' has 2 parameters, not 1"),
        ("(sail l1 nowhere)", "there is no object 'nowhere'"),
    ):
        with pytest.raises(Pg3Error) as error:
            agent.apply(action)
        assert message in str(error.value)


def test_upper_case_is_the_same_in_text() -> None:
    agent = Agent(FERRY, POLICY)
    agent.update(added=["(AT-FERRY L3)"], deleted=[Atom("at-ferry", ("l1",))])
    assert str(agent.act()) == "(board c2 l3)"


def test_numbers_change_with_actions() -> None:
    domain = parse_domain("""
        (define (domain tank) (:requirements :numeric-fluents)
          (:predicates (at ?a) (pump ?a)) (:functions (fuel))
          (:action go :parameters (?a ?b) :precondition (and (at ?a) (>= (fuel) 2))
            :effect (and (at ?b) (not (at ?a)) (decrease (fuel) 2)))
          (:action fill :parameters (?a) :precondition (and (at ?a) (pump ?a))
            :effect (increase (fuel) 3)))""")
    problem = parse_problem(
        "(define (problem p) (:domain tank) (:objects x y) (:init (at x) (pump x) (= (fuel) 1))"
        " (:goal (at y)))",
        domain,
    )
    policy = parse_policy(
        "(define (policy p)"
        " (:rule go :parameters (?a ?b) :preconditions (and (at ?a) (>= (fuel) 2)) :goals (at ?b)"
        " :action (go ?a ?b))"
        " (:rule fill :parameters (?a) :preconditions (and (at ?a)) :action (fill ?a)))",
        domain,
    )
    plan = execute(problem, policy).plan
    assert [str(action) for action in plan] == ["(fill x)", "(go x y)"]
    agent = Agent(problem, policy)
    for action in plan:
        assert agent.act() == action
        agent.apply(action)
    assert agent.solved
    agent.observe(["(at x)", "(pump x)"])
    assert str(agent.act()) == "(go x y)"
    agent.reset()
    agent.observe(agent.state)
    assert str(agent.act()) == "(fill x)"


def test_why_it_is_stuck() -> None:
    half = parse_policy(
        """(define (policy half) (:rule board :parameters (?c ?l ?g)
        :preconditions (and (at ?c ?l) (at-ferry ?l) (empty-ferry) (not (at ?c ?g)))
        :goals (and (at ?c ?g)) :action (board ?c ?l)))""",
        FERRY.domain,
    )
    agent = Agent(FERRY, half)
    agent.update(added=["(at-ferry l3)"], deleted=["(at-ferry l1)"])
    agent.apply("(board c2 l3)")
    assert agent.act() is None
    told = " ".join(str(agent.explain()).split())
    assert "step 1: no rule applies" in told
    assert "with ?c = c1" in told, "c3 is where it should be"
    assert "the ferry is not empty" in told


def test_one_fact_is_not_a_list_of_facts() -> None:
    agent = Agent(FERRY, POLICY)
    for told in ("(at-ferry l3)", Atom("at-ferry", ("l3",)), 3):
        with pytest.raises(Pg3Error, match="a list of facts is expected"):
            agent.update(added=told)  # type: ignore[arg-type]
    with pytest.raises(Pg3Error, match="a fact or an action is expected"):
        agent.apply(None)  # type: ignore[arg-type]

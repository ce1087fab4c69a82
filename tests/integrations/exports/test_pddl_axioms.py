"""Fast Downward, restricted to what a policy allows: it solves what the policy solves."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, assume, given, settings

from pg3.domains import DOMAINS
from pg3.integrations.exports import EXPORTS
from pg3.pddl import parse_domain, parse_problem, read_domain, read_problem
from pg3.pddl.plans import parse_plan
from pg3.planning import execute
from pg3.policy import DecisionList, parse_policy, read_policy
from pg3.semantics.validation import validate
from tests.conftest import REPOSITORY
from tests.extended.problems import blocksworld
from tests.oracle import semantics
from tests.oracle.derived import with_derived
from tests.oracle.matching import first_match, satisfied
from tests.oracle.semantics import bindings, find
from tests.support.axiom_domains import TOWER
from tests.support.fast_downward import fast_downward
from tests.support.random_problems import EVERY_LANGUAGE, Scenario, scenarios

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.pddl import Problem
    from pg3.pddl.plans import GroundAction, Plan

AXIOMS = EXPORTS["pddl-axioms"]
POLICIES = REPOSITORY / "examples" / "policies"
FERRY = REPOSITORY / "examples" / "ferry"
# Greedy, with a second queue that looks deeper where many objects are equally good for a rule. By
# default Fast Downward would negate axioms exactly, which takes exponential space.
GREEDY = "let(h,ff(axioms=approximate_negative),lazy(alt([single(h),type_based([h,g()])])))"
BLIND = "astar(blind())"


def restricted_plan(
    problem: Problem, policy: DecisionList, folder: Path, search: str = GREEDY
) -> Plan | None:
    """A plan within what the policy allows, found by Fast Downward and read for the original."""
    assert AXIOMS.problem_text is not None
    domain_text = AXIOMS.policy_text(policy, problem.domain)
    text = fast_downward(domain_text, AXIOMS.problem_text(policy, problem), folder, search)
    return None if text is None else parse_plan(text, problem)


def allowed(problem: Problem, policy: DecisionList, plan: Plan) -> bool:
    """Whether each step is one for which some objects satisfy the first applicable rule."""
    state = semantics.initial_state(problem)
    for step in plan:
        known = with_derived(problem, policy.definitions, semantics.closed(problem, state))
        rule = next((r for r in policy.rules if first_match(problem, r, known) is not None), None)
        if rule is None:
            return False
        choices: set[GroundAction] = set()
        for binding in bindings(problem, rule.parameters):
            if satisfied(problem, rule, binding, known):
                objects = tuple(binding.get(term, term) for term in rule.arguments)
                choices.add(step._replace(name=rule.action, objects=objects))
        instance = find(problem, step, state)
        if step not in choices or instance is None:
            return False
        state = instance.successor(state)
    return True


@pytest.mark.parametrize("search", [GREEDY, BLIND])
def test_ferry(tmp_path: Path, search: str) -> None:
    domain = read_domain(FERRY / "domain.pddl")
    problem = read_problem(FERRY / "small.pddl", domain)
    policy = read_policy(POLICIES / "ferry.policy", domain)
    plan = restricted_plan(problem, policy, tmp_path, search)
    assert plan is not None
    assert validate(problem, plan).valid
    assert allowed(problem, policy, plan)


@pytest.mark.parametrize("size", ["train", "test"])
@pytest.mark.parametrize("name", ["delivery", "ferry", "forest", "gripper", "miconic", "spanner"])
def test_domains_of_the_paper(name: str, size: str, tmp_path: Path) -> None:
    [problem] = DOMAINS[name].problems(size, seed=0, count=1)
    policy = read_policy(POLICIES / f"{name}.policy", problem.domain)
    assert execute(problem, policy).solved
    plan = restricted_plan(problem, policy, tmp_path)
    assert plan is not None
    assert validate(problem, plan).valid


@pytest.mark.parametrize("name", ["logistics", "transport"])
def test_domains_with_types(name: str, tmp_path: Path) -> None:
    [problem] = DOMAINS[name].problems("train", seed=0, count=1)
    policy = read_policy(POLICIES / "moose" / f"{name}.policy", problem.domain)
    assert execute(problem, policy).solved
    plan = restricted_plan(problem, policy, tmp_path)
    assert plan is not None
    assert validate(problem, plan).valid


def _is_about_distances(policy: DecisionList) -> bool:
    conditions = [c for rule in policy.rules for c in rule.preconditions]
    conditions += [c for clause in policy.definitions for c in clause.conditions]
    return any(condition.atom.predicate == "next" for condition in conditions)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scenario=scenarios(*EVERY_LANGUAGE))
def test_random_policies(scenario: Scenario, tmp_path: Path) -> None:
    """Sound: a plan is valid and allowed. Complete: where the policy has a plan, there is one."""
    problem, policy = scenario
    # Fast Downward knows `either` in declarations only, and no actions without a cost.
    assume(not _is_about_distances(policy))
    own = [p for one in problem.domain.axioms for p in (*one.parameters, *one.variables)]
    assume(all(len(p.types) == 1 for p in own))
    assume(not problem.domain.has_costs)
    assume(not semantics.is_goal(problem, semantics.initial_state(problem)))
    actions = problem.domain.actions
    assume(all(len(p.types) == 1 for action in actions for p in action.parameters))
    assume(all(len(t.parents) <= 1 for t in problem.domain.types))
    plan = restricted_plan(problem, policy, tmp_path / "files", BLIND)
    if plan is None:
        assert not execute(problem, policy).solved
    else:
        assert validate(problem, plan).valid
        assert allowed(problem, policy, plan)


def test_blocksworld_with_definitions(tmp_path: Path) -> None:
    problem = blocksworld(4, random.Random(2))
    policy = read_policy(REPOSITORY / "tests" / "extended" / "blocksworld.policy", problem.domain)
    plan = restricted_plan(problem, policy, tmp_path)
    assert plan is not None
    assert validate(problem, plan).valid
    assert allowed(problem, policy, plan)


def test_a_domain_with_axioms(tmp_path: Path) -> None:
    problem = TOWER
    policy = parse_policy(
        """(define (policy p)
      (:derived (placed ?x) (exists (?y) (and (above ?x ?y) (goal (above ?x ?y)))))
      (:rule stack :parameters (?x ?y)
       :preconditions (and (holding ?x) (clear ?y)) :goals (above ?x ?y) :action (stack ?x ?y))
      (:rule put-down :parameters (?x) :preconditions (holding ?x) :action (put-down ?x))
      (:rule dig :parameters (?x ?y ?z) :preconditions
       (and (on ?x ?z) (clear ?x) (not (placed ?x)) (not (placed ?y))) :goals (not (ontable _))
       :action (unstack ?x ?z))
      (:rule fetch :parameters (?x ?y) :preconditions
       (and (ontable ?x) (clear ?x) (clear ?y) (not (above ?x ?y))) :goals (above ?x ?y)
       :action (pick-up ?x)))""",
        problem.domain,
    )
    plan = restricted_plan(problem, policy, tmp_path)
    assert plan is not None
    assert validate(problem, plan).valid
    assert allowed(problem, policy, plan)


TYPED = parse_domain("""(define (domain typed) (:types car van - vehicle vehicle spot)
  (:constants home - spot) (:predicates (at ?v - vehicle ?s - spot) (pg3-at ?s - spot))
  (:action go :parameters (?v - vehicle ?from ?to - spot)
   :precondition (at ?v ?from) :effect (and (at ?v ?to) (not (at ?v ?from))))
  (:action idle :parameters () :precondition () :effect ()))""")
TYPED_PROBLEM = parse_problem(
    """(define (problem p) (:domain typed) (:objects c - car v - van a b - spot)
  (:init (at c a) (at v b)) (:goal (and (at c home) (not (at v b)))))""",
    TYPED,
)


def test_constants_repetitions_and_either(tmp_path: Path) -> None:
    policy = parse_policy(
        """(define (policy p)
      (:rule away :parameters (?v - van ?from - spot)
       :preconditions (and (at ?v ?from) (not (at ?v home)))
       :goals (and (not (at ?v ?from))) :action (go ?v ?from home))
      (:rule there :parameters (?v - (either car van) ?s ?t - spot)
       :preconditions (at ?v ?s) :goals (at ?v ?t) :action (go ?v ?s ?t)))""",
        TYPED,
    )
    plan = restricted_plan(TYPED_PROBLEM, policy, tmp_path)
    assert plan is not None
    assert list(map(str, plan)) == ["(go v b home)", "(go c a home)"]
    stay = parse_policy(
        """(define (policy p) (:rule stay :parameters (?v - vehicle ?s - spot)
        :action (go ?v ?s ?s)))""",
        TYPED,
    )
    assert restricted_plan(TYPED_PROBLEM, stay, tmp_path, BLIND) is None


def test_names_do_not_clash() -> None:
    policy = parse_policy("(define (policy p) (:rule idle :action (idle)))", TYPED)
    text = AXIOMS.policy_text(policy, TYPED)
    assert "(:derived (pg3--rule-1-proposes)" in text
    assert "(:action go" not in text


def test_policy_without_rules_allows_nothing() -> None:
    text = AXIOMS.policy_text(DecisionList("none", ()), TYPED)
    assert ":action" not in text.replace(":action-costs", "")
    assert ":derived " not in text


def test_goals_are_facts_besides_being_goals() -> None:
    policy = parse_policy(
        """(define (policy p) (:rule there :parameters (?v - vehicle ?s ?t - spot)
       :preconditions (at ?v ?s) :goals (at ?v ?t) :action (go ?v ?s ?t)))""",
        TYPED,
    )
    assert AXIOMS.problem_text is not None
    text = AXIOMS.problem_text(policy, TYPED_PROBLEM)
    assert "(pg3--goal-at c home)" in text
    assert "(pg3--goal-at v b)" not in text
    assert text.count("(at c home)") == 1
    assert "(not (at v b))" in text

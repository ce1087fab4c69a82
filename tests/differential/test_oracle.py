"""The slow twins against answers worked out by hand, and against one another."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from pg3.pddl.model import Atom, Problem
from pg3.pddl.plans import GroundAction
from tests.oracle import execution, heuristic, matching, search, semantics
from tests.support.errands import AWAKE, FETCH, FETCHING, errand
from tests.support.random_problems import Scenario, problems, scenarios, walks

# The twins are simple: the examples are better spent on the kernel.
FEWER = settings().max_examples // 5


def done(text: str) -> GroundAction:
    name, *objects = text.split()
    return GroundAction(name, tuple(objects))


def test_applicable_actions_come_in_declaration_and_object_order() -> None:
    state = semantics.initial_state(FETCH)
    assert semantics.applicable(FETCH, state) == [done("wake"), done("close van shop")]


def test_objects_of_subtypes_count_and_equality_is_decided() -> None:
    loads = [one.action.objects for one in semantics.instances(FETCH) if one.action.name == "load"]
    assert loads == [("box", "van", "home"), ("box", "van", "shop")]


def test_adding_comes_after_deleting() -> None:
    state = semantics.initial_state(FETCH)
    one = semantics.Instance(
        done("go van home home"),
        frozenset(),
        frozenset(),
        frozenset({Atom("at", ("van", "home"))}),
        frozenset({Atom("at", ("van", "home"))}),
        1,
    )
    assert one.successor(state) == state


def test_heuristics_of_a_small_problem() -> None:
    # wake (1); go to the shop (2); load there (3); go back costs 1 + h(at shop) = 3, but the van
    # is at home already; so unloading at home costs 1 + 3.
    grounded = semantics.instances(FETCH)
    state = semantics.initial_state(FETCH)
    assert heuristic.h_add(FETCH, grounded, state) == 4
    assert heuristic.h_max(FETCH, grounded, state) == 4
    away = errand(AWAKE + ", resting", "in box van, not at van home, resting")
    assert heuristic.h_add(away, grounded, state) == 3 + 2 + 0
    assert heuristic.h_max(away, grounded, state) == 3


def test_plan_of_a_small_problem() -> None:
    outcome = search.astar(FETCH)
    assert outcome.status == "solved"
    assert outcome.plan == (
        done("wake"),
        done("go van home shop"),
        done("load box van shop"),
        done("go van shop home"),
        done("unload box van home"),
    )
    assert outcome.from_policy == (False,) * 5
    shortest = search.shortest_plan(FETCH, max_states=1000)
    assert shortest is not None
    assert len(shortest) == 5


def test_an_inapplicable_action_stops_the_policy() -> None:
    state = semantics.initial_state(FETCH)
    match = matching.policy_action(FETCH, FETCHING, state)
    assert match == (2, ("van", "home", "shop"), done("go van home shop"))
    assert execution.execute(FETCH, FETCHING) == execution.Run("not applicable", ())


def test_guidance_takes_over_once_the_carrier_is_awake() -> None:
    outcome = search.astar(FETCH, policy=FETCHING)
    assert outcome.plan == search.astar(FETCH).plan
    assert outcome.from_policy == (False, True, True, True, True)
    assert outcome.expansions == 2
    assert outcome.plan is not None
    agreements = execution.compare_plan(FETCH, FETCHING, outcome.plan)
    assert agreements == (False, True, True, True, True)


def test_execution_ends() -> None:
    awake = errand(AWAKE, "at box home")
    assert execution.execute(awake, FETCHING).status == "solved"
    assert execution.execute(awake, FETCHING, max_steps=3).status == "horizon"
    never = errand("road home shop, road shop home, at van home", "resting")
    assert execution.execute(never, FETCHING) == execution.Run(
        "cycle", (done("go van home shop"), done("go van shop home"))
    )


@settings(max_examples=FEWER)
@given(problems())
def test_astar_and_breadth_first_search_agree(problem: Problem) -> None:
    outcome = search.astar(problem, heuristic="max", max_expansions=80)
    try:
        shortest = search.shortest_plan(problem, max_states=300)
    except search.TooManyStatesError:
        return
    if outcome.status == "expansion limit":
        return
    assert (outcome.plan is None) == (shortest is None)
    if outcome.plan is not None and shortest is not None:
        # h_max is admissible, so that both are shortest.
        assert len(outcome.plan) == len(shortest)


@settings(max_examples=FEWER)
@given(st.data())
def test_h_max_bounds_h_add_from_below(data: st.DataObject) -> None:
    problem = data.draw(problems())
    grounded = semantics.instances(problem)
    for state in data.draw(walks(problem))[-2:]:
        low = heuristic.h_max(problem, grounded, state)
        high = heuristic.h_add(problem, grounded, state)
        assert low <= high
        assert (low == math.inf) == (high == math.inf)
        assert (high == 0) == semantics.is_goal(problem, state)


@settings(max_examples=FEWER)
@given(scenarios())
def test_an_execution_that_ends_well_is_a_plan(scenario: Scenario) -> None:
    run = execution.execute(scenario.problem, scenario.policy, max_steps=15)
    agreements = execution.compare_plan(scenario.problem, scenario.policy, run.plan)
    assert all(agreements)
    if run.status == "solved":
        outcome = search.astar(scenario.problem, policy=scenario.policy, max_expansions=100)
        # The whole rollout is queued when the initial state is expanded, and costs nothing.
        assert outcome.status == "solved"

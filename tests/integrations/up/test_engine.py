"""The engine by its name: unified-planning's own problems, policies, limits, refusals."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import unified_planning
from hypothesis import assume, given, settings
from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.engines import SequentialPlanValidator
from unified_planning.environment import Environment
from unified_planning.exceptions import UPUsageError
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import OneshotPlanner, OptimalityGuarantee, get_environment
from unified_planning.test.examples import get_example_problems

from pg3.integrations.up import Pg3Planner, convert, register
from pg3.planning import execute, plan
from pg3.policy import DecisionList, policy_to_json, read_policy, write_policy
from tests.conftest import REPOSITORY
from tests.integrations.up.ferries import ferry, ring
from tests.support.outsiders import REQUIREMENTS, texts
from tests.support.random_problems import DERIVED, PAPER, Scenario, scenarios
from tests.support.waiting import PATIENCE

EXAMPLES = get_example_problems()
# The problems in PDDL that come with unified-planning's tests.
PDDL = sorted((Path(unified_planning.__file__).parent / "test" / "pddl").glob("*/problem*.pddl"))
FERRY = REPOSITORY / "examples" / "ferry"
FERRY_POLICY = REPOSITORY / "examples" / "policies" / "ferry.policy"

SUPPORTED = {
    "basic",
    "basic_conditional",
    "basic_exists",
    "basic_forall",
    "basic_nested_conjunctions",
    "basic_numeric",
    "basic_undef_numeric",
    "basic_with_costs",
    "basic_with_object_constant",
    "basic_without_negative_preconditions",
    "charge_discharge",
    "complex_conditional",
    "counter",
    "counter_to_50",
    "hierarchical_blocks_world",
    "hierarchical_blocks_world_exists",
    "hierarchical_blocks_world_object_as_root",
    "hierarchical_blocks_world_with_object",
    "locations_connected_cost_minimize",
    "robot",
    "robot_decrease",
    "robot_int_battery",
    "robot_loader",
    "robot_loader_adv",
    "robot_loader_mod",
    "robot_locations_connected",
    "robot_locations_connected_without_battery",
    "robot_locations_visited",
    "robot_no_negative_preconditions",
    "robot_real_constants",
    "safe_road",
    "travel",
}
PRODUCTS = {"travel_with_consumptions"}
# Of the same kind as others, and too hard for A* in the time of a test.
HARD = {"counters/problem2.pddl"}


@pytest.fixture(autouse=True)
def _engine() -> None:
    register()
    get_environment().credits_stream = None


def solve(problem: Any, timeout: float | None = PATIENCE, **params: Any) -> Any:
    with OneshotPlanner(name="pg3", params=params) as planner:
        return planner.solve(problem, timeout=timeout)


def valid(problem: Any, found: Any) -> bool:
    return bool(SequentialPlanValidator().validate(problem, found))


def read_ferry() -> Any:
    return PDDLReader().parse_problem(str(FERRY / "domain.pddl"), str(FERRY / "small.pddl"))


# -- unified-planning's own problems ---------------------------------------------------------------


def test_the_supported_examples_are_known() -> None:
    """A new release may bring more: then this list is to grow."""
    kinds = {name: example.problem.kind for name, example in EXAMPLES.items()}
    supported = {name for name, kind in kinds.items() if Pg3Planner.supports(kind)}
    assert supported == SUPPORTED | PRODUCTS


@pytest.mark.parametrize("name", sorted(SUPPORTED))
def test_supported_examples_are_solved(name: str) -> None:
    problem = EXAMPLES[name].problem
    result = solve(problem)
    assert result.status == Status.SOLVED_SATISFICING
    # The validator does not know values that are undefined.
    is_undefined = "UNDEFINED_INITIAL_NUMERIC" in problem.kind.features
    assert is_undefined or valid(problem, result.plan)
    assert result.engine_name == "pg3"


@pytest.mark.parametrize("name", sorted(PRODUCTS))
def test_products_of_numbers_are_refused(name: str) -> None:
    """A kind does not tell them."""
    result = Pg3Planner().solve(EXAMPLES[name].problem)
    assert result.status == Status.UNSUPPORTED_PROBLEM
    assert "expected a linear sum" in result.log_messages[-1].message


@pytest.mark.parametrize("name", sorted(set(EXAMPLES) - SUPPORTED - PRODUCTS))
def test_other_examples_are_refused(name: str) -> None:
    problem = EXAMPLES[name].problem
    with pytest.raises(UPUsageError, match="cannot establish"):
        Pg3Planner().solve(problem)
    # Where an engine is selected by name, unified-planning only warns and goes on.
    with pytest.warns(UserWarning, match="cannot establish"):
        result = solve(problem)
    assert result.status == Status.UNSUPPORTED_PROBLEM
    assert "not supported" in result.log_messages[0].message


@pytest.mark.parametrize("path", PDDL, ids=lambda path: path.parent.name + "/" + path.name)
def test_pddl_files(path: Path) -> None:
    problem = PDDLReader().parse_problem(str(path.with_name("domain.pddl")), str(path))
    if not Pg3Planner.supports(problem.kind):
        with pytest.warns(UserWarning, match="cannot establish"):
            assert solve(problem).status == Status.UNSUPPORTED_PROBLEM
        return
    if f"{path.parent.name}/{path.name}" in HARD:
        assert (
            Pg3Planner(max_expansions=100).solve(problem).status == Status.UNSOLVABLE_INCOMPLETELY
        )
        return
    result = solve(problem)
    assert result.status == Status.SOLVED_SATISFICING
    assert valid(problem, result.plan)


def test_some_pddl_file_is_supported() -> None:
    problems = (
        PDDLReader().parse_problem(str(path.with_name("domain.pddl")), str(path)) for path in PDDL
    )
    assert any(Pg3Planner.supports(problem.kind) for problem in problems)


# -- as one engine among others --------------------------------------------------------------------


def test_registering_twice_changes_nothing() -> None:
    environment = Environment()
    register(environment)
    before = list(environment.factory.preference_list)
    register(environment)
    assert environment.factory.preference_list == before
    assert environment.factory.engines.count("pg3") == 1


def test_configuration_file_registers_it(tmp_path: Path) -> None:
    """What docs/how-to/unified-planning.md says of up.ini."""
    (tmp_path / "up.ini").write_text(
        "[engine pg3]\nmodule_name: pg3.integrations.up.engine\nclass_name: Pg3Planner\n"
    )
    program = tmp_path / "program.py"
    program.write_text(
        "from unified_planning.shortcuts import *\n"
        "from unified_planning.test.examples import get_example_problems\n"
        "get_environment().credits_stream = None\n"
        "problem = get_example_problems()['robot_loader'].problem\n"
        "print(OneshotPlanner(name='pg3').solve(problem).status.name)\n"
    )
    run = subprocess.run(
        [sys.executable, str(program)], check=True, capture_output=True, text=True, cwd=tmp_path
    )
    assert run.stdout.splitlines()[-1] == "SOLVED_SATISFICING"


def test_missing_extra_is_named() -> None:
    program = "import sys; sys.modules['unified_planning'] = None; import pg3.integrations.up"
    run = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert run.returncode == 1
    assert run.stderr.splitlines()[-1].endswith("pip install 'pg3[up]'")


def test_only_satisficing() -> None:
    assert Pg3Planner.satisfies(OptimalityGuarantee.SATISFICING)
    assert not Pg3Planner.satisfies(OptimalityGuarantee.SOLVED_OPTIMALLY)


def test_credits_name_the_engine() -> None:
    stream = io.StringIO()
    get_environment().credits_stream = stream
    OneshotPlanner(name="pg3")
    assert "Engine name: pg3" in stream.getvalue()


# -- policies --------------------------------------------------------------------------------------


def test_policy_from_a_file_with_a_domain_name() -> None:
    problem = read_ferry()
    result = solve(problem, policy=str(FERRY_POLICY))
    assert result.status == Status.SOLVED_SATISFICING
    assert valid(problem, result.plan)
    assert result.metrics["steps"] == str(len(result.plan.actions))
    assert "the policy reaches the goal" in result.log_messages[0].message


def test_policy_as_object_and_as_json_do_the_same(tmp_path: Path) -> None:
    problem = read_ferry()
    domain = convert([problem], name="ferry").domain
    policy = read_policy(FERRY_POLICY, domain)
    path = tmp_path / "policy.json"
    path.write_text(policy_to_json(policy, domain))
    plans = [solve(problem, policy=given).plan for given in (policy, path, FERRY_POLICY)]
    assert plans[0] == plans[1] == plans[2]


def test_failing_policy_is_no_verdict_on_the_problem() -> None:
    result = solve(read_ferry(), policy=DecisionList("empty", ()))
    assert result.status == Status.UNSOLVABLE_INCOMPLETELY
    assert result.plan is None
    assert "no rule applies after 0 steps" in result.log_messages[0].message


def test_guided_search_goes_where_the_policy_does_not() -> None:
    problem = read_ferry()
    result = solve(problem, policy=DecisionList("empty", ()), guided=True)
    assert result.status == Status.SOLVED_SATISFICING
    assert valid(problem, result.plan)
    with pytest.raises(UPUsageError, match="needs a policy"):
        solve(problem, guided=True)


def test_unfit_policies(tmp_path: Path) -> None:
    with pytest.raises(UPUsageError, match="no such file"):
        solve(read_ferry(), policy=str(tmp_path / "none.policy"))
    with pytest.raises(UPUsageError, match="expected, not 3"):
        solve(read_ferry(), policy=3)
    with pytest.raises(UPUsageError, match="predicate 'on' is not declared"):
        solve(ring(2, 2), policy=str(FERRY_POLICY))


# -- limits and messages ---------------------------------------------------------------------------


def test_limits() -> None:
    problem = ring(6, 5)
    assert solve(problem, timeout=0.0).status == Status.TIMEOUT
    assert solve(problem, max_expansions=3).status == Status.UNSOLVABLE_INCOMPLETELY
    assert solve(problem, memory_limit=0.001).status == Status.MEMOUT
    policy = DecisionList("empty", ())
    assert solve(problem, timeout=0.0, policy=policy).status == Status.TIMEOUT
    result = solve(read_ferry(), policy=FERRY_POLICY, max_steps=2)
    assert result.status == Status.UNSOLVABLE_INCOMPLETELY
    assert "within 2 steps" in result.log_messages[0].message


def test_unsolvable_is_proven() -> None:
    problem = ferry({"C0": "L0"}, {"C0": "L1"})
    problem.add_goal(problem.fluent("at")(problem.object("C0"), problem.object("L0")))
    result = solve(problem)
    assert result.status == Status.UNSOLVABLE_PROVEN
    assert result.plan is None


def test_messages_go_to_the_stream_too() -> None:
    stream = io.StringIO()
    with OneshotPlanner(name="pg3") as planner:
        result = planner.solve(ring(2, 2), output_stream=stream)
    assert stream.getvalue() == f"{result.log_messages[0].message}\n"


def test_what_is_ignored_is_said() -> None:
    with (
        OneshotPlanner(name="pg3") as planner,
        pytest.warns(UserWarning, match="no use of 'heuristic'"),
    ):
        planner.solve(ring(2, 2), heuristic=lambda _: 0.0)


# -- the same as from files ------------------------------------------------------------------------


@settings(max_examples=12)
@given(scenarios(PAPER, DERIVED))
def test_random_problems_through_unified_planning(scenario: Scenario) -> None:
    """What PDDL says and what unified-planning makes of it lead to the same plans."""
    problem, policy = scenario
    assume(not problem.domain.has_costs)
    try:
        theirs = PDDLReader().parse_problem_string(*texts(problem, REQUIREMENTS))
    except Exception:  # Its reader knows less PDDL than ours: no `either`, for one.
        assume(False)
    assert Pg3Planner.supports(theirs.kind)
    expected = plan(problem)
    found = solve(theirs)
    assert (found.plan is not None) == expected.solved
    if found.plan is not None:
        assert valid(theirs, found.plan)
    execution = execute(problem, policy)
    followed = solve(theirs, policy=policy)
    if execution.solved:
        actions = [
            (step.action.name, tuple(str(p) for p in step.actual_parameters))
            for step in followed.plan.actions
        ]
        assert actions == [tuple(step) for step in execution.plan]
    else:
        assert followed.plan is None
        assert execution.reason in followed.log_messages[0].message
    assert write_policy(policy)

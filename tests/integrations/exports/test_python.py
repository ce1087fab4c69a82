"""The exported Python module does what the executor does, and needs nothing but Python."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pg3.domains import DOMAINS, PAPER_DOMAINS
from pg3.integrations.exports import EXPORTS
from pg3.pddl import read_domain, read_problem
from pg3.planning import execute, policy_action
from pg3.policy import DecisionList, parse_policy, read_policy
from pg3.semantics.task import Task
from tests.conftest import REPOSITORY
from tests.extended.problems import MAKERS
from tests.oracle import matching
from tests.oracle.semantics import initial_state, instances
from tests.project.test_built_in_policies import policy_path
from tests.support.axiom_domains import TOWER
from tests.support.number_problems import (
    goal_facts,
    number_policies,
    number_problems,
    state_facts,
)
from tests.support.random_problems import EVERY_LANGUAGE, Scenario, scenarios, walks

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pg3.pddl import Domain, Problem
    from pg3.pddl.model import Atom

POLICIES = REPOSITORY / "examples" / "policies"
HAND_WRITTEN = (*PAPER_DOMAINS, "ferry-typed", "logistics", "miconic-once", "transport")


def module(policy: DecisionList, domain: Domain) -> dict[str, Any]:
    """The names of the exported module."""
    names: dict[str, Any] = {"__name__": "exported"}
    exec(compile(EXPORTS["python"].policy_text(policy, domain), "<exported>", "exec"), names)
    return names


def facts(atoms: Iterable[Atom]) -> list[tuple[str, ...]]:
    return [(atom.predicate, *atom.terms) for atom in atoms]


def objects(problem: Problem) -> dict[str, str]:
    return {o.name: o.type for o in problem.objects}


@settings(max_examples=40)
@given(st.data(), scenarios(*EVERY_LANGUAGE))
def test_same_action_in_every_state(data: st.DataObject, scenario: Scenario) -> None:
    problem, policy = scenario
    exported = module(policy, problem.domain)
    for state in data.draw(walks(problem)):
        match = matching.policy_action(problem, policy, state)
        unwanted = facts(problem.negative_goal)
        chosen = exported["next_action"](
            facts(state), facts(problem.goal), objects(problem), unwanted
        )
        assert chosen == (None if match is None else tuple(match.action))


@settings(max_examples=40)
@given(scenarios(*EVERY_LANGUAGE))
def test_same_execution(scenario: Scenario) -> None:
    problem, policy = scenario
    # An action whose cost the problem does not give cannot be done; the module knows no costs.
    assume(not problem.domain.has_costs)
    execution = execute(problem, policy, max_steps=50)
    run = module(policy, problem.domain)["run"](
        facts(problem.init),
        facts(problem.goal),
        objects(problem),
        facts(problem.negative_goal),
        max_steps=50,
    )
    assert run.status == execution.status
    assert run.plan == [tuple(step) for step in execution.plan]


@settings(max_examples=60)
@given(st.data())
def test_same_with_numbers(data: st.DataObject) -> None:
    problem = data.draw(number_problems())
    # Goals that rules cannot speak of are not for the module.
    assume(not problem.disjunctions)
    policy = data.draw(number_policies(problem.domain))
    exported = module(policy, problem.domain)
    execution = execute(problem, policy, max_steps=12)
    given = goal_facts(problem), objects(problem), goal_facts(problem, positive=False)
    run = exported["run"](state_facts(problem, problem.initial_state), *given, max_steps=12)
    assert (run.status, run.plan) == (execution.status, [tuple(step) for step in execution.plan])
    for state in data.draw(walks(problem)):
        match = matching.policy_action(problem, policy, state)
        chosen = exported["next_action"](state_facts(problem, state), *given)
        assert chosen == (None if match is None else tuple(match.action))
    # All that pg3 says can be done, and only that, and with the same result.
    state = initial_state(problem)
    things = exported["Objects"](objects(problem))
    for one in instances(problem):
        changed = exported["Facts"](state_facts(problem, state))
        done = exported["apply"](tuple(one.action), changed, things)
        assert done == one.applicable(state)
        expected = one.successor(state) if done else state
        assert set(changed) == set(exported["Facts"](state_facts(problem, expected)))


@pytest.mark.parametrize("name", ["blocksworld", "childsnack", "floortile", "transport"])
def test_policies_with_definitions(name: str) -> None:
    problem = MAKERS[name](4, random.Random(5))
    policy = read_policy(REPOSITORY / "tests" / "extended" / f"{name}.policy", problem.domain)
    execution = execute(problem, policy)
    run = module(policy, problem.domain)["run"](
        facts(problem.init), facts(problem.goal), objects(problem)
    )
    assert (run.status, run.plan) == ("solved", [tuple(step) for step in execution.plan])


def test_derived_facts_in_a_given_state_do_not_count() -> None:
    problem = TOWER
    policy = parse_policy(
        "(define (policy p) (:rule r :parameters (?x) :preconditions (clear ?x) "
        ":action (pick-up ?x)))",
        problem.domain,
    )
    exported = module(policy, problem.domain)
    given = [*facts(problem.init), ("clear", "a")]
    assert exported["next_action"](given, [], objects(problem)) == ("pick-up", ("c",))


@pytest.mark.parametrize("name", HAND_WRITTEN)
def test_hand_written_policies(name: str) -> None:
    built_in = DOMAINS[name]
    policy = read_policy(policy_path(name), built_in.domain)
    exported = module(policy, built_in.domain)
    sizes = {"train": 5, "test": 3 if name in PAPER_DOMAINS else 0}
    for split, count in sizes.items():
        for problem in built_in.problems(split, seed=0, count=count):
            execution = execute(problem, policy)
            run = exported["run"](facts(problem.init), facts(problem.goal), objects(problem))
            expected = [tuple(step) for step in execution.plan]
            assert (run.status, run.plan) == ("solved", expected), problem.name


FERRY = read_domain(REPOSITORY / "examples" / "ferry" / "domain.pddl")
FERRY_POLICY = read_policy(POLICIES / "ferry.policy", FERRY)
SMALL = read_problem(REPOSITORY / "examples" / "ferry" / "small.pddl", FERRY)


def test_module_imports_the_standard_library_only(tmp_path: Path) -> None:
    text = EXPORTS["python"].policy_text(FERRY_POLICY, FERRY)
    (tmp_path / "ferry_policy.py").write_text(text)
    program = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import ferry_policy
print(ferry_policy.run({facts(SMALL.init)!r}, {facts(SMALL.goal)!r}, {objects(SMALL)!r}).status)
print("pg3" in sys.modules)
"""
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", "-c", program],
        check=True,
        capture_output=True,
        text=True,
    )
    assert run.stdout.split() == ["solved", "False"]
    imported = {
        node.module for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)
    }
    imported |= {
        alias.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert imported == {"__future__", "collections.abc", "fractions", "pathlib", "sys", "typing"}


def test_docstring_shows_the_policy() -> None:
    docstring = ast.get_docstring(ast.parse(EXPORTS["python"].policy_text(FERRY_POLICY, FERRY)))
    assert docstring is not None
    policy = docstring[docstring.index("(define") :]
    assert parse_policy(policy, FERRY) == FERRY_POLICY


def command(tmp_path: Path, problem: str) -> subprocess.CompletedProcess[str]:
    """The module as a command, in an interpreter that knows no other packages."""
    module_file, problem_file = tmp_path / "ferry_policy.py", tmp_path / "p.pddl"
    module_file.write_text(EXPORTS["python"].policy_text(FERRY_POLICY, FERRY))
    problem_file.write_text(problem)
    return subprocess.run(
        [sys.executable, "-I", "-S", str(module_file), str(problem_file)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_module_is_a_command(tmp_path: Path) -> None:
    text = (REPOSITORY / "examples" / "ferry" / "small.pddl").read_text()
    done = command(tmp_path, text)
    plan = execute(SMALL, FERRY_POLICY).plan
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [str(action) for action in plan]
    stuck = command(tmp_path, text.replace("(empty-ferry)", ""))
    assert (stuck.returncode, stuck.stdout) == (1, "")
    assert stuck.stderr.startswith("not solved: no rule applies, or its action ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is not a PDDL problem"),
        ("(define (domain d))", "it has no goal"),
        ("(define (problem p) (:objects a - car) (:goal (and)))", "there is no type 'car'"),
        ("(define (problem p) (:goal (or (car a))))", "a goal with 'or' is not supported here"),
        ("(define (problem p) (:init (cars a)) (:goal (and)))", "no such predicate"),
    ],
)
def test_files_that_the_command_cannot_use(tmp_path: Path, text: str, message: str) -> None:
    done = command(tmp_path, text)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_the_command_does_not_find(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(EXPORTS["python"].policy_text(FERRY_POLICY, FERRY))
    done = subprocess.run(
        [sys.executable, module, "nothing.pddl"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "nothing.pddl: cannot be read: No such file or directory\n"


def test_what_is_public_is_documented() -> None:
    for node in ast.parse(EXPORTS["python"].policy_text(FERRY_POLICY, FERRY)).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), node.name


def test_wrong_facts_are_refused() -> None:
    exported = module(FERRY_POLICY, FERRY)
    ask = exported["next_action"]
    with pytest.raises(ValueError, match="no such predicate, or of another arity"):
        ask([("at", "c1")], [], {"c1": "object"})
    with pytest.raises(ValueError, match="there is no object 'c2'"):
        ask([("car", "c2")], [], {"c1": "object"})
    with pytest.raises(ValueError, match="there is no type 'car'"):
        ask([], [], {"c1": "car"})


def test_facts_can_change_from_state_to_state() -> None:
    exported = module(FERRY_POLICY, FERRY)
    state, goal = exported["Facts"](facts(SMALL.init)), exported["Facts"](facts(SMALL.goal))
    things = exported["Objects"](objects(SMALL))
    task = Task(SMALL)
    now = task.initial_state
    while not task.is_goal(now):
        chosen = exported["next_action"](state, goal, things)
        expected = policy_action(task, FERRY_POLICY, now)
        assert expected is not None
        assert chosen == tuple(expected.action)
        assert exported["apply"](chosen, state, things)
        now = task.successor(now, expected.action)
        assert set(state) == set(facts(now))
    assert not exported["apply"](("board", ("l1", "l1")), state, things)


@pytest.mark.parametrize(
    "conditions", ["(= ?x ?x)", "(= ?x ?y)", "(not (= ?x ?y))", "(at ?x ?x)", "(not (at ?x ?y))"]
)
def test_odd_conditions(conditions: str) -> None:
    policy = parse_policy(
        f"""(define (policy odd) (:rule odd :parameters (?x ?y)
          :preconditions (and {conditions}) :action (sail ?x ?y)))""",
        FERRY,
    )
    task = Task(SMALL)
    expected = policy_action(task, policy, task.initial_state)
    chosen = module(policy, FERRY)["next_action"](
        facts(SMALL.init), facts(SMALL.goal), objects(SMALL)
    )
    assert chosen == (None if expected is None else tuple(expected.action))

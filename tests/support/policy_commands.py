"""Every command that takes a policy, in this process, against the executor.

Whatever valid policy a stranger writes, a command ends with 0, 1 or 2 and a message, and says what
the executor does; and the executor does what the slow twin in `oracle` does. All limits are numbers
of steps and states, so that nothing here depends on the machine.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import re
import runpy
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

import typer.main
from typer.main import get_command

from pg3.cli.app import app
from pg3.cli.main import load, main
from pg3.errors import InputWarning
from pg3.learning.training import MAX_STEPS as TRAINING_STEPS
from pg3.pddl import read_domain, read_problem, write_domain, write_problem
from pg3.pddl.plans import parse_plan
from pg3.planning import ExecutionStatus, Limits, PlanStatus, execute, plan, policy_action
from pg3.planning.hybrid import solve_guided
from pg3.policy import (
    canonical_rule,
    parse_policy,
    policy_from_json,
    policy_to_json,
    read_policy,
    write_policy,
)
from pg3.policy.derived import NEXT, is_graph
from pg3.semantics.task import Task
from pg3.semantics.validation import validate
from pg3.viewer.play_data import MOST_STEPS
from tests.support.comparisons import assert_same_execution
from tests.support.number_problems import goal_facts, state_facts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pg3.pddl import Domain, Problem
    from pg3.planning import Execution
    from pg3.policy import DecisionList
    from tests.support.random_problems import Scenario

STEPS = 40
EXPANSIONS = 200


class Result(NamedTuple):
    """What a command ends with and prints."""

    code: int
    out: str
    err: str


class Case(NamedTuple):
    """A policy and a problem as files, and what the executor does with them."""

    folder: Path
    problem: Problem
    policy: DecisionList
    execution: Execution

    @property
    def domain(self) -> Domain:
        """The problem's domain."""
        return self.problem.domain

    def path(self, name: str) -> str:
        """A file of this case."""
        return str(self.folder / name)

    def run(self, command: str, *arguments: str) -> Result:
        """The command, with the words DOMAIN, PROBLEM and POLICY as the files of these."""
        files = {name: self.path(f"{name.lower()}.pddl") for name in ("DOMAIN", "PROBLEM")}
        files["POLICY"] = self.path("policy.policy")
        return run(command, *(files.get(word, word) for word in arguments))


def run(*arguments: str) -> Result:
    """The command line in this process; an exit code that no bad input explains is a failure."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            with mock.patch.object(typer.main, "get_command", lambda _: _command_line()):
                main(arguments)
            code = 0
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 0
    result = Result(code, out.getvalue(), err.getvalue())
    assert code in (0, 1, 2), (arguments, result)
    assert "Traceback" not in result.err, (arguments, result)
    return result


@functools.cache
def _command_line() -> Any:
    """All commands. To make them takes longer than to run them on a small problem."""
    load()
    return get_command(app)


def check_commands(scenario: Scenario, folder: Path) -> None:
    """Ask all commands about a policy on a problem."""
    with warnings.catch_warnings():
        # A random problem may well leave out what an action costs; commands say so and go on.
        warnings.filterwarnings("ignore", ".*: no value of", InputWarning)
        case = written(scenario, folder)
        for question in QUESTIONS:
            question(case)


def written(scenario: Scenario, folder: Path) -> Case:
    """The scenario as files, read again, carried out by the executor and by its slow twin."""
    texts = {
        "domain.pddl": write_domain(scenario.problem.domain),
        "problem.pddl": write_problem(scenario.problem),
        "policy.policy": write_policy(scenario.policy, scenario.problem.domain),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    domain = read_domain(folder / "domain.pddl")
    problem = read_problem(folder / "problem.pddl", domain)
    policy = read_policy(folder / "policy.policy", domain)
    assert policy == scenario.policy
    execution = assert_same_execution(problem, policy, STEPS)
    if execution.solved:
        assert validate(problem, execution.plan).valid
    return Case(folder, problem, policy, execution)


def _show(case: Case) -> None:
    """Text and JSON lose nothing, in any order."""
    text = case.run("show", "DOMAIN", "-p", "POLICY")
    assert text == (0, write_policy(case.policy, case.domain), "")
    assert parse_policy(text.out, case.domain) == case.policy
    data = case.run("show", "DOMAIN", "-p", "POLICY", "--format", "json")
    assert data == (0, policy_to_json(case.policy, case.domain), "")
    assert policy_from_json(data.out, case.domain) == case.policy
    path = case.folder / "policy.json"
    path.write_text(data.out, encoding="utf-8")
    assert case.run("show", "DOMAIN", "-p", str(path)) == text


def _solve(case: Case) -> None:
    found = case.run("solve", "DOMAIN", "PROBLEM", "-p", "POLICY", "--max-steps", str(STEPS))
    assert found.code == (not case.execution.solved), found
    if case.execution.solved:
        assert tuple(parse_plan(found.out, case.problem)) == tuple(case.execution.plan)
    else:
        why = str(case.execution.status)
        if case.execution.no_rule_applied:
            why = "no rule applies"
        elif case.execution.status is ExecutionStatus.NOT_APPLICABLE:
            why = "the chosen action cannot be done"
        assert found.out.startswith(f"not solved: {why} after "), found


def _solve_guided(case: Case) -> None:
    """What the policy solves it solves alone; a plan from search is valid, and so is "none"."""
    limits = Limits(expansions=10 * EXPANSIONS)
    outcome = solve_guided(case.problem, case.policy, max_steps=STEPS, limits=limits)
    if outcome.status not in (PlanStatus.SOLVED, PlanStatus.UNSOLVABLE):
        return  # The command has no limit on states, and there may be more than anybody can visit.
    path = case.folder / "guided.plan"
    options = ("--guided", "--max-steps", str(STEPS), "-o", str(path))
    found = case.run("solve", "DOMAIN", "PROBLEM", "-p", "POLICY", *options)
    if found.code == 0:
        steps = parse_plan(path.read_bytes(), case.problem)
        assert tuple(steps) == outcome.plan
        assert validate(case.problem, steps).valid
        checked = case.run("validate", "DOMAIN", "PROBLEM", str(path))
        assert checked.code == 0, checked
        if case.execution.solved:
            assert tuple(steps) == tuple(case.execution.plan)
        return
    assert found[:2] == (1, "not solved: the problem is unsolvable\n"), found
    assert plan(case.problem, limits=Limits(expansions=EXPANSIONS)).plan is None


def _evaluate(case: Case) -> None:
    options = ("-p", "POLICY", "--max-steps", str(STEPS), "--json", "-")
    found = case.run("evaluate", "DOMAIN", "PROBLEM", *options)
    assert found.code == (not case.execution.solved), found
    line = json.loads(found.out)
    assert (line["status"], line["steps"]) == (case.execution.status, case.execution.steps)
    assert f"solved {case.execution.solved:d}/1 " in found.err


def _explain(case: Case) -> None:
    """Each step's rule and action are what the executor chooses, also where it then stops."""
    given = ("DOMAIN", "PROBLEM", "-p", "POLICY", "--max-steps", str(STEPS))
    found = case.run("explain", *given, "--json", "-")
    assert found.code == (not case.execution.solved), found
    told = json.loads(found.out)
    assert told["status"] == case.execution.status
    assert told["plan"] == [str(action) for action in case.execution.plan]
    stuck = case.execution.status is ExecutionStatus.NOT_APPLICABLE
    assert len(told["steps"]) == len(case.execution.plan) + stuck
    task = Task(case.problem)
    state = task.initial_state
    for i, step in enumerate(told["steps"]):
        chosen = policy_action(task, case.policy, state)
        if chosen is None:
            assert (step["rule"], step["action"]) == (None, None)
            continue
        assert (step["rule"], step["action"]) == (chosen.rule + 1, str(chosen.action))
        if i < len(case.execution.plan):
            assert chosen.action == case.execution.plan[i]
            state = task.successor(state, chosen.action)
        else:
            # The action cannot be done: something is false or has no value.
            assert step["missing"] is not None, step
    # Not its messages: a warning about the problem comes twice, as it is read twice.
    assert case.run("explain", *given, "--from", "PROBLEM", "--json", "-")[:2] == found[:2]
    assert case.run("explain", *given).code == found.code
    for number in {1, len(told["steps"])} - {0}:
        one = case.run("explain", *given, "--step", str(number))
        assert one.code == (found.code if told["steps"] else 2), one
    if told["steps"]:
        last = case.run("explain", *given, "--step", str(len(told["steps"])), "--json", "-")
        assert json.loads(last.out)["steps"] == told["steps"][-1:]


def _view(case: Case) -> None:
    found = case.run("view", "DOMAIN", "PROBLEM", "-p", "POLICY", "-o", "-")
    assert found.code == 0, found
    data = _data(found.out)
    longer = execute(case.problem, case.policy, max_steps=MOST_STEPS)
    assert (data["status"], data["done"]) == (longer.status, longer.steps)
    shown = [step["action"] for step in data["steps"][: longer.steps]]
    assert shown == [str(action) for action in longer.plan]
    alone = case.run("view", "DOMAIN", "-p", "POLICY", "-o", case.path("policy.html"))
    assert alone.code == 0, alone


def _data(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found
    values: dict[str, Any] = json.loads(found[1])
    return values


def _score(case: Case) -> None:
    options = ("-p", "POLICY", "--astar-expansions", str(EXPANSIONS), "--json", "-")
    found = case.run("score", "DOMAIN", "PROBLEM", *options)
    assert found.code == 0, found
    card = json.loads(found.out)
    longer = execute(case.problem, case.policy, max_steps=TRAINING_STEPS)
    (row,) = card["problems"]
    assert card["solved"] == longer.solved
    assert (row["status"], row["steps"]) == (longer.status, longer.steps)
    assert (row["scores"]["policy-evaluation"] == 0) == longer.solved
    task = Task(case.problem)
    for key in ("guided_plan", "planner_plan"):
        if row[key] is None:
            continue
        steps = parse_plan("\n".join(row[key]["plan"]), case.problem)
        assert validate(case.problem, steps).valid
        missed = {one["step"]: one for one in row[key]["missed"]}
        state = task.initial_state
        for number, action in enumerate(steps, start=1):
            answer = policy_action(task, case.policy, state)
            assert (number in missed) == (answer is None or answer.action != action)
            if number in missed:
                chosen = None if answer is None else str(answer.action)
                assert missed[number]["chosen"] == chosen
            state = task.successor(state, action)
    shown = case.run("score", "DOMAIN", "PROBLEM", *options[:-2])
    assert shown.code == 0, shown


def _challenge(case: Case) -> None:
    """What it finds is a problem with a plan that the policy does not solve."""
    path = case.folder / "found.pddl"
    options = ("-n", "6", "--max-steps", str(STEPS), "--max-expansions", str(EXPANSIONS))
    found = case.run("challenge", "DOMAIN", "PROBLEM", "-p", "POLICY", *options, "-o", str(path))
    assert found.code in (0, 1), found
    if found.code == 1:
        counterexample = read_problem(path, case.domain)
        assert not execute(counterexample, case.policy, max_steps=STEPS).solved
        assert plan(counterexample, limits=Limits(expansions=20_000)).plan is not None
    elif not case.execution.solved:
        assert plan(case.problem, limits=Limits(expansions=EXPANSIONS)).plan is None


def _certify(case: Case) -> None:
    """It passes exactly if the policy solves the problem; its word can be checked again."""
    path = case.path("certificate.json")
    options = ("--max-steps", str(STEPS), "--max-expansions", str(EXPANSIONS), "-o", path)
    given = ("DOMAIN", "-p", "POLICY")
    found = case.run("certify", *given, "PROBLEM", *options)
    assert found.code in (0, 1), found
    if case.execution.solved:
        assert found.code == 0, found
    elif plan(case.problem, limits=Limits(expansions=EXPANSIONS)).plan is not None:
        assert found.code == 1, found
    checked = case.run("certify", *given, "--check", path)
    assert (checked.code, checked.out) == (found.code, found.out)
    reachable = ("--reachable", "--max-states", "60")
    everywhere = case.run("certify", *given, "PROBLEM", *reachable, *options)
    assert everywhere.code in ((1,) if found.code else (0, 1)), everywhere


def _doctor(case: Case) -> None:
    options = ("--max-expansions", str(EXPANSIONS), "--time-limit", "600")
    found = case.run("doctor", "DOMAIN", "PROBLEM", *options)
    assert found.code in (0, 1), found


def _export_python(case: Case) -> None:
    path = case.path("exported.py")
    found = case.run("export", "DOMAIN", "-p", "POLICY", "--to", "python", "-o", path)
    assert found.code == 0, found
    if case.domain.has_costs:
        return  # An action whose cost is not given cannot be done; the module knows no costs.
    ran = runpy.run_path(path)["run"](
        state_facts(case.problem, case.problem.initial_state),
        goal_facts(case.problem),
        {one.name: one.type for one in case.problem.objects},
        goal_facts(case.problem, positive=False),
        max_steps=STEPS,
    )
    assert ran.status == case.execution.status
    assert ran.plan == [tuple(step) for step in case.execution.plan]


def _export_json(case: Case) -> None:
    found = case.run("export", "DOMAIN", "-p", "POLICY", "--to", "json")
    assert found.code == 0, found
    assert policy_from_json(found.out, case.domain) == case.policy


def _export_axioms(case: Case) -> None:
    """Refused for distances only; else what the executor does is allowed, and any plan is valid."""
    folder = case.folder / "axioms"
    options = ("--to", "pddl-axioms", "-o", str(folder))
    found = case.run("export", "DOMAIN", "PROBLEM", "-p", "POLICY", *options)
    if case.domain.has_numbers:
        assert found.code == 2, found
        assert "has numbers, which this format does not express" in found.err
        assert found.err.count("\n") == 1
        return
    if _measures(case):
        assert found.code == 2, found
        assert "which know no distances" in found.err
        assert found.err.count("\n") == 1
        return
    assert found.code == 0, found
    restricted = read_problem(folder / "problem.pddl", read_domain(folder / "domain.pddl"))
    if case.execution.solved:
        assert validate(restricted, case.execution.plan).valid
    alone = plan(restricted, limits=Limits(expansions=EXPANSIONS), heuristic="blind")
    if alone.plan is not None:
        assert validate(case.problem, alone.plan).valid
    original, task = Task(case.problem), Task(restricted)
    possible = original.applicable(original.initial_state)
    allowed = task.applicable(task.initial_state)
    assert set(allowed) <= set(possible)
    first = policy_action(original, case.policy, original.initial_state)
    assert first is None or (first.action in allowed) == (first.action in possible)


def _measures(case: Case) -> bool:
    """Whether the policy speaks of distances."""
    conditions = [c for rule in case.policy.rules for c in rule.preconditions]
    conditions += [c for clause in case.policy.definitions for c in clause.conditions]
    return any(one.atom.predicate == NEXT and is_graph(one.atom, case.domain) for one in conditions)


def _learn(case: Case) -> None:
    """Kept rules stay; what is learned solves the problem if the command says so."""
    path = case.path("learned.policy")
    kept = [rule.name for rule in case.policy.rules[:1]]
    options = ["--start", "POLICY", "--max-candidates", "20", "--astar-expansions", "100"]
    options += [word for name in kept for word in ("--keep", name)]
    for preset in ("paper", "robust"):
        found = case.run("learn", "DOMAIN", "PROBLEM", *options, "--preset", preset, "-o", path)
        assert found.code in (0, 1, 2), found
        learned = read_policy(path, case.domain)
        rules = [canonical_rule(rule) for rule in learned.rules]
        assert all(canonical_rule(rule) in rules for rule in case.policy.rules[: len(kept)])
        solved = execute(case.problem, learned, max_steps=TRAINING_STEPS).solved
        assert (found.code == 0) <= solved, found


QUESTIONS: tuple[Callable[[Case], None], ...] = (
    _show,
    _solve,
    _solve_guided,
    _evaluate,
    _explain,
    _view,
    _score,
    _challenge,
    _certify,
    _doctor,
    _export_python,
    _export_json,
    _export_axioms,
    _learn,
)

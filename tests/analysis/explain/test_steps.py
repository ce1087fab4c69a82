"""Explanations as values, as text and as JSON; the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from pg3.analysis.explain import explain, explanation_values, read_state, tell, tell_step
from pg3.cli.app import app
from pg3.cli.main import load
from pg3.domains import PAPER_DOMAINS as DOMAINS
from pg3.errors import Pg3Error
from pg3.pddl import Atom, Literal, read_domain, read_problem
from pg3.planning import ExecutionStatus
from pg3.policy import parse_policy, read_policy

if TYPE_CHECKING:
    from pg3.pddl import Problem

EXAMPLES = Path(__file__).parents[3] / "examples"
FERRY = EXAMPLES / "ferry" / "domain.pddl"
SMALL = EXAMPLES / "ferry" / "small.pddl"
POLICY = EXAMPLES / "policies" / "ferry.policy"


def ferry() -> Problem:
    return read_problem(SMALL, read_domain(FERRY))


def test_a_solved_problem_step_by_step() -> None:
    problem = ferry()
    explanation = explain(problem, read_policy(POLICY, problem.domain))
    assert explanation.execution.solved
    assert explanation.ending == "the goal is reached"
    third = explanation.step(3)
    assert third.firing is not None
    assert third.firing.rule == 1
    assert third.firing.binding == {"?car": "c1", "?target": "l1", "?from": "l2"}
    assert third.firing.serves == (Literal(Atom("at", ("c1", "l1"))),)
    (passed,) = third.passed_over
    assert passed.rule == 0
    assert [str(c.literal) for c in passed.miss.false] == ["(at-ferry l1)"]
    assert third.next_goal == (Literal(Atom("at", ("c1", "l1"))), 4)
    assert explanation.step(4).achieves == (Literal(Atom("at", ("c1", "l1"))),)
    assert explanation.fired() == [3, 2, 1, 0, 3, 2, 1, 0]
    assert explanation.state(8) == explanation.state(7) - {Atom("on", ("c2",))} | {
        Atom("at", ("c2", "l2")),
        Atom("empty-ferry"),
    }
    with pytest.raises(IndexError):
        explanation.step(9)


@pytest.mark.parametrize("name", list(DOMAINS))
def test_every_domain_is_explained(name: str) -> None:
    built_in = DOMAINS[name]
    policy = read_policy(EXAMPLES / "policies" / f"{name}.policy", built_in.domain)
    for split in ("train", "test"):
        problem = built_in.problems(split, seed=0, count=1)[0]
        explanation = explain(problem, policy)
        assert explanation.execution.solved
        text = tell(explanation)
        assert text.endswith(f"stopped after {len(explanation.plan)} steps: the goal is reached\n")
        assert tell_step(explanation, len(explanation.plan)).startswith("step ")


def broken(text: str) -> str:
    problem = ferry()
    policy = parse_policy(f"(define (policy broken) {text})", problem.domain)
    return tell(explain(problem, policy, max_steps=40))


def test_why_it_stops() -> None:
    assert "no rule applies" in broken("")
    cycle = broken(
        """(:rule go :parameters (?x ?a ?b) :preconditions (and (at-ferry ?a) (not-eq ?a ?b))
           :goals (at ?x ?x) :action (sail ?a ?b))
           (:rule back :parameters (?a ?b) :preconditions (and (at-ferry ?a) (not-eq ?a ?b))
           :action (sail ?a ?b))"""
    )
    assert "after step 2 everything is as before step 1, so" in cycle
    assert "not rule 1 'go'" in cycle
    assert "the goal does not ask for" in cycle
    impossible = broken("(:rule b :parameters (?c ?l) :goals (at ?c ?l) :action (board ?c ?l))")
    assert "cannot be done: it needs (at c1 l1)" in impossible
    assert "open goals: (at c1 l1) (at c2 l2)" in impossible
    problem = ferry()
    policy = read_policy(POLICY, problem.domain)
    short = explain(problem, policy, max_steps=2)
    assert short.status is ExecutionStatus.HORIZON
    assert "not reached within 2 steps" in tell(short)


def test_json_has_what_the_text_has() -> None:
    problem = ferry()
    explanation = explain(problem, read_policy(POLICY, problem.domain))
    values = json.loads(json.dumps(explanation_values(explanation, [3])))
    assert values["format"] == "pg3-explanation"
    assert values["status"] == "solved"
    assert len(values["plan"]) == 8
    (step,) = values["steps"]
    assert step["rule"] == 2
    assert step["words"] == "sail from l2 to l1"
    assert step["passed_over"][0]["false"] == [{"condition": "(at-ferry l1)", "of_goal": False}]


# -- states from files -----------------------------------------------------------------------------


def test_a_state_from_atoms_or_from_a_problem(tmp_path: Path) -> None:
    problem = ferry()
    atoms = tmp_path / "state.txt"
    atoms.write_text("; c1 is on board\n(on C1) (at-ferry l1)\n(at c2 l3)\n")
    state = read_state(atoms, problem)
    assert Atom("on", ("c1",)) in state
    assert Atom("car", ("c1",)) in state
    assert read_state(SMALL, problem) == frozenset(problem.init)
    explanation = explain(problem, read_policy(POLICY, problem.domain), start=state)
    assert str(explanation.plan[0]) == "(debark c1 l1)"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("(on c1)\n(at-ferry l9)", "state.txt:2:11", "l9"),
        ("(flying c1)", "state.txt:1:2", "flying"),
        ("(on c1", "state.txt:", "closed"),
    ],
)
def test_faults_in_a_state(tmp_path: Path, text: str, place: str, message: str) -> None:
    path = tmp_path / "state.txt"
    path.write_text(text)
    with pytest.raises(Pg3Error) as error:
        read_state(path, ferry())
    assert place in str(error.value)
    assert message in str(error.value)


# -- the command -----------------------------------------------------------------------------------


def run(*arguments: str | int | Path) -> tuple[int, str, str]:
    load("explain")
    result = CliRunner().invoke(app, ["explain", *map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


def test_the_command(tmp_path: Path) -> None:
    code, out, _ = run(FERRY, SMALL, "--policy", POLICY)
    assert code == 0
    assert out.startswith("Debark a car at the location where the goal wants it;")
    assert "step 3: (sail l2 l1)   rule 2 'sail-to-target'" in out
    code, out, _ = run(FERRY, SMALL, "--policy", POLICY, "--step", 3)
    assert code == 0
    assert out.startswith("step 3:")
    assert "now true: (at-ferry l1)" in out
    code, out, _ = run(FERRY, SMALL, "--policy", POLICY, "--json", "-")
    assert len(json.loads(out)["steps"]) == 8
    code, _, err = run(FERRY, SMALL, "--policy", POLICY, "--step", 99)
    assert code == 2
    assert "there is no step 99: the policy stops after 8 steps" in err
    state = tmp_path / "state.txt"
    state.write_text("(on c1) (at-ferry l1) (at c2 l2)")
    code, out, _ = run(FERRY, SMALL, "--policy", POLICY, "--from", state, "--step", 1)
    assert "debark c1 at l1; for the goal (at c1 l1), now reached" in out
    code, out, _ = run(FERRY, SMALL, "--policy", POLICY, "--max-steps", 1)
    assert code == 1


def test_a_long_plan_is_summed_up(tmp_path: Path) -> None:
    from pg3.pddl import write_problem

    problem = DOMAINS["ferry"].problems("test", seed=0, count=1)[0]
    path = tmp_path / "large.pddl"
    path.write_text(write_problem(problem))
    domain = tmp_path / "domain.pddl"
    domain.write_text(DOMAINS["ferry"].text)
    code, out, _ = run(domain, path, "--policy", POLICY)
    assert code == 0
    assert "--step K tells all about one of them" in out
    assert "rule 1 'debark-at-target':" in out
    assert out.count("\n") < 60

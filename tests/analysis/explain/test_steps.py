"""Explanations as values, as text and as JSON; the command."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from pg3.analysis.explain import (
    Explanation,
    explain,
    explanation_values,
    read_state,
    tell,
    tell_brief,
    tell_policy,
    tell_step,
)
from pg3.cli.app import app
from pg3.cli.main import load
from pg3.domains import PAPER_DOMAINS as DOMAINS
from pg3.errors import Pg3Error
from pg3.pddl import Atom, Literal, parse_domain, parse_problem, read_domain, read_problem
from pg3.planning import ExecutionStatus
from pg3.policy import parse_policy, read_policy
from pg3.semantics.effects import Effects

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


CIRCLE = """(define (domain circle) (:types place - object)
  (:predicates (here ?p - place) (next ?a ?b - place) (seen ?p - place) (done) (tired))
  (:action go :parameters (?a ?b - place) :precondition (and (here ?a) (next ?a ?b))
    :effect (and (here ?b) (not (here ?a)) (seen ?b)))
  (:action finish :parameters () :precondition (tired) :effect (done)))"""


def on_a_circle(before: int, around: int, goal: str, rules: str = "") -> Explanation:
    """A policy that goes along places, and then round for ever."""
    domain = parse_domain(CIRCLE)
    names = [f"p{i}" for i in range(before + around)]
    edges = [*itertools.pairwise(names), (names[-1], names[before])]
    problem = parse_problem(
        f"""(define (problem p) (:domain circle) (:objects {" ".join(names)} - place)
        (:init (here p0) {" ".join(f"(seen {p})" for p in names)}
        {" ".join(f"(next {a} {b})" for a, b in edges)}) (:goal (and {goal})))""",
        domain,
    )
    go = """(:rule go :parameters (?a ?b - place) :preconditions (and (here ?a) (next ?a ?b))
      :action (go ?a ?b))"""
    return explain(problem, parse_policy(f"(define (policy p) {rules} {go})", domain))


def test_a_brief_explanation_keeps_the_end() -> None:
    """A user asks why it ends as it does; the cycle is told in full."""
    lines = tell_brief(on_a_circle(200, 3, "(done)")).splitlines()
    assert [line.split()[0] for line in lines[:12]] == [*map(str, range(1, 11)), "...", "114"]
    assert lines[10] == "... 103 more steps"
    at = lines.index("      the cycle:")
    assert [line[:30].split("  1 go")[0].strip() for line in lines[at + 1 : at + 4]] == [
        "201  (go p200 p201)",
        "202  (go p201 p202)",
        "203  (go p202 p200)",
    ]
    assert lines[at + 4].startswith("stopped after 203 steps: it goes round in a cycle")
    assert "..." not in tell_brief(on_a_circle(90, 10, "(done)")), "this is short enough"
    assert "the cycle:" not in tell_brief(on_a_circle(0, 5, "(done)")), "there is nothing else"


def test_a_summary_has_the_cycle() -> None:
    lines = tell(on_a_circle(40, 3, "(done)")).splitlines()
    at = lines.index("the cycle:")
    assert [line.split()[0] for line in lines[at + 1 : at + 4]] == ["41", "42", "43"]
    long = tell(on_a_circle(10, 50, "(done)")).splitlines()
    at = long.index("the cycle:")
    assert long[at + 1].split()[0] == "11"
    assert long[at + 11] == "... 30 more steps"
    assert long[at + 21].split()[0] == "60"


def test_goals_that_no_rule_has() -> None:
    rule = """(:rule rest :parameters (?p - place) :preconditions (tired) :goals (seen ?p)
      :action (finish))"""
    told = tell(on_a_circle(0, 2, "(done) (seen p1) (not (here p0))", rule))
    assert "  no rule has these goals: (done) (not (here p0))\n" in told
    assert "no rule has" not in tell(on_a_circle(0, 2, "(done)")), "this policy asks for no goals"


def test_actions_that_no_rule_does() -> None:
    assert "  no rule does this: finish\n" in tell(on_a_circle(0, 2, "(done)"))
    every = "(:rule rest :preconditions (tired) :action (finish))"
    assert "no rule does" not in tell(on_a_circle(0, 2, "(done)", every))


def test_of_a_long_policy_the_rules_that_matter_are_read_out() -> None:
    others = "".join(
        f"(:rule r{i} :preconditions (and (tired) (not (done))) :action (finish))" for i in range(9)
    )
    turning = on_a_circle(0, 2, "(done)", others)
    told = tell_policy(turning.policy, turning.problem.domain, turning)
    assert told.splitlines()[2].startswith("rule 10 'go': ")
    assert told.endswith("; pg3 show has them all\n")
    stuck = explain(turning.problem, replace(turning.policy, rules=turning.policy.rules[:9]))
    told = tell_policy(stuck.policy, stuck.problem.domain, stuck)
    assert told.count("\nrule ") == 3, "those that come nearest"
    assert "... 6 more rules" in told


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
    assert (
        "rule 1 'debark-at-target': Debark a car at the location where the goal wants it.\n" in out
    )
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


def test_where_no_rule_applies_a_planner_says_how_to_go_on(tmp_path: Path) -> None:
    half = tmp_path / "half.policy"
    half.write_text(
        "(define (policy half) (:rule board :parameters (?c ?l) :preconditions"
        " (and (at ?c ?l) (at-ferry ?l) (empty-ferry)) :action (board ?c ?l)))"
    )
    code, out, _ = run(FERRY, SMALL, "--policy", half)
    assert code == 1
    assert "stopped after " in out
    last = " ".join(out[out.index("  a planner goes on with: ") :].split())
    assert re.fullmatch(r"a planner goes on with: (\([a-z0-9 ]+\) ){5}and [0-9]+ more steps?", last)
    code, out, _ = run(FERRY, SMALL, "--policy", half, "--brief")
    assert "a planner goes on with: (" in out
    code, out, _ = run(FERRY, SMALL, "--policy", POLICY)
    assert "a planner" not in out, "the goal is reached"
    code, out, _ = run(FERRY, SMALL, "--policy", POLICY, "--max-steps", 1)
    assert "a planner" not in out, "it could go on itself"


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


def test_states_one_after_the_other_are_not_worked_out_from_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    explanation = on_a_circle(20, 30, "(done)")
    steps = len(explanation.plan)
    done: list[Any] = []
    changes = Effects.changes

    def counted(*given: Any) -> Any:
        done.append(given)
        return changes(*given)

    monkeypatch.setattr(Effects, "changes", counted)
    for number in range(1, steps + 1):
        explanation.step(number)
    assert steps > 40
    # For each step the state before it, perhaps again after a later one, and the one after it.
    assert len(done) <= 4 * steps

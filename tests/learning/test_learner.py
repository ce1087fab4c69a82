"""Learning: the presets, determinism, and problems that are no good to learn from."""

from __future__ import annotations

import json
import math
import random
import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from pg3.errors import Pg3Error
from pg3.learning.config import LearnConfig
from pg3.learning.learner import learn
from pg3.learning.operators import OPERATORS, PAPER_OPERATORS
from pg3.learning.result import LearningResult, Status, TrainingProblem
from pg3.learning.robustness.perturbations.permutations import shuffled
from pg3.learning.scores import SCORES
from pg3.pddl.model import Atom, Literal, Problem
from pg3.planning import execute
from pg3.policy import check_policy
from pg3.semantics.validation import validate
from tests.support.errands import FETCH
from tests.support.ferry_problems import FERRY, ferry_problem, small_ferry_problems
from tests.support.random_problems import problems

if TYPE_CHECKING:
    from pg3.learning.config import Preset

PROBLEMS = small_ferry_problems(8)
ALREADY_SOLVED = ferry_problem({"c0": "l1"}, {"c0": "l1"}, 3, "already-solved")
# Where there is no (not-eq a b) the ferry cannot sail from a to b.
UNSOLVABLE = Problem.of(
    "unsolvable",
    FERRY,
    PROBLEMS[0].objects,
    [atom for atom in PROBLEMS[0].init if atom.predicate != "not-eq"],
    [Literal(atom) for atom in PROBLEMS[0].goal],
)


def facts(result: LearningResult) -> tuple[object, ...]:
    """Everything about a result but the time."""
    return (
        *(result.policy, result.score, result.problems, result.method, result.reason),
        *(result.candidates, result.expansions, result.grown, result.status, result.summary),
    )


# -- presets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["robust", "paper"])
def test_ferry_is_learned(preset: Preset) -> None:
    result = learn(FERRY, PROBLEMS, preset=preset)
    check_policy(result.policy, FERRY)
    assert (result.solved, result.score) == (True, 0)
    assert result.status is Status.PASSED
    assert result.reason == "perfect training score"
    for known, problem in zip(result.problems, PROBLEMS, strict=True):
        execution = execute(problem, result.policy)
        assert known[:3] == (problem.name, execution.steps, None)
        assert validate(problem, execution.plan).valid
    large = ferry_problem(
        {f"c{i}": f"l{i % 9}" for i in range(30)},
        {f"c{i}": f"l{i * 7 % 20}" for i in range(30)},
        20,
    )
    assert execute(large, result.policy).solved


def test_the_paper_preset_is_one_search_on_all_problems() -> None:
    told = []
    result = learn(
        FERRY,
        PROBLEMS,
        preset="paper",
        max_candidates=40,
        operators=["add-rule", "add-condition"],
        observe=lambda method, candidate, book: told.append((method, candidate)),
    )
    assert {method for method, _ in told} == {"search"}
    assert [candidate.number for _, candidate in told] == list(range(41))
    assert {candidate.operator for _, candidate in told} == {None, "add-rule", "add-condition"}
    assert all(len(c.evaluation.by_problem) == len(PROBLEMS) for _, c in told)
    assert (result.candidates, result.reason) == (40, "candidate limit")
    assert not result.solved


# -- limits of the search --------------------------------------------------------------------------


def test_a_limit_on_expanded_policies() -> None:
    result = learn(
        FERRY, PROBLEMS, preset="paper", max_expansions=3, operators=["add-rule", "add-condition"]
    )
    assert (result.expansions, result.reason) == (3, "expansion limit")
    assert result.effort.startswith(f"{result.candidates} candidates, 3 expanded, ")
    # It is the only limit then, unless candidates are limited as well.
    both = learn(FERRY, PROBLEMS, preset="paper", max_expansions=3, max_candidates=2)
    assert (both.candidates, both.reason) == (2, "candidate limit")


def test_as_printed_a_perfect_score_is_no_end() -> None:
    early = learn(FERRY, PROBLEMS, preset="paper")
    assert early.reason == "perfect training score"
    result = learn(FERRY, PROBLEMS, preset="paper", as_printed=True, max_expansions=20)
    assert (result.expansions, result.reason) == (20, "expansion limit")
    assert (result.score, result.solved) == (0, True)


def test_as_printed_expansions_are_whole() -> None:
    parents: list[int | None] = []
    learn(
        FERRY,
        PROBLEMS,
        preset="paper",
        as_printed=True,
        max_expansions=5,
        observe=lambda method, candidate, book: parents.append(candidate.parent),
    )
    changes = sum(one != other for one, other in pairwise(parents))
    assert changes == len(set(parents)) - 1


@pytest.mark.parametrize(
    ("given", "limits"),
    [
        ((None, None, False), (2500, None)),
        ((7, None, False), (7, None)),
        ((None, 7, False), (None, 7)),
        ((8, 7, False), (8, 7)),
        ((None, None, True), (None, 2500)),
        ((7, None, True), (7, None)),
        ((None, 7, True), (None, 7)),
    ],
)
def test_the_limits_where_some_are_not_given(
    given: tuple[int | None, int | None, bool], limits: tuple[int | None, int | None]
) -> None:
    candidates, expansions, as_printed = given
    config = LearnConfig(
        preset="paper", max_candidates=candidates, max_expansions=expansions, as_printed=as_printed
    )
    assert config.limits == limits
    # What a run's folder says leads to the same limits again.
    assert LearnConfig(**config.stored()).limits == limits


@pytest.mark.parametrize("options", [{"max_expansions": 5}, {"as_printed": True}])
def test_options_of_the_paper_preset_alone(options: dict[str, Any]) -> None:
    with pytest.raises(Pg3Error, match="is for the preset paper"):
        learn(FERRY, PROBLEMS, **options)


# -- the robust preset -----------------------------------------------------------------------------


def test_what_the_robust_preset_says_of_its_result() -> None:
    result = learn(FERRY, PROBLEMS)
    grown = result.grown
    assert (grown.number > 0, grown.failed, grown.counterexamples) == (True, 0, ())
    assert grown.objects > max(len(problem.all_objects) for problem in PROBLEMS)
    assert result.summary == (
        f"{len(result.policy.rules)} rules; solves all {len(PROBLEMS)} training problems and "
        f"{grown.number} grown ones of up to {grown.objects} objects"
    )


def test_every_candidate_of_every_proposer_is_told_of() -> None:
    told: dict[str, int] = {}

    def observe(method: str, candidate: object, book: object) -> None:
        told[method] = told.get(method, 0) + 1

    # Too few for any search: regression alone would do.
    operators = ["add-rule", "add-condition"]
    result = learn(FERRY, PROBLEMS[:4], observe=observe, operators=operators, max_candidates=20)
    assert len(told) > 1
    # The policy that a search starts with is told of, but is no candidate.
    assert sum(told.values()) > result.candidates > 0


def test_the_order_of_objects_has_no_say() -> None:
    """A policy of the robust preset solves the training problems under any names and orders."""
    result = learn(FERRY, PROBLEMS)
    generator = random.Random(99)
    for problem in PROBLEMS * 5:
        assert execute(shuffled(problem, generator), result.policy).solved


def test_shuffling_keeps_the_problem() -> None:
    other = shuffled(PROBLEMS[0], random.Random(1))
    assert other.objects != PROBLEMS[0].objects
    assert sorted(other.objects) == sorted(PROBLEMS[0].objects)
    assert set(other.init) == set(PROBLEMS[0].init)
    assert set(other.goal) == set(PROBLEMS[0].goal)


@pytest.mark.parametrize("preset", ["robust", "paper"])
@pytest.mark.parametrize("score", SCORES)
def test_every_score_with_every_preset(preset: Preset, score: str) -> None:
    # Without all operators of the paper there is no regression, which has no score.
    result = learn(
        FERRY,
        PROBLEMS[:4],
        preset=preset,
        score=score,
        operators=["add-rule", "add-condition"],
        max_candidates=40,
    )
    check_policy(result.policy, FERRY)
    assert result.candidates > 0


# -- the same result always ------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["robust", "paper"])
def test_the_same_arguments_give_the_same_result(preset: Preset) -> None:
    once = facts(learn(FERRY, PROBLEMS, preset=preset, max_candidates=300))
    assert facts(learn(FERRY, PROBLEMS, preset=preset, max_candidates=300)) == once
    assert facts(learn(FERRY, PROBLEMS, preset=preset, max_candidates=300, jobs=2)) == once
    watched = learn(FERRY, PROBLEMS, preset=preset, max_candidates=300, observe=lambda *_: None)
    assert facts(watched) == once


def test_operators_are_applied_in_the_order_of_the_paper() -> None:
    once = facts(learn(FERRY, PROBLEMS, preset="paper"))
    assert facts(learn(FERRY, PROBLEMS, preset="paper", operators=[*reversed(OPERATORS)])) == once


# -- bad cases -------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["robust", "paper"])
def test_a_problem_that_is_solved_already_is_left_out(preset: Preset) -> None:
    result = learn(FERRY, [ALREADY_SOLVED, *PROBLEMS], preset=preset)
    assert result.problems[0] == TrainingProblem(
        "already-solved", 0, "its goal holds at the start", learned_from=False
    )
    assert result.policy == learn(FERRY, PROBLEMS, preset=preset).policy


@pytest.mark.parametrize("preset", ["robust", "paper"])
def test_a_problem_without_solution_is_left_out(preset: Preset) -> None:
    result = learn(FERRY, [*PROBLEMS, UNSOLVABLE], preset=preset)
    assert result.problems[-1] == TrainingProblem("unsolvable", None, "it has no solution", False)
    # It does not count against the policy.
    assert result.solved


def test_nothing_to_learn_from() -> None:
    result = learn(FERRY, [ALREADY_SOLVED, UNSOLVABLE])
    assert result.policy.rules == ()
    assert (result.reason, result.candidates) == ("nothing to learn", 0)
    assert [problem.steps for problem in result.problems] == [0, None]


@pytest.mark.parametrize("preset", ["robust", "paper"])
def test_problems_that_the_planner_cannot_solve_stay(preset: Preset) -> None:
    """Guided by a good policy the planner may well solve them, and so they count."""
    result = learn(FERRY, PROBLEMS, preset=preset, astar_expansions=1, max_candidates=100)
    assert all(problem.left_out is None for problem in result.problems)
    assert result.candidates > 0

    hard = ferry_problem(
        {f"c{i}": f"l{i}" for i in range(12)}, {f"c{i}": f"l{(i + 5) % 12}" for i in range(12)}, 12
    )
    mixed = learn(FERRY, [hard, *PROBLEMS], preset=preset, astar_expansions=100)
    assert mixed.problems[0].left_out is None
    assert mixed.solved


@pytest.mark.parametrize("preset", ["robust", "paper"])
def test_a_goal_that_mentions_a_static_fact(preset: Preset) -> None:
    start, goal = {"c0": "l1", "c1": "l2"}, {"c0": "l2", "c1": "l0"}
    true = ferry_problem(start, goal, 4, "t", (Literal(Atom("location", ("l1",))),))
    false = ferry_problem(start, goal, 4, "f", (Literal(Atom("location", ("c1",))),))
    absent = ferry_problem(start, goal, 4, "a", (Literal(Atom("car", ("l1",)), False),))
    result = learn(FERRY, [true, false, absent, *PROBLEMS], preset=preset)
    assert [problem.left_out for problem in result.problems[:3]] == [
        None,
        "it has no solution",
        None,
    ]
    assert result.solved


def test_no_problems() -> None:
    with pytest.raises(Pg3Error, match="no training problems: learning needs at least one"):
        learn(FERRY, [])


def test_problems_of_another_domain() -> None:
    with pytest.raises(Pg3Error, match="problem 'errand' is of another domain"):
        learn(FERRY, [*PROBLEMS, FETCH])


def test_two_problems_with_one_name() -> None:
    twins = [
        Problem.of("twin", FERRY, p.objects, p.init, [Literal(atom) for atom in p.goal])
        for p in PROBLEMS
    ]
    result = learn(FERRY, twins)
    assert [problem.name for problem in result.problems] == ["twin"] * len(twins)
    assert result.policy == learn(FERRY, PROBLEMS).policy


def test_one_problem_twice() -> None:
    result = learn(FERRY, [PROBLEMS[0], PROBLEMS[0]])
    assert result.solved


@pytest.mark.parametrize(
    ("option", "value"),
    [("score", "luck"), ("preset", "fast"), ("accumulate", "min"), ("operators", ["fly"])],
)
def test_unknown_names(option: str, value: Any) -> None:
    options: dict[str, Any] = {option: value}
    with pytest.raises(Pg3Error, match=r"unknown .*: choose from"):
        learn(FERRY, PROBLEMS, **options)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("sede", 3, "unknown option 'sede': did you mean 'seed'?"),
        ("jobs", 0, "'jobs': a whole number from 1 is expected, not 0"),
        ("rollout_steps", 1.5, "'rollout_steps': a whole number from 0 is expected, not 1.5"),
        ("time_limit", -1, "'time_limit': a number from 0 is expected, not -1"),
        ("operators", "add-rule", "'operators': a list is expected, not \"add-rule\""),
        ("as_printed", 1, "'as_printed': true or false is expected, not 1"),
        ("score", object(), "cannot be its value"),
    ],
)
def test_wrong_options(option: str, value: Any, message: str) -> None:
    with pytest.raises(Pg3Error, match=re.escape(message)):
        learn(FERRY, PROBLEMS, **{option: value})


def test_a_config_or_its_options() -> None:
    config = LearnConfig(preset="paper", max_candidates=3, time_limit=math.inf)
    assert config.time_limit is None
    told = [
        learn(FERRY, PROBLEMS, config),
        learn(FERRY, PROBLEMS, preset="paper", max_candidates=3),
        learn(FERRY, PROBLEMS, LearnConfig(preset="paper", max_candidates=2), max_candidates=3),
    ]
    assert [result.candidates for result in told] == [3] * 3
    assert len({result.policy for result in told}) == 1


def test_what_files_have_is_the_config_again() -> None:
    config = LearnConfig(
        preset="paper", seed=3, max_expansions=0, as_printed=True, keep=("a",), operators=()
    )
    assert LearnConfig(**json.loads(json.dumps(config.stored()))) == config
    plain = LearnConfig()
    assert LearnConfig(**plain.stored()) == plain.resolved()
    assert "as_printed" not in plain.stored()
    assert "jobs" not in plain.stored()


def test_a_time_limit_is_kept() -> None:
    result = learn(FERRY, PROBLEMS, time_limit=0.0)
    assert result.reason in ("time limit", "perfect training score")
    check_policy(result.policy, FERRY)


@settings(max_examples=25)
@given(problems())
def test_any_problem_at_all(problem: Problem) -> None:
    """A well-formed policy comes out, and what is said of it is true."""
    for preset in ("robust", "paper"):
        result = learn(
            problem.domain, [problem], preset=preset, max_candidates=40, astar_expansions=100
        )
        check_policy(result.policy, problem.domain)
        (known,) = result.problems
        execution = execute(problem, result.policy, max_steps=1000)
        assert known.steps == (execution.steps if execution.solved else None)
        if execution.solved:
            assert validate(problem, execution.plan).valid


# -- nothing changes in silence --------------------------------------------------------------------


def test_one_more_operator_changes_nothing_for_a_run_that_names_the_papers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def told() -> list[str]:
        methods: list[str] = []
        learn(
            FERRY,
            PROBLEMS[:4],
            operators=PAPER_OPERATORS,
            max_candidates=20,
            observe=lambda method, candidate, book: methods.append(method),
        )
        return methods

    before = told()
    assert before[0] == "goal regression"
    monkeypatch.setitem(OPERATORS, "another", OPERATORS["delete-rule"])
    assert told() == before


def test_the_papers_operators_are_registered() -> None:
    assert tuple(OPERATORS)[:5] == PAPER_OPERATORS


def listed_otherwise(problem: Problem) -> Problem:
    """The same problem under another name, with everything in another order."""
    return Problem.of(
        "copy",
        problem.domain,
        problem.objects[::-1],
        list(problem.init)[::-1],
        [Literal(atom) for atom in problem.goal][::-1],
    )


def test_a_copy_is_a_copy_in_whatever_order() -> None:
    result = learn(FERRY, [*PROBLEMS[:3], listed_otherwise(PROBLEMS[1])], max_candidates=1)
    assert [problem.left_out for problem in result.problems] == [
        *(None, None, None, "it is the same as problem 2"),
    ]


def test_other_costs_make_another_problem() -> None:
    one = PROBLEMS[0]
    assert listed_otherwise(one).content == one.content
    assert replace(one, function_values={Atom("far"): 3}).content != one.content

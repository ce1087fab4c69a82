"""The counterexample loop: with made-up proposers, and what it comes to with real ones."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from pg3 import _native
from pg3.domains import DOMAINS
from pg3.errors import Pg3Error
from pg3.learning.learner import learn
from pg3.learning.policy_search import StopReason
from pg3.learning.result import LearningResult, Status
from pg3.learning.robustness.perturbations.made_problems import GrownProblem, size_of
from pg3.learning.robustness.proposers import Proposal
from pg3.learning.robustness.test_suite import Suite
from pg3.learning.robustness.verdicts import NONE_GROWN, Grown, Result, Verdict
from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.model import Atom, Literal, Problem
from pg3.planning import PlanStatus, execute, plan
from pg3.policy import DecisionList, read_policy
from pg3.semantics.task import Task
from tests.conftest import REPOSITORY
from tests.support.ferry_problems import FERRY, POLICY, ferry_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.learning.config import Preference
    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey

    Run = Callable[..., LearningResult]

# The ferry is where the car is. A policy without the last rule never sails to one.
NO_SEARCHING = [ferry_problem({"c0": "l0"}, {"c0": f"l{i}"}, 3, f"one-car-{i}") for i in (1, 2)]
LAZY = DecisionList("lazy", POLICY.rules[:-1])
NOTHING = DecisionList("nothing", ())


def ferry_of(cars: int, name: str | None = None) -> Problem:
    """Every car is one place further than it should be; the ferry is where none is."""
    places = cars + 2
    return ferry_problem(
        {f"c{i}": f"l{i + 1}" for i in range(cars)},
        {f"c{i}": f"l{i + 2}" for i in range(cars)},
        places,
        name or f"{cars}-cars",
    )


def unsolvable(like: Problem) -> Problem:
    """A car is to be a place; nothing else is wrong with it."""
    goal = [*map(Literal, like.goal), Literal(Atom("location", ("c0",)))]
    return Problem.of(f"{like.name}-unsolvable", FERRY, like.objects, like.init, goal)


@dataclass
class Scripted:
    """A proposer that says what it is told to, the last one again and again."""

    name: str
    script: Sequence[DecisionList | None]
    working: list[list[Problem]] = field(default_factory=list)
    last: list[PolicyKey] = field(default_factory=list)
    goes_on: bool = True
    has_rival: bool = False

    def propose(
        self,
        working: Training,
        last: PolicyKey,
        accept: Callable[[PolicyKey], bool],
    ) -> Proposal | None:
        policy = self.script[min(len(self.last), len(self.script) - 1)]
        self.working.append([task.problem for task in working.tasks])
        self.last.append(last)
        if policy is None:
            return None
        return Proposal(working.book.key(policy), StopReason.EXHAUSTED, candidates=1, expansions=10)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Learns with the given proposers, and no others."""

    def run(problems: Sequence[Problem], *scripts: Scripted, **options: Any) -> LearningResult:
        monkeypatch.setattr("pg3.learning.robustness.loop.proposers", lambda *_: iter(scripts))
        return learn(problems[0].domain, problems, **options)

    return run


@pytest.fixture
def lenient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the suite know no counterexample and leave any policy as it is."""
    monkeypatch.setattr(Suite, "counterexamples", lambda *_: [])
    monkeypatch.setattr(Suite, "generalised", lambda _, policy, locked: policy)


# -- the working set -------------------------------------------------------------------------------


def test_it_begins_with_the_smallest(run: Run) -> None:
    problems = [ferry_of(cars) for cars in (9, 3, 8, 1, 7, 5, 2, 10, 6, 4, 11, 12)]
    whole = Scripted("whole", [POLICY])
    result = run(problems, whole)
    (working,) = whole.working
    assert len(working) < len(problems)
    assert working == sorted(problems, key=size_of)[: len(working)]
    assert [p.learned_from for p in result.problems] == [p in working for p in problems]
    assert result.solved


@pytest.mark.usefixtures("lenient")
def test_it_grows_by_the_smallest_failures(run: Run) -> None:
    easy = [
        ferry_problem({"c0": "l0"}, {"c0": f"l{i}"}, 4 + k, f"easy-{i}-{k}")
        for i in (1, 2)
        for k in range(5)
    ]
    hard = [ferry_of(cars) for cars in (9, 6, 8, 5, 7, 10)]
    script = Scripted("learns", [LAZY, POLICY])
    result = run([*hard, *easy], script)
    first, second = script.working
    assert not set(first).intersection(hard)
    added = second[len(first) :]
    assert second[: len(first)] == first
    assert 0 < len(added) < len(hard)
    assert [p for p in added if p in hard] == sorted(hard, key=size_of)[: len(added)]
    assert result.solved
    assert result.candidates == 2
    assert result.expansions == 20


def test_counterexamples_of_the_suite_are_learned_from(run: Run) -> None:
    script = Scripted("learns", [LAZY, POLICY])
    result = run(NO_SEARCHING, script)
    first, second = script.working
    assert first == NO_SEARCHING
    made = second[len(first) :]
    assert made
    for problem in made:
        assert not execute(problem, LAZY).solved
        assert plan(problem).status == PlanStatus.SOLVED
    assert result.status is Status.PASSED
    assert [p.learned_from for p in result.problems] == [True, True]


def test_a_proposer_is_told_what_it_said_last(run: Run) -> None:
    script = Scripted("learns", [LAZY, POLICY])
    other = Scripted("other", [POLICY])
    start = DecisionList("start", POLICY.rules[:1])
    run(NO_SEARCHING, Scripted("quiet", [None]), script, other, start=start)
    first, second = script.last
    assert len(first) == 1
    assert 0 < len(second) <= len(LAZY.rules)
    assert other.last == []


def grounded_of(problems: Sequence[Problem], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of those of the given problems that learning grounds."""
    ground, names = Task.ground, list[str]()
    given = {id(problem) for problem in problems}

    def counted(task: Task, *more: Any, **named: Any) -> str | None:
        if id(task.problem) in given:
            names.append(task.problem.name)
        return ground(task, *more, **named)

    with monkeypatch.context() as patch:
        patch.setattr(Task, "ground", counted)
        result = learn(problems[0].domain, problems)
    assert result.solved
    assert all(problem.steps is not None for problem in result.problems)
    return names


def test_of_many_problems_few_are_grounded(monkeypatch: pytest.MonkeyPatch) -> None:
    source = DOMAINS["miconic"]
    small = source.problems("train", seed=0, count=10)
    large = source.problems("test", seed=0, count=50)
    names = grounded_of([*large[:25], *small, *large[25:]], monkeypatch)
    assert 0 < len(set(names)) <= 12
    smallest = sorted([*small, *large], key=size_of)[:12]
    assert set(names) <= {problem.name for problem in smallest}


# -- problems that are of no use -------------------------------------------------------------------


MEETINGS = parse_domain("""
    (define (domain meetings) (:predicates (on ?x) (met ?a ?b ?c ?d))
      (:action switch :parameters (?x) :precondition (not (on ?x)) :effect (on ?x))
      (:action meet :parameters (?a ?b ?c ?d) :effect (met ?a ?b ?c ?d)))""")


def meetings(size: int, goals: int = 1) -> Problem:
    """A problem of size ** 4 ground actions and more."""
    objects = " ".join(f"o{i}" for i in range(size))
    goal = " ".join(f"(on o{i})" for i in range(goals))
    text = "(define (problem p{}) (:domain meetings) (:objects {}) (:init) (:goal (and {})))"
    return parse_problem(text.format(size, objects, goal), MEETINGS)


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> float:
    """Megabytes for learning: little for one problem, and no more than some for all."""
    monkeypatch.setattr("pg3.learning.selection._GROUND_MEGABYTES", 20.0)
    return _native.resident_bytes() / 2**20 + 300


@pytest.mark.parametrize("place", [0, 3, 5])
def test_a_problem_that_is_too_large_to_ground_is_only_tried(
    place: int, little_memory: float
) -> None:
    """Wherever it stands among others."""
    small = [meetings(size, goals) for size in (2, 3) for goals in range(1, size + 1)]
    problems = [*small[:place], meetings(60, 2), *small[place:]]
    result = learn(MEETINGS, problems, memory_limit=little_memory)
    assert result.reason == StopReason.PERFECT
    assert result.solved
    large = result.problems[place]
    assert (large.steps, large.left_out, large.learned_from) == (2, None, False)


def test_a_problem_that_is_too_large_to_ground_among_few(little_memory: float) -> None:
    result = learn(MEETINGS, [meetings(60), meetings(2)], memory_limit=little_memory)
    assert result.reason == StopReason.PERFECT
    assert result.solved
    large, small = result.problems
    assert small.steps == 1
    assert (large.steps, large.learned_from) == (1, False)


def test_a_failure_without_solution_does_not_count(run: Run) -> None:
    """Nobody knows before the policy fails it, as it is larger than what is learned from."""
    small = [ferry_problem({"c0": "l1"}, {"c0": "l2"}, 3 + i, f"one-{i}") for i in range(5)]
    first, second = Scripted("first", [POLICY]), Scripted("second", [POLICY])
    result = run([*small, unsolvable(ferry_of(4))], first, second)
    assert result.problems[-1].left_out == "it has no solution"
    assert result.solved
    assert result.status is Status.PASSED
    # There is nothing that the second proposer could do better.
    assert (result.method, second.last) == ("first", [])


def test_an_unsolvable_problem_does_not_spoil_the_grown_ones(run: Run) -> None:
    small = [ferry_problem({"c0": "l1"}, {"c0": "l2"}, 3 + i, f"one-{i}") for i in range(5)]
    large = ferry_of(5)
    stuck = [atom for atom in large.init if atom.predicate != "not-eq"]
    no_way = Problem.of("no-way", FERRY, large.objects, stuck, [*map(Literal, large.goal)])
    grown = run([*small, no_way], Scripted("first", [POLICY])).grown
    assert grown.number > grown.failed == 0


def test_copies_and_solved_problems_are_left_out(run: Run) -> None:
    solved = ferry_problem({"c0": "l1"}, {"c0": "l1"}, 3, "solved")
    script = Scripted("whole", [POLICY])
    one, other = NO_SEARCHING
    result = run([one, solved, other, one], script)
    assert [p.left_out for p in result.problems] == [
        None,
        "its goal holds at the start",
        None,
        "it is the same as problem 1",
    ]
    assert script.working == [NO_SEARCHING]
    assert result.status is Status.PASSED


# -- proposers that fail ---------------------------------------------------------------------------


def test_a_proposer_with_nothing_to_say_gives_way(run: Run) -> None:
    quiet, second = Scripted("quiet", [None]), Scripted("second", [POLICY])
    result = run(NO_SEARCHING, quiet, second)
    assert (result.method, len(quiet.last)) == ("second", 1)
    assert result.status is Status.PASSED


def test_a_proposer_without_progress_gives_way(run: Run) -> None:
    stubborn, second = Scripted("stubborn", [NOTHING]), Scripted("second", [POLICY])
    result = run(NO_SEARCHING, stubborn, second)
    assert 1 <= len(stubborn.last) <= 5
    assert (result.method, result.status) == ("second", Status.PASSED)


def test_all_have_a_round_before_one_that_is_not_the_best_has_its_second(run: Run) -> None:
    worse, second = Scripted("worse", [NOTHING, POLICY]), Scripted("second", [NOTHING, POLICY])
    first = Scripted("first", [LAZY])
    result = run(NO_SEARCHING, first, worse, second)
    # In its second round the first is no better than before; there is nothing new in a third.
    assert len(first.last) >= 2
    assert len(second.last) == 1
    assert (result.method, len(worse.last), result.status) == ("worse", 2, Status.PASSED)
    # Each goes on with its own working set.
    assert worse.working[0] == second.working[0] == NO_SEARCHING
    assert worse.working[1][: len(NO_SEARCHING)] == NO_SEARCHING


def test_the_best_so_far_goes_on_at_once(run: Run) -> None:
    first, second = Scripted("first", [NOTHING, LAZY, POLICY]), Scripted("second", [POLICY])
    assert run(NO_SEARCHING, first, second).method == "first"
    assert second.last == []


def test_a_proposer_that_is_not_needed_is_not_asked(run: Run) -> None:
    first, second = Scripted("first", [POLICY]), Scripted("second", [POLICY])
    assert run(NO_SEARCHING, first, second).method == "first"
    assert second.last == []


def test_who_prefers_short_plans_asks_all(run: Run) -> None:
    first, second = Scripted("first", [POLICY]), Scripted("second", [LAZY, POLICY])
    result = run(NO_SEARCHING, first, second, prefer="short-plans")
    assert result.status is Status.PASSED
    assert len(first.last) == len(second.last) == 1


def test_short_policies_or_short_plans() -> None:
    small, quick = (Result((), "", Verdict(0, 0, *one), NONE_GROWN) for one in ((5, 9), (9, 5)))
    assert small.merit("short-policy") < quick.merit("short-policy")
    assert quick.merit("short-plans") < small.merit("short-plans")
    failing = Result((), "", Verdict(1, 0, 1, 1), NONE_GROWN)
    assert quick.merit("short-plans") < failing.merit("short-plans")


def test_what_fails_less_is_better_than_what_is_memorised() -> None:
    problem = NO_SEARCHING[0]
    grown = Grown(9, 20, 8, (problem,))
    memorised = Result((), "", Verdict(0, 8, 1, 1), grown)
    general = Result((), "", Verdict(1, 2, 9, 9), grown, unsolved=(0,), num_unsolved=1)
    assert general.merit("short-policy") < memorised.merit("short-policy")
    worse = general._replace(num_unsolved=9)
    assert memorised.merit("short-policy") < worse.merit("short-policy")


@pytest.mark.usefixtures("lenient")
def test_all_given_problems_that_a_policy_fails_count(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only the few that it will be learned from."""
    counted, merit = set[int](), Result.merit

    def counting(result: Result, prefer: Preference) -> tuple[int, ...]:
        counted.add(result.num_unsolved)
        return merit(result, prefer)

    monkeypatch.setattr(Result, "merit", counting)
    hard = [ferry_of(cars) for cars in (9, 6, 8, 5, 7, 10)]
    run([*hard, *NO_SEARCHING], Scripted("lazy", [LAZY, None]))
    assert counted == {len(hard)}


def test_the_paper_has_no_preference(run: Run) -> None:
    with pytest.raises(Pg3Error, match="prefer is for robust"):
        run(NO_SEARCHING, preset="paper", prefer="short-plans")


def test_the_best_of_all_is_chosen_if_none_passes(run: Run) -> None:
    scripts = [Scripted(name, [policy]) for name, policy in (("a", NOTHING), ("b", LAZY))]
    for order in (scripts, scripts[::-1]):
        result = run(NO_SEARCHING, *order)
        assert result.method == "b"
        assert result.solved
        assert result.reason != StopReason.PERFECT


def test_nobody_has_anything_to_say(run: Run) -> None:
    result = run(NO_SEARCHING, Scripted("quiet", [None]))
    assert (result.policy.rules, result.status) == ((), Status.FAILED)
    assert not result.solved


# -- how far a policy can be trusted ---------------------------------------------------------------


@pytest.mark.usefixtures("lenient")
def test_a_policy_that_fails_grown_problems_is_memorised(run: Run) -> None:
    result = run(NO_SEARCHING, Scripted("lazy", [LAZY]))
    assert result.solved
    assert result.status is Status.MEMORISED
    assert result.score > 0
    assert result.reason != StopReason.PERFECT
    assert result.summary.startswith(f"MEMORISED: 3 rules from {len(NO_SEARCHING)} training")
    assert 0 < len(result.grown.counterexamples) <= result.grown.failed <= result.grown.number
    sizes = [len(problem.all_objects) for problem in result.grown.counterexamples]
    assert max(sizes) <= result.grown.objects
    for problem in result.grown.counterexamples:
        assert not execute(problem, LAZY).solved
        assert plan(problem).status == PlanStatus.SOLVED


def without(name: str, rule: str, places: Sequence[int]) -> tuple[list[Problem], DecisionList]:
    """Training problems of a domain that its policy by hand solves without one of its rules."""
    source = DOMAINS[name]
    policy = read_policy(REPOSITORY / "examples" / "policies" / f"{name}.policy", source.domain)
    problems = source.problems("train", seed=0, count=20)
    rules = tuple(one for one in policy.rules if one.name != rule)
    return [problems[i] for i in places], replace(policy, rules=rules)


@pytest.mark.parametrize(
    ("problems", "policy"),
    [
        (NO_SEARCHING, LAZY),
        without("miconic", "carry-down", (3, 11, 12)),
        without("miconic", "carry-up", (2, 6, 9)),
    ],
)
def test_a_policy_that_only_fits_the_given_problems_has_not_passed(
    run: Run, problems: list[Problem], policy: DecisionList
) -> None:
    """The suite has problems that it fails and a planner solves."""
    result = run(problems, Scripted("by heart", [policy]))
    assert result.solved
    assert result.reason != StopReason.PERFECT
    assert result.status is not Status.PASSED
    assert result.score > 0


# -- a second opinion ------------------------------------------------------------------------------


@pytest.mark.usefixtures("lenient")
@pytest.mark.parametrize("order", [(LAZY, POLICY), (POLICY, LAZY)])
def test_of_two_policies_that_pass_the_one_is_chosen_that_solves_more(
    run: Run, monkeypatch: pytest.MonkeyPatch, order: tuple[DecisionList, DecisionList]
) -> None:
    monkeypatch.setattr("pg3.learning.robustness.loop._SHORT", 1)
    names = {LAZY: "lazy", POLICY: "right"}
    first, then = (Scripted(names[policy], [policy]) for policy in order)
    result = run(NO_SEARCHING, replace(first, has_rival=True), then, Scripted("not asked", [None]))
    assert result.method == "right"
    assert result.status == Status.PASSED
    assert then.working


@pytest.mark.usefixtures("lenient")
def test_what_another_policy_solves_counts_though_no_planner_was_asked(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pg3.learning.robustness.loop._SHORT", 1)

    def disputed(suite: Suite, *_: object) -> list[GrownProblem]:
        return [one for one in suite.made.batch(-1) if not one.is_altered]

    monkeypatch.setattr(Suite, "disputed", disputed)
    right = Scripted("right", [POLICY], has_rival=True)
    result = run(NO_SEARCHING, right, Scripted("rival", [NOTHING]))
    assert result.method == "right"
    assert result.status == Status.MEMORISED
    assert result.failure is not None


@pytest.mark.usefixtures("lenient")
def test_a_short_policy_needs_no_second_opinion(run: Run) -> None:
    rival = Scripted("rival", [POLICY])
    result = run(NO_SEARCHING, Scripted("right", [POLICY], has_rival=True), rival)
    assert result.method == "right"
    assert not rival.working

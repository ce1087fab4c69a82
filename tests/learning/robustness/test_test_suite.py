"""The test suite for policies: which problems it has, and which failures count."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from pg3.domains import DOMAINS
from pg3.errors import Pg3Error
from pg3.learning.budget import Budget, LimitReached
from pg3.learning.checkpoint.journal import Entry, Journal
from pg3.learning.robustness.perturbations.made_problems import size_of
from pg3.learning.robustness.perturbations.permutations import shuffled
from pg3.learning.robustness.test_suite import Suite
from pg3.learning.robustness.verdicts import Verdict
from pg3.learning.training import Training
from pg3.pddl import parse_domain, parse_problem
from pg3.planning import PlanStatus, execute, plan
from pg3.policy import DecisionList, read_policy
from tests.conftest import REPOSITORY
from tests.support.ferry_problems import FERRY, POLICY, ferry_problem, small_ferry_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.pddl.model import Problem
    from pg3.policy import Rule
    from pg3.policy.rule_book import PolicyKey

SMALL = small_ferry_problems(3)

# The ferry is where the car is, so that it never has to sail to one.
NO_SEARCHING = [ferry_problem({"c0": "l0"}, {"c0": f"l{i}"}, 3, f"one-car-{i}") for i in (1, 2)]
LAZY = POLICY.rules[:-1]

# With and without dead ends, maps and types.
NAMES = ["blocksworld", "gripper", "miconic", "spanner"]


def made(
    problems: Sequence[Problem] = SMALL, seed: int = 0, journal: Journal | None = None
) -> Suite:
    return Suite(Training(problems, budget=Budget(journal=journal)), problems, seed)


def keyed(suite: Suite, rules: tuple[Rule, ...] = POLICY.rules) -> PolicyKey:
    """The rules as numbers of the suite's book."""
    return suite.given.book.take(DecisionList("p", rules))


def accepts(suite: Suite, key: PolicyKey) -> bool:
    """Whether a policy has no counterexample in the suite."""
    return suite.test(key).unsolved == 0 and suite.counterexamples(key, 1) == []


def texts(training: Training) -> list[object]:
    return [(task.problem.objects, task.problem.content) for task in training.tasks]


# -- which problems --------------------------------------------------------------------------------


PARTS: dict[str, Callable[[Suite], object]] = {
    "trials": lambda suite: texts(suite.trials),
    "perturbed": lambda suite: texts(suite.perturbed),
    "all": lambda suite: texts(suite.problems),
    "larger": lambda suite: [(p.objects, p.content) for p in suite.made.larger],
    "verdict": lambda suite: suite.test(keyed(suite)),
    "counterexamples": lambda suite: [p.content for p, _ in suite.counterexamples((), 3)],
}


@pytest.mark.parametrize("name", NAMES)
def test_the_same_suite_whatever_is_asked_for_first(name: str) -> None:
    problems = DOMAINS[name].problems("train", seed=0)[:3]
    asked = [part for part in PARTS if part != "verdict"]
    suite, other = made(problems), made(problems)
    found = {part: PARTS[part](suite) for part in asked}
    assert {part: PARTS[part](other) for part in reversed(asked)} == found


def test_the_same_verdict_whatever_is_asked_for_first() -> None:
    expected = PARTS["verdict"](made())
    for ask in PARTS.values():
        suite = made()
        ask(suite)
        assert PARTS["verdict"](suite) == expected


def test_other_seeds_make_other_problems() -> None:
    one, other = made(seed=1), made(seed=2)
    for part in ("trials", "perturbed", "larger"):
        assert PARTS[part](one) != PARTS[part](other)


def test_given_problems_come_first_and_then_in_other_orders() -> None:
    suite = made()
    contents = [task.problem.content for task in suite.trials.tasks]
    assert [task.problem for task in suite.trials.tasks[: len(SMALL)]] == SMALL
    assert len(contents) > 4 * len(SMALL)
    assert set(contents) == {problem.content for problem in SMALL}
    orders = {task.problem.objects for task in suite.trials.tasks}
    assert len(orders) > 2 * len(SMALL)


def test_perturbed_problems_are_others_and_larger_ones_are_larger() -> None:
    suite = made()
    contents = {problem.content for problem in SMALL}
    assert any(task.problem.content not in contents for task in suite.perturbed.tasks)
    most = max(len(problem.all_objects) for problem in SMALL)
    assert max(len(task.problem.all_objects) for task in suite.perturbed.tasks) > most
    assert all(len(problem.all_objects) > most for problem in suite.made.larger)


def test_further_problems() -> None:
    """They are to be solved under any order, and what was there stays as it was."""
    suite = made()
    before = {part: PARTS[part](suite) for part in ("perturbed", "larger")}
    contents = [task.problem for task in suite.trials.tasks]
    more = ferry_problem({"c0": "l1", "c1": "l0"}, {"c0": "l0", "c1": "l1"}, 2, "more")
    suite.add([suite.given.task(more)])
    assert {part: PARTS[part](suite) for part in before} == before
    now = [task.problem for task in suite.trials.tasks]
    copies = [problem for problem in now if problem.content == more.content]
    assert [problem for problem in now if problem.content != more.content] == contents
    assert len(copies) > 1
    assert len(suite.problems) == len(suite.trials) + len(suite.perturbed)
    # What was added does not come a second time, whoever stumbles over it.
    suite.add([suite.given.task(more)])
    assert [task.problem for task in suite.trials.tasks] == now
    grown = suite.given.task(ferry_problem({"c0": "l1"}, {"c0": "l2"}, 9, "grown"))
    for _ in range(2):
        suite.add_grown([grown])
    assert suite.perturbed.tasks.count(grown) == 1
    # Whoever asks for them only afterwards gets the same.
    late = made()
    late.add([late.given.task(more)])
    assert texts(late.trials) == texts(suite.trials)


def test_sizes() -> None:
    small = ferry_problem({"c0": "l1"}, {"c0": "l2"}, 3)
    large = ferry_problem({"c0": "l1"}, {"c0": "l2"}, 4)
    assert size_of(small) == (5, 3 + 1 + 6 + 1 + 2)
    assert size_of(small) < size_of(large)
    assert size_of(shuffled(large, random.Random(0))) == size_of(large)


# -- verdicts --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["delivery", "gripper", "miconic", "spanner"])
def test_policies_by_hand_pass(name: str) -> None:
    source = DOMAINS[name]
    suite = made(source.problems("train", seed=0)[:3])
    path = REPOSITORY / "examples" / "policies" / f"{name}.policy"
    key = suite.given.book.take(read_policy(path, source.domain))
    verdict = suite.test(key)
    assert verdict.unsolved == 0
    assert verdict.size == suite.given.book.policy_size(key)
    assert suite.counterexamples(key, 3) == []


@pytest.mark.parametrize("name", ["delivery", "ferry", "gripper", "miconic"])
def test_policies_by_hand_solve_larger_problems(name: str) -> None:
    """They solve every problem of the domain: what they fail is none, and tests nothing."""
    source = DOMAINS[name]
    problems = source.problems("train", seed=0)
    suite = Suite(Training(problems[:5]), problems, 0)
    path = REPOSITORY / "examples" / "policies" / f"{name}.policy"
    policy = read_policy(path, source.domain)
    failed = [problem for problem in suite.made.larger if not execute(problem, policy).solved]
    assert len(failed) * 10 <= len(suite.made.larger)


def test_a_policy_that_does_nothing_fails_everything() -> None:
    suite = made()
    verdict = suite.test(())
    assert verdict == Verdict(len(suite.trials), 0, 0, 0)
    assert not accepts(suite, ())


def test_a_policy_that_only_fits_the_given_problems() -> None:
    suite = made(NO_SEARCHING)
    key = keyed(suite, LAZY)
    verdict = suite.test(key)
    assert verdict.unsolved == 0
    assert verdict.failed_perturbed > 0
    assert not accepts(suite, key)
    assert accepts(suite, keyed(suite))


@pytest.mark.parametrize("number", [1, 3, 100])
def test_counterexamples_have_a_plan_and_are_failed(number: int) -> None:
    suite = made(NO_SEARCHING)
    lazy = DecisionList("lazy", LAZY)
    found = suite.counterexamples(keyed(suite, LAZY), number)
    assert 0 < len(found) <= number
    for problem, _ in found:
        assert not execute(problem, lazy).solved
        assert plan(problem).status == PlanStatus.SOLVED


def test_the_smallest_counterexamples_come_first() -> None:
    suite = made(NO_SEARCHING)
    key = keyed(suite, LAZY)
    found = suite.counterexamples(key, 100)
    assert found[:3] == suite.counterexamples(key, 3)
    # Shuffled ones, then grown ones, then random starts, then altered ones.
    altered = [is_altered for _, is_altered in found]
    assert altered == sorted(altered)
    grown = [size_of(problem) for problem, _ in found if problem.name.endswith("-grown")]
    like_given = grown[: len([problem for problem, is_altered in found if not is_altered])]
    assert like_given[:3] == sorted(like_given[:3])


# -- which failures count --------------------------------------------------------------------------


ROADS = parse_domain("""
    (define (domain roads) (:predicates (road ?a ?b) (at ?a))
      (:action move :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b))
        :effect (and (at ?b) (not (at ?a)))))""")


def roads(roads: str) -> Suite:
    text = "(define (problem p) (:domain roads) (:objects a b c) (:init {}) (:goal (at c)))"
    return made([parse_problem(text.format(f"(at a) {roads}"), ROADS)])


def test_a_failure_counts_where_a_plan_exists() -> None:
    two_ways = roads("(road a b) (road b a) (road b c) (road c b)")
    (task,) = two_ways.given.tasks
    found = two_ways.counterexamples((), 1000)
    # The empty policy fails from a and b, where a plan exists.
    assert any(problem.content != task.problem.content for problem, _ in found)


def test_no_failure_counts_where_no_plan_exists() -> None:
    """Whoever walks to b here is lost, whatever the policy."""
    lost = roads("(road a b) (road a a) (road b b)")
    assert len(lost.perturbed) > 0
    # But a given problem does, whatever the order of its objects.
    (task,) = lost.given.tasks
    found = lost.counterexamples((), 1000)
    assert {problem.content for problem, _ in found} == {task.problem.content}


def test_unfair_random_starts_do_not_count() -> None:
    """Spanners are left behind on random walks: from many of them no plan leads to the goal."""
    source = DOMAINS["spanner"]
    suite = made(source.problems("train", seed=0)[:3])
    assert not suite._fair_starts
    found = suite.counterexamples((), 1000)
    assert not {problem.content for problem, _ in found}.intersection(
        task.problem.content for task in suite._random
    )


def test_fair_random_starts_count() -> None:
    suite = made(NO_SEARCHING)
    assert suite._fair_starts
    found = suite.counterexamples(keyed(suite, LAZY), 1000)
    contents = {task.problem.content for task in suite._random}
    assert contents.intersection(problem.content for problem, _ in found)


# -- generalising ----------------------------------------------------------------------------------


def test_what_becomes_of_a_policy_passes_as_before() -> None:
    suite = made()
    key = keyed(suite)
    general = suite.generalised(key, ())
    before, after = suite.test(key), suite.test(general)
    assert (after.unsolved, after.failed_perturbed) <= (before.unsolved, before.failed_perturbed)
    assert after.steps <= before.steps
    assert len(general) <= len(key)
    assert suite.generalised(key, key) == key


def test_larger_problems_that_show_a_difference_join_the_suite() -> None:
    """In small problems every car is to be moved, and there is hardly a case to tell apart."""
    suite = made(NO_SEARCHING)
    key = keyed(suite)
    before = len(suite.perturbed)
    general = suite.generalised(key, ())
    assert len(suite.perturbed) >= before
    assert accepts(suite, general)
    for problem in small_ferry_problems(10, seed=5):
        assert execute(problem, suite.given.book.policy(general, "p")).solved


# -- journals and limits ---------------------------------------------------------------------------


def test_a_verdict_is_recalled() -> None:
    lines: list[str] = []
    suite = made(NO_SEARCHING, journal=Journal((), lines.append))
    key = keyed(suite, LAZY)
    verdict = suite.test(key)
    found = suite.counterexamples(key, 3)
    entries = [Entry.parse(line) for line in lines]
    assert [entry.kind for entry in entries] == ["verdict", "counterexamples"]
    again = made(NO_SEARCHING, journal=Journal(entries, print))
    key = keyed(again, LAZY)
    assert again.test(key) == verdict
    # Nothing had to be made for that.
    assert not {"trials", "perturbed", "problems"}.intersection(vars(again))
    assert again.counterexamples(key, 3) == found


def test_a_verdict_of_another_shape_is_refused() -> None:
    for value in ([1, 2, 3], [0, 0, True, 1], {"steps": 1}):
        suite = made(journal=Journal([Entry(0.0, "verdict", value)], print))
        with pytest.raises(Pg3Error, match="line 1: the journal does not fit: 'verdict'"):
            suite.test(())


def test_no_time() -> None:
    suite = made()
    suite.budget.seconds = 0.0
    for ask in (suite.test, lambda key: suite.generalised(key, ())):
        with pytest.raises(LimitReached):
            ask(keyed(suite))
    assert suite.given.domain == FERRY

"""Training problems that are far too large: put off, tried in the end, and within reach or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pg3.cli.display import mimebundle
from pg3.domains import DOMAINS
from pg3.learning.budget import Budget, LimitReached
from pg3.learning.checkpoint.journal import Entry, Journal
from pg3.learning.curriculum import Stages, far_too_large
from pg3.learning.learner import PERFECT_IN_PART, TrainingProblem, learn
from pg3.learning.policy_search import StopReason
from pg3.learning.robustness.portfolio import PortfolioOutcome
from pg3.learning.robustness.verdicts import Verdict
from pg3.learning.training import Training
from pg3.pddl.model import Atom, Literal, Problem
from pg3.policy.rule_book import RuleBook
from pg3.semantics.task import Task
from pg3.semantics.validation import validate
from pg3.storage.schema import Anything
from tests.support.ferry_problems import FERRY, POLICY, ferry_problem, small_ferry_problems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.policy.rule_book import PolicyKey

SMALL = small_ferry_problems(4)

# Every other place has a car, to be brought to one without.
LARGE = ferry_problem(
    {f"c{i}": f"l{i}" for i in range(0, 60, 2)},
    {f"c{i}": f"l{(i + 7) % 60}" for i in range(0, 60, 2)},
    60,
    name="large",
)

# Large enough for a search of few states.
MIDDLE = [
    ferry_problem(
        {f"c{i}": f"l{i}" for i in range(0, places, 2)},
        {f"c{i}": f"l{(i + 7) % places}" for i in range(0, places, 2)},
        places,
        name=f"middle-{places}",
    )
    for places in (20, 22)
]

# As large as others, but easy.
WIDE = ferry_problem({"c0": "l1", "c1": "l2"}, {"c0": "l2", "c1": "l3"}, 40, name="wide")


def test_a_problem_that_is_far_too_large_changes_nothing() -> None:
    small = learn(FERRY, SMALL)
    mixed = learn(FERRY, [SMALL[0], LARGE, *SMALL[1:]])
    assert mixed.policy == small.policy
    assert mixed.candidates == small.candidates
    assert [problem.deferred for problem in mixed.problems] == [False, True, False, False, False]
    assert mixed.problems[1].steps is not None
    assert mixed.solved
    assert "far too large" in mimebundle(mixed)["text/plain"]


def test_nothing_is_called_perfect_where_a_problem_is_not_solved() -> None:
    """No car is ashore and on board at once, but a large problem is too large to find that out."""
    contradiction = Literal(Atom("on", LARGE.goal[0].terms[:1]))
    impossible = Problem.of(
        "impossible",
        FERRY,
        LARGE.objects,
        LARGE.init,
        [*map(Literal, LARGE.goal), contradiction],
    )
    result = learn(FERRY, [*SMALL, impossible])
    assert result.problems[-1] == TrainingProblem("impossible", None, None, deferred=True)
    assert not result.solved
    assert result.reason == PERFECT_IN_PART


def test_the_paper_preset_puts_nothing_off() -> None:
    result = learn(FERRY, [*SMALL[:2], LARGE], preset="paper", max_candidates=2)
    assert not any(problem.deferred for problem in result.problems)


def places_put_off(expansions: int, *tasks: Task) -> list[int]:
    for task in tasks:
        task.ground()
    return far_too_large(tasks, expansions, Budget())


def test_what_is_put_off() -> None:
    small, wide, large = Task(SMALL[0]), Task(WIDE), Task(LARGE)
    assert places_put_off(1000, large, small) == [0]
    # With a plan it is not too large, nor are others of its size.
    assert places_put_off(1000, wide, small) == []
    assert places_put_off(1000, large, small, wide) == []
    # Without any plan nobody knows what is.
    assert places_put_off(0, large, small) == []
    assert places_put_off(1000, small) == []


def outcome(policy: PolicyKey, reason: StopReason = StopReason.PERFECT) -> PortfolioOutcome:
    return PortfolioOutcome(policy, "some", Verdict(0, 0, 0, 0), reason, 1, 10)


class TestStages:
    """With a made-up learner: what it is asked, and which of its policies is taken."""

    @pytest.fixture
    def book(self) -> RuleBook:
        return RuleBook(FERRY)

    def run(
        self, book: RuleBook, *policies: PolicyKey, reason: StopReason = StopReason.PERFECT
    ) -> tuple[PortfolioOutcome, dict[int, int | None], list[Sequence[int]]]:
        asked: list[Sequence[int]] = []

        def learn_from(places: Sequence[int], stage: int) -> PortfolioOutcome:
            asked.append(tuple(places))
            assert stage == len(asked)
            return outcome(policies[stage - 1], reason)

        stages = Stages([*SMALL, LARGE], range(4), [4], book=book, expansions=1000, budget=Budget())
        return stages.run(learn_from), stages.steps, asked

    def test_a_policy_that_solves_all(self, book: RuleBook) -> None:
        whole = book.take(POLICY)
        result, steps, asked = self.run(book, whole)
        assert result == outcome(whole)
        assert asked == [(0, 1, 2, 3)]
        assert steps[4] is not None

    def test_what_is_out_of_reach_stays_so(self, book: RuleBook) -> None:
        result, steps, asked = self.run(book, ())
        assert (result, steps, len(asked)) == (outcome(()), {4: None}, 1)

    def test_what_comes_within_reach_is_learned_from(self, book: RuleBook) -> None:
        whole = book.take(POLICY)
        result, steps, asked = self.run(book, guide(book), whole)
        assert asked == [(0, 1, 2, 3), (0, 1, 2, 3, 4)]
        assert steps[4] is not None
        assert (result.policy, result.candidates, result.expansions) == (whole, 2, 20)

    def test_a_policy_that_solves_no_more_is_not_taken(self, book: RuleBook) -> None:
        result, steps, asked = self.run(book, guide(book), ())
        assert (result.policy, steps, len(asked)) == (guide(book), {4: None}, 2)

    def test_no_time(self, book: RuleBook) -> None:
        result, _, asked = self.run(book, guide(book), reason=StopReason.TIME)
        assert (result.reason, len(asked)) == (StopReason.TIME, 1)


def guide(book: RuleBook) -> PolicyKey:
    """The policy without its last rule: it stays where there is no car, but a search goes on."""
    return book.take(POLICY)[:-1]


def test_searches_learn_from_problems_with_plans() -> None:
    training = Training([LARGE, *SMALL])
    training.find_plans(any_plan=True)
    assert [plan is None for plan in training.plans] == [True, False, False, False, False]
    part = training.with_plans()
    assert part.indices == (1, 2, 3, 4)
    assert part.plans == training.plans[1:]
    assert part.with_plans() is part
    hopeless = training.subset([0])
    assert hopeless.with_plans() is hopeless


def test_a_second_try_for_any_plan() -> None:
    """Where A* finds a plan it stays; where it looks for a short one for too long there is one."""
    problems = DOMAINS["delivery"].problems("train", seed=0)
    short, any_plan = Training(problems), Training(problems)
    any_plan.find_plans(any_plan=True)
    assert None in short.plans
    assert None not in any_plan.plans
    for task, plan, other in zip(any_plan.tasks, any_plan.plans, short.plans, strict=True):
        assert plan is not None
        assert other in (None, plan)
        assert validate(task.problem, [task.decode_action(action) for action in plan])


# -- limits ----------------------------------------------------------------------------------------


_FEW = 60


class PassingLimit(Budget):
    """A limit that the call with one number meets, and no other.

    As a limit on memory is, which is freed again once the call has given up.
    """

    def __init__(self, call: int, journal: Journal | None = None) -> None:
        super().__init__(journal=journal)
        self.call = call
        self.calls = 0

    @property
    def limits(self) -> tuple[float | None, float | None]:
        """No time for the call with the number; no limit for the others."""
        if self.journal.is_replaying:
            return None, None
        self.calls += 1
        return (0.0 if self.calls == self.call else None), None


class Run:
    """What learning in stages does, with a made-up learner that has entries of its own."""

    def __init__(self, call: int, past: Sequence[Entry] = ()) -> None:
        self.lines: list[str] = []
        self.journal = Journal(past, self.lines.append)
        self.budget = PassingLimit(call, self.journal)

    @property
    def entries(self) -> list[tuple[str, object]]:
        """The new entries of the journal."""
        return [(entry.kind, entry.value) for entry in map(Entry.parse, self.lines)]

    def result(self) -> tuple[PortfolioOutcome, dict[int, int | None]]:
        problems = [*SMALL, *MIDDLE]
        book = RuleBook(FERRY)
        policies = guide(book), book.take(POLICY)[:2], book.take(POLICY)
        tasks = [Task(problem, book.table) for problem in problems]
        for task in tasks:
            task.ground()
        later = far_too_large(tasks, _FEW, self.budget)
        # What is put off is grounded again once it is within reach.
        tasks[-2:] = [Task(problem, book.table) for problem in problems[-2:]]

        def learn_from(places: Sequence[int], stage: int) -> PortfolioOutcome:
            training = Training(
                [tasks[i] for i in places], book=book, expansions=_FEW, budget=self.budget
            )
            try:
                training.find_plans()
                made = self.journal.recall("made up", Anything())
                if made is None:
                    made = [stage, training.solved_steps(policies[stage - 1])]
                    self.journal.record("made up", made)
                self.budget.check()
            except LimitReached as limit:
                return outcome((), StopReason(limit.reason))
            return outcome(policies[stage - 1])

        ready = [i for i in range(len(problems)) if i not in later]
        stages = Stages(problems, ready, later, book=book, expansions=_FEW, budget=self.budget)
        return stages.run(learn_from), stages.steps


def test_a_limit_at_any_point_leaves_a_journal_that_goes_on() -> None:
    """What was cut short and all after it is not in the journal; a second run ends as the first."""
    whole = Run(0)
    expected = whole.result()
    kinds = {kind for kind, _ in whole.entries}
    assert kinds == {"put off", "plans", "made up", "carried out", "in reach"}
    for call in range(1, whole.budget.calls + 1):
        cut = Run(call)
        found, _ = cut.result()
        assert found.reason == StopReason.TIME, call
        assert cut.entries == whole.entries[: len(cut.entries)], call
        past = [Entry.parse(line) for line in cut.lines]
        again = Run(0, past)
        assert again.result() == expected, call
        assert cut.entries + again.entries == whole.entries, call


def test_problems_of_a_later_stage_are_grounded_within_the_limits() -> None:
    task = Task(SMALL[0])
    with pytest.raises(LimitReached):
        Training([task], budget=Budget(0.0))
    assert not task.is_ground


@pytest.mark.parametrize("options", [{}, {"max_candidates": 20}])
def test_learning_that_meets_a_limit_goes_on(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    problems = [SMALL[0], LARGE, *SMALL[1:]]

    def learned(call: int, past: Sequence[Entry] = ()) -> tuple[list[object], Run]:
        run = Run(call, past)
        with monkeypatch.context() as patch:
            patch.setattr("pg3.learning.learner.Budget", lambda *_: run.budget)
            result = learn(FERRY, problems, journal=run.journal, **options)
        told = [getattr(result, name) for name in result.__slots__ if name != "seconds"]
        return told, run

    expected, whole = learned(0)
    calls = whole.budget.calls
    # A problem has a share of the time to be ground in; that it needs more is a result.
    begin = 2 * len(problems)
    later = {begin + (calls - begin) * part // 12 for part in range(13)}
    for call in sorted({*range(2, begin, 2), *later, begin + 1, begin + 2, calls - 1}):
        _, cut = learned(call)
        assert cut.entries == whole.entries[: len(cut.entries)], call
        found, again = learned(0, [Entry.parse(line) for line in cut.lines])
        assert found == expected, call
        assert cut.entries + again.entries == whole.entries, call

"""The counterexample loop under limits and with a journal; its result is always the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pg3.domains import DOMAINS
from pg3.errors import Pg3Error
from pg3.learning.checkpoint.journal import Entry, Journal
from pg3.learning.learner import learn
from pg3.learning.policy_search import StopReason
from pg3.learning.result import LearningResult, Status
from tests.learning.robustness.test_loop import LAZY, NO_SEARCHING, NOTHING, Scripted, lenient, run
from tests.planning.test_limits import CountingClock
from tests.support.ferry_problems import POLICY
from tests.support.processes import run_python

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.learning.robustness.proposers import Proposal

    Run = Callable[..., LearningResult]

__all__ = ["lenient", "run"]


# -- limits ----------------------------------------------------------------------------------------


def test_a_limit_in_the_middle_leaves_the_best_policy(run: Run) -> None:
    """From the first proposal on there is one, whatever of its tests is left to do."""
    clock = CountingClock()
    proposed = list[int]()

    class Watched(Scripted):
        def propose(self, *arguments: Any) -> Proposal | None:
            proposed.append(clock.reads)
            return super().propose(*arguments)

    whole = run(NO_SEARCHING, Watched("whole", [POLICY]), journal=clock, time_limit=1e9)
    assert whole.status is Status.PASSED
    first, last = proposed[0], clock.reads
    for part in range(1, 8):
        limit = first + 1 + (last - first) * part // 8
        script = Scripted("whole", [POLICY])
        result = run(NO_SEARCHING, script, journal=CountingClock(), time_limit=limit)
        assert result.reason == "time limit"
        assert result.solved, part


@pytest.mark.usefixtures("lenient")
def test_a_limit_in_a_later_round_leaves_what_was_tested(run: Run) -> None:
    """The second proposal may be worse, and nobody knows."""

    class Late(Scripted):
        def propose(self, *arguments: Any) -> Proposal | None:
            found = super().propose(*arguments)
            assert found is not None
            return found._replace(reason=StopReason.TIME if len(self.last) > 1 else found.reason)

    late = Late("late", [LAZY, NOTHING])
    result = run(NO_SEARCHING, late)
    assert len(late.last) == 2
    assert result.solved
    assert result.reason == "time limit"


def test_a_memory_error_is_a_limit(run: Run) -> None:
    class Large(Scripted):
        def propose(self, *arguments: Any) -> Proposal | None:
            raise MemoryError

    result = run(NO_SEARCHING, Large("large", [None]), start=POLICY)
    assert result.reason == "memory limit"
    assert result.policy.rules == POLICY.rules


# -- the same result always ------------------------------------------------------------------------


def facts(result: LearningResult) -> list[object]:
    return [getattr(result, name) for name in LearningResult.__slots__ if name != "seconds"]


def report() -> str:
    """What is learned of some problems, in words."""
    source = DOMAINS["miconic"]
    return str(facts(learn(source.domain, source.problems("train", seed=0)[:4])))


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_every_hash_seed_gives_the_same(hash_seed: str) -> None:
    code = f"from {__name__} import report; print(report())"
    assert run_python(code, hash_seed=hash_seed).stdout.strip() == report()


@pytest.mark.parametrize("name", ["miconic", "spanner"])
def test_jobs_change_nothing(name: str) -> None:
    source = DOMAINS[name]
    problems = source.problems("train", seed=0)[:4]
    one, two = (facts(learn(source.domain, problems, jobs=jobs)) for jobs in (1, 2))
    assert one == two


# -- journals --------------------------------------------------------------------------------------


def test_a_journal_has_all_that_takes_long(run: Run) -> None:
    lines: list[str] = []
    first = run(NO_SEARCHING, Scripted("a", [LAZY, POLICY]), journal=Journal((), lines.append))
    entries = [Entry.parse(line) for line in lines]
    kinds = {entry.kind for entry in entries}
    assert kinds == {"left out", "verdict", "counterexamples", "executed", "grown"}
    for length in range(len(entries) + 1):
        more: list[str] = []
        journal = Journal(entries[:length], more.append)
        again = run(NO_SEARCHING, Scripted("a", [LAZY, POLICY]), journal=journal)
        assert facts(again) == facts(first)
        rest = [Entry.parse(line) for line in more]
        assert [e[1:] for e in entries[:length] + rest] == [e[1:] for e in entries]


@pytest.mark.usefixtures("lenient")
@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("executed", ["x", [1], [1, -1], [True, None], [1, 10**9], [1, 1, 1]]),
        ("grown", ["x", [True], [1, 0], [[True, False]]]),
        ("has plan", [0, "yes", True, [1], [True, True]]),
    ],
)
def test_a_journal_that_does_not_fit_is_refused(run: Run, kind: str, values: list[Any]) -> None:
    lines: list[str] = []
    run(NO_SEARCHING, Scripted("lazy", [LAZY]), journal=Journal((), lines.append))
    entries = [Entry.parse(line) for line in lines]
    place = next(i for i, entry in enumerate(entries) if entry.kind == kind)
    for value in values:
        past = [*entries[:place], entries[place]._replace(value=value)]
        message = f"line {place + 1}: the journal does not fit: '{kind}'"
        with pytest.raises(Pg3Error, match=message):
            run(NO_SEARCHING, Scripted("lazy", [LAZY]), journal=Journal(past, print))
    with pytest.raises(Pg3Error, match=r"where .* is due"):
        past = [*entries[:place], *entries[place + 1 :]]
        run(NO_SEARCHING, Scripted("lazy", [LAZY]), journal=Journal(past, print))

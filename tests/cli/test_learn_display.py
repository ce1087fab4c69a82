"""What `pg3 learn` shows while it works."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pg3.cli.learning import display as learning_display
from pg3.cli.learning.display import Watch, news
from pg3.learning.rounds import Round
from tests.cli.test_cli import pg3
from tests.cli.test_learn_report import PASSED, PROBLEMS, Learned, learned, train
from tests.support.ferry_problems import POLICY as BY_HAND
from tests.support.ferry_problems import small_ferry_problems

if TYPE_CHECKING:
    import pytest

    from pg3.pddl import Problem

__all__ = ["learned", "pg3", "train"]


def test_what_is_said_of_a_round() -> None:
    watch = Watch(PROBLEMS)
    assert watch.last_round() is None
    watch.observe_round(Round("goal regression", 7, 12, 60, 3))
    assert watch.last_round() == (
        "last tried: 12 rules by goal regression from 7 problems: fails 3 of 60 tests"
    )
    watch.observe_round(Round("general rules", 5, 1, 60, 0, 99, 2, 20, 4, "p13"))
    assert watch.last_round() == (
        "last tried: 1 rule by general rules from 5 problems: fails 2 of 99 training problems, "
        "4 of 20 grown problems; smallest failure: p13"
    )
    watch.observe_round(Round("general rules", 5, 1, 60, 0, 99, 0, 20, 0))
    assert watch.last_round() == "last tried: 1 rule by general rules from 5 problems: passes"


def test_the_same_failures_are_not_told_twice() -> None:
    """What fails the tests is not tried on larger problems: the tests stand for them."""
    watch = Watch(PROBLEMS)
    watch.observe_round(Round("goal regression", 8, 49, 133, 12, 8, 1, 133, 12, "p8"))
    assert watch.last_round() == (
        "last tried: 49 rules by goal regression from 8 problems: fails 12 of 133 tests, "
        "1 of 8 training problems; smallest failure: p8"
    )


def test_lines_tell_what_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(PROBLEMS)
    line = news(watch)
    assert line() == "", "there is nothing yet"
    first, second = Round("general rules", 5, 1, 60, 3), Round("general rules", 5, 2, 60, 1)
    watch.observe_round(first)
    assert re.fullmatch(r"learning, \d+ s: 0 candidates; last tried: 1 rule by .*", line())
    assert line() == "", "nothing has changed"
    watch.observe_round(second)
    assert "last tried: 2 rules by " in line()
    monkeypatch.setattr(Watch, "latest_best", lambda _: "general rules: its best score 3")
    assert line() == "", "scores are told before the first round only"
    monkeypatch.setattr(learning_display, "_SILENCE", 0.0)
    assert re.fullmatch(r"learning, \d+ s: 0 candidates", line()), "it goes on"


def test_a_line_has_what_the_best_policy_solves() -> None:
    """Scores of different methods cannot be compared."""
    watch = Watch(PROBLEMS)
    watch.consider(BY_HAND)
    assert watch.effort().endswith(" s: 0 candidates, at most 3/3 solved so far")


def test_where_nothing_was_searched_no_candidates_are_counted(learned: Learned) -> None:
    """Progress counts policies of goal regression; a last line with 0 would contradict it."""
    result = learned(replace(PASSED, candidates=0, expansions=0))
    assert result.err.splitlines()[-1] == "stopped: perfect training score (made up); 0.50 s"


def test_the_rate_is_that_of_late() -> None:
    watch = Watch(PROBLEMS, time_limit=600.0)
    begin = watch.started
    watch.candidates = 1000
    assert watch.rate(begin + 1) == 1000
    assert watch.rate(begin + 4) == 250
    # From then on there are no more; a mean since the start would be 100 a second.
    assert watch.rate(begin + 10) == 0
    watch.candidates = 1
    assert re.match(r"learning, \d+ of 600 s: 1 candidate\b", watch.line())


def test_of_many_problems_the_smallest_are_tried() -> None:
    many: list[Problem] = small_ferry_problems(60)
    watch = Watch(many)
    watch.consider(BY_HAND)
    best = watch.best()
    assert best is not None
    assert best.text() == "50/50"
    assert watch.tried_on == "of the smallest training problems"
    assert Watch(PROBLEMS).tried_on == "training problems"

"""The judges know a bad plan when they see one, and agree on random ones."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pg3.planning import Limits, plan
from pg3.semantics.validation import validate
from tests.oracle import semantics
from tests.support import judges
from tests.support.errands import FETCH
from tests.support.judges import Judges, Translation
from tests.support.random_problems import problems

if TYPE_CHECKING:
    from pg3.pddl.model import Problem


def test_a_plan_cut_short_is_rejected_by_each() -> None:
    found = plan(FETCH).plan or ()
    assert Translation(FETCH).accepts(found)
    assert not Translation(FETCH).accepts(found[:-1])
    assert not Translation(FETCH).accepts(found[1:])
    with pytest.raises(AssertionError, match="our validator rejects"):
        Judges().judge(FETCH, found[:-1])


def test_what_was_judged_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    found = plan(FETCH).plan or ()
    monkeypatch.setattr(judges, "_accepted", set())
    before = Counter(judges.judged)
    Judges(steps=0).judge(FETCH, found)
    Judges().judge(FETCH, found)
    Judges().judge(FETCH, found)
    new = judges.judged - before
    assert new == {judges.OURS: 2, judges.THEIRS: 1, judges.AGAIN: 1, judges.LARGE: 1}


@settings(max_examples=30)
@given(problems(), st.data())
def test_the_judges_agree_on_random_sequences(problem: Problem, data: st.DataObject) -> None:
    """Whatever is done, in whatever order: mostly invalid, sometimes not."""
    actions = [one.action for one in semantics.instances(problem)]
    tried = data.draw(st.lists(st.sampled_from(actions), max_size=5)) if actions else []
    found = plan(problem, limits=Limits(expansions=500)).plan or ()
    other = Translation(problem)
    for sequence in (tried, [*found, *tried], found[:-1]):
        assert other.accepts(sequence) == validate(problem, sequence).valid

"""Learned policies: grouped by text, highlighted without losing a letter."""

from __future__ import annotations

import html
import re

from hypothesis import given
from hypothesis import strategies as st

from pg3.report.policies import highlight, policies_of
from pg3.report.tables import compute
from tests.report.fabrication import POLICY, failure, result

WORDS = [
    "(",
    ")",
    ":rule",
    ":action",
    ":goals",
    "?x",
    "not",
    "and",
    "; a",
    "\n",
    " ",
    "<",
    "&",
    "a",
]


def plain(markup: str) -> str:
    return html.unescape(re.sub("<[^>]*>", "", markup))


def test_the_most_common_first() -> None:
    other = POLICY.replace("debark", "leave")
    lines = [
        result("ferry", "combo", seed, policy=other if seed in (1, 2) else POLICY)
        for seed in range(5)
    ]
    lines += [failure(seed=5), result("ferry", "combo", 6, solved=0, policy="(define (policy x))")]
    found = policies_of(compute(lines).cells[0])
    assert [(p.seeds, p.success, p.rules) for p in found] == [
        ((0, 3, 4), 1.0, 1),
        ((1, 2), 1.0, 1),
        ((6,), 0.0, 0),
    ]


def test_of_equally_common_ones_the_most_successful_first() -> None:
    lines = [
        result("ferry", "combo", 0, solved=3, policy="a"),
        result("ferry", "combo", 1, solved=30, policy="b"),
    ]
    assert [p.text for p in policies_of(compute(lines).cells[0])] == ["b", "a"]


def test_parts_are_marked() -> None:
    text = highlight("(:rule go :goals (not (at ?c)) :action (sail ?to)) ; <end> ?x")
    assert "<b>:rule</b> <em>go</em>" in text
    assert "<b>:goals</b>" in text
    assert "(<i>not</i> (at <var>?c</var>))" in text
    assert "<b>:action</b> (<em>sail</em> <var>?to</var>)" in text
    assert text.endswith("<small>; &lt;end&gt; ?x</small>")


def test_names_that_look_like_words_of_the_language() -> None:
    assert highlight("(notable ?x)") == "(notable <var>?x</var>)"
    assert highlight("(at-define ?x)").startswith("(at-define")


@given(st.lists(st.sampled_from(WORDS)).map("".join))
def test_no_letter_is_lost_or_added(text: str) -> None:
    marked = highlight(text)
    assert plain(marked) == text
    assert set(re.findall(r"<(\w+)", marked)) <= {"b", "em", "i", "var", "small"}

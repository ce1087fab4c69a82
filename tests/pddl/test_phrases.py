"""Phrases of users for predicates and actions: what is read, and what is refused with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pg3.analysis.explain import read_rule
from pg3.pddl import parse_domain, read_domain
from pg3.pddl.lexer import text_source
from pg3.pddl.phrases import Phrases, PhrasesError, phrases_in
from pg3.policy import parse_policy

if TYPE_CHECKING:
    from pathlib import Path

HOTEL = """
(define (domain hotel) (:types maid room card)
  (:predicates (locked ?r - room) (opens ?c - card ?r - room) (has ?m - maid ?c - card) (closed))
  (:action unlock :parameters (?m - maid ?r - room ?c - card)
    :precondition (and (has ?m ?c) (opens ?c ?r) (locked ?r)) :effect (not (locked ?r)))
  (:action closed :parameters () :precondition () :effect (closed)))
"""
DOMAIN = parse_domain(HOTEL)
POLICY = """(define (policy p) (:rule r :parameters (?m - maid ?r - room ?c - card)
  :preconditions (and (has ?m ?c) (opens ?c ?r) (locked ?r) (not (closed)))
  :action (unlock ?m ?r ?c)))"""


def phrases(text: str) -> Phrases:
    return phrases_in(text_source(text, "own.phrases"), DOMAIN)


def test_a_rule_in_a_users_words(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(HOTEL)
    (tmp_path / "own.phrases").write_text("""; ours
:predicates
(locked ?r)     the door of ?r is locked  ; at night
(OPENS ?K ?R)   ?K fits ?R
(closed)        the hotel sleeps
:actions
(unlock ?m ?r ?c)  unlock ?r with ?c
""")
    domain = read_domain(tmp_path / "domain.pddl", tmp_path / "own.phrases")
    assert domain == DOMAIN, "phrases are for people only"
    (rule,) = parse_policy(POLICY, domain).rules
    assert read_rule(rule, domain) == (
        "Unlock a room with a card, if a maid has the card, the card fits the room, "
        "the door of the room is locked and the hotel does not sleep."
    )


def test_articles_before_variables_are_left_out() -> None:
    with_articles = """:predicates
(locked ?r)     the door of a ?r is locked
(opens ?k ?r)   The ?k fits the ?r
:actions
(unlock ?m ?r ?c)  unlock the ?r with an ?c"""
    without = """:predicates
(locked ?r)     the door of ?r is locked
(opens ?k ?r)   ?k fits ?r
:actions
(unlock ?m ?r ?c)  unlock ?r with ?c"""
    assert phrases(with_articles) == phrases(without)


def test_what_has_no_phrase_reads_as_before() -> None:
    (rule,) = parse_policy(POLICY, DOMAIN).rules
    assert phrases("") == Phrases()
    assert "the room is locked" in read_rule(rule, DOMAIN)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("(locked ?r) it is locked", "1:1", "a phrase before the first section"),
        (":rules", "1:1", "there is no section ':rules'"),
        (":predicates\n  (lokced ?r) ?r is locked", "2:3", "the domain has no predicate 'lokced'"),
        (":actions\n(locked ?r) lock ?r", "2:1", "the domain has no action 'locked'"),
        (":predicates\n(locked ?r ?s) ?r is locked", "2:1", "'locked' has 1 argument, not 2"),
        (":predicates\n(opens ?c ?c) ?c opens", "2:1", "'?c' is no name for one argument"),
        (":predicates\n(locked room) room is locked", "2:1", "'room' is no name for one argument"),
        (":predicates\n(locked ?r) ?x is locked", "2:1", "'?x' is no argument of 'locked' here"),
        (":predicates\n(locked ?r)", "2:1", "no phrase"),
        (":predicates\nlocked ?r is locked", "2:1", "no phrase"),
        (":predicates\n(locked ?r) lock of ?r", "2:1", "the sentence has no verb"),
        (":predicates\n(closed) the hotel", "2:1", "the sentence has no verb"),
        (
            ":predicates\n(locked ?r) ?r is shut\n(locked ?r) ?r is locked",
            "3:1",
            "'locked' has two phrases",
        ),
        (":predicates\n(locked ?r) ?r is \x07", "2:19", "character U+0007"),
    ],
)
def test_faults_have_a_place(text: str, place: str, message: str) -> None:
    with pytest.raises(PhrasesError) as error:
        phrases(text)
    assert str(error.value).startswith(f"own.phrases:{place}: ")
    assert message in str(error.value)


def test_a_near_name_is_named() -> None:
    with pytest.raises(PhrasesError, match="did you mean 'locked'"):
        phrases(":predicates\n(lokced ?r) ?r is locked")

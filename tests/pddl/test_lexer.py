from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pg3.errors import InputWarning, PddlError, Pg3Error, PolicyError
from pg3.pddl.lexer import Cursor, read_source, text_source

if TYPE_CHECKING:
    from pathlib import Path


def cursor(text: str | bytes) -> Cursor:
    return Cursor(text_source(text, "text"))


def test_tokens_are_lower_case_words_and_parentheses() -> None:
    it = cursor("(Define ;Comment (\r\n\t(DOMAIN x-1) ?A)")
    words = [it.take() for _ in range(len(it.tokens))]
    assert words == ["(", "define", "(", "domain", "x-1", ")", "?a", ")"]
    assert it.word == ""


def test_positions_are_those_of_the_text() -> None:
    it = cursor("(a\n  (bc)\n  d)")
    assert str(it.span(3)) == "text:2:4"
    assert it.closing(0) == 6
    assert it.closing(2) == 4
    assert it.closing(1) == 1
    assert it.line(5) == 3
    whole = it.whole(2)
    assert it.source.data[whole.begin : whole.end] == b"(bc)"


def test_columns_count_characters() -> None:
    assert str(cursor("(é ü)").span(2)) == "text:1:4"


def test_skip_steps_over_one_expression() -> None:
    it = cursor("(a (b (c)) d)")
    it.take_open("'('")
    it.skip()
    assert it.head == "b"
    it.skip()
    assert it.take_word("a word") == "d"
    it.take_close()


def test_one_missing_parenthesis_is_supplied_with_a_warning() -> None:
    it = cursor("(define\n  (a)\n")
    assert it.closing(0) == 5
    it.at = 5
    it.take_close()
    with pytest.warns(InputWarning, match=r"^text:2:6: missing '\)' at the end, for the '\(' in"):
        it.finish()


def test_byte_order_mark_is_no_character() -> None:
    assert cursor(b"\xef\xbb\xbf(a)").span(0).begin == 0


def test_comments_may_hold_any_character() -> None:
    assert len(cursor("(a) ; \u00a0 ( ü").tokens) == 3


def test_old_line_ends_end_a_comment() -> None:
    assert len(cursor("; a comment\r(a)").tokens) == 3


def test_the_error_class_is_the_callers() -> None:
    with pytest.raises(PolicyError, match="closes nothing"):
        Cursor(text_source("(a))", "text"), PolicyError)


def test_a_long_line_is_cut_around_the_fault() -> None:
    with pytest.raises(PddlError) as caught:
        cursor("(" + "a " * 10_000 + ")" + " b" * 10_000)
    line, carets = str(caught.value).split("\n")[1:3]
    assert len(line) < 120
    assert line[carets.index("^")] == "b"


def test_a_million_parentheses_are_no_burden() -> None:
    depth = 1_000_000
    assert cursor("(" * depth + ")" * depth).closing(0) == 2 * depth - 1
    with pytest.raises(PddlError, match="and 999999 more are not closed"):
        cursor("(" * depth)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none.pddl", "none.pddl: no such file"),
        ("", ": is a directory, not a file"),
        ("file.pddl/x", "x: cannot be read: Not a directory"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "file.pddl").write_text("(a)")
    with pytest.raises(Pg3Error, match=message):
        read_source(tmp_path / name)

"""Messages that point at a place in a text."""

from __future__ import annotations

import pytest

from pg3.errors import (
    InputError,
    PddlError,
    Pg3Error,
    PlanError,
    PolicyError,
    Source,
    Span,
    UnsupportedError,
    did_you_mean,
)

TEXT = "first\nsécond line\r\n\tthird"


def span(text: str, part: str) -> Span:
    data = text.encode()
    begin = data.index(part.encode())
    return Span(Source("file.pddl", data), begin, begin + len(part.encode()))


@pytest.mark.parametrize(
    ("part", "place", "line"),
    [
        ("first", (1, 1), "first"),
        ("rst", (1, 3), "first"),
        ("sécond", (2, 1), "sécond line"),
        ("line", (2, 8), "sécond line"),  # columns count characters, not bytes
        ("third", (3, 2), "\tthird"),
    ],
)
def test_places_count_from_1(part: str, place: tuple[int, int], line: str) -> None:
    where = span(TEXT, part)
    assert where.source.locate(where.begin) == place
    assert where.source.line_at(where.begin) == line
    assert str(where) == f"file.pddl:{place[0]}:{place[1]}"


def test_the_end_of_a_text_is_a_place() -> None:
    source = Source("file", b"ab\n")
    assert source.locate(3) == (2, 1)
    assert Span(source, 3, 3).excerpt() == "    \n    ^"
    assert Source("empty", b"").locate(0) == (1, 1)


def test_carets_stand_under_the_stretch() -> None:
    assert span(TEXT, "line").excerpt() == "    sécond line\n           ^^^^"
    # A tab takes one column, so that the carets below it do as well.
    assert span(TEXT, "third").excerpt() == "     third\n     ^^^^^"
    # Of a stretch over several lines the first is marked.
    assert span(TEXT, "first\nsécond").excerpt() == "    first\n    ^^^^^"


def test_a_very_long_line_is_cut_around_the_fault() -> None:
    text = "x" * 5000 + " fault " + "y" * 5000
    shown, carets = span(text, "fault").excerpt().split("\n")
    assert len(shown) == 104
    assert shown[carets.index("^") : carets.rindex("^") + 1] == "fault"
    # A stretch that goes on beyond what is shown is marked as far as that.
    shown, carets = span("z" * 5000, "z" * 5000).excerpt().split("\n")
    assert len(shown) == len(carets) == 104


def test_text_that_is_no_utf_8_is_shown_all_the_same() -> None:
    where = Span(Source("file", b"a\xffb c"), 4, 5)
    assert str(where) == "file:1:5"
    assert where.excerpt() == "    a�b c\n        ^"


def test_a_message_has_place_line_and_hint() -> None:
    error = InputError("a fault", span(TEXT, "line"), "expected a 'column'")
    assert str(error) == (
        "file.pddl:2:8: a fault\n    sécond line\n           ^^^^\n  expected a 'column'"
    )
    assert (error.message, error.hint) == ("a fault", "expected a 'column'")
    assert str(InputError("a fault", span(TEXT, "first"))) == (
        "file.pddl:1:1: a fault\n    first\n    ^^^^^"
    )


@pytest.mark.parametrize("kind", [PddlError, UnsupportedError, PolicyError, PlanError])
def test_every_error_is_one_to_catch(kind: type[InputError]) -> None:
    with pytest.raises(Pg3Error):
        raise kind("a fault", span(TEXT, "first"))


def test_near_names_are_suggested() -> None:
    assert did_you_mean("debrak", ["board", "debark", "sail"]) == "did you mean 'debark'?"
    assert did_you_mean("ta", ["on", "at"]) == "did you mean 'at'?"
    assert did_you_mean("fly", ["board", "debark", "sail"]) is None
    assert did_you_mean("x", []) is None


def test_suggestions_are_quick_among_many_names() -> None:
    names = [f"object{i}" for i in range(100_000)]
    assert did_you_mean("objekt4711", names) == "did you mean 'object4711'?"
    assert did_you_mean("nothing-like-it", names) is None

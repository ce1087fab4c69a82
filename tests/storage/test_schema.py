"""Shapes of JSON values: what fits, and what is said of what does not."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pg3.storage.schema import (
    SHA256,
    Anything,
    As,
    Flag,
    Format,
    ListOf,
    Nothing,
    Number,
    OneOf,
    PathName,
    Record,
    Shape,
    ShapeError,
    Text,
    TupleOf,
    Whole,
    list_of,
    parse_as,
    parse_json,
)

POINT = Record({"x": Number(-math.inf), "y": Number(-math.inf)}, {"name": Text()})
FILE = Format("points", 3, Record({"points": ListOf(POINT)}))


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        (Whole(), 0),
        (Whole(), 2**63 - 1),
        (Whole(None, None), -(10**400)),
        (Number(0, 1), 1),
        (Number(-math.inf), -1.5e308),
        (Flag(), False),
        (Text(), "ä\n"),
        (PathName(), "a/\udcff.pddl"),
        (SHA256, "0" * 64),
        (OneOf(("a", "b")), "b"),
        (Nothing(), None),
        (Nothing(Whole()), 3),
        (Anything(), [None]),
        (ListOf(Whole(), increasing=True), [0, 1, 5]),
        (list_of(Flag(), 2), [True, False]),
        (POINT, {"x": 1, "y": 2.5, "name": "here"}),
        (Record({}, open=True), {"any": "thing"}),
    ],
)
def test_what_fits_is_given_back(shape: Shape, value: Any) -> None:
    assert shape.check(value) == value
    assert type(shape.check(value)) is type(value)


@pytest.mark.parametrize(
    ("shape", "value", "message"),
    [
        (Whole(), True, "a whole number from 0 is expected, not true"),
        (Whole(), 1.0, "a whole number from 0 is expected, not 1.0"),
        (Whole(), 2**63, "a whole number from 0 is expected, not 9223372036854775808"),
        (Whole(1, 9), 10, "a whole number from 1 to 9 is expected, not 10"),
        (Whole(5, 5), 4, "5 is expected, not 4"),
        (Number(), math.inf, "a number from 0 is expected, not Infinity"),
        (Number(), 10**400, f"a number from 0 is expected, not {'1' + '0' * 36}..."),
        (Number(0, 1), 2, "a number from 0 to 1 is expected, not 2"),
        (Flag(), 0, "true or false is expected, not 0"),
        (Text(), "", 'a text is expected, not ""'),
        (Text(), "\ud800", 'a text is expected, not "\\ud800"'),
        (PathName(), "\ud800", 'the name of a file is expected, not "\\ud800"'),
        (PathName(), "a\0", 'the name of a file is expected, not "a\\u0000"'),
        (SHA256, "abc", 'an SHA-256 is expected, not "abc"'),
        (OneOf(("a", "b")), ["a"], "one of a, b is expected, not a list"),
        (Nothing(), 0, "null is expected, not 0"),
        (Anything(), None, "a value is expected, not null"),
        (ListOf(Whole()), {}, "a list is expected, not an object"),
        (ListOf(Whole()), [0, -1], "'[1]': a whole number from 0 is expected, not -1"),
        (ListOf(Whole(), increasing=True), [1, 1], "each number is expected to be larger"),
        (list_of(Flag(), 2), [True], "2 values are expected, not 1"),
        (ListOf(Flag(), 1, 2), [], "from 1 to 2 values are expected, not 0"),
        (TupleOf((Flag(), Whole())), [True], "2 values are expected, not 1"),
        (POINT, [], "a JSON object is expected, not a list"),
        (POINT, {"x": 1}, "'y' is missing"),
        (POINT, {"x": 1, "y": 2, "z": 3}, "'z' is not known"),
        (POINT, {"x": 1, "y": 2, "\x1b": 3}, "'\\u001b' is not known"),
        (FILE, {}, "'format' is missing"),
        (FILE, {"format": 1}, "'format': \"points\" is expected, not 1"),
        (FILE, {"format": "points"}, "'version' is missing"),
        (FILE, {"format": "points", "version": True}, "this pg3 reads version 3, not true"),
        (
            FILE,
            {"format": "points", "version": 3, "points": [{"x": 1, "y": None}]},
            "'points[0].y': a number is expected, not null",
        ),
    ],
)
def test_what_does_not_fit_is_told(shape: Shape, value: Any, message: str) -> None:
    with pytest.raises(ShapeError) as error:
        shape.check(value)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_what_is_made_of_a_value_may_refuse_it() -> None:
    def ordered(low: int, high: int) -> range:
        if low > high:
            raise ShapeError(("high",), ": too low")
        return range(low, high)

    shape = ListOf(As(ordered, Record({"low": Whole(), "high": Whole()})))
    assert shape.check([{"low": 1, "high": 3}]) == [range(1, 3)]
    with pytest.raises(ShapeError, match=r"^'\[0\]\.high': too low$"):
        shape.check([{"low": 3, "high": 1}])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Expecting value"),
        ("NaN", "NaN is no number in JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('[{"a": 1, "a": 2}]', '"a" stands twice in an object'),
        (b"\xff", "decode"),
        ("9" * 5000, "digits"),
    ],
)
def test_texts_that_are_no_json(text: str | bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_json(text)
    with pytest.raises(ShapeError, match="not JSON"):
        parse_as(Anything(), text)

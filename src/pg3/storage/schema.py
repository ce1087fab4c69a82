"""What the JSON files that we read must look like: shapes as data, one for every format.

Anybody may have edited a file. So every value is checked by a shape before it is used, and what
does not fit is a `ShapeError` that says in one line what is wrong and where in the value:
"'bests[0].score': a number is expected, not null". The reader of a file adds its name and the line.

A shape has `check(value, place)`, which gives back the value or what is made of it (`As`). Shapes
of one use, such as a plan that must be possible in a state space, stand with what they are about.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from pg3.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

# The way to a part of a value: names of fields and indices of lists.
Place = tuple[str | int, ...]

# The largest number that the kernel takes anywhere.
_MOST = 2**63 - 1


class ShapeError(ValueError):
    """A value that does not fit its shape; `str()` says what is wrong and where.

    `fault` is the message without the place, `hint` what may have been meant.
    """

    def __init__(self, place: Place, fault: str, hint: str | None = None) -> None:
        self.place = place
        self.fault = fault
        self.hint = hint
        super().__init__(f"'{path_of(place)}'{fault}" if place else fault.removeprefix(": "))


class Shape(Protocol):
    """The shape of a value."""

    def check(self, value: Any, place: Place = ()) -> Any:
        """The value, or what is made from it; ShapeError if it does not fit."""


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text; ValueError if it is not JSON or is nested too deeply.

    Stricter than the standard library: NaN is refused, and so is a field that stands twice.
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def parse_as(shape: Shape, text: str | bytes) -> Any:
    """The checked value of a JSON text; ShapeError if it is not JSON or does not fit."""
    try:
        value = parse_json(text)
    except ValueError as error:
        raise ShapeError((), f"not JSON ({error})") from None
    return shape.check(value)


def path_of(place: Place) -> str:
    """A place as people write it: rules[2].preconditions[0]."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return "".join(steps).removeprefix(".")


def wrong(place: Place, expected: str, value: Any) -> NoReturn:
    """Raise the error for a value of another kind than expected."""
    raise ShapeError(place, f": {expected} is expected, not {shown(value)}")


def shown(value: Any) -> str:
    """A value as a message shows it: in full where it is short."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


# -- single values ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within bounds; without `most` it may be larger than the kernel's numbers."""

    least: int | None = 0
    most: int | None = _MOST

    def check(self, value: Any, place: Place = ()) -> int:
        """The number."""
        if (
            type(value) is int
            and (self.least is None or value >= self.least)
            and (self.most is None or value <= self.most)
        ):
            return value
        bounds = "" if self.least is None else f" from {self.least}"
        if self.most not in (None, _MOST):
            bounds += f" to {self.most}"
        same = self.least == self.most is not None
        wrong(place, str(self.most) if same else f"a whole number{bounds}", value)


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number within bounds, whole or not."""

    least: float = 0.0
    most: float = math.inf

    def check(self, value: Any, place: Place = ()) -> float:
        """The number as it stands."""
        if type(value) in (int, float) and self.least <= value <= self.most and _is_finite(value):
            number: float = value
            return number
        bounds = f" from {self.least:g}" if math.isfinite(self.least) else ""
        bounds += f" to {self.most:g}" if math.isfinite(self.most) else ""
        wrong(place, f"a number{bounds}", value)


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def check(self, value: Any, place: Place = ()) -> bool:
        """The flag."""
        if isinstance(value, bool):
            return value
        wrong(place, "true or false", value)


@dataclass(frozen=True, slots=True)
class Text:
    """A text that can be written to a file, of a form if one is given, e.g. "an SHA-256"."""

    pattern: str = "(?s:.+)"
    form: str = "a text"

    def check(self, value: Any, place: Place = ()) -> str:
        """The text."""
        if isinstance(value, str) and _is_encodable(value) and re.fullmatch(self.pattern, value):
            return value
        wrong(place, self.form, value)


LINE = Text("[^\\x00-\\x1f\\x7f-\\x9f\u2028\u2029]+", "a text on one line")
SHA256 = Text("[0-9a-f]{64}", "an SHA-256")


@dataclass(frozen=True, slots=True)
class PathName:
    """The name of a file, also of one whose bytes are no UTF-8."""

    def check(self, value: Any, place: Place = ()) -> str:
        """The name."""
        if isinstance(value, str) and value and "\0" not in value:
            with contextlib.suppress(UnicodeEncodeError):
                os.fsencode(value)
                return value
        wrong(place, "the name of a file", value)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few names."""

    names: Collection[str]

    def check(self, value: Any, place: Place = ()) -> str:
        """The name."""
        if isinstance(value, str) and value in self.names:
            return value
        wrong(place, f"one of {', '.join(self.names)}", value)


@dataclass(frozen=True, slots=True)
class Nothing:
    """Null, or a value of another shape."""

    or_else: Shape | None = None

    def check(self, value: Any, place: Place = ()) -> Any:
        """None, or the value of the other shape."""
        if value is None:
            return None
        if self.or_else is None:
            wrong(place, "null", value)
        return self.or_else.check(value, place)


@dataclass(frozen=True, slots=True)
class Anything:
    """Any value but null; the caller checks it."""

    def check(self, value: Any, place: Place = ()) -> Any:
        """The value."""
        if value is None:
            wrong(place, "a value", value)
        return value


# -- lists and objects -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of values of one shape, of a length if one is given; perhaps increasing."""

    item: Shape
    least: int = 0
    most: int | None = None
    increasing: bool = False

    def check(self, value: Any, place: Place = ()) -> list[Any]:
        """The list."""
        if not isinstance(value, list):
            wrong(place, "a list", value)
        if len(value) < self.least or (self.most is not None and len(value) > self.most):
            bounds = f"{self.least}" if self.most is None else f"{self.least} to {self.most}"
            bounds = f"{self.least}" if self.least == self.most else f"from {bounds}"
            raise ShapeError(place, f": {bounds} values are expected, not {len(value)}")
        items = [self.item.check(item, (*place, i)) for i, item in enumerate(value)]
        if self.increasing and any(a >= b for a, b in pairwise(items)):
            raise ShapeError(place, ": each number is expected to be larger than the one before")
        return items


def list_of(item: Shape, length: int) -> ListOf:
    """A list of so many values of one shape."""
    return ListOf(item, length, length)


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A list of fixed length with a shape for each place."""

    items: Sequence[Shape]

    def check(self, value: Any, place: Place = ()) -> tuple[Any, ...]:
        """The values."""
        if not isinstance(value, list):
            wrong(place, "a list", value)
        if len(value) != len(self.items):
            raise ShapeError(place, f": {len(self.items)} values are expected, not {len(value)}")
        return tuple(
            shape.check(item, (*place, i))
            for i, (shape, item) in enumerate(zip(self.items, value, strict=True))
        )


@dataclass(frozen=True, slots=True)
class Record:
    """An object with the given fields, some of which may be missing, and no others.

    With `open` it may have others, of any shape.
    """

    fields: Mapping[str, Shape]
    optional: Mapping[str, Shape] = field(default_factory=dict)
    open: bool = False

    def check(self, value: Any, place: Place = ()) -> dict[str, Any]:
        """The fields."""
        if not isinstance(value, dict):
            wrong(place, "an object" if place else "a JSON object", value)
        known = {**self.fields, **self.optional}
        for name in value:
            if name not in known and not self.open:
                hint = did_you_mean(name, known) or f"expected only: {', '.join(known)}"
                raise ShapeError((*place, _short(name)), " is not known", hint)
        for name in self.fields:
            if name not in value:
                raise ShapeError((*place, name), " is missing")
        rest = {name: item for name, item in value.items() if name not in known}
        return rest | {
            name: shape.check(value[name], (*place, name))
            for name, shape in known.items()
            if name in value
        }


@dataclass(frozen=True, slots=True)
class Format:
    """A record with a head that says what it is: {"format": ..., "version": ...}."""

    name: str
    version: int
    record: Record

    def check(self, value: Any, place: Place = ()) -> dict[str, Any]:
        """The fields without the head; those of another version are not checked."""
        if not isinstance(value, dict):
            wrong(place, "a JSON object", value)
        if "format" not in value:
            raise ShapeError((*place, "format"), " is missing", f'expected "{self.name}"')
        if value["format"] != self.name:
            wrong((*place, "format"), json.dumps(self.name), value["format"])
        if "version" not in value:
            raise ShapeError((*place, "version"), " is missing")
        if type(value["version"]) is not int or value["version"] != self.version:
            found = shown(value["version"])
            raise ShapeError(
                (*place, "version"), f": this pg3 reads version {self.version}, not {found}"
            )
        rest = {name: v for name, v in value.items() if name not in ("format", "version")}
        return self.record.check(rest, place)


@dataclass(frozen=True, slots=True)
class As:
    """A value made from one of a shape by a function, which may refuse it with a ShapeError.

    The fields of an object become keyword arguments.
    """

    make: Callable[..., Any]
    shape: Shape

    def check(self, value: Any, place: Place = ()) -> Any:
        """The value that was made."""
        checked = self.shape.check(value, place)
        try:
            return self.make(**checked) if isinstance(checked, dict) else self.make(checked)
        except ShapeError as error:
            fault = error.fault if error.place else f": {error}"
            raise ShapeError((*place, *error.place), fault, error.hint) from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number in JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{json.dumps(_short(twice))} stands twice in an object")
    return value


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that is too large
        return False


def _is_encodable(text: str) -> bool:
    """Whether a text has no halves of surrogate pairs."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _short(name: str) -> str:
    """A name as a message shows it."""
    shown_name = json.dumps(name)[1:-1]
    return shown_name if len(shown_name) <= 40 else f"{shown_name[:37]}..."

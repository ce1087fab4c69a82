"""Values from a JSON object, each checked as it is taken: a file may have been edited by hand."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from pg3.json_text import parse_json


class BadFieldError(ValueError):
    """A JSON text that is not what it should be; `str()` says what is wrong and where in it."""


def parse_object(text: str | bytes) -> dict[str, Any]:
    """The JSON object in a text; BadFieldError if it is no JSON or no object."""
    try:
        value = parse_json(text)
    except ValueError as error:
        raise BadFieldError(f"not JSON ({error})") from None
    if not isinstance(value, dict):
        raise BadFieldError(f"a JSON object is expected, not {_kind(value)}")
    return value


class Fields:
    """The fields of one JSON object, to be taken one by one; `end` refuses what is left over."""

    def __init__(self, value: Any, place: str = "") -> None:
        if not isinstance(value, dict):
            raise BadFieldError(f"'{place}': an object is expected, not {_kind(value)}")
        self._values = dict(value)
        self._place = place

    def take(self, name: str) -> Any:
        """The value of a field as it stands."""
        if name not in self._values:
            raise BadFieldError(f"'{self._path(name)}' is missing")
        return self._values.pop(name)

    def inner(self, name: str) -> Fields:
        """A field that is an object."""
        return Fields(self.take(name), self._path(name))

    def rows(self, name: str) -> list[Fields]:
        """A field that is a list of objects."""
        path = self._path(name)
        return [Fields(item, f"{path}[{i}]") for i, item in enumerate(self.items(name))]

    def items(self, name: str) -> list[Any]:
        """A field that is a list."""
        value = self.take(name)
        return value if isinstance(value, list) else self._wrong(name, "a list", value)

    def text(self, name: str) -> str:
        """A field that is a text with something in it."""
        value = self.take(name)
        if isinstance(value, str) and value:
            return value
        return self._wrong(name, "a text", value)

    def texts(self, name: str) -> tuple[str, ...]:
        """A field that is a list of texts."""
        values = self.items(name)
        if all(isinstance(value, str) for value in values):
            return tuple(values)
        return self._wrong(name, "a list of texts", values)

    def whole(self, name: str, least: int = 0) -> int:
        """A field that is a whole number."""
        value = self.take(name)
        if type(value) is int and value >= least:
            return value
        return self._wrong(name, f"a whole number from {least}", value)

    def number(self, name: str, least: float = 0.0, most: float = math.inf) -> float:
        """A field that is a number."""
        value = self.take(name)
        if type(value) in (int, float) and -1e300 < value < 1e300 and least <= value <= most:
            return float(value)
        bounds = f" from {least:g}" if math.isfinite(least) else ""
        return self._wrong(
            name, f"a number{bounds}" + (f" to {most:g}" if math.isfinite(most) else ""), value
        )

    def flag(self, name: str) -> bool:
        """A field that is true or false."""
        value = self.take(name)
        return value if isinstance(value, bool) else self._wrong(name, "true or false", value)

    def null(self, name: str) -> bool:
        """Whether a field is null; it is then taken, else it still has to be."""
        if name not in self._values:
            raise BadFieldError(f"'{self._path(name)}' is missing")
        if self._values[name] is not None:
            return False
        del self._values[name]
        return True

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def end(self) -> None:
        """All fields have to be taken by now."""
        for name in self._values:
            raise BadFieldError(f"'{self._path(name)}' is not known")

    def _path(self, name: str) -> str:
        return f"{self._place}.{name}" if self._place else name

    def _wrong(self, name: str, expected: str, value: Any) -> NoReturn:
        raise BadFieldError(f"'{self._path(name)}': {expected} is expected, not {_kind(value)}")


def _kind(value: Any) -> str:
    """A value as a message shows it: in full where it is short."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."

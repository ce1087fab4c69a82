"""What a user can get wrong, each with file:line:column where there is one.

Everything that pg3 raises on bad input is a `Pg3Error`; the command line prints it and exits with
code 2. "No plan" and "limit reached" are no errors but values (see `planning`).
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


def printable(text: str) -> str:
    """A text as a message shows it: on one line, and nothing in it that moves a terminal's cursor.

    What cannot be printed (control characters, halves of surrogate pairs) is written as Python
    would write it, e.g. \\x1b.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


class Pg3Error(Exception):
    """Something that the user can mend; `str()` is the whole message."""


class ArgumentError(Pg3Error, ValueError):
    """A wrong argument of a function: its name, and what it can be."""

    def __init__(self, name: str, expected: str, value: object) -> None:
        super().__init__(f"'{name}': {expected} is expected, not {printable(repr(value))[:60]}")


def whole_number(name: str, value: object, least: int = 0) -> int:
    """The argument of this name if it is a whole number that is not too small; ArgumentError."""
    if isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least:
        return int(value)
    raise ArgumentError(name, f"a whole number from {least}", value)


def true_or_false(name: str, value: object) -> None:
    """ArgumentError if the argument of this name is neither True nor False."""
    if not isinstance(value, bool):
        raise ArgumentError(name, "True or False", value)


def one_of(name: str, value: object, choices: Sequence[str]) -> None:
    """ArgumentError if the argument of this name is none of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ArgumentError(name, f"one of {', '.join(choices)}", value)


@dataclass(frozen=True, slots=True)
class Source:
    """A text with the name under which messages speak of it (mostly a path)."""

    name: str
    data: bytes

    def locate(self, offset: int) -> tuple[int, int]:
        """Line and column (both from 1, columns in characters) of a byte offset."""
        start = self.data.rfind(b"\n", 0, offset) + 1
        line = self.data.count(b"\n", 0, start) + 1
        column = len(self.data[start:offset].decode("utf-8", "replace")) + 1
        return line, column

    def line_at(self, offset: int) -> str:
        """The text of the line that holds a byte offset, without its line end."""
        start = self.data.rfind(b"\n", 0, offset) + 1
        end = self.data.find(b"\n", offset)
        line = self.data[start : len(self.data) if end < 0 else end]
        return line.decode("utf-8", "replace").rstrip("\r")


# A line of a generated file can be megabytes long: a message shows this much around the fault.
_EXCERPT = 100


@dataclass(frozen=True, slots=True)
class Span:
    """A range of a source: what a message points at."""

    source: Source
    begin: int
    end: int

    def excerpt(self) -> str:
        """The source line (cut if very long) and below it carets under the range."""
        line = self.source.line_at(self.begin)
        column = self.source.locate(self.begin)[1] - 1
        text = self.source.data[self.begin : self.end].decode("utf-8", "replace").split("\n")[0]
        first = max(0, min(column - _EXCERPT // 2, len(line) - _EXCERPT))
        shown = "".join(c if c.isprintable() else " " for c in line[first : first + _EXCERPT])
        width = max(1, min(len(text), len(shown) - (column - first)))
        return f"    {shown}\n    {' ' * (column - first)}{'^' * width}"

    def __str__(self) -> str:
        line, column = self.source.locate(self.begin)
        return f"{self.source.name}:{line}:{column}"


# A word of a file can be megabytes long, too: a message shows both its ends.
_LONG_WORD = re.compile(r"(\S{40})\S{40,}(\S{40})")


def _shown(text: str) -> str:
    return printable(_LONG_WORD.sub(r"\1...\2", text))


class InputError(Pg3Error):
    """A fault in a text: where it is, what it is, and what was expected instead.

    `str()` gives file:line:column and the message, the source line with carets, then the hint.
    """

    def __init__(self, message: str, span: Span, hint: str | None = None) -> None:
        self.message = message = _shown(message)
        self.span = span
        self.hint = hint = hint if hint is None else _shown(hint)
        lines = [f"{span}: {message}", span.excerpt()]
        if hint:
            lines.append(f"  {hint}")
        super().__init__("\n".join(lines))


class PddlError(InputError):
    """A domain or problem file that is not well formed."""


class UnsupportedError(PddlError):
    """Correct PDDL outside our fragment: the message begins with "not supported:".

    `keyword` is the word of PDDL that is not supported, such as ":vars", where it is a single one;
    the message then ends with it.
    """

    def __init__(
        self, what: str, span: Span, hint: str | None = None, keyword: str | None = None
    ) -> None:
        super().__init__(f"not supported: {what}{f' ({keyword})' if keyword else ''}", span, hint)
        self.keyword = keyword


class PolicyError(InputError):
    """A policy file that is not well formed, or does not fit its domain."""


class PlanError(InputError):
    """A plan file that cannot be read, or names what the problem does not have."""


class InputWarning(UserWarning):
    """Something dubious in a text that was read all the same: "file:line:column: message"."""


# Comparing names takes microseconds each: with 100,000 objects an error would take seconds.
_MANY = 2000
# And it takes the product of their lengths. No name that a person types is so long.
_LONG = 200


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A hint that names the likely intended one of `known`, or None if nothing is near."""
    if len(name) > _LONG:
        return None
    candidates = sorted(one for one in known if len(one) <= _LONG)
    if len(candidates) > _MANY:
        half = max(1, len(name) // 2)  # one slip leaves one half of the name as it was
        candidates = [c for c in candidates if c[:half] == name[:half] or c[-half:] == name[-half:]]
    # Swapped letters in a short name count as two faults for difflib: too far.
    near = [c for c in candidates if c != name and sorted(c) == sorted(name)]
    near = near or difflib.get_close_matches(name, candidates[:_MANY], n=1, cutoff=0.6)
    return f"did you mean '{near[0]}'?" if near else None


def system_reason(error: OSError) -> str:
    """What the system says of a file, a process or a network."""
    return (error.strerror or str(error)).lower()


def file_error(path: str | Path, what: str, error: OSError) -> Pg3Error:
    """The error that a file cannot be used; `what` is read, write or lock."""
    return Pg3Error(f"{path}: cannot {what}: {system_reason(error)}")


def pluralize(number: int, noun: str) -> str:
    """The number with the noun: "1 step", "2 steps"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def first_few(names: Sequence[str], most: int) -> str:
    """The first names, and how many there are beyond: "a, b and 3 more"."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more

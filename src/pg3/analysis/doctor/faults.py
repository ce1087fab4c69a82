"""Every fault of a PDDL file, not only the first.

The reader stops at the first fault. Here the faulty part (a condition, an effect, a fact or a
section) is replaced by something harmless of the same length, so that all positions stay and no
fault follows from another, and the file is read again. Where that is impossible, as in
declarations, the fault is the last one reported.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from pg3._native import Tokens
from pg3.errors import InputError, InputWarning, Pg3Error, Source, Span, UnsupportedError
from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.lexer import read_source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pg3.pddl import Domain, Problem

T = TypeVar("T")

# Each fault costs another reading of the file, and no user corrects more than this at once.
_MOST_FAULTS = 50

# An empty condition or effect, wherever one can stand; not within these.
_NOTHING = b"(and)"
_OF_NUMBERS = ("<", "<=", "=", ">=", ">", "+", "-", "*", "/", "increase", "decrease", "assign")


# Advice for unsupported PDDL, by its keyword.
_REMEDIES = {
    ":axiom": "write it as (:derived (predicate ?x ...) condition)",
    ":durative-action": "make it an ordinary action, if plans without time are enough",
    ":vars": "move the variables to :parameters",
    **dict.fromkeys(
        ("scale-up", "scale-down"),
        "count with objects and a predicate such as (next ?a ?b), or leave the numbers out",
    ),
}


class Fault(NamedTuple):
    """A fault in a file: "file:line:column", the message, a hint and the line.

    A file that cannot be opened has no place; the message then names it.
    """

    place: str | None
    message: str
    hint: str | None
    excerpt: str | None
    unsupported: bool


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """The value in a file, all its faults, and the reader's warnings.

    With faults the value is that of the file without them, enough to check other files against;
    None if even that cannot be read.
    """

    value: T | None
    faults: tuple[Fault, ...]
    warnings: tuple[str, ...]


def read_whole_domain(path: str | Path) -> Reading[Domain]:
    """The domain in a file, with all faults; a file that cannot be opened is one, too."""
    return _read(path, lambda data: parse_domain(data, str(path)))


def read_whole_problem(path: str | Path, domain: Domain) -> Reading[Problem]:
    """The problem in a file, with all faults."""
    return _read(path, lambda data: parse_problem(data, domain, str(path)))


def _read(path: str | Path, parse: Callable[[bytes], T]) -> Reading[T]:
    try:
        source = read_source(path)
    except Pg3Error as error:
        return Reading(None, (Fault(None, str(error), None, None, False),), ())
    data = source.data
    faults: dict[int, Fault] = {}
    for left in range(_MOST_FAULTS - 1, -1, -1):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", InputWarning)
            try:
                value = parse(data)
            except InputError as error:
                faults.setdefault(error.span.begin, _fault(error, source))
                data = _without(error, data) if left else b""
                if not data:
                    break
            else:
                messages = tuple(str(warning.message) for warning in caught)
                return Reading(value, _in_order(faults), messages)
    return Reading(None, _in_order(faults), ())


def _in_order(faults: dict[int, Fault]) -> tuple[Fault, ...]:
    return tuple(faults[begin] for begin in sorted(faults))


def _fault(error: InputError, source: Source) -> Fault:
    # The excerpt is from the original file, not from the changed text.
    span = Span(source, error.span.begin, error.span.end)
    hint = error.hint
    unsupported = isinstance(error, UnsupportedError)
    # This advice is for actions and goals; for axioms the reader's hint is better.
    if isinstance(error, UnsupportedError) and not _is_in_axiom(error, source):
        hint = _REMEDIES.get(error.keyword or "", hint)
    return Fault(str(span), error.message, hint, span.excerpt(), unsupported)


def _is_in_axiom(error: InputError, source: Source) -> bool:
    tokens = _tokens(source.data)
    around = _around(tokens, error.span.begin)
    return len(around) > 1 and tokens.word(around[1] + 1) == ":derived"


def _without(error: InputError, data: bytes) -> bytes:
    """The text with the fault replaced by something harmless; empty if that is impossible."""
    tokens = _tokens(data)
    if len(tokens.unclosed()) > 1:
        return b""
    around = _around(tokens, error.span.begin)
    if len(around) < 2:
        return b""
    section = tokens.word(around[1] + 1)
    if section in (":metric", ":derived"):
        return _filled(tokens, data, around[1], b"")
    if len(around) == 2:
        if isinstance(error, UnsupportedError):
            # An unknown section, or in an action an unknown key with its value.
            at = _token_at(tokens, error.span.begin)
            if at in (around[1], around[1] + 1):
                return _filled(tokens, data, around[1], b"")
            if at + 1 < len(tokens) and tokens.word(at).startswith(":"):
                end = tokens.end(_closing(tokens, at + 1))
                return _blank(data, tokens.begin(at), end, b"")
        return b""
    if section == ":init":
        return _filled(tokens, data, around[2], b"")
    in_condition = section == ":goal" or (
        section == ":action" and tokens.word(around[2] - 1) in (":precondition", ":effect")
    )
    # The part that was replaced was not the whole fault: replace what surrounds it.
    for outer, place in reversed([*pairwise(around[1:])]) if in_condition else ():
        if tokens.word(outer + 1) in _OF_NUMBERS:
            continue
        if data[tokens.begin(place) : tokens.end(_closing(tokens, place))].strip() != _NOTHING:
            filled = _filled(tokens, data, place, _NOTHING)
            if filled != data:
                return filled
    return b""


# Of a text that may not be UTF-8 only parentheses and keywords are looked at.
_PLAIN = bytes([*range(128), *[ord("_")] * 128])


def _tokens(data: bytes) -> Tokens:
    return Tokens(data.translate(_PLAIN))


def _around(tokens: Tokens, offset: int) -> list[int]:
    """The opening parentheses around a position, outermost first; one at the position counts."""
    around: list[int] = []
    for at in range(len(tokens)):
        if tokens.begin(at) > offset:
            break
        if tokens.word(at) == "(":
            around.append(at)
        elif tokens.word(at) == ")" and tokens.begin(at) < offset and around:
            around.pop()
    return around


def _token_at(tokens: Tokens, offset: int) -> int:
    return next((at for at in range(len(tokens)) if tokens.end(at) > offset), len(tokens) - 1)


def _closing(tokens: Tokens, at: int) -> int:
    # One parenthesis may be missing at the very end.
    return min(tokens.closing(at), len(tokens) - 1) if tokens.word(at) == "(" else at


def _filled(tokens: Tokens, data: bytes, opening: int, filling: bytes) -> bytes:
    return _blank(data, tokens.begin(opening), tokens.end(_closing(tokens, opening)), filling)


def _blank(data: bytes, begin: int, end: int, filling: bytes) -> bytes:
    """The text with spaces (and the filling, if there is room) over a range; lines stay."""
    blanks = bytes(c if c in b"\r\n" else ord(" ") for c in data[begin:end])
    if len(filling) <= len(blanks) and not blanks[: len(filling)].strip(b" "):
        blanks = filling + blanks[len(filling) :]
    return data[:begin] + blanks + data[end:]

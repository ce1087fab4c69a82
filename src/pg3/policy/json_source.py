"""JSON text as a plain value, with the place of every part of it in the text."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from pg3.errors import PolicyError, Span
from pg3.pddl.lexer import check_text
from pg3.policy.layout import Places

if TYPE_CHECKING:
    from pg3.errors import Source
    from pg3.policy.layout import Place

# A policy nests 7 deep; a text that nests deeper than this is none, and must not exhaust the stack.
_DEPTH = 32

_SPACE = re.compile(r"[ \t\n\r]*")


def load(source: Source) -> tuple[Any, Places]:
    """The value that the source holds and where its parts stand; PolicyError if it is not JSON.

    The places are the paths through the value; a last step in double quotes, such as ("rules", 0,
    '"name"'), is the key itself instead of what it stands for. Stricter than the standard library:
    a key may stand only once in an object.
    """
    check_text(source, PolicyError)
    text = source.data.decode()
    try:
        value = json.loads(text)
    except json.JSONDecodeError as fault:
        raise PolicyError(
            f"not valid JSON: {_message(fault)}", _character_span(source, text, fault.pos)
        ) from None
    except RecursionError:
        raise _too_deep(Span(source, 0, 1)) from None
    except ValueError:
        # The standard library refuses to read an integer of thousands of digits.
        raise PolicyError("a number has too many digits", Span(source, 0, 1)) from None
    return value, _Locator(source, text).places()


def _character_span(source: Source, text: str, begin: int, end: int | None = None) -> Span:
    first = len(text[:begin].encode())
    return Span(
        source, first, first + len(text[begin : begin + 1 if end is None else end].encode())
    )


def _message(fault: json.JSONDecodeError) -> str:
    return fault.msg[0].lower() + fault.msg[1:]


def _too_deep(span: Span) -> PolicyError:
    return PolicyError("nested too deeply for a policy", span)


class _Locator:
    """Walks over a text that is known to be valid JSON and notes where each part stands."""

    def __init__(self, source: Source, text: str) -> None:
        self.source = source
        self.text = text
        self.ranges: dict[Place, tuple[int, int]] = {}
        self.decoder = json.JSONDecoder()

    def places(self) -> Places:
        self.value(0, ())
        if self.text.isascii():
            return Places(self.source, self.ranges)
        # From characters to bytes, stretch by stretch: a list of all would dwarf the text.
        offsets, at, offset = dict[int, int](), 0, 0
        for character in sorted({end for ends in self.ranges.values() for end in ends}):
            offset += len(self.text[at:character].encode())
            offsets[character], at = offset, character
        return Places(
            self.source,
            {place: (offsets[begin], offsets[end]) for place, (begin, end) in self.ranges.items()},
        )

    def after_space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        assert match is not None
        return match.end()

    def value(self, at: int, place: Place) -> int:
        """Note the value that begins at or after a character; returns where it ends."""
        begin = self.after_space(at)
        if self.text[begin] not in "{[":
            end = self.decoder.raw_decode(self.text, begin)[1]
        elif len(place) >= _DEPTH:
            raise _too_deep(_character_span(self.source, self.text, begin))
        else:
            end = self.members(begin, place)
        self.ranges[place] = begin, end
        return end

    def members(self, opening: int, place: Place) -> int:
        is_object = self.text[opening] == "{"
        at = self.after_space(opening + 1)
        count = 0
        while self.text[at] not in "}]":
            step: str | int = count
            if is_object:
                key_at = at
                step, at = self.decoder.raw_decode(self.text, at)
                if (*place, step) in self.ranges:
                    span = _character_span(self.source, self.text, key_at, at)
                    raise PolicyError(f'key "{step}" is repeated', span)
                self.ranges[*place, f'"{step}"'] = key_at, at
                at = self.after_space(at) + 1
            at = self.after_space(self.value(at, (*place, step)))
            count += 1
            if self.text[at] == ",":
                at = self.after_space(at + 1)
        return at + 1

"""Spaces that other readers do not need: `(aircraft?a)`, `?x -object` and `?x- object`.

A text is read as it is first. Only if it has a fault, missing spaces are put in and it is read
again, with a warning: so nothing that can be read without them is read differently.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pg3.errors import InputError, PddlError, Source, Span
from pg3.pddl.lexer import Cursor

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

# A comment; or the last character before a variable that has no space before it; or a hyphen right
# before the name of a type, but not before a number; or a variable right before a hyphen.
_MISSING_SPACE = re.compile(
    rb";[^\n\r]*|[^\s()?;-](?=\?[^\s()?;])|(?<=\s)-(?=[^\s()0-9.;-])|\?[^\s()?;]*[^\s()?;-](?=-\s)"
)


class _Mended(NamedTuple):
    source: Source
    inserted: list[int]  # offsets in the original, in ascending order


def read_forgiving(source: Source, parse: Callable[[Cursor], T]) -> T:
    """What `parse` makes of the tokens of a source, perhaps with missing spaces put in.

    The places in errors and warnings are those of the source as it is. If spaces do not help, it
    is the error without them that counts, unless with them the text can be read further.
    """
    try:
        cursor = Cursor(source)
        result = parse(cursor)
    except PddlError as without:
        mended = _mend(source)
        if mended is None:
            raise
        try:
            cursor = Cursor(mended.source)
            result = parse(cursor)
        except InputError as error:
            place = _original(error.span, source, mended)
            if place.begin < without.span.begin:
                raise without from None
            raise type(error)(error.message, place, error.hint) from None
        _warn_of_spaces(cursor, source, mended)
        cursor.finish(lambda span: _original(span, source, mended))
        return result
    cursor.finish()
    return result


def _mend(source: Source) -> _Mended | None:
    """The source with the spaces, None if it lacks none."""
    data = source.data
    inserted = [m.end() for m in _MISSING_SPACE.finditer(data) if m[0][:1] != b";"]
    if not inserted:
        return None
    parts = [data[a:b] for a, b in zip([0, *inserted], [*inserted, len(data)], strict=True)]
    return _Mended(Source(source.name, b" ".join(parts)), inserted)


def _original(span: Span, source: Source, mended: _Mended) -> Span:
    """Where a range of the mended source stands in the original."""
    in_mended = [offset + i for i, offset in enumerate(mended.inserted)]
    begin, end = (offset - bisect_left(in_mended, offset) for offset in (span.begin, span.end))
    return Span(source, begin, end)


def _warn_of_spaces(cursor: Cursor, source: Source, mended: _Mended) -> None:
    for i, offset in enumerate(mended.inserted):
        # The cursor's notes are about the mended text.
        span = Span(mended.source, offset + i, offset + i + 1)
        before, after = source.data[offset - 1 : offset], source.data[offset : offset + 1]
        what = "after '-'" if before == b"-" else f"before '{after.decode()}'"
        cursor.note(f"there is no space {what}", span, write=mended.source.line_at(span.begin))

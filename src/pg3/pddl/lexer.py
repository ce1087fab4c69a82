"""From a file to its words and parentheses: the front of every reader of s-expressions.

A `Cursor` walks over the tokens of one definition, `(define ...)` in a domain, problem or policy
file. Its constructor checks what every such text must satisfy: it is readable text, it holds one
expression, and its parentheses match. So the readers need not.
"""

from __future__ import annotations

import os
import re
import unicodedata
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pg3._native import Tokens
from pg3.errors import (
    InputError,
    InputWarning,
    PddlError,
    Pg3Error,
    Source,
    Span,
    UnsupportedError,
    printable,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

# Characters that no editor shows, so that a name with one looks like another name.
_CONTROLS = bytes([*range(0x00, 0x09), *range(0x0E, 0x20), 0x7F])
_INVISIBLE = (
    "[\x00-\x08\x0e-\x1f\x7f-\xa0\xad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]"
)
# A comment may hold any of them but NUL, the mark of a binary file, which may well have semicolons.
_COMMENT_OR_INVISIBLE = re.compile(f";[^\0\n\r]*|{_INVISIBLE}")
_COMMENT = re.compile(rb";[^\0\n\r]*")

# The largest file that is read; a problem of 100,000 objects has some ten megabytes. Memory is
# proportional to the file, so this also bounds what a hostile file can take.
LARGEST_FILE = 2**29
# A text may nest deeper than Python's stack; nothing written by a person comes near.
DEEPEST = 50


def read_source(path: str | os.PathLike[str]) -> Source:
    """The contents of a file; `Pg3Error` if there is no such file or it cannot be read."""
    if not isinstance(path, str | os.PathLike):
        kind = type(path).__name__
        raise Pg3Error(f"the path of a file is expected, not a value of type {kind}")
    name = printable(str(path))
    try:
        with Path(path).open("rb") as file:
            # A device or a pipe has no size of its own, but may never end.
            too_large = os.fstat(file.fileno()).st_size > LARGEST_FILE
            data = b"" if too_large else file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise Pg3Error(f"{name}: no such file") from None
    except IsADirectoryError:
        raise Pg3Error(f"{name}: is a directory, not a file") from None
    except OSError as error:
        raise Pg3Error(f"{name}: cannot be read: {error.strerror}") from None
    except ValueError:
        raise Pg3Error(f"{name}: no such file: a path has no NUL character") from None
    if too_large or len(data) > LARGEST_FILE:
        raise Pg3Error(f"{name}: larger than {LARGEST_FILE >> 20} MiB, the most that pg3 reads")
    return Source(name, data.removeprefix(_BYTE_ORDER_MARK))


def text_source(text: str | bytes, name: str) -> Source:
    """A text from memory, as a source with the given name."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return Source(name, data.removeprefix(_BYTE_ORDER_MARK))


def _without_comments(data: bytes) -> bytes:
    """The same text, each byte at its place, with spaces for comments."""
    return _COMMENT.sub(lambda comment: b" " * len(comment[0]), data)


def check_text(source: Source, error: type[InputError], *, forgiving: bool = False) -> Span | None:
    """Raise `error` unless the source is UTF-8 without invisible characters outside comments.

    If `forgiving`, comments need not be UTF-8: names of authors in the encodings of their time.
    Returns the first such byte, if there is one; the caller must not decode comments.
    """
    data, odd = source.data, None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as first:
        odd = Span(source, first.start, first.start + 1)
        data = _without_comments(data) if forgiving else data
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as fault:
            span = Span(source, fault.start, fault.start + 1)
            raise error(
                f"byte 0x{data[fault.start]:02x} is not UTF-8 text", span, "save the file as UTF-8"
            ) from None
    if text.isascii() and len(data.translate(None, _CONTROLS)) == len(data):
        return odd
    for match in _COMMENT_OR_INVISIBLE.finditer(text):
        character = match.group()
        if character.startswith(";"):
            continue
        offset = len(text[: match.start()].encode())
        name = unicodedata.name(character, "control character").lower()
        raise error(
            f"invisible character U+{ord(character):04X} ({name})",
            Span(source, offset, offset + len(character.encode())),
            "remove it, or put a space there",
        )
    return odd


class _Note(NamedTuple):
    """Something to warn of."""

    message: str
    span: Span
    write: str | None


class Cursor:
    """A place in the tokens of a definition; `at` is the number of the next token.

    The look-and-take methods raise `error` (the caller's class of `InputError`) with what was
    expected. Words are lower case. One missing parenthesis at the very end is forgiven: the cursor
    then supplies it, and `finish` warns.
    """

    def __init__(self, source: Source, error: type[InputError] = PddlError) -> None:
        odd = check_text(source, error, forgiving=True)
        self.source = source
        self.error = error
        self.tokens = Tokens(source.data)
        self.at = 0
        self._count = len(self.tokens)
        self._supplied = False
        self._notes: dict[str, list[_Note]] = {}
        if odd is not None:
            self.note("a comment is not UTF-8 text; save the file as UTF-8", odd)
        self._check_parentheses()

    def _check_parentheses(self) -> None:
        if self._count == 0:
            begin = len(self.source.data.rstrip())
            span = Span(self.source, begin, begin)
            what = "only comments here" if begin else "the file is empty"
            raise self.error(what, span, "expected '(define ...'")
        if not self.is_open:
            raise self.fail(f"unexpected '{self.word}'", hint="expected '(define ...'")
        unclosed = self.tokens.unclosed()
        if unclosed:
            section, around = self.tokens.buried_section()
            if section < self._count:
                raise self.fail(
                    "this '(' is not closed",
                    around,
                    hint=f"expected ')' before '({self.word_at(section + 1)}' "
                    f"in line {self.line(section)}",
                )
            if len(unclosed) > 1:
                raise self.fail(
                    f"this '(' and {len(unclosed) - 1} more are not closed",
                    unclosed[-1],
                    hint=f"expected {len(unclosed)} more ')' before the end of the file",
                )
            self._supplied = True
            return
        last = self.tokens.closing(0)
        if last + 1 < self._count:
            extra = self.word_at(last + 1)
            if self.word_at(1) == self.word_at(last + 2) == "define":
                what, hint = "a second '(define ...)'", "give it a file of its own"
                raise self.fail(what, self.span(last + 1, last + 2), hint=hint)
            what = "this ')' closes nothing" if extra == ")" else f"unexpected '{extra}'"
            hint = f"the definition ends with the ')' in line {self.line(last)}"
            raise self.fail(what, last + 1, hint=f"{hint}; is that one too many?")

    # -- looking --------------------------------------------------------------------------------

    def word_at(self, at: int) -> str:
        """The text of a token: a word in lower case, "(" or ")", or "" after the end."""
        if at < self._count:
            return self.tokens.word(at)
        return ")" if self._supplied and at == self._count else ""

    @property
    def word(self) -> str:
        """The text of the next token."""
        return self.word_at(self.at)

    @property
    def is_open(self) -> bool:
        """Whether an opening parenthesis comes next."""
        return self.word == "("

    @property
    def is_close(self) -> bool:
        """Whether a closing parenthesis comes next."""
        return self.word == ")"

    @property
    def head(self) -> str:
        """The word right after the opening parenthesis that comes next; "" if there is none."""
        word = self.word_at(self.at + 1) if self.is_open else ""
        return "" if word in ("(", ")") else word

    def closing(self, at: int | None = None) -> int:
        """The number of the token that closes the expression at a token (itself for a word)."""
        at = self.at if at is None else at
        return self.tokens.closing(at) if self.word_at(at) == "(" else at

    def span(self, at: int | None = None, through: int | None = None) -> Span:
        """Where a token (by default the next) stands, or the range up to a later token."""
        at = self.at if at is None else at
        last = at if through is None else through
        if at >= self._count:
            end = self.tokens.end(self._count - 1)
            return Span(self.source, end, end)
        return Span(self.source, self.tokens.begin(at), self.tokens.end(min(last, self._count - 1)))

    def whole(self, at: int | None = None) -> Span:
        """Where the expression that begins at a token stands, from "(" to its ")"."""
        at = self.at if at is None else at
        return self.span(at, self.closing(at))

    def line(self, at: int | None = None) -> int:
        """The line of a token."""
        return self.source.locate(self.span(at).begin)[0]

    # -- moving ---------------------------------------------------------------------------------

    def take(self) -> str:
        """The next token, whatever it is, after which the cursor moves on."""
        word = self.word
        self.at += 1
        return word

    def take_open(self, expected: str) -> None:
        """Step over "("; `expected` completes "expected ...", e.g. "'(' and a literal"."""
        if not self.is_open:
            raise self.unexpected(expected)
        self.at += 1

    def take_close(self, expected: str = "')'") -> None:
        """Step over ")"."""
        if not self.is_close:
            raise self.unexpected(expected)
        self.at += 1

    def take_word(self, expected: str) -> str:
        """Step over a word and return it."""
        word = self.word
        if word in ("(", ")", ""):
            raise self.unexpected(expected)
        self.at += 1
        return word

    def skip(self) -> None:
        """Step over one whole expression: a word, or everything from "(" to its ")"."""
        self.at = self.closing() + 1

    # -- failing --------------------------------------------------------------------------------

    def fail(
        self, message: str, at: int | Span | None = None, hint: str | None = None
    ) -> InputError:
        """The error to raise for a fault at a token (by default the next) or in a range."""
        return self.error(message, at if isinstance(at, Span) else self.span(at), hint)

    def unsupported(
        self,
        what: str,
        at: int | Span | None = None,
        hint: str | None = None,
        *,
        keyword: str | None = None,
    ) -> InputError:
        """The error to raise for something of PDDL that is not read; see `UnsupportedError`."""
        place = at if isinstance(at, Span) else self.span(at)
        return UnsupportedError(what, place, hint, keyword)

    def unexpected(self, expected: str) -> InputError:
        """The error to raise because the next token is not what is expected there."""
        word = self.word
        hint = f"expected {expected}"
        keyword = word if self.at and self.word_at(self.at - 1) == "(" else self.head
        if keyword.startswith(":"):
            hint += f"; is a ')' missing before '({keyword}'?"
        return self.fail(
            f"unexpected '{word}'" if word else "unexpected end of the file", hint=hint
        )

    # -- warning --------------------------------------------------------------------------------

    def note(
        self, message: str, span: Span, *, write: str | None = None, kind: str | None = None
    ) -> None:
        """Something to warn of if the rest is in order; `write` is what would be right there.

        Of one `kind` (by default of one message) only the first is told, with the number of others.
        """
        self._notes.setdefault(kind or message, []).append(_Note(message, span, write))

    def finish(self, place: Callable[[Span], Span] = lambda span: span) -> None:
        """Issue the warnings; to be called when the rest was in order.

        `place` says where a span of the cursor's text stands in the text that the user knows.
        """
        if self._supplied:
            message = f"missing ')' at the end, for the '(' in line {self.line(0)}"
            self.note(message, self.span(self._count))
        notes, self._notes = self._notes, {}
        for found in notes.values():
            first = found[0]
            more = f" (and {len(found) - 1} more of these)" if len(found) > 1 else ""
            right = f"; write: {first.write.strip()}" if first.write else ""
            warn(f"{first.message}{more}{right}", place(first.span))


def warn(message: str, span: Span) -> None:
    """Issue an `InputWarning` for a place in a text."""
    warnings.warn(InputWarning(f"{span}: {message}"), stacklevel=2)

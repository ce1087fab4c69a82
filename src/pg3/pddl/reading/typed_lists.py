"""Declarations: lists such as `a b - car c - (either van truck)`, and names declared only once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.errors import PddlError, did_you_mean
from pg3.pddl.model import OBJECT, Parameter, Predicate, TypedObject, TypeNames

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from pg3.errors import InputError
    from pg3.pddl.lexer import Cursor


class Typed(NamedTuple):
    """An entry of a typed list: tokens of the name and of its types (none if it has no type)."""

    name: str
    at: int
    type_tokens: tuple[int, ...]


class Declarations:
    """The names of one kind that a file has declared so far, each with its token."""

    def __init__(self, cursor: Cursor, kind: str) -> None:
        self._cursor = cursor
        self._kind = kind
        self._tokens: dict[str, int] = {}

    def add(self, name: str, at: int) -> None:
        """Note a declaration; an error if it is the second one of that name."""
        first = self._tokens.setdefault(name, at)
        if first != at:
            raise self._cursor.fail(
                f"{self._kind} '{name}' is declared twice",
                at,
                hint=f"the first time in line {self._cursor.line(first)}",
            )


def take_name(cursor: Cursor, what: str) -> str:
    """Step over a word that can be a name: no variable, keyword, number sign or operator."""
    word = cursor.word
    if word.startswith("-") and len(word) > 1:
        raise cursor.fail(
            f"unexpected '{word}'", hint=f"expected {what}; did you mean '- {word[1:]}'?"
        )
    if word.startswith(("?", ":", "-", "=")):
        raise cursor.unexpected(what)
    return cursor.take_word(what)


def take_variable(cursor: Cursor, what: str) -> str:
    """Step over a variable."""
    word = cursor.word
    if word in ("(", ")", "") or not word.startswith("?") or word == "?":
        raise cursor.unexpected(what)
    cursor.at += 1
    return word


# The most parameters of a predicate, action or rule, and the most types of an `either`. Memory
# grows with this number times the number of objects, so a short file could exhaust it.
MOST_PARAMETERS = 1000


def typed_list(cursor: Cursor, what: str, *, variables: bool = False) -> list[Typed]:
    """The entries up to the closing parenthesis, which stays next.

    `what` names an entry in messages, e.g. "the name of an object".
    """
    entries: list[Typed] = []
    untyped: list[tuple[str, int]] = []
    while not cursor.is_close:
        at = cursor.at
        if cursor.word == "-" and untyped:
            cursor.at += 1
            types = _type_tokens(cursor)
            entries += [Typed(name, token, types) for name, token in untyped]
            untyped.clear()
            continue
        expected = f"{what}, '-' and a type, or ')'" if untyped else f"{what} or ')'"
        name = take_variable(cursor, expected) if variables else take_name(cursor, expected)
        untyped.append((name, at))
    return entries + [Typed(name, token, ()) for name, token in untyped]


def _type_tokens(cursor: Cursor) -> tuple[int, ...]:
    if not cursor.is_open:
        at = cursor.at
        take_name(cursor, "the name of a type")
        return (at,)
    if cursor.head != "either":
        raise cursor.unexpected("the name of a type, or '(either ...)'")
    cursor.at += 2
    tokens: list[int] = []
    while not cursor.is_close or not tokens:
        if len(tokens) == MOST_PARAMETERS:
            raise _too_many(cursor, "types to choose from", cursor.at)
        tokens.append(cursor.at)
        take_name(cursor, "the name of a type")
    cursor.at += 1
    return tuple(tokens)


def type_names(cursor: Cursor, entry: Typed, known: Collection[str]) -> TypeNames:
    """The declared types of an entry, `object` if it has none; they must be `known`."""
    for token in entry.type_tokens:
        name = cursor.word_at(token)
        if name not in known:
            raise cursor.fail(
                f"type '{name}' is not declared",
                token,
                hint=did_you_mean(name, known) or "declare it in the domain's :types",
            )
    return tuple(dict.fromkeys(map(cursor.word_at, entry.type_tokens))) or (OBJECT,)


def parameters(
    cursor: Cursor, known_types: Collection[str], of: tuple[str, str] | None = None
) -> tuple[Parameter, ...]:
    """Typed variables up to the closing parenthesis, which stays next.

    In a declaration `of` a predicate or function names do not matter: one that comes again gets a
    number, and there is a warning.
    """
    seen = Declarations(cursor, "parameter")
    found: list[Parameter] = []
    again = None
    types: TypeNames = ()
    type_tokens: tuple[int, ...] | None = None
    for entry in variables(cursor):
        name = entry.name
        if of and any(name == other.name for other in found):
            name, again = fresh_name(name, {other.name for other in found}), again or entry
        seen.add(name, entry.at)
        # Variables that share a type share the tuple of its tokens, and follow each other.
        if entry.type_tokens is not type_tokens:
            types, type_tokens = type_names(cursor, entry, known_types), entry.type_tokens
        found.append(Parameter(name, types))
    if of and again:
        cursor.note(
            f"{of[0]} '{of[1]}' has '{again.name}' twice",
            cursor.span(again.at),
            write=signature(Predicate(of[1], tuple(found))),
            kind="variable twice",
        )
    return tuple(found)


def fresh_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number if it is taken."""
    fresh, number = name, 1
    while fresh in taken:
        number += 1
        fresh = f"{name}-{number}"
    return fresh


def type_choice(types: TypeNames) -> str:
    """Types as a message shows them."""
    return " or ".join(f"'{name}'" for name in types)


def variables(cursor: Cursor) -> list[Typed]:
    """The entries of a list of typed variables up to the closing parenthesis, not too many."""
    entries = typed_list(cursor, "a variable such as '?x'", variables=True)
    if len(entries) > MOST_PARAMETERS:
        raise _too_many(cursor, "parameters", entries[MOST_PARAMETERS].at)
    return entries


def _too_many(cursor: Cursor, what: str, at: int) -> InputError:
    message = f"more than {MOST_PARAMETERS} {what}"
    if issubclass(cursor.error, PddlError):
        return cursor.unsupported(message, at)
    return cursor.fail(f"not supported: {message}", at)


def typed_objects(
    cursor: Cursor,
    kind: str,
    known_types: Collection[str],
    constants: Iterable[TypedObject] = (),
) -> tuple[TypedObject, ...]:
    """Constants or objects up to the closing parenthesis; `constants` may only be repeated."""
    seen = Declarations(cursor, kind)
    type_of = {constant.name: constant.type for constant in constants}
    found = []
    types: TypeNames = ()
    type_tokens: tuple[int, ...] | None = None
    for entry in typed_list(cursor, f"the name of {'an' if kind == 'object' else 'a'} {kind}"):
        seen.add(entry.name, entry.at)
        # Names that share a type share the tuple of its tokens, and follow each other.
        if entry.type_tokens is not type_tokens:
            types, type_tokens = type_names(cursor, entry, known_types), entry.type_tokens
        if len(types) > 1:
            raise cursor.unsupported(
                f"a choice of types for one {kind} (either)",
                cursor.span(entry.type_tokens[0], entry.type_tokens[-1]),
                hint=f"give '{entry.name}' one type",
            )
        if type_of.get(entry.name, types[0]) != types[0]:
            raise cursor.fail(
                f"object '{entry.name}' is a constant of the domain, with another type",
                entry.at,
                hint=f"the domain declares '{entry.name} - {type_of[entry.name]}'",
            )
        found.append(TypedObject(entry.name, types[0]))
    return tuple(found)


def signature(predicate: Predicate) -> str:
    """A predicate or function as it is declared: `(at ?c - car ?l - location)`."""
    return f"({' '.join([predicate.name, *typed_names(predicate.parameters)])})"


def typed_names(parameters: Sequence[Parameter]) -> list[str]:
    """Each name with its type, where PDDL needs one.

    The type `object` is left out, as in PDDL without `:typing`, but only at the end: a type also
    applies to the names before it that have none.
    """
    said = [i for i, (_, types) in enumerate(parameters) if types != (OBJECT,)]
    last = max(said, default=-1)
    return [
        f"{name} - {type_text(types)}" if i <= last else name
        for i, (name, types) in enumerate(parameters)
    ]


def type_text(types: TypeNames) -> str:
    """Types as PDDL writes them: one name, or `(either a b)`."""
    return types[0] if len(types) == 1 else f"(either {' '.join(types)})"

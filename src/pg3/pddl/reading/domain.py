"""Reading PDDL domains."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import replace
from typing import TYPE_CHECKING

from pg3.errors import InputError, did_you_mean
from pg3.pddl.adl import Compiler
from pg3.pddl.lexer import read_source, text_source
from pg3.pddl.model import EQUALS, OBJECT, Action, Domain, Parameter, Predicate, Type, TypeNames
from pg3.pddl.numbers import goal_comparisons, is_comparison
from pg3.pddl.phrases import phrases_in
from pg3.pddl.reading.axioms import read_axioms
from pg3.pddl.reading.conditions import RESERVED, Conditions, Undeclared
from pg3.pddl.reading.effects import read_effects
from pg3.pddl.reading.forgiving import read_forgiving
from pg3.pddl.reading.number_reader import TOTAL_COST
from pg3.pddl.reading.typed_lists import (
    Declarations,
    Typed,
    parameters,
    signature,
    take_name,
    type_names,
    type_text,
    typed_list,
    typed_objects,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from pg3.pddl.lexer import Cursor

_UNSUPPORTED_SECTIONS = {
    ":axiom": "axioms",
    ":durative-action": "durative actions",
    ":process": "processes",
    ":event": "events",
    ":constraints": "constraints",
    ":timeless": "facts of a domain",
    ":extends": "domains that extend others",
    ":method": "hierarchical planning",
    ":task": "hierarchical planning",
}
_INSTEAD = {
    ":axiom": "write it as '(:derived (PREDICATE ...) CONDITION)'",
    ":timeless": "move them to the ':init' of each problem",
}
_SECTIONS = (
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":derived",
    ":action",
)
_ACTION_KEYS = (":parameters", ":precondition", ":effect")
_UNSUPPORTED_KEYS = {
    ":duration": "durative actions",
    ":condition": "durative actions",
    ":vars": "action variables apart from parameters",
    ":observe": "actions that observe",
    ":agent": "several agents",
}


def read_domain(
    path: str | os.PathLike[str], phrases: str | os.PathLike[str] | None = None
) -> Domain:
    """The domain in a PDDL file; a second file may have its `phrases`.

    Raises `PddlError` for a fault in the text, `UnsupportedError` for PDDL beyond our fragment,
    `PhrasesError` for a fault in the phrases, and plain `Pg3Error` if a file cannot be read.
    """
    domain = read_forgiving(read_source(path), _domain)
    if phrases is None:
        return domain
    return replace(domain, phrases=phrases_in(read_source(phrases), domain))


def parse_domain(text: str | bytes, name: str = "<domain>") -> Domain:
    """The domain in a text; `name` is what messages call it. Raises as `read_domain` does."""
    return read_forgiving(text_source(text, name), _domain)


def take_header(cursor: Cursor, kind: str) -> str:
    """Step over "(define (domain NAME)", or the like for a problem, and return the name."""
    cursor.take_open("'(define'")
    if cursor.word != "define":
        raise cursor.unexpected("'define'")
    cursor.at += 1
    if cursor.head in ("domain", "problem") and cursor.head != kind:
        raise cursor.fail(
            f"this is a {cursor.head}, but a {kind} was expected",
            cursor.whole(),
            hint="are the domain and the problem swapped?",
        )
    if cursor.head != kind:
        raise cursor.unexpected(f"'({kind} NAME)'")
    cursor.at += 2
    name = take_name(cursor, f"the name of the {kind}")
    cursor.take_close()
    return name


def take_sections(
    cursor: Cursor,
    known: tuple[str, ...],
    unsupported: Mapping[str, str],
    many: tuple[str, ...] = (),
) -> dict[str, list[int]]:
    """The tokens at which each section of a definition begins, in the order of the file.

    Only the sections `many` may occur more than once. `unsupported` says what other sections of
    PDDL are. The cursor stops after the definition.
    """
    sections: dict[str, list[int]] = {keyword: [] for keyword in known}
    while not cursor.is_close:
        cursor.take_open(f"'({known[0]}' or another section, or ')'")
        keyword = cursor.word
        if keyword in unsupported:
            hint = _INSTEAD.get(keyword, f"expected one of {', '.join(known)}")
            raise cursor.unsupported(unsupported[keyword], hint=hint, keyword=keyword)
        if keyword in ("(", ")"):
            raise cursor.unexpected(f"the keyword of a section, such as '{known[0]}'")
        if keyword not in sections:
            raise cursor.fail(
                f"there is no section '{keyword}'",
                hint=did_you_mean(keyword, known) or f"expected one of {', '.join(known)}",
            )
        tokens = sections[keyword]
        if tokens and keyword not in many:
            raise cursor.fail(
                f"there are two sections '{keyword}'",
                hint=f"the first is in line {cursor.line(tokens[0])}",
            )
        cursor.at -= 1
        tokens.append(cursor.at)
        cursor.skip()
    cursor.at += 1
    return sections


def _domain(cursor: Cursor) -> Domain:
    name = take_header(cursor, "domain")
    sections = take_sections(cursor, _SECTIONS, _UNSUPPORTED_SECTIONS, many=(":derived", ":action"))

    def section(keyword: str) -> bool:
        """Go to the first element of a section, if the domain has it."""
        for token in sections[keyword]:
            cursor.at = token + 2
        return bool(sections[keyword])

    requirements = _requirements(cursor) if section(":requirements") else ()
    if sections[":types"] and requirements and not _TYPING & set(requirements):
        place = cursor.span(sections[":requirements"][0] + 1)
        words = " ".join((":requirements", *requirements, ":typing"))
        cursor.note("':typing' is missing though there are ':types'", place, write=f"({words})")
    types = _types(cursor) if section(":types") else (Type(OBJECT, ()),)
    known = {type_.name: None for type_ in types}
    constants = typed_objects(cursor, "constant", known) if section(":constants") else ()
    predicates = _predicates(cursor, known) if section(":predicates") else ()
    functions = _functions(cursor, known) if section(":functions") else ()
    functions = (*functions, *_missing_total_cost(cursor, functions))
    domain = Domain(name, types, constants, predicates, (), functions, requirements)

    terms: dict[str, TypeNames] = {constant.name: (constant.type,) for constant in constants}
    compiler = Compiler()
    axioms = read_axioms(cursor, domain, sections[":derived"], terms, compiler)
    domain = replace(domain, axioms=axioms)
    seen = Declarations(cursor, "action")
    undeclared = Undeclared()
    actions = []
    for token in sections[":action"]:
        cursor.at = token + 2
        actions.append(_action(cursor, domain, terms, seen, undeclared, compiler))
    _refuse_changing_amounts(
        cursor,
        replace(domain, actions=tuple(actions)),
        list(zip(sections[":action"], actions, strict=True)),
    )
    more = undeclared.declarations(cursor, domain)
    return with_comparisons(
        replace(
            domain,
            constants=(*constants, *more),
            predicates=(*predicates, *compiler.predicates),
            axioms=(*axioms, *compiler.clauses),
            actions=tuple(actions),
        )
    )


def with_comparisons(domain: Domain) -> Domain:
    """The domain with a predicate for each comparison in it, and for those of goals."""
    names: dict[str, None] = {}
    for conditions in (
        *(action.precondition for action in domain.actions),
        *(one.conditions for action in domain.actions for one in action.conditional),
        *(clause.conditions for clause in domain.axioms),
    ):
        names |= {atom.predicate: None for atom, _ in conditions if is_comparison(atom.predicate)}
    changing = ((f.name, f.arity) for f in domain.functions if f.name in domain.numeric_functions)
    names |= dict.fromkeys(goal_comparisons(changing))
    found = [predicate for name in names if (predicate := domain.comparison(name)) is not None]
    return replace(domain, predicates=(*domain.predicates, *found)) if found else domain


def _refuse_changing_amounts(
    cursor: Cursor, domain: Domain, places: list[tuple[int, Action]]
) -> None:
    """Raise the error for the first effect whose amount is not the same in all states."""
    for token, action in places:
        for effect in action.numeric:
            for _, function in effect.amount.functions:
                if function.name in domain.numeric_functions:
                    cursor.at = token
                    raise cursor.unsupported(
                        f"'{effect.word}' by {function}, which actions change",
                        cursor.whole(token),
                        hint="expected a number, or functions that no action changes",
                    )


# What includes types.
_TYPING = frozenset({":typing", ":adl", ":ucpop"})


def _requirements(cursor: Cursor) -> tuple[str, ...]:
    # Any word is accepted: what a domain really needs shows where it is used.
    words: dict[str, None] = {}
    while not cursor.is_close:
        words.setdefault(cursor.take_word("a requirement such as ':strips', or ')'"))
    return tuple(words)


# The subtypes of every type are stored, which takes quadratic memory.
_MOST_TYPES = 1000
# A cycle of more types than this is shown in part.
_SHOWN = 10


def _types(cursor: Cursor) -> tuple[Type, ...]:
    seen = Declarations(cursor, "type")
    entries: dict[str, Typed] = {}
    for number, entry in enumerate(typed_list(cursor, "the name of a type")):
        if number == _MOST_TYPES:
            raise cursor.unsupported(f"more than {_MOST_TYPES} types", entry.at)
        if entry.name in entries and entry.type_tokens:
            entries[entry.name] = _merged(cursor, entries[entry.name], entry)
            continue
        seen.add(entry.name, entry.at)
        if entry.name == "either":
            raise cursor.fail(
                "'either' cannot be the name of a type",
                entry.at,
                hint="it is a word of PDDL itself",
            )
        entries[entry.name] = entry
    root = entries.pop(OBJECT, None)
    if root is not None and {cursor.word_at(token) for token in root.type_tokens} == {OBJECT}:
        cursor.note("'object' is declared below 'object'", cursor.span(root.at))
    elif root is not None and root.type_tokens:
        raise cursor.fail(
            "'object' has no type above it",
            cursor.span(root.at, root.type_tokens[-1]),
            hint="leave 'object' out: it is always declared",
        )
    types = {OBJECT: Type(OBJECT, ())}
    _add_supertypes(cursor, entries)
    known = [OBJECT, *entries]
    for name, entry in entries.items():
        types[name] = Type(name, type_names(cursor, entry, known))
    for name, entry in entries.items():
        circle = _circle(types, name)
        if len(circle) > _SHOWN:
            circle = [*circle[: _SHOWN - 2], "...", circle[-1]]
        if circle:
            raise cursor.fail(
                f"type '{name}' is its own supertype",
                entry.at,
                hint=f"the circle is {' - '.join(circle)}",
            )
    return tuple(types.values())


def _merged(cursor: Cursor, first: Typed, second: Typed) -> Typed:
    """A type that is declared under two parents is below both."""
    tokens = {cursor.word_at(token): token for token in (*second.type_tokens, *first.type_tokens)}
    names = list(dict.fromkeys(map(cursor.word_at, (*first.type_tokens, *second.type_tokens))))
    cursor.note(
        f"type '{first.name}' is declared twice, the first time in line {cursor.line(first.at)}",
        cursor.span(second.at),
        write=f"{first.name} - {type_text(tuple(names))}",
        kind="type declared twice",
    )
    return Typed(first.name, first.at, tuple(tokens[name] for name in names))


def _add_supertypes(cursor: Cursor, entries: dict[str, Typed]) -> None:
    """Declare types under which others are declared, unless they look like a slip of the pen."""
    for entry in list(entries.values()):
        for token in entry.type_tokens:
            name = cursor.word_at(token)
            if name in (OBJECT, *entries) or did_you_mean(name, (OBJECT, *entries)):
                continue
            entries[name] = Typed(name, token, ())
            cursor.note(
                f"supertype '{name}' is not declared",
                cursor.span(token),
                write=f"{name} - {OBJECT}",
                kind="undeclared supertype",
            )


def _circle(types: Mapping[str, Type], name: str) -> list[str]:
    """The shortest cycle of parents from a type back to itself; empty if there is none."""
    below = {name: ""}  # for each type on a way up the one that led to it
    pending = [name]
    for at in pending:
        for above in types[at].parents:
            if above == name:
                way = [name, at]
                while below[way[-1]]:
                    way.append(below[way[-1]])
                return way[::-1]
            if above not in below:
                below[above] = at
                pending.append(above)
    return []


def _missing_total_cost(cursor: Cursor, functions: tuple[Predicate, ...]) -> list[Predicate]:
    """The function total-cost, if actions increase it and no one declares it."""
    if any(function.name == TOTAL_COST for function in functions):
        return []
    words = map(cursor.word_at, range(len(cursor.tokens)))
    uses = [at for at, word in enumerate(words) if word == TOTAL_COST]
    uses = [at for at in uses if cursor.word_at(at - 2) == "increase"]
    if not uses:
        return []
    declared = [*map(signature, functions), f"({TOTAL_COST})"]
    cursor.note(
        f"function '{TOTAL_COST}' is not declared",
        cursor.span(uses[0]),
        write=f"(:functions {' '.join(declared)} - number)",
    )
    return [Predicate(TOTAL_COST, ())]


def _predicates(cursor: Cursor, known_types: Mapping[str, None]) -> tuple[Predicate, ...]:
    seen = Declarations(cursor, "predicate")
    found: dict[str, Predicate] = {}
    while not cursor.is_close:
        at = cursor.at
        if cursor.head == EQUALS:
            cursor.note("'=' needs no declaration", cursor.whole())
            cursor.skip()
            continue
        again = found.get(cursor.head)
        symbol = _symbol(cursor, "predicate", None if again else seen, known_types)
        if again == symbol:
            cursor.note(f"predicate '{symbol.name}' is declared twice", cursor.whole(at))
        elif again:
            seen.add(symbol.name, at + 1)
        found[symbol.name] = symbol
    return tuple(found.values())


def _symbol(
    cursor: Cursor, kind: str, seen: Declarations | None, known_types: Mapping[str, None]
) -> Predicate:
    cursor.take_open(f"'(' and the name of a {kind}, or ')'")
    at = cursor.at
    if cursor.word in RESERVED:
        raise cursor.fail(
            f"'{cursor.word}' cannot be the name of a {kind}", hint="it is a word of PDDL itself"
        )
    name = take_name(cursor, f"the name of a {kind}")
    if seen is not None:
        seen.add(name, at)
    symbol = Predicate(name, parameters(cursor, known_types, of=(kind, name)))
    cursor.at += 1
    return symbol


def _functions(cursor: Cursor, known_types: Mapping[str, None]) -> tuple[Predicate, ...]:
    seen = Declarations(cursor, "function")
    found: list[Predicate] = []
    while not cursor.is_close:
        if cursor.word == "-" and found:
            cursor.at += 1
            if cursor.word != "number":
                if cursor.word in known_types or cursor.is_open:
                    raise cursor.unsupported(
                        "functions to objects (object fluents)", hint="expected 'number'"
                    )
                raise cursor.unexpected("'number'")
            cursor.at += 1
            continue
        at = cursor.at
        function = _symbol(cursor, "function", seen, known_types)
        if function.name == TOTAL_COST and function.parameters:
            raise cursor.fail(
                "'total-cost' takes no arguments", cursor.whole(at), hint="expected '(total-cost)'"
            )
        found.append(function)
    return tuple(found)


def _action(
    cursor: Cursor,
    domain: Domain,
    constants: dict[str, TypeNames],
    seen: Declarations,
    undeclared: Undeclared,
    compiler: Compiler,
) -> Action:
    at = cursor.at
    name = take_name(cursor, "the name of an action")
    seen.add(name, at)
    values: dict[str, int] = {}
    while not cursor.is_close:
        key = cursor.word
        if key not in _ACTION_KEYS:
            raise _not_a_key(cursor, key)
        if key in values:
            raise cursor.fail(
                f"action '{name}' has two '{key}'",
                hint=f"the first is in line {cursor.line(values[key])}",
            )
        cursor.at += 1
        if not cursor.is_open:
            raise cursor.unexpected(f"'(' after '{key}'")
        values[key] = cursor.at
        cursor.skip()

    par: tuple[Parameter, ...] = ()
    if ":parameters" in values:
        cursor.at = values[":parameters"] + 1
        par = parameters(cursor, domain.subtypes)
    scope = ChainMap(dict(par), constants)
    conditions = Conditions(cursor, domain, scope, ground=False, undeclared=undeclared)
    action = Action(name, par, (), ())
    if ":precondition" in values:
        cursor.at = values[":precondition"]
        action = replace(action, precondition=conditions.condition(compiler))
    if ":effect" in values:
        cursor.at = values[":effect"]
        effects, conditional, cost, numeric = read_effects(cursor, conditions, compiler)
        action = replace(
            action, effects=effects, cost=cost, conditional=conditional, numeric=numeric
        )
    return action


def _not_a_key(cursor: Cursor, key: str) -> InputError:
    if key in _UNSUPPORTED_KEYS:
        return cursor.unsupported(
            _UNSUPPORTED_KEYS[key],
            hint=f"expected one of {', '.join(_ACTION_KEYS)}",
            keyword=key,
        )
    if key == "(":
        return cursor.unexpected("':parameters', ':precondition', ':effect' or ')'")
    return cursor.fail(
        f"an action has no '{key}'",
        hint=did_you_mean(key, _ACTION_KEYS) or f"expected one of {', '.join(_ACTION_KEYS)}",
    )

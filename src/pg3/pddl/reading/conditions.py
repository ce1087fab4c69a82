"""Conditions and literals, checked against the declarations."""

from __future__ import annotations

import re
from collections import ChainMap
from copy import copy
from fractions import Fraction
from typing import TYPE_CHECKING

from pg3.errors import InputError, did_you_mean, pluralize
from pg3.pddl.formulas import Junction, Quantified
from pg3.pddl.lexer import DEEPEST
from pg3.pddl.model import (
    EQUALS,
    OBJECT,
    Atom,
    Literal,
    Parameter,
    Predicate,
    TypedObject,
    substitute,
)
from pg3.pddl.numbers import COMPARISONS, number_of
from pg3.pddl.reading.number_reader import TOTAL_COST, NumberReader
from pg3.pddl.reading.typed_lists import (
    Declarations,
    fresh_name,
    signature,
    type_choice,
    type_names,
    variables,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pg3.pddl.adl import Compiler
    from pg3.pddl.formulas import Formula
    from pg3.pddl.lexer import Cursor
    from pg3.pddl.model import Domain, TypeNames

LARGEST_NUMBER = 2**31 - 1

# What PDDL writes as (word ...) besides atoms: no predicate may have such a name.
_OPERATORS = {
    "scale-up": "products of numbers",
    "scale-down": "products of numbers",
}
# Those of effects on numbers can: what they change begins with '(', where a predicate has a term.
RESERVED = frozenset(COMPARISONS) | {
    "and",
    "not",
    "or",
    "imply",
    "forall",
    "exists",
    "when",
    EQUALS,
}

# The same of later versions of PDDL: in older files these words are ordinary predicates.
_LATER_OPERATORS = {
    "preference": "preferences",
    "oneof": "effects by chance",
    "probabilistic": "effects by chance",
    **dict.fromkeys(
        (
            "always",
            "sometime",
            "within",
            "at-most-once",
            "sometime-after",
            "sometime-before",
            "always-within",
            "hold-during",
            "hold-after",
        ),
        "trajectory constraints",
    ),
}

# What begins a condition that is no predicate.
_COMPOUND = ("and", "or", "imply", "exists", "forall")

_EXPECTED = "expected a condition on predicates"
# What is expected instead of words that are no conditions.
_INSTEAD = {
    **dict.fromkeys(_OPERATORS, "expected 'increase', 'decrease' or 'assign'"),
    **dict.fromkeys(("oneof", "probabilistic"), "expected one effect that happens always"),
}
_NUMBER = f"expected an integer from 0 to {LARGEST_NUMBER}"


class Undeclared:
    """Constants that a domain uses and does not declare: the error at first use, and their types.

    One is forgiven if a type of the domain fits all its uses.
    """

    def __init__(self) -> None:
        self._errors: dict[str, InputError] = {}
        self._uses: dict[str, list[TypeNames]] = {}

    def meet(self, name: str, error: InputError) -> None:
        """Note a use; the error is raised if no type fits."""
        self._errors.setdefault(name, error)

    def use(self, name: str, types: TypeNames) -> None:
        """Note that it stands where one of these types is declared."""
        self._uses.setdefault(name, []).append(types)

    def declarations(self, cursor: Cursor, domain: Domain) -> tuple[TypedObject, ...]:
        """The constants with their types, each with a warning."""
        found = []
        for name, error in self._errors.items():
            uses = self._uses.get(name, [(OBJECT,)])
            fitting = [
                type_
                for types in uses
                for type_ in types
                if all(domain.is_a(type_, others) for others in uses)
            ]
            if not fitting or name[0] in "-:=?0123456789":
                raise error
            found.append(TypedObject(name, fitting[0]))
            cursor.note(
                error.message,
                error.span,
                write=f"(:constants {name} - {fitting[0]})",
                kind="undeclared constant",
            )
        return tuple(found)


class Conditions:
    """Reads the literals at a cursor whose terms are those of one scope.

    `terms` maps the variables and objects of the scope to their types. An object must belong to
    the declared type. A variable fits if some object could belong to both its type and the declared
    one: a variable of a wider type than the predicate's is fine, one of a disjoint type is a
    mistake. With `ground` variables and equality are refused, as in goals.
    """

    def __init__(
        self,
        cursor: Cursor,
        domain: Domain,
        terms: Mapping[str, TypeNames],
        *,
        ground: bool,
        declaration: str = "declare it in the action's :parameters",
        undeclared: Undeclared | None = None,
        goals_of_numbers: bool = False,
    ) -> None:
        """`declaration` is a hint on variables that are not declared.

        `undeclared` collects constants without a declaration; without it they are an error. With
        `goals_of_numbers` the second side of a comparison may be `(goal (f ...))`.
        """
        self._cursor = cursor
        self._domain = domain
        self._terms = terms
        self._ground = ground
        self._declaration = declaration
        self._undeclared = undeclared
        self._goals_of_numbers = goals_of_numbers
        self._names: Mapping[str, str] = {}
        self._predicates = domain.predicate_index
        self._functions = domain.function_index

    @property
    def numbers(self) -> NumberReader:
        """Reads what is said about numbers in this scope."""
        return NumberReader(
            self._cursor, self._functions, self.application, goals=self._goals_of_numbers
        )

    def is_predicate(self, word: str) -> bool:
        """Whether the next atom has a predicate of this name, perhaps a word for numbers."""
        return word in self._predicates and self._cursor.word_at(self._cursor.at + 2) != "("

    # -- conditions -----------------------------------------------------------------------------

    def condition(self, compiler: Compiler) -> tuple[Literal, ...]:
        """One condition, flattened: each literal once, in the order of the text."""
        found: dict[Literal, None] = {}

        def element() -> None:
            formula = self.formula()
            found.update(dict.fromkeys(compiler.literals([formula], self._terms)))

        self.conjunction(element)
        return tuple(found)

    def conjunction(self, element: Callable[[], None]) -> None:
        """Call `element` at each part of a conjunction that is itself none."""
        cursor = self._cursor
        depth = 0  # counted, not recursed into: a text may nest deeper than Python's stack
        while True:
            if depth and cursor.is_close:
                cursor.at += 1
                depth -= 1
            elif cursor.head == "and":
                cursor.at += 2
                depth += 1
            elif not self._nothing():
                element()
            if not depth:
                return

    def formula(self, depth: int = 0) -> Formula:
        """One condition as it stands; a variable that is bound again gets another name."""
        cursor = self._cursor
        at, word = cursor.at, cursor.head
        if depth == DEEPEST:
            raise self._cursor.unsupported(f"conditions nested deeper than {DEEPEST}", at, "")
        if word not in ("and", "or", "imply", "not", "exists", "forall"):
            return Junction("and", ()) if self._nothing() else self.literal()
        if word == "not" and not self._is_compound(at + 2):
            return self.literal()
        cursor.at += 2
        if word in ("exists", "forall"):
            cursor.take_open("'(' and the variables")
            renamed = self.variables()
            cursor.take_close()
            part = self.inner(renamed).formula(depth + 1)
            cursor.take_close(f"')', as '{word}' takes one condition")
            return Quantified(word, tuple(renamed.values()), part)
        parts = []
        while not cursor.is_close:
            parts.append(self.formula(depth + 1))
        cursor.at += 1
        if len(parts) != {"not": 1, "imply": 2}.get(word, len(parts)):
            takes = "one condition" if word == "not" else "two conditions"
            raise cursor.fail(f"'{word}' takes {takes}, not {len(parts)}", cursor.whole(at))
        if word == "or" and not parts:
            cursor.note("an empty 'or' never holds", cursor.whole(at))
        return Junction(word, tuple(parts))

    def _nothing(self) -> bool:
        """Step over `()`, the empty conjunction, if it is next."""
        cursor = self._cursor
        is_next = cursor.is_open and cursor.word_at(cursor.at + 1) == ")"
        cursor.at += 2 * is_next
        return is_next

    def _is_compound(self, at: int) -> bool:
        """Whether the condition at a token, perhaps after more `not`, is no predicate."""
        word_at = self._cursor.word_at
        while word_at(at) == "(" and word_at(at + 1) == "not":
            at += 2
        return word_at(at) == "(" and word_at(at + 1) in _COMPOUND

    def variables(self) -> dict[str, Parameter]:
        """The variables up to the closing parenthesis, each with its name in the formula."""
        cursor = self._cursor
        seen = Declarations(cursor, "variable")
        found: dict[str, Parameter] = {}
        for entry in variables(cursor):
            seen.add(entry.name, entry.at)
            taken = {*self._terms, *self._names.values(), *(p.name for p in found.values())}
            name = fresh_name(entry.name, taken)
            found[entry.name] = Parameter(name, type_names(cursor, entry, self._domain.subtypes))
        return found

    def inner(self, renamed: Mapping[str, Parameter]) -> Conditions:
        """The conditions of a scope with further variables, some perhaps under other names."""
        found = copy(self)
        found._names = {**self._names, **{old: new.name for old, new in renamed.items()}}
        more = {new.name: new.types for new in renamed.values()}
        found._terms = ChainMap(
            {**more, **{old: new.types for old, new in renamed.items()}}, dict(self._terms)
        )
        return found

    # -- literals -------------------------------------------------------------------------------

    def literal(self, *, effect: bool = False) -> Literal:
        """One atom, perhaps negated; an effect changes no equality and nothing that is derived."""
        cursor = self._cursor
        negations = 0
        while cursor.head == "not" and not (effect and negations):
            cursor.at += 2
            negations += 1
        if effect and negations and cursor.head == "and":
            raise cursor.fail(
                "an effect negates one predicate", cursor.at + 1, hint="expected a predicate"
            )
        if effect and cursor.head == EQUALS:
            raise cursor.fail(
                "an effect cannot change '='", cursor.at + 1, hint="expected a predicate"
            )
        if effect and cursor.head in self._domain.derived:
            raise cursor.fail(
                f"an effect cannot change '{cursor.head}', which is derived",
                cursor.at + 1,
                hint="it holds where one of its (:derived ...) says so",
            )
        atom = self.atom()
        for _ in range(negations):
            cursor.take_close()
        return Literal(atom, negations % 2 == 0)

    # -- atoms ----------------------------------------------------------------------------------

    def atom(self) -> Atom:
        """One atom, with its predicate declared and its arguments in order."""
        cursor = self._cursor
        if cursor.word in self._predicates:
            raise cursor.fail(
                f"unexpected '{cursor.word}'", hint=f"did you mean '({cursor.word} ...)'?"
            )
        if not cursor.is_open:
            raise cursor.unexpected("'(' and a predicate")
        name = cursor.head
        if not name:
            cursor.at += 1
            raise cursor.unexpected("the name of a predicate")
        if name in COMPARISONS and self.numbers.is_next():
            return self.numbers.comparison()
        if name == EQUALS:
            return self._equality()
        number = self._predicates.get(name)
        if number is None:
            raise self._not_a_predicate(cursor.at + 1, name)
        return self._application("predicate", self._domain.predicates[number])

    def _not_a_predicate(self, at: int, name: str) -> InputError:
        if name in (*_COMPOUND, "not", "when"):
            what = "in a condition" if name == "when" else "here"
            return self._cursor.fail(
                f"'{name}' cannot stand {what}", at, hint="expected a predicate"
            )
        operator = _OPERATORS.get(name) or _LATER_OPERATORS.get(name)
        if operator:
            hint = _INSTEAD.get(name, _EXPECTED)
            return self._cursor.unsupported(operator, at, hint, keyword=name)
        if name in self._functions:
            return self._cursor.fail(
                f"'{name}' is a function, not a predicate", at, hint="expected a predicate"
            )
        return self._cursor.fail(
            f"predicate '{name}' is not declared",
            at,
            hint=did_you_mean(name, [*self._predicates, "and", "not"])
            or "declare it in the domain's :predicates",
        )

    def _equality(self) -> Atom:
        cursor = self._cursor
        at = cursor.at
        cursor.at += 2
        words = []
        while not cursor.is_close:
            words.append(cursor.take_word("a variable, an object or a number"))
        if len(words) != 2:
            raise cursor.fail(
                f"'=' takes 2 arguments, not {len(words)}", cursor.whole(at), hint="as in (= ?x ?y)"
            )
        for offset, word in enumerate(words):
            self._check_term(word, at + 2 + offset)
        cursor.at += 1
        return Atom(EQUALS, substitute(words, self._names))

    def application(self, name: str) -> Atom:
        """One declared function applied to terms, e.g. `(distance ?a ?b)`."""
        number = self._functions.get(name)
        if number is not None:
            return self._application("function", self._domain.functions[number])
        hint = did_you_mean(name, self._functions)
        if name == TOTAL_COST:
            hint = "declare it in the domain: (:functions (total-cost) - number)"
        raise self._cursor.fail(
            f"function '{name}' is not declared",
            self._cursor.at + 1,
            hint=hint or "declare it in the domain's :functions",
        )

    def _application(self, kind: str, symbol: Predicate) -> Atom:
        cursor = self._cursor
        at = cursor.at
        cursor.at += 2
        words = []
        while not cursor.is_close:
            words.append(cursor.take_word(f"an argument of '{symbol.name}' or ')'"))
        cursor.at += 1
        if len(words) != symbol.arity:
            raise cursor.fail(
                f"{kind} '{symbol.name}' takes {pluralize(symbol.arity, 'argument')}, "
                f"not {len(words)}",
                cursor.whole(at),
                hint=f"it is declared as {signature(symbol)}",
            )
        for i, (word, parameter) in enumerate(zip(words, symbol.parameters, strict=True)):
            types = self._check_term(word, at + 2 + i)
            if not types and self._undeclared is not None:
                self._undeclared.use(word, parameter.types)
            elif not self._fits(word, types, parameter.types):
                raise cursor.fail(
                    f"'{word}' is of type {type_choice(types)}, but argument {i + 1} of "
                    f"'{symbol.name}' must be of type {type_choice(parameter.types)}",
                    at + 2 + i,
                    hint=f"it is declared as {signature(symbol)}",
                )
        return Atom(symbol.name, substitute(words, self._names))

    def _fits(self, term: str, types: TypeNames, declared: TypeNames) -> bool:
        if not term.startswith("?"):
            return self._domain.is_a(types[0], declared)
        subtypes = self._domain.subtypes
        return any(not subtypes[a].isdisjoint(subtypes[b]) for a in types for b in declared)

    def _check_term(self, word: str, at: int) -> TypeNames:
        """The types of a term; none of a constant that may be declared later."""
        types = self._terms.get(word)
        if types is not None:
            return types
        fail = self._cursor.fail
        if self._ground and word.startswith("?"):
            raise fail(f"unexpected variable '{word}'", at, hint="expected the name of an object")
        hint = did_you_mean(word, self._terms)
        if self._ground:
            raise fail(
                f"object '{word}' is not declared", at, hint=hint or "declare it in :objects"
            )
        if word.startswith("?"):
            hint = hint or self._declaration
            raise fail(f"variable '{word}' is not declared", at, hint=hint)
        if f"?{word}" in self._terms:
            hint = f"did you mean '?{word}'?"
        error = fail(
            f"constant '{word}' is not declared",
            at,
            hint=hint or "declare it in the domain's :constants",
        )
        if hint or self._undeclared is None:
            raise error
        self._undeclared.meet(word, error)
        return ()

    # -- costs ----------------------------------------------------------------------------------

    def number(self, *, rounds: bool = True, is_paid: bool = True) -> int:
        """A number that a cost can have: an integer from 0, possibly written with decimals.

        A fraction is rounded, but never to 0, with a warning if it `is_paid`; or it is refused.
        """
        cursor = self._cursor
        at = cursor.at
        word = cursor.take_word("a number")
        number = number_of(word)
        if number is None and not re.fullmatch("[0-9]+", word):
            raise cursor.fail(f"unexpected '{word}'", at, hint="expected a number")
        # None: so many digits that Python refuses to convert them.
        if number is None or number > LARGEST_NUMBER:
            raise self._cursor.unsupported(f"costs above {LARGEST_NUMBER}", at, _NUMBER)
        if number < 0:
            raise self._cursor.unsupported("negative costs", at, _NUMBER)
        if number.denominator == 1:
            return int(number)
        if not rounds:
            what = "fractional costs that are compared, too"
            raise self._cursor.unsupported(what, at, _NUMBER)
        rounded = max(1, int(number + Fraction(1, 2)))
        if is_paid:
            message = "costs are whole numbers: others are rounded"
            cursor.note(message, cursor.span(at), write=str(rounded))
        return rounded

"""Conditions, effects and terms of unified-planning in pg3's terms."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pg3.integrations.up.names import NEVER, Names
from pg3.integrations.up.numbers import comparison, is_number
from pg3.pddl.formulas import Junction, Quantified
from pg3.pddl.model import EQUALS, Atom, Literal, Parameter
from pg3.pddl.numbers import read_comparison
from pg3.pddl.reading.typed_lists import fresh_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import NoReturn, Protocol

    from pg3.integrations.up.names import SharedNames
    from pg3.integrations.up.numbers import Numbers
    from pg3.pddl.formulas import Formula

    class Reader(Protocol):
        """What is known of the problem that is converted."""

        shared: SharedNames
        objects: Names
        numbers: Numbers
        simplifier: Any

        def fail(self, what: str, advice: str = "") -> NoReturn:
            """Raise the error for what is not supported."""

        def type_name(self, type_: Any) -> str:
            """The name of a user type."""


@dataclass(frozen=True)
class Expressions:
    """The expressions of one part of a problem, which `where` names in messages.

    `variables` has the names that pg3 knows parameters and variables by.
    """

    reader: Reader
    where: str
    variables: Mapping[str, str]

    def bound(self, variables: Iterable[Any]) -> tuple[Expressions, tuple[Parameter, ...]]:
        """The expressions in which some more variables are known, and these as parameters."""
        scope, own = dict(self.variables), list[Parameter]()
        for variable in variables:
            plain = f"?{Names()[variable.name]}"
            name = fresh_name(plain, {*scope.values(), *(p.name for p in own)})
            scope[variable.name] = name
            own.append(Parameter(name, (self.reader.type_name(variable.type),)))
        return replace(self, variables=scope), tuple(own)

    def formulas(self, expression: Any, *, positive: bool = True) -> Iterator[Formula]:
        """The parts of a conjunction, with `NEVER` for what is never true."""
        reader = self.reader
        if expression.is_not():
            yield from self.formulas(expression.arg(0), positive=not positive)
        elif expression.is_and() and positive:
            for part in expression.args:
                yield from self.formulas(part)
        elif expression.is_fluent_exp():
            yield Literal(self.atom(expression), positive)
        elif (value := expression.simplify()).is_bool_constant():
            if value.bool_constant_value() != positive:
                reader.shared.needs_never = True
                yield Literal(Atom(NEVER))
        elif expression.args and is_number(expression.arg(0).type):
            word = "<" if expression.is_lt() else "<=" if expression.is_le() else EQUALS
            left, right = (
                reader.numbers.sum(arg, self.where, self.function) for arg in expression.args
            )
            atom = comparison(word, left, right)
            if read_comparison(atom.predicate) is None:
                what = f"a comparison of so many fluents in {self.where}"
                reader.fail(what, "expected a shorter one")
            yield Literal(atom, positive)
        elif expression.is_equals():
            yield Literal(Atom(EQUALS, self.terms(expression)), positive)
        else:
            formula = self._compound(expression)
            yield formula if positive else Junction("not", (formula,))

    def _one(self, expression: Any) -> Formula:
        found = tuple(self.formulas(expression))
        return found[0] if len(found) == 1 else Junction("and", found)

    def _compound(self, expression: Any) -> Formula:
        """A condition that is no literal."""
        if expression.is_exists() or expression.is_forall():
            word = "exists" if expression.is_exists() else "forall"
            inner, own = self.bound(expression.variables())
            return Quantified(word, own, inner._one(expression.arg(0)))
        parts = tuple(map(self._one, expression.args))
        if expression.is_and() or expression.is_or():
            return Junction("and" if expression.is_and() else "or", parts)
        if expression.is_implies():
            return Junction("imply", parts)
        if not expression.is_iff():
            what = f"the condition {expression} of {self.where}"
            self.reader.fail(what, "expected a condition on fluents")
        one, other = parts
        return Junction("and", (Junction("imply", (one, other)), Junction("imply", (other, one))))

    def effect(self, effect: Any) -> Literal:
        """An effect that makes a fluent true or false."""
        what = f"the effect {effect} of {self.where}"
        if not effect.is_assignment():
            self.reader.fail(what, "expected an assignment")
        value = self.reader.simplifier.simplify(effect.value)
        if not value.is_bool_constant():
            self.reader.fail(what, "expected true or false as its value")
        return Literal(self.atom(effect.fluent), value.bool_constant_value())

    def atom(self, expression: Any) -> Atom:
        """A fluent that is true or false."""
        name = self.reader.shared.predicates[expression.fluent().name]
        return Atom(name, self.terms(expression))

    def function(self, expression: Any) -> Atom:
        """A fluent of numbers."""
        name = self.reader.shared.functions[expression.fluent().name]
        return Atom(name, self.terms(expression))

    def terms(self, expression: Any) -> tuple[str, ...]:
        """The arguments of a fluent or an equality."""
        return tuple(map(self._term, expression.args))

    def _term(self, expression: Any) -> str:
        if expression.is_parameter_exp():
            return self.variables[expression.parameter().name]
        if expression.is_variable_exp():
            return self.variables[expression.variable().name]
        if not expression.is_object_exp():
            what = f"the term {expression} of {self.where}"
            self.reader.fail(what, "expected a parameter or an object")
        return self.reader.objects[expression.object().name]

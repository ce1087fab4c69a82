"""ADL conditions as literals of derived predicates, which the rest of pg3 reads already.

A condition that is no literal becomes one literal: of a derived predicate whose clauses say where
the condition holds, or, negated, where it does not. `forall` is such a negation; of `or` the form
is taken whose clauses bind more variables by conditions that are not negated, as these are ground
and looked up faster. The predicate has the formula for a name (`formula_names`), so that users see
what they wrote. Compared with cases of an action, the number of actions stays what it is, nothing
grows exponentially, and everything that knows axioms (grounding, views, explanations, regression)
knows ADL.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.formula_names import formula_name, negated_text
from pg3.pddl.formulas import Junction, Quantified, free_variables, normal_form
from pg3.pddl.model import EQUALS, Atom, Clause, Literal, Parameter, Predicate
from pg3.pddl.reading.typed_lists import fresh_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pg3.pddl.formulas import Formula
    from pg3.pddl.model import TypeNames

# A conjunction of disjunctions multiplies its clauses. Beyond this number the disjunctions become
# predicates of their own.
_MOST_CLAUSES = 16


class Body(NamedTuple):
    """A clause without its head: variables beyond the free ones, and conditions."""

    variables: tuple[Parameter, ...]
    conditions: tuple[Literal, ...]

    def joined(self, other: Body) -> Body:
        """Both conditions at once; variables of the other are renamed if they are taken."""
        own = {v.name for v in self.variables}
        taken = own.union(*(c.atom.terms for c in (*self.conditions, *other.conditions)))
        binding, renamed = dict[str, str](), []
        for variable in other.variables:
            name = fresh_name(variable.name, taken) if variable.name in own else variable.name
            taken.add(name)
            binding[variable.name] = name
            renamed.append(Parameter(name, variable.types))
        conditions = [condition.substitute(binding) for condition in other.conditions]
        return Body(
            (*self.variables, *renamed), tuple(dict.fromkeys((*self.conditions, *conditions)))
        )


@dataclass
class _Hidden:
    """A predicate for a formula; `types` are those of its arguments, in all uses."""

    variables: tuple[str, ...]
    types: list[TypeNames]
    bodies: list[Body] = field(default_factory=list)


class Compiler:
    """Collects the predicates that stand for the formulas of one domain."""

    def __init__(self) -> None:
        self._hidden: dict[str, _Hidden] = {}

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        """The predicates for formulas, in the order in which they were met."""
        return tuple(Predicate(name, _parameters(one)) for name, one in self._hidden.items())

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses that define them."""
        return tuple(
            Clause(name, _parameters(one), body.variables, body.conditions)
            for name, one in self._hidden.items()
            for body in one.bodies
        )

    def literals(
        self, formulas: Iterable[Formula], types: Mapping[str, TypeNames]
    ) -> tuple[Literal, ...]:
        """Literals that hold together where all the formulas do; `types` of their variables."""
        found: dict[Literal, None] = {}
        for formula in formulas:
            if isinstance(formula, Junction) and formula.word == "and":
                found |= dict.fromkeys(self.literals(formula.parts, types))
            else:
                found[self.literal(formula, types)] = None
        return tuple(found)

    def literal(self, formula: Formula, types: Mapping[str, TypeNames]) -> Literal:
        """A literal that holds where the formula does."""
        normal = normal_form(formula)
        if isinstance(normal, Junction) and len(normal.parts) == 1:
            normal = normal.parts[0]
        if isinstance(normal, Literal):
            return normal
        negation = normal_form(formula, positive=False)
        if _looseness(negation) < _looseness(normal):
            return self._atom(negation, negated_text(str(formula)), types, positive=False)
        return self._atom(normal, str(formula), types, positive=True)

    def bodies(self, normal: Formula, types: Mapping[str, TypeNames]) -> list[Body]:
        """Clauses for a formula in normal form: it holds where any of them does."""
        if isinstance(normal, Literal):
            return [Body((), (normal,))]
        if isinstance(normal, Quantified):
            inner = {**types, **{v.name: v.types for v in normal.variables}}
            if normal.word == "forall":
                return [Body((), (self.literal(normal, types),))]
            return [
                Body((*normal.variables, *body.variables), body.conditions)
                for body in self.bodies(normal.part, inner)
            ]
        if normal.word == "or":
            return [body for part in normal.parts for body in self.bodies(part, types)]
        found = [Body((), ())]
        for part in normal.parts:
            more = self.bodies(part, types)
            if len(found) * len(more) > _MOST_CLAUSES:
                more = [Body((), (self._atom(part, str(part), types, positive=True),))]
            found = [one.joined(other) for one in found for other in more]
        return found

    def _atom(
        self, normal: Formula, text: str, types: Mapping[str, TypeNames], *, positive: bool
    ) -> Literal:
        """A literal of the predicate for a formula in normal form, which is written as `text`."""
        variables = free_variables(normal)
        name = formula_name(text, variables)
        known = self._hidden.get(name)
        if known is None:
            known = self._hidden[name] = _Hidden(variables, [types[v] for v in variables])
            known.bodies = self.bodies(normal, types)
        # Another action may ask for other types.
        known.types = [
            tuple(dict.fromkeys((*old, *types[v])))
            for old, v in zip(known.types, variables, strict=True)
        ]
        return Literal(Atom(name, variables), positive)


def _parameters(hidden: _Hidden) -> tuple[Parameter, ...]:
    return tuple(map(Parameter, hidden.variables, hidden.types))


def _looseness(normal: Formula) -> tuple[int, int]:
    """How many free variables a clause leaves to be tried out, at most; 1 for a `forall`, before.

    A lower one makes better clauses.
    """
    if isinstance(normal, Quantified) and normal.word == "forall":
        return 1, 0
    free = set(free_variables(normal))
    return 0, max((len(free - bound) for bound in _bound(normal)), default=0)


def _bound(normal: Formula) -> list[set[str]]:
    """For each clause the variables in its conditions on predicates that are not negated."""
    if isinstance(normal, Literal):
        is_bound = normal.positive and normal.atom.predicate != EQUALS
        return [set(normal.atom.terms) if is_bound else set()]
    if isinstance(normal, Quantified):
        return [set()] if normal.word == "forall" else _bound(normal.part)
    if normal.word == "or":
        return [bound for part in normal.parts for bound in _bound(part)]
    # One alternative of each part, the worst: there may be very many combinations.
    worst = [min(_bound(part), key=len, default=set()) for part in normal.parts]
    return [set[str]().union(*worst)]

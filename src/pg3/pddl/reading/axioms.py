"""Reading axioms: `(:derived (above ?x ?y) (or (on ?x ?y) (exists (?z) (and ...))))`.

A condition becomes clauses: conjunctions of literals over the predicate's parameters and further
variables; the predicate holds where any clause does. So `and`, `or` and `exists` may nest; other
conditions become literals first (`adl`).
"""

from __future__ import annotations

from collections import ChainMap
from typing import TYPE_CHECKING, NamedTuple

from pg3.errors import pluralize
from pg3.pddl.formula_names import is_formula
from pg3.pddl.formulas import normal_form
from pg3.pddl.lexer import DEEPEST
from pg3.pddl.model import Clause, Literal, Parameter
from pg3.pddl.reading.conditions import Conditions
from pg3.pddl.reading.typed_lists import (
    Declarations,
    fresh_name,
    signature,
    take_name,
    type_names,
    variables,
)
from pg3.pddl.strata import stratify_axioms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pg3.pddl.adl import Body, Compiler
    from pg3.pddl.lexer import Cursor
    from pg3.pddl.model import Domain, Predicate, TypeNames

# A conjunction of disjunctions multiplies its clauses; no axiom written by a person has so many.
_MOST_CLAUSES = 1000


class _Part(NamedTuple):
    """An unfinished clause: its variables beyond the parameters, and its literals by token."""

    variables: tuple[Parameter, ...]
    literals: tuple[tuple[int, Literal], ...]


def read_axioms(
    cursor: Cursor,
    domain: Domain,
    tokens: Sequence[int],
    constants: Mapping[str, TypeNames],
    compiler: Compiler,
) -> tuple[Clause, ...]:
    """The clauses of the `:derived` sections that begin at these tokens.

    No predicate may depend on itself through `not`.
    """
    clauses: list[Clause] = []
    places: list[tuple[int, ...]] = []
    for token in tokens:
        cursor.at = token + 2
        reader = _AxiomReader(cursor, domain, constants, compiler)
        for part in reader.parts():
            literals = {literal: at for at, literal in reversed(part.literals)}
            kept = tuple(dict.fromkeys(literal for _, literal in part.literals))
            clauses.append(Clause(reader.name, reader.parameters, part.variables, kept))
            places.append(tuple(literals[literal] for literal in kept))
    everything = (*clauses, *compiler.clauses)
    group_of = {name: group for group in stratify_axioms(everything) for name in group}
    # A formula that negates a predicate of its own group does so inside of a clause of the group.
    negating = {
        group_of[clause.name]
        for clause in compiler.clauses
        for atom, positive in clause.conditions
        if not positive and group_of.get(atom.predicate) == group_of[clause.name]
    }
    for clause, at in zip(clauses, places, strict=True):
        group = group_of[clause.name]
        for (atom, positive), token in zip(clause.conditions, at, strict=True):
            through = not positive or (group in negating and is_formula(atom.predicate))
            if through and group_of.get(atom.predicate) == group:
                words = "'not', 'forall' or 'imply'" if is_formula(atom.predicate) else "'not'"
                raise cursor.fail(
                    f"derived predicate '{clause.name}' depends on itself through {words}",
                    cursor.whole(token),
                    hint=f"it may depend on itself only through conditions without {words}",
                )
    return tuple(clauses)


class _AxiomReader:
    """One `:derived` section: the predicate, its parameters, and the parts of its condition."""

    def __init__(
        self,
        cursor: Cursor,
        domain: Domain,
        constants: Mapping[str, TypeNames],
        compiler: Compiler,
    ) -> None:
        self.cursor = cursor
        self.compiler = compiler
        self.domain = domain
        self.constants = constants
        cursor.take_open("'(' and the derived predicate")
        at = cursor.at
        self.name = take_name(cursor, "the name of a predicate")
        number = domain.predicate_index.get(self.name)
        if number is None:
            raise cursor.fail(
                f"predicate '{self.name}' is not declared",
                at,
                hint="declare it in the domain's :predicates, as any other",
            )
        self.parameters = self._head(domain.predicates[number], at)
        cursor.take_close()
        self.used = {parameter.name for parameter in self.parameters}

    def _head(self, predicate: Predicate, at: int) -> tuple[Parameter, ...]:
        """The parameters; one without a type gets the declared type."""
        cursor = self.cursor
        entries = variables(cursor)
        declared = f"it is declared as {signature(predicate)}"
        if len(entries) != predicate.arity:
            raise cursor.fail(
                f"predicate '{self.name}' takes {pluralize(predicate.arity, 'argument')}, "
                f"not {len(entries)}",
                cursor.whole(at - 1),
                hint=declared,
            )
        seen = Declarations(cursor, "parameter")
        found = []
        for entry, parameter in zip(entries, predicate.parameters, strict=True):
            seen.add(entry.name, entry.at)
            types = parameter.types
            if entry.type_tokens:
                types = type_names(cursor, entry, self.domain.subtypes)
                for token, name in zip(entry.type_tokens, types, strict=False):
                    if not self.domain.is_a(name, parameter.types):
                        raise cursor.fail(
                            f"'{entry.name}' is of type '{name}', which the predicate does not "
                            "take here",
                            token,
                            hint=declared,
                        )
            found.append(Parameter(entry.name, types))
        return tuple(found)

    def parts(self) -> list[_Part]:
        """The clauses of the condition; the cursor stops after the section."""
        cursor = self.cursor
        if cursor.is_close:
            raise cursor.unexpected("the condition that makes the predicate true")
        own = {parameter.name: parameter for parameter in self.parameters}
        parts = self._condition(own, 0)
        cursor.take_close("')', as several conditions need '(and ...)' around them")
        return parts

    def _condition(self, scope: dict[str, Parameter], depth: int) -> list[_Part]:
        """`scope` maps each variable to its name and types in the clause."""
        cursor = self.cursor
        at = cursor.at
        if depth == DEEPEST:
            raise cursor.unsupported(f"conditions nested deeper than {DEEPEST}", at)
        if cursor.is_open and cursor.word_at(at + 1) == ")":
            cursor.at += 2
            return [_Part((), ())]
        head = cursor.head
        if head in ("and", "or"):
            cursor.at += 2
            parts = [_Part((), ())] if head == "and" else []
            while not cursor.is_close:
                more = self._condition(scope, depth + 1)
                parts = parts + more if head == "or" else _both(parts, more)
                if len(parts) > _MOST_CLAUSES:
                    raise cursor.unsupported(f"axioms of more than {_MOST_CLAUSES} clauses", at)
            cursor.at += 1
            if not parts:
                raise cursor.fail(
                    "an empty 'or' never holds", cursor.whole(at), hint="leave it out"
                )
            return parts
        if head == "exists" and head not in self.domain.predicate_index:
            cursor.at += 2
            cursor.take_open("'(' and the variables")
            extra = self._variables()
            cursor.take_close()
            inner = self._condition(scope | extra, depth + 1)
            cursor.take_close("')', as 'exists' takes one condition")
            return [_Part((*extra.values(), *variables), rest) for variables, rest in inner]
        types = {name: parameter.types for name, parameter in scope.items()}
        conditions = Conditions(
            cursor,
            self.domain,
            ChainMap(types, dict(self.constants)),
            ground=False,
            declaration="declare it after the predicate's name, or in (exists (?y - type) ...)",
        )
        renamed = {old: new for old, new in scope.items() if old != new.name}
        formula = conditions.inner(renamed).formula()
        everything = {p.name: p.types for p in scope.values()} | dict(self.constants)
        bodies = self.compiler.bodies(normal_form(formula), everything)
        return [self._part(body, at) for body in bodies]

    def _part(self, body: Body, at: int) -> _Part:
        """A clause of a formula, with names of its own for its variables."""
        binding = dict[str, str]()
        for variable in body.variables:
            binding[variable.name] = fresh_name(variable.name, self.used)
            self.used.add(binding[variable.name])
        variables = [Parameter(binding[name], types) for name, types in body.variables]
        literals = [(at, condition.substitute(binding)) for condition in body.conditions]
        return _Part(tuple(variables), tuple(literals))

    def _variables(self) -> dict[str, Parameter]:
        """The variables of an `exists`; a name that is taken gets a number."""
        cursor = self.cursor
        seen = Declarations(cursor, "variable")
        found = {}
        for entry in variables(cursor):
            seen.add(entry.name, entry.at)
            name = fresh_name(entry.name, self.used)
            self.used.add(name)
            types = type_names(cursor, entry, self.domain.subtypes)
            found[entry.name] = Parameter(name, types)
        return found


def _both(parts: list[_Part], more: list[_Part]) -> list[_Part]:
    return [
        _Part((*one.variables, *other.variables), (*one.literals, *other.literals))
        for one in parts
        for other in more
    ]

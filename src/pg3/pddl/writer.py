"""Writing domains and problems as PDDL that reads back as the same values."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from pg3.pddl.formula_names import negated_text
from pg3.pddl.model import OBJECT, Atom, Literal
from pg3.pddl.numbers import comparison_of, is_comparison, is_goal_function, number_text
from pg3.pddl.reading.number_reader import TOTAL_COST
from pg3.pddl.reading.typed_lists import signature, type_text, typed_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pg3.pddl.model import (
        Action,
        Clause,
        ConditionalEffect,
        Disjunction,
        Domain,
        Problem,
        TypedObject,
        TypeNames,
    )

_WIDTH = 100


def write_domain(domain: Domain) -> str:
    """The domain as PDDL text; `parse_domain` gives it back."""
    lines = [f"(define (domain {domain.name})"]
    if domain.requirements:
        lines.append(f"  (:requirements {' '.join(domain.requirements)})")
    types = [(type_.name, type_.parents) for type_ in domain.types if type_.name != OBJECT]
    lines += _section(":types", _typed_lines(types))
    lines += _section(":constants", _objects(domain.constants))
    lines += _section(":predicates", map(signature, domain.declared))
    lines += _section(":functions", (f"{signature(f)} - number" for f in domain.functions))
    lines += map(_axiom, domain.declared_axioms)
    for action in domain.actions:
        lines += _action(action)
    return "\n".join(lines) + ")\n"


def write_problem(problem: Problem) -> str:
    """The problem as PDDL text; `parse_problem` with its domain gives it back."""
    lines = [f"(define (problem {problem.name})", f"  (:domain {problem.domain.name})"]
    lines += _section(":objects", _objects(problem.objects))
    lines += _section(":init", _init(problem)) or ["  (:init)"]
    types = {o.name: o.type for o in problem.all_objects}
    goal = [
        _comparison(literal, problem)
        if is_comparison(literal.atom.predicate)
        else _goal(literal, problem.domain, types)
        for literal in problem.goal_literals
    ]
    goal += [_disjunction(one, problem, types) for one in problem.disjunctions]
    lines.append("  (:goal (and" + "".join(f"\n    {literal}" for literal in goal) + "))")
    if problem.minimizes_cost:
        lines.append(f"  (:metric minimize ({TOTAL_COST}))")
    return "\n".join(lines) + ")\n"


def _goal(literal: Literal, domain: Domain, types: Mapping[str, str]) -> str:
    """A goal; one about an object that the predicate does not take speaks of it by a variable.

    Quantifiers over wider types leave such goals.
    """
    places = domain.predicates[domain.predicate_index[literal.atom.predicate]].parameters
    terms = literal.atom.terms
    odd = [
        f"?{i}"
        for i, (name, place) in enumerate(zip(terms, places, strict=True))
        if not domain.is_a(types[name], place.types)
    ]
    if not odd:
        return str(literal)
    said = [f"?{i}" if f"?{i}" in odd else name for i, name in enumerate(terms)]
    same = " ".join(f"(= ?{i} {name})" for i, name in enumerate(terms) if f"?{i}" in odd)
    atom = Literal(Atom(literal.atom.predicate, tuple(said)), literal.positive)
    return f"(exists ({' '.join(odd)}) (and {same} {atom}))"


def _comparison(literal: Literal, problem: Problem) -> str:
    """A goal about a number, with the number."""
    name, terms = literal.atom
    word, left, right = comparison_of(name).parts
    binding = dict(zip(comparison_of(name).places, terms, strict=True))
    number = problem.number_at_goal(right.functions[0][1].substitute(binding))
    assert number is not None
    text = f"({word} {left.substitute(binding)} {number_text(number)})"
    return text if literal.positive else negated_text(text)


def _disjunction(disjunction: Disjunction, problem: Problem, types: Mapping[str, str]) -> str:
    """An empty one never holds; PDDL has no word for that."""
    if disjunction:
        parts = [
            [
                str(literal)
                if is_comparison(literal.atom.predicate)
                else _goal(literal, problem.domain, types)
                for literal in one
            ]
            for one in disjunction
        ]
        return f"(or {' '.join(one[0] if len(one) == 1 else _joined(one) for one in parts)})"
    name = next(iter(problem.object_names), "nothing")
    return f"(not (= {name} {name}))"


def _joined(texts: Iterable[str]) -> str:
    return f"({' '.join(('and', *texts))})"


def _section(keyword: str, entries: Iterable[str]) -> list[str]:
    entries = [f"    {entry}" for entry in entries]
    if not entries:
        return []
    entries[-1] += ")"
    return [f"  ({keyword}", *entries]


def _objects(objects: Iterable[TypedObject]) -> Iterator[str]:
    """Without types where all are `object`: some readers refuse types without `:typing`."""
    entries = [(o.name, (o.type,)) for o in objects]
    return _typed_lines(entries, typed=any(types != (OBJECT,) for _, types in entries))


def _typed_lines(entries: Iterable[tuple[str, TypeNames]], *, typed: bool = True) -> Iterator[str]:
    """Neighbours of one type share a line as long as it is not too wide."""
    for types, group in groupby(entries, key=lambda entry: entry[1]):
        end = f" - {type_text(types)}" if typed else ""
        line = ""
        for name, _ in group:
            if line and len(line) + len(name) + len(end) > _WIDTH:
                yield line + end
                line = ""
            line += f" {name}" if line else name
        yield line + end


def _init(problem: Problem) -> Iterator[str]:
    if problem.domain.has_costs:
        yield f"(= ({TOTAL_COST}) 0)"
    for atom, value in problem.function_values.items():
        if not is_goal_function(atom.predicate):
            yield f"(= {atom} {number_text(value)})"
    yield from map(str, problem.init)


def _axiom(clause: Clause) -> str:
    body = _all_of(clause.conditions)
    if clause.variables:
        body = f"(exists ({' '.join(typed_names(clause.variables))}) {body})"
    line = f"  (:derived ({' '.join((clause.name, *typed_names(clause.parameters)))})"
    return f"{line} {body})" if len(line) + len(body) < _WIDTH else f"{line}\n    {body})"


def _action(action: Action) -> Iterator[str]:
    effects = [*map(str, action.effects), *map(_conditional, action.conditional)]
    effects += map(str, action.numeric)
    if action.cost is not None:
        effects.append(f"(increase ({TOTAL_COST}) {action.cost})")
    yield f"  (:action {action.name}"
    yield f"    :parameters ({' '.join(typed_names(action.parameters))})"
    yield _conjunction("    :precondition", list(map(str, action.precondition)))
    yield _conjunction("    :effect", effects) + ")"


def _conditional(effect: ConditionalEffect) -> str:
    text = _all_of(effect.effects)
    if effect.conditions:
        text = f"(when {_all_of(effect.conditions)} {text})"
    if effect.variables:
        text = f"(forall ({' '.join(typed_names(effect.variables))}) {text})"
    return text


def _all_of(literals: Iterable[Literal]) -> str:
    texts = list(map(str, literals))
    return texts[0] if len(texts) == 1 else _joined(texts)


def _conjunction(key: str, literals: list[str]) -> str:
    line = " ".join([f"{key} (and", *literals]) + ")"
    if len(line) < _WIDTH:
        return line
    return "\n      ".join([f"{key} (and", *literals]) + ")"

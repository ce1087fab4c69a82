"""ADL conditions as the kernel sees them against formulas that are evaluated as they stand.

A random domain gets one more action, whose precondition and effects are random formulas over its
predicates, and its problems get a random formula as their goal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3.pddl import parse_domain, parse_problem, write_domain, write_problem
from pg3.pddl.formula_names import is_formula
from pg3.pddl.model import Atom, Domain, Parameter
from pg3.planning import Limits, plan
from pg3.semantics.effects import Effects
from pg3.semantics.task import Task
from pg3.semantics.validation import validate
from tests.oracle.formulas import is_true, text_of
from tests.oracle.semantics import bindings, closed
from tests.support.random_problems import AXIOMS, PAPER, problems, walks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl.model import Problem
    from tests.oracle.formulas import Formula

PARAMETERS = (Parameter("?a"), Parameter("?b"))

# Of random problems some give no costs.
pytestmark = pytest.mark.filterwarnings("ignore:.* no value of:pg3.errors.InputWarning")


def _atoms(domain: Domain, terms: Sequence[str], types: dict[str, str]) -> list[Atom]:
    """Atoms over terms that the reader takes; variables are of the type `object`."""
    found = [Atom("=", (terms[0], terms[-1]))] if terms else []
    for predicate in domain.predicates:
        for shift in range(min(3, len(terms)) if predicate.arity else 1):
            chosen = tuple(terms[(shift + i) % len(terms)] for i in range(predicate.arity))
            fits = all(
                term.startswith("?") or domain.is_a(types[term], parameter.types)
                for term, parameter in zip(chosen, predicate.parameters, strict=True)
            )
            found += [Atom(predicate.name, chosen)] if fits else []
    return found


@st.composite
def formulas(
    draw: st.DrawFn, domain: Domain, terms: tuple[str, ...], types: dict[str, str], depth: int = 3
) -> Formula:
    """A formula over the domain's predicates and these terms."""
    word = draw(st.sampled_from(["", "or", "and", "not", "imply", "exists", "forall"]))
    atoms = _atoms(domain, terms, types)
    if depth == 0 or (not word and atoms):
        return draw(st.sampled_from(atoms)) if atoms else ("and",)
    if word in ("exists", "forall"):
        kind = draw(st.sampled_from([one.name for one in domain.types]))
        # The name may be taken: then the inner one counts.
        name = draw(st.sampled_from(["?y", "?z", *[t for t in terms if t.startswith("?")]]))
        inside = (*(t for t in terms if t != name), name)
        of_type = {**types, name: kind}
        inner = draw(formulas(domain, inside, of_type, depth - 1))
        if kind != "object":
            fitting = _fits(inner, domain, of_type)
            inner = inner if fitting else ("and",)
        return (word, (Parameter(name, (kind,)),), inner)
    number = {"not": 1, "imply": 2}.get(word) or draw(st.integers(1, 3))
    parts = [draw(formulas(domain, terms, types, depth - 1)) for _ in range(number)]
    return (word or "and", *parts)


def _fits(formula: Formula, domain: Domain, types: dict[str, str]) -> bool:
    """Whether the reader takes all atoms: a variable and a place may have no object in common."""
    if isinstance(formula, Atom):
        if formula.predicate == "=":
            return True
        places = domain.predicates[domain.predicate_index[formula.predicate]].parameters
        return all(
            any(
                not domain.subtypes[types.get(term, "object")].isdisjoint(domain.subtypes[one])
                for one in place.types
            )
            for term, place in zip(formula.terms, places, strict=True)
        )
    word, *parts = formula
    if word in ("exists", "forall"):
        variables: tuple[Parameter, ...] = parts[0]  # type: ignore[assignment]
        inner = types | {one.name: one.types[0] for one in variables}
        return _fits(parts[1], domain, inner)  # type: ignore[arg-type]
    return all(_fits(part, domain, types) for part in parts)  # type: ignore[arg-type]


class Case(NamedTuple):
    """A problem with formulas, the same without them, and the formulas."""

    problem: Problem
    plain: Problem
    needed: Formula
    when: Formula
    goal: Formula


@st.composite
def cases(draw: st.DrawFn) -> Case:
    plain = draw(st.one_of(problems(PAPER), problems(AXIOMS)))
    domain = plain.domain
    types = {o.name: o.type for o in domain.constants}
    constants = tuple(types)
    needed = draw(formulas(domain, ("?a", "?b", *constants), types))
    when = draw(formulas(domain, ("?a", "?b", "?c", *constants), types))
    of_objects = {o.name: o.type for o in plain.all_objects}
    goal = draw(formulas(domain, plain.object_names[:3], of_objects))
    text = (
        write_domain(domain)
        .rstrip()
        .removesuffix(")")
        .replace("(:predicates", "(:predicates (seen ?x) (met ?x)", 1)
    )
    text += (
        f"(:action look :parameters (?a ?b) :precondition {text_of(needed)}"
        f" :effect (and (seen ?a)"
        f" (forall (?c) (when {text_of(when)} (and (met ?c) (not (seen ?c)))))))"
        ")"
    )
    read = parse_domain(text)
    written = write_problem(plain)
    at = written.index("(:goal")
    problem = parse_problem(f"{written[:at]}(:goal {text_of(goal)}))", read)
    return Case(problem, plain, needed, when, goal)


@given(st.data())
def test_conditions_effects_and_goals_mean_what_they_say(data: st.DataObject) -> None:
    case = data.draw(cases())
    task = Task(case.problem)
    effects = Effects(case.problem)
    for state in data.draw(walks(case.plain)):
        own = closed(case.plain, state)
        possible = [one for one in task.applicable(state) if one.name == "look"]
        expected = [
            tuple(binding.values())
            for binding in bindings(case.plain, PARAMETERS)
            if is_true(case.needed, case.plain, state, binding)
        ]
        assert [one.objects for one in possible] == expected
        assert task.is_goal(state) == is_true(case.goal, case.plain, state, {})
        for action in possible[:3]:
            binding = dict(zip(("?a", "?b"), action.objects, strict=True))
            met = {
                name
                for name in case.plain.object_names
                if is_true(case.when, case.plain, state, {**binding, "?c": name})
            }
            after = (
                state - {Atom("seen", (name,)) for name in met}
                | {Atom("met", (name,)) for name in met}
                | {Atom("seen", (action.objects[0],))}
            )
            assert task.successor(state, action) == after
            assert effects.after(action, state) == after
        assert own == closed(case.plain, state)


@given(cases())
def test_what_is_written_is_read_as_the_same(case: Case) -> None:
    domain, problem = case.problem.domain, case.problem
    text = write_domain(domain)
    assert "$" not in text
    again = parse_domain(text)
    assert again.actions == domain.actions
    assert set(again.axioms) == set(domain.axioms)
    assert all(is_formula(p.name) for p in domain.predicates[len(domain.declared) :])
    read = parse_problem(write_problem(problem), domain)
    assert read.content == problem.content


@given(cases())
def test_plans_are_valid(case: Case) -> None:
    found = plan(case.problem, limits=Limits(expansions=100))
    if found.plan is not None:
        assert validate(case.problem, found.plan).valid

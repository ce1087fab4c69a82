"""Random problems of domains with axioms: any domain, with derived predicates put on top of it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from pg3.pddl.model import Literal, Predicate, Problem
from tests.derived_strategies import definitions, extended_policies
from tests.strategies import (
    Scenario,
    Term,
    _all_well_typed,
    _draw_literals,
    _terms,
    policies,
    problems,
    rarely,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl.model import Action, Domain


def _asking(
    draw: st.DrawFn, action: Action, domain: Domain, derived: Sequence[Predicate]
) -> Action:
    """The action with a precondition on what is derived, more often than not."""
    atoms = _all_well_typed(domain, derived, _terms(action.parameters, domain))
    held = {literal.atom for literal in action.precondition}
    added = [one for one in _draw_literals(draw, atoms, 2) if one.atom not in held]
    return dataclasses.replace(action, precondition=(*action.precondition, *added))


@st.composite
def axiom_problems(draw: st.DrawFn) -> Problem:
    """A problem whose actions, and perhaps whose goal, ask for derived predicates."""
    plain = draw(problems())
    clauses = draw(definitions(plain.domain, "q", plain=True))
    heads = list({one.name: Predicate(one.name, one.parameters) for one in clauses}.values())
    domain = dataclasses.replace(
        plain.domain, predicates=(*plain.domain.predicates, *heads), axioms=clauses
    )
    actions = tuple(_asking(draw, action, domain, heads) for action in domain.actions)
    domain = dataclasses.replace(domain, actions=actions)
    goal = [Literal(atom) for atom in plain.goal]
    goal += [Literal(atom, False) for atom in plain.negative_goal]
    if rarely(draw, 2):
        objects = [Term(one.name, (one.type,)) for one in plain.all_objects]
        wanted = _draw_literals(draw, _all_well_typed(domain, heads, objects), 2, min_size=1)
        goal = [*goal[:1], *wanted]
    return Problem.of(
        plain.name,
        domain,
        plain.objects,
        list(plain.init),
        goal,
        function_values=plain.function_values,
    )


@st.composite
def axiom_scenarios(draw: st.DrawFn) -> Scenario:
    """Such a problem with a policy, in the paper's language or in the extended one."""
    problem = draw(axiom_problems())
    extended = draw(st.booleans())
    strategy = extended_policies if extended else policies
    return Scenario(problem, draw(strategy(problem.domain)))

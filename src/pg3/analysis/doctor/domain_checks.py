"""Checks of the domain: parts that nothing uses, and parts that learning does not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.analysis.doctor.findings import Finding, Level, listed
from pg3.pddl.model import EQUALS, OBJECT
from pg3.pddl.strata import stratify_axioms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.analysis.doctor.measurements import Measurements
    from pg3.pddl import Domain


def unused_predicates(domain: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Predicates that no action mentions, or that never hold."""
    mentioned = {
        literal.atom.predicate
        for action in domain.actions
        for literal in (
            *action.precondition,
            *action.possible_effects,
            *(condition for effect in action.conditional for condition in effect.conditions),
        )
    } - {EQUALS}
    mentioned |= {atom.predicate for axiom in domain.axioms for atom, _ in axiom.conditions}
    added = domain.changed_to(positive=True) | domain.derived
    given = {atom.predicate for one in problems for atom in one.problem.init}
    wanted = {name for one in problems for name in one.goal_predicates}
    names = [predicate.name for predicate in domain.declared]
    if false := [name for name in names if name not in added | given]:
        yield Finding(
            "never-true",
            Level.NOTE,
            f"no fact and no effect makes {listed(false)} true",
            "check the spelling in the problems' :init, or remove it from the domain",
        )
    if unused := [name for name in names if name not in mentioned | wanted | set(false)]:
        yield Finding(
            "unused-predicates",
            Level.NOTE,
            f"no action and no goal mentions {listed(unused)}",
            "keep it if rules should test it; else remove it, and learning is faster",
        )


def unused_types(domain: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Types without objects."""
    present = {constant.type for constant in domain.constants}
    present |= {type_name for one in problems for type_name in one.objects}
    empty = [
        type_.name
        for type_ in domain.types
        if type_.name != OBJECT and present.isdisjoint(domain.subtypes[type_.name])
    ]
    if empty and problems:
        yield Finding(
            "unused-types",
            Level.NOTE,
            f"no problem has an object of type {listed(empty)}",
            "add a problem that has one, or the policy will not know what to do with it",
        )


def unused_actions(domain: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Actions that cannot be done in any problem, or that no plan needs."""
    ground = [problem for problem in problems if problem.ground_actions is not None]
    if not ground:
        return
    names = [action.name for action in domain.actions]
    impossible = [name for name in names if not any(p.action_uses.get(name) for p in ground)]
    if impossible:
        yield Finding(
            "impossible-actions",
            Level.CONCERN,
            f"in no problem can {listed(impossible)} ever be done",
            "check its preconditions against :init; or add a problem that needs it",
        )
    planned = [problem for problem in problems if problem.steps is not None]
    idle = [
        name
        for name in names
        if name not in impossible and not any(p.plan_uses.get(name) for p in planned)
    ]
    if idle and planned:
        yield Finding(
            "idle-actions",
            Level.NOTE,
            f"no plan uses {listed(idle)}",
            "if a policy should, add a problem that cannot be solved without it",
        )


def costs(domain: Domain, _: Sequence[Measurements]) -> Iterator[Finding]:
    """Costs, which learning ignores."""
    if domain.has_costs:
        yield Finding(
            "costs",
            Level.NOTE,
            "the domain has action costs, which play no part in learning",
            "compare the cost of the policy's plans with those of `pg3 plan --use-costs`",
        )


def _unknown_when_false(domain: Domain) -> set[str]:
    """The derived predicates of which h_add does not know what makes them false."""
    found: set[str] = set()
    for group in stratify_axioms(domain.axioms):
        read = {
            condition.atom.predicate
            for clause in domain.axioms
            if clause.name in group
            for condition in clause.conditions
        }
        if not read.isdisjoint({*group, *found}):
            found |= set(group)
    return found


def axioms(domain: Domain, _: Sequence[Measurements]) -> Iterator[Finding]:
    """Axioms, which not every part of pg3 supports."""
    if not domain.declared_axioms:
        return
    names = listed(dict.fromkeys(clause.name for clause in domain.declared_axioms))
    yield Finding(
        "axioms",
        Level.NOTE,
        f"axioms derive {names}: planning, learning and policies support them",
        "goals that are derived are learned by search over policies, not by goal regression; "
        "unified-planning does not read axioms",
    )
    conditions = [literal for action in domain.actions for literal in action.precondition]
    conditions += [literal for clause in domain.axioms for literal in clause.conditions]
    false = {literal.atom.predicate for literal in conditions if not literal.positive}
    if ignored := sorted(false & _unknown_when_false(domain)):
        yield Finding(
            "derived-false",
            Level.NOTE,
            f"the planner's heuristic ignores that {listed(ignored)} has to be false: it follows "
            "from axioms that depend on themselves",
            "if it expands many states, add a predicate for the opposite, which the effects of "
            "actions update",
        )

"""A problem without types and costs that has the same plans: other planners know fewer of those."""

from __future__ import annotations

import dataclasses

from pg3.pddl.model import OBJECT, Atom, Domain, Literal, Parameter, Predicate, Problem, Type
from pg3.pddl.model import TypedObject as Object


def untyped(problem: Problem) -> Problem:
    """Each set of types that a parameter accepts becomes a predicate that never changes.

    So does "this cost function has a value here", without which an action cannot be done.
    """
    domain = problem.domain
    kinds: dict[tuple[str, ...], str] = {}

    def typed(parameters: tuple[Parameter, ...]) -> list[Literal]:
        return [
            Literal(Atom(kinds.setdefault(one.types, f"kind-{len(kinds)}"), (one.name,)))
            for one in parameters
        ]

    actions = []
    for action in domain.actions:
        needs = typed(action.parameters)
        if isinstance(action.cost, Atom):
            needs.append(Literal(_priced(action.cost)))
        actions.append(
            dataclasses.replace(
                action,
                parameters=_plain(action.parameters),
                precondition=(*needs, *action.precondition),
                cost=None,
            )
        )
    axioms = tuple(
        dataclasses.replace(
            one,
            parameters=_plain(one.parameters),
            variables=_plain(one.variables),
            conditions=(*typed((*one.parameters, *one.variables)), *one.conditions),
        )
        for one in domain.axioms
    )
    predicates = [Predicate(one.name, _plain(one.parameters)) for one in domain.predicates]
    predicates += [Predicate(kind, (Parameter("?x", (OBJECT,)),)) for kind in kinds.values()]
    predicates += [
        Predicate(_priced(Atom(one.name)).predicate, _plain(one.parameters))
        for one in domain.functions
    ]
    constants = tuple(Object(one.name, OBJECT) for one in domain.constants)
    plain = Domain(
        domain.name,
        (Type(OBJECT, ()),),
        constants,
        tuple(predicates),
        tuple(actions),
        axioms=axioms,
    )
    init = [*problem.init, *map(_priced, problem.function_values)]
    init += [
        Atom(kind, (one.name,))
        for types, kind in kinds.items()
        for one in problem.all_objects
        if domain.is_a(one.type, types)
    ]
    objects = [Object(one.name, OBJECT) for one in problem.objects]
    return Problem.of(problem.name, plain, objects, init, problem.goal_literals)


def _plain(parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    return tuple(Parameter(one.name, (OBJECT,)) for one in parameters)


def _priced(function: Atom) -> Atom:
    return Atom(f"priced-{function.predicate}", function.terms)

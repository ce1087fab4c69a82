"""Random small typed domains, problems, states and policies, as model values.

Everything is well typed and free of repeated literals, as the readers demand, but otherwise as odd
as the fragment allows: type hierarchies and `either`, constants, negative preconditions and goals,
equality, arities 0 to 3, static predicates, effects that add and delete one atom, actions without
parameters. First choices are the plain ones, so that failing examples shrink to readable ones.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import strategies as st

from pg3.pddl.model import (
    EQUALS,
    OBJECT,
    Action,
    Atom,
    Domain,
    Literal,
    Parameter,
    Predicate,
    Problem,
    Type,
    TypedObject,
    TypeNames,
)
from pg3.policy.model import DecisionList, Rule
from tests.errand_strategies import errand_policies, errand_problems
from tests.errands import ERRANDS
from tests.oracle import semantics

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.oracle.semantics import State

MAX_OBJECTS = 5
MAX_RULE_PARAMETERS = 4


class Term(NamedTuple):
    """A variable or a name, with the types that what it stands for may have."""

    name: str
    types: TypeNames


class Scenario(NamedTuple):
    """A problem with a policy for its domain."""

    problem: Problem
    policy: DecisionList


def rarely(draw: st.DrawFn, one_in: int = 4) -> bool:
    """True once in so many draws; False is the simpler choice."""
    return draw(st.integers(0, one_in - 1)) == one_in - 1


def _terms(parameters: Iterable[Parameter], domain: Domain) -> list[Term]:
    constants = [Term(one.name, (one.type,)) for one in domain.constants]
    return [Term(one.name, one.types) for one in parameters] + constants


def _fits(domain: Domain, term: Term, expected: TypeNames) -> bool:
    """Whether everything that the term can stand for is of the expected types."""
    return all(domain.is_a(name, expected) for name in term.types)


def _may_fit(domain: Domain, term: Term, expected: TypeNames) -> bool:
    """Whether the term may be an argument: for a variable a type in common is enough."""
    below = [domain.subtypes[name] for name in term.types]
    accepted = frozenset().union(*below) if term.name.startswith("?") else frozenset(term.types)
    return any(domain.is_a(name, expected) for name in accepted)


def _well_typed(domain: Domain, predicate: Predicate, terms: Sequence[Term]) -> list[Atom]:
    choices = [
        [term.name for term in terms if _may_fit(domain, term, parameter.types)]
        for parameter in predicate.parameters
    ]
    return [Atom(predicate.name, chosen) for chosen in itertools.product(*choices)]


def _all_well_typed(
    domain: Domain, predicates: Iterable[Predicate], terms: Sequence[Term]
) -> list[list[Atom]]:
    """The atoms over the terms, a list a predicate, predicates without any left out."""
    found = (_well_typed(domain, predicate, terms) for predicate in predicates)
    return [atoms for atoms in found if atoms]


def _draw_literals(
    draw: st.DrawFn,
    atoms: list[list[Atom]],
    max_size: int,
    min_size: int = 0,
    contradictory: bool = False,
) -> list[Literal]:
    """Different literals; with `contradictory` an atom may occur with both signs."""
    found: dict[Atom, Literal] = {}
    both: list[Literal] = []
    for _ in range(draw(st.integers(min_size, max_size)) if atoms else 0):
        atom = draw(st.sampled_from(draw(st.sampled_from(atoms))))
        literal = Literal(atom, not rarely(draw, 3))
        if atom not in found:
            found[atom] = literal
        elif contradictory and found[atom] != literal and literal not in both:
            both.append(literal)
    return list(found.values()) + both


def _draw_equalities(draw: st.DrawFn, terms: Sequence[Term]) -> list[Literal]:
    pairs = list(itertools.combinations([term.name for term in terms], 2))
    if not pairs or not rarely(draw, 4):
        return []
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=2, unique=True))
    return [Literal(Atom(EQUALS, pair), draw(st.booleans())) for pair in chosen]


def _draw_types(draw: st.DrawFn) -> tuple[Type, ...]:
    types = [Type(OBJECT, ())]
    for i in range(draw(st.integers(0, 3))):
        above = [one.name for one in types]
        parents = draw(st.lists(st.sampled_from(above), min_size=1, max_size=2, unique=True))
        # Below `object` and something else is the same as below something else.
        types.append(Type(f"t{i}", tuple(p for p in parents if p != OBJECT) or (OBJECT,)))
    return tuple(types)


def _draw_type_names(draw: st.DrawFn, types: Sequence[Type]) -> TypeNames:
    if rarely(draw, 6) and len(types) > 2:
        below = [one.name for one in types[1:]]
        return tuple(draw(st.lists(st.sampled_from(below), min_size=2, max_size=2, unique=True)))
    return (draw(st.sampled_from(types)).name,)


def _draw_parameters(
    draw: st.DrawFn, types: Sequence[Type], prefix: str, max_size: int
) -> tuple[Parameter, ...]:
    count = draw(st.integers(0, max_size))
    return tuple(Parameter(f"?{prefix}{i}", _draw_type_names(draw, types)) for i in range(count))


def _draw_action(draw: st.DrawFn, domain: Domain, fluents: Sequence[Predicate], i: int) -> Action:
    parameters = _draw_parameters(draw, domain.types, "x", 3)
    terms = _terms(parameters, domain)
    conditions = _draw_literals(draw, _all_well_typed(domain, domain.predicates, terms), 3)
    effects = _draw_literals(
        draw, _all_well_typed(domain, fluents, terms), 4, min_size=2, contradictory=rarely(draw)
    )
    cost: int | Atom | None = None
    if domain.has_costs:
        functions = [one for one in domain.functions if one.name != "total-cost"]
        values = [atom for f in _all_well_typed(domain, functions, terms) for atom in f]
        cost = draw(st.sampled_from([1, None, 0, 3, *values]))
    equalities = _draw_equalities(draw, terms)
    return Action(f"a{i}", parameters, tuple(conditions + equalities), tuple(effects), cost)


@st.composite
def domains(draw: st.DrawFn) -> Domain:
    """A domain with up to three types, two constants, four predicates and three actions."""
    types = _draw_types(draw)
    names = st.sampled_from([one.name for one in types])
    constants = tuple(TypedObject(f"k{i}", draw(names)) for i in range(draw(st.integers(0, 2))))
    arities = draw(st.lists(st.sampled_from([1, 2, 0, 1, 2, 3]), min_size=1, max_size=4))
    predicates = [
        Predicate(
            f"p{i}",
            tuple(Parameter(f"?x{j}", _draw_type_names(draw, types)) for j in range(arity)),
        )
        for i, arity in enumerate(arities)
    ]
    functions = []
    if rarely(draw, 5):
        functions = [
            Predicate("total-cost", ()),
            Predicate("price", _draw_parameters(draw, types, "x", 2)),
        ]
    frame = Domain("random", types, constants, tuple(predicates), (), tuple(functions))
    statics = draw(st.integers(0, len(predicates) - 1)) if rarely(draw, 2) else 0
    fluents = predicates[statics:]
    actions = tuple(_draw_action(draw, frame, fluents, i) for i in range(draw(st.integers(1, 3))))
    return Domain(
        frame.name, frame.types, constants, frame.predicates, actions, frame.functions, ()
    )


def _draw_walk(
    draw: st.DrawFn, problem: Problem, max_steps: int, min_steps: int = 0
) -> list[State]:
    """The states along a random walk from the initial state, that one included."""
    grounded = semantics.instances(problem)
    states = [semantics.initial_state(problem)]
    for _ in range(draw(st.integers(min_steps, max_steps))):
        choices = [one for one in grounded if one.applicable(states[-1])]
        if not choices:
            break
        states.append(draw(st.sampled_from(choices)).successor(states[-1]))
    return states


def _draw_goal(draw: st.DrawFn, problem: Problem, ground: list[list[Atom]]) -> list[Literal]:
    """Anything; or what a walk has changed, so that it can be reached but is not yet true."""
    if not ground:
        return []
    if rarely(draw, 4):
        return _draw_literals(draw, ground, 3)
    end = _draw_walk(draw, problem, 12, min_steps=3)[-1]
    before = semantics.initial_state(problem)
    sensible = {atom for atoms in ground for atom in atoms}
    changed = [Literal(atom) for atom in sorted((end - before) & sensible)]
    changed += [Literal(atom, False) for atom in sorted(before - end)]
    if not changed:
        return _draw_literals(draw, ground, 3)
    goal = draw(st.lists(st.sampled_from(changed), min_size=1, max_size=4, unique=True))
    if kept := sorted(end & before):
        goal += [Literal(draw(st.sampled_from(kept)))] if rarely(draw, 3) else []
    return goal


def _draw_objects(draw: st.DrawFn, domain: Domain) -> tuple[TypedObject, ...]:
    names = st.sampled_from([one.name for one in domain.types])
    count = draw(st.integers(2, MAX_OBJECTS - len(domain.constants)))
    return tuple(TypedObject(f"o{i}", draw(names)) for i in range(count))


@st.composite
def problems(draw: st.DrawFn, domain: Domain | None = None) -> Problem:
    """Up to five objects, constants included, and a mostly reachable goal, in any domain."""
    if domain is ERRANDS or (domain is None and rarely(draw, 3)):
        return draw(errand_problems())
    if domain is None:
        domain = draw(domains())
    objects = _draw_objects(draw, domain)
    terms = [Term(one.name, (one.type,)) for one in domain.constants + objects]
    ground = _all_well_typed(domain, domain.predicates, terms)
    values = {
        atom: draw(st.integers(0, 3))
        for atoms in _all_well_typed(domain, domain.functions[1:], terms)
        for atom in atoms
        if not rarely(draw, 10)
    }
    empty = Problem.of("random", domain, objects, [], [], function_values=values)
    init: set[Atom] = set()
    # Without the preconditions of some actions hardly any action would ever be applicable.
    grounded = semantics.instances(empty)
    for _ in range(draw(st.integers(1, 6)) if grounded else 0):
        init |= draw(st.sampled_from(grounded)).positive
    for _ in range(draw(st.integers(0, 5)) if ground else 0):
        init.add(draw(st.sampled_from(draw(st.sampled_from(ground)))))
    # An action's variables may be of a wider type than a predicate's; facts may not.
    init &= {atom for atoms in ground for atom in atoms}
    start = Problem.of("random", domain, objects, sorted(init), [], function_values=values)
    goal = _draw_goal(draw, start, ground)
    return Problem.of("random", domain, objects, sorted(init), goal, function_values=values)


def _draw_rule(draw: st.DrawFn, domain: Domain, i: int) -> Rule:
    """A rule around an action: some of its preconditions, and any other conditions."""
    action = draw(st.sampled_from(domain.actions))
    own = [Parameter(one.name.replace("x", "y"), one.types) for one in action.parameters]
    extra = _draw_parameters(draw, domain.types, "z", MAX_RULE_PARAMETERS - len(own))
    parameters = [*own, *extra]
    terms = _terms(parameters, domain)
    arguments = []
    for parameter, mine in zip(action.parameters, own, strict=True):
        others = [one.name for one in terms if _fits(domain, one, parameter.types)]
        arguments.append(draw(st.sampled_from(others)) if rarely(draw, 6) else mine.name)
    binding = dict(zip((one.name for one in action.parameters), arguments, strict=True))
    atoms = _all_well_typed(domain, domain.predicates, terms)
    sensible = {atom for same in atoms for atom in same}
    sensible |= {Atom(EQUALS, pair) for pair in itertools.permutations([t.name for t in terms], 2)}
    conditions: dict[Atom, Literal] = {}
    for atom, positive in action.precondition:
        condition = semantics.substitute(atom, binding)
        mirrored = Atom(atom.predicate, condition.terms[::-1])
        if atom.predicate == EQUALS and mirrored in conditions:
            continue
        if condition in sensible and not rarely(draw, 6):
            conditions.setdefault(condition, Literal(condition, positive))
    if rarely(draw, 2):
        for literal in _draw_literals(draw, atoms, 2):
            conditions.setdefault(literal.atom, literal)
        if not any(atom.predicate == EQUALS for atom in conditions):
            for literal in _draw_equalities(draw, terms):
                conditions[literal.atom] = literal
    goals = _draw_literals(draw, atoms, 2) if rarely(draw, 2) else []
    order = draw(st.permutations(parameters))
    return Rule(
        f"r{i}",
        tuple(order),
        tuple(conditions.values()),
        tuple(goals),
        action.name,
        tuple(arguments),
    )


@st.composite
def policies(draw: st.DrawFn, domain: Domain) -> DecisionList:
    """A decision list of up to four rules that mostly fire, or one that was made for errands."""
    if domain is ERRANDS and not rarely(draw, 4):
        return draw(errand_policies())
    count = 0 if rarely(draw, 30) else draw(st.integers(1, 4))
    return DecisionList("random", tuple(_draw_rule(draw, domain, i) for i in range(count)))


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """A problem and a policy."""
    problem = draw(problems())
    return Scenario(problem, draw(policies(problem.domain)))


@st.composite
def walks(draw: st.DrawFn, problem: Problem, max_steps: int = 6) -> list[State]:
    """The states along a random walk from the problem's initial state."""
    return _draw_walk(draw, problem, max_steps)

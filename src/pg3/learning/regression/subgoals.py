"""Goals that are reached through a chain of subgoals, along a relation that never changes.

A couple walks a trail from camp to camp, a store fills up one unit at a time: every action that
adds the goal shifts the same atom along a static relation. A plan for such a goal repeats itself
for each subgoal, and how many there are says nothing about the goal. So each subgoal has a plan of
its own, and its rules ask for the next subgoal on a shortest path to the goal, `(next E x y z)`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.operators.moves import differing_places, shifts, static_relations
from pg3.pddl.model import Atom, Literal, Parameter
from pg3.policy.derived import NEXT, is_graph
from pg3.policy.model import Clause

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from pg3.pddl.model import Action, Domain, TypeNames
    from pg3.pddl.plans import GroundAction
    from pg3.policy.model import Rule

# No variable of a suffix has this name.
_END = "?end"


class SubgoalChain(NamedTuple):
    """A goal predicate, the place at which actions shift it, and the relation that they follow.

    `types` are those of what may stand at that place.
    """

    predicate: str
    place: int
    edges: str
    types: TypeNames

    def condition(self) -> Atom:
        """The condition of rules on the relation, with arbitrary terms."""
        return Atom(NEXT, (self.edges, "?", "?", "?"))

    def rule_for_goal(self, rule: Rule) -> Rule | None:
        """The rule for one subgoal as a rule for the goal; None if it does not shift the goal."""
        (goal,) = rule.goals
        reached = goal.atom.terms[self.place]
        left = [
            atom.terms[self.place]
            for atom, positive in rule.preconditions
            if positive and self.links(atom, goal.atom)
        ]
        known = {parameter.name: parameter for parameter in rule.parameters}
        if len(left) != 1:
            return None
        # Bind the goal first, then the present subgoal, then the next one.
        order = [*goal.atom.terms, left[0], reached, *known]
        order[self.place] = _END
        known[_END] = Parameter(_END, known[reached].types if reached in known else self.types)
        terms = (*goal.atom.terms[: self.place], _END, *goal.atom.terms[self.place + 1 :])
        ahead = Literal(Atom(NEXT, (self.edges, left[0], reached, _END)))
        return replace(
            rule,
            parameters=tuple(known[name] for name in dict.fromkeys(order) if name in known),
            preconditions=(*rule.preconditions, ahead),
            goals=(Literal(Atom(goal.atom.predicate, terms)),),
        )

    def links(self, one: Atom, other: Atom) -> bool:
        """Whether two atoms belong to one chain: they differ in the shifted term only."""
        if one.predicate != self.predicate or other.predicate != self.predicate:
            return False
        return differing_places(one, other) == [self.place]

    def split(
        self, goal: Atom, plan: Sequence[GroundAction], domain: Domain
    ) -> Iterator[tuple[Atom, Sequence[GroundAction]]]:
        """The subgoals of a plan for a goal, each with its part of the plan."""
        begin = 0
        for number, (name, objects) in enumerate(plan):
            action = domain.actions[domain.action_index[name]]
            binding = {p.name: one for p, one in zip(action.parameters, objects, strict=True)}
            for atom, positive in action.effects:
                reached = atom.substitute(binding)
                if positive and (reached == goal or self.links(reached, goal)):
                    yield reached, plan[begin : number + 1]
                    begin = number + 1


def subgoal_chains(
    domain: Domain,
    goals: Collection[str],
    moves: Collection[str],
    known: Collection[Clause] = (),
) -> tuple[dict[str, SubgoalChain], tuple[Clause, ...]]:
    """The chains by the predicates of the goals, and definitions of relations for them.

    A relation that leads from the later to the earlier subgoal is inverted by a definition.
    Predicates that the actions `moves` add have none: macro moves reach these. `known` are clauses
    that exist already: nothing is defined twice, nor under a name of theirs.
    """
    found: dict[str, SubgoalChain] = {}
    definitions: list[Clause] = []
    for predicate in domain.predicates:
        if predicate.name not in goals:
            continue
        makers = [
            action
            for action in domain.actions
            if any(e.positive and e.atom.predicate == predicate.name for e in action.effects)
        ]
        steps = {_step(action, predicate.name, domain) for action in makers}
        if len(steps) != 1 or (moves and {action.name for action in makers} & {*moves}):
            continue
        (step,) = steps
        if step is None:
            continue
        edges, types = step.relation, predicate.parameters[step.place].types
        if not step.forward:
            body = (Literal(Atom(edges, ("?y", "?x"))),)
            parameters = (Parameter("?x", types), Parameter("?y", types))
            own = Clause(f"step-{predicate.name}", parameters, (), body, ())
            while own.name in domain.predicate_index or any(
                clause.name == own.name and clause != own for clause in known
            ):
                own = replace(own, name=f"{own.name}-2")
            if own not in known:
                definitions.append(own)
            edges = own.name
        chain = SubgoalChain(predicate.name, step.place, edges, types)
        if is_graph(chain.condition(), domain):
            found[predicate.name] = chain
    return found, tuple(definitions)


class _Step(NamedTuple):
    """The place at which an action shifts a predicate, along which relation in which direction."""

    place: int
    relation: str
    forward: bool


def _step(action: Action, predicate: str, domain: Domain) -> _Step | None:
    """How an action shifts a predicate; None if it does not, or has other effects on it."""
    found = [shift for shift in shifts(action) if shift.added.predicate == predicate]
    effects = [effect for effect in action.effects if effect.atom.predicate == predicate]
    if len(found) != 1 or len(effects) != 2:
        return None
    (shift,) = found
    if Literal(shift.deleted) not in action.precondition:
        return None
    for relation, terms in static_relations(action, shift.start, shift.end, domain):
        if relation not in domain.fluents and len(terms) == 2:
            return _Step(shift.place, relation, terms == (shift.start, shift.end))
    return None

"""Goals that are reached stage by stage, along a relation that never changes.

A couple walks a trail from camp to camp, a store fills up one unit at a time: all that can make the
goal true takes the same atom away with another object in one place, which a static relation puts
next to it. A plan for such a goal does the same thing again for each stage, and how many there are
says nothing about the goal. So each stage has a plan of its own, and its rules ask for the next
stage on a shortest way to the goal, `(next E x y z)`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import Atom, Literal, Parameter
from pg3.policy.derived import NEXT, is_graph
from pg3.policy.model import Clause

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from pg3.pddl.model import Action, Domain
    from pg3.pddl.plans import GroundAction
    from pg3.policy.model import Rule

# No name of a variable in a suffix.
_END = "?end"


class Stage(NamedTuple):
    """How a predicate goes from stage to stage: at which place, and along which relation."""

    predicate: str
    place: int
    edges: str

    def condition(self) -> Atom:
        """What rules say of the way, of objects that do not matter here."""
        return Atom(NEXT, (self.edges, "?", "?", "?"))

    def written(self, rule: Rule) -> Rule | None:
        """The rule for one stage as a rule for the goal; None where the stage has no variables."""
        (goal,) = rule.goals
        reached = goal.atom.terms[self.place]
        left = [
            atom.terms[self.place]
            for atom, positive in rule.preconditions
            if positive and self.follow(atom, goal.atom)
        ]
        known = {parameter.name: parameter for parameter in rule.parameters}
        if len(left) != 1 or not {left[0], reached} <= known.keys():
            return None
        # Whose goal it is comes first, then where it stands, then what is next.
        order = [*goal.atom.terms, left[0], reached, *known]
        order[self.place] = _END
        known[_END] = Parameter(_END, known[reached].types)
        terms = (*goal.atom.terms[: self.place], _END, *goal.atom.terms[self.place + 1 :])
        ahead = Literal(Atom(NEXT, (self.edges, left[0], reached, _END)))
        return replace(
            rule,
            parameters=tuple(known[name] for name in dict.fromkeys(order) if name in known),
            preconditions=(*rule.preconditions, ahead),
            goals=(Literal(Atom(goal.atom.predicate, terms)),),
        )

    def follow(self, one: Atom, other: Atom) -> bool:
        """Whether the atoms are two stages of the same thing."""
        if one.predicate != self.predicate or other.predicate != self.predicate:
            return False
        pairs = zip(one.terms, other.terms, strict=True)
        return [i for i, (x, y) in enumerate(pairs) if x != y] == [self.place]


def stages_of(
    domain: Domain,
    goals: Collection[str],
    moves: Collection[str],
    known: Collection[Clause] = (),
) -> tuple[dict[str, Stage], tuple[Clause, ...]]:
    """The goals' predicates that are reached by stages, and definitions of the relations for it.

    A relation that leads from the later to the earlier stage is turned round by a definition. What
    `moves` bring about, the actions that go along roads, is no matter of stages. `known` are
    clauses that there are already: nothing is defined twice, nor under a name of theirs.
    """
    found: dict[str, Stage] = {}
    definitions: list[Clause] = []
    for predicate in domain.predicates:
        if predicate.name not in goals:
            continue
        makers = [a for a in domain.actions if _added(a, predicate.name)]
        steps = {_step(action, predicate.name, domain) for action in makers}
        if len(steps) != 1 or (moves and {action.name for action in makers} & {*moves}):
            continue
        (step,) = steps
        if step is None:
            continue
        place, edges, forward = step
        if not forward:
            types = predicate.parameters[place].types
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
        stage = Stage(predicate.name, place, edges)
        if is_graph(stage.condition(), domain):
            found[predicate.name] = stage
    return found, tuple(definitions)


def _added(action: Action, predicate: str) -> list[Atom]:
    return [e.atom for e in action.effects if e.positive and e.atom.predicate == predicate]


def _step(action: Action, predicate: str, domain: Domain) -> tuple[int, str, bool] | None:
    """The place of the predicate that the action changes, the relation, and whether it leads on."""
    come = _added(action, predicate)
    gone = [e.atom for e in action.effects if not e.positive and e.atom.predicate == predicate]
    if len(come) != 1 or len(gone) != 1 or Literal(gone[0]) not in action.precondition:
        return None
    pairs = list(zip(gone[0].terms, come[0].terms, strict=True))
    places = [i for i, (x, y) in enumerate(pairs) if x != y]
    if len(places) != 1:
        return None
    ends = pairs[places[0]]
    for atom, positive in action.precondition:
        if not positive or atom.predicate in domain.fluents or len(atom.terms) != 2:
            continue
        if atom.predicate in domain.predicate_index and atom.terms in (ends, ends[::-1]):
            return places[0], atom.predicate, atom.terms == ends
    return None


def stage_plans(
    stage: Stage, goal: Atom, plan: Sequence[GroundAction], domain: Domain
) -> Iterator[tuple[Atom, Sequence[GroundAction]]]:
    """The stages of a plan for a goal: what each reaches, and its part of the plan."""
    begin = 0
    for number, (name, objects) in enumerate(plan):
        action = domain.actions[domain.action_index[name]]
        binding = {p.name: one for p, one in zip(action.parameters, objects, strict=True)}
        for atom in _added(action, stage.predicate):
            reached = Atom(atom.predicate, tuple(binding.get(t, t) for t in atom.terms))
            if reached == goal or stage.follow(reached, goal):
                yield reached, plan[begin : number + 1]
                begin = number + 1

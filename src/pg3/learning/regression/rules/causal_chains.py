"""What the rule of a suffix asks for: what the chain of its first action needs.

A suffix is a whole plan, and needs everything that one of its actions relies on and none of them
brings about. Its first action serves only some of the others, its *chain*: those that need what it
brings about, those that need what these bring about, and so on to the goal. What only the others
need is no concern of the first action, which was done before all of them: its rule does not ask for
it. So circumstances that have nothing to do with each other, such as where the tool is and whether
the panel is open, do not need a rule for each of their combinations.

They have to do with each other where a causal link is threatened: a later action of the chain that
waits for others needs what the chain brings about, and to make a circumstance of these others true
would undo it. Power is switched on for a start that also waits for a repair; where the guard is
still on, the repair needs the power off first. So the rule that switches on asks for a guard that
is off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import EQUALS, Literal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pg3.learning.regression.rules.steps import Step
    from pg3.pddl.model import Atom, Domain
    from pg3.pddl.plans import GroundAction


class Chain(NamedTuple):
    """The chain of a suffix's first action.

    `elsewhere` are the needs of actions outside of it alone, `missing` is what the first action
    brings about for the chain, and what it could do again and again if it did not have to be false.
    """

    elsewhere: frozenset[Literal]
    missing: tuple[Literal, ...]


WHOLE = Chain(frozenset(), ())


def chain_of(
    steps: Sequence[Step], goal: Atom, moves: Collection[str], domain: Domain
) -> Chain | None:
    """The chain of the first action; None if it does not lead to the goal.

    That is so if it only brings something to where it moves on. A macro move, whose names are
    `moves`, goes on from wherever another one of its kind has ended. Where actions change numbers,
    all count as one chain.

    What never changes, of any action, tells who can do what, and always counts. So does what tells
    which objects the chain is about, if nothing else in it does; if nothing tells, the chain is the
    whole suffix.
    """
    first = steps[0]
    if any(step.changes for step in steps):
        return WHOLE
    providers, end = _providers(steps, goal)
    chain, used = {0}, list[Literal]()
    for place, step in enumerate(steps[1:], start=1):
        name = step.schema.name
        goes_on = step.deletes if name in moves else ()
        links = [
            need
            for need, one in providers[place].items()
            if one in chain and not (need.atom in goes_on and steps[one].schema.name == name)
        ]
        if links:
            chain.add(place)
        used += [need for need in links if providers[place][need] == 0]
    if end not in chain:
        return None
    open_needs = [
        {need for need in step.needs if need not in providers[place]}
        for place, step in enumerate(steps)
    ]
    needed = set[Literal]().union(*(open_needs[place] for place in chain))
    others = set[Literal]().union(*open_needs) - needed
    undone = _undone_for_later(steps, chain, providers)
    others -= {need for need in others if _may_take(need, undone, needed, domain)}
    telling = _telling(needed, others, first, goal, domain)
    if telling is None:
        return WHOLE
    changes = any(effect.negated in first.needs for effect in first.effects)
    missing = () if changes or not used else (used[-1].negated,)
    return Chain(frozenset(others - telling - {Literal(goal, False)}), missing)


def _telling(
    needed: set[Literal], others: set[Literal], first: Step, goal: Atom, domain: Domain
) -> set[Literal] | None:
    """The `others` without which a rule would not say what it is about; None if none does.

    What never changes always counts: it tells who can do what, and is no circumstance. Of the
    objects of the action and of its chain, those are known that the goal names, that something
    which changes is needed of, and that facts which never change tie to such.
    """
    statics = {*domain.predicate_index, EQUALS} - domain.changing
    later = needed - {*first.needs}
    fixed = [need.atom.terms for need in later if need.atom.predicate in statics]
    known = {*goal.terms}.union(*_objects_of_changing(later, domain))
    for _ in fixed:
        known = known.union(*(terms for terms in fixed if not known.isdisjoint(terms)))
    known |= {constant.name for constant in domain.constants}
    known = known.union(*_objects_of_changing(first.needs, domain))
    unknown = {*first.arguments}.union(*fixed) - known
    telling = {
        need
        for need in others
        if need.atom.predicate in domain.fluents and not unknown.isdisjoint(need.atom.terms)
    }
    if not unknown <= {term for need in telling for term in need.atom.terms}:
        return None
    return telling.union(need for need in others if need.atom.predicate in statics)


def _undone_for_later(
    steps: Sequence[Step], chain: Collection[int], providers: Sequence[Mapping[Literal, int]]
) -> set[Literal]:
    """What the chain undoes to bring about what its later actions, which wait for others, need."""
    alone = set[int]()
    for place in sorted(chain):
        if alone.issuperset(providers[place].values()):
            alone.add(place)
    makers = {
        maker
        for place in chain
        if place not in alone
        for maker in providers[place].values()
        if maker in alone
    }
    return {effect.negated for maker in makers for effect in steps[maker].effects}


def _may_take(
    need: Literal, undone: Collection[Literal], holding: Collection[Literal], domain: Domain
) -> bool:
    """Whether to make a need true, were it false, may take something of what is `undone`.

    Looks at all actions that bring it about, at those that bring about what these need, and so on,
    but not for what is `holding`. Of their other objects nothing is known.
    """
    if not undone:
        return False
    waiting, seen = [need], {need}
    while waiting:
        wanted = waiting.pop()
        for action in domain.actions:
            for effect in action.possible_effects:
                binding = _binding(effect, wanted)
                if binding is None:
                    continue
                names = {p.name: binding.get(p.name, _ANY) for p in action.parameters}
                for more in (one.substitute(names) for one in action.precondition):
                    if any(_could_be_one(more, one) for one in undone):
                        return True
                    if more not in seen and more not in holding:
                        seen.add(more)
                        waiting.append(more)
    return False


# Stands for any object.
_ANY = "*"


def _binding(effect: Literal, wanted: Literal) -> dict[str, str] | None:
    """What the variables of an effect must be for it to be what is wanted."""
    if not _is_of_one_kind(effect, wanted):
        return None
    binding: dict[str, str] = {}
    for term, other in zip(effect.atom.terms, wanted.atom.terms, strict=True):
        known = binding.get(term, _ANY) if term.startswith("?") else term
        if _ANY not in (known, other) and known != other:
            return None
        binding[term] = other if known == _ANY else known
    return binding


def _could_be_one(one: Literal, other: Literal) -> bool:
    return _is_of_one_kind(one, other) and all(
        x == y or _ANY in (x, y) for x, y in zip(one.atom.terms, other.atom.terms, strict=True)
    )


def _is_of_one_kind(one: Literal, other: Literal) -> bool:
    return one.atom.predicate == other.atom.predicate and one.positive == other.positive


def _objects_of_changing(needs: Iterable[Literal], domain: Domain) -> list[tuple[str, ...]]:
    return [need.atom.terms for need in needs if need.atom.predicate in domain.fluents]


def _providers(steps: Sequence[Step], goal: Atom) -> tuple[list[dict[Literal, int]], int]:
    """For each action its needs that an earlier one brings about, and which one brings the goal."""
    found, last = [], dict[Literal, int]()
    for place, step in enumerate(steps):
        found.append({need: last[need] for need in step.needs if need in last})
        for effect in step.effects:
            last[effect] = place
            last.pop(effect.negated, None)
    return found, last.get(Literal(goal), len(steps) - 1)


def late(plan: Sequence[tuple[GroundAction, Step]], goal: Atom) -> list[GroundAction]:
    """The relevant actions of a plan for a goal, each as late as the others allow.

    Of two that could both come next to what they serve, the one comes later that takes fewer
    actions to prepare: the part is brought before the bit is changed. So plans that differ by
    chance in their order become one.
    """
    needs = {Literal(goal)}
    found: list[tuple[GroundAction, Step]] = []
    for action, step in reversed(plan):
        if not needs.isdisjoint(step.effects) or step.changes:
            needs = needs.difference(step.effects).union(step.needs)
            found.append((action, step))
    found.reverse()
    steps = [step for _, step in found]
    providers, _ = _providers(steps, goal)
    before: list[set[int]] = []
    for ways in providers:
        before.append({*ways.values()}.union(*(before[one] for one in ways.values())))
    after = [
        {j for j in range(i + 1, len(steps)) if not _commute(steps[i], steps[j])}
        for i in range(len(steps))
    ]
    order: list[int] = []
    left = set(range(len(steps)))
    while left:
        last = min(
            (i for i in left if after[i].isdisjoint(left)),
            key=lambda i: (len(before[i]), steps[i].schema.name, -i),
        )
        left.remove(last)
        order.append(last)
    return [found[i][0] for i in reversed(order)]


def _commute(one: Step, then: Step) -> bool:
    """Whether two actions, one after the other, can also be done the other way round."""
    if one.changes or then.changes:
        return False
    made, undone = {*one.effects}, {effect.negated for effect in one.effects}
    return (
        made.isdisjoint(then.needs)
        and undone.isdisjoint((*then.needs, *then.effects))
        and not any(effect.negated in one.needs for effect in then.effects)
    )

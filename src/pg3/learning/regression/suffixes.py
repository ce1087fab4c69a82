"""Plans regressed to rules: one rule for each relevant suffix of a plan for one goal.

Glossary. An action of a plan is *relevant* if it brings about something that the goal or a later
relevant action needs. The relevant actions from some point on are a *suffix*; its *condition* is
what must hold for it to lead to the goal (the goal regressed through its actions).

A suffix is *generalised* as far as its causal links allow: each place of each action has a variable
of its own, and two of them are one only where an effect provides a need or where two needs rest on
the same fact that changes. That two objects of the plan merely happen to be the same does not get
into the rule, which so covers plans that nobody has seen. Only the domain's constants keep their
names.

The rule of a suffix depends on nothing but its actions, on which of their arguments are the same
object, on the objects' types and the goal, and thousands of plans have few hundred such *patterns*.
So suffixes form a tree that grows backwards from the goals, and each is worked out once. In a
pattern objects are numbered in the order in which a walk from the goal backwards meets them.

Where roads are given, runs of moves along them are one action each (`travel`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.regression.travel import Itinerary, written
from pg3.pddl.model import EQUALS, Atom, Literal, Parameter
from pg3.policy.canonical import canonical_literal
from pg3.policy.model import Rule

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pg3.learning.regression.travel import Road
    from pg3.pddl.model import Action, Domain
    from pg3.pddl.plans import GroundAction

# Beyond these a rule says more about one problem than about the domain, and matching it is slow.
MAX_VARIABLES = 20
MAX_CONDITIONS = 60


@dataclass(frozen=True, slots=True)
class Step:
    """An action over variables; an atom that it both deletes and adds counts as added."""

    schema: Action
    arguments: tuple[str, ...]
    needs: tuple[Literal, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]

    @classmethod
    def of(cls, schema: Action, arguments: tuple[str, ...]) -> Step:
        """The schema applied to variables and constants."""
        binding = dict(zip((p.name for p in schema.parameters), arguments, strict=True))
        needs = [_substitute(literal.atom, binding) for literal in schema.precondition]
        adds = [_substitute(e.atom, binding) for e in schema.effects if e.positive]
        deletes = [_substitute(e.atom, binding) for e in schema.effects if not e.positive]
        return cls(
            schema,
            arguments,
            tuple(
                Literal(atom, literal.positive)
                for atom, literal in zip(needs, schema.precondition, strict=True)
            ),
            tuple(adds),
            tuple(atom for atom in deletes if atom not in adds),
        )

    @property
    def effects(self) -> tuple[Literal, ...]:
        """What holds after the action because of it."""
        return (
            *(Literal(atom) for atom in self.adds),
            *(Literal(atom, False) for atom in self.deletes),
        )


class Need(NamedTuple):
    """A literal of a condition, as it stands in the pattern and generalised."""

    pattern: Literal
    literal: Literal


@dataclass(eq=False, slots=True)
class Suffix:
    """The relevant end of a plan, in the order of its actions, with its condition.

    `goal` and `steps` are generalised; `types` are the types of their variables. `rule` is None
    where it could never apply, as for the empty suffix. `longer` are the suffixes one action
    longer, by that action; None stands for an action that is not relevant here, `TOO_LARGE` for
    one that would need too large a rule.
    """

    goal: Atom
    steps: tuple[Step, ...]
    needs: tuple[Need, ...]
    types: dict[str, str]
    object_types: tuple[str, ...]
    rule: Rule | None = None
    longer: dict[_StepKey, Suffix | None] = field(default_factory=dict)

    @property
    def rank(self) -> int:
        """How many relevant actions are left, this one included."""
        return len(self.steps)

    @property
    def condition(self) -> tuple[Literal, ...]:
        """What must hold for the suffix to lead to its goal."""
        return tuple(dict.fromkeys(need.literal for need in self.needs))


# The schema, its arguments as terms, and the types of the variables met for the first time.
_StepKey = tuple[str, tuple[str, ...], tuple[str, ...]]

TOO_LARGE = Suffix(Atom(""), (), (), {}, ())


class SuffixTree:
    """All suffixes met so far, by goal; the moves along `roads` are put together."""

    def __init__(self, domain: Domain, roads: Mapping[str, Road] = MappingProxyType({})) -> None:
        self.domain = domain
        self._roads = roads
        self._schemas = {action.name: action for action in domain.actions}
        self._schemas |= {name: road.travel for name, road in roads.items()}
        self._constants = {constant.name: constant.type for constant in domain.constants}
        self._roots: dict[_StepKey, Suffix] = {}

    def regress(
        self,
        goal: Atom,
        plan: Sequence[GroundAction],
        types: Mapping[str, str],
        travellers: Collection[GroundAction] = (),
    ) -> Iterator[Suffix]:
        """The suffixes of a plan that reaches a goal, from the shortest, one action long, on.

        `types` are the types of the problem's objects, `travellers` those of `travel` in it. Ends
        early before a suffix that would need more than `MAX_VARIABLES` or `MAX_CONDITIONS`.
        """
        terms = {name: name for name in self._constants}
        key, terms = self._key(goal.predicate, goal.terms, terms, types)
        if key not in self._roots:
            lifted = Atom(goal.predicate, key[1])
            variables = dict.fromkeys(t for t in key[1] if t not in self._constants)
            self._roots[key] = Suffix(
                goal=lifted,
                steps=(),
                needs=(Need(Literal(lifted), Literal(lifted)),),
                types=dict(zip(variables, key[2], strict=True)),
                object_types=key[2],
            )
        suffix = self._roots[key]
        if self._roads:
            plan = Itinerary(self._roads, travellers, self._ground_step).of(goal, plan)
        for name, objects in reversed(plan):
            key, extended = self._key(name, objects, terms, types)
            if key not in suffix.longer:
                suffix.longer[key] = self._extend(suffix, key)
            longer = suffix.longer[key]
            if longer is None:
                continue
            if longer is TOO_LARGE:
                return
            suffix, terms = longer, extended
            yield suffix

    def _ground_step(self, action: GroundAction) -> Step:
        return Step.of(self._schemas[action.name], action.objects)

    def _key(
        self, symbol: str, objects: Iterable[str], terms: dict[str, str], types: Mapping[str, str]
    ) -> tuple[_StepKey, dict[str, str]]:
        """The symbol applied to terms, and the terms with the objects that are new."""
        new: dict[str, str] = {}
        known = len(terms) - len(self._constants)
        arguments = []
        for name in objects:
            term = terms.get(name) or new.get(name)
            if term is None:
                term = new[name] = f"?{known + len(new)}"
            arguments.append(term)
        new_types = tuple([types[name] for name in new])
        return (symbol, tuple(arguments), new_types), (terms | new if new else terms)

    def _extend(self, suffix: Suffix, key: _StepKey) -> Suffix | None:
        """The suffix with one more action before it, None if the action is not relevant."""
        name, objects, new_types = key
        object_types = suffix.object_types + new_types
        schema = self._schemas[name]
        pattern = Step.of(schema, objects)
        types = dict(suffix.types)
        # Numbers and levels are often the same in two places by chance, so each place has a
        # variable of its own; but an action that takes away what it gives would do something else.
        apart = len(pattern.effects) == len({e.atom for e in schema.effects}) and not any(
            c.positive and c.atom.predicate == EQUALS for c in schema.precondition
        )
        fresh: dict[tuple[str, int], str] = {}
        for place, term in enumerate(objects):
            own = (term, place if apart else 0)
            if term not in self._constants and own not in fresh:
                fresh[own] = f"?{len(types)}"
                types[fresh[own]] = object_types[int(term[1:])]
        arguments = tuple(
            fresh.get((term, place if apart else 0), term) for place, term in enumerate(objects)
        )
        road = self._roads.get(name)
        if road is not None and objects[road.move.start] == objects[road.move.end]:
            # A travel of no step, which may be longer elsewhere: its ends are not the same.
            place, start = road.move.start, f"?{len(types)}"
            types[start] = self._type_of(arguments[place], types)
            arguments = (*arguments[:place], start, *arguments[place + 1 :])
        step = Step.of(schema, arguments)

        # What a travel takes from its start is still there in the pattern if it has no step.
        provided = dict(zip(pattern.effects, step.effects, strict=False))
        if not any(need.pattern in provided for need in suffix.needs):
            return None
        same = _Unifier(self._constants)
        remaining = []
        for need in suffix.needs:
            if need.pattern in provided:
                same.unify(need.literal, provided[need.pattern])
            else:
                remaining.append(need)
        facts = {need.pattern: need.literal for need in remaining}
        for need in map(Need, pattern.needs, step.needs):
            if need.pattern in facts and need.pattern.atom.predicate in self.domain.fluents:
                same.unify(need.literal, facts[need.pattern])
            if not self._is_trivial(need.literal):
                remaining.append(need)

        longer = Suffix(
            goal=same.atom(suffix.goal),
            steps=tuple(Step.of(s.schema, same.terms(s.arguments)) for s in (step, *suffix.steps)),
            needs=tuple(Need(p, Literal(same.atom(n.atom), n.positive)) for p, n in remaining),
            types=types,
            object_types=object_types,
        )
        # A suffix through the goal itself: where it would start, the goal holds and nothing is due.
        if Literal(longer.goal) not in longer.condition:
            longer.rule = self._rule(longer)
            if len(longer.rule.parameters) > MAX_VARIABLES or longer.rule.size > MAX_CONDITIONS:
                return TOO_LARGE
        return longer

    def _is_trivial(self, literal: Literal) -> bool:
        """Whether an equality holds whatever the objects: between a term and itself, constants."""
        predicate, terms = literal.atom
        return predicate == EQUALS and (
            literal.positive or all(term in self._constants for term in terms)
        )

    def _rule(self, suffix: Suffix) -> Rule:
        """The rule that does the first action wherever the suffix leads to the goal.

        Parameters: those of the goal, the others as the conditions mention them, the rest of the
        action's. The conditions go from those of the last action to those of the first, so each
        parameter is tied to earlier ones, which keeps matching cheap.
        """
        types = self._constants | suffix.types
        conditions = [
            literal
            for literal in (*suffix.condition, Literal(suffix.goal, False))
            if self.domain.accepts(literal.atom, types, self._constants)
        ]
        # There and back again: (= a b) of one step is (= b a) of another.
        body = list({canonical_literal(literal): literal for literal in conditions}.values())
        steps, body = self._condense(suffix, body)
        first = steps[0]
        mentioned = [term for literal in body for term in literal.atom.terms]
        terms = dict.fromkeys((*suffix.goal.terms, *mentioned, *first.arguments))
        unequal = {frozenset(atom.terms) for atom, _ in body if atom.predicate == EQUALS}
        body += [
            Literal(Atom(EQUALS, pair), False)
            for pair in combinations(terms, 2)
            if frozenset(pair) not in unequal
            and self._could_be_one(suffix, *pair)
            and not _survives(suffix.goal, steps, body, *pair)
        ]
        rule = Rule(
            name=first.schema.name,
            parameters=tuple(
                Parameter(term, (suffix.types[term],))
                for term in terms
                if term not in self._constants
            ),
            preconditions=tuple(body),
            goals=(Literal(suffix.goal),),
            action=first.schema.name,
            arguments=first.arguments,
        )
        return written(rule, self._roads) if self._roads else rule

    def _condense(
        self, suffix: Suffix, body: list[Literal]
    ) -> tuple[tuple[Step, ...], list[Literal]]:
        """The steps and conditions without variables for which another does as well.

        One does if all that is asked of the variable is asked of the other too, and the suffix
        works with the other in its place.
        """
        steps, spoken_for = suffix.steps, {*suffix.goal.terms, *suffix.steps[0].arguments}
        mentioned = dict.fromkeys(term for literal in body for term in literal.atom.terms)
        for spare in [t for t in mentioned if t not in spoken_for and t not in self._constants]:
            asked = [literal for literal in body if spare in literal.atom.terms]
            # Whatever can stand for it is in a condition like the first one that asks for it.
            place = asked[0].atom.terms.index(spare)
            for candidate in body:
                if candidate.atom.predicate != asked[0].atom.predicate:
                    continue
                other = candidate.atom.terms[place]
                binding = {spare: other}
                if (
                    other != spare
                    and self._is_a(suffix, other, spare)
                    and all(Literal(_substitute(a, binding), p) in body for a, p in asked)
                    and _survives(suffix.goal, steps, body, other, spare)
                ):
                    body = [literal for literal in body if literal not in asked]
                    steps = tuple(
                        Step.of(s.schema, tuple(binding.get(t, t) for t in s.arguments))
                        for s in steps
                    )
                    break
        return steps, body

    def _is_a(self, suffix: Suffix, term: str, variable: str) -> bool:
        """Whether every object that the term can be is of the variable's type."""
        return self.domain.is_a(self._type_of(term, suffix.types), (suffix.types[variable],))

    def _type_of(self, term: str, types: Mapping[str, str]) -> str:
        return self._constants.get(term) or types[term]

    def _could_be_one(self, suffix: Suffix, term: str, other: str) -> bool:
        """Whether an object can be of the types of both terms."""
        if term in self._constants:
            term, other = other, term
        if term in self._constants:
            return False
        below = self.domain.subtypes[suffix.types[term]]
        if other in self._constants:
            return self._constants[other] in below
        return not below.isdisjoint(self.domain.subtypes[suffix.types[other]])


class _Unifier:
    """Which terms have been found to be the same; the earliest variable or a constant speaks."""

    def __init__(self, constants: Collection[str]) -> None:
        self._constants = constants
        self._same: dict[str, str] = {}

    def term(self, term: str) -> str:
        """The term that stands for this one."""
        while term in self._same:
            term = self._same[term]
        return term

    def terms(self, terms: Iterable[str]) -> tuple[str, ...]:
        """The terms that stand for these."""
        return tuple([self.term(term) for term in terms])

    def atom(self, atom: Atom) -> Atom:
        """The atom with the terms that stand for its own."""
        return Atom(atom.predicate, self.terms(atom.terms))

    def unify(self, literal: Literal, other: Literal) -> None:
        """Make two literals of one predicate the same."""
        for x, y in zip(literal.atom.terms, other.atom.terms, strict=True):
            kept, merged = sorted((self.term(x), self.term(y)), key=self._age)
            if kept != merged:
                self._same[merged] = kept

    def _age(self, term: str) -> int:
        return -1 if term in self._constants else int(term[1:])


def _survives(
    goal: Atom, steps: Sequence[Step], body: Sequence[Literal], kept: str, merged: str
) -> bool:
    """Whether a suffix still does its work when two of its terms are the same object.

    Also true where the conditions exclude that anyway. False where the suffix then misses its goal,
    and where it reaches it without the first action: a rule that does it could do it for ever.
    """
    binding = {merged: kept}

    def one(atom: Atom) -> Atom:
        return _substitute(atom, binding) if merged in atom.terms else atom

    before: dict[Atom, bool] = {}
    for atom, positive in body:
        if atom.predicate == EQUALS:
            excluded = (len(set(one(atom).terms)) == 1) != positive
        else:
            excluded = before.setdefault(one(atom), positive) != positive
        if excluded:
            return True

    def reaches_goal(steps: Sequence[Step]) -> bool:
        known = dict(before)
        for step in steps:
            for atom, positive in step.needs:
                if atom.predicate != EQUALS and known.get(one(atom)) is not positive:
                    return False
            known |= dict.fromkeys(map(one, step.deletes), False)
            known |= dict.fromkeys(map(one, step.adds), True)
        return known.get(one(goal), False)

    return reaches_goal(steps) and not reaches_goal(steps[1:])


def _substitute(atom: Atom, binding: Mapping[str, str]) -> Atom:
    return Atom(atom.predicate, tuple([binding.get(term, term) for term in atom.terms]))

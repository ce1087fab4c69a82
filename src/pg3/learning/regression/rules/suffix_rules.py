"""The rule of a suffix: its conditions made into a body that is as short as it can be."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from pg3.learning.regression.macro_moves import rules_along_paths
from pg3.learning.regression.rules.cases import base_name
from pg3.learning.regression.rules.causal_chains import chain_of
from pg3.learning.regression.rules.numbers import without_implied
from pg3.learning.regression.rules.reduction import reduced
from pg3.learning.regression.rules.steps import Step
from pg3.learning.regression.spreading import rule_of_spread
from pg3.pddl.model import EQUALS, Atom, Literal, Parameter
from pg3.pddl.numbers import is_comparison
from pg3.policy.canonical import canonical_literal
from pg3.policy.model import Rule

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from pg3.learning.regression.macro_moves import MacroMove
    from pg3.learning.regression.rules.steps import Suffix
    from pg3.learning.regression.spreading import Spread
    from pg3.pddl.model import Domain, TypeNames


class RuleWriter:
    """Makes the rules of suffixes of one domain."""

    def __init__(
        self,
        domain: Domain,
        macro_moves: Mapping[str, MacroMove],
        spreads: Mapping[str, Spread],
        *,
        by_chains: bool,
    ) -> None:
        self.domain = domain
        self._by_chains = by_chains
        self._moves = {macro.action.name for macro in macro_moves.values()}
        self._macro_moves = macro_moves
        self._spreads = spreads
        self._constants = {constant.name: constant.type for constant in domain.constants}

    def rules(self, suffix: Suffix) -> tuple[Rule, ...]:
        """The rule that takes the first action wherever the suffix leads to the goal.

        For a macro move it is one for each action that makes it. With `by_chains` there is none if
        the first action has no chain.

        Parameters: those of the goal, the others as the conditions mention them, the rest of the
        action's. The conditions go from those of the last action to those of the first, so each
        parameter shares a condition with earlier ones, which keeps matching cheap.
        """
        types = self._constants | suffix.types
        conditions = [
            literal
            for literal in (*suffix.condition, Literal(suffix.goal, False))
            if self.domain.accepts(literal.atom, types, self._constants)
        ]
        # (= a b) of one step is (= b a) of another.
        body = list({canonical_literal(literal): literal for literal in conditions}.values())
        body = without_implied(body)
        steps, body = self._condense(suffix, body)
        first = steps[0]
        mentioned = [term for literal in body for term in literal.atom.terms]
        terms = dict.fromkeys((*suffix.goal.terms, *mentioned, *first.arguments))
        unequal = {frozenset(atom.terms) for atom, _ in body if atom.predicate == EQUALS}
        merging = _merging(suffix.goal, steps, body)
        body += [
            Literal(Atom(EQUALS, pair), False)
            for pair in combinations(terms, 2)
            if frozenset(pair) not in unequal
            and (merging is None or frozenset(pair) in merging)
            and self._could_be_one(suffix, *pair)
            and not _survives(suffix.goal, steps, body, {pair[1]: pair[0]})
        ]
        body += self._apart_together(suffix, steps, body, terms)
        if self._by_chains:
            chain = chain_of(steps, suffix.goal, self._moves, self.domain)
            if chain is None:
                return ()
            body = [one for one in body if one not in chain.elsewhere]
            body += [one for one in chain.missing if one not in body]
        # With a conditional effect it is still the action itself that is done.
        action = base_name(first.schema.name)
        extra = 0
        if action != first.schema.name:
            extra = len(first.arguments) - len(self.domain.action(action).parameters)
        rule = Rule(
            name=action,
            parameters=tuple(
                Parameter(term, _types(suffix, term))
                for term in terms
                if term not in self._constants
            ),
            preconditions=tuple(body),
            goals=(Literal(suffix.goal),),
            action=action,
            arguments=first.arguments[: len(first.arguments) - extra],
        )
        if self._by_chains:
            rule = reduced(rule, self.domain)
        found = rules_along_paths(rule, self._macro_moves, self.domain)
        return tuple(rule_of_spread(rule, self._spreads) for rule in found)

    def _apart_together(
        self, suffix: Suffix, steps: Sequence[Step], body: Sequence[Literal], terms: Collection[str]
    ) -> list[Literal]:
        """Inequalities for terms that may be one object, but not together with some others.

        If a step undoes `(holds ?h ?c)` and a later one needs `(holds ?g ?d)`, either the hands or
        the cups must differ. The first of these pairs that do in the plan is as good as any.
        """
        unequal = {frozenset(atom.terms) for atom, _ in body if atom.predicate == EQUALS}
        added: list[Literal] = []
        for binding in _clashes(suffix.goal, steps):
            pairs = [frozenset(pair) for pair in binding]
            if (
                not unequal.isdisjoint(pairs)
                or not all(x in terms and y in terms for x, y in binding)
                or not all(self._could_be_one(suffix, x, y) for x, y in binding)
            ):
                continue
            merged = _merged(binding, self._constants)
            if merged is None or _survives(suffix.goal, steps, body, merged):
                continue
            apart = next(
                (p for p in binding if len({suffix.objects.get(t, t) for t in p}) > 1), None
            )
            if apart is not None:
                unequal.add(frozenset(apart))
                added.append(Literal(Atom(EQUALS, apart), False))
        return added

    def _condense(
        self, suffix: Suffix, body: list[Literal]
    ) -> tuple[tuple[Step, ...], list[Literal]]:
        """The steps and conditions without variables that another variable can replace.

        It can if it has all conditions of the replaced one, and the suffix still works with it.
        """
        steps, spoken_for = suffix.steps, {*suffix.goal.terms, *suffix.steps[0].arguments}
        mentioned = dict.fromkeys(term for literal in body for term in literal.atom.terms)
        for spare in [t for t in mentioned if t not in spoken_for and t not in self._constants]:
            asked = [literal for literal in body if spare in literal.atom.terms]
            # A replacement has a condition like the first one of the variable.
            place = asked[0].atom.terms.index(spare)
            for candidate in body:
                if candidate.atom.predicate != asked[0].atom.predicate:
                    continue
                other = candidate.atom.terms[place]
                binding = {spare: other}
                if (
                    other != spare
                    and self._is_a(suffix, other, spare)
                    and all(literal.substitute(binding) in body for literal in asked)
                    and _survives(suffix.goal, steps, body, binding)
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
        constant = self._constants.get(term)
        names = _types(suffix, term) if constant is None else (constant,)
        return all(self.domain.is_a(name, _types(suffix, variable)) for name in names)

    def _could_be_one(self, suffix: Suffix, term: str, other: str) -> bool:
        """Whether an object can be of the types of both terms."""
        if term in self._constants:
            term, other = other, term
        if term in self._constants:
            return False
        below = {name for one in _types(suffix, term) for name in self.domain.subtypes[one]}
        if other in self._constants:
            return self._constants[other] in below
        return any(not below.isdisjoint(self.domain.subtypes[one]) for one in _types(suffix, other))


def _types(suffix: Suffix, variable: str) -> TypeNames:
    """The type of a variable, or those that all actions with it take."""
    return suffix.asked.get(variable) or (suffix.types[variable],)


def _clashes(goal: Atom, steps: Sequence[Step]) -> Iterator[tuple[tuple[str, str], ...]]:
    """The two and more pairs of terms that would let a step undo what is needed after it."""
    known = set[tuple[tuple[str, str], ...]]()
    later = [Literal(goal)]
    for step in reversed(steps):
        for effect in step.effects:
            for need in later:
                if (
                    effect.atom.predicate == need.atom.predicate
                    and effect.positive != need.positive
                ):
                    both = zip(effect.atom.terms, need.atom.terms, strict=True)
                    pairs = tuple(dict.fromkeys(pair for pair in both if pair[0] != pair[1]))
                    if len(pairs) > 1 and pairs not in known:
                        known.add(pairs)
                        yield pairs
        later += step.needs


def _merged(pairs: Sequence[tuple[str, str]], constants: Collection[str]) -> dict[str, str] | None:
    """What to put for which term so that each pair is one; None if two constants would be."""
    binding: dict[str, str] = {}
    for pair in pairs:
        kept, merged = (binding.get(term, term) for term in pair)
        if merged in constants:
            kept, merged = merged, kept
        if merged in constants and kept != merged:
            return None
        binding = {term: kept if one == merged else one for term, one in binding.items()}
        binding[merged] = kept
    return binding


def _merging(
    goal: Atom, steps: Sequence[Step], body: Sequence[Literal]
) -> set[frozenset[str]] | None:
    """The pairs of terms that make two atoms of a suffix one if they are the same object.

    Any other two may be the same without any change to what the suffix does. None if that is not
    so, since it does not do its work as it is.
    """
    if not _survives(goal, steps, body, {}):
        return None
    alike: dict[tuple[str, int], list[Atom]] = {}
    effects = (effect.atom for step in steps for effect in step.effects)
    needs = (need.atom for step in steps for need in step.needs)
    for atom in {goal, *effects, *needs, *(literal.atom for literal in body)}:
        alike.setdefault((atom.predicate, len(atom.terms)), []).append(atom)
    found = set[frozenset[str]]()
    for atoms in alike.values():
        for one, other in combinations(atoms, 2):
            differ = {
                frozenset((x, y)) for x, y in zip(one.terms, other.terms, strict=True) if x != y
            }
            if len(differ) == 1:
                found |= differ
    return found


def _survives(
    goal: Atom, steps: Sequence[Step], body: Sequence[Literal], binding: Mapping[str, str]
) -> bool:
    """Whether a suffix still does its work when some of its terms are the same object.

    Also true where the conditions exclude that anyway. False where the suffix then misses its goal,
    and where it reaches it without the first action: a rule could then repeat that action for ever.
    """

    def one(atom: Atom) -> Atom:
        return atom if binding.keys().isdisjoint(atom.terms) else atom.substitute(binding)

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
                if atom.predicate == EQUALS or is_comparison(atom.predicate):
                    continue
                if known.get(one(atom)) is not positive:
                    return False
            known |= dict.fromkeys(map(one, step.deletes), False)
            known |= dict.fromkeys(map(one, step.adds), True)
        return known.get(one(goal), is_comparison(goal.predicate))

    # What a step does to numbers is taken to be needed, and to be enough.
    if steps[0].changes:
        return reaches_goal(steps)
    return reaches_goal(steps) and not reaches_goal(steps[1:])

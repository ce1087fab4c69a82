"""A policy made as general as its tests allow.

Rules of goal regression say everything that a plan relied on, and each combination of circumstances
has a rule of its own. Most of that is not needed: the order of the rules, and the rules for the
steps that follow, take care of it. So, in this order,

1. rules that never act in a test go,
2. variables get the widest types that the action and the conditions allow,
3. rules go, the last first,
4. conditions go, and with them parameters that nothing speaks of any more,

and 3 and 4 again until nothing changes. Rules that differ only in what steps 2 and 4 leave out
become one that way. Each step is kept only if the policy still passes every test that it passed at
the beginning, and takes no more steps there in all: a rule that says too little wanders about. What
the action needs stays, and so do guards: that the rule's goal is open, that its action has an
effect, that a path leads somewhere; and what says of which kind an object is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from pg3.learning.operators import locked_places
from pg3.pddl.model import EQUALS, Atom, Literal, Parameter
from pg3.policy.canonical import canonical_literal
from pg3.policy.derived import NEXT, is_graph
from pg3.policy.encoding import accepted_types

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from pg3.learning.robustness.trials import Trials
    from pg3.pddl.model import Action, TypeNames
    from pg3.policy.model import Rule
    from pg3.policy.rule_book import PolicyKey, RuleBook


class Generaliser:
    """Generalises one policy, step by step, as long as `trials` are passed.

    `locked` rules stay as they are. When trials are added, only those steps are taken back that do
    not pass them, and what came after.
    """

    def __init__(self, book: RuleBook, policy: PolicyKey, locked: PolicyKey = ()) -> None:
        self._book = book
        self._locked = locked
        self._shorter: dict[int, tuple[int, ...]] = {}
        # Each is a step more general than the one before.
        self._policies = [policy]

    def generalised(self, trials: Trials) -> PolicyKey:
        """The policy after all steps; the policy as it was if it passes no trial."""
        passed = bisect_left(self._policies, True, key=lambda one: not trials.passes(one))
        del self._policies[max(1, passed) :]
        if not trials:
            return self._policies[-1]
        self._trials = trials
        self._drop_idle_rules()
        self._widen_types()
        while True:
            before = self._policies[-1]
            self._drop_rules()
            self._drop_conditions()
            if self._policies[-1] == before:
                return before

    def _accepts(self, policy: PolicyKey) -> bool:
        """Whether a policy passes the trials; it is then the one to go on with."""
        accepted = policy != self._policies[-1] and self._trials.passes(policy)
        if accepted:
            self._policies.append(policy)
        return accepted

    def _drop_idle_rules(self) -> None:
        policy = self._policies[-1]
        kept = {*self._trials.acting(policy), *(locked_places(policy, self._locked) or ())}
        self._accepts(tuple(policy[place] for place in sorted(kept)))

    def _drop_rules(self) -> None:
        for place in reversed(range(len(self._policies[-1]))):
            policy = self._policies[-1]
            if policy[place] not in self._locked:
                self._accepts((*policy[:place], *policy[place + 1 :]))

    def _drop_conditions(self) -> None:
        for place in range(len(self._policies[-1])):
            failed = 0
            while True:
                policy = self._policies[-1]
                rules = self._without_one_condition(policy[place])
                if failed >= len(rules):
                    break
                if not self._accepts((*policy[:place], rules[failed], *policy[place + 1 :])):
                    failed += 1

    def _widen_types(self) -> None:
        for place in range(len(self._policies[-1])):
            policy = self._policies[-1]
            if policy[place] in self._locked:
                continue
            for rule in self._widened(self._book.rule(policy[place])):
                number = self._book.number(rule)
                if self._accepts((*policy[:place], number, *policy[place + 1 :])):
                    break

    def _without_one_condition(self, number: int) -> tuple[int, ...]:
        """The rule without each condition that may go; the action's own must stay."""
        if number in self._locked:
            return ()
        known = self._shorter.get(number)
        if known is None:
            rule = self._book.rule(number)
            action = self._book.domain.action(rule.action).ground(rule.arguments)
            needed = {canonical_literal(literal) for literal in action.precondition}
            needed |= {
                canonical_literal(literal)
                for literal in rule.preconditions
                if not literal.positive and _is_guard(literal.atom, rule, action)
            }
            needed |= {literal for literal in rule.preconditions if self._is_kind(literal)}
            known = self._shorter[number] = tuple(
                self._book.number(_tidied(shorter))
                for shorter in _shorter(rule, needed)
                if self._knows_its_way(shorter)
            )
        return known

    def _is_kind(self, literal: Literal) -> bool:
        """Whether a condition says what kind of object a variable is, like a type.

        Few small problems have objects of all kinds, so that hardly any test shows its use.
        """
        atom, positive = literal
        return positive and len(atom.terms) == 1 and self._is_static(atom.predicate)

    def _is_static(self, predicate: str) -> bool:
        domain = self._book.domain
        return predicate in domain.predicate_index and predicate not in domain.changing

    def _knows_its_way(self, rule: Rule) -> bool:
        """Whether something else says where each path of the rule leads: else it goes anywhere."""
        literals = (*rule.preconditions, *rule.goals)
        for path in literals:
            if path.atom.predicate == NEXT and is_graph(path.atom, self._book.domain):
                target = path.atom.terms[-1]
                if target.startswith("?") and not any(
                    target in other.atom.terms
                    for other in literals
                    if other != path and other.positive
                ):
                    return False
        return True

    def _widened(self, rule: Rule) -> Iterator[Rule]:
        """The rule with the widest types for all its variables, then for one after the other."""
        widest = self._widest_types(rule)
        changed = [p for p in rule.parameters if widest[p.name] != p.types]
        if len(changed) > 1:
            yield self._apart(rule, _with_types(rule, widest))
        for one in changed:
            yield self._apart(rule, _with_types(rule, {one.name: widest[one.name]}))

    def _widest_types(self, rule: Rule) -> dict[str, TypeNames]:
        """For each variable the widest type that fits all its places; its own if there is none."""
        domain = self._book.domain
        allowed: dict[str, list[TypeNames]] = {p.name: [] for p in rule.parameters}
        places = [(rule.arguments, domain.action(rule.action).parameters)]
        for atom, _ in (*rule.preconditions, *rule.goals):
            if atom.predicate == EQUALS:
                continue
            if is_graph(atom, domain):
                # What a path may lead through is not declared anywhere: such a variable stays.
                for term in atom.terms[1:]:
                    allowed.pop(term, None)
                continue
            index = domain.predicate_index.get(atom.predicate)
            if index is None:
                for term in atom.terms:
                    allowed.pop(term, None)
            else:
                places.append((atom.terms, domain.predicates[index].parameters))
        for terms, parameters in places:
            for term, parameter in zip(terms, parameters, strict=True):
                if term in allowed:
                    allowed[term].append(parameter.types)
        return {
            p.name: self._common(allowed[p.name]) or p.types if p.name in allowed else p.types
            for p in rule.parameters
        }

    def _common(self, types: list[TypeNames]) -> TypeNames | None:
        """The one of these types that all others accept."""
        sets = {names: frozenset(accepted_types(names, self._book.domain)) for names in types}
        return next((n for n in types if all(sets[n] <= other for other in sets.values())), None)

    def _apart(self, rule: Rule, wider: Rule) -> Rule:
        """The rule with wider types, where no terms are one object that could not be so before."""
        before, after = self._objects_of(rule), self._objects_of(wider)
        added = [
            Literal(Atom(EQUALS, (one, other)), False)
            for one, other in combinations(after, 2)
            if after[one] & after[other] and not before[one] & before[other]
        ]
        return replace(wider, preconditions=(*wider.preconditions, *added))

    def _objects_of(self, rule: Rule) -> dict[str, frozenset[str]]:
        """For each term of a rule the types of the objects that it can stand for, or its name."""
        domain = self._book.domain
        constants = {one.name: one.type for one in domain.constants}
        of = {
            p.name: frozenset().union(*(domain.subtypes[name] for name in p.types))
            | {name for name, type_ in constants.items() if domain.is_a(type_, p.types)}
            for p in rule.parameters
        }
        return of | {term: frozenset((term,)) for term in _terms(rule) if term in constants}


def _shorter(rule: Rule, needed: Collection[Literal]) -> Iterator[Rule]:
    """The rule without each condition in turn, those that are needed excepted.

    Conditions that only say something together go together: without `(at-lander ?l ?y)`,
    `(visible ?x ?y)` would hold nearly everywhere. So a condition also goes if one of its variables
    occurs nowhere else any more.
    """
    spoken_of = {*rule.arguments, *(t for literal in rule.goals for t in literal.atom.terms)}
    for dropped in rule.preconditions:
        gone, left = [dropped], [literal for literal in rule.preconditions if literal != dropped]
        while True:
            count = Counter(term for literal in left for term in set(literal.atom.terms))
            lost = {term for literal in gone for term in literal.atom.terms} - spoken_of
            loose = [
                literal
                for literal in left
                if any(term in lost and count[term] == 1 for term in literal.atom.terms)
            ]
            if not loose:
                break
            gone += loose
            left = [literal for literal in left if literal not in loose]
        if not any(canonical_literal(literal) in needed for literal in gone):
            yield replace(rule, preconditions=tuple(left))


def _is_inequality(literal: Literal) -> bool:
    return literal.atom.predicate == EQUALS and not literal.positive


def _is_guard(atom: Atom, rule: Rule, action: Action) -> bool:
    """Whether a rule could go on for ever if an atom were true that it says is not.

    Its goal is reached then, or its action has no effect. Two terms are one object if the atom says
    so.
    """
    if Literal(atom) in rule.goals:
        return True
    needs = {literal for literal in action.precondition if literal.positive}
    effects = action.effects
    if atom.predicate == EQUALS:
        one, other = atom.terms
        if any({one, other} <= {*literal.atom.terms} for literal in action.precondition):
            # The action is about two objects in some relation: tests tell whether they can be one.
            return False
        needs = {literal.substitute({one: other}) for literal in needs}
        effects = tuple(literal.substitute({one: other}) for literal in effects)
    elif Literal(atom) in effects:
        needs.add(Literal(atom))
    else:
        return False
    adds = {literal for literal in effects if literal.positive}
    deletes = {literal.negated for literal in effects if not literal.positive} - adds
    return adds <= needs and not deletes


def _tidied(rule: Rule) -> Rule:
    """The rule without parameters that neither its action nor a condition has."""
    used = _terms(rule)
    return replace(rule, parameters=tuple(p for p in rule.parameters if p.name in used))


def _terms(rule: Rule) -> set[str]:
    """The terms of a rule's action and conditions."""
    conditions = (*rule.preconditions, *rule.goals)
    return {*rule.arguments, *(term for literal in conditions for term in literal.atom.terms)}


def _with_types(rule: Rule, types: Mapping[str, TypeNames]) -> Rule:
    return replace(
        rule,
        parameters=tuple(Parameter(p.name, types.get(p.name, p.types)) for p in rule.parameters),
    )

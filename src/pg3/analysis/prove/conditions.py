"""The conditions of a proof, for the search: each says that something is impossible.

They are about a state in which all invariants hold, a goal is open, and a *case* of a rule acts:
its conditions hold of some objects and no earlier rule is applicable. Which objects are chosen does
not matter but for paths, so they may be any.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pg3.analysis.prove.logic.formulas import (
    Formula,
    Term,
    conjunction,
    exists,
    negate,
    parts_of,
    text_of,
)
from pg3.analysis.prove.logic.invariants import Count, Invariant, Level
from pg3.analysis.prove.logic.links import more_of_a_state
from pg3.analysis.prove.logic.z3_terms import BEFORE, After, LevelTerms
from pg3.analysis.prove.reasoning import Condition, Hypothesis

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pg3.analysis.prove.logic.theory import Case
    from pg3.analysis.prove.logic.z3_terms import Expr, Translation
    from pg3.analysis.prove.reasoning import Answer, Model, Reasoner


@dataclass(frozen=True)
class Measure:
    """A set of tuples that becomes smaller; without variables it is a truth that ends."""

    variables: tuple[Term, ...]
    formula: Formula

    @property
    def text(self) -> str:
        """The set."""
        names = " ".join(v.name for v in self.variables)
        return f"{{{names} | {text_of(self.formula)}}}"


class Way(NamedTuple):
    """A rule's condition (next E leading x y z): the rule's action moves something from x to y.

    `prefix` are the parameters that come before x and y; z and what names the graph are among them.
    """

    prefix: tuple[Term, ...]
    start: Term
    hop: Term
    relation: str
    target: Term


class Conditions:
    """The conditions about the cases of a theory, answered by a reasoner."""

    def __init__(self, reasoner: Reasoner) -> None:
        self.reasoner = reasoner
        self.theory = reasoner.theory
        self._words = reasoner.words
        rules = self.theory.policy.rules
        self._idle = [
            self._hypothesis(f"not rule {rule.name}", negate(self.theory.applicable(i)))
            for i, rule in enumerate(rules)
        ]
        self._open = self._hypothesis("open goal", self.theory.open_goal)

    @staticmethod
    def _hypothesis(name: str, formula: Formula, after: After | None = None) -> Hypothesis:
        return Hypothesis(name, "rules", text_of(formula), Invariant("rules", formula), after)

    def _own(self, rule: int) -> tuple[Hypothesis, ...]:
        """An earlier rule is not applicable, and some goal is open."""
        return (*self._idle[:rule], self._open)

    def _environment(self, case: Case) -> dict[Term, Expr]:
        return self._words.environment("acting", case.parameters)

    def _acting(self, case: Case) -> dict[Term, Expr]:
        return {t: self._words.constant("acting", t) for t in case.parameters}

    def _check(
        self,
        label: str,
        terms: Callable[[Translation], list[Expr]],
        case: Case,
        about: tuple[Formula, ...],
        *,
        more: Mapping[Term, Expr] = MappingProxyType({}),
        own: tuple[Hypothesis, ...] | None = None,
        seed: frozenset[str] = frozenset(),
    ) -> Answer:
        """The answer to a condition on a case that acts, and on `more` constants."""
        own = self._own(case.rule) if own is None else own
        own = (*own, *self._links_after(case))
        constants = {**self._acting(case), **more}
        return self.reasoner.check(Condition(label, terms, constants, case, own, seed, about))

    def _links_after(self, case: Case) -> list[Hypothesis]:
        """What is linked after the action of a case, as a hypothesis of each kind."""
        changed = {effect.predicate for effect in case.effects if len(effect.terms) == 2}
        links = [link for link in self.theory.links if link.relation in changed]
        after = After(case.effects, self._environment(case)) if links else None
        return [
            Hypothesis(f"after {name}", "path", text_of(formula), Invariant("path", formula), after)
            for name, formula in more_of_a_state(links)
        ]

    @staticmethod
    def _members(inside: Mapping[Term, Expr]) -> dict[Term, Expr]:
        return {Term(f"{v.name} member", v.kind): e for v, e in inside.items()}

    @staticmethod
    def _following(case: Case, environment: Mapping[Term, Expr]) -> dict[Term, Expr]:
        return {Term(f"{t.name} following", t.kind): environment[t] for t in case.parameters}

    # -- invariants --------------------------------------------------------------------------------

    def preserved(self, name: str, case: Case) -> Answer:
        """The invariant holds after the action of the case."""
        source = self.reasoner.invariants[name].source
        environment = self._environment(case)

        def terms(t: Translation) -> list[Expr]:
            body = t.formula(case.body, environment, BEFORE)
            after = After(case.effects, environment)
            if isinstance(source, Level):
                return [body, LevelTerms(t, source).broken_after(case.effects, environment)]
            if isinstance(source, Count):
                changes = [t.size_change(s, case.effects, environment) for s in source.sets]
                sizes = [
                    t.words.size_of(s) + by for s, (by, _) in zip(source.sets, changes, strict=True)
                ]
                fewer = sum(sizes[:-1], t.z3.IntVal(0)) < sizes[-1]
                return [body, t.z3.Or(fewer, *(elsewhere for _, elsewhere in changes))]
            return [body, t.z3.Not(t.formula(source.formula, t.words.constants, after))]

        label = f"preserved {name} {case.label}"
        about = (case.body, *([source.formula] if isinstance(source, Invariant) else ()))
        return self._check(label, terms, case, about, seed=frozenset({name}))

    # -- progress ----------------------------------------------------------------------------------

    def possible(self, case: Case) -> Answer | None:
        """The action can be done where the case acts; None where its conditions say so."""
        known = set(case.conditions)
        missing = [part for part in parts_of(case.precondition) if part not in known]
        if not missing:
            return None
        environment = self._environment(case)
        lacks = negate(conjunction(missing))

        def terms(t: Translation) -> list[Expr]:
            return [t.formula(f, environment, BEFORE) for f in (case.body, lacks)]

        label = f"possible {case.label}"
        own = self._own(case.rule)
        return self.reasoner.check(
            Condition(label, terms, self._acting(case), None, own, about=(case.body,))
        )

    def some_rule(self) -> Answer:
        """Where a goal is open, some rule is applicable."""
        goal = self.theory.open_goal

        def terms(t: Translation) -> list[Expr]:
            return [t.formula(goal, t.words.constants, BEFORE)]

        about = tuple(case.body for case in self.theory.cases)
        return self.reasoner.check(
            Condition("some rule", terms, own=tuple(self._idle), about=about)
        )

    def circles_of(self, case: Case, following: Case) -> Iterator[Model]:
        """Small states of the class from which the two cases lead back to the same state."""
        first = self._environment(case)
        second, own, after = self._then(case, following)
        again = After(following.effects, second, after)

        def terms(t: Translation) -> list[Expr]:
            same = []
            for effects, environment in ((case.effects, first), (following.effects, second)):
                for effect in effects:
                    row = [t.term(x, environment) for x in effect.terms]
                    atom = (t.words, effect.predicate, tuple(x.kind for x in effect.terms), row)
                    same.append(again.atom(*atom) == BEFORE.atom(*atom))
            bodies = [
                t.formula(case.body, first, BEFORE),
                t.formula(following.body, second, after),
            ]
            return [*bodies, *same]

        label = f"circle {case.label}: {following.label}"
        constants = self._acting(case) | self._following(following, second)
        yield from self.reasoner.models(Condition(label, terms, constants, case, own))

    # -- termination -------------------------------------------------------------------------------

    def not_increased(self, case: Case, measure: Measure) -> Answer:
        """No tuple comes into the set."""
        environment = self._environment(case)
        inside = {v: self._words.constant("member", v) for v in measure.variables}

        def terms(t: Translation) -> list[Expr]:
            after = After(case.effects, environment)
            return [
                t.formula(case.body, environment, BEFORE),
                t.formula(measure.formula, {**t.words.constants, **inside}, after),
                t.z3.Not(t.formula(measure.formula, {**t.words.constants, **inside}, BEFORE)),
            ]

        label, about = f"not increased {measure.text} {case.label}", (case.body, measure.formula)
        return self._check(label, terms, case, about, more=self._members(inside))

    def decreased(self, case: Case, measure: Measure) -> Answer:
        """Some tuple leaves the set."""
        environment = self._environment(case)
        variables = measure.variables

        def terms(t: Translation) -> list[Expr]:
            after = After(case.effects, environment)

            def stays(*row: Expr) -> Expr:
                inside = {**t.words.constants, **dict(zip(variables, row, strict=True))}
                was = t.formula(measure.formula, inside, BEFORE)
                return t.z3.Implies(was, t.formula(measure.formula, inside, after))

            kinds = [v.kind for v in variables]
            unchanged = t.all_of(kinds, stays) if variables else stays()
            return [t.formula(case.body, environment, BEFORE), unchanged]

        label, about = f"decreased {measure.text} {case.label}", (case.body, measure.formula)
        return self._check(label, terms, case, about)

    def _then(
        self, case: Case, following: Case
    ) -> tuple[dict[Term, Expr], tuple[Hypothesis, ...], After]:
        """The case acts, and in the state after it the other one does, with these constants."""
        after = After(case.effects, self._environment(case))
        again = self._words.environment("following", following.parameters)
        later = [
            self._hypothesis(f"after {h.name}", h.source.formula, after)
            for h in (*self._idle[: following.rule], self._open)
            if isinstance(h.source, Invariant)
        ]
        return again, (*self._own(case.rule), *later), after

    def cannot_follow(self, case: Case, following: Case) -> Answer:
        """The second case never acts right after the first."""
        environment = self._environment(case)
        again, own, after = self._then(case, following)

        def terms(t: Translation) -> list[Expr]:
            return [
                t.formula(case.body, environment, BEFORE),
                t.formula(following.body, again, after),
            ]

        label = f"not after {case.label}: {following.label}"
        about, more = (case.body, following.body), self._following(following, again)
        return self._check(label, terms, case, about, more=more, own=own)

    def way_answers(self, case: Case, way: Way) -> tuple[Answer, Answer]:
        """Where the case acts twice: its prefixes do not grow; with the same prefix it goes on.

        The second: if the prefix is the same again, the second start is the first hop.
        """
        environment = self._environment(case)
        again, own, after = self._then(case, case)
        rest = [t for t in case.parameters if t not in way.prefix]
        body = exists(rest, case.body)
        member = {v: self._words.constant("member", v) for v in way.prefix}

        def both(t: Translation) -> list[Expr]:
            first = t.formula(case.body, environment, BEFORE)
            return [first, t.formula(case.body, again, after)]

        def grows(t: Translation) -> list[Expr]:
            inside = {**t.words.constants, **member}
            now, was = (t.formula(body, inside, view) for view in (after, BEFORE))
            return [*both(t), now, t.z3.Not(was)]

        def strays(t: Translation) -> list[Expr]:
            same = [again[v] == environment[v] for v in way.prefix]
            return [*both(t), *same, again[way.start] != environment[way.hop]]

        about, more = (case.body,), self._following(case, again)
        inside = more | self._members(member)
        return (
            self._check(f"prefixes {case.label}", grows, case, about, more=inside, own=own),
            self._check(f"hop {case.label}", strays, case, about, more=more, own=own),
        )

"""The checker: regenerates every obligation of a proof and discharges it again.

It shares no code with the search for proofs. From domain, policy, class and ranking it makes the
list of all obligations itself, and takes from the certificate only which hypotheses to use: with
fewer hypotheses an obligation says more, so a wrong list can make it fail but never too weak. Why
the obligations together prove the claim stands in docs/concepts/proofs.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pg3.analysis.prove.checker.links import Link, link_axioms
from pg3.analysis.prove.checker.numbers import CountedSet, Level
from pg3.analysis.prove.checker.terms import (
    Case,
    Effects,
    Refused,
    Scope,
    Terms,
    Typed,
    conjunction,
    disjunction,
    negation,
)
from pg3.policy.derived import NEXT, is_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pg3.pddl.model import Domain
    from pg3.policy.model import DecisionList


class Obligation(NamedTuple):
    """Something that must be impossible, as an SMT-LIB script that must be unsatisfiable."""

    name: str
    uses: tuple[str, ...]
    script: str


@dataclass(frozen=True)
class _Setting:
    """What hypotheses of an obligation may speak of.

    The rule that acts (None where the obligation is about no rule), the `effects` of its action
    where the obligation is about the state after it, and the rule `following` that acts there.
    """

    rule: int | None = None
    effects: Effects | None = None
    following: int | None = None


def obligations(
    domain: Domain,
    policy: DecisionList,
    problem_class: Mapping[str, Any],
    ranking: Mapping[str, Any],
    uses: Mapping[str, Sequence[str]],
) -> Iterator[Obligation]:
    """All obligations; Refused where class or ranking cannot be part of a proof at all."""
    yield from _Obligations(domain, policy, problem_class, uses).all(ranking)


class _Obligations:
    def __init__(
        self,
        domain: Domain,
        policy: DecisionList,
        problem_class: Mapping[str, Any],
        uses: Mapping[str, Sequence[str]],
    ) -> None:
        self._domain = domain
        self._terms = Terms(domain, policy, problem_class)
        self._policy = self._terms.policy
        self._acyclic = problem_class["acyclic"]
        self._invariants = {one["name"]: one for one in problem_class["invariants"]}
        if len(self._invariants) < len(problem_class["invariants"]):
            raise Refused("two invariants have one name")
        if any(" " in name for name in self._invariants):
            raise Refused("the name of an invariant has a space")
        self._uses = uses
        self._rules = {rule.name: number for number, rule in enumerate(policy.rules)}
        self._measures = 0
        binary = {(p.name, p.arity) for p in domain.predicates}
        static = {(name, arity) for name, arity in binary if name not in domain.fluents}
        for relation in self._acyclic:
            goals = relation.startswith("goal ")
            if (relation.removeprefix("goal "), 2) not in (binary if goals else static):
                raise Refused(f"{relation} is no static relation of two objects")
        for one in self._invariants.values():
            self._invariant(one)  # Refused if it means nothing, even where no action affects it

    def all(self, ranking: Mapping[str, Any]) -> Iterator[Obligation]:
        for case in self._terms.cases:
            for name in self._invariants:
                yield from self._preserved(name, case)
        for case in self._terms.cases:
            scope = self._terms.acting(case, "acting")
            body = self._terms.body(case, scope)
            able = negation(self._terms.precondition(case, scope))
            yield self._make(f"possible {case.label}", [body, able], _Setting(case.number))
        idle = [f"not rule {rule.name}" for rule in self._policy.rules]
        yield self._make("some rule", [self._terms.open_goal()], _Setting(), idle)
        yield from self._ranked(ranking, {case.number for case in self._terms.cases})

    def _make(
        self, name: str, parts: Sequence[str], setting: _Setting, default: Sequence[str] = ()
    ) -> Obligation:
        uses = tuple(self._uses.get(name, default))
        texts = [*parts, *(self._hypothesis(one, setting) for one in uses)]
        axioms = link_axioms(self._terms, texts, setting.effects)
        return Obligation(name, uses, self._terms.script(name, [*texts, *axioms]))

    # -- hypotheses --------------------------------------------------------------------------------

    def _hypothesis(self, name: str, setting: _Setting) -> str:
        """A hypothesis that holds wherever the obligation is about; Refused for any other."""
        terms = self._terms
        if name in self._invariants:
            return self._invariant(self._invariants[name])
        if name == "open goal":
            return terms.open_goal()
        if name.startswith("not rule "):
            rule = self._rules.get(name.removeprefix("not rule "))
            # Rules before the one that acts; where none is said to act, any (for "some rule").
            if rule is not None and (setting.rule is None or rule < setting.rule):
                return negation(terms.applicable(rule))
        if name.startswith("after ") and setting.following is not None:
            if name == "after open goal":
                return terms.open_goal(setting.effects)
            rule = self._rules.get(name.removeprefix("after not rule "))
            if rule is not None and rule < setting.following:
                return negation(terms.applicable(rule, setting.effects))
        if name.startswith("path "):
            return self._path_axiom(name)
        if name.startswith("lowest "):
            return self._lowest(name)
        if name.startswith("link "):
            return self._link(name.removeprefix("link "), None, name)
        if name.startswith("after link ") and setting.effects is not None:
            return self._link(name.removeprefix("after link "), setting.effects, name)
        raise Refused(f"'{name}' is no hypothesis here")

    def _invariant(self, one: Mapping[str, Any]) -> str:
        if one["form"] == "formula":
            return self._terms.formula(one["formula"], {})
        if one["form"] == "level":
            return Level(self._terms, one).hypothesis()
        sets = [CountedSet(self._terms, s) for s in (*one["more"], one["fewer"])]
        more = " ".join(s.size for s in sets[:-1])
        facts = [fact for s in sets for fact in s.facts()]
        return conjunction([f"(>= (+ 0 0 {more}) {sets[-1].size})", *facts])

    def _link(self, words: str, effects: Effects | None, name: str) -> str:
        relation, kind, axiom = [*words.split(" "), "", ""][:3]
        if kind not in self._terms.kinds:
            raise Refused(f"'{name}' is no hypothesis here")
        return Link(self._terms, relation, kind).more_of_a_state(axiom, effects)

    def _lowest(self, name: str) -> str:
        """Of the objects of a kind with a derived predicate, one leads to no other such object.

        It leads along a relation without circles, in every finite set.
        """
        terms = self._terms
        relation, kind, predicate = [*name.removeprefix("lowest ").rsplit(" ", 2), "", ""][:3]
        words = relation.split(" ")
        arities = {len(c.parameters) for c in terms.policy.definitions if c.name == predicate}
        if relation not in self._acyclic or kind not in terms.kinds or arities != {1}:
            raise Refused(f"'{name}' is no hypothesis here")
        x, y = Typed("x", kind), Typed("y", kind)
        edge = terms.goal(words[1], [x, y]) if len(words) == 2 else terms.atom(words[0], [x, y])
        one, other = terms.derived(predicate, [x]), terms.derived(predicate, [y])
        below = terms.quantified("exists", [y], conjunction([edge, other]))
        lowest = terms.quantified("exists", [x], conjunction([one, negation(below)]))
        return disjunction([negation(terms.quantified("exists", [x], one)), lowest])

    def _path_axiom(self, name: str) -> str:
        """What is true of paths in every finite graph: see docs/concepts/proofs.md."""
        words = name.split(" ")
        known = self._terms.kinds
        for cut in range(3, len(words) + 1):
            relation, *kinds = words[1:cut]
            if kinds and set(kinds) <= known.keys():
                axioms = self._axioms(relation, kinds[:-1], kinds[-1])
                if " ".join(words[cut:]) in axioms:
                    return axioms[" ".join(words[cut:])]()
        raise Refused(f"'{name}' is no hypothesis here")

    def _axioms(
        self, relation: str, leading: Sequence[str], kind: str
    ) -> dict[str, Callable[[], str]]:
        terms = self._terms
        named = [Typed(f"p{i}", k) for i, k in enumerate(leading)]
        x, y, z, w = (Typed(letter, kind) for letter in "xyzw")
        bound = [*named, x, y, z, w]

        def path(word: str, *ends: Typed) -> str:
            return terms.path(word, relation, [*named, *ends])

        def edge(a: Typed, b: Typed) -> str:
            return terms.edge(relation, [*named, a, b])

        def rule(*parts: str, then: str) -> str:
            return terms.quantified("forall", bound, disjunction([*map(negation, parts), then]))

        apart = "(not (= x z))"

        def some(body: str) -> str:
            return terms.quantified("exists", [y], body)

        found: dict[str, Callable[[], str]] = {
            "itself": lambda: rule(then=path("reach", x, x)),
            "edge": lambda: rule(edge(x, y), path("reach", y, z), then=path("reach", x, z)),
            "transitive": lambda: rule(
                path("reach", x, y), path("reach", y, z), then=path("reach", x, z)
            ),
            "step": lambda: rule(
                path("reach", x, z),
                apart,
                then=some(conjunction([edge(x, y), path("reach", y, z)])),
            ),
            "next": lambda: rule(
                path("next", x, y, z), then=conjunction([edge(x, y), path("reach", y, z), apart])
            ),
            "some next": lambda: rule(path("reach", x, z), apart, then=some(path("next", x, y, z))),
            "next closer": lambda: rule(path("next", x, y, z), then=path("closer", y, x, z)),
            "closer itself": lambda: rule(then=negation(path("closer", x, x, z))),
            "closer transitive": lambda: rule(
                path("closer", w, y, z), path("closer", y, x, z), then=path("closer", w, x, z)
            ),
        }
        if not leading and relation in self._acyclic:
            found["no circle"] = lambda: rule(edge(x, y), then=negation(path("reach", y, x)))
        return found

    # -- invariants --------------------------------------------------------------------------------

    def _preserved(self, name: str, case: Case) -> Iterator[Obligation]:
        one, terms = self._invariants[name], self._terms
        scope = terms.acting(case, "acting")
        effects = terms.effects(case, scope)
        if not {predicate for predicate, _, _ in effects} & self._predicates(one):
            return
        if one["form"] == "formula":
            broken = negation(terms.formula(one["formula"], {}, effects))
        elif one["form"] == "level":
            broken = Level(terms, one).broken(effects)
        else:
            sets = [CountedSet(terms, s) for s in (*one["more"], one["fewer"])]
            sizes = [f"(+ {s.size} {s.change(effects)})" for s in sets]
            fewer = f"(< (+ 0 0 {' '.join(sizes[:-1])}) {sizes[-1]})"
            broken = disjunction([fewer, *(s.changes_elsewhere(effects) for s in sets)])
        label = f"preserved {name} {case.label}"
        parts = [terms.body(case, scope), broken]
        yield self._make(label, parts, _Setting(case.number, effects), [name])

    # -- rankings ----------------------------------------------------------------------------------

    def _ranked(self, step: Mapping[str, Any] | None, rules: set[int]) -> Iterator[Obligation]:
        """The obligations that show that the rules of a set cannot act for ever."""
        if not rules:
            if step is not None and self._terms.cases:
                raise Refused("there is a ranking of no rules")
            return
        if step is None or {self._rules.get(name) for name in step["rules"]} != rules:
            raise Refused("a ranking is not of the rules that it has to be of")
        if step["step"] == "measure":
            yield from self._by_measure(step, rules)
        elif step["step"] == "split":
            yield from self._by_split(step, rules)
        else:
            yield from self._by_way(step["ways"][0], rules)

    def _cases(self, rule: int) -> list[Case]:
        return [case for case in self._terms.cases if case.number == rule]

    def _by_measure(self, step: Mapping[str, Any], rules: set[int]) -> Iterator[Obligation]:
        self._measures += 1
        number, terms = self._measures, self._terms
        decreasing = {self._rules.get(name) for name in step["decreasing"]}
        if not decreasing or not decreasing <= rules:
            raise Refused("a measure decreases with rules that it is not of")
        names = [name for name, _ in step["variables"]]
        if (
            len(set(names)) < len(names)
            or not {k for _, k in step["variables"]} <= terms.kinds.keys()
        ):
            raise Refused("the variables of a measure")
        for rule in sorted(rules):
            for case in self._cases(rule):
                scope = terms.acting(case, "acting")
                effects, body = terms.effects(case, scope), terms.body(case, scope)
                one = {n: terms.constant("member", n, kind) for n, kind in step["variables"]}
                now = terms.formula(step["formula"], one, effects)
                was = terms.formula(step["formula"], one)
                label = f"not increased {number} {case.label}"
                setting = _Setting(rule, effects)
                yield self._make(label, [body, now, negation(was)], setting)
                if rule in decreasing:
                    bound = {n: Typed(f"m{i}", k) for i, (n, k) in enumerate(step["variables"])}
                    was = terms.formula(step["formula"], bound)
                    now = terms.formula(step["formula"], bound, effects)
                    stays = disjunction([negation(was), now])
                    unchanged = terms.quantified("forall", list(bound.values()), stays)
                    label = f"decreased {number} {case.label}"
                    yield self._make(label, [body, unchanged], setting)
        yield from self._ranked(step["rest"], {rule for rule in rules if rule not in decreasing})

    def _by_split(self, step: Mapping[str, Any], rules: set[int]) -> Iterator[Obligation]:
        follows = {(self._rules.get(one), self._rules.get(other)) for one, other in step["follows"]}
        for rule in sorted(rules):
            for following in sorted(rules):
                if (rule, following) not in follows:
                    for case in self._cases(rule):
                        for other in self._cases(following):
                            yield self._cannot_follow(case, other)
        after = {r: {j for i, j in follows if i == r and j in rules} for r in rules}
        for _ in rules:
            after = {
                r: near.union(*(after[j] for j in near if j is not None))
                for r, near in after.items()
            }
        left = {rule for rule in rules if rule in after[rule]}
        for component in step["components"]:
            inside = {self._rules.get(name) for name in component["rules"]}
            first = min((rule for rule in inside if rule in left), default=None)
            if first is None or inside != {
                r for r in left if r in after[first] and first in after[r]
            }:
                raise Refused("a component of a split is not strongly connected, or not complete")
            left -= inside
            yield from self._ranked(component, {rule for rule in inside if rule is not None})
        if left:
            raise Refused("a component of a split is missing")

    def _twice(self, case: Case, other: Case) -> tuple[Scope, Scope, list[str], _Setting]:
        """The first case acts, and right after it the second."""
        terms = self._terms
        scope, again = terms.acting(case, "acting"), terms.acting(other, "following")
        effects = terms.effects(case, scope)
        parts = [terms.body(case, scope), terms.body(other, again, effects)]
        return scope, again, parts, _Setting(case.number, effects, other.number)

    def _cannot_follow(self, case: Case, other: Case) -> Obligation:
        _, _, parts, setting = self._twice(case, other)
        return self._make(f"not after {case.label}: {other.label}", parts, setting)

    def _by_way(self, way: Mapping[str, Any], rules: set[int]) -> Iterator[Obligation]:
        cases = [case for rule in sorted(rules) for case in self._cases(rule)]
        if len(cases) != 1:
            raise Refused("a way is of one rule with one case")
        case, terms = cases[0], self._terms
        names = [p.name for p in case.rule.parameters]
        prefix, start, hop = names[: way["prefix"]], way["start"], way["hop"]
        if not any(self._leads(literal, prefix, start, hop) for literal in case.rule.preconditions):
            raise Refused("a rule follows no way")
        scope, again, parts, setting = self._twice(case, case)
        member = {
            name: terms.constant("member", name, kind)
            for name, kind in zip(prefix, case.kinds, strict=False)
        }
        now = terms.some(case, dict(member), len(prefix), setting.effects)
        was = terms.some(case, dict(member), len(prefix))
        yield self._make(f"prefixes {case.label}", [*parts, now, negation(was)], setting)
        same = [terms.equal(scope[name], again[name]) for name in prefix]
        strays = negation(terms.equal(again[start], scope[hop]))
        yield self._make(f"hop {case.label}", [*parts, *same, strays], setting)

    def _leads(self, literal: Any, prefix: Sequence[str], start: str, hop: str) -> bool:
        """Whether a condition is (next E leading start hop target), all else in the prefix."""
        atom, positive = literal
        if not (positive and atom.predicate == NEXT and is_graph(atom, self._domain)):
            return False
        *leading, one, other, target = atom.terms[1:]
        needed = [name for name in (*leading, target) if name.startswith("?")]
        inside = set(needed) <= set(prefix)
        return inside and (one, other) == (start, hop) and not {start, hop} & set(prefix)

    def _predicates(self, invariant: Mapping[str, Any]) -> set[str]:
        """The predicates of the state that an invariant is about."""
        if invariant["form"] == "level":
            return {invariant["level"][0], invariant["content"][0]}
        formulas = [invariant.get("formula", ["and"])]
        if invariant["form"] == "count":
            formulas = [one["formula"] for one in (*invariant["more"], invariant["fewer"])]
        return set[str]().union(*map(self._in_formula, formulas))

    def _in_formula(self, formula: Sequence[Any]) -> set[str]:
        if formula[0] in ("exists", "forall"):
            return self._in_formula(formula[2])
        if formula[0] in ("and", "or", "not"):
            return set[str]().union(*map(self._in_formula, formula[1:]))
        if formula[0] == "path":
            return self._terms.reads(formula[2])
        return {formula[1]} if formula[0] == "state" else set()

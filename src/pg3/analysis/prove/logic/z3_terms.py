"""Formulas as terms of z3, about a state and about the state after an action.

A translation either keeps quantifiers, or writes them out over a few elements of each kind. The
elements need not differ, so that a model of the second kind has at most that many objects a kind.
"""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol

from pg3.analysis.prove.logic.formulas import (
    ATOMS,
    Formula,
    Term,
    conjunction,
    exists,
    free,
    negate,
    parts_of,
)
from pg3.errors import Pg3Error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pg3.analysis.prove.logic.invariants import CountedSet, Level
    from pg3.analysis.prove.logic.theory import Effect, Theory

# z3 has no type annotations.
Expr = Any
Environment = dict[Term, Expr]


def load_z3() -> Any:
    """The module of the solver; Pg3Error with the extra that brings it if it is missing."""
    try:
        import z3  # noqa: PLC0415
    except ImportError:
        raise Pg3Error(
            "proofs need the solver z3: install the extra 'prove', pip install 'pg3[prove]'"
        ) from None
    return z3


def own_z3() -> SimpleNamespace:
    """What is used of the solver, in a context of its own: earlier proofs change no answer."""
    z3 = load_z3()
    context = z3.Context()

    def within(make: Callable[..., Expr]) -> Callable[..., Expr]:
        return lambda *arguments: make(*arguments, context)

    plain = "Const Distinct Exists ForAll Function If Implies Not is_true sat unknown unsat"
    inside = "And BoolSort DeclareSort Int IntSort IntVal Or"
    return SimpleNamespace(
        Solver=lambda: z3.Solver(ctx=context),
        **{name: getattr(z3, name) for name in plain.split()},
        **{name: within(getattr(z3, name)) for name in inside.split()},
    )


class View(Protocol):
    """A state: which atoms hold in it."""

    def atom(
        self, words: Vocabulary, predicate: str, kinds: tuple[str, ...], args: list[Expr]
    ) -> Expr:
        """The atom holds."""

    def linked(
        self, words: Vocabulary, relation: str, kinds: tuple[str, ...], args: list[Expr]
    ) -> Expr:
        """Edges lead from one object to the other."""

    def derived(
        self,
        words: Vocabulary,
        name: str,
        reads: frozenset[str],
        kinds: tuple[str, ...],
        args: list[Expr],
    ) -> Expr:
        """The derived predicate is true, which depends on those that it reads."""


class Vocabulary:
    """The sorts, functions and constants that stand for kinds, relations and objects."""

    def __init__(self, theory: Theory) -> None:
        self.z3 = own_z3()
        self.theory = theory
        self.sorts = {kind: self.z3.DeclareSort(f"kind {kind}") for kind in theory.kinds}
        self._functions: dict[tuple[str, tuple[str, ...]], Expr] = {}
        self.constants = {
            term: self.z3.Const(f"constant {term.name}", self.sorts[term.kind])
            for term in theory.constants.values()
        }
        self._fresh = 0

    def apply(
        self, name: str, kinds: tuple[str, ...], args: Sequence[Expr], number: bool = False
    ) -> Expr:
        """A relation, or a function to numbers, applied to arguments."""
        key = (name, kinds)
        if key not in self._functions:
            target = self.z3.IntSort() if number else self.z3.BoolSort()
            sorts = [self.sorts[kind] for kind in kinds]
            full = " ".join((name, *kinds))
            self._functions[key] = (
                self.z3.Function(full, *sorts, target) if kinds else self.z3.Const(full, target)
            )
        return self._functions[key](*args) if kinds else self._functions[key]

    def constant(self, role: str, term: Term) -> Expr:
        """A constant of the solver for a variable, e.g. a parameter of a rule that acts."""
        return self.z3.Const(f"{role} {term.name}", self.sorts[term.kind])

    def environment(self, role: str, terms: Iterable[Term]) -> Environment:
        """A constant for each variable, and the domain's constants."""
        return {**self.constants, **{term: self.constant(role, term) for term in terms}}

    def bound(self, kind: str) -> Expr:
        """A new variable to be bound."""
        self._fresh += 1
        return self.z3.Const(f"v{self._fresh}", self.sorts[kind])

    def element(self, kind: str, number: int) -> Expr:
        """One of the elements over which quantifiers are written out."""
        return self.z3.Const(f"element {kind} {number}", self.sorts[kind])

    def size_of(self, counted: CountedSet) -> Expr:
        """The number of tuples in a set, before the action."""
        return self.z3.Int(f"size {counted.to_json()}")


class Before:
    """The state before the action."""

    def atom(
        self, words: Vocabulary, predicate: str, kinds: tuple[str, ...], args: list[Expr]
    ) -> Expr:
        """The atom holds."""
        return words.apply(f"state {predicate}", kinds, args)

    def linked(
        self, words: Vocabulary, relation: str, kinds: tuple[str, ...], args: list[Expr]
    ) -> Expr:
        """Edges lead from one object to the other: a relation of which axioms are known."""
        return words.apply(f"linked {relation}", kinds, args)

    def derived(
        self,
        words: Vocabulary,
        name: str,
        reads: frozenset[str],
        kinds: tuple[str, ...],
        args: list[Expr],
    ) -> Expr:
        """A derived predicate that depends on itself: a relation of which a definition is known."""
        return words.apply(f"derived {name}", kinds, args)


BEFORE = Before()


class After:
    """The state after the effects of an action on a state: deletions first, then additions."""

    def __init__(
        self, effects: Iterable[Effect], environment: Mapping[Term, Expr], base: View = BEFORE
    ) -> None:
        self._base = base
        self._effects: dict[tuple[str, tuple[str, ...]], list[tuple[list[Expr], bool]]] = {}
        for effect in effects:
            key = (effect.predicate, tuple(t.kind for t in effect.terms))
            row = [environment[t] for t in effect.terms]
            self._effects.setdefault(key, []).append((row, effect.positive))

    def atom(
        self, words: Vocabulary, predicate: str, kinds: tuple[str, ...], args: list[Expr]
    ) -> Expr:
        """The atom holds."""
        z3 = words.z3
        held = self._base.atom(words, predicate, kinds, args)
        effects = self._effects.get((predicate, kinds), [])
        same = [
            (z3.And([a == b for a, b in zip(args, row, strict=True)]), add) for row, add in effects
        ]
        kept = z3.And(held, *(z3.Not(one) for one, add in same if not add))
        return z3.Or(kept, *(one for one, add in same if add)) if same else held

    def linked(
        self, words: Vocabulary, relation: str, kinds: tuple[str, ...], args: list[Expr]
    ) -> Expr:
        """Edges lead from one object to the other: another relation if effects make a change."""
        if (relation, kinds) in self._effects:
            return words.apply(f"after linked {relation}", kinds, args)
        return self._base.linked(words, relation, kinds, args)

    def derived(
        self,
        words: Vocabulary,
        name: str,
        reads: frozenset[str],
        kinds: tuple[str, ...],
        args: list[Expr],
    ) -> Expr:
        """The derived predicate is true: another relation if effects change what it reads."""
        if reads & {predicate for predicate, _ in self._effects}:
            return words.apply(f"after derived {name}", kinds, args)
        return self._base.derived(words, name, reads, kinds, args)

    def changes(self, relation: str, kinds: tuple[str, ...]) -> list[tuple[list[Expr], bool]]:
        """The effects on a relation: the objects, and whether it is added."""
        return self._effects.get((relation, kinds), [])


class Translation:
    """Formulas as terms; `size` is the number of elements a kind, None keeps quantifiers."""

    def __init__(self, words: Vocabulary, size: int | None) -> None:
        self.words = words
        self.z3 = words.z3
        self.size = size
        self._known: dict[Any, Expr] = {}

    def elements(self, kind: str) -> list[Expr]:
        """The elements of a kind, where quantifiers are written out."""
        return [self.words.element(kind, i) for i in range(self.size or 0)]

    def is_element(self, constant: Expr, kind: str) -> Expr:
        """The constant is one of the elements."""
        return self.z3.Or([constant == element for element in self.elements(kind)])

    def term(self, term: Term, environment: Mapping[Term, Expr]) -> Expr:
        """A variable or a constant."""
        return environment[term] if term in environment else self.words.constants[term]

    def formula(self, formula: Formula, environment: Mapping[Term, Expr], view: View) -> Expr:
        """The formula, of which the environment has the free variables."""
        word = formula[0]
        if word in ATOMS:
            args = [self.term(t, environment) for t in formula[2]]
            kinds = tuple(t.kind for t in formula[2])
            if word == "state":
                return view.atom(self.words, formula[1], kinds, args)
            return self.words.apply(f"{word} {formula[1]}", kinds, args)
        if word == "path":
            args = [self.term(t, environment) for t in formula[3]]
            kinds = tuple(t.kind for t in formula[3])
            if formula[1] == "linked":
                return view.linked(self.words, formula[2], kinds, args)
            if formula[1] == "derived":
                reads = frozenset(name for name, _ in formula[4].signs)
                return view.derived(self.words, formula[2], reads, kinds, args)
            return self.words.apply(f"{formula[1]} {formula[2]}", kinds, args)
        if word == "=":
            return self.term(formula[1], environment) == self.term(formula[2], environment)
        if word == "not":
            return self.z3.Not(self.formula(formula[1], environment, view))
        if word in ("and", "or"):
            make = self.z3.And if word == "and" else self.z3.Or
            return make([self.formula(part, environment, view) for part in formula[1]])
        return self._quantified(formula, environment, view)

    def _quantified(self, formula: Formula, environment: Mapping[Term, Expr], view: View) -> Expr:
        word, variables, body = formula
        if self.size is None:
            bound = {v: self.words.bound(v.kind) for v in variables}
            inner = self.formula(body, {**environment, **bound}, view)
            quantifier = self.z3.Exists if word == "exists" else self.z3.ForAll
            return quantifier(list(bound.values()), inner)
        outer = {t: e for t, e in environment.items() if t not in variables}
        if word == "exists":
            return self._some(variables, parts_of(body), outer, view)
        parts = [negate(part) for part in (body[1] if body[0] == "or" else (body,))]
        return self.z3.Not(self._some(variables, parts_of(conjunction(parts)), outer, view))

    def _some(
        self,
        variables: Sequence[Term],
        parts: Sequence[Formula],
        environment: Mapping[Term, Expr],
        view: View,
    ) -> Expr:
        """Some elements satisfy all parts; parts that share no variable are taken apart."""
        needed = [t for t in environment if any(t in free(part) for part in parts)]
        key = (tuple(parts), id(view), *((t, environment[t].get_id()) for t in needed))
        if key in self._known:
            return self._known[key][0]
        done = [p for p in parts if not any(v in free(p) for v in variables)]
        found = [self.formula(part, environment, view) for part in done]
        rest = [part for part in parts if part not in done]
        while rest:
            group, names = [rest[0]], {v for v in variables if v in free(rest[0])}
            while near := [p for p in rest if p not in group and free(p) & names]:
                group += near
                names |= {v for part in near for v in variables if v in free(part)}
            rest = [part for part in rest if part not in group]
            first = max((v for v in variables if v in names), key=lambda v: _uses(v, group))
            others = [v for v in variables if v in names and v != first]
            found.append(
                self.z3.Or(
                    [
                        self._some(others, group, {**environment, first: element}, view)
                        for element in self.elements(first.kind)
                    ]
                )
            )
        result = self.z3.And(found)
        # The view is kept with its number, lest another one get it.
        self._known[key] = (result, view)
        return result

    def all_of(self, kinds: Sequence[str], make: Callable[..., Expr]) -> Expr:
        """For all objects of these kinds, what `make` says of them."""
        if self.size is None:
            bound = [self.words.bound(kind) for kind in kinds]
            return self.z3.ForAll(bound, make(*bound))
        if not kinds:
            return make()
        return self.z3.And(
            [
                self.all_of(kinds[1:], lambda *rest, e=element: make(e, *rest))
                for element in self.elements(kinds[0])
            ]
        )

    def some_of(self, kind: str, make: Callable[[Expr], Expr]) -> Expr:
        """For some object of the kind."""
        return self.z3.Not(self.all_of([kind], lambda one: self.z3.Not(make(one))))

    # -- numbers -----------------------------------------------------------------------------------

    def size_facts(self, counted: CountedSet) -> list[Expr]:
        """The number of tuples is not negative, and positive if and only if there is one."""
        size = self.words.size_of(counted)
        some = self.formula(exists(counted.variables, counted.formula), {}, BEFORE)
        return [size >= 0, some == (size >= 1)]

    def size_change(
        self, counted: CountedSet, effects: Sequence[Effect], environment: Mapping[Term, Expr]
    ) -> tuple[Expr, Expr]:
        """By how much tuples of the effects' objects change a set's size; that another one does."""
        after, variables = After(effects, environment), counted.variables
        objects = dict.fromkeys(term for effect in effects for term in effect.terms)
        choices = [
            [self.term(t, environment) for t in objects if t.kind == v.kind] for v in variables
        ]
        rows = list(itertools.product(*choices))

        def apart(row: Sequence[Expr], others: Iterable[Sequence[Expr]]) -> Expr:
            return self.z3.And(
                [self.z3.Or([a != b for a, b in zip(row, other, strict=True)]) for other in others]
            )

        def contains(row: Sequence[Expr], view: View) -> Expr:
            inside = {**self.words.constants, **dict(zip(variables, row, strict=True))}
            return self.formula(counted.formula, inside, view)

        total: Expr = self.z3.IntVal(0)
        for i, row in enumerate(rows):
            change = self.z3.If(contains(row, after), 1, 0) - self.z3.If(
                contains(row, BEFORE), 1, 0
            )
            total = total + self.z3.If(apart(row, rows[:i]), change, 0)

        def stays(*row: Expr) -> Expr:
            same = contains(row, after) == contains(row, BEFORE)
            return self.z3.Or(same, self.z3.Not(apart(row, rows)))

        return total, self.z3.Not(self.all_of([v.kind for v in variables], stays))


class LevelTerms:
    """A level as terms: steps up the chain, numbers of contents, and the relations."""

    def __init__(self, translation: Translation, level: Level) -> None:
        self._translation = translation
        self._level = level
        self.owner = level.level_kinds[level.level_owner]
        self.rung = level.level_kinds[1 - level.level_owner]
        self.thing = level.content_kinds[1 - level.content_owner]

    def up(self, rung: Expr) -> Expr:
        """How many steps lead up from a level."""
        words = self._translation.words
        return words.apply(f"up {self._level.chain}", (self.rung,), [rung], number=True)

    def number(self, owner: Expr) -> Expr:
        """How many contents an owner has."""
        level = self._level
        name = f"number {level.content} {level.content_owner} {self.thing}"
        return self._translation.words.apply(name, (self.owner,), [owner], number=True)

    def has_level(self, view: View, owner: Expr, rung: Expr) -> Expr:
        """The owner's level is this one."""
        level = self._level
        args = [owner, rung] if level.level_owner == 0 else [rung, owner]
        return view.atom(self._translation.words, level.level, level.level_kinds, args)

    def has_content(self, view: View, owner: Expr, thing: Expr) -> Expr:
        """The owner has this content."""
        level = self._level
        args = [owner, thing] if level.content_owner == 0 else [thing, owner]
        return view.atom(self._translation.words, level.content, level.content_kinds, args)

    def above(self, low: Expr, high: Expr) -> Expr:
        """The second level is the next one above the first."""
        words = self._translation.words
        return BEFORE.atom(words, self._level.chain, (self.rung, self.rung), [low, high])

    def hypothesis(self) -> Expr:
        """The level before the action, with what is true of steps and numbers."""
        t, z3, before = self._translation, self._translation.z3, BEFORE
        return z3.And(
            t.all_of([self.rung], lambda a: self.up(a) >= 0),
            t.all_of(
                [self.rung, self.rung],
                lambda a, b: z3.Implies(self.above(a, b), self.up(a) == self.up(b) + 1),
            ),
            t.all_of(
                [self.rung],
                lambda a: z3.Implies(
                    self.up(a) >= 1, t.some_of(self.rung, lambda b: self.above(a, b))
                ),
            ),
            t.all_of([self.owner], lambda v: self.number(v) >= 0),
            t.all_of(
                [self.owner],
                lambda v: (
                    (self.number(v) >= 1)
                    == t.some_of(self.thing, lambda p: self.has_content(before, v, p))
                ),
            ),
            t.all_of(
                [self.owner, self.rung],
                lambda v, q: z3.Implies(self.has_level(before, v, q), self.up(q) >= self.number(v)),
            ),
        )

    def broken_after(self, effects: Sequence[Effect], environment: Mapping[Term, Expr]) -> Expr:
        """The level does not hold after the action."""
        t, z3, after, level = (
            self._translation,
            self._translation.z3,
            After(effects, environment),
            self._level,
        )
        rows = [
            [
                t.term(effect.terms[i], environment)
                for i in (level.content_owner, 1 - level.content_owner)
            ]
            for effect in effects
            if effect.predicate == level.content
            and tuple(x.kind for x in effect.terms) == level.content_kinds
        ]

        def change(owner: Expr) -> Expr:
            total: Expr = z3.IntVal(0)
            for i, (who, what) in enumerate(rows):
                was = z3.If(self.has_content(BEFORE, who, what), 1, 0)
                now = z3.If(self.has_content(after, who, what), 1, 0)
                new = [z3.Or(who != w, what != x) for w, x in rows[:i]]
                total = total + z3.If(z3.And(owner == who, *new), now - was, 0)
            return total

        return z3.Not(
            t.all_of(
                [self.owner, self.rung],
                lambda v, q: z3.Implies(
                    self.has_level(after, v, q), self.up(q) >= self.number(v) + change(v)
                ),
            )
        )


def _uses(variable: Term, parts: Iterable[Formula]) -> int:
    return sum(variable in free(part) for part in parts)

"""One condition at a time: is it impossible, under hypotheses that are added only as needed?

A query with all invariants is too hard for the solver. So it begins with none: a model of the
condition is looked at, hypotheses that it violates are added, and so on, first among models of few
objects, where quantifiers are written out and every query is decided. What makes the small
models impossible is reduced to a core, and the core is tried on structures of any size. Every limit
is a number of the solver's steps or of rounds, never a time: answers do not depend on the machine.
"""

from __future__ import annotations

import copy
import itertools
from collections import defaultdict
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pg3.analysis.prove.logic.formulas import Formula, Term, paths_in, predicates_in, text_of
from pg3.analysis.prove.logic.invariants import Invariant, Level
from pg3.analysis.prove.logic.links import (
    axioms_of_a_state,
    axioms_of_an_action,
    definitions,
    lowest,
    more_of_a_state,
)
from pg3.analysis.prove.logic.paths import path_axioms
from pg3.analysis.prove.logic.structures import Structure
from pg3.analysis.prove.logic.z3_terms import BEFORE, After, LevelTerms, Translation, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pg3.analysis.prove.logic.invariants import AnyInvariant
    from pg3.analysis.prove.logic.theory import Case, Path, Theory
    from pg3.analysis.prove.logic.z3_terms import Expr

# The solver's steps for a query with quantifiers; ten times as many prove no more of the built-in
# domains and take far longer where nothing can be proved.
_STEPS = 3_000_000
_STEPS_SMALL = 30_000_000
# Rounds of adding hypotheses to one condition; proofs took at most 40.
_ROUNDS = 60
# Hypotheses added at a time; one is slower, ten make cores that are harder to reduce.
_ADDED = 3
_VIOLATED = 60
_BANNED = 12
# Countermodels of each size that are tried as counterexamples.
_MODELS = 12
# z3's number for a solver that tries truth values at random.
_RANDOM_PHASE = 5


@dataclass(frozen=True)
class Hypothesis:
    """Something that holds in every state of the class: by name, to be found in cores.

    With `after` it holds in the state after the action that the condition is about.
    """

    name: str
    kind: str
    text: str
    source: AnyInvariant
    after: After | None = None

    @cached_property
    def relations(self) -> frozenset[str]:
        """The relations along which it speaks of paths."""
        source = self.source
        return paths_in(source.formula) if isinstance(source, Invariant) else frozenset()

    def holds(self, model: Model) -> bool:
        """Whether it is true."""
        structure = model if self.after is None else model.after
        return structure is not None and self.source.holds(structure)

    def term(self, translation: Translation) -> Expr:
        """The hypothesis as a term of the solver."""
        source = self.source
        if isinstance(source, Invariant):
            view = self.after or BEFORE
            return translation.formula(source.formula, translation.words.constants, view)
        if isinstance(source, Level):
            return LevelTerms(translation, source).hypothesis()
        z3, words = translation.z3, translation.words
        more = sum((words.size_of(s) for s in source.more), z3.IntVal(0))
        facts = [fact for s in source.sets for fact in translation.size_facts(s)]
        return z3.And(more >= words.size_of(source.fewer), *facts)


class Status(Enum):
    """What became of a condition."""

    PROVED = "proved"
    REFUTED = "refuted"
    OPEN = "open"


@dataclass(frozen=True)
class Answer:
    """Proved, with the names of the hypotheses used; refuted, by a countermodel; or open."""

    status: Status
    core: frozenset[str] = frozenset()
    countermodel: Model | None = None


@dataclass(frozen=True)
class Condition:
    """What must be impossible: terms made by a translation, and the constants in them.

    `own` are hypotheses of this condition alone (earlier rules are not applicable), `seed` the
    names of those to begin with; `about` are the formulas that it speaks of. With `case` there is a
    state after the action of that case, whose parameters are among the constants.
    """

    name: str
    terms: Callable[[Translation], list[Expr]]
    constants: Mapping[Term, Expr] = field(default_factory=dict)
    case: Case | None = None
    own: tuple[Hypothesis, ...] = ()
    seed: frozenset[str] = frozenset()
    about: tuple[Formula, ...] = ()


def _paths(condition: Condition) -> frozenset[str]:
    """The relations along which a condition speaks of paths."""
    return frozenset[str]().union(*map(paths_in, condition.about))


class Reasoner:
    """The solver with a pool of hypotheses, of which some are given up on the way."""

    def __init__(
        self,
        theory: Theory,
        acyclic: Sequence[Path],
        invariants: Iterable[AnyInvariant],
        acyclic_goals: Sequence[Path] = (),
    ) -> None:
        self.theory = theory
        self.words = Vocabulary(theory)
        self.z3 = self.words.z3
        self.axioms = [
            Hypothesis(name, "path", text_of(formula), Invariant("path", formula))
            for name, formula in (
                *path_axioms(theory, acyclic),
                *lowest(theory, acyclic, acyclic_goals),
                *more_of_a_state(theory.links),
            )
        ]
        self.invariants = {
            f"i{i}": Hypothesis(f"i{i}", one.kind, one.text, one)
            for i, one in enumerate(invariants, start=1)
        }
        self.given_up: set[str] = set()
        # The graphs in which there are conditions on paths.
        self.paths = [*theory.paths, *(p for p in acyclic if p not in theory.paths)]
        self._translations: dict[int | None, Translation] = {}
        self._terms: dict[tuple[str, int | None], Expr] = {}
        self._used: dict[str, int] = {}
        self._answers: dict[str, Answer] = {}
        self._countermodels: dict[int, list[Model]] = {}
        # How many elements a kind queries begin with: rules with many parameters make many tuples.
        self.smallest = 3 if max((len(c.parameters) for c in theory.cases), default=0) <= 9 else 2

    # -- conditions --------------------------------------------------------------------------------

    def check(self, condition: Condition) -> Answer:
        """Whether the condition is impossible; remembered as long as its core is not given up."""
        known = self._answers.get(condition.name)
        if known is not None and not (known.status is Status.PROVED and known.core & self.given_up):
            return known
        answer = Answer(Status.OPEN)
        if self.theory.links:
            # What leads to an object is known from invariants, not edge by edge: that has no end.
            ends = frozenset(a.name for a in self.axioms if a.name.endswith(" last"))
            tops = frozenset(h.name for h in self.pool if h.kind == "linked")
            answer = _Check(self, condition, tops, ends).run()
        if answer.status is Status.OPEN:
            answer = _Check(self, condition).run()
        if answer.status is Status.OPEN and self.axioms:
            # Paths are easier the other way round: with all their axioms from the start.
            axioms = frozenset(a.name for a in self.axioms if a.relations & _paths(condition))
            answer = _Check(self, replace(condition, seed=condition.seed | axioms)).run()
        self._answers[condition.name] = answer
        if answer.countermodel is not None and condition.case is not None:
            self._countermodels.setdefault(condition.case.rule, []).append(answer.countermodel)
        return answer

    def countermodels_about(self, rules: Iterable[int]) -> Iterator[Model]:
        """States in which one of the rules acts, that refuted some condition; the latest first."""
        for rule in rules:
            yield from reversed(self._countermodels.get(rule, []))

    def proved(self, name: str) -> frozenset[str]:
        """The core of a condition that has been proved."""
        return self._answers[name].core

    def models(self, condition: Condition) -> Iterator[Model]:
        """Small models of the condition and all hypotheses, a few of each size, at random."""
        hypotheses = [*condition.own, *self.pool]
        for size in range(2, self.smallest + 1):
            solver, result = self.query(condition, hypotheses, size)
            solver.set("phase_selection", _RANDOM_PHASE)
            for number in range(_MODELS):
                if result == self.z3.sat:
                    yield Model(self, solver.model(), size, condition)
                    solver.set("random_seed", number)
                    result = solver.check()

    # -- queries -----------------------------------------------------------------------------------

    def translation(self, size: int | None) -> Translation:
        """The translation with so many elements a kind, or with quantifiers."""
        if size not in self._translations:
            self._translations[size] = Translation(self.words, size)
        return self._translations[size]

    def term(self, hypothesis: Hypothesis, size: int | None) -> Expr:
        """A hypothesis as a term; remembered."""
        if hypothesis.after is not None:
            return hypothesis.term(self.translation(size))
        key = (hypothesis.name, size)
        if key not in self._terms:
            self._terms[key] = hypothesis.term(self.translation(size))
        return self._terms[key]

    def query(
        self, condition: Condition, hypotheses: Sequence[Hypothesis], size: int | None
    ) -> tuple[Any, Any]:
        """The solver and its answer on condition and hypotheses."""
        translation = self.translation(size)
        solver = self.z3.Solver()
        solver.set("rlimit", _STEPS if size is None else _STEPS_SMALL)
        solver.set("random_seed", 0)
        kinds: dict[str, list[Expr]] = {}
        for term, constant in self.words.constants.items():
            kinds.setdefault(term.kind, []).append(constant)
        for constants in kinds.values():
            if len(constants) > 1:
                solver.add(self.z3.Distinct(*constants))
        if size is not None:
            for term, constant in {**self.words.constants, **condition.constants}.items():
                solver.add(translation.is_element(constant, term.kind))
        for expression in (*condition.terms(translation), *self._links(condition, translation)):
            solver.add(expression)
        for hypothesis in hypotheses:
            solver.assert_and_track(self.term(hypothesis, size), hypothesis.name)
        return solver, solver.check()

    def _links(self, condition: Condition, translation: Translation) -> Iterator[Expr]:
        """The axioms about what is linked, in the state and after the action."""
        if not self.theory.links:
            return
        constants = self.words.constants
        after = None
        yield translation.formula(definitions(self.theory), constants, BEFORE)
        if condition.case is not None:
            environment = self.words.environment("acting", condition.case.parameters)
            after = After(condition.case.effects, environment)
            yield translation.formula(definitions(self.theory), constants, after)
        for link in self.theory.links:
            axioms = axioms_of_a_state(link)
            yield translation.formula(axioms, constants, BEFORE)
            if after is not None and after.changes(link.relation, (link.kind, link.kind)):
                yield translation.formula(axioms, constants, after)
                yield from axioms_of_an_action(translation, link, after)

    @property
    def pool(self) -> list[Hypothesis]:
        """The axioms of paths, and the invariants that are not given up."""
        left = [h for name, h in self.invariants.items() if name not in self.given_up]
        return [*self.axioms, *left]

    def rank(self, hypothesis: Hypothesis) -> tuple[Any, ...]:
        """The order in which violated hypotheses are added: plain ones, and those that helped."""
        return (
            # What a chain of other hypotheses says only of structures of some size.
            hypothesis.kind != "linked",
            hypothesis.kind in ("count", "level", "few"),
            hypothesis.kind == "exists",
            _accidental(self.theory, hypothesis),
            -self._used.get(hypothesis.name, 0),
            len(hypothesis.text),
            hypothesis.text,
        )

    def note_use(self, hypothesis: Hypothesis) -> None:
        """The hypothesis has been added to a query."""
        self._used[hypothesis.name] = self._used.get(hypothesis.name, 0) + 1


class _Check:
    """The rounds of adding hypotheses to one condition."""

    def __init__(
        self,
        reasoner: Reasoner,
        condition: Condition,
        kept: frozenset[str] = frozenset(),
        without: frozenset[str] = frozenset(),
    ) -> None:
        self._reasoner = reasoner
        self._condition = condition
        self._pool = [h for h in (*condition.own, *reasoner.pool) if h.name not in without]
        self._chosen = [h for h in self._pool if h.name in condition.seed | kept]
        self._banned: set[str] = set()
        self._kept = set(kept)
        self._size = reasoner.smallest

    def run(self) -> Answer:
        reasoner, z3 = self._reasoner, self._reasoner.z3
        for _ in range(_ROUNDS):
            solver, result = reasoner.query(self._condition, self._chosen, self._size)
            size: int | None = self._size
            beyond = False
            if result == z3.unsat:
                core = self._reduced(solver)
                solver, result = reasoner.query(self._condition, core, None)
                size, beyond = None, True
                if result == z3.unsat:
                    names = frozenset(map(str, solver.unsat_core()))
                    return Answer(Status.PROVED, names)
                if result == z3.unknown:
                    solver, result, size = self._larger_model(core)
                if result == z3.unknown:
                    if not self._try_otherwise(core):
                        return Answer(Status.OPEN)
                    continue
            if result == z3.unknown:
                return Answer(Status.OPEN)
            model = Model(reasoner, solver.model(), size, self._condition)
            if not self._add_violated(model, beyond):
                if self._banned:
                    return Answer(Status.OPEN)
                return Answer(Status.REFUTED, countermodel=model)
        return Answer(Status.OPEN)

    def _reduced(self, solver: Any) -> list[Hypothesis]:
        """The hypotheses that the small models need, without those that can be left out."""
        reasoner = self._reasoner
        names = set(map(str, solver.unsat_core()))
        core = [h for h in self._chosen if h.name in names]
        for hypothesis in sorted(core, key=_order_of_leaving):
            if hypothesis not in core:
                continue
            fewer = [h for h in core if h is not hypothesis]
            smaller, result = reasoner.query(self._condition, fewer, self._size)
            if result == reasoner.z3.unsat:
                names = set(map(str, smaller.unsat_core()))
                core = [h for h in fewer if h.name in names]
        return [h for h in self._chosen if h in core or h.name in self._kept]

    def _larger_model(self, core: Sequence[Hypothesis]) -> tuple[Any, Any, int | None]:
        reasoner = self._reasoner
        for size in range(self._size + 1, self._size + 3):
            solver, result = reasoner.query(self._condition, core, size)
            if result == reasoner.z3.sat:
                return solver, result, size
        return None, reasoner.z3.unknown, None

    def _try_otherwise(self, core: Sequence[Hypothesis]) -> bool:
        """Do without an existential hypothesis, so that others come in; else take larger models."""
        given = [h for h in core if h.kind == "exists" and h.name not in self._condition.seed]
        if given and len(self._banned) < _BANNED:
            worst = max(given, key=lambda h: (_makes_its_own_kind(h), len(h.text), h.text))
            self._banned.add(worst.name)
            self._chosen.remove(worst)
            return True
        if self._size > self._reasoner.smallest:
            return False
        self._size += 1
        self._banned.clear()
        return True

    def _add_violated(self, model: Model, beyond: bool) -> bool:
        have = self._kept if beyond else {h.name for h in self._chosen}
        paths = _paths(self._condition).union(*(h.relations for h in self._chosen))
        violated = []
        for hypothesis in self._pool:
            if hypothesis.name in have or hypothesis.name in self._banned:
                continue
            # An axiom about paths that nothing speaks of would be violated by every model.
            if hypothesis.kind == "path" and not hypothesis.relations & paths:
                continue
            if not hypothesis.holds(model):
                violated.append(hypothesis)
                if len(violated) >= _VIOLATED:
                    break
        violated.sort(key=self._reasoner.rank)
        for hypothesis in violated[:_ADDED]:
            if beyond:
                self._kept.add(hypothesis.name)
            if hypothesis not in self._chosen:
                self._chosen.append(hypothesis)
                self._reasoner.note_use(hypothesis)
        return bool(violated)


class Model(Structure):
    """A finite model of the solver; paths are what the model says, not what its edges make.

    `acting` has the objects of the condition's constants, `after` is the state after the action.
    """

    def __init__(
        self, reasoner: Reasoner, model: Any, size: int | None, condition: Condition
    ) -> None:
        words, theory = reasoner.words, reasoner.theory
        values: dict[str, Expr] = {}
        kind_of: dict[str, str] = {}
        for kind, sort in words.sorts.items():
            if size is None:
                universe = model.get_universe(sort) or []
                if not universe:
                    universe = [model.eval(words.element(kind, 0), model_completion=True)]
            else:
                elements = reasoner.translation(size).elements(kind)
                universe = [model.eval(e, model_completion=True) for e in elements]
            distinct = {str(value): value for value in universe}
            named = {
                str(model.eval(constant, model_completion=True)): term.name
                for term, constant in words.constants.items()
                if term.kind == kind
            }
            for i, (text, value) in enumerate(sorted(distinct.items()), start=1):
                name = named.get(text, f"{kind}-{i}")
                kind_of[name], values[name] = kind, value
        super().__init__(theory, kind_of)
        self._paths: dict[tuple[str, str], dict[tuple[str, ...], None]] = {}

        def rows(name: str, kinds: tuple[str, ...]) -> dict[tuple[str, ...], None]:
            return {
                row: None
                for row in itertools.product(*(self.objects[kind] for kind in kinds))
                if reasoner.z3.is_true(
                    model.eval(
                        words.apply(name, kinds, [values[o] for o in row]), model_completion=True
                    )
                )
            }

        for word, known in zip(
            ("state", "goal", "avoid"),
            (theory.signatures, theory.given.goal, theory.given.avoid),
            strict=True,
        ):
            for predicate, *kinds in sorted(known):
                if word != "state" or predicate not in theory.marks:
                    found = rows(f"{word} {predicate}", tuple(kinds))
                    self.relations[word, predicate].update(found)
        for path in reasoner.paths:
            for word, length in (("reach", 2), ("next", 3), ("closer", 3)):
                kinds_ = (*path.leading, *[path.kind] * length)
                known_rows = self._paths.setdefault((word, path.relation), {})
                known_rows.update(rows(f"{word} {path.relation}", kinds_))
        self._linked_after: dict[tuple[str, str], dict[tuple[str, ...], None]] = {}
        for link in theory.links:
            for word, linked_rows in (("", self._paths), ("after ", self._linked_after)):
                linked = rows(f"{word}linked {link.relation}", (link.kind, link.kind))
                linked_rows.setdefault(("linked", link.relation), {}).update(linked)

        self.acting: dict[Term, str] = {}
        names = {(kind_of[name], str(value)): name for name, value in values.items()}
        for term, constant in condition.constants.items():
            value = str(model.eval(constant, model_completion=True))
            self.acting[term] = names.get((term.kind, value), "")
        self.after: Structure | None = None
        if condition.case is not None and "" not in self.acting.values():
            self.after = self._successor(condition.case)

    def _successor(self, case: Case) -> Structure:
        after = copy.copy(self)
        after.relations = defaultdict(dict, {k: dict(rows) for k, rows in self.relations.items()})
        after._index, after._known, after._extensions = {}, {}, {}
        changed = {effect.predicate for effect in case.effects}
        linked = {key: rows for key, rows in self._linked_after.items() if key[1] in changed}
        after._paths = self._paths | linked
        rows = [
            (e, tuple(self.acting[t] if t.is_variable else t.name for t in e.terms))
            for e in case.effects
        ]
        for effect, row in sorted(rows, key=lambda pair: pair[0].positive):
            if effect.positive:
                after.relations["state", effect.predicate][row] = None
            else:
                after.relations["state", effect.predicate].pop(row, None)
        return after

    def path_holds(self, word: str, relation: str, row: tuple[str, ...]) -> bool:
        """Whether the model says so."""
        if word == "derived":
            return super().path_holds(word, relation, row)
        return row in self._paths.get((word, relation), {})


def _order_of_leaving(hypothesis: Hypothesis) -> tuple[bool, bool, int, str]:
    """The order in which hypotheses of a core are tried to be left out."""
    kind, text = hypothesis.kind, hypothesis.text
    return kind == "linked", kind != "exists", -len(text), text


def _accidental(theory: Theory, hypothesis: Hypothesis) -> int:
    """Whether an existential hypothesis looks like an accident of the sample: 0 no to 2."""
    source = hypothesis.source
    if hypothesis.kind != "exists" or not isinstance(source, Invariant):
        return 0
    body = source.formula[2] if source.formula[0] == "forall" else source.formula
    parts = body[1] if body[0] == "or" else (body,)
    parts = [part for part in parts if part[0] != "not"]
    if len(parts) == 1:
        return 0
    return 1 if all(_has_fluent(theory, part) for part in parts) else 2


def _has_fluent(theory: Theory, formula: Formula) -> bool:
    return bool(predicates_in(formula) - theory.static)


def _makes_its_own_kind(hypothesis: Hypothesis) -> bool:
    """Whether an existential hypothesis gives for each object another one of the same kind.

    Such hypotheses lead out of the fragment that the solver decides.
    """
    source = hypothesis.source
    if not isinstance(source, Invariant) or source.formula[0] != "forall":
        return False
    keys = {v.kind for v in source.formula[1]}
    return bool(keys & _existential_kinds(source.formula[2]))


def _existential_kinds(formula: Formula) -> set[str]:
    if formula[0] in ("and", "or"):
        return set().union(*map(_existential_kinds, formula[1]))
    return {v.kind for v in formula[1]} if formula[0] == "exists" else set()

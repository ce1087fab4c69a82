"""A domain and a policy as formulas: kinds of objects, which facts can ever hold, rules by cases.

*Kinds* partition the objects: by their type, and in a domain without types by the one unary static
predicate that each object has (car, location). A *signature* is a predicate with a kind for each
argument. Facts of other signatures than those reached from the problems' initial facts are never
true, so conditions on them are decided here. A *case* is a rule with a kind for each parameter.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from pg3.analysis.prove.logic.formulas import (
    FALSE,
    TRUE,
    Formula,
    Reads,
    Term,
    conjunction,
    disjunction,
    equal,
    exists,
    negate,
    parts_of,
    polarities,
    predicates_in,
    state,
    variables_for,
)
from pg3.pddl.model import EQUALS, OBJECT, Atom, Literal
from pg3.pddl.negative_goals import unwanted_predicate
from pg3.policy.derived import NEXT, comparisons_in, derived_predicates, is_anything, is_graph
from pg3.policy.derived import stratify_definitions as strata_of
from pg3.policy.first_objects import with_first_constants

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pg3.pddl.model import Clause, Domain, Problem, TypeNames
    from pg3.policy.model import DecisionList, Rule

Signature = tuple[str, ...]


class Unsupported(Exception):  # noqa: N818  (an answer to the user, who made no error)
    """Something that no proof can be about yet; `str()` says what."""


class Kind(NamedTuple):
    """A kind of objects: those of exactly this type, and with this predicate if there is one."""

    name: str
    type: str
    predicate: str | None


class Effect(NamedTuple):
    """What an action does to an atom."""

    predicate: str
    terms: tuple[Term, ...]
    positive: bool


class Path(NamedTuple):
    """The graph of a relation: leading kinds that name the graph, and the kind of its nodes."""

    relation: str
    leading: Signature
    kind: str


@dataclass(frozen=True, eq=False)
class Case:
    """A rule with a kind for each parameter: when it is satisfied, and what its action does."""

    rule: int
    name: str
    parameters: tuple[Term, ...]
    conditions: tuple[Formula, ...]
    precondition: Formula
    effects: tuple[Effect, ...]

    @property
    def label(self) -> str:
        """The name of the rule and the kinds of its parameters."""
        return " ".join((self.name, *(t.kind for t in self.parameters)))

    @cached_property
    def body(self) -> Formula:
        """The conjunction of the conditions."""
        return conjunction(self.conditions)


def cost_predicate(function: str) -> str:
    """The static predicate that says that the problem gives a cost; no PDDL name has a space."""
    return f"cost {function}"


def facts_of(problem: Problem) -> Iterator[Atom]:
    """The initial facts, and for each cost that the problem gives the fact that it does."""
    yield from problem.init
    functions = {a.cost.predicate for a in problem.domain.actions if isinstance(a.cost, Atom)}
    for function, terms in problem.function_values:
        if function in functions:
            yield Atom(cost_predicate(function), terms)


def kinds_of(domain: Domain, problems: Sequence[Problem]) -> tuple[Kind, ...]:
    """The kinds of the objects of some problems."""
    unary = {p.name for p in domain.predicates if p.arity == 1 and p.name not in domain.fluents}
    marks: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for problem in problems:
        of_object: dict[str, list[str]] = defaultdict(list)
        for atom in problem.init.of_predicates(unary):
            of_object[atom.terms[0]].append(atom.predicate)
        for one in problem.all_objects:
            marks[one.type].add(tuple(sorted(of_object[one.name])))
    found = []
    for type_ in sorted(marks):
        # Only without types: a kind must not be empty, and types are what people mean by kinds.
        splits = type_ == OBJECT and len(marks[type_]) > 1
        if splits and all(len(m) == 1 for m in marks[type_]):
            found += [Kind(mark, type_, mark) for (mark,) in sorted(marks[type_])]
        else:
            found.append(Kind(type_, type_, None))
    return tuple(found)


def kind_of_objects(problem: Problem, kinds: Iterable[Kind]) -> dict[str, str | None]:
    """The kind of each object; None for an object of no kind, or of several."""
    plain = {kind.type: kind.name for kind in kinds if kind.predicate is None}
    split = {kind.predicate: kind for kind in kinds if kind.predicate is not None}
    marks: dict[str, list[str]] = defaultdict(list)
    for atom in problem.init.of_predicates([name for name in split if name is not None]):
        marks[atom.terms[0]].append(atom.predicate)
    found: dict[str, str | None] = {}
    for one in problem.all_objects:
        kind = split[marks[one.name][0]] if len(marks[one.name]) == 1 else None
        fits = kind is not None and kind.type == one.type
        found[one.name] = kind.name if kind is not None and fits else plain.get(one.type)
    return found


class Signatures(NamedTuple):
    """The signatures of the initial facts, of the goals and of the negated goals of a class."""

    init: frozenset[tuple[str, ...]]
    goal: frozenset[tuple[str, ...]]
    avoid: frozenset[tuple[str, ...]]


class Theory:
    """Domain and policy, and of the problems their kinds and signatures.

    Unsupported if the policy needs more than the proofs are about.
    """

    def __init__(
        self,
        domain: Domain,
        policy: DecisionList,
        kinds: Iterable[Kind],
        constants: Mapping[str, str],
        signatures: Signatures,
    ) -> None:
        self.domain = domain
        self.policy = policy = with_first_constants(policy, domain)
        self.kinds = {kind.name: kind for kind in kinds}
        self.constants = {name: Term(name, kind) for name, kind in constants.items()}
        self.given = signatures
        if domain.declared_axioms:
            raise Unsupported("the domain has axioms (:derived)")
        if domain.axioms:
            raise Unsupported("a condition has 'or', 'imply', 'exists' or 'forall'")
        if any(action.conditional for action in domain.actions):
            raise Unsupported("an action has conditional effects (when, forall)")
        if domain.has_numbers or comparisons_in(policy):
            raise Unsupported("the domain has numbers, or the policy compares them")
        self.static = {p.name for p in domain.predicates} - domain.fluents
        self.static |= {cost_predicate(f.name) for f in domain.functions}
        self.marks = {kind.predicate for kind in kinds if kind.predicate is not None}
        self._clauses: dict[str, list[Clause]] = defaultdict(list)
        for clause in policy.definitions:
            self._clauses[clause.name].append(clause)
        self._derived = derived_predicates(policy.definitions)
        # The relation that a derived predicate follows, if it depends on itself.
        self._follows = self._followed_relations()
        self.signatures = self._reachable_signatures()
        self.paths: list[Path] = []
        self.links: list[Path] = []
        self.recursive: dict[tuple[str, str], tuple[Term, Formula]] = {}
        self._names = itertools.count(1)
        self.cases = tuple(self._cases())

    @classmethod
    def of_problems(
        cls, domain: Domain, policy: DecisionList, problems: Sequence[Problem]
    ) -> Theory:
        """The theory whose kinds and signatures are those of the problems."""
        kinds = kinds_of(domain, problems)
        constants: dict[str, str] = {}
        found: tuple[set[tuple[str, ...]], ...] = (set(), set(), set())
        if len({kind.name for kind in kinds}) < len(kinds):
            raise Unsupported("a predicate that tells kinds of objects has the name of a type")
        for problem in problems:
            if problem.disjunctions:
                raise Unsupported(f"the goal of {problem.name} leaves a choice (or, exists)")
            kind_of = kind_of_objects(problem, kinds)
            for constant in domain.constants:
                kind = kind_of[constant.name]
                if kind is None or constants.setdefault(constant.name, kind) != kind:
                    raise Unsupported(f"constant {constant.name} is not always of the same kind")
            atoms = (facts_of(problem), problem.goal, problem.negative_goal)
            for these, signatures in zip(atoms, found, strict=True):
                for atom in these:
                    signatures.add((atom.predicate, *(kind_of[t] or "" for t in atom.terms)))
        return cls(domain, policy, kinds, constants, Signatures(*map(frozenset, found)))

    # -- kinds and signatures ----------------------------------------------------------------------

    def kinds_under(self, types: TypeNames) -> list[str]:
        """The kinds of the objects that may stand where one of the types is declared."""
        return [k.name for k in self.kinds.values() if self.domain.is_a(k.type, types)]

    def signatures_of(self, predicate: str, goal: str = "state") -> list[Signature]:
        """The kinds of the arguments with which a fact or a goal can be, sorted."""
        known = {"state": self.signatures, "goal": self.given.goal, "avoid": self.given.avoid}
        return sorted(s[1:] for s in known[goal] if s[0] == predicate)

    def _followed_relations(self) -> dict[str, str]:
        clauses = [clause for named in self._clauses.values() for clause in named]
        found: dict[str, str] = {}
        for stratum in strata_of(clauses, self.domain):
            for clause in (clause for name in stratum for clause in self._clauses[name]):
                reads = {literal.atom.predicate for literal in clause.conditions}
                if reads & set(stratum):
                    relation = self._followed(clause)
                    if relation is None or found.setdefault(clause.name, relation) != relation:
                        raise Unsupported(
                            f"the derived predicate {clause.name} depends on itself other than as "
                            "in (exists (?y) (and (E ?x ?y) (P ?y)))"
                        )
        return found

    def _followed(self, clause: Clause) -> str | None:
        """E if the clause is (P ?x) if (E ?x ?y) and (P ?y) for some ?y; else None."""
        if clause.goals or (len(clause.parameters), len(clause.variables)) != (1, 1):
            return None
        x, y = clause.parameters[0].name, clause.variables[0].name
        again = Literal(Atom(clause.name, (y,)))
        edges = [literal for literal in clause.conditions if literal != again]
        if len(edges) != 1 or len(clause.conditions) != 2 or x == y:
            return None
        (predicate, terms), positive = edges[0]
        known = predicate in self.domain.predicate_index and predicate not in self._clauses
        return predicate if known and positive and terms == (x, y) else None

    def _reachable_signatures(self) -> frozenset[tuple[str, ...]]:
        """The signatures of all facts that can hold after some actions."""
        found = set(self.given.init)
        grows = True
        while grows:
            grows = False
            for action in self.domain.actions:
                choices = [self.kinds_under(p.types) for p in action.parameters]
                for kinds in itertools.product(*choices):
                    kind_of = {p.name: k for p, k in zip(action.parameters, kinds, strict=True)}
                    kind_of |= {name: term.kind for name, term in self.constants.items()}
                    needed = [a for a, positive in action.precondition if positive]
                    if all(
                        a.predicate == EQUALS
                        or (a.predicate, *(kind_of[t] for t in a.terms)) in found
                        for a in needed
                    ):
                        added = {
                            (a.predicate, *(kind_of[t] for t in a.terms))
                            for a, positive in action.effects
                            if positive
                        }
                        grows = grows or not added <= found
                        found |= added
        return frozenset(found)

    # -- conditions as formulas --------------------------------------------------------------------

    def _term(self, name: str, terms: Mapping[str, Term]) -> Term:
        return terms[name] if name in terms else self.constants[name]

    def literal(self, literal: Literal, terms: Mapping[str, Term], word: str = "state") -> Formula:
        """A condition of a rule, a clause or an action; `word` says whether it is on the goal."""
        atom, positive = literal
        formula = self._atom(atom, terms, word)
        return formula if positive else negate(formula)

    def _atom(self, atom: Atom, terms: Mapping[str, Term], word: str) -> Formula:
        if atom.predicate == EQUALS:
            one, other = (self._term(t, terms) for t in atom.terms)
            return equal(one, other)
        if word == "state" and is_graph(atom, self.domain):
            return self._path(atom, [self._term(t, terms) for t in atom.terms[1:]])
        predicate = atom.predicate
        if word == "goal" and (unwanted := unwanted_predicate(predicate)):
            predicate, word = unwanted, "avoid"
        holes = [i for i, t in enumerate(atom.terms) if is_anything(t, self.domain)]
        found = []
        for kinds in itertools.product(self.kinds, repeat=len(holes)):
            fillers = {i: self._fresh(kind) for i, kind in zip(holes, kinds, strict=True)}
            filled = [
                fillers[i] if i in fillers else self._term(t, terms)
                for i, t in enumerate(atom.terms)
            ]
            found.append(exists(fillers.values(), self.atom(predicate, filled, word)))
        return disjunction(found)

    def _fresh(self, kind: str) -> Term:
        return Term(f"?v{next(self._names)}", kind)

    def atom(self, predicate: str, terms: Sequence[Term], word: str = "state") -> Formula:
        """An atom over terms of known kinds; false where its signature says so."""
        kinds = tuple(t.kind for t in terms)
        if word != "state":
            known = self.given.goal if word == "goal" else self.given.avoid
            return (word, predicate, tuple(terms)) if (predicate, *kinds) in known else FALSE
        if predicate in self._clauses:
            places = self._derived[predicate].parameters
            fits = all(k in self.kinds_under(p.types) for k, p in zip(kinds, places, strict=True))
            return self._definition(predicate, terms) if fits else FALSE
        if predicate in self.marks and self.kinds[kinds[0]].predicate is not None:
            return TRUE if self.kinds[kinds[0]].predicate == predicate else FALSE
        return state(predicate, terms) if (predicate, *kinds) in self.signatures else FALSE

    def _definition(self, predicate: str, terms: Sequence[Term]) -> Formula:
        """What a derived predicate says; of one that depends on itself an atom."""
        if predicate not in self._follows:
            return self._by_clauses(predicate, terms)
        reads = Reads(self._follows[predicate], self._signs(predicate, terms[0].kind))
        return ("path", "derived", predicate, tuple(terms), reads)

    def _signs(self, predicate: str, kind: str) -> frozenset[tuple[str, bool]]:
        return polarities(self.recursive_definition(predicate, kind)[1])

    def recursive_definition(self, predicate: str, kind: str) -> tuple[Term, Formula]:
        """A variable, and what a derived predicate that depends on itself says of it."""
        if (predicate, kind) not in self.recursive:
            self.recursive[predicate, kind] = self._recursive_definition(predicate, kind)
        return self.recursive[predicate, kind]

    def _recursive_definition(self, predicate: str, kind: str) -> tuple[Term, Formula]:
        one = Term("?d", kind)
        if kind not in self.kinds_under(self._derived[predicate].parameters[0].types):
            return one, FALSE
        steps = [c for c in self._clauses[predicate] if self._followed(c) is not None]
        linked = self._linked(self._follows[predicate], one, there := self._fresh(kind))
        for clause in steps:
            places = (*clause.parameters, *clause.variables)
            if all(kind in self.kinds_under(p.types) for p in places):
                far = conjunction([linked, self._by_clauses(predicate, [there])])
                return one, exists([there], far)
        return one, self._by_clauses(predicate, [one])

    def recursive_atom(self, predicate: str, term: Term) -> Formula:
        """A derived predicate that depends on itself is true of the term."""
        return self._definition(predicate, [term])

    def _linked(self, relation: str, one: Term, other: Term) -> Formula:
        """Edges lead from one object to the other in the state, or both are one object."""
        for kinds in self.signatures_of(relation):
            if len(kinds) != 2 or kinds[0] != kinds[1]:
                raise Unsupported(
                    f"{relation}, which a derived predicate follows, leads on to "
                    "objects of other kinds"
                )
        link = Path(relation, (), one.kind)
        if link not in self.links:
            self.links.append(link)
        return ("path", "linked", relation, (one, other))

    def _by_clauses(self, predicate: str, terms: Sequence[Term]) -> Formula:
        found = []
        for clause in self._clauses[predicate]:
            if self._followed(clause) is not None:
                continue
            outer = {p.name: t for p, t in zip(clause.parameters, terms, strict=True)}
            choices = [self.kinds_under(v.types) for v in clause.variables]
            for kinds in itertools.product(*choices):
                inner = [self._fresh(kind) for kind in kinds]
                names = [v.name for v in clause.variables]
                binding = outer | dict(zip(names, inner, strict=True))
                parts = [self.literal(c, binding) for c in clause.conditions]
                parts += [self.literal(c, binding, "goal") for c in clause.goals]
                found.append(exists(inner, conjunction(parts)))
        return disjunction(found)

    def _path(self, atom: Atom, terms: Sequence[Term]) -> Formula:
        """A condition on paths; edges between objects of different kinds are not supported."""
        relation, word = atom.terms[0], atom.predicate
        length = 3 if word == NEXT else 2
        leading, ends = terms[:-length], terms[-length:]
        for before in itertools.product(self.kinds, repeat=len(leading)):
            for one, other in itertools.permutations(self.kinds, 2):
                if self.edge(relation, variables_for((*before, one, other))) != FALSE:
                    raise Unsupported(f"paths along {relation} lead from {one} to {other}")
        if len({t.kind for t in ends}) > 1:
            return FALSE
        path = Path(relation, tuple(t.kind for t in leading), ends[0].kind)
        nodes = variables_for((*path.leading, path.kind, path.kind))
        edge = self.edge(relation, nodes)
        if edge == FALSE:
            return FALSE if word == NEXT else equal(*ends)
        if predicates_in(edge) - self.static:
            raise Unsupported(f"paths along {relation}, which actions change")
        if path not in self.paths:
            self.paths.append(path)
        return ("path", word, relation, tuple(terms))

    def edge(self, relation: str, terms: Sequence[Term]) -> Formula:
        """There is an edge between the last two terms, in the graph that the others name."""
        return self.atom(relation, terms)

    # -- rules -------------------------------------------------------------------------------------

    def _cases(self) -> Iterator[Case]:
        for number, rule in enumerate(self.policy.rules):
            for kinds in itertools.product(*self._choices(rule)):
                parameters = tuple(
                    Term(p.name, kind) for p, kind in zip(rule.parameters, kinds, strict=True)
                )
                terms = {t.name: t for t in parameters}
                parts = [self.literal(c, terms) for c in rule.preconditions]
                parts += [self.literal(c, terms, "goal") for c in rule.goals]
                body = conjunction(parts)
                if body != FALSE:
                    yield self._case(number, rule, parameters, body)

    def _choices(self, rule: Rule) -> Iterator[list[str]]:
        """For each parameter the kinds that no condition on it alone excludes."""
        for parameter in rule.parameters:
            alone = [
                literal
                for literal in rule.preconditions
                if literal.positive and literal.atom.terms == (parameter.name,)
            ]
            yield [
                kind
                for kind in self.kinds_under(parameter.types)
                if all(
                    self.literal(c, {parameter.name: Term(parameter.name, kind)}) != FALSE
                    for c in alone
                )
            ]

    def _case(self, number: int, rule: Rule, parameters: tuple[Term, ...], body: Formula) -> Case:
        action = self.domain.action(rule.action)
        given = {t.name: t for t in parameters}
        terms = {
            p.name: self._term(argument, given)
            for p, argument in zip(action.parameters, rule.arguments, strict=True)
        }
        needed = [self.literal(literal, terms) for literal in action.precondition]
        if isinstance(action.cost, Atom):
            arguments = [self._term(t, terms) for t in action.cost.terms]
            needed.append(self.atom(cost_predicate(action.cost.predicate), arguments))
        effects = []
        for (predicate, names), positive in action.effects:
            these = tuple(self._term(name, terms) for name in names)
            # Deleting what never holds changes nothing.
            if positive or (predicate, *(t.kind for t in these)) in self.signatures:
                effects.append(Effect(predicate, these, positive))
        return Case(
            number, rule.name, parameters, parts_of(body), conjunction(needed), tuple(effects)
        )

    def cases_of(self, rule: int) -> list[Case]:
        """The cases of one rule."""
        return [case for case in self.cases if case.rule == rule]

    def recursive_of(self, kind: str) -> Iterator[str]:
        """The derived predicates that depend on themselves, if they may be true of a kind."""
        for name in self._follows:
            if kind in self.kinds_under(self._derived[name].parameters[0].types):
                yield name

    @cache  # noqa: B019  (a theory lives as long as its proof)
    def applicable(self, rule: int) -> Formula:
        """Some objects satisfy the rule."""
        return disjunction(exists(c.parameters, c.body) for c in self.cases_of(rule))

    @cached_property
    def open_goal(self) -> Formula:
        """Some goal is not reached."""
        found = []
        for word, signatures in (("goal", self.given.goal), ("avoid", self.given.avoid)):
            for predicate, *kinds in sorted(signatures):
                terms = variables_for(kinds, "g")
                fact = self.atom(predicate, terms)
                missed = negate(fact) if word == "goal" else fact
                found.append(exists(terms, conjunction([(word, predicate, terms), missed])))
        return disjunction(found)

"""Domain, policy and class as SMT-LIB text, for the checker alone.

This module knows PDDL, policies and the certificate's formulas, and nothing of how a proof is
found. Every function gives the text of a term. The meaning of each is written down in
docs/concepts/proofs.md, section "Semantics"; the comments there and here go in the same order.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

from pg3.pddl.model import EQUALS, Atom
from pg3.pddl.negative_goals import unwanted_predicate
from pg3.policy.derived import comparisons_in, is_anything, is_graph
from pg3.policy.first_objects import with_first_constants

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pg3.pddl.model import Domain, Literal
    from pg3.policy.model import DecisionList, Rule


class Refused(Exception):  # noqa: N818  (a verdict, no fault of the program)
    """The certificate does not prove its claim; `str()` says why."""


class Typed(NamedTuple):
    """The text of a term, and the kind of the object that it stands for."""

    text: str
    kind: str


class Case(NamedTuple):
    """A rule with a kind for each of its parameters."""

    number: int
    rule: Rule
    kinds: tuple[str, ...]

    @property
    def label(self) -> str:
        """The rule's name and the kinds."""
        return " ".join((self.rule.name, *self.kinds))


# An effect of an action on given terms: predicate, terms, whether it adds.
Effects = list[tuple[str, list[Typed], bool]]
Scope = dict[str, Typed]


def negation(term: str) -> str:
    """Not."""
    return {"true": "false", "false": "true"}.get(term, f"(not {term})")


def conjunction(terms: Iterable[str]) -> str:
    """And."""
    left = [term for term in terms if term != "true"]
    if "false" in left:
        return "false"
    return f"(and {' '.join(left)})" if len(left) > 1 else (left or ["true"])[0]


def disjunction(terms: Iterable[str]) -> str:
    """Or."""
    left = [term for term in terms if term != "false"]
    if "true" in left:
        return "true"
    return f"(or {' '.join(left)})" if len(left) > 1 else (left or ["false"])[0]


def symbol(*words: str) -> str:
    """A symbol of SMT-LIB; no word contains a bar or a backslash."""
    text = " ".join(words)
    if "|" in text or "\\" in text:
        raise Refused(f"the name {text} cannot be written in SMT-LIB")
    return f"|{text}|"


class Terms:
    """Everything that obligations are made of; also collects the declarations that they need."""

    def __init__(
        self, domain: Domain, policy: DecisionList, problem_class: Mapping[str, Any]
    ) -> None:
        if domain.axioms:
            raise Refused("the domain has axioms")
        if any(action.conditional for action in domain.actions):
            raise Refused("an action has conditional effects")
        if domain.has_numbers or comparisons_in(policy):
            raise Refused("the domain has numbers, or the policy compares them")
        self.domain = domain
        self.policy = policy = with_first_constants(policy, domain)
        # The relation that a derived predicate follows, if it depends on itself.
        self._follows: dict[str, str] = {}
        for clause in policy.definitions:
            if clause.name in self._directly(clause):
                relation = self._followed(clause)
                if relation is None or self._follows.setdefault(clause.name, relation) != relation:
                    raise Refused(f"{clause.name} depends on itself other than along one relation")
        self._read_kinds(problem_class)
        self._static = {p.name for p in domain.predicates} - domain.fluents
        self._read_signatures(problem_class)
        for relation in self._follows.values():
            self._refuse_other_links(relation)
        self._bound = itertools.count(1)
        self._declared: dict[str, str] = {}
        self.cases = [case for n, rule in enumerate(policy.rules) for case in self._cases(n, rule)]

    # -- kinds and signatures ----------------------------------------------------------------------

    def _read_kinds(self, problem_class: Mapping[str, Any]) -> None:
        kinds = problem_class["kinds"]
        self.kinds = {kind["name"]: kind for kind in kinds}
        marks_of_one = {p.name for p in self.domain.predicates if p.arity == 1}
        marks_of_one -= self.domain.fluents
        if len(self.kinds) < len(kinds):
            raise Refused("two kinds have one name")
        for kind in kinds:
            if kind["type"] not in self.domain.subtypes:
                raise Refused(f"kind {kind['name']} is of a type that the domain does not have")
            same = [k for k in kinds if k["type"] == kind["type"]]
            marks = [k["predicate"] for k in same]
            if len(same) > 1 and (None in marks or len(set(marks)) < len(marks)):
                raise Refused(f"the kinds of type {kind['type']} are not disjoint")
            if kind["predicate"] is not None and kind["predicate"] not in marks_of_one:
                raise Refused(
                    f"kind {kind['name']} is not told by a static predicate of one object"
                )
        self.marks = {kind["predicate"] for kind in kinds} - {None}
        self.constants = {
            name: Typed(symbol("constant", name), kind) for name, kind in problem_class["constants"]
        }
        if set(self.constants) != {constant.name for constant in self.domain.constants}:
            raise Refused("the constants are not those of the domain")

    def _read_signatures(self, problem_class: Mapping[str, Any]) -> None:
        arity = {p.name: p.arity for p in self.domain.predicates}
        arity |= {f"cost {f.name}": f.arity for f in self.domain.functions}
        given = []
        for part in ("facts", "goals", "negated_goals"):
            found = {tuple(signature) for signature in problem_class[part]}
            for predicate, *kinds in found:
                if arity.get(predicate) != len(kinds) or not set(kinds) <= self.kinds.keys():
                    raise Refused(f"{predicate} of {' '.join(kinds)} is no signature")
            given.append(found)
        self.facts, self.goals, self.negated_goals = given
        # What can hold after some actions: the least set that contains the facts and is closed.
        while True:
            more = set(self._added()) - self.facts
            if not more:
                break
            self.facts |= more

    def _added(self) -> Iterator[tuple[str, ...]]:
        for action in self.domain.actions:
            names = [p.name for p in action.parameters]
            for kinds in itertools.product(*(self.kinds_under(p.types) for p in action.parameters)):
                kind_of = dict(zip(names, kinds, strict=True))
                kind_of |= {name: constant.kind for name, constant in self.constants.items()}

                def signature(atom: Atom, of: Mapping[str, str] = kind_of) -> tuple[str, ...]:
                    return (atom.predicate, *(of[term] for term in atom.terms))

                needed = [a for a, positive in action.precondition if positive]
                if all(a.predicate == EQUALS or signature(a) in self.facts for a in needed):
                    yield from (signature(a) for a, positive in action.effects if positive)

    def kinds_under(self, types: tuple[str, ...]) -> list[str]:
        """The kinds of the objects that are of one of the types."""
        return [name for name, k in self.kinds.items() if self.domain.is_a(k["type"], types)]

    # -- atoms -------------------------------------------------------------------------------------

    def _apply(self, name: str, terms: Sequence[Typed], target: str = "Bool") -> str:
        kinds = [term.kind for term in terms]
        head = symbol(name, *kinds)
        sorts = " ".join(symbol("kind", kind) for kind in kinds)
        self._declared[head] = f"(declare-fun {head} ({sorts}) {target})"
        return f"({head} {' '.join(term.text for term in terms)})" if terms else head

    def constant(self, role: str, name: str, kind: str) -> Typed:
        """An object about which nothing else is known."""
        head = symbol(role, name)
        self._declared[head] = f"(declare-const {head} {symbol('kind', kind)})"
        return Typed(head, kind)

    def number(self, name: str, *terms: Typed) -> str:
        """A whole number that depends on some objects."""
        return self._apply(name, terms, "Int")

    def equal(self, one: Typed, other: Typed) -> str:
        """Both are one object; objects of different kinds are different."""
        if one.kind != other.kind:
            return "false"
        return "true" if one.text == other.text else f"(= {one.text} {other.text})"

    def atom(self, predicate: str, terms: Sequence[Typed], effects: Effects | None = None) -> str:
        """The atom holds in the state, or with effects in the state after them."""
        kinds = [term.kind for term in terms]
        if predicate in self.marks and self.kinds[kinds[0]]["predicate"] is not None:
            return "true" if self.kinds[kinds[0]]["predicate"] == predicate else "false"
        held = (
            self._apply(predicate if predicate[:5] == "cost " else f"state {predicate}", terms)
            if (predicate, *kinds) in self.facts
            else "false"
        )
        added: list[str] = []
        deleted: list[str] = []
        for changed, row, adds in effects or ():
            if changed == predicate and [term.kind for term in row] == kinds:
                pairs = zip(terms, row, strict=True)
                (added if adds else deleted).append(conjunction(self.equal(a, b) for a, b in pairs))
        kept = conjunction([held, *map(negation, deleted)])
        return disjunction([kept, *added])

    def goal(self, predicate: str, terms: Sequence[Typed], *, negated: bool = False) -> str:
        """The atom, or its negation, is a goal."""
        known = self.negated_goals if negated else self.goals
        if (predicate, *(term.kind for term in terms)) not in known:
            return "false"
        return self._apply(f"{'avoid' if negated else 'goal'} {predicate}", terms)

    def path(self, word: str, relation: str, terms: Sequence[Typed]) -> str:
        """A condition on paths: an unknown relation, of which the axioms of `graph` are known."""
        length = 2 if word == "reach" else 3
        if len(terms) < length:
            raise Refused(f"{relation} is no relation of two objects")
        leading, ends = terms[:-length], terms[-length:]
        self._refuse_other_edges(relation, [term.kind for term in leading])
        if len({term.kind for term in ends}) > 1:
            if word == "closer":
                raise Refused("distances are compared between objects of one kind only")
            return "false"
        return self._apply(f"{word} {relation}", terms)

    def _refuse_other_edges(self, relation: str, leading: Sequence[str]) -> None:
        """Paths are understood in graphs that no action changes, between objects of one kind."""
        for one, other in itertools.permutations(self.kinds, 2):
            # Different texts, as objects of one text would be equal.
            row = [Typed(f"x{i}", kind) for i, kind in enumerate((*leading, one, other))]
            if self.edge(relation, row) != "false":
                raise Refused(f"edges of {relation} lead from one kind to another")
        if self.reads(relation) & self.domain.fluents:
            raise Refused(f"actions change the edges of {relation}")

    def edge(self, relation: str, terms: Sequence[Typed]) -> str:
        """There is an edge between the last two objects, in the graph that the others name."""
        self._require_arity(relation, len(terms))
        if self._clauses(relation):
            return self.derived(relation, terms, None)
        if relation not in self.domain.predicate_index:
            raise Refused(f"there is no relation {relation}")
        return self.atom(relation, terms)

    def reads(self, name: str) -> set[str]:
        """The predicates of the domain that a predicate depends on."""
        found: set[str] = set()
        todo = [name]
        while todo:
            one = todo.pop()
            for clause in self._clauses(one):
                for literal in clause.conditions:
                    read = literal.atom.predicate
                    read = literal.atom.terms[0] if is_graph(literal.atom, self.domain) else read
                    if read not in found:
                        found.add(read)
                        todo.append(read)
            found.add(one)
        return found

    def _clauses(self, name: str) -> list[Any]:
        return [clause for clause in self.policy.definitions if clause.name == name]

    # -- rules and actions -------------------------------------------------------------------------

    def literal(
        self,
        literal: Literal,
        scope: Mapping[str, Typed],
        effects: Effects | None,
        *,
        of_goal: bool,
    ) -> str:
        """A condition of a rule, a clause or an action."""
        (predicate, names), positive = literal
        if predicate == EQUALS:
            text = self.equal(self._term(names[0], scope), self._term(names[1], scope))
        elif not of_goal and is_graph(literal.atom, self.domain):
            text = self.path(predicate, names[0], [self._term(name, scope) for name in names[1:]])
        else:
            text = self._with_holes(predicate, names, scope, effects, of_goal)
        return text if positive else negation(text)

    def _term(self, name: str, scope: Mapping[str, Typed]) -> Typed:
        return scope[name] if name in scope else self.constants[name]

    def _with_holes(
        self,
        predicate: str,
        names: Sequence[str],
        scope: Mapping[str, Typed],
        effects: Effects | None,
        of_goal: bool,
    ) -> str:
        """An atom in which `_` may stand for any object."""
        holes = [i for i, name in enumerate(names) if is_anything(name, self.domain)]
        found = []
        for kinds in itertools.product(self.kinds, repeat=len(holes)):
            bound = [self._variable(kind) for kind in kinds]
            filled = dict(zip(holes, bound, strict=True))
            terms = [
                filled[i] if i in filled else self._term(name, scope)
                for i, name in enumerate(names)
            ]
            if of_goal:
                unwanted = unwanted_predicate(predicate)
                text = self.goal(unwanted or predicate, terms, negated=unwanted is not None)
            elif self._clauses(predicate):
                text = self.derived(predicate, terms, effects)
            else:
                text = self.atom(predicate, terms, effects)
            found.append(self.quantified("exists", bound, text))
        return disjunction(found)

    def _variable(self, kind: str) -> Typed:
        return Typed(f"v{next(self._bound)}", kind)

    def quantified(self, word: str, variables: Sequence[Typed], body: str) -> str:
        """For some, or for all, objects; no kind is empty."""
        if body in ("true", "false") or not variables:
            return body
        bound = " ".join(f"({v.text} {symbol('kind', v.kind)})" for v in variables)
        return f"({word} ({bound}) {body})"

    def derived(self, name: str, terms: Sequence[Typed], effects: Effects | None = None) -> str:
        """A derived predicate's definition; one that depends on itself is a relation.

        After effects on what it reads that is another relation. `definition` says what both mean.
        """
        if name not in self._follows:
            return self._by_clauses(name, terms, effects)
        changed = {predicate for predicate, _, _ in effects or ()} & self.reads(name)
        return self._apply(f"{'after ' if changed else ''}derived {name}", terms)

    @property
    def recursive(self) -> Sequence[str]:
        """The derived predicates that depend on themselves, each of one object."""
        return list(self._follows)

    def definition(self, name: str, kind: str, effects: Effects | None) -> str:
        """What a derived predicate that depends on itself means, for all objects of a kind."""
        one, other = Typed("x", kind), self._variable(kind)
        meaning = self._by_clauses(name, [one], effects)
        if any(self._goes_on(clause, kind) for clause in self._clauses(name)):
            there = self.linked(self._follows[name], [one, other], effects)
            far = conjunction([there, self._by_clauses(name, [other], effects)])
            meaning = self.quantified("exists", [other], far)
        return self.quantified(
            "forall", [one], f"(= {self.derived(name, [one], effects)} {meaning})"
        )

    def _goes_on(self, clause: Any, kind: str) -> bool:
        """Whether the clause leads from objects of a kind to others of the kind."""
        places = (*clause.parameters, *clause.variables)
        follows = self._followed(clause) is not None
        return follows and all(kind in self.kinds_under(p.types) for p in places)

    def _followed(self, clause: Any) -> str | None:
        """E if the clause is (P ?x) if (E ?x ?y) and (P ?y) for some ?y; else None."""
        sizes = tuple(map(len, (clause.parameters, clause.variables, clause.conditions)))
        if clause.goals or sizes != (1, 1, 2):
            return None
        (x,), (y,) = clause.parameters, clause.variables
        for edge, again in itertools.permutations(clause.conditions):
            if (
                (edge.positive, edge.atom.terms) == (True, (x.name, y.name))
                and (again.positive, again.atom) == (True, Atom(clause.name, (y.name,)))
                and edge.atom.predicate in self.domain.predicate_index
                and x.name != y.name
            ):
                relation: str = edge.atom.predicate
                return relation
        return None

    def linked(self, relation: str, terms: Sequence[Typed], effects: Effects | None = None) -> str:
        """Edges of a relation lead from the first object to the second, or both are one object.

        An unknown relation, another one after effects, of which `links.axioms` are known.
        """
        self._refuse_other_links(relation)
        one, other = terms
        if one.kind != other.kind:
            return "false"
        changed = any(name == relation for name, _, _ in effects or ())
        return self._apply(f"{'after ' if changed else ''}linked {relation}", terms)

    def _refuse_other_links(self, relation: str) -> None:
        if relation not in self.domain.predicate_index:
            raise Refused(f"there is no relation {relation}")
        self._require_arity(relation, 2)
        if any(s[0] == relation and s[1] != s[2] for s in self.facts):
            raise Refused(f"{relation} does not relate objects of one kind")

    def _by_clauses(self, name: str, terms: Sequence[Typed], effects: Effects | None) -> str:
        found = []
        for clause in self._clauses(name):
            if self._followed(clause) is not None:
                continue
            places = zip(clause.parameters, terms, strict=True)
            if not all(t.kind in self.kinds_under(p.types) for p, t in places):
                continue
            outer = {p.name: t for p, t in zip(clause.parameters, terms, strict=True)}
            choices = [self.kinds_under(v.types) for v in clause.variables]
            for kinds in itertools.product(*choices):
                bound = [self._variable(kind) for kind in kinds]
                inner = {v.name: t for v, t in zip(clause.variables, bound, strict=True)}
                parts = [
                    self.literal(one, {**outer, **inner}, effects, of_goal=of_goal)
                    for section, of_goal in ((clause.conditions, False), (clause.goals, True))
                    for one in section
                ]
                found.append(self.quantified("exists", bound, conjunction(parts)))
        return disjunction(found)

    def _directly(self, clause: Any) -> set[str]:
        """What a clause depends on, also through other clauses."""
        found: set[str] = set()
        for literal in clause.conditions:
            found |= self.reads(literal.atom.predicate)
        return found

    def _cases(self, number: int, rule: Rule) -> Iterator[Case]:
        """The rule by kinds of its parameters, without those in which it can never be satisfied."""
        for kinds in itertools.product(*(self.kinds_under(p.types) for p in rule.parameters)):
            case = Case(number, rule, kinds)
            if self.body(case, self.acting(case, "acting")) != "false":
                yield case

    def acting(self, case: Case, role: str) -> Scope:
        """Objects for the parameters of a case."""
        pairs = zip(case.rule.parameters, case.kinds, strict=True)
        return {p.name: self.constant(role, p.name, kind) for p, kind in pairs}

    def body(self, case: Case, scope: Mapping[str, Typed], effects: Effects | None = None) -> str:
        """The objects satisfy the rule."""
        rule = case.rule
        state = [self.literal(one, scope, effects, of_goal=False) for one in rule.preconditions]
        goals = [self.literal(one, scope, effects, of_goal=True) for one in rule.goals]
        return conjunction([*state, *goals])

    def some(self, case: Case, scope: Scope, left: int, effects: Effects | None = None) -> str:
        """Some objects for the parameters from number `left` on satisfy the rule."""
        pairs = list(zip(case.rule.parameters, case.kinds, strict=True))[left:]
        bound = {p.name: self._variable(kind) for p, kind in pairs}
        body = self.body(case, {**scope, **bound}, effects)
        return self.quantified("exists", list(bound.values()), body)

    def applicable(self, number: int, effects: Effects | None = None) -> str:
        """Some objects satisfy the rule of that number."""
        cases = [case for case in self.cases if case.number == number]
        return disjunction(self.some(case, {}, 0, effects) for case in cases)

    def _arguments(self, case: Case, scope: Mapping[str, Typed]) -> Scope:
        action = self.domain.action(case.rule.action)
        pairs = zip(action.parameters, case.rule.arguments, strict=True)
        return {p.name: self._term(argument, scope) for p, argument in pairs}

    def precondition(self, case: Case, scope: Mapping[str, Typed]) -> str:
        """The rule's action can be done."""
        action = self.domain.action(case.rule.action)
        inner = self._arguments(case, scope)
        parts = [self.literal(one, inner, None, of_goal=False) for one in action.precondition]
        if isinstance(action.cost, Atom):
            terms = [self._term(name, inner) for name in action.cost.terms]
            parts.append(self.atom(f"cost {action.cost.predicate}", terms))
        return conjunction(parts)

    def effects(self, case: Case, scope: Mapping[str, Typed]) -> Effects:
        """What the rule's action does."""
        inner = self._arguments(case, scope)
        return [
            (atom.predicate, [self._term(name, inner) for name in atom.terms], positive)
            for atom, positive in self.domain.action(case.rule.action).effects
        ]

    def open_goal(self, effects: Effects | None = None) -> str:
        """Some goal does not hold."""
        found = []
        for negated, signatures in ((False, self.goals), (True, self.negated_goals)):
            for predicate, *kinds in sorted(signatures):
                bound = [self._variable(kind) for kind in kinds]
                holds = self.atom(predicate, bound, effects)
                missed = holds if negated else negation(holds)
                goal = self.goal(predicate, bound, negated=negated)
                found.append(self.quantified("exists", bound, conjunction([goal, missed])))
        return disjunction(found)

    # -- formulas of the certificate ---------------------------------------------------------------

    def formula(self, value: Sequence[Any], scope: Scope, effects: Effects | None = None) -> str:
        """A formula, in which `scope` has the free variables."""
        word, *rest = value
        if word in ("exists", "forall"):
            bound = {name: self._bind(kind) for name, kind in rest[0]}
            if len(bound) < len(rest[0]):
                raise Refused("a variable is bound twice")
            body = self.formula(rest[1], {**scope, **bound}, effects)
            return self.quantified(word, list(bound.values()), body)
        if word == "not":
            return negation(self.formula(rest[0], scope, effects))
        if word in ("and", "or"):
            make = conjunction if word == "and" else disjunction
            return make([self.formula(part, scope, effects) for part in rest])
        names = rest if word == "=" else rest[2:] if word == "path" else rest[1:]
        unknown = [name for name in names if name not in scope and name not in self.constants]
        if unknown:
            raise Refused(f"{unknown[0]} is neither bound nor a constant")
        terms = [self._term(name, scope) for name in names]
        if word == "=":
            return self.equal(terms[0], terms[1])
        if word == "path":
            self._require_arity(rest[1], len(terms) - (rest[0] in ("next", "closer")))
            if rest[0] == "linked":
                return self.linked(rest[1], terms, effects)
            if rest[0] == "derived":
                if rest[1] not in self._follows:
                    raise Refused(f"{rest[1]} does not depend on itself")
                return self.derived(rest[1], terms, effects)
            return self.path(rest[0], rest[1], terms)
        if self._clauses(rest[0]):
            raise Refused(f"{rest[0]} is derived: a formula has its definition instead")
        self._require_arity(rest[0], len(terms))
        if word == "state":
            return self.atom(rest[0], terms, effects)
        return self.goal(rest[0], terms, negated=word == "avoid")

    def _bind(self, kind: str) -> Typed:
        if kind not in self.kinds:
            raise Refused(f"{kind} is no kind")
        return self._variable(kind)

    def _require_arity(self, predicate: str, number: int) -> None:
        arities = [p.arity for p in self.domain.predicates if p.name == predicate]
        arities += [f.arity for f in self.domain.functions if f"cost {f.name}" == predicate]
        arities += [len(clause.parameters) for clause in self._clauses(predicate)]
        if number not in arities:
            raise Refused(f"{predicate} does not take {number} objects")

    # -- whole scripts -----------------------------------------------------------------------------

    def script(self, title: str, assertions: Iterable[str]) -> str:
        """An SMT-LIB script that asks whether the assertions can be true together."""
        asserted = [text for text in assertions if text != "true"]
        lines = [f"; {title}", "(set-info :status unsat)", "(set-logic ALL)"]
        lines += [f"(declare-sort {symbol('kind', kind)} 0)" for kind in self.kinds]
        for name, constant in self.constants.items():
            self.constant("constant", name, constant.kind)
        joined = "\n".join(asserted)
        for kind in self.kinds:
            same = [c.text for c in self.constants.values() if c.kind == kind]
            if len(same) > 1:
                asserted.insert(0, f"(distinct {' '.join(same)})")
                joined += f"\n{' '.join(same)}"
        lines += [line for head, line in self._declared.items() if head in joined]
        lines += [f"(assert {text})" for text in asserted]
        return "\n".join([*lines, "(check-sat)", ""])

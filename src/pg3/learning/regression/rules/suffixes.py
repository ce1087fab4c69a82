"""Plans regressed to rules: one rule for each relevant suffix of a plan for one goal.

A suffix (`steps`) is *generalised* as far as its causal links allow. Each place of each action has
a variable of its own, and two of them are one only where an effect provides a need or where two
needs rest on the same fact that changes. That two objects of the plan happen to be the same does
not get into the rule, which so covers plans that were never made. Nor does their type, or that one
of them is a constant of the domain: a variable has the type that the action asks for, and a rule
has the constants that actions and goals name.

The rule of a suffix depends only on its actions, on which of their arguments are the same object,
on the objects' types and on the goal, and thousands of plans have a few hundred such *patterns*. So
suffixes form a tree that grows backwards from the goals, and the rule of each is made once
(`suffix_rules`). In a pattern objects are numbered in the order in which a walk from the goal
backwards meets them.

Where macro moves are given, runs of moves are one action each (`macro_moves`).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from pg3.learning.regression.macro_moves import schemas_of
from pg3.learning.regression.macro_plans import MacroPlanner
from pg3.learning.regression.rules.cases import (
    has_conditional_effects,
    with_disjuncts,
    with_effects,
)
from pg3.learning.regression.rules.causal_chains import late
from pg3.learning.regression.rules.numbers import gives, giving, helps, shifted, shifts, sides
from pg3.learning.regression.rules.steps import TOO_LARGE, Need, Step, Suffix
from pg3.learning.regression.rules.suffix_rules import RuleWriter
from pg3.learning.regression.spreading import rewritten, spreads_of
from pg3.pddl.model import EQUALS, Atom, Literal
from pg3.pddl.plans import GroundAction

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pg3.learning.dependencies import Dependencies
    from pg3.learning.regression.macro_moves import MacroMove
    from pg3.learning.regression.rules.cases import Disjunct
    from pg3.learning.regression.rules.numbers import Shift
    from pg3.learning.regression.rules.steps import StepKey
    from pg3.pddl.model import Domain, TypeNames
    from pg3.pddl.numbers import NumericEffect

# Beyond these a rule is about one problem rather than about the domain, and matching it is slow.
MAX_VARIABLES = 20
MAX_CONDITIONS = 60


class SuffixTree:
    """All suffixes met so far, by goal; runs of moves become `macro_moves`.

    With `by_chains` a rule asks only for what the chain of its action needs (`causal_chains`).
    Of what the `dependencies` determine there is one: one floor of a room.
    """

    def __init__(
        self,
        domain: Domain,
        macro_moves: Mapping[str, MacroMove] = MappingProxyType({}),
        *,
        by_chains: bool = False,
        dependencies: Dependencies = MappingProxyType({}),
    ) -> None:
        self.domain = domain
        self._dependencies = dependencies
        # With axioms or conditional effects, what an action needs and does depends on more.
        self._reorders = by_chains and not domain.axioms and not has_conditional_effects(domain)
        self._macro_moves = macro_moves
        self._spreads = spreads_of(domain)
        self._writer = RuleWriter(domain, macro_moves, self._spreads, by_chains=by_chains)
        self._schemas = {action.name: action for action in domain.actions}
        self._schemas |= schemas_of(macro_moves)
        self._schemas |= {one.schema.name: one.schema for one in self._spreads.values()}
        self._gates = {
            variant.ahead: len(variant.gates)
            for macro in macro_moves.values()
            for variant in macro.variants
        }
        self._by_schema = {macro.action.name: macro for macro in macro_moves.values()}
        self._constants = {constant.name: constant.type for constant in domain.constants}
        self._roots: dict[StepKey, Suffix] = {}

    def regress(
        self,
        goal: Atom,
        plan: Sequence[GroundAction],
        types: Mapping[str, str],
        movers: Collection[GroundAction] = (),
    ) -> Iterator[Suffix]:
        """The suffixes of a plan that reaches a goal, from the shortest, one action long, on.

        `types` are the types of the problem's objects, `movers` those of `macro_moves` in it. Ends
        early before a suffix that would need more than `MAX_VARIABLES` or `MAX_CONDITIONS`. Where
        conditions spread (`spreading`), suffixes are those of several plans.
        """
        if self._reorders:
            plan = late([(one, self._step_of_plan(one)) for one in plan], goal)
        for one in rewritten(plan, self._spreads):
            yield from self._suffixes(goal, one, types, movers)

    def _suffixes(
        self,
        goal: Atom,
        plan: Sequence[GroundAction],
        types: Mapping[str, str],
        movers: Collection[GroundAction],
    ) -> Iterator[Suffix]:
        terms = {name: name for name in self._constants}
        key, terms = self._key(goal.predicate, goal.terms, terms, types)
        if key not in self._roots:
            self._roots[key] = self._root(key)
        root = self._roots[key]
        if not self._macro_moves:
            yield from self._along(root, plan, terms, types)
            return
        planner = MacroPlanner(self._macro_moves, movers, self._ground_step, self.domain, types)
        plan = planner.rewrite(goal, plan)
        yield from self._along(root, plan, terms, types)
        for closed, known in planner.with_closed_gates(plan):
            yield from self._along(root, closed, terms, known)

    def _root(self, key: StepKey) -> Suffix:
        """The suffix without an action. That the goal names a constant does not get into it."""
        predicate, terms, object_types = key
        declared = self.domain.predicates[self.domain.predicate_index[predicate]]
        variables = {term: term for term in terms if term not in self._constants}
        for constant in dict.fromkeys(term for term in terms if term in self._constants):
            variables[constant] = f"?{len(variables)}"
        own = dict(zip(variables, object_types, strict=False)) | self._constants
        asked = {variables[t]: p.types for t, p in zip(terms, declared.parameters, strict=True)}
        goal = Atom(predicate, tuple(variables[term] for term in terms))
        return Suffix(
            goal=goal,
            steps=(),
            needs=(Need(Literal(Atom(predicate, terms)), Literal(goal)),),
            types={
                name: asked[name][0] if len(asked[name]) == 1 else own[term]
                for term, name in variables.items()
            },
            object_types=object_types,
            objects={name: term for term, name in variables.items()},
            asked=asked,
        )

    def _along(
        self,
        suffix: Suffix,
        plan: Sequence[GroundAction],
        terms: dict[str, str],
        types: Mapping[str, str],
    ) -> Iterator[Suffix]:
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

    def giving(self, action: GroundAction) -> GroundAction:
        """An action that is done for its effects on numbers."""
        schema = giving(self._schemas[action.name])
        self._schemas.setdefault(schema.name, schema)
        return GroundAction(schema.name, action.objects)

    def with_disjuncts(self, action: GroundAction, chosen: tuple[Disjunct, ...]) -> GroundAction:
        """An action that needs some disjuncts, whose objects it has after its own."""
        if not chosen:
            return action
        schema = with_disjuncts(self._schemas[action.name], chosen, self.domain.axioms)
        self._schemas.setdefault(schema.name, schema)
        return GroundAction(schema.name, action.objects)

    def with_effects(
        self, action: GroundAction, objects: tuple[str, ...], numbers: tuple[int, ...]
    ) -> GroundAction:
        """An action with some of its conditional effects, whose objects come after its own."""
        if not numbers:
            return action
        schema = with_effects(self._schemas[action.name], numbers)
        self._schemas.setdefault(schema.name, schema)
        return GroundAction(schema.name, (*action.objects, *objects))

    def _step_of_plan(self, action: GroundAction) -> Step:
        """An action of a plan, which is not rewritten yet: moves are no macro moves."""
        if action.name in self._macro_moves:
            return Step.of(self.domain.action(action.name), action.objects)
        return self._ground_step(action)

    def _ground_step(self, action: GroundAction) -> Step:
        return Step.of(self._schemas[action.name], action.objects)

    def _key(
        self, symbol: str, objects: Iterable[str], terms: dict[str, str], types: Mapping[str, str]
    ) -> tuple[StepKey, dict[str, str]]:
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

    def _extend(self, suffix: Suffix, key: StepKey) -> Suffix | None:
        """The suffix with one more action before it, None if the action is not relevant."""
        name, objects, new_types = key
        object_types = suffix.object_types + new_types
        schema = self._schemas[name]
        pattern = Step.of(schema, objects)
        types, stands_for = dict(suffix.types), dict(suffix.objects)
        several = dict(suffix.asked)
        # Numbers and levels are often the same in two places by chance, so each place has a
        # variable of its own. Not where the action deletes what it adds: it would do other things.
        apart = len(pattern.effects) == len({e.atom for e in schema.effects}) and not any(
            c.positive and c.atom.predicate == EQUALS for c in schema.precondition
        )
        fresh: dict[tuple[str, int], str] = {}
        for place, term in enumerate(objects):
            own = (term, place if apart else 0)
            asked = schema.parameters[place].types
            its_type = self._constants.get(term) or object_types[int(term[1:])]
            type_ = asked[0] if len(asked) == 1 else its_type
            if own in fresh:
                type_ = self._narrower(type_, types[fresh[own]])
            else:
                fresh[own] = f"?{len(types)}"
            types[fresh[own]] = type_
            stands_for[fresh[own]] = term
            several[fresh[own]] = self._narrower_of(several.get(fresh[own], asked), asked)
        arguments = tuple(fresh[term, place if apart else 0] for place, term in enumerate(objects))
        macro = self._by_schema.get(name)
        if macro is not None and objects[macro.start] == objects[macro.end]:
            # An empty macro move may be longer elsewhere: its ends get two variables.
            place, start = macro.start, f"?{len(types)}"
            types[start] = types[arguments[place]]
            stands_for[start] = objects[place]
            several[start] = several[arguments[place]]
            arguments = (*arguments[:place], start, *arguments[place + 1 :])
        step = Step.of(schema, arguments)

        # An empty macro move deletes nothing in the pattern, so that its effects there are fewer.
        provided = dict(zip(pattern.effects, step.effects, strict=False))
        is_giving = gives(name) and any(_is_helped(need, pattern.changes) for need in suffix.needs)
        if not is_giving and not any(need.pattern in provided for need in suffix.needs):
            return None
        same = _Unifier(self._constants)
        remaining = []
        for need in suffix.needs:
            if found := shifts(need.pattern.atom, pattern.changes):
                remaining.append(_shifted(need, found, pattern, step, same, is_giving=is_giving))
            elif need.pattern in provided:
                same.unify(need.literal, provided[need.pattern])
                if need.is_gate:
                    # Other rules go through a gate that is open.
                    remaining.append(Need(need.pattern.negated, need.literal.negated))
            else:
                remaining.append(need)
        facts = {need.pattern: need.literal for need in remaining}
        number = len(pattern.needs) - self._gates.get(name, 0)
        gates = [place >= number for place in range(len(pattern.needs))]
        for need in map(Need, pattern.needs, step.needs, gates):
            if need.pattern in facts and need.pattern.atom.predicate in self.domain.fluents:
                same.unify(need.literal, facts[need.pattern])
            if not self._is_trivial(need.literal):
                remaining.append(need)
        _unify_determined(remaining, self._dependencies, same)

        for merged, type_ in list(types.items()):
            kept = same.term(merged)
            if kept in types:
                types[kept] = self._narrower(types[kept], type_)
                several[kept] = self._narrower_of(several[kept], several[merged])
        longer = Suffix(
            goal=same.atom(suffix.goal),
            steps=tuple(Step.of(s.schema, same.terms(s.arguments)) for s in (step, *suffix.steps)),
            needs=tuple(n._replace(literal=same.literal(n.literal)) for n in remaining),
            types=types,
            object_types=object_types,
            objects=stands_for,
            asked=several,
        )
        # A suffix that needs the goal itself gives no rule: the goal holds where it would start.
        # Nor does one that needs both sides of a literal, which a move put elsewhere can.
        condition = {Literal(longer.goal, False), *longer.condition}
        if not any(literal.negated in condition for literal in condition):
            longer.rules = self._writer.rules(longer)
            for rule in longer.rules:
                if len(rule.parameters) > MAX_VARIABLES or rule.size > MAX_CONDITIONS:
                    return TOO_LARGE
        return longer

    def _narrower(self, one: str, other: str) -> str:
        """The narrower of two types that some object has."""
        return one if self.domain.is_a(one, (other,)) else other

    def _narrower_of(self, one: TypeNames, other: TypeNames) -> TypeNames:
        """What two lists of types that a parameter may have share."""
        shared = [name for name in one if self.domain.is_a(name, other)]
        shared += [n for n in other if n not in shared and self.domain.is_a(n, one)]
        return tuple(shared) or other

    def _is_trivial(self, literal: Literal) -> bool:
        """Whether an equality says nothing: of a term and itself, of constants."""
        predicate, terms = literal.atom
        return predicate == EQUALS and (
            terms[0] == terms[1] or all(term in self._constants for term in terms)
        )


def _is_helped(need: Need, changes: Sequence[NumericEffect]) -> bool:
    found = shifts(need.pattern.atom, changes)
    return bool(found) and helps(need.pattern, found, changes)


def _shifted(
    need: Need,
    found: Sequence[Shift],
    pattern: Step,
    step: Step,
    same: _Unifier,
    *,
    is_giving: bool,
) -> Need:
    """The need of numbers before a step that changes them."""
    (atom, positive), is_given = need.literal, need.is_given
    comparison, both = sides(atom)
    if [len(one.functions) for one in both] != [
        len(one.functions) for one in sides(need.pattern.atom)[1]
    ]:
        # Functions that are one in the plan, of variables that may be two: left to the plan.
        return need._replace(is_given=True)
    for side, place, number in found:
        _, function = both[side].functions[place]
        same.unify_terms(function.terms, step.changes[number].function.terms)
    # What a goal asks is no condition on the state before.
    of_goal = any(function.goal for function in comparison.functions)
    is_given = is_given or of_goal or (is_giving and helps(need.pattern, found, pattern.changes))
    return need._replace(
        pattern=Literal(shifted(need.pattern.atom, found, pattern.changes), positive),
        literal=Literal(shifted(atom, found, step.changes), positive),
        is_given=is_given,
    )


def _unify_determined(needs: Iterable[Need], dependencies: Dependencies, same: _Unifier) -> None:
    """Make terms the same that the other arguments of a static fact determine.

    That is the chase of databases. The facts are one in the plan, so that the terms are, too.
    """
    facts = [need for need in needs if need.literal.positive]
    is_done = False
    while not is_done:
        is_done = True
        known: dict[tuple[Literal, int, tuple[str, ...]], str] = {}
        for need in facts:
            for place in dependencies.get(need.literal.atom.predicate, ()):
                terms = same.terms(need.literal.atom.terms)
                key = need.pattern, place, (*terms[:place], *terms[place + 1 :])
                other = known.setdefault(key, terms[place])
                if same.term(other) != terms[place]:
                    same.unify_terms((other,), (terms[place],))
                    is_done = False


class _Unifier:
    """Which terms must be the same; a constant or the earliest variable represents them."""

    def __init__(self, constants: Collection[str]) -> None:
        self._constants = constants
        self._same: dict[str, str] = {}

    def term(self, term: str) -> str:
        """The representative of a term."""
        while term in self._same:
            term = self._same[term]
        return term

    def terms(self, terms: Iterable[str]) -> tuple[str, ...]:
        """The representatives of terms."""
        return tuple([self.term(term) for term in terms])

    def atom(self, atom: Atom) -> Atom:
        """The atom with the representatives of its terms."""
        return Atom(atom.predicate, self.terms(atom.terms))

    def literal(self, literal: Literal) -> Literal:
        """The literal with the representatives of its terms."""
        return Literal(self.atom(literal.atom), literal.positive)

    def unify(self, literal: Literal, other: Literal) -> None:
        """Make two literals of one predicate the same.

        Comparisons that are one in the plan may have two, such as of twice a function and of its
        sum over two variables; these stay apart.
        """
        if literal.atom.predicate == other.atom.predicate:
            self.unify_terms(literal.atom.terms, other.atom.terms)

    def unify_terms(self, terms: Iterable[str], others: Iterable[str]) -> None:
        """Make terms the same, one by one."""
        for x, y in zip(terms, others, strict=True):
            kept, merged = sorted((self.term(x), self.term(y)), key=self._age)
            if kept != merged:
                self._same[merged] = kept

    def _age(self, term: str) -> int:
        return -1 if term in self._constants else int(term[1:])

"""A problem in the kernel's terms: integers in, names out.

A `Task` encodes its problem once and caches what searches compute (states, successors, heuristic
values, rule results), so a second search on it is cheap. It grounds the problem only when needed:
planning and the methods on states do, executing a policy does not.
"""

from __future__ import annotations

import math
import threading
import time
from array import array
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pg3 import _native
from pg3.errors import Pg3Error
from pg3.pddl.given import as_problem
from pg3.pddl.model import (
    Atom,
    Predicate,
    decode_atoms,
    disjunction_text,
    value_atom,
    value_of,
)
from pg3.pddl.numbers import plain
from pg3.pddl.plans import GroundAction
from pg3.pddl.strata import stratify_axioms
from pg3.policy import check_policy
from pg3.policy.encoding import (
    ConditionKind,
    encode_action,
    encode_axiom,
    encode_literal,
    encode_policy,
    term_numbers,
)
from pg3.policy.files import as_policy
from pg3.policy.model import DecisionList
from pg3.policy.number_encoding import encode_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pg3.pddl.given import ProblemLike
    from pg3.pddl.model import Domain, Problem
    from pg3.pddl.numbers import Number
    from pg3.policy.files import PolicyLike

# All true atoms, static ones included, without derived ones: those follow from the others.
State = frozenset[Atom]


class _Schemas(NamedTuple):
    """A domain's actions, and its axioms by strata, in the kernel's terms."""

    actions: list[_native.ActionCode]
    axioms: list[list[_native.AxiomCode]]
    terms: list[dict[str, int]]


class Task:
    """A problem ready for planning, with everything computed about it so far.

    Safe to use from several threads: searches on one task wait for each other, those on different
    tasks run in parallel. The numbers of states and actions belong to one state space, which is
    made once and never replaced.
    """

    def __init__(self, problem: Problem, rules: _native.RuleTable | None = None) -> None:
        """Encode the problem; `rules` is a table to share between the tasks of one learner."""
        self.problem = problem
        self.rules = _native.RuleTable() if rules is None else rules
        self._rule_numbers: dict[DecisionList, tuple[int, ...]] = {}
        self._native: _native.Task | None = None
        self._space: _native.StateSpace | None = None
        self._coding = threading.Lock()
        self._grounding = threading.Lock()

    @classmethod
    def of(cls, problem: ProblemLike | Task) -> Task:
        """The task of a problem, or of the one in a file; a task is returned as it is."""
        return problem if isinstance(problem, Task) else cls(as_problem(problem))

    @classmethod
    def with_policy(
        cls, problem: ProblemLike | Task, policy: PolicyLike
    ) -> tuple[Task, DecisionList]:
        """A task and a policy for it; either may be in a file."""
        if isinstance(policy, DecisionList) and not isinstance(problem, Task):
            problem = as_problem(problem, policy.domain)
        task = cls.of(problem)
        return task, as_policy(policy, task.domain)

    @property
    def domain(self) -> Domain:
        """The problem's domain."""
        return self.problem.domain

    @property
    def native(self) -> _native.Task:
        """The kernel's task."""
        with self._coding:
            if self._native is None:
                self._native = self._encode()
            return self._native

    def _encode(self) -> _native.Task:
        domain, problem = self.domain, self.problem
        type_numbers = {type_.name: i for i, type_ in enumerate(domain.types)}
        return _native.Task(
            len(domain.types),
            array("i", [type_numbers[o.type] for o in problem.all_objects]).tobytes(),
            [symbol.arity for symbol in self.symbols],
            self._schemas.actions,
            problem.init.codes,
            problem.goal.codes + array("i", self._goals_of_disjunctions).tobytes(),
            problem.negative_goal.codes,
            [
                (
                    [
                        domain.function_index[term.predicate],
                        *map(self._numbers.__getitem__, term.terms),
                    ],
                    int(value),
                )
                for term, value in problem.function_values.items()
                if term.predicate in self._priced
            ],
            [*self._schemas.axioms, *self._disjunctions()],
            encode_numbers(problem, self.symbols, self._numbers, self._schemas.terms),
        )

    @cached_property
    def _priced(self) -> frozenset[str]:
        """The functions whose values are costs: without numbers, all."""
        if not self.domain.has_numbers:
            return frozenset(self.domain.function_index)
        costs = (action.cost for action in self.domain.actions)
        return frozenset(cost.predicate for cost in costs if isinstance(cost, Atom))

    @cached_property
    def symbols(self) -> tuple[Predicate, ...]:
        """The kernel's predicates: the domain's, then one for each disjunction of the goal.

        After those, comparisons of disjunctions that the domain has no predicate for.
        """
        domain, disjunctions = self.domain, self.problem.disjunctions
        names = (atom.predicate for one in disjunctions for part in one for atom, _ in part)
        more = dict.fromkeys(name for name in names if name not in domain.predicate_index)
        own = (Predicate(disjunction_text(one), ()) for one in disjunctions)
        compared = (found for name in more if (found := domain.comparison(name)) is not None)
        return (*domain.predicates, *own, *compared)

    @property
    def _goals_of_disjunctions(self) -> range:
        first = len(self.domain.predicates)
        return range(first, first + len(self.problem.disjunctions))

    def _disjunctions(self) -> Iterator[list[_native.AxiomCode]]:
        """Axioms that derive a disjunction's predicate where one of its alternatives holds."""
        terms = {name: -1 - number for name, number in self._numbers.items()}
        index = {symbol.name: i for i, symbol in enumerate(self.symbols)}
        for number, alternatives in zip(
            self._goals_of_disjunctions, self.problem.disjunctions, strict=True
        ):
            # Without alternatives nothing derives it: the goal cannot be reached.
            if alternatives:
                yield [
                    (
                        number,
                        [],
                        [
                            encode_literal(one, ConditionKind.STATE, terms, index)
                            for one in conjunction
                        ],
                    )
                    for conjunction in alternatives
                ]

    @cached_property
    def _schemas(self) -> _Schemas:
        domain = self.domain
        return _Schemas(
            [encode_action(action, domain) for action in domain.actions],
            [
                [encode_axiom(clause, domain) for clause in domain.axioms if clause.name in group]
                for group in stratify_axioms(domain.axioms)
            ],
            [term_numbers(action.parameters, domain) for action in domain.actions],
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The objects' names in number order."""
        return tuple(o.name for o in self.problem.all_objects)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def ground(
        self,
        seconds: float | None = None,
        megabytes: float | None = None,
        process_megabytes: float | None = None,
    ) -> str | None:
        """Ground the task unless it is ground; None, or the name of the limit that was reached.

        `megabytes` limits the memory of the kernel for it, `process_megabytes` that of the process.
        """
        if self._space is not None:
            return None
        start = time.monotonic()
        wait = -1.0 if seconds is None else min(max(0.0, seconds), threading.TIMEOUT_MAX)
        if not self._grounding.acquire(timeout=wait):
            return "time limit"
        try:
            # Another thread may have grounded it meanwhile; its numbers are in use.
            if self._space is None:
                left = None if seconds is None else max(0.0, seconds - (time.monotonic() - start))
                result = _native.ground(self.native, self.rules, left, megabytes, process_megabytes)
                if isinstance(result, str):
                    return result
                self._space = result
            return None
        finally:
            self._grounding.release()

    @property
    def is_ground(self) -> bool:
        """Whether the task is ground."""
        return self._space is not None

    @property
    def space(self) -> _native.StateSpace:
        """The kernel's state space; grounds the task, without limits, if that was not done yet."""
        if self._space is None and (limit := self.ground()):
            raise Pg3Error(f"the problem is too large to ground: {limit}")
        assert self._space is not None
        return self._space

    def rule_numbers(self, policy: DecisionList) -> tuple[int, ...]:
        """The numbers of the policy's rules in the kernel; PolicyError if it does not fit."""
        numbers = self._rule_numbers.get(policy)
        if numbers is None:
            check_policy(policy, self.domain)
            # Threads that come here at once get the same numbers: the table knows its rules.
            numbers = tuple(map(self.rules.add, encode_policy(policy, self.domain, self.rules)))
            self._rule_numbers[policy] = numbers
        return numbers

    def another(self, problem: Problem) -> Task:
        """A task for a problem of the same domain, which shares the encoded domain and policies.

        For trying one policy on thousands of small problems.
        """
        assert problem.domain == self.domain
        task = Task(problem, self.rules)
        task._rule_numbers = self._rule_numbers
        task._schemas = self._schemas
        return task

    # States of the kernel are numbers; those of the methods below are sets of atoms.

    @cached_property
    def initial_state(self) -> State:
        """The atoms that are true at the start, and the values of functions."""
        return self.problem.initial_state

    def applicable(self, state: State) -> tuple[GroundAction, ...]:
        """The actions that can be done, ordered as the domain lists them, then by objects."""
        successors = self.space.successors(self.number(state))
        return tuple(self.decode_action(action) for action, _ in successors)

    def successor(self, state: State, action: GroundAction) -> State:
        """The state after an action; ValueError if the action is not applicable."""
        number = self.action_number(action)
        for candidate, result in self.space.successors(self.number(state)):
            if candidate == number:
                return self.atoms(result)
        raise ValueError(f"{action} is not applicable")

    def is_goal(self, state: State) -> bool:
        """Whether all goals hold."""
        return self.space.is_goal(self.number(state))

    def h_add(self, state: State) -> float:
        """The additive heuristic with unit costs; infinite if the goal is out of reach.

        Negative preconditions and goals count through complement atoms. Values from a billion up
        are all given as a billion.
        """
        value = self.space.heuristic(self.number(state), "add")
        return math.inf if value is None else value

    def fluent(self, atom: Atom) -> int:
        """The kernel's number for an atom that is true in some states only; else negative."""
        return self.space.find_fluent(self._code(atom))

    def number(self, state: Iterable[Atom]) -> int:
        """The kernel's number for a state. Static atoms are ignored: they never change.

        So are derived ones. ValueError if the state holds an atom that no sequence of actions can
        make true.
        """
        space, known = self.space, self.domain.fluents - self.domain.derived
        fluents = []
        values: dict[Atom, Number] = {}
        for atom in state:
            if found := value_of(atom):
                values[found[0]] = found[1]
            if atom.predicate in known:
                fluent = self.fluent(atom)
                if fluent < 0:
                    raise ValueError(f"{atom} can never be true in this problem")
                fluents.append(fluent)
        if not self._number_atoms:
            return space.intern(fluents)
        given = [values.get(atom, 0) for atom in self._number_atoms]
        return space.intern(fluents, [int(value * self._scale) for value in given])

    @cached_property
    def _number_atoms(self) -> tuple[Atom, ...]:
        """The functions that actions change, in the kernel's order."""
        numeric = self.domain.numeric_functions
        return tuple(atom for atom in self.problem.function_values if atom.predicate in numeric)

    @cached_property
    def _scale(self) -> int:
        code = encode_numbers(self.problem, self.symbols, self._numbers, self._schemas.terms)
        return 1 if code is None else code[0]

    def _values(self, number: int) -> Iterator[Atom]:
        """The values of functions in a state of the kernel."""
        if self._number_atoms:
            values = self.space.values(number)
            for atom, value in zip(self._number_atoms, values, strict=True):
                yield value_atom(atom, plain(Fraction(value, self._scale)))

    def atoms(self, number: int) -> State:
        """The state behind one of the kernel's numbers."""
        fluents = decode_atoms(self.symbols, self.names, self.space.atoms(number))
        known = self.domain.fluents - self.domain.derived
        atoms = (atom for atom in fluents if atom.predicate in known)
        return self._static.union(atoms, self._values(number))

    def all_atoms(self, number: int) -> tuple[Atom, ...]:
        """The atoms of a state with derived ones, in a fixed order."""
        fluents = decode_atoms(self.symbols, self.names, self.space.atoms(number))
        known = (atom for atom in fluents if atom.predicate in self.domain.predicate_index)
        static = (atom for atom in self.problem.init if atom in self._static)
        return (*static, *known, *self._values(number))

    def derived_atoms(self, state: State) -> State:
        """The atoms that the domain's axioms derive in a state."""
        codes = self.space.atoms(self.number(state))
        atoms = decode_atoms(self.symbols, self.names, codes)
        return frozenset(atom for atom in atoms if atom.predicate in self.domain.derived)

    @cached_property
    def _static(self) -> State:
        fluents = self.domain.fluents
        return frozenset(atom for atom in self.problem.init if atom.predicate not in fluents)

    def _code(self, atom: Atom) -> list[int]:
        return [
            self.domain.predicate_index[atom.predicate],
            *(self._numbers[t] for t in atom.terms),
        ]

    def action_number(self, action: GroundAction) -> int:
        """The kernel's number for a ground action, or -1 if it can never be done."""
        schema = self.domain.action_index.get(action.name)
        objects = [self._numbers.get(name, -1) for name in action.objects]
        if schema is None or -1 in objects:
            return -1
        return self.space.find_action([schema, *objects])

    def decode_action(self, number: int) -> GroundAction:
        """The ground action behind one of the kernel's numbers."""
        schema, *objects = self.space.action(number)
        return self.name_action(schema, objects)

    def name_action(self, schema: int, objects: Sequence[int]) -> GroundAction:
        """A ground action from the numbers of its schema and objects."""
        names = self.names
        return GroundAction(self.domain.actions[schema].name, tuple([names[o] for o in objects]))

    def decode_plan(self, codes: bytes) -> tuple[GroundAction, ...]:
        """The ground actions in the kernel's code of a plan."""
        return tuple(self.decode_actions(codes))

    def decode_actions(self, codes: bytes) -> Iterator[GroundAction]:
        """The same one by one."""
        arities = [len(action.parameters) for action in self.domain.actions]
        values = memoryview(codes).cast("i")
        at = 0
        while at < len(values):
            end = at + 1 + arities[values[at]]
            yield self.name_action(values[at], values[at + 1 : end].tolist())
            at = end

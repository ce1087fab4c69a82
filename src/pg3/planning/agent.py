"""A policy at work in a world that also changes by itself: facts in, actions out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import pg3
from pg3 import _native
from pg3.errors import Pg3Error, did_you_mean
from pg3.pddl.model import Atom, value_atom, value_of
from pg3.pddl.numbers import is_value, number_of
from pg3.pddl.plans import GroundAction
from pg3.planning.execution import PolicyStep
from pg3.semantics.effects import Effects
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl.given import ProblemLike
    from pg3.pddl.model import Problem
    from pg3.pddl.numbers import Number
    from pg3.policy.files import PolicyLike
    from pg3.semantics.task import State

    # "(at car1 port)", ("at", "car1", "port") or an atom.
    FactLike = Atom | str | Sequence[str]
    ActionLike = GroundAction | str | Sequence[str]


# The value of a function: "(= (fuel van) 3)".
_VALUE = re.compile(r"\(=\s+\(([^()]+)\)\s+(\S+)\)")


class Agent:
    """Chooses actions by a policy as the world changes, in microseconds a step.

    It begins in the problem's initial state and pursues the problem's goal. Tell it what holds with
    `observe` (everything) or `update` (what has changed); `apply` takes an action's effects as
    given. `act` says what to do; it changes nothing. Facts and actions may be written as text,
    "(at car1 port)". The work of a step depends on what has changed, not on the size of the state.
    """

    def __init__(self, problem: ProblemLike, policy: PolicyLike) -> None:
        task, self.policy = Task.with_policy(problem, policy)
        self._begin(task.problem)

    def _begin(self, problem: Problem) -> None:
        self.problem = problem
        domain = problem.domain
        self._predicates = domain.predicate_index
        self._arities = [predicate.arity for predicate in domain.predicates]
        self._numbers = {name: i for i, name in enumerate(problem.object_names)}
        # What the kernel can change in a running agent; for other predicates it starts anew.
        self._changeable = domain.fluents - domain.derived
        self._facts = set(problem.initial_state)
        self._effects = Effects(problem)
        self._start(Task(problem))

    def _start(self, task: Task) -> None:
        agent = _native.start_agent(task.native, task.rules, task.rule_numbers(self.policy))
        assert isinstance(agent, _native.Agent)  # without limits
        self._task = task
        self._native: _native.Agent | None = agent
        self._pending: list[tuple[bool, list[int]]] = []
        self._answer: tuple[bool, list[int]] | None = None

    def reset(self, problem: ProblemLike | None = None) -> None:
        """Begin again, in the initial state of this or of another problem of the domain."""
        if problem is None:
            self._begin(self.problem)
            return
        task, _ = Task.with_policy(problem, self.policy)
        task.rule_numbers(self.policy)  # whether it fits, before anything is given up
        self._begin(task.problem)

    @property
    def state(self) -> State:
        """The facts that hold, as far as the agent was told."""
        return frozenset(self._facts)

    @property
    def solved(self) -> bool:
        """Whether the goal holds."""
        return self._ask()[0]

    def observe(self, facts: Iterable[FactLike]) -> None:
        """What holds now, and nothing else; what axioms derive need not be among it."""
        now = self._atoms(facts)
        # Numbers that are not told are what they were.
        told = {found[0] for fact in now if (found := value_of(fact))}
        now |= {fact for fact in self._facts if (old := value_of(fact)) and old[0] not in told}
        self._change(now - self._facts, self._facts - now)

    def update(self, added: Iterable[FactLike] = (), deleted: Iterable[FactLike] = ()) -> None:
        """What has begun to hold and what has ceased to; a fact in both holds."""
        new, old = self._atoms(added), self._atoms(deleted)
        told = {found[0] for fact in new if (found := value_of(fact))}
        if told:  # else it would look at every fact, at every step
            old |= {fact for fact in self._facts if (was := value_of(fact)) and was[0] in told}
        self._change(new - self._facts, (old - new) & self._facts)

    def apply(self, action: ActionLike) -> None:
        """An action was done, and had the effects that the domain says.

        Whether it could be done is not asked: the world has decided that already.
        """
        name, *objects = _words(action)
        schema = self.problem.domain.action_index.get(name)
        if schema is None:
            hint = did_you_mean(name, self.problem.domain.action_index)
            raise Pg3Error(f"the domain has no action '{name}'" + (f": {hint}" if hint else ""))
        wanted = len(self.problem.domain.actions[schema].parameters)
        if len(objects) != wanted:
            raise Pg3Error(f"'{name}' has {wanted} parameters, not {len(objects)}")
        for one in objects:
            self._number(one)
        adds, deletes = self._effects.changes(GroundAction(name, tuple(objects)), self._facts)
        self._change(adds - self._facts, deletes & self._facts)

    def act(self) -> GroundAction | None:
        """What the policy does now, None if no rule applies; asking again gives the same."""
        step = self.step()
        return None if step is None else step.action

    def step(self) -> PolicyStep | None:
        """What the policy does now, with the rule that acts and its objects."""
        choice = self._ask()[1]
        if not choice:
            return None
        rule = self.policy.rules[choice[0]]
        objects = tuple([self._task.names[o] for o in choice[1:]])
        binding = {p.name: o for p, o in zip(rule.parameters, objects, strict=True)}
        return PolicyStep(choice[0], objects, rule.ground_action(binding))

    def explain(self) -> pg3.Explanation:
        """What the policy does from here on, and why, if nothing else happens: `pg3.explain`.

        Print it where `act` gives None: it says what keeps each rule from acting.
        """
        return pg3.explain(self.problem, self.policy, start=self.state)

    @property
    def rule(self) -> str | None:
        """The name of the rule that acts now, None if none applies."""
        choice = self._ask()[1]
        return self.policy.rules[choice[0]].name if choice else None

    def _ask(self) -> tuple[bool, list[int]]:
        if self._answer is None:
            if self._native is None:
                self._start(self._task.another(self.problem.replace(init=sorted(self._facts))))
            agent, self._native = self._native, None
            assert agent is not None
            # After Ctrl-C nothing of it can be used: the next question starts it anew.
            answer = agent.ask(self._pending)
            assert not isinstance(answer, str)  # without limits
            self._native, self._pending, self._answer = agent, [], answer
        return self._answer

    def _change(self, added: Iterable[Atom], deleted: Iterable[Atom]) -> None:
        changes = [(False, atom) for atom in deleted] + [(True, atom) for atom in added]
        if not changes:
            return
        self._answer = None
        for present, atom in changes:
            (self._facts.add if present else self._facts.discard)(atom)
            if atom.predicate not in self._changeable:
                self._native = None
        if self._native is not None:
            self._pending += [
                (present, [self._predicates[atom.predicate], *map(self._number, atom.terms)])
                for present, atom in changes
            ]

    def _atoms(self, facts: Iterable[FactLike]) -> set[Atom]:
        """The atoms, checked, but those that axioms derive."""
        if isinstance(facts, str | Atom) or not isinstance(facts, Iterable):
            raise Pg3Error(f"a list of facts is expected, such as ['(at car1 port)'], not {facts}")
        return {fact for fact in map(self._fact, facts) if fact is not None}

    def _fact(self, fact: FactLike) -> Atom | None:
        """The atom, checked; None if axioms derive it."""
        if isinstance(fact, Atom) and is_value(fact.predicate):
            return fact
        if isinstance(fact, str) and (value := _VALUE.fullmatch(fact.strip().lower())):
            return self._value(*value[1].split(), number=number_of(value[2]), text=fact)
        predicate, *terms = _words(fact)
        number = self._predicates.get(predicate)
        if number is None:
            hint = did_you_mean(predicate, self._predicates)
            text = f"the domain has no predicate '{predicate}'"
            raise Pg3Error(text + (f": {hint}" if hint else ""))
        if len(terms) != self._arities[number]:
            raise Pg3Error(f"'{predicate}' has {self._arities[number]} arguments, not {len(terms)}")
        for name in terms:
            self._number(name)
        return None if predicate in self.problem.domain.derived else Atom(predicate, tuple(terms))

    def _value(self, function: str, *terms: str, number: Number | None, text: str) -> Atom:
        """The fact that a function has a value."""
        known = self.problem.domain.numeric_functions
        if function not in known or number is None:
            raise Pg3Error(f"{text} is no value of a function that actions change")
        for name in terms:
            self._number(name)
        return value_atom(Atom(function, terms), number)

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            hint = did_you_mean(name, self._numbers)
            raise Pg3Error(f"there is no object '{name}'" + (f": {hint}" if hint else ""))
        return number

    def __repr__(self) -> str:
        return f"<agent of {self.policy!r} on {self.problem!r}>"


def _words(value: FactLike | ActionLike) -> list[str]:
    """The name, then the objects."""
    if isinstance(value, Atom | GroundAction):
        return [value[0], *value[1]]
    if isinstance(value, str):
        value = value.strip().removeprefix("(").removesuffix(")").split()
    words = list(value) if isinstance(value, Iterable) else []
    if not words or not all(isinstance(word, str) for word in words):
        raise Pg3Error(f"a fact or an action is expected, such as (at car1 port), not {value!r}")
    return [word.lower() for word in words]

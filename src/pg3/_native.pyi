"""The compiled kernel: integers and bytes in, plain values out."""

import builtins
from collections.abc import Sequence
from typing import overload

class Tokens:
    """A text cut into lower-cased words and parentheses, with byte positions."""

    def __init__(self, text: bytes) -> None: ...
    def __len__(self) -> int: ...
    def word(self, index: int) -> str: ...
    def begin(self, index: int) -> int: ...
    def end(self, index: int) -> int: ...
    def closing(self, index: int) -> int: ...
    def unclosed(self) -> list[int]: ...
    def buried_section(self) -> tuple[int, int]: ...

class ProblemLists:
    """The lists of a problem: tuples of 32-bit numbers, each a symbol's and then objects'.

    `fault` names the section that cannot be accepted, "" if all is well.
    """

    @property
    def names(self) -> list[str]: ...
    @property
    def types(self) -> bytes: ...
    @property
    def init(self) -> bytes: ...
    @property
    def goal(self) -> bytes: ...
    @property
    def negative_goal(self) -> bytes: ...
    @property
    def valued(self) -> bytes: ...
    @property
    def values(self) -> bytes: ...
    @property
    def repeated_constants(self) -> list[int]: ...
    @property
    def joined_facts(self) -> list[int]: ...
    @property
    def fault(self) -> str: ...
    @property
    def fault_at(self) -> int: ...
    @property
    def contradicts(self) -> int: ...
    @property
    def odd_values(self) -> list[tuple[int, int]]: ...

def read_problem_lists(
    tokens: Tokens,
    *,
    types: list[str],
    constants: list[str],
    constant_types: list[int],
    predicates: list[tuple[str, list[str]]],
    functions: list[tuple[str, list[str]]],
    default_type: int,
    total_cost: int,
    objects: int,
    init: int,
    goal: int,
) -> ProblemLists: ...

# (kind, positive, predicate, terms): see pg3.policy.encoding
ConditionCode = tuple[int, bool, int, Sequence[int]]
# (action, arguments, parameter types, conditions)
RuleCode = tuple[int, Sequence[int], Sequence[Sequence[int]], Sequence[ConditionCode]]
# (parameter types, conditions)
ClauseCode = tuple[Sequence[Sequence[int]], Sequence[ConditionCode]]
# (form, arity, clauses, kind and number of the relation whose edges a graph has)
RelationCode = tuple[int, int, Sequence[ClauseCode], int, int]
# (types of the variables, conditions, effects)
EffectCode = tuple[Sequence[Sequence[int]], Sequence[ConditionCode], Sequence[ConditionCode]]
# (parameter types, preconditions, effects, cost, cost function or -1, its terms, conditional ones)
ActionCode = tuple[
    Sequence[Sequence[int]],
    Sequence[ConditionCode],
    Sequence[ConditionCode],
    int,
    int,
    Sequence[int],
    Sequence[EffectCode],
]

# (predicate, parameter types, conditions)
AxiomCode = tuple[int, Sequence[Sequence[int]], Sequence[ConditionCode]]

# (coefficients with functions and terms, constant)
SumCode = tuple[Sequence[tuple[int, int, Sequence[int]]], int]
# (order, sum): see pg3.policy.number_encoding
ComparisonCode = tuple[int, SumCode]
# (action, whether it assigns, function, terms, amount, its divisor)
NumericCode = tuple[int, bool, int, Sequence[int], SumCode, int]
# (scale, values of functions, comparisons by predicate, what actions do)
NumbersCode = tuple[
    int,
    Sequence[tuple[Sequence[int], int]],
    Sequence[tuple[int, ComparisonCode]],
    Sequence[NumericCode],
]

# ((action, arity) ..., objects)
NameCode = tuple[Sequence[tuple[str, int]], Sequence[str]]

class Task:
    """An integer-coded problem; ValueError if a number is out of its range."""

    def __init__(
        self,
        num_types: int,
        object_types: bytes,
        arities: Sequence[int],
        actions: Sequence[ActionCode],
        init: bytes,
        goal: bytes,
        negative_goal: bytes,
        function_values: Sequence[tuple[Sequence[int], int]],
        axioms: Sequence[Sequence[AxiomCode]] = (),
        numbers: NumbersCode | None = None,
    ) -> None: ...

class RuleTable:
    """Numbers for rules, shared by the state spaces of one domain."""

    def __init__(self) -> None: ...
    def add(self, rule: RuleCode) -> int: ...
    def extend(self, number: int, conditions: Sequence[ConditionCode]) -> list[int]: ...
    def get(self, number: int) -> RuleCode: ...
    def define(self, group: Sequence[RelationCode]) -> int: ...
    def compare(self, arity: int, comparison: ComparisonCode) -> int: ...
    def __len__(self) -> int: ...

class StateSpace:
    """A ground problem with its states, successors and heuristic values known so far."""

    @property
    def initial(self) -> int: ...
    @property
    def num_actions(self) -> int: ...
    @property
    def num_fluents(self) -> int: ...
    def num_states(self) -> int: ...
    def bytes(self) -> int: ...
    def find_fluent(self, atom: Sequence[int]) -> int: ...
    def find_action(self, action: Sequence[int]) -> int: ...
    def action(self, number: int) -> list[int]: ...
    def intern(self, fluents: Sequence[int], values: Sequence[int] | None = None) -> int: ...
    def values(self, state: int) -> list[int]: ...
    def atoms(self, state: int) -> builtins.bytes: ...
    def is_goal(self, state: int) -> bool: ...
    def successors(self, state: int) -> list[tuple[int, int]]: ...
    def applicable(self, state: int) -> builtins.bytes: ...
    def heuristic(self, state: int, kind: str, use_costs: bool = False) -> int | None: ...
    @overload
    def rule_match(self, rule: int, state: int) -> list[int] | None: ...
    @overload
    def rule_match(
        self,
        rule: int,
        state: int,
        seconds: float | None,
        process_megabytes: float | None = None,
    ) -> list[int] | str | None: ...
    @overload
    def derived(self, relation: int, state: int) -> list[int]: ...
    @overload
    def derived(
        self,
        relation: int,
        state: int,
        seconds: float | None,
        process_megabytes: float | None = None,
    ) -> list[int] | str: ...
    @overload
    def policy_action(self, policy: Sequence[int], state: int) -> int: ...
    @overload
    def policy_action(
        self,
        policy: Sequence[int],
        state: int,
        seconds: float | None,
        process_megabytes: float | None = None,
    ) -> int | str: ...
    @overload
    def compare(self, policy: Sequence[int], actions: Sequence[int]) -> list[bool]: ...
    @overload
    def compare(
        self,
        policy: Sequence[int],
        actions: Sequence[int],
        seconds: float | None,
        process_megabytes: float | None = None,
    ) -> list[bool] | str: ...
    def plan_to(
        self,
        start: int,
        fluents: Sequence[int],
        expansions: int,
        seconds: float | None = None,
        process_megabytes: float | None = None,
        weights: tuple[int, int] = (1, 0),
        generated: int | None = None,
    ) -> tuple[str, list[int]]: ...
    def apply(self, state: int, action: int) -> int: ...
    def search(
        self,
        policy: Sequence[int],
        rollout: int,
        heuristic: str,
        use_costs: bool,
        expansions: int | None,
        seconds: float | None,
        megabytes: float | None,
        process_megabytes: float | None = None,
        start: int | None = None,
        weights: tuple[int, int] = (1, 0),
        generated: int | None = None,
    ) -> tuple[str, list[tuple[int, bool]], int, int, int]: ...
    def search_lazily(
        self,
        policy: Sequence[int],
        fluents: Sequence[int],
        use_costs: bool,
        weight: int,
        bound: int | None,
        expansions: int | None,
        generated: int | None,
        seconds: float | None,
        megabytes: float | None,
        process_megabytes: float | None,
        start: int | None,
    ) -> tuple[str, list[tuple[int, bool]], int, int, int]: ...

def ground(
    task: Task,
    rules: RuleTable,
    seconds: float | None,
    megabytes: float | None,
    process_megabytes: float | None = None,
) -> StateSpace | str: ...
def resident_bytes() -> int: ...
def execute(
    task: Task,
    rules: RuleTable,
    policy: Sequence[int],
    max_steps: int | None,
    seconds: float | None,
    megabytes: float | None,
    time_steps: bool = False,
    plan_path: str | None = None,
    names: NameCode | None = None,
) -> tuple[str, int, bytes, int, list[int], int, bytes]: ...

class Walk:
    """One way through a ground problem: a state changed in place, starting with the initial one."""

    def __init__(self, space: StateSpace) -> None: ...
    @property
    def is_goal(self) -> bool: ...
    @property
    def state(self) -> bytes: ...
    def atoms(self) -> bytes: ...
    def applicable(self) -> bytes: ...
    def action(self, action: int) -> list[int]: ...
    def apply(self, action: int) -> bool: ...
    def action_table(self, width: int) -> bytes: ...

def random_walk(
    space: StateSpace,
    seed: int,
    max_steps: int | None,
    seconds: float | None,
    megabytes: float | None,
) -> tuple[str, int, bytes]: ...

class Agent:
    def ask(
        self, changes: Sequence[tuple[bool, Sequence[int]]]
    ) -> tuple[bool, list[int]] | str: ...

def start_agent(
    task: Task,
    rules: RuleTable,
    policy: Sequence[int],
    tuning: tuple[int, float, int, float, int, int] | None = None,
    seconds: float | None = None,
) -> Agent | str: ...
def check_plan(
    task: Task, plan: bytes
) -> tuple[bool, int, int, int, int, list[int], list[int]]: ...
def read_plan(tokens: Tokens, names: NameCode) -> tuple[bytes, int]: ...

class TrainingSet:
    """Training problems on which batches of candidate policies are scored.

    A batch gives its status first: "solved", or the limit that cut it short.
    """

    def __init__(self, spaces: Sequence[StateSpace], jobs: int) -> None: ...
    def bytes(self) -> int: ...
    def forget(self, everything: bool) -> None: ...
    @property
    def expansions(self) -> int: ...
    def guided(
        self,
        policies: Sequence[Sequence[int]],
        rollout: int,
        expansions: int | None,
        seconds: float | None,
        process_megabytes: float | None = None,
        horizon: int | None = None,
    ) -> tuple[str, builtins.bytes, builtins.bytes, builtins.bytes, list[tuple[int, int]]]: ...
    def traced(
        self,
        policies: Sequence[Sequence[int]],
        rollout: int,
        expansions: int | None,
        seconds: float | None,
        process_megabytes: float | None = None,
        horizon: int | None = None,
    ) -> tuple[str, builtins.bytes, builtins.bytes, list[int]]: ...
    def count(
        self,
        policies: Sequence[Sequence[int]],
        rollout: int,
        expansions: Sequence[int],
        traces: Sequence[int],
    ) -> list[tuple[int, int]]: ...
    def remember(self, expansions: int, traces: Sequence[tuple[int, int]]) -> None: ...
    def executed(
        self,
        policies: Sequence[Sequence[int]],
        max_steps: int,
        seconds: float | None,
        process_megabytes: float | None = None,
    ) -> tuple[str, builtins.bytes, builtins.bytes, builtins.bytes]: ...
    def executed_from(
        self,
        policies: Sequence[Sequence[int]],
        starts: Sequence[Sequence[int]],
        max_steps: int,
        seconds: float | None = None,
        process_megabytes: float | None = None,
    ) -> tuple[str, builtins.bytes]: ...
    def tried(
        self,
        policy: Sequence[int],
        like: Sequence[int],
        starts: Sequence[Sequence[int]],
        max_steps: int,
        seconds: float | None = None,
        process_megabytes: float | None = None,
    ) -> tuple[str, builtins.bytes]: ...
    def compared(
        self,
        policies: Sequence[Sequence[int]],
        plans: Sequence[Sequence[int]],
        seconds: float | None,
        process_megabytes: float | None = None,
    ) -> tuple[str, builtins.bytes]: ...
    def identified(
        self,
        policies: Sequence[Sequence[int]],
        states: Sequence[Sequence[int]],
        seconds: float | None,
        process_megabytes: float | None = None,
    ) -> tuple[str, list[int]]: ...
    def answers(
        self,
        policies: Sequence[Sequence[int]],
        states: Sequence[Sequence[int]],
        seconds: float | None,
        process_megabytes: float | None = None,
    ) -> tuple[str, list[int]]: ...
    def identifiers(self, answers: Sequence[int]) -> list[int]: ...

"""Every entry point of the kernel that can run long ends when its limit is reached.

Each is given work for years and a limit of a few milliseconds: that it comes back at all, and says
which limit it met, is the test. How soon is not asked. What is not in the table below is a mistake:
whoever adds an entry point says what keeps it short.
"""

from __future__ import annotations

import faulthandler
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pg3 import _gnn, _native
from pg3.baselines.gnn.kernel_trainer import KernelTrainer
from pg3.baselines.gnn.trainer import TrainerState
from pg3.baselines.gnn.weights import initial_weights
from pg3.planning import Limits, PlanStatus, execute, plan_guided
from pg3.policy import parse_policy
from tests.baselines.test_graphs import BENCH, WORKSHOP
from tests.baselines.test_trainers import samples_of
from tests.kernel.long_work import (
    LIGHTS,
    NAMES,
    POLICIES,
    SECONDS,
    SIZE,
    Work,
    empty_work,
    joined_task,
    lights,
    many_actions,
    policy_of,
)
from tests.support.comparisons import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pg3.policy.model import DecisionList
    from pg3.semantics.task import Task

LIMIT = "time limit"


@pytest.fixture(autouse=True)
def _end_of_patience() -> Iterator[None]:
    """Work that no limit ends would go on until somebody notices."""
    assert sys.__stderr__ is not None
    faulthandler.dump_traceback_later(900, exit=True, file=sys.__stderr__)
    yield
    faulthandler.cancel_dump_traceback_later()


def _ground(task: Task) -> str:
    result = _native.ground(task.native, task.rules, SECONDS, None)
    assert isinstance(result, str)
    return result


def _asked(work: Work) -> str:
    task, tuning = work.task, SETTINGS[min(SETTINGS)]
    agent = _native.start_agent(task.native, task.rules, work.rules, tuning, SECONDS)
    result = agent if isinstance(agent, str) else agent.ask([])
    assert isinstance(result, str)
    return result


def _executed(work: Work) -> str:
    return _native.execute(work.task.native, work.task.rules, work.rules, None, SECONDS, None)[0]


def _derived(work: Work) -> str:
    """Of each derived relation that is none of graphs, in the order of their definitions."""
    work.rules  # noqa: B018 - puts the relations into the table
    result = work.space.derived(0, work.space.initial, SECONDS)
    assert isinstance(result, str)
    return result


def _epoch() -> str:
    samples = samples_of(WORKSHOP, [BENCH])
    initial = TrainerState.initial(initial_weights(samples.vocabulary, 0))
    trainer, other = KernelTrainer(samples, initial), KernelTrainer(samples, initial)
    trainer.run(2)
    other.run(2)
    status = trainer._native.run_epoch(0.0)
    assert isinstance(status, str)
    # Nothing has happened.
    assert trainer.state() == other.state()
    trainer.run(1)
    other.run(1)
    assert trainer.state() == other.state()
    assert trainer.run(3, 0.0) == 0
    return status


def _string(answer: object) -> str:
    assert isinstance(answer, str), answer
    return answer


# For each entry point the calls that would take years, each with its policies, or why none can.
ANY = tuple(POLICIES)
DERIVED = ("static-clique", "static-tuples", "tuples", "recursive-tuples")
Calls = list[tuple[tuple[str, ...], "Callable[[Work], str]"]]

TEXT = "linear in the text"
TASK = "linear in the coded problem, apart from sorting"
GROUND = "linear in the ground task, which a limit was kept for"
STATE = "linear in the state and what axioms derive from it, all of which is ground"
LOOKUP = "a look into a table"
GIVEN = "linear in the numbers that it is given, and sets of policies are given by the hundred"

TABLE: dict[str, str | Calls] = {
    "ground": [
        ((), lambda _: _ground(many_actions(60))),
        ((), lambda _: _ground(joined_task("action"))),
        ((), lambda _: _ground(joined_task("axiom"))),
    ],
    "execute": [(ANY, _executed)],
    "start_agent": [(ANY, _asked)],
    "Agent.ask": [(ANY, _asked)],
    "random_walk": [
        ((), lambda work: _native.random_walk(work.space, 1, None, SECONDS, None)[0]),
    ],
    "check_plan": "linear in the plan",
    "read_plan": TEXT,
    "read_problem_lists": TEXT,
    "resident_bytes": LOOKUP,
    "StateSpace.search": [
        (ANY, lambda work: work.search()),
        ((), lambda work: work.search("blind", 0)),
        ((), lambda work: work.search("max", 0)),
    ],
    "StateSpace.plan_to": [
        (
            (),
            lambda work: work.space.plan_to(
                work.space.initial,
                [work.space.find_fluent([2, i]) for i in range(len(NAMES))],
                10**9,
                SECONDS,
                weights=(0, 0),
            )[0],
        ),
    ],
    "StateSpace.search_lazily": [
        (
            ANY,
            lambda work: work.space.search_lazily(
                work.rules, [], False, 0, None, None, None, SECONDS, None, None, None
            )[0],
        ),
    ],
    "StateSpace.rule_match": [
        (ANY, lambda work: _string(work.space.rule_match(work.rules[0], 0, SECONDS))),
    ],
    "StateSpace.policy_action": [
        (ANY, lambda work: _string(work.space.policy_action(work.rules, 0, SECONDS))),
    ],
    "StateSpace.compare": [
        (ANY, lambda work: _string(work.space.compare(work.rules, [0], SECONDS))),
    ],
    "StateSpace.derived": [(DERIVED, _derived)],
    "StateSpace.successors": GROUND,
    "StateSpace.applicable": GROUND,
    "StateSpace.heuristic": GROUND,
    **dict.fromkeys(
        [
            "StateSpace.intern",
            "StateSpace.atoms",
            "StateSpace.values",
            "StateSpace.is_goal",
            "StateSpace.apply",
        ],
        STATE,
    ),
    **dict.fromkeys(
        [
            "StateSpace.initial",
            "StateSpace.num_actions",
            "StateSpace.num_fluents",
            "StateSpace.num_states",
            "StateSpace.bytes",
            "StateSpace.find_fluent",
            "StateSpace.find_action",
            "StateSpace.action",
        ],
        LOOKUP,
    ),
    "TrainingSet.guided": [
        (ANY, lambda work: work.of_set(lambda s: s.guided([work.rules], 50, None, SECONDS))),
    ],
    "TrainingSet.traced": [
        (ANY, lambda work: work.of_set(lambda s: s.traced([work.rules], 50, None, SECONDS))),
    ],
    "TrainingSet.executed": [
        (ANY, lambda work: work.of_set(lambda s: s.executed([work.rules], 10**9, SECONDS))),
    ],
    "TrainingSet.executed_from": [
        (
            ANY,
            lambda work: work.of_set(
                lambda s: s.executed_from([work.rules], [[0], [0]], 10**9, SECONDS)
            ),
        ),
    ],
    "TrainingSet.tried": [
        (
            ANY,
            lambda work: work.of_set(lambda s: s.tried(work.rules, [], [[0], [0]], 10**9, SECONDS)),
        ),
    ],
    "TrainingSet.compared": [
        (ANY, lambda work: work.of_set(lambda s: s.compared([work.rules], [[0], [0]], SECONDS))),
    ],
    "TrainingSet.identified": [
        (ANY, lambda work: work.of_set(lambda s: s.identified([work.rules], [[0], [0]], SECONDS))),
    ],
    "TrainingSet.answers": [
        (ANY, lambda work: work.of_set(lambda s: s.answers([work.rules], [[0], [0]], SECONDS))),
    ],
    "TrainingSet.forget": "linear in what it frees; Ctrl-C ends waiting for a busy space",
    "TrainingSet.bytes": "linear in the problems; Ctrl-C ends waiting for a busy space",
    "TrainingSet.expansions": LOOKUP,
    **dict.fromkeys(
        [
            "TrainingSet.__init__",
            "TrainingSet.count",
            "TrainingSet.remember",
            "TrainingSet.identifiers",
        ],
        GIVEN,
    ),
    "GnnTrainer.run_epoch": [((), lambda _: _epoch())],
    "GnnTrainer.__init__": "linear in the samples",
    "GnnTrainer.state": "linear in the weights",
    "Task.__init__": TASK,
    "Walk.__init__": GROUND,
    **dict.fromkeys(["Walk.applicable", "Walk.action_table"], GROUND),
    **dict.fromkeys(["Walk.is_goal", "Walk.state", "Walk.atoms", "Walk.apply"], STATE),
    "Walk.action": LOOKUP,
    "Tokens.__init__": TEXT,
    **dict.fromkeys(["Tokens.unclosed", "Tokens.buried_section"], TEXT),
    **dict.fromkeys(
        ["Tokens.__len__", "Tokens.word", "Tokens.begin", "Tokens.end", "Tokens.closing"], LOOKUP
    ),
    **dict.fromkeys(["RuleTable.__init__", "RuleTable.__len__"], LOOKUP),
    **dict.fromkeys(
        [
            "RuleTable.add",
            "RuleTable.extend",
            "RuleTable.get",
            "RuleTable.define",
            "RuleTable.compare",
        ],
        "linear in the rule or the definitions",
    ),
    **dict.fromkeys(
        [
            f"ProblemLists.{name}"
            for name in (
                "names",
                "types",
                "init",
                "goal",
                "negative_goal",
                "valued",
                "values",
                "odd_values",
            )
        ],
        "linear in the lists",
    ),
    **dict.fromkeys(
        [
            f"ProblemLists.{name}"
            for name in ("repeated_constants", "joined_facts", "fault", "fault_at", "contradicts")
        ],
        LOOKUP,
    ),
}

# Made by others only; calling them says so.
NOT_MADE_BY_CALLERS = {"Agent", "StateSpace", "ProblemLists"}


def entry_points() -> set[str]:
    """All that the kernel offers, methods as `Class.method`."""
    found = set()
    for name, value in [*vars(_native).items(), *vars(_gnn).items()]:
        if name.startswith("__"):
            continue
        if not isinstance(value, type):
            found.add(name)
            continue
        for member in vars(value):
            if member == "__len__" or not member.startswith("__"):
                found.add(f"{name}.{member}")
        if name not in NOT_MADE_BY_CALLERS:
            found.add(f"{name}.__init__")
    return found


def test_the_table_is_complete() -> None:
    assert set(TABLE) == entry_points()
    for name in NOT_MADE_BY_CALLERS:
        with pytest.raises(TypeError):
            getattr(_native, name)()


LONG = [
    pytest.param(call, POLICIES.get(name), id=f"{entry}-{i}-{name}" if name else f"{entry}-{i}")
    for entry, calls in TABLE.items()
    if not isinstance(calls, str)
    for i, (names, call) in enumerate(calls)
    for name in names or [""]
]


@pytest.mark.parametrize(("call", "policy"), LONG)
def test_a_limit_ends_it(call: Callable[[Work], str], policy: DecisionList | None) -> None:
    work = empty_work() if policy is None else Work(policy)
    assert call(work) == LIMIT
    # Again: nothing half done is taken for done.
    assert call(work) == LIMIT
    # And whoever asks for something else is served.
    if "space" in vars(work):
        other = parse_policy(
            "(define (policy p) (:rule r :parameters (?x) :preconditions (not (on ?x))"
            " :action (switch ?x)))",
            LIGHTS,
        )
        space = work.space
        assert space.policy_action(work.task.rule_numbers(other), space.initial) == 0


# -- where a limit has cut something short ---------------------------------------------------------


@pytest.mark.parametrize("policy", DERIVED)
def test_the_memory_of_what_is_derived_is_limited(policy: str) -> None:
    """`static-clique` needs none, and runs into the limit of time that is there for it."""
    limits = Limits(seconds=60 if policy != "static-clique" else SECONDS, megabytes=50)
    guided = plan_guided(lights(), POLICIES[policy], limits=limits)
    assert guided.status in (PlanStatus.MEMORY_LIMIT, PlanStatus.TIME_LIMIT)
    executed = execute(lights(), POLICIES[policy], limits=limits)
    assert executed.status in ("memory limit", "time limit")


@pytest.mark.parametrize("condition", ["", "(not (on ?b))"])
def test_half_a_relation_is_never_seen(condition: str) -> None:
    """Cut short at many points, the answer is a limit or the right one."""
    policy = policy_of(
        "pairs",
        ":parameters (?a) :preconditions (pair ?a ?a) :action (switch ?a)",
        f"(:derived (pair ?a ?b) (exists (?c) (and (edge ?a ?c) (edge ?c ?b) {condition})))",
        "(:derived (pair ?a ?b) (exists (?c) (and (pair ?a ?c) (pair ?c ?b))))",
    )
    fresh, work = Work(policy), Work(policy)
    assert fresh.rules == work.rules
    expected = fresh.space.derived(0, 0)
    assert len(expected) == 2 * len(NAMES) ** 2
    for i in range(30):
        assert work.space.derived(0, 0, 1e-6 * 1.5**i) in (LIMIT, expected)
    assert work.space.derived(0, 0) == expected


def test_paths_after_a_limit() -> None:
    policy = POLICIES["next-hops"]
    work = Work(policy)
    for i in range(10):
        assert work.space.policy_action(work.rules, 0, 1e-5 * 2**i) == LIMIT
    one = policy_of(
        "one-hop",
        ":parameters (?a ?b) :preconditions (and (on ?a) (next edge ?a ?b ?b)) :action (switch ?b)",
    )
    state = work.space.intern([work.space.find_fluent([2, 0])])
    action = work.space.policy_action(work.task.rule_numbers(one), state)
    assert work.space.action(action) == [0, SIZE]


def test_the_time_of_a_batch_is_that_of_all_its_searches() -> None:
    """A search that begins late has what is left, not all of the time again."""
    work = empty_work()
    policies = [work.task.rule_numbers(POLICIES["static-clique"])] * 500
    assert work.two.guided(policies, 50, 10**9, SECONDS)[0] == LIMIT


# Room for a part of what a rule asks for the first time, more each time: after each failure the
# answer is that of a space that has never failed.
WITHOUT_MEMORY = """
import resource
from pg3.pddl import parse_domain, parse_problem
from pg3.policy import parse_policy
from pg3.semantics.task import Task
domain = parse_domain(
    "(define (domain d) (:predicates (edge ?x ?y) (on ?x))"
    " (:action switch :parameters (?x) :precondition (not (on ?x)) :effect (on ?x)))"
)
objects = [f"o{i}" for i in range(4000)]
problem = parse_problem(
    f"(define (problem p) (:domain d) (:objects {' '.join(objects)})"
    " (:init (edge o1 o2)) (:goal (on o1)))",
    domain,
)
policy = parse_policy(
    "(define (policy q) (:rule r :parameters (?a ?b) :preconditions (edge ?a ?b)"
    " :action (switch ?b)))",
    domain,
)
fresh = Task(problem)
expected = fresh.space.policy_action(fresh.rule_numbers(policy), 0)
failures, kept = 0, []
soft, hard = resource.getrlimit(resource.RLIMIT_AS)
for room in range(0, 8 << 20, 1 << 19):
    task = Task(problem)
    space, rules = task.space, task.rule_numbers(policy)
    pages = int(open("/proc/self/statm").read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + room, hard))
    try:
        found = space.policy_action(rules, 0)
    except MemoryError:
        failures += 1
        found = expected
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    assert found == space.policy_action(rules, 0) == expected, room
    kept.append(task)  # its memory is not for the next one
print("failures" if failures else "none")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits as Linux has them")
def test_running_out_of_memory_leaves_nothing_half_made() -> None:
    process = subprocess.run(
        [sys.executable, "-c", WITHOUT_MEMORY],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert (process.returncode, process.stdout) == (0, "failures\n"), process.stderr

"""Calls from several threads at once give what one thread gets, also on one shared task."""

from __future__ import annotations

import resource
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from pg3 import _native
from pg3.planning import Limits, execute, plan, plan_guided, policy_action
from pg3.policy.model import DecisionList
from pg3.semantics.task import Task
from tests.support.errands import FETCHING, round_trip
from tests.support.processes import run_python

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.pddl.model import Problem

PROBLEM = round_trip(places=5, things=3)
THREADS = 8
# Every rotation of the rules is a policy of its own, so that threads also compile rules at once.
POLICIES = [
    DecisionList(f"fetching-{i}", FETCHING.rules[i:] + FETCHING.rules[:i])
    for i in range(len(FETCHING.rules))
]
LIMITS = Limits(expansions=300)


def answers(problem: Problem | Task, turn: int) -> list[object]:
    """What one caller asks for, beginning at another question than its neighbours."""
    questions: list[Callable[[], object]] = []
    for policy in POLICIES:
        questions += [
            lambda policy=policy: _guided(problem, policy),  # type: ignore[misc]
            lambda policy=policy: _executed(problem, policy),  # type: ignore[misc]
        ]
    questions += [lambda: _planned(problem), lambda: _states(problem)]
    found = {}
    for i in range(len(questions)):
        number = (i + turn) % len(questions)
        found[number] = questions[number]()
    return [found[number] for number in sorted(found)]


def _planned(problem: Problem | Task) -> object:
    outcome = plan(problem, limits=LIMITS)
    return outcome.status, outcome.plan, outcome.expansions


def _guided(problem: Problem | Task, policy: DecisionList) -> object:
    outcome = plan_guided(problem, policy, limits=LIMITS)
    return outcome.status, outcome.plan, outcome.from_policy, outcome.expansions


def _executed(problem: Problem | Task, policy: DecisionList) -> object:
    execution = execute(problem, policy)
    return execution.status, execution.plan


def _states(problem: Problem | Task) -> object:
    task = problem if isinstance(problem, Task) else Task(problem)
    state = task.initial_state
    seen: list[object] = []
    for _ in range(6):
        actions = task.applicable(state)
        match = policy_action(task, FETCHING, state)
        seen.append((actions, task.h_add(state), task.is_goal(state), match))
        state = task.successor(state, actions[-1])
    return seen


def asked_at_once(problem: Problem | Task) -> list[list[object]]:
    ready = threading.Barrier(THREADS)

    def ask(turn: int) -> list[object]:
        ready.wait()
        return answers(problem, turn)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(ask, range(THREADS)))


def test_threads_with_tasks_of_their_own() -> None:
    assert asked_at_once(PROBLEM) == [answers(PROBLEM, 0)] * THREADS


def test_threads_that_share_a_task() -> None:
    expected = answers(PROBLEM, 0)
    for _ in range(5):
        assert asked_at_once(Task(PROBLEM)) == [expected] * THREADS


# The search asks for a clique one larger than there is, and so never ends.
ENDLESS_SEARCH = """
import os, threading, time
from tests.planning.test_hostile_work import clique, exponential_policy
from pg3.planning import plan_guided
from pg3.semantics.task import Task
task = Task(clique(12))
task.ground()
begins = threading.Event()
def search():
    begins.set()
    plan_guided(task, exponential_policy())
threading.Thread(target=search, daemon=True).start()
begins.wait()
for _ in range(20):
    time.sleep(0.005)
os.write(1, b"worked\\n")
os._exit(0)
"""


def test_a_search_lets_other_threads_work() -> None:
    """With the interpreter locked, the first sleep would last as long as the search."""
    process = run_python(ENDLESS_SEARCH)
    assert process.stdout == "worked\n", process.stderr


def test_numbers_of_states_are_checked_while_another_thread_makes_states() -> None:
    """For the thread sanitizer: no lock is held where the numbers that a caller gives are checked.

    A search of the same space runs meanwhile.
    """
    task = Task(round_trip(places=8, things=4))
    rules = task.rule_numbers(FETCHING)
    batch = _native.TrainingSet([task.space], 1)
    over = threading.Event()

    def search() -> None:
        while not over.is_set():
            task.space.search((), 0, "blind", False, None, 0.01, None)

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(search)
        answers = {tuple(batch.identified([rules], [[0]], None)[1]) for _ in range(20)}
        solved = {batch.executed_from([rules], [[0]], 1000)[1] for _ in range(20)}
        over.set()
        running.result()
    assert len(answers) == len(solved) == 1


# In a process of its own, which ends with its threads whatever they do. The problem has more states
# than anybody has time for.
BUSY = """
import os, sys, threading
from pg3 import _native
from pg3.semantics.task import Task
from tests.support.errands import round_trip
task = Task(round_trip(places=12, things=12))
space = task.space
batch = _native.TrainingSet([space], 1)
{}
print("done", flush=True)
os._exit(0)
"""


def in_a_busy_process(work: str) -> None:
    process = run_python(BUSY.format(work))
    assert (process.returncode, process.stdout) == (0, "done\n"), process.stderr


def test_waiting_for_another_search_takes_time_too() -> None:
    """A limit of time is one for the whole call, whoever holds the space."""
    in_a_busy_process("""
search = lambda *limits: space.search((), 0, "blind", False, None, *limits, None)
threading.Thread(target=search, args=(None,), daemon=True).start()
# No rule asks nothing: without the other one this is answered, however little time there is.
while space.policy_action((), 0, 0.0) != "time limit":
    pass
status, _, _, expansions, _ = search(0.02)
assert (status, expansions) == ("time limit", 0), (status, expansions)
assert space.plan_to(0, [0], 10**9, 0.01)[0] == "time limit"
assert space.policy_action((), 0, 0.01) == "time limit"
assert batch.executed([()], 10, 0.01)[0] == "time limit"
""")


def test_who_waits_for_a_space_lets_the_interpreter_go() -> None:
    """The search asks the interpreter for signals: whoever waits for it must not hold that."""
    in_a_busy_process("""
search = threading.Thread(
    target=space.search, args=((), 0, "blind", False, None, 0.5, None), daemon=True
)
search.start()
while search.is_alive():
    assert batch.bytes() > 0
    batch.forget(False)
    assert space.bytes() > 0
""")


# The signal comes when the work has begun: a space is in use.
INTERRUPTED = """
import os, signal, sys, threading
from pg3 import _native
from pg3.pddl import parse_problem
from tests.kernel.long_work import LIGHTS, POLICIES, Work
work = Work(POLICIES["clique"])
rules, endless = work.rules, work.space
text = "(define (problem p) (:domain lights) (:objects a) (:init) (:goal (on a)))"
short = work.task.another(parse_problem(text, LIGHTS)).space
other = work.task.another(work.task.problem).space
batch = _native.TrainingSet([short, endless] if sys.argv[1] == "short" else [other, endless], 2)
def interrupt():
    while endless.policy_action((), 0, 0.0) != "time limit":
        pass
    os.kill(os.getpid(), signal.SIGINT)
def hold():
    endless.policy_action(rules, 0)
threading.Thread(target=interrupt, daemon=True).start()
try:
    if sys.argv[2] in ("bytes", "forget"):
        threading.Thread(target=hold, daemon=True).start()
        while True:
            batch.bytes() if sys.argv[2] == "bytes" else batch.forget(True)
    elif sys.argv[2] == "guided":
        batch.guided([rules], 50, None, None)
    else:
        batch.executed([rules], 10**9, None)
except KeyboardInterrupt:
    print("interrupted", flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("problems", ["short", "long"])
@pytest.mark.parametrize("call", ["executed", "guided", "bytes", "forget"])
def test_an_interrupt_ends_all_threads(problems: str, call: str) -> None:
    """Whether the caller's thread works or waits, for other threads of its own or of others."""
    process = run_python(INTERRUPTED, problems, call)
    assert process.stdout == "interrupted\n", process.stderr


# Stacks of a gigabyte for threads, as the system takes from the limit for the first one, and room
# for none or one of them: so threads cannot be started, whoever the user is.
STARVED = """
import json, resource, sys
from pg3 import _native
from pg3.semantics.task import Task
from tests.support.errands import FETCHING, round_trip
tasks = [Task(round_trip(places=4, things=n)) for n in (1, 2, 3, 4)]
tasks = [tasks[0], *(tasks[0].another(task.problem) for task in tasks[1:])]
rules = tasks[0].rule_numbers(FETCHING)
batch = _native.TrainingSet([task.space for task in tasks], 4)
if sys.argv[1] != "free":
    pages = int(open("/proc/self/statm").read().split()[0])
    room = pages * resource.getpagesize() + (512 << 20) + (int(sys.argv[1]) << 30)
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
policies = [rules[i:] + rules[:i] for i in range(len(rules))]
_, *tables, traces = batch.guided(policies, 50, 1000, None)
found = [[table.hex() for table in tables], traces]
found.append([t.hex() for t in batch.executed(policies, 1000, None)[1:]])
status, identifiers = batch.identified(policies, [[0]] * 4, None)
found.append(identifiers)
print(json.dumps([found, status, batch.expansions]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits as Linux has them")
@pytest.mark.parametrize("stacks", ["0", "1"])
def test_threads_that_cannot_be_started(stacks: str) -> None:
    """Fewer threads do the work, if need be the caller's alone, with the same results."""

    def limit() -> None:
        _, most = resource.getrlimit(resource.RLIMIT_STACK)
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 30, most))

    found = [
        subprocess.run(
            [sys.executable, "-c", STARVED, kind],
            preexec_fn=limit,
            capture_output=True,
            text=True,
            check=False,
        )
        for kind in (stacks, "free")
    ]
    assert [process.returncode for process in found] == [0, 0], found[0].stderr
    assert found[0].stdout == found[1].stdout


# Ends while another thread, which nobody waits for, goes in and out of the kernel.
LEAVING = """
import itertools, sys, threading
from pg3 import _native
from pg3.semantics.task import Task
from tests.support.errands import FETCHING, round_trip
task = Task(round_trip(places=6, things=3))
rules = task.rule_numbers(FETCHING)
batch = _native.TrainingSet([task.space, task.another(round_trip(5, 3)).space], int(sys.argv[1]))
begun = threading.Event()
def work():
    for turn in itertools.count():
        batch.forget(True)
        batch.guided([rules], 50, 100, None)
        if turn == 5:
            begun.set()
threading.Thread(target=work, daemon=True).start()
begun.wait()
sys.exit(2)
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_process_may_end_while_a_thread_is_in_the_kernel(jobs: str) -> None:
    """With its own exit code; before, it was aborted."""
    for _ in range(5):
        process = run_python(LEAVING, jobs)
        assert (process.returncode, process.stderr) == (2, "")


# What is registered first comes last: after all that the modules imported later have registered.
ENDING = """
import atexit, threading
over = threading.Event()
def end():
    over.set()
    thread.join()
    print("ended", flush=True)
atexit.register(end)
from pg3.semantics.task import Task
from tests.support.errands import round_trip
task = Task(round_trip(places=6, things=3))
begun = threading.Event()
def work():
    while not over.is_set():
        task.space.search((), 0, "blind", False, 200, None, None)
        begun.set()
thread = threading.Thread(target=work, daemon=True)
thread.start()
begun.wait()
"""


def test_who_waits_for_a_thread_at_the_end_of_the_process_sees_it_end() -> None:
    process = run_python(ENDING)
    assert (process.returncode, process.stdout, process.stderr) == (0, "ended\n", "")

"""What is shown of a search over policies while it runs.

The search tells a `Watch` of each candidate, which only takes notes; a thread of the display draws
them a few times a second, so that showing does not slow the search. All goes to stderr.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from pg3.cli.output.progress import live_or_lines
from pg3.errors import Pg3Error, pluralize
from pg3.planning import ExecutionStatus, Limits, execute
from pg3.policy.text import write_policy
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from rich.console import RenderableType
    from rich.text import Text

    from pg3.learning.policy_search import Candidate
    from pg3.learning.result import LearningResult
    from pg3.learning.rounds import Round
    from pg3.pddl.model import Problem
    from pg3.policy.model import DecisionList
    from pg3.policy.rule_book import PolicyKey, RuleBook

# Drawings a second; each one may try the best policy on all training problems.
_RATE = 5

# Seconds between two searches for the best policy so far, which is then written to disk.
_SAVE_INTERVAL = 0.5

# A policy of hundreds of rules takes seconds to try. So the next search for the best policy waits
# ten times as long as the last one took, and a progress line waits 0.2 s for its policy at most.
_PAUSE_FACTOR = 10
_LINE_SECONDS = 0.2

# The rate of candidates is that of so many seconds: a mean since the start hardly moves after an
# hour, and hides that a part of the run makes none.
_RECENT = 5.0

# Where nothing changes, a line every so many seconds: enough to see that it is alive.
_SILENCE = 30.0

# Steps after which a policy has failed on a training problem.
_MAX_STEPS = 1000

# A policy is tried on so many training problems, the smallest: who has a thousand does not wait
# longer for them here than for learning.
_TRIED = 50


def effort_of(result: LearningResult) -> str:
    """What learning took; of goal regression, which searches nothing, only the seconds."""
    return result.effort if result.candidates else f"{result.seconds:.2f} s"


class Standing(NamedTuple):
    """A policy and for each training problem that it was tried on whether it solves it."""

    policy: DecisionList
    solved: tuple[bool, ...]
    size: int

    def text(self) -> str:
        """How many it solves."""
        return f"{sum(self.solved)}/{len(self.solved)}"

    @property
    def merit(self) -> tuple[int, int]:
        """Less is better: problems not solved, then size."""
        return self.solved.count(False), self.size


class Watch:
    """What has been seen of learning so far: `observe` and `observe_round` are for `learn`.

    The robust preset runs several searches whose scores cannot be compared; each has a best policy
    of its own, and perfect ones that failed in the tests are worth remembering too.
    """

    def __init__(self, problems: Sequence[Problem], time_limit: float | None = None) -> None:
        self.candidates = 0
        self.started = time.monotonic()
        self.time_limit = time_limit
        # When there were how many candidates, from about `_RECENT` seconds ago on.
        self._counts = deque([(self.started, 0)])
        self.latest: tuple[str, Candidate] | None = None
        self.round: Round | None = None
        places = range(len(problems))
        smallest = sorted(places, key=lambda i: len(problems[i].all_objects))[:_TRIED]
        # In the order in which they were given.
        self._tasks = [Task(problems[i]) for i in sorted(smallest)]
        self.tried_on = "training problems"
        if len(problems) > _TRIED:
            self.tried_on = f"of the smallest {self.tried_on}"
        self._best: Standing | None = None
        self._book: RuleBook | None = None
        self._contenders: dict[tuple[str, bool], PolicyKey] = {}
        self._standings: dict[PolicyKey, Standing] = {}

    def observe(self, method: str, candidate: Candidate, book: RuleBook) -> None:
        """Take note of a candidate."""
        self.candidates += 1
        perfect = candidate.evaluation.perfect
        if candidate.is_best or perfect:
            self._book = book
            self._contenders[method, perfect] = candidate.policy
            if candidate.is_best:
                self.latest = method, candidate

    def observe_round(self, done: Round) -> None:
        """Take note of what a round came to."""
        self.round = done

    def standing(self, policy: PolicyKey, until: float = math.inf) -> Standing | None:
        """How a policy does on the training problems; it is carried out to find out.

        None if that is not known and takes longer than until that time (of `time.monotonic`).
        """
        known = self._standings.get(policy)
        if known is None:
            assert self._book is not None
            rules = self._book.user_policy(policy, self._book.domain.name)
            known = self._carried_out(rules, until)
            if known is not None:
                self._standings[policy] = known
        return known

    def _carried_out(self, rules: DecisionList, until: float) -> Standing | None:
        solved = []
        for task in self._tasks:
            limits = Limits(seconds=max(0.0, until - time.monotonic()))
            execution = execute(task, rules, max_steps=_MAX_STEPS, limits=limits)
            if execution.status is ExecutionStatus.TIME_LIMIT:
                return None
            solved.append(execution.solved)
        return Standing(rules, tuple(solved), rules.size)

    def consider(self, policy: DecisionList) -> None:
        """Take a policy for the best so far: that of a run that goes on."""
        self._best = self._carried_out(policy, math.inf)

    def best(self, seconds: float = math.inf) -> Standing | None:
        """The policy that solves most training problems, the smallest of these, if any.

        What was found lately may be left out if trying it takes longer than `seconds`; but where
        nothing is known yet, one policy is tried however long it takes.
        """
        until = time.monotonic() + seconds
        for policy in list(self._contenders.values())[::-1]:
            standing = self.standing(policy, math.inf if self._best is None else until)
            if standing is not None and (self._best is None or standing.merit < self._best.merit):
                self._best = standing
        return self._best

    def line(self) -> str:
        """Where the search stands, in one line."""
        return "; ".join(filter(None, (self.effort(), self.latest_best())))

    def effort(self) -> str:
        """The seconds, the candidates and what the best of them solves so far."""
        now = time.monotonic()
        limit = "" if self.time_limit is None else f" of {self.time_limit:.0f}"
        done = f"learning, {now - self.started:.0f}{limit} s"
        # Goal regression makes a few in a minute.
        rate = f"{self.rate(now):.0f}/s"
        shown = "" if rate == "0/s" else f", {rate}"
        # What was found out so far: nothing is tried for this line.
        best = "" if self._best is None else f", at most {self._best.text()} solved so far"
        return f"{done}: {pluralize(self.candidates, 'candidate')}{shown}{best}"

    def latest_best(self) -> str | None:
        """The best policy of the method at work; None before the first candidate."""
        if self.latest is None:
            return None
        method, candidate = self.latest
        learned_from = pluralize(len(candidate.problems), "problem")
        # Scores of different methods and problems cannot be compared; what they solve can.
        score = f"its best score {candidate.evaluation.score:.3g} (lower is better)"
        line = f"{method} from {learned_from}: {score}"
        standing = self.standing(candidate.policy, time.monotonic() + _LINE_SECONDS)
        return line if standing is None else f"{line}, solves {standing.text()}"

    def rate(self, now: float) -> float:
        """The candidates a second over the last seconds; `now` is a time of `time.monotonic`."""
        counts = self._counts
        counts.append((now, self.candidates))
        while len(counts) > 2 and counts[1][0] <= now - _RECENT:
            counts.popleft()
        (then, before), (now, after) = counts[0], counts[-1]
        return (after - before) / (now - then) if now > then else 0.0

    def last_round(self) -> str | None:
        """What the last round came to, in one line; None before the first."""
        done = self.round
        if done is None:
            return None
        line = (
            f"last tried: {pluralize(done.rules, 'rule')} by {done.proposer} from "
            f"{pluralize(done.working, 'problem')}: "
        )
        tests = done.failed_tests, done.tests
        grown = done.failed_grown, done.grown
        failures = [
            f"{failed} of {pluralize(number, noun)}"
            for (failed, number), noun in (
                (tests, "test"),
                ((done.unsolved, done.given), "training problem"),
                # What fails the tests was not tried on others.
                ((0, 0) if grown == tests else grown, "grown problem"),
            )
            if failed
        ]
        line += f"fails {', '.join(failures)}" if failures else "passes"
        smallest = done.smallest_failure
        return line if smallest is None else f"{line}; smallest failure: {smallest}"


@contextmanager
def kept(watch: Watch, keep: Callable[[DecisionList], None]) -> Iterator[Callable[[], None]]:
    """Hand over the best policy so far at times, in a thread of its own.

    The value raises what went wrong there, if anything did; so does the end.
    """
    over = threading.Event()
    faults: list[Pg3Error] = []

    def check() -> None:
        if faults:
            raise faults[0]

    def work() -> None:
        handed_over: Standing | None = None
        pause = _SAVE_INTERVAL
        while not over.wait(pause):
            began = time.monotonic()
            try:
                best = watch.best()
                if best is not None and best is not handed_over:
                    keep(best.policy)
                    handed_over = best
            except Pg3Error as error:
                faults.append(error)
                return
            pause = max(_SAVE_INTERVAL, _PAUSE_FACTOR * (time.monotonic() - began))

    keeper = threading.Thread(target=work, daemon=True)
    keeper.start()
    try:
        yield check
    finally:
        over.set()
    keeper.join()
    check()


def shown(watch: Watch) -> AbstractContextManager[None]:
    """Show what is being watched: live on a terminal, else a plain line at times."""

    def drawing() -> Callable[[], RenderableType]:
        from rich.console import Group  # noqa: PLC0415
        from rich.spinner import Spinner  # noqa: PLC0415

        spinner = Spinner("dots")

        def draw() -> RenderableType:
            line, *parts = drawn_parts(watch)
            spinner.update(text=line)
            return Group(spinner, *parts)

        return draw

    return live_or_lines(news(watch), drawing, _RATE)


def news(watch: Watch) -> Callable[[], str]:
    """What to say in lines one after another: what has changed since the last line.

    Where nothing has, there is none for a while, then one that says that learning goes on.
    """
    said: tuple[str | None, ...] = ()
    last = watch.started

    def line() -> str:
        nonlocal said, last
        # Scores of one round cannot be compared with those of the next: what it came to can.
        done = watch.last_round()
        parts = (watch.latest_best() if done is None else None), done
        new = [part for part in parts if part is not None and part not in said]
        if not new and time.monotonic() - last < _SILENCE:
            return ""
        said, last = parts, time.monotonic()
        return "; ".join([watch.effort(), *new])

    return line


def drawn_parts(watch: Watch) -> list[Text]:
    """Where the search stands, to be drawn one below the other; the first part is one line."""
    from rich.text import Text  # noqa: PLC0415

    shown = [Text(watch.line(), style="bold", no_wrap=True, overflow="ellipsis")]
    done = watch.last_round()
    if done is not None:
        shown.append(Text(done, no_wrap=True, overflow="ellipsis"))
    if watch.latest is None:
        return shown
    _, candidate = watch.latest
    standing = watch.standing(candidate.policy)
    assert standing is not None
    marks = Text(f"{watch.tried_on.removeprefix('of the ')}: ")
    for solved in standing.solved:
        marks.append("● " if solved else "○ ", style="green" if solved else "dim")
    policy = Text(write_policy(standing.policy).strip(), style="cyan")
    return [*shown, marks, Text(), policy]

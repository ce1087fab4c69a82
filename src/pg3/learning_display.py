"""What is shown of a search over policies while it runs.

The search tells a `Watch` of each candidate, which only takes notes; a thread of the display draws
them a few times a second, so that showing does not slow the search. All goes to stderr.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from pg3.planning import execute
from pg3.policy.text import write_policy
from pg3.progress import is_live, plain_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType
    from rich.spinner import Spinner

    from pg3.pddl.model import Problem
    from pg3.policy.model import DecisionList
    from pg3.policy.rule_book import PolicyKey, RuleBook
    from pg3.policy_search import Candidate

# Drawings a second; each one may try the best policy on all training problems.
_RATE = 5

# Steps after which a policy has failed on a training problem.
_MAX_STEPS = 1000


class Standing(NamedTuple):
    """A policy and for each training problem whether it solves it."""

    policy: DecisionList
    solved: tuple[bool, ...]
    size: int

    def text(self) -> str:
        """How many it solves."""
        return f"{sum(self.solved)}/{len(self.solved)}"


class Watch:
    """What has been seen of a search so far: `observe` is for `learn`.

    The robust preset runs several searches whose scores cannot be compared; each has a best policy
    of its own, and perfect ones that failed in the tests are worth remembering too.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.candidates = 0
        self.started = time.monotonic()
        self.latest: tuple[str, Candidate] | None = None
        self._problems = problems
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

    def standing(self, policy: PolicyKey) -> Standing:
        """How a policy does on the training problems; it is carried out to find out."""
        known = self._standings.get(policy)
        if known is None:
            assert self._book is not None
            rules = self._book.policy(policy, self._book.domain.name)
            solved = tuple(
                execute(problem, rules, max_steps=_MAX_STEPS).solved for problem in self._problems
            )
            size = sum(self._book.size(rule) for rule in policy)
            known = self._standings[policy] = Standing(rules, solved, size)
        return known

    def best(self) -> Standing | None:
        """The policy that solves most training problems, the smallest of these; None as yet."""
        standings = map(self.standing, list(self._contenders.values()))
        return min(standings, key=lambda s: (-sum(s.solved), s.size), default=None)

    def line(self) -> str:
        """Where the search stands, in one line."""
        elapsed = time.monotonic() - self.started
        rate = self.candidates / elapsed if elapsed > 0 else 0.0
        line = f"learning, {elapsed:.0f} s: {self.candidates} candidates, {rate:.0f}/s"
        if self.latest is None:
            return line
        method, candidate = self.latest
        solved = self.standing(candidate.policy).text()
        return f"{line}; {method}: best score {candidate.evaluation.score:.6g}, solves {solved}"


@contextmanager
def shown(watch: Watch) -> Iterator[None]:
    """Show what is being watched: live on a terminal, else a plain line at times."""
    # Rich takes long to import: only where something is shown.
    from rich.console import Console  # noqa: PLC0415

    console = Console(stderr=True)
    if not is_live(console):
        with plain_lines(watch.line):
            yield
        return
    from rich.live import Live  # noqa: PLC0415
    from rich.spinner import Spinner  # noqa: PLC0415

    spinner = Spinner("dots")
    with Live(
        console=console,
        get_renderable=lambda: _drawing(watch, spinner),
        refresh_per_second=_RATE,
        transient=True,
        redirect_stdout=False,
    ):
        yield


def _drawing(watch: Watch, spinner: Spinner) -> RenderableType:
    from rich.console import Group  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    spinner.update(text=Text(watch.line(), style="bold", no_wrap=True, overflow="ellipsis"))
    if watch.latest is None:
        return spinner
    _, candidate = watch.latest
    standing = watch.standing(candidate.policy)
    marks = Text("training problems: ")
    for solved in standing.solved:
        marks.append("● " if solved else "○ ", style="green" if solved else "dim")
    policy = Text(write_policy(standing.policy).strip(), style="cyan")
    return Group(spinner, marks, Text(), policy)

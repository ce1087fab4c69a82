"""Plans as sequences of ground actions, and the IPC plan files that hold them.

A plan file has one `(action object ...)` a line; a comment runs from ";" to the end of its line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from pg3.errors import PlanError, Span, did_you_mean, pluralize
from pg3.pddl.lexer import check_text, read_source, text_source
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from pg3.errors import Source
    from pg3.pddl.model import Problem


class GroundAction(NamedTuple):
    """An action applied to objects, e.g. `GroundAction("sail", ("l1", "l2"))`."""

    name: str
    objects: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.objects))})"

    def __repr__(self) -> str:
        return str(self)  # plans are shown as tuples of actions


Plan = Sequence[GroundAction]


def read_plan(path: str | os.PathLike[str], problem: Problem) -> tuple[GroundAction, ...]:
    """The plan in a file; see `parse_plan`. Pg3Error if the file cannot be read."""
    return plan_of(read_source(path), problem)


def plan_of(source: Source, problem: Problem) -> tuple[GroundAction, ...]:
    """The plan in a source; see `parse_plan`."""
    return _PlanReader(source, problem).read()


def parse_plan(
    text: str | bytes, problem: Problem, name: str = "<plan>"
) -> tuple[GroundAction, ...]:
    """The plan in a text, every action checked against the problem's names, arities and types.

    Upper and lower case are the same. Planners differ in their output, so a time stamp before an
    action (`3:` or `0.003:`) and a duration after it (`[1]`) are skipped; stamps must increase, as
    a plan here is one action after the other. Anything else raises PlanError at its place.
    Whether the plan works is not asked here; that is `validation.validate`.
    """
    return plan_of(text_source(text, name), problem)


def format_plan(plan: Plan, cost: int | None = None) -> str:
    """The text of a plan file, ending with a comment that gives the cost.

    Without `cost` every action counts 1.
    """
    return "".join(f"{action}\n" for action in plan) + ending(len(plan), cost)


def ending(steps: int, cost: int | None) -> str:
    """The last line of a plan file."""
    total, kind = (steps, "unit") if cost is None else (cost, "general")
    return f"; cost = {total} ({kind} cost)\n"


def write_plan(path: str | Path, plan: Plan, cost: int | None = None) -> None:
    """Write a plan file; a reader never sees half of it. Pg3Error if that cannot be done."""
    write_atomically(path, format_plan(plan, cost))


_TOKEN = re.compile(rb";[^\n\r]*|\(|\)|[^\s();]+")
_STAMP = re.compile(rb"(\d+(?:\.\d+)?):")
_DURATION = re.compile(rb"\[\d+(?:\.\d+)?\]")


class _Word(NamedTuple):
    text: str
    begin: int
    end: int


@dataclass
class _PlanReader:
    """One pass over the tokens of a plan file."""

    source: Source
    problem: Problem
    plan: list[GroundAction] = field(default_factory=list)
    last_stamp: float | None = None

    def __post_init__(self) -> None:
        check_text(self.source, PlanError)
        domain = self.problem.domain
        self.object_types = {o.name: o.type for o in self.problem.all_objects}
        self.actions = {action.name: action for action in domain.actions}
        # The types that may stand at each argument: a long plan asks for them at every step.
        self.accepted = {
            action.name: [
                frozenset().union(*(domain.subtypes[name] for name in parameter.types))
                for parameter in action.parameters
            ]
            for action in domain.actions
        }

    def read(self) -> tuple[GroundAction, ...]:
        opened: int | None = None
        words: list[_Word] = []
        for match in _TOKEN.finditer(self.source.data):
            token, (begin, end) = match[0], match.span()
            if token.startswith(b";"):
                continue
            if token == b"(":
                if opened is not None:
                    self._fail("an action's arguments are plain names", begin, end)
                opened, words = begin, []
            elif token == b")":
                if opened is None:
                    self._fail("')' without '('", begin, end)
                self._add_step(words, opened, end)
                opened = None
            elif opened is not None:
                # Only ASCII letters are folded, as in the files that declare the names.
                words.append(_Word(token.lower().decode(), begin, end))
            else:
                self._between(token, begin, end)
        if opened is not None:
            self._fail("this '(' is never closed", opened, opened + 1)
        return tuple(self.plan)

    def _between(self, token: bytes, begin: int, end: int) -> None:
        """Skip what planners print around an action: a time stamp, a duration."""
        if stamp := _STAMP.fullmatch(token):
            time = float(stamp[1])
            if self.last_stamp is not None and time <= self.last_stamp:
                self._fail(
                    "this step does not come after the one before it",
                    begin,
                    end,
                    "a plan is one action after the other, with increasing times if it has any",
                )
            self.last_stamp = time
        elif not (_DURATION.fullmatch(token) and self.plan):
            self._fail("expected '(' and an action", begin, end, "e.g. (move a b)")

    def _add_step(self, words: list[_Word], begin: int, end: int) -> None:
        if not words:
            self._fail("expected the name of an action", begin, end)
        head, arguments = words[0], words[1:]
        action = self.actions.get(head.text)
        if action is None:
            self._fail(
                f"the domain has no action '{head.text}'",
                head.begin,
                head.end,
                did_you_mean(head.text, self.actions),
            )
        if len(arguments) != len(action.parameters):
            wanted, given = len(action.parameters), len(arguments)
            usage = " ".join((action.name, *(p.name for p in action.parameters)))
            self._fail(
                f"'{action.name}' takes {pluralize(wanted, 'argument')}, not {given}",
                begin,
                end,
                f"expected ({usage})",
            )
        accepted = self.accepted[action.name]
        for word, parameter, types in zip(arguments, action.parameters, accepted, strict=True):
            type_name = self.object_types.get(word.text)
            if type_name is None:
                self._fail(
                    f"the problem has no object '{word.text}'",
                    word.begin,
                    word.end,
                    did_you_mean(word.text, self.object_types),
                )
            if type_name not in types:
                self._fail(
                    f"'{word.text}' is of type {type_name}, but {parameter.name} of "
                    f"'{action.name}' must be of type {' or '.join(parameter.types)}",
                    word.begin,
                    word.end,
                )
        self.plan.append(GroundAction(action.name, tuple([word.text for word in arguments])))

    def _fail(self, message: str, begin: int, end: int, hint: str | None = None) -> NoReturn:
        raise PlanError(message, Span(self.source, begin, end), hint)

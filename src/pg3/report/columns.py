"""The columns of the tables: a method, or one of several ways in which it was run.

Runs of one method with different options (a network trained for 1,000 and for 100,000 epochs) are
columns of their own. The search operators are no such option unless they differ within a domain:
the paper leaves one out in Forest. Nor is the folder that a domain comes from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from pg3.report.figures import whole
from pg3.report.paper import EPOCHS, METHODS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pg3.experiments.results import Options, ResultLine


class Look(NamedTuple):
    """How a method is shown.

    Its name for people; whether it is one that a reader looks for; whether it runs several
    searches, of which only the final policy is known.
    """

    name: str
    is_main: bool = False
    shows_end_only: bool = False


# The paper's names for its methods, in its order, and ours for what is not in it.
LOOKS = {
    "pg3": Look("PG3", is_main=True),
    "policy-evaluation": Look("Policy Eval"),
    "plan-comparison": Look("Plan Comp"),
    "combo": Look("Combo"),
    "goal-count": Look("Goal Count"),
    "gnn": Look("GNN BC"),
    "random": Look("Random"),
    "robust": Look("Robust", is_main=True, shows_end_only=True),
    "lama": Look("LAMA"),
    "lama-first": Look("LAMA first"),
    "astar-blind": Look("A* blind"),
    "astar-lmcut": Look("A* LM-cut"),
}

# As many letters as fit beside a plot.
_SHORT = 12


@dataclass(frozen=True, slots=True)
class Column:
    """A method as it was run.

    `variant` tells it from other columns of the same method ("1,000 epochs"; "" if it needs no
    telling). `options` are those that all its runs share.
    """

    method: str
    options: Options
    variant: str = ""

    @property
    def name(self) -> str:
        """The method's name for people, without the variant."""
        return self._look.name

    @property
    def is_main(self) -> bool:
        """Whether it is one that a reader looks for: told at the top, drawn above the others."""
        return self._look.is_main

    @property
    def shows_end_only(self) -> bool:
        """Whether it runs several searches, of which only the final policy is known."""
        return self._look.shows_end_only

    @property
    def _look(self) -> Look:
        return LOOKS.get(self.method, Look(self.method))

    @property
    def label(self) -> str:
        """The column's name for people, in full."""
        return f"{self.name}, {self.variant}" if self.variant else self.name

    @property
    def short(self) -> str:
        """The column's name where there is little room: "GNN BC 100k"."""
        if not self.variant:
            return _cut(self.name)
        epochs = self.options.epochs
        if epochs is None:
            return _cut(f"{self.name} {self.variant}")
        thousands = epochs % 1000 == 0 and epochs > 0
        return f"{self.name} {epochs // 1000}k" if thousands else f"{self.name} {epochs}"

    @property
    def in_paper(self) -> bool:
        """Whether the paper has this method."""
        return self.method in METHODS

    @property
    def as_in_paper(self) -> bool:
        """Whether the paper has it and trained it for as long."""
        return self.in_paper and self.options.epochs in (None, EPOCHS)


def _cut(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"


def columns_of(lines: Iterable[ResultLine]) -> dict[Column, list[ResultLine]]:
    """The columns, in the paper's order and then ours, each with its results."""
    lines = list(lines)
    by_operators = _methods_by_operators(lines)
    groups: dict[tuple[str, Options], list[ResultLine]] = {}
    for line in lines:
        groups.setdefault(_key(line, by_operators), []).append(line)
    siblings: dict[str, list[Options]] = {}
    for method, options in groups:
        siblings.setdefault(method, []).append(options)
    ordered = sorted(groups, key=lambda key: (_rank(key[0]), _options_rank(key[1])))
    return {
        Column(method, options, _variant(options, siblings[method])): groups[method, options]
        for method, options in ordered
    }


def _methods_by_operators(lines: Sequence[ResultLine]) -> set[tuple[str, Options]]:
    """The methods (with their other options) that have several sets of operators in a domain."""
    seen: dict[tuple[str, str, Options], set[tuple[str, ...] | None]] = {}
    for line in lines:
        key = line.domain, line.method, replace(line.options, operators=None, data=None)
        seen.setdefault(key, set()).add(line.options.operators)
    return {(method, options) for (_, method, options), found in seen.items() if len(found) > 1}


def _key(line: ResultLine, by_operators: set[tuple[str, Options]]) -> tuple[str, Options]:
    options = replace(line.options, operators=None, data=None)
    if (line.method, options) in by_operators:
        options = replace(options, operators=line.options.operators)
    return line.method, options


def _rank(method: str) -> tuple[int, str]:
    known = list(LOOKS)
    return (known.index(method), "") if method in known else (len(known), method)


def _options_rank(options: Options) -> tuple[tuple[bool, str | float, str], ...]:
    """Options in an order of their own: those without a value first, numbers by their size."""
    fields = (
        options.epochs,
        options.max_candidates,
        options.max_expansions,
        options.as_printed,
        options.time_limit,
        options.memory_limit,
        options.preset,
        options.accumulate,
        None if options.operators is None else " ".join(options.operators),
    )
    return tuple(
        (field is not None, *((0.0, field) if isinstance(field, str) else (field or 0.0, "")))
        for field in fields
    )


def _variant(options: Options, siblings: Sequence[Options]) -> str:
    """What tells the options from those of the method's other columns, and always the epochs."""

    def differ(name: str) -> bool:
        return len({getattr(other, name) for other in siblings}) > 1

    parts = []
    if options.epochs is not None:
        parts.append(f"{whole(options.epochs)} epoch{'' if options.epochs == 1 else 's'}")
    if differ("max_candidates") or differ("max_expansions"):
        bounds = []
        if options.max_candidates is not None:
            bounds.append(f"{whole(options.max_candidates)} candidates")
        if options.max_expansions is not None:
            bounds.append(f"{whole(options.max_expansions)} expansions")
        parts += bounds or ["no bound"]
    if differ("as_printed") and options.as_printed:
        parts.append("as printed")
    if differ("accumulate"):
        parts.append(f"{options.accumulate or 'max'} score")
    if differ("time_limit"):
        limit = options.time_limit
        parts.append("no time limit" if limit is None else f"time limit {limit:g} s")
    if differ("memory_limit"):
        limit = options.memory_limit
        parts.append("no memory limit" if limit is None else f"memory limit {limit:g} MB")
    if differ("preset"):
        parts.append(f"preset {options.preset}")
    if differ("operators"):
        operators = options.operators
        parts.append("all operators" if operators is None else f"only {', '.join(operators)}")
    return ", ".join(parts)

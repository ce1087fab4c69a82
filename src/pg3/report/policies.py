"""The learned policies: each shown once, with the seeds that found it, in colour."""

from __future__ import annotations

import re
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from pg3.report.tables import Cell


@dataclass(frozen=True, slots=True)
class LearnedPolicy:
    """A policy with the seeds that ended with it and its mean success on their test problems."""

    text: str
    seeds: tuple[int, ...]
    success: float

    @property
    def rules(self) -> int:
        """How many rules it has."""
        return len(re.findall(r"\(\s*:rule\b", _without_comments(self.text)))


def policies_of(cell: Cell) -> list[LearnedPolicy]:
    """The different policies of a cell, the most common first, then the most successful."""
    found: dict[str, list[tuple[int, float]]] = {}
    for line in cell.lines:
        if line.policy is not None:
            found.setdefault(line.policy.strip(), []).append((line.seed, line.success))
    policies = [
        LearnedPolicy(
            text,
            tuple(seed for seed, _ in runs),
            statistics.fmean(success for _, success in runs),
        )
        for text, runs in found.items()
    ]
    return sorted(policies, key=lambda policy: (-len(policy.seeds), -policy.success, policy.seeds))


def _without_comments(text: str) -> str:
    return re.sub(";[^\n]*", "", text)


# In this order: a comment takes all up to the line's end, whatever is in it.
_TOKENS = re.compile(
    r"(?P<comment>;[^\n]*)"
    r"|(?P<section>:rule|:action)(?P<gap>[\s(]+)(?P<name>[^\s();]+)"
    r"|(?P<keyword>:[^\s();]+|(?<=\()(?:define|policy)(?=\s))"
    r"|(?P<variable>\?[^\s();]+)"
    r"|(?P<negation>(?<=\()not(?=\s))"
)

# Short names, as there are tens of thousands of them on a page.
_ELEMENTS = {"comment": "small", "keyword": "b", "variable": "var", "negation": "i"}


def highlight(text: str) -> Markup:
    """A policy with its keywords, rule and action names, variables and negations marked.

    Only looks: a text that is no policy comes out as it is.
    """
    pieces: list[Markup] = []
    end = 0
    for match in _TOKENS.finditer(text):
        pieces.append(escape(text[end : match.start()]))
        kind = match.lastgroup or ""
        if kind == "name":
            pieces.append(
                Markup("<b>{section}</b>{gap}<em>{name}</em>").format(**match.groupdict())
            )
        else:
            pieces.append(Markup("<{0}>{1}</{0}>").format(_ELEMENTS[kind], match.group()))
        end = match.end()
    return Markup("").join([*pieces, escape(text[end:])])

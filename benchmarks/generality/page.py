"""The tables in their page, between two marks; the words around them are written by hand."""

from __future__ import annotations

from collections import Counter
from textwrap import fill
from typing import TYPE_CHECKING

from benchmarks.generality.cases import OURS, REPOSITORY
from benchmarks.generality.tables import (
    Findings,
    by_hand_table,
    learning_table,
    length_table,
    moose_table,
    origin_table,
    size_table,
)
from pg3.analysis.explain import read_policy_aloud
from pg3.policy import write_policy
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.policy import DecisionList

# Policies of at most so many rules are printed.
READABLE = 8

BEGIN, END = "<!-- tables -->\n", "<!-- end of tables -->\n"


def lines(some: list[Findings]) -> list[str]:
    """All sections, from what is known."""
    theirs = [findings for findings in some if not findings.is_ours]
    ours = [findings for findings in some if findings.is_ours]
    page = []
    if theirs:
        page += ["## MOOSE's files", "", *learning_table(theirs), "", *moose_table(theirs), ""]
    if ours:
        page += ["## Our own splits", "", *learning_table(ours), ""]
    page += ["## Success by size", "", *size_table(some), ""]
    page += ["## Plan length next to LAMA's", "", *length_table(some), ""]
    page += ["## Policies written by hand", "", *by_hand_table(some), ""]
    page += ["## What is learned", "", *policies(some)]
    if failures(some):
        page += ["### Not learned", "", *failures(some), ""]
    return [*page, "## Where the figures come from", "", *origin_table(some), ""]


def policies(some: list[Findings]) -> list[str]:
    """What each policy that works does; the short ones as they are."""
    page, long = [], []
    for findings in some:
        policy, learned = findings.policy, findings.learned
        if policy is None or learned is None or findings.failed:
            continue
        if not _is_shown(findings, policy):
            actions = Counter(rule.action for rule in policy.rules)
            counts = ", ".join(f"{number} {name}" for name, number in actions.most_common())
            long.append(f"- `{findings.case.name}`, {len(policy.rules)} rules: {counts}.")
            continue
        page += [f"### {findings.case.name}", ""]
        for rule in read_policy_aloud(policy, findings.domain).splitlines():
            page.append(fill(rule, 120, subsequent_indent="   "))
        page.append("")
        page += ["```", write_policy(policy).strip(), "```", ""]
    if long:
        page += ["### The others", "", "The number of rules for each action:", "", *long, ""]
    return page


def _is_shown(findings: Findings, policy: DecisionList) -> bool:
    """Whether a policy is short, and not one of a built-in twin of MOOSE's domains."""
    return len(policy.rules) <= READABLE and (not findings.is_ours or findings.case.name in OURS)


def failures(some: list[Findings]) -> list[str]:
    """Where nothing was learned, or nothing that does: how learning ended, and why."""
    page = []
    for findings in some:
        learned, by_hand = findings.learned, findings.case.by_hand
        if learned is None or not (findings.failed or learned["policy"] is None):
            continue
        solved = sum(trial[2] for trial in findings.trials)
        words = [
            f"- `{findings.case.name}`: {solved} of {len(findings.trials)} test problems solved.",
            f"`pg3 learn` says: {learned['said']}.",
        ]
        if by_hand is not None:
            words.append(f"[Written by hand](../../{by_hand.relative_to(REPOSITORY)}).")
        page.append(" ".join(words))
    return page


def assemble(page: Path, some: list[Findings]) -> None:
    """Put the tables into the page."""
    text = page.read_text(encoding="utf-8")
    before, after = text[: text.index(BEGIN)], text[text.index(END) :]
    write_atomically(page, before + BEGIN + "\n" + "\n".join(lines(some)) + "\n" + after)

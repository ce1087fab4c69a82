"""Stored results as tables of Markdown. What is not there yet is left out or shown as a dash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pg3.policy import parse_policy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.generality.cases import Case
    from benchmarks.generality.store import Result
    from pg3.pddl import Domain
    from pg3.policy import DecisionList

# What the project promises for one domain on one core.
WANTED_SECONDS, WANTED_MEGABYTES = 60, 500

# Test problems by their number of objects.
BANDS = ((0, 25), (26, 50), (51, 100), (101, 200), (201, 400), (401, 10**9))

# What MOOSE's authors report of their eight domains, as far as we know it.
MOOSE = {
    "test problems solved": "719.6 of 720",
    "seconds to learn a domain": "9 to 534",
    "rules a domain": "90 to 170",
}

NONE = "–"


@dataclass(frozen=True, slots=True)
class Findings:
    """All that is known of one case; None and empty where a part was not run."""

    case: Case
    domain: Domain
    learned: Result | None
    tried: Result | None
    by_hand: Result | None
    first_plans: dict[str, Result]
    best_plans: dict[str, Result]

    @property
    def policy(self) -> DecisionList | None:
        """What was learned."""
        if self.learned is None or self.learned["policy"] is None:
            return None
        return parse_policy(self.learned["policy"], self.domain)

    @property
    def trials(self) -> list[Any]:
        """What the learned policy does on the test problems, as `measure.solve` has it."""
        return [] if self.tried is None else self.tried["trials"]

    @property
    def grown(self) -> list[Any]:
        """The same on larger problems."""
        return [] if self.tried is None else self.tried.get("grown", [])

    @property
    def failed(self) -> bool:
        """Whether the learned policy was tried and fails a test problem, as it is or shuffled."""
        if self.tried is None:
            return False
        return not all(trial[2] for trial in self.trials) or any(self.tried["shuffled"])

    @property
    def is_ours(self) -> bool:
        """Whether the problems are our own, which are shuffled too."""
        return "/" not in self.case.name


def table(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> list[str]:
    """Lines of a table: the first columns to the left, the others to the right."""
    ruler = ["---"] * left + ["--:"] * (len(head) - left)
    return [
        f"| {' | '.join(head)} |",
        f"|{'|'.join(ruler)}|",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


def learning_table(some: list[Findings]) -> list[str]:
    """What learning took, and what the policy is worth."""
    head = ["domain", "found by", "training problems", "objects", "CPU s", "peak MB", "rules"]
    head += ["test objects", "solved", "under five shuffles", "promise"]
    return table(head, [_learning_row(findings) for findings in some], left=2)


def _learning_row(findings: Findings) -> list[str]:
    learned, tried, policy = findings.learned, findings.tried, findings.policy
    row = [findings.case.name.removeprefix("moose/")]
    if learned is None:
        return row + [NONE] * 10
    row += [
        learned["method"] or NONE,
        str(learned["problems"]),
        _range(learned["objects"]),
        f"{learned['cpu_seconds']:.1f}",
        str(learned["megabytes"]),
        NONE if policy is None else str(len(policy.rules)),
    ]
    if tried is None:
        return row + [NONE] * 4
    trials = findings.trials
    kept = (
        not findings.failed
        and learned["cpu_seconds"] <= WANTED_SECONDS
        and learned["megabytes"] <= WANTED_MEGABYTES
    )
    return [
        *row,
        _range([trial[1] for trial in trials]),
        _of(sum(trial[2] for trial in trials), len(trials)),
        _shuffled(tried),
        "kept" if kept else "MISSED",
    ]


def _shuffled(tried: Result) -> str:
    """How many are solved under all shuffles together."""
    number = len(tried["trials"])
    failed = sum(map(len, tried["shuffled"]))
    return _of(number * len(tried["shuffled"]) - failed, number * len(tried["shuffled"]))


def moose_table(some: list[Findings]) -> list[str]:
    """What MOOSE's paper reports of its eight domains, and the same of ours."""
    learned = [findings.learned for findings in some if findings.learned is not None]
    trials = [trial for findings in some for trial in findings.trials]
    rules = [len(policy.rules) for policy in (findings.policy for findings in some) if policy]
    seconds = [result["cpu_seconds"] for result in learned]
    ours = [
        f"{sum(trial[2] for trial in trials)} of {len(trials)}",
        f"{min(seconds):.1f} to {max(seconds):.1f}" if seconds else NONE,
        f"{min(rules)} to {max(rules)}" if rules else NONE,
    ]
    return table(["", "MOOSE's paper", "pg3"], zip(MOOSE, MOOSE.values(), ours, strict=True))


def size_table(some: list[Findings]) -> list[str]:
    """Test problems and larger ones solved, by their number of objects."""
    tried = [(findings, findings.trials + findings.grown) for findings in some if findings.trials]
    sizes = [trial[1] for _, trials in tried for trial in trials]
    bands = [(low, high) for low, high in BANDS if any(low <= n <= high for n in sizes)]
    rows = []
    for findings, trials in tried:
        row = [_name(findings)]
        for low, high in bands:
            solved = [trial[2] for trial in trials if low <= trial[1] <= high]
            row.append(_of(sum(solved), len(solved)) if solved else NONE)
        rows.append(row)
    return table(["domain", *(_band(*band) for band in bands)], rows)


def length_table(some: list[Findings]) -> list[str]:
    """Steps of plans next to LAMA's, on the problems of which LAMA was asked."""
    head = ["domain", "problems", "LAMA solves", "CPU s a problem", "learned / LAMA's first"]
    head += ["by hand / LAMA's first", "problems, best plan", "learned / LAMA's best"]
    rows = []
    for findings in some:
        first, best = findings.first_plans, findings.best_plans
        if not first and not best:
            continue
        seconds = [answer["cpu_seconds"] for answer in first.values()]
        rows.append(
            [
                _name(findings),
                str(len(first)),
                str(sum(answer["steps"] is not None for answer in first.values())),
                f"{sum(seconds) / len(seconds):.1f}" if seconds else NONE,
                _ratio(findings.tried, first),
                _ratio(findings.by_hand, first),
                str(len(best)) if best else NONE,
                _ratio(findings.tried, best),
            ]
        )
    return table(head, rows)


def _ratio(tried: Result | None, answers: dict[str, Result]) -> str:
    """Our steps by LAMA's, summed up over the problems that both solve."""
    if tried is None:
        return NONE
    ours = {name: steps for name, _, solved, steps, _ in tried["trials"] if solved}
    both = [
        (ours[name], answer["steps"])
        for name, answer in answers.items()
        if name in ours and answer["steps"] is not None
    ]
    if not both:
        return NONE
    mine, theirs = (sum(steps) for steps in zip(*both, strict=True))
    return f"{mine / max(1, theirs):.2f}"


def by_hand_table(some: list[Findings]) -> list[str]:
    """Hand-written policies on the same problems: what the language can do."""
    rows = []
    for findings in some:
        if findings.by_hand is None:
            continue
        trials = findings.by_hand["trials"]
        learned = NONE if findings.tried is None else _total(findings.tried, findings.by_hand)
        rules = findings.by_hand["rules"]
        solved = _of(sum(trial[2] for trial in trials), len(trials))
        rows.append([_name(findings), str(rules), solved, learned])
    return table(["domain", "rules", "solved", "learned / by hand, steps"], rows)


def _total(tried: Result, by_hand: Result) -> str:
    theirs = {name: {"steps": steps if ok else None} for name, _, ok, steps, _ in by_hand["trials"]}
    return _ratio(tried, theirs)


def origin_table(some: list[Findings]) -> list[str]:
    """When and with which version each figure was found."""
    rows = []
    for findings in some:
        lama = [*findings.first_plans.values(), *findings.best_plans.values()]
        rows.append(
            [
                _name(findings),
                _origin([findings.learned]),
                _origin([findings.tried]),
                ", ".join(sorted({answer["date"] for answer in lama})) or NONE,
            ]
        )
    alike = {tuple(row[1:]) for row in rows}
    if len(alike) == 1:
        rows = [["all", *rows[0][1:]]]
    return table(["domain", "learned", "tried", "LAMA"], rows, left=4)


def _origin(results: list[Result | None]) -> str:
    known = sorted({f"{r['date']}, pg3 {r['version']}" for r in results if r is not None})
    return "; ".join(known) or NONE


def _name(findings: Findings) -> str:
    return findings.case.name


def _of(part: int, whole: int) -> str:
    return f"{part}/{whole}" if part == whole else f"**{part}/{whole}**"


def _range(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"


def _band(low: int, high: int) -> str:
    if low == 0:
        return f"up to {high} objects"
    return f"{low} to {high}" if high < BANDS[-1][1] else f"from {low}"

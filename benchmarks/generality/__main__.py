"""The comparison of docs/results/generality.md: `python -m benchmarks.generality`.

For each of MOOSE's domains: `pg3 learn` on training/ with its defaults, in a process of its own on
one core, with its seconds and its peak memory; then the policy on every problem of testing/, and
if asked for LAMA on the same problems. Prints tables; with --markdown they replace those in a page.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.generality.lama import Lama
from benchmarks.generality.measure import Report, measure
from pg3.policy import write_policy

PROBLEMS = Path(__file__).parents[3] / "shared" / "problems" / "moose"

# What the project promises for one domain on one core.
WANTED_SECONDS, WANTED_MEGABYTES = 60, 500

# Test problems by their number of objects.
BANDS = ((0, 15), (16, 25), (26, 50), (51, 500), (501, 10**9))

# Policies of at most so many rules are printed.
READABLE = 5

# Where the tables are in the page.
BEGIN, END = "<!-- tables -->\n", "<!-- end of tables -->\n"


def learning_table(reports: list[Report]) -> list[str]:
    """What learning took, and what the policy is worth."""
    lines = [
        "| domain | CPU s | peak MB | rules | found by | solved | steps | µs a step | promise |",
        "|---|--:|--:|--:|---|--:|--:|--:|---|",
    ]
    for report in reports:
        _, seconds, megabytes, method = report.learning
        steps = sum(trial.steps for trial in report.trials)
        microseconds = 1e6 * sum(trial.seconds for trial in report.trials) / max(1, steps)
        kept = (
            report.solved == len(report.trials)
            and seconds <= WANTED_SECONDS
            and megabytes <= WANTED_MEGABYTES
        )
        lines.append(
            f"| {report.domain} | {seconds:.1f} | {megabytes:.0f} | {len(report.policy.rules)} "
            f"| {method} | {report.solved}/{len(report.trials)} | {steps:,} | {microseconds:.0f} "
            f"| {'kept' if kept else 'MISSED'} |"
        )
    return lines


def size_table(reports: list[Report]) -> list[str]:
    """Test problems solved, by their number of objects."""
    bands = [
        (low, high)
        for low, high in BANDS
        if any(low <= trial.objects <= high for report in reports for trial in report.trials)
    ]
    lines = [
        f"| domain | {' | '.join(_band(*band) for band in bands)} |",
        f"|---|{'--:|' * len(bands)}",
    ]
    for report in reports:
        cells = []
        for low, high in bands:
            solved = [trial.solved for trial in report.trials if low <= trial.objects <= high]
            cells.append(f"{sum(solved)}/{len(solved)}" if solved else "–")
        lines.append(f"| {report.domain} | {' | '.join(cells)} |")
    return lines


def _band(low: int, high: int) -> str:
    if low == 0:
        return f"up to {high} objects"
    return f"{low} to {high}" if high < BANDS[-1][1] else f"from {low}"


def lama_table(reports: list[Report], problems: Path, lama: Lama, every: int) -> list[str]:
    """Plan lengths where both have a plan, on one in so many test problems."""
    lines = [
        "| domain | problems | LAMA solves | pg3, steps | LAMA, steps | pg3 / LAMA "
        "| LAMA, s a problem |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for report in reports:
        trials = report.trials[::-1][::every]
        answers = [lama.solve(problems / report.domain / "domain.pddl", t.path) for t in trials]
        both = [
            (trial.steps, answer.steps)
            for trial, answer in zip(trials, answers, strict=True)
            if trial.solved and answer.steps is not None
        ]
        ours, theirs = (sum(steps) for steps in zip(*both, strict=True)) if both else (0, 0)
        lines.append(
            f"| {report.domain} | {len(trials)} "
            f"| {sum(answer.steps is not None for answer in answers)} | {ours:,} | {theirs:,} "
            f"| {ours / max(1, theirs):.2f} "
            f"| {sum(answer.seconds for answer in answers) / len(answers):.2f} |"
        )
    return lines


def policies(reports: list[Report]) -> list[str]:
    """The short policies, as they are."""
    lines = []
    for report in reports:
        if len(report.policy.rules) <= READABLE:
            text = write_policy(report.policy).strip()
            lines += ["", f"### {report.domain.capitalize()}", "", "```", text, "```"]
    return lines


def main() -> None:
    """Measure, print, and put the tables into the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("domains", nargs="*", help="all by default")
    parser.add_argument("--problems", type=Path, default=PROBLEMS, help="folder of the domains")
    parser.add_argument("--larger", type=Path, help="more test problems: FOLDER/DOMAIN/*.pddl")
    parser.add_argument("--policies", type=Path, help="keep the policies in this folder")
    parser.add_argument("--seed", type=int, default=0, help="of learning")
    parser.add_argument("--every", type=int, default=1, help="learn from one problem in so many")
    parser.add_argument("--lama", type=int, metavar="SECONDS", help="ask LAMA for its first plan")
    parser.add_argument("--best", type=int, metavar="SECONDS", help="ask LAMA for its best plan")
    parser.add_argument("--best-every", type=int, default=10, help="on one problem in so many")
    parser.add_argument("--markdown", type=Path, metavar="PAGE", help="put the tables there")
    chosen = parser.parse_args()
    if not chosen.problems.is_dir():
        sys.exit("the problems of MOOSE's domains are not beside the repository")
    names = chosen.domains or sorted(path.parent.name for path in chosen.problems.glob("*/testing"))
    reports = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.policies or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            tests = sorted((chosen.problems / name / "testing").glob("*.pddl"))
            if chosen.larger:
                tests += sorted((chosen.larger / name).glob("*.pddl"))
            reports.append(
                measure(
                    chosen.problems / name,
                    tests,
                    folder / f"{name}.policy",
                    chosen.seed,
                    chosen.every,
                )
            )
            print(
                "\n".join(learning_table(reports[-1:])[2 if len(reports) > 1 else 0 :]), flush=True
            )
    page = ["## Learning", "", *learning_table(reports), ""]
    page += ["## Success by size", "", *size_table(reports), ""]
    for seconds, every, first, title in (
        (chosen.lama, 1, True, "LAMA's first plan"),
        (chosen.best, chosen.best_every, False, "LAMA's best plan"),
    ):
        if seconds:
            table = lama_table(reports, chosen.problems, Lama(seconds, first=first), every)
            page += [f"## Plan length against {title}, {seconds} s a problem", "", *table, ""]
    print("\n" + "\n".join(page[len(reports) + 5 :]))
    if chosen.markdown:
        page += ["## The short policies", *policies(reports), ""]
        text = chosen.markdown.read_text()
        before, after = text[: text.index(BEGIN)], text[text.index(END) :]
        chosen.markdown.write_text(before + BEGIN + "\n" + "\n".join(page) + "\n" + after)


if __name__ == "__main__":
    main()

"""Coverage of `pg3 plan` next to Fast Downward's lama-first and pyperplan: `make bench-planner`.

On the problems of Autoscale (benchmarks/foreign.py says where they are looked for), each planner in
a process of its own, with limits of CPU seconds and of memory that the system enforces. Each first
plan counts; those of pg3 have been validated. Reading, translating and grounding count. Results are
kept, a line each, in build/coverage.jsonl, so that a run can be stopped and gone on with.

pg3 does what `pg3 plan --first` does. The rate is expanded states a second of CPU time in search:
for Fast Downward that of its lazy search with h_FF and landmarks, as in lama-first. Searches that
take less than 0.05 s say nothing and do not count.

pyperplan searches as it does best: greedily with h_FF. It reads neither costs nor negative
preconditions, and does not solve what it cannot read.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.foreign import AUTOSCALE_PROBLEMS
from pg3.experiments.methods.fast_downward import find_driver

KEPT = Path("build") / "coverage.jsonl"
PLANNERS = ("pg3", "lama-first", "pyperplan")
SHORTEST_SEARCH = 0.05

_EXPANSIONS = re.compile(r"(\d+) expansions, ([\d.]+) s\n")
_EXPANDED = re.compile(r"Expanded (\d+) state\(s\)\.")
_SEARCHED = re.compile(r"Search time: ([0-9.e+-]+)s")


# Times the search alone, which the command does not.
_PG3 = """
import sys, time
from pathlib import Path
from pg3 import Task, read_domain, read_problem, validate
from pg3.pddl.plans import write_plan
from pg3.planning import SatisficingOptions
from pg3.planning.search import some_plan
domain, path = sys.argv[1:]
problem = read_problem(path, read_domain(domain))
task = Task(problem)
space = task.space
start = time.process_time()
found = some_plan(space, SatisficingOptions())
print(f"{found.expansions} expansions, {time.process_time() - start:.6f} s")
plan = tuple(task.decode_action(action) for action, _ in found.steps)
if found.status == "solved" and validate(problem, plan).valid:
    write_plan("plan", plan)
"""


def command(planner: str, domain: Path, problem: Path) -> list[str]:
    """How a planner is started."""
    if planner == "pg3":
        return [sys.executable, "-c", _PG3, str(domain), str(problem)]
    if planner == "pyperplan":
        options = ("-H", "hff", "-s", "gbf")
        return [sys.executable, "-m", "pyperplan", *options, str(domain), str(problem)]
    return [*find_driver(), "--alias", "lama-first", str(domain), str(problem)]


def run(planner: str, domain: Path, problem: Path, seconds: int, megabytes: int) -> dict[str, Any]:
    """Whether a planner solves a problem, with the CPU seconds and the rate of its search."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        # pyperplan writes its plan beside the problem.
        for path in (domain, problem):
            (Path(folder) / path.name).write_bytes(path.read_bytes())
        files = (Path(folder) / domain.name, Path(folder) / problem.name)
        try:
            done = subprocess.run(
                command(planner, *files),
                capture_output=True,
                text=True,
                cwd=folder,
                preexec_fn=limit,
                # Not a limit, only against hanging: on a busy machine CPU seconds take long.
                timeout=1000 * seconds,
                check=False,
            )
            code, said = done.returncode, done.stdout + done.stderr
        except subprocess.TimeoutExpired:
            code, said = -1, ""
        plans = ("plan", "sas_plan", f"{problem.name}.soln")
        solved = code == 0 and any((Path(folder) / name).exists() for name in plans)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # The system counts each process by itself, and Fast Downward has several.
    solved = solved and used <= seconds
    return {"solved": solved, "cpu_seconds": round(used, 2), "rate": _rate(planner, said)}


def _rate(planner: str, said: str) -> float | None:
    if planner == "pg3":
        found = _EXPANSIONS.search(said)
        counts = None if found is None else (int(found[1]), float(found[2]))
    else:
        expanded, searched = _EXPANDED.search(said), _SEARCHED.search(said)
        counts = expanded and searched and (int(expanded[1]), float(searched[1]))
    if not counts or counts[1] < SHORTEST_SEARCH:
        return None
    return counts[0] / counts[1]


def problems(folder: Path, numbers: list[int]) -> list[tuple[Path, Path]]:
    """Some problems of a folder, each after its domain."""
    found = []
    for number in numbers:
        problem, own = folder / f"p{number:02}.pddl", folder / f"domain-p{number:02}.pddl"
        if problem.exists():
            found.append((own if own.exists() else folder / "domain.pddl", problem))
    return found


def table(lines: list[dict[str, Any]]) -> None:
    """Print coverage by domain, and the rates."""
    planners = sorted({line["planner"] for line in lines}, key=PLANNERS.index)
    print(f"{'domain':<25}{'problems':>9}" + "".join(f"{name:>12}" for name in planners))
    domains = list(dict.fromkeys(line["domain"] for line in lines))
    for domain in [*domains, "all"]:
        row = [line for line in lines if domain in (line["domain"], "all")]
        solved = [sum(line["solved"] for line in row if line["planner"] == p) for p in planners]
        count = len({(line["domain"], line["problem"]) for line in row})
        print(f"{domain:<25}{count:>9}" + "".join(f"{number:>12}" for number in solved))
    for name in planners:
        rates = [line["rate"] for line in lines if line["planner"] == name and line["rate"]]
        if rates:
            median = statistics.median(rates)
            print(f"{name}: median of {median:,.0f} expansions a second, {len(rates)} searches")


def main() -> None:
    """Run what has not been run, and print the table of all results."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("domains", nargs="*", help="folders of Autoscale; all if none is named")
    parser.add_argument("--problems", default="1-30", help="numbers: a list, or from-to")
    parser.add_argument("--planners", nargs="+", default=PLANNERS, choices=PLANNERS)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--megabytes", type=int, default=2048)
    parser.add_argument("--kept", type=Path, default=KEPT)
    chosen = parser.parse_args()
    first, _, last = chosen.problems.partition("-")
    numbers = list(range(int(first), int(last) + 1)) if last else [*map(int, first.split(","))]
    if not AUTOSCALE_PROBLEMS.is_dir():
        parser.exit(2, f"no problems of Autoscale in {AUTOSCALE_PROBLEMS}: set PG3_FOREIGN\n")
    folders = [path for path in sorted(AUTOSCALE_PROBLEMS.iterdir()) if path.is_dir()]
    if chosen.domains:
        folders = [path for path in folders if path.name in chosen.domains]
    chosen.kept.parent.mkdir(parents=True, exist_ok=True)
    text = chosen.kept.read_text() if chosen.kept.exists() else ""
    lines = [json.loads(line) for line in text.splitlines()]
    limits = {"seconds": chosen.seconds, "megabytes": chosen.megabytes}
    known = {(line["planner"], line["domain"], line["problem"], line["seconds"]) for line in lines}
    with chosen.kept.open("a") as file:
        for folder in folders:
            for domain, problem in problems(folder, numbers):
                for planner in chosen.planners:
                    key = (planner, folder.name, problem.stem, chosen.seconds)
                    if key in known:
                        continue
                    line = dict(zip(("planner", "domain", "problem"), key, strict=False)) | limits
                    line |= run(planner, domain, problem, chosen.seconds, chosen.megabytes)
                    lines.append(line)
                    file.write(json.dumps(line) + "\n")
                    file.flush()
    table([line for line in lines if line["seconds"] == chosen.seconds])


if __name__ == "__main__":
    main()

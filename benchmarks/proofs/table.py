"""What `pg3 prove` says of the learned policies of many domains, as the table of a page.

Each domain is learned with the defaults until proved, as `pg3 learn --prove` does, in a process of
its own, with a limit of CPU seconds; results are kept in build/proofs, so that it can be stopped
and gone on with.

    python -m benchmarks.proofs.table [NAME...]    # e.g. ferry moose/satellite; no name: all
    python -m benchmarks.proofs.table --page       # the page from what is there
"""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pg3
from benchmarks.foreign import MOOSE_PROBLEMS
from pg3.analysis.prove.checker.solvers import cvc5_refutes
from pg3.analysis.prove.learning import learn_until_proved
from pg3.domains import DOMAINS

if TYPE_CHECKING:
    from collections.abc import Sequence

KEPT = Path("build/proofs")
MOOSE = ("ferry", "gripper", "miconic", "transport", "satellite", "logistics", "rovers", "barman")
# Twice what the issue allows a proof; the largest policies use it up.
LIMIT = 240


def names() -> list[str]:
    return [*DOMAINS, *(f"moose/{name}" for name in MOOSE)]


def problems_of(name: str) -> tuple[pg3.Domain, list[pg3.Problem]]:
    if not name.startswith("moose/"):
        built_in = DOMAINS[name]
        return built_in.domain, list(built_in.problems("train", seed=0))
    folder = MOOSE_PROBLEMS / name.removeprefix("moose/")
    domain = pg3.read_domain(str(folder / "domain.pddl"))
    files = sorted((folder / "training").glob("*.pddl"))
    return domain, [pg3.read_problem(str(file), domain) for file in files]


def measure(name: str) -> dict[str, Any]:
    domain, problems = problems_of(name)
    learned = []

    def learn(more: Sequence[pg3.Problem]) -> pg3.LearningResult:
        learned.append(pg3.learn(domain, [*problems, *more]))
        return learned[-1]

    found, _ = learn_until_proved(domain, problems, learn)
    policy = found.policy
    start = time.process_time()
    result = pg3.prove(domain, problems, policy)
    seconds = time.process_time() - start
    return {
        "name": name,
        "rules": len(policy.rules),
        "rounds": len(learned),
        "verdict": str(result.verdict),
        "reason": result.reason,
        "counterexample": result.counterexample is not None,
        "words": result.words,
        "obligations": len(result.obligations),
        "cvc5": sum(cvc5_refutes(one.script) for one in result.obligations),
        "seconds": round(seconds, 1),
    }


def _child(name: str) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 10))
    print(json.dumps(measure(name)))


def _run(name: str) -> None:
    file = KEPT / f"{name.replace('/', '-')}.json"
    if file.exists():
        return
    command = [sys.executable, "-m", "benchmarks.proofs.table", "--child", name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        found = json.loads(done.stdout.strip().splitlines()[-1])
    elif done.returncode == -signal.SIGXCPU:
        reason = f"no answer within {LIMIT} CPU seconds"
        found = {"name": name, "verdict": "open", "reason": reason}
    else:
        # A fault is no result: nothing is kept, and nothing is said of the policy.
        print(f"{name}: exit code {done.returncode}\n{done.stderr[-800:]}", flush=True)
        return
    file.write_text(json.dumps(found) + "\n", encoding="utf-8")
    print(file.read_text(encoding="utf-8")[:200], flush=True)


def page() -> str:
    rows, classes = [], []
    for name in names():
        file = KEPT / f"{name.replace('/', '-')}.json"
        if not file.exists():
            rows.append(f"| {name} | | | not run | | | | |")
            continue
        one = json.loads(file.read_text(encoding="utf-8"))
        reason = one["reason"] + ("; counterexample" if one.get("counterexample") else "")
        rows.append(
            f"| {name} | {one.get('rules', '')} | {one.get('rounds', '')} | {one['verdict']} | "
            f"{one.get('obligations') or ''} | "
            f"{one.get('cvc5') or ''} | {one.get('seconds', '')} | {reason} |"
        )
        if one["verdict"] == "proved":
            classes += [f"\n## {name}\n", *(f"- {line}" for line in one["words"])]
    head = "| domain | rules | learned | answer | obligations | by cvc5 | CPU s | what is missing |"
    return "\n".join([head, "|---|---|---|---|---|---|---|---|", *rows, *classes, ""])


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--child"]:
        _child(arguments[1])
    elif arguments == ["--page"]:
        print(page())
    else:
        KEPT.mkdir(parents=True, exist_ok=True)
        for name in arguments or names():
            _run(name)


if __name__ == "__main__":
    main(sys.argv[1:])

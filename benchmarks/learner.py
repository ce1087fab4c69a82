"""How many candidate policies a second the search scores, next to the throw-away prototype's.

Preset `paper` on the paper's training problems, 2,500 candidates, one job, going on after a perfect
score; Forest without the induce operator, as in the paper. The prototype (one C++ file beside the
shared problems) is compiled and run in the same run, as the machine is then the same for both.
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import tempfile
import warnings
from pathlib import Path

from pg3.errors import InputWarning
from pg3.operators import OPERATORS, OperatorOptions
from pg3.pddl import read_domain, read_problem
from pg3.policy_search import PolicySearch
from pg3.scores import SCORES
from pg3.training import Training

SHARED = Path(__file__).resolve().parents[2] / "shared"
DOMAINS = ("delivery", "forest", "gripper", "miconic", "ferry", "spanner")
CANDIDATES = 2500
REPETITIONS = 3


def run() -> None:
    """Print candidates a second for each domain, and the ratio to the prototype."""
    print("Search over policies, candidates a second (preset paper, one job, seed 0)")
    if not (SHARED / "problems").is_dir():
        print("  the shared problems are not here: nothing to measure")
        return
    with tempfile.TemporaryDirectory() as folder:
        prototype = build_prototype(Path(folder))
        print(f"  {'':10}{'pg3':>10}{'prototype':>12}{'ratio':>8}{'memory':>10}")
        for domain in DOMAINS:
            ours, theirs, megabytes = [], [], 0.0
            for _ in range(REPETITIONS):
                rate, megabytes = ours_on(domain)
                ours.append(rate)
                if prototype is not None:
                    theirs.append(prototype_on(prototype, domain))
            rate = statistics.median(ours)
            rival = f"{statistics.median(theirs):12,.0f}" if theirs else f"{'-':>12}"
            ratio = f"{rate / statistics.median(theirs):7.1f}x" if theirs else f"{'-':>8}"
            print(f"  {domain:10}{rate:10,.0f}{rival}{ratio}{megabytes:7.0f} MB")
    print("  wanted: at least the prototype's in every domain, twice that is the aim; under 500 MB")


def ours_on(name: str) -> tuple[float, float]:
    """Candidates a second, and the megabytes that the kernel keeps at the end."""
    folder = SHARED / "problems" / "paper" / name
    domain = read_domain(folder / "domain.pddl")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        paths = sorted((folder / "train" / "seed0").glob("*.pddl"))
        training = Training([read_problem(path, domain) for path in paths])
    outcome = PolicySearch(
        training,
        SCORES["pg3"](training, 50, 100, "max"),
        {
            operator: make(training, OperatorOptions())
            for operator, make in OPERATORS.items()
            if name != "forest" or operator != "induce-rule"
        },
        max_candidates=CANDIDATES,
        stop_when_perfect=False,
    ).run()
    return outcome.candidates / outcome.seconds, training.native.bytes() / 2**20


def build_prototype(folder: Path) -> Path | None:
    """The compiled prototype, or None if its source or a compiler is missing."""
    source = SHARED / "prototype" / "search.cpp"
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None or not source.is_file():
        print("  no prototype here to compare with")
        return None
    binary = folder / "prototype"
    command = [compiler, "-O2", "-std=c++20", "-w", "-o", str(binary), str(source)]
    subprocess.run(command, check=True)
    return binary


def prototype_on(binary: Path, name: str) -> float:
    """The prototype's candidates a second, by its own clock."""
    folder = SHARED / "problems" / "paper" / name
    operators = "CDRA" if name == "forest" else "TCDRA"
    options = {
        "dom": folder / "domain.pddl",
        "train": folder / "train" / "seed0",
        "score": "pg3",
        "ops": operators,
        "stop0": 0,
        "stop100": 0,
        "maxeval": CANDIDATES,
        "L": 100,
        "v": 0,
        "print": 0,
    }
    command = [str(binary), *(f"{key}={value}" for key, value in options.items())]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = re.search(r"eval/s=([0-9.]+)", output)
    assert found is not None, output
    return float(found[1])

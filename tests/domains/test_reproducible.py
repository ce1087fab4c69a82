"""The same problems for the same seed, down to the byte, on every machine and for ever.

If one of these fingerprints changes, everybody's results change: a change of a generator needs a
better reason than tidiness, and a line in the changelog.
"""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256

from pg3.domains import DOMAINS
from pg3.pddl import write_problem
from tests.conftest import REPOSITORY

FINGERPRINTS = {
    "delivery train": "524e6f488426a14d",
    "delivery test": "08e6af3d43df34cc",
    "forest train": "e44f9c38d46def6c",
    "forest test": "f88e4bc95eed0f11",
    "gripper train": "ec9a7893e2178ee8",
    "gripper test": "160712391ccfc5d0",
    "miconic train": "c94041a39672218a",
    "miconic test": "aeadec07e51964ed",
    "ferry train": "57bd89e4858440f8",
    "ferry test": "0dcddbc23ef6a5ef",
    "spanner train": "5926963e49f4a105",
    "spanner test": "ec74b262428e0ab4",
}


def fingerprints() -> dict[str, str]:
    """For each split a hash of its first ten problems, as they are written."""
    found = {}
    for name, domain in DOMAINS.items():
        for split in domain.splits:
            problems = domain.problems(split, seed=0, count=10)
            text = "".join(map(write_problem, problems))
            found[f"{name} {split}"] = sha256(text.encode()).hexdigest()[:16]
    return found


def test_the_problems_are_those_of_the_first_release() -> None:
    found = fingerprints()
    assert {name: found[name] for name in FINGERPRINTS} == FINGERPRINTS


def test_nothing_depends_on_the_hash_seed() -> None:
    script = "from tests.domains.test_reproducible import *; print(fingerprints() == FINGERPRINTS)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        check=True,
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        env=os.environ | {"PYTHONHASHSEED": "7"},
    )
    assert done.stdout == "True\n"


if __name__ == "__main__":
    for name, fingerprint in fingerprints().items():
        print(f'    "{name}": "{fingerprint}",')

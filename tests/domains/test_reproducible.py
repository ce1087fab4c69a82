"""The same problems for the same seed, down to the byte, on every machine and for ever.

If one of these fingerprints changes, everybody's results change: a change of a generator needs a
better reason than tidiness, and a line in the changelog.
"""

from __future__ import annotations

from hashlib import sha256

from pg3.domains import DOMAINS, BuiltInDomain
from pg3.pddl import write_problem
from tests.support.processes import run_python

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
    "blocksworld train": "136ff1c1c0271be3",
    "blocksworld test": "beaa669d58b66c13",
    "blocksworld-partial train": "1034485d0c60af3b",
    "blocksworld-partial test": "b73959678840a65e",
    "childsnack train": "2362b5539219564b",
    "childsnack test": "8348a292b25ba0a4",
    "floortile train": "b8aed033c0ec420e",
    "floortile test": "c6da50f12bc23a9d",
    "transport-roads train": "9f77edc180731936",
    "transport-roads test": "717567b4442389ad",
    "barman train": "c0de9f269a9c279e",
    "barman test": "1c98e01b73411d53",
    "ferry-typed train": "815f458d905d9bce",
    "ferry-typed test": "fec42b60e8f3fc89",
    "logistics train": "3adc3f9d4d334fca",
    "logistics test": "352b1e84ebe6465a",
    "miconic-once train": "9dd2cd3d13a4dcea",
    "miconic-once test": "c699806f72119d6f",
    "rovers train": "29075c703dac3fe3",
    "rovers test": "62e386755d192157",
    "satellite train": "37389ff9b32095c1",
    "satellite test": "949ba8b3673d969a",
    "transport train": "99ffb97bfdfb668a",
    "transport test": "6386abc9c74a5085",
    "rovers-traverse train": "034cdf755fd027eb",
    "rovers-traverse test": "34ebf03ad497b66e",
}

WITH_OPTIONS = {
    "miconic train equal-buildings": "4ea8c9946605ee88",
    "miconic test equal-buildings": "f4ce322000621e6f",
}


def fingerprint(domain: BuiltInDomain, split: str, *options: str) -> str:
    """A hash of the first ten problems, as they are written."""
    problems = domain.problems(split, seed=0, count=10, options=options)
    return sha256("".join(map(write_problem, problems)).encode()).hexdigest()[:16]


def fingerprints() -> dict[str, str]:
    """For each split the fingerprint of its problems without options."""
    return {
        f"{name} {split}": fingerprint(domain, split)
        for name, domain in DOMAINS.items()
        for split in domain.splits
    }


def test_the_problems_are_those_of_the_first_release() -> None:
    found = fingerprints()
    assert {name: found[name] for name in FINGERPRINTS} == FINGERPRINTS


def test_miconic_without_its_option_is_as_before_there_was_one() -> None:
    hashed = sha256()
    for split in ("train", "test"):
        for seed in range(20):
            for problem in DOMAINS["miconic"].problems(split, seed=seed):
                hashed.update(write_problem(problem).encode())
    assert hashed.hexdigest()[:16] == "671f75f3f59ca02a"


def test_the_problems_with_an_option() -> None:
    found = {
        f"{name} {split} {option.name}": fingerprint(domain, split, option.name)
        for name, domain in DOMAINS.items()
        for split in domain.splits
        for option in domain.options
    }
    assert found == WITH_OPTIONS


def test_nothing_depends_on_the_hash_seed() -> None:
    script = "from tests.domains.test_reproducible import *; print(fingerprints() == FINGERPRINTS)"
    other = run_python(script, hash_seed="7")
    assert other.stdout == "True\n", other.stderr


if __name__ == "__main__":
    for name, found in fingerprints().items():
        print(f'    "{name}": "{found}",')

"""A hunt for a false proof: mutants of learned policies, each proved one tried on random members.

    python -m benchmarks.proofs.campaign DOMAIN... [--mutants N] [--members N] [--seed N]
    python -m benchmarks.proofs.campaign --count             # what has been found so far

A mutant lacks a rule or a condition, has two neighbouring rules swapped, or has two changes of
these kinds. Each is a line of build/campaign/DOMAIN.jsonl, written when it is done, so that a
campaign can be stopped and gone on with; lines are of one policy only, or it begins anew. A mutant
gets LIMIT CPU seconds in a process of its own. Exit code 1 if a proved mutant fails a member of its
class.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import multiprocessing
import random
import resource
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pg3
from benchmarks.proofs.members import random_members
from benchmarks.proofs.table import problems_of
from pg3.analysis.prove.membership import ProblemClass
from pg3.errors import Pg3Error
from pg3.policy.checks import check_policy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KEPT = Path("build/campaign")
# Most mutants are answered within ten seconds; one that is not is "open", which is no false proof.
LIMIT = 40
# Objects a kind of the random members, in turns: growing, as some faults need many objects.
SIZES = (2, 3, 4, 5, 6)


def mutants(policy: pg3.Policy) -> Iterator[tuple[str, pg3.Policy]]:
    """Every policy that differs in one rule, one condition or one order of neighbours."""
    rules = policy.rules
    for i, rule in enumerate(rules):
        yield f"without rule {rule.name}", replace(policy, rules=rules[:i] + rules[i + 1 :])
        for k, condition in enumerate(rule.preconditions):
            left = rule.preconditions[:k] + rule.preconditions[k + 1 :]
            less = replace(rule, preconditions=left)
            changed = (*rules[:i], less, *rules[i + 1 :])
            yield f"{rule.name} without {condition}", replace(policy, rules=changed)
        if i:
            swapped = (*rules[: i - 1], rule, rules[i - 1], *rules[i + 1 :])
            yield f"{rule.name} before {rules[i - 1].name}", replace(policy, rules=swapped)


def chosen_mutants(policy: pg3.Policy, most: int, seed: int) -> list[tuple[str, pg3.Policy]]:
    """The policy itself and so many different mutants, with one change first, then with two."""
    chance = random.Random(seed)
    single = list(mutants(policy))
    chance.shuffle(single)
    double = (
        (f"{what}; {then}", twice)
        for what, once in single
        for then, twice in chance.sample(list(mutants(once)), min(len(once.rules), 4))
    )
    found: dict[pg3.Policy, str] = {policy: "as learned"}
    for what, mutant in itertools.chain(single, double):
        if len(found) > most:
            break
        if mutant.rules:
            found.setdefault(mutant, what)
    return [(what, mutant) for mutant, what in found.items()]


def failures(
    domain: pg3.Domain,
    policy: pg3.Policy,
    result: pg3.ProofResult,
    seed: int,
    number: int,
    sizes: tuple[int, ...] = (2, 3, 4),
) -> tuple[int, list[pg3.Problem]]:
    """How many random members of a proved class were tried, and those that the policy fails."""
    members = ProblemClass.of(domain, policy, result.problem_class)
    tried, failed = 0, []
    for problem in random_members(members, random.Random(seed), number, sizes):
        tried += 1
        if not pg3.execute(problem, policy).solved:
            failed.append(problem)
    return tried, failed


def judged(
    domain: pg3.Domain, problems: Sequence[pg3.Problem], mutant: pg3.Policy, number: int, seed: int
) -> dict[str, Any]:
    """What `prove` says of a mutant, and how many members of a proved class it fails."""
    try:
        check_policy(mutant, domain)
    except Pg3Error:
        return {"answer": "no policy"}
    result = pg3.prove(domain, problems, mutant)
    answer = str(result.verdict)
    if result.counterexample is not None:
        answer += " with a counterexample"
    found: dict[str, Any] = {"answer": answer, "reason": result.reason}
    if result.proved:
        tried, failed = failures(domain, mutant, result, seed, number, SIZES)
        found |= {"tried": tried, "failed": [str(problem) for problem in failed]}
    return found


def _child(pipe: Any, *given: Any) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))
    pipe.send(judged(*given))


def _within_limit(*given: Any) -> dict[str, Any]:
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(there, *given))
    process.start()
    there.close()
    try:
        found: dict[str, Any] = here.recv()
    except EOFError:
        found = {"answer": "open", "reason": f"no answer within {LIMIT} CPU seconds"}
    process.join()
    return found


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def campaign(name: str, most: int, number: int, seed: int) -> None:
    """Judge the mutants of a domain that have not been judged yet."""
    domain, problems = problems_of(name)
    policy = pg3.learn(domain, problems).policy
    file = KEPT / f"{name.replace('/', '-')}.jsonl"
    origin = hashlib.sha256(str(policy).encode()).hexdigest()
    done = {one["mutant"]: one for one in _lines(file)} if file.exists() else {}
    if any(one["origin"] != origin for one in done.values()):
        file.unlink()
        done = {}
    for what, mutant in chosen_mutants(policy, most, seed):
        if what in done:
            continue
        found = _within_limit(domain, problems, mutant, number, seed)
        line = {"domain": name, "origin": origin, "mutant": what, **found}
        with file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")


def counts() -> Counter[str]:
    """The answers of all lines; originals are counted apart."""
    total: Counter[str] = Counter()
    for file in sorted(KEPT.glob("*.jsonl")):
        for one in _lines(file):
            total["originals" if one["mutant"] == "as learned" else one["answer"]] += 1
            total["members tried"] += one.get("tried", 0)
            total["FALSE PROOFS"] += bool(one.get("failed"))
    return total


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("domains", nargs="*")
    parser.add_argument("--mutants", type=int, default=50)
    parser.add_argument("--members", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", action="store_true")
    options = parser.parse_args(arguments)
    KEPT.mkdir(parents=True, exist_ok=True)
    for name in () if options.count else options.domains:
        campaign(name, options.mutants, options.members, options.seed)
        print(name, dict(counts()), flush=True)
    total = counts()
    print(", ".join(f"{number} {what}" for what, number in sorted(total.items())))
    return 1 if total["FALSE PROOFS"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""A hunt for a false proof: mutants of learned policies, each proved one tried on random members.

    python -m benchmarks.proofs.campaign DOMAIN... [--mutants N] [--members N] [--seed N]

A mutant lacks a rule or a condition, or has two neighbouring rules swapped. Prints a line a mutant
and the counts; exit code 1 if a proved mutant fails a member of its class.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pg3
from benchmarks.proofs.members import random_members
from benchmarks.proofs.table import problems_of
from pg3.analysis.prove.membership import ProblemClass
from pg3.errors import Pg3Error
from pg3.policy.checks import check_policy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


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


def failures(
    domain: pg3.Domain, policy: pg3.Policy, result: pg3.ProofResult, seed: int, number: int
) -> tuple[int, list[pg3.Problem]]:
    """How many random members of a proved class were tried, and those that the policy fails."""
    members = ProblemClass.of(domain, policy, result.problem_class)
    tried, failed = 0, []
    for problem in random_members(members, random.Random(seed), number):
        tried += 1
        if not pg3.execute(problem, policy).solved:
            failed.append(problem)
    return tried, failed


def campaign(name: str, most: int, number: int, seed: int) -> Counter[str]:
    domain, problems = problems_of(name)
    policy = pg3.learn(domain, problems).policy
    found = list(mutants(policy))
    random.Random(seed).shuffle(found)
    counts: Counter[str] = Counter()
    for what, mutant in [("as learned", policy), *found[:most]]:
        try:
            check_policy(mutant, domain)
        except Pg3Error:
            counts["no policy"] += 1
            continue
        result = pg3.prove(domain, problems, mutant)
        answer = str(result.verdict)
        if result.counterexample is not None:
            answer += " with a counterexample"
        counts[answer] += 1
        if result.proved:
            tried, failed = failures(domain, mutant, result, seed, number)
            counts["members tried"] += tried
            counts["FALSE PROOFS"] += bool(failed)
            answer += f", {tried} members, {len(failed)} failed"
        print(f"{name}: {what}: {answer}", flush=True)
    return counts


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("domains", nargs="+")
    parser.add_argument("--mutants", type=int, default=20)
    parser.add_argument("--members", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    total: Counter[str] = Counter()
    for name in options.domains:
        total += campaign(name, options.mutants, options.members, options.seed)
    print(", ".join(f"{number} {what}" for what, number in sorted(total.items())))
    return 1 if total["FALSE PROOFS"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

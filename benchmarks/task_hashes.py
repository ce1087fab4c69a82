"""Hashes of compiled tasks: does a change of the readers read anything differently?

    python -m benchmarks.task_hashes                  # prints a line for each domain
    python -m benchmarks.task_hashes --write FILE     # keeps them
    python -m benchmarks.task_hashes --compare FILE   # says what differs from FILE, and counts

A hash covers what the kernel gets: types, predicates, actions, axioms, facts, goals, costs and
numbers of all problems of a domain. The domains are the built-in ones (first training and test
problems of seed 0) and, where they are at hand, those of `foreign.py`: half a minute of processor
time for all 226, half of it for Autoscale's Airport. `task_hashes.json` has those of the
commit before the readers read ADL and numbers, and what has been read since.
"""

from __future__ import annotations

import argparse
import json
import warnings
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.foreign import FOREIGN
from pg3 import read_domain, read_problem
from pg3.domains import DOMAINS
from pg3.errors import Pg3Error
from pg3.policy.number_encoding import encode_numbers
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pg3.pddl import Problem

_PROBLEMS = 3  # of each split of a built-in domain


def code_of(problem: Problem) -> str:
    """What the kernel gets of a problem, as text; features that it does not have leave no trace."""
    task = Task(problem)
    schemas = task._schemas
    # Codes of actions and axioms may get longer; what a domain does not use is empty there.
    actions = [[part for part in action if part != []] for action in schemas.actions]
    disjunctions = list(task._disjunctions())
    numbers = encode_numbers(problem, task.symbols, task._numbers, schemas.terms)
    more = [*([disjunctions] if disjunctions else ()), *([numbers] if numbers else ())]
    return repr(
        (
            [(type_.name, type_.parents) for type_ in problem.domain.types],
            [(p.name, p.arity) for p in problem.domain.predicates],
            actions,
            schemas.axioms,
            [(o.name, o.type) for o in problem.all_objects],
            problem.init.codes,
            problem.goal.codes,
            problem.negative_goal.codes,
            _Text(_values_text(problem)),
            problem.minimizes_cost,
            *more,
        )
    )


class _Text(str):
    """Text that `repr` leaves as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _values_text(problem: Problem) -> str:
    """The values of functions, written as when the first hashes were made.

    Not as Python shows an atom: when that changed, the hashes of all domains with costs of roads
    did, though nothing was read differently.
    """
    values = sorted(problem.function_values.items())
    shown = (
        f"(Atom(predicate={atom.predicate!r}, terms={atom.terms!r}), {value!r})"
        for atom, value in values
    )
    return f"[{', '.join(shown)}]"


def hash_of(problems: Iterable[Problem]) -> str:
    """One hash of all the problems, in their order."""
    found = sha256()
    for problem in problems:
        found.update(code_of(problem).encode())
    return found.hexdigest()[:16]


def _foreign_problems(folder: Path) -> Iterator[Problem]:
    domains = {path.name: read_domain(path) for path in sorted(folder.glob("*domain*.pddl"))}
    for path in sorted(folder.rglob("*.pddl")):
        if "domain" not in path.name:
            own = domains.get(f"domain-{path.name}") or domains.get("domain.pddl")
            yield read_problem(path, own or next(iter(domains.values())))


def all_hashes() -> dict[str, str]:
    """For each domain its hash, or "not read" with the first line of the message."""
    found = {}
    for name, domain in DOMAINS.items():
        problems = [
            *domain.problems("train", seed=0)[:_PROBLEMS],
            *domain.problems("test", seed=0)[:_PROBLEMS],
        ]
        found[f"built-in/{name}"] = hash_of(problems)
    for folder in sorted({path.parent for path in FOREIGN.glob("problems/*/*/*domain*.pddl")}):
        name = "/".join(folder.parts[-2:])
        try:
            found[name] = hash_of(_foreign_problems(folder))
        except Pg3Error as error:
            found[name] = "not read: " + str(error).split("\n")[0].split("/")[-1]
    return found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--compare", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    found = all_hashes()
    if options.write:
        options.write.write_text(json.dumps(found, indent=1) + "\n")
    if not options.compare:
        for name, value in found.items():
            print(f"{value}  {name}")
        return
    before = json.loads(options.compare.read_text())
    differing = [
        name
        for name, value in before.items()
        if name in found and not value.startswith("not read") and found[name] != value
    ]
    for name in differing:
        print(f"differs: {name}")
    same = sum(found.get(name) == value for name, value in before.items())
    newly = [name for name, value in before.items() if value.startswith("not read")]
    newly = [name for name in newly if not found.get(name, "not read").startswith("not read")]
    print(
        f"{len(before)} before, {same} the same, {len(differing)} differ, {len(newly)} newly read"
    )


if __name__ == "__main__":
    main()

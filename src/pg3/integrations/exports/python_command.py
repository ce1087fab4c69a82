"""The part of an exported Python module that makes it a command: PROBLEM.pddl in, a plan out.

`python_module` puts what stands below the line after `python_runtime`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pg3.integrations.exports.python_runtime import FUNCTIONS, PREDICATES, run

if TYPE_CHECKING:
    from collections.abc import Sequence

# == the command ==


def read_problem(text: str) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """A PDDL problem: its objects with their types, its facts, its goals and what is unwanted.

    The goal is a conjunction; costs are ignored. ValueError if the text is something else.
    """
    lines = [line.partition(";")[0].lower() for line in text.splitlines()]
    words = " ".join(lines).replace("(", " ( ").replace(")", " ) ").split()
    stack: list[list[Any]] = [[]]
    for word in words:
        if word == "(":
            stack.append([])
        elif word != ")":
            stack[-1].append(word)
        elif len(stack) > 1:
            stack[-2].append(stack.pop())
    if len(stack) != 1 or len(stack[0]) != 1 or stack[0][0][:1] != ["define"]:
        raise ValueError("this is not a PDDL problem: '(define (problem ...' is expected")
    sections = {part[0]: part[1:] for part in stack[0][0][1:] if isinstance(part, list) and part}
    if "problem" not in sections or ":goal" not in sections:
        raise ValueError("this is not a PDDL problem: it has no goal")
    objects: list[Any] = []
    untyped: list[str] = []
    rest = iter(sections.get(":objects", []))
    for word in rest:
        if word == "-":
            type_name = next(rest, "")
            objects += [(name, type_name) for name in untyped]
            untyped = []
        else:
            untyped.append(word)
    objects += [(name, "object") for name in untyped]
    facts = [tuple(fact) for fact in sections.get(":init", []) if fact[:1] != ["="]]
    facts += [
        ("=", tuple(fact[1]), fact[2])
        for fact in sections.get(":init", [])
        if fact[:1] == ["="] and fact[1][0] in FUNCTIONS
    ]
    goals: list[Any] = []
    unwanted: list[Any] = []
    pending = list(sections[":goal"])
    while pending:
        one = pending.pop(0)
        if one[:1] == ["and"] or not one:
            pending[:0] = one[1:]
            continue
        is_wanted = one[0] != "not"
        inner = one if is_wanted else one[1]
        if inner[0] in PREDICATES:
            found = tuple(inner)
        elif inner[0] in _MIRRORED and (number := _goal_number(*inner)):
            found = number
        else:
            raise ValueError(f"a goal with '{inner[0]}' is not supported here: pg3 solve knows it")
        (goals if is_wanted else unwanted).append(found)
    return objects, facts, goals, unwanted


_MIRRORED = {"<": ">", "<=": ">=", "=": "=", ">=": "<=", ">": "<"}


def _goal_number(word: str, left: Any, right: Any) -> Any:
    """The goal that compares a function with a number, whatever their order; None for others."""
    if isinstance(left, str):
        word, left, right = _MIRRORED[word], right, left
    is_plain = isinstance(left, list) and isinstance(right, str) and left[0] in FUNCTIONS
    return (word, tuple(left), right) if is_plain else None


def main(arguments: Sequence[str]) -> int:
    """Print the plan for a problem file: 0, 1 if the policy fails, 2 if the file cannot be used."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: python THIS_FILE PROBLEM.pddl", file=sys.stderr)
        return 2
    try:
        text = Path(arguments[0]).read_text(encoding="utf-8")
        objects, facts, goals, unwanted = read_problem(text)
        result = run(facts, goals, objects, unwanted)
    except (OSError, ValueError, IndexError, KeyError, TypeError) as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 2
    for name, things in result.plan if result.status == "solved" else ():
        print(f"({' '.join((name, *things))})")
    if result.status != "solved":
        print(f"not solved: {result.status} after {len(result.plan)} steps", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Of an exported module: what its user calls; it is a command, too, PROBLEM.pddl in, a plan out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pg3.integrations.exports.python.data import (
    ACTIONS,
    FUNCTIONS,
    PREDICATES,
    Atom,
    Facts,
    Objects,
    Run,
    _is_number,
)
from pg3.integrations.exports.python.matching import (
    _amount,
    _asked,
    _closed,
    _decide,
    _ground,
    _holds,
    _is_true,
    _known,
    _Query,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# == exported ==


def next_action(
    state: Facts | Iterable[Sequence[Any]],
    goal: Facts | Iterable[Sequence[Any]],
    objects: Objects | Mapping[str, str] | Iterable[Sequence[str]],
    negative_goal: Iterable[Sequence[Any]] = (),
) -> tuple[str, tuple[str, ...]] | None:
    """The action that the policy chooses in a state, or None if no rule applies.

    `state` holds the facts that are true, `goal` the facts that are wanted true: tuples such as
    ("at", "car1", "dock"). What is derived is worked out here. `objects` maps each object to its
    type, in the problem's order (or lists pairs); constants of the domain are known. Pass `Facts`
    and `Objects` if you ask often: they are taken as they are, and `Facts` can be changed from
    state to state. ValueError for facts that the domain or the objects do not allow.

    A number stands among the facts as in PDDL, ("=", ("fuel", "van1"), 3), and so does a goal of
    one, (">=", ("fuel", "van1"), 5). `negative_goal` holds the facts that are wanted false.

    The first rule that some objects satisfy decides, with the first such objects: its parameters
    vary like the digits of a number, the last the fastest. The action itself may be impossible.
    """
    facts, goals, unwanted, things = _prepared(state, goal, negative_goal, objects)
    asked = _asked(goals, unwanted)
    return _decide(_known(_closed(facts, asked, things), asked, things), asked, things)


def run(
    state: Facts | Iterable[Sequence[Any]],
    goal: Facts | Iterable[Sequence[Any]],
    objects: Objects | Mapping[str, str] | Iterable[Sequence[str]],
    negative_goal: Iterable[Sequence[Any]] = (),
    max_steps: int | None = None,
) -> Run:
    """Carry out the policy from a state up to the goal, or to where it fails.

    The arguments are those of `next_action`. Costs of actions are not looked at.
    """
    facts, goals, unwanted, things = _prepared(state, goal, negative_goal, objects)
    current = Facts(facts)
    asked = _asked(goals, unwanted)
    plan: list[tuple[str, tuple[str, ...]]] = []
    # States differ in these only.
    changing = {effect.atom[0] for action in ACTIONS.values() for effect in action.effects}
    for action_schema in ACTIONS.values():
        for one in action_schema.conditional:
            changing |= {effect.atom[0] for effect in one.effects}
    seen = {(current.of(changing), tuple(current.numbers.values()))}
    while True:
        closed = _closed(current, asked, things)
        if all(_is_true(one, closed) for one in goals) and not any(
            _is_true(one, closed) for one in unwanted
        ):
            return Run("solved", plan)
        if max_steps is not None and len(plan) >= max_steps:
            return Run("horizon", plan)
        action = _decide(_known(closed, asked, things), asked, things)
        if action is None or not apply(action, current, things):
            return Run("not applicable", plan)
        plan.append(action)
        now = current.of(changing), tuple(current.numbers.values())
        if now in seen:
            return Run("cycle", plan)
        seen.add(now)


def apply(action: tuple[str, tuple[str, ...]], state: Facts, objects: Objects) -> bool:
    """Do an action, changing the state; False, and nothing changes, if it cannot be done."""
    name, arguments = action
    schema = ACTIONS[name]
    binding: dict[str, str] = {}
    for (parameter, types), argument in zip(schema.parameters, arguments, strict=True):
        if argument not in objects.members(types):
            return False
        binding[parameter] = argument
    closed = _closed(state, Facts(), objects)
    if not all(_holds(condition, binding, closed) for condition in schema.preconditions):
        return False
    effects = [(_ground(effect.atom, binding), effect.positive) for effect in schema.effects]
    for one in schema.conditional:
        asked = [c._replace(atom=_ground(c.atom, binding)) for c in one.conditions]
        for found in _Query(one.variables, tuple(asked), ()).all(closed, Facts(), objects):
            both = {**binding, **found}
            effects += [(_ground(effect.atom, both), effect.positive) for effect in one.effects]
    values = dict(state.numbers)
    for change in schema.changes:
        function = _ground(change.function, binding)
        amount = _amount(change.amount, binding, state, Facts())
        if function not in values or amount is None:
            return False
        sign = {"increase": 1, "decrease": -1}.get(change.word)
        values[function] = amount if sign is None else values[function] + sign * amount
    state.numbers = values
    for atom, positive in effects:
        if not positive:
            state.discard(atom)
    for atom, positive in effects:
        if positive:
            state.add(atom)
    return True


def _prepared(
    state: Any, goal: Any, negative_goal: Any, objects: Any
) -> tuple[Facts, Facts, Facts, Objects]:
    things = objects if isinstance(objects, Objects) else Objects(objects)
    facts, goals, unwanted = (_facts(some, things) for some in (state, goal, negative_goal))
    for function, number in unwanted.numbers.items():
        if goals.numbers.get(function, number) != number:
            raise ValueError(f"two goals compare {function[1:]} by {function[0]!r}")
    return facts, goals, unwanted, things


def _facts(atoms: Facts | Iterable[Sequence[Any]], objects: Objects) -> Facts:
    if isinstance(atoms, Facts):
        return atoms
    atoms = [tuple(atom) for atom in atoms]
    seen: set[Atom] = set()
    for atom in atoms:
        names = atom[1] if _is_number(atom) else atom
        table, what = (FUNCTIONS, "function") if _is_number(atom) else (PREDICATES, "predicate")
        if table.get(names[0]) != len(names) - 1:
            raise ValueError(f"{atom}: the domain has no such {what}, or of another arity")
        for name in names[1:]:
            if name not in objects.types:
                raise ValueError(f"{atom}: there is no object {name!r}")
        if _is_number(atom) and (atom[0], *names) in seen:
            raise ValueError(f"{atom}: there are two numbers for {tuple(names)}")
        seen.add((atom[0], *names))
    return Facts(atoms)


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
    except OSError as error:
        print(f"{arguments[0]}: cannot be read: {error.strerror}", file=sys.stderr)
        return 2
    except (ValueError, IndexError, KeyError, TypeError) as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 2
    for name, things in result.plan if result.status == "solved" else ():
        print(f"({' '.join((name, *things))})")
    if result.status != "solved":
        stuck = "no rule applies, or its action cannot be done,"
        status = stuck if result.status == "not applicable" else result.status
        print(f"not solved: {status} after {len(result.plan)} steps", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

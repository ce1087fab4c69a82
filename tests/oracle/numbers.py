"""Numbers, by reading each comparison as the text that it is and trying out all objects.

The values of functions are atoms of a state: `(= (f a) 3)` has the terms a and 3.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import TYPE_CHECKING

from pg3.pddl.model import Atom
from pg3.pddl.numbers import comparison_of
from pg3.policy.number_encoding import encode_comparison, function_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pg3.pddl.model import Problem
    from pg3.pddl.numbers import NumericEffect
    from tests.oracle.semantics import State

WORDS = ("<=", ">=", "<", ">", "=")


def is_value(atom: Atom) -> bool:
    """Whether an atom of a state says which value a function has."""
    return atom.predicate.startswith("(= (") and atom.predicate.endswith(f" ${len(atom.terms)})")


def is_comparison(atom: Atom) -> bool:
    """Whether an atom compares numbers."""
    return atom.predicate.startswith(tuple(f"({word} " for word in WORDS)) and not is_value(atom)


def value_atom(function: str, objects: tuple[str, ...], value: Fraction) -> Atom:
    """The atom that says so; all values here have at most three decimals."""
    places = "".join(f" ${i + 1}" for i in range(len(objects)))
    text = str(int(value)) if value.denominator == 1 else f"{float(value):.3f}".rstrip("0")
    return Atom(f"(= ({function}{places}) ${len(objects) + 1})", (*objects, text))


def numbers_at_start(problem: Problem) -> State:
    """The values of the functions that actions change."""
    changed = {e.function.name for action in problem.domain.actions for e in action.numeric}
    return frozenset(
        value_atom(name, terms, Fraction(value))
        for (name, terms), value in problem.function_values.items()
        if name in changed
    )


def values(problem: Problem, state: Iterable[Atom]) -> dict[tuple[str, ...], Fraction]:
    """The values of all functions, by name and objects."""
    found = {(n, *t): Fraction(value) for (n, t), value in problem.function_values.items()}
    for atom in state:
        if is_value(atom):
            name = atom.predicate[4:].split(" ")[0].rstrip(")")
            found[name, *atom.terms[:-1]] = Fraction(atom.terms[-1])
    return found


def _parsed(text: str) -> object:
    stack: list[list[object]] = [[]]
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0][0]


def _number(
    tree: object, word: str, objects: Mapping[str, str], known: Mapping[tuple[str, ...], Fraction]
) -> Fraction | None:
    if isinstance(tree, str):
        return Fraction(tree)
    assert isinstance(tree, list)
    head, *parts = tree
    if head == "goal" and isinstance(parts[0], list):
        name, *terms = parts[0]
        return known.get((f"(goal {word} {name})", *(objects[t] for t in terms)))
    if head not in ("+", "-", "*", "/"):
        return known.get((head, *(objects[term] for term in parts)))
    found = [_number(part, word, objects, known) for part in parts]
    if any(one is None for one in found):
        return None
    first, *rest = (one for one in found if one is not None)
    if head == "-" and not rest:
        return -first
    for one in rest:
        first = {
            "+": first + one,
            "-": first - one,
            "*": first * one,
            "/": first / one if head == "/" else first,
        }[head]
    return first


def difference(atom: Atom, known: Mapping[tuple[str, ...], Fraction]) -> Fraction | None:
    """The left side of a comparison minus the right one; None if a function has no value."""
    tree = _parsed(atom.predicate)
    assert isinstance(tree, list)
    word, left, right = tree
    objects = {f"${i + 1}": name for i, name in enumerate(atom.terms)}
    both = [_number(side, word, objects, known) for side in (left, right)]
    return None if both[0] is None or both[1] is None else both[0] - both[1]


def _compares(word: str, more: Fraction) -> bool:
    return {"<": more < 0, "<=": more <= 0, "=": more == 0, ">=": more >= 0, ">": more > 0}[word]


def word_of(atom: Atom) -> str:
    """The word of a comparison."""
    return atom.predicate[1:].split(" ")[0]


def is_true(atom: Atom, known: Mapping[tuple[str, ...], Fraction]) -> bool:
    """Whether a comparison of objects holds."""
    more = difference(atom, known)
    return more is not None and _compares(word_of(atom), more)


def compared(problem: Problem, state: State) -> State:
    """The comparisons of the domain that hold in a state."""
    known = values(problem, state)
    return frozenset(atom for atom in all_comparisons(problem) if is_true(atom, known))


def all_comparisons(problem: Problem) -> list[Atom]:
    """All atoms of the domain's comparisons, and of those in disjunctions of the goal."""
    names = [p.name for p in problem.domain.predicates if is_comparison(Atom(p.name, ()))]
    names += [a.predicate for one in problem.disjunctions for part in one for a, _ in part]
    found = []
    for name in dict.fromkeys(names):
        arity = len({token for token in name.replace(")", " ").split() if token[0] == "$"})
        if is_comparison(Atom(name, ("",) * arity)):
            choices = itertools.product(problem.object_names, repeat=arity)
            found += [Atom(name, terms) for terms in choices]
    return found


def changed(
    problem: Problem, effects: Iterable[NumericEffect], state: Iterable[Atom]
) -> dict[tuple[str, ...], tuple[Fraction, Fraction]] | None:
    """For each function that ground effects change the values before and after; None if one has
    none."""
    known = values(problem, state)
    found: dict[tuple[str, ...], tuple[Fraction, Fraction]] = {}
    for effect in effects:
        function = (effect.function.name, *effect.function.terms)
        amount = _number(_parsed(f"({effect.amount})")[0], "", _Same(), known)  # type: ignore[index]
        if function not in known or amount is None:
            return None
        start, before = found.get(function, (known[function], known[function]))
        after = {"increase": before + amount, "decrease": before - amount, "assign": amount}
        found[function] = (start, after[effect.word])
    return found


class _Same(dict[str, str]):
    """Every object under its own name."""

    def __missing__(self, name: str) -> str:
        return name


def repetitions(
    problem: Problem, effects: Iterable[NumericEffect], atom: Atom, wanted: bool, state: State
) -> int | None:
    """How often an action with these effects must be done until a comparison is as wanted.

    None if it never helps, as far as the kernel's heuristics look: with several numbers an
    assignment always does, and past a number to be met exactly any step.
    """
    effects = list(effects)
    known = values(problem, state)
    numbers = numbers_in(problem, atom)
    touched = [e for e in effects if (e.function.name, *e.function.terms) in numbers]
    now = difference(atom, known)
    if not touched or now is None:
        return None
    done = changed(problem, effects, state)
    assert done is not None
    after = {**known, **{function: values[1] for function, values in done.items()}}
    then = difference(atom, after)
    assert then is not None
    word = word_of(atom)
    if any(effect.word == "assign" for effect in touched):
        if len(numbers) > 1 or _compares(word, then) == wanted:
            return 1
        return None
    step = then - now
    if step == 0:
        return None
    if word == "=":
        away = abs(now) / abs(step)
        return math.ceil(away) if wanted and (now < 0) == (step > 0) else 1
    rises = (step > 0) == (word in (">", ">="))
    if rises != wanted:
        return None
    for times in itertools.count(1):
        if _compares(word, now + times * step) == wanted:
            return times
    return None


def helps(problem: Problem, effects: Iterable[NumericEffect], atom: Atom, wanted: bool) -> bool:
    """Whether an action with these effects may ever make a comparison as wanted, done often."""
    start = values(problem, ())
    numbers = numbers_in(problem, atom)
    effects = list(effects)
    touched = [e for e in effects if (e.function.name, *e.function.terms) in numbers]
    now, done = difference(atom, start), changed(problem, effects, ())
    if not touched or now is None or done is None:
        return False
    if any(effect.word == "assign" for effect in touched):
        return True
    after = {**start, **{function: both[1] for function, both in done.items()}}
    then = difference(atom, after)
    assert then is not None
    word = word_of(atom)
    return then != now and (word == "=" or ((then > now) == (word in (">", ">="))) == wanted)


def possible_comparisons(problem: Problem) -> frozenset[Atom]:
    """The comparisons that have values, without those that are false for ever."""
    start = values(problem, ())
    return frozenset(
        atom
        for atom in all_comparisons(problem)
        if difference(atom, start) is not None
        and (numbers_in(problem, atom) or is_true(atom, start))
    )


def instances_in_order(problem: Problem) -> list[Atom]:
    """The possible comparisons in the kernel's order: that of the functions' values in :init."""
    found: list[Atom] = []
    known = possible_comparisons(problem)
    for name in problem.domain.comparisons:
        comparison = comparison_of(name)
        _, (functions, _) = encode_comparison(comparison, problem.domain)
        bindings: list[dict[int, str]] = [{}]
        for _, number, places in functions:
            function = next(
                one
                for one in comparison.functions
                if function_number(one, problem.domain) == number
            )
            called = f"(goal {function.goal} {function.name})" if function.goal else function.name
            bindings = [
                {**binding, **dict(zip(places, terms, strict=True))}
                for binding in bindings
                for (name_of, terms) in problem.function_values
                if name_of == called
                and all(binding.get(p, t) == t for p, t in zip(places, terms, strict=True))
                and len(set(zip(places, terms, strict=True))) == len(set(places))
            ]
        atoms = [Atom(name, tuple(b[i] for i in range(len(b)))) for b in bindings]
        found += [atom for atom in atoms if atom in known]
    return found


def numbers_in(problem: Problem, atom: Atom) -> set[tuple[str, ...]]:
    """The functions of objects in a comparison that actions change."""
    changing = {e.function.name for action in problem.domain.actions for e in action.numeric}
    objects = {f"${i + 1}": name for i, name in enumerate(atom.terms)}
    found: set[tuple[str, ...]] = set()

    def visit(tree: object) -> None:
        if isinstance(tree, list) and tree:
            head, *parts = tree
            if head == "goal":
                return
            if head in changing:
                found.add((head, *(objects[term] for term in parts)))
            for part in parts:
                visit(part)

    visit(_parsed(atom.predicate))
    return found

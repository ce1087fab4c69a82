"""The native reader of problems against its slow twin, on well-formed and on damaged texts."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from hypothesis import example, given
from hypothesis import strategies as st

from pg3.errors import InputError, InputWarning
from pg3.pddl import parse_domain, parse_problem
from tests.oracle.reader import Lists, Rejected, read_lists

if TYPE_CHECKING:
    from pg3.pddl import Problem

DOMAIN = parse_domain("""
(define (domain yard)
  (:types vehicle place - object car van - vehicle amphibian - (either car boat) boat)
  (:constants base - place flag)
  (:predicates
    (at ?v - vehicle ?p - place) (afloat ?b - (either boat van)) (marked ?x) (open) (linked ?p ?q - place))
  (:functions (total-cost) - number (distance ?p ?q - place) (toll) - number))
""")  # noqa: E501

# A text as nested lists of words: the shape in which it is easy to damage.
Tree = list["str | Tree"]

TYPES = ["car", "van", "boat", "amphibian", "place", "vehicle", "object"]
FITTING = {
    "vehicle": ("car", "van", "amphibian", "vehicle"),
    "place": ("place",),
    "float": ("boat", "van", "amphibian"),
    "any": TYPES,
}

# What damage puts into a text: names that would do elsewhere, and names that never do.
# fmt: off
WORDS = [
    "at", "open", "marked", "linked", "afloat", "distance", "toll", "total-cost",
    "base", "flag", "o0", "o1", "o2", "last", "nowhere", "?x", ":init",
    "-", "car", "boat", "place", "object", "either", "-car",
    "and", "not", "or", "=", "forall", "0", "5", "-1", "2.5", "2147483648",
    "+5", ".5", "5.", "5e0", "5e-1", "5e9", "5e", "+", "e5", "-0", "5+5",
]
# fmt: on


@st.composite
def problems(draw: st.DrawFn) -> list[Tree]:
    """The sections :objects, :init and :goal of a well-formed problem."""
    types = draw(st.lists(st.sampled_from(TYPES), max_size=6))
    objects: Tree = [":objects"]
    named = [("base", "place"), ("flag", "object")]
    if draw(st.booleans()):
        objects += ["base", "-", "place"]
    for i, type_name in enumerate(types):
        named.append((f"o{i}", type_name))
        objects += [f"o{i}", "-"]
        objects.append(["either", type_name] if draw(st.integers(0, 9)) == 9 else type_name)
    if draw(st.booleans()):
        objects.append("last")
        named.append(("last", "object"))

    def one(kind: str) -> st.SearchStrategy[str]:
        return st.sampled_from([name for name, type_name in named if type_name in FITTING[kind]])

    def application(*choices: tuple[str, ...]) -> st.SearchStrategy[Tree]:
        possible = [
            st.tuples(st.just(name), *map(one, kinds)).map(list)
            for name, *kinds in choices
            if all(any(t in FITTING[kind] for _, t in named) for kind in kinds)
        ]
        return st.one_of(possible)

    atoms = application(
        ("open",),
        ("marked", "any"),
        ("linked", "place", "place"),
        ("at", "vehicle", "place"),
        ("afloat", "float"),
    )
    numbers = st.sampled_from(["0", "7", "3.0", "012", "+3", "7e0", "2147483647"])
    functions = application(("toll",), ("distance", "place", "place"))
    init: Tree = [":init"]
    for atom in draw(st.lists(atoms, max_size=6)):
        init.append(["not", atom] if draw(st.integers(0, 3)) == 3 else atom)
    for function in draw(st.lists(functions, max_size=2)):
        init.append(["=", function, draw(numbers)])
    if draw(st.booleans()):
        init.append(["=", ["total-cost"], "0"])
    if draw(st.integers(0, 5)) == 5:
        at = draw(st.integers(1, len(init)))
        init[at:] = [["and", *init[at:]]]

    literals = st.one_of(atoms, atoms.map(lambda atom: ["not", atom]))
    goals = st.recursive(
        literals, lambda inner: st.lists(inner, max_size=3).map(lambda some: ["and", *some])
    )
    goal: Tree = [":goal", draw(st.one_of(goals, st.just([])))]
    return list(draw(st.permutations([objects, init, goal])))


@st.composite
def damaged(draw: st.DrawFn) -> list[Tree]:
    """The same after a few changes that keep parentheses matched and the sections' keywords."""
    sections = draw(problems())
    words = st.sampled_from(WORDS)
    for _ in range(draw(st.integers(1, 3))):
        tree = draw(st.sampled_from(sections))
        while True:
            at = draw(st.integers(1, len(tree)))
            inner = tree[at] if at < len(tree) else None
            if not isinstance(inner, list) or not inner or draw(st.integers(0, 2)) == 0:
                break
            tree = inner
        changes = ["replace"] * 4 + ["insert", "delete", "repeat", "wrap", "unwrap"]
        match draw(st.sampled_from(changes)):
            case "insert":
                tree.insert(at, draw(words))
            case "replace":
                tree[at : at + 1] = [draw(words)]
            case "delete":
                del tree[at : at + 1]
            case "repeat":
                tree[at:at] = tree[at : at + 1]
            case "wrap":
                tree[at : at + 1] = [tree[at : at + 1]]
            case _:
                tree[at : at + 1] = inner if isinstance(inner, list) else []
    return sections


@st.composite
def texts(draw: st.DrawFn, sections: st.SearchStrategy[list[Tree]]) -> str:
    """A problem with these sections, in odd layout and case."""
    chance = draw(st.randoms(use_true_random=False))

    def gap() -> str:
        return chance.choice([" ", " ", " ", "\n  ", "\t", " ; (note\n"])

    def shown(tree: str | Tree) -> str:
        if isinstance(tree, str):
            return tree.upper() if chance.random() < 0.1 else tree
        return "(" + gap().join(map(shown, tree)) + ")"

    parts = [shown(section) for section in draw(sections)]
    return gap().join(["(define (problem p) (:domain yard)", *parts]) + ")"


def native(text: str) -> tuple[Problem, int] | int:
    """The problem and the number of warnings, or the place of the fault."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        try:
            return parse_problem(text, DOMAIN), len(caught)
        except InputError as error:
            return error.span.begin


def twin(text: str) -> Lists | int:
    try:
        return read_lists(text, DOMAIN)
    except Rejected as rejected:
        return rejected.place


def check_same(text: str) -> None:
    ours, theirs = native(text), twin(text)
    if isinstance(ours, int) or isinstance(theirs, int):
        assert ours == theirs
        return
    problem, warning_count = ours
    assert list(problem.objects) == theirs.objects
    assert list(problem.init) == theirs.init
    assert list(problem.goal) == theirs.goal
    assert list(problem.negative_goal) == theirs.negative_goal
    assert problem.function_values == theirs.values
    assert warning_count == theirs.repeated_constants + bool(theirs.joined_facts)


@given(texts(problems()))
def test_well_formed(text: str) -> None:
    check_same(text)


@given(texts(damaged()))
@example("(define (problem p) (:domain yard) (:objects) (:init) (:goal (and ())))")
@example("(define (problem p) (:domain yard) (:init (= (toll) 7) (= (toll) .5)) (:goal ()))")
@example("(define (problem p) (:domain yard) (:init (open) (marked -car)) (:goal ()))")
@example("(define (problem p) (:domain yard) (:init) (:goal (and (open) ())))")
@example("(define (problem p) (:domain yard) (:init (and (open) (and))) (:goal ()))")
@example("(define (problem p) (:domain yard) (:init (and (open)) (not (open))) (:goal ()))")
@example("(define (problem p) (:domain yard) (:init (and (open) (shut))) (:goal ()))")
def test_damaged(text: str) -> None:
    check_same(text)

"""What is fuzzed: for each reader a function of any bytes, which returns or it has found a bug."""

from __future__ import annotations

import itertools
import json
import struct
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fuzz.json_files import JSON_FILES
from pg3 import _native
from pg3.errors import Pg3Error, Source
from pg3.experiments.results import parse_results
from pg3.learning.checkpoint.journal import Entry
from pg3.pddl import parse_domain, parse_problem, read_domain, read_problem
from pg3.pddl.lexer import check_text
from pg3.pddl.plans import PlanError, parse_plan
from pg3.planning import ExecutionStatus, Limits, execute
from pg3.policy import parse_policy, policy_from_json, policy_to_json, read_policy, write_policy
from pg3.semantics.task import Task
from pg3.semantics.validation import plan_names, validate, validate_codes
from pg3.viewer.logs import parse_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pg3.pddl import Problem
    from pg3.policy.model import DecisionList

_ROOT = Path(__file__).parents[1]
_FERRY = _ROOT / "examples" / "ferry"
_DOMAIN = read_domain(_FERRY / "domain.pddl")
_PROBLEM = read_problem(_FERRY / "small.pddl", _DOMAIN)
_TASK = Task(_PROBLEM)
_POLICY = read_policy(_ROOT / "examples" / "policies" / "ferry.policy", _DOMAIN)
# With derived predicates, one of them in terms of itself, paths, goals, negative ones, and `_`.
_EXTENDED_TEXT = b"""(define (policy extended) (:domain ferry)
  (:derived (path ?x ?y) (not-eq ?x ?y))
  (:derived (path ?x ?y) (exists (?z) (and (not-eq ?x ?z) (path ?z ?y))))
  (:derived (idle) (and (not (on _)) (empty-ferry)))
  (:derived (there ?c) (exists (?l) (and (at ?c ?l) (goal (at ?c ?l)))))
  (:rule fetch :parameters (?c ?l ?m) :preconditions (and (at-ferry ?m) (idle) (at ?c ?l)
    (not (there ?c)) (reach path ?m ?l) (next not-eq ?m ?l ?l)) :action (sail ?m ?l))
  (:rule load :parameters (?c ?l) :preconditions (and (at-ferry ?l) (at ?c ?l)
    (not (there ?c))) :goals (not (goal (not (on ?c)))) :action (board ?c ?l))
  (:rule leave :parameters (?c ?l) :preconditions (and (at-ferry ?l) (on ?c))
    :goals (and (goal (not (on ?c))) (not (goal (not (at ?c _))))) :action (debark ?c ?l)))"""
_EXTENDED = parse_policy(_EXTENDED_TEXT, _DOMAIN)
# With types, constants, costs and negation, for the readers that need a domain.
_RICH_TEXT = b"""(define (domain d) (:requirements :typing :action-costs)
  (:types a b - object c d - b) (:constants k - c) (:predicates (p) (q ?x) (r ?x - a ?y - b))
  (:functions (total-cost) (w ?x - a)) (:action m :parameters (?x - a ?y - (either c d))
  :precondition (and (q ?x) (not (r ?x ?y)) (not (= ?x ?y))) :effect (and (r ?x ?y)
  (not (q ?x)) (increase (total-cost) (w ?x)))))"""
_RICH = parse_domain(_RICH_TEXT)
_NUMBERS_TEXT = b"""(define (domain n) (:types v l) (:predicates (at ?v - v ?l - l))
  (:functions (fuel ?v - v) (far ?a ?b - l) (trips)) (:action go :parameters (?v - v ?a ?b - l)
  :precondition (and (at ?v ?a) (>= (fuel ?v) (+ (far ?a ?b) 0.5)) (not (= (trips) 3)))
  :effect (and (at ?v ?b) (not (at ?v ?a)) (decrease (fuel ?v) (far ?a ?b)) (increase (trips) 1))))
"""
_NUMBERS = parse_domain(_NUMBERS_TEXT)
_NUMBERS_PROBLEM = b"""(define (problem p) (:domain n) (:objects x - v a b - l) (:init (at x a)
  (= (fuel x) 2.5) (= (far a b) 1) (= (far b a) -1) (= (trips) 0)) (:goal (and (at x b)
  (<= (trips) 4) (> (fuel x) (trips)))))"""
_NUMBERS_POLICY = b"""(define (policy n) (:domain n)
  (:derived (low ?v - v) (< (fuel ?v) 1.5))
  (:rule go :parameters (?v - v ?a ?b - l) :preconditions (and (at ?v ?a) (not (low ?v))
    (>= (fuel ?v) (+ (* 2 (far ?a ?b)) 0.5)) (not (>= (trips) (goal (trips)))))
    :goals (and (at ?v ?b) (>= (trips) (goal (trips)))) :action (go ?v ?a ?b)))"""
_RICH_PROBLEM = b"""(define (problem p) (:domain d) (:objects x - a y z - d)
  (:init (q x) (p) (not (r x y)) (= (w x) 3) (= (total-cost) 0)) (:goal (and (r x y) (not (p))))
  (:metric minimize (total-cost)))"""


_WITH_NUMBERS = parse_problem(_NUMBERS_PROBLEM, _NUMBERS)


class Target(NamedTuple):
    """A function to give bytes to, texts to begin with, and words to make others from."""

    check: Callable[[bytes], None]
    seeds: list[bytes]
    words: tuple[str, ...]


def _read(reader: Callable[[bytes], object], data: bytes) -> object:
    """What a reader makes of a text; None if it refuses it as it should."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return reader(data)
        except Pg3Error as error:
            assert str(error).isprintable() or "\n" in str(error)
            return None


def domain(data: bytes) -> None:
    """A domain or an error."""
    _read(parse_domain, data)


def problem(data: bytes) -> None:
    """A problem or an error; a problem can be coded for the kernel."""
    for of in (_RICH, _NUMBERS, _DOMAIN):
        found = _read(lambda text, of=of: parse_problem(text, of), data)
        if found is not None:
            assert Task(found).native is not None  # type: ignore[arg-type]


def policy(data: bytes) -> None:
    """A policy or an error; what is written of a policy reads as that policy, which can be used."""
    for of in (_PROBLEM, _WITH_NUMBERS):
        found = _read(lambda text, of=of: parse_policy(text, of.domain), data)
        if found is not None:
            _check(found, of)  # type: ignore[arg-type]


def policy_json(data: bytes) -> None:
    """The same for JSON."""
    for of in (_PROBLEM, _WITH_NUMBERS):
        found = _read(lambda text, of=of: policy_from_json(text, of.domain), data)
        if found is not None:
            _check(found, of)  # type: ignore[arg-type]


def _check(found: DecisionList, of: Problem) -> None:
    assert parse_policy(write_policy(found, of.domain), of.domain) == found
    assert policy_from_json(policy_to_json(found, of.domain), of.domain) == found
    if found.definitions:
        # A task of its own: one that is kept would remember the rules of all policies.
        task = Task(of)
        ended = execute(task, found, max_steps=10, limits=Limits(seconds=1, megabytes=100))
        assert ended.status in ExecutionStatus


def plan(data: bytes) -> None:
    """A plan or an error; the kernel's reader and checker agree with those in Python."""
    found = _read(lambda text: parse_plan(text, _PROBLEM), data)
    source = Source("plan", data.removeprefix(b"\xef\xbb\xbf"))
    try:
        check_text(source, PlanError)
    except PlanError:
        assert found is None
        return
    codes, fault = _native.read_plan(_native.Tokens(source.data), plan_names(_TASK))
    if fault < 0:
        assert found == _TASK.decode_plan(codes)
        assert validate_codes(_TASK, codes) == validate(_PROBLEM, found)  # type: ignore[arg-type]


def lines(data: bytes) -> None:
    """A learning log, the results of an experiment, an entry of a run's journal; or an error."""
    _read(lambda text: parse_log(text, "log"), data)
    _read(lambda text: parse_results(text, "results"), data)
    try:
        Entry.parse(data)
    except ValueError:
        return


def files(data: bytes) -> None:
    """A JSON file that was changed by a seed is read by its command, or refused."""
    file = list(JSON_FILES.values())[(data or b"\0")[0] % len(JSON_FILES)]
    file.check(int.from_bytes(data[1:9]))


class _Numbers:
    """Bytes as a stream of small numbers, some of them out of any range; zeros at its end."""

    def __init__(self, data: bytes) -> None:
        self._bytes: Iterator[int] = itertools.chain(data, itertools.repeat(0))

    def upto(self, most: int) -> int:
        """A number from 0 to `most`."""
        return next(self._bytes) % (most + 1)

    def any(self) -> int:
        """Mostly a small number, rarely one at the end of the range."""
        byte = next(self._bytes)
        if byte >= 250:
            return (2**31 - 1, -(2**31), -1, 1000, 65536, 2**30)[byte - 250]
        return byte % 16 - 4

    def list(self, most: int = 4) -> list[int]:
        """Some numbers."""
        return [self.any() for _ in range(self.upto(most))]

    def codes(self, most: int = 12) -> bytes:
        """Some numbers as the kernel takes them."""
        numbers = self.list(most)
        return struct.pack(f"{len(numbers)}i", *numbers) + b"x" * (self.upto(20) == 20)

    def conditions(self) -> list[tuple[int, bool, int, list[int]]]:
        """Some literals."""
        return [
            (self.upto(4), bool(self.upto(1)), self.any(), self.list()) for _ in range(self.upto(3))
        ]

    def types(self) -> list[list[int]]:
        """Parameters, by the types that each may have."""
        return [self.list() for _ in range(self.upto(3))]


def kernel(data: bytes) -> None:
    """Any numbers given to the kernel are refused with an exception, or are used without harm."""
    numbers = _Numbers(data)
    try:
        task = _native.Task(
            numbers.any(),
            numbers.codes(6),
            numbers.list(),
            [
                (
                    numbers.types(),
                    numbers.conditions(),
                    numbers.conditions(),
                    numbers.any(),
                    numbers.any(),
                    numbers.list(),
                )
                for _ in range(numbers.upto(3))
            ],
            numbers.codes(),
            numbers.codes(),
            numbers.codes(),
            [(numbers.list(), numbers.any()) for _ in range(numbers.upto(2))],
            [
                [
                    (numbers.any(), numbers.types(), numbers.conditions())
                    for _ in range(numbers.upto(2))
                ]
                for _ in range(numbers.upto(2))
            ],
        )
        table = _native.RuleTable()
        for _ in range(numbers.upto(2)):
            clauses = [(numbers.types(), numbers.conditions()) for _ in range(numbers.upto(2))]
            table.define(
                [(numbers.upto(3), numbers.upto(3), clauses, numbers.upto(4), numbers.any())]
            )
        for _ in range(numbers.upto(3)):
            table.add((numbers.any(), numbers.list(), numbers.types(), numbers.conditions()))
    except (ValueError, IndexError, OverflowError, TypeError):
        return
    policy = numbers.list()
    questions: list[Callable[[], object]] = [
        lambda: _native.execute(task, table, policy, 20, 1.0, 50.0),
        lambda: _native.check_plan(task, numbers.codes()),
        lambda: table.extend(numbers.any(), numbers.conditions()),
        lambda: table.get(numbers.any()),
    ]
    try:
        space = _native.ground(task, table, 1.0, 50.0)
    except (ValueError, IndexError):
        space = ""
    if not isinstance(space, str):
        questions += _of_a_space(space, policy, numbers)
    for question in questions:
        try:
            question()
        except (ValueError, IndexError, OverflowError):
            continue


def _of_a_space(
    space: _native.StateSpace, policy: list[int], numbers: _Numbers
) -> list[Callable[[], object]]:
    batch = _native.TrainingSet([space], numbers.any())
    return [
        lambda: space.search(policy, numbers.any(), "add", bool(numbers.upto(1)), 20, 1.0, 50.0),
        lambda: space.search(policy, 5, "max", False, 20, 1.0, 50.0, start=numbers.any()),
        lambda: space.find_fluent(numbers.list()),
        lambda: space.find_action(numbers.list()),
        lambda: space.action(numbers.any()),
        lambda: space.atoms(space.intern(numbers.list())),
        lambda: space.is_goal(numbers.any()),
        lambda: space.successors(numbers.any()),
        lambda: space.heuristic(numbers.any(), "add"),
        lambda: space.rule_match(numbers.any(), numbers.any()),
        lambda: space.policy_action(policy, numbers.any()),
        lambda: space.compare(policy, numbers.list()),
        lambda: space.plan_to(numbers.any(), numbers.list(), 20),
        lambda: space.apply(numbers.any(), numbers.any()),
        lambda: batch.guided([policy], numbers.any(), 20, 1.0),
        lambda: batch.executed([policy], 20, 1.0),
        lambda: batch.executed_from([policy], [numbers.list()], 20),
        lambda: batch.compared([policy], [numbers.list()], 1.0),
        lambda: batch.identified([policy], [numbers.list()], 1.0),
    ]


def lists(data: bytes) -> None:
    """The kernel's reader of problems refuses questions that do not fit the text."""
    numbers = _Numbers(data[:40])
    tokens = _native.Tokens(data[40:])

    def symbols() -> list[tuple[str, list[str]]]:
        return [
            (f"{'pqr'[i]}", ["01"[numbers.upto(1)] * numbers.upto(3)] * numbers.upto(2))
            for i in range(numbers.upto(3))
        ]

    try:
        found = _native.read_problem_lists(
            tokens,
            types=["a", "b"][: numbers.upto(2)],
            constants=["k"] * numbers.upto(2),
            constant_types=numbers.list(2),
            predicates=symbols(),
            functions=symbols(),
            default_type=numbers.upto(2),
            total_cost=numbers.any(),
            objects=numbers.upto(30),
            init=numbers.upto(30),
            goal=numbers.upto(30),
        )
        assert len(found.names) * 4 == len(found.types)
    except (ValueError, OverflowError):
        return


def _texts(*patterns: str) -> list[bytes]:
    files = (file for pattern in patterns for file in sorted(_ROOT.glob(pattern)))
    return [file.read_bytes() for file in files]


_WORDS = """
(define (domain ferry) (problem p) (:domain ferry) (:requirements :strips :typing) (:types
(:constants (:predicates (:functions (total-cost) (:action :parameters :precondition :effect
(:objects (:init (:goal (:metric minimize (and (not (= (or (forall (when (either - object
increase ?x ?y ?z (at ?x ?y) (car (location not-eq at-ferry empty-ferry () ) ( ; 2147483648
1.0 -1 (policy (:rule :preconditions :goals :action (debark (sail (board ?c ?l (on
(:derived (exists (goal (goal (not (reach (next _ (path (idle)
>= <= > < (+ (- (* (/ decrease assign scale-up 0.5 (fuel (trips) $1
"""
_PDDL = tuple(_WORDS.split())
_JSON = (
    *map(json.dumps, ("format", "pg3-policy", "version", "name", "rules", "arguments", "domain")),
    *map(json.dumps, ("definitions", "variables", "conditions", "goals", "reach", "next", "_")),
    '"parameters": [',
    '"types": ["object"]',
    '"terms": ["?c"]',
    '"positive": true',
    '"predicate": "car"',
    '"action": {',
    "1e999",
    "\\ud800",
    "\\u0000",
    "NaN",
    "null",
)
_LOG = b"""{"format": "pg3-learning-log", "version": 1, "preset": "paper"}
{"search": "paper", "problems": [0, 1]}
{"rule": 0, "text": "(:rule a :parameters (?x) :preconditions (and (p ?x)) :action (a ?x))"}
{"search": "paper", "candidate": 0, "parent": null, "operator": null, "change": "", "policy": [0], \
"score": 1, "by_problem": [1, 0], "size": 1, "seconds": 0.1, "best": true}
{"result": "(define (policy p) (:domain d))", "score": 0.5, "seconds": 1.5}
"""
_PLAN = ("(sail", "(board", "(debark", "l1", "l2", "l3", "c1", "c2)", "0.001:", "[1]", ";", "3:")

TARGETS = {
    "domain": Target(
        domain, [_RICH_TEXT, _NUMBERS_TEXT, *_texts("tests/pddl/broken/domain*.pddl")], _PDDL
    ),
    "problem": Target(
        problem,
        [_RICH_PROBLEM, _NUMBERS_PROBLEM, *_texts("tests/pddl/broken/problem*.pddl")],
        _PDDL,
    ),
    "policy": Target(
        policy,
        [
            _EXTENDED_TEXT,
            _NUMBERS_POLICY,
            *_texts("examples/policies/ferry.policy", "tests/policy/broken/*"),
        ],
        _PDDL,
    ),
    "policy-json": Target(
        policy_json,
        [
            *(policy_to_json(one).encode() for one in (_POLICY, _EXTENDED)),
            policy_to_json(parse_policy(_NUMBERS_POLICY, _NUMBERS), _NUMBERS).encode(),
        ],
        _JSON,
    ),
    "plan": Target(
        plan,
        [b"(sail l1 l2)\n(board c1 l2)\n", b"0.001: (SAIL l1 l2) [1]\n; cost = 1 (unit cost)\n"],
        _PLAN,
    ),
    "lines": Target(lines, [_LOG, b'[0.5, "score", [1, 2]]'], _JSON),
    "files": Target(files, [bytes((i, 0)) for i in range(len(JSON_FILES))], ()),
    "kernel": Target(kernel, [bytes(range(256)), bytes(7 * i % 251 for i in range(400))], ()),
    "lists": Target(lists, [bytes(40) + _RICH_PROBLEM], _PDDL),
}

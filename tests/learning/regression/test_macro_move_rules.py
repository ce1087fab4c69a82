"""Rules of macro moves: they reach the goal on larger maps, and regression learns them."""

from __future__ import annotations

import dataclasses
import random

from hypothesis import given
from hypothesis import strategies as st

from pg3 import execute, learn
from pg3.domains import DOMAINS
from pg3.learning.checkpoint.journal import Entry, Journal
from pg3.learning.operators.ways import pure_moves, roads, ways
from pg3.learning.regression.macro_moves import macro_moves_of, movers
from pg3.learning.regression.rules.suffixes import SuffixTree
from pg3.pddl import parse_domain
from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.pddl.plans import GroundAction
from pg3.policy import DecisionList, check_policy, parse_policy, write_policy
from pg3.semantics.task import Task
from pg3.semantics.validation import validate
from tests.learning.regression.test_macro_moves import MACROS, POST, TYPES, rewriter
from tests.learning.regression.test_regression import assert_rule, ground, rule
from tests.oracle.derived import distances
from tests.oracle.execution import execute as execute_slowly
from tests.oracle.search import shortest_plan


def test_two_who_carry_something_far() -> None:
    """On maps larger than those of the training problems."""
    domain = parse_domain("""
(define (domain movers) (:types room mover heavy)
  (:predicates (in ?m - mover ?r - room) (door ?a ?b - room) (lies ?h - heavy ?r - room)
    (bear ?m ?n - mover ?h - heavy) (free ?m - mover))
  (:action walk :parameters (?m - mover ?a ?b - room)
    :precondition (and (in ?m ?a) (door ?a ?b) (free ?m))
    :effect (and (in ?m ?b) (not (in ?m ?a))))
  (:action lift :parameters (?m ?n - mover ?h - heavy ?r - room)
    :precondition (and (in ?m ?r) (in ?n ?r) (lies ?h ?r) (free ?m) (free ?n) (not (= ?m ?n)))
    :effect (and (bear ?m ?n ?h) (not (lies ?h ?r)) (not (free ?m)) (not (free ?n))))
  (:action carry :parameters (?m ?n - mover ?h - heavy ?a ?b - room)
    :precondition (and (in ?m ?a) (in ?n ?a) (bear ?m ?n ?h) (door ?a ?b))
    :effect (and (in ?m ?b) (in ?n ?b) (not (in ?m ?a)) (not (in ?n ?a))))
  (:action drop :parameters (?m ?n - mover ?h - heavy ?r - room)
    :precondition (and (in ?m ?r) (in ?n ?r) (bear ?m ?n ?h))
    :effect (and (lies ?h ?r) (free ?m) (free ?n) (not (bear ?m ?n ?h)))))
""")

    def house(rooms: int, things: int, seed: int) -> Problem:
        rng = random.Random(seed)
        pairs = [(f"r{i}", f"r{rng.randrange(i)}") for i in range(1, rooms)]
        init = [Atom("door", pair) for one in pairs for pair in (one, one[::-1])]
        goal = []
        for name in ("ann", "bob"):
            init += [Atom("in", (name, f"r{rng.randrange(rooms)}")), Atom("free", (name,))]
        for i in range(things):
            start, end = rng.sample(range(rooms), 2)
            init.append(Atom("lies", (f"h{i}", f"r{start}")))
            goal.append(Literal(Atom("lies", (f"h{i}", f"r{end}"))))
        objects = [TypedObject(name, "mover") for name in ("ann", "bob")]
        objects += [TypedObject(f"r{i}", "room") for i in range(rooms)]
        objects += [TypedObject(f"h{i}", "heavy") for i in range(things)]
        return Problem.of("house", domain, objects, init, goal)

    result = learn(domain, [house(3 + i % 3, 1 + i % 2, i) for i in range(8)])
    assert result.status == "passed"
    for seed in range(3):
        assert execute(house(30, 6, seed), result.policy, max_steps=5000).solved


def test_rules_for_macro_moves() -> None:
    plan = ground("go ann p0 p1, stamp ann mail p1, post ann mail p1")
    who = {MACROS["go"].mover(plan[0])}
    found = list(SuffixTree(POST, MACROS).regress(Atom("posted", ("mail",)), plan, TYPES, who))
    assert [suffix.rank for suffix in found] == [1, 2, 3, 4]
    goal = "posted ?l"
    expected = [
        rule(
            "post ?c ?l ?p",
            "?l:letter ?c:courier ?p:place",
            "at ?c ?p, box ?p, has ?c ?l, stamped ?l, not posted ?l",
            goal,
        ),
        rule(
            "go ?c ?x ?y",
            "?l:letter ?p:place ?c:courier ?x:place ?y:place",
            "at ?c ?x, next way-at ?c ?x ?y ?p, box ?p, has ?c ?l, stamped ?l, not posted ?l",
            goal,
        ),
        rule(
            "stamp ?c ?l ?d",
            "?l:letter ?p:place ?c:courier ?d:place",
            "at ?c ?d, desk ?d, has ?c ?l, box ?p, reach way-at ?c ?d ?p, not posted ?l",
            goal,
        ),
        rule(
            "go ?c ?x ?y",
            "?l:letter ?p:place ?c:courier ?d:place ?x:place ?y:place",
            "at ?c ?x, next way-at ?c ?x ?y ?d, desk ?d, has ?c ?l, box ?p,"
            "reach way-at ?c ?d ?p, not posted ?l",
            goal,
        ),
    ]
    for suffix, wanted in zip(found, expected, strict=True):
        (made,) = suffix.rules
        assert_rule(made, wanted)


@st.composite
def random_posts(draw: st.DrawFn) -> Problem:
    """A goal for one or two couriers on streets that not all know and of which some are dark."""
    count = draw(st.integers(2, 5))
    places = [f"p{i}" for i in range(count)]
    place = st.sampled_from(places)
    couriers = ["ann", "bob"][: draw(st.integers(1, 2))]
    streets = [(a, b) for a in places for b in places if a != b]
    edges = st.lists(st.sampled_from(streets), unique=True, min_size=1)
    init = [Atom("at", (name, draw(place))) for name in couriers]
    init += [Atom("lit", pair) for pair in draw(edges)]
    init += [Atom("knows", (name, *pair)) for name in couriers for pair in draw(edges)]
    init += [Atom("desk", (name,)) for name in draw(st.lists(place, unique=True, min_size=1))]
    init += [Atom("box", (name,)) for name in draw(st.lists(place, unique=True, min_size=1))]
    init.append(Atom("has", (draw(st.sampled_from(couriers)), "mail")))
    goals = [Atom("posted", ("mail",)), Atom("at", ("ann", draw(place)))]
    goals += [Atom("met", (couriers[0], couriers[-1]))]
    return Problem.of(
        "post",
        POST,
        [TypedObject(name, TYPES[name]) for name in (*places, *couriers, "mail")],
        init,
        [Literal(draw(st.sampled_from(goals)))],
    )


def stop_by_stop(problem: Problem, macro: GroundAction) -> list[GroundAction]:
    """The moves of a macro move, along any shortest path, by a search that is not the kernel's."""
    courier, here, there = macro.objects
    init = set(problem.init)
    edges = [
        (a, b)
        for a in problem.object_names
        for b in problem.object_names
        if Atom("lit", (a, b)) in init and Atom("knows", (courier, a, b)) in init
    ]
    far = distances(edges, there)
    moves = []
    while here != there:
        stop = min(b for a, b in edges if a == here and far.get(b, len(far)) == far[here] - 1)
        moves.append(macro._replace(objects=(courier, here, stop)))
        here = stop
    return moves


@given(random_posts())
def test_macro_moves_and_their_rules_reach_the_goal(problem: Problem) -> None:
    """Rewritten plans, stop by stop, are plans; the rules of a plan solve its problem."""
    plan = shortest_plan(problem, 5000)
    if not plan:
        return
    (goal,) = problem.goal
    who = movers(MACROS, Task(problem))
    found = rewriter(POST, who)
    moves: list[GroundAction] = []
    for action in found.rewrite(goal, plan):
        is_macro = action.name in MACROS
        moves += stop_by_stop(problem, action) if is_macro else [action]
    assert validate(problem, moves).valid
    assert len(moves) <= len(plan)

    suffixes = SuffixTree(POST, MACROS).regress(goal, plan, TYPES, who)
    rules = [rule for suffix in suffixes for rule in suffix.rules]
    named = [dataclasses.replace(one, name=f"rule{i}") for i, one in enumerate(rules)]
    policy = DecisionList("post", tuple(named), ways(pure_moves(POST), POST)["way-at"])
    check_policy(policy, POST)
    assert execute(problem, policy, max_steps=100).solved
    assert execute_slowly(problem, policy, max_steps=100).status == "solved"


class TestSideEffects:
    """On the way the lamp goes out, and a trace stays: moves all the same."""

    MINE = parse_domain("""
(define (domain lamps) (:types cave gem)
  (:predicates (at ?c - cave) (way ?a ?b - cave) (lies ?g - gem ?c - cave) (have ?g - gem)
    (lit) (muddy))
  (:action go :parameters (?a ?b - cave)
    :precondition (and (at ?a) (way ?a ?b))
    :effect (and (at ?b) (not (at ?a)) (not (lit)) (muddy)))
  (:action light :parameters () :precondition () :effect (lit))
  (:action wash :parameters () :precondition () :effect (not (muddy)))
  (:action dig :parameters (?g - gem ?c - cave)
    :precondition (and (at ?c) (lies ?g ?c) (lit) (not (muddy)))
    :effect (and (have ?g) (not (lies ?g ?c)))))
""")

    def mine(self, caves: int, gems: int, seed: int) -> Problem:
        rng = random.Random(seed)
        pairs = [(f"c{i}", f"c{rng.randrange(max(0, i - 2), i)}") for i in range(1, caves)]
        init = [Atom("way", pair) for one in pairs for pair in (one, one[::-1])]
        init.append(Atom("at", (f"c{rng.randrange(caves)}",)))
        init += [Atom("lies", (f"g{i}", f"c{rng.randrange(caves)}")) for i in range(gems)]
        objects = [TypedObject(f"c{i}", "cave") for i in range(caves)]
        objects += [TypedObject(f"g{i}", "gem") for i in range(gems)]
        goal = [Literal(Atom("have", (f"g{i}",))) for i in range(gems)]
        return Problem.of("mine", self.MINE, objects, init, goal)

    def test_learned_on_short_ways(self) -> None:
        result = learn(self.MINE, [self.mine(3 + i % 3, 1 + i % 2, i) for i in range(8)])
        assert (result.status, result.method) == ("passed", "goal regression along roads")
        for seed in range(3):
            assert execute(self.mine(40, 10, seed), result.policy, max_steps=2000).solved

    def test_without_a_step_there_are_none(self) -> None:
        """So no move is put in where the lamp is on already, or is to be off."""
        moves = pure_moves(self.MINE)
        macro = macro_moves_of(moves, roads(moves, self.MINE), self.MINE)["go"]
        there = Literal(Atom("at", ("c1",)))
        assert macro.empty_for(there, [there]) == GroundAction("go", ("c1", "c1"))
        for side in (Atom("lit"), Atom("muddy")):
            for positive in (True, False):
                assert macro.empty_for(there, [there, Literal(side, positive)]) is None


class TestLearning:
    """Rovers on small maps: they have no long ways, and rules for each stop would do there."""

    ROVERS = DOMAINS["rovers-traverse"]

    def observed(self, journal: Journal | None) -> tuple[object, list[object]]:
        seen: list[object] = []
        result = learn(
            self.ROVERS.domain,
            self.ROVERS.problems("train", seed=0, count=4),
            max_candidates=4,
            journal=journal,
            observe=lambda method, c, _: seen.append((method, c.number, c.policy)),
        )
        return (result.policy, result.method, result.score), seen

    def test_long_ways_are_found_by_what_is_learned_on_short_ones(self) -> None:
        rovers = self.ROVERS
        result = learn(rovers.domain, rovers.problems("train", seed=1))
        assert result.method == "goal regression along roads"
        text = write_policy(result.policy, rovers.domain)
        assert "(next way-at ?r ?from ?to" in text
        assert len(result.policy.rules) < 20, "one for each thing to do, and one to get there"
        assert parse_policy(text, rovers.domain) == result.policy
        for problem in rovers.problems("test", seed=1, count=5):
            found = execute(problem, result.policy, max_steps=rovers.horizon)
            assert found.solved, (problem.name, found.reason)

    def test_a_run_goes_on_from_any_part_of_its_journal(self) -> None:
        lines: list[str] = []
        plain, first = self.observed(None), self.observed(Journal((), lines.append))
        assert first == plain
        entries = [Entry.parse(line) for line in lines]
        rng = random.Random(0)
        for length in (len(entries), rng.randrange(len(entries))):
            more: list[str] = []
            assert self.observed(Journal(entries[:length], more.append)) == plain
            rest = [Entry.parse(line) for line in more]
            assert [e[1:] for e in entries[:length] + rest] == [e[1:] for e in entries]

"""Rules by goal regression: suffixes of hand-made plans, order, subsumption, whole policies."""

from __future__ import annotations

import dataclasses
import random
from itertools import pairwise
from typing import TYPE_CHECKING

from pg3.learning.regression.ordering import (
    Body,
    RankedRule,
    RuleOrder,
    goal_kind,
    layers,
    subsumes,
)
from pg3.learning.regression.rules.suffixes import MAX_VARIABLES, SuffixTree
from pg3.pddl import parse_domain
from pg3.pddl.model import Atom
from pg3.pddl.plans import GroundAction
from pg3.policy import check_policy
from pg3.policy.canonical import canonical_rule
from pg3.policy.model import DecisionList, Rule
from pg3.policy.rule_book import RuleBook
from tests.support.errands import literals, parameters

if TYPE_CHECKING:
    from pg3.learning.regression.rules.steps import Suffix

# Porters fetch parcels, one at a time; the bell in the hall can be rung, and any step stops it.
HOUSE = parse_domain("""
(define (domain house)
  (:types room thing - object porter parcel - thing)
  (:constants hall - room)
  (:predicates (at ?t - thing ?r - room) (free ?p - porter) (has ?p - porter ?x - parcel)
               (rung ?r - room) (door ?a ?b - room))
  (:action walk :parameters (?p - porter ?a ?b - room)
    :precondition (at ?p ?a)
    :effect (and (not (at ?p ?a)) (at ?p ?b) (not (rung hall))))
  (:action take :parameters (?p - porter ?x - parcel ?r - room)
    :precondition (and (at ?p ?r) (at ?x ?r) (free ?p))
    :effect (and (has ?p ?x) (not (at ?x ?r)) (not (free ?p))))
  (:action put :parameters (?p - porter ?x - parcel ?r - room)
    :precondition (and (at ?p ?r) (has ?p ?x))
    :effect (and (at ?x ?r) (free ?p) (not (has ?p ?x))))
  (:action ring :parameters (?p - porter)
    :precondition (at ?p hall)
    :effect (rung hall)))
""")

OBJECT_TYPES = {
    **dict.fromkeys(("r0", "r1", "r2", "hall"), "room"),
    **dict.fromkeys(("ann", "bob"), "porter"),
    **dict.fromkeys(("box", "bag"), "parcel"),
}


def ground(text: str) -> list[GroundAction]:
    """A plan from a text like "walk ann r0 r1, take ann box r1"."""
    words = [part.split() for part in text.split(",")]
    return [GroundAction(name, tuple(objects)) for name, *objects in words]


def suffixes(goal: str, plan: str) -> list[Suffix]:
    (literal,) = literals(goal)
    return list(SuffixTree(HOUSE).regress(literal.atom, ground(plan), OBJECT_TYPES))


def rule(action: str, of: str, preconditions: str, goals: str) -> Rule:
    name, *arguments = action.split()
    return Rule(
        name, parameters(of), literals(preconditions), literals(goals), name, tuple(arguments)
    )


def assert_rule(found: Rule | None, expected: Rule) -> None:
    assert found is not None
    assert canonical_rule(found) == canonical_rule(expected)


class TestSuffixes:
    FETCH = "walk ann r0 r1, take ann box r1, walk ann r1 r2, put ann box r2"

    def test_one_rule_for_each_suffix_by_rank(self) -> None:
        found = suffixes("at box r2", self.FETCH)
        assert [suffix.rank for suffix in found] == [1, 2, 3, 4]
        goal = "at ?x ?g"
        expected = [
            rule(
                "put ?p ?x ?g",
                "?x:parcel ?g:room ?p:porter",
                "at ?p ?g, has ?p ?x, not at ?x ?g",
                goal,
            ),
            rule(
                "walk ?p ?r ?g",
                "?x:parcel ?g:room ?p:porter ?r:room",
                "has ?p ?x, at ?p ?r, not at ?x ?g, not = ?g ?r",
                goal,
            ),
            rule(
                "take ?p ?x ?r",
                "?x:parcel ?g:room ?p:porter ?r:room",
                "at ?p ?r, at ?x ?r, free ?p, not at ?x ?g",
                goal,
            ),
            rule(
                "walk ?p ?s ?r",
                "?x:parcel ?g:room ?r:room ?p:porter ?s:room",
                "at ?x ?r, free ?p, at ?p ?s, not at ?x ?g, not = ?r ?s",
                goal,
            ),
        ]
        for suffix, wanted in zip(found, expected, strict=True):
            assert_rule(suffix.rules[0], wanted)

    def test_a_constant_that_no_action_names_is_a_variable_of_the_rule(self) -> None:
        anywhere = suffixes("at box r2", self.FETCH)
        from_hall = suffixes("at box r2", self.FETCH.replace("r0", "hall").replace("r1", "hall"))
        assert from_hall[2].rules == anywhere[2].rules
        (ringing,) = suffixes("rung hall", "walk ann r1 hall, ring ann")[1].rules
        assert ringing.arguments[2] == "hall"

    def test_a_variable_has_the_types_that_all_actions_take(self) -> None:
        """Whatever the object of the plan is: what is learned of a cup holds for glasses."""
        text = """(define (domain d) (:types thing - object cup glass lid - thing)
          (:predicates (clean ?t - thing) (wet ?t - thing))
          (:action rinse :parameters (?t - thing) :effect (wet ?t))
          (:action wipe :parameters (?t - (either cup glass)) :precondition (wet ?t)
            :effect (clean ?t)))"""
        tree, types = SuffixTree(parse_domain(text)), {"a": "cup", "b": "glass"}
        for name in types:
            goal = Atom("clean", (name,))
            plan = ground(f"rinse {name}, wipe {name}")
            for suffix in tree.regress(goal, plan, types):
                (found,) = suffix.rules
                assert [set(p.types) for p in found.parameters] == [{"cup", "glass"}]

    def test_a_variable_has_only_the_types_that_all_actions_take(self) -> None:
        text = """(define (domain d) (:types a b c)
          (:predicates (first ?x) (second ?x))
          (:action one :parameters (?x - (either a b)) :effect (first ?x))
          (:action two :parameters (?x - (either b c)) :precondition (first ?x)
            :effect (second ?x)))"""
        tree = SuffixTree(parse_domain(text))
        *_, last = tree.regress(Atom("second", ("x",)), ground("one x, two x"), {"x": "b"})
        assert [p.types for p in last.rules[0].parameters] == [("b",)]

    def test_the_rules_are_well_formed(self) -> None:
        rules = [rule for suffix in suffixes("at box r2", self.FETCH) for rule in suffix.rules]
        named = [dataclasses.replace(r, name=f"r{i}") for i, r in enumerate(rules) if r is not None]
        check_policy(DecisionList("fetch", tuple(named)), HOUSE)

    def test_actions_that_do_not_matter_are_passed_over(self) -> None:
        plain = suffixes("at box r2", self.FETCH)
        padded = suffixes(
            "at box r2",
            "walk bob r0 r2, walk ann r0 r1, take ann box r1, ring bob, walk ann r1 r2,"
            "walk bob r2 r0, put ann box r2, walk ann r2 r0",
        )
        assert [s.rank for s in padded] == [1, 2, 3, 4]
        for one, other in zip(padded, plain, strict=True):
            assert_rule(other.rules[0], one.rules[0])

    def test_objects_that_happen_to_be_the_same_stay_apart(self) -> None:
        """The porter starts where the parcel is to go: nothing in the plan depends on it."""
        there_and_back = suffixes(
            "at box r2", "walk ann r2 r1, take ann box r1, walk ann r1 r2, put ann box r2"
        )
        general = suffixes("at box r2", self.FETCH)[-1].rules[0]
        assert general is not None
        assert_rule(there_and_back[-1].rules[0], general)

    def test_constants_keep_their_names(self) -> None:
        (ring,) = suffixes("rung hall", "ring ann")
        assert_rule(
            ring.rules[0], rule("ring ?p", "?p:porter", "at ?p hall, not rung hall", "rung hall")
        )
        walk = suffixes("rung hall", "walk ann r0 hall, ring ann")[-1].rules[0]
        assert_rule(
            walk,
            rule(
                "walk ?p ?r hall",
                "?p:porter ?r:room",
                "at ?p ?r, not rung hall, not = hall ?r",
                "rung hall",
            ),
        )

    def test_what_must_be_false(self) -> None:
        domain = parse_domain("""
        (define (domain gate) (:predicates (shut ?g) (through ?g) (lever ?l ?g))
          (:action pull :parameters (?l ?g) :precondition (lever ?l ?g) :effect (not (shut ?g)))
          (:action pass :parameters (?g) :precondition (not (shut ?g)) :effect (through ?g)))
        """)
        plan = ground("pull l g, pass g")
        tree = SuffixTree(domain)
        passing, pulling = tree.regress(
            Atom("through", ("g",)), plan, dict.fromkeys("lg", "object")
        )
        assert_rule(
            passing.rules[0],
            rule("pass ?g", "?g:object", "not shut ?g, not through ?g", "through ?g"),
        )
        assert_rule(
            pulling.rules[0],
            rule("pull ?l ?g", "?g:object ?l:object", "lever ?l ?g, not through ?g", "through ?g"),
        )

    def test_a_plan_is_worked_out_once(self) -> None:
        tree = SuffixTree(HOUSE)
        goal = Atom("at", ("box", "r2"))
        other = "walk bob r2 r0, take bob bag r0, walk bob r0 r1, put bob bag r1"
        first = list(tree.regress(goal, ground(self.FETCH.replace("r0", "r2")), OBJECT_TYPES))
        again = list(tree.regress(Atom("at", ("bag", "r1")), ground(other), OBJECT_TYPES))
        assert again[:3] == first[:3]
        assert again[3] is not first[3]  # there the first and last room are one

    def test_a_variable_that_another_stands_for_is_left_out(self) -> None:
        domain = parse_domain("""
        (define (domain shelf)
          (:predicates (slot ?s) (held ?x) (stored ?x) (lifted ?x))
          (:action lift :parameters (?x ?s) :precondition (and (slot ?s) (held ?x))
            :effect (lifted ?x))
          (:action store :parameters (?x ?s) :precondition (and (slot ?s) (lifted ?x))
            :effect (stored ?x)))
        """)
        plan = ground("lift x s, store x t")
        types = dict.fromkeys("xst", "object")
        *_, last = SuffixTree(domain).regress(Atom("stored", ("x",)), plan, types)
        expected = rule(
            "lift ?x ?s", "?x:object ?s:object", "slot ?s, held ?x, not stored ?x", "stored ?x"
        )
        assert_rule(last.rules[0], expected)

    def test_ends_where_rules_would_grow_too_large(self) -> None:
        domain = parse_domain("""
        (define (domain path) (:predicates (road ?a ?b) (at ?a))
          (:action move :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b))
            :effect (and (at ?b) (not (at ?a)))))
        """)
        names = [f"p{i}" for i in range(40)]
        plan = [GroundAction("move", pair) for pair in pairwise(names)]
        types = dict.fromkeys(names, "object")
        found = list(SuffixTree(domain).regress(Atom("at", ("p39",)), plan, types))
        # Distinct places on a path need no inequalities but those that keep it a path.
        assert 0 < len(found) < MAX_VARIABLES
        assert all(len(s.rules[0].parameters) <= MAX_VARIABLES for s in found)


class TestLayers:
    def test_what_undoes_comes_first(self) -> None:
        pointing, image = ("pointing", "satellite", "direction"), ("image", "direction")
        assert layers({(pointing, image)}) == {image: 0, pointing: 1}

    def test_chains_add_up(self) -> None:
        a, b, c = ("a",), ("b",), ("c",)
        assert layers({(b, a), (c, b)}) == {a: 0, b: 1, c: 2}

    def test_a_round_does_not_count(self) -> None:
        a, b, c = ("a",), ("b",), ("c",)
        assert layers({(a, b), (b, a), (c, a), (a, a)}) == {a: 0, b: 0, c: 2}

    def test_goals_for_objects_of_other_types_are_of_another_kind(self) -> None:
        at = [goal_kind(Atom("at", (one, "r0")), OBJECT_TYPES) for one in ("ann", "bob", "box")]
        assert at == [("at", "porter", "room"), ("at", "porter", "room"), ("at", "parcel", "room")]

    def test_nothing_undone(self) -> None:
        assert layers(set()) == {}


class TestSubsumption:
    def subsumes(self, general: Rule, special: Rule, budget: int = 1000) -> bool:
        return subsumes(Body(general, HOUSE), Body(special, HOUSE), HOUSE, budget)

    GENERAL = rule("ring ?p", "?p:porter ?x:parcel", "has ?p ?x", "at ?x hall")

    def test_fewer_conditions(self) -> None:
        special = rule("ring ?q", "?y:parcel ?q:porter", "at ?q hall, has ?q ?y", "at ?y hall")
        assert self.subsumes(self.GENERAL, special)
        assert not self.subsumes(special, self.GENERAL)
        assert self.subsumes(special, special)

    def test_another_goal(self) -> None:
        special = rule("ring ?q", "?q:porter ?y:parcel ?r:room", "has ?q ?y", "at ?y ?r")
        assert not self.subsumes(self.GENERAL, special)
        assert self.subsumes(special, self.GENERAL)

    def test_two_variables_on_one(self) -> None:
        apart = rule("ring ?p", "?p:porter ?a:room ?b:room", "at ?p ?a, at ?p ?b", "")
        same = rule("ring ?p", "?p:porter ?a:room", "at ?p ?a", "")
        assert self.subsumes(apart, same)
        assert self.subsumes(same, apart)

    def test_types(self) -> None:
        thing = rule("ring ?p", "?p:porter ?t:thing ?r:room", "at ?t ?r", "")
        parcel = rule("ring ?p", "?p:porter ?t:parcel ?r:room", "at ?t ?r", "")
        assert self.subsumes(thing, parcel)
        assert not self.subsumes(parcel, thing)

    def test_a_variable_without_conditions_needs_an_object_of_its_type(self) -> None:
        lonely = rule("ring ?p", "?p:porter ?t:parcel", "at ?p hall", "")
        without = rule("ring ?p", "?p:porter", "at ?p hall", "")
        assert self.subsumes(without, lonely)
        assert not self.subsumes(lonely, without)

    def test_inequalities(self) -> None:
        of = "?p:porter ?a:room ?b:room"
        unequal = rule("ring ?p", of, "door ?a ?b, not = ?a ?b", "")
        swapped = rule("ring ?p", of, "door ?a ?b, not = ?b ?a", "")
        silent = rule("ring ?p", of, "door ?a ?b", "")
        assert self.subsumes(unequal, swapped)
        assert self.subsumes(silent, unequal)
        assert not self.subsumes(unequal, silent)

    def test_types_that_share_no_object_are_unequal(self) -> None:
        unequal = rule("ring ?p", "?p:porter ?t:thing", "at ?p hall, at ?t hall, not = ?p ?t", "")
        parcel = rule("ring ?p", "?p:porter ?t:parcel", "at ?p hall, at ?t hall", "")
        porter = rule("ring ?p", "?p:porter ?t:porter", "at ?p hall, at ?t hall", "")
        assert self.subsumes(unequal, parcel)
        assert not self.subsumes(unequal, porter)

    def test_gives_up_when_the_budget_is_spent(self) -> None:
        rooms = [f"?r{i}" for i in range(9)]
        of = " ".join(f"{r}:room" for r in rooms)
        pairs = list(pairwise(rooms))
        path = rule("ring ?p", f"?p:porter {of}", ", ".join(f"door {a} {b}" for a, b in pairs), "")
        assert self.subsumes(path, path)
        assert not self.subsumes(path, path, budget=5)


class TestOrder:
    def ranked(
        self, book: RuleBook, text: str, goals: str, rank: int, more: str = ""
    ) -> RankedRule:
        made = rule("ring ?p", f"?p:porter ?x:parcel ?r:room {more}", text, goals)
        return RankedRule(book.number(made), made, rank)

    def test_layer_then_rank_then_size(self) -> None:
        book = RuleBook(HOUSE)
        far = self.ranked(book, "free ?p", "at ?x ?r", 3)
        near = self.ranked(book, "has ?p ?x, at ?p ?r", "at ?x ?r", 1)
        long = self.ranked(book, "at ?p ?r, at ?x ?r, not free ?p", "at ?x ?r", 1)
        other = self.ranked(book, "not rung ?r", "rung ?r", 1)
        given = [other, far, long, near]
        for seed in range(5):
            random.Random(seed).shuffle(given)
            ordered = RuleOrder(HOUSE).arrange(given, {("rung", "room"): 1})
            assert ordered == (near, long, far, other)

    def test_rules_that_are_never_asked_are_left_out(self) -> None:
        book = RuleBook(HOUSE)
        general = self.ranked(book, "free ?p", "at ?x ?r", 1)
        special = self.ranked(book, "free ?p, at ?p ?r", "at ?x ?r", 2)
        assert RuleOrder(HOUSE).arrange([special, general], {}) == (general,)
        sooner = RankedRule(special.number, special.rule, 0)
        assert RuleOrder(HOUSE).arrange([sooner, general], {}) == (sooner, general)

    def test_a_thin_policy_has_the_most_general_rules_of_a_rank(self) -> None:
        """The special one is as short, and would come first."""
        book = RuleBook(HOUSE)
        special = self.ranked(book, "at ?p ?r, at ?x ?r, free ?p", "at ?x ?r", 1)
        general = self.ranked(book, "free ?p, at ?p ?y, at ?x ?r", "at ?x ?r", 1, "?y:room")
        given = [special, general]
        plain = RuleOrder(HOUSE).arrange(given, {})
        assert set(plain) == set(given)
        assert RuleOrder(HOUSE, thin=True).arrange(given, {}) == (general,)
        sooner = RankedRule(special.number, special.rule, 0)
        assert RuleOrder(HOUSE, thin=True).arrange([sooner, general], {}) == (sooner, general)

    def test_a_fatal_rule_is_the_last_resort(self) -> None:
        """It makes no other rule idle."""
        book = RuleBook(HOUSE)
        general = self.ranked(book, "free ?p", "at ?x ?r", 1)
        special = self.ranked(book, "free ?p, at ?p ?r", "at ?x ?r", 2)
        fatal = dataclasses.replace(general, is_resort=True)
        for thin in (False, True):
            order = RuleOrder(HOUSE, thin=thin)
            assert order.arrange([fatal, special], {}) == (special, fatal)

    def test_of_rules_that_say_the_same_one_is_left(self) -> None:
        book = RuleBook(HOUSE)
        one = self.ranked(book, "free ?p, at ?p ?r", "at ?x ?r", 1)
        other = self.ranked(book, "free ?p, at ?p ?r, at ?p ?y", "at ?x ?r", 1, "?y:room")
        assert len(RuleOrder(HOUSE, thin=True).arrange([one, other], {})) == 1

"""Policies made as general as their trials allow: each step, and what holds for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3.learning.operators import locked_places
from pg3.learning.robustness.common_rules import CommonRules
from pg3.learning.robustness.generalising import Generaliser
from pg3.learning.robustness.trials import Trials, trials_of
from pg3.learning.training import Training
from pg3.pddl import parse_domain, parse_problem
from pg3.policy import DecisionList, canonical_rule, check_policy, parse_policy
from tests.support.errands import errand_policies, errand_problems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl.model import Problem
    from pg3.policy import Rule
    from pg3.policy.rule_book import PolicyKey

MAX_STEPS = 100

HOUSE = parse_domain("""
    (define (domain house) (:requirements :typing :equality)
      (:types room thing - object box ball - thing)
      (:constants office - room red green - ball)
      (:predicates (in ?r - room) (lies ?t - thing ?r - room) (holds ?t - thing) (free)
        (loose ?t - thing) (safe ?t - thing) (clean ?t - thing))
      (:action walk :parameters (?from ?to - room) :precondition (in ?from)
        :effect (and (in ?to) (not (in ?from))))
      (:action take :parameters (?t - thing ?r - room)
        :precondition (and (lies ?t ?r) (in ?r) (free))
        :effect (and (holds ?t) (not (lies ?t ?r)) (not (free))))
      (:action put :parameters (?t - thing ?r - room) :precondition (and (holds ?t) (in ?r))
        :effect (and (lies ?t ?r) (free) (not (holds ?t))))
      (:action tie :parameters (?a ?b - thing) :precondition (and (loose ?a) (loose ?b))
        :effect (and (safe ?a) (safe ?b) (not (loose ?a)) (not (loose ?b))))
      (:action wash :parameters (?t - thing) :effect (clean ?t)))""")

# What to do with one thing after the other, in rules that say no more than they must.
TIDY = """
    (:rule put :parameters (?t - thing ?r - room) :preconditions (and (holds ?t) (in ?r))
      :goals (lies ?t ?r) :action (put ?t ?r))
    (:rule carry :parameters (?t - thing ?from ?to - room)
      :preconditions (and (holds ?t) (in ?from) (not (= ?from ?to)))
      :goals (lies ?t ?to) :action (walk ?from ?to))
    (:rule take :parameters (?t - thing ?r ?g - room)
      :preconditions (and (lies ?t ?r) (in ?r) (free) (not (lies ?t ?g)))
      :goals (lies ?t ?g) :action (take ?t ?r))
    (:rule fetch :parameters (?t - thing ?r ?g ?from - room)
      :preconditions (and (lies ?t ?r) (in ?from) (not (lies ?t ?g)) (not (= ?from ?r)))
      :goals (lies ?t ?g) :action (walk ?from ?r))"""


def policy(rules: str) -> DecisionList:
    return parse_policy(f"(define (policy p) {rules})", HOUSE)


def problem(objects: str, init: str, goal: str) -> Problem:
    return parse_problem(
        f"(define (problem p) (:domain house) (:objects {objects}) (:init {init}) "
        f"(:goal (and {goal})))",
        HOUSE,
    )


TO_TIDY = [
    problem(
        "a b - box c - ball hall attic - room",
        "(in hall) (free) (lies a hall) (lies b attic) (lies c office)",
        "(lies a attic) (lies b office) (lies c hall)",
    ),
    problem(
        "a b - box hall attic cellar - room",
        "(in office) (free) (lies a hall) (lies b hall)",
        "(lies a cellar) (lies b office)",
    ),
]


def trials(training: Training, key: PolicyKey) -> Trials:
    found = Trials(training.budget)
    found.add(trials_of(training, key, MAX_STEPS))
    return found


class Case:
    """A policy, trials of it, and what is made of it."""

    def __init__(
        self, given: DecisionList, problems: Sequence[Problem], locked: Sequence[str] = ()
    ) -> None:
        self.training = Training(problems)
        self.book = self.training.book
        self.key = self.book.take(given)
        self.locked = tuple(
            number
            for rule, number in zip(given.rules, self.key, strict=True)
            if rule.name in locked
        )
        self.generaliser = Generaliser(CommonRules(self.book), self.key, self.locked)

    def trials(self, *places: int) -> Trials:
        """Trials on the problems at these places, on all if there are none."""
        chosen = places or range(len(self.training))
        return trials(self.training.subset(chosen), self.key)

    def steps(self, key: PolicyKey, *places: int) -> list[int | None]:
        chosen = self.training.subset(places or range(len(self.training)))
        return chosen.solved_steps(key, MAX_STEPS)

    def assert_as_good(self, key: PolicyKey, *places: int) -> None:
        """All that was solved is solved, in no more steps, by a policy of no more rules."""
        before, after = self.steps(self.key, *places), self.steps(key, *places)
        pairs = [(a, b) for a, b in zip(before, after, strict=True) if a is not None]
        assert all(b is not None for _, b in pairs)
        assert sum(b or 0 for _, b in pairs) <= sum(a or 0 for a, _ in pairs)
        assert len(key) <= len(self.key)
        assert locked_places(key, self.locked) is not None
        check_policy(self.book.policy(key, "p"), self.book.domain)

    def result(self) -> DecisionList:
        key = self.generaliser.generalised(self.trials())
        self.assert_as_good(key)
        return self.book.policy(key, "p")


def generalised(
    rules: str, problems: Sequence[Problem] = TO_TIDY, locked: Sequence[str] = ()
) -> tuple[Rule, ...]:
    return Case(policy(rules), problems, locked).result().rules


def conditions(rule: Rule) -> set[str]:
    """The conditions of a rule, goals with a G."""
    text = {f"{'' if c.positive else 'not '}{c.atom.predicate}" for c in rule.preconditions}
    return text | {f"G {'' if c.positive else 'not '}{c.atom.predicate}" for c in rule.goals}


# -- the steps -------------------------------------------------------------------------------------


def test_rules_that_never_act_go() -> None:
    idle = """(:rule never :parameters (?t - thing ?r - room)
      :preconditions (and (holds ?t) (free) (in ?r)) :action (put ?t ?r))"""
    plain = generalised(TIDY)
    assert len(plain) == 4
    assert generalised(idle + TIDY) == plain == generalised(TIDY + idle)


def test_one_rule_with_a_constant_stays() -> None:
    """It is the same in every problem: by itself it is no fault."""
    rule = "(:rule wash-red :preconditions (not (clean red)) :action (wash red))"
    (wash,) = generalised(rule, [problem("a - ball", "", "(clean red)")])
    assert wash.arguments == ("red",)


def test_rules_that_others_make_up_for_go() -> None:
    special = """(:rule put-box :parameters (?t - box) :preconditions (and (holds ?t) (in office))
      :goals (lies ?t office) :action (put ?t office))"""
    case = Case(policy(special + TIDY), TO_TIDY)
    assert 0 in case.trials().acting(case.key)
    assert case.result().rules == generalised(TIDY)


def test_rules_become_one_with_what_they_have_in_common() -> None:
    rest = TIDY[TIDY.index("(:rule carry") :]
    puts = "".join(
        f"""(:rule put-{kind} :parameters (?t - thing ?r - room ?other - thing)
          :preconditions (and (holds ?t) (in ?r) ({kind} ?t) ({kind} ?other)) :goals (lies ?t ?r)
          :action (put ?t ?r))"""
        for kind in ("loose", "safe")
    )
    some = [
        problem(
            "a b - box c - ball hall attic - room",
            "(in hall) (free) (lies a hall) (lies b attic) (lies c office)"
            "(loose a) (safe b) (safe c)",
            "(lies a attic) (lies b office) (lies c hall)",
        )
    ]
    assert len(Case(policy(puts + rest), some).trials()) == 1
    rules = generalised(puts + rest, some)
    assert [*map(canonical_rule, rules)] == [*map(canonical_rule, generalised(TIDY, some))]
    for rule in rules:
        terms = {t for c in (*rule.preconditions, *rule.goals) for t in c.atom.terms}
        assert {p.name for p in rule.parameters} <= terms.union(rule.arguments)


def test_what_is_merged_is_for_objects_of_either_type() -> None:
    """A type all of whose subtypes are there stands for these."""
    rest = TIDY[TIDY.index("(:rule carry") :]
    puts = "".join(
        f"""(:rule put-{kind} :parameters (?t - {kind} ?r - room)
          :preconditions (and (holds ?t) (in ?r)) :goals (lies ?t ?r) :action (put ?t ?r))"""
        for kind in ("box", "ball")
    )
    rules = generalised(puts + rest)
    assert [*map(canonical_rule, rules)] == [*map(canonical_rule, generalised(TIDY))]
    book = Training(TO_TIDY).book
    one, two = (book.number(rule) for rule in policy(puts).rules)
    common = CommonRules(book).of(one, two)
    assert common is not None
    assert book.rule(common).parameters[0].types == ("thing",)


def test_types_that_come_together_stay_together() -> None:
    """Rules for a box with a ball and for a ball with a box do not make one for two balls."""
    ties = [
        f"""(:rule tie-{one}-{other} :parameters (?a - {one} ?b - {other})
          :preconditions (and (loose ?a) (loose ?b)) :goals (safe ?a) :action (tie ?a ?b))"""
        for one, other in (("box", "ball"), ("ball", "box"), ("box", "box"))
    ]
    book = Training(TO_TIDY).book
    box_ball, ball_box, boxes = (book.number(rule) for rule in policy("".join(ties)).rules)
    common = CommonRules(book)
    assert common.of(box_ball, ball_box) is None
    with_box = common.of(ball_box, boxes)
    assert with_box is not None
    assert [p.types for p in book.rule(with_box).parameters] == [("thing",), ("box",)]


def test_what_is_said_of_two_and_could_be_one_is_said_once() -> None:
    book = Training(TO_TIDY).book
    takes = policy(
        "".join(
            f"""
        (:rule {kind} :parameters (?t - thing ?r ?g ?s - room)
          :preconditions (and (lies ?t ?r) (in ?r) (lies ?t ?s) (in ?s) (free) ({kind} ?t))
          :goals (lies ?t ?g) :action (take ?t ?r))"""
            for kind in ("loose", "safe")
        )
    )
    common = CommonRules(book).of(*(book.number(rule) for rule in takes.rules))
    assert common is not None
    rule = book.rule(common)
    assert (len(rule.preconditions), len(rule.parameters)) == (3, 3)


def test_an_inequality_of_nothing_else_goes() -> None:
    book = Training(TO_TIDY).book
    walks = policy("""
        (:rule a :parameters (?t - thing ?r ?g ?from - room)
          :preconditions (and (lies ?t ?r) (in ?from) (not (= ?from ?r)))
          :goals (lies ?t ?g) :action (walk ?from ?g))
        (:rule b :parameters (?t - thing ?r ?g ?from - room)
          :preconditions (and (holds ?t) (in ?from) (in ?r) (not (= ?from ?r)))
          :goals (lies ?t ?g) :action (walk ?from ?g))""")
    common = CommonRules(book).of(*(book.number(rule) for rule in walks.rules))
    assert common is not None
    assert conditions(book.rule(common)) == {"in", "G lies"}


def test_last_resorts_come_last_and_have_an_aim() -> None:
    """They act only where the policy would stop, and say what on."""
    special = """
      (:rule put-here :parameters (?t - thing ?r - room)
        :preconditions (and (holds ?t) (in ?r) (loose ?t)) :goals (lies ?t ?r) :action (put ?t ?r))
      (:rule put-there :parameters (?t - thing ?r - room)
        :preconditions (and (holds ?t) (in ?r) (safe ?t)) :goals (lies ?t ?r) :action (put ?t ?r))
      (:rule carry :parameters (?t - thing ?from ?to - room)
        :preconditions (and (holds ?t) (in ?from) (clean ?t)) :goals (lies ?t ?to)
        :action (walk ?from ?to))
      (:rule fetch :parameters (?t - thing ?r ?g ?from - room)
        :preconditions (and (lies ?t ?r) (in ?from)) :goals (lies ?t ?g) :action (walk ?from ?r))"""
    case = Case(policy(special), TO_TIDY)
    key = case.generaliser.with_last_resorts(case.key)
    assert key[: len(case.key)] == case.key
    (last,) = (case.book.rule(number) for number in key[len(case.key) :])
    assert (last.action, conditions(last)) == ("put", {"holds", "in", "G lies"})
    idle = Case(policy(special.replace(" (clean ?t)", "")), TO_TIDY)
    assert idle.generaliser.with_last_resorts(idle.key) == idle.key, "the third rule acts there"
    locked = Case(policy(special), TO_TIDY, ["put-here"])
    assert locked.generaliser.with_last_resorts(locked.key) == locked.key


def test_a_condition_that_no_other_rule_lacks_stays() -> None:
    """However few tests need it: it is no accident of one plan."""
    wordy = TIDY.replace("(and (holds ?t) (in ?r))", "(and (holds ?t) (in ?r) (not (free)))")
    put = generalised(wordy)[0]
    assert conditions(put) == {"holds", "in", "not free", "G lies"}


def test_what_the_action_needs_stays() -> None:
    """Whether or not a trial meets a case in which it is not true."""
    needs = {"walk": {"in"}, "take": {"lies", "in", "free"}, "put": {"holds", "in"}}
    for rule in generalised(TIDY):
        assert conditions(rule) >= needs[rule.action]


def test_no_rule_may_do_nothing_for_ever() -> None:
    """Who walks from a room to itself goes nowhere, though a rule before it may prevent that."""
    for rule in generalised(TIDY):
        assert rule.action != "walk" or "not =" in conditions(rule)


def test_a_rule_keeps_its_goal_and_that_it_is_open() -> None:
    """What is to be washed, and is not clean yet, though one thing needs no such question."""
    rule = """(:rule wash :parameters (?t - thing) :preconditions (not (clean ?t))
      :goals (clean ?t) :action (wash ?t))"""
    (wash,) = generalised(rule, [problem("", "(clean green)", "(clean red)")])
    assert conditions(wash) == {"not clean", "G clean"}


# -- locked rules ----------------------------------------------------------------------------------


IDLE = """(:rule idle :parameters (?t - box ?r - room) :preconditions (and (holds ?t) (free)
  (in ?r) (in office)) :action (put ?t ?r))"""


@pytest.mark.parametrize(
    "locked", [["put"], ["take", "fetch"], ["idle"], ["put", "carry", "take", "fetch", "idle"]]
)
def test_locked_rules_stay_as_they_are(locked: list[str]) -> None:
    given_ = policy(TIDY + IDLE)
    kept = [rule for rule in given_.rules if rule.name in locked]
    rules = generalised(TIDY + IDLE, locked=locked)
    assert [rule for rule in rules if rule.name in locked] == kept
    assert ("idle" in [rule.name for rule in rules]) == ("idle" in locked)


# -- what holds for all steps ----------------------------------------------------------------------


@given(
    st.lists(errand_problems(), min_size=1, max_size=3),
    errand_policies(),
    st.lists(st.integers(0, 8), max_size=2),
)
def test_nothing_gets_worse(problems: list[Problem], given_: DecisionList, kept: list[int]) -> None:
    locked = [rule.name for i, rule in enumerate(given_.rules) if i in kept]
    case = Case(given_, problems, locked)
    key = case.generaliser.generalised(case.trials())
    case.assert_as_good(key)
    assert case.book.policy_size(key) <= case.book.policy_size(case.key) + len(case.key)
    # There is nothing more to be done.
    again = Generaliser(CommonRules(case.book), key, case.locked)
    assert len(again.generalised(trials(case.training, key))) <= len(key)


@given(st.lists(errand_problems(), min_size=2, max_size=4), errand_policies())
def test_more_trials_take_back_what_they_do_not_pass(
    problems: list[Problem], given_: DecisionList
) -> None:
    """However many trials there were before, the policy does as well on all there are."""
    case = Case(given_, problems)
    for number in range(1, len(problems) + 1):
        places = range(number)
        key = case.generaliser.generalised(case.trials(*places))
        case.assert_as_good(key, *places)


def test_trials_that_show_nothing_new_change_nothing() -> None:
    case = Case(policy(TIDY), [*TO_TIDY, *TO_TIDY])
    first = case.generaliser.generalised(case.trials(0, 1))
    assert case.generaliser.generalised(case.trials(0, 1, 2, 3)) == first


def test_one_trial_more_takes_back_one_step() -> None:
    """Where everything is loose or safe, there is no need to ask for it."""
    rules = """(:rule loose :parameters (?t - thing)
        :preconditions (and (not (clean ?t)) (loose ?t)) :action (wash ?t))
      (:rule safe :parameters (?t - thing)
        :preconditions (and (not (clean ?t)) (safe ?t)) :action (wash ?t))"""
    everything = problem(
        "b - box", "(loose b) (loose red) (safe green)", "(clean b) (clean red) (clean green)"
    )
    two_things = problem("b - box", "(loose b) (safe green)", "(clean b) (clean green)")
    case = Case(policy(rules), [everything, two_things])
    (easy,) = case.generaliser.generalised(case.trials(0))
    assert conditions(case.book.rule(easy)) == {"not clean"}
    assert len(case.generaliser.generalised(case.trials(0, 1))) == 2


def test_without_trials_nothing_changes() -> None:
    stuck = problem("a - box hall - room", "(lies a hall) (in office)", "(lies a office)")
    case = Case(policy(TIDY + IDLE), [stuck])
    assert len(case.trials()) == 0
    assert case.generaliser.generalised(case.trials()) == case.key


STREETS = parse_domain("""
    (define (domain streets) (:requirements :typing)
      (:types place parcel - object)
      (:predicates (street ?a ?b - place) (van ?p - place) (lies ?x - parcel ?p - place)
        (aboard ?x - parcel) (room))
      (:action drive :parameters (?a ?b - place) :precondition (and (van ?a) (street ?a ?b))
        :effect (and (van ?b) (not (van ?a))))
      (:action load :parameters (?x - parcel ?p - place)
        :precondition (and (lies ?x ?p) (van ?p) (room))
        :effect (and (aboard ?x) (not (lies ?x ?p)) (not (room))))
      (:action drop :parameters (?x - parcel ?p - place) :precondition (and (aboard ?x) (van ?p))
        :effect (and (lies ?x ?p) (room) (not (aboard ?x)))))""")

DELIVERY = """(define (policy p)
    (:rule drop :parameters (?x - parcel ?p - place) :preconditions (and (aboard ?x) (van ?p))
      :goals (lies ?x ?p) :action (drop ?x ?p))
    (:rule bring :parameters (?x - parcel ?g ?a ?b - place)
      :preconditions (and (aboard ?x) (van ?a) (next street ?a ?b ?g))
      :goals (lies ?x ?g) :action (drive ?a ?b))
    (:rule load :parameters (?x - parcel ?p ?g - place)
      :preconditions (and (lies ?x ?p) (van ?p) (room) (not (lies ?x ?g)) (reach street ?p ?g))
      :goals (lies ?x ?g) :action (load ?x ?p))
    (:rule fetch :parameters (?x - parcel ?p ?g ?a ?b - place)
      :preconditions (and (lies ?x ?p) (van ?a) (room) (not (lies ?x ?g)) (reach street ?p ?g)
        (next street ?a ?b ?p))
      :goals (lies ?x ?g) :action (drive ?a ?b)))"""


@pytest.mark.parametrize("locked", [[], ["load"]])
def test_paths_for_later_are_not_asked_for_unless_the_rule_is_locked(locked: list[str]) -> None:
    two = parse_problem(
        """(define (problem p) (:domain streets) (:objects a b - place x y - parcel)
          (:init (van a) (room) (street a b) (street b a) (lies x a) (lies y b))
          (:goal (and (lies x b) (lies y a))))""",
        STREETS,
    )
    rules = Case(parse_policy(DELIVERY, STREETS), [two], locked).result().rules
    assert [rule.name for rule in rules if "reach" in conditions(rule)] == locked
    assert any("next" in conditions(rule) for rule in rules)

"""Small random domains and problems with numbers, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import assume
from hypothesis import strategies as st

from pg3.pddl import parse_domain, parse_problem
from pg3.pddl.model import value_of
from pg3.pddl.numbers import FunctionTerm, comparison_of, is_comparison, is_goal_function
from pg3.policy import parse_policy
from tests.support.random_problems import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.pddl.model import Atom, Domain, Problem
    from pg3.policy.model import DecisionList

WORDS = ["<", "<=", "=", ">=", ">"]
NUMBERS = ["-1", "0", "1", "2", "0.5", "3"]

_FIRST = (
    "(:action first :parameters (?a) :precondition (and (< (f ?a) 2))"
    " :effect (and (increase (f ?a) 1) (decrease (g) 1)))"
)
_CHANGED = ["(f ?x)", "(f ?y)", "(g)"]


@st.composite
def _function(draw: st.DrawFn, terms: list[str], *, static: bool = False) -> str:
    """f and g change; s and d never do. Some objects have no value for some of them."""
    names = ["(s $)", "(d $ $)"] if static else ["(f $)", "(g)", "(f $)", "(s $)"]
    text = draw(st.sampled_from([n for n in names if terms or "$" not in n] or ["1"]))
    while "$" in text:
        text = text.replace("$", draw(st.sampled_from(terms)), 1)
    return text


@st.composite
def comparisons(draw: st.DrawFn, terms: list[str]) -> str:
    """A comparison of a function with a number, or with another one plus a constant."""
    left = draw(_function(terms))
    right = draw(st.sampled_from(NUMBERS))
    if draw(st.integers(0, 2)) == 0:
        other = draw(_function(terms, static=draw(st.booleans())))
        right = draw(st.sampled_from([other, f"(+ {other} {right})", f"(* 2 {other})"]))
    word = draw(st.sampled_from(WORDS))
    return f"({word} {left} {right})" if draw(st.integers(0, 3)) else f"({word} {right} {left})"


@st.composite
def _condition(draw: st.DrawFn, terms: list[str]) -> str:
    facts = ["(q)", *(f"(p {term})" for term in terms)]
    text = draw(st.one_of(st.sampled_from(facts), comparisons(terms)))
    return text if draw(st.integers(0, 3)) else f"(not {text})"


@st.composite
def _action(draw: st.DrawFn, number: int) -> str:
    parameters = ["?a", "?b"][: draw(st.integers(0, 2))]
    needs = draw(st.lists(_condition(parameters), max_size=3))
    facts = draw(st.lists(st.sampled_from(["(q)", *(f"(p {t})" for t in parameters)]), max_size=1))
    effects = [one if draw(st.booleans()) else f"(not {one})" for one in facts]
    changed = ["(g)", *(f"(f {term})" for term in parameters)]
    for function in draw(st.lists(st.sampled_from(changed), unique=True, max_size=2)):
        word = draw(st.sampled_from(["increase", "increase", "decrease", "decrease", "assign"]))
        amount = draw(st.sampled_from(["1", "2", "0.5", "-1"]))
        if parameters and draw(st.integers(0, 3)) == 0:
            amount = draw(_function(parameters, static=True))
        effects.append(f"({word} {function} {amount})")
    return (
        f"(:action act{number} :parameters ({' '.join(parameters)})"
        f" :precondition (and {' '.join(needs)}) :effect (and {' '.join(effects)}))"
    )


@st.composite
def number_domains(draw: st.DrawFn) -> Domain:
    """A domain of up to three actions. The first one changes f and g, so that both are fluents."""
    return _domain([_FIRST, *(draw(_action(i)) for i in range(draw(st.integers(0, 2))))])


def _domain(actions: list[str]) -> Domain:
    return parse_domain(
        "(define (domain numbers) (:predicates (p ?x) (q))"
        " (:functions (f ?x) (g) (s ?x) (d ?x ?y)) " + " ".join(actions) + ")"
    )


@st.composite
def number_problems(draw: st.DrawFn, domain: Domain | None = None) -> Problem:
    """A problem of two or three objects whose values are small; some have none."""
    domain = draw(number_domains()) if domain is None else domain
    names = ["a", "b", "c"][: draw(st.integers(2, 3))]
    init = [f"(p {name})" for name in names if draw(st.booleans())]
    init += ["(q)"] if draw(st.booleans()) else []
    functions = [
        *(f"({function} {name})" for function in "fs" for name in names),
        "(g)",
        *(f"(d {one} {other})" for one in names for other in names),
    ]
    for function in functions:
        if draw(st.integers(0, 7)):
            init.append(f"(= {function} {draw(st.sampled_from(NUMBERS))})")
    goals = draw(st.lists(_condition(names), min_size=1, max_size=3))
    return parse_problem(
        f"(define (problem random) (:domain numbers) (:objects {' '.join(names)})"
        f" (:init {' '.join(init)}) (:goal (and {' '.join(goals)})))",
        domain,
    )


@st.composite
def number_policies(draw: st.DrawFn, domain: Domain) -> DecisionList:
    """Up to three rules with comparisons that the domain may not have, and goals of numbers."""
    rules = []
    for number in range(draw(st.integers(1, 3))):
        action = draw(st.sampled_from(domain.actions))
        parameters = ["?x", "?y"]
        needs = dict.fromkeys(draw(st.lists(_condition(parameters), max_size=3)))
        needs = {one: None for one in needs if f"(not {one})" not in needs}
        goals = draw(
            st.lists(
                st.sampled_from(
                    [
                        "(p ?x)",
                        "(>= (f ?y) (goal (f ?y)))",
                        "(not (<= (g) (goal (g))))",
                        "(= (f ?x) (goal (f ?x)))",
                    ]
                ),
                max_size=1,
            )
        )
        arguments = [draw(st.sampled_from(parameters)) for _ in action.parameters]
        rules.append(
            f"(:rule r{number} :parameters (?x ?y) :preconditions (and {' '.join(needs)})"
            f" :goals (and {' '.join(goals)}) :action ({' '.join((action.name, *arguments))}))"
        )
    return parse_policy(f"(define (policy random) {' '.join(rules)})", domain)


@st.composite
def number_scenarios(draw: st.DrawFn) -> Scenario:
    """A problem with a policy. Goals that rules cannot speak of are left out (see `goals`)."""
    problem = draw(number_problems().filter(lambda one: not one.disjunctions))
    return Scenario(problem, draw(number_policies(problem.domain)))


@st.composite
def counting_scenarios(draw: st.DrawFn) -> Scenario:
    """Goals that are far away: how far each action moves a number decides what a search does."""
    actions = []
    for number in range(draw(st.integers(2, 4))):
        need = draw(st.sampled_from(["", "", "(q)", "(>= (g) 1)", "(< (f ?x) (f ?y))"]))
        effects = [draw(st.sampled_from(["(q)", "(p ?x)", "(not (q))"]))]
        for function in draw(st.lists(st.sampled_from(_CHANGED), unique=True, min_size=1)):
            word = draw(st.sampled_from(["increase", "increase", "decrease"]))
            effects.append(f"({word} {function} {draw(st.sampled_from('1235'))})")
        actions.append(
            f"(:action act{number} :parameters (?x ?y) :precondition (and {need})"
            f" :effect (and {' '.join(effects)}))"
        )
    domain = _domain([_FIRST, *actions])
    goals = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["(f a)", "(f b)", "(g)", "(f a)"]),
                st.sampled_from([">= $ 5", ">= $ 9", "<= $ -4", "= $ 6", ">= $ (+ (g) 3)"]),
            ).map(lambda one: f"({one[1].replace('$', one[0])})"),
            unique=True,
            min_size=2,
            max_size=3,
        )
    )
    values = {one: draw(st.integers(-1, 2)) for one in ("(f a)", "(f b)", "(g)")}
    init = " ".join(f"(= {one} {value})" for one, value in values.items())
    problem = parse_problem(
        f"(define (problem counting) (:domain numbers) (:objects a b) (:init {init})"
        f" (:goal (and {' '.join(goals)})))",
        domain,
    )
    assume(not problem.disjunctions)  # as in `number_scenarios`
    return Scenario(problem, draw(number_policies(domain)))


def state_facts(problem: Problem, state: Iterable[Atom]) -> list[tuple[Any, ...]]:
    """The facts and the numbers of a state, as an exported Python module takes them."""
    values = {a: v for a, v in problem.function_values.items() if not is_goal_function(a[0])}
    state = list(state)
    values |= dict(found for atom in state if (found := value_of(atom)))
    plain = [(a.predicate, *a.terms) for a in state if value_of(a) is None]
    return [*plain, *(("=", (name, *terms), value) for (name, terms), value in values.items())]


def goal_facts(problem: Problem, *, positive: bool = True) -> list[tuple[Any, ...]]:
    """The goals, or what is not wanted, in the same form."""
    found: list[tuple[Any, ...]] = []
    for atom in problem.goal if positive else problem.negative_goal:
        if not is_comparison(atom.predicate):
            found.append((atom.predicate, *atom.terms))
            continue
        comparison = comparison_of(atom.predicate)
        [function] = [f for f in comparison.functions if f.goal]
        number = problem.number_at_goal(FunctionTerm(function.name, atom.terms, function.goal))
        found.append((comparison.word, (function.name, *atom.terms), number))
    return found

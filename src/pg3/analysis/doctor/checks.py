"""What may hinder learning, each with advice.

One function a question; each looks at the domain and at the measurements of all readable problems.
`CHECKS` lists them in the order of the report.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from pg3.analysis.doctor.measurements import GOAL_HOLDS, TOO_LARGE, Measurements
from pg3.errors import first_few, pluralize
from pg3.learning.operators.moves import pure_moves
from pg3.pddl.model import EQUALS, OBJECT, copies_in
from pg3.pddl.strata import stratify_axioms
from pg3.planning import PlanStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pg3.pddl import Domain, Problem
    from pg3.pddl.model import TypeNames

# The default of `learn --astar-expansions`.
LEARNER_EXPANSIONS = 1000

# The learner trains on half of the problems and tests on all: with fewer, one problem decides.
_FEW = 4

# What is so in this many other problems is no accident of a small one.
_USUAL = 2

# A learner runs on each problem thousands of times: from these sizes on it takes minutes.
_MANY_ACTIONS = 20_000
_LONG_SECONDS = 2.0


class Level(StrEnum):
    """How much a finding matters."""

    CONCERN = "concern"
    NOTE = "note"


class Finding(NamedTuple):
    """A finding: what to know before learning, the files that it is about, and advice."""

    check: str
    level: Level
    message: str
    advice: str
    files: tuple[str, ...] = ()


def _paths(problems: Iterable[Measurements]) -> tuple[str, ...]:
    return tuple(problem.path for problem in problems)


def _listed(names: Iterable[str]) -> str:
    return first_few(list(names), 6)


# -- single problems -------------------------------------------------------------------------------


def useless_problems(_: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Problems that the learner leaves out."""
    for status, check, message, advice in (
        (
            GOAL_HOLDS,
            "goal-holds-at-the-start",
            "the goal holds at the start, so there is nothing to learn",
            "leave it out, or ask for something that :init does not have",
        ),
        (
            PlanStatus.UNSOLVABLE,
            "unsolvable",
            "there is no solution",
            "look for a fact that :init lacks or a goal that contradicts another",
        ),
        (
            TOO_LARGE,
            "too-large-to-ground",
            "it is too large to ground",
            "train on smaller problems: the policy will solve the large ones",
        ),
    ):
        if found := [problem for problem in problems if problem.status == status]:
            yield Finding(check, Level.CONCERN, message, advice, _paths(found))


def hard_problems(_: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Problems that the planner does not solve, or only with more work than the learner allows."""
    limits = (PlanStatus.EXPANSION_LIMIT, PlanStatus.TIME_LIMIT, PlanStatus.MEMORY_LIMIT)
    if found := [problem for problem in problems if problem.status in limits]:
        yield Finding(
            "unsolved",
            Level.CONCERN,
            "the planner does not solve it within the limits; only a good policy would help it",
            "train on smaller problems of the same kind; two or three of each thing will do",
            _paths(found),
        )
    found = [p for p in problems if p.steps is not None and _effort(p) > LEARNER_EXPANSIONS]
    if found:
        most = max(map(_effort, found))
        # A policy that was learned from the others can guide the planner through a few hard ones.
        few = 2 * len(found) < sum(problem.is_useful for problem in problems)
        yield Finding(
            "hard",
            Level.NOTE if few else Level.CONCERN,
            f"the planner expands up to {most} states; the learner stops at {LEARNER_EXPANSIONS}",
            f"make it smaller, or learn with --astar-expansions {2 * most}",
            _paths(found),
        )


def _effort(problem: Measurements) -> int:
    return problem.expansions or 0


def large_problems(_: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Problems that would make learning slow."""
    found = [
        problem
        for problem in problems
        if problem.ground_seconds + (problem.plan_seconds or 0) > _LONG_SECONDS
        or (problem.ground_actions or 0) > _MANY_ACTIONS
    ]
    if found:
        yield Finding(
            "large",
            Level.CONCERN,
            "it is large for training: the learner runs on each problem thousands of times",
            "train on smaller problems: the policy will solve the large ones",
            _paths(found),
        )


def copies(_: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Problems that are given twice."""
    for copy, earlier in copies_in(one.problem for one in problems).items():
        yield Finding(
            "copy",
            Level.CONCERN,
            f"it is the same problem as {problems[earlier].path}",
            "leave it out: a problem that is given twice teaches nothing new",
            (problems[copy].path,),
        )


def idle_objects(domain: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Objects that no fact and no goal mentions, though one seems to be missing.

    A shelf with nothing on it is none of these. What is: an object without a type, of which nobody
    can tell what it is; and one of a type whose objects all have facts of some predicate in the
    other problems.
    """
    names: Counter[str] = Counter()
    files = []
    typed = any(type_.name != OBJECT for type_ in domain.types)
    usual = [_usual_facts(one.problem) for one in problems]
    for i, one in enumerate(problems):
        problem = one.problem
        mentioned = {
            term
            for atoms in (problem.init, problem.goal, problem.negative_goal)
            for atom in atoms
            for term in atom.terms
        }
        idle = []
        for o in problem.objects:
            others = [facts[o.type] for j, facts in enumerate(usual) if j != i and o.type in facts]
            expected = len(others) >= _USUAL and frozenset.intersection(*others)
            if o.name not in mentioned and (expected or not typed):
                idle.append(o.name)
        if idle:
            files.append(one.path)
            names.update(idle)
    if files:
        yield Finding(
            "idle-objects",
            Level.NOTE,
            f"no fact and no goal mentions {_listed(names)}",
            "check :init for something that was forgotten, or remove the object",
            tuple(files),
        )


def _usual_facts(problem: Problem) -> dict[str, frozenset[str]]:
    """For each type the predicates that say something about every object of it.

    What changes is about its first object: (stored ?batch ?unit) says nothing about a unit.
    """
    objects: dict[str, set[str]] = {}
    for o in problem.objects:
        objects.setdefault(o.type, set()).add(o.name)
    told: dict[str, set[str]] = {}
    for atom in problem.init:
        about = atom.terms[:1] if atom.predicate in problem.domain.fluents else atom.terms
        told.setdefault(atom.predicate, set()).update(about)
    return {
        type_name: frozenset(name for name, terms in told.items() if names <= terms)
        for type_name, names in objects.items()
    }


# -- the problems together -------------------------------------------------------------------------


def few_problems(_: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Too few problems to tell a good policy from a lucky one."""
    useful = [problem for problem in problems if problem.is_useful]
    if len(useful) < _FEW:
        number = f"only {pluralize(len(useful), 'problem')}" if useful else "no problem"
        yield Finding(
            "few-problems",
            Level.CONCERN,
            f"{number} can be learned from",
            "add problems, small ones of different sizes; about ten are enough for most domains",
        )


def same_size(_: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Problems that are all of one size."""
    useful = [problem for problem in problems if problem.is_useful]
    if len(useful) < 2:
        return
    if all(problem.objects == useful[0].objects for problem in useful):
        yield Finding(
            "same-size",
            Level.CONCERN,
            f"every problem has the same number of objects ({useful[0].total_objects})",
            "add larger and smaller ones: only they show whether a policy works for any number",
        )
        return
    alone = sorted(
        type_name
        for type_name, number in useful[0].objects.items()
        if number == 1 and all(problem.objects.get(type_name) == 1 for problem in useful)
    )
    if alone:
        yield Finding(
            "always-one",
            Level.NOTE,
            f"every problem has exactly one object of type {_listed(alone)}",
            "if there can be more, add such problems: the policy may count on there being one",
        )


def short_plans(_: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Plans too short to learn the order of actions from."""
    steps = sorted(problem.steps for problem in problems if problem.steps is not None)
    if steps and steps[len(steps) // 2] < 3:
        yield Finding(
            "short-plans",
            Level.CONCERN,
            f"most plans have fewer than 3 steps (the longest: {steps[-1]})",
            "add problems that take a few more steps, to show what comes after what",
        )


def goals(domain: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """What the goals do not show, and those that rules cannot speak of."""
    useful = [problem for problem in problems if problem.is_useful]
    if len(useful) < 2:
        return
    if shown := _one_constant(domain, useful):
        yield Finding(
            "one-constant",
            Level.NOTE,
            f"of several objects of their types goals only ever name {_listed(shown)}",
            "if they can name others, add such problems: the policy may count on this one",
        )
    if all(problem.goals == 1 for problem in useful):
        yield Finding(
            "one-goal",
            Level.NOTE,
            "every problem has a single goal",
            "if there can be more, add such problems: achieving one goal may undo another",
        )
    if negative := [problem for problem in useful if problem.negative_goals]:
        yield Finding(
            "negative-goals",
            Level.CONCERN,
            "some goals are negative; rules can only test positive goals",
            "add a predicate for the opposite, which actions keep up to date, and make it the goal",
            _paths(negative),
        )
    if disjunctive := [problem for problem in useful if problem.problem.disjunctions]:
        yield Finding(
            "disjunctive-goals",
            Level.CONCERN,
            "some goals leave a choice (or, exists), of which rules cannot speak",
            "derive a predicate from the choice, or give the problem one of the alternatives",
            _paths(disjunctive),
        )


def _one_constant(domain: Domain, problems: Sequence[Measurements]) -> list[str]:
    """Constants that alone stand in a place of a goal, though there are others: "depot in (at)"."""
    found: dict[tuple[str, int], set[str]] = {}
    number: Counter[str] = Counter()
    for one in problems:
        number.update(one.goal_predicates)
        for atom in (*one.problem.goal, *one.problem.negative_goal):
            for place, term in enumerate(atom.terms):
                found.setdefault((atom.predicate, place), set()).add(term)
    constants = {constant.name for constant in domain.constants}
    shown = []
    for (name, place), terms in sorted(found.items()):
        if len(terms) > 1 or not terms <= constants or number[name] < _USUAL:
            continue
        types = domain.predicates[domain.predicate_index[name]].parameters[place].types
        if any(
            sum(domain.is_a(o.type, types) for o in p.problem.all_objects) > 1 for p in problems
        ):
            shown.append(f"{terms.pop()} in ({name})")
    return shown


def likely_constants(domain: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Objects with the same name in every problem that could be constants."""
    if len(problems) < 2:
        return
    common = set(problems[0].problem.objects)
    for one in problems[1:]:
        common &= set(one.problem.objects)
    # Numbered names are everywhere because generators count from the same number.
    named = sorted(o.name for o in common if not re.search(r"\d$", o.name))
    if named:
        yield Finding(
            "likely-constants",
            Level.NOTE,
            f"in every problem there is {_listed(named)}",
            "if it has the same role everywhere, declare it in the domain's :constants and "
            "mention it in an action: rules can name constants, but no other objects",
        )


# -- the domain ------------------------------------------------------------------------------------


def unused_predicates(domain: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Predicates that no action mentions, or that never hold."""
    mentioned = {
        literal.atom.predicate
        for action in domain.actions
        for literal in (
            *action.precondition,
            *action.possible_effects,
            *(condition for effect in action.conditional for condition in effect.conditions),
        )
    } - {EQUALS}
    mentioned |= {atom.predicate for axiom in domain.axioms for atom, _ in axiom.conditions}
    added = domain.changed_to(positive=True) | domain.derived
    given = {atom.predicate for one in problems for atom in one.problem.init}
    wanted = {name for one in problems for name in one.goal_predicates}
    names = [predicate.name for predicate in domain.declared]
    if false := [name for name in names if name not in added | given]:
        yield Finding(
            "never-true",
            Level.NOTE,
            f"no fact and no effect makes {_listed(false)} true",
            "check the spelling in the problems' :init, or remove it from the domain",
        )
    if unused := [name for name in names if name not in mentioned | wanted | set(false)]:
        yield Finding(
            "unused-predicates",
            Level.NOTE,
            f"no action and no goal mentions {_listed(unused)}",
            "keep it if rules should test it; else remove it, and learning is faster",
        )


def unused_types(domain: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Types without objects."""
    present = {constant.type for constant in domain.constants}
    present |= {type_name for one in problems for type_name in one.objects}
    empty = [
        type_.name
        for type_ in domain.types
        if type_.name != OBJECT and present.isdisjoint(domain.subtypes[type_.name])
    ]
    if empty and problems:
        yield Finding(
            "unused-types",
            Level.NOTE,
            f"no problem has an object of type {_listed(empty)}",
            "add a problem that has one, or the policy will not know what to do with it",
        )


def unused_actions(domain: Domain, problems: Sequence[Measurements]) -> Iterator[Finding]:
    """Actions that cannot be done in any problem, or that no plan needs."""
    ground = [problem for problem in problems if problem.ground_actions is not None]
    if not ground:
        return
    names = [action.name for action in domain.actions]
    impossible = [name for name in names if not any(p.action_uses.get(name) for p in ground)]
    if impossible:
        yield Finding(
            "impossible-actions",
            Level.CONCERN,
            f"in no problem can {_listed(impossible)} ever be done",
            "check its preconditions against :init; or add a problem that needs it",
        )
    planned = [problem for problem in problems if problem.steps is not None]
    idle = [
        name
        for name in names
        if name not in impossible and not any(p.plan_uses.get(name) for p in planned)
    ]
    if idle and planned:
        yield Finding(
            "idle-actions",
            Level.NOTE,
            f"no plan uses {_listed(idle)}",
            "if a policy should, add a problem that cannot be solved without it",
        )


def split_moves(domain: Domain, _: Sequence[Measurements]) -> Iterator[Finding]:
    """Actions that move one kind of thing, each between places of other types.

    The learner sees a map for each, and no path from the one to the other: where a maid walked
    between halls, entered rooms and left them, it learned 92 rules that failed larger problems; of
    one action it learned 27.
    """
    found: dict[tuple[object, ...], dict[tuple[TypeNames, TypeNames], list[str]]] = {}
    for name, move in pure_moves(domain).items():
        parameters = domain.action(name).parameters
        ends = parameters[move.start].types, parameters[move.end].types
        aside = {move.start, move.end, *move.leading, *move.labels}
        movers = sorted(p.types for i, p in enumerate(parameters) if i not in aside)
        by_ends = found.setdefault((move.moved, move.place, *movers), {})
        by_ends.setdefault(ends, []).append(name)
    for by_ends in found.values():
        if len(by_ends) > 1:
            names = [name for some in by_ends.values() for name in some]
            yield Finding(
                "split-moves",
                Level.NOTE,
                f"{_listed(names)} move the same thing between places of different types",
                "if you can, make them one action over a common type, with what differs as its "
                "conditions: a path cannot lead from the one kind of place to the other",
            )


def costs(domain: Domain, _: Sequence[Measurements]) -> Iterator[Finding]:
    """Costs, which learning ignores."""
    if domain.has_costs:
        yield Finding(
            "costs",
            Level.NOTE,
            "the domain has action costs, which play no part in learning",
            "compare the cost of the policy's plans with those of `pg3 plan --use-costs`",
        )


def _unknown_when_false(domain: Domain) -> set[str]:
    """The derived predicates of which h_add does not know what makes them false."""
    found: set[str] = set()
    for group in stratify_axioms(domain.axioms):
        read = {
            condition.atom.predicate
            for clause in domain.axioms
            if clause.name in group
            for condition in clause.conditions
        }
        if not read.isdisjoint({*group, *found}):
            found |= set(group)
    return found


def axioms(domain: Domain, _: Sequence[Measurements]) -> Iterator[Finding]:
    """Axioms, which not every part of pg3 supports."""
    if not domain.declared_axioms:
        return
    names = _listed(dict.fromkeys(clause.name for clause in domain.declared_axioms))
    yield Finding(
        "axioms",
        Level.NOTE,
        f"axioms derive {names}: planning, learning and policies support them",
        "goals that are derived are learned by search over policies, not by goal regression; "
        "unified-planning does not read axioms",
    )
    conditions = [literal for action in domain.actions for literal in action.precondition]
    conditions += [literal for clause in domain.axioms for literal in clause.conditions]
    false = {literal.atom.predicate for literal in conditions if not literal.positive}
    if ignored := sorted(false & _unknown_when_false(domain)):
        yield Finding(
            "derived-false",
            Level.NOTE,
            f"the planner's heuristic ignores that {_listed(ignored)} has to be false: it follows "
            "from axioms that depend on themselves",
            "if it expands many states, add a predicate for the opposite, which the effects of "
            "actions update",
        )


CHECKS: dict[str, Callable[[Domain, Sequence[Measurements]], Iterator[Finding]]] = {
    check.__name__: check
    for check in (
        useless_problems,
        hard_problems,
        large_problems,
        copies,
        few_problems,
        same_size,
        short_plans,
        unused_actions,
        goals,
        likely_constants,
        idle_objects,
        unused_predicates,
        unused_types,
        split_moves,
        costs,
        axioms,
    )
}

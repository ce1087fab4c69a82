"""A policy carried out by pymimir's lifted machinery.

Each rule becomes an action schema of its own: the rule's conditions, with "is a goal" as a static
predicate, are its precondition, the effects of the rule's action are its effects. pymimir's
generator of satisfying bindings is then asked for one binding of the first rule that has any, and
pymimir's state repository for the successor. All of that is pymimir's native code; it may take
any binding where pg3 must find the first one, so its work is not the harder of the two.
"""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl import write_domain, write_problem
from pg3.pddl.model import Action, Atom, Literal, Predicate, Problem

if TYPE_CHECKING:
    from pathlib import Path

    from pg3.pddl.model import Domain
    from pg3.policy import DecisionList

REQUIREMENTS = (":strips", ":typing", ":negative-preconditions", ":equality")


def rules_as_actions(problem: Problem, policy: DecisionList) -> Problem:
    """The problem with the policy's rules for actions; `goal-p` holds the goals of predicate p."""
    domain = problem.domain
    names = {condition.atom.predicate for rule in policy.rules for condition in rule.goals}
    goals = [Predicate(_wanted(p.name), p.parameters) for p in domain.predicates if p.name in names]
    rival: Domain = dataclasses.replace(
        domain,
        predicates=(*domain.predicates, *goals),
        actions=_actions(domain, policy),
        requirements=REQUIREMENTS,
    )
    wanted = [
        Atom(_wanted(atom.predicate), atom.terms)
        for atom in problem.goal
        if atom.predicate in names
    ]
    return Problem.of(
        problem.name,
        rival,
        problem.objects,
        [*problem.init, *wanted],
        [Literal(atom) for atom in problem.goal],
    )


class Steps(NamedTuple):
    """The seconds that each step took, and whether the goal holds after them."""

    seconds: list[float]
    solved: bool


def carry_out(problem: Problem, policy: DecisionList, folder: Path, steps: int) -> Steps:
    """The first steps in pymimir; fewer if before that no rule applies.

    Reading the problem and building the generators is not counted. The folder is for the files
    that pymimir reads.
    """
    from pymimir.advanced import formalism, search  # noqa: PLC0415

    rival = rules_as_actions(problem, policy)
    domain_file, problem_file = folder / "rules-domain.pddl", folder / "rules-problem.pddl"
    domain_file.write_text(write_domain(rival.domain))
    problem_file.write_text(write_problem(rival))
    theirs = formalism.Problem.create(domain_file, problem_file, formalism.ParserOptions())
    by_name = {action.get_name(): action for action in theirs.get_domain().get_actions()}
    rules = [by_name[action.name] for action in rival.domain.actions]
    # The generator for actions is the same machinery, but its method cannot be called from Python.
    generate = search.ConjunctiveConditionSatisficingBindingGenerator
    generators = [generate(rule.get_conjunctive_condition(), theirs) for rule in rules]
    repository = search.StateRepository.create(search.KPKCLiftedAxiomEvaluator.create(theirs))
    state, _ = repository.get_or_create_initial_state()
    seconds = []
    for _ in range(steps):
        start = time.perf_counter()
        for rule, generator in zip(rules, generators, strict=True):
            found = generator.generate_ground_conjunctions(state, 1)
            if found:
                action = theirs.ground(rule, found[0][0])
                state, _ = repository.get_or_create_successor_state(state, action, 0.0)
                break
        else:
            break
        seconds.append(time.perf_counter() - start)
    goal = search.ProblemGoalStrategy.create(theirs)
    return Steps(seconds, bool(goal.test_dynamic_goal(state)))


def _wanted(predicate: str) -> str:
    return f"goal-{predicate}"


def _actions(domain: Domain, policy: DecisionList) -> tuple[Action, ...]:
    schemas = {action.name: action for action in domain.actions}
    actions = []
    for number, rule in enumerate(policy.rules):
        schema = schemas[rule.action]
        binding = dict(zip((p.name for p in schema.parameters), rule.arguments, strict=True))
        effects = tuple(
            effect._replace(
                atom=effect.atom._replace(terms=tuple(binding.get(t, t) for t in effect.atom.terms))
            )
            for effect in schema.effects
        )
        goals = tuple(
            goal._replace(atom=goal.atom._replace(predicate=_wanted(goal.atom.predicate)))
            for goal in rule.goals
        )
        actions.append(
            Action(f"rule-{number}", rule.parameters, rule.preconditions + goals, effects)
        )
    return tuple(actions)

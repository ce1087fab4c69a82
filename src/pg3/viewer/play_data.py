"""A policy on a problem, as the data of a page: states, steps and what there is to say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pg3.analysis.explain import explain, policy_values
from pg3.analysis.explain.json_format import step_values
from pg3.analysis.explain.text import tell_passed_over
from pg3.pddl.formula_names import is_formula
from pg3.pddl.model import EQUALS, Literal, value_of
from pg3.pddl.numbers import is_value, number_text
from pg3.planning.execution import ExecutionStatus
from pg3.viewer.places import places_of
from pg3.viewer.scenes import GRAPH, PLACES, grid_of, scene_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pg3.analysis.explain.steps import Explanation, Ranking, Step
    from pg3.pddl.model import Atom, Domain, Problem
    from pg3.planning import Limits
    from pg3.policy.model import DecisionList, Rule

# Steps on a page: about a kilobyte each.
MOST_STEPS = 2500
_CUT = "the page ends here, the policy goes on: pg3 solve has all of it"
# Steps that also say why earlier rules do not apply, and steps times facts: a few seconds.
_MOST_REASONS, _MOST_WORK = 400, 40_000
_BUDGET = 1000
# Atoms that never change: a page with more of them would take long to open.
_MOST_ATOMS = 60_000


def rule_values(rule: Rule) -> dict[str, Any]:
    """A rule in parts, each condition as PDDL text, as `search_data` has them from a log."""
    return {
        "name": rule.name,
        "parameters": " ".join(
            p.name if p.types == ("object",) else f"{p.name} - {' '.join(p.types)}"
            for p in rule.parameters
        ),
        "preconditions": [str(literal) for literal in rule.preconditions],
        "goals": [str(literal) for literal in rule.goals],
        "action": f"({' '.join((rule.action, *rule.arguments))})",
    }


def policy_data(policy: DecisionList, domain: Domain) -> dict[str, Any]:
    """A policy by itself: its rules and their readings."""
    told = policy_values(policy, domain)
    rules = [
        {**rule_values(rule), "reading": values["reading"]}
        for rule, values in zip(policy.rules, told["rules"], strict=True)
    ]
    return {"name": policy.name, "reading": told["reading"], "rules": rules}


class _AtomTable:
    """Numbers for atoms, which stand once on the page."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.objects = {name: i for i, name in enumerate(problem.object_names)}
        self.goals = frozenset((*problem.goal, *problem.negative_goal))
        self.numbers: dict[Atom, int] = {}

    def add(self, atoms: Iterable[Atom]) -> list[int]:
        return [self.numbers.setdefault(atom, len(self.numbers)) for atom in atoms]

    def shown(self, atoms: Iterable[Atom]) -> list[Atom]:
        """Without those that stand for formulas: the user knows no such predicates."""
        return sorted(
            atom
            for atom in atoms
            if not is_formula(atom.predicate) or is_value(atom.predicate) or atom in self.goals
        )

    def rows(self) -> list[list[Any]]:
        return [self._row(atom) for atom in self.numbers]

    def of_numbers(self) -> list[str]:
        """What stands for predicates in the rows of values and of goals that compare them."""
        return [self._row(atom)[0] for atom in self.numbers if is_formula(atom.predicate)]

    def _row(self, atom: Atom) -> list[Any]:
        """The predicate and the objects; a value is "stock = 3" of its objects, a goal its text."""
        name, terms = atom
        if found := value_of(atom):
            (name, terms), number = found
            name = f"{name} = {number_text(number)}"
        elif is_formula(name):
            name, terms = self.problem.goal_text(Literal(atom)), ()
        return [name, *(self.objects[term] for term in terms)]


def _changes(
    explanation: Explanation, step: Step, table: _AtomTable
) -> tuple[Sequence[Atom], Sequence[Atom]]:
    """What a step makes true and false; what is derived is shown like any other atom."""
    if not explanation.problem.domain.derived or step.number > len(explanation.plan):
        return step.added, step.deleted
    before, after = (
        explanation.closed(explanation.state(number)) for number in (step.number - 1, step.number)
    )
    return table.shown(after - before), table.shown(before - after)


def _states(
    init: Sequence[int], steps: Sequence[dict[str, Any]], atoms: Sequence[Atom]
) -> Iterator[tuple[Iterable[Atom], Iterable[Atom]]]:
    """What begins and what ceases to hold: at the start, and in each step; without numbers."""

    def of_objects(numbers: Iterable[int]) -> list[Atom]:
        return [atoms[i] for i in numbers if not is_formula(atoms[i].predicate)]

    yield of_objects(init), ()
    for step in steps:
        yield of_objects(step["add"]), of_objects(step["del"])


def play_data(
    problem: Problem, policy: DecisionList, *, limits: Limits, ranking: Ranking | None = None
) -> dict[str, Any]:
    """All that the page needs to step through a policy on a problem."""
    explanation = explain(
        problem, policy, max_steps=MOST_STEPS, limits=limits, budget=_BUDGET, ranking=ranking
    )
    domain = problem.domain
    table = _AtomTable(problem)
    start = explanation.closed(problem.initial_state)
    shown = [atom for atom in table.shown(start) if atom.predicate != EQUALS][:_MOST_ATOMS]
    init = table.add(shown)
    reasons = explanation.steps <= _MOST_REASONS and explanation.steps * len(start) <= _MOST_WORK
    numbers = range(1, explanation.steps + 1)
    steps = []
    # A walk does not measure what a proof does.
    for step in (
        (explanation.step(number, near_misses=reasons) for number in numbers)
        if reasons or ranking is not None
        else explanation.walk()
    ):
        values = step_values(explanation, step, with_reasons=False)
        added, deleted = _changes(explanation, step, table)
        firing = step.firing
        steps.append(
            {
                "rule": None if firing is None else firing.rule,
                "binding": None if firing is None else list(firing.binding.items()),
                "action": values["action"],
                "words": values["words"],
                "serves": values["serves"],
                "achieves": values["achieves"],
                "undoes": values["undoes"],
                "missing": values["missing"],
                "measure": step.measure,
                "next": None
                if step.next_goal is None
                else [str(step.next_goal[0]), step.next_goal[1]],
                "add": table.add(added),
                "del": table.add(deleted),
                "not": [
                    tell_passed_over(passed, policy.rules[passed.rule], domain)
                    for passed in step.passed_over
                ],
            }
        )
    goal = table.add(problem.goal)
    negative = table.add(problem.negative_goal)
    scene = scene_of(problem)
    places = None
    if scene == GRAPH:
        places = places_of(problem, _states(init, steps, list(table.numbers)))
        scene = GRAPH if places is None else PLACES
    grid = grid_of(problem) if scene == "forest" else {}
    return {
        "problem": problem.name,
        "domain": domain.name,
        "scene": scene,
        "objects": [[o.name, o.type] for o in problem.all_objects],
        "places": places,
        "grid": [grid[name] for name in problem.object_names] if grid else None,
        "fluents": sorted({*domain.fluents, *table.of_numbers()}),
        "init": init,
        "goal": goal,
        "unwanted": negative,
        "steps": steps,
        "done": len(explanation.plan),
        "status": str(explanation.status),
        "ending": _CUT if explanation.status is ExecutionStatus.HORIZON else explanation.ending,
        "reasons": reasons,
        "cut": len(shown) < len(start),
        "atoms": table.rows(),
        "policy": policy_data(policy, domain),
    }

"""Induce Rule from Plans: a rule that would have taken the action that the policy missed.

The paper's appendix of that name, in words:

1. In a plan on which the policy disagrees take the last action that it misses.
2. Follow the links of the plan's triangle table from there to the first action that achieves a goal
   for good, and keep the actions in between that this one depends on.
3. What had to hold for them, the preimage, becomes the preconditions of a rule for the missed
   action; the goal becomes its goal condition.
4. Of the preimage keep what the missed action and the achieving one need and what is about objects
   of the missed action and the goal; more only until the rule takes the missed action where it was
   missed.
5. Put the rule before the first one that is applicable there, or at the end.

As in the paper's example, though not in its text, a rule has the condition that its goal does not
hold yet: otherwise it would go on working for an achieved goal.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pg3.learning.operators.features import extended
from pg3.learning.operators.triangle_tables.derived_links import DerivedLinks
from pg3.learning.operators.triangle_tables.number_links import table_with_numbers
from pg3.learning.operators.triangle_tables.triangle_table import Step, TriangleTable
from pg3.pddl.model import Atom, Literal, Parameter
from pg3.policy.derived import is_graph
from pg3.policy.model import Rule
from pg3.semantics.effects import Effects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pg3.learning.operators.features import Features
    from pg3.learning.scores.base import Plans
    from pg3.learning.training import NumberedPlan, Training
    from pg3.pddl.model import Domain
    from pg3.pddl.plans import GroundAction
    from pg3.policy.rule_book import PolicyKey


class InduceRule:
    """The operator; one child at most, or one a failing plan with `every_plan`.

    The plan is the one on which the policy misses most actions (the first of several), as the
    largest score is about this one; with `shortest_first` the shortest one on which it misses any;
    or all of those, in that order. A plan in which the last missed action leads to no positive goal
    teaches nothing. With `generalise` a rule has as few conditions as reproduce the missed action,
    the needs of the achieving action among them unless `achiever_needs` is False; without it all of
    the preimage.
    """

    def __init__(
        self,
        training: Training,
        *,
        generalise: bool = True,
        every_plan: bool = False,
        shortest_first: bool = False,
        achiever_needs: bool = True,
        features: Features | None = None,
    ) -> None:
        self.training = training
        self.generalise = generalise
        self.every_plan = every_plan
        self.shortest_first = shortest_first
        self.achiever_needs = achiever_needs
        self.features = features
        self._types = [{o.name: o.type for o in t.problem.all_objects} for t in training.tasks]
        self._steps: dict[tuple[int, int], Step] = {}
        self._links = [
            DerivedLinks(task, training.budget.check)
            for task in training.tasks
            if training.domain.axioms
        ]
        self._tables: dict[tuple[int, NumberedPlan], TriangleTable] = {}

    def children(self, policy: PolicyKey, plans: Callable[[], Plans]) -> Iterator[PolicyKey]:
        """The policy with one more rule; different children only."""
        failing = []
        for problem, plan in enumerate(plans()):
            if plan is not None:
                agreements = self.training.agreements(policy, problem, plan)
                missed = [k for k, agrees in enumerate(agreements) if not agrees]
                if missed:
                    order = len(plan) if self.shortest_first else -len(missed)
                    failing.append((order, problem, plan, missed[-1]))
        failing.sort()
        if not self.every_plan:
            del failing[1:]
        seen = set()
        for _, problem, plan, last in failing:
            for child in self._children(policy, problem, plan, last):
                if child not in seen:
                    seen.add(child)
                    yield child

    def _children(
        self, policy: PolicyKey, problem: int, plan: NumberedPlan, missed: int
    ) -> Iterator[PolicyKey]:
        task = self.training.tasks[problem]
        lesson = Lesson.of(self._table(problem, plan), missed, task.problem.goal)
        if lesson is None:
            return
        state = task.space.initial
        for action in plan[:missed]:
            state = task.space.apply(state, action)
        types = self._types[problem]
        lessons: Iterable[Lesson] = (lesson,)
        if self.features is not None:
            types = dict(types)
            lessons = extended(lesson, self.features, self._derived(problem, state), types)
        place = 0
        while place < len(policy) and not self._matches(policy[place], problem, state):
            place += 1
        for one in lessons:
            rule = self._rule(one, problem, state, plan[missed], types)
            yield (*policy[:place], rule, *policy[place:])

    def _matches(self, rule: int, problem: int, state: int) -> bool:
        budget, space = self.training.budget, self.training.tasks[problem].space
        return budget.answered(space.rule_match(rule, state, *budget.limits)) is not None

    def _derived(self, problem: int, state: int) -> set[Atom]:
        """The atoms of the features' predicates that are true in a state."""
        task, budget = self.training.tasks[problem], self.training.budget
        assert self.features is not None
        return {
            Atom(name, (task.names[one],))
            for name in (*self.features.unsettled, *self.features.beyond)
            for one in budget.answered(
                task.space.derived(
                    self.training.book.vocabulary.number(Atom(name, ("?",))), state, *budget.limits
                )
            )
        }

    def _rule(
        self, lesson: Lesson, problem: int, state: int, missed: int, types: Mapping[str, str]
    ) -> int:
        """The number of the first rule that takes the missed action, else of the last one tried."""
        choices: Iterable[tuple[Literal, ...]] = (lesson.preconditions,)
        if self.generalise:
            choices = lesson.growing_preconditions(achiever_needs=self.achiever_needs)
        number = -1
        for preconditions in choices:
            rule = lift(
                lesson.action,
                preconditions,
                lesson.goal,
                types,
                self.training.domain,
                keep_constants=self.features is not None,
            )
            number = self.training.book.number(rule)
            if self.training.action((number,), problem, state) == missed:
                break
        return number

    def _table(self, problem: int, plan: NumberedPlan) -> TriangleTable:
        task = self.training.tasks[problem]
        steps = []
        for action in plan:
            step = self._steps.get((problem, action))
            if step is None:
                step = Step.of(task.decode_action(action), task.domain)
                self._steps[problem, action] = step
            steps.append(step)
        if any(action.conditional for action in task.domain.actions):
            steps = self._with_cases(problem, plan, steps)
        if not self._links and not task.domain.has_numbers:
            return TriangleTable(task.initial_state, tuple(steps))
        # What axioms say takes long to find out, and many policies lead to the same plan.
        table = self._tables.get((problem, plan))
        if table is None:
            table = self._links[problem].table(plan, steps) if self._links else None
            table = table or table_with_numbers(task, plan, steps)
            self._tables[problem, plan] = table
        return table

    def _with_cases(self, problem: int, plan: NumberedPlan, steps: list[Step]) -> list[Step]:
        """The steps with the conditional effects that happen in the plan."""
        task = self.training.tasks[problem]
        effects, number = Effects(task.problem), task.space.initial
        cases = []
        for action, step in zip(plan, steps, strict=True):
            cases.append(list(effects.cases(step.action, task.atoms(number))))
            number = task.space.apply(number, action)
        wanted = set(task.problem.goal)
        found = []
        for step, happening in zip(reversed(steps), reversed(cases), strict=True):
            found.append(step.with_cases(happening, wanted))
            wanted -= found[-1].adds
            wanted.update(found[-1].needs)
        return found[::-1]


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a plan says about a missed action, in terms of the plan's objects.

    `subsequence` are the steps from the missed one to the one that achieves `goal` for good, as
    far as this one depends on them. `required` are the preconditions of the missed action, negative
    ones and inequalities too, and that the goal does not hold. `context` is what else the later
    steps need to be true before the missed one: atoms, and inequalities of objects, which are no
    matter of time; their negative preconditions are left out.
    """

    table: TriangleTable
    subsequence: tuple[int, ...]
    goal: Atom
    required: tuple[Literal, ...]
    context: tuple[Literal, ...]

    @classmethod
    def of(cls, table: TriangleTable, missed: int, goals: Iterable[Atom]) -> Lesson | None:
        """The lesson of a missed step; None if nothing leads from it to one of the goals.

        Of several goals achieved by the same step the first counts: a rule has one goal condition.
        """
        achieved: dict[int, Atom] = {}
        for atom in goals:
            achiever = table.achiever(atom)
            if achiever is not None:
                achieved.setdefault(achiever, atom)
        end = _first_reached(table, missed, achieved)
        if end is None:
            return None
        goal = achieved[end]
        subsequence = table.edited(missed, end)
        atoms = table.preimage(subsequence, [goal])
        assert atoms is not None, "an edited subsequence has a preimage"

        required = dict.fromkeys(table.steps[missed].conditions)
        # A goal that is there, to be lost and won again on the way, cannot be asked to be absent.
        if not table.holds(goal, missed):
            required[Literal(goal, False)] = None
        context = dict.fromkeys(map(Literal, atoms))
        for k in subsequence:
            context.update(dict.fromkeys(table.steps[k].inequalities))
        return cls(
            table,
            subsequence,
            goal,
            tuple(required),
            tuple(literal for literal in context if literal not in required),
        )

    @property
    def action(self) -> GroundAction:
        """The missed action."""
        return self.table.steps[self.subsequence[0]].action

    @property
    def preconditions(self) -> tuple[Literal, ...]:
        """The preimage with the absence of the goal: all that can be said."""
        return self.required + self.context

    def growing_preconditions(
        self, *, achiever_needs: bool = True
    ) -> Iterator[tuple[Literal, ...]]:
        """Larger and larger parts of `preconditions`, the last one is all of them.

        First those about the objects of the missed action and of the goal only, and what the action
        that achieves the goal needs, unless `achiever_needs` is False; then with the objects of one
        more action of the subsequence each time.
        """
        last = self.table.steps[self.subsequence[-1]].conditions if achiever_needs else ()
        known = {*self.action.objects, *self.goal.terms}
        known.update(term for literal in self.required for term in literal.atom.terms)
        shown = None
        for k in self.subsequence:
            known.update(self.table.steps[k].action.objects)
            context = tuple(
                one for one in self.context if one in last or known.issuperset(one.atom.terms)
            )
            if context != shown:
                yield self.required + context
                shown = context
        # Constants that only the domain's actions mention are still missing.
        if shown != self.context:
            yield self.preconditions


def _first_reached(table: TriangleTable, start: int, ends: Mapping[int, Atom]) -> int | None:
    """The first of the ends that a search along the links forward meets, breadth first."""
    met, queue = {start}, deque([start])
    while queue:
        step = queue.popleft()
        if step in ends:
            return step
        for consumer in table.consumers[step]:
            if consumer not in met:
                met.add(consumer)
                queue.append(consumer)
    return None


def lift(
    action: GroundAction,
    preconditions: Sequence[Literal],
    goal: Atom,
    types: Mapping[str, str],
    domain: Domain,
    *,
    keep_constants: bool = False,
) -> Rule:
    """The rule that says of variables what is given of objects, constants too.

    Each object becomes a variable of the object's declared type. Variables of the goal come first,
    so that a rule commits to one goal; then those of other conditions as they appear, then what is
    left of the action's arguments. With `keep_constants` the domain's constants stay what they are.
    """
    constants = {one.name for one in domain.constants} if keep_constants else set[str]()
    others = [term for literal in preconditions for term in _objects(literal.atom, domain)]
    order = [
        name
        for name in dict.fromkeys(
            (*goal.terms, *(o for o in others if o not in action.objects), *action.objects)
        )
        if name not in constants
    ]

    def variables(terms: Iterable[str]) -> tuple[str, ...]:
        return tuple([term if term in constants else f"?{term}" for term in terms])

    def said(atom: Atom) -> Atom:
        objects = variables(_objects(atom, domain))
        return Atom(atom.predicate, (*atom.terms[: len(atom.terms) - len(objects)], *objects))

    return Rule(
        name=action.name,
        parameters=tuple(Parameter(f"?{name}", (types[name],)) for name in order),
        preconditions=tuple(
            Literal(said(atom), positive)
            for atom, positive in preconditions
            if is_graph(atom, domain) or domain.accepts(atom, types, constants)
        ),
        goals=(Literal(Atom(goal.predicate, variables(goal.terms))),),
        action=action.name,
        arguments=variables(action.objects),
    )


def _objects(atom: Atom, domain: Domain) -> tuple[str, ...]:
    """The objects that a condition speaks of; one on paths begins with the relation."""
    return atom.terms[1:] if is_graph(atom, domain) else atom.terms

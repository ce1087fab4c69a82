"""Other people's planners and validators behind one small interface each.

All of them get our problem as text from our writer, which is thereby tested too.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import pymimir
from benchmarks.native_output import native_output_hidden
from pyperplan.grounding import ground
from pyperplan.heuristics.relaxation import hAddHeuristic
from pyperplan.pddl.parser import Parser
from pyperplan.search import astar_search
from pyperplan.search.searchspace import make_root_node
from unified_planning.engines import SequentialPlanValidator, ValidationResultStatus
from unified_planning.io import PDDLReader

from pg3.pddl import write_domain, write_problem

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pg3.pddl import Problem
    from pg3.pddl.plans import GroundAction

# Outsiders insist on what the files use being announced; ours forgives.
REQUIREMENTS = (":strips", ":typing", ":negative-preconditions", ":equality")


def texts(problem: Problem, requirements: tuple[str, ...]) -> tuple[str, str]:
    """The domain and the problem as PDDL, with the given requirements announced."""
    domain = dataclasses.replace(problem.domain, requirements=requirements)
    return write_domain(domain), write_problem(problem)


class UnifiedPlanning:
    """unified-planning's sequential plan validator."""

    def __init__(self, problem: Problem) -> None:
        self._reader = PDDLReader()
        self._problem = self._reader.parse_problem_string(*texts(problem, REQUIREMENTS))

    def accepts(self, plan: Sequence[GroundAction]) -> bool:
        """Whether it finds the plan valid."""
        parsed = self._reader.parse_plan_string(self._problem, "\n".join(map(str, plan)))
        result = SequentialPlanValidator().validate(self._problem, parsed)
        return bool(result.status == ValidationResultStatus.VALID)


class Pyperplan:
    """pyperplan's h_add and A*. It knows no negative conditions."""

    def __init__(self, problem: Problem, folder: Path) -> None:
        files = folder / "domain.pddl", folder / "problem.pddl"
        for file, text in zip(files, texts(problem, REQUIREMENTS[:2]), strict=True):
            file.write_text(text)
        parser = Parser(*map(str, files))
        self._task: Any = ground(
            parser.parse_problem(parser.parse_domain()), remove_irrelevant_operators=False
        )

    def h_add_along(self, plan: Sequence[GroundAction]) -> list[float]:
        """The values of all states that the plan goes through."""
        heuristic = hAddHeuristic(self._task)
        operators = {operator.name: operator for operator in self._task.operators}
        state = self._task.initial_state
        values = [heuristic(make_root_node(state))]
        for action in plan:
            state = operators[str(action)].apply(state)
            values.append(heuristic(make_root_node(state)))
        return values

    def solvable(self) -> bool:
        """Whether there is a plan."""
        return astar_search(self._task, hAddHeuristic(self._task)) is not None


class Pymimir:
    """pymimir's h_add and A*."""

    def __init__(self, problem: Problem) -> None:
        domain_text, problem_text = texts(problem, REQUIREMENTS)
        with native_output_hidden():
            self._problem = pymimir.Problem(pymimir.Domain(domain_text), problem_text)
            self._heuristic = pymimir.AddHeuristic(self._problem)

    def h_add_along(self, plan: Sequence[GroundAction]) -> list[float]:
        """The values of all states that the plan goes through."""
        state = self._problem.get_initial_state()
        values = [self._heuristic.compute_value(state)]
        for action in plan:
            for candidate in state.generate_applicable_actions():
                name = candidate.get_action().get_name()
                objects = tuple(one.get_name() for one in candidate.get_objects())
                if (name, objects) == tuple(action):
                    state = candidate.apply(state)
                    break
            else:
                raise AssertionError(f"pymimir finds {action} not applicable")
            values.append(self._heuristic.compute_value(state))
        return values

    def solvable(self) -> bool:
        """Whether there is a plan."""
        start = self._problem.get_initial_state()
        result = pymimir.astar_eager(self._problem, start, self._heuristic)
        return bool(result.status == "solved")

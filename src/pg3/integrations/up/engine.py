"""The engine "pg3" of unified-planning: follows a policy, or searches with A* if it has none."""

from __future__ import annotations

import contextlib
import re
import time
import warnings
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from unified_planning.engines import Credits, Engine, OptimalityGuarantee
from unified_planning.engines.mixins import OneshotPlannerMixin
from unified_planning.engines.results import (
    LogLevel,
    LogMessage,
    PlanGenerationResult,
    PlanGenerationResultStatus,
)
from unified_planning.exceptions import UPUsageError

from pg3.errors import Pg3Error, pluralize
from pg3.integrations.up.conversion import Conversion, UnsupportedProblemError, convert
from pg3.integrations.up.costs import CostError
from pg3.integrations.up.kind import supported_kind
from pg3.pddl.lexer import read_source
from pg3.planning import ExecutionStatus, Limits, PlanStatus, execute, plan, plan_guided
from pg3.policy import DecisionList, read_policy
from pg3.storage.schema import parse_json

if TYPE_CHECKING:
    from unified_planning.model import ProblemKind

    from pg3.pddl.model import Domain

_STATUS = {
    PlanStatus.SOLVED: PlanGenerationResultStatus.SOLVED_SATISFICING,
    PlanStatus.UNSOLVABLE: PlanGenerationResultStatus.UNSOLVABLE_PROVEN,
    PlanStatus.EXPANSION_LIMIT: PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY,
    PlanStatus.TIME_LIMIT: PlanGenerationResultStatus.TIMEOUT,
    PlanStatus.MEMORY_LIMIT: PlanGenerationResultStatus.MEMOUT,
    ExecutionStatus.SOLVED: PlanGenerationResultStatus.SOLVED_SATISFICING,
    ExecutionStatus.NOT_APPLICABLE: PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY,
    ExecutionStatus.HORIZON: PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY,
    ExecutionStatus.CYCLE: PlanGenerationResultStatus.UNSOLVABLE_INCOMPLETELY,
    ExecutionStatus.TIME_LIMIT: PlanGenerationResultStatus.TIMEOUT,
    ExecutionStatus.MEMORY_LIMIT: PlanGenerationResultStatus.MEMOUT,
}


class Pg3Planner(Engine, OneshotPlannerMixin):  # type: ignore[misc]
    """A satisficing planner for one-shot planning, under the name "pg3".

    `policy` is a policy or the path of a file that holds one; it is carried out, without search, or
    with `guided` leads an A* search that can depart from it (Algorithm 3 of the paper). Without a
    policy A* searches alone, with the additive heuristic and the problem's action costs.
    `max_steps` limits an execution, `max_expansions` a search, `memory_limit` (megabytes) both.

    A policy that fails says nothing of the problem, so the status is then UNSOLVABLE_INCOMPLETELY;
    the log messages tell why. So is it for a search that reaches `max_expansions`.
    """

    def __init__(
        self,
        policy: DecisionList | str | Path | None = None,
        *,
        guided: bool = False,
        max_steps: int | None = None,
        max_expansions: int | None = None,
        memory_limit: float | None = None,
    ) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        if policy is not None and not isinstance(policy, DecisionList | str | Path):
            raise UPUsageError(f"a policy or the path of its file is expected, not {policy!r}")
        if isinstance(policy, str | Path) and not Path(policy).is_file():
            raise UPUsageError(f"{policy}: no such file")
        if guided and policy is None:
            raise UPUsageError("guided search needs a policy")
        self._policy = policy
        self._guided = guided
        self._max_steps = max_steps
        self._max_expansions = max_expansions
        self._memory_limit = memory_limit

    @property
    def name(self) -> str:
        """The name of the engine."""
        return "pg3"

    @staticmethod
    def get_credits(**_: Any) -> Credits:
        """What unified-planning prints where the engine is used."""
        about = "Follows a learned or hand-written policy, or searches with A* and h_add."
        return Credits(
            name="pg3",
            author="The pg3 developers",
            contact="see the website",
            website="https://arxiv.org/abs/2204.10420",
            license="MIT",
            short_description=about,
            long_description=about,
        )

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        """Whether plans have the guarantee: they are valid, and never promised to be optimal."""
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)

    @staticmethod
    def supported_kind() -> ProblemKind:
        """ADL with numbers; see `kind.supported_kind`."""
        return supported_kind()

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        """Whether all features of a problem are supported."""
        return bool(problem_kind <= supported_kind())

    def _solve(
        self,
        problem: Any,
        heuristic: Any = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        return self._solve_with_params(problem, heuristic, timeout, output_stream)

    def _solve_with_params(
        self,
        problem: Any,
        heuristic: Any = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
        warm_start_plan: Any = None,
        **options: Any,
    ) -> PlanGenerationResult:
        for option, value in {
            "heuristic": heuristic,
            "warm_start_plan": warm_start_plan,
            **options,
        }.items():
            if value is not None:
                warnings.warn(f"pg3 makes no use of '{option}'", stacklevel=3)
        work = _Work(self, timeout, output_stream)
        try:
            return work.search(problem) if self._policy is None else work.follow(problem)
        except UnsupportedProblemError as error:
            work.say(str(error), LogLevel.ERROR)
            return work.result(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, None)
        except Pg3Error as error:
            raise UPUsageError(str(error)) from error


class _Work:
    """One problem being solved: the clock and the messages."""

    def __init__(
        self, engine: Pg3Planner, timeout: float | None, output_stream: IO[str] | None
    ) -> None:
        self.engine = engine
        self.timeout = timeout
        self.stream = output_stream
        self.start = time.perf_counter()
        self.messages: list[LogMessage] = []
        self.metrics: dict[str, str] = {}

    def say(self, message: str, level: LogLevel = LogLevel.INFO) -> None:
        self.messages.append(LogMessage(level, message))
        if self.stream is not None:
            self.stream.write(f"{message}\n")

    def limits(self) -> Limits:
        seconds = self.timeout
        if seconds is not None:
            seconds = max(0.0, seconds - (time.perf_counter() - self.start))
        engine = self.engine
        return Limits(engine._max_expansions, seconds, engine._memory_limit)

    def result(self, status: PlanGenerationResultStatus, plan: Any) -> PlanGenerationResult:
        self.metrics["engine_internal_time"] = f"{time.perf_counter() - self.start:.6f}"
        return PlanGenerationResult(status, plan, self.engine.name, self.metrics, self.messages)

    def search(self, problem: Any) -> PlanGenerationResult:
        """A* alone."""
        with_costs = any(m.is_minimize_action_costs() for m in problem.quality_metrics)
        for metric in problem.quality_metrics:
            if (
                metric.is_minimize_expression_on_final_state()
                or metric.is_maximize_expression_on_final_state()
            ):
                message = f"the metric is not looked at: {metric}"
                self.say(message, LogLevel.WARNING)
        try:
            conversion = convert([problem], all_constant=True, with_costs=with_costs)
        except CostError as error:
            self.say(f"{error}; every action counts 1 instead", LogLevel.WARNING)
            with_costs = False
            conversion = convert([problem], all_constant=True)
        outcome = plan(conversion.problems[0], limits=self.limits(), use_costs=with_costs)
        return self._found(conversion, outcome.status, outcome.plan, outcome.expansions)

    def follow(self, problem: Any) -> PlanGenerationResult:
        """The policy, carried out or leading a search."""
        engine = self.engine
        conversion = convert([problem], all_constant=True)
        policy = engine._policy
        if not isinstance(policy, DecisionList):
            assert policy is not None
            policy = _read_policy(policy, conversion.domain)
        if engine._guided:
            outcome = plan_guided(conversion.problems[0], policy, limits=self.limits())
            return self._found(conversion, outcome.status, outcome.plan, outcome.expansions)
        execution = execute(
            conversion.problems[0], policy, max_steps=engine._max_steps, limits=self.limits()
        )
        if execution.solved:
            self.say(f"the policy reaches the goal in {pluralize(execution.steps, 'step')}")
        else:
            self.say(f"the policy fails: {execution.reason}", LogLevel.WARNING)
        self.metrics["steps"] = str(execution.steps)
        found = conversion.plan(execution.plan) if execution.solved else None
        return self.result(_STATUS[execution.status], found)

    def _found(
        self, conversion: Conversion, status: PlanStatus, steps: Any, expansions: int
    ) -> PlanGenerationResult:
        self.metrics["expansions"] = str(expansions)
        self.say(f"{status} after {pluralize(expansions, 'expansion')}")
        return self.result(_STATUS[status], None if steps is None else conversion.plan(steps))


def _read_policy(path: str | Path, domain: Domain) -> DecisionList:
    """The policy in a file, whatever domain it is for: unified-planning problems name none."""
    text = read_source(path).data.decode("utf-8", "replace")
    named = None
    if text.lstrip().startswith("{"):
        with contextlib.suppress(ValueError):
            named = parse_json(text).get("domain")
    elif match := re.search(r"\(\s*:domain\s+([^\s()]+)", re.sub(r";[^\n]*", "", text), re.I):
        named = match[1].lower()
    return read_policy(path, replace(domain, name=named) if isinstance(named, str) else domain)

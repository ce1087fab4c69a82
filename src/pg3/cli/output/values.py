"""What a person sees of a value, drawn with rich: in a terminal, and in Jupyter as rich's HTML.

Values know nothing of this module. `rendered` makes a drawing of any of them; an IPython that runs
when `pg3` is imported draws them by itself.
"""

from __future__ import annotations

import re
import sys
from functools import singledispatch
from io import StringIO
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.pretty import Pretty
from rich.table import Table
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from pg3.analysis.evaluation import EvaluationLine
from pg3.analysis.scorecard import Scorecard
from pg3.cli.learning.display import effort_of
from pg3.errors import first_few, pluralize
from pg3.learning.result import LearningResult
from pg3.learning.scores import SCORES
from pg3.pddl.model import Domain, Problem
from pg3.pddl.writer import write_domain
from pg3.planning.execution import Execution, in_words
from pg3.planning.hybrid import GuidedSolve
from pg3.planning.search import PlanOutcome
from pg3.policy.model import DecisionList, Rule
from pg3.policy.text import write_policy

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from pg3.analysis.scorecard import ComparedPlan
    from pg3.pddl.plans import Plan

# Lines and rows beyond these are counted, not shown.
MOST_LINES, MOST_ROWS = 200, 50

# Columns in Jupyter, and in the text that a notebook keeps beside the HTML.
_PAGE_WIDTH, _TEXT_WIDTH = 100, 80

_TOKEN = re.compile(
    r"(?P<comment>;[^\n]*)|(?P<keyword>(?<![^\s(]):[^\s()]+)|(?P<variable>\?[^\s()]+)"
    r"|(?P<word>(?<=\()(?:define|policy|domain|problem|and|not|either)(?=[\s)]))"
)

# Nothing is said by colour alone. A terminal's own colours suit its background.
_GOOD, _BAD, _FAINT = "green", "red", "dim"
_STYLES = {"comment": "dim", "keyword": "bold blue", "variable": "magenta", "word": "blue"}

# A notebook's background is light or dark, and the HTML does not know which. These colours have a
# contrast of more than 4 with white and with JupyterLab's dark grey. Only text that is dim, red,
# green, blue or magenta has a colour; the rest has the notebook's.
_GREY = (117, 117, 117)
_NOTEBOOK = TerminalTheme(
    _GREY,
    _GREY,
    [_GREY, (217, 65, 65), (28, 137, 64), _GREY, (54, 118, 222), (170, 84, 206), _GREY, _GREY],
)
_PRE = (
    '<pre style="white-space: pre; overflow-x: auto; line-height: normal; '
    'font-family: monospace; color: inherit; background: none">{code}</pre>'
)


class Drawing:
    """A title with a few facts beside it, and parts below: for rich, Jupyter and IPython."""

    def __init__(self, title: str, facts: str, *parts: RenderableType) -> None:
        self.parts = parts
        self.head = Text(title, style="bold")
        self.head.append(f"  {facts}" if facts else "", style="not bold")

    def __rich__(self) -> Group:
        return Group(self.head, *self.parts)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        page = _recorder(_PAGE_WIDTH)
        page.print(self)
        return {
            "text/plain": _plain(self),
            "text/html": page.export_html(theme=_NOTEBOOK, code_format=_PRE, inline_styles=True),
        }


def _recorder(width: int) -> Console:
    # In Jupyter a console would show what it prints, wherever it is told to print it.
    return Console(
        file=StringIO(), record=True, width=width, force_terminal=False, force_jupyter=False
    )


@singledispatch
def rendered(value: object) -> RenderableType:
    """The value as rich draws it; a value that is none of ours as rich draws any other."""
    return Pretty(value)


def show(value: object) -> None:
    """Print a domain, problem, policy, plan or result for people, in a terminal or a notebook."""
    console = Console()
    if console.is_jupyter:
        sys.modules["IPython"].display.display(rendered(value))
    else:
        console.print(rendered(value))


def describe(value: object) -> str:
    """What `show` prints of a value, as plain text."""
    return _plain(rendered(value))


def _plain(drawn: RenderableType) -> str:
    console = _recorder(_TEXT_WIDTH)
    console.print(drawn)
    return "\n".join(line.rstrip() for line in console.export_text().splitlines())


# -- parts of drawings -----------------------------------------------------------------------------


def _code(text: str) -> Text:
    """PDDL or a policy with its words coloured, below an empty line."""
    lines = text.rstrip("\n").split("\n")
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"; and {len(lines) - MOST_LINES} more lines"]
    code = Text("\n" + "\n".join(lines))
    for token in _TOKEN.finditer(code.plain):
        code.stylize(_STYLES[token.lastgroup or ""], *token.span())
    return code


def _table(
    head: Sequence[str],
    rows: Iterable[Sequence[Text | str]],
    numbers: Collection[int] = (),
    title: str = "",
) -> Group:
    """Rows of cells below an empty line; `numbers` are the columns to be flush right."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for place, name in enumerate(head):
        table.add_column(
            Text(name), justify="right" if place in numbers else "left", overflow="fold"
        )
    for row in rows:
        # A text of its own: in a plain string rich would look for markup.
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    return Group("", *([Text(title, style="bold")] if title else []), table)


def _rows_left(total: int) -> list[Text]:
    """A remark on the rows that are not shown, if there are any."""
    return [Text(f"and {total - MOST_ROWS} more", _FAINT)] if total > MOST_ROWS else []


def _reason(reason: str | None) -> list[Text]:
    return [] if reason is None else [Text(reason, _BAD)]


def _steps(plan: Plan, from_policy: Sequence[bool] = ()) -> list[RenderableType]:
    """The first steps of a plan, with who proposed them if that is known."""
    if not plan:
        return [Text("no steps")]
    rows = [[str(number), str(action)] for number, action in enumerate(plan[:MOST_ROWS], start=1)]
    for row, by_policy in zip(rows, from_policy, strict=False):
        row.append("policy" if by_policy else "search")
    head = ("step", "action", "by") if from_policy else ("step", "action")
    return [_table(head, rows, {0}), *_rows_left(len(plan))]


# -- a drawing for each kind of value --------------------------------------------------------------


@rendered.register(Domain)
def _domain(domain: Domain) -> Drawing:
    actions = pluralize(len(domain.actions), "action")
    facts = f"{actions}, {pluralize(len(domain.declared), 'predicate')}"
    return Drawing(f"domain {domain.name}", facts, _code(write_domain(domain)))


@rendered.register(Problem)
def _problem(problem: Problem) -> Drawing:
    """Objects, facts and goals by their kind: a problem can have millions."""
    by_type: dict[str, list[str]] = {}
    for name, type_ in problem.all_objects:
        by_type.setdefault(type_, []).append(name)
    facts: dict[str, int] = {}
    for atom in problem.init:
        facts[atom.predicate] = facts.get(atom.predicate, 0) + 1
    goals = [str(atom) for atom in problem.goal[:MOST_ROWS]]
    goals += [f"(not {atom})" for atom in problem.negative_goal[: MOST_ROWS - len(goals)]]
    total = len(problem.goal) + len(problem.negative_goal)
    more = f"; and {total - len(goals)} more" if total > len(goals) else ""
    return Drawing(
        f"problem {problem.name}",
        f"of domain {problem.domain.name}: {pluralize(len(problem.all_objects), 'object')}, "
        f"{pluralize(len(problem.init), 'fact')}, {pluralize(total, 'goal')}",
        _table(
            ("type", "objects", ""),
            [(type_, str(len(names)), first_few(names, 12)) for type_, names in by_type.items()],
            {1},
        ),
        Text(f"at the start: {first_few([f'{n} {p}' for p, n in facts.items()], 12) or 'nothing'}"),
        Text("goal:" if goals else "goal: nothing"),
        *([_code("\n".join(goals) + more)] if goals else []),
    )


@rendered.register(Rule)
def _rule(rule: Rule) -> Drawing:
    text = write_policy(DecisionList("rule", (rule,)))
    text = text[text.index("(:rule") : text.rindex(")")]
    return Drawing(f"rule {rule.name}", "", _code(text.strip().replace("\n  ", "\n")))


@rendered.register(DecisionList)
def _policy(policy: DecisionList) -> Drawing:
    facts = f"{pluralize(len(policy.rules), 'rule')}, {pluralize(policy.size, 'condition')}"
    return Drawing(f"policy {policy.name}", facts, _code(write_policy(policy)))


@rendered.register(PlanOutcome)
def _plan_outcome(outcome: PlanOutcome) -> Drawing:
    effort = f"{pluralize(outcome.expansions, 'expansion')}, {outcome.seconds:.3f} s"
    if outcome.plan is None:
        return Drawing("no plan", f"{outcome.status}; {effort}")
    guided = outcome.from_policy if any(outcome.from_policy) else ()
    facts = f"{pluralize(len(outcome.plan), 'step')}, cost {outcome.cost}; {effort}"
    return Drawing("plan", facts, *_steps(outcome.plan, guided))


@rendered.register(GuidedSolve)
def _guided_solve(solve: GuidedSolve) -> Drawing:
    effort = f"{pluralize(solve.expansions, 'expansion')}, {solve.seconds:.3f} s"
    if solve.plan is None:
        return Drawing("no plan", f"{solve.status}; {effort}")
    proposers = (True,) * solve.kept + solve.from_policy
    facts = f"{pluralize(len(solve.plan), 'step')}, {solve.kept} by the policy alone; {effort}"
    return Drawing("plan", facts, *_steps(solve.plan, proposers))


@rendered.register(Execution)
def _execution(execution: Execution) -> Drawing:
    return Drawing(
        f"execution on {execution.problem.name}",
        f"{in_words(execution.status, execution.no_rule_applied)}, "
        f"{pluralize(execution.steps, 'step')}, {execution.seconds:.3f} s",
        *_reason(execution.reason),
        *_steps(execution.plan),
    )


@rendered.register(EvaluationLine)
def _evaluation(line: EvaluationLine) -> Drawing:
    facts = [in_words(line.status, line.no_rule_applied)]
    facts += [] if line.steps is None else [pluralize(line.steps, "step")]
    facts += [] if line.seconds is None else [f"{line.seconds:.3f} s"]
    facts += [] if line.objects is None else [pluralize(line.objects, "object")]
    return Drawing(line.path, ", ".join(facts), *_reason(line.reason))


@rendered.register(LearningResult)
def _learning_result(result: LearningResult) -> Drawing:
    rows = []
    for problem in result.problems[:MOST_ROWS]:
        outcome = Text("not solved", _BAD)
        if problem.left_out is not None:
            outcome = Text(f"left out: {problem.left_out}", _FAINT)
        elif problem.steps is not None:
            outcome = Text(f"solved, {pluralize(problem.steps, 'step')}", _GOOD)
        rows.append((problem.name, outcome))
    return Drawing(
        f"learned policy {result.policy.name}",
        f"{result.summary}; {result.reason} ({result.method}); {effort_of(result)}",
        _table(("training problem", "outcome"), rows),
        *_rows_left(len(result.problems)),
        _code(write_policy(result.policy)),
    )


@rendered.register(Scorecard)
def _scorecard(card: Scorecard) -> Drawing:
    solved = sum(problem.solved for problem in card.problems)
    guided = [problem.guided for problem in card.problems]
    planned = [problem.planned for problem in card.problems]
    own = "missed actions in the planner's own plans"
    return Drawing(
        f"scores of {card.policy.name}",
        f"solves {solved} of {pluralize(len(card.problems), 'problem')}; scores: lower is better",
        _score_table(card),
        *_rows_left(len(card.problems)),
        *(
            Text(f"{problem.name}: left out: {problem.left_out}")
            for problem in card.problems
            if problem.left_out is not None
        ),
        *_missed(card, "missed actions in the plans that the policy guides the planner to", guided),
        *(
            [Text(f"{own}: these are the same plans")]
            if guided == planned
            else _missed(card, own, planned)
        ),
    )


def _score_table(card: Scorecard) -> Group:
    rows: list[Sequence[Text | str]] = []
    for problem in card.problems[:MOST_ROWS]:
        outcome = Text(in_words(problem.status, problem.no_rule_applied), _BAD)
        if problem.solved:
            outcome = Text(pluralize(problem.steps, "step"), _GOOD)
        rows.append((problem.name, outcome, *map(_score, map(problem.values.get, SCORES))))
    totals = map(_score, map(card.totals.get, SCORES))
    rows.append((f"total ({card.accumulation})", "", *totals))
    # Long names take two lines.
    names = [name.replace("-", "\n") for name in SCORES]
    return _table(("problem", "carried out", *names), rows, range(2, 2 + len(SCORES)))


def _score(value: float | None) -> Text:
    if value is None:
        return Text("-", _FAINT)
    return Text(f"{value:.4g}", _GOOD if value == 0 else "")


def _missed(
    card: Scorecard, title: str, plans: Sequence[ComparedPlan | None]
) -> list[RenderableType]:
    rows = [
        (
            problem.name,
            f"{missed.step}/{len(compared.plan)}",
            str(missed.planned),
            Text("nothing", _FAINT) if missed.chosen is None else str(missed.chosen),
            missed.rule or "",
        )
        for problem, compared in zip(card.problems, plans, strict=True)
        if compared is not None
        for missed in compared.missed
    ]
    if not rows:
        return [Text(f"{title}: none")]
    head = ("problem", "step", "the plan does", "the policy does", "by rule")
    table = _table(head, rows[:MOST_ROWS], {1}, f"{title} ({len(rows)})")
    return [table, *_rows_left(len(rows))]


# -- in IPython ------------------------------------------------------------------------------------


def draw_in_ipython() -> None:
    """Let the IPython that is running draw our values by themselves."""
    formatter = sys.modules["IPython"].get_ipython().display_formatter.mimebundle_formatter
    for kind in rendered.registry.keys() - {object}:
        formatter.for_type(kind, mimebundle)


def mimebundle(value: object, include: Any = None, exclude: Any = None) -> dict[str, str]:
    """A value of ours as IPython wants it: text for its terminal, HTML for Jupyter."""
    drawing = rendered(value)
    assert isinstance(drawing, Drawing)
    return drawing._repr_mimebundle_()

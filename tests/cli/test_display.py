"""How values are shown: in a terminal with rich, in Jupyter as HTML, in IPython as text."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from io import StringIO
from typing import Any

import pytest
from hypothesis import given, settings
from rich.console import Console

from pg3.analysis.evaluation import EvaluationLine, evaluate_policy
from pg3.analysis.scorecard import score
from pg3.cli.output.values import MOST_LINES, MOST_ROWS, mimebundle, rendered, show
from pg3.learning.learner import learn
from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.planning import Limits, execute, plan, plan_guided
from pg3.planning.hybrid import solve_guided
from pg3.policy import DecisionList
from tests.conftest import REPOSITORY
from tests.support.ferry_problems import FERRY, POLICY, small_ferry_problems
from tests.support.random_problems import Scenario, scenarios

PROBLEMS = small_ferry_problems(2)
HALF = replace(POLICY, rules=POLICY.rules[:2])


@cache
def shown() -> dict[str, tuple[Any, list[str]]]:
    """One value of each kind, and some of what is to be seen of it."""
    (line,) = evaluate_policy(
        FERRY, [REPOSITORY / "examples" / "ferry" / "small.pddl"], POLICY, max_steps=100
    )
    # How long the path of this folder is, has no part in what fits in a line.
    line = replace(line, path="small.pddl")
    problem = PROBLEMS[0]
    return {
        "domain": (FERRY, ["domain ferry", "3 actions", "(:action sail", "(empty-ferry)"]),
        "problem": (problem, [f"problem {problem.name}", "of domain ferry", str(problem.goal[0])]),
        "policy": (POLICY, ["policy ferry", "4 rules", "(:rule sail-to-target", "?target"]),
        "rule": (POLICY.rules[1], ["rule sail-to-target", ":action (sail ?from ?target)"]),
        "learning result": (
            learn(FERRY, PROBLEMS),
            ["learned policy ferry  4 rules; solves all 2 training problems", "(:rule debark"],
        ),
        "execution": (execute(problem, POLICY), ["solved", "step", "(board c0"]),
        "failed execution": (execute(problem, HALF), ["no rule applies"]),
        "plan": (plan(problem), ["plan", "cost", "(board c0"]),
        "guided plan": (plan_guided(problem, POLICY), ["plan", "policy"]),
        "no plan": (plan(problem, limits=Limits(expansions=0)), ["no plan", "expansion limit"]),
        "guided solve": (solve_guided(problem, HALF), ["plan", "search"]),
        "evaluation": (line, ["small.pddl", "solved", "6 objects"]),
        "scores": (score(FERRY, PROBLEMS, HALF), ["scores of ferry", "missed actions", "nothing"]),
    }


KINDS = [
    *("domain", "problem", "policy", "rule", "learning result", "execution", "failed execution"),
    *("plan", "guided plan", "no plan", "guided solve", "evaluation", "scores"),
]


def in_terminal(value: Any, **options: Any) -> str:
    text = StringIO()
    Console(file=text, **{"width": 80, **options}).print(rendered(value))
    return text.getvalue()


class Page(HTMLParser):
    """The text of HTML whose tags must all be closed, in order."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


# All that the HTML consists of: nothing that a name could smuggle in.
TAGS = {"pre", "span"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind(kind: str) -> None:
    value, expected = shown()[kind]
    bundle = mimebundle(value)
    page, plain = Page(bundle["text/html"]), bundle["text/plain"]
    assert page.tags <= TAGS
    terminal = in_terminal(value, width=200)
    for text in expected:
        assert text in terminal
        assert text in page.text or len(text) > 20
        assert text in plain or len(text) > 20
    assert max(map(len, plain.splitlines())) <= 80
    assert "\x1b[" in in_terminal(value, force_terminal=True, color_system="truecolor")
    assert "\x1b[" not in plain


def test_all_kinds_are_tested() -> None:
    assert list(shown()) == KINDS


@settings(max_examples=40)
@given(scenarios())
def test_whatever_it_is_it_can_be_shown(scenario: Scenario) -> None:
    problem, policy = scenario.problem, scenario.policy
    card = score(problem.domain, [problem], policy)
    values = (problem.domain, problem, policy, execute(problem, policy), plan(problem), card)
    for value in values:
        assert Page(mimebundle(value)["text/html"]).tags <= TAGS
        assert in_terminal(value)


def test_markup_in_names_stays_text() -> None:
    """Names may have any character but a few; none of them is markup, for rich or for HTML."""
    evil = "<script>alert(1)</script>&[bold]x[/bold]"
    name = evil.replace("(1)", "")
    problem = Problem.of(
        name, FERRY, [TypedObject(name)], [Atom("car", (name,))], [Literal(Atom("on", (name,)))]
    )
    rule = replace(POLICY.rules[0], name=name)
    line = EvaluationLine(evil, "error", None, None, 0.0, None, evil)
    for value in (problem, rule, DecisionList(name, (rule,)), line):
        html = mimebundle(value)["text/html"]
        assert Page(html).tags <= TAGS
        assert "<script" not in html
        assert "&lt;script&gt;" in html
        assert "[bold]x[/bold]" in in_terminal(value, width=300)
        shown = "".join(Page(html).text.split())
        assert name in shown or evil in shown


def test_light_and_dark() -> None:
    """Text has the notebook's colours; ours can be read on white and on JupyterLab's dark grey."""
    colours = set()
    for kind in ("learning result", "failed execution", "scores"):
        colours |= set(re.findall(r"color: (#\w+)", mimebundle(shown()[kind][0])["text/html"]))
    assert len(colours) == 5

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for colour in colours:
        assert 1.05 / (luminance(colour) + 0.05) >= 4
        assert (luminance(colour) + 0.05) / (luminance("#111111") + 0.05) >= 4


def test_what_is_large_is_shortened() -> None:
    objects = [TypedObject(f"c{i}") for i in range(1000)]
    cars = [Atom("car", (o.name,)) for o in objects]
    goals = [Literal(Atom("on", (o.name,))) for o in objects]
    text = in_terminal(Problem.of("large", FERRY, objects, cars, goals))
    assert "1000 car" in text
    assert f"; and {1000 - MOST_ROWS} more" in text
    assert len(text.splitlines()) < 80
    rules = tuple(replace(POLICY.rules[0], name=f"r{i}") for i in range(100))
    text = in_terminal(DecisionList("large", rules))
    assert len(text.splitlines()) <= MOST_LINES + 5
    assert "more lines" in text


def test_parts_stand_apart_and_words_have_colours() -> None:
    failed = mimebundle(execute(PROBLEMS[0], HALF))["text/plain"].splitlines()
    assert failed[1:] == ["no rule applies after 0 steps", "no steps"]
    lines = mimebundle(execute(PROBLEMS[0], POLICY))["text/plain"].splitlines()
    assert lines[1:3] == ["", "step  action"]
    assert set(lines[3]) == {"─"}
    assert lines[4].startswith("   1  (")
    html = mimebundle(POLICY)["text/html"]
    assert re.search(r'<span style="color: #\w+[^"]*">\?target</span>', html)


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    show(POLICY.rules[0])
    show({"of others": 1})
    printed = capsys.readouterr().out
    assert printed.startswith("rule debark-at-target\n\n(:rule debark-at-target\n")
    assert printed.endswith("{'of others': 1}\n")


def test_every_value_that_is_drawn_is_drawn_by_itself_in_ipython() -> None:
    script = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
import pg3
from pg3.cli.output.values import rendered
kinds = rendered.registry.keys() - {object}
assert kinds <= shell.display_formatter.mimebundle_formatter.type_printers.keys()
domain = pg3.read_domain("examples/ferry/domain.pddl")
shown, _ = shell.display_formatter.format(domain)
assert shown["text/plain"].startswith("domain ferry  3 actions")
assert shown["text/html"].startswith("<pre")
"""
    subprocess.run([sys.executable, "-c", script], check=True, cwd=REPOSITORY)


def test_a_notebook_shows_how_learning_goes_on_and_then_nothing() -> None:
    script = """
import threading
from IPython.core.interactiveshell import InteractiveShell
InteractiveShell.instance()
import IPython.display
import ipykernel
import pg3
from pg3.cli.output import notebook
from pg3.cli.learning.display import Watch

shown, is_there = [], threading.Event()

class Handle:
    def update(self, drawing, raw=False):
        shown.append(drawing)

def display(drawing, display_id):
    shown.append(drawing)
    is_there.set()
    return Handle()

IPython.display.display = display
notebook._PAUSE = 0.01
assert pg3.learn is notebook.learn
problems = pg3.read_problems("examples/ferry/train")
with notebook.shown(Watch(problems)):
    is_there.wait()
assert "learning, 0 s: 0 candidates" in shown[0]._repr_mimebundle_()["text/html"]
assert shown[-1] == {"text/plain": ""}
notebook._PAUSE = 1e9
result = pg3.Learner(seed=1, time_limit=100.0).fit(problems[0].domain, problems).result_
assert result.status == "passed" and pg3.learn("examples/ferry", problems).policy.rules
"""
    subprocess.run([sys.executable, "-c", script], check=True, cwd=REPOSITORY)


def test_rich_is_not_imported_before_it_is_needed() -> None:
    script = """
import sys
import pg3
domain = pg3.read_domain("examples/ferry/domain.pddl")
problem = pg3.read_problem("examples/ferry/small.pddl", domain)
policy = pg3.read_policy("examples/policies/ferry.policy", domain)
pg3.execute(problem, policy)
pg3.learn(domain, [problem])
pg3.score(domain, [problem], policy)
assert "rich" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True, cwd=REPOSITORY)

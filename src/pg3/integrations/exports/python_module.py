"""A policy as a Python module without dependencies: its rules as data, and a small engine.

The engine is the text of `python_runtime` and `python_command`, so the exported code is linted and
tested here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pg3.pddl.number_reader import TOTAL_COST
from pg3.pddl.numbers import comparison_of, is_comparison
from pg3.pddl.strata import stratify_axioms
from pg3.policy import write_policy
from pg3.policy.derived import comparisons_in, is_anything, is_graph, stratify_definitions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pg3.pddl.model import Clause, ConditionalEffect, Domain, Literal
    from pg3.pddl.numbers import Number, NumericEffect, Sum
    from pg3.policy.model import DecisionList

_BEGIN = "# == the policy ==\n"
_END = "# == the policy ends ==\n"
_COMMAND = "# == the command ==\n"

# What the runtime imports, and the command needs beyond that.
_IMPORTS = "from collections.abc import Collection"
_MORE = f"import sys\n{_IMPORTS}"
_TYPING = "from typing import"
_PATH = f"from pathlib import Path\n{_TYPING}"

_DOCSTRING = '''"""A policy for the planning domain {domain}, exported by pg3.

It needs Python 3.10 or newer and nothing else.

    >>> import {module}
    >>> {module}.next_action(state, goal, objects)
    ("move", ("a", "b"))
    >>> {module}.run(state, goal, objects)
    Run(status="solved", plan=[...])

It is a command, too: `python {module}.py PROBLEM.pddl` prints a plan.

`state` and `goal` are facts such as ("at", "car1", "dock"), and `objects` maps each object to its
type, in the order of the problem: the order decides which objects a rule tries first. Numbers stand
among them as ("=", ("fuel", "van1"), 3), and among goals as (">=", ("fuel", "van1"), 5).

The policy, as pg3 writes it:

{policy}
"""
'''


def policy_text(policy: DecisionList, domain: Domain) -> str:
    """The module. It does what `policy_action` and `execute` do, except that it ignores costs."""
    runtime = _part("python_runtime.py").replace(_IMPORTS, _MORE).replace(_TYPING, _PATH)
    command = _part("python_command.py").split(_COMMAND)[1]
    _, docstring, body = runtime.split('"""', 2)
    assert docstring
    before, rest = body.split(_BEGIN)
    _, after = rest.split(_END)
    identifier = "".join(c if c.isascii() and c.isalnum() else "_" for c in policy.name)
    head = _DOCSTRING.format(
        domain=_plain(domain.name),
        module=f"{identifier}_policy",
        policy=_plain(write_policy(policy, domain).rstrip()),
    )
    return "".join(
        [head, before.rstrip(), "\n\n\n", *_data(policy, domain), after.lstrip(), command]
    )


def _part(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _plain(text: str) -> str:
    """Text that can stand in a docstring."""
    return text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


def _data(policy: DecisionList, domain: Domain) -> Iterator[str]:
    """The tables of the policy and of its domain."""
    yield f"DOMAIN = {_python(domain.name)}\n\n"
    yield "# In the order in which rules try them, before all other objects, with their types.\n"
    yield "CONSTANTS: tuple[tuple[str, str], ...] = "
    yield f"{_lines(map(_python, domain.constants), 0)}\n\n"
    yield "# For each type the types that are it or below it.\n"
    yield "SUBTYPES: dict[str, tuple[str, ...]] = {\n"
    for type_ in domain.types:
        below = [t.name for t in domain.types if t.name in domain.subtypes[type_.name]]
        yield f"    {_python(type_.name)}: {_python(below)},\n"
    yield "}\n\n# How many objects each predicate takes.\nPREDICATES: dict[str, int] = {\n"
    for predicate in domain.predicates:
        if not is_comparison(predicate.name):
            yield f"    {_python(predicate.name)}: {predicate.arity},\n"
    yield "}\n\n"
    yield from _numbers(policy, domain)
    yield "# What the domain derives, in groups: each may read those before it, and itself.\n"
    yield from _groups("AXIOMS", stratify_axioms(domain.axioms), domain.axioms, domain)
    yield "# The same of the policy's own derived predicates.\n"
    order = stratify_definitions(policy.definitions, domain)
    yield from _groups("DEFINITIONS", order, policy.definitions, domain)
    yield "RULES: tuple[Rule, ...] = (\n"
    for rule in policy.rules:
        yield f"    Rule(\n        name={_python(rule.name)},\n"
        yield f"        parameters={_lines(map(_python, rule.parameters), 2)},\n"
        yield f"        preconditions={_conditions(rule.preconditions, domain)},\n"
        yield f"        goals={_conditions(rule.goals, domain)},\n"
        yield f"        action={_python((rule.action, *rule.arguments))},\n    ),\n"
    yield ")\n\nACTIONS: dict[str, Action] = {\n"
    for action in domain.actions:
        yield f"    {_python(action.name)}: Action(\n"
        yield f"        parameters={_lines(map(_python, action.parameters), 2)},\n"
        yield f"        preconditions={_conditions(action.precondition, domain)},\n"
        yield f"        effects={_conditions(action.effects, domain)},\n"
        if action.conditional:
            told = _lines((_effect(one, domain) for one in action.conditional), 2)
            yield f"        conditional={told},\n"
        if action.numeric:
            yield f"        changes={_lines(map(_change, action.numeric), 2)},\n"
        yield "    ),\n"
    yield "}\n\n\n"


def _effect(effect: ConditionalEffect, domain: Domain) -> str:
    return (
        f"Effect(\n                variables={_lines(map(_python, effect.variables), 4)},\n"
        f"                conditions={_conditions(effect.conditions, domain, 4)},\n"
        f"                effects={_conditions(effect.effects, domain, 4)},\n            )"
    )


def _numbers(policy: DecisionList, domain: Domain) -> Iterator[str]:
    """The functions, and the comparisons that actions, axioms and rules know."""
    yield "# How many objects each function takes; those for costs only are not here.\n"
    yield "FUNCTIONS: dict[str, int] = {\n"
    for function in domain.functions if domain.has_numbers or comparisons_in(policy) else ():
        if function.name != TOTAL_COST:
            yield f"    {_python(function.name)}: {function.arity},\n"
    yield "}\n\n# Comparisons are atoms that follow from the numbers of a state and of a goal.\n"
    asked = [
        *(literal for action in domain.actions for literal in action.precondition),
        *(c for action in domain.actions for one in action.conditional for c in one.conditions),
        *(condition for clause in domain.axioms for condition in clause.conditions),
    ]
    names = [atom.predicate for atom, _ in asked if is_comparison(atom.predicate)]
    names += comparisons_in(policy)
    made = []
    for name in dict.fromkeys(names):
        word, left, right = comparison_of(name).parts
        made.append(
            f"Comparison(\n        name={_python(name)},\n"
            f"        places={_python(comparison_of(name).places)},\n"
            f"        word={_python(word)},\n"
            f"        left={_sum(left)},\n        right={_sum(right)},\n    )"
        )
    yield f"COMPARISONS: tuple[Comparison, ...] = {_lines(made, 0)}\n\n"


def _change(effect: NumericEffect) -> str:
    function = ("=", effect.function.name, *effect.function.terms)
    return f"Change({_python(effect.word)}, {_python(function)}, {_sum(effect.amount)})"


def _sum(total: Sum) -> str:
    functions = [
        f"({_number(coefficient)}, {bool(function.goal)}, "
        f"{_python((function.goal or '=', function.name, *function.terms))})"
        for coefficient, function in total.functions
    ]
    comma = "," if len(functions) == 1 else ""
    return f"Sum(({', '.join(functions)}{comma}), {_number(total.constant)})"


def _number(number: Number) -> str:
    if number.denominator == 1:
        return str(number)
    return f"Fraction({number.numerator}, {number.denominator})"


def _groups(
    name: str, order: Iterable[tuple[str, ...]], clauses: Sequence[Clause], domain: Domain
) -> Iterator[str]:
    elements = []
    for members in order:
        lines = []
        for clause in clauses:
            if clause.name not in members:
                continue
            lines.append(
                f"Clause(\n            name={_python(clause.name)},\n"
                f"            parameters={_lines(map(_python, clause.parameters), 3)},\n"
                f"            variables={_lines(map(_python, clause.variables), 3)},\n"
                f"            conditions={_conditions(clause.conditions, domain, 3)},\n"
                f"            goals={_conditions(clause.goals, domain, 3)},\n        )"
            )
        elements.append(_lines(lines, 1))
    yield f"{name}: tuple[tuple[Clause, ...], ...] = {_lines(elements, 0)}\n\n"


def _conditions(literals: Iterable[Literal], domain: Domain, depth: int = 2) -> str:
    return _lines((_condition(literal, domain) for literal in literals), depth)


def _condition(literal: Literal, domain: Domain) -> str:
    atom, positive = literal
    code, kind = (atom.predicate, *atom.terms), ""
    if is_graph(atom, domain):
        code, kind = atom.terms, f", {_python(atom.predicate)}"
    elif any(is_anything(term, domain) for term in atom.terms):
        kind = ', "any"'
    return f"Condition({_python(code)}, {positive}{kind})"


def _lines(elements: Iterable[str], depth: int) -> str:
    """A tuple with each element in a line of its own, in code that is indented so deep."""
    lines = "".join(f"{'    ' * (depth + 1)}{element},\n" for element in elements)
    return f"(\n{lines}{'    ' * depth})" if lines else "()"


def _python(value: str | Sequence[Any]) -> str:
    """A text or a tuple of such as Python writes them."""
    if isinstance(value, str):
        return json.dumps(value)  # with double quotes, and nothing but ASCII
    if not value:
        return "()"
    parts = [_python(element) for element in value]
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"

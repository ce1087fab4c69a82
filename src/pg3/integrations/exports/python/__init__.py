"""A policy as a Python module without dependencies: its rules as data, and a small engine.

The engine is the text of the modules beside this one, so the exported code is linted and tested
here. Of each module that is what stands below the line `_EXPORTED`; above it are its imports.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pg3.integrations.exports.python import data
from pg3.pddl.numbers import comparison_of, is_comparison
from pg3.pddl.reading.number_reader import TOTAL_COST
from pg3.pddl.strata import stratify_axioms
from pg3.policy import write_policy
from pg3.policy.derived import comparisons_in, is_anything, is_graph, stratify_definitions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pg3.pddl.model import Action, Clause, Domain, Literal, Parameter, TypedObject
    from pg3.pddl.numbers import Sum
    from pg3.policy.model import DecisionList

_EXPORTED = "# == exported ==\n"
_POLICY = "# == the policy ==\n"
_POLICY_ENDS = "# == the policy ends ==\n"

_HEAD = '''"""A policy for the planning domain {domain}, exported by pg3.

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

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple'''

# What fits in a line of the exported module.
_WIDTH = 100


def policy_text(policy: DecisionList, domain: Domain) -> str:
    """The module. It does what `policy_action` and `execute` do, except that it ignores costs."""
    identifier = "".join(c if c.isascii() and c.isalnum() else "_" for c in policy.name)
    head = _HEAD.format(
        domain=_plain(domain.name),
        module=f"{identifier}_policy",
        policy=_plain(write_policy(policy, domain).rstrip()),
    )
    parts = "\n\n\n".join([head, *(_part(name) for name in ("data", "matching", "acting"))])
    before, _, rest = parts.partition(_POLICY)
    tables, _, after = rest.partition(_POLICY_ENDS)
    return f"{before}{_filled(tables, policy, domain)}{after}\n"


def _part(name: str) -> str:
    text = Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8")
    return text.partition(_EXPORTED)[2].strip()


def _plain(text: str) -> str:
    """Text that can stand in a docstring."""
    return text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


def _filled(tables: str, policy: DecisionList, domain: Domain) -> str:
    """The lines that declare the tables, with the values of the policy and of its domain."""
    types = [type_.name for type_ in domain.types]
    functions = domain.functions if domain.has_numbers or comparisons_in(policy) else ()
    order = stratify_definitions(policy.definitions, domain)
    values: dict[str, Any] = {
        "DOMAIN": domain.name,
        "CONSTANTS": _parameters(domain.constants),
        "SUBTYPES": {name: tuple(t for t in types if t in domain.subtypes[name]) for name in types},
        "PREDICATES": {p.name: p.arity for p in domain.predicates if not is_comparison(p.name)},
        "FUNCTIONS": {f.name: f.arity for f in functions if f.name != TOTAL_COST},
        "COMPARISONS": _comparisons(policy, domain),
        "AXIOMS": _groups(stratify_axioms(domain.axioms), domain.axioms, domain),
        "DEFINITIONS": _groups(order, policy.definitions, domain),
        "RULES": tuple(
            data.Rule(
                rule.name,
                _parameters(rule.parameters),
                _conditions(rule.preconditions, domain),
                _conditions(rule.goals, domain),
                (rule.action, *rule.arguments),
            )
            for rule in policy.rules
        ),
        "ACTIONS": {action.name: _action(action, domain) for action in domain.actions},
    }
    lines = []
    for line in tables.splitlines():
        declared, equals, _ = line.partition(" = ")
        name = declared.partition(":")[0]
        lines.append(_python(values[name], declared + equals) if equals else line)
    return "\n".join(lines)


def _action(action: Action, domain: Domain) -> data.Action:
    return data.Action(
        _parameters(action.parameters),
        _conditions(action.precondition, domain),
        _conditions(action.effects, domain),
        tuple(
            data.Effect(
                _parameters(one.variables),
                _conditions(one.conditions, domain),
                _conditions(one.effects, domain),
            )
            for one in action.conditional
        ),
        tuple(
            data.Change(one.word, ("=", one.function.name, *one.function.terms), _sum(one.amount))
            for one in action.numeric
        ),
    )


def _comparisons(policy: DecisionList, domain: Domain) -> tuple[data.Comparison, ...]:
    """The comparisons that actions, axioms and rules know."""
    asked = [
        *(literal for action in domain.actions for literal in action.precondition),
        *(c for action in domain.actions for one in action.conditional for c in one.conditions),
        *(condition for clause in domain.axioms for condition in clause.conditions),
    ]
    names = [atom.predicate for atom, _ in asked if is_comparison(atom.predicate)]
    found = []
    for name in dict.fromkeys([*names, *comparisons_in(policy)]):
        word, left, right = comparison_of(name).parts
        places = tuple(comparison_of(name).places)
        found.append(data.Comparison(name, places, word, _sum(left), _sum(right)))
    return tuple(found)


def _sum(total: Sum) -> data.Sum:
    functions = tuple(
        (coefficient, bool(one.goal), (one.goal or "=", one.name, *one.terms))
        for coefficient, one in total.functions
    )
    return data.Sum(functions, total.constant)


def _groups(
    order: Iterable[tuple[str, ...]], clauses: Sequence[Clause], domain: Domain
) -> tuple[tuple[data.Clause, ...], ...]:
    return tuple(
        tuple(
            data.Clause(
                clause.name,
                _parameters(clause.parameters),
                _parameters(clause.variables),
                _conditions(clause.conditions, domain),
                _conditions(clause.goals, domain),
            )
            for clause in clauses
            if clause.name in members
        )
        for members in order
    )


def _parameters(parameters: Iterable[Parameter | TypedObject]) -> tuple[Any, ...]:
    """Names with their types, without the classes of pg3."""
    return tuple(tuple(one) for one in parameters)


def _conditions(literals: Iterable[Literal], domain: Domain) -> tuple[data.Condition, ...]:
    return tuple(_condition(literal, domain) for literal in literals)


def _condition(literal: Literal, domain: Domain) -> data.Condition:
    atom, positive = literal
    if is_graph(atom, domain):
        return data.Condition(atom.terms, positive, atom.predicate)
    wild = any(is_anything(term, domain) for term in atom.terms)
    return data.Condition((atom.predicate, *atom.terms), positive, "any" if wild else "")


def _python(value: Any, lead: str = "", depth: int = 0) -> str:
    """The value as Python code, behind `lead` and indented; what is too long, a part a line."""
    indent = "    " * depth
    line = f"{lead}{_in_one_line(value)}"
    # A comma may follow.
    if len(indent + line) < _WIDTH or not isinstance(value, tuple | dict):
        return line
    parts: Iterable[tuple[str, Any]]
    if isinstance(value, dict):
        brackets, parts = "{}", ((f"{json.dumps(key)}: ", one) for key, one in value.items())
    elif hasattr(value, "_asdict"):
        lead, brackets = f"{lead}{type(value).__name__}", "()"
        parts = ((f"{name}=", one) for name, one in value._asdict().items())
    else:
        brackets, parts = "()", (("", one) for one in value)
    lines = "".join(f"{indent}    {_python(one, name, depth + 1)},\n" for name, one in parts)
    return f"{lead}{brackets[0]}\n{lines}{indent}{brackets[1]}"


def _in_one_line(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value)  # with double quotes, and nothing but ASCII
    if isinstance(value, dict):
        parts = (f"{json.dumps(key)}: {_in_one_line(one)}" for key, one in value.items())
        return f"{{{', '.join(parts)}}}"
    if not isinstance(value, tuple):
        return repr(value)
    given = list(value)
    if not hasattr(value, "_field_defaults"):
        comma = "," if len(given) == 1 else ""
        return f"({', '.join(map(_in_one_line, given))}{comma})"
    for default in reversed(value._field_defaults.values()):
        if given[-1] != default:
            break
        given.pop()
    return f"{type(value).__name__}({', '.join(map(_in_one_line, given))})"

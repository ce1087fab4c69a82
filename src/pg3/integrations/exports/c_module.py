"""A policy as one file of C without dependencies: its rules as tables, and a small engine.

The engine is `c_runtime.c`, whose empty policy is replaced.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from pg3.integrations.exports.c_numbers import NumberTables
from pg3.pddl.model import EQUALS, Literal
from pg3.pddl.negative_goals import unwanted_predicate
from pg3.pddl.numbers import COMPARISONS, is_comparison
from pg3.pddl.strata import stratify_axioms
from pg3.policy import write_policy
from pg3.policy.derived import (
    NEXT,
    comparisons_in,
    derived_predicates,
    is_anything,
    is_graph,
    stratify_definitions,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pg3.integrations.exports.c_numbers import Change, NumberSum
    from pg3.pddl.model import Action, Clause, Domain, Parameter
    from pg3.policy.model import DecisionList

_HEAD = "/* == head == */\n"
_BEGIN = "/* == the policy == */\n"
_END = "/* == the policy ends == */\n"

# What stands at the end of tables, as C has no empty ones.
_NO_QUERY = "{0, 0, NULL, NULL}"
_NO_COMPARISON = f"{{{_NO_QUERY}, 0, 0, {{0, NULL, 0}}}}"
_NO_CHANGE = "{-1, 0, 0, NULL, {0, NULL, 0}, 1}"


def policy_text(policy: DecisionList, domain: Domain) -> str:
    """The file. It does what `policy_action` and `execute` do, except that it ignores costs."""
    runtime = Path(__file__).with_name("c_runtime.c").read_text(encoding="utf-8")
    before, rest = runtime.removeprefix(_HEAD).split(_BEGIN)
    _, after = rest.split(_END)
    shown = write_policy(policy, domain).replace("*/", "* /").replace("/*", "/ *")
    title = f"/* A policy for the planning domain {_plain(domain.name)}, exported by pg3:\n\n"
    return "".join([title, shown, "*/\n\n", before, _Tables(policy, domain).text(), after])


def _plain(text: str) -> str:
    return text.replace("*/", "* /").replace("/*", "/ *")


class _Tables:
    """The tables of a policy and of its domain, as C text; each is named when it is made."""

    def __init__(self, policy: DecisionList, domain: Domain) -> None:
        self._policy, self._domain = policy, domain
        defined = derived_predicates(policy.definitions)
        # Comparisons that only the policy knows stand with those of the domain.
        more = [name for name in comparisons_in(policy) if name not in domain.predicate_index]
        self._predicates = [*domain.predicates, *filter(None, map(domain.comparison, more))]
        self._relations = [*self._predicates, *defined.values()]
        self._relation = {one.name: i for i, one in enumerate(self._relations)}
        self._constant = {one.name: -1 - i for i, one in enumerate(domain.constants)}
        self._derived = domain.derived | set(defined)
        self._graphs: dict[tuple[bool, str], int] = {}
        self._names: dict[tuple[str, str], str] = {}
        self._numbers = count()
        self._lines: list[str] = []
        self._most_variables = 1

    def text(self) -> str:
        domain, policy = self._domain, self._policy
        groups = [
            *self._groups(stratify_axioms(domain.axioms), domain.axioms),
            *self._groups(stratify_definitions(policy.definitions, domain), policy.definitions),
        ]
        actions = [self._action(one) for one in domain.actions]
        number = domain.action_index
        rules = []
        for rule in policy.rules:
            query = self._query(rule.parameters, rule.preconditions, rule.goals)
            arguments = self._terms(rule.arguments, [p.name for p in rule.parameters])
            rules.append(f"{{{query}, {number[rule.action]}, {arguments}}}")
        numbers = NumberTables(domain, self._predicates)
        types = [one.name for one in domain.types]
        graphs = [f"{{{int(of_goal)}, {self._relation[name]}}}" for of_goal, name in self._graphs]
        arities = [one.arity for one in self._relations]
        wide = [*arities, *numbers.arities, *(len(one.parameters) for one in domain.actions), 1]
        comparisons = [self._comparison(*one) for one in numbers.comparisons]
        changes = [self._change(one) for one in numbers.changes]
        sizes = {
            "CONSTANTS": len(domain.constants),
            "TYPES": len(types),
            "PREDICATES": len(self._predicates),
            "RELATIONS": len(self._relations),
            "RULES": len(rules),
            "ACTIONS": len(actions),
            "GROUPS": len(groups),
            "GRAPHS": len(graphs),
            "FUNCTIONS": len(numbers.functions),
            "COMPARISONS": len(comparisons),
            "CHANGES": len(changes),
            "DIVISOR": numbers.divisor,
            "MAX_ARITY": max(wide),
            "MAX_VARIABLES": self._most_variables,
        }
        constants = [types.index(one.type) for one in domain.constants]
        derived = [
            2 if is_comparison(one.name) else int(one.name in self._derived)
            for one in self._relations
        ]
        return "".join(
            [
                *(f"#define PG3_{name} {value}\n" for name, value in sizes.items()),
                "\n",
                _strings("type", types),
                _strings("constant", [one.name for one in domain.constants]),
                _strings("predicate", [one.name for one in self._predicates]),
                _strings("function", numbers.functions),
                _strings("comparison", COMPARISONS),
                _strings("action", [one.name for one in domain.actions]),
                f"static const int pg3_constant_types[] = {_listed([*constants, 0])};\n",
                f"static const int pg3_arities[] = {_listed([*arities, 0])};\n",
                f"static const int pg3_derived[] = {_listed([*derived, 0])};\n",
                f"static const int pg3_number_arities[] = {_listed([*numbers.arities, -1])};\n",
                f"static const int pg3_goal_relations[] = {_listed([*numbers.goals, -1])};\n",
                *self._lines,
                _table("Pg3Graph", "pg3_graphs", [*graphs, "{0, 0}"]),
                _table("Pg3Comparison", "pg3_comparisons", [*comparisons, _NO_COMPARISON]),
                _table("Pg3Change", "pg3_changes", [*changes, _NO_CHANGE]),
                _table("Pg3Group", "pg3_groups", [*groups, "{0, NULL}"]),
                _table("Pg3Action", "pg3_actions", [*actions, "{{0, 0, NULL, NULL}, 0, NULL}"]),
                _table("Pg3Rule", "pg3_rules", [*rules, "{{0, 0, NULL, NULL}, 0, NULL}"]),
                "\n",
            ]
        )

    def _make(self, kind: str, elements: Iterable[str]) -> str:
        """The name of a table with these elements; one that is there already is used again."""
        body = ", ".join(elements)
        if not body:
            return "NULL"
        name = self._names.get((kind, body))
        if name is None:
            name = self._names[kind, body] = f"pg3_{next(self._numbers)}"
            self._lines.append(f"static const {kind} {name}[] = {{{body}}};\n")
        return name

    def _types(self, parameters: Iterable[Parameter]) -> str:
        below = self._domain.subtypes
        rows = []
        for one in parameters:
            accepted = frozenset().union(*(below[name] for name in one.types))
            row = [str(int(type_.name in accepted)) for type_ in self._domain.types]
            rows.append(self._make("uint8_t", row))
        return self._make("uint8_t *const", rows)

    def _terms(self, terms: Iterable[str], variables: Sequence[str]) -> str:
        return self._make(
            "int16_t",
            [
                str(variables.index(term))
                if term in variables
                else str(self._constant[term])
                if term in self._constant
                else "PG3_ANY"
                for term in terms
            ],
        )

    def _query(
        self,
        parameters: Sequence[Parameter],
        conditions: Sequence[Literal],
        goals: Sequence[Literal] = (),
    ) -> str:
        variables = [one.name for one in parameters]
        self._most_variables = max(self._most_variables, len(variables))
        told = [self._condition(one, variables, False) for one in conditions]
        told += [self._condition(one, variables, True) for one in goals]
        table = self._make("Pg3Condition", told)
        return f"{{{len(variables)}, {len(told)}, {self._types(parameters)}, {table}}}"

    def _condition(self, literal: Literal, variables: Sequence[str], of_goal: bool) -> str:
        (predicate, terms), positive = literal
        unwanted = unwanted_predicate(predicate)
        kind, relation, graph = "PG3_ATOM", unwanted or predicate, 0
        part = 2 if unwanted else int(of_goal)
        if predicate == EQUALS:
            kind = "PG3_EQUALS"
        elif is_graph(literal.atom, self._domain):
            kind = "PG3_NEXT" if predicate == NEXT else "PG3_REACH"
            relation, *rest = terms
            terms = tuple(rest)
            graph = self._graphs.setdefault((of_goal, relation), len(self._graphs))
        elif any(is_anything(term, self._domain) for term in terms):
            kind = "PG3_SOME"
        depth = max((variables.index(term) + 1 for term in terms if term in variables), default=0)
        number = self._relation.get(relation, -1)
        code = f"{kind}, {int(positive)}, {part}, {depth}, {number}, {graph}"
        return f"{{{code}, {self._terms(terms, variables)}}}"

    def _comparison(self, number: int, order: int, total: NumberSum) -> str:
        parameters = self._relations[number].parameters
        query = self._query(parameters, ())
        return f"{{{query}, {number}, {order}, {self._sum(total)}}}"

    def _change(self, change: Change) -> str:
        terms = self._make("int16_t", map(str, change.terms))
        amount = self._sum(change.amount)
        what = f"{change.action}, {int(change.assigns)}, {change.number}, {terms}"
        return f"{{{what}, {amount}, {change.divisor}}}"

    def _sum(self, total: NumberSum) -> str:
        values = [
            f"{{{coefficient}, {number}, {self._make('int16_t', map(str, terms))}}}"
            for coefficient, number, terms in total.values
        ]
        return f"{{{len(values)}, {self._make('Pg3Value', values)}, {total.constant}}}"

    def _groups(self, order: Iterable[tuple[str, ...]], clauses: Sequence[Clause]) -> list[str]:
        groups = []
        for members in order:
            told = []
            for one in clauses:
                if one.name in members:
                    query = self._query(
                        (*one.parameters, *one.variables), one.conditions, one.goals
                    )
                    told.append(f"{{{query}, {self._relation[one.name]}}}")
            groups.append(f"{{{len(told)}, {self._make('Pg3Clause', told)}}}")
        return groups

    def _action(self, action: Action) -> str:
        query = self._query(action.parameters, action.precondition)
        effects = [self._effect(action.parameters, (), (), action.effects)]
        effects += [
            self._effect(action.parameters, one.variables, one.conditions, one.effects)
            for one in action.conditional
        ]
        return f"{{{query}, {len(effects)}, {self._make('Pg3Effect', effects)}}}"

    def _effect(
        self,
        parameters: Sequence[Parameter],
        variables: Sequence[Parameter],
        conditions: Sequence[Literal],
        effects: Sequence[Literal],
    ) -> str:
        everything = (*parameters, *variables)
        names = [one.name for one in everything]
        told = [self._condition(one, names, False) for one in effects]
        table = self._make("Pg3Condition", told)
        return f"{{{self._query(everything, conditions)}, {len(told)}, {table}}}"


def _listed(values: Iterable[object]) -> str:
    return f"{{{', '.join(map(str, values))}}}"


def _table(kind: str, name: str, elements: Iterable[str]) -> str:
    lines = "".join(f"    {element},\n" for element in elements)
    return f"static const {kind} {name}[] = {{\n{lines}}};\n"


def _strings(what: str, names: Iterable[str]) -> str:
    listed = "".join(f"{_string(name)}, " for name in names)
    return f"const char *const pg3_{what}_names[] = {{{listed}NULL}};\n"


def _string(text: str) -> str:
    plain = "".join(
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}"
        for byte in text.encode("utf-8")
    )
    return f'"{plain}"'

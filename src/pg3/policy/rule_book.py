"""The rules that a learner has met, by number.

A candidate policy is a tuple of numbers. So candidates share rules and are cheap to compare, and
the kernel caches a rule's results under its number.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from pg3 import _native
from pg3.pddl.model import EQUALS, OBJECT, Atom, Literal, Parameter
from pg3.pddl.negative_goals import unwanted_name
from pg3.policy.derived import needed_definitions
from pg3.policy.encoding import ConditionKind, Vocabulary, accepted_types
from pg3.policy.model import DecisionList, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.pddl.model import Domain, TypeNames
    from pg3.policy.model import Clause

# A candidate policy: the numbers of its rules, in order.
PolicyKey = tuple[int, ...]


# A rule without its conditions: the action, its arguments, and the types of the variables.
_Frame = tuple[int, tuple[int, ...], tuple[tuple[int, ...], ...]]


def _frame(action: int, arguments: Sequence[int], types: Sequence[Sequence[int]]) -> _Frame:
    return action, tuple(arguments), tuple(map(tuple, types))


class RuleBook:
    """Numbers for the rules of one domain.

    Rules have one number if they are equal up to the names of variables and the order of
    conditions; the order of parameters counts, as it decides which objects a rule takes.
    """

    def __init__(
        self,
        domain: Domain,
        definitions: Sequence[Clause] = (),
        user_words: Callable[[DecisionList], DecisionList] | None = None,
    ) -> None:
        """`definitions` are the derived predicates that rules may use, well formed.

        `user_words` are how the user sees policies, if that is not how the learner does.
        """
        self.domain = domain
        self._user_words = user_words
        self.table = _native.RuleTable()
        self.vocabulary = Vocabulary(domain, self.table, definitions)
        self._rules: dict[int, Rule] = {}
        self._given: dict[int, str] = {}
        self._names: dict[_Frame, list[str]] = {}
        self._sizes = _Sizes(self.table)
        self._types: dict[tuple[int, ...], TypeNames] = {}
        for type_ in domain.types:
            self._types.setdefault(tuple(accepted_types((type_.name,), domain)), (type_.name,))

    def define(self, definitions: Sequence[Clause]) -> None:
        """Let rules use these derived predicates, too; they must be well formed and new."""
        self.vocabulary = self.vocabulary.extended(definitions)

    def number(self, rule: Rule) -> int:
        """The rule's number. The rule must be well formed (see `checks`)."""
        code = self.vocabulary.encode_rule(rule)
        for parameter, accepted in zip(rule.parameters, code.parameter_types, strict=True):
            self._types.setdefault(tuple(accepted), parameter.types)
        return self.table.add(code)

    def key(self, policy: DecisionList) -> PolicyKey:
        """The policy as numbers."""
        return tuple(self.number(rule) for rule in policy.rules)

    def take(self, policy: DecisionList) -> PolicyKey:
        """The policy as numbers; from now on its rules keep their names and variables.

        Users want to recognise the rules that they wrote. Rules made from them with other
        conditions keep their variables, too.
        """
        self.define(policy.definitions)
        key = self.key(policy)
        for number, rule in zip(key, policy.rules, strict=True):
            if number not in self._given:
                self._given[number] = rule.name
                self._rules[number] = rule
                action, arguments, types, _ = self.table.get(number)
                names = [parameter.name for parameter in rule.parameters]
                self._names.setdefault(_frame(action, arguments, types), names)
        return key

    def size(self, number: int) -> int:
        """|Pre| + |Goal| of a rule."""
        return self._sizes[number]

    def policy_size(self, key: PolicyKey) -> int:
        """The sum of |Pre| + |Goal| over a policy's rules."""
        return sum(map(self._sizes.__getitem__, key))

    def rule(self, number: int) -> Rule:
        """The rule behind a number, its variables named for a reader (see `_variable_names`)."""
        rule = self._rules.get(number)
        if rule is None:
            rule = self._rules[number] = self._decode(number)
        return rule

    def policy(self, key: PolicyKey, name: str) -> DecisionList:
        """The policy behind numbers; rules are named by their actions, those of `take` as given."""
        # A rule may stand in a policy twice, but with its given name only once.
        given = {number: place for place, number in reversed(list(enumerate(key)))}
        given = {number: place for number, place in given.items() if number in self._given}
        taken = {self._given[number] for number in given}
        total = Counter(
            self.rule(number).action
            for place, number in enumerate(key)
            if given.get(number) != place
        )
        met = dict.fromkeys(total, 0)
        rules = []
        for place, number in enumerate(key):
            rule = self.rule(number)
            if given.get(number) == place:
                rules.append(rule)
                continue
            new, is_free = rule.action, total[rule.action] == 1
            while not is_free or new in taken:
                met[rule.action] += 1
                new, is_free = f"{rule.action}-{met[rule.action]}", True
            taken.add(new)
            rules.append(replace(rule, name=new))
        definitions = needed_definitions(rules, self.vocabulary.definitions, self.domain)
        return DecisionList(name, tuple(rules), definitions, self.domain)

    def user_policy(self, key: PolicyKey, name: str) -> DecisionList:
        """The policy behind numbers in the user's words."""
        policy = self.policy(key, name)
        return policy if self._user_words is None else self._user_words(policy)

    def user_rule(self, number: int) -> Rule:
        """The rule behind a number in the user's words."""
        return replace(self.user_policy((number,), "rule").rules[0], name=self.rule(number).name)

    def _decode(self, number: int) -> Rule:
        action, arguments, parameter_types, conditions = self.table.get(number)
        schema = self.domain.actions[action]
        types = [self._types[tuple(accepted)] for accepted in parameter_types]
        names = self._names.get(_frame(action, arguments, parameter_types)) or _variable_names(
            types, arguments, [p.name for p in schema.parameters]
        )

        def term(code: int) -> str:
            return names[code] if code >= 0 else self.domain.constants[-1 - code].name

        literals: dict[ConditionKind, list[Literal]] = {kind: [] for kind in ConditionKind}
        for kind, positive, predicate, terms in conditions:
            if kind == ConditionKind.DERIVED:
                section, atom = self.vocabulary.decode(predicate, tuple(map(term, terms)))
                literals[section].append(Literal(atom, positive))
                continue
            symbol = EQUALS if predicate < 0 else self.domain.predicates[predicate].name
            if kind == ConditionKind.UNWANTED:
                symbol = unwanted_name(symbol, len(terms))
            atom = Atom(symbol, tuple(term(code) for code in terms))
            literals[ConditionKind(kind)].append(Literal(atom, positive))
        return Rule(
            name=schema.name,
            parameters=tuple(Parameter(n, t) for n, t in zip(names, types, strict=True)),
            preconditions=(
                *literals[ConditionKind.STATE],
                *literals[ConditionKind.EQUALITY],
            ),
            goals=(*literals[ConditionKind.GOAL], *literals[ConditionKind.UNWANTED]),
            action=schema.name,
            arguments=tuple(term(code) for code in arguments),
        )


class _Sizes(dict[int, int]):
    """The sizes of rules, cached: a search asks constantly."""

    def __init__(self, table: _native.RuleTable) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, number: int) -> int:
        _, _, _, conditions = self._table.get(number)
        size = self[number] = len(conditions)
        return size


def _variable_names(
    types: list[TypeNames], arguments: Sequence[int], schema_names: list[str]
) -> list[str]:
    """Variables named as in the action where they are arguments, else by their type.

    Names that would repeat are numbered.
    """
    names = ["?" + ("x" if type_names == (OBJECT,) else type_names[0]) for type_names in types]
    for code, name in zip(arguments, schema_names, strict=True):
        if code >= 0:
            names[code] = name
    unique: list[str] = []
    for name in names:
        candidate, count = name, 1
        while candidate in unique or (candidate != name and candidate in names):
            count += 1
            candidate = f"{name}{count}"
        unique.append(candidate)
    return unique

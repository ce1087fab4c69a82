"""Add Condition: a literal more in some rule."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

from pg3.pddl.model import Atom
from pg3.policy.derived import NEXT
from pg3.policy.encoding import ConditionKind, EncodedLiteral, accepted_types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pg3.learning.operators.features import Features
    from pg3.learning.scores.base import Plans
    from pg3.learning.training import Training
    from pg3.policy.rule_book import PolicyKey

# A predicate with more ways than this to fill its places is passed over: no search could try them.
_MOST_TUPLES = 10_000

# For each parameter of a rule the numbers of the types that it accepts.
Signature = tuple[tuple[int, ...], ...]


class AddCondition:
    """Each rule with each literal over its variables added to its preconditions or its goals.

    Positive or negative, any predicate, any variables whose types fit; not what the rule has
    already, nor the opposite of that, which would make it useless. For untyped domains these are
    at most 4 |policy| |P| k^m children for k variables and arity m. Predicates for which k^m is
    beyond all search (10,000) are left out.

    `selective` leaves out what can hardly matter: goal conditions on predicates that no training
    goal mentions, and literals that repeat a variable. With `features` there are literals on what
    these define, too.
    """

    def __init__(
        self, training: Training, *, selective: bool = False, features: Features | None = None
    ) -> None:
        self._table = training.book.table
        domain = training.domain
        goal_predicates = {atom.predicate for task in training.tasks for atom in task.problem.goal}
        self._predicates = [
            (
                number,
                [frozenset(accepted_types(p.types, domain)) for p in predicate.parameters],
                not selective or predicate.name in goal_predicates,
            )
            for number, predicate in enumerate(domain.predicates)
        ]
        self._derived = [] if features is None else list(_derived(features, training))
        self._selective = selective
        self._literals: dict[Signature, list[EncodedLiteral]] = {}
        self._extended: dict[int, list[int]] = {}

    def children(self, policy: PolicyKey, plans: Callable[[], Plans]) -> Iterator[PolicyKey]:
        """The policy with one condition more."""
        for place, number in enumerate(policy):
            before, after = policy[:place], policy[place + 1 :]
            for extended in self._extend(number):
                yield (*before, extended, *after)

    def _extend(self, number: int) -> list[int]:
        """The numbers of the rules with one literal more; a rule is in many policies."""
        extended = self._extended.get(number)
        if extended is None:
            signature = tuple(tuple(types) for types in self._table.get(number)[2])
            numbers = self._table.extend(number, self._possible(signature))
            extended = self._extended[number] = [n for n in numbers if n >= 0]
        return extended

    def _possible(self, signature: Signature) -> list[EncodedLiteral]:
        """All literals over variables of these types."""
        literals = self._literals.get(signature)
        if literals is None:
            literals = self._literals[signature] = list(self._enumerate(signature))
        return literals

    def _enumerate(self, signature: Signature) -> Iterator[EncodedLiteral]:
        types = [frozenset(accepted) for accepted in signature]
        for kind in (ConditionKind.STATE, ConditionKind.GOAL):
            for number, places, in_goals in self._predicates:
                if kind is ConditionKind.GOAL and not in_goals:
                    continue
                fitting = [
                    [v for v, accepted in enumerate(types) if accepted <= place] for place in places
                ]
                if prod(map(len, fitting)) > _MOST_TUPLES:
                    continue
                for terms in product(*fitting):
                    if self._selective and len(set(terms)) < len(terms):
                        continue
                    for positive in (True, False):
                        yield EncodedLiteral(kind.value, positive, number, list(terms))
        for relation, places in self._derived:
            fitting = [
                [v for v, accepted in enumerate(types) if accepted <= place] for place in places
            ]
            if prod(map(len, fitting)) > _MOST_TUPLES:
                continue
            for terms in product(*fitting):
                if len(set(terms)) == len(terms):
                    for positive in (True, False):
                        yield EncodedLiteral(
                            ConditionKind.DERIVED.value, positive, relation, list(terms)
                        )


def _derived(features: Features, training: Training) -> Iterator[tuple[int, list[frozenset[int]]]]:
    """The relations of the features: their numbers, and the types that fit each place."""
    vocabulary, domain = training.book.vocabulary, training.domain
    for name, accepted in (*features.unsettled.items(), *features.beyond.items()):
        yield vocabulary.number(Atom(name, ("?",))), [frozenset(accepted_types(accepted, domain))]
    for edges, types in features.edges.items():
        places = [frozenset(accepted_types(accepted, domain)) for accepted in types]
        relation = vocabulary.number(Atom(NEXT, (edges, *"?" * len(types), "?")))
        yield relation, [*places, places[-1]]

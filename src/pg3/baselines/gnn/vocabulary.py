"""What a network knows of a domain: the features of nodes, edges and whole graphs, the outputs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.pddl.model import Domain, Problem


class Kind(IntEnum):
    """In what an atom stands: the state, the goal, or the goal's negated atoms."""

    STATE = 0
    GOAL = 1
    UNWANTED = 2


class Symbol(NamedTuple):
    """A predicate or an action with the number of its arguments."""

    name: str
    arity: int


class PairFeature(NamedTuple):
    """An atom says something of the objects at two of its places, in either direction."""

    first: int
    second: int
    forward: int
    backward: int


@dataclass(frozen=True)
class Vocabulary:
    """The types, predicates and actions that features and outputs are made of, in a fixed order.

    `unwanted` are the predicates that some training problem wants to be false: few domains have
    any, so the others get no features for it.
    """

    types: tuple[str, ...]
    predicates: tuple[Symbol, ...]
    actions: tuple[Symbol, ...]
    unwanted: tuple[str, ...] = ()

    @classmethod
    def of(cls, domain: Domain, problems: Iterable[Problem] = ()) -> Vocabulary:
        """The vocabulary of a domain, with the unwanted predicates of the problems."""
        unwanted = {atom.predicate for problem in problems for atom in problem.negative_goal}
        return cls(
            tuple(type_.name for type_ in domain.types),
            tuple(Symbol(p.name, p.arity) for p in domain.predicates),
            tuple(Symbol(a.name, len(a.parameters)) for a in domain.actions),
            tuple(sorted(unwanted)),
        )

    def misfit(self, domain: Domain) -> str | None:
        """What a domain has that is not as it was in training, None if all is; the order counts."""
        own = Vocabulary.of(domain)
        for part in ("types", "predicates", "actions"):
            if getattr(self, part) != getattr(own, part):
                return part
        return None

    @property
    def arguments(self) -> int:
        """The largest number of arguments of an action: as many outputs a node has."""
        return max((action.arity for action in self.actions), default=0)

    @cached_property
    def _kinds(self) -> list[tuple[Kind, int, Symbol]]:
        """Every kind in which each predicate gets features, with the predicate's number."""
        return [
            (kind, number, predicate)
            for kind in Kind
            for number, predicate in enumerate(self.predicates)
            if kind is not Kind.UNWANTED or predicate.name in self.unwanted
        ]

    @cached_property
    def global_features(self) -> dict[tuple[Kind, int], int]:
        """For each nullary predicate its feature of the whole graph."""
        keys = [(kind, number) for kind, number, p in self._kinds if p.arity == 0]
        return {key: feature for feature, key in enumerate(keys)}

    @cached_property
    def node_features(self) -> dict[tuple[Kind, int], int]:
        """For each unary predicate its feature of a node; those of the types come first."""
        keys = [(kind, number) for kind, number, p in self._kinds if p.arity == 1]
        return {key: feature for feature, key in enumerate(keys, start=len(self.types))}

    @cached_property
    def edge_features(self) -> dict[tuple[Kind, int], tuple[PairFeature, ...]]:
        """For each predicate of two or more places the features of edges, one pair of places each.

        An atom p(x, y) is the forward feature of the edge from x to y and the backward feature of
        that from y to x.
        """
        features, at = {}, 0
        for kind, number, predicate in self._kinds:
            pairs = []
            for first, second in combinations(range(predicate.arity), 2):
                pairs.append(PairFeature(first, second, at, at + 1))
                at += 2
            if pairs:
                features[kind, number] = tuple(pairs)
        return features

    @property
    def node_width(self) -> int:
        """The number of features of a node."""
        return len(self.types) + len(self.node_features)

    @property
    def edge_width(self) -> int:
        """The number of features of an edge."""
        return 2 * sum(map(len, self.edge_features.values()))

    @property
    def global_width(self) -> int:
        """The number of features of a whole graph."""
        return len(self.global_features)

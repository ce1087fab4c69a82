"""What numbers say in a state, without the kernel: which comparisons hold, what actions change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.pddl.model import Atom, value_atom, value_of
from pg3.pddl.numbers import FunctionTerm, comparison_of, goal_function

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pg3.pddl.model import Problem
    from pg3.pddl.numbers import Number, NumericEffect


class Values:
    """The values of functions in a state of a problem."""

    def __init__(self, problem: Problem, state: Iterable[Atom]) -> None:
        self._values: dict[Atom, Number] = dict(problem.function_values)
        self._by_function: dict[str, list[Atom]] | None = None
        self.update(state)

    def update(self, state: Iterable[Atom]) -> None:
        """Take over the values among new facts."""
        self._values |= dict(found for atom in state if (found := value_of(atom)))
        self._by_function = None

    def of(self, function: FunctionTerm) -> Number | None:
        """The value of a function of objects, or the number that a goal asks of it."""
        goal = function.goal
        name = goal_function(goal, function.name) if goal else function.name
        return self._values.get(Atom(name, function.terms))

    def holds(self, atom: Atom) -> bool:
        """Whether a comparison of objects holds; not if a function has no value."""
        comparison = comparison_of(atom.predicate)
        binding = dict(zip(comparison.places, atom.terms, strict=True))
        left, right = (
            side.substitute(binding).value(self.of) for side in (comparison.left, comparison.right)
        )
        return left is not None and right is not None and comparison.holds(left, right)

    def true(self, predicate: str) -> Iterator[Atom]:
        """The atoms of a comparison that hold."""
        comparison = comparison_of(predicate)
        for binding in self._bindings(comparison.functions, {}):
            atom = Atom(predicate, tuple([binding[place] for place in comparison.places]))
            if self.holds(atom):
                yield atom

    def _bindings(
        self, functions: Sequence[FunctionTerm], binding: dict[str, str]
    ) -> Iterator[dict[str, str]]:
        """The objects with which functions have values."""
        if not functions:
            yield binding
            return
        function = functions[0]
        goal = function.goal
        name = goal_function(goal, function.name) if goal else function.name
        for atom in self._atoms_of(name):
            found = dict(binding)
            if all(
                found.setdefault(place, term) == term
                for place, term in zip(function.terms, atom.terms, strict=True)
            ):
                yield from self._bindings(functions[1:], found)

    def _atoms_of(self, function: str) -> list[Atom]:
        """The applications of a function that have values."""
        if self._by_function is None:
            self._by_function = {}
            for atom in self._values:
                self._by_function.setdefault(atom.predicate, []).append(atom)
        return self._by_function.get(function, [])

    def changes(self, effects: Iterable[NumericEffect]) -> Iterator[tuple[Atom, Atom]]:
        """The values before and after effects on objects, those left out that cannot happen.

        One effect comes after the other, as two of them may be on the same function of objects.
        """
        found: dict[Atom, Number] = {}
        for effect in effects:
            function = Atom(effect.function.name, effect.function.terms)
            before = found.get(function, self.of(effect.function))
            amount = effect.amount.value(self.of)
            if before is not None and amount is not None:
                found[function] = effect.after(before, amount)
        for function, after in found.items():
            yield value_atom(function, self._values[function]), value_atom(function, after)


def comparison_atoms(
    predicates: Iterable[str], problem: Problem, state: Iterable[Atom]
) -> Iterator[Atom]:
    """The atoms of comparisons that hold in a state."""
    predicates = tuple(predicates)
    if predicates:
        values = Values(problem, state)
        for predicate in predicates:
            yield from values.true(predicate)

"""Effects of actions, checked against the declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.lexer import DEEPEST
from pg3.pddl.model import Atom, ConditionalEffect, Literal, Parameter
from pg3.pddl.numbers import CHANGES, NumericEffect
from pg3.pddl.reading.number_reader import TOTAL_COST

if TYPE_CHECKING:
    from pg3.pddl.adl import Compiler
    from pg3.pddl.lexer import Cursor
    from pg3.pddl.reading.conditions import Conditions

_COST = "expected a number or a function of the parameters"


class Effects(NamedTuple):
    """What an action does."""

    literals: tuple[Literal, ...]
    conditional: tuple[ConditionalEffect, ...]
    cost: int | Atom | None
    numeric: tuple[NumericEffect, ...]


def read_effects(cursor: Cursor, scope: Conditions, compiler: Compiler) -> Effects:
    """The effects at the cursor: each once, in the order of the text."""
    reader = _EffectReader(cursor, compiler)
    reader.read(scope, (), (), 0)
    return reader.effects


class _EffectReader:
    """Collects the effects of one action, which may nest `and`, `forall` and `when`."""

    def __init__(self, cursor: Cursor, compiler: Compiler) -> None:
        self._cursor = cursor
        self._compiler = compiler
        self._found: dict[
            tuple[tuple[Parameter, ...], tuple[Literal, ...]], dict[Literal, None]
        ] = {}
        self._costs: list[tuple[int, int | Atom]] = []
        self._changes: dict[NumericEffect, int] = {}

    @property
    def effects(self) -> Effects:
        always = self._found.pop(((), ()), {})
        conditional = [
            ConditionalEffect(variables, conditions, tuple(effects))
            for (variables, conditions), effects in self._found.items()
        ]
        cost = self._costs[0][1] if self._costs else None
        return Effects(tuple(always), tuple(conditional), cost, tuple(self._changes))

    def read(
        self,
        scope: Conditions,
        variables: tuple[Parameter, ...],
        conditions: tuple[Literal, ...],
        depth: int,
    ) -> None:
        """Read one effect in the scope of variables and conditions."""
        cursor = self._cursor

        def element() -> None:
            word = cursor.head
            if depth == DEEPEST:
                raise cursor.unsupported(f"effects nested deeper than {DEEPEST}")
            if word == "forall":
                cursor.at += 2
                cursor.take_open("'(' and the variables")
                renamed = scope.variables()
                cursor.take_close()
                more = (*variables, *renamed.values())
                self.read(scope.inner(renamed), more, conditions, depth + 1)
                cursor.take_close("')', as 'forall' takes one effect")
            elif word == "when":
                cursor.at += 2
                asked = scope.condition(self._compiler)
                both = tuple(dict.fromkeys((*conditions, *asked)))
                self.read(scope, variables, both, depth + 1)
                cursor.take_close("')', as 'when' takes one condition and one effect")
            elif word == "increase" and cursor.word_at(cursor.at + 3) == TOTAL_COST:
                self._cost(scope, is_conditional=bool(variables or conditions))
            elif word in CHANGES and not scope.is_predicate(word):
                self._change(scope, is_conditional=bool(variables or conditions))
            else:
                effect = scope.literal(effect=True)
                self._found.setdefault((variables, conditions), {}).setdefault(effect)

        scope.conjunction(element)

    def _cost(self, scope: Conditions, *, is_conditional: bool) -> None:
        cursor = self._cursor
        at = cursor.at
        cost = self._increase(scope)
        if is_conditional:
            raise cursor.unsupported(
                "costs inside of 'when' or 'forall'",
                cursor.whole(at),
                hint="expected one (increase (total-cost) ...) for the whole action",
            )
        if self._costs:
            raise cursor.fail(
                "the total cost is increased twice",
                cursor.whole(at),
                hint=f"the first time in line {cursor.line(self._costs[0][0])}",
            )
        self._costs.append((at, cost))

    def _change(self, scope: Conditions, *, is_conditional: bool) -> None:
        cursor = self._cursor
        at = cursor.at
        effect = scope.numbers.change()
        if is_conditional:
            raise cursor.unsupported(
                f"'{effect.word}' inside of 'when' or 'forall'",
                cursor.whole(at),
                hint="expected it among the effects that happen always",
            )
        for other, line in self._changes.items():
            if other.function == effect.function:
                raise cursor.fail(
                    f"{effect.function} is changed twice",
                    cursor.whole(at),
                    hint=f"the first time in line {cursor.line(line)}",
                )
        self._changes[effect] = at

    def _increase(self, scope: Conditions) -> int | Atom:
        """What an `(increase (total-cost) ...)` adds."""
        cursor = self._cursor
        cursor.at += 2
        scope.application(TOTAL_COST)
        cost: int | Atom
        if not cursor.is_open:
            cost = scope.number()
        elif cursor.head in ("+", "-", "*", "/"):
            raise cursor.unsupported(f"arithmetic in costs ({cursor.head})", cursor.at + 1, _COST)
        elif cursor.head == TOTAL_COST:
            raise cursor.unsupported("costs that depend on (total-cost)", cursor.at + 1, _COST)
        elif not cursor.head:
            cursor.at += 1
            raise cursor.unexpected("the name of a function")
        else:
            cost = scope.application(cursor.head)
        cursor.take_close()
        return cost

"""Ways that several actions share: who moves, or from where to where, may differ.

Several actions may move one thing along edges of their own: forwards and backwards, by stairs and
by lift. What moves takes now this one and now that one, so they have one way. They share it also if
they take other movers (jeeps also take tracks) or lead between places of other types (from halls
into rooms). If they take other movers, the way has who moves as its first argument, and the clause
of each action says for whom it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.operators.moves import is_static, kind_of, shifts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.learning.operators.moves import Move
    from pg3.pddl.model import Action, Domain, Literal, Parameter, TypeNames


class _Candidate(NamedTuple):
    """A move that may share its way with others: who moves, by parameters, and what is alike.

    `fixed` are the conditions on who moves that never change.
    """

    name: str
    movers: tuple[Parameter, ...]
    ends: tuple[Parameter, Parameter]
    fixed: tuple[Literal, ...]
    alike: tuple[object, ...]

    @property
    def for_whom(self) -> tuple[tuple[TypeNames, ...], frozenset[Literal]]:
        """Who can move so: the movers' types, and what must be true of them."""
        places = {mover.name: f"?{i}" for i, mover in enumerate(self.movers)}
        fixed = frozenset(condition.substitute(places) for condition in self.fixed)
        return tuple(mover.types for mover in self.movers), fixed

    def meets(self, other: _Candidate, domain: Domain) -> bool:
        """Whether something can move both ways, one after the other."""
        return (
            self.alike == other.alike
            and all(_overlap(x, y, domain) for x, y in zip(self.movers, other.movers, strict=True))
            and any(_overlap(x, y, domain) for x in self.ends for y in other.ends)
        )


def _overlap(one: Parameter, other: Parameter, domain: Domain) -> bool:
    return any(
        domain.is_a(below, other.types) for name in one.types for below in domain.subtypes[name]
    )


def with_shared_ways(moves: dict[str, Move], domain: Domain) -> dict[str, Move]:
    """Moves that differ only in their edges and types, with a way that they share."""
    candidates = [
        candidate
        for name, move in moves.items()
        if (candidate := _candidate(domain.action(name), move, domain)) is not None
    ]
    families: list[list[_Candidate]] = []
    for candidate in candidates:
        near = [some for some in families if any(one.meets(candidate, domain) for one in some)]
        families = [some for some in families if some not in near]
        families.append([*(one for some in near for one in some), candidate])
    found: dict[str, Move] = {}
    for number, family in enumerate(families):
        kinds = {(kind_of(one.name, moves[one.name], domain), one.for_whom) for one in family}
        if len(kinds) > 1:
            found |= _sharing(family, number, moves, domain)
    return found


def _candidate(action: Action, move: Move, domain: Domain) -> _Candidate | None:
    """What a move has in common with others; None if its edges depend on more than who moves."""
    start, end = action.parameters[move.start], action.parameters[move.end]
    moved = [
        shift
        for shift in shifts(action)
        if (shift.added.predicate, shift.place, shift.start, shift.end)
        == (move.moved, move.place, start.name, end.name)
    ]
    # Of two who go together nobody is the one who moves.
    if len(moved) > 1:
        return None
    (shift,) = moved
    by_name = {parameter.name: parameter for parameter in action.parameters}
    movers = [t for i, t in enumerate(shift.deleted.terms) if i != shift.place]
    leading = {action.parameters[i].name for i in move.leading}
    if len({*movers} & {*by_name}) < len(movers) or not leading <= {*movers}:
        return None
    fixed = tuple(
        c
        for c in action.precondition
        if c.atom.terms and {*c.atom.terms} <= {*movers} and is_static(c.atom, domain)
    )
    names = {start.name: "?from", end.name: "?to"} | {m: f"?{i}" for i, m in enumerate(movers)}
    labels = {action.parameters[i].name for i in move.labels}
    others = [n for n in by_name if n not in names and n not in labels]
    names |= {name: f"?other{i}" for i, name in enumerate(others)}
    alike = (
        frozenset(
            c.substitute(names)
            for c in action.precondition
            if c not in move.conditions and c not in fixed
        ),
        frozenset(effect.substitute(names) for effect in action.effects),
        tuple(by_name[name].types for name in others),
    )
    return _Candidate(
        action.name, tuple(by_name[mover] for mover in movers), (start, end), fixed, alike
    )


def _sharing(
    family: Sequence[_Candidate], number: int, moves: dict[str, Move], domain: Domain
) -> dict[str, Move]:
    """The moves of a family, with who moves before the ends if that makes a difference."""
    has_leading = any(moves[one.name].leading for one in family)
    is_for_all = not has_leading and len({one.for_whom for one in family}) == 1
    columns = zip(
        *((*(() if is_for_all else one.movers), *one.ends) for one in family), strict=True
    )
    types = tuple(_union([p.types for p in column], domain) for column in columns)
    # A way goes on from where it leads to.
    ends = _union(types[-2:], domain)
    types = (*types[:-2], ends, ends)
    found = {}
    for one in family:
        move, numbers = moves[one.name], domain.action(one.name).parameters
        found[one.name] = move._replace(
            edges="",
            leading=() if is_for_all else tuple(numbers.index(m) for m in one.movers),
            conditions=(*(() if is_for_all else one.fixed), *move.conditions),
            types=types,
            family=number,
        )
    return found


def _union(types: Sequence[TypeNames], domain: Domain) -> TypeNames:
    """The types without those that are subtypes of another one."""
    names = dict.fromkeys(name for some in types for name in some)
    return tuple(
        name
        for name in names
        if not any(other != name and domain.is_a(name, (other,)) for other in names)
    )

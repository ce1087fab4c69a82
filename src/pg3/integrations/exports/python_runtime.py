"""The part of an exported Python module that is the same for every policy.

`python_module` puts a policy in place of the empty one below and another text in place of this one.
So this file imports nothing but the standard library, and reads as a part of someone else's code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

# A fact or a condition without its sign: ("at", "car1", "dock").
Atom = tuple[str, ...]


class Condition(NamedTuple):
    """An atom over parameters ("?x") and constants that must hold, or must not.

    The kind is "" for an atom as it is; "any" where "_" in it stands for any object; "reach" for
    (relation, ..., x, z), that the relation leads from x to z in any number of steps; "next" for
    (relation, ..., x, y, z), that y is the next stop from x on a shortest way to z. The last two
    places of the relation are a step; what stands before them says whose steps.
    """

    atom: Atom
    positive: bool
    kind: str = ""


class Rule(NamedTuple):
    """If some objects satisfy the conditions, do the action. Parameters come with their types."""

    name: str
    parameters: tuple[tuple[str, tuple[str, ...]], ...]
    preconditions: tuple[Condition, ...]
    goals: tuple[Condition, ...]
    action: Atom


class Clause(NamedTuple):
    """One way in which a derived atom holds: some objects for the variables satisfy everything."""

    name: str
    parameters: tuple[tuple[str, tuple[str, ...]], ...]
    variables: tuple[tuple[str, tuple[str, ...]], ...]
    conditions: tuple[Condition, ...]
    goals: tuple[Condition, ...]


class Effect(NamedTuple):
    """Effects for all objects with which the conditions hold before the action."""

    variables: tuple[tuple[str, tuple[str, ...]], ...]
    conditions: tuple[Condition, ...]
    effects: tuple[Condition, ...]


class Action(NamedTuple):
    """What an action needs and does; adding comes after deleting."""

    parameters: tuple[tuple[str, tuple[str, ...]], ...]
    preconditions: tuple[Condition, ...]
    effects: tuple[Condition, ...]
    conditional: tuple[Effect, ...] = ()


class Run(NamedTuple):
    """How carrying out the policy ended, and the actions that were done.

    The status is "solved", "not applicable" (no rule applies, or the chosen action cannot be done),
    "cycle" (a state came again, which would go on for ever) or "horizon" (`max_steps` were done).
    """

    status: str
    plan: list[tuple[str, tuple[str, ...]]]


# == the policy ==
DOMAIN = ""
CONSTANTS: tuple[tuple[str, str], ...] = ()
SUBTYPES: dict[str, tuple[str, ...]] = {}
PREDICATES: dict[str, int] = {}
AXIOMS: tuple[tuple[Clause, ...], ...] = ()
DEFINITIONS: tuple[tuple[Clause, ...], ...] = ()
RULES: tuple[Rule, ...] = ()
ACTIONS: dict[str, Action] = {}
# == the policy ends ==


class Facts:
    """A set of atoms that finds quickly the objects that can complete an atom.

    An index is made when it is first asked for, and kept up to date from then on.
    """

    def __init__(self, atoms: Iterable[Sequence[str]] = ()) -> None:
        self._atoms = {tuple(atom) for atom in atoms}
        self._by_predicate: dict[str, set[Atom]] = {}
        for atom in self._atoms:
            self._by_predicate.setdefault(atom[0], set()).add(atom)
        # (predicate, places that are known, place that is asked for) -> what stands at the known
        # places -> each object at the place asked for, with the number of atoms that have it there.
        self._indexes: dict[
            tuple[str, tuple[int, ...], int], dict[tuple[str, ...], dict[str, int]]
        ] = {}
        self._distances: dict[tuple[str, ...], dict[str, int]] = {}

    def __contains__(self, atom: object) -> bool:
        return atom in self._atoms

    def __iter__(self) -> Iterator[Atom]:
        return iter(self._atoms)

    def __len__(self) -> int:
        return len(self._atoms)

    def of(self, predicates: Iterable[str]) -> frozenset[Atom]:
        """The atoms of the given predicates, as they are now."""
        return frozenset().union(*[self._by_predicate.get(name, ()) for name in predicates])

    def add(self, atom: Atom) -> None:
        """Make an atom true."""
        if atom not in self._atoms:
            self._atoms.add(atom)
            self._by_predicate.setdefault(atom[0], set()).add(atom)
            self._note(atom, 1)

    def discard(self, atom: Atom) -> None:
        """Make an atom false."""
        if atom in self._atoms:
            self._atoms.remove(atom)
            self._by_predicate[atom[0]].remove(atom)
            self._note(atom, -1)

    def _note(self, atom: Atom, change: int) -> None:
        self._distances.clear()
        for (predicate, known, asked), index in self._indexes.items():
            if predicate == atom[0]:
                counts = index.setdefault(tuple([atom[place] for place in known]), {})
                counts[atom[asked]] = counts.get(atom[asked], 0) + change
                if not counts[atom[asked]]:
                    del counts[atom[asked]]

    def completions(
        self, predicate: str, known: tuple[int, ...], values: tuple[str, ...], asked: int
    ) -> Collection[str]:
        """The objects at one place of the atoms that have the given values at the known places."""
        key = predicate, known, asked
        index = self._indexes.get(key)
        if index is None:
            index = self._indexes[key] = {}
            for atom in self._by_predicate.get(predicate, ()):
                counts = index.setdefault(tuple([atom[place] for place in known]), {})
                counts[atom[asked]] = counts.get(atom[asked], 0) + 1
        return index.get(values, {})

    def some(self, atom: Atom) -> bool:
        """Whether there is such an atom, with any object for each "_"."""
        known = tuple([place for place, term in enumerate(atom) if place and term != "_"])
        asked = atom.index("_", 1)
        return bool(self.completions(atom[0], known, tuple([atom[p] for p in known]), asked))

    def distances(self, relation: Atom, target: str) -> dict[str, int]:
        """How many steps each object is from a target, along the atoms that begin like this."""
        found = self._distances.get((*relation, target))
        if found is None:
            found = self._distances[(*relation, target)] = {target: 0}
            start = len(relation)
            known = (*range(1, start), start + 1)
            pending = [target]
            for node in pending:
                values = (*relation[1:], node)
                for before in self.completions(relation[0], known, values, start):
                    if before not in found:
                        found[before] = found[node] + 1
                        pending.append(before)
        return found


class Objects:
    """The objects of a problem in their order, the domain's constants first."""

    def __init__(self, objects: Mapping[str, str] | Iterable[Sequence[str]]) -> None:
        pairs = objects.items() if isinstance(objects, Mapping) else objects
        self.types = dict(CONSTANTS)
        for name, type_name in pairs:
            if type_name not in SUBTYPES:
                raise ValueError(f"{name}: there is no type {type_name!r}")
            self.types[name] = type_name
        self.number = {name: number for number, name in enumerate(self.types)}
        self._of_types: dict[tuple[str, ...], list[str]] = {}
        self._members: dict[tuple[str, ...], frozenset[str]] = {}

    def of(self, types: tuple[str, ...]) -> list[str]:
        """The objects of any of the types, subtypes included, in order."""
        if types not in self._of_types:
            accepted = {below for name in types for below in SUBTYPES[name]}
            found = [name for name, type_name in self.types.items() if type_name in accepted]
            self._of_types[types] = found
            self._members[types] = frozenset(found)
        return self._of_types[types]

    def members(self, types: tuple[str, ...]) -> frozenset[str]:
        """The same objects as a set."""
        self.of(types)
        return self._members[types]


def next_action(
    state: Facts | Iterable[Sequence[str]],
    goal: Facts | Iterable[Sequence[str]],
    objects: Objects | Mapping[str, str] | Iterable[Sequence[str]],
) -> tuple[str, tuple[str, ...]] | None:
    """The action that the policy chooses in a state, or None if no rule applies.

    `state` holds the facts that are true, `goal` the facts that are wanted true: tuples such as
    ("at", "car1", "dock"). What is derived is worked out here. `objects` maps each object to its
    type, in the problem's order (or lists pairs); constants of the domain are known. Pass `Facts`
    and `Objects` if you ask often: they are taken as they are, and `Facts` can be changed from
    state to state. ValueError for facts that the domain or the objects do not allow.

    The first rule that some objects satisfy decides, with the first such objects: its parameters
    vary like the digits of a number, the last the fastest. The action itself may be impossible.
    """
    facts, goals, things = _prepared(state, goal, objects)
    return _decide(_known(_closed(facts, things), goals, things), goals, things)


def run(
    state: Facts | Iterable[Sequence[str]],
    goal: Facts | Iterable[Sequence[str]],
    objects: Objects | Mapping[str, str] | Iterable[Sequence[str]],
    negative_goal: Iterable[Sequence[str]] = (),
    max_steps: int | None = None,
) -> Run:
    """Carry out the policy from a state up to the goal, or to where it fails.

    `negative_goal` holds the facts that are wanted false. Costs of actions are not looked at.
    """
    facts, goals, things = _prepared(state, goal, objects)
    current = Facts(facts)
    unwanted = [tuple(atom) for atom in negative_goal]
    plan: list[tuple[str, tuple[str, ...]]] = []
    # States differ in these only.
    changing = {effect.atom[0] for action in ACTIONS.values() for effect in action.effects}
    for action_schema in ACTIONS.values():
        for one in action_schema.conditional:
            changing |= {effect.atom[0] for effect in one.effects}
    seen = {current.of(changing)}
    while True:
        closed = _closed(current, things)
        if all(atom in closed for atom in goals) and not any(atom in closed for atom in unwanted):
            return Run("solved", plan)
        if max_steps is not None and len(plan) >= max_steps:
            return Run("horizon", plan)
        action = _decide(_known(closed, goals, things), goals, things)
        if action is None or not apply(action, current, things):
            return Run("not applicable", plan)
        plan.append(action)
        now = current.of(changing)
        if now in seen:
            return Run("cycle", plan)
        seen.add(now)


def apply(action: tuple[str, tuple[str, ...]], state: Facts, objects: Objects) -> bool:
    """Do an action, changing the state; False, and nothing changes, if it cannot be done."""
    name, arguments = action
    schema = ACTIONS[name]
    binding: dict[str, str] = {}
    for (parameter, types), argument in zip(schema.parameters, arguments, strict=True):
        if argument not in objects.members(types):
            return False
        binding[parameter] = argument
    closed = _closed(state, objects)
    if not all(_holds(condition, binding, closed) for condition in schema.preconditions):
        return False
    effects = [(_ground(effect.atom, binding), effect.positive) for effect in schema.effects]
    for one in schema.conditional:
        asked = [c._replace(atom=_ground(c.atom, binding)) for c in one.conditions]
        for found in _Query(one.variables, tuple(asked), ()).all(closed, Facts(), objects):
            both = {**binding, **found}
            effects += [(_ground(effect.atom, both), effect.positive) for effect in one.effects]
    for atom, positive in effects:
        if not positive:
            state.discard(atom)
    for atom, positive in effects:
        if positive:
            state.add(atom)
    return True


def _prepared(state: Any, goal: Any, objects: Any) -> tuple[Facts, Facts, Objects]:
    things = objects if isinstance(objects, Objects) else Objects(objects)
    return _facts(state, things), _facts(goal, things), things


def _facts(atoms: Facts | Iterable[Sequence[str]], objects: Objects) -> Facts:
    if isinstance(atoms, Facts):
        return atoms
    facts = Facts(atoms)
    for atom in facts:
        if PREDICATES.get(atom[0]) != len(atom) - 1:
            raise ValueError(f"{atom}: the domain has no such predicate, or of another arity")
        for name in atom[1:]:
            if name not in objects.types:
                raise ValueError(f"{atom}: there is no object {name!r}")
    return facts


def _closed(state: Facts, objects: Objects) -> Facts:
    """The facts with those that the domain's axioms derive; the same ones if it has none."""
    return _derived(state, Facts(), objects, _AXIOM_QUERIES)


def _known(closed: Facts, goal: Facts, objects: Objects) -> Facts:
    """The facts with those that the policy's own definitions derive."""
    return _derived(closed, goal, objects, _DEFINITION_QUERIES)


def _derived(
    state: Facts, goal: Facts, objects: Objects, groups: Sequence[Sequence[tuple[Clause, _Query]]]
) -> Facts:
    """Group by group, each until nothing new comes."""
    if not groups:
        return state
    heads = {clause.name for group in groups for clause, _ in group}
    known = Facts(atom for atom in state if atom[0] not in heads)
    for group in groups:
        size = -1
        while size < len(known):
            size = len(known)
            for clause, query in group:
                found = {
                    (clause.name, *[binding[name] for name, _ in clause.parameters])
                    for binding in query.all(known, goal, objects)
                }
                for atom in found:
                    known.add(atom)
    return known


def _decide(state: Facts, goal: Facts, objects: Objects) -> tuple[str, tuple[str, ...]] | None:
    for rule, query in zip(RULES, _QUERIES, strict=True):
        binding = query.first(state, goal, objects)
        if binding is not None:
            name, *arguments = _ground(rule.action, binding)
            return name, tuple(arguments)
    return None


class _Query:
    """Conditions made ready: what to look up and what to test as each parameter gets bound.

    A condition is tested as soon as all its parameters are bound. Before that it already narrows
    the choice for each of them to the objects that stand in a fitting atom.
    """

    def __init__(
        self,
        parameters: tuple[tuple[str, tuple[str, ...]], ...],
        preconditions: tuple[Condition, ...],
        goals: tuple[Condition, ...],
    ) -> None:
        self.parameters = parameters
        position = {name: place for place, (name, _) in enumerate(parameters)}
        # For each parameter: whether to look in the goal, the predicate, the places that are known
        # by then with what stands there, and the place of the parameter.
        self.lookups: list[list[tuple[bool, str, tuple[int, ...], tuple[str, ...], int]]] = [
            [] for _ in parameters
        ]
        # For each parameter, and first of all for none: what can be tested once it is bound.
        self.tests: list[list[tuple[bool, Condition]]] = [[] for _ in range(len(position) + 1)]
        for in_goal, conditions in ((False, preconditions), (True, goals)):
            for condition in conditions:
                predicate, *terms = condition.atom
                places = sorted({position[term] for term in terms if term in position})
                self.tests[places[-1] + 1 if places else 0].append((in_goal, condition))
                if condition.kind == "next":
                    terms.pop()  # what is left is a step, an atom as others are
                narrows = condition.positive and condition.kind in ("", "next")
                for place in places if narrows else ():
                    name = parameters[place][0]
                    if name not in terms:
                        continue
                    known = [
                        (at, term)
                        for at, term in enumerate(terms, start=1)
                        if position.get(term, -1) < place
                    ]
                    if predicate != "=" or known:
                        self.lookups[place].append(
                            (
                                in_goal,
                                predicate,
                                tuple([at for at, _ in known]),
                                tuple([term for _, term in known]),
                                terms.index(name) + 1,
                            )
                        )

    def first(self, state: Facts, goal: Facts, objects: Objects) -> dict[str, str] | None:
        """The first objects that satisfy the conditions, by parameter; None if there are none."""
        return next(self.all(state, goal, objects), None)

    def all(self, state: Facts, goal: Facts, objects: Objects) -> Iterator[dict[str, str]]:
        """All objects that satisfy the conditions, in order; each time the same dictionary."""
        binding: dict[str, str] = {}

        def tested(place: int) -> bool:
            return all(
                _holds(condition, binding, goal if in_goal else state)
                for in_goal, condition in self.tests[place]
            )

        def extend(place: int) -> Iterator[dict[str, str]]:
            if place == len(self.parameters):
                yield binding
                return
            name = self.parameters[place][0]
            for candidate in self.candidates(place, binding, state, goal, objects):
                binding[name] = candidate
                if tested(place + 1):
                    yield from extend(place + 1)

        if tested(0):
            yield from extend(0)

    def candidates(
        self, place: int, binding: dict[str, str], state: Facts, goal: Facts, objects: Objects
    ) -> list[str]:
        """The objects that a parameter may stand for, given those before it, in order."""
        types = self.parameters[place][1]
        choices: list[Collection[str]] = []
        for in_goal, predicate, known, terms, asked in self.lookups[place]:
            values = tuple([binding.get(term, term) for term in terms])
            if predicate == "=":
                choices.append(values)
            else:
                facts = goal if in_goal else state
                choices.append(facts.completions(predicate, known, values, asked))
        if not choices:
            return objects.of(types)
        choices.sort(key=len)
        members = objects.members(types)
        found = [
            candidate
            for candidate in choices[0]
            if candidate in members and all(candidate in others for others in choices[1:])
        ]
        return sorted(found, key=objects.number.__getitem__)


def _ground(atom: Atom, binding: dict[str, str]) -> Atom:
    return (atom[0], *[binding.get(term, term) for term in atom[1:]])


def _holds(condition: Condition, binding: dict[str, str], facts: Facts) -> bool:
    atom = _ground(condition.atom, binding)
    if condition.kind == "any":
        true = facts.some(atom)
    elif condition.kind == "reach":
        *relation, start, target = atom
        true = start in facts.distances(tuple(relation), target)
    elif condition.kind == "next":
        *relation, start, stop, target = atom
        away = facts.distances(tuple(relation), target)
        nearer = stop in away and away.get(start) == away[stop] + 1
        true = nearer and (*relation, start, stop) in facts
    else:
        true = atom[1] == atom[2] if atom[0] == "=" else atom in facts
    return true == condition.positive


def _clause_queries(
    groups: tuple[tuple[Clause, ...], ...],
) -> tuple[tuple[tuple[Clause, _Query], ...], ...]:
    return tuple(
        tuple((c, _Query((*c.parameters, *c.variables), c.conditions, c.goals)) for c in group)
        for group in groups
    )


_QUERIES = tuple(_Query(rule.parameters, rule.preconditions, rule.goals) for rule in RULES)
_AXIOM_QUERIES = _clause_queries(AXIOMS)
_DEFINITION_QUERIES = _clause_queries(DEFINITIONS)

"""The part of an exported Python module that is the same for every policy.

`python_module` puts a policy in place of the empty one below and another text in place of this one.
So this file imports nothing but the standard library, and reads as a part of someone else's code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
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


class Sum(NamedTuple):
    """A constant plus functions times coefficients, such as 2 * (fuel ?v).

    A function is ("=", "fuel", "?v") for its value in a state, and (">=", "fuel", "?v") with
    `of_goal` for the number that a goal compares it with by that word.
    """

    functions: tuple[tuple[Fraction | int, bool, Atom], ...]
    constant: Fraction | int


class Comparison(NamedTuple):
    """Two sums of functions of the places, compared by a word; its name is that of its atoms."""

    name: str
    places: tuple[str, ...]
    word: str
    left: Sum
    right: Sum


class Change(NamedTuple):
    """What an action does to a number: "increase", "decrease" or "assign"."""

    word: str
    function: Atom
    amount: Sum


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
    changes: tuple[Change, ...] = ()


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
FUNCTIONS: dict[str, int] = {}
COMPARISONS: tuple[Comparison, ...] = ()
AXIOMS: tuple[tuple[Clause, ...], ...] = ()
DEFINITIONS: tuple[tuple[Clause, ...], ...] = ()
RULES: tuple[Rule, ...] = ()
ACTIONS: dict[str, Action] = {}
# == the policy ends ==


class Facts:
    """A set of atoms that finds quickly the objects that can complete an atom.

    An index is made when it is first asked for, and kept up to date from then on. `numbers` has the
    values of functions, or what a goal compares them with: ("=", "fuel", "van1") -> 3.
    """

    def __init__(self, atoms: Iterable[Sequence[Any]] = ()) -> None:
        self._atoms: set[Atom] = set()
        self.numbers: dict[Atom, Fraction] = {}
        for atom in atoms:
            if _is_number(atom):
                word, function, number = atom
                self.set_number((word, *function), number)
            else:
                self._atoms.add(tuple(atom))
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

    def __iter__(self) -> Iterator[Any]:
        yield from self._atoms
        for (word, *function), number in self.numbers.items():
            yield word, tuple(function), number

    def set_number(self, function: Atom, number: Any) -> None:
        """Give a function such as ("=", "fuel", "van1") a value: an integer, a fraction or text."""
        try:
            self.numbers[function] = Fraction(str(number))
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"{number!r} is no number") from None

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
    state: Facts | Iterable[Sequence[Any]],
    goal: Facts | Iterable[Sequence[Any]],
    objects: Objects | Mapping[str, str] | Iterable[Sequence[str]],
    negative_goal: Iterable[Sequence[Any]] = (),
) -> tuple[str, tuple[str, ...]] | None:
    """The action that the policy chooses in a state, or None if no rule applies.

    `state` holds the facts that are true, `goal` the facts that are wanted true: tuples such as
    ("at", "car1", "dock"). What is derived is worked out here. `objects` maps each object to its
    type, in the problem's order (or lists pairs); constants of the domain are known. Pass `Facts`
    and `Objects` if you ask often: they are taken as they are, and `Facts` can be changed from
    state to state. ValueError for facts that the domain or the objects do not allow.

    A number stands among the facts as in PDDL, ("=", ("fuel", "van1"), 3), and so does a goal of
    one, (">=", ("fuel", "van1"), 5). Of `negative_goal`, see `run`, only numbers matter here.

    The first rule that some objects satisfy decides, with the first such objects: its parameters
    vary like the digits of a number, the last the fastest. The action itself may be impossible.
    """
    facts, goals, unwanted, things = _prepared(state, goal, negative_goal, objects)
    asked = _asked(goals, unwanted)
    return _decide(_known(_closed(facts, asked, things), asked, things), asked, things)


def run(
    state: Facts | Iterable[Sequence[Any]],
    goal: Facts | Iterable[Sequence[Any]],
    objects: Objects | Mapping[str, str] | Iterable[Sequence[str]],
    negative_goal: Iterable[Sequence[Any]] = (),
    max_steps: int | None = None,
) -> Run:
    """Carry out the policy from a state up to the goal, or to where it fails.

    `negative_goal` holds the facts that are wanted false. Costs of actions are not looked at.
    """
    facts, goals, unwanted, things = _prepared(state, goal, negative_goal, objects)
    current = Facts(facts)
    asked = _asked(goals, unwanted)
    plan: list[tuple[str, tuple[str, ...]]] = []
    # States differ in these only.
    changing = {effect.atom[0] for action in ACTIONS.values() for effect in action.effects}
    for action_schema in ACTIONS.values():
        for one in action_schema.conditional:
            changing |= {effect.atom[0] for effect in one.effects}
    seen = {(current.of(changing), tuple(current.numbers.values()))}
    while True:
        closed = _closed(current, asked, things)
        if all(_is_true(one, closed) for one in goals) and not any(
            _is_true(one, closed) for one in unwanted
        ):
            return Run("solved", plan)
        if max_steps is not None and len(plan) >= max_steps:
            return Run("horizon", plan)
        action = _decide(_known(closed, asked, things), asked, things)
        if action is None or not apply(action, current, things):
            return Run("not applicable", plan)
        plan.append(action)
        now = current.of(changing), tuple(current.numbers.values())
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
    closed = _closed(state, Facts(), objects)
    if not all(_holds(condition, binding, closed) for condition in schema.preconditions):
        return False
    effects = [(_ground(effect.atom, binding), effect.positive) for effect in schema.effects]
    for one in schema.conditional:
        asked = [c._replace(atom=_ground(c.atom, binding)) for c in one.conditions]
        for found in _Query(one.variables, tuple(asked), ()).all(closed, Facts(), objects):
            both = {**binding, **found}
            effects += [(_ground(effect.atom, both), effect.positive) for effect in one.effects]
    values = dict(state.numbers)
    for change in schema.changes:
        function = _ground(change.function, binding)
        amount = _amount(change.amount, binding, state, Facts())
        if function not in values or amount is None:
            return False
        sign = {"increase": 1, "decrease": -1}.get(change.word)
        values[function] = amount if sign is None else values[function] + sign * amount
    state.numbers = values
    for atom, positive in effects:
        if not positive:
            state.discard(atom)
    for atom, positive in effects:
        if positive:
            state.add(atom)
    return True


def _prepared(
    state: Any, goal: Any, negative_goal: Any, objects: Any
) -> tuple[Facts, Facts, Facts, Objects]:
    things = objects if isinstance(objects, Objects) else Objects(objects)
    facts, goals, unwanted = (_facts(some, things) for some in (state, goal, negative_goal))
    for function, number in unwanted.numbers.items():
        if goals.numbers.get(function, number) != number:
            raise ValueError(f"two goals compare {function[1:]} by {function[0]!r}")
    return facts, goals, unwanted, things


def _facts(atoms: Facts | Iterable[Sequence[Any]], objects: Objects) -> Facts:
    if isinstance(atoms, Facts):
        return atoms
    atoms = [tuple(atom) for atom in atoms]
    seen: set[Atom] = set()
    for atom in atoms:
        names = atom[1] if _is_number(atom) else atom
        table, what = (FUNCTIONS, "function") if _is_number(atom) else (PREDICATES, "predicate")
        if table.get(names[0]) != len(names) - 1:
            raise ValueError(f"{atom}: the domain has no such {what}, or of another arity")
        for name in names[1:]:
            if name not in objects.types:
                raise ValueError(f"{atom}: there is no object {name!r}")
        if _is_number(atom) and (atom[0], *names) in seen:
            raise ValueError(f"{atom}: there are two numbers for {tuple(names)}")
        seen.add((atom[0], *names))
    return Facts(atoms)


def _is_number(atom: Sequence[Any]) -> bool:
    return len(atom) == 3 and atom[0] in _WORDS and not isinstance(atom[1], str)


_WORDS = ("<", "<=", "=", ">=", ">")


def _compare(word: str, left: Fraction, right: Fraction) -> bool:
    if left == right:
        return word in ("<=", "=", ">=")
    return word[0] == ("<" if left < right else ">")


def _is_true(atom: Any, state: Facts) -> bool:
    """Whether a goal holds in a state."""
    if not _is_number(atom):
        return atom in state
    word, function, number = atom
    value = state.numbers.get(("=", *function))
    return value is not None and _compare(word, value, number)


def _asked(goals: Facts, unwanted: Facts) -> Facts:
    """The goals as rules see them: one of a number is an atom, whatever the number."""
    if not (goals.numbers or unwanted.numbers):
        return goals
    changed = {change.function[1] for action in ACTIONS.values() for change in action.changes}
    found = Facts(atom for atom in goals if not _is_number(atom))
    for function, number in (*goals.numbers.items(), *unwanted.numbers.items()):
        word, name, *arguments = function
        if name in changed and len(set(arguments)) == len(arguments):
            found.numbers[function] = number
            if function in goals.numbers:
                places = "".join(f" ${i + 1}" for i in range(len(arguments)))
                found.add((f"({word} ({name}{places}) (goal ({name}{places})))", *arguments))
    return found


def _amount(total: Sum, binding: Mapping[str, str], state: Facts, goal: Facts) -> Fraction | None:
    """What a sum amounts to; None if a function has no value."""
    amount = Fraction(total.constant)
    for coefficient, of_goal, function in total.functions:
        value = (goal if of_goal else state).numbers.get(
            (*function[:2], *[binding.get(term, term) for term in function[2:]])
        )
        if value is None:
            return None
        amount += coefficient * value
    return amount


def _compared(state: Facts, goal: Facts) -> Facts:
    """The facts with the comparisons of numbers that hold."""
    if not COMPARISONS:
        return state
    known = Facts(state)
    # (of the goal, word, function) -> the objects with which it has a value.
    rows: dict[tuple[bool, str, str], dict[Atom, None]] = {}
    for of_goal, facts in ((False, state), (True, goal)):
        for word, name, *arguments in facts.numbers:
            rows.setdefault((of_goal, word, name), {})[tuple(arguments)] = None
    for one in COMPARISONS:
        functions = [(g, f) for _, g, f in (*one.left.functions, *one.right.functions)]
        bindings: list[dict[str, str]] = [{}]
        for of_goal, (word, name, *places) in functions:
            values = rows.get((of_goal, word, name), {})
            more: list[dict[str, str]] = []
            for binding in bindings:
                if all(place in binding for place in places):
                    if tuple([binding[place] for place in places]) in values:
                        more.append(binding)
                    continue
                for objects in values:
                    found = dict(binding)
                    if all(
                        found.setdefault(place, thing) == thing
                        for place, thing in zip(places, objects, strict=True)
                    ):
                        more.append(found)
            bindings = more
        for binding in bindings:
            left = _amount(one.left, binding, state, goal)
            right = _amount(one.right, binding, state, goal)
            if left is not None and right is not None and _compare(one.word, left, right):
                known.add((one.name, *[binding[place] for place in one.places]))
    return known


def _closed(state: Facts, goal: Facts, objects: Objects) -> Facts:
    """The facts with comparisons that hold and with what the domain's axioms derive.

    The same ones if it has neither.
    """
    return _derived(_compared(state, goal), Facts(), objects, _AXIOM_QUERIES)


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

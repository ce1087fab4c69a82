"""unified-planning problems as pg3 domains and problems, value by value, without files.

unified-planning knows no domains: a problem holds its types, fluents and actions itself. So
problems share a domain if these agree, and a domain's constants are the objects that actions name.
Its names may be any text; pg3's are those of PDDL, lower case. `Names` keeps the way back.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, NoReturn

from unified_planning.model import InstantaneousAction
from unified_planning.model import Problem as UpProblem
from unified_planning.model.walkers import Simplifier
from unified_planning.plans import ActionInstance, SequentialPlan

from pg3.errors import Pg3Error
from pg3.integrations.up.costs import Costs, find_costs
from pg3.integrations.up.expressions import Expressions
from pg3.integrations.up.kind import supported_kind
from pg3.integrations.up.names import NEVER, Names, SharedNames
from pg3.integrations.up.numbers import Numbers, is_number, number_in
from pg3.pddl.adl import Compiler
from pg3.pddl.formulas import Junction
from pg3.pddl.goals import TooLargeError, ground_goal, with_goal_numbers
from pg3.pddl.model import (
    OBJECT,
    Action,
    Atom,
    ConditionalEffect,
    Domain,
    Literal,
    Parameter,
    Predicate,
    Problem,
    Type,
    TypedObject,
)
from pg3.pddl.reading.domain import with_comparisons
from pg3.pddl.reading.number_reader import TOTAL_COST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pg3.pddl.formulas import Formula
    from pg3.pddl.model import Disjunction
    from pg3.pddl.numbers import Number
    from pg3.pddl.plans import Plan


class UnsupportedProblemError(Pg3Error):
    """A unified-planning problem outside pg3's fragment: what and where."""


@dataclass(frozen=True)
class Conversion:
    """Problems of one domain, with the way back from pg3's plans to those of unified-planning."""

    domain: Domain
    problems: tuple[Problem, ...]
    _originals: tuple[Any, ...] = field(repr=False)
    _actions: Mapping[str, str] = field(repr=False)
    _objects: tuple[Mapping[str, str], ...] = field(repr=False)

    def plan(self, plan: Plan, place: int = 0) -> Any:
        """The plan in terms of one of the original problems, as a `SequentialPlan`."""
        original, objects = self._originals[place], self._objects[place]
        manager = original.environment.expression_manager
        steps = [
            ActionInstance(
                original.action(self._actions[step.name]),
                tuple(manager.ObjectExp(original.object(objects[name])) for name in step.objects),
            )
            for step in plan
        ]
        return SequentialPlan(steps, original.environment)


def convert(
    problems: Sequence[Any],
    *,
    name: str = "domain",
    all_constant: bool = False,
    with_costs: bool = False,
) -> Conversion:
    """The problems in pg3's terms; UnsupportedProblemError if one is outside the fragment.

    They must be of one domain: the same fluents and actions, and types that do not contradict each
    other; that domain gets the given name. Its constants are the objects that actions name, which
    every problem must then have; with `all_constant` (for a single problem) every object is a
    constant, so that a policy may name any of them. The order of objects, which decides what a rule
    tries first, is that of `all_objects`, constants before the others.

    Costs are left out unless `with_costs` asks for them: CostError if they cannot be had.
    """
    if not problems:
        raise Pg3Error("no problems to convert")
    if all_constant and len(problems) > 1:
        raise ValueError("only the objects of a single problem can all be constants")
    shared = SharedNames()
    readers = [_Reader(p, shared, all_constant, with_costs) for p in problems]
    domains = [reader.domain(name) for reader in readers]
    for problem, domain in zip(problems[1:], domains[1:], strict=True):
        if difference := _difference(domains[0], domain):
            raise Pg3Error(
                f"problem '{problem.name}' is of another domain than '{problems[0].name}': "
                + difference
            )
    types = {type_.name: type_ for domain in reversed(domains) for type_ in domain.types}
    domain = Domain(
        name,
        tuple(dict.fromkeys([types[OBJECT], *types.values()])),
        domains[0].constants,
        domains[0].predicates,
        domains[0].actions,
        domains[0].functions,
        axioms=domains[0].axioms,
    )
    return Conversion(
        domain,
        tuple(reader.problem(domain) for reader in readers),
        tuple(problems),
        {shared.actions[a.name]: a.name for a in problems[0].actions},
        tuple(
            {reader.objects[o.name]: o.name for o in reader.source.all_objects}
            for reader in readers
        ),
    )


def _difference(one: Domain, other: Domain) -> str | None:
    """The part in which two domains contradict each other; a missing type has no objects."""
    for what in ("types", "predicates", "functions", "constants", "actions"):
        mine = {thing.name: thing for thing in getattr(one, what)}
        for thing in getattr(other, what):
            twin = mine.pop(thing.name, None)
            if twin != thing and not (what == "types" and twin is None):
                return f"its {what[:-1]} '{thing.name}' is different"
        if mine and what != "types":
            return f"it has no {what[:-1]} '{next(iter(mine))}'"
    return None


class _Reader:
    """Converts one unified-planning problem."""

    def __init__(
        self, source: Any, shared: SharedNames, all_constant: bool, with_costs: bool
    ) -> None:
        self.source = source
        # Asked here and not left to the engine's caller, who gets no more than a warning where the
        # engine is selected by name: what is not looked at below would be ignored.
        if unsupported := sorted(source.kind.features - supported_kind().features):
            self.fail(f"problems of the kind {', '.join(unsupported)}")
        if not isinstance(source, UpProblem):
            self.fail(f"a {type(source).__name__}", "expected a classical problem")
        self.shared = shared
        self._compiler = Compiler()
        # Knows the values of static fluents, as what declares the kind of a problem does.
        self.simplifier = Simplifier(source.environment, source)
        self._root = self._root_type()
        for action in source.actions:
            self._require_classical(action)
        self._costs: Costs | None = find_costs(source, self._values) if with_costs else None
        self.numbers = Numbers(source, shared.functions, self.fail)
        named = set(source.all_objects) if all_constant else set(self._objects_in_actions())
        self._constants = [o for o in source.all_objects if o in named]
        self._others = [o for o in source.all_objects if o not in named]
        self.objects = self._object_names()
        self._actions = tuple(self._action(action) for action in source.actions)
        self._goal: tuple[Formula, ...] = tuple(
            literal
            for goal in source.goals
            for literal in Expressions(self, "the goal", {}).formulas(goal)
        )

    def fail(self, what: str, advice: str = "") -> NoReturn:
        message = f"problem '{self.source.name}': not supported: {what}"
        raise UnsupportedProblemError(f"{message}; {advice}" if advice else message)

    # -- types and objects ----------------------------------------------------------------------

    def _root_type(self) -> Any | None:
        """The type that is pg3's `object`: one of this name above all others, or none."""
        types = list(self.source.user_types)
        for type_ in types:
            if type_.name.lower() == OBJECT and all(type_ in list(t.ancestors) for t in types):
                self.shared.types.assign(type_.name, OBJECT)
                return type_
        return None

    def type_name(self, type_: Any) -> str:
        if not type_.is_user_type():
            self.fail(f"a parameter of type {type_}", "expected a user type")
        return self.shared.types[type_.name]

    def _types(self) -> Iterator[Type]:
        yield Type(OBJECT, ())
        for type_ in self.source.user_types:
            if type_ != self._root:
                above = OBJECT if type_.father is None else self.type_name(type_.father)
                yield Type(self.type_name(type_), (above,))

    def _objects_in_actions(self) -> Iterator[Any]:
        pending = [
            part
            for action in self.source.actions
            for part in (
                *action.preconditions,
                *(effect.fluent for effect in action.effects),
                *(effect.value for effect in action.effects),
                *(effect.condition for effect in action.effects),
            )
        ]
        if self._costs is not None:
            pending += [cost for cost in self._costs.expressions.values() if cost is not None]
        while pending:
            expression = pending.pop()
            if expression.is_object_exp():
                yield expression.object()
            pending.extend(expression.args)

    def _object_names(self) -> Names:
        names = Names(self.shared.constants[constant.name] for constant in self._constants)
        for constant in self._constants:
            names.assign(constant.name, self.shared.constants[constant.name])
        return names

    def _typed_object(self, thing: Any) -> TypedObject:
        return TypedObject(self.objects[thing.name], self.type_name(thing.type))

    # -- the domain -----------------------------------------------------------------------------

    def domain(self, name: str) -> Domain:
        """The domain that this problem alone would have."""
        predicates = [
            Predicate(self.shared.predicates[fluent.name], self._signature(fluent.signature))
            for fluent in self.source.fluents
            if fluent.type.is_bool_type()
        ]
        if self.shared.needs_never:
            predicates.append(Predicate(NEVER, ()))
        predicates += self._compiler.predicates
        functions = []
        if self._costs is not None:
            functions = [
                Predicate(self._costs_name(fluent), self._signature(fluent.signature))
                for fluent in self._costs.values
            ]
            functions.insert(0, Predicate(TOTAL_COST, ()))
        functions += [
            Predicate(self.shared.functions[fluent.name], self._signature(fluent.signature))
            for fluent in self.numbers.fluents
        ]
        return with_comparisons(
            Domain(
                name,
                tuple(self._types()),
                tuple(map(self._typed_object, self._constants)),
                tuple(predicates),
                self._actions,
                tuple(functions),
                axioms=self._compiler.clauses,
            )
        )

    def _costs_name(self, fluent: Any) -> str:
        """Of a cost: its values are scaled, so it is not the function that conditions speak of."""
        own = f"{fluent.name} cost" if fluent in self.numbers.fluents else fluent.name
        return self.shared.functions[own]

    def _signature(self, parameters: Iterable[Any]) -> tuple[Parameter, ...]:
        names = Names()
        return tuple(
            Parameter(f"?{names[parameter.name]}", (self.type_name(parameter.type),))
            for parameter in parameters
        )

    def _require_classical(self, action: Any) -> None:
        if not isinstance(action, InstantaneousAction):
            self.fail(f"action '{action.name}', a {type(action).__name__}")
        if action.simulated_effect is not None:
            self.fail(f"the simulated effect of action '{action.name}'")

    def _action(self, action: Any) -> Action:
        parameters = self._signature(action.parameters)
        pairs = zip(action.parameters, parameters, strict=True)
        where = f"action '{action.name}'"
        found = Expressions(self, where, {theirs.name: mine.name for theirs, mine in pairs})
        types = {parameter.name: parameter.types for parameter in parameters}
        asked = [formula for p in action.preconditions for formula in found.formulas(p)]
        numeric = self.numbers.effects(action, where, found.function)
        asked += self.numbers.bounds(numeric, tuple(asked), where)
        precondition = self._compiler.literals(asked, types)
        effects: dict[tuple[tuple[Parameter, ...], tuple[Literal, ...]], dict[Literal, None]] = {}
        for effect in action.effects:
            if is_number(effect.fluent.type):
                continue
            inner, own = found.bound(effect.forall)
            known = types | {variable.name: variable.types for variable in own}
            condition = () if effect.condition.is_true() else (effect.condition,)
            conditions = self._compiler.literals(
                (formula for part in condition for formula in inner.formulas(part)), known
            )
            effects.setdefault((own, conditions), {})[inner.effect(effect)] = None
        always = effects.pop(((), ()), {})
        return Action(
            self.shared.actions[action.name],
            parameters,
            precondition,
            tuple(always),
            self._cost(action, found),
            tuple(ConditionalEffect(*key, tuple(literals)) for key, literals in effects.items()),
            tuple(numeric),
        )

    def _cost(self, action: Any, found: Expressions) -> int | Atom | None:
        cost = None if self._costs is None else self._costs.expressions[action.name]
        if self._costs is None or cost is None:
            return None
        if cost.is_fluent_exp():
            return Atom(self._costs_name(cost.fluent()), found.terms(cost))
        return self._costs.amount(cost)

    # -- the problem ----------------------------------------------------------------------------

    def problem(self, domain: Domain) -> Problem:
        """The problem, of the domain that it shares with others."""
        literals = [goal for goal in self._goal if isinstance(goal, Literal)]
        problem = Problem.of(
            self.source.name or "problem",
            domain,
            map(self._typed_object, self._others),
            self._initial_atoms(),
            (),
            function_values=dict(self._function_values()),
        )
        disjunctions: tuple[Disjunction, ...] = ()
        if len(literals) < len(self._goal):
            whole = Junction("and", self._goal)
            try:
                goal = ground_goal(whole, domain, problem.all_objects, frozenset(problem.init))
            except TooLargeError as error:
                self.fail(str(error))
            literals, disjunctions = list(goal.literals), goal.disjunctions
        asked, more, numbers = with_goal_numbers(literals, domain)
        values = {**problem.function_values, **numbers}
        return replace(
            problem.replace(goal=asked, function_values=values),
            disjunctions=(*disjunctions, *more),
        )

    @property
    def _initial(self) -> Expressions:
        return Expressions(self, "the initial state", {})

    def _function_values(self) -> Iterator[tuple[Atom, Number]]:
        """The costs, scaled, and the numbers at the start."""
        if self._costs is not None:
            for fluent, values in self._costs.values.items():
                for ground, value in values.items():
                    terms = Expressions(self, "the costs", {}).terms(ground)
                    yield Atom(self._costs_name(fluent), terms), self._costs.amount(value)
        for fluent in self.numbers.fluents:
            for ground, value in self._values(fluent):
                number = number_in(value.simplify())
                if number is None:
                    advice = "expected a number that fits"
                    self.fail(f"the initial value {value} of {ground}", advice)
                yield self._initial.function(ground), number

    def _initial_atoms(self) -> Iterator[Atom]:
        for fluent in self.source.fluents:
            if not fluent.type.is_bool_type():
                continue
            for ground, value in self._values(fluent):
                constant = value.simplify()
                if not constant.is_bool_constant():
                    self.fail(f"the initial value {value} of {ground}", "expected true or false")
                if constant.bool_constant_value():
                    yield self._initial.atom(ground)

    def _values(self, fluent: Any) -> Iterator[tuple[Any, Any]]:
        """The ground instances of a fluent with their initial values, false defaults left out."""
        explicit = self._explicit_values.get(fluent, {})
        default = self.source.fluents_defaults.get(fluent)
        is_undefined = default is None and is_number(fluent.type)
        if is_undefined or (default is not None and default.is_false()):
            yield from explicit.items()
            return
        manager = self.source.environment.expression_manager
        for parameter in fluent.signature:
            self.type_name(parameter.type)
        choices = [list(self.source.objects(parameter.type)) for parameter in fluent.signature]
        for objects in product(*choices):
            ground = manager.FluentExp(fluent, tuple(map(manager.ObjectExp, objects)))
            value = explicit.get(ground, default)
            assert value is not None, "undefined values are a feature that is not supported"
            yield ground, value

    @cached_property
    def _explicit_values(self) -> dict[Any, dict[Any, Any]]:
        found: dict[Any, dict[Any, Any]] = {}
        for ground, value in self.source.explicit_initial_values.items():
            found.setdefault(ground.fluent(), {})[ground] = value
        return found

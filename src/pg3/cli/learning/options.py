"""The options of learning on the command line, made from `LearnConfig`."""

from __future__ import annotations

from functools import wraps
from inspect import Parameter, signature
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from pg3.cli.app import completed, limit, number, one_of
from pg3.learning.config import OPTIONS, LearnConfig, Option
from pg3.storage.schema import Flag, ListOf, Nothing, Number, Whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_NOTHING: Mapping[str, str] = MappingProxyType({})


def learn_option(name: str, text: str | None = None, **changes: Any) -> Any:
    """The option of learning with this name, for typer; `text` is another help text."""
    option = OPTIONS[name]
    shape = option.plain_shape
    settings: dict[str, Any] = {"metavar": option.metavar, "help": text or option.help}
    declarations = []
    if isinstance(shape, Flag):
        # There is no option to say no.
        declarations = [f"--{name.replace('_', '-')}"]
        del settings["metavar"]
    elif isinstance(shape, Whole | Number):
        settings["min"] = shape.least
        if isinstance(shape, Number):
            settings["callback"] = limit if isinstance(option.shape, Nothing) else number
    elif option.names is not None:
        settings["autocompletion"] = completed(option.names)
        if not isinstance(shape, ListOf):
            settings["callback"] = one_of(option.names)
    if name == "max_candidates":
        candidates, _ = LearnConfig().limits
        settings["show_default"] = str(candidates)
    return typer.Option(*declarations, **settings | changes)


def _kind(option: Option) -> Any:
    """The type of what the command line takes: operators are one text, A,B,..., kept rules many."""
    shape = option.plain_shape
    kind: Any = str
    if isinstance(shape, Flag):
        kind = bool
    elif isinstance(shape, Whole | Number):
        kind = int if isinstance(shape, Whole) else float
    elif isinstance(shape, ListOf) and option.names is None:
        kind = list[str]
    return kind | None if option.default in (None, ()) else kind


def _value(option: Option, value: Any) -> Any:
    """What a config has for what the command line gave."""
    if isinstance(option.plain_shape, ListOf):
        if value is None:
            return option.default
        return [one.strip() for one in value.split(",")] if isinstance(value, str) else value
    return value


def with_config(
    *names: str,
    before: Mapping[str, str] = _NOTHING,
    texts: Mapping[str, str] = _NOTHING,
    **fixed: Any,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command whose `config` is made of options with these names, by default all.

    Help lists them where the parameter stands, and `before` some of them other parameters, by their
    names. `texts` are help texts other than the config's, `fixed` options that are not asked for.
    """
    chosen = names or tuple(OPTIONS)

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, localns={"LearnConfig": LearnConfig}, include_extras=True)
        own = {
            parameter.name: parameter.replace(annotation=hints.get(parameter.name))
            for parameter in signature(command).parameters.values()
        }
        parameters = []
        moved = {other for others in before.values() for other in others.split()}
        for parameter in own.values():
            if parameter.name == "config":
                for name in chosen:
                    parameters += [own[other] for other in before.get(name, "").split()]
                    parameters.append(_parameter(name, texts.get(name)))
            elif parameter.name not in moved:
                parameters.append(parameter)

        @wraps(command)
        def run(*arguments: Any, **options: Any) -> None:
            given = {name: _value(OPTIONS[name], options.pop(name)) for name in chosen}
            command(*arguments, config=LearnConfig(**given, **fixed), **options)

        run.__signature__ = signature(command).replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": None}
        return run

    return decorate


def _parameter(name: str, text: str | None) -> Parameter:
    option = OPTIONS[name]
    kind: Any = _kind(option)
    return Parameter(
        name,
        Parameter.KEYWORD_ONLY,
        default=None if option.default == () else option.default,
        annotation=Annotated[kind, learn_option(name, text)],
    )

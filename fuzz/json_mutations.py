"""Valid JSON made wrong, as a stranger might: changes of values instead of bytes, by a seed.

A text of any bytes is refused as no JSON nearly always, so that nothing behind the reader is tried.
Here types are swapped, fields go, come and stand twice, lists are cut and repeated, numbers are
huge, texts have halves of surrogate pairs, and values come from elsewhere in the file.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import random


class _Raw(NamedTuple):
    """A text that stands for a value which `json.dumps` does not write."""

    text: str


_HOSTILE: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 0.5, -0.5, 1e308, -0.0),
    *(2**31 - 1, 2**31, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**30, 10**400),
    *("", "x", "0", "\ud800", "\udcff", "\x00", "\x1b[2J", "a\nb", "../x", "y" * 5000),
    *([], {}, [[]], [None], {"x": 1}, [0, 1], [[0, 0]]),
    *map(_Raw, ("NaN", "-Infinity", "1e999", "[" * 60 + "]" * 60, "[" * 100_000 + "]" * 100_000)),
)

# Where a change is made: a part of a value, by the containers on the way to it. At each of them the
# way goes on this often.
_DEEPER = 0.8


def mutated_json(text: str | bytes, generator: random.Random) -> bytes:
    """A JSON text with one to three changes."""
    value = json.loads(text)
    for _ in range(generator.choice((1, 1, 1, 2, 3))):
        value = _changed(value, value, generator)
    return _written(value).encode()


def mutated_lines(text: str | bytes, generator: random.Random) -> bytes:
    """A text of JSON lines with a change of a line, or of the lines."""
    lines = (text.encode() if isinstance(text, str) else text).splitlines()
    place = generator.randrange(len(lines))
    kind = generator.randrange(12)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines.insert(generator.randrange(len(lines)), lines[place])
    elif kind == 2:
        other = generator.randrange(len(lines))
        lines[place], lines[other] = lines[other], lines[place]
    elif kind == 3:
        lines.insert(place, _written(generator.choice(_HOSTILE)).encode())
    else:
        lines[place] = mutated_json(lines[place], generator)
        if kind == 4:
            del lines[place + 1 :]
    return b"".join(line + b"\n" for line in lines)


def _changed(value: Any, whole: Any, generator: random.Random) -> Any:
    """The value with one change somewhere in it."""
    if isinstance(value, dict | list) and value and generator.random() < _DEEPER:
        key = generator.choice(list(value) if isinstance(value, dict) else range(len(value)))
        copy = value.copy()
        copy[key] = _changed(value[key], whole, generator)
        return copy
    changes = [_replaced, _from_elsewhere, _wrapped]
    if isinstance(value, dict) and value:
        changes += [_without_field, _with_field, _renamed, _twice, _swapped]
    elif isinstance(value, list):
        changes += [_cut, _repeated, _with_item, _shuffled]
    elif isinstance(value, int | float):
        changes += [_near, _near]
    return generator.choice(changes)(value, whole, generator)


def _replaced(_value: Any, _whole: Any, generator: random.Random) -> Any:
    return generator.choice(_HOSTILE)


def _from_elsewhere(_value: Any, whole: Any, generator: random.Random) -> Any:
    found = whole
    while isinstance(found, dict | list) and found and generator.random() < _DEEPER:
        found = generator.choice(list(found.values()) if isinstance(found, dict) else found)
    return found


def _wrapped(value: Any, _whole: Any, generator: random.Random) -> Any:
    as_text = _written(value)[:100]
    return generator.choice(([value], {"value": value}, as_text, [value, value]))


def _near(value: Any, _whole: Any, generator: random.Random) -> Any:
    if abs(value) > 1e100:  # no float, or none that can be added to
        return -value
    return generator.choice((value + 1, value - 1, -value, value * 1000, float(value), value // 2))


def _without_field(value: Any, _whole: Any, generator: random.Random) -> Any:
    gone = generator.choice(list(value))
    return {name: item for name, item in value.items() if name != gone}


def _with_field(value: Any, _whole: Any, generator: random.Random) -> Any:
    return {**value, generator.choice(("surplus", "", "\ud800", "n" * 500)): 1}


def _renamed(value: Any, _whole: Any, generator: random.Random) -> Any:
    old = generator.choice(list(value))
    return {old.upper() if name == old else name: item for name, item in value.items()}


def _twice(value: Any, _whole: Any, generator: random.Random) -> Any:
    name = generator.choice(list(value))
    again = f"{json.dumps(name)}: {_written(generator.choice(_HOSTILE))}"
    return _Raw(f"{_written(value)[:-1]}, {again}}}")


def _swapped(value: Any, _whole: Any, generator: random.Random) -> Any:
    one, other = generator.choices(list(value), k=2)
    return {**value, one: value[other], other: value[one]}


def _cut(value: Any, _whole: Any, generator: random.Random) -> Any:
    return value[: generator.randrange(len(value) + 1)]


def _repeated(value: Any, _whole: Any, generator: random.Random) -> Any:
    return value * generator.choice((2, 3, 50 if len(value) < 50 else 2))


def _with_item(value: Any, _whole: Any, generator: random.Random) -> Any:
    place = generator.randrange(len(value) + 1)
    return [*value[:place], generator.choice(_HOSTILE), *value[place:]]


def _shuffled(value: Any, _whole: Any, generator: random.Random) -> Any:
    return generator.sample(value, len(value))


def _written(value: Any) -> str:
    if isinstance(value, _Raw):
        return value.text
    if isinstance(value, dict):
        parts = (f"{json.dumps(name)}: {_written(item)}" for name, item in value.items())
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    return json.dumps(value)

"""Inputs to begin with for the harness of the kernel, which takes numbers.

It gets far with long inputs only, to which libFuzzer comes late by itself; and what is random
hardly ever makes a policy whose derived relations change while it is carried out.
"""

from __future__ import annotations

import random

_ONE_TYPE = (0,)
_FIVE_OBJECTS = (5, 0, 0, 0, 0, 0)
_EDGE_AND_PROBE = (1, 2, 2)
_NONE_DERIVED, _PATH_DERIVED = (0,), (1, 2)
_TWO_PARAMETERS = (2, 0, 0, 0, 0)
_X, _Y, _Z = (0, 0), (0, 1), (0, 2)


def _action(positive: int, predicate: int) -> tuple[int, ...]:
    """An action of two parameters without preconditions that has one effect."""
    effect = (1, 0, positive, predicate, *_X, *_Y)
    return (*_TWO_PARAMETERS, 0, *effect, 1, 1, 0)


_YES, _NO = 0, 2
_OPEN, _ASK, _CLOSE = _action(_YES, 0), _action(_YES, 1), _action(_NO, 0)
_EDGES = ((0, 1), (1, 2), (2, 0), (2, 3), (3, 4))
_INIT = (5, *(number for edge in _EDGES for number in (0, *edge)))
_GOAL = (1, 1, 4, 0)
_ACTIONS_AND_ATOMS = (3, *_OPEN, *_ASK, *_CLOSE, *_INIT, *_GOAL, 0, 0)
_TASK = (*_ONE_TYPE, *_FIVE_OBJECTS, *_EDGE_AND_PROBE, *_NONE_DERIVED, *_ACTIONS_AND_ATOMS)
# There is a path if there is an edge, or an edge to where there is a path from.
_CLAUSES = (
    *(*_TWO_PARAMETERS, 1, 0, _YES, 0, *_X, *_Y),
    *(3, 0, 0, 0, 0, 0, 0, 2, 0, _YES, 0, *_X, *_Z, 8, 0, _YES, *_Z, *_Y),
)
_PATH = (0, 0, 2, 1, *_CLAUSES)
_REACH_ALONG_PATH = (2, 1, 0)
_NEXT_ALONG_EDGE = (3, 0, 0)
_RELATIONS = (3, *_PATH, *_REACH_ALONG_PATH, *_NEXT_ALONG_EDGE)
# Circles are opened, what is not connected is connected, and what is near is asked about.
_RULES = (
    *(3,),
    *(2, 1, 2, 0, _YES, 0, *_X, *_Y, 8, 0, _YES, *_Y, *_X),
    *(0, 1, 2, 8, 1, _NO, *_X, *_Y, 8, 0, _NO, *_Y, *_X),
    *(1, 1, 2, 8, 2, _YES, *_X, *_Y, *_Y, 0, _NO, 1, *_X, *_Y),
)

_MAZE = bytes((*_TASK, *_RELATIONS, *_RULES))

# The same, with the path as the third predicate of the domain: it is the goal, and opened in rules.
_WANTED_PATH = (1, 2, 4, 0)
_AXIOMS = (
    *(1,),
    *(*_TWO_PARAMETERS, 1, 0, _YES, 0, *_X, *_Y, 1),
    *(3, 0, 0, 0, 0, 0, 0, 2, 0, _YES, 0, *_X, *_Z, 0, _YES, 2, *_Z, *_Y, 1),
)
_DERIVING_TASK = (
    *(*_ONE_TYPE, *_FIVE_OBJECTS, *_EDGE_AND_PROBE, *_PATH_DERIVED),
    *(3, *_OPEN, *_ASK, *_CLOSE, *_INIT, *_WANTED_PATH, 0, 0),
    *_AXIOMS,
)
_ALONG_AXIOM = (1, 2, 0, 2)
_DERIVING_RULES = (
    *(2,),
    *(2, 1, 3, 0, _YES, 0, *_X, *_Y, 0, _YES, 2, *_Y, *_X, 8, 0, _YES, *_X, *_Y),
    *(0, 1, 1, 0, _NO, 2, *_X, *_Y),
)
_DERIVING_MAZE = bytes((*_DERIVING_TASK, *_ALONG_AXIOM, *_DERIVING_RULES))
_NOISE = [random.Random(i).randbytes(500) for i in range(100)]

NATIVE_SEEDS = {"native-kernel": [_MAZE, _DERIVING_MAZE, *_NOISE]}

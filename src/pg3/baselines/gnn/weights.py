"""The numbers that a network has learned, and the value that holds them with all else it needs."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pg3.baselines.generator import Generator

if TYPE_CHECKING:
    from pg3.baselines.gnn.vocabulary import Vocabulary

# The size of every hidden layer and of what modules hand on, and the rounds of message passing: the
# paper's appendix. The C++ trainer is written for this size.
HIDDEN = 16
ROUNDS = 3


class Weight(NamedTuple):
    """One named block of the flat list of weights; a matrix is stored row by row, a row an input.

    `inputs` is the number of inputs of the layer that the block belongs to: it bounds the initial
    values. Scales of layer normalisation start at 1, their shifts at 0.
    """

    name: str
    shape: tuple[int, ...]
    inputs: int
    begin: int

    @property
    def end(self) -> int:
        """Where the next block begins."""
        return self.begin + math.prod(self.shape)


# What the modules of a round of message passing are given, in this order, each HIDDEN numbers. A
# "0" marks what the encoder made, which every round sees again next to the newest values.
EDGE_INPUTS = ("edge0", "edge", "source0", "source", "target0", "target", "global0", "global")
NODE_INPUTS = ("node0", "node", "incoming", "global0", "global")
GLOBAL_INPUTS = ("global0", "global", "nodes", "edges")


def weight_layout(vocabulary: Vocabulary) -> tuple[Weight, ...]:
    """All blocks of a network's weights in the order in which they are stored."""
    weights: list[Weight] = []

    def block(name: str, inputs: int, *shape: int) -> None:
        weights.append(Weight(name, shape, inputs, weights[-1].end if weights else 0))

    def module(name: str, inputs: int) -> None:
        block(f"{name}.hidden.weight", inputs, inputs, HIDDEN)
        block(f"{name}.hidden.bias", inputs, HIDDEN)
        block(f"{name}.output.weight", HIDDEN, HIDDEN, HIDDEN)
        block(f"{name}.output.bias", HIDDEN, HIDDEN)
        block(f"{name}.norm.scale", 0, HIDDEN)
        block(f"{name}.norm.shift", 0, HIDDEN)

    module("encode.node", vocabulary.node_width)
    module("encode.edge", vocabulary.edge_width)
    module("encode.global", vocabulary.global_width)
    module("process.edge", HIDDEN * len(EDGE_INPUTS))
    module("process.node", HIDDEN * len(NODE_INPUTS))
    module("process.global", HIDDEN * len(GLOBAL_INPUTS))
    block("argument.weight", HIDDEN, HIDDEN, vocabulary.arguments)
    block("argument.bias", HIDDEN, vocabulary.arguments)
    block("action.weight", HIDDEN, HIDDEN, len(vocabulary.actions))
    block("action.bias", HIDDEN, len(vocabulary.actions))
    return tuple(weights)


def initial_weights(vocabulary: Vocabulary, seed: int) -> bytes:
    """Weights to start from: uniform within one over the root of a layer's number of inputs."""
    generator = Generator(seed)
    values = array("f")
    for weight in weight_layout(vocabulary):
        size = math.prod(weight.shape)
        if weight.name.endswith("norm.scale"):
            values.extend([1.0] * size)
        elif weight.inputs == 0:
            values.extend([0.0] * size)
        else:
            bound = 1.0 / math.sqrt(weight.inputs)
            values.extend([(2.0 * generator.unit() - 1.0) * bound for _ in range(size)])
    return values.tobytes()


@dataclass(frozen=True, slots=True)
class GnnPolicy:
    """A network's weights with the vocabulary they were learned for: a policy of the domain.

    `weights` are 32-bit floats in the machine's byte order, laid out as `weight_layout` says.
    `epochs` tells how long they were trained and `loss` the mean loss of the last of these epochs,
    None where there was none.
    """

    domain: str
    vocabulary: Vocabulary
    weights: bytes
    epochs: int
    loss: float | None

"""What the learned policies do, as a person reads them.

A reading belongs to one policy and is found by its text: learning may find another one after a
change of the code, and then the words of `pg3 explain` stand in until somebody has read it.
"""

from __future__ import annotations

from hashlib import sha256

READINGS: dict[str, str] = {
    # moose/ferry
    "7bd4b3fdc993": (
        "Let a car off where the goal wants it; else sail to where the car on board is wanted. "
        "When the ferry is empty, take on a car that is here and that the goal wants elsewhere; "
        "else sail to a car that is not yet where it is wanted."
    ),
    # moose/gripper
    "667b53789a5e": (
        "Drop a ball that belongs here; else pick up one that is here and wanted elsewhere, with "
        "whatever gripper is free; else go to a room with a ball that is wanted here; else go to "
        "where a ball is wanted that is not there yet."
    ),
    # moose/miconic
    "502c5fbd3aa5": (
        "Let out whoever has arrived; take somebody in the lift down to his floor; let in "
        "whoever waits here; take somebody up to his floor. With an empty lift go to somebody "
        "who waits, first to one who wants to the floor where the lift is."
    ),
    # moose/transport
    "a96f3ae4d6de": (
        "Unload a package where it is wanted; else drive where a loaded package is wanted; "
        "else load a package that is here and wanted elsewhere, if there is room; else drive "
        "to one, first from a place where it is wanted."
    ),
    # blocksworld
    "be22a4491529": (
        "A block is unsettled if it is not where the goal wants it, or stands on an unsettled one, "
        "or where the goal wants another block. Stack a held block on the one that it belongs on, "
        "once that is settled; else put it on the table. With an empty hand pick up a block whose "
        "place is ready; else take an unsettled block off its tower."
    ),
    # blocksworld-partial
    "fd201d2d6cac": (
        "The same idea: a block is unsettled if it, or something below it, has to move. Take "
        "unsettled blocks off their towers; stack a held block where it belongs if that place "
        "is settled, and otherwise put it down; pick up a block from the table when its place "
        "is ready."
    ),
    # childsnack
    "b9b85c0f4f6b": (
        "In the kitchen put every sandwich on a tray, and make more, those without gluten first, "
        "until the ingredients are used up. Then serve whoever can be served, sandwiches without "
        "gluten only to those who need them; take the tray from the kitchen to where a child "
        "waits, and from there on to other places."
    ),
    # floortile
    "4b2091d486db": (
        "A tile's turn has come if no tile below it is still to be painted. Step down from a tile "
        "whose turn has come and for which the robot has the colour; paint such a tile from below. "
        "Else go up, on a shortest way over free tiles, to the place under a tile that is still to "
        "be painted; take the colour that the tile above, or the one under the robot, needs; or go "
        "right or left in the same way."
    ),
    # transport-roads
    "e2906a8b9cbc": (
        "Unload a package where it is wanted; else drive the next road on a shortest way to "
        "where a loaded package is wanted; else load a package that is here and wanted "
        "elsewhere; else drive the next road on a shortest way to one."
    ),
}

# Why a domain is not learned, as far as it was looked into; shown only where that is so.
REASONS: dict[str, str] = {}


def reading_of(policy: str) -> str | None:
    """What somebody wrote about this very policy."""
    return READINGS.get(mark(policy))


def mark(policy: str) -> str:
    """The key of a policy's reading."""
    return sha256(policy.encode()).hexdigest()[:12]

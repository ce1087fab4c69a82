"""Plan files: what is read, what is refused and where, and that a write is all or nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pg3.errors import Pg3Error, PlanError
from pg3.pddl.model import Action, Domain, Parameter, Predicate, Problem, Type, TypedObject
from pg3.pddl.plans import GroundAction, format_plan, parse_plan, read_plan, write_plan

DOMAIN = Domain(
    name="boats",
    types=(
        Type("object", ()),
        Type("place", ("object",)),
        Type("harbour", ("place",)),
        Type("boat", ("object",)),
    ),
    constants=(TypedObject("home", "harbour"),),
    predicates=(Predicate("at", (Parameter("?b"), Parameter("?p"))),),
    actions=(
        Action("sail", (Parameter("?b", ("boat",)), Parameter("?to", ("place",))), (), ()),
        Action("moor", (Parameter("?what", ("boat", "harbour")),), (), ()),
        Action("wait", (), (), ()),
    ),
)
PROBLEM = Problem.of("p", DOMAIN, [TypedObject("b1", "boat"), TypedObject("reef", "place")], [], [])


def act(name: str, *objects: str) -> GroundAction:
    return GroundAction(name, objects)


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("", []),
        ("; nothing but a comment", []),
        ("(wait)", [act("wait")]),
        ("(SAIL B1 Home)\n; cost = 1 (unit cost)\n", [act("sail", "b1", "home")]),
        (
            "\n( sail b1\n  reef )(wait) ; both\r\n\r\n(moor b1)",
            [act("sail", "b1", "reef"), act("wait"), act("moor", "b1")],
        ),
        ("0: (wait)\n1: (moor home)", [act("wait"), act("moor", "home")]),
        ("0.000: (wait) [1.000]\n0.001:(wait)[1]", [act("wait"), act("wait")]),
    ],
)
def test_reading(text: str, plan: list[GroundAction]) -> None:
    assert parse_plan(text, PROBLEM) == tuple(plan)
    assert parse_plan(text.encode(), PROBLEM) == tuple(plan)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "(wait)\n (sial b1 reef)",
            "p.plan:2:3: the domain has no action 'sial'\n"
            "     (sial b1 reef)\n"
            "      ^^^^\n"
            "  did you mean 'sail'?",
        ),
        (
            "(sail b1 reeff)",
            "p.plan:1:10: the problem has no object 'reeff'\n"
            "    (sail b1 reeff)\n"
            "             ^^^^^\n"
            "  did you mean 'reef'?",
        ),
        (
            "(sail b1)",
            "p.plan:1:1: 'sail' takes 2 arguments, not 1\n"
            "    (sail b1)\n"
            "    ^^^^^^^^^\n"
            "  expected (sail ?b ?to)",
        ),
        (
            "(moor)",
            "p.plan:1:1: 'moor' takes 1 argument, not 0\n"
            "    (moor)\n"
            "    ^^^^^^\n"
            "  expected (moor ?what)",
        ),
        (
            "(sail b1 b1)",
            "p.plan:1:10: 'b1' is of type boat, but ?to of 'sail' must be of type place\n"
            "    (sail b1 b1)\n"
            "             ^^",
        ),
        (
            "(moor reef)",
            "p.plan:1:7: 'reef' is of type place, but ?what of 'moor' must be of type boat or "
            "harbour\n"
            "    (moor reef)\n"
            "          ^^^^",
        ),
        (
            "sail b1 reef",
            "p.plan:1:1: expected '(' and an action\n    sail b1 reef\n    ^^^^\n  e.g. (move a b)",
        ),
        ("()", "p.plan:1:1: expected the name of an action\n    ()\n    ^^"),
        ("(wait))", "p.plan:1:7: ')' without '('\n    (wait))\n          ^"),
        ("(wait", "p.plan:1:1: this '(' is never closed\n    (wait\n    ^"),
        (
            "(sail (b1) reef)",
            "p.plan:1:7: an action's arguments are plain names\n    (sail (b1) reef)\n          ^",
        ),
        (
            "0: (wait)\n0: (wait)",
            "p.plan:2:1: this step does not come after the one before it\n"
            "    0: (wait)\n"
            "    ^^\n"
            "  a plan is one action after the other, with increasing times if it has any",
        ),
    ],
)
def test_refusing(text: str, message: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse_plan(text, PROBLEM, "p.plan")
    assert str(caught.value) == message


def test_bytes_that_are_no_text_are_refused_in_place() -> None:
    with pytest.raises(PlanError, match=r"^p\.plan:2:2: byte 0xff is not UTF-8 text"):
        parse_plan(b"(wait)\n(\xff\xfe)", PROBLEM, "p.plan")


def test_format() -> None:
    plan = [act("sail", "b1", "home"), act("wait")]
    assert format_plan(plan) == "(sail b1 home)\n(wait)\n; cost = 2 (unit cost)\n"
    assert format_plan(plan, 7) == "(sail b1 home)\n(wait)\n; cost = 7 (general cost)\n"
    assert format_plan([], 0) == "; cost = 0 (general cost)\n"


def test_file_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "plan"
    plan = (act("sail", "b1", "home"), act("wait"))
    write_plan(path, plan)
    write_plan(path, plan)
    assert read_plan(path, PROBLEM) == plan
    assert [p.name for p in tmp_path.iterdir()] == ["plan"]


def test_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "plan"
    with pytest.raises(Pg3Error) as caught:
        read_plan(path, PROBLEM)
    assert str(path) in str(caught.value)
    with pytest.raises(Pg3Error) as caught:
        write_plan(path, [])
    assert str(caught.value) == f"{path}: cannot write: no such file or directory"


def test_the_folder_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(Pg3Error, match="cannot write: not a directory"):
        write_plan(tmp_path / "file" / "plan", [])
    assert (tmp_path / "file").read_text() == "mine"


def test_the_target_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(Pg3Error, match="cannot write: is a directory"):
        write_plan(tmp_path / "folder", [])
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    path = tmp_path / "plan"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    if failing == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(Pg3Error) as caught:
        write_plan(path, [act("wait")])
    assert str(caught.value) == f"{path}: cannot write: no space left on device"
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["plan"]


def test_writing_through_a_link_and_keeping_permissions(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_plan(link, [act("wait")])
    assert link.is_symlink()
    assert real.read_text().startswith("(wait)\n")
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_not_replaced() -> None:
    write_plan(os.devnull, [act("wait")])
    assert not Path(os.devnull).is_file()

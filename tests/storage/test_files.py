"""Results on disk: whole or not at all, wherever they are sent."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pg3.errors import Pg3Error
from pg3.storage.files import (
    is_stdout,
    open_for_lines,
    require_writable,
    same_file,
    write_atomically,
)

if TYPE_CHECKING:
    from pathlib import Path

needs_ordinary_user = pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")


def run(code: str, redirection: str, folder: Path) -> None:
    """Run Python code in a shell, in a folder, with its streams redirected."""
    code = "import sys; from pg3.storage.files import *\n" + code
    subprocess.run(
        ["/bin/sh", "-c", f'"$0" -c "$1" {redirection}', sys.executable, code],
        cwd=folder,
        check=True,
    )


# -- write_atomically ------------------------------------------------------------------------------


def test_a_new_file_and_a_replaced_one(tmp_path: Path) -> None:
    path = tmp_path / "plan"
    for text in ("(a)\n", "naïve\n", ""):
        write_atomically(path, text)
        assert path.read_bytes() == text.encode()
        write_atomically(str(path), text)
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "plan", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_dangling_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "plan")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "plan").read_text() == "new"


def test_a_name_as_long_as_names_may_be(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    require_writable(path)
    write_atomically(path, "text")
    assert path.read_text() == "text"


def test_a_failure_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "plan"
    path.write_text("old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Pg3Error, match=r"/plan: cannot write: no space left on device$"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_pipe_is_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    require_writable(pipe)
    write_atomically(pipe, "through\n")
    assert reader.communicate()[0] == "through\n"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


# -- standard streams ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "out", "./out"])
def test_what_goes_to_the_file_behind_stdout_is_appended(tmp_path: Path, name: str) -> None:
    code = f"print('before'); write_atomically('{name}', 'text\\n'); print('after')"
    run(code, "> out", tmp_path)
    assert (tmp_path / "out").read_text() == "before\ntext\nafter\n"
    run("assert is_stdout('out'); " + code, ">> out", tmp_path)
    assert (tmp_path / "out").read_text() == "before\ntext\nafter\n" * 2
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_what_goes_to_the_file_behind_stderr_is_appended(tmp_path: Path) -> None:
    code = "print('before', file=sys.stderr); write_atomically('/dev/stderr', 'text\\n')"
    run(code, "2> out", tmp_path)
    assert (tmp_path / "out").read_text() == "before\ntext\n"


def test_another_open_file_is_appended_to(tmp_path: Path) -> None:
    run("write_atomically('/dev/fd/3', 'text\\n')", "3> out; echo more >> out", tmp_path)
    assert (tmp_path / "out").read_text() == "text\nmore\n"


def test_lines_to_stdout_come_after_what_was_printed(tmp_path: Path) -> None:
    code = """print('before')
with open_for_lines('/dev/stdout') as file:
    file.write(b'line\\n')
print('after')"""
    run(code, "> out", tmp_path)
    assert (tmp_path / "out").read_text() == "before\nline\nafter\n"


def test_stdout_itself(capsys: pytest.CaptureFixture[str]) -> None:
    require_writable("/dev/stdout")
    write_atomically("/dev/stdout", "text\n")
    assert capsys.readouterr().out == "text\n"
    assert is_stdout("/dev/stdout")


# -- open_for_lines --------------------------------------------------------------------------------


def test_lines_are_there_at_once_and_the_old_ones_gone(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("old\n")
    with open_for_lines(path) as file:
        assert path.read_text() == ""
        file.write(b"line\n")
        assert path.read_text() == "line\n"
    assert not is_stdout(path)


# -- what cannot be written ------------------------------------------------------------------------


def refusals(path: str | Path) -> set[str]:
    """What each function says about a path, which must be the same."""
    said = set()
    for attempt in (
        lambda: require_writable(path),
        lambda: write_atomically(path, "text"),
        lambda: open_for_lines(path),
    ):
        with pytest.raises(Pg3Error) as caught:
            attempt()
        said.add(str(caught.value))
    return said


def test_paths_that_cannot_be_files(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    inside = tmp_path / "file" / "plan"
    missing = tmp_path / "none" / "plan"
    assert refusals(inside) == {f"{inside}: cannot write: not a directory"}
    assert refusals(missing) == {f"{missing}: cannot write: no such file or directory"}
    assert refusals(tmp_path) == {f"{tmp_path}: cannot write: is a directory"}
    assert refusals("") == {"cannot write: the name of the file is empty"}
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@needs_ordinary_user
def test_a_protected_file_and_folder(tmp_path: Path) -> None:
    path = tmp_path / "plan"
    path.write_text("old")
    path.chmod(0o400)
    with pytest.raises(Pg3Error, match="permission denied"):
        require_writable(path)
    tmp_path.chmod(0o500)
    with pytest.raises(Pg3Error, match="permission denied"):
        require_writable(tmp_path / "other")
    tmp_path.chmod(0o700)


def test_asking_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "plan"
    require_writable(path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("old")
    require_writable(path)
    assert path.read_text() == "old"


# -- same_file -------------------------------------------------------------------------------------


def test_names_of_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path, other = tmp_path / "one", tmp_path / "other"
    assert same_file("one", path)
    assert same_file("./one", "one")
    assert not same_file(path, other)
    path.write_text("text")
    other.write_text("text")
    (tmp_path / "symbolic").symlink_to(path)
    (tmp_path / "hard").hardlink_to(path)
    for name in ("one", "symbolic", "hard"):
        assert same_file(path, name)
        assert not same_file(other, name)
    assert not same_file("/dev/null", "/dev/null")

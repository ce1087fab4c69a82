"""Input made to break things: for any of it a value or a `Pg3Error`, in bounded time and memory.

The texts are made here, not stored. `fuzz/` looks for more of the kind.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import tracemalloc
import warnings
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pg3.errors import InputError, InputWarning, Pg3Error, printable
from pg3.pddl import parse_domain, parse_problem, read_domain, read_problem
from pg3.pddl.lexer import LARGEST_FILE
from pg3.pddl.plans import parse_plan, read_plan
from pg3.planning import plan
from pg3.policy import parse_policy, policy_from_json, policy_to_json, read_policy
from pg3.semantics.task import Task
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


FERRY = REPOSITORY / "examples" / "ferry"
DOMAIN_TEXT = (FERRY / "domain.pddl").read_bytes()
PROBLEM_TEXT = (FERRY / "small.pddl").read_bytes()
DOMAIN = parse_domain(DOMAIN_TEXT)
PROBLEM = parse_problem(PROBLEM_TEXT, DOMAIN)
POLICY_TEXT = (REPOSITORY / "examples" / "policies" / "ferry.policy").read_bytes()
POLICY = parse_policy(POLICY_TEXT, DOMAIN)
JSON_TEXT = policy_to_json(POLICY).encode()
PLAN_TEXT = b"(sail l1 l2)\n(board c1 l2) ; a comment\n0.5: (SAIL l2 l1) [1]\n"

READERS: dict[str, Callable[[bytes], object]] = {
    "domain": parse_domain,
    "problem": lambda text: parse_problem(text, DOMAIN),
    "policy": lambda text: parse_policy(text, DOMAIN),
    "policy-json": lambda text: policy_from_json(text, DOMAIN),
    "plan": lambda text: parse_plan(text, PROBLEM),
}
GOOD = {
    "domain": DOMAIN_TEXT,
    "problem": PROBLEM_TEXT,
    "policy": POLICY_TEXT,
    "policy-json": JSON_TEXT,
    "plan": PLAN_TEXT,
}
FILE_READERS: dict[str, Callable[[Path], object]] = {
    "domain": read_domain,
    "problem": lambda path: read_problem(path, DOMAIN),
    "policy": lambda path: read_policy(path, DOMAIN),
    "plan": lambda path: read_plan(path, PROBLEM),
}
# Long enough that a reader which is not linear in the text does not come to an end.
MANY = 100_000


def refused(name: str, text: bytes) -> InputError:
    """The error that a reader raises, which must be one, and short."""
    with pytest.raises(InputError) as caught:
        READERS[name](text)
    message = str(caught.value)
    assert len(message) < 2000
    assert all(line.isprintable() for line in message.split("\n"))
    return caught.value


# -- any bytes at all ------------------------------------------------------------------------------


@given(name=st.sampled_from(sorted(READERS)), data=st.data())
def test_any_text_is_read_or_refused(name: str, data: st.DataObject) -> None:
    text = data.draw(st.one_of(st.binary(max_size=60), mutations(name)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        try:
            READERS[name](text)
        except InputError as error:
            assert all(line.isprintable() for line in str(error).split("\n"))


@st.composite
def mutations(draw: st.DrawFn, name: str) -> bytes:
    """A good text with some stretches replaced, doubled or taken out."""
    text = GOOD[name]
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(text)))
        end = draw(st.integers(begin, min(len(text), begin + 20)))
        piece = draw(
            st.one_of(
                st.binary(max_size=4),
                st.sampled_from([text[begin:end] * 2, b"(", b")", b"\0", b"\xff", b"\xc2\xa0"]),
                st.sampled_from([b"-1", b"1e999", b"99999999999999999999", b'"\\ud800"', b"\r"]),
            )
        )
        text = text[:begin] + piece + text[end:]
    return text


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    "text",
    [b"", b" \n\t", b";", b"\0", b"\xff\xfe(\0d\0", b"\xef\xbb\xbf", b"(", b")", b"()", b"\x1b[2J"],
)
def test_texts_with_nothing_in_them(name: str, text: bytes) -> None:
    if name == "plan" and not text.strip(b" \n\t;\xef\xbb\xbf"):
        assert parse_plan(text, PROBLEM) == ()
    else:
        refused(name, text)


@pytest.mark.parametrize("name", READERS)
def test_line_ends_and_a_byte_order_mark_do_not_matter(name: str) -> None:
    expected = READERS[name](GOOD[name])
    for ends in (b"\r\n", b"\r"):
        assert READERS[name](b"\xef\xbb\xbf" + GOOD[name].replace(b"\n", ends)) == expected


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("bad", [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf5\x80\x80\x80"])
def test_invalid_utf_8_is_pointed_at(name: str, bad: bytes) -> None:
    error = refused(name, GOOD[name] + bad)
    assert "is not UTF-8" in error.message
    assert error.span.begin == len(GOOD[name])


@pytest.mark.parametrize("name", READERS)
def test_nul_is_refused_everywhere(name: str) -> None:
    for at in range(0, len(GOOD[name]), 37):
        refused(name, GOOD[name][:at] + b"\0" + GOOD[name][at:])


# -- depth and length ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    "unit", [b"(", b"(and ", b"(not ", b"(define (", b"[", b'{"a":', b"((", b"(:rule "]
)
def test_nesting_a_hundred_thousand_deep(name: str, unit: bytes) -> None:
    refused(name, unit * MANY)
    closing = {b"[": b"]", b'{"a":': b"}"}.get(unit, b")")
    refused(name, unit * MANY + closing * MANY * unit.count(b"("))


def test_deep_conditions_that_are_good_pddl_are_read() -> None:
    goal = b"(and " * MANY + b"(at c1 l1)" + b")" * MANY
    problem = parse_problem(PROBLEM_TEXT.replace(b"(at c1 l1)", goal, 1), DOMAIN)
    assert problem == PROBLEM
    even = b"(not " * MANY + b"(at-ferry ?from)" + b")" * MANY
    assert parse_domain(DOMAIN_TEXT.replace(b"(at-ferry ?from)", even, 1)) == DOMAIN


@pytest.mark.parametrize("name", READERS)
def test_a_word_of_16_megabytes(name: str) -> None:
    word = b"a" * 2**24
    refused(name, word)
    refused(name, b"(define (" + word + b"))")
    refused(name, b"(sail " + word + b" l1)")


@pytest.mark.parametrize("name", FILE_READERS)
def test_a_word_of_a_gigabyte_is_not_even_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(10**9)
    tracemalloc.start()
    try:
        with pytest.raises(Pg3Error, match=r"huge: larger than 512 MiB, the most that pg3 reads"):
            FILE_READERS[name](path)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()
    assert LARGEST_FILE == 512 * 2**20


def test_a_device_that_never_ends() -> None:
    code = (
        "import resource, pg3; resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, 3 * 2**30));"
        "pg3.read_domain('/dev/zero')"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert b"Pg3Error: /dev/zero: larger than 512 MiB" in ended.stderr


@pytest.mark.parametrize("name", READERS)
def test_one_line_of_megabytes(name: str) -> None:
    lines = (line.partition(b";")[0] for line in GOOD[name].splitlines())
    refused(name, b" ".join(lines) + b" )" * MANY * 10)


def test_a_comment_full_of_odd_characters() -> None:
    odd = ";" + "\u00a0\u200b\x1b" * MANY
    assert parse_domain(DOMAIN_TEXT + odd.encode()) == DOMAIN
    refused("domain", DOMAIN_TEXT + odd.encode() + "\r\u200b".encode())
    refused("domain", DOMAIN_TEXT + odd.encode() + b"\0")


# -- more of everything ----------------------------------------------------------------------------


def declarations(count: int, form: str) -> bytes:
    return " ".join(form.format(i) for i in range(count)).encode()


@pytest.mark.parametrize(
    ("section", "message"),
    [
        (b"(:types " + declarations(MANY, "t{}") + b")", "more than 1000 types"),
        (b"(:types " + declarations(900, "t{0} - t{0}x t{0}x") + b")", "more than 1000 types"),
        (b"(:predicates (p " + declarations(MANY, "?x{}") + b"))", "more than 1000 parameters"),
        (b"(:predicates (p ?x - (either" + b" object" * MANY + b")))", "more than 1000 types to"),
        (b"(:types a b) (:types c)", "there are two sections ':types'"),
        (b"(:functions (total-cost ?x))", "'total-cost' takes no arguments"),
        (b"(:action a :parameters () :parameters ())", "has two ':parameters'"),
    ],
)
def test_domains_beyond_measure(section: bytes, message: str) -> None:
    assert message in refused("domain", b"(define (domain d) " + section + b")").message


def test_long_lists_are_read_in_linear_time() -> None:
    chain = declarations(999, "t{0} - t{0}y").replace(b"y ", b" ")  # refers to undeclared types
    refused("domain", b"(define (domain d) (:types " + chain + b"))")
    ladder = " ".join(f"t{i} - t{i + 1}" for i in range(998)) + " t998 - object"
    text = (
        b"(define (domain d) (:types "
        + ladder.encode()
        + b") (:constants "
        + declarations(20_000, "k{}")
        + b") (:predicates "
        + declarations(20_000, "(p{} ?x - t0)")
        + b") "
        + declarations(20_000, "(:action a{0} :parameters (?x - t0) :effect (p{0} ?x))")
        + b")"
    )
    domain = parse_domain(text)
    objects = declarations(20_000, "k{}")  # every constant once more
    with pytest.warns(InputWarning, match="already .and 19999 more") as caught:
        parse_problem(
            b"(define (problem p) (:domain d) (:objects " + objects + b") (:init) (:goal (and)))",
            domain,
        )
    assert len(caught) == 1


def test_a_circle_of_a_thousand_types() -> None:
    circle = " ".join(f"t{i} - t{(i + 1) % 999}" for i in range(999)).encode()
    error = refused("domain", b"(define (domain d) (:types " + circle + b"))")
    assert "is its own supertype" in error.message


@pytest.mark.parametrize(
    "number", ["2147483648", "1" * 10_000, "-1", "1e10", "1e99999", "nan", "1/2"]
)
def test_numbers_out_of_range(number: str) -> None:
    text = f"""(define (domain d) (:predicates (p)) (:functions (total-cost)) (:action a
      :effect (and (p) (increase (total-cost) {number}))))"""
    refused("domain", text.encode())
    priced = parse_domain("(define (domain d) (:predicates (p)) (:functions (total-cost) (w)))")
    with pytest.raises(InputError):
        parse_problem(
            f"(define (problem p) (:domain d) (:init (= (w) {number})) (:goal (p)))", priced
        )


@pytest.mark.parametrize("number", ["1e999", "-1", "NaN", "9" * 5000, "1.5", "true", "null"])
def test_numbers_out_of_range_in_json(number: str) -> None:
    refused("policy-json", JSON_TEXT.replace(b'"version": 1', f'"version": {number}'.encode()))
    refused("policy-json", number.encode())


def test_duplicate_keys_and_sections() -> None:
    refused("policy-json", JSON_TEXT.replace(b'"version": 1', b'"version": 1, "version": 1'))
    refused("policy", POLICY_TEXT.replace(b"\n    :goals", b"\n    :goals () :goals", 1))
    refused("policy", POLICY_TEXT.replace(b"(:domain ferry)", b"(:domain ferry) (:domain ferry)"))
    for section in (b"(:init)", b"(:goal (and))", b"(:objects)", b"(:domain ferry)"):
        refused("problem", PROBLEM_TEXT.rstrip()[:-1] + section + b")")


def test_names_that_move_the_cursor_are_shown_harmless() -> None:
    hostile = rb"\u001b[2J\u202e\n"
    error = refused("policy-json", JSON_TEXT.replace(b"ferry", hostile, 1))
    assert r"\x1b[2j\u202e\n" in error.message
    error = refused("policy-json", JSON_TEXT.replace(b"ferry", hostile + rb"\ud800", 1))
    assert r"\u001b[2J\u202e\n\ud800" in error.message
    refused("policy-json", b'{"\\u001b": 1, "\\u001b": 2}')
    assert printable("caf\xe9 \x1b\x00\x7f") == r"caf\xe9 \x1b\x00\x7f".replace(r"\xe9", "\xe9")


# -- files that are none ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILE_READERS)
def test_what_is_no_file(name: str, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    (tmp_path / "empty").touch()
    (tmp_path / "line\nfeed\x1b").mkdir()
    for path, message in (
        (tmp_path, "is a directory"),
        (loop, "cannot be read: Too many levels of symbolic links"),
        (tmp_path / "none", "no such file"),
        (tmp_path / ("n" * 5000), "cannot be read: File name too long"),
        (tmp_path / "line\nfeed\x1b", r"line\\nfeed\\x1b: is a directory"),
    ):
        with pytest.raises(Pg3Error, match=message):
            FILE_READERS[name](path)
    if name != "plan":
        with pytest.raises(InputError, match="the file is empty"):
            FILE_READERS[name](tmp_path / "empty")


@pytest.mark.parametrize("name", FILE_READERS)
def test_a_pipe_is_read_once_and_to_its_end(name: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = GOOD[name]
    writer = threading.Thread(target=lambda: pipe.write_bytes(text))
    writer.start()
    assert FILE_READERS[name](pipe) == READERS[name](text)
    writer.join()


def test_a_plan_from_a_pipe_is_checked_as_one_from_a_file(tmp_path: Path) -> None:
    from pg3.semantics.validation import validate_file

    found = plan(PROBLEM).plan or ()
    stamped = "".join(f"{i}.000: {action} [1]\n" for i, action in enumerate(found))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(stamped))
    writer.start()
    assert validate_file(Task(PROBLEM), pipe).valid
    writer.join()

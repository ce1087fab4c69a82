"""What the site has beyond the pages as written, made when the site is built.

- index.md: each section's list of links becomes a part of the site's navigation;
- reference/cli.md: every command, from the command line itself;
- reference/api.md: every name that `pg3` exports, from its docstring, and what functions return;
- the repository's CONTRIBUTING.md and CHANGELOG.md become pages of the site;
- everywhere: a link whose text is the name of a page's file gets the title of the page.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer.main

import pg3
from pg3.cli.app import app as command_line
from pg3.cli.main import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

# Files beside the folder of the pages, by the names of their pages.
OUTSIDE = {name.lower(): Path("..", f"{name}.md") for name in ("CONTRIBUTING", "CHANGELOG")}


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("env-get-outdated", _add_outside)
    app.connect("source-read", _complete)
    app.connect("autodoc-process-docstring", _escape_bars)
    return {"parallel_read_safe": True}


def _add_outside(_app: Sphinx, env: BuildEnvironment, *_changes: set[str]) -> list[str]:
    """Make pages of the files that Sphinx, which looks into its folder only, does not find."""
    for page, path in OUTSIDE.items():
        env.project.docnames.add(page)
        env.project._docname_to_path[page] = path
    return list(OUTSIDE)


def _complete(_app: Sphinx, page: str, source: list[str]) -> None:
    """Add to a page what is made from the code; links that show a file name show its title."""
    source[0] = re.sub(r"\[[\w/.-]+\.md\]\(([^)\s]+\.md(?:#[\w-]+)?)\)", r"[](\1)", source[0])
    if page == "index":
        source[0] = with_navigation(source[0])
        for name, path in OUTSIDE.items():
            source[0] = source[0].replace(f"({path.as_posix()})", f"({name})")
            source[0] = source[0].replace(f"<{path.as_posix().removesuffix('.md')}>", f"<{name}>")
    elif page == "reference/cli":
        source[0] += "\n".join(_command_reference())
    elif page == "reference/api":
        source[0] += "\n".join(_api_reference())


def _escape_bars(
    _app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]
) -> None:
    """Let |Pre| in a docstring be the size of a set, and no substitution of reStructuredText."""
    lines[:] = [line.replace("|", "\\|") for line in lines]


def with_navigation(text: str) -> str:
    """The index with a hidden toctree after each section, of the pages that the section lists."""
    head, *sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    for i, section in enumerate(sections):
        title = section.splitlines()[0].removeprefix("## ")
        links = re.findall(r"^- \[([^\]]+)\]\(([^)#]+)\.md\)", section, re.MULTILINE)
        if links:
            pages = [f"{name} <{page}>" for name, page in links]
            toctree = ["```{toctree}", ":hidden:", f":caption: {title}", *pages, "```", ""]
            sections[i] = section.rstrip() + "\n\n" + "\n".join(toctree) + "\n"
    return head + "".join(sections)


def _command_reference() -> Iterator[str]:
    load()
    group: Any = typer.main.get_command(command_line)
    context = group.make_context("pg3", [], resilient_parsing=True)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        inner = type(context)(command, info_name=name, parent=context)
        yield f"\n## pg3 {name}\n"
        yield "```text"
        yield command.get_usage(inner).removeprefix("Usage: ")
        yield "```\n"
        yield from _help_text(command.help)
        rows = [
            record
            for parameter in command.get_params(inner)
            if (record := parameter.get_help_record(inner)) is not None
        ]
        yield from _table(rows)


def _help_text(text: str) -> Iterator[str]:
    """A command's help: paragraphs, and what is marked with a \\b as it stands."""
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        if "\b" in paragraph:
            yield "```text\n" + paragraph.replace("\b", "").strip("\n") + "\n```\n"
        else:
            yield _escaped(" ".join(paragraph.split())) + "\n"


def _table(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield "| argument or option | meaning |\n|---|---|"
    for name, meaning in rows:
        # Arguments come with their type in Python, which says nothing to a user.
        term = re.sub(r" <.*>$", "", name).replace("|", "\\|")
        yield f"| `{term}` | {_escaped(meaning)} |"
    yield ""


def _escaped(text: str) -> str:
    """Plain text as Markdown that shows it unchanged, options as code."""
    plain = re.sub(r"([\\`*_\[\]<>|$~])", r"\\\1", text)
    return re.sub(r"(?<![\w-])--?[a-z][a-z-]*", r"`\g<0>`", plain)


def _api_reference() -> Iterator[str]:
    exported = {name: getattr(pg3, name) for name in pg3.__all__}
    functions = [name for name, value in exported.items() if inspect.isfunction(value)]
    classes = [name for name, value in exported.items() if inspect.isclass(value)]
    yield "\n## Functions\n"
    for name in functions:
        yield from _described("autofunction", f"pg3.{name}")
    yield "\n## Classes\n"
    for name in classes:
        yield from _described("autoclass", f"pg3.{name}")
    yield "\n## What functions return\n"
    for name in _returned([exported[name] for name in functions], set(exported.values())):
        yield from _described("autoclass", name)


def _described(directive: str, name: str) -> Iterator[str]:
    yield "```{eval-rst}"
    yield f".. {directive}:: {name}"
    if directive == "autoclass":
        yield "   :members:"
    yield "```\n"


def _returned(functions: Iterable[Any], known: set[Any]) -> list[str]:
    """The classes of pg3 that the functions return and that are not `known`, sorted by name."""
    found = set()
    for function in functions:
        # Annotations are strings; what is returned is defined where the function is.
        kind = vars(sys.modules[function.__module__]).get(function.__annotations__["return"])
        if inspect.isclass(kind) and kind not in known:
            found.add(f"{kind.__module__}.{kind.__qualname__}")
    return sorted(found)

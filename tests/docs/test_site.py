"""The documentation site: it builds without a warning, and every link in it leads somewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
import typer.main

import pg3
from pg3.cli.app import app
from pg3.cli.main import load
from tests.support.built_site import build_site
from tests.support.pages import ROOT

if TYPE_CHECKING:
    from pathlib import Path


class Page(HTMLParser):
    """The links of a page and the places in it that links can name."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors = {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        self.links += [values[name] for name in ("href", "src") if name in values]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it."""
    return build_site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    found = sorted(site.rglob("*.html"))
    return {path: Page(path) for path in found if "_static" not in path.parts}


def test_every_page_is_there(site: Path) -> None:
    written = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    assert [path for path in written if not (site / path).with_suffix(".html").exists()] == []


def broken_links(pages: dict[Path, Page]) -> list[str]:
    """The links to files that are not there, and to places that a page does not have."""
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = pages[target].anchors if target in pages else {unquote(parts.fragment)}
            if not target.is_file() or unquote(parts.fragment) not in known:
                broken.append(f"{path.name}: {link}")
    return broken


def test_every_link_leads_somewhere(pages: dict[Path, Page]) -> None:
    assert sum(len(page.links) for page in pages.values()) > 1000
    assert broken_links(pages) == []


def test_broken_links_are_found(tmp_path: Path) -> None:
    one, other = tmp_path / "one.html", tmp_path / "other.html"
    one.write_text('<a href="other.html#there"><a href="other.html#gone"><img src="lost.png">')
    other.write_text('<h2 id="there"><a href="#there"><a href="#gone"><a href="https://x.example">')
    found = broken_links({path: Page(path) for path in (one, other)})
    assert found == ["one.html: other.html#gone", "one.html: lost.png", "other.html: #gone"]


def test_nothing_comes_from_the_network(pages: dict[Path, Page]) -> None:
    """The site is read from disk: scripts, styles and pictures are its own."""
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=\"https?:[^\"]*\"", text) == []


def test_every_command_and_option_is_on_the_page(site: Path) -> None:
    text = (site / "reference" / "cli.html").read_text(encoding="utf-8")
    words = set(re.findall(r"[\w-]+", re.sub(r"<[^>]*>", " ", text)))
    load()
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    for name, command in commands.items():
        assert f'id="pg3-{name}"' in text
        shown = [p for p in command.params if not getattr(p, "hidden", False)]
        options = [o for p in shown for o in p.opts if o.startswith("--")]
        assert [option for option in options if option not in words] == [], name


def test_every_exported_name_is_on_the_page(site: Path) -> None:
    text = (site / "reference" / "api.html").read_text(encoding="utf-8")
    names = [name for name in pg3.__all__ if name != "__version__"]
    assert [name for name in names if f'id="pg3.{name}"' not in text] == []

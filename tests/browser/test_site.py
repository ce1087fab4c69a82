"""The documentation site in a browser: it fits laptop and phone, and one finds one's way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import PATIENCE
from tests.support.built_site import build_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

WIDTHS = {"laptop": 1366, "phone": 390}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_site(tmp_path_factory.mktemp("site"))


@pytest.fixture(params=WIDTHS)
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A window in which nothing may go wrong and nothing may be asked of the network."""
    complaints: list[str] = []
    tab = browser.new_page(viewport={"width": WIDTHS[request.param], "height": 844})
    tab.set_default_timeout(PATIENCE)
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("requestfailed", lambda sent: complaints.append(sent.url))
    tab.on(
        "request",
        lambda sent: None if sent.url[:5] in {"file:", "data:"} else complaints.append(sent.url),
    )
    yield tab
    tab.close()
    assert complaints == []


def test_no_page_is_wider_than_the_window(site: Path, page: Page) -> None:
    """Wide tables and long lines scroll by themselves."""
    for path in sorted(site.rglob("*.html")):
        if "_static" in path.parts or "_downloads" in path.parts:
            continue
        page.goto(path.as_uri())
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width == page.viewport_size["width"], path.name


def test_the_landing_page_shows_what_pg3_does(site: Path, page: Page) -> None:
    """On the first screen what it is and the three commands; then the picture, in full width."""
    page.goto((site / "index.html").as_uri())
    article = page.locator("article")
    assert article.locator("h1").inner_text().startswith("pg3")
    commands = article.locator("pre").first
    assert [line.split()[:2] for line in commands.inner_text().splitlines()] == [
        ["pg3", "learn"],
        ["pg3", "solve"],
        ["pg3", "view"],
    ]
    assert commands.evaluate("pre => pre.scrollWidth <= pre.clientWidth"), "nothing is cut off"
    shown = commands.bounding_box()
    assert shown is not None
    assert shown["y"] + shown["height"] < page.viewport_size["height"], "without scrolling"
    picture = article.locator("img").first
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
    box, around = picture.bounding_box(), article.bounding_box()
    assert box is not None
    assert around is not None
    assert around["x"] <= box["x"]
    assert box["x"] + box["width"] <= around["x"] + around["width"] + 1
    assert box["width"] > around["width"] * 0.8, "large enough to be looked at"
    assert picture.get_attribute("alt")
    for section in ("Start", "How to", "Concepts", "Reference", "Results"):
        assert article.get_by_role("heading", name=section).count() == 1


def test_from_the_index_to_an_option(site: Path, page: Page) -> None:
    page.goto((site / "index.html").as_uri())
    page.locator("article").get_by_role("link", name="Commands", exact=True).click()
    assert page.locator("h1").inner_text().startswith("Commands")
    page.goto(page.url.split("#")[0] + "#pg3-learn")
    assert page.locator("#pg3-learn h2").is_visible()
    assert page.locator("#pg3-learn").get_by_text("--preset").first.is_visible()


def test_search_finds_the_tutorial(site: Path, page: Page) -> None:
    page.goto((site / "search.html").as_uri() + "?q=forklift")
    page.locator("#search-results li a", has_text="Tutorial").first.wait_for()

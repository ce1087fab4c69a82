"""The report, opened from disk as a reader would: on a laptop and a phone, by day and by night."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from pg3.report.formats import render_html
from pg3.report.tables import compute
from tests.browser.conftest import PATIENCE
from tests.report.fabrication import failure, full, result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    Open = Callable[..., "Opened"]

LAPTOP, PHONE = (1366, 768), (390, 844)
# A PNG of a page that shows nothing but its background has a few kilobytes.
SOME_PICTURE = 20_000
HOSTILE = "</script><img src=x onerror=alert(1)>" + "long" * 40


@dataclass(frozen=True)
class Opened:
    """A page with what the browser complained about, and what it wanted from elsewhere."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A full report."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_html(compute(full())), encoding="utf-8")
    return path


@pytest.fixture
def opened(browser: Browser) -> Iterator[Open]:
    """Opens a file from disk, in a browser of its own."""
    contexts = []

    def open_page(file: Path, size: tuple[int, int] = LAPTOP, **options: Any) -> Opened:
        width, height = size
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        result = Opened(context.new_page())
        result.page.on("console", lambda message: result.complaints.append(message.text))
        result.page.on("pageerror", lambda error: result.complaints.append(str(error)))
        result.page.on("dialog", lambda dialog: result.complaints.append(dialog.message))
        result.page.on("request", lambda request: result.requests.append(request.url))
        result.page.goto(file.as_uri())
        return result

    yield open_page
    for context in contexts:
        context.close()


def overflow(page: Page) -> list[str]:
    """The elements outside any scrolling box that reach beyond the page's width."""
    found: list[str] = page.evaluate(
        """() => [...document.body.querySelectorAll("*")]
             .filter((e) => !e.closest(".scroll, pre, .spoken") || e.matches(".scroll, pre"))
             .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
             .map((e) => e.outerHTML.slice(0, 80))"""
    )
    wider: bool = page.evaluate(
        "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
    )
    return [*found, *(["the page itself"] if wider else [])]


# -- everywhere ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_it_opens_fits_and_shows_something(
    opened: Open, file: Path, tmp_path: Path, size: tuple[int, int], scheme: str
) -> None:
    shown = opened(file, size, color_scheme=scheme)
    page = shown.page
    assert shown.complaints == []
    assert shown.requests == [file.as_uri()]
    assert overflow(page) == []
    page.locator(".policies details").first.locator("summary").click()
    assert overflow(page) == []
    picture = page.screenshot(path=tmp_path / "page.png", full_page=True)
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > SOME_PICTURE
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    red = int(background.removeprefix("rgb(").split(",")[0])
    assert red > 200 if scheme == "light" else red < 60


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_hostile_and_long_texts_do_no_harm(
    opened: Open, tmp_path: Path, size: tuple[int, int]
) -> None:
    lines = [
        result(HOSTILE, HOSTILE, 0, policy=HOSTILE),
        result("ferry", "pg3", 0, policy=HOSTILE),
        failure("ferry", "combo", 1, reason=HOSTILE),
    ]
    path = tmp_path / "hostile.html"
    path.write_text(render_html(compute(lines)), encoding="utf-8")
    shown = opened(path, size)
    assert shown.complaints == []
    assert shown.page.locator("img").count() == 0
    assert HOSTILE in shown.page.locator("#failures ~ ul").inner_text()
    assert overflow(shown.page) == []


def test_a_wide_table_scrolls_in_its_box_and_its_first_column_stays(
    opened: Open, file: Path
) -> None:
    page = opened(file, PHONE).page
    box = page.locator(".scroll").first
    wide, narrow = box.evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert wide > narrow
    head = box.locator("th.domain").first
    cell = box.locator("tr.ours td").first
    before, moving = head.bounding_box(), cell.bounding_box()
    box.evaluate("e => { e.scrollLeft = 200; }")
    after, moved = head.bounding_box(), cell.bounding_box()
    assert before and after and moving and moved
    assert after["x"] == before["x"]
    assert moved["x"] == pytest.approx(moving["x"] - 200, abs=1)


def test_the_tables_fit_on_a_laptop(opened: Open, file: Path) -> None:
    page = opened(file).page
    for box in page.locator(".scroll:has(.figures)").all():
        wide, narrow = box.evaluate("e => [e.scrollWidth, e.clientWidth]")
        assert wide <= narrow


# -- what it says ----------------------------------------------------------------------------------


def test_the_numbers_of_table_1(opened: Open, file: Path) -> None:
    report = compute(full())
    page = opened(file).page
    table = page.get_by_role("table", name="Table 1. Means")
    assert table.count() == 1
    expected = [f"{cell.success.mean:.2f}" for cell in report.rows[0].cells if cell]
    shown = table.locator("tbody").first.locator("tr.ours td.first").all_inner_texts()
    assert shown == expected
    paper = table.locator("tbody").first.locator("tr.paper td").all_inner_texts()
    assert paper[:8] == ["1.00", "1.5", "0.00", "–", "0.10", "5.8", "0.20", "2132.4"]
    assert page.get_by_role("rowheader", name="Spanner").count() >= 2


def test_it_can_be_read_without_the_script(opened: Open, file: Path) -> None:
    page = opened(file, java_script_enabled=False).page
    assert page.get_by_role("table", name="Table 2").is_visible()
    assert page.locator("svg .line").first.is_visible()
    assert page.get_by_role("button").count() == 0
    closed = page.locator(".policies pre").first
    assert not closed.is_visible()
    page.locator(".policies summary").first.click()
    assert closed.is_visible()


# -- what it does ----------------------------------------------------------------------------------


def test_policies_open_and_close_with_the_keyboard(opened: Open, file: Path) -> None:
    page = opened(file).page
    first = page.locator(".policies details").first
    policy = first.locator("pre").first
    first.locator("summary").focus()
    page.keyboard.press("Enter")
    assert policy.is_visible()
    assert "(:rule" in policy.inner_text()
    page.keyboard.press("Space")
    assert not policy.is_visible()


def test_all_policies_open_with_one_button(opened: Open, file: Path) -> None:
    page = opened(file).page
    all_of_them = page.locator(".policies details")
    page.get_by_role("button", name="Open all policies").press("Enter")
    assert page.locator(".policies details[open]").count() == all_of_them.count()
    page.get_by_role("button", name="Close all policies").click()
    assert page.locator(".policies details[open]").count() == 0


def test_the_pointer_shows_values(opened: Open, file: Path) -> None:
    page = opened(file).page
    plot = page.locator("#time ~ .panels .plot").first
    tip = plot.locator(".tip")
    assert not tip.is_visible()
    plot.hover(position={"x": 200, "y": 80})
    assert tip.is_visible()
    shown = tip.inner_text()
    assert shown.startswith("after ")
    assert all(name in shown for name in ("PG3", "GNN BC, 1,000 epochs", "Robust"))
    page.mouse.move(0, 0)
    assert not tip.is_visible()


def test_the_keyboard_shows_values(opened: Open, tmp_path: Path) -> None:
    path = tmp_path / "small.html"
    lines = [result("ferry", "pg3", 0, bests=((1.0, 0.2), (10.0, 1.0)))]
    path.write_text(render_html(compute(lines)), encoding="utf-8")
    page = opened(path).page
    plot = page.locator("#time ~ .panels .plot").first
    last = page.locator(".legend button").last
    last.focus()
    page.keyboard.press("Tab")
    assert plot.evaluate("e => e === document.activeElement")
    tip = plot.get_by_role("status")
    # From 1 s to 100 s (the paper's 16.1 s are on the plot, too): first the end, then the start.
    assert tip.inner_text().split() == ["after", "100", "s", "PG3", "1.00"]
    page.keyboard.press("Home")
    assert tip.inner_text().split() == ["after", "1", "s", "PG3", "0.20"]
    for _ in range(26):
        page.keyboard.press("ArrowRight")
    assert tip.inner_text().split()[-1] == "1.00"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert tip.inner_text().split()[-1] == "0.20"
    page.keyboard.press("Escape")
    assert not tip.is_visible()


def test_a_method_can_be_picked_out(opened: Open, file: Path) -> None:
    page = opened(file).page
    button = page.get_by_role("button", name="Robust")
    faded = page.locator("#time ~ .panels .line.m0").first
    kept = page.locator("#time ~ .panels .line.m7").first
    button.press("Enter")
    assert button.get_attribute("aria-pressed") == "true"
    opacity = "e => getComputedStyle(e).opacity"
    assert float(faded.evaluate(opacity)) < 0.5
    assert float(kept.evaluate(opacity)) == 1
    button.press("Enter")
    assert float(faded.evaluate(opacity)) == 1


def test_links_lead_to_their_sections(opened: Open, file: Path) -> None:
    page = opened(file, reduced_motion="reduce").page
    page.get_by_role("navigation").get_by_role("link", name="Policies").click()
    heading = page.get_by_role("heading", name="The learned policies").bounding_box()
    assert heading
    assert 0 <= heading["y"] < LAPTOP[1]


def test_it_prints(opened: Open, file: Path) -> None:
    page = opened(file).page
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    # A4 across, less the margins.
    page.set_viewport_size({"width": 1030, "height": 700})
    assert page.locator(".figures").first.evaluate("e => e.scrollWidth") <= 1030
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")

"""The viewer's pages, opened from disk: on a laptop and a phone, by day and by night."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pg3.domains import PAPER_DOMAINS as DOMAINS
from pg3.learning.learner import learn
from pg3.learning.log import LearningLog
from pg3.pddl import read_domain, read_problem
from pg3.policy import parse_policy, read_policy
from pg3.viewer import policy_page, read_log, search_page
from pg3.viewer.scenes import PLACES, SIGNATURES
from tests.browser.test_report_page import LAPTOP, PHONE, SOME_PICTURE, Opened, opened, overflow
from tests.viewer.fabrication import (
    EXAMPLES,
    FERRY,
    HOSTILE,
    SMALL,
    TRAIN,
    apiary,
    clinic,
    crowd,
    ferry_log,
    hostile,
    large_log,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from pg3.learning.policy_search import Candidate
    from pg3.policy.rule_book import RuleBook

    Open = Callable[..., Opened]

__all__ = ["opened"]  # the fixture


@pytest.fixture(scope="session")
def search(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("search")
    domain = read_domain(FERRY)
    problems = [read_problem(file, domain) for file in TRAIN]
    page = folder / "search.html"
    page.write_text(search_page(read_log(ferry_log(folder / "log.jsonl")), domain, problems))
    return page


@pytest.fixture(scope="session")
def play(tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("play") / "play.html"
    domain = read_domain(FERRY)
    policy = read_policy(EXAMPLES / "policies" / "ferry.policy", domain)
    page.write_text(policy_page(policy, domain, read_problem(SMALL, domain)))
    return page


def stop_the_clock(page: Page) -> None:
    """From here on time passes in the page only when the test says so."""
    page.clock.install(time=datetime(2026, 1, 1, 8, tzinfo=UTC))
    page.clock.pause_at(datetime(2026, 1, 1, 9, tzinfo=UTC))


def now(page: Page) -> str:
    text: str = page.locator(".now").inner_text()
    return text


# -- everywhere ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("kind", ["search", "play"])
def test_it_opens_fits_and_shows_something(
    opened: Open, request: pytest.FixtureRequest, kind: str, size: tuple[int, int], scheme: str
) -> None:
    file: Path = request.getfixturevalue(kind)
    shown = opened(file, size, color_scheme=scheme)
    page = shown.page
    page.locator("html[data-ready]").wait_for()
    for key in ("End", "Home", "ArrowRight"):
        page.keyboard.press(key)
        assert overflow(page) == []
    assert shown.complaints == []
    assert shown.requests == [file.as_uri()]
    assert len(page.screenshot(full_page=True)) > SOME_PICTURE
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    red = int(background.removeprefix("rgb(").split(",")[0])
    assert red > 200 if scheme == "light" else red < 60


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_hostile_names_do_no_harm(opened: Open, tmp_path: Path, size: tuple[int, int]) -> None:
    domain, problem, policy = hostile()
    play = tmp_path / "play.html"
    play.write_text(policy_page(policy, domain, problem))
    log = tmp_path / "log.jsonl"
    text = large_log(log, 30, HOSTILE).read_text()
    log.write_text(text.replace("(q ?b)", f"({HOSTILE} ?b)").replace("gone.pddl", HOSTILE))
    found = tmp_path / "search.html"
    found.write_text(search_page(read_log(log)))
    for file in (play, found):
        shown = opened(file, size)
        shown.page.keyboard.press("ArrowRight")
        assert shown.complaints == []
        assert shown.requests == [file.as_uri()]
        assert shown.page.locator("img").count() == 0
        assert HOSTILE in shown.page.locator("main").inner_text()
        assert overflow(shown.page) == []


def test_it_says_something_without_scripts(opened: Open, play: Path) -> None:
    page = opened(play, java_script_enabled=False).page
    assert (
        "Debark a car at the location where the goal wants it" in page.locator("main").inner_text()
    )


# -- a policy on a problem -------------------------------------------------------------------------


def test_steps_by_buttons_keys_and_slider(opened: Open, play: Path) -> None:
    page = opened(play).page
    assert now(page) == "Start; 8 steps to come."
    page.get_by_role("button", name="Forward").click()
    assert now(page) == "Step 1 of 8: sail from l1 to l2."
    page.keyboard.press("ArrowRight")
    assert now(page) == "Step 2 of 8: board c1 at l2."
    page.keyboard.press("ArrowLeft")
    assert now(page).startswith("Step 1")
    page.keyboard.press("End")
    assert now(page) == "Step 8 of 8: debark c2 at l2. The goal is reached."
    assert page.locator(".goals .open").count() == 0
    page.keyboard.press("Home")
    assert now(page).startswith("Start")
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert now(page).startswith("Step 1")
    slider.fill("5")
    assert now(page).startswith("Step 5")
    assert slider.get_attribute("aria-valuetext") == "step 5 of 8: sail from l1 to l3"
    box = slider.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    assert now(page).startswith("Step 8")
    assert page.locator(".now").get_attribute("aria-live") == "polite"


def test_space_plays_and_pauses(opened: Open, play: Path) -> None:
    page = opened(play).page
    stop_the_clock(page)
    page.keyboard.press("Space")
    page.get_by_role("button", name="Pause").wait_for()
    page.clock.run_for(2000)
    assert now(page).startswith("Step 2")
    page.keyboard.press("Space")
    page.get_by_role("button", name="Play").wait_for()
    page.clock.run_for(5000)
    assert now(page).startswith("Step 2")


def test_the_rule_its_objects_and_what_it_changes(opened: Open, play: Path) -> None:
    page = opened(play).page
    page.get_by_role("slider").fill("2")
    acting = page.locator(".rule.acting")
    assert acting.get_attribute("aria-label") == "Rule 2: sail-to-target acts"
    assert "Sail from the current location" in acting.inner_text()
    assert page.locator(".binding dd").all_inner_texts() == ["c1", "l1", "l2"]
    why = page.locator(".why").inner_text()
    assert "For the goal (at c1 l1)" in why
    assert "the ferry is not at l1" in why
    assert page.locator(".changes ins").all_text_contents() == ["now true: (on c1)"]
    picture = page.locator("svg.picture")
    assert "c1 in ferry" in (picture.get_attribute("aria-label") or "")
    assert picture.locator(".vessel").count() == 1


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("name", list(DOMAINS))
def test_every_scene(opened: Open, tmp_path: Path, name: str, size: tuple[int, int]) -> None:
    problem = DOMAINS[name].problems("train", seed=2, count=1)[0]
    policy = read_policy(EXAMPLES / "policies" / f"{name}.policy", problem.domain)
    file = tmp_path / "page.html"
    file.write_text(policy_page(policy, problem.domain, problem))
    shown = opened(file, size)
    page = shown.page
    picture = page.locator(f"svg.picture.{name if name in SIGNATURES else PLACES}")
    first = picture.get_attribute("aria-label")
    page.keyboard.press("End")
    assert picture.get_attribute("aria-label") != first
    page.keyboard.press("ArrowLeft")
    assert shown.complaints == []
    assert overflow(page) == []
    if name == "forest":
        for kind in ("water", "trail", "dirt"):
            assert picture.locator(f".cell.{kind}").count() > 0
        assert picture.locator(".agent").count() == 1
        assert picture.locator(".flag").count() == 1


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_domain_that_nobody_has_drawn(
    opened: Open, tmp_path: Path, size: tuple[int, int]
) -> None:
    """Things inside places, goals as ghosts, ways between places; no label on another."""
    domain, problem, policy = clinic()
    file = tmp_path / "clinic.html"
    file.write_text(policy_page(policy, domain, problem))
    shown = opened(file, size)
    page = shown.page
    picture = page.locator("svg.picture.places")
    assert picture.locator(".place").count() == 4
    assert picture.locator(".way-line").count() == 3
    assert picture.locator(".chip.ghost").count() == 2
    page.keyboard.press("ArrowRight")
    assert picture.locator(".vessel").count() == 1
    boxes = picture.locator("text").evaluate_all(
        "all => all.map(t => { const b = t.getBoundingClientRect();"
        " return [b.left, b.top, b.right, b.bottom]; })"
    )
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            apart = one[2] <= other[0] or other[2] <= one[0]
            assert apart or one[3] <= other[1] + 2 or other[3] <= one[1] + 2
    page.keyboard.press("End")
    assert picture.locator(".chip.ghost").count() == 0
    assert picture.locator(".chip.done").count() == 2
    assert shown.complaints == []
    assert overflow(page) == []


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_things_on_what_stands_in_a_place(
    opened: Open, tmp_path: Path, size: tuple[int, int]
) -> None:
    """Hives stand in yards for ever: they and their boxes are drawn there, slots off the map."""
    domain, problem, policy = apiary()
    file = tmp_path / "apiary.html"
    file.write_text(policy_page(policy, domain, problem))
    shown = opened(file, size)
    picture = shown.page.locator("svg.picture.places")
    places = picture.locator("text.place-name").all_text_contents()
    assert (places[-1], sorted(places)) == ("slot1", ["home", "slot1", "y", "z"])
    assert picture.locator("text.man-name").all_text_contents() == ["hive1"]
    assert picture.locator(".agent-chip text").text_content() == "van"
    assert picture.locator(".way-line").count() == 2
    assert shown.complaints == []
    assert overflow(shown.page) == []


def test_a_crowd_is_summarised(opened: Open, tmp_path: Path) -> None:
    """Of many things that hold others only those of the current step are shown open."""
    domain, problem, policy = apiary(hives=50)
    file = tmp_path / "apiary.html"
    file.write_text(policy_page(policy, domain, problem))
    picture = opened(file).page.locator("svg.picture.places")
    assert picture.locator("text.man-name").all_text_contents() == ["hive1"]
    assert "hive2 +1" in picture.locator(".chip text").all_text_contents()


def test_an_unnamed_agent_carries_its_load(opened: Open, tmp_path: Path) -> None:
    """In the warehouse the forklift is no object, and what it lifts is at no place."""
    folder = EXAMPLES / "warehouse"
    domain = read_domain(folder / "domain.pddl")
    problem = read_problem(folder / "train" / "p4.pddl", domain)
    policy = parse_policy(
        """(define (policy p)
      (:rule lift :parameters (?x - pallet ?p - place)
        :preconditions (and (forklift-at ?p) (at ?x ?p) (fork-free)) :action (lift ?x ?p))
      (:rule drive :parameters (?x - pallet ?p ?q - place)
        :preconditions (and (forklift-at ?p) (at ?x ?q) (fork-free)) :action (drive ?p ?q)))""",
        domain,
    )
    file = tmp_path / "warehouse.html"
    file.write_text(policy_page(policy, domain, problem))
    shown = opened(file)
    picture = shown.page.locator("svg.picture.places")
    assert picture.locator(".agent-chip text").text_content() == "forklift"
    shown.page.keyboard.press("End")
    assert picture.locator(".agent-chip").count() == 0
    assert picture.locator("text.man-name").text_content() == "forklift"
    assert re.search("pallet[0-9]+ in forklift", picture.get_attribute("aria-label") or "")
    assert picture.get_by_text("elsewhere").count() == 0
    assert shown.complaints == []


def test_any_other_domain_is_a_graph(opened: Open, tmp_path: Path) -> None:
    domain, problem, policy = crowd()
    file = tmp_path / "graph.html"
    file.write_text(policy_page(policy, domain, problem))
    page = opened(file).page
    assert page.locator("svg.picture.graph .node").count() == 3
    assert page.locator("svg.picture.graph g.edge .head").count() == 2
    page.keyboard.press("End")
    assert page.locator("svg.picture.graph g.edge .head").count() == 3


# -- a search --------------------------------------------------------------------------------------


def test_the_way_to_the_best(opened: Open, search: Path) -> None:
    shown = opened(search)
    page = shown.page
    steps = page.locator(".path button")
    assert steps.count() == 5
    assert "rule 4: new (sail)" in steps.last.inner_text()
    assert steps.last.get_attribute("aria-current") == "step"
    steps.nth(1).click()
    assert page.locator(".details h2").inner_text() == "Candidate 1, on the way"
    new = page.locator(".rule.new")
    assert new.count() == 1
    assert "Debark a car at the location where the goal wants it" in new.inner_text()
    figures = page.locator(".plans figure")
    assert figures.first.locator("figcaption").inner_text() == "p1.pddl: 5 of 7 steps differ"
    assert figures.first.locator("circle.differ").count() == 5
    assert figures.first.locator("rect.agree").count() == 2
    page.get_by_role("slider").fill("0")
    assert "the empty policy" in page.locator(".change").inner_text()
    assert shown.complaints == []


def test_another_search_and_a_changed_condition(opened: Open, tmp_path: Path) -> None:
    forest = DOMAINS["forest"]
    problems = forest.problems("train", seed=0)
    options = {"score": "pg3", "rollout_steps": 50, "astar_expansions": 1000}
    header = {"problems": [problem.name for problem in problems], "options": options}
    operators = ("add-rule", "delete-rule", "add-condition", "delete-condition")
    with LearningLog(tmp_path / "log.jsonl", header) as log:

        def observe(method: str, candidate: Candidate, book: RuleBook) -> None:
            if candidate.number == 0:
                log.observe("a search that found nothing", candidate, book)
            log.observe(method, candidate, book)

        log.finish(
            learn(forest.domain, problems, preset="paper", operators=operators, observe=observe)
        )
    file = tmp_path / "forest.html"
    file.write_text(search_page(read_log(tmp_path / "log.jsonl"), forest.domain, problems))
    page = opened(file).page
    chosen = page.get_by_role("combobox")
    names = chosen.locator("option").all_inner_texts()
    assert len(names) > 1
    assert sum(name.endswith("– the result") for name in names) == 1
    chosen.select_option("0")
    assert page.locator(".path button").count() == 1
    result = next(i for i, name in enumerate(names) if name.endswith("– the result"))
    chosen.select_option(str(result))
    page.locator(".path button", has_text="+ ").first.click()
    assert page.locator(".rule ins").count() == 1
    assert page.locator(".rule ins").inner_text().startswith("added:")


def test_2500_candidates_open_at_once_and_can_be_clicked(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "large.html"
    file.write_text(search_page(read_log(large_log(tmp_path / "log.jsonl"))))
    shown = opened(file)
    page = shown.page
    page.locator("html[data-ready]").wait_for()
    canvas = page.locator("canvas")
    box = canvas.bounding_box()
    assert box
    heading = page.locator(".details h2")
    assert heading.inner_text() == "Candidate 2250, on the way"
    canvas.click(position={"x": 60, "y": 60})
    assert heading.inner_text() != "Candidate 2250, on the way"
    page.keyboard.press("End")
    assert heading.inner_text() == "Candidate 2499"
    stop_the_clock(page)
    page.keyboard.press("Space")
    page.clock.run_for(500)
    page.keyboard.press("Space")
    assert 10 < int(heading.inner_text().split(",")[0].split()[1]) < 2499
    drawn = canvas.evaluate(
        """c => new Set(c.getContext("2d").getImageData(0, 0, c.width, c.height).data).size"""
    )
    assert drawn > 20
    assert shown.complaints == []

"""The pictures of the viewer that pages show: python docs/pictures.py [NAME...].

Each is a page that the commands of the docs make, at one step, as headless Chromium shows it. It
needs what `make test-browser` installs.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import sync_playwright

import pg3
from pg3.viewer import policy_page

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
IMAGES = Path(__file__).resolve().parent / "images"


class Picture(NamedTuple):
    """A policy learned for a folder of examples, on one of its problems after some steps."""

    domain: str
    problem: str
    step: int
    size: tuple[int, int]


PICTURES = {
    "ferry-view": Picture("ferry", "small.pddl", 2, (1000, 560)),
    "tutorial-view": Picture("warehouse", "train/p4.pddl", 2, (1100, 720)),
}


def main() -> None:
    """Make those that are named, or all."""
    chromium = shutil.which("chromium")
    assert chromium is not None, "make test-browser installs Chromium"
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=Path(chromium), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        for name in sys.argv[1:] or PICTURES:
            picture = PICTURES[name]
            files = EXAMPLES / picture.domain
            policy = pg3.learn(files / "domain.pddl", files / "train").policy
            domain = pg3.read_domain(files / "domain.pddl")
            problem = pg3.read_problem(files / picture.problem, domain)
            file = Path(folder, f"{name}.html")
            file.write_text(policy_page(policy, domain, problem), encoding="utf-8")
            width, height = picture.size
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(file.as_uri())
            for _ in range(picture.step):
                page.keyboard.press("ArrowRight")
            page.screenshot(path=IMAGES / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()

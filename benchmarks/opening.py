"""How long pages of `pg3 view` take to write and to open: python -m benchmarks.opening.

Two problems whose plans are longer than a page: one of a domain with a drawing of its own, one of
a domain that the viewer knows nothing about. A page is open when its script has drawn a state.
It needs what `make test-browser` installs.
"""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from examples.demo import ferry_problem
from playwright.sync_api import sync_playwright

import pg3
from pg3.pddl import parse_problem
from pg3.viewer import policy_page

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
SIZES = ((1366, 768), (390, 844))
REPEATS = 3


def warehouse_problem(pallets: int, shelves: int, rng: random.Random) -> str:
    """Pallets on random shelves, each to be brought to one of four docks."""
    places = [f"shelf{i}" for i in range(shelves)]
    docks = [f"dock{i}" for i in range(4)]
    things = [f"pallet{i}" for i in range(pallets)]
    at = " ".join(f"(at {thing} {rng.choice(places)})" for thing in things)
    goal = " ".join(f"(at {thing} {rng.choice(docks)})" for thing in things)
    return (
        f"(define (problem warehouse-{pallets}-{shelves}) (:domain warehouse)\n"
        f"  (:objects {' '.join(things)} - pallet {' '.join(places + docks)} station1 - place)\n"
        f"  (:init (equipped station1) (forklift-at dock0) (fork-free) {at})\n"
        f"  (:goal (and {goal})))\n"
    )


def main() -> None:
    """Write each page, open it in Chromium, print the times."""
    rng = random.Random(0)
    problems = {
        "ferry": ferry_problem(900, 100, rng),
        "warehouse": warehouse_problem(600, 40, rng),
    }
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-dev-shm-usage"],
        )
        for name, text in problems.items():
            domain = pg3.read_domain(EXAMPLES / name / "domain.pddl")
            policy = pg3.learn(domain, EXAMPLES / name / "train").policy
            problem = parse_problem(text, domain)
            file = Path(folder, f"{name}.html")
            start = time.perf_counter()
            file.write_text(policy_page(policy, domain, problem), encoding="utf-8")
            written = time.perf_counter() - start
            print(f"{name}: {written:.2f} s to write {file.stat().st_size / 1e6:.1f} MB")
            for width, height in SIZES:
                opening, ending = [], []
                for _ in range(REPEATS):
                    page = browser.new_page(viewport={"width": width, "height": height})
                    start = time.perf_counter()
                    page.goto(file.as_uri())
                    page.locator("html[data-ready]").wait_for()
                    opening.append(time.perf_counter() - start)
                    start = time.perf_counter()
                    page.keyboard.press("End")
                    now = page.locator(".now").inner_text()
                    ending.append(time.perf_counter() - start)
                    assert now.startswith("Step 2500 of 2500")
                    page.close()
                print(
                    f"  {width} pixels wide: open after {min(opening):.2f}-{max(opening):.2f} s, "
                    f"at the last step {max(ending):.2f} s after its key"
                )
        browser.close()


if __name__ == "__main__":
    main()

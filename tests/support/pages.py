"""The pages of the documentation and the README as blocks of code, in order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = tuple(
    str(path.relative_to(ROOT))
    for path in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    )
)

_BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>[^\n]*?) -->\n\n?)?"
    r"^(?P<fence>```+)(?P<language>[^\n`]*)\n(?P<text>.*?)^(?P=fence)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language ("" if there is none), and why it does not run (None: it does).

    `output` is the block of the language "text" that follows at once: what the block prints, where
    "..." stands for anything.
    """

    page: str
    line: int
    language: str
    text: str
    reason: str | None
    output: str | None

    @property
    def commands(self) -> list[str]:
        """The lines of a shell that the block shows, without prompts and what is printed."""
        lines = self.text.replace("\\\n", "").splitlines()
        if self.language == "console":
            lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        return [line for line in lines if line.strip() and not line.startswith("#")]


def blocks(page: str) -> list[Block]:
    """All blocks of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    matches = list(_BLOCK.finditer(text))
    found = []
    for i, match in enumerate(matches):
        following = matches[i + 1] if i + 1 < len(matches) else None
        output = None
        if following is not None and following["language"] == "text":
            between = text[match.end() : following.start()]
            output = None if between.strip() else following["text"]
        line = text.count("\n", 0, match.start("fence")) + 1
        found.append(Block(page, line, match["language"], match["text"], match["reason"], output))
    return found

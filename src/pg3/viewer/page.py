"""The page around the data: one HTML file that needs nothing else.

The data stands in the page as JSON; the scripts put it there as text only (`textContent`), so that
no name in a domain, problem or policy is ever taken for markup.
"""

from __future__ import annotations

import html
import json
from importlib.resources import files
from typing import Any

_SCRIPTS = ("common.js", "rules.js", "scenes.js", "places.js", "search.js", "play.js", "start.js")

# Nothing may be fetched from anywhere; what runs is what stands in the file.
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'"
)


def render(title: str, data: dict[str, Any], summary: str) -> str:
    """The page; `summary` is what is left of it without scripts. Equal data give equal bytes."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    # A "</script>" in a name would end the data, "<!--" change how the rest is read.
    text = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    script = "\n".join(_asset(name) for name in _SCRIPTS)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{html.escape(_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(title)}</title>
<style>
{_asset("page.css")}</style>
</head>
<body>
<header><h1>{html.escape(title)}</h1></header>
<main id="app"><noscript><p>{html.escape(summary)}</p>
<p>This page needs JavaScript to show more.</p></noscript></main>
<script type="application/json" id="data">{text}</script>
<script>
{script}</script>
</body>
</html>
"""


def _asset(name: str) -> str:
    return files("pg3.viewer").joinpath("assets", name).read_text(encoding="utf-8")

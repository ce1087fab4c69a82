"""The documentation site: `make docs` builds it from the pages in this folder into build/docs."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "pg3"
author = "The pg3 developers"
copyright = author  # noqa: A001
release = installed_version("pg3")

# `site_pages` writes the lists of pages, commands and names when the site is built.
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton", "site_pages"]

# Pages are read on plain Git hosts, too: no extension of Markdown is used in them.
myst_heading_anchors = 3
smartquotes = False
highlight_language = "none"

# Docstrings have names in single backquotes, as code has them everywhere.
default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
add_module_names = False
maximum_signature_line_length = 88

html_theme = "furo"
html_title = f"pg3 {release}"
html_show_sourcelink = False
html_show_sphinx = False
html_copy_source = False
# A page from disk may not fetch others for summaries of what was found.
html_show_search_summary = False
html_static_path = ["site"]
html_css_files = ["site.css"]
copybutton_prompt_text = "$ "

"""From text to domains and problems: one module a part of the language."""

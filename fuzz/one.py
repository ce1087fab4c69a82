"""One target under atheris: `python -m fuzz.one TARGET CORPUS-FOLDER [libFuzzer's options]`."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["pg3"]):
    from fuzz.targets import TARGETS

if __name__ == "__main__":
    target = TARGETS[sys.argv[1]]
    atheris.Setup([sys.argv[0], *sys.argv[2:]], target.check)
    atheris.Fuzz()

"""All targets in turn: `python -m fuzz --seconds 60`. Prints how many inputs each was given.

What is learned about inputs stays in a corpus, `build/fuzz` by default, so that the next run goes
on from there. An input that breaks a promise is left in the corpus' folder `crashes`; exit code 1.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from fuzz.seeds import NATIVE_SEEDS
from fuzz.targets import TARGETS


def main() -> int:
    """Run what the command line asks for."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=int, default=60, help="for each target")
    options.add_argument("--runs", type=int, metavar="N", help="at most, always the same inputs")
    options.add_argument("--corpus", type=Path, default=Path("build/fuzz"))
    options.add_argument("--native", type=Path, nargs="*", default=[], help="libFuzzer programs")
    options.add_argument("targets", nargs="*", help=f"by default: {', '.join(TARGETS)}")
    chosen = options.parse_args()
    names = chosen.targets or ([] if chosen.native else TARGETS)
    commands = {name: [sys.executable, "-m", "fuzz.one", name] for name in names}
    commands |= {program.name: [str(program.resolve())] for program in chosen.native}
    total, broken = 0, []
    for name, command in commands.items():
        runs, code = _run(name, command, chosen.corpus, chosen.seconds, chosen.runs)
        total += runs
        broken += [name] * (code != 0)
        print(f"{name:16} {runs:12,} executions{'' if code == 0 else '  BROKEN'}", flush=True)
    print(f"{'in all':16} {total:12,} executions")
    if broken:
        print(f"broken: {', '.join(broken)}; see {chosen.corpus}/*/crashes", file=sys.stderr)
    return 1 if broken else 0


def _run(
    name: str, command: list[str], folder: Path, seconds: int, most: int | None
) -> tuple[int, int]:
    # The same inputs on every machine, of which a slow one has time for fewer; without a corpus,
    # and without a limit for an input that a busy machine could miss.
    fixed = [] if most is None else [f"-runs={most}", "-seed=1", "-timeout=300"]
    if fixed:
        shutil.rmtree(folder / name, ignore_errors=True)
    corpus, crashes = folder / name / "corpus", folder / name / "crashes"
    corpus.mkdir(parents=True, exist_ok=True)
    crashes.mkdir(exist_ok=True)
    dictionary = folder / name / "words"
    target = TARGETS.get(name)
    seeds = target.seeds if target else NATIVE_SEEDS.get(name, [])
    for seed in seeds:
        (corpus / hashlib.sha256(seed).hexdigest()).write_bytes(seed)
    words = [word.encode() for word in target.words] if target else []
    # An empty dictionary is an error to libFuzzer, this is a word like any other.
    escaped = ("".join(f"\\x{byte:02x}" for byte in word) for word in words or [b"\0\0"])
    dictionary.write_text("".join(f'"{word}"\n' for word in escaped))
    log = folder / name / "log"
    with log.open("w") as output:
        ended = subprocess.run(
            [
                *command,
                str(corpus),
                f"-max_total_time={seconds}",
                f"-dict={dictionary}",
                f"-artifact_prefix={crashes}/",
                "-print_final_stats=1",
                # An input that takes this long, or this much, breaks the promise, too.
                "-timeout=10",
                "-rss_limit_mb=2048",
                "-max_len=4096",
                *fixed,
            ],
            env=os.environ | ({"PYTHONHASHSEED": "0"} if fixed else {}),
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    found = re.search(r"stat::number_of_executed_units: *(\d+)", log.read_text(errors="replace"))
    return int(found[1]) if found else 0, ended.returncode


if __name__ == "__main__":
    sys.exit(main())

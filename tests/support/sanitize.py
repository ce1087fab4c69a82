"""`make sanitize`: the kernel built with sanitizers, and the tests that reach it.

Each build lies in a folder of its own, `build/sanitize-*`, beside links to the Python files. Python
is started without `site`, so that this package is found instead of the installed one, and with the
sanitizer's library loaded first. Python itself is not instrumented: it keeps memory to its end, so
leaks are not looked for.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = sysconfig.get_path("purelib")
FERRY = ROOT / "examples" / "ferry"

# All that give the kernel something to do, but those that compare it with other people's planners,
# start processes, or need more memory and time than a sanitizer leaves.
TESTS = [
    "tests/semantics/test_axioms.py",
    "tests/planning/test_extended_examples.py",
    "tests/differential/test_lifted_execution.py",
    "tests/differential/test_kernel_against_oracle.py",
    "tests/kernel/test_kernel_bounds.py",
    "tests/kernel/test_kernel_input.py",
    "tests/kernel/test_kernel_limits.py",
    "tests/pddl/test_hostile_input.py",
    "tests/planning/test_guided_solve.py",
    "tests/planning/test_hostile_work.py",
    "tests/semantics/test_plan_checking.py",
    "tests/planning/test_planning.py",
    "tests/semantics/test_task.py",
    "tests/kernel/test_threads.py",
    "tests/planning/test_scale_policies.py",
    "tests/learning/test_policy_search.py",
    "tests/pddl/test_problem_reader.py",
    "tests/pddl/test_robustness.py",
    "tests/policy/test_encoding.py",
    "tests/policy/test_own_next.py",
    "tests/learning/scores",
]
# What `make smoke` has time for.
SMOKE = [
    "tests/kernel/test_kernel_bounds.py",
    "tests/kernel/test_kernel_input.py",
    "tests/differential/test_kernel_against_oracle.py",
]
LEFT_OUT = (
    "not 64_megabytes and not device and not interrupted and not gigabyte and not wide"
    " and not fast_downward and not cannot_be_started and not running_out_of_memory"
)
OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1",
}


def build(sanitizers: str) -> Path:
    """The folder that holds the package with the kernel built for these sanitizers."""
    folder = ROOT / "build" / f"sanitize-{sanitizers.replace(',', '-')}"
    tools = Path(sys.executable).parent
    run(
        [
            str(tools / "cmake"),
            "-S",
            str(ROOT),
            "-B",
            str(folder / "cmake"),
            "-G",
            "Ninja",
            f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}",
            f"-DPython_EXECUTABLE={sys.executable}",
            "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
            f"-DPG3_SANITIZE={sanitizers}",
            "-DPG3_TESTS=ON",
            "-Wno-dev",
        ],
        quiet=True,
    )
    run([str(tools / "cmake"), "--build", str(folder / "cmake")], quiet=True)
    package = folder / "pg3"
    shutil.rmtree(package, ignore_errors=True)
    package.mkdir(parents=True)
    for path in (ROOT / "src" / "pg3").iterdir():
        (package / path.name).symlink_to(path)
    for library in (folder / "cmake").glob("_*.so"):
        (package / library.name).symlink_to(library)
    return folder


def library(name: str) -> str:
    """The path of one of the compiler's libraries."""
    compiler = os.environ.get("CXX", "g++")
    found = subprocess.run(
        [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
    )
    return found.stdout.strip()


def python(folder: Path, preload: str, *arguments: str | Path) -> None:
    """Run Python on the package in a folder; ends the program if that fails."""
    environment = os.environ | OPTIONS
    environment |= {
        "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT), PACKAGES]),
        # With the C++ runtime, whose throw the sanitizer wants to see.
        "LD_PRELOAD": f"{library(preload)} {library('libstdc++.so.6')}",
        "HYPOTHESIS_PROFILE": "few",
        # unified-planning's validator has no native code: it would be slow and see nothing.
        "PG3_JUDGED_STEPS": "0",
    }
    # Addresses as they always were: the thread sanitizer knows no others.
    command = ["setarch", "-R", sys.executable, "-S", *map(str, arguments)]
    run(command, environment=environment)


def run(
    command: list[str], *, quiet: bool = False, environment: dict[str, str] | None = None
) -> None:
    """Run a command; ends the program with its code if it fails."""
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, check=False, capture_output=quiet, text=True
    )
    if ended.returncode:
        if quiet:
            print(ended.stdout, ended.stderr, sep="\n")
        print(f"failed: {' '.join(command)}", file=sys.stderr)
        sys.exit(1)


def under_address_sanitizer(files: list[str]) -> None:
    """Tests of the kernel."""
    folder = build("address,undefined")
    check = "import pg3._native as n, sys; sys.exit('sanitize' not in n.__file__)"
    python(folder, "libasan.so", "-c", check)
    run([str(folder / "cmake" / "kernel_tests")], environment=os.environ | OPTIONS)
    tests = [*files, "-q", "-x", "-p", "no:cacheprovider", "--capture=sys", "-k", LEFT_OUT]
    python(folder, "libasan.so", "-m", "pytest", *tests)


def under_thread_sanitizer() -> None:
    """Threads of the learner, of evaluate, and of a caller."""
    folder = build("thread")
    with tempfile.TemporaryDirectory() as scratch:
        policy = Path(scratch) / "ferry.policy"
        files = [str(FERRY / "domain.pddl"), str(FERRY / "train")]
        for preset in ("robust", "paper"):
            learn = ["learn", *files, "--jobs", "2", "--preset", preset, "-o", str(policy)]
            python(folder, "libtsan.so", "-m", "pg3", *learn)
        evaluate = ["evaluate", *files, *files[1:], "--jobs", "2", "--policy", str(policy)]
        python(folder, "libtsan.so", "-m", "pg3", *evaluate)
    tests = ["tests/kernel/test_threads.py", "-q", "-x", "-p", "no:cacheprovider", "--capture=sys"]
    python(folder, "libtsan.so", "-m", "pytest", *tests, "-k", "not cannot_be_started")


def main() -> None:
    """Both or the one that is named, and what was done."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("only", nargs="?", choices=("address", "thread", "smoke"))
    only = options.parse_args().only
    start = time.monotonic()
    if only != "thread":
        files = SMOKE if only == "smoke" else TESTS
        under_address_sanitizer(files)
        print(f"{len(files)} files of tests under the address and undefined-behaviour sanitizers")
    if only in (None, "thread"):
        under_thread_sanitizer()
        print("learn --jobs 2 (robust, paper), evaluate --jobs 2 and the tests of threads")
        print("under the thread sanitizer")
    print(f"clean after {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()

"""Nothing under the project runs what it reads: no pickles, no evaluated text."""

from __future__ import annotations

import ast

import pytest

from tests.conftest import REPOSITORY

# Modules whose loaders can be made to run code, wholly forbidden.
MODULES = {
    "cloudpickle",
    "cPickle",
    "code",
    "codeop",
    "dill",
    "joblib",
    "jsonpickle",
    "marshal",
    "pickle",
    "pickletools",
    "shelve",
    "yaml",
}
BUILTINS = {"eval", "exec", "compile", "__import__"}
# Functions of modules that are otherwise fine.
FUNCTIONS = {
    "torch.load",
    "numpy.load",
    "np.load",
    "pandas.read_pickle",
    "pd.read_pickle",
    "logging.config.listen",
    "os.system",
    "os.popen",
}
FILES = sorted(
    file
    for folder in ("src", "benchmarks", "examples", "fuzz", "campaign")
    for file in (REPOSITORY / folder).rglob("*.py")
)


def dotted(node: ast.expr) -> str:
    """`a.b.c` as text; "" for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return ""


def offences(source: str) -> list[str]:
    """What a source does that it must not, with the line."""
    found = []
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = [module, *(f"{module}.{alias.name}" for alias in node.names)]
        bad = [name for name in names if name.split(".")[0] in MODULES or name in FUNCTIONS]
        if isinstance(node, ast.Call):
            name = dotted(node.func)
            safe = {keyword.arg: keyword.value for keyword in node.keywords}
            weights = safe.get("weights_only")
            only_weights = isinstance(weights, ast.Constant) and weights.value is True
            if name in BUILTINS or name in FUNCTIONS - ({"torch.load"} if only_weights else set()):
                bad.append(name)
            if any(arg == "allow_pickle" for arg in safe) or (
                "shell" in safe and dotted(node.func).startswith("subprocess.")
            ):
                bad.append(name)
        found += [f"line {node.lineno}: {name}" for name in bad]  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(REPOSITORY)))
def test_no_file_reads_pickles_or_evaluates_text(file: object) -> None:
    assert offences(file.read_text()) == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "from marshal import loads",
        "import yaml\nyaml.load(x)",
        "eval(text)",
        "exec(text)",
        "torch.load(path)",
        "torch.load(path, weights_only=False)",
        "from torch import load",
        "np.load(path, allow_pickle=True)",
        "subprocess.run(text, shell=True)",
    ],
)
def test_the_test_sees_them(source: str) -> None:
    assert offences(source)


def test_weights_alone_may_be_loaded() -> None:
    assert offences("torch.load(path, weights_only=True)") == []
    assert offences("re.compile(text)") == []

"""Solvers as judges of SMT-LIB scripts: z3, and cvc5 where it is installed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from pg3.errors import Pg3Error

if TYPE_CHECKING:
    from collections.abc import Callable

# Steps of z3 for one obligation: ten times what the search allows itself. Both solvers get a number
# of steps and no time, so that every machine gives the same answer.
_Z3_STEPS = 30_000_000
_CVC5_STEPS = 2_000_000


def z3_refutes(script: str) -> bool:
    """Whether z3 shows that the script is unsatisfiable; False if it does not know, too."""
    try:
        import z3  # noqa: PLC0415
    except ImportError:
        raise Pg3Error(
            "proofs need the solver z3: install the extra 'prove', pip install 'pg3[prove]'"
        ) from None
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", _Z3_STEPS)
    solver.from_string(script)
    answer: bool = solver.check() == z3.unsat
    return answer


def cvc5_refutes(script: str) -> bool:
    """The same by cvc5; first as it is, then with more ways to instantiate quantifiers."""
    return any(_cvc5_says_unsat(script, more) for more in (False, True))


def _cvc5_says_unsat(script: str, more: bool) -> bool:
    import cvc5  # noqa: PLC0415

    solver: Any = cvc5.Solver()
    solver.setOption("rlimit", str(_CVC5_STEPS))
    if more:
        solver.setOption("full-saturate-quant", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "obligation")
    symbols = parser.getSymbolManager()
    said = ""
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        said += command.invoke(solver, symbols)
    return said.strip() == "unsat"


def solvers() -> dict[str, Callable[[str], bool]]:
    """The solvers that are installed, z3 first."""
    found: dict[str, Callable[[str], bool]] = {"z3": z3_refutes}
    if find_spec("cvc5") is not None:
        found["cvc5"] = cvc5_refutes
    return found

# Everything a fresh clone needs: Python 3.11 or newer, make and a C++ compiler.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := $(wildcard native/*.cpp native/*.hpp) CMakeLists.txt pyproject.toml

.PHONY: all build demo test lint format bench bench-scale paper-preset clean

all: build

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade pip
	touch $@

$(VENV)/.build-tools: $(VENV)/.created
	$(BIN)/pip install --quiet --disable-pip-version-check "scikit-build-core>=0.10" "nanobind>=2.4" cmake ninja
	touch $@

# Editable: Python files are used where they lie; only a change of the kernel or of the packaging runs this again.
$(VENV)/.built: $(NATIVE) | $(VENV)/.build-tools
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable .
	touch $@

build: $(VENV)/.built

$(VENV)/.test-tools: pyproject.toml $(VENV)/.built
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[test]"
	touch $@

$(VENV)/.lint-tools: pyproject.toml $(VENV)/.built
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[lint,test]"
	touch $@

test: $(VENV)/.built $(VENV)/.test-tools
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(VENV)/.built $(VENV)/.lint-tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(wildcard native/*.cpp native/*.hpp)
	$(BIN)/lint-imports --no-cache

format: $(VENV)/.lint-tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(wildcard native/*.cpp native/*.hpp)

bench: $(VENV)/.built $(VENV)/.test-tools
	$(BIN)/python -m benchmarks

# The tables of docs/scale.md; minutes, most of them in pymimir.
bench-scale: $(VENV)/.built $(VENV)/.test-tools
	@$(BIN)/python -m benchmarks.scale

# The table of docs/results-paper-preset.md.
paper-preset: $(VENV)/.built
	@$(BIN)/python -m benchmarks.paper_preset

demo: $(VENV)/.built
	@$(BIN)/python examples/demo.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

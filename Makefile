# Everything a fresh clone needs: Python 3.11 or newer, make and a C++ compiler.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CPP := $(wildcard native/*/*.cpp native/*/*.hpp)
NATIVE := $(filter-out native/tests/%,$(CPP)) CMakeLists.txt pyproject.toml

COMMA := ,
SPACE := $(subst ,, )

.PHONY: all build demo test lint format bench bench-scale paper-preset table test-browser clean

all: build

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade pip
	touch $@

$(VENV)/.build-tools: $(VENV)/.created
	$(BIN)/pip install --quiet --disable-pip-version-check "scikit-build-core>=0.10" "nanobind>=2.4" cmake ninja
	touch $@

# The installation knows each module by its file: one that is new, gone or moved needs it again.
MODULES := find src/pg3 -name '*.py' | LC_ALL=C sort
.PHONY: always
$(VENV)/.modules: always | $(VENV)/.created
	@$(MODULES) | cmp -s - $@ || $(MODULES) >$@

# Editable: Python files are used where they lie; a change of the kernel, the packaging or the modules runs this again.
$(VENV)/.built: $(NATIVE) $(VENV)/.modules | $(VENV)/.build-tools
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable .
	touch $@

build: $(VENV)/.built

$(VENV)/.test-tools: pyproject.toml $(VENV)/.built
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[test]"
	touch $@

$(VENV)/.report-tools: pyproject.toml $(VENV)/.built
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[report]"
	touch $@

$(VENV)/.browser-tools: pyproject.toml $(VENV)/.built
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[test,browser,docs]"
	touch $@

$(VENV)/.lint-tools: pyproject.toml $(VENV)/.built
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[lint,test]"
	touch $@

# What the submission's checks need, in one go.
.PHONY: ci-tools
CI_TOOLS := lint test browser docs cluster fuzz
ci-tools: $(VENV)/.built
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[$(subst $(SPACE),$(COMMA),$(CI_TOOLS))]"
	touch $(CI_TOOLS:%=$(VENV)/.%-tools)

# Tests start many processes: compiled modules are kept, whatever the environment says about that.
export PYTHONDONTWRITEBYTECODE =
CORES ?= $(shell nproc 2>/dev/null || echo 2)
TESTS := --ignore=tests/browser --ignore=tests/cluster --ignore=tests/packaging --ignore=tests/docs
test: test-native $(VENV)/.built $(VENV)/.test-tools
	$(BIN)/python -m pytest -n $(CORES) --dist worksteal $(TESTS)

# The same with more problems and seeds, 300 random examples each, and plans of up to 1,000 steps a test judged by
# unified-planning.
.PHONY: test-thorough
test-thorough: $(VENV)/.built $(VENV)/.test-tools
	HYPOTHESIS_PROFILE=thorough PG3_JUDGED_STEPS=1000 $(BIN)/python -m pytest -n $(CORES) --dist worksteal -m "" $(TESTS)

# The kernel's own tests, in C++, with its invariants checked; a build of their own that compiles quickly.
.PHONY: test-native
KERNEL_TESTS := build/kernel-tests
test-native: $(VENV)/.build-tools
	@$(BIN)/cmake -S . -B $(KERNEL_TESTS) -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python \
		-DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O0 -D_GLIBCXX_ASSERTIONS" -DPG3_TESTS=ON >/dev/null
	@$(BIN)/cmake --build $(KERNEL_TESTS) --target kernel_tests >$(KERNEL_TESTS)/log || (cat $(KERNEL_TESTS)/log; exit 1)
	$(KERNEL_TESTS)/kernel_tests

lint: $(VENV)/.built $(VENV)/.lint-tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(BIN)/lint-imports --no-cache

format: $(VENV)/.lint-tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP)

bench: $(VENV)/.built $(VENV)/.test-tools
	$(BIN)/python -m benchmarks

# `pg3 plan` next to lama-first and pyperplan on Autoscale's problems, if they are at hand; many hours for all of them. Results
# are kept in build/coverage.jsonl. ONLY="barman sokoban --problems 5,10 --seconds 10" makes a part.
.PHONY: bench-planner
bench-planner: $(VENV)/.built $(VENV)/.campaign-tools
	@$(BIN)/python -m benchmarks.coverage $(ONLY)

# The tables of docs/results/scale.md; minutes, most of them in pymimir.
bench-scale: $(VENV)/.built $(VENV)/.test-tools
	@$(BIN)/python -m benchmarks.scale

# The table of docs/results/paper-preset.md.
paper-preset: $(VENV)/.built
	@$(BIN)/python -m benchmarks.paper_preset

# The tables of docs/results/generality.md: many domains learned and tried, LAMA on the same problems. Results are kept in
# build/generality, so it can be stopped and gone on with; ONLY="--parts learn,solve floortile" makes a part, and
# ONLY="--page docs/results/generality.md" writes the page anew, with MOOSE's files if they are at hand.
.PHONY: generality
generality: $(VENV)/.built $(VENV)/.campaign-tools
	@$(BIN)/python -m benchmarks.generality $(ONLY)

# What `pg3 learn` makes of a set of domains, a line each, kept in build/learners: see docs/results/generality.md.
# ONLY="farm mine --jobs 2" adds domains and options; python -m benchmarks.learners --help.
SET ?= built-in
.PHONY: learners
learners: $(VENV)/.built
	@$(BIN)/python -m benchmarks.learners $(SET) $(ONLY)

# What is lost without each part of the learner, and with its constants halved and doubled; many CPU hours for all. Results
# are kept in build/ablation. ONLY="--domains kitchen ferry --variants 'no *'" makes a part; python -m benchmarks.ablation --help.
.PHONY: ablation
ablation: $(VENV)/.built
	@$(BIN)/python -m benchmarks.ablation $(ONLY)

# The paper's tables: every GPS method, `robust` and random on six domains, ten seeds; then the report.
# A folder for each version of the code: results of another one are not gone on with. Failed runs stand first in the report.
RESULTS ?= results/$(shell git describe --always --dirty 2>/dev/null || echo table)
table: $(VENV)/.built $(VENV)/.report-tools
	$(BIN)/pg3 experiment -o $(RESULTS) --seeds 0-9 --jobs 2 || [ $$? -eq 1 ]
	$(BIN)/pg3 report $(RESULTS) -o $(RESULTS)/report.html

# The pages in a real browser. Debian's packages are installed where they are missing.
test-browser: $(VENV)/.built $(VENV)/.browser-tools
	command -v chromium >/dev/null || (apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium)
	$(BIN)/python -m pytest tests/browser

demo: $(VENV)/.built
	@$(BIN)/python examples/demo.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Everything that reads what a stranger wrote, on inputs that look for trouble: the Python readers under atheris, the
# kernel under libFuzzer and sanitizers, SECONDS for each of the twelve harnesses. Debian's clang is installed if missing.
SECONDS ?= 60
CLANG ?= clang++-14
FUZZ := build/fuzz-bin
FUZZ_FLAGS := -std=c++20 -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -Inative

.PHONY: fuzz sanitize campaign
.SECONDARY:

$(VENV)/.fuzz-tools: pyproject.toml $(VENV)/.built
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[fuzz]"
	touch $@

FUZZED := $(filter-out native/bindings/% native/tests/% native/gnn/%,$(filter %.cpp,$(CPP)))
$(FUZZ)/%.o: native/%.cpp $(filter %.hpp,$(CPP))
	@mkdir -p $(@D)
	$(CLANG) $(FUZZ_FLAGS) -c $< -o $@

$(FUZZ)/native-%: fuzz/native_%.cpp $(FUZZED:native/%.cpp=$(FUZZ)/%.o)
	$(CLANG) $(FUZZ_FLAGS) -fsanitize=fuzzer $^ -o $@

$(VENV)/.clang:
	command -v $(CLANG) >/dev/null || (apt-get update -qq && apt-get install -qq -y --no-install-recommends clang-14 libclang-rt-14-dev)
	touch $@

fuzz: $(VENV)/.fuzz-tools $(VENV)/.test-tools $(VENV)/.clang
	$(MAKE) $(FUZZ)/native-readers $(FUZZ)/native-kernel
	$(BIN)/python -m fuzz --seconds $(SECONDS)
	$(BIN)/python -m fuzz.commands --seconds $(SECONDS)
	$(BIN)/python -m fuzz --seconds $(SECONDS) --native $(FUZZ)/native-readers $(FUZZ)/native-kernel

# The kernel under sanitizers: the tests that reach it under address and undefined-behaviour sanitizers, and what runs
# threads under the thread sanitizer. Both with gcc; the rest of Python is as it always is, so that leaks are not looked for.
sanitize: $(VENV)/.built $(VENV)/.test-tools
	$(BIN)/python tests/support/sanitize.py

# A little of both, for every submission: the same tests and inputs each time.
.PHONY: smoke
SMOKE := $(BIN)/python -m fuzz --seconds 5 --runs 20000 --corpus build/smoke
smoke: $(VENV)/.fuzz-tools $(VENV)/.test-tools $(VENV)/.clang
	$(BIN)/python tests/support/sanitize.py smoke
	$(MAKE) $(FUZZ)/native-readers $(FUZZ)/native-kernel
	$(SMOKE)
	$(BIN)/python -m fuzz.commands --policies 10
	$(SMOKE) --native $(FUZZ)/native-readers $(FUZZ)/native-kernel

# Kernel, slow twins, validators and Fast Downward on random domains, each with a problem and a policy; hours. Fast
# Downward is asked about every FAST_DOWNWARD-th problem. A campaign can be divided, or go on: FIRST.
PROBLEMS ?= 10000
FAST_DOWNWARD ?= 1
FIRST ?= 0
$(VENV)/.campaign-tools: pyproject.toml $(VENV)/.test-tools
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[test,campaign]"
	touch $@

campaign: $(VENV)/.built $(VENV)/.campaign-tools
	$(BIN)/python -m tests.support.campaign --first $(FIRST) --problems $(PROBLEMS) --fast-downward $(FAST_DOWNWARD)

$(VENV)/.cluster-tools: pyproject.toml $(VENV)/.built
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[test,cluster]"
	touch $@

# A real Dask scheduler with its workers, on loopback; workers are killed.
.PHONY: test-cluster bench-cluster
test-cluster: $(VENV)/.built $(VENV)/.cluster-tools
	$(BIN)/python -m pytest tests/cluster

# The figures of docs/how-to/cluster.md.
bench-cluster: $(VENV)/.built $(VENV)/.cluster-tools
	@$(BIN)/python -m benchmarks.cluster

# The wheel for this system and Python, in dist/.
.PHONY: wheel test-wheel
wheel: $(VENV)/.build-tools
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps --wheel-dir dist .
	@ls dist/pg3-*.whl

# The wheel in an environment of its own, which takes minutes to make: it learns and solves there.
test-wheel: wheel $(VENV)/.test-tools
	$(BIN)/python -m pytest tests/packaging

$(VENV)/.docs-tools: pyproject.toml $(VENV)/.built
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable ".[docs]"
	touch $@

# The documentation site, in build/docs; a warning is an error. Always as a whole: much of it comes from the code.
.PHONY: docs test-docs
docs: $(VENV)/.built $(VENV)/.docs-tools
	$(BIN)/python -m sphinx -W --keep-going -E -q -b html docs build/docs
	@echo "build/docs/index.html"

# The site built once more, and every link and anchor in it followed.
test-docs: $(VENV)/.built $(VENV)/.test-tools $(VENV)/.docs-tools
	$(BIN)/python -m pytest tests/docs

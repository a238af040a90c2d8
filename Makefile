# Two commands do everything: `make reproduce` and `make test`. On Windows: `yardstick` (see README.md).
PYTHON ?= $(shell command -v python3.11 || command -v python3 || command -v python)
BIN := .venv/bin
READY := .venv/.ready
SYNC := $(if $(filter output-sync,$(.FEATURES)),--output-sync) # the make of macOS, 3.81, has none

PYTEST := $(BIN)/python -m pytest --numprocesses logical --maxprocesses 4 --dist loadfile --no-loadscope-reorder

# Each process would compile all modules anew otherwise, and pytest all tests.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: reproduce test test-fast test-all test-neural lint kernels mutations benchmark own-numbers notebook dashboard docs lock readme clean

reproduce: $(READY)  ## write report/index.html: every table and figure
	$(BIN)/python -m analysis reproduce $(ARGUMENTS)

test: $(READY)  ## run the tests but the slow ones; those that need a corpus or a browser say so when they are skipped
	$(MAKE) --no-print-directory --jobs 2 $(SYNC) lint kernels
	$(PYTEST) -m "not slow" $(ARGUMENTS)

test-fast: $(READY)  ## run the tests that need no corpus, browser or notebook, with few examples: a minute or two
	$(PYTEST) -m "not (slow or thorough or notebook or browser or real_corpus)" --hypothesis-profile fast --ignore-glob "tests/papers/test_*20[0-9][0-9]*" --ignore tests/papers/test_gates.py $(ARGUMENTS)

test-all: $(READY)  ## run all tests
	$(MAKE) --no-print-directory --jobs 2 $(SYNC) lint kernels
	$(PYTEST) $(ARGUMENTS)

kernels: $(READY)  ## compile the kernels with signatures, once for all processes; kept in .cache/numba
	$(BIN)/python conftest.py

mutations: $(READY)  ## plant small faults in copies of the source, and say which the tests do not notice
	$(BIN)/python -m benchmarks.mutations $(ARGUMENTS)

test-neural: $(READY)  ## install PyTorch and run the tests of the neural models of inflection, which other runs skip without it
	$(BIN)/pip install --quiet "torch>=2.6"
	$(PYTEST) -k "neural or character_trans or cluzh" tests/inflection tests/papers tests/commands $(ARGUMENTS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

benchmark: $(READY)  ## time the suite against its peers; writes benchmarks/README.md
	$(BIN)/python -m benchmarks --write benchmarks/README.md $(ARGUMENTS)

own-numbers: $(READY)  ## write the suite's own numbers again, which a test compares; changed measures go into CHANGELOG.md
	$(BIN)/python -m benchmarks.own_numbers $(ARGUMENTS)

notebook: $(READY)  ## open copies of the notebooks, in work/, in JupyterLab
	$(BIN)/python -m analysis notebook $(ARGUMENTS)

dashboard: $(READY)  ## serve copies of the notebooks as pages without code
	$(BIN)/python -m analysis dashboard $(ARGUMENTS)

docs: $(READY)  ## write docs/_build/html/index.html: the documentation, to be read offline
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html $(ARGUMENTS)

lock: $(READY)  ## take new versions of the dependencies into requirements.txt
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra tests --extra lexical --extra docs --override overrides.txt --output-file requirements.txt \
	  --no-header --no-annotate --python-version 3.11 --universal --upgrade

readme: $(READY)  ## write the table of systems again
	$(BIN)/python -m analysis systems --write docs/systems.md

clean:
	rm -rf .venv report dist build docs/_build docs/generated

# The lock is closed under dependencies, so pip needs no resolver.
$(READY): requirements.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $(READY)

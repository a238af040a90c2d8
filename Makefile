# Two commands do everything: `make reproduce` and `make test`. On Windows: `python -m analysis` (see README.md).
PYTHON ?= $(shell command -v python3.11 || command -v python3 || command -v python)
BIN := .venv/bin
READY := .venv/.ready

.PHONY: reproduce test lint benchmark notebook dashboard lock readme clean

reproduce: $(READY)  ## write report/index.html: every table and figure
	$(BIN)/python -m analysis reproduce $(ARGUMENTS)

test: $(READY) lint  ## run the tests; those that need a corpus or a browser say so when they are skipped
	$(BIN)/python -m pytest --numprocesses logical --maxprocesses 4 --dist loadfile $(ARGUMENTS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

benchmark: $(READY)  ## time the suite against its peers; writes the table of the README
	$(BIN)/python -m benchmarks --write README.md $(ARGUMENTS)

notebook: $(READY)  ## open the notebooks in JupyterLab
	$(BIN)/jupyter lab notebooks

dashboard: $(READY)  ## serve the first paper's notebook as a page without code
	$(BIN)/voila notebooks/01_frank2009.ipynb --show_tracebacks=True $(ARGUMENTS)

lock: $(READY)  ## take new versions of the dependencies into requirements.txt
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra tests --extra lexical --override overrides.txt --output-file requirements.txt \
	  --no-header --no-annotate --python-version 3.11 --universal --upgrade

readme: $(READY)  ## write the generated parts of README.md again
	$(BIN)/python -m analysis systems --write README.md

clean:
	rm -rf .venv report dist build

# The lock is closed under dependencies, so pip needs no resolver.
$(READY): requirements.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $(READY)

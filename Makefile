# The two commands a newcomer needs are `make demo` and `make test`; both set everything up first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test lint types contract docs tests bench graph report fixtures clean

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Token-Saver needs Python 3.11 or newer, found " + sys.version) if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	$(BIN)/python -m pip install --quiet --no-deps --editable plugins/token-saver-memory
	$(BIN)/python -m pip install --quiet --editable plugins/token-saver-navigator
	@touch $@

demo: $(STAMP)
	$(BIN)/python scripts/demo.py

test: lint types contract docs tests

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy
	$(BIN)/mypy plugins/token-saver-memory
	$(BIN)/mypy plugins/token-saver-navigator

contract: $(STAMP)
	$(BIN)/lint-imports

docs: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

tests: $(STAMP)
	$(BIN)/python -m pytest -n auto plugins/token-saver-memory/tests
	$(BIN)/python -m pytest -n auto plugins/token-saver-navigator/tests
	$(BIN)/python -m pytest -n auto

bench: $(STAMP)
	$(BIN)/python -m benchmarks

graph: $(STAMP)
	$(BIN)/python scripts/graph.py

report: $(STAMP)
	$(BIN)/python scripts/report.py

fixtures: $(STAMP)
	$(BIN)/python scripts/record_fixtures.py
	$(BIN)/python scripts/make_replay.py

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis

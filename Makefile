PYTHON ?= python3
BIN := .venv/bin
REPORT := kvaudit-report.html

.PHONY: verify test check lint format bench mutants docs clean

verify: .venv/installed  ## audit the releases nearest the article's pinned commits
	$(BIN)/kvaudit verify --release near-pin --ledger reports -f text -o - -f html -o $(REPORT) && echo "$(CURDIR)/$(REPORT)"

test: .venv/developing  ## all tests that need no release and no browser
	$(BIN)/pytest -n auto -m "not online and not browser"

check: lint test  ## all that CI checks: also the tests that read releases or drive a browser
	$(BIN)/pytest -n auto -m "online or browser"

lint: .venv/developing
	$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy && $(BIN)/lint-imports

format: .venv/developing
	$(BIN)/ruff format . && $(BIN)/ruff check --fix .

bench: .venv/developing  ## measure, as ratios within one run
	$(BIN)/python benchmarks/audit.py

mutants: .venv/developing  ## edit the real source and see what the pack notices. MUTANTS="--path vllm=DIR --most 4 --json FILE"
	$(BIN)/python -m benchmarks.mutants $(MUTANTS)

docs: .venv/developing  ## the site of docs/
	$(BIN)/sphinx-build -q -W docs docs/_build && echo "$(CURDIR)/docs/_build/index.html"

clean:
	rm -rf .venv $(REPORT)

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv && $(BIN)/pip install --quiet --editable . && touch $@

.venv/developing: pyproject.toml
	$(PYTHON) -m venv .venv && $(BIN)/pip install --quiet --editable ".[dev]" && touch $@ .venv/installed

# The two commands: `make run` and `make test`. Both set up what they need in .venv on a fresh machine with Python 3.11+.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
READY := $(VENV)/.ready

.PHONY: run test check nightly bench docs clean

run: $(READY)  ## serve a floor with a table of each game; its ledger is croupier.db
	@exec $(BIN)/croupier serve --port $(PORT)

test: $(READY) check  ## every check and every test
	$(BIN)/python -m tests.browser.finding
	$(BIN)/pytest -n 2 --dist worksteal -m "not slow"

check: $(READY)
	$(BIN)/ruff check src tests docs
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

nightly: $(READY) check  ## the exhaustive proofs as well
	$(BIN)/python -m tests.browser.finding
	$(BIN)/pytest -n 2

bench: $(READY)  ## measure, as ratios within one run, and write docs/benchmarks.md
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	$(BIN)/python -m tests.bench

docs: $(READY)  ## regenerate docs/readings.md, docs/status.md and the reference
	$(BIN)/python docs/generate.py

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "croupier needs Python 3.11 or newer; set PYTHON=")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $(READY)

clean:
	rm -rf $(VENV)

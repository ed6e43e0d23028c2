# The two commands: `make run` and `make test`. Both set up what they need in .venv on a fresh machine with Python 3.11+.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
RUNS := $(VENV)/.runs
READY := $(VENV)/.ready
# One more than the cores of a small machine, since some tests wait. With more, each gets slower.
WORKERS ?= $(shell cores=$$(getconf _NPROCESSORS_ONLN); echo $$((cores < 4 ? cores + 1 : cores)))
# `make test TESTS="not slow"` runs what CI runs: more games, devices and deals.
TESTS ?= not slow and not thorough
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e

.PHONY: run test suite check types nightly bench docs clean

run: $(RUNS)  ## serve a floor with a table of each game; its ledger is croupier.db
	@exec $(BIN)/croupier serve --port $(PORT)

test: $(READY)  ## every check and the everyday tests, side by side
	@$(MAKE) --no-print-directory -j 2 suite check

suite: $(READY)
	$(BIN)/python -m tests.browser.finding
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "$(TESTS)"

check: $(READY)
	$(BIN)/ruff check src tests docs examples
	$(BIN)/ruff format --check src tests docs examples
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

types: $(READY)  ## check the types of the pages' scripts against those of the API; needs npx and a network
	@mkdir -p build/types
	$(BIN)/python -c 'import json; from croupier.web import app, schema, settings; print(json.dumps(schema.complete(app.create_app(settings.Settings("memory:")))))' > build/types/api.json
	npx --yes openapi-typescript@7 build/types/api.json --default-non-nullable=false --output build/types/api.d.ts
	npx --yes --package typescript@5 tsc -p jsconfig.json

nightly: $(READY) check  ## every test, with the exhaustive proofs
	$(BIN)/python -m tests.browser.finding
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

bench: $(READY)  ## measure, as ratios within one run, and write docs/benchmarks.md
	$(INSTALL) '.[bench]'
	$(BIN)/python -m tests.bench

docs: $(READY)  ## regenerate docs/readings.md, docs/status.md and the reference
	$(BIN)/python docs/generate.py

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "croupier needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)

$(RUNS): pyproject.toml constraints.txt | $(BIN)/python  # what a floor needs, without the test tools
	$(INSTALL) '.[serve]'
	touch $@

$(READY): pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) '.[test]'
	touch $@ $(RUNS)

clean:
	rm -rf $(VENV)

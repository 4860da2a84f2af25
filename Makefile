# Everything is set up by the targets that need it: Python 3.11 or newer, make and git are enough.
# Paths are relative, so the checkout may lie in a folder of any name.

PYTHON ?= python3
VENV ?= .venv
ARGS ?=
KILLS ?= 200

PY := $(VENV)/bin/python
READY := $(VENV)/.ready
PIP := $(PY) -m pip --disable-pip-version-check --no-input
TOOLROUTE := $(PY) -m toolroute

# The stamp holds the folder that the venv was made in: a moved or copied checkout's venv still points to the old one.
ifneq ($(shell cat "$(READY)" 2>/dev/null),$(CURDIR))
.PHONY: $(READY)
endif

# Compiled modules are kept in any environment: without them each command takes twice as long to start.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help test test-all test-lowest fuzz breaks soak demo bench lint format types imports schemas changelog clean

help: ## list the targets
	@echo "make TARGET [PYTHON=python3.12] [ARGS='options for pytest or the benchmark']"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' Makefile

test: $(READY) ## run the tests, as many at once as there are processors, eight at most
	$(PY) -m pytest -n auto --maxprocesses 8 $(ARGS)

test-all: ## run the tests on each supported Python that this machine has
	@tried=; \
	for version in 3.11 3.12 3.13; do \
	  for python in "python$$version" "$$HOME/.pyenv/versions/$$version".*/bin/python; do \
	    "$$python" -c '' 2>/dev/null || continue; \
	    echo "== Python $$version: $$python"; \
	    $(MAKE) --no-print-directory test PYTHON="$$python" VENV=".venv-$$version" || exit 1; \
	    tried="$$tried $$version"; \
	    break; \
	  done; \
	done; \
	echo "== Tested on:$${tried:- none, for no supported Python was found}"; \
	test -n "$$tried"

test-lowest: $(READY) ## run the tests on the oldest releases of what toolroute stands on
	@$(PY) .ci/lowest.py > .venv-lowest.txt
	@PIP_CONSTRAINT=.venv-lowest.txt $(MAKE) --no-print-directory test VENV=.venv-lowest

fuzz: $(READY) ## run the long random searches
	$(PY) -m pytest -m fuzz $(ARGS)

breaks: $(READY) ## apply each break to a copy, and name the test that catches it; ARGS='words' picks some
	$(PY) -m breaks $(ARGS)

soak: $(READY) ## kill a host some hundred times in the middle of its work, and look for what it had answered
	TOOLROUTE_KILLS=$(KILLS) $(PY) -m pytest tests/durability $(ARGS)

demo: $(READY) ## see the shipped table checked and laid out, calls explained, and a real host probed by it
	$(TOOLROUTE) check routes.yaml
	$(TOOLROUTE) matrix routes.yaml
	$(TOOLROUTE) explain agent_settings --caller host --given agent
	$(TOOLROUTE) explain skip_reply --caller puppet --given channels --given agent --given on_surface
	$(TOOLROUTE) explain think --caller module --given channels --given agent
	$(PY) -m demo.probe

bench: $(READY) ## measure
	$(PY) -m bench.bench $(ARGS)

lint: $(READY) ## check the style and the layout of the code
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

format: $(READY) ## lay the code out, and mend what ruff can
	$(PY) -m ruff check --fix --exit-zero --quiet .
	$(PY) -m ruff format .

types: $(READY) ## check the types
	$(PY) -m mypy --strict

imports: $(READY) ## check which part imports which
	$(VENV)/bin/lint-imports --no-logo

schemas: $(READY) ## write the JSON Schemas anew from the models
	$(PY) -m toolroute.engine.table.schema

changelog: $(READY) ## collect changelog.d into CHANGELOG.md: make changelog VERSION=x
	@test -n "$(VERSION)" || { echo "Say which release: make changelog VERSION=x" >&2; exit 2; }
	$(PY) -m towncrier build --yes --version "$(VERSION)"

clean: ## remove what was built here, the venvs too
	rm -rf .venv .venv-* build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -type d -name __pycache__ -prune -exec rm -rf {} +

# What an archive of the sources lacks: links are not packed into it.
.dev/toolroute:
	mkdir -p .dev
	ln -s .. .dev/toolroute

$(READY): pyproject.toml | .dev/toolroute
	@"$(PYTHON)" -c '' 2>/dev/null || { \
	  echo "toolroute needs Python 3.11 or newer, and $(PYTHON) doesn't run. Name another: make PYTHON=/path/to/python3.11" >&2; exit 2; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "toolroute needs Python 3.11 or newer, and $(PYTHON) is $$("$(PYTHON)" -V 2>&1). Name another: make PYTHON=/path/to/python3.11" >&2; exit 2; }
	@rm -f "$(READY)"
	@echo "Setting up $(VENV) ..."
	@"$(PY)" -c '' 2>/dev/null || "$(PYTHON)" -m venv --clear "$(VENV)"
	@$(PIP) install -qq --editable '.[dev]'
	@printf '%s\n' "$(CURDIR)" > "$(READY)"

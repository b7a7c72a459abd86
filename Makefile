# OLM v1 in Python. `make demo` shows it, `make test` proves it; both set up everything they need.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.complete
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header
export PYTHONPATH := $(CURDIR)
# Compiled code is kept, and out of the way: starting a process without it takes three times as long.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/.tools/pycache

.PHONY: help tools demo demo-down demo-upgrade-gate check test format lock manifests bench soak

help: ## Show the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

# A virtual environment that is complete or absent: the stamp is written last.
$(STAMP): requirements.lock pyproject.toml
	@echo "==> Python environment ($(VENV))"
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, this is " + sys.version)'
	[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv>=0.9'
	$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --editable .
	touch $@

tools: $(STAMP) ## Build the control plane (etcd, kube-apiserver, …) into .tools: minutes once, then nothing
	$(BIN)/python -m devcluster tools

demo: tools ## Run the main job on a control plane of this machine and check every step (DEMO_KEEP=1 keeps it)
	$(BIN)/python -m e2e.demo

demo-upgrade-gate: tools ## Walk through the upgrade gate of OpenShift on a control plane of this machine
	$(BIN)/python -m e2e.demo --chapter upgrade-gate

demo-down: $(STAMP) ## Stop a control plane that was kept
	$(BIN)/python -m devcluster down

check: $(STAMP) ## Format, lint, types, import contracts, unit and property tests: the fast part, minutes
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.advisories
	$(BIN)/pytest -q -n 2 tests/unit tests/properties

test: tools check ## Everything: check, API tests on a real control plane, e2e, twenty kills, the demo
	$(BIN)/pytest -q -n 2 --dist loadfile tests/api
	$(BIN)/pytest -q e2e
	$(BIN)/python -m e2e.soak --kills 20
	$(BIN)/python -m e2e.demo
	$(BIN)/python -m e2e.demo --chapter upgrade-gate

soak: tools ## Kill the components two hundred times, between any two writes, during installs and upgrades
	$(BIN)/python -m e2e.soak --kills 200

bench: tools ## Measure; the results belong into benchmarks/README.md
	$(BIN)/python -m benchmarks

format: $(STAMP) ## Format and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: ## Renew the lock files from pyproject.toml
	$(COMPILE) --all-extras pyproject.toml -o requirements.lock
	$(COMPILE) --no-annotate --extra cli --extra constraints --constraint requirements.lock pyproject.toml -o tools/image/requirements.lock
	printf 'setuptools>=77\n' | $(COMPILE) --no-annotate - -o tools/image/build-requirements.lock
	@echo "then: make check, which says when to run python -m tools.licences"

manifests: tools ## Write what is derived from config/: chart, config/manifests.yaml, references in docs/
	$(BIN)/python -m tools.chart
	$(BIN)/python -m tools.api_reference
	$(BIN)/python -m tools.rights_reference

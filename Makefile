# One command per verb. `make help` lists them; each installs what it misses.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
PY := .venv/bin/python
NPM := npm run --silent

.PHONY: help demo test lint lint-fast fmt bench lab schema lock audit-dependencies release release-test \
	test-whole test-core test-console test-frontend test-deploy test-galera test-faults test-ui test-story test-e2e test-bare scenarios servers compose-test ha faults fuzz bootstrap clean

help: ## This list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z0-9-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  Arguments go in ARGS, for example: make lab ARGS='kill db-a1'"

bootstrap: ## Install what is missing (Debian packages, .venv, node_modules)
	@deploy/setup/bootstrap.sh

demo: bootstrap ## Two Galera clusters, linked, and the console on them; Ctrl-C stops all of it
	@exec $(PY) -m deploy.demo $(ARGS)

test: bootstrap ## What a change needs before it lands: a quarter of an hour; ends with one line
	@exec $(PY) -m deploy.testrun $(ARGS)

test-whole: bootstrap ## All tests there are, stage by stage, and a page of results (hours); ARGS='--from galera', '--lanes 3'
	@exec $(PY) -m deploy.testrun --whole $(ARGS)

lint: bootstrap ## Every static check
	@exec $(PY) -m deploy.testrun lint $(ARGS)

lint-fast: ## What pre-commit runs: styles and layers
	@.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/lint-imports
	@npx biome ci --colors=off

fmt: bootstrap ## Put everything into the one style
	@.venv/bin/ruff check --fix --exit-zero . && .venv/bin/ruff format .
	@npx biome check --write --colors=off

test-core: bootstrap ## The replication domain alone (seconds)
	@exec $(PY) -m deploy.testrun core $(ARGS)

test-console: bootstrap ## Services, API and monitor of the console on a real MariaDB
	@exec $(PY) -m deploy.testrun console $(ARGS)

test-frontend: bootstrap ## The console's pages, without a browser
	@exec $(PY) -m deploy.testrun frontend $(ARGS)

test-deploy: bootstrap ## Compose, image, unit and proxy files, a release, and the parts of the demo
	@exec $(PY) -m deploy.testrun deploy $(ARGS)

test-galera: bootstrap ## Scenarios on two real Galera clusters
	@exec $(PY) -m deploy.testrun single-servers galera variants $(ARGS)

scenarios: bootstrap ## Every scenario on real Galera clusters, in every variant (hours)
	@exec $(PY) -m deploy.testrun scenarios-long $(ARGS)

servers: bootstrap ## Scenarios on other releases of MariaDB and on mixed links (an hour and more)
	@exec $(PY) -m deploy.testrun servers $(ARGS)

compose-test: bootstrap ## Images and the compose file in a container engine, with a lab (half an hour)
	@exec $(PY) -m deploy.testrun containers-long $(ARGS)

ha: bootstrap ## Each part of two of everything killed, frozen and cut off under load (an hour)
	@exec $(PY) -m deploy.testrun ha-long $(ARGS)

faults: bootstrap ## Every fault of the catalogue on a whole stack (an hour and more); the page of results
	@exec $(PY) -m deploy.testrun faults-long $(ARGS)

fuzz: bootstrap ## New examples for simulation and oracle, EXAMPLES=N in each shard (hours); the page of results
	@HAWSER_FUZZ_EXAMPLES=$(EXAMPLES) exec $(PY) -m deploy.testrun fuzz $(ARGS)

test-faults: bootstrap ## The fault bench's quick selection (minutes)
	@exec $(PY) -m deploy.testrun faults $(ARGS)

test-ui: bootstrap ## The console's pages in a browser, on an API from memory
	@exec $(PY) -m deploy.testrun --whole ui $(ARGS)

test-story: bootstrap ## Two bare clusters from their registration to the failback, on one lab
	@exec $(PY) -m deploy.testrun build story $(ARGS)

test-e2e: bootstrap ## The console in a browser, on a real lab
	@exec $(PY) -m deploy.testrun e2e $(ARGS)

test-bare: bootstrap ## Two bare clusters set up, failed over and failed back in a browser, on a desktop and a phone
	@exec $(PY) -m deploy.testrun bare $(ARGS)

bench: bootstrap ## Measurements, bounded in time
	@exec $(PY) -m bench $(ARGS)

lab: bootstrap ## Two Galera clusters alone; ARGS='up|down|status|kill NODE|...'
	@exec $(PY) -m deploy.lab $(or $(ARGS),status)

schema: bootstrap ## Write the OpenAPI schema and the client types made from it
	@$(PY) manage.py spectacular --file frontend/src/api/generated/openapi.yaml
	@$(NPM) gen:api

lock: bootstrap ## Pin and hash the Python packages again from requirements*.in
	@.venv/bin/uv pip compile --quiet --generate-hashes --python-version 3.11 requirements.in -o requirements.txt
	@.venv/bin/uv pip compile --quiet --generate-hashes --python-version 3.11 requirements-dev.in -o requirements-dev.txt

audit-dependencies: bootstrap ## Advisories on the locked Python and Node packages, from PyPI and the npm registry
	@exec $(PY) -m deploy.release.advisories

release: bootstrap ## An archive that runs the console, the client's wheel, bills of materials and checksums, into dist/
	@exec $(PY) -m deploy.release $(ARGS)

release-test: bootstrap ## What test-deploy tests, and an archive installed from nothing (needs the package registry)
	@exec $(PY) -m deploy.testrun deploy-long $(ARGS)

clean: ## Remove what builds, tests and the demo left (a running lab is taken down first)
	@if [ -d .lab ]; then $(PY) -m deploy.lab down; fi
	@rm -rf frontend/dist staticfiles .demo .testrun test-results playwright-report

# The named tasks of this project. `make help` lists them; CI calls the same names.

export SWIFT_BACKTRACE := enable=no
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

SWIFT    ?= swift
PREFIX   ?= /usr/local
DESTDIR  ?=
# How long `make fuzz` and the fuzz run in `make check` last for each target, in seconds.
FUZZ_SECONDS ?= 60
CHECK_FUZZ_SECONDS ?= 5
# Which mutants `make mutants` runs: those with this text in their name or file, those that a change since this commit touches.
MUTANTS ?=
SINCE ?=
# `make quick SINCE=origin/main` takes what changed since then, not only what is not committed.
# Which parts of `make campaign` run, from which seed (a new one when empty), and with what more, as "--count 100".
PARTS ?= kills power disk clock soak
SEED ?=
OPTIONS ?=
# `make STRICT=1` makes one build for debugging do for the Swift tests and for the check for warnings; as CI does, which builds all anew.
STRICT ?=
STRICT_BUILD := $(if $(STRICT),.build,.build-strict)
BINARY   := .build/release/holdfast
LOGS     := .build/logs
FOLDERS  := Package.swift Sources Tests $(wildcard Fuzz/Sources Benchmarks/Sources Examples)

.PHONY: help deps deps-build run build build-push build-wake run-push quick test test-swift test-interop test-slow campaign tsan asan mutants mutants-check check lint words \
  format format-check warnings generated docs-check docs-site bench fuzz screenshots docs install deb portable tarball clean

help: ## This list
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | awk -F '\t' '{ printf "  make %-13s %s\n", $$1, $$2 }'

deps: ## Install what all tasks need: system packages, and Python packages into .venv
	@Packaging/deps.sh

deps-build:
	@Packaging/deps.sh build

build: deps-build ## Build the release binary: .build/release/holdfast (installs only what building needs)
	@Packaging/logged.sh $(LOGS)/build.log $(SWIFT) build -c release $$(cat Packaging/release-options) --static-swift-stdlib --product holdfast

run: build ## Build, then start a trial signer with an embedded relay; nothing for tests is installed or built
	@exec $(BINARY) up --trial

quick: deps ## Format, build and unit-test the modules with uncommitted changes (SINCE=commit for more); not those that use them
	@Packaging/quick.sh $(SINCE)

test: test-swift test-interop ## Before a change is sent: all Swift tests, then real clients against the real daemon, all but the slow ones

# All eight bits of every byte of a vault are flipped here; `swift test` alone flips one of each.
test-swift: export HOLDFAST_EVERY_BIT := 1
ifdef STRICT
test-swift: export HOLDFAST_STRICT := 1
endif
test-swift: deps
	@Packaging/test-swift.sh $(LOGS)/test-swift.log $(SWIFT) test

build-push: deps-build ## Build the push proxy: .build/release/holdfast-push
	@Packaging/logged.sh $(LOGS)/build-push.log Packaging/small.sh holdfast-push

run-push: deps build-push ## Start the push proxy with a stand-in for Apple's service, and prove one wake on this machine
	@HOLDFAST_BINARY=$(abspath .build/release/holdfast-push) PYTHONPATH=interop .venv/bin/python -m push.prove_wake

build-wake: deps-build ## Build the signer that wakes for one request: .build/release/holdfast-wake
	@Packaging/logged.sh $(LOGS)/build-wake.log Packaging/small.sh holdfast-wake

test-interop: deps build build-push build-wake
	@Packaging/test-interop.sh $(LOGS)/test-interop.log $(BINARY) -m "not slow"

test-slow: deps build portable ## The slow interop tests: many kills, floods, disks that fill up. CI runs them, too
	@Packaging/test-interop.sh $(LOGS)/test-slow.log $(BINARY) -m slow

campaign: deps build ## Kills, power cuts, full disks, clocks that are set, an hour's soak: PARTS="kills power", SEED=N, OPTIONS="--count 100"
	@status=0; for part in $(PARTS); do \
	  HOLDFAST_BINARY=$(abspath $(BINARY)) PYTHONPATH=interop .venv/bin/python -m campaign $(if $(SEED),--seed $(SEED)) $$part $(OPTIONS) || status=1; \
	done; exit $$status

tsan: deps ## Run the tests of the modules with threads under ThreadSanitizer
	@Packaging/sanitized.sh thread "$$(Packaging/modules.sh threads)"

asan: deps ## Run the tests of the modules that call C under AddressSanitizer
	@Packaging/sanitized.sh address "$$(Packaging/modules.sh c)"

mutants: deps ## Break the lines that decide, one at a time, and want a red test: MUTANTS=text or SINCE=commit for some
	@Tests/Mutants/mutants.py --only "$(MUTANTS)" --since "$(SINCE)"

mutants-check:
	@Tests/Mutants/mutants.py --check

check: format-check lint words docs-check mutants-check warnings generated docs-site ## Format, lint, words, warnings, stale files, docs; a short fuzz run
	@$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=$(CHECK_FUZZ_SECONDS)
	@echo "check: all clean"

lint: deps ## Lint Python and JavaScript, the imports of system libraries, titles of tests, subjects of commits
	@Packaging/lint.sh

words: ## Look for words that docs/GLOSSARY.md forbids
	@python3 docs/check-words.py

format: deps ## Format every Swift and Python file in place
	@$(SWIFT) format -i -r -p $(FOLDERS)
	@.venv/bin/ruff format --quiet .

format-check:
	@$(SWIFT) format lint --strict -r -p $(FOLDERS) && echo "format: clean"

warnings: deps-build
	@HOLDFAST_STRICT=1 Packaging/logged.sh $(LOGS)/warnings.log $(SWIFT) build --scratch-path $(STRICT_BUILD)
	@echo "warnings: none"

# Files in git that a program writes: regenerate them and compare.
generated: build
	@$(BINARY) man | diff -u docs/holdfast.1 - || { echo "docs/holdfast.1 is stale: run 'make docs'" >&2; exit 1; }
	@$(BINARY) api | diff -u docs/API.md - || { echo "docs/API.md is stale: run 'make docs'" >&2; exit 1; }
	@Sources/Mnemonics/WordLists/generate.py --check
	@Sources/CConsoleFiles/generate.py --check
	@echo "generated files: up to date"

docs-check: deps
	@python3 docs/check-docs.py

docs-site: warnings ## The pages of the libraries, made with DocC: .build/docs-site
	@Packaging/docs-site.sh $(STRICT_BUILD)/debug .build/docs-site

screenshots: deps build ## Make the documents' pictures of the console anew: docs/images
	@cd interop && HOLDFAST_BINARY=$(abspath $(BINARY)) ../.venv/bin/python -m screenshots ../docs/images

docs: build ## Rewrite the generated manual page and docs/API.md, then check the documents
	@$(BINARY) man > docs/holdfast.1
	@$(BINARY) api > docs/API.md
	@python3 docs/check-docs.py

bench: build build-wake ## Measure against the plain C loops; ends with lines "name: value unit"
	@if [ -x Benchmarks/run.sh ]; then Benchmarks/run.sh; else echo "there is no Benchmarks/run.sh yet" >&2; exit 1; fi

fuzz: deps ## Run each fuzz target for FUZZ_SECONDS (60), the sanitised sockets four times as long
	@Fuzz/run.sh $(FUZZ_SECONDS)
	@Fuzz/sockets/run.sh $$((4 * $(FUZZ_SECONDS)))

install: build ## Install under PREFIX (/usr/local): binary, manual page, completions, user unit
	@Packaging/install.sh $(BINARY) "$(DESTDIR)" "$(PREFIX)"

deb: build build-push build-wake ## Build a Debian package under .build/
	@Packaging/deb.sh $(BINARY) .build/deb
	@Packaging/check-deb.sh .build/deb/holdfast_*.deb

portable: build
	@Packaging/logged.sh $(LOGS)/portable.log Packaging/portable.sh .build/portable

tarball: portable ## Pack a binary that needs no compiler and few libraries, with checksums and SBOM, under .build/tarball
	@Packaging/tarball.sh .build/portable .build/tarball

clean: ## Remove what was built (not .venv)
	@rm -rf .build .build-strict .build-thread .build-address Fuzz/.build* Benchmarks/.build*

# Two commands matter: `make run` and `make test`. Both work on a fresh machine with Python 3.11+,
# a C compiler and the package index; everything lands in .venv and build/.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml setup.py $(shell find advisor -name '*.pyx' -o -name '*.pxd')
DEBUG := build/debug
CC ?= gcc
POSITION ?= positions/burgundy/midgame.yaml

.PHONY: run test lint bench strength models prove debug-test docs golden clean

run: $(VENV)/.run  ## set everything up and say what to do in a shipped position
	$(BIN)/advisor show $(POSITION)
	$(BIN)/advisor suggest $(POSITION) --explain

test: lint  ## set everything up, check style and types, run the tests
	$(BIN)/python -m pytest

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench  ## speed; results go to bench/RESULTS.md by hand, with date and commit
	$(BIN)/python -m pytest bench --benchmark-disable-gc --benchmark-sort=name \
		--benchmark-timer=time.process_time --benchmark-columns=min,median,rounds

strength: $(VENV)/.dev  ## the matches of bench/RESULTS.md, which take hours; ROWS="2 3" plays some
	$(BIN)/python -m bench.strength $(ROWS)

models: $(VENV)/.dev  ## train models from nothing, into training/; for hours (the models shipped: bench/RESULTS.md)
	$(BIN)/advisor train burgundy --players 2,3,4 --rounds 250,70,60 --games 1000,900,550 \
		--compared-games 80,40,25 --compare-after 70,10,10 -o training

prove: $(VENV)/.dev  ## the long proofs: 240,000 differential decisions and long fuzzing
	ADVISOR_WALK_DECISIONS=240000 ADVISOR_FUZZ=5 $(BIN)/python -m pytest \
		tests/burgundy/test_differential.py tests/burgundy/test_fuzz.py -v --durations=5

debug-test: $(VENV)/.dev  ## the same tests on a build with bounds checks and sanitizers
	rm -rf $(DEBUG)/advisor $(DEBUG)/bench $(DEBUG)/tests $(DEBUG)/positions $(DEBUG)/docs
	mkdir -p $(DEBUG)
	cp -r advisor bench tests positions docs *.md LICENSE pyproject.toml setup.py $(DEBUG)/
	find $(DEBUG)/advisor -name '*.so' -delete
	cd $(DEBUG) && ADVISOR_DEBUG=1 ../../$(BIN)/python setup.py -q build_ext --inplace
	cd $(DEBUG) && env LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=. \
		ADVISOR_WALK_DECISIONS=6000 ../../$(BIN)/python -m pytest

docs: $(VENV)/.dev  ## write docs/cli.md anew from the commands' own help
	$(BIN)/python -m docs.generate

golden: $(VENV)/.dev  ## write the golden games anew; explain any difference in the changelog
	$(BIN)/python -m tests.golden.regenerate

clean:
	rm -rf $(VENV) build *.egg-info
	find advisor -name '*.so' -delete

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	touch $@

$(VENV)/.dev: $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	touch $@ $(VENV)/.run

$(VENV)/.bench: $(VENV)/.dev
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev,bench]'
	touch $@

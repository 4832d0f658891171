# Two commands for newcomers: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Processes that run the tests.
WORKERS ?= 2
PACKAGES := configs evaluation graphs knowledge models nodes prompts serving tools
MYPY = $(abspath $(BIN))/mypy --config-file $(CURDIR)/pyproject.toml
DEMO_LIBRARY := build/demo-library

.PHONY: demo test lint types graphs wheel clean

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

demo: $(VENV)/installed
	rm -rf $(DEMO_LIBRARY)
	$(BIN)/veriloop add examples/library --library $(DEMO_LIBRARY) --vector-minutes 0.4
	@while IFS= read -r question || [ -n "$$question" ]; do \
		printf '\n? %s\n\n' "$$question"; \
		$(BIN)/veriloop ask "$$question" --library $(DEMO_LIBRARY) || exit $$?; \
	done < examples/demo.txt

# Side by side, each file in one process: fixtures of a module are made once.
test: $(VENV)/installed-dev
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# The repository root is the package, so mypy is shown it under its name.
types: $(VENV)/installed-dev
	rm -rf build/types
	mkdir -p build/types/veriloop
	ln -s $(addprefix $(CURDIR)/,$(PACKAGES) $(wildcard *.py) py.typed) build/types/veriloop/
	cd build/types && MYPYPATH=. $(MYPY) -p veriloop
	cd build/types && MYPYPATH=.:$(CURDIR)/tests:$(CURDIR)/benchmarks $(MYPY) --explicit-package-bases $(CURDIR)/tests $(CURDIR)/benchmarks
	cd examples && $(MYPY) build_library.py

# The page on graphs and rules, drawn from the compiled graphs.
graphs: $(VENV)/installed
	$(BIN)/python -m veriloop.graphs.drawing > docs/graphs.md

wheel: $(VENV)/installed-dev
	$(BIN)/python -m build --outdir dist .

clean:
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

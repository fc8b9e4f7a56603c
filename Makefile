# What this repository can be asked to do. Everything works with Go alone; campaigns and
# comparisons use a Python and PyTorch where there is one.

.PHONY: build test ci attack soak nightly

build: ## the command, in this folder
	go build -o gradtui ./cmd/gradtui

test: ## the tests, as CI runs them first
	go test ./...

ci: ## all that CI runs; it installs what that needs
	.ci/run

COUNT ?= 40
SEED ?= 1
TIME ?= 10m
ENGINE ?= builtin
PYTHON ?= python3
CAMPAIGN = go run ./tools/campaign -seed $(SEED) -time $(TIME) -engine $(ENGINE) -python $(PYTHON)

attack: ## hostile surroundings, tapes, names, scripts and programs; kills at random moments
	$(CAMPAIGN) -count $(COUNT)

soak: ## one recording for TIME: memory, files, leftovers
	$(CAMPAIGN) -only soak

nightly: ## what is too long for CI: all programs on PyTorch, the fuzz targets, attack and soak
	scripts/nightly

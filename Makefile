# The tasks of this repository; `make` lists them. Building and testing need Go alone. Campaigns and
# recordings use a Python, and PyTorch where there is one: tools/pytorch/install installs it.

.PHONY: help build test race lint generate golden vectors bench attack soak nightly ci
.DEFAULT_GOAL := help

help: ## list the tasks
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

build: ## build the command, in this folder
	go build -o gradtui ./cmd/gradtui

test: ## run the tests; PKG=./autograd/... chooses packages, RUN=Sigmoid tests
	go test $(if $(RUN),-run '$(RUN)') $(PKG)

race: ## run the short tests with the race detector
	go test -race -short $(if $(RUN),-run '$(RUN)') $(PKG)

PKG ?= ./...

lint: ## check format, vet, the linters of .golangci.yml, and Python with ruff and mypy
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "not formatted: $$unformatted"; exit 1; }
	go vet ./...
	go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.6.2 run
	tools/lint-python

generate: ## write generated code
	go generate ./...

# The packages whose tests know the flag -update.
UPDATED = $(shell grep -rl --include='*_test.go' 'Bool."update"' . | xargs -n 1 dirname | sort -u)
golden: ## rewrite golden files and generated parts of documents; PKG and RUN choose; read the diff
	go test $(if $(filter ./...,$(PKG)),$(UPDATED),$(PKG)) $(if $(RUN),-run '$(RUN)') -update

TORCH = tools/pytorch/python-torch-2.6
vectors: ## record again what PyTorch 2.6 does: operators, behaviour, programs of the corpus
	cd tools/record/operators && ../../pytorch/python-torch-2.6 record.py
	$(TORCH) tools/record/behaviour/record.py
	$(TORCH) -W ignore tools/record/corpus/record.py $(AREA)

bench: ## compare speed with PyTorch eager, on small programs
	go run ./bench -python /usr/bin/python3

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

nightly: ## what is too long for CI: all programs on PyTorch, the fuzz targets, mutants, attack and soak
	.ci/nightly

ci: ## all that CI runs; it installs what that needs
	.ci/run

# What one does with this house. `make` alone lists it.
.DEFAULT_GOAL := help
.PHONY: help setup build test lint demo bench load eval instructions prove shuffle-proof soak sources films fixtures train test-train test-v4l2 fuzz fuzz-api clean

# The lock file is part of the source: a build that would change it stops and says so.
CARGO_FLAGS := --locked
NEXTEST_PROFILE := $(if $(CI),ci,default)
FUZZ_SECONDS ?= 120
SHELL_SCRIPTS := scripts/setup scripts/fixtures scripts/soak scripts/sources scripts/films scripts/fuzz scripts/fuzz-api scripts/test-v4l2 models/train/setup models/train/run .ci/run

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install what is missing on this machine (scripts/setup --check only looks)
	@scripts/setup --quiet

build: setup ## Build everything
	@cargo build $(CARGO_FLAGS) --workspace --all-targets

test: setup ## Run every test, the examples in the documentation included
	@if cargo nextest --version >/dev/null 2>&1; then \
		cargo nextest run $(CARGO_FLAGS) --workspace --profile $(NEXTEST_PROFILE); \
	else \
		cargo test $(CARGO_FLAGS) --workspace --tests --quiet; \
	fi
	@cargo test $(CARGO_FLAGS) --workspace --doc --quiet

lint: setup ## Check form, habits and documentation; says nothing when all is well
	@cargo fmt --all --check
	@cargo clippy $(CARGO_FLAGS) --quiet --workspace --all-targets -- -D warnings
	@RUSTDOCFLAGS="-D warnings" cargo doc $(CARGO_FLAGS) --quiet --workspace --no-deps --document-private-items
	@if command -v shellcheck >/dev/null; then shellcheck $(SHELL_SCRIPTS); fi

# Not a release build: a newcomer waits half as long for the first picture, and make test reuses what was built.
demo: setup ## See it run
	@cargo run $(CARGO_FLAGS) -- demo

bench: setup ## Measure
	@cargo bench $(CARGO_FLAGS) --workspace
	@cargo run $(CARGO_FLAGS) --quiet --release -- bench

load: setup ## Write a million rounds and 50,000 flags to a database (ROUNDS, DB) and say how long officers wait for it
	@cargo run $(CARGO_FLAGS) --quiet --release -p review --example load

# Photographs of real cards are not part of the project: they are looked for beside it, and left out with a word if absent.
EVAL := target/eval
PHOTOGRAPHS ?= ../shared/cards-real

# Not a release build: what looks for cards is optimised in either, and the newcomer has this one from make demo.
eval: setup ## Measure how well cards are recognised; target/eval/errors.html shows every error
	@mkdir -p $(EVAL)
	@cargo build $(CARGO_FLAGS) --quiet
	@for view in overhead oblique; do test -f $(EVAL)/$$view.mcap || target/debug/fairdeal simulate --game nz-base \
		--rounds 4 --seed 77 --video --fps 5 --view $$view --out $(EVAL)/$$view.mcap; done
	@target/debug/fairdeal eval --stills 150 --real $(PHOTOGRAPHS) --tape $(EVAL)/overhead.mcap \
		--tape $(EVAL)/oblique.mcap --out $(EVAL)

# Counted, not timed: the same on a busy machine. Two runs that differ by one pass over the plain rounds leave only that
# pass, and the hands of those rounds are what it is divided by.
instructions: setup ## Count the instructions that auditing a hand takes (valgrind)
	@cargo build $(CARGO_FLAGS) --quiet --release
	@count() { valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/fairdeal bench --passes $$1 2>&1 \
		| sed -n 's/.*Collected : //p'; }; \
	hands=$$(target/release/fairdeal bench --passes 1 --json | sed -n 's/.*per_pass","value":\([0-9]*\).*/\1/p'); \
	echo "$$(( ($$(count 2) - $$(count 1)) / hands )) instructions a hand"

prove: setup ## Play 100,000 lawful rounds and every fault fifty times, and say what the auditor made of them
	@cargo run $(CARGO_FLAGS) --quiet --release -p simulator --example prove

shuffle-proof: setup ## Measure what is promised of shuffles: size, power, speed, faults on tapes, a fair month (an hour)
	@cargo run $(CARGO_FLAGS) --quiet --release -p auditor --example shuffle_proof
	@cargo run $(CARGO_FLAGS) --quiet --release -p simulator --example shuffle_faults
	@cargo run $(CARGO_FLAGS) --quiet --release -p simulator --example shuffle_month

soak: setup ## Rehearse a shift of 10,000 rounds (ROUNDS) and say how memory and delay go
	@cargo build $(CARGO_FLAGS) --quiet --release
	@scripts/soak

sources: setup ## Say what camera, shoe and chips are each worth, on simulated shifts of all games (ROUNDS, NOISE)
	@cargo build $(CARGO_FLAGS) --quiet --release
	@scripts/sources

films: setup ## Film rounds of all games from two sides and say how many are told exactly from their video (ROUNDS, SEED; an hour)
	@cargo build $(CARGO_FLAGS) --quiet --release
	@scripts/films

fixtures: setup ## Make the tapes under fixtures/ anew, the demonstration among them
	@cargo build $(CARGO_FLAGS) --quiet --release
	@scripts/fixtures

train: setup ## Train the card models anew, hours; REAL=DIR mixes in labelled photographs (models/README.md)
	@cargo build $(CARGO_FLAGS) --quiet
	@models/train/run $(if $(REAL),--real "$(REAL)") $(if $(BEGIN),--begin "$(BEGIN)")

test-train: setup ## Test the training recipe on a handful of scenes
	@models/train/setup --test
	@$${TRAIN_HOME:-.deps/train}/bin/python -W ignore -m unittest discover --quiet --buffer --start-directory models/train/tests

test-v4l2: setup ## Record a camera on this machine for real, in an emulated machine that has one
	@cargo build $(CARGO_FLAGS) --quiet
	@scripts/test-v4l2

fuzz: setup ## Throw garbage at every decoder, FUZZ_SECONDS (120) each, or at one (FUZZ=bee_tek)
	@FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/fuzz $(FUZZ)

fuzz-api: setup ## Ask the HTTP API everything its description allows and more (schemathesis); no answer may be a 500
	@scripts/fuzz-api

clean: ## Remove what was built; what setup fetched stays
	@cargo clean --quiet

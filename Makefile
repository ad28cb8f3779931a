# What a person types. Everything here needs Go 1.26 and nothing else, unless it says so. A line that
# begins with two hashes says what the target below it does: `make help` lists them.

GO      ?= go
BIN      = bin/inferdex
CORPUS  ?=
export CGO_ENABLED ?= 0

.PHONY: all help site ingest serve example reader check test fmt typecheck actions docs newformat lines same conformance \
	verify-catalog reproducible bench fuzz torture e2e reader-times screenshots pages-table scores-table foreign beam beam-bench clean

all: site

## these lines
help:
	@awk '/^## / {does = substr($$0, 4); next} does && /^[a-z0-9-]+:/ {sub(/:.*/, ""); printf "make %-15s %s\n", $$0, does} {does = ""}' Makefile

# The program, with the readers for browsers in it. go build is itself incremental, so it is always asked.
$(BIN): reader
	@mkdir -p bin
	$(GO) build -trimpath -o $@ ./cmd/inferdex

## build the demonstration site: data/raw -> data/catalog -> public/index.html
site: $(BIN)
	$(BIN) ingest
	$(BIN) build

## read data/raw into data/catalog
ingest: $(BIN)
	$(BIN) ingest

## show the site on this machine, build it again when a file changes
serve: $(BIN)
	$(BIN) serve

# The readers of formats for browsers, which become part of the program: pages read the files that are dropped on them.
# Nothing but Go compiles them: twenty seconds the first time, three when nothing changed.
## compile the readers of formats to WebAssembly
reader:
	@$(GO) run ./cmd/reader/build site/reader/built

## formatting, vet, staticcheck and all tests
check:
	@unformatted="$$(gofmt -l beam cmd ingest site *.go)"; if [ -n "$$unformatted" ]; then echo "not formatted, run 'make fmt':"; echo "$$unformatted"; exit 1; fi
	$(GO) vet -tags e2e,torture,reach ./...
	GOOS=js GOARCH=wasm $(GO) vet ./cmd/reader
	$(GO) tool staticcheck -tags e2e,torture,reach ./...
	$(GO) test ./...

## all tests
test:
	$(GO) test ./...

## format the Go files
fmt:
	gofmt -w beam cmd ingest site *.go

## write the tables of README.md and ARCHITECTURE.md that are made of the code
docs:
	$(GO) test ./cmd -run '^TestDocs$$' -count=1 -update
	$(GO) test ./ingest/compare -run '^TestHistories$$' -count=1 -update

## write the skeleton of the reader of a format: make newformat NAME=mybench
newformat:
	@[ -n "$(NAME)" ] || { echo "say what the package is called: make newformat NAME=mybench"; exit 2; }
	$(GO) run ./ingest/ingesttest/newformat $(NAME)

## count the lines that are not blank by package, tests apart; of the commit REV where it is given
lines:
	@.ci/lines $(REV)

# Building a site needs no tool for the scripts; checking their types needs tsc.
## check the types of the scripts, where tsc is installed
typecheck:
	@if command -v tsc >/dev/null; then tsc -p assets/ts; else echo "typecheck: skipped, no tsc: npm install --global typescript"; fi

## hold the workflows, ours and those that init writes, against what GitHub runs
actions:
	@mkdir -p bin
	$(GO) run ./cmd/inferdex next --matrix --most 300 > bin/measure.yml
	go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 .github/workflows/*.yml cmd/inferdex/skeleton/.github/workflows/*.yml \
		cmd/inferdex/sliced/.github/workflows/*.yml bin/measure.yml

# goreleaser is compiled once, which takes minutes. Lists of contents, the image and the cask are made by the
# release's own job, which has the programs for them.
GORELEASER = go run github.com/goreleaser/goreleaser/v2@v2.14.3
## build what a release is made of, for all systems, into dist/
snapshot:
	$(GORELEASER) release --snapshot --clean --skip=sbom,ko,homebrew,publish

## hold the configuration of releases against goreleaser, and build the program for this machine as a release does
release-check:
	$(GORELEASER) check
	@mkdir -p bin
	$(GORELEASER) build --snapshot --clean --single-target --output bin/released
	bin/released version

## derive data/catalog again, which is committed, and compare
verify-catalog: $(BIN)
	$(BIN) ingest --check

## compare two builds, with one and with eight workers, byte by byte
reproducible: $(BIN)
	@rm -rf bin/one bin/eight && mkdir -p bin/one bin/eight
	GOMAXPROCS=1 $(BIN) build --output bin/one/public
	GOMAXPROCS=8 $(BIN) build --output bin/eight/public
	diff -r bin/one/public bin/eight/public && echo "two builds, the same bytes"
	@rm -rf bin/one bin/eight

# The demonstration, the example and, with CORPUS=DIR, real result files. SAME_CACHE=DIR keeps what
# was built of a commit.
## print which pages differ between the commit BASE and this tree
same:
	@[ -n "$(BASE)" ] || { echo "say which commit to compare with: make same BASE=REV [CORPUS=DIR]"; exit 2; }
	CORPUS="$(CORPUS)" .ci/same $(BASE) $(HEAD)

## compare with real result files, no part of this repository: CORPUS=DIR with samples of formats, FIELD=DIR with whole folders
conformance:
	@if [ -z "$(CORPUS)$(FIELD)" ]; then echo "conformance: skipped, no real result files: make conformance CORPUS=DIR FIELD=DIR"; else \
	INFERDEX_CORPUS="$(if $(CORPUS),$(abspath $(CORPUS)))" INFERDEX_FIELD="$(if $(FIELD),$(abspath $(FIELD)))" \
	$(GO) test -count=1 -timeout 20m -v -run Conformance ./cmd/inferdex; fi

# A module of its own, so that nobody who installs the program compiles Beam. With STORE, as many bytes are invented and read
# once more, and what was counted, the peak of memory and the speed are printed.
## test the pipeline of beam/ on Prism: make beam CORPUS=DIR FIELD=DIR STORE=20000000000
beam: export INFERDEX_CORPUS = $(if $(CORPUS),$(abspath $(CORPUS)))
beam: export INFERDEX_FIELD = $(if $(FIELD),$(abspath $(FIELD)))
beam:
	@if ! (cd beam && $(GO) mod download) >/dev/null 2>&1; then echo "beam: skipped, its modules cannot be had from the module proxy"; else cd beam && \
	$(GO) vet ./... && $(GO) test -timeout 6h ./... \
	$(if $(STORE),&& $(GO) test -timeout 6h -count=1 -v -run '^TestMemory$$' ./cmd/inferdex-beam -store=$(STORE)); fi

## measure the pipeline of beam/ with one and with two workers, and the share of each step
beam-bench:
	cd beam && $(GO) test ./pipeline -run '^$$' -bench Workers -benchtime 1x -store=$(or $(STORE),200000000) 2>/dev/null

## build a second site with invented numbers: every chart type, many GPUs, several versions
example: $(BIN)
	$(GO) run ./ingest/ingesttest/generate -output example
	$(BIN) -C example ingest
	$(BIN) -C example build

# The table of reach: CPU, wall and memory of whole commands, medians of TIMES, beside what is installed. ROWS=help,
# ROWS=detailed, ROWS=summaries, ROWS=collection, ROWS='^1000 cards', ROWS='10000 cards' and ROWS='^hub' measure some rows; speeds
# of parts are printed where ROWS is empty. "make foreign" installs the Hugo that builds the same pages alone; sonic is taken
# from the module cache, where "go get" in another module puts it.
TIMES ?= 3
## print what commands cost and speeds of their parts; with CORPUS=DIR those of real result files too
bench:
	@[ -n "$(CORPUS)" ] || echo "no CORPUS=DIR with real result files: generated input only"
	INFERDEX_CORPUS="$(if $(CORPUS),$(abspath $(CORPUS)))" $(GO) test -tags reach -count=1 -timeout 2h -v -run '^TestReach$$' ./cmd/inferdex -rows '$(ROWS)' -times $(TIMES)
	@[ -n "$(ROWS)" ] || { INFERDEX_CORPUS="$(if $(CORPUS),$(abspath $(CORPUS)))" $(GO) test -run '^$$' -bench . -benchtime 1x ./cmd/inferdex ./ingest && \
	$(GO) test -run '^$$' -bench . ./site ./site/chart ./site/check ./site/hugo; }

# Tests in a real Chromium, CHROMIUM or the one found; Debian's is installed where it is missing and
# can be. Node, where it is there, adds axe and Lighthouse. EVERY=1 looks at every page; CORPUS=DIR and FIELD=DIR
# add what is asked of sites of real result files, and pictures of them.
E2E = INFERDEX_CORPUS="$(if $(CORPUS),$(abspath $(CORPUS)))" INFERDEX_FIELD="$(if $(FIELD),$(abspath $(FIELD)))" \
	$(GO) test -tags e2e -count=1 -timeout 60m ./site/e2e
## look at the pages in a real Chromium
e2e:
	$(E2E) $(if $(RUN),-run '$(RUN)') $(if $(EVERY),-every) $(if $(VERBOSE),-v)

# On a phone, on a desk and on paper; one of them is README's.
## take pictures of a page of each kind
screenshots:
	@rm -rf screenshots && mkdir -p screenshots
	$(E2E) -run '^TestScreenshots$$' -screenshots "$(CURDIR)/screenshots" -readme "$(CURDIR)/.github/scorecard.png"
	@ls screenshots/*

## write into ARCHITECTURE.md what a page of each kind weighs
pages-table:
	$(E2E) -run '^TestTable$$' -table "$(CURDIR)/ARCHITECTURE.md"

## write into ARCHITECTURE.md how Lighthouse scores a page of each kind, on a machine that does nothing else
scores-table:
	$(E2E) -run '^TestScores$$' -v -scores "$(CURDIR)/ARCHITECTURE.md"

## print how long a browser reads a file of 1, 63 and 90 MB, once its reader is there
reader-times:
	$(E2E) -run '^TestReadingTimes$$' -v -times

## build the exports inside foreign sites, with the Hugo that go.mod names and with Jekyll where it is installed
foreign:
	GOBIN=$(CURDIR)/bin $(GO) install \
		github.com/gohugoio/hugo@$$($(GO) list -m -f '{{.Version}}' github.com/gohugoio/hugo)
	INFERDEX_HUGO=$(CURDIR)/bin/hugo $(GO) test ./cmd/inferdex -run '^Test(HugoSite|HugoModule|HugoPages|JekyllSite)$$' -count=1 -v

# Making an input that is only interesting smaller would take most of the time.
FUZZTIME ?= 10s
## run every reader on damaged input, each for FUZZTIME
fuzz:
	@fuzz() { echo "$$*"; $(GO) test -run '^$$' -fuzztime $(FUZZTIME) -fuzzminimizetime 10x "$$@"; }; \
	for d in ingest/format/*/; do fuzz ./ingest/format -fuzz '^FuzzRead$$' -format $$(basename $$d) || exit 1; done; \
	for p in $$($(GO) list ./ingest/... | grep -v /ingest/format); do for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
	fuzz $$p -fuzz "^$$f$$" || exit 1; done; done

# Kills go on for LASTS, two processes at once for a fifth of it, and for less where the ten minutes that all may take
# would not hold them: what is long on a busy machine is no failure. Small disks need root.
LASTS ?= 5m
## kill the program at random moments, fill its disks, run it twice at once, read damaged and large files
torture:
	@mkdir -p bin; ends=$$(($$(date +%s) + 500)); torture() { $(GO) test -count=1 -timeout 30m -v "$$@" > bin/torture.log 2>&1 || \
	{ cat bin/torture.log; exit 1; }; sed -n 's/^.*torture: //p' bin/torture.log; }; \
	torture -run '^TestEdits$$' ./cmd/inferdex -edits 50 && \
	torture -run '^TestEveryFailureLeavesAWholeSite$$' ./site/publish && \
	torture -run '^TestMemory$$|^TestGrowth$$' ./ingest/ingesttest && \
	torture -run '^TestConform$$' ./ingest/format -mutants 4 && \
	torture -tags torture -run '^TestTorture|^TestIngestStoppedAtEachStep$$' ./cmd/inferdex -lasts $(LASTS) -ends $$ends

## remove what make wrote
clean:
	rm -rf bin public .inferdex .e2e example screenshots site/reader/built/*.gz site/reader/built/*.js

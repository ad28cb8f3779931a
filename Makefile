# What a person types. Everything here needs Go 1.26 and nothing else, unless it says so.

GO      ?= go
BIN      = bin/inferdex
CORPUS  ?=
export CGO_ENABLED ?= 0

.PHONY: all site check test typecheck fmt ingest verify-catalog reproducible same conformance example bench fuzz serve e2e screenshots pages-table clean FORCE

all: site

# The program. go build is itself incremental, so it is always asked.
$(BIN): FORCE
	@mkdir -p bin
	$(GO) build -trimpath -o $@ ./cmd/inferdex

# The demonstration site: data/raw -> data/catalog -> public/.
site: $(BIN)
	$(BIN) ingest
	$(BIN) build

ingest: $(BIN)
	$(BIN) ingest

serve: $(BIN)
	$(BIN) serve

# Formatting, vet, staticcheck and all tests.
check:
	@unformatted="$$(gofmt -l cmd ingest site *.go)"; if [ -n "$$unformatted" ]; then echo "not formatted, run 'make fmt':"; echo "$$unformatted"; exit 1; fi
	$(GO) vet -tags e2e ./...
	$(GO) tool staticcheck -tags e2e ./...
	$(GO) test ./...

test:
	$(GO) test ./...

fmt:
	gofmt -w cmd ingest site *.go

# Types of the scripts. Building a site needs no tool for them; checking their types needs tsc.
typecheck:
	@if command -v tsc >/dev/null; then tsc -p assets/ts; else echo "typecheck: skipped, no tsc: npm install --global typescript"; fi

# data/catalog is generated and committed: derive it again and compare.
verify-catalog: $(BIN)
	$(BIN) ingest --check

# Two builds with one and with eight workers must not differ in a byte.
reproducible: $(BIN)
	@rm -rf bin/one bin/eight && mkdir -p bin/one bin/eight
	GOMAXPROCS=1 $(BIN) build --output bin/one/public
	GOMAXPROCS=8 $(BIN) build --output bin/eight/public
	diff -r bin/one/public bin/eight/public && echo "two builds, the same bytes"
	@rm -rf bin/one bin/eight

# Which pages differ between the commit BASE and this tree: the demonstration, the example and,
# with CORPUS=DIR, real result files. SAME_CACHE=DIR keeps what was built of a commit.
same:
	@[ -n "$(BASE)" ] || { echo "say which commit to compare with: make same BASE=REV [CORPUS=DIR]"; exit 2; }
	CORPUS="$(CORPUS)" .ci/same $(BASE) $(HEAD)

# Real result files of other people: not part of this repository. CORPUS names a directory.
conformance:
	@if [ -z "$(CORPUS)" ] || [ ! -d "$(CORPUS)" ]; then echo "conformance: skipped, no corpus: make conformance CORPUS=DIR"; else \
	INFERDEX_CORPUS="$$(cd "$(CORPUS)" && pwd)" $(GO) test -count=1 -timeout 20m -v -run Conformance ./cmd/inferdex; fi

# A second catalog with invented numbers: every chart type, many GPUs, several versions.
example: $(BIN)
	$(GO) run ./ingest/ingesttest/generate -output example
	$(BIN) -C example ingest
	$(BIN) -C example build

# Speeds: MB/s of result files, points/s, pages/s, previews, charts/s with bytes a chart, peak memory.
bench:
	@[ -n "$(CORPUS)" ] || echo "no CORPUS=DIR with real result files: generated input only"
	INFERDEX_CORPUS="$(if $(CORPUS),$(abspath $(CORPUS)))" $(GO) test -run '^$$' -bench . -benchtime 1x ./cmd/inferdex ./ingest
	$(GO) test -run '^$$' -bench . ./site ./site/chart ./site/check ./site/hugo

# Tests in a real Chromium, CHROMIUM or the one found; Debian's is installed where it is missing and
# can be. Node, where it is there, adds axe and Lighthouse. EVERY=1 looks at every page.
E2E = $(GO) test -tags e2e -count=1 -timeout 60m ./site/e2e
e2e:
	$(E2E) $(if $(RUN),-run '$(RUN)') $(if $(EVERY),-every) $(if $(VERBOSE),-v)

# Pictures of a page of each kind, on a phone, on a desk and on paper; one of them is README's.
screenshots:
	@rm -rf screenshots && mkdir -p screenshots
	$(E2E) -run '^TestScreenshots$$' -screenshots "$(CURDIR)/screenshots" -readme "$(CURDIR)/.github/scorecard.png"
	@ls screenshots/*

# What a page of each kind weighs and how Lighthouse scores it, into ARCHITECTURE.md.
pages-table:
	$(E2E) -run '^TestTable$$' -v -table "$(CURDIR)/ARCHITECTURE.md"

# Making an input that is only interesting smaller would take most of the time.
FUZZTIME ?= 10s
fuzz:
	@for p in $$($(GO) list ./ingest/...); do for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
	echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$p || exit 1; done; done

clean:
	rm -rf bin public .inferdex .e2e example screenshots

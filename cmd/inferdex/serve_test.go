package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/ingesttest"
	"github.com/inferdex/inferdex/site/publish"
)

// What serve ingests after a change, a folder where a folder changed, leaves the catalog that an ingest of everything leaves.
func TestServeIngestsWhatChanged(t *testing.T) {
	ctx, size := context.Background(), ingesttest.Size{Models: 3, Machines: 3, Wide: true}
	missing := []string{"a100-80gb/brindle-1.5b.jsonl", "a100-80gb/brindle-1.5b-fp8.jsonl"}
	d, whole := newDesk(t, size, missing...), newDesk(t, size, missing...)
	var said bytes.Buffer
	a := &app{stdout: &said, stderr: &said, dir: d.dir, decoded: &catalog.Known{}}
	var last caught
	parts := 0
	for n, e := range []struct {
		name string
		part bool // less than everything is read
		do   func(*desk)
	}{
		{"the beginning", false, func(*desk) {}},
		{"nothing", true, func(*desk) {}},
		{"a new run", true, edits[0].do},
		{"another new run", true, edits[0].do},
		{"the model of a result", true, func(d *desk) {
			edit(d, "data/raw/wide/a100-80gb/brindle-1.5b.jsonl", "Brindle-1.5B", "Brindle-1.6B")
		}},
		{"two folders", true, func(d *desk) {
			edit(d, "data/raw/wide/a100-80gb/brindle-1.5b.jsonl", "Brindle-1.6B", "Brindle-1.7B")
			d.write("data/raw/wide/notes/of/mine.txt", "nothing that is read")
		}},
		{"a file on top", false, func(d *desk) { d.write("data/raw/mine.txt", "nothing that is read") }},
		{"a sidecar", false, func(d *desk) {
			d.write("data/raw/wide/a100-80gb/run.toml", "hardware = \"H100 SXM\"\n")
		}},
		{"a mistake in a sidecar", false, func(d *desk) {
			d.write("data/raw/wide/a100-80gb/run.toml", "hardwear = \"H100 SXM\"\n")
		}},
		{"nothing, and the mistake is said again", false, func(*desk) {}},
		{"no mistake", false, func(d *desk) {
			d.write("data/raw/wide/a100-80gb/run.toml", "hardware = \"H100 SXM\"\n")
		}},
		{"a result less", false, func(d *desk) { d.write("data/raw/wide/a100-80gb/brindle-1.5b.jsonl", "") }},
		{"names", false, func(d *desk) { d.write("data/names/prices.toml", "") }},
		{"a note", false, func(d *desk) {
			d.write(notesDir+"/"+strings.TrimSuffix(filepath.Base(d.some(catalogDir, ".raw.jsonl.gz")), ".raw.jsonl.gz")+".toml",
				"[override]\nhardware = \"H200\"\nreason = \"read off the machine\"\n")
		}},
		{"a run less in the catalog", false, func(d *desk) { d.write(d.some(catalogDir+"/brindle-brindle-1.5b-fp8", ".raw.jsonl.gz"), "") }},
		{"a rule by paths", false, func(d *desk) {
			d.write("inferdex.toml", "title = \"Edits\"\n[[ingest.path]]\npattern = \"{series}/**\"\n")
		}},
		{"nothing, with the rule", false, func(*desk) {}},
	} {
		e.do(d)
		e.do(whole)
		said.Reset()
		a.mistakes = nil
		if err := a.ingestNew(ctx, &last, math.MaxInt64); err != nil {
			t.Fatalf("%s: %v", e.name, err)
		}
		all, _ := typed(whole.dir, "ingest")
		read := number(said.String()+" 0 files: ", `(\d+) files?: `)
		if of := number(all, `(\d+) files?: `); read < of != e.part {
			t.Errorf("%s: %d of %d files are read\n%s", e.name, read, of, said.String())
		} else if e.part && read > 0 {
			parts++
		}
		got, want := goldentest.Tree(t, filepath.Join(d.dir, catalogDir)), goldentest.Tree(t, filepath.Join(whole.dir, catalogDir))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("edit %d, %s: not the catalog of an ingest of all (-want +got):\n%s", n, e.name, diff)
		}
	}
	if parts == 0 {
		t.Error("no part of data/raw was ingested alone")
	}
}

// A change of each file that a site is made of, the list of merged catalogs among them, has serve build again.
func TestServeWatches(t *testing.T) {
	dir := small(t)
	ctx, end := context.WithCancel(context.Background())
	read, write := io.Pipe()
	code := make(chan int)
	go func() {
		code <- run(ctx, strings.NewReader(""), write, write, []string{"-C", dir, "serve", "--addr", "127.0.0.1:0"})
		_ = write.Close()
	}()
	lines := bufio.NewScanner(read)
	until := func(text string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				return
			}
		}
		t.Fatalf("serve ended without %q: %v", text, lines.Err())
	}
	until("public: ")
	for _, name := range []string{lockFile, configFile, "content/a.md", "data/names/models.toml", "layouts/x.html"} {
		if err := writeFile(filepath.Join(dir, name), []byte("+++\n{{ broken")); err != nil {
			t.Fatal(err)
		}
		until(filepath.Base(name))
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		until("public: ")
	}

	// Another build is waited for.
	draft, err := publish.Begin(filepath.Join(dir, outputDir), filepath.Join(dir, stateDir, "publish"), func([]string) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := writeFile(filepath.Join(dir, "content/b.md"), []byte("+++\ntitle = \"More\"\n+++\n")); err != nil {
		t.Fatal(err)
	}
	until("another build is writing this site: waiting for it")
	if err := draft.Abort(); err != nil {
		t.Fatal(err)
	}
	until("public: ")
	end()
	go func() { _, _ = io.Copy(io.Discard, read) }()
	if got := <-code; got != exitDone && got != exitInterrupted {
		t.Errorf("exit status %d", got)
	}
}

// edit replaces a text in a file of a catalog.
func edit(d *desk, name, old, text string) {
	d.t.Helper()
	data, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil || !bytes.Contains(data, []byte(old)) {
		d.t.Fatalf("%s has no %q: %v", name, old, err)
	}
	d.write(name, strings.ReplaceAll(string(data), old, text))
}

// Builds of one process that decode a run once leave it as its file has it.
func TestRunsAreNotChanged(t *testing.T) {
	d := newDesk(t, ingesttest.Size{Models: 2, Machines: 2, Wide: true})
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, dir: d.dir}
	rebuild := a.rebuilding(buildFlags{output: outputDir, previews: true})
	for range 2 {
		if err := rebuild(context.Background(), func(string) {}); err != nil {
			t.Fatal(err)
		}
	}
	before, err := a.stored()
	if err != nil {
		t.Fatal(err)
	}
	after, err := a.stored()
	if err != nil || len(after.Runs) == 0 || !slices.Equal(before.Runs, after.Runs) {
		t.Fatalf("the runs are decoded again, %v", err)
	}
	for _, r := range after.Runs {
		text, err := catalog.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if file, err := os.ReadFile(filepath.Join(d.dir, catalogDir, r.Path())); err != nil || string(file) != string(text) {
			t.Errorf("%s is changed: %s", r.Path(), cmp.Diff(string(file), string(text)))
		}
	}
}

// The site that serve builds is that of build, link previews too: the one takes all pages of the other.
func TestServeBuildsTheSiteOfBuild(t *testing.T) {
	dir := small(t)
	if err := writeFile(filepath.Join(dir, configFile), []byte("base_url = \"https://example.org/bench/\"\n")); err != nil {
		t.Fatal(err)
	}
	if said, code := typed(dir, "build"); code != exitDone {
		t.Fatalf("exit status %d\n%s", code, said)
	}
	site, memory := filepath.Join(dir, outputDir), filepath.Join(dir, stateDir, "publish")
	want, remembered := goldentest.Tree(t, site), publish.Remembered(site, memory)
	ctx, end := context.WithCancel(t.Context())
	read, write := io.Pipe()
	go func() {
		run(ctx, strings.NewReader(""), write, write, []string{"-C", dir, "serve", "--addr", "127.0.0.1:0"})
		_ = write.Close()
	}()
	for lines := bufio.NewScanner(read); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), outputDir+": ") {
			end()
		}
	}
	end()
	if d := cmp.Diff(want, goldentest.Tree(t, site)); d != "" {
		t.Errorf("-build +serve\n%s", d)
	}
	if !bytes.Equal(remembered, publish.Remembered(site, memory)) {
		t.Error("serve does not remember what build did, so the next build makes all pages again")
	}
}

// What another program writes into the catalog is shown: results from elsewhere that are ingested beside serve. What serve
// ingests itself is built once.
func TestServeShowsWhatOthersIngest(t *testing.T) {
	dir := small(t)
	elsewhere := filepath.Join(t.TempDir(), "r.json")
	if err := writeFile(elsewhere, []byte(served("org/other", "03"))); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, catalogDir)); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	read, write := io.Pipe()
	go func() {
		run(ctx, strings.NewReader(""), write, write, []string{"-C", dir, "serve", "--addr", "127.0.0.1:0"})
		_ = write.Close()
	}()
	var built []string
	for lines := bufio.NewScanner(read); lines.Scan(); {
		line := lines.Text()
		if strings.HasSuffix(line, "rebuilding") {
			built = append(built, line)
		}
		if !strings.HasPrefix(line, outputDir+": ") {
			continue
		}
		if len(built) > 0 {
			end()
		} else if said, code := typed(dir, "ingest", elsewhere); code != exitDone {
			t.Errorf("exit status %d\n%s", code, said)
		}
	}
	if len(built) != 1 || !strings.Contains(built[0], catalogDir) {
		t.Errorf("rebuilt: %q", built)
	}
	pages, err := filepath.Glob(filepath.Join(dir, outputDir, "runs", "*", "index.html"))
	if stored, _ := filepath.Glob(filepath.Join(dir, catalogDir, "*", "*.raw.jsonl.gz")); err != nil || len(pages) != len(stored) {
		t.Errorf("pages %q of runs %q", pages, stored)
	}
}

// A place that is none for a site ends serve, and does not fail each of its builds; what fails one is said as build says it.
func TestServeAndItsPlace(t *testing.T) {
	dir := small(t)
	ctx, end := context.WithTimeout(t.Context(), 10*time.Second)
	defer end()
	for _, output := range []string{"", "data/raw"} {
		var said bytes.Buffer
		args := []string{"-C", dir, "serve", "--addr", "127.0.0.1:0", "--output", output}
		if code := run(ctx, strings.NewReader(""), &said, &said, args); code != exitUsage {
			t.Errorf("--output %q: exit status %d\n%s", output, code, said.String())
		}
		if said, code := typed(dir, "build", "--output", output); code != exitUsage {
			t.Errorf("build --output %q: exit status %d\n%s", output, code, said)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, stateDir)); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(filepath.Join(dir, stateDir), nil); err != nil {
		t.Fatal(err)
	}
	a := &app{stdout: &outcome{Writer: io.Discard, clear: func() {}}, stderr: io.Discard, dir: dir}
	err := a.rebuilding(buildFlags{output: outputDir})(ctx, func(string) {})
	if want := filepath.Join(dir, stateDir) + ": not a directory: name a folder, or move the file away that stands there"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

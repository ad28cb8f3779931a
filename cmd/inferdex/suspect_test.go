package main

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/refute"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/sitetest"
	"github.com/inferdex/inferdex/site/view"
)

// planted writes the results of five runs: a sweep, a sweep of which the times at one load are a thousand times
// too small, a model that its accelerator cannot hold, requests longer than the server takes, and an end-to-end
// latency that is five times what its parts give. The numbers that cannot be believed are found in no other: a
// TTFT of 54.3 µs, 987.65 tok/s, 876.54 tok/s and 5.432 s.
func planted(t *testing.T) (dir string) {
	dir = t.TempDir()
	write := func(name, text string) {
		if err := writeFile(filepath.Join(dir, "data", "raw", name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	result := func(model string, day, load int, throughput, unit float64) string {
		times := []any{54.3 * unit, 54.3 * unit, 300 * unit, 10.5 * unit, 10 * unit, 20 * unit}
		if unit == 1 {
			times = []any{105 + load, 100 + load, 300, 10.5, 10, 20}
		}
		return fmt.Sprintf(`{"date": "202502%02d-120000", "backend": "vllm", "model_id": %q, "tokenizer_id": "t", "num_prompts": 100,
			"request_rate": "inf", "max_concurrency": %d, "duration": %v, "completed": 100, "total_input_tokens": 100000,
			"total_output_tokens": 10000, "request_throughput": %v, "output_throughput": %v, "total_token_throughput": %v, "mean_ttft_ms": %v, "median_ttft_ms": %v,
			"p99_ttft_ms": %v, "mean_tpot_ms": %v, "median_tpot_ms": %v, "p99_tpot_ms": %v, "mean_e2el_ms": 1150,
			"median_e2el_ms": 1150, "p99_e2el_ms": 1300}`, append([]any{day, model, load, 115 / float64(load), float64(load) / 1.15, throughput, 11 * throughput}, times...)...)
	}
	var good, bad string
	for _, load := range []int{1, 2, 4, 8, 16} {
		unit := 1.0
		if load == 8 {
			unit = 0.001
		}
		good += result("org/test-7b", 1, load, 80*float64(load), 1) + "\n"
		bad += result("org/test-7b", 2, load, 90*float64(load), unit) + "\n"
	}
	write("a/x.json", good)
	write("b/x.json", bad)
	write("a/run.toml", "hardware = \"1x H100\"\nengine = \"vllm\"\nengine_version = \"0.6.0\"")
	write("b/run.toml", "hardware = \"1x H100\"\nengine = \"vllm\"\nengine_version = \"0.7.0\"")
	write("c/x.json", result("meta-llama/Llama-3.1-405B-Instruct", 3, 8, 987.65, 1))
	write("c/run.toml", `hardware = "1x A100-80GB"`)
	write("d/x.json", result("org/limit-7b", 4, 8, 876.54, 1))
	write("d/meta.json", `{"model": "org/limit-7b", "hardware": "1x H100", "vllm_version_reported": "0.7.0",
		"driver_version": "550.54", "server_config": {"max_model_len": 512}}`)
	late := strings.NewReplacer(`e2el_ms": 1150`, `e2el_ms": 5432`, `e2el_ms": 1300`, `e2el_ms": 5432`)
	write("e/x.json", late.Replace(result("org/times-7b", 5, 8, 640, 1)))
	write("e/run.toml", "hardware = \"1x H100\"")
	say(t, dir, "ingest")
	return dir
}

// doubtful matches the numbers of planted that cannot be believed, as they are shown and as they are exact.
var doubtful = regexp.MustCompile(`\b(?:54\.3 ?µs|0\.0000543|5\.43e-05|988|987\.65|877|876\.54|5\.43 s|5\.432|5432)\b`)

// holds checks that a text says something.
func holds(t *testing.T, what, text string, marks ...string) {
	t.Helper()
	for _, mark := range marks {
		if !strings.Contains(plain(text), mark) {
			t.Errorf("%s does not say %q:\n%.2000s", what, mark, text)
		}
	}
}

// free checks that a text has no number that cannot be believed.
func free(t *testing.T, what, text string) {
	t.Helper()
	text = plain(text)
	if x := doubtful.FindString(text); x != "" {
		t.Errorf("%s has %q: %s", what, x, around(text, x))
	}
}

// say is what a command says.
func say(t *testing.T, dir string, args ...string) string {
	t.Helper()
	said, code := typed(dir, args...)
	if code != 0 {
		t.Fatalf("%q: exit status %d\n%s", args, code, said)
	}
	return said
}

// What cannot be believed carries its mark wherever it stands, and nothing is made of it: in lists, exports and on
// pages.
func TestSuspectsAreMarkedAndMakeNothing(t *testing.T) {
	dir := planted(t)
	holds(t, "list points", say(t, dir, "list", "points"), "54.3 µs (suspect)", "988 (suspect)", "877 (suspect)")
	holds(t, "list points --json", say(t, dir, "list", "points", "--json"), `"suspect":"unit-suspected"`,
		`"suspect":"memory-impossible"`,
		`"suspect":"context-exceeded"`, `"suspect":"latencies-impossible"`)
	rows(t, "list points --csv", say(t, dir, "list", "points", "--csv"))
	free(t, "list cards", say(t, dir, "list", "cards")+say(t, dir, "list", "cards", "--json")+say(t, dir,
		"list", "runs"))

	pages := pageTexts(t, dir)
	for _, p := range slices.Sorted(maps.Keys(pages)) {
		text := pages[p]
		switch kind, _, _ := strings.Cut(p, "/"); {
		case kind != "runs" && kind != "cards":
			free(t, "page "+p, text)
		default:
			for _, at := range doubtful.FindAllStringIndex(text, -1) {
				if near := text[max(0, at[0]-90):min(len(text), at[1]+90)]; !strings.Contains(near, "suspect") {
					t.Errorf("page %s has it without a mark: %q", p, near)
				}
			}
		}
	}
	for _, p := range []string{"runs/", "cards/", "models/", "hardware/", "compare/"} {
		found := false
		for q, text := range pages {
			found = found || q != p && strings.HasPrefix(q, p) && strings.Contains(text, "Not to be believed")
		}
		if !found {
			t.Errorf("no page of %s has the finding below its title", p)
		}
	}
	ix, _ := loaded(t, dir)
	for _, r := range ix.Runs {
		if len(r.Errors()) > 0 {
			holds(t, "export", say(t, dir, "export", "benchmark-report", r.ID), "suspect: "+r.Errors()[0].Code)
		}
	}
}

// The same of the files beside the pages: downloads, charts, badges, feeds and what scripts load. No sentence is
// refuted.
func TestSuspectsInFiles(t *testing.T) {
	dir := planted(t)
	files := siteFiles(t, dir)
	var svgs string
	for _, p := range slices.Sorted(maps.Keys(files)) {
		text := files[p]
		switch base := filepath.Base(p); {
		case strings.HasSuffix(base, ".csv") && base != "runs.csv":
			rows(t, p, text)
		case base == "catalog.json", strings.HasPrefix(p, "api/v1/runs/"):
			if doubtful.MatchString(text) {
				holds(t, p, text, `"suspect":`)
			}
		case base == "records.jsonl", base == "records.js": // as they were read
		case strings.HasSuffix(base, ".svg") && !strings.HasPrefix(p, "badges/"):
			svgs += text
		case strings.HasSuffix(base, ".png"):
		default:
			free(t, p, text)
		}
	}
	holds(t, "a chart", svgs, "suspect: see findings")
	for part, mark := range map[string]string{"compare/runs/": "Not to be believed", "feed.xml": "Not to be believed",
		"badges/": "not to be believed"} {
		found := false
		for p, text := range files {
			found = found || strings.Contains(p, part) && strings.Contains(text, mark)
		}
		if !found {
			t.Errorf("no file of %s says %q", part, mark)
		}
	}
	a := &app{stderr: os.Stderr, stdout: os.Stdout, dir: dir}
	c, err := a.stored()
	if err != nil {
		t.Fatal(err)
	}
	k, n := refute.New(c), 0
	for s, err := range refute.Read(strings.NewReader(files["data/claims.jsonl"])) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; k.Follows(s) != nil {
			t.Errorf("%q is refuted: %v", s.Text, k.Follows(s))
		}
	}
	if n == 0 {
		t.Error("there are no sentences")
	}
}

// rows checks that of a table exactly the rows with a value that cannot be believed name a finding.
func rows(t *testing.T, what, text string) {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(all) < 2 {
		t.Fatalf("%s: %d rows: %v", what, len(all), err)
	}
	column := slices.Index(all[0], "suspect")
	if column < 0 {
		t.Fatalf("%s has no column for findings: %q", what, all[0])
	}
	value := slices.Index(all[0], "value")
	for _, row := range all[1:] {
		if doubtful.MatchString(row[value]) && row[column] == "" {
			t.Errorf("%s: %q names no finding", what, row)
		}
	}
}

// siteFiles are the files of the site of a catalog, unpacked, by their paths without .gz.
func siteFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	ix, c := loaded(t, dir)
	out := map[string]string{}
	made := site.New(ix, c, view.Options{NoPreviews: true, Config: &settings.Config{BaseURL: "https://example.org/"}})
	keep := func(f page.File) {
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f.Path, ".gz") {
			z, err := gzip.NewReader(&b)
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			b = *bytes.NewBuffer(data)
		}
		out[strings.TrimSuffix(f.Path, ".gz")] = sitetest.Unpacked(t, b.String())
	}
	for p, err := range made.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		if p.Files != nil {
			for f := range p.Files { // its charts
				keep(f)
			}
		}
	}
	for f, err := range made.Files() {
		if err != nil {
			t.Fatal(err)
		}
		keep(f)
	}
	return out
}

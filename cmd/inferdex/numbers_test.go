package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/record"
)

// impossible are what a file may have where a number stands.
var impossible = []string{"NaN", "Infinity", "1e308", "1e400", "-5.5", "9223372036854775808", "-Infinity", "abc", "0"}

// notFinite are those that no number can be: where one stands, nothing is lost in silence.
var notFinite = map[string]bool{"NaN": true, "Infinity": true, "-Infinity": true, "1e400": true}

var mostPlaces = flag.Int("places", 1, "how many numbers of a sample each impossible number replaces")

var (
	inText = regexp.MustCompile(`(?:^|[^\w.+/%-])([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?:$|[^\w.+/%:-])`)
	inJSON = regexp.MustCompile(`[:,\[]\s*(-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\s*[,\]}]`)
)

func isJSON(data []byte) bool {
	t := bytes.TrimSpace(data)
	return bytes.HasPrefix(t, []byte("{")) || bytes.HasPrefix(t, []byte("["))
}

// numbersOf are the places of the numbers of a sample: of JSON those that are values.
func numbersOf(data []byte) (at [][]int) {
	numbers := inText
	if isJSON(data) {
		numbers = inJSON
	}
	for _, m := range numbers.FindAllSubmatchIndex(data, -1) {
		at = append(at, m[2:4])
	}
	return at
}

// numbersRead is what the files of a case become.
type numbersRead struct {
	results []string // places
	panics  []string
	told    map[string]bool // errors, notes, doubts, findings and ignored files
	numbers int             // of the records
	runs    []*catalog.Run
}

// says reports whether something is said that was not before.
func (in *numbersRead) says(before numbersRead) bool {
	for text := range in.told {
		if !before.told[text] {
			return true
		}
	}
	return false
}

func ingestFiles(files map[string][]byte) (in numbersRead, err error) {
	tree := fstest.MapFS{}
	for name, data := range files {
		tree[path.Join("in", name)] = &fstest.MapFile{Data: data}
	}
	reading, err := ingest.Read(context.Background(), []ingest.Input{{Name: "in", FS: tree, Root: "in"}},
		ingest.Options{Formats: format.All()})
	if err != nil {
		return in, err
	}
	in.told = map[string]bool{}
	for _, f := range reading.Files {
		in.told[f.Ignored] = true
	}
	for _, r := range reading.Records {
		in.numbers += measured(r)
		switch r := r.(type) {
		case *record.SyntaxError:
			in.told[fmt.Sprint(r.At.File, r.At.Line, r.Text)] = true
			if strings.Contains(r.Text, " failed, please report it") {
				in.panics = append(in.panics, r.Error())
			}
		case *record.Result:
			in.results = append(in.results, r.At.String())
			for _, d := range r.Doubts {
				in.told[fmt.Sprint(r.At.File, r.At.Line, d.Text)] = true
			}
		}
	}
	out, err := normalize.Catalog(reading, nil, normalize.Options{Formats: format.All(), Pack: catalog.Gzip, Inputs: []string{"in"}})
	if err != nil {
		return in, err
	}
	in.runs = out.Runs
	for _, r := range in.runs {
		for _, f := range r.Findings {
			in.told[fmt.Sprint(f.Path, f.Line, f.Message)] = true
		}
	}
	return in, out.Update.Write(func(_ string, data []byte) error { return nil }, func(string) error { return nil })
}

// TestImpossibleNumbers replaces numbers of every sample of every format by what no measurement gives. It
// costs a record at most, which is told: the ingest goes on, and the catalog has numbers alone. Where a number is lost
// to what is not finite, something is said that was not said before.
func TestImpossibleNumbers(t *testing.T) {
	samples := samplesOfFormats(t)
	if len(samples) < 100 {
		t.Fatalf("%d cases", len(samples))
	}
	for _, s := range samples {
		name := strings.TrimPrefix(s.Path, "../../ingest/format/")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := s.inputs()
			if len(files) == 0 {
				return
			}
			before, err := ingestFiles(files)
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(1, uint64(len(name))))
			for _, file := range slices.Sorted(keysOf(files)) {
				data := files[file]
				places := numbersOf(data)
				for _, bad := range impossible {
					for range min(*mostPlaces, len(places)) {
						at := places[random.IntN(len(places))]
						if bad == "abc" && isJSON(data) {
							bad = `"abc"`
						}
						damaged := slices.Concat(data[:at[0]], []byte(bad), data[at[1]:])
						files[file] = damaged
						what := fmt.Sprintf("%s: %s for %s at byte %d", file, bad, data[at[0]:at[1]], at[0])
						after, err := ingestFiles(files)
						switch {
						case err != nil:
							t.Errorf("%s: the ingest failed: %v", what, err)
							continue
						case len(after.panics) > 0:
							t.Errorf("%s: %s", what, after.panics[0])
						case len(after.results) < len(before.results)-1:
							t.Errorf("%s: %d results of %d are left", what, len(after.results), len(before.results))
						case len(after.results) < len(before.results) && !after.says(before):
							t.Errorf("%s: a result is lost without a word", what)
						case notFinite[bad] && after.numbers < before.numbers && !after.says(before):
							t.Errorf("%s: %d of %d numbers are lost without a word", what, before.numbers-after.numbers,
								before.numbers)
						}
						for _, r := range after.runs {
							if n := immeasurable(t, r); n != "" {
								t.Errorf("%s: run %s has the number %s", what, r.ID, n)
							}
						}
					}
				}
				files[file] = data
			}
		})
	}
}

// measured counts the numbers that a record measures.
func measured(r record.Record) (n int) {
	switch r := r.(type) {
	case *record.Result:
		n = len(r.Values)
		for _, d := range r.Distributions {
			n += len(d.Quantiles)
		}
		for _, v := range []any{r.Workload.Nominal, r.Workload.Actual, r.Load, r.Submitted, r.Completed, r.Failed} {
			n += numbersIn(v)
		}
	case *record.Figure:
		n = numbersIn(r.Value) + numbersIn(r.Score)
	case *record.Profile:
		n = numbersIn(r.X) + numbersIn(r.Lines)
	case *record.Samples:
		n = numbersIn([]any{r.X, r.Y, r.Nums, r.Distributions}) + len(r.Values)
	case *record.System:
		n = numbersIn(r.Devices)
	}
	return n
}

// numbersIn counts the numbers of a value as JSON.
func numbersIn(v any) (n int) {
	text, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		token, err := d.Token()
		if err != nil {
			return n
		}
		if _, ok := token.(float64); ok || token == "inf" {
			n++
		}
	}
}

// immeasurable finds a number of a run that no measurement gives, parameters apart: they are as recorded.
func immeasurable(t *testing.T, r *catalog.Run) string {
	text, err := json.Marshal(map[string]any{"points": r.Points, "figures": r.Figures, "profiles": r.Profiles,
		"devices": r.Devices})
	if err != nil {
		t.Errorf("run %s: %v", r.ID, err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return ""
		}
		if n, ok := token.(json.Number); ok {
			if f, err := n.Float64(); err != nil || math.Abs(f) > 1e21 {
				return n.String()
			}
		}
	}
}

func keysOf(files map[string][]byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range files {
			if !yield(k) {
				return
			}
		}
	}
}

// What cannot be is told as an error of its run, and left out or marked; a throughput of zero is a value.
func TestWhatCannotBe(t *testing.T) {
	for _, c := range []struct{ name, member, said string }{
		{"a negative time", `"mean_ttft_ms": -5.0`,
			"error: what cannot be below zero is left out: mean of TTFT is -5 ms"},
		{"a count of 2^63", `"total_output_tokens": 9223372036854775807`,
			"error: statistics that cannot be: at concurrency 8: Output tokens: value " +
				"9\u202f220\u202f000\u202f000\u202f000\u202f000\u202f000 tokens is more than anything that is measured"},
		{"a clock that was never set", `"date": "19700101-000000"`,
			"error: no measurement of a language model is of that time, the run counts as one without a date: the " +
				"year is 1970"},
		{"a year far ahead", `"date": "21010101-000000"`, "the year is 2101"},
		{"an overflow", `"mean_tpot_ms": 1e400`,
			`1:0: "mean_tpot_ms" is infinite, or beyond what a number can be: the value is left out`},
		{"no output", `"output_throughput": 0.0`, "1 point (1 new"},
	} {
		dir := t.TempDir()
		data := `{"date": "20250101-120000", "endpoint_type": "vllm", "model_id": "org/m", "num_prompts": 10, "max_concurrency": 8, "duration": 10.0, "completed": 10, "total_input_tokens": 1000, "total_output_tokens": 200, "request_throughput": 1.0, "output_throughput": 20.0, "total_token_throughput": 120.0, "mean_ttft_ms": 41.0, "median_ttft_ms": 40.0, "mean_tpot_ms": 10.0}`
		key, _, _ := strings.Cut(c.member, ":")
		data = regexp.MustCompile(key+`: [^,}]*`).ReplaceAllString(data, c.member)
		if err := writeFile(filepath.Join(dir, "data", "raw", "r.json"), []byte(data)); err != nil {
			t.Fatal(err)
		}
		said, _ := typed(dir, "ingest", "-v")
		if c.said = strings.Replace(c.said, "1:0:", fmt.Sprintf("1:%d:", 1+strings.Index(data, "1e400")),
			1); !strings.Contains(said, c.said) {
			t.Errorf("%s: %q is not said:\n%s", c.name, c.said, said)
		}
		if strings.Contains(said, "a unit is probably wrong") {
			t.Errorf("%s: something is concluded from it:\n%s", c.name, said)
		}
		list, _ := typed(dir, "list", "points", "--json")
		if zero := strings.Contains(list, `"output_throughput":{"value":0,`); zero != (c.name == "no output") {
			t.Errorf("%s: a throughput of zero is listed: %v\n%s", c.name, zero, list)
		}
	}
}

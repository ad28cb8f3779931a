package catalog

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"

	"github.com/google/go-cmp/cmp"
)

func ptr[T any](v T) *T { return &v }

// good is a run that breaks no rule. Each call makes a new one.
func good() *Run {
	const digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	at := func(line int) Place { return Place{Source: digest[:12], Line: line, Col: 1} }
	ttft := Stat{Mean: ptr(0.2), Median: ptr(0.1), Std: ptr(0.0),
		Percentiles: []Percentile{{P: 25, Value: 0.05}, {P: 99, Value: 0.4}}, Unit: "s", OrigUnit: "ms"}
	r := &Run{
		Version: FormatVersion, Identity: record.Identity{Tool: "t", Session: "20250101-000000",
			Model: "Org/Model <1>"},
		Started:    "2025-01-01T00:00:00",
		Attributes: map[string]Attribute{"hardware": {Value: "H100", From: FromSidecar, File: "run.toml", Line: 1}},
		Parameters: map[string]Parameter{"seed": {Value: json.RawMessage("0"), At: at(1)},
			"a": {Value: json.RawMessage("null")}},
		Points: []Point{
			{Load: record.Load{Rate: ptr(record.Float(1))}, Submitted: ptr(int64(10)), Completed: ptr(int64(10)),
				Metrics: map[metric.ID]Stat{"ttft": ttft}, At: at(1)},
			{Load: record.Load{Rate: ptr(record.Float(2))},
				Metrics: map[metric.ID]Stat{"ttft": ttft,
					"output_throughput": {Value: ptr(100.0), Unit: "tok/s"}}, At: at(2)},
			{Load: record.Load{Rate: ptr(record.Float(math.Inf(1)))}, At: at(3)},
		},
		Figures: []Figure{{Metric: "kv_cache_tokens", Value: ptr(50000.0), Unit: "tokens", At: at(4)}},
		Profiles: []Profile{{Curves: record.Curves{Name: "p", Kind: "time", X: []float64{0, 1},
			Lines: []record.Line{{Label: "y", Y: []float64{2, 3}}}}}},
		Sources:  []Source{{Path: "a.jsonl", SHA256: digest, Format: "f"}},
		Findings: []Finding{{Code: "c", Severity: record.Remark, Message: "m & <n>"}},
	}
	r.ID = r.Identity.ID()
	return r
}

func input() *Input {
	return &Input{Version: FormatVersion, Path: "a", Kind: "folder", SHA256: strings.Repeat("ab", 32)}
}

func files(t *testing.T, u *Update) fstest.MapFS {
	t.Helper()
	fsys := fstest.MapFS{}
	err := u.Write(func(name string, data []byte) error {
		fsys[name] = &fstest.MapFile{Data: data}
		return nil
	}, func(name string) error { delete(fsys, name); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return fsys
}

func TestID(t *testing.T) {
	a := record.Identity{Tool: "t", Session: "s", Model: "m"}
	id := a.ID()
	if len(id) != 12 || !ValidID(id) || id != strings.ToLower(id) {
		t.Errorf("ID %q is not 12 lower-case characters", id)
	}
	// Nothing but the three texts decides, and no text runs into the next.
	for _, b := range []record.Identity{{Tool: "T", Session: "s", Model: "m"}, {Tool: "ts", Model: "m"},
		{Tool: "t", Session: "sm"}, {Tool: `t" "s`, Model: "m"}} {
		if b.ID() == id {
			t.Errorf("%+v has the id of %+v", b, a)
		}
	}
	if again := (record.Identity{Tool: "t", Session: "s", Model: "m"}).ID(); again != id {
		t.Errorf("the same identity gives %q and %q", id, again)
	}
	if base, suffix := SplitID(id + "-ab27"); base != id || suffix != "ab27" {
		t.Errorf("SplitID(%q) = %q, %q", id+"-ab27", base, suffix)
	}
	if base, suffix := SplitID("my-own-id"); base != "my-own-id" || suffix != "" {
		t.Errorf("SplitID(my-own-id) = %q, %q", base, suffix)
	}
}

func TestSlug(t *testing.T) {
	goldentest.Table(t, Slug, map[string]string{
		"Llama-3.3-70B-Instruct":    "llama-3.3-70b-instruct",
		"org/Name: v1.0 ":           "org-name-v1.0",
		"Qwen2.5:7b":                "qwen2.5-7b",
		"../../etc/passwd":          "etc-passwd",
		"<script>alert(1)</script>": "script-alert-1-script",
		"_inputs":                   "inputs",
		"..":                        "x-" + record.Digest([]byte(".."))[:4],
		"":                          "x-" + record.Digest(nil)[:4],
		"模型":                        "x-" + record.Digest([]byte("模型"))[:4],
		strings.Repeat("a", 300): strings.Repeat("a", 96) + "-" +
			record.Digest([]byte(strings.Repeat("a", 300)))[:4],
	})
}

func TestMarshalLayout(t *testing.T) {
	got, err := Marshal(good())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"{\n  \"inferdex\": 1,\n",
		"\n    \"model\": \"Org/Model <1>\"\n  },\n",
		"\n    {\"load\": {\"rate\": \"inf\"}, \"at\": {\"source\": \"0123456789ab\", \"line\": 3, \"col\": 1}}\n  ],\n",
		`"percentiles": [[25, 0.05], [99, 0.4]]`,
		"\n    \"a\": {\"value\": null},\n",
		"m & <n>",
		"\n}\n",
	} {
		if !bytes.Contains(got, []byte(want)) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	var back Run
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(good(), &back); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

func TestOnePointIsOneLine(t *testing.T) {
	a := good()
	b := good()
	s := b.Points[1].Metrics["output_throughput"]
	s.Value = ptr(101.5)
	b.Points[1].Metrics["output_throughput"] = s
	x, _ := Marshal(a)
	y, _ := Marshal(b)
	p, q := strings.Split(string(x), "\n"), strings.Split(string(y), "\n")
	if len(p) != len(q) {
		t.Fatalf("%d lines and %d", len(p), len(q))
	}
	n := 0
	for i := range p {
		if p[i] != q[i] {
			n++
		}
	}
	if n != 1 {
		t.Errorf("one changed value changes %d lines", n)
	}
}

func TestJSONValues(t *testing.T) {
	var f record.Float
	for _, bad := range []string{`"infinite"`, `null1`, `{}`} {
		if err := f.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("Float took %s", bad)
		}
	}
	var p Percentile
	for _, bad := range []string{`[1]`, `[1,2,3]`, `{"p":1}`, `["a",1]`} {
		if err := json.Unmarshal([]byte(bad), &p); err == nil {
			t.Errorf("Percentile took %s", bad)
		}
	}
	if _, err := Marshal(&Run{Points: []Point{{Duration: ptr(math.NaN())}}}); err == nil {
		t.Error("NaN was written")
	}
}

// packed is the raw file of records.
func packed(t *testing.T, records []RawRecord) []byte {
	t.Helper()
	w := NewRawWriter(Gzip)
	for i := range records {
		if err := w.Add(&records[i]); err != nil {
			t.Fatal(err)
		}
	}
	_, data, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestOpen(t *testing.T) {
	a := good()
	b := good()
	b.Identity.Session = "20250202-000000"
	b.ID = b.Identity.ID()
	raw := []RawRecord{{Kind: "result", File: "a.jsonl", Source: "0123456789ab", Line: 1, Col: 1,
		Raw: json.RawMessage(`{"x":1}`), Record: json.RawMessage(`{}`)}}
	u := &Update{Runs: []*Run{a, b}, Raw: map[string][]byte{a.ID: packed(t, raw)}, Inputs: []*Input{input()}}
	fsys := files(t, u)
	fsys[".gitattributes"] = &fstest.MapFile{}
	c, err := Open(fsys)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Runs) != 2 || len(c.Inputs) != 1 || c.Runs[0].ID > c.Runs[1].ID {
		t.Errorf("%d runs, %d inputs", len(c.Runs), len(c.Inputs))
	}
	got, err := c.Raw(a.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(raw, got); diff != "" {
		t.Errorf("raw records (-want +got):\n%s", diff)
	}
	if none, err := c.Raw(b.ID); none != nil || err != nil {
		t.Errorf("raw records of a run without: %v, %v", none, err)
	}
	if empty, err := Open(fstest.MapFS{}); err != nil || len(empty.Runs) != 0 {
		t.Errorf("an empty directory: %v, %v", empty, err)
	}
}

func TestOpenErrors(t *testing.T) {
	r := good()
	data, err := Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	cut := bytes.LastIndex(data, []byte(`"line": 3`))
	for _, c := range []struct {
		name string
		file string
		data string
		want string
	}{
		{"newer", r.Path(), `{"inferdex": 99, "anything": {}}`,
			r.Path() + ": version 99: written by a newer version of inferdex: update inferdex"},
		{"cut short", r.Path(), string(data[:cut]),
			r.Path() + ":20:64: damaged: the file ends too early: restore it or ingest its sources again"},
		{"wrong type", r.Path(), "{\n \"inferdex\": 1,\n \"started\": 5\n}",
			r.Path() + ":3:14: damaged: started cannot be a number: restore it or ingest its sources again"},
		{"unknown key", r.Path(), "{\n \"inferdex\": 1,\n \"colour\": 5\n}",
			r.Path() + `:3:2: damaged: unknown field "colour": restore it or ingest its sources again`},
		{"syntax", r.Path(), "{\n \"inferdex\": 1,,\n}",
			r.Path() +
				":2:16: damaged: invalid character ',' looking for beginning of object key string: restore it or ingest " +
				"its sources again"},
		{"two values", r.Path(), string(data) + "{}",
			r.Path() + ":35:1: damaged: more follows after the end: restore it or ingest its sources again"},
		{"no version", r.Path(), `{"id": "x"}`, r.Path() + `: no file of a catalog: it has no "inferdex" version: restore it`},
		{"null for a list", r.Path(), "{\n \"inferdex\": 1,\n \"points\": null\n}",
			r.Path() + ":3:12: damaged: points has a null: what is not known is absent: restore it or ingest its sources again"},
		{"null for an element", r.Path(), "{\n \"inferdex\": 1,\n \"points\": [{\"at\": {}}, null]\n}",
			r.Path() + ":3:25: damaged: points has a null: what is not known is absent: restore it or ingest its sources again"},
		{"null in an object", r.Path(), "{\n \"inferdex\": 1,\n \"env\": {\"A\": {\"value\": null}, \"B\": null}\n}",
			r.Path() + ":3:37: damaged: B has a null: what is not known is absent: restore it or ingest its sources again"},
		{"another JSON", "x/y.json", `[1]`, "x/y.json:1:2: damaged:"},
		{"misplaced", "elsewhere/" + r.ID + ".json", string(data), "elsewhere/" + r.ID +
			".json: unexpected file in a catalog: its content belongs into " + `"` + r.Path() + `"`},
		{"stray file", "notes.txt", "", "notes.txt: unexpected file in a catalog: move it out"},
		{"stray file below", "m/notes.txt", "", "m/notes.txt: unexpected file in a catalog: move it out"},
		{"directory", "m/n/o.json", "{}", "m/n: unexpected file in a catalog: move the directory out"},
		{"raw without run", "m/abc.raw.jsonl.gz", "",
			"m/abc.raw.jsonl.gz: unexpected file in a catalog: there is no run to these raw records: remove it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Open(fstest.MapFS{c.file: {Data: []byte(c.data)}})
			if err == nil || got != nil {
				t.Fatalf("no error, catalog %v", got)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error\n%s\nwant\n%s", err, c.want)
			}
			if c.name == "newer" && !errors.Is(err, ErrNewer) {
				t.Error("it is not ErrNewer")
			}
		})
	}
	// All that is wrong is told at once.
	_, err = Open(fstest.MapFS{"a/x.json": {Data: []byte("{")}, "b/y.json": {Data: []byte("}")}, "c.txt": {}})
	if n := strings.Count(err.Error(), "\n") + 1; n != 3 {
		t.Errorf("%d problems, want 3:\n%v", n, err)
	}
}

func TestRawErrors(t *testing.T) {
	z := func(s string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write([]byte(s))
		_ = w.Close()
		return b.Bytes()
	}
	whole := z(`{"kind":"result","file":"f","source":"s","record":{}}` + "\n")
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"no gzip", []byte("hello"), "r.gz: no gzip file"},
		{"truncated", whole[:len(whole)-9], "r.gz: damaged gzip file"},
		{"damaged line", z(`{"kind":"result","record":{}}` + "\n" + `{"kind":`),
			"r.gz:2:9: damaged: the file ends too early"},
	} {
		if _, err := decodeRaw("r.gz", c.data, ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	// A text that has the digest that its run states is taken as it is, so what is no JSON of it is looked for apart.
	lie := []RawRecord{{Kind: "result", Source: "ffffffffffff", Raw: json.RawMessage("{x}"), Record: json.RawMessage("{}")}}
	sum, err := RawSum(lie)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decodeRaw("r.gz", packed(t, lie), ""); err == nil {
		t.Error("what is no JSON is taken without a digest")
	}
	got, err := decodeRaw("r.gz", packed(t, lie), sum)
	if err != nil || len(got) != 1 || CheckRecords(got) == nil {
		t.Errorf("%v, %v: what is no JSON is not told", got, err)
	}
	a := packed(t, []RawRecord{{Kind: "note", Record: json.RawMessage("{}")}})
	// No name, no time: bytes 4 to 7 of a gzip header.
	if !bytes.Equal(a[4:8], []byte{0, 0, 0, 0}) || a[3] != 0 {
		t.Errorf("header % x has a time or a name", a[:10])
	}
}

func TestLint(t *testing.T) {
	if found := Lint(&Catalog{Runs: []*Run{good()}, Inputs: []*Input{input()}}); len(found) > 0 {
		t.Fatalf("a good catalog: %v", found)
	}
	stat := func(r *Run, i int, m metric.ID, f func(s *Stat)) {
		s := r.Points[i].Metrics[m]
		f(&s)
		r.Points[i].Metrics[m] = s
	}
	for _, c := range []struct {
		name, code string
		change     func(r *Run)
	}{
		{"version", "version", func(r *Run) { r.Version = 0 }},
		{"id", "id", func(r *Run) { r.ID = "abcdefghijkl" }},
		{"id that is no name", "id", func(r *Run) { r.ID, r.IDFrom = "A b", FromOverride }},
		{"own id among former", "id", func(r *Run) { r.Formerly = []string{r.ID} }},
		{"no identity", "identity", func(r *Run) { r.Identity = record.Identity{}; r.ID = r.Identity.ID() }},
		{"points unsorted", "unsorted", func(r *Run) { r.Points[0], r.Points[1] = r.Points[1], r.Points[0] }},
		{"point twice", "duplicate-point", func(r *Run) { r.Points[1].Load = r.Points[0].Load }},
		{"source unknown", "source", func(r *Run) { r.Points[0].At.Source = "ffffffffffff" }},
		{"source without digest", "source", func(r *Run) { r.Sources[0].SHA256 = "x" }},
		{"sources unsorted", "unsorted", func(r *Run) { r.Sources = append(r.Sources, r.Sources[0]) }},
		{"figure of nowhere", "source", func(r *Run) { r.Figures[0].At.Source = "ffffffffffff" }},
		{"figure without value", "figure", func(r *Run) { r.Figures[0].Value = nil }},
		{"parameter of nowhere", "source",
			func(r *Run) { r.Parameters["seed"] = Parameter{Value: json.RawMessage("1"), At: Place{Source: "f"}} }},
		{"parameter without value", "parameter", func(r *Run) { r.Parameters["seed"] = Parameter{} }},
		{"statistics without a number", "missing", func(r *Run) { stat(r, 0, "ttft", func(s *Stat) { *s = Stat{Unit: s.Unit} }) }},
		{"negative concurrency", "count", func(r *Run) { r.Points[0].Load.MaxConcurrency = ptr(int64(-1)) }},
		{"negative length", "count", func(r *Run) { r.Points[0].Workload.Nominal.Output = ptr(-1.0) }},
		{"negative rate", "count", func(r *Run) { r.Points[2].Load.Rate = ptr(record.Float(-1)) }},
		{"attribute of line -1", "attribute", func(r *Run) {
			r.Attributes["os"] = Attribute{Value: "x", From: FromRecord, Line: -1}
		}},
		{"finding of line -1", "finding", func(r *Run) { r.Findings[0].Line = -1 }},
		{"beginning", "date", func(r *Run) { r.Started = "x" }},
		{"source without format", "source", func(r *Run) { r.Sources[0].Format = "" }},
		{"no sources", "source", func(r *Run) { r.Sources = nil }},
		{"NaN", "number", func(r *Run) { r.Points[0].Duration = ptr(math.NaN()) }},
		{"infinite burstiness", "number", func(r *Run) { r.Points[0].Load.Burstiness = ptr(math.Inf(1)) }},
		{"NaN rate", "number", func(r *Run) { r.Points[2].Load.Rate = ptr(record.Float(math.NaN())) }},
		{"negative count", "count", func(r *Run) { r.Points[0].Completed = ptr(int64(-1)) }},
		{"zero latency", "missing", func(r *Run) {
			stat(r, 0, "ttft", func(s *Stat) { s.Median = ptr(0.0); s.Percentiles = nil })
		}},
		{"negative speed", "negative", func(r *Run) {
			r.Points[0].Metrics[metric.OutputThroughput] = Stat{Value: ptr(-1.0), Unit: "tok/s"}
		}},
		{"percentiles unsorted", "unsorted", func(r *Run) {
			stat(r, 0, "ttft", func(s *Stat) {
				s.Percentiles = []Percentile{{P: 99, Value: 0.4}, {P: 25, Value: 0.05}}
			})
		}},
		{"median among percentiles", "percentile", func(r *Run) {
			stat(r, 0, "ttft", func(s *Stat) { s.Percentiles = []Percentile{{P: 50, Value: 0.1}} })
		}},
		{"median above p99", "implausible", func(r *Run) { stat(r, 0, "ttft", func(s *Stat) { s.Median = ptr(0.5) }) }},
		{"quantiles unsorted", "distribution", func(r *Run) {
			r.Points[0].Distributions = map[metric.ID]Distribution{"ttft": {N: 2, Unit: "s",
				Quantiles: []Percentile{{P: 0, Value: 2}, {P: 100, Value: 1}}}}
		}},
		{"unit", "unit", func(r *Run) { stat(r, 0, "ttft", func(s *Stat) { s.Unit = "ms" }) }},
		{"metric", "metric", func(r *Run) { r.Points[0].Metrics["tftt"] = Stat{Unit: "s"} }},
		{"profile", "profile", func(r *Run) { r.Profiles[0].X = r.Profiles[0].X[:1] }},
		{"empty attribute", "attribute", func(r *Run) { r.Attributes["os"] = Attribute{From: FromRecord} }},
		{"authority", "attribute", func(r *Run) { r.Attributes["os"] = Attribute{Value: "x", From: "guess"} }},
		{"severity", "finding", func(r *Run) { r.Findings[0].Severity = "fatal" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := good()
			c.change(r)
			found := Lint(&Catalog{Runs: []*Run{r}})
			if !slices.ContainsFunc(found,
				func(f Finding) bool { return f.Code == c.code && f.Severity == record.Error && f.Path == r.Path() }) {
				t.Errorf("no %q in %v", c.code, found)
			}
		})
	}

	// A number is called as the file calls it.
	below := good()
	below.Points[0].Load.MaxConcurrency = ptr(int64(-1))
	if found := Lint(&Catalog{Runs: []*Run{below}}); len(found) == 0 ||
		found[0].Message != "point 1: load.max_concurrency is -1: it cannot be below zero" {
		t.Errorf("got %v", found)
	}
	// What ingest said on the run's page is no news.
	r := good()
	stat(r, 0, "ttft", func(s *Stat) { s.Median = ptr(0.5) })
	r.Findings = []Finding{{Code: CodeImplausible, Severity: record.Error, Message: "m"}}
	silent := good()
	stat(silent, 0, "ttft", func(s *Stat) { s.Percentiles = append([]Percentile{{P: 10, Value: 0}}, s.Percentiles...) })
	silent.Findings = append(silent.Findings,
		Finding{Code: record.DoubtNoOutput, Severity: record.Warning, Message: "2 of 8"})
	if found := Lint(&Catalog{Runs: []*Run{silent}}); len(found) > 0 {
		t.Errorf("requests without a token count as 0 where ingest says so: %v", found)
	}
	if found := Lint(&Catalog{Runs: []*Run{r}}); len(found) > 0 {
		t.Errorf("told twice: %v", found)
	}
	a, b := good(), good()
	if found := Lint(&Catalog{Runs: []*Run{a, b}}); !slices.ContainsFunc(found,
		func(f Finding) bool { return f.Code == "duplicate-id" }) {
		t.Errorf("two runs of one id: %v", found)
	}
	c := &Catalog{Runs: []*Run{good()}, Raw: func(string) ([]RawRecord, error) {
		return []RawRecord{{Kind: "result", Source: "ffffffffffff", Record: json.RawMessage("{}")}}, nil
	}}
	if found := Lint(c); len(found) != 4 { // the record, and three points without one
		t.Errorf("raw records of another source: %v", found)
	}
}

func TestImplausible(t *testing.T) {
	for _, c := range []struct {
		name string
		stat Stat
		want int
	}{
		{"nothing", Stat{}, 0},
		{"in order", Stat{Min: ptr(1.0), Percentiles: []Percentile{{P: 25, Value: 2}, {P: 99, Value: 4}},
			Median: ptr(3.0), Max: ptr(5.0), Mean: ptr(3.1)}, 0},
		{"equal", Stat{Min: ptr(1.0), Percentiles: []Percentile{{P: 25, Value: 1}, {P: 99, Value: 1}}, Median: ptr(1.0),
			Max: ptr(1.0), Mean: ptr(1.0)}, 0},
		{"last bits", Stat{Min: ptr(1.0), Median: ptr(1 - 1e-15)}, 0},
		{"median above p75", Stat{Median: ptr(3.0), Percentiles: []Percentile{{P: 75, Value: 2}}}, 1},
		{"p10 above median", Stat{Median: ptr(3.0), Percentiles: []Percentile{{P: 10, Value: 4}}}, 1},
		{"mean above max", Stat{Mean: ptr(3.0), Max: ptr(2.0)}, 1},
		{"mean below min", Stat{Mean: ptr(1.0), Min: ptr(2.0)}, 1},
		{"mean below half the median", Stat{Mean: ptr(0.041), Median: ptr(40.0)}, 1},
		{"mean that is half the median", Stat{Mean: ptr(0.5), Median: ptr(1.0)}, 0},
		{"negative spread", Stat{Std: ptr(-1.0)}, 1},
		{"the whole", Stat{Value: ptr(1.0), Unit: metric.Fraction}, 0},
		{"percent for a share", Stat{Max: ptr(97.5), Unit: metric.Fraction}, 1},
		{"more than one of a unit that has no whole", Stat{Value: ptr(97.5), Unit: metric.Seconds}, 0},
	} {
		if got := c.stat.Implausible(); len(got) != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// TestCutRaw: a line of a raw file is read without decoding it whole, and comes out as it would be decoded.
func TestCutRaw(t *testing.T) {
	for line, quick := range map[string]bool{
		`{"kind":"result","file":"a","source":"s","raw":{"record":[1,{"raw":"}\",\"raw\":"}]},"record":{"x":"]"}}`: true,
		`{"kind":"result","file":"a,\"raw\":1","source":"s","line":3,"col":4,"raw":"x\\","record":null}`:           true,
		`{"kind":"result","file":"a","source":"s","record":{"raw":1}}`:                                             true,
		`{"kind":"result","file":"a","source":"s","record":{"a":1,"raw":2}}`:                                       false,
		`{"kind":"result","record":{"a":{"b":1},"raw":{}},"raw":{"x":[]},"file":"a","source":"s"}`:                 false,
		`{"kind":"result","file":"a","source":"s","raw":{"x":},"record":{}}`:                                       false,
		`{"kind":"result","file":"a","source":"s","raw":{},"record":{}}}`:                                          false,
		`{"kind":"result","file":"a","source":"s","raw":[1,2],"record":{}`:                                         false,
		`{"kind":"result","file":"a","source":"s","raw":1,"record":1,"more":1}`:                                    false,
	} {
		got, ok := cutRaw([]byte(line), false)
		if ok != quick {
			t.Errorf("%s: taken apart is %v", line, ok)
		}
		if !ok {
			continue
		}
		var want RawRecord
		if p := decode([]byte(line), &want); p != nil {
			t.Fatal(line, p)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: -want +got\n%s", line, d)
		}
	}
}

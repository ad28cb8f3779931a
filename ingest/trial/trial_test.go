package trial_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/trial"
)

const result = `{"date": "20250101-100000", "backend": "vllm", "model_id": "acme/tiny-1b", "num_prompts": 10,
 "request_rate": 2.0, "duration": 10.0, "completed": 10, "total_input_tokens": 1000, "total_output_tokens": 500,
 "request_throughput": 1.0, "output_throughput": 50.0, "total_token_throughput": 150.0, "mean_ttft_ms": 20.0,
 "median_ttft_ms": 19.5, "p99_ttft_ms": 30.0, "api_key": "sk-canary0123456789abcdefABCDEF"}
`

func read(t *testing.T, files ...string) *trial.Report {
	t.Helper()
	var inputs []ingest.Input
	for i := 0; i < len(files); i += 2 {
		inputs = append(inputs, ingest.Input{Name: files[i], Data: []byte(files[i+1])})
	}
	r, err := trial.Read(context.Background(), inputs, trial.Options{Formats: format.All()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRead(t *testing.T) {
	r := read(t, "a/result.json", result, "a/notes.txt", "hello", "a/broken.json",
		strings.Replace(result, `"mean_ttft_ms": 20.0`, `"mean_ttft_ms": "fast"`, 1))
	if len(r.Files) != 3 || r.Files[2].Format != "vllm-bench-serve" || r.Files[2].Points != 1 ||
		r.Files[1].Ignored == "" || r.Files[0].Errors != 1 {
		t.Errorf("files %+v", r.Files)
	}
	at := slices.IndexFunc(r.Findings, func(f trial.Finding) bool { return f.Code == trial.CodeSyntax })
	if at < 0 || r.Findings[at].File != "a/broken.json" || r.Findings[at].Line != 3 || r.Findings[at].Col == 0 ||
		r.Findings[at].Severity != record.Error {
		t.Errorf("findings %+v", r.Findings)
	}
	if len(r.Runs) == 0 || r.Runs[0].Model == "" || r.Runs[0].Hardware != "" ||
		!slices.Equal(r.Runs[0].Missing, []string{"hardware"}) {
		t.Fatalf("runs %+v", r.Runs)
	}
	table := r.Runs[0].Tables[0]
	column := slices.IndexFunc(table.Heads, func(h trial.Head) bool { return h.Name == "TTFT median" })
	if column < 0 || table.Heads[column].Unit != "ms" || table.Rows[0][column].Exact != "19.5" {
		t.Errorf("table %+v", table)
	}
	for _, row := range table.Rows {
		if len(row) != len(table.Heads) {
			t.Errorf("%d cells below %d heads", len(row), len(table.Heads))
		}
	}
	if !slices.ContainsFunc(r.Redacted, func(c trial.Count) bool { return c == trial.Count{Key: "api_key", Count: 2} }) {
		t.Errorf("redacted %+v", r.Redacted)
	}
	if len(r.Gaps) != 1 || r.Gaps[0].File != "a/run.toml" || !strings.Contains(r.Gaps[0].TOML, "hardware") {
		t.Errorf("gaps %+v", r.Gaps)
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), "canary") {
		t.Error("the report tells what was redacted")
	}
}

// A run.toml beside a file counts, and what is wrong in it is said with its place.
// A report of an archive without a file has a list of none, which a page counts.
func TestNoFile(t *testing.T) {
	data, err := json.Marshal(read(t, "empty.zip", "PK\x05\x06"+strings.Repeat("\x00", 18)))
	if err != nil || string(data) != `{"files":[]}` {
		t.Errorf("%s, %v", data, err)
	}
}

func TestSidecar(t *testing.T) {
	r := read(t, "a/result.json", result, "a/run.toml", "hardware = \"H100\"\ncolor = 1\n")
	if len(r.Runs) != 1 || !strings.Contains(r.Runs[0].Hardware, "H100") || len(r.Gaps) != 0 {
		t.Errorf("runs %+v, gaps %+v", r.Runs, r.Gaps)
	}
	if !slices.ContainsFunc(r.Findings, func(f trial.Finding) bool {
		return f.Code == trial.CodeSettings && f.File == "a/run.toml" && f.Line == 2
	}) {
		t.Errorf("findings %+v", r.Findings)
	}
}

// What cannot be read ends in a message, and so does reading that was stopped.
func TestHostile(t *testing.T) {
	for _, data := range []string{"", "\x00\xff", "{", strings.Repeat("[", 1<<20), "PK\x03\x04", "\x1f\x8b\x08",
		`{"model_id": "<script>alert(1)</script>`} {
		if r := read(t, "x.json", data); len(r.Files) != 1 || r.Files[0].Ignored == "" && r.Files[0].Errors == 0 {
			t.Errorf("%.20q: files %+v", data, r.Files)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	_, err := trial.Read(ctx, []ingest.Input{{Name: "x"}}, trial.Options{Formats: format.All()})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A run that is in no catalog brings to a comparison what one of it brings, in the units of the catalog; it has no page.
func TestBeside(t *testing.T) {
	beside := func(data string, u compare.Units) compare.Member {
		t.Helper()
		r, err := trial.Read(context.Background(), []ingest.Input{{Name: "a/result.json", Data: []byte(data)},
			{Name: "a/run.toml", Data: []byte("hardware = \"H100\"\n")}}, trial.Options{Formats: format.All(), Beside: &u})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Runs) != 1 || r.Runs[0].Member == nil {
			t.Fatalf("runs %+v", r.Runs)
		}
		return *r.Runs[0].Member
	}
	m := beside(result, compare.Units{})
	if len(m.Workloads) != 1 || m.Workloads[0].Rows["ttft.median"][0] != "ms" || m.Words[0] != r0(t).Model {
		t.Fatalf("member %+v", m)
	}
	for _, f := range m.Facts {
		if f != nil && f.Href != "" {
			t.Errorf("%q leads to %q, which is not there", f.Text, f.Href)
		}
	}
	slow := beside(strings.NewReplacer("20.0", "2000.0", "19.5", "1900.5", "30.0", "2900.0").Replace(result), compare.Units{})
	if slow.Workloads[0].Key != m.Workloads[0].Key || slow.Workloads[0].Rows["ttft.median"][0] != "s" {
		t.Fatalf("alone %+v", slow.Workloads[0])
	}
	of := map[string]map[string]string{m.Workloads[0].Key: {"ttft.median": "ms"}}
	slow = beside(strings.NewReplacer("20.0", "2000.0", "19.5", "1900.5", "30.0", "2900.0").Replace(result), compare.Units{Of: of})
	cell := slow.Workloads[0].Rows["ttft.median"]
	if cell[0] != "ms" || cell[1].(compare.MemberCell).Value != 1900.5 {
		t.Errorf("beside milliseconds %+v", cell)
	}
}

// r0 is the run of result.
func r0(t *testing.T) trial.Run {
	t.Helper()
	r := read(t, "a/result.json", result)
	if r.Runs[0].Member != nil {
		t.Error("a member that nobody asked for")
	}
	return r.Runs[0]
}

// A run that a catalog has is told by its results, wherever its file lies; one changed value makes it another.
func TestListed(t *testing.T) {
	listed := func(name, data string, u compare.Units) trial.Run {
		t.Helper()
		r, err := trial.Read(context.Background(), []ingest.Input{{Name: name, Data: []byte(data)}},
			trial.Options{Formats: format.All(), Beside: &u})
		if err != nil || len(r.Runs) != 1 {
			t.Fatalf("%v, %+v", err, r)
		}
		return r.Runs[0]
	}
	first := listed("a/result.json", result, compare.Units{})
	var run catalog.Run
	if err := json.Unmarshal([]byte(first.Stored), &run); err != nil {
		t.Fatal(err)
	}
	known := compare.Units{Runs: map[string]string{run.ID: run.Measured()}}
	for _, c := range []struct {
		data string
		want trial.Listed
	}{
		{result, trial.Equal},
		{strings.Replace(result, "19.5", "19.6", 1), trial.Differs},
	} {
		if got := listed("b/c/other.json", c.data, known); got.Listed != c.want || got.ID != run.ID {
			t.Errorf("%q of run %s, want %q of %s", got.Listed, got.ID, c.want, run.ID)
		}
	}
	if first.Listed != "" {
		t.Errorf("%q without a catalog", first.Listed)
	}
}

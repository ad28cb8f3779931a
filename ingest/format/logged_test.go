package format_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/record"
)

// What a CI job or a container printed says in the log of it what it says alone, at the same lines.
func TestLogged(t *testing.T) {
	cases, err := filepath.Glob("*/testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	said := func(records []record.Record) (out []string) {
		for _, r := range records {
			line := r.Pos().Line
			switch r := r.(type) {
			case *record.Result:
				values, err := json.Marshal(r.Values)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, fmt.Sprint(line, r.Identity.Model, r.Date, string(values)))
			case *record.System, *record.Params, *record.Figure:
				out = append(out, fmt.Sprintf("%d %T", line, r))
			}
		}
		return out
	}
	read := func(name string, text []byte) []string {
		records, _ := ingest.ReadFile(name, text, format.All())
		return said(records)
	}
	logged := 0
	for _, path := range cases {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			alone := read(f.Name, f.Data)
			if len(alone) == 0 || f.Name == "want" || strings.Contains(path, "bad") {
				continue
			}
			for _, front := range []string{"2026-01-02T03:04:05.0123456Z ", "bench\tRun it\t2026-01-02T03:04:05.0123456Z ",
				"2026-01-02T03:04:05.012345678+00:00 ", "bench-1  | ", "[pod/bench-0/main] ", "\x1b[36;1m"} {
				var log bytes.Buffer
				for line := range bytes.Lines(f.Data) {
					log.WriteString(front)
					log.Write(line)
				}
				logged++
				if got := read(f.Name, log.Bytes()); !slices.Equal(got, alone) {
					t.Errorf("%s, %s behind %q: %v, alone %v", path, f.Name, front, got, alone)
				}
				r, err := ingest.Read(context.Background(), []ingest.Input{{Name: f.Name, Data: log.Bytes()}},
					ingest.Options{Formats: format.All()})
				if err != nil {
					t.Fatal(err)
				}
				if got := said(r.Records); len(got) != len(alone) {
					t.Errorf("%s, %s behind %q, among files: %v, alone %v", path, f.Name, front, got, alone)
				}
			}
		}
	}
	if logged < 500 {
		t.Errorf("%d logs: the test shows nothing", logged)
	}
}

// The result stands at the end of a long log.
func TestLoggedLong(t *testing.T) {
	const stamp = "2026-01-02T03:04:05.0123456Z "
	log := strings.Repeat(stamp+"INFO: 127.0.0.1 - \"POST /v1/completions\" 200 OK\n", 20_000)
	for _, line := range []string{"============ Serving Benchmark Result ============", "Successful requests: 10",
		"Benchmark duration (s): 10.0", "Output token throughput (tok/s): 80.5", strings.Repeat("=", 50)} {
		log += stamp + line + "\n"
	}
	r, err := ingest.Read(t.Context(), []ingest.Input{{Name: "job.log", Data: []byte(log)}}, ingest.Options{Formats: format.All()})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Records) != 1 {
		t.Fatalf("%d records", len(r.Records))
	}
	if res, ok := r.Records[0].(*record.Result); !ok || res.At.Line != 20_001 || len(res.Values) != 2 || r.Files[0].Size != int64(len(log)) {
		t.Errorf("%+v of %+v", r.Records[0], r.Files[0])
	}
}

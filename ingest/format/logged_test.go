package format_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/tools/txtar"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// What a CI job or a container printed says in the log of it what it says alone, at the same lines.
func TestLogged(t *testing.T) {
	asIn(t, func(text []byte) (forms map[string][]byte) {
		forms = map[string][]byte{}
		for _, front := range []string{"2026-01-02T03:04:05.0123456Z ", "bench\tRun it\t2026-01-02T03:04:05.0123456Z ",
			"2026-01-02T03:04:05.012345678+00:00 ", "bench-1  | ", "[pod/bench-0/main] ", "\x1b[36;1m", "> ", "> > "} {
			var log bytes.Buffer
			for line := range bytes.Lines(text) {
				log.WriteString(front)
				log.Write(line)
			}
			forms[fmt.Sprintf("behind %q", front)] = log.Bytes()
		}
		return forms
	})
}

// A text says in UTF-16 what it says in UTF-8, at the same lines.
func TestUTF16(t *testing.T) {
	asIn(t, func(text []byte) map[string][]byte {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
		units := utf16.Encode([]rune("\ufeff" + string(text)))
		little, err := binary.Append(nil, binary.LittleEndian, units)
		if err != nil {
			t.Fatal(err)
		}
		big, err := binary.Append(nil, binary.BigEndian, units)
		if err != nil {
			t.Fatal(err)
		}
		forms := map[string][]byte{"in UTF-16LE": little, "in UTF-16BE": big}
		if reading.UTF16(little[2:]) != nil { // most of its letters are of English
			forms["in UTF-16LE without a mark"], forms["in UTF-16BE without a mark"] = little[2:], big[2:]
		}
		return forms
	})
}

// asIn reads the samples of all formats in other forms, which have to say what the sample says.
func asIn(t *testing.T, in func(text []byte) map[string][]byte) {
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
	forms := 0
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
			for form, text := range in(f.Data) {
				forms++
				if got := read(f.Name, text); !slices.Equal(got, alone) {
					t.Errorf("%s, %s %s: %v, alone %v", path, f.Name, form, got, alone)
				}
				r, err := ingest.Read(context.Background(), []ingest.Input{{Name: f.Name, Data: text}},
					ingest.Options{Formats: format.All()})
				if err != nil {
					t.Fatal(err)
				}
				if got := said(r.Records); len(got) != len(alone) {
					t.Errorf("%s, %s %s, among files: %v, alone %v", path, f.Name, form, got, alone)
				}
			}
		}
	}
	if forms < 500 {
		t.Errorf("%d forms: the test shows nothing", forms)
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

package ingesttest_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/ingesttest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

func generate(t *testing.T, seed uint64, size ingesttest.Size) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	err := ingesttest.Generate(seed, size, func(path string, data []byte) error {
		if files[path] != nil {
			t.Errorf("%s is written twice", path)
		}
		files[path] = &fstest.MapFile{Data: bytes.Clone(data)}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestGenerateIsSeeded(t *testing.T) {
	one, again, other := generate(t, 1, ingesttest.Small), generate(t, 1, ingesttest.Small), generate(t, 2,
		ingesttest.Small)
	if len(one) != len(again) {
		t.Fatalf("%d files, then %d", len(one), len(again))
	}
	differ := 0
	for path, f := range one {
		if !bytes.Equal(f.Data, again[path].Data) {
			t.Errorf("%s: the same seed gives other bytes", path)
		}
		if o := other[path]; o == nil || !bytes.Equal(f.Data, o.Data) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("another seed gives the same bytes")
	}
}

// Everything that is generated is read, without errors, and gives every kind of record that the
// example should have.
func TestGeneratedIsRead(t *testing.T) {
	size := ingesttest.Small
	size.Machines, size.Models = 7, 3 // the report needs the seventh
	files := generate(t, 1, size)
	r, err := ingest.Read(t.Context(), []ingest.Input{{Name: "data/raw", FS: files, Root: "data/raw"}}, ingest.Options{
		Formats: format.All(), Panics: true,
		Sidecar: func(base string) bool { return base == "run.toml" || base == "SOURCE.toml" },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Files {
		if f.Ignored != "" {
			t.Errorf("%s: ignored: %s", f.Path, f.Ignored)
		}
	}
	kinds, formats, dates := map[string]int{}, map[string]int{}, map[string]string{}
	for _, rec := range r.Records {
		kinds[rec.Kind()]++
		switch rec := rec.(type) {
		case *record.SyntaxError:
			t.Errorf("%s: %s", rec.At, rec.Text)
		case *record.Note:
			if rec.Severity != record.Remark {
				t.Errorf("%s: %s: %s", rec.At, rec.Severity, rec.Text)
			}
		case *record.Result:
			formats[rec.Format]++
			if rec.Identity.Tool == "vllm-bench-serve" {
				if at := dates[rec.Date]; at != "" {
					t.Errorf("%s and %s have the same date %s", at, rec.At, rec.Date)
				}
				dates[rec.Date] = rec.At.String()
			}
			for _, v := range rec.Values {
				if v.Number < 0 || v.Number == 0 && v.Quantity != metric.RequestsWaiting {
					t.Errorf("%s: %s %s is %v", rec.At, v.Quantity, v.Stat, v.Number)
				}
			}
		}
	}
	for _, k := range []string{"result", "samples", "profile", "params", "system"} {
		if kinds[k] == 0 {
			t.Errorf("no record of kind %s: %v", k, kinds)
		}
	}
	if len(formats) < 3 {
		t.Errorf("results of few formats: %v", formats)
	}
	// A suite has its three figures.
	keys, groups, _ := ingest.Sessions(r.Records)
	figures := 0
	for _, k := range keys {
		for _, f := range format.All() {
			if f.Finish != nil && groups[k][0].Header().Format == f.Name {
				f.Finish(groups[k], func(rec record.Record) {
					if fig, ok := rec.(*record.Figure); ok &&
						(fig.Quantity == metric.PromptIngestionSpeed || fig.Quantity == metric.KVCacheTokens) {
						figures++
						if fig.Value == nil || *fig.Value <= 0 {
							t.Errorf("%s is %v", fig.Quantity, fig.Value)
						}
					}
				})
			}
		}
	}
	if figures < 2 {
		t.Errorf("the suite has %d figures of two", figures)
	}
}

func TestGenerateStopsAtAnError(t *testing.T) {
	full := errors.New("disk full")
	n := 0
	err := ingesttest.Generate(1, ingesttest.Small, func(path string, _ []byte) error {
		if n++; strings.HasPrefix(path, "data/raw/") {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || n > 3 {
		t.Errorf("got %v after %d files", err, n)
	}
}

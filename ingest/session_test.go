package ingest

import (
	"fmt"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/record"
)

func TestSessions(t *testing.T) {
	samples := func(file, key string) record.Record {
		return &record.Samples{Base: record.Base{At: record.Pos{File: file}, Key: key, Format: "f"}}
	}
	records := []record.Record{
		&record.Result{Base: record.Base{At: record.Pos{File: "a.zip!x/1.json"}, Key: "one", Format: "f"}},
		samples("a.zip!x/report/parameters.json", "one"),
		samples("a.zip!x/report/thresholds.csv", ""),
		samples("a.zip!x/report/speed/data/1.json", ""),
		&record.Facts{Base: record.Base{At: record.Pos{File: "a.zip!x/params.txt"}, Format: "f"}},
		samples("b/parameters.json", "two"),
		samples("b/c/d/e/1.json", ""),   // three levels up
		samples("b/c/d/e/g/2.json", ""), // four: too far
		samples("both/1.json", "one"),   //
		samples("both/2.json", "two"),   //
		samples("both/data/1.json", ""), // nobody knows whose
		samples("nowhere/data/1.json", ""),
		&record.Samples{Base: record.Base{At: record.Pos{File: "b/other.json"}, Format: "g"}}, // of another format
	}
	keys, groups, rest := Sessions(records)
	got := ""
	for _, k := range append(keys, "") {
		g := groups[k]
		if k == "" {
			g = rest
		}
		got += fmt.Sprintf("%q:\n", k)
		for _, r := range g {
			got += "  " + r.Pos().String() + "\n"
		}
	}
	want := `"one":
  a.zip!x/1.json
  a.zip!x/report/parameters.json
  a.zip!x/report/thresholds.csv
  a.zip!x/report/speed/data/1.json
  both/1.json
"two":
  b/parameters.json
  b/c/d/e/1.json
  both/2.json
"":
  a.zip!x/params.txt
  b/c/d/e/g/2.json
  both/data/1.json
  nowhere/data/1.json
  b/other.json
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDir(t *testing.T) {
	for _, c := range [][2]string{
		{"a", ""}, {"a/b", "a"}, {"a/b.zip!c", "a/b.zip"}, {"a/b.zip!d/c", "a/b.zip!d"}, {"", ""}, {"-", ""},
	} {
		if got := reading.Dir(c[0]); got != c[1] {
			t.Errorf("reading.Dir(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

package normalize

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// underSetups are results of one tool, day and model in one file, each under a setup of its own.
func underSetups(n int, number func(i int) float64) *ingest.Reading {
	reading := &ingest.Reading{Files: []ingest.FileStatus{{Path: "a", SHA256: "d", Format: "f"}}}
	for i := range n {
		res := &record.Result{Base: record.Base{At: record.Pos{File: "a", Line: i + 1}, Key: fmt.Sprint("setup ", i),
			Digest: "d", Format: "f", Identity: record.Identity{Tool: "t", Model: "m"}, Date: "20250101-100000"}}
		res.Raw = []byte(`{}`)
		for _, stat := range []string{metric.Mean, metric.Median, metric.P99, "p90"} {
			res.Values = append(res.Values,
				record.Value{Quantity: metric.TTFT, Stat: stat, Number: number(i), Unit: "ms", Key: stat})
		}
		reading.Records = append(reading.Records, res)
	}
	return reading
}

// A file that says one result under thousands of setups is not gone through for each of them: eight times as many take
// eight times as much memory.
func TestOneResultUnderManySetups(t *testing.T) {
	bytes := func(n int) uint64 {
		reading := underSetups(n, func(int) float64 { return 100 })
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if out, err := Catalog(reading, nil, Options{Inputs: []string{"a"}}); err != nil || len(out.Runs) != 1 {
			t.Fatal(out, err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := bytes(300), bytes(2400); many > 12*few {
		t.Errorf("300 setups take %d bytes and 2400 take %d", few, many)
	} else {
		t.Logf("%d and %d bytes", few, many)
	}
}

// Runs of one identity whose results differ are told apart without a look at each for each.
func TestResultsUnderManySetups(t *testing.T) {
	j := Options{Inputs: []string{"a"}}.joiner(nil)
	if _, err := j.gather(underSetups(200, func(i int) float64 { return 100.123 + float64(i)/7 })); err != nil {
		t.Fatal(err)
	}
	u := newGroups(j.sessions)
	k := j.kin(u)
	for _, s := range j.sessions {
		if !k.alone(u.of[s], s) {
			t.Fatalf("session %q is held against each of %d others", s.key, len(j.sessions)-1)
		}
	}
	if j.byIdentity(u, j.kin(u)); len(u.list()) != 200 {
		t.Errorf("200 setups are %d runs", len(u.list()))
	}
}

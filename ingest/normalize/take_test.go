package normalize

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// measurements is a reading of one file with so many runs of so many results.
func measurements(runs, results int) *ingest.Reading {
	r := &ingest.Reading{Files: []ingest.FileStatus{{Path: "a", SHA256: "d", Format: "f"}}}
	for i := range runs * results {
		model, clients := fmt.Sprintf("m%d", i%runs), int64(i/runs+1)
		r.Records = append(r.Records, &record.Result{
			Base: record.Base{At: record.Pos{File: "a", Line: i + 1}, Key: model, Digest: "d", Format: "f",
				Identity: record.Identity{Tool: "t", Model: model}, Date: "20250101-100000"},
			Load: record.Load{MaxConcurrency: &clients},
			Values: []record.Value{{Quantity: metric.OutputThroughput, Stat: metric.Value,
				Number: float64(i + 1), Unit: "tok/s", Key: "k"}},
			Kept: record.Kept{Raw: []byte(`{"a":1}`), Unmapped: []string{"a"}},
		})
	}
	r.Records = append(r.Records, record.Errorf(record.Pos{File: "a", Line: 9999}, "cut short"))
	return r
}

// Runs that are taken one by one are those of an outcome that has all of them, and what is said of the inputs is too.
func TestRunsAreTakenAsTheyAreMade(t *testing.T) {
	const runs, results = 5, 40
	o := Options{Inputs: []string{"a"}, Pack: catalog.Gzip}
	whole, err := Catalog(measurements(runs, results), nil, o)
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string][]byte{}, map[string][]byte{}
	into := func(files map[string][]byte) func(string, []byte) error {
		return func(name string, data []byte) error { files[name] = data; return nil }
	}
	none := func(name string) error { return fmt.Errorf("%s is to be removed", name) }
	if err := whole.Update.Write(into(want), none); err != nil {
		t.Fatal(err)
	}
	reading := measurements(runs, results)
	var room []byte
	o.Take = func(r *catalog.Run, raw []byte) error {
		return catalog.WriteRun(r, raw, func(name string, text func(*[]byte) ([]byte, error)) error {
			data, err := text(&room)
			got[name] = bytes.Clone(data)
			return err
		})
	}
	taken, err := Catalog(reading, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := taken.Update.Write(into(got), none); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) || len(want) != 2*runs+1 {
		t.Fatalf("%d files were written, %d of an outcome that has all runs, and %d were expected", len(got), len(want), 2*runs+1)
	}
	for name, data := range want {
		if !bytes.Equal(got[name], data) {
			t.Errorf("%s is %q, and %q of an outcome that has all runs", name, got[name], data)
		}
	}
	for _, r := range taken.Runs {
		if len(r.Points) != 1 || taken.PointsOf[r.ID] != results {
			t.Errorf("run %s is left with %d points and said to have %d: want 1 and %d", r.ID, len(r.Points),
				taken.PointsOf[r.ID], results)
		}
	}
	for _, r := range reading.Records {
		if _, ok := r.(*record.Result); ok {
			t.Fatal("a reading that was given away has a result")
		}
	}
}

// When the last run is taken, nobody has the records of the others any more.
func TestRecordsGoWithTheirRun(t *testing.T) {
	const runs, results = 5, 40
	reading := measurements(runs, results)
	var all []weak.Pointer[record.Value]
	for _, r := range reading.Records {
		if res, ok := r.(*record.Result); ok {
			all = append(all, weak.Make(&res.Values[0]))
		}
	}
	n, held := 0, 0
	o := Options{Inputs: []string{"a"}, Pack: catalog.Gzip}
	o.Take = func(*catalog.Run, []byte) error {
		if n++; n < runs {
			return nil
		}
		runtime.GC()
		for _, p := range all {
			if p.Value() != nil {
				held++
			}
		}
		return nil
	}
	if _, err := Catalog(reading, nil, o); err != nil {
		t.Fatal(err)
	}
	if n != runs || held > results {
		t.Errorf("%d runs were taken, and at the last one %d of %d records are held: want %d and %d at most", n, held,
			len(all), runs, results)
	}
}

// A run that cannot be taken ends the call with what was wrong, and no other one is taken.
func TestNothingIsTakenAfterAnError(t *testing.T) {
	full, n := errors.New("the disk is full"), 0
	o := Options{Inputs: []string{"a"}, Pack: catalog.Gzip, Take: func(*catalog.Run, []byte) error {
		if n++; n == 2 {
			return full
		}
		return nil
	}}
	if _, err := Catalog(measurements(6, 3), nil, o); !errors.Is(err, full) || n != 2 {
		t.Errorf("%d runs were taken, and the error is %v: want 2 and %v", n, err, full)
	}
}

// Whoever interrupts waits for no more than one record, point or run: wherever the error comes, it ends the call.
func TestEnded(t *testing.T) {
	interrupted := errors.New("interrupted")
	const runs, results = 5, 40
	reading := func() *ingest.Reading { // sessions of one model, whose points are held against each other
		r := measurements(runs, results)
		for i, rec := range r.Records[:runs*results] {
			rec.Header().Identity = record.Identity{Tool: "t", Model: "m", Session: fmt.Sprint(i % runs)}
		}
		return r
	}
	for _, last := range []int64{1, runs*results - 1, runs*results + 1, 2*runs*results - 1, 2*runs*results + runs + 1} {
		var asked atomic.Int64
		o := Options{Inputs: []string{"a"}, Pack: catalog.Gzip, Ended: func() error {
			if asked.Add(1) >= last {
				return interrupted
			}
			return nil
		}}
		if _, err := Catalog(reading(), nil, o); err != interrupted {
			t.Errorf("ended at question %d: %v", last, err)
		}
		if n := asked.Load(); n > last+runs {
			t.Errorf("ended at question %d, and %d were asked", last, n)
		}
	}
}

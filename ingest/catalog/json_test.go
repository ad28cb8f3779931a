package catalog

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/metric"
)

// The file of a run is what encoding/json writes, with the breaks of lines, though points are written by hand.
func TestFilesOfRuns(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		var r Run
		goldentest.Fill(chance, &r)
		b, err := Compact(&r)
		if err != nil {
			t.Fatal(err)
		}
		want := layout(nil, b, -1, nil)
		got, err := Marshal(&r)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("a run is written as\n%s\nwith error %v, and by encoding/json as\n%s", got, err, want)
		}
	}
	bad := &Run{Points: []Point{{Metrics: map[metric.ID]Stat{"ttft": {Mean: ptr(math.NaN())}}}}}
	if text, err := Marshal(bad); err == nil {
		t.Errorf("a number that JSON has not is written as %s", text)
	}
}

// A line of a raw file is what encoding/json writes.
func TestLinesOfRawFiles(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		var r RawRecord
		goldentest.Fill(chance, &r)
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(&r); err != nil {
			t.Fatal(err)
		}
		w := NewRawWriter(func(w io.Writer) io.WriteCloser { return plain{w} })
		if err := w.Add(&r); err != nil {
			t.Fatal(err)
		}
		_, file, err := w.Close()
		if err != nil || string(file) != want.String() {
			t.Fatalf("a line is\n%s\nwith error %v, and by encoding/json\n%s", file, err, &want)
		}
	}
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }

package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// What is not recorded of thousands of folders is said of each without going over all runs again.
func TestGapsOfManyFolders(t *testing.T) {
	cost := func(n int) float64 {
		c := &catalog.Catalog{}
		for i := range n {
			c.Runs = append(c.Runs, &catalog.Run{ID: fmt.Sprintf("run%d", i), Sources: []catalog.Source{
				{Path: fmt.Sprintf("data/raw/f%d/r.json", i)}}})
		}
		ix := figure.NewIndex(c, &settings.Names{})
		if len(ix.Gaps()) < n {
			t.Fatalf("%d gaps of %d folders: the test shows nothing", len(ix.Gaps()), n)
		}
		done := &ingestion{options: &normalize.Options{}, out: &normalize.Outcome{Update: catalog.Update{Runs: c.Runs}}}
		a := &app{stderr: io.Discard, dir: t.TempDir()}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		a.reportGaps(done, ix)
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(n)
	}
	few, many := cost(200), cost(1600)
	if many > 2*few {
		t.Errorf("a folder more takes %.0f bytes of 200, %.0f of 1600", few, many)
	}
}

// What the system says of one file among many is followed by what to do, and what a file says is not.
func TestRemedyOfOneFile(t *testing.T) {
	var said strings.Builder
	a := &app{stderr: &said}
	refused := "cannot be read: " + syscall.EACCES.Error()
	a.reportSyntax(&ingest.Reading{Records: []record.Record{
		&record.SyntaxError{Base: record.Base{At: record.Pos{File: "in/a.json"}}, Text: refused},
		&record.SyntaxError{Base: record.Base{At: record.Pos{File: "in/b.json", Line: 2}}, Text: "odd: " + syscall.EACCES.Error()},
	}})
	want := "in/a.json: " + refused + ": give this user the rights to it\nin/b.json:2: odd: " + syscall.EACCES.Error() + "\n"
	if said.String() != want {
		t.Errorf("%q, want %q", said.String(), want)
	}
}

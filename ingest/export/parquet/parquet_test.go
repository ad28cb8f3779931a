package parquet

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	format "github.com/parquet-go/parquet-go"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/export"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/record"
)

// catalogOf has a load that is not recorded, one of all requests at once, and numbers with many digits.
func catalogOf(t *testing.T) []*figure.Run {
	t.Helper()
	long := figuretest.Point(4, 1.0/3, 1e-7, 123456.789012345, 0.1, 1e21)
	none := figuretest.Point(4, 5, 1, 2, 0.1, 0.2)
	none.Load.MaxConcurrency = nil
	inf := record.Float(math.Inf(1))
	all := figuretest.Point(4, 6, 1, 2, 0.1, 0.2)
	all.Load = record.Load{Rate: &inf}
	return figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{figuretest.Run("r", "o/Dense-10B", "2x big", "1.0", long,
		none, all)}}, figuretest.Names(t)).Runs
}

func TestEveryNumberIsKept(t *testing.T) {
	runs := catalogOf(t)
	var b bytes.Buffer
	if err := Write(&b, runs); err != nil {
		t.Fatal(err)
	}
	rows, err := format.Read[row](bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for x := range export.Rows(runs) {
		got := rows[i]
		if got.Run != x.Run.ID || got.Metric != string(x.Metric.ID) || got.Stat != x.Stat || got.Value != x.Value ||
			(got.Axis == nil) != (x.Load() == nil) || got.Load != nil && *got.Load != float64(*x.Load()) {
			t.Errorf("row %d is %+v, want %+v", i, got, x)
		}
		if x.Load() != nil && (got.Load == nil) != math.IsInf(float64(*x.Load()), 1) {
			t.Errorf("row %d: the load is %v, want %v, and none that is infinite", i, got.Load, *x.Load())
		}
		i++
	}
	if i != len(rows) || i == 0 {
		t.Errorf("%d rows, want %d", len(rows), i)
	}
	var names, want []string
	for _, f := range format.SchemaOf(row{}).Fields() {
		names = append(names, f.Name())
	}
	for _, c := range Columns(runs) {
		want = append(want, c.Name)
	}
	if !slices.Equal(names, want) {
		t.Errorf("columns %v, want those of points.csv", names)
	}
}

// Where runs of other catalogs are merged, each row says who gives it; the columns are those of points.csv still.
func TestOriginsOfEachRow(t *testing.T) {
	runs := catalogOf(t)
	runs[0].Origins = []catalog.Origin{{}, {Catalog: "https://a.example/data/"}, {Catalog: "https://b.example/data/", Differs: true}}
	var b bytes.Buffer
	if err := Write(&b, runs); err != nil {
		t.Fatal(err)
	}
	rows, err := format.Read[federatedRow](bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || len(rows) == 0 {
		t.Fatal(len(rows), err)
	}
	for _, r := range rows {
		if r.Run != "r" || r.Origins == nil || *r.Origins != "this https://a.example/data/" {
			t.Errorf("row of %s: origins %v", r.Run, r.Origins)
		}
	}
	file, err := format.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names, want []string
	for _, f := range file.Schema().Fields() {
		names = append(names, f.Name())
	}
	for _, c := range Columns(runs) {
		want = append(want, c.Name)
	}
	if !slices.Equal(names, want) || want[len(want)-1] != "origins" {
		t.Errorf("columns %v, want %v", names, want)
	}
}

func ExampleWrite() {
	var b bytes.Buffer
	if err := Write(&b, nil); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%s\n", b.Bytes()[:4])
	// Output:
	// PAR1
}

// Package parquet writes measured points as a Parquet file.
package parquet

import (
	"io"
	"math"
	"slices"

	format "github.com/parquet-go/parquet-go"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/export"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/record"
)

// Columns are those of the file of runs.
func Columns(runs []*figure.Run) []export.Column {
	columns := slices.Clone(export.PointColumns(runs))
	for i := range columns {
		if c := &columns[i]; c.Name == "load" {
			c.Type = "number"
			c.Description = "parallel requests, requests a second or batch size; none with an axis is all at once"
		}
	}
	return columns
}

// row has the columns of [Columns], in their order; what is not recorded is null.
type row struct {
	Run           string   `parquet:"run,dict"`
	Model         string   `parquet:"model,dict"`
	Hardware      string   `parquet:"hardware,dict"`
	Count         *int64   `parquet:"count,optional"`
	Engine        *string  `parquet:"engine,optional,dict"`
	EngineVersion *string  `parquet:"engine_version,optional,dict"`
	Series        string   `parquet:"series,dict"`
	Workload      *string  `parquet:"workload,optional,dict"`
	InputNominal  *float64 `parquet:"input_nominal,optional"`
	OutputNominal *float64 `parquet:"output_nominal,optional"`
	InputActual   *float64 `parquet:"input_actual,optional"`
	OutputActual  *float64 `parquet:"output_actual,optional"`
	Axis          *string  `parquet:"axis,optional,dict"`
	Load          *float64 `parquet:"load,optional"` // null with an axis: all requests at once
	Repetition    int64    `parquet:"repetition"`
	Submitted     *int64   `parquet:"submitted,optional"`
	Completed     *int64   `parquet:"completed,optional"`
	NoOutput      *int64   `parquet:"no_output,optional"`
	Metric        string   `parquet:"metric,dict"`
	Stat          string   `parquet:"stat,dict"`
	Value         float64  `parquet:"value"`
	Unit          string   `parquet:"unit,dict"`
	Source        *string  `parquet:"source,optional,dict"`
	Line          *int64   `parquet:"line,optional"`
	Suspect       *string  `parquet:"suspect,optional,dict"`
}

// federatedRow is a row of a file where runs of other catalogs are merged into one.
type federatedRow struct {
	row
	Origins *string `parquet:"origins,optional,dict"`
}

// Write writes the rows of [export.WritePoints] as a Parquet file, with types.
func Write(w io.Writer, runs []*figure.Run) error {
	if export.Merged(runs) {
		return write(w, runs, func(x export.Row, r row) federatedRow {
			return federatedRow{r, known(export.Origins(x.Run.Origins))}
		})
	}
	return write(w, runs, func(_ export.Row, r row) row { return r })
}

// known is a text, nil where it is empty.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// write writes what of makes of each row.
func write[R any](w io.Writer, runs []*figure.Run, of func(export.Row, row) R) error {
	z := format.NewGenericWriter[R](w, format.Compression(&format.Zstd), format.CreatedBy("inferdex", "", ""))
	for x := range export.Rows(runs) {
		r, p := x.Run, x.Point
		axis, _, _ := p.Load.Axis()
		out := row{Run: r.ID, Model: r.Model.ID, Hardware: r.Hardware.Accelerator.Name, Count: x.Accelerators(),
			Engine: known(r.Engine.Name), EngineVersion: known(r.Engine.Version), Series: r.Series,
			Workload: known(x.Scenario.Name), InputNominal: p.Workload.Nominal.Input,
			OutputNominal: p.Workload.Nominal.Output, InputActual: p.Workload.Actual.Input,
			OutputActual: p.Workload.Actual.Output, Axis: known(axis), Load: finite(x.Load()),
			Repetition: int64(p.Repetition), Submitted: p.Submitted, Completed: p.Completed, NoOutput: p.NoOutput,
			Metric: string(x.Metric.ID), Stat: x.Stat, Value: x.Value, Unit: x.Metric.Unit, Source: known(x.Source()), Line: lineOf(p),
			Suspect: known(x.Suspect)}
		if _, err := z.Write([]R{of(x, out)}); err != nil {
			return err
		}
	}
	return z.Close()
}

// finite is a load, nil where it is infinite: of programs that read Parquet few expect such a number.
func finite(load *record.Float) *float64 {
	if load == nil || math.IsInf(float64(*load), 0) {
		return nil
	}
	return (*float64)(load)
}

func lineOf(p *catalog.Point) *int64 {
	if p.At.Line == 0 {
		return nil
	}
	n := int64(p.At.Line)
	return &n
}

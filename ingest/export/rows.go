package export

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Column is a column of a CSV file.
type Column struct {
	Name        string `json:"name"`
	Type        string `json:"type"` // of Table Schema: string, number, integer, date, any
	Description string `json:"description,omitempty"`
}

func columnNames(cs []Column) []string {
	var out []string
	for _, c := range cs {
		out = append(out, c.Name)
	}
	return out
}

// runID is the first column of each file, servedBy are the columns that say what was measured.
var (
	runID    = Column{"run", "string", "id of the run"}
	servedBy = []Column{
		{"model", "string", ""},
		{"hardware", "string", "accelerator"},
		{"count", "integer", "accelerators that served; empty where assumed"},
		{"engine", "string", ""},
		{"engine_version", "string", ""},
		{"series", "string", "label that tells runs apart"},
	}
)

// originsColumn is the last column of each file where runs of other catalogs are merged into one, and of none else.
var originsColumn = Column{"origins", "string", "addresses of the catalogs that give these measurements, separated by " +
	"spaces, this for the catalog of the file; empty where no other catalog has the run"}

// merged adds the column of origins where any of the runs has some.
func merged(columns []Column, runs []*figure.Run) []Column {
	if Merged(runs) {
		return slices.Concat(columns, []Column{originsColumn})
	}
	return columns
}

// Merged reports whether any of the runs was given by another catalog, so that its files have a column of origins.
func Merged(runs []*figure.Run) bool {
	return slices.ContainsFunc(runs, func(r *figure.Run) bool { return len(r.Origins) > 0 })
}

// Origins are the catalogs that give the measurements of a run, as text: see the column of that name. One that has
// other measurements under the id, or calls it withdrawn without having it, is none of them.
func Origins(of []catalog.Origin) string {
	var list []string
	for _, o := range of {
		if !o.Gone && !o.Differs {
			list = append(list, cmp.Or(o.Catalog, "this"))
		}
	}
	return strings.Join(list, " ")
}

// PointColumns are the columns of [WritePoints] of runs. A missing value is an empty field.
func PointColumns(runs []*figure.Run) []Column { return merged(pointColumns, runs) }

// RunColumns are the columns of [WriteRuns] of runs.
func RunColumns(runs []*figure.Run) []Column { return merged(runColumns, runs) }

var pointColumns = slices.Concat([]Column{runID}, servedBy, []Column{
	{"workload", "string", "key of the workload within the run"},
	{"input_nominal", "number", "tokens a request as asked for"},
	{"output_nominal", "number", "tokens a request as asked for"},
	{"input_actual", "number", "tokens a request as measured, median"},
	{"output_actual", "number", "tokens a request as measured, median"},
	{"axis", "string", "what load counts: concurrency, rate or batch"},
	{"load", "string", "parallel requests, requests a second (\"inf\" is all at once) or batch size"},
	{"repetition", "integer", ""},
	{"submitted", "integer", "requests"},
	{"completed", "integer", "requests"},
	{"no_output", "integer", "of the completed requests, those known to have no output token"},
	{"metric", "string", ""},
	{"stat", "string", "value, mean, median, std, min, max or a percentile such as p99"},
	{"value", "number", "in the unit of the row, exact"},
	{"unit", "string", ""},
	{"source", "string", "file that the record was read from"},
	{"line", "integer", "line of the record in that file"},
	{"suspect", "string", "code of the finding that says why the value cannot be believed; empty for most"},
})

var runColumns = slices.Concat([]Column{
	runID,
	{"started", "string", "date and time of the beginning as well as it is known, in ISO 8601"},
}, servedBy, []Column{
	{"tool", "string", "what measured"},
	{"points", "integer", "measured points"},
	{"prompt_ingestion_speed", "string", "tokens a second; the published text where the exact value is not recorded"},
	{"generation_speed_10_parallel", "string", "tokens a second of one request at 10 parallel; the published text " +
		"where the exact value is not recorded"},
	{"kv_cache_tokens", "string", "the published text where the exact value is not recorded"},
	{"peak_output_throughput", "number", "tokens a second"},
	{"withdrawn", "string", "why the run must not be used any more"},
})

// Row is one statistic of one metric of a measured point, in its base unit.
type Row struct {
	Run      *figure.Run
	Scenario *figure.Scenario
	Point    *catalog.Point
	Metric   metric.Info
	Stat     string // "value", "median", "p99"
	Value    float64
	// Suspect is the code of the finding that says why the value cannot be believed; empty for most.
	Suspect string
}

// Rows are the rows of all measured points of runs.
func Rows(runs []*figure.Run) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for _, r := range runs {
			for _, s := range r.Scenarios {
				for _, p := range s.Measured {
					if !rowsOf(r, s, p, yield) {
						return
					}
				}
			}
		}
	}
}

// metrics are in the order of the rows of a point.
var metrics = metric.All()

func rowsOf(r *figure.Run, s *figure.Scenario, p *catalog.Point, yield func(Row) bool) bool {
	measured := s.Marked(p)
	for _, info := range metrics {
		st, ok := measured[info.ID]
		if !ok {
			continue
		}
		for _, e := range []struct {
			stat string
			v    catalog.Number
		}{{metric.Value, st.Value}, {metric.Mean, st.Mean}, {metric.Median, st.Median},
			{metric.Std, st.Std}, {metric.Min, st.Min}, {metric.Max, st.Max}} {
			if e.v != nil && !yield(Row{r, s, p, info, e.stat, *e.v, st.Suspect}) {
				return false
			}
		}
		for _, pc := range st.Percentiles {
			if !yield(Row{r, s, p, info, "p" + metric.Exact(pc.P), pc.Value, st.Suspect}) {
				return false
			}
		}
	}
	return true
}

// Accelerators are how many served, nil where that is assumed.
func (r Row) Accelerators() *int64 { return accelerators(r.Run) }

// Load is that of the point, +Inf for all requests at once; nil where none is recorded.
func (r Row) Load() *record.Float { return loadAt(r.Point) }

// Source is the file that the row's record was read from.
func (r Row) Source() string {
	for _, src := range r.Run.Sources {
		if src.ID() == r.Point.At.Source {
			return src.Path
		}
	}
	return r.Point.At.Source
}

// accelerators are how many served, nil where that is assumed.
func accelerators(r *figure.Run) *int64 {
	if r.Hardware.CountAssumed {
		return nil
	}
	n := int64(r.Hardware.Count)
	return &n
}

func numberText(v catalog.Number) string {
	if v == nil {
		return ""
	}
	return metric.Exact(*v)
}

func wholeText(v *int64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatInt(*v, 10)
}

// WritePoints writes points as CSV in long form: a row for each statistic of each metric, in base
// units, exact.
func WritePoints(w io.Writer, runs []*figure.Run) error {
	return errors.Join(WritePointsHead(w, runs), WritePointRows(w, runs, Merged(runs)))
}

// WritePointsHead writes the names of the columns that [WritePoints] writes of these runs.
func WritePointsHead(w io.Writer, runs []*figure.Run) error {
	c := catalog.NewCSV(w)
	c.Write(columnNames(PointColumns(runs)))
	return c.Flush()
}

// WritePointRows writes the rows alone; merged is what [Merged] says of all runs of the file.
func WritePointRows(w io.Writer, runs []*figure.Run, merged bool) error {
	c := catalog.NewCSV(w)
	var at *catalog.Point
	var point, value, source, rest catalog.Cells // those of a point are encoded once for all of its rows
	type quantity struct {
		metric metric.ID
		stat   string
	}
	quantities := map[quantity][2]catalog.Cells{} // what stands before a value and behind it
	suspect := ""
	for row := range Rows(runs) {
		r, p := row.Run, row.Point
		if p != at || row.Suspect != suspect {
			suspect = row.Suspect
			last := []string{suspect}
			if merged {
				last = append(last, Origins(r.Origins))
			}
			rest = c.Cells(rest, last...)
		}
		if p != at {
			at = p
			axis, _, _ := p.Load.Axis()
			line := ""
			if p.At.Line > 0 {
				line = strconv.Itoa(p.At.Line)
			}
			point = c.Cells(point, r.ID, r.Model.ID, r.Hardware.Accelerator.Name, wholeText(accelerators(r)), r.Engine.Name,
				r.Engine.Version, r.Series, row.Scenario.Name, numberText(p.Workload.Nominal.Input),
				numberText(p.Workload.Nominal.Output), numberText(p.Workload.Actual.Input),
				numberText(p.Workload.Actual.Output), axis, figure.LoadKey(p), strconv.Itoa(p.Repetition),
				wholeText(p.Submitted), wholeText(p.Completed), wholeText(p.NoOutput))
			source = c.Cells(source, row.Source(), line)
		}
		of := quantity{row.Metric.ID, row.Stat}
		around, known := quantities[of]
		if !known {
			around = [2]catalog.Cells{c.Cells(nil, string(of.metric), of.stat), c.Cells(nil, row.Metric.Unit)}
			quantities[of] = around
		}
		value = append(value[:0], metric.Exact(row.Value)...) // a number has no need of quotes
		c.WriteCells(point, around[0], value, around[1], source, rest)
	}
	return c.Flush()
}

// WriteRuns writes a row for each run as CSV.
func WriteRuns(w io.Writer, runs []*figure.Run) error {
	c := catalog.NewCSV(w)
	c.Write(columnNames(RunColumns(runs)))
	federated := Merged(runs)
	for _, r := range runs {
		rec := []string{r.ID, r.Started, r.Model.ID, r.Hardware.Accelerator.Name, wholeText(accelerators(r)),
			r.Engine.Name, r.Engine.Version, r.Series, r.Identity.Tool, strconv.Itoa(len(r.Points))}
		for _, name := range []string{"prompt_ingestion_speed", "generation_speed_10_parallel", "kv_cache_tokens"} {
			v := ""
			for _, h := range r.SuiteHeadlines() {
				if h.Name == name {
					v = cmp.Or(numberText(h.Value), strings.TrimSpace(h.Published))
				}
			}
			rec = append(rec, v)
		}
		peak := ""
		if _, p, v := r.Peak(); p != nil {
			peak = metric.Exact(v)
		}
		rec = append(rec, peak, r.Withdrawn)
		if federated {
			rec = append(rec, Origins(r.Origins))
		}
		c.Write(rec)
	}
	return c.Flush()
}

// Document is a whole catalog.
type Document struct {
	Version int            `json:"inferdex"`
	Runs    []*catalog.Run `json:"runs"`
}

// A Whole is all runs of a catalog as one JSON document, which is written in parts. Runs are encoded one by one: all of
// them at once take many times the size of the document.
type Whole struct {
	Runs    []*catalog.Run // as the catalog has them
	indexed map[string]*figure.Run
}

// NewWhole is the document of all runs of a catalog, those of the index with what of them cannot be believed; of a nil
// catalog there are none.
func NewWhole(ix *figure.Index, c *catalog.Catalog) *Whole {
	d := &Whole{indexed: map[string]*figure.Run{}}
	for _, r := range ix.Runs {
		d.indexed[r.ID] = r
	}
	if c != nil {
		d.Runs = c.Runs
	}
	return d
}

// WriteCatalog writes the whole document of a catalog.
func WriteCatalog(w io.Writer, ix *figure.Index, c *catalog.Catalog) error {
	d := NewWhole(ix, c)
	return errors.Join(d.WriteHead(w), d.WriteRuns(w, 0, len(d.Runs)), d.WriteTail(w))
}

// WriteHead writes what stands before the runs.
func (d *Whole) WriteHead(w io.Writer) error {
	_, err := fmt.Fprintf(w, "{\n  \"inferdex\": %d,\n  \"runs\": [", catalog.FormatVersion)
	return err
}

// WriteRuns writes some of the runs, up to the one before to.
func (d *Whole) WriteRuns(w io.Writer, from, to int) error {
	b := bufio.NewWriter(w)
	var text bytes.Buffer
	e := encoder(&text, "    ")
	for i, r := range d.Runs[from:to] {
		if of := d.indexed[r.ID]; of != nil {
			r = of.Marked()
		}
		text.Reset()
		if err := e.Encode(r); err != nil {
			return err
		}
		if from+i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    ")
		b.Write(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	}
	return b.Flush()
}

// WriteTail writes what stands behind the runs.
func (d *Whole) WriteTail(w io.Writer) error {
	end := "]\n}\n"
	if len(d.Runs) > 0 {
		end = "\n  " + end
	}
	_, err := io.WriteString(w, end)
	return err
}

// encode is a value as JSON with line breaks, as it is written for people too.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := encoder(&b, "").Encode(v)
	return b.Bytes(), err
}

// encoder writes values as JSON with line breaks; the lines behind the first begin with prefix.
func encoder(w io.Writer, prefix string) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, "  ")
	return e
}

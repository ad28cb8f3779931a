// Package export writes runs of a catalog in formats of other programs.
package export

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// reportVersion is the version of the Benchmark Report that is written.
const reportVersion = "0.2.1"

// unknown stands where the report wants a text and none is recorded.
const unknown = "unknown"

// benchmarkReport is llm-d's Benchmark Report 0.2.1, as far as inferdex fills it.
type benchmarkReport struct {
	Version  string   `yaml:"version" json:"version"`
	Run      runOf    `yaml:"run" json:"run"`
	Scenario scenario `yaml:"scenario" json:"scenario"`
	Results  results  `yaml:"results" json:"results"`
}

type runOf struct {
	UID         string   `yaml:"uid" json:"uid"`
	EID         string   `yaml:"eid" json:"eid"`
	Time        *runTime `yaml:"time,omitempty" json:"time,omitempty"`
	Description string   `yaml:"description,omitempty" json:"description,omitempty"`
}

type runTime struct {
	Start    string `yaml:"start,omitempty" json:"start,omitempty"`
	Duration string `yaml:"duration,omitempty" json:"duration,omitempty"`
}

type scenario struct {
	Stack []component `yaml:"stack,omitempty" json:"stack,omitempty"`
	Load  loadOf      `yaml:"load" json:"load"`
}

type component struct {
	Metadata struct {
		Label string `yaml:"label" json:"label"`
		CfgID string `yaml:"cfg_id" json:"cfg_id"`
	} `yaml:"metadata" json:"metadata"`
	Standardized engine `yaml:"standardized" json:"standardized"`
	Native       native `yaml:"native" json:"native"`
}

type engine struct {
	Kind        string `yaml:"kind" json:"kind"`
	Tool        string `yaml:"tool" json:"tool"`
	ToolVersion string `yaml:"tool_version" json:"tool_version"`
	Role        string `yaml:"role" json:"role"`
	Replicas    int    `yaml:"replicas" json:"replicas"`
	Model       struct {
		Name string `yaml:"name" json:"name"`
	} `yaml:"model" json:"model"`
	Accelerator accelerator `yaml:"accelerator" json:"accelerator"`
}

type accelerator struct {
	Model       string         `yaml:"model" json:"model"`
	Count       int            `yaml:"count" json:"count"` // 0 is not recorded
	Parallelism map[string]int `yaml:"parallelism" json:"parallelism"`
}

type native struct {
	Args   any `yaml:"args,omitempty" json:"args,omitempty"`
	Envars any `yaml:"envars,omitempty" json:"envars,omitempty"`
	Config any `yaml:"config,omitempty" json:"config,omitempty"`
}

type loadOf struct {
	Metadata     struct{} `yaml:"metadata" json:"metadata"`
	Standardized struct {
		Tool        string   `yaml:"tool" json:"tool"`
		ToolVersion string   `yaml:"tool_version" json:"tool_version"`
		Source      string   `yaml:"source" json:"source"`
		RateQPS     *number  `yaml:"rate_qps,omitempty" json:"rate_qps,omitempty"`
		Concurrency any      `yaml:"concurrency,omitempty" json:"concurrency,omitempty"` // int64, or an infinite number
		Input       sequence `yaml:"input_seq_len" json:"input_seq_len"`
		// Output is given where a length was asked for.
		Output *sequence `yaml:"output_seq_len,omitempty" json:"output_seq_len,omitempty"`
	} `yaml:"standardized" json:"standardized"`
	Native native `yaml:"native" json:"native"`
}

// number may be infinite, which JSON cannot write and few readers of YAML expect: null. It is written
// without an exponent and with a point: readers of YAML 1.1 take 1e-05 for a text.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

func (n number) MarshalYAML() (any, error) {
	if math.IsInf(float64(n), 0) {
		return nil, nil
	}
	text := strconv.FormatFloat(float64(n), 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: text}, nil
}

type sequence struct {
	Distribution string `yaml:"distribution" json:"distribution"`
	Value        number `yaml:"value" json:"value"`
}

// beyond is what the report has no place for.
type beyond = record.Exported[catalog.Distribution]

// BenchmarkReports returns a run as llm-d Benchmark Reports of version 0.2.1, one a point in the
// order of the run's points: YAML, or JSON in one line each. Numbers are in seconds and tokens a
// second. What the report has no field for, statistics without a mean say, stands in
// scenario.load.native.config.inferdex, and what cannot be believed, with the code of the finding; figures and
// profiles of the whole run are left out.
func BenchmarkReports(r *figure.Run, asJSON bool) ([][]byte, error) {
	var out [][]byte
	points := r.Marked().Points
	for i := range points {
		doc, err := reportOf(r, &points[i], i+1)
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", r.ID, err)
		}
		var b bytes.Buffer
		if asJSON {
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			err = e.Encode(doc)
		} else {
			e := yaml.NewEncoder(&b)
			e.SetIndent(2)
			if err = e.Encode(doc); err == nil {
				err = e.Close()
			}
		}
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", r.ID, err)
		}
		out = append(out, b.Bytes())
	}
	return out, nil
}

// WriteBenchmarkReports writes the reports of a run one after the other: YAML documents divided by
// "---", or JSON lines. First says that nothing was written before.
func WriteBenchmarkReports(w io.Writer, r *figure.Run, asJSON, first bool) error {
	docs, err := BenchmarkReports(r, asJSON)
	if err != nil {
		return err
	}
	for i, doc := range docs {
		if !asJSON && !(first && i == 0) {
			doc = append([]byte("---\n"), doc...)
		}
		if _, err := w.Write(doc); err != nil {
			return err
		}
	}
	return nil
}

func reportOf(r *figure.Run, p *catalog.Point, n int) (*benchmarkReport, error) {
	doc := &benchmarkReport{Version: reportVersion}
	doc.Run = runOf{
		UID: fmt.Sprintf("%s-%d", r.ID, n), EID: r.Identity.Session, Time: timeOf(r, p), Description: r.Attr("notes"),
	}
	x := beyondOf(r, p)
	c, err := stackOf(r)
	if err != nil {
		return nil, err
	}
	doc.Scenario.Stack = []component{c}
	performance(doc, p, x)
	if err := loadPart(doc, r, p, x); err != nil {
		return nil, err
	}
	return doc, nil
}

// timeOf says when and for how long a point was measured; nil where neither is known.
func timeOf(r *figure.Run, p *catalog.Point) *runTime {
	t := runTime{}
	for _, s := range []string{p.Date, r.Started} {
		// The report wants a zone; a time without one stays as it was recorded, further down.
		if _, err := time.Parse(time.RFC3339, s); err == nil && t.Start == "" {
			t.Start = s
		}
	}
	if d := p.Duration; d != nil && *d > 0 {
		t.Duration = "PT" + strconv.FormatFloat(*d, 'f', -1, 64) + "S"
	}
	if t == (runTime{}) {
		return nil
	}
	return &t
}

// beyondOf is what the report has no place for whatever was measured.
func beyondOf(r *figure.Run, p *catalog.Point) *beyond {
	x := &beyond{
		Run: r.ID, Session: r.Identity.Session, Model: &r.Identity.Model, Date: p.Date,
		Workload: p.Workload, Load: p.Load, Repetition: p.Repetition, Errors: p.Errors, Distributions: p.Distributions,
		Metrics: map[metric.ID]catalog.Stat{}, Facts: map[string]string{},
	}
	for key, a := range r.Attributes {
		switch key {
		case "model", "hardware", "count", "engine", "engine_version", "tool_version", "notes":
		default:
			x.Facts[key] = a.Value
		}
	}
	return x
}

// parallelism are the report's words for parameters of engines.
var parallelism = map[string][]string{
	"tp": {"tensor_parallel_size", "tp_size", "tp"},
	"pp": {"pipeline_parallel_size", "pp_size", "pp"},
	"dp": {"data_parallel_size", "dp_size", "dp"},
	"ep": {"ep_size", "ep"},
}

// stackOf describes what served: inferdex knows one engine a run.
func stackOf(r *figure.Run) (component, error) {
	var c component
	e := &c.Standardized
	*e = engine{
		Kind: "inference_engine", Tool: cmp.Or(r.Attr("engine"), unknown),
		ToolVersion: cmp.Or(r.Attr("engine_version"), unknown), Role: "replica", Replicas: 1,
	}
	e.Model.Name = cmp.Or(r.Attr("model"), r.Identity.Model, unknown)
	e.Accelerator = accelerator{Model: cmp.Or(r.Attr("hardware"), unknown), Parallelism: map[string]int{}}
	if !r.Hardware.CountAssumed {
		e.Accelerator.Count = r.Hardware.Count
	}
	for key, names := range parallelism {
		for _, name := range names {
			if n, err := strconv.Atoi(string(r.Parameters[name].Value)); err == nil && n >= 1 {
				e.Accelerator.Parallelism[key] = n
				break
			}
		}
	}
	var err error
	if c.Native.Args, err = parametersOf(r.Parameters); err != nil {
		return c, err
	}
	if c.Native.Envars, err = parametersOf(r.Env); err != nil {
		return c, err
	}
	text, err := json.Marshal(r.Parameters) // sorted
	if err != nil {
		return c, err
	}
	sum := sha256.Sum256(append(text, e.Tool+e.ToolVersion+e.Model.Name+e.Accelerator.Model...))
	c.Metadata.Label, c.Metadata.CfgID = "engine", hex.EncodeToString(sum[:16])
	return c, nil
}

// parametersOf is parameters as a map of values, nil where there are none.
func parametersOf(ps map[string]catalog.Parameter) (any, error) {
	if len(ps) == 0 {
		return nil, nil
	}
	values := map[string]json.RawMessage{}
	for name, p := range ps {
		values[name] = p.Value
	}
	return plain(values)
}

// plain turns a value to maps, lists and scalars by way of JSON, keeping numbers as they are.
func plain(v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil {
		return nil, err
	}
	return numbers(x), nil
}

// numbers turns json.Number, which YAML would write as a text, to numbers.
func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = numbers(x)
		}
	case []any:
		for i, x := range v {
			v[i] = numbers(x)
		}
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil {
			return number(f)
		}
		return v.String()
	}
	return v
}

// loadPart says how hard the server was driven, and with what.
func loadPart(doc *benchmarkReport, r *figure.Run, p *catalog.Point, x *beyond) error {
	load := &doc.Scenario.Load
	s := &load.Standardized
	s.Tool, s.ToolVersion = cmp.Or(r.Identity.Tool, unknown), cmp.Or(r.Attr("tool_version"), unknown)
	switch d := p.Workload.Dataset; {
	case d == "":
		s.Source = unknown
	case strings.HasPrefix(d, "random"):
		s.Source = "random"
	default:
		s.Source = "sampled"
	}
	if rate := p.Load.Rate; rate != nil && *rate > 0 {
		n := number(*rate)
		s.RateQPS = &n
		if math.IsInf(float64(n), 1) && p.Load.MaxConcurrency == nil {
			s.Concurrency = n
		}
	}
	if c := p.Load.MaxConcurrency; c != nil && *c >= 1 {
		s.Concurrency = *c
	}
	distribution := "other"
	for _, known := range []string{"fixed", "uniform", "gaussian"} {
		if strings.HasPrefix(p.Workload.Distribution, known) {
			distribution = known
		}
	}
	s.Input = sequence{Distribution: "other"}
	if n := p.Workload.Nominal.Input; n != nil {
		s.Input = sequence{distribution, number(*n)}
	} else if n := p.Workload.Actual.Input; n != nil {
		s.Input.Value = number(*n)
	}
	if n := p.Workload.Nominal.Output; n != nil {
		s.Output = &sequence{distribution, number(*n)}
	}
	var err error
	if load.Native.Args, err = parametersOf(r.Client); err != nil {
		return err
	}
	load.Native.Config, err = plain(map[string]*beyond{"inferdex": x})
	return err
}

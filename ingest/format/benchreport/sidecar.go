package benchreport

import (
	"bytes"
	"cmp"
	"math"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// sidecarValues are the numbers of a result, by key.
var sidecarValues = []record.Value{
	{Key: "duration_s", Quantity: metric.Duration, Stat: metric.Value, Unit: "s"},
	{Key: "peak_output_throughput", Quantity: metric.PeakOutputThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "total_throughput", Quantity: metric.TotalThroughput, Stat: metric.Value, Unit: "tok/s"},
	{Key: "pp_speed", Quantity: metric.PPSpeed, Stat: metric.Value, Unit: "tok/s"},
	{Key: "tg_speed", Quantity: metric.TGSpeed, Stat: metric.Value, Unit: "tok/s"},
}

var sidecarLatency = regexp.MustCompile(`^(ttft|tpot|itl|e2el)_(mean|median|std|p[0-9]+(?:\.[0-9]+)?)_ms$`)

// sidecar is the state of reading one JSON file.
type sidecar struct {
	file  string
	text  *reading.Text
	emit  func(record.Record)
	id    record.Identity
	facts []record.Fact
	pp    prefill
	first record.Base // of the first result
}

func readJSON(src *reading.Source, emit func(record.Record)) {
	s := &sidecar{file: src.Path(), text: reading.NewText(src.Data), emit: emit, id: record.Identity{Tool: tool}}
	if src.Head.Kind == '[' {
		s.fileDate(src.Head.Name)
		s.text.Values(0, len(src.Data), true, s.result, s.bad)
		s.finish()
		return
	}
	first := true
	var errs []*reading.SyntaxError
	s.text.Values(0, len(src.Data), false, func(v reading.Value) {
		if !first || len(errs) > 0 && errs[0].Off < v.Off() {
			return // what follows a damaged object is read below
		}
		first = false
		s.head(v)
		results := v.Get("results")
		if results.Kind() != reading.KindArray {
			s.badAt(results, "\"results\" is %v, a list of results was expected", results.Kind())
			return
		}
		results.Items(func(_ int, r reading.Value) bool { s.result(r); return true })
	}, func(e *reading.SyntaxError) { errs = append(errs, e) })
	if first {
		s.salvage(src.Data, errs)
	} else {
		for _, e := range errs {
			s.bad(e)
		}
	}
	s.finish()
}

var resultsKey = regexp.MustCompile(`"results"\s*:\s*\[`)

// salvage reads an object that is damaged somewhere: what stands before its list of results, and
// each result of the list that is whole.
func (s *sidecar) salvage(data []byte, errs []*reading.SyntaxError) {
	at := resultsKey.FindIndex(data)
	if at == nil {
		for _, e := range errs {
			s.bad(e)
		}
		return
	}
	head := append(bytes.TrimRight(bytes.Clone(data[:at[0]]), " \t\r\n,"), '}')
	if v, err := reading.Parse(head); err == nil {
		s.head(v)
	} else if err.Off < at[0] {
		s.bad(err)
	}
	said := false
	s.text.Values(at[1]-1, len(data), true, s.result, func(e *reading.SyntaxError) {
		if rest := bytes.TrimSpace(data[min(e.Off, len(data)):]); string(rest) != "}" {
			s.bad(e)
			said = true
		}
	})
	if !said && len(errs) > 0 { // all of the list is well: only what closes it is missing
		s.bad(errs[0])
	}
}

// finish says how prefill speed is defined in the file.
func (s *sidecar) finish() {
	if n := s.pp.note(s.first); n != nil {
		s.emit(n)
	}
}

func (s *sidecar) base(v reading.Value) record.Base {
	line, col := v.Place()
	return record.Base{At: record.Pos{File: s.file, Line: line, Col: col}}
}

func (s *sidecar) bad(e *reading.SyntaxError) {
	line, col := s.text.Place(e.Off)
	s.emit(record.Errorf(record.Pos{File: s.file, Line: line, Col: col}, "%s", e.Text))
}

func (s *sidecar) badAt(v reading.Value, format string, args ...any) {
	s.emit(record.Errorf(s.base(v).At, format, args...))
}

// head reads model, hardware and date.
func (s *sidecar) head(v reading.Value) {
	model, date, hw := v.Get("model"), v.Get("date"), v.Get("hardware")
	s.id.Model, s.id.Session = model.Scalar(), date.Scalar()
	if s.id.Model != "" {
		s.facts = append(s.facts, record.Fact{Key: record.FactModel, Value: s.id.Model, At: s.base(model).At})
	}
	s.facts = append(s.facts, hardwareFacts(hw.Scalar(), s.base(hw).At)...)
}

var stamp = regexp.MustCompile(`[0-9]{8}_[0-9]{6}`)

// fileDate takes the date of a list from the name that the script gives it: it has no other.
func (s *sidecar) fileDate(name string) {
	if t := stamp.FindString(name); t != "" {
		s.facts = append(s.facts, record.Fact{Key: record.FactDate, Value: t})
	}
}

// result reads one scenario.
func (s *sidecar) result(v reading.Value) {
	name := v.Get("name").Scalar()
	if v.Kind() != reading.KindObject || name == "" {
		s.badAt(v, "%v where a result with a \"name\" should stand", v.Kind())
		return
	}
	r := &record.Result{Base: s.base(v)}
	r.Key, r.Identity, r.Date, r.Facts = session(s.id, s.file), s.id, s.id.Session, s.facts
	if s.first.At.Line == 0 {
		s.first = r.Beside()
	}
	describe(r, name)
	fields := v.Map()
	v.Fields(func(k string, f reading.Value) bool {
		if f.Off() == fields[k].Off() { // of equal keys the last is valid
			s.member(r, k, f)
		}
		return true
	})
	reading.MeanLengths(r)
	s.definition(r)
	r.Raw = v.Compact(reading.Elide{Longer: 64, Texts: []string{"raw_output", "error"}})
	s.emit(r)
}

// member reads one member of a scenario.
func (s *sidecar) member(r *record.Result, k string, f reading.Value) {
	switch k {
	case "name", "raw_output":
	case "error":
		if t := reading.LastLine(f.Scalar()); t != "" {
			r.Errors = append(r.Errors, record.ErrorCount{Text: t, Count: 1})
		}
	case "dataset":
		r.Workload.Dataset = cmp.Or(f.Scalar(), r.Workload.Dataset)
	case "input_len":
		r.Workload.Nominal.Input = s.positive(k, f)
	case "output_len":
		r.Workload.Nominal.Output = s.positive(k, f)
	case "concurrency":
		r.Load.MaxConcurrency = s.count(k, f)
	case "num_prompts":
		n := s.count(k, f)
		r.Workload.NumPrompts, r.Submitted = n, n
	case "successful_requests":
		r.Completed = s.count(k, f)
	case "failed_requests":
		r.Failed = s.count(k, f)
	default:
		val, known := servingjson.Scalar(sidecarValues, k)
		if m := sidecarLatency.FindStringSubmatch(k); m != nil {
			val, known = record.Value{Quantity: servingjson.Quantity(m[1]), Stat: m[2], Unit: "ms"}, true
		}
		if !known {
			if f.Kind() != reading.KindNull {
				r.Unmapped = append(r.Unmapped, k)
			}
			return
		}
		if n := s.positive(k, f); n != nil {
			val.Number, val.Key = *n, k
			r.Values = append(r.Values, val)
		}
	}
}

// definition counts which definition of the prefill speed a scenario follows.
func (s *sidecar) definition(r *record.Result) {
	in := r.Workload.Nominal.Input
	var speed, mean, median float64
	for _, v := range r.Values {
		switch v.Key {
		case "pp_speed":
			speed = v.Number
		case "ttft_mean_ms":
			mean = v.Number
		case "ttft_median_ms":
			median = v.Number
		}
	}
	if in != nil && speed > 0 {
		s.pp.add(speed, *in, mean, median)
	}
}

// number returns a finite number; null, NaN and infinities are missing.
func (s *sidecar) number(k string, f reading.Value) (float64, bool) {
	if f.Kind() != reading.KindNumber && f.Kind() != reading.KindNull {
		s.badAt(f, "%q is %v, a number was expected: the value is left out", k, f.Kind())
	}
	return f.Finite()
}

// positive returns a number above 0. The script writes 0 for what it did not find.
func (s *sidecar) positive(k string, f reading.Value) *float64 {
	if n, ok := s.number(k, f); ok && n > 0 {
		return &n
	}
	return nil
}

// count returns a whole number from 0.
func (s *sidecar) count(k string, f reading.Value) *int64 {
	n, ok := s.number(k, f)
	if !ok {
		return nil
	}
	if n < 0 || n != math.Trunc(n) || n > 1<<53 {
		s.badAt(f, "%q is %v, a count was expected: the value is left out", k, n)
		return nil
	}
	i := int64(n)
	return &i
}

// isMissing reports whether a cell says that there is no number.
func isMissing(s string) bool {
	switch strings.ToLower(s) {
	case "", "-", "–", "—", "n/a", "na", "none", "nan", "null":
		return true
	}
	return false
}

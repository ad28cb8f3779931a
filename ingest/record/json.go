package record

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/inferdex/inferdex/ingest/metric"
)

// JSON writes values as encoding/json does without HTML escapes, in a fifth of its time: results and points are most
// of what is stored. The zero JSON is ready.
type JSON struct {
	// Text is what was written; a caller may cut it.
	Text []byte
	// Spaced puts a blank behind each colon and comma, as files of a catalog have it in a line.
	Spaced bool
	// Bad says that a number that JSON has not was written: the text is none.
	Bad bool

	names []metric.ID // of the map that was written last, sorted
	// form is the one of the values that were written last, and forms what of its values stands in front of their numbers
	// and behind them.
	form  *Value
	forms [][2]string
}

// Open begins an object or a list with its bracket.
func (j *JSON) Open(bracket byte) { j.Text = append(j.Text, bracket) }

// Shut ends one.
func (j *JSON) Shut(bracket byte) { j.Text = append(j.Text, bracket) }

// Next parts an element from the one before it.
func (j *JSON) Next() {
	if last := j.Text[len(j.Text)-1]; last == '{' || last == '[' {
		return
	}
	j.Text = append(j.Text, ',')
	j.blank()
}

// Name begins a member, of a name without quotes and escapes.
func (j *JSON) Name(name string) {
	j.Next()
	j.Text = append(append(append(j.Text, '"'), name...), '"', ':')
	j.blank()
}

// blank is what stands behind a colon and a comma.
func (j *JSON) blank() {
	if j.Spaced {
		j.Text = append(j.Text, ' ')
	}
}

// AppendText appends a text as JSON to dst.
func AppendText(dst []byte, s string) []byte {
	j := JSON{Text: dst}
	j.String(s)
	return j.Text
}

// String writes a text.
func (j *JSON) String(s string) {
	begin, from := len(j.Text), 0
	j.Text = append(j.Text, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			j.Text = append(append(j.Text, s[from:i]...), '\\')
			from = i
		case c < ' ' || c >= 0x80:
			j.Text = j.Text[:begin]
			j.escaped(s)
			return
		}
	}
	j.Text = append(append(j.Text, s[from:]...), '"')
}

func (j *JSON) escaped(s string) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	j.Text = append(j.Text, bytes.TrimSuffix(b.Bytes(), []byte{'\n'})...)
}

// Int writes a whole number.
func (j *JSON) Int(n int64) { j.Text = strconv.AppendInt(j.Text, n, 10) }

// Float writes a finite number.
func (j *JSON) Float(f float64) {
	abs := math.Abs(f)
	switch {
	case math.IsInf(f, 0) || math.IsNaN(f):
		j.Bad = true
	case f == math.Trunc(f) && abs < 1e15 && (f != 0 || !math.Signbit(f)):
		j.Text = strconv.AppendInt(j.Text, int64(f), 10) // the same digits sooner
	case abs < 1e-6 && abs != 0 || abs >= 1e21:
		b := strconv.AppendFloat(j.Text, f, 'e', -1, 64)
		if n := len(b); b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' { // e-09 to e-9
			b[n-2] = b[n-1]
			b = b[:n-1]
		}
		j.Text = b
	default:
		j.Text = strconv.AppendFloat(j.Text, f, 'f', -1, 64)
	}
}

// Member writes a member that is a text.
func (j *JSON) Member(name, s string) {
	j.Name(name)
	j.String(s)
}

// StringIf writes a member that is a text, unless it is empty.
func (j *JSON) StringIf(name, s string) {
	if s != "" {
		j.Member(name, s)
	}
}

// IntIf writes a member that is a whole number, unless it is 0.
func (j *JSON) IntIf(name string, n int64) {
	if n != 0 {
		j.Name(name)
		j.Int(n)
	}
}

// CountIf writes a member that is a whole number, unless it is missing.
func (j *JSON) CountIf(name string, n *int64) {
	if n != nil {
		j.Name(name)
		j.Int(*n)
	}
}

// FloatIf writes a member that is a number, unless it is missing.
func (j *JSON) FloatIf(name string, f *float64) {
	if f != nil {
		j.Name(name)
		j.Float(*f)
	}
}

// TruthIf writes a member that is true or false, unless it is missing.
func (j *JSON) TruthIf(name string, b *bool) {
	if b != nil {
		j.Name(name)
		j.Text = strconv.AppendBool(j.Text, *b)
	}
}

// listIf writes a member that is a list, unless it is empty, each element by write.
func listIf[T any](j *JSON, name string, list []T, write func(*JSON, *T)) {
	if len(list) == 0 {
		return
	}
	j.Name(name)
	j.list(len(list), func(i int) { write(j, &list[i]) })
}

// Strings writes a member that is a list of texts, unless it is empty.
func (j *JSON) Strings(name string, list []string) {
	listIf(j, name, list, func(j *JSON, s *string) { j.String(*s) })
}

// list writes so many elements.
func (j *JSON) list(n int, write func(i int)) {
	j.Open('[')
	for i := range n {
		j.Next()
		write(i)
	}
	j.Shut(']')
}

// pair writes two numbers.
func (j *JSON) pair(a, b float64) {
	j.Open('[')
	j.Float(a)
	j.Next()
	j.Float(b)
	j.Shut(']')
}

// Pairs writes a list of percentiles; one that is nil is null.
func (j *JSON) Pairs(list []Percentile) {
	if list == nil {
		j.Text = append(j.Text, "null"...)
		return
	}
	j.list(len(list), func(i int) { j.pair(list[i].P, list[i].Value) })
}

// Metrics writes a member that is a map of metrics, sorted, unless it is empty.
func Metrics[T any](j *JSON, name string, of map[metric.ID]T, write func(*JSON, T)) {
	if len(of) == 0 {
		return
	}
	j.Name(name)
	j.Open('{')
	begin := len(j.Text)
	for len(j.names) != len(of) || !members(j, of, write) { // mostly they are those of the map before
		j.Text = j.Text[:begin]
		j.names = slices.AppendSeq(j.names[:0], maps.Keys(of))
		slices.Sort(j.names)
	}
	j.Shut('}')
}

// members writes the members of a map that are in names; ok is false where one is not there.
func members[T any](j *JSON, of map[metric.ID]T, write func(*JSON, T)) (ok bool) {
	for _, m := range j.names {
		v, ok := of[m]
		if !ok {
			return false
		}
		j.Next()
		j.String(string(m))
		j.Text = append(j.Text, ':')
		j.blank()
		write(j, v)
	}
	return true
}

// Stat writes a Stat.
func (j *JSON) Stat(s Stat) {
	j.Open('{')
	j.FloatIf("value", s.Value)
	j.FloatIf("mean", s.Mean)
	j.FloatIf("median", s.Median)
	j.FloatIf("std", s.Std)
	j.FloatIf("min", s.Min)
	j.FloatIf("max", s.Max)
	if len(s.Percentiles) > 0 {
		j.Name("percentiles")
		j.Pairs(s.Percentiles)
	}
	j.FloatIf("median_low", s.MedianLow)
	j.FloatIf("median_high", s.MedianHigh)
	j.IntIf("n", s.N)
	j.Member("unit", s.Unit)
	j.StringIf("orig_unit", s.OrigUnit)
	j.StringIf("computed", s.Computed)
	j.StringIf("suspect", s.Suspect)
	j.Shut('}')
}

// Requests writes the numbers of requests, those that are not missing.
func (j *JSON) Requests(submitted, completed, noOutput, failed, timedOut *int64) {
	j.CountIf("submitted", submitted)
	j.CountIf("completed", completed)
	j.CountIf("no_output", noOutput)
	j.CountIf("failed", failed)
	j.CountIf("timed_out", timedOut)
}

// Errors writes a member that is a list of errors, unless it is empty.
func (j *JSON) Errors(list []ErrorCount) {
	listIf(j, "errors", list, func(j *JSON, e *ErrorCount) {
		j.Open('{')
		j.Member("text", e.Text)
		j.Name("count")
		j.Int(e.Count)
		j.Shut('}')
	})
}

// lengthsIf writes a member that is lengths, unless both are missing.
func (j *JSON) lengthsIf(name string, l *Lengths) {
	if *l == (Lengths{}) {
		return
	}
	j.Name(name)
	j.Open('{')
	j.FloatIf("input", l.Input)
	j.FloatIf("output", l.Output)
	j.Shut('}')
}

// Load writes the members "workload" and "load" of what was measured, as far as there is something in them.
func (j *JSON) Load(w *Workload, l *Load) {
	if *w != (Workload{}) {
		j.Name("workload")
		j.Open('{')
		j.StringIf("name", w.Name)
		j.StringIf("dataset", w.Dataset)
		j.lengthsIf("nominal", &w.Nominal)
		j.lengthsIf("actual", &w.Actual)
		j.StringIf("distribution", w.Distribution)
		j.StringIf("length_semantics", w.LengthSemantics)
		j.CountIf("num_prompts", w.NumPrompts)
		j.TruthIf("prefix_cache", w.PrefixCache)
		j.TruthIf("ignore_eos", w.IgnoreEOS)
		j.CountIf("warmup", w.Warmup)
		j.TruthIf("streaming", w.Streaming)
		j.StringIf("token_counting", w.TokenCounting)
		j.Shut('}')
	}
	if *l != (Load{}) {
		j.Name("load")
		j.Open('{')
		switch r := (*float64)(l.Rate); {
		case r != nil && math.IsInf(*r, 1):
			j.StringIf("rate", "inf")
		case r != nil && math.IsInf(*r, -1):
			j.StringIf("rate", "-inf")
		default:
			j.FloatIf("rate", r)
		}
		j.CountIf("max_concurrency", l.MaxConcurrency)
		j.CountIf("batch", l.Batch)
		j.FloatIf("burstiness", l.Burstiness)
		j.Shut('}')
	}
}

// pos writes a place.
func (j *JSON) pos(p *Pos) {
	j.Open('{')
	j.Member("file", p.File)
	j.IntIf("line", int64(p.Line))
	j.IntIf("col", int64(p.Col))
	j.Shut('}')
}

// base writes the members that all records share.
func (j *JSON) base(b *Base) {
	j.Name("at")
	j.pos(&b.At)
	j.StringIf("session", b.Key)
	j.StringIf("digest", b.Digest)
	j.StringIf("format", b.Format)
	if id := b.Identity; id != (Identity{}) {
		j.Name("identity")
		j.Open('{')
		j.Member("tool", id.Tool)
		j.StringIf("session", id.Session)
		j.Member("model", id.Model)
		j.Shut('}')
	}
	if b.Own {
		j.TruthIf("own", &b.Own)
	}
	j.StringIf("date", b.Date)
	listIf(j, "facts", b.Facts, (*JSON).fact)
}

func (j *JSON) fact(f *Fact) {
	j.Open('{')
	j.Member("key", f.Key)
	j.Member("value", f.Value)
	if f.At != (Pos{}) {
		j.Name("at")
		j.pos(&f.At)
	}
	if f.Named {
		j.TruthIf("named", &f.Named)
	}
	if f.Head {
		j.TruthIf("head", &f.Head)
	}
	j.Shut('}')
}

// Result writes a result without its raw text, folded or not.
func (j *JSON) Result(r *Result) {
	j.Open('{')
	j.base(&r.Base)
	listIf(j, "facts", r.Shared(), func(j *JSON, f *Fact) {
		own := f.in(r.At.Line)
		j.fact(&own)
	})
	listIf(j, "setup", r.Setup, func(j *JSON, kv *KV) {
		j.Open('{')
		j.Member("key", kv.Key)
		j.Member("value", kv.Value)
		j.Shut('}')
	})
	j.Load(&r.Workload, &r.Load)
	j.IntIf("repetition", int64(r.Repetition))
	j.Requests(r.Submitted, r.Completed, r.NoOutput, r.Failed, r.TimedOut)
	if f := r.folded; f != nil {
		j.folded(f)
	} else {
		listIf(j, "values", r.Values, (*JSON).value)
	}
	listIf(j, "distributions", r.Distributions, (*JSON).distribution)
	j.Errors(r.Errors)
	listIf(j, "doubts", r.Doubts, func(j *JSON, d *Doubt) {
		j.Open('{')
		j.Member("code", d.Code)
		j.Member("severity", string(d.Severity))
		j.Member("text", d.Text)
		j.Shut('}')
	})
	j.Strings("unmapped", r.Unmapped)
	j.Shut('}')
}

func (j *JSON) value(v *Value) {
	j.front(v)
	j.Float(v.Number)
	j.behind(v)
	j.IntIf("n", v.N)
	j.Shut('}')
}

// front writes what of a value stands in front of its number.
func (j *JSON) front(v *Value) {
	j.Open('{')
	j.Member("quantity", string(v.Quantity))
	j.Member("stat", v.Stat)
	j.Name("number")
}

// behind writes what of a value stands behind its number, but for its count.
func (j *JSON) behind(v *Value) {
	j.Member("unit", v.Unit)
	j.StringIf("key", v.Key)
}

// folded writes the values of a form.
func (j *JSON) folded(f *folded) {
	if j.form != &f.form[0] {
		j.form, j.forms = &f.form[0], j.forms[:0]
		for i := range f.form {
			front, behind := JSON{Spaced: j.Spaced}, JSON{Spaced: j.Spaced, Text: []byte{'0'}}
			front.front(&f.form[i])
			behind.behind(&f.form[i])
			j.forms = append(j.forms, [2]string{string(front.Text), string(behind.Text[1:])})
		}
	}
	j.Name("values")
	j.list(len(f.form), func(i int) {
		v := f.at(i)
		j.Text = append(j.Text, j.forms[i][0]...)
		j.Float(v.Number)
		j.Text = append(j.Text, j.forms[i][1]...)
		j.IntIf("n", v.N)
		j.Shut('}')
	})
}

func (j *JSON) distribution(d *Distribution) {
	j.Open('{')
	j.Member("quantity", string(d.Quantity))
	j.Member("unit", d.Unit)
	j.Name("n")
	j.Int(d.N)
	j.Name("quantiles")
	if d.Quantiles == nil {
		j.Text = append(j.Text, "null"...)
	} else {
		j.list(len(d.Quantiles), func(i int) { j.pair(d.Quantiles[i][0], d.Quantiles[i][1]) })
	}
	j.FloatIf("median_low", d.MedianLow)
	j.FloatIf("median_high", d.MedianHigh)
	j.Shut('}')
}

// Package flatjson reads measurements that are written as one JSON object each: numbers, texts
// and objects in it. It remembers which members were asked for, so that [Object.Unmapped] names
// those that a format did not use, at any depth, and says where a member is not what it should be.
package flatjson

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"path"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/record"
)

// Values calls value for each JSON value of a file, in its order, as [jsonval.Text.Values] does;
// what is malformed is emitted as an *record.SyntaxError with its place, and reading goes on. With
// flatten the elements of an array at the top are values of their own.
func Values(src *ingest.Source, flatten bool, value func(jsonval.Value), emit func(record.Record)) {
	text := jsonval.NewText(src.Data)
	text.Values(0, len(src.Data), flatten, value, func(e *jsonval.SyntaxError) {
		line, col := text.Place(e.Off)
		emit(&record.SyntaxError{Base: record.Base{At: record.Pos{File: src.Path(), Line: line, Col: col}}, Text: e.Text})
	})
}

// Object is one JSON object of a file.
type Object struct {
	file   string
	prefix string // of the names in messages: "request_metrics.latency."
	value  jsonval.Value
	fields map[string]jsonval.Value
	used   map[string]bool
	subs   map[string][]*Object // what Sub and List gave, by key
	emit   func(record.Record)
}

// New returns the object v of a file; emit takes what is wrong with its members. A value of
// another kind is an object without members.
func New(file string, v jsonval.Value, emit func(record.Record)) *Object {
	return &Object{file: file, value: v, fields: v.Map(), used: map[string]bool{}, emit: emit}
}

// Sub returns the object that is a member, the same one however often it is asked for. It counts
// as used, and its own members are tracked: [Object.Unmapped] names them with their path. It has
// no members where key is missing, null or of another kind; the last is reported.
func (o *Object) Sub(key string) *Object {
	if l := o.subs[key]; len(l) > 0 {
		return l[0]
	}
	f := o.Value(key)
	if k := f.Kind(); k != jsonval.Object && k != jsonval.Null && k != jsonval.Missing {
		o.Bad(key, "%q is %v, an object was expected: it is left out", o.prefix+key, k)
	}
	return o.sub(key, key, f)
}

// List returns the objects of an array that is a member, tracked as in [Object.Sub]; the index is
// part of no path, so that a key of all elements is named "list[].key" and counted once. Elements
// of other kinds are left out; a member that is neither missing, null nor an array is reported.
func (o *Object) List(key string) []*Object {
	if l, ok := o.subs[key]; ok {
		return l
	}
	f := o.Value(key)
	if k := f.Kind(); k != jsonval.Array && k != jsonval.Null && k != jsonval.Missing {
		o.Bad(key, "%q is %v, a list was expected: it is left out", o.prefix+key, k)
	}
	f.Items(func(_ int, v jsonval.Value) bool {
		if v.Kind() == jsonval.Object {
			o.sub(key, key+"[]", v)
		}
		return true
	})
	return o.subs[key]
}

func (o *Object) sub(key, name string, v jsonval.Value) *Object {
	s := New(o.file, v, o.emit)
	s.prefix = o.prefix + name + "."
	if o.subs == nil {
		o.subs = map[string][]*Object{}
	}
	o.subs[key] = append(o.subs[key], s)
	return s
}

// Value returns a member, Missing if there is none, and counts it as used.
func (o *Object) Value(key string) jsonval.Value {
	o.used[key] = true
	return o.fields[key]
}

// Has reports whether a member is there and not null.
func (o *Object) Has(key string) bool {
	f := o.fields[key]
	return f.Exists() && f.Kind() != jsonval.Null
}

// Use counts members as used: a caller knows what they mean and needs them no further.
func (o *Object) Use(keys ...string) {
	for _, k := range keys {
		o.used[k] = true
	}
}

// Used reports whether a member counts as used.
func (o *Object) Used(key string) bool { return o.used[key] }

// Each calls f for the members in the order of the file; of equal keys the last one counts. It
// marks none as used.
func (o *Object) Each(f func(key string, v jsonval.Value)) {
	o.value.Fields(func(k string, v jsonval.Value) bool {
		if v.Off() == o.fields[k].Off() {
			f(k, v)
		}
		return true
	})
}

// Number returns a finite number. Null, NaN and infinities are missing without a word: tools
// write them where nothing was measured. A number in quotes is one.
func (o *Object) Number(key string) (n float64, ok bool) {
	f := o.Value(key)
	switch f.Kind() {
	case jsonval.Null, jsonval.Missing:
		return 0, false
	case jsonval.Number:
		return f.Finite()
	case jsonval.String:
		s, _ := f.Str()
		if n, err := strconv.ParseFloat(s, 64); err == nil {
			return n, !math.IsNaN(n) && !math.IsInf(n, 0)
		}
		o.Bad(key, "%q is %q, a number was expected: the value is left out", o.prefix+key, Clip(s))
	default:
		o.Bad(key, "%q is %v, a number was expected: the value is left out", o.prefix+key, f.Kind())
	}
	return 0, false
}

// Count returns a whole number that is not negative, nil if there is none.
func (o *Object) Count(key string) *int64 {
	n, ok := o.Number(key)
	if !ok {
		return nil
	}
	if n != math.Trunc(n) || n < 0 || n > 1<<53 {
		o.Bad(key, "%q is %v, a count was expected: the value is left out", o.prefix+key, n)
		return nil
	}
	i := int64(n)
	return &i
}

// Length returns a positive number of tokens, nil if there is none.
func (o *Object) Length(key string) *float64 {
	n := o.Count(key)
	if n == nil || *n == 0 {
		return nil
	}
	f := float64(*n)
	return &f
}

// Rate returns a rate of requests: a number, the word Infinity or the text "inf"; nil if there is
// none.
func (o *Object) Rate(key string) *record.Float {
	f := o.Value(key)
	var n float64
	switch f.Kind() {
	case jsonval.Number:
		n, _ = f.Float()
	case jsonval.String:
		s, _ := f.Str()
		var err error
		if n, err = strconv.ParseFloat(s, 64); err != nil { // reads "inf" and "Infinity" too
			o.Bad(key, "%q is %q, a number or \"inf\" was expected: the value is left out", o.prefix+key, Clip(s))
			return nil
		}
	default:
		o.Number(key) // says what is wrong
		return nil
	}
	switch {
	case math.IsNaN(n):
		return nil
	case n <= 0:
		o.Bad(key, "%q is %v: a rate is above 0: the value is left out", o.prefix+key, n)
		return nil
	}
	r := record.Float(n)
	return &r
}

// Text returns the text of a scalar member, "" for any other.
func (o *Object) Text(key string) string { return o.Value(key).Scalar() }

// Truth returns a boolean, also one that is written as a text or as 1 or 0; nil if there is none.
func (o *Object) Truth(key string) *bool {
	b := false
	switch strings.ToLower(o.Text(key)) {
	case "true", "1":
		b = true
	case "false", "0":
	default:
		return nil
	}
	return &b
}

// Pos is where the object begins.
func (o *Object) Pos() record.Pos { return o.pos(o.value) }

// At is the place of a member, or of the object where it has no such member.
func (o *Object) At(key string) record.Pos {
	if f := o.fields[key]; f.Exists() {
		return o.pos(f)
	}
	return o.Pos()
}

func (o *Object) pos(v jsonval.Value) record.Pos {
	line, col := v.Place()
	return record.Pos{File: o.file, Line: line, Col: col}
}

// Bad reports what is wrong with a member.
func (o *Object) Bad(key, format string, args ...any) {
	o.emit(&record.SyntaxError{Base: record.Base{At: o.At(key)}, Text: fmt.Sprintf(format, args...)})
}

// Facts collects metadata: of each key the first statement stays.
type Facts []record.Fact

// Add states a fact; an empty value states nothing.
func (fs *Facts) Add(key, value string, at record.Pos) {
	if value = strings.TrimSpace(value); value == "" {
		return
	}
	for _, f := range *fs {
		if f.Key == key {
			return
		}
	}
	*fs = append(*fs, record.Fact{Key: key, Value: value, At: at})
}

// Unmapped names the members that nobody asked for, in the order of the file, each once; those of
// objects that [Object.Sub] or [Object.List] gave with their path: "latency.p42". Null says nothing
// and is not named.
func (o *Object) Unmapped() []string {
	var out []string
	o.unmapped(map[string]bool{}, &out)
	return out
}

func (o *Object) unmapped(seen map[string]bool, out *[]string) {
	o.Each(func(k string, v jsonval.Value) {
		if name := o.prefix + k; !o.used[k] && v.Kind() != jsonval.Null && !seen[name] {
			seen[name] = true
			*out = append(*out, name)
		}
		for _, s := range o.subs[k] {
			s.unmapped(seen, out)
		}
	})
}

// Measured drops from values what was not measured. A mean, median or percentile of TTFT, TPOT or
// E2E latency that is 0 or below is missing; a gap between chunks may be 0, but not all of them; a
// deviation of 0 is equality, unless all other statistics are missing. Other quantities are
// missing below 0, and at 0 where nothing was done: no request was completed. Of two values of one
// statistic the first stays.
func Measured(values []record.Value, done bool) []record.Value {
	some := map[metric.ID]bool{} // a statistic other than the deviation is above 0
	for _, v := range values {
		if v.Stat != record.StatStd && v.Number > 0 {
			some[v.Quantity] = true
		}
	}
	var kept []record.Value
	for _, v := range values {
		switch v.Quantity {
		case metric.TTFT, metric.TPOT, metric.NTPOT, metric.E2ELatency:
			if !some[v.Quantity] || v.Number < 0 || v.Number == 0 && v.Stat != record.StatStd {
				continue
			}
		case metric.ITL, metric.Duration:
			if !some[v.Quantity] || v.Number < 0 {
				continue
			}
		case metric.AchievedConcurrency, metric.PeakConcurrency, metric.PeakOutputThroughput:
			if v.Number <= 0 {
				continue
			}
		default:
			if v.Number < 0 || v.Number == 0 && !done {
				continue
			}
		}
		twice := false
		for _, k := range kept {
			twice = twice || k.Quantity == v.Quantity && k.Stat == v.Stat
		}
		if !twice {
			kept = append(kept, v)
		}
	}
	return kept
}

// Mean is the mean of a quantity among values, nil where it is not there.
func Mean(values []record.Value, q metric.ID) *float64 {
	for _, v := range values {
		if v.Quantity == q && v.Stat == record.StatMean {
			n := v.Number
			return &n
		}
	}
	return nil
}

// The bounds between which a TPOT counts as one that was counted with twice the tokens. Half would
// be 0.5; the chunk that holds the end of the answer alters it by a few parts in a hundred. What is
// further off has another cause.
const leastHalved, mostHalved = 0.3, 0.7

// CountedTwice repairs the TPOT of releases of inference-perf that counted two tokens for each one
// of a stream: the mean becomes (E2E - TTFT) / (n - 1), of means, n being the output length; its
// other statistics, and those of ITL, cannot be repaired and are left out. Share is what the stated
// mean is of the right one, 0 where nothing was to be repaired. All times are in one unit.
func CountedTwice(values []record.Value) (kept []record.Value, share float64) {
	e2e, ttft, tpot, n := Mean(values, metric.E2ELatency), Mean(values, metric.TTFT), Mean(values, metric.TPOT), Mean(values, metric.OutputTokens)
	if e2e == nil || ttft == nil || tpot == nil || n == nil || *n <= 1 || *e2e <= *ttft {
		return values, 0
	}
	right := (*e2e - *ttft) / (*n - 1)
	share = *tpot / right
	if !(share >= leastHalved && share < mostHalved) {
		return values, 0
	}
	for _, v := range values {
		switch {
		case v.Quantity == metric.ITL:
		case v.Quantity == metric.TPOT && v.Stat == record.StatMean:
			kept = append(kept, record.Value{Quantity: metric.TPOT, Stat: record.StatMean, Number: Round(right), Unit: v.Unit})
		case v.Quantity == metric.TPOT:
		default:
			kept = append(kept, v)
		}
	}
	return kept, share
}

// Round keeps 12 significant digits: the last bits of computed numbers differ between processors.
func Round(f float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 12, 64), 64)
	if err != nil {
		return f
	}
	return r
}

// LastLine returns the last line of an error text that says something: of a Python traceback the
// class and the message.
func LastLine(s string) string {
	lines := strings.FieldsFunc(s, func(c rune) bool { return c == '\n' || c == '\r' })
	for i := len(lines) - 1; i >= 0; i-- {
		if l := strings.TrimSpace(lines[i]); l != "" {
			return Clip(l)
		}
	}
	return ""
}

// maxErrors is how many different errors of a measurement are kept.
const maxErrors = 20

// Errors lists how often each error occurred, by its text: the most frequent first. The rarest of
// more than 20 are counted as "other errors".
func Errors(counts map[string]int64) []record.ErrorCount {
	var out []record.ErrorCount
	for s, n := range counts {
		out = append(out, record.ErrorCount{Text: s, Count: n})
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		return a.Count > b.Count || a.Count == b.Count && a.Text < b.Text
	})
	if len(out) > maxErrors {
		var rest int64
		for _, e := range out[maxErrors:] {
			rest += e.Count
		}
		out = append(out[:maxErrors], record.ErrorCount{Text: "other errors", Count: rest})
	}
	return out
}

// Clip cuts a text to 200 bytes.
func Clip(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

// Split cuts a path into folder and base name. A member of an archive lies in the archive; a
// single compressed file is no archive but the file itself: "a/x.json.gz!x.json" lies in "a".
func Split(file string) (folder, name string) {
	if i := strings.LastIndexByte(file, '!'); i >= 0 {
		outer, inner := file[:i], file[i+1:]
		ext := path.Ext(outer)
		if (ext == ".gz" || ext == ".zst") && !strings.HasSuffix(strings.TrimSuffix(outer, ext), ".tar") {
			folder, name = Split(outer)
			return folder, strings.TrimSuffix(name, ext)
		}
		dir, base := path.Split(inner)
		return outer + "!" + strings.TrimSuffix(dir, "/"), base
	}
	dir, base := path.Split(file)
	return strings.TrimSuffix(dir, "/"), base
}

// loads are the parts of a name that state a load, a length, a date or a number: what is named
// alike but for them are points of one run.
var loads = regexp.MustCompile(`(?i)^(` +
	`[0-9.]+|inf|` +
	`(?:[0-9.]+|inf)(?:qps|rps|req|reqs|conc)|` +
	`(?:qps|rps|rate|conc|concurrency|c|n|num|np|prompts|num_?prompts|req|reqs|requests|in|out|isl|osl|input|output|input_?len|output_?len|bs|b|batch)=?(?:[0-9.]+|inf)|` +
	`(?:qps|rps|rate|conc|concurrency|batch|bs|isl|osl)|[0-9]+k[0-9]+k` +
	`)$`)

// Variant is what is left of a name without the parts that state a load: "pd-1p1d" of
// "pd_1p1d_n100_in2048_out512_c128". A name without such parts stays as it is.
func Variant(name string) string {
	var left []string
	found := false
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == ' ' }) {
		if loads.MatchString(part) {
			found = true
			continue
		}
		left = append(left, part)
	}
	if !found {
		return name
	}
	return strings.Join(left, "-")
}

// Group names what the files of one run share that hold one measurement each: their folder, and
// what their names say beyond load and date.
func Group(file string) string {
	folder, name := Split(file)
	return folder + " " + Variant(strings.TrimSuffix(name, path.Ext(name)))
}

// Session names the session of a result of a tool: results of one container, a file or what
// [Group] says, whose model and setup agree are one run. The setup is in it as a digest, since it
// may hold what must not be shown; its order says nothing, since some tools sort their keys.
func Session(tool, container string, r *record.Result) string {
	kv := quoted(r.Setup)
	sort.Strings(kv)
	return record.SessionKey(tool, container, r.Identity.Model, Digest(strings.Join(kv, "\n")))
}

// Setup is a setup as one text, in its order: different setups never give equal texts.
func Setup(setup []record.KV) string { return strings.Join(quoted(setup), "") }

func quoted(setup []record.KV) []string {
	kv := make([]string, 0, len(setup))
	for _, s := range setup {
		kv = append(kv, strconv.Quote(s.Key)+strconv.Quote(s.Value))
	}
	return kv
}

// Digest stands in the name of a session for a text that is long or must not be shown: 12
// hexadecimal digits.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

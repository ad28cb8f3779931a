package ingesttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// check returns what is wrong with the records of files, in words.
func check(records []record.Record, files []file) []string {
	c := &checker{files: files}
	for _, c.record = range records {
		c.shared()
		c.kind()
	}
	return c.problems
}

// checker looks at one record after the other.
type checker struct {
	files    []file
	record   record.Record
	problems []string
}

func (c *checker) bad(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf("%s: %s: ", c.record.Pos(),
		c.record.Kind())+fmt.Sprintf(format, args...))
}

func (c *checker) place(what string, p record.Pos) {
	if why := misplaced(p, c.files); why != "" {
		c.bad("%s %q: %s", what, p, why)
	}
}

// shared looks at what records of all kinds have.
func (c *checker) shared() {
	c.place("record", c.record.Pos())
	if s := nonFinite(reflect.ValueOf(c.record), ""); s != "" {
		c.bad("%s is not a finite number: leave it out", s)
	}
	for _, f := range c.record.Header().Facts {
		if f.Key == "" || f.Value == "" {
			c.bad("fact %q = %q: neither may be empty", f.Key, f.Value)
		}
		if f.At != (record.Pos{}) {
			c.place("fact "+f.Key, f.At)
		}
	}
	if k := record.Source(c.record); k != nil && len(k.Raw) > 0 && !json.Valid(k.Raw) {
		c.bad("Raw is no valid JSON: %.200q", k.Raw)
	}
}

// measured looks at what says whose measurement the record is.
func (c *checker) measured() {
	if c.record.Session() == "" {
		c.bad("no session: a measurement belongs to one")
	}
	if c.record.Header().Identity.Tool == "" {
		c.bad("no Identity.Tool")
	}
}

// kind looks at what a record of its kind needs.
func (c *checker) kind() {
	switch r := c.record.(type) {
	case *record.Result:
		c.measured()
		c.result(r)
	case *record.Figure:
		c.measured()
		if r.Quantity == "" || r.Unit == "" {
			c.bad("quantity %q, unit %q: both are needed", r.Quantity, r.Unit)
		}
		if r.Value == nil && r.Published == "" {
			c.bad("neither a value nor a published text")
		}
	case *record.Profile:
		if r.Session() != "" || r.Identity.Tool != "" { // else samples of the machine, of the runs beside them
			c.measured()
		}
		if r.Name == "" || r.Curves.Kind != "scatter" && r.Curves.Kind != "time" {
			c.bad("name %q, kind %q: a name and \"scatter\" or \"time\" are needed", r.Name, r.Curves.Kind)
		}
		for _, l := range r.Lines {
			if len(l.Y) != len(r.X) {
				c.bad("line %q has %d values, X has %d", l.Label, len(l.Y), len(r.X))
			}
		}
	case *record.Samples:
		if r.Identity.Tool == "" { // no session is needed: ingest.Sessions finds it by the directory
			c.bad("no Identity.Tool")
		}
	case *record.Params:
		for _, p := range r.Params {
			if p.Name == "" || !json.Valid(p.Value) {
				c.bad("parameter %q = %q: a name and a JSON value are needed", p.Name, p.Value)
			}
			if p.At != (record.Pos{}) {
				c.place("parameter "+p.Name, p.At)
			}
		}
	case *record.System:
	case *record.Facts:
		if len(r.Facts) == 0 {
			c.bad("no facts")
		}
	case *record.Note:
		if r.Code == "" || r.Severity == "" || r.Text == "" {
			c.bad("code %q, severity %q, text %q: all are needed", r.Code, r.Severity, r.Text)
		}
	case *record.Ignored:
		if r.Reason == "" {
			c.bad("no reason")
		}
	case *record.SyntaxError:
		if r.Text == "" || strings.HasSuffix(r.Text, ".") && !strings.HasSuffix(r.Text, "...") ||
			strings.ContainsAny(r.Text, "\n\r\x00") {
			c.bad("text %q: one line without a full stop", r.Text)
		}
	default:
		c.bad("a record of an unknown kind")
	}
}

// result looks at the values and the load of a result.
func (c *checker) result(r *record.Result) {
	seen := map[string]bool{}
	for _, v := range r.Values {
		if v.Quantity == "" || v.Stat == "" || v.Unit == "" {
			c.bad("value %+v: quantity, stat and unit are all needed", v)
		}
		k := string(v.Quantity) + " " + v.Stat
		if seen[k] {
			c.bad("two values for %s", k)
		}
		seen[k] = true
	}
	if l := r.Load.Rate; l != nil && *l < 0 {
		c.bad("load rate %v", *l)
	}
}

// misplaced says why p is no place in one of files, "" if it is one. The place just behind the
// last byte is where a file that was cut short goes wrong.
func misplaced(p record.Pos, files []file) string {
	i := slices.IndexFunc(files, func(f file) bool { return f.name == p.File })
	if i < 0 {
		return "it is in no file that was read"
	}
	if p.Line == 0 && p.Col == 0 {
		return ""
	}
	// Places count without the byte order mark.
	lines := bytes.Split(bytes.TrimPrefix(files[i].data, []byte("\ufeff")), []byte{'\n'})
	switch {
	case p.Line < 1 || p.Line > len(lines):
		return fmt.Sprintf("the file has %d lines", len(lines))
	case p.Col < 0 || p.Col > len(lines[p.Line-1])+1:
		return fmt.Sprintf("that line has %d bytes", len(lines[p.Line-1]))
	}
	return ""
}

// nonFinite returns the path of the first float64 in v that is NaN or infinite, or of an
// record.Float that is NaN.
func nonFinite(v reflect.Value, path string) string {
	switch v.Kind() {
	case reflect.Float64:
		f := v.Float()
		if math.IsNaN(f) || math.IsInf(f, 0) && v.Type() != reflect.TypeFor[record.Float]() {
			return path
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return nonFinite(v.Elem(), path)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if s := nonFinite(v.Field(i), path+"."+v.Type().Field(i).Name); s != "" {
				return s
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return ""
		}
		for i := range v.Len() {
			if s := nonFinite(v.Index(i), fmt.Sprintf("%s[%d]", path, i)); s != "" {
				return s
			}
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if s := nonFinite(v.MapIndex(k), fmt.Sprintf("%s[%v]", path, k)); s != "" {
				return s
			}
		}
	}
	return ""
}

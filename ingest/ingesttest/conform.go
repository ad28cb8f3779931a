// Package ingesttest holds what tests of formats share: a conformance test over golden files, a
// fuzz harness with the same files as seeds, and seeded generators of inputs.
//
// A format's test is its cases, testdata/*.txtar: a test of ingest/format runs those of all formats.
// A case begins with a line of prose that says what it shows. Then follow the inputs, one small tree
// of files, each below "in/", and the file "want" with everything that was read:
//
//	Two records in one file, the second cut short.
//	-- in/results.json --
//	{"a": 1}
//	{"a":
//	-- want --
//	...
//
// An input whose name ends in ".quoted" holds Go string literals, one a line, which are decoded
// and joined, for bytes that a text file cannot hold and for files without a final newline; the
// suffix does not belong to the name. "go test ./ingest/format -run TestConform/x -update" writes
// "want" of the cases of package x.
package ingesttest

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/record"
)

// mutants is the flag -mutants of test programs: how many times as many damaged copies of each file are read,
// which mutated counts.
var (
	mutants = func() *int {
		one := 1
		if testing.Testing() {
			return flag.Int("mutants", one, "read so many times as many damaged copies of each file")
		}
		return &one
	}()
	mutated atomic.Int64
)

// Mutated is how many damaged copies of files were read.
func Mutated() int64 { return mutated.Load() }

// A testCase is one txtar file.
type testCase struct {
	path    string
	archive *txtar.Archive
	files   []file // sorted by name
	want    string
}

type file struct {
	name string
	data []byte
}

func loadCases(dir string) ([]*testCase, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	var cases []*testCase
	for _, p := range paths {
		a, err := txtar.ParseFile(p)
		if err != nil {
			return nil, err
		}
		c := &testCase{path: p, archive: a}
		if len(bytes.TrimSpace(a.Comment)) == 0 {
			return nil, fmt.Errorf("%s: the first line must say what the case shows", p)
		}
		for _, f := range a.Files {
			name, isInput := strings.CutPrefix(f.Name, "in/")
			switch {
			case f.Name == "want":
				c.want = string(f.Data)
			case !isInput:
				return nil, fmt.Errorf("%s: file %q: only \"want\" and files below \"in/\" have a meaning", p, f.Name)
			default:
				data := f.Data
				if n, ok := strings.CutSuffix(name, ".quoted"); ok {
					name = n
					if data, err = unquoteLines(f.Data); err != nil {
						return nil, fmt.Errorf("%s: %s: %w", p, f.Name, err)
					}
				}
				c.files = append(c.files, file{name, data})
			}
		}
		if len(c.files) == 0 {
			return nil, fmt.Errorf("%s: no input: name the inputs \"in/...\"", p)
		}
		sort.SliceStable(c.files, func(i, j int) bool { return c.files[i].name < c.files[j].name })
		cases = append(cases, c)
	}
	return cases, nil
}

func unquoteLines(text []byte) ([]byte, error) {
	data := []byte{} // not nil: an empty file is an input too
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		s, err := strconv.Unquote(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %s is no Go string literal", i+1, line)
		}
		data = append(data, s...)
	}
	return data, nil
}

// read reads one file with one format; matched is false where the format does not claim it.
// Panics go through: in a test they shall be seen with their stack.
func read(f *reading.Format, in file) (records []record.Record, matched bool, err error) {
	src := reading.NewSource(in.name, in.data)
	if !f.Match(src.Head) {
		return nil, false, nil
	}
	err = f.Read(src, func(r record.Record) { records = append(records, r) })
	return records, true, err
}

// finish calls Finish for each session among records, in the order in which they appear.
func finish(f *reading.Format, records []record.Record) []record.Record {
	if f.Finish == nil {
		return nil
	}
	var out []record.Record
	keys, groups, _ := ingest.Sessions(records)
	for _, k := range keys {
		f.Finish(groups[k], func(r record.Record) { out = append(out, r) })
	}
	return out
}

// Package is the directory of a format below ingest/format: the name of the package that reads it.
func Package(f *reading.Format) string {
	read := reflect.ValueOf(f.Read).Pointer()
	source, _ := runtime.FuncForPC(read).FileLine(read)
	return filepath.Base(filepath.Dir(source))
}

// Conform runs the cases dir/*.txtar and checks what every format owes its callers:
// that it claims what it reads, that each record has a place inside its file and numbers that
// are numbers, that reading and finishing twice gives the same, that a file cut short or with
// flipped bits gives errors and never a panic, and that a key of a JSON record which it does not
// know is kept and counted.
func Conform(t *testing.T, f *reading.Format, dir string) {
	t.Helper()
	checkFormat(t, f)
	cases, err := loadCases(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatalf("no %s/*.txtar: a format needs a good and a bad case", dir)
	}
	good, bad := false, false
	for _, c := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(c.path), ".txtar"), func(t *testing.T) {
			g, b := conformCase(t, f, c)
			good, bad = good || g, bad || b
		})
	}
	if r := flag.Lookup("test.run"); t.Failed() || r != nil && strings.Count(r.Value.String(),
		"/") > strings.Count(t.Name(), "/") {
		return // not all cases ran
	}
	if !good {
		t.Errorf("no good case: one without a syntax error")
	}
	if !bad {
		t.Errorf("no bad case: one with a syntax error and a record that was read after it")
	}
}

func checkFormat(t *testing.T, f *reading.Format) {
	t.Helper()
	if f.Name == "" || f.Name != strings.ToLower(f.Name) || strings.ContainsAny(f.Name, " _") {
		t.Errorf("format name %q: lower case, words joined by \"-\"", f.Name)
	}
	if f.Match == nil || f.Read == nil {
		t.Fatalf("format %s lacks Match or Read", f.Name)
	}
	d := reflect.ValueOf(f.Doc)
	for i := range d.NumField() {
		if d.Field(i).String() == "" {
			t.Errorf("Doc.%s of format %s is empty", d.Type().Field(i).Name, f.Name)
		}
	}
	for _, c := range []string{"", " ", "{", "[", "{}", "[]", "null", "hello\n", "\x00", "{\"a\":1}\n", "a,b\n1,2\n",
		"# Title\n", "---\ntitle: x\n---\n", "<html></html>\n"} {
		if f.Match(reading.NewHead("x", []byte(c))) {
			t.Errorf("Match claims a file that holds nothing but %q", c)
		}
	}
}

// conformCase reports whether the case is a good one and whether it is a bad one.
func conformCase(t *testing.T, f *reading.Format, c *testCase) (good, bad bool) {
	var records []record.Record
	var out strings.Builder
	matched := 0
	perFile := map[string][]record.Record{}
	for _, in := range c.files {
		rs, ok := steady(t, f, in)
		if !ok {
			fmt.Fprintf(&out, "%s: not claimed\n", in.name)
			continue
		}
		matched++
		perFile[in.name] = rs
		records = append(records, rs...)
	}
	if matched == 0 {
		t.Errorf("the format claims none of the case's inputs")
	}
	beforeFinish := dump(t, records)
	extra := finish(f, records)
	if diff := cmp.Diff(beforeFinish, dump(t, records)); diff != "" {
		t.Errorf("Finish changed the records it was given (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(dump(t, extra), dump(t, finish(f, records))); diff != "" {
		t.Errorf("finishing twice gives different records (-first +second):\n%s", diff)
	}
	out.WriteString(beforeFinish)
	if len(extra) > 0 {
		out.WriteString("# finish\n")
		out.WriteString(dump(t, extra))
	}
	for _, problem := range check(append(slices.Clone(records), extra...), c.files) {
		t.Error(problem)
	}

	got := out.String()
	if goldentest.Update() {
		writeWant(t, c, got)
	} else if diff := cmp.Diff(strings.Split(c.want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got; -update writes the file):\n%s", c.path, diff)
	}

	good = true
	for _, r := range append(records, extra...) {
		switch r.(type) {
		case *record.SyntaxError:
			good = false
		case *record.Ignored, *record.Note:
		default:
			bad = bad || !good
		}
	}
	for _, in := range c.files {
		if rs := perFile[in.name]; rs != nil {
			damage(t, f, in, rs)
			lost(t, f, in, rs)
		}
	}
	return good, bad
}

// steady reads a file, and again: the records are the same, whatever becomes of the source's bytes.
func steady(t *testing.T, f *reading.Format, in file) (rs []record.Record, ok bool) {
	t.Helper()
	before := slices.Clone(in.data)
	rs, ok, err := read(f, in)
	if err != nil {
		t.Errorf("%s: Read returned %q: what is malformed is a record, an error means I/O", in.name, err)
	}
	if !bytes.Equal(before, in.data) {
		t.Fatalf("%s: Read changed the bytes of its source", in.name)
	}
	if !ok {
		return nil, false
	}
	if len(rs) == 0 {
		t.Errorf("%s: claimed, but no record was emitted: say at least why as record.Ignored or SyntaxError", in.name)
	}
	again, _, _ := read(f, in)
	if diff := cmp.Diff(dump(t, rs), dump(t, again)); diff != "" {
		t.Errorf("%s: reading twice gives different records (-first +second):\n%s", in.name, diff)
	}
	lent := file{in.name, slices.Clone(in.data)}
	kept, _, _ := read(f, lent)
	for i := range lent.data {
		lent.data[i] = '#'
	}
	if diff := cmp.Diff(dump(t, rs), dump(t, kept)); diff != "" {
		t.Errorf("%s: records refer to the source's bytes, which are valid until Read returns only:\n%s", in.name, diff)
	}
	return rs, true
}

func writeWant(t *testing.T, c *testCase, want string) {
	t.Helper()
	i := slices.IndexFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == "want" })
	if i < 0 {
		i = len(c.archive.Files)
		c.archive.Files = append(c.archive.Files, txtar.File{Name: "want"})
	}
	if string(c.archive.Files[i].Data) == want {
		return
	}
	c.archive.Files[i].Data = []byte(want)
	if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o666); err != nil {
		t.Fatal(err)
	}
}

// damage reads the file cut short and with flipped bits.
func damage(t *testing.T, f *reading.Format, in file, whole []record.Record) {
	t.Helper()
	cuts, flips := 40*(*mutants), 80*(*mutants)
	mutated.Add(int64(cuts + flips))
	text := bytes.TrimRight(in.data, " \t\r\n")
	isJSON := len(text) > 0 && (text[len(text)-1] == '}' || text[len(text)-1] == ']') && errorsIn(whole) == 0
	if kind := reading.NewHead(in.name, in.data).Kind; kind != '{' && kind != '[' {
		isJSON = false
	}
	for i := range cuts {
		end := len(text) * i / cuts
		if i == 0 {
			end = max(0, len(text)-1)
		}
		cut := file{in.name, slices.Clone(text[:end])}
		rs, ok, err := read(f, cut)
		if !ok {
			continue // too little left to tell what it was
		}
		if err != nil {
			t.Errorf("%s cut after %d bytes: Read returned %q: what is malformed is a record", in.name, end, err)
		}
		for _, p := range check(append(rs, finish(f, rs)...), []file{cut}) {
			t.Errorf("cut after %d bytes: %s", end, p)
		}
		if isJSON && errorsIn(rs) == 0 && len(rs) >= len(whole) {
			t.Errorf("%s cut after %d bytes gives %d records and no syntax error, the whole file %d", in.name, end,
				len(rs), len(whole))
		}
	}
	rnd := rand.New(rand.NewPCG(1, uint64(len(in.data))))
	if len(in.data) == 0 {
		return
	}
	for range flips {
		flipped := file{in.name, slices.Clone(in.data)}
		for range 1 + rnd.IntN(3) {
			flipped.data[rnd.IntN(len(flipped.data))] ^= byte(1 << rnd.IntN(8))
		}
		rs, ok, err := read(f, flipped)
		if !ok {
			continue
		}
		if err != nil {
			t.Errorf("%s with flipped bits: Read returned %q: what is malformed is a record", in.name, err)
		}
		for _, p := range check(append(rs, finish(f, rs)...), []file{flipped}) {
			t.Errorf("with flipped bits: %s\n%q", p, flipped.data[:min(len(flipped.data), 400)])
		}
	}
}

// lost adds a key that no tool writes to each JSON object that a result was read from: it must be
// kept in a Raw, and be counted in Unmapped or tell runs apart as part of a Setup.
func lost(t *testing.T, f *reading.Format, in file, whole []record.Record) {
	t.Helper()
	const key, most = "never_seen_key", 4
	if kind := reading.NewHead(in.name, in.data).Kind; kind != '{' && kind != '[' || errorsIn(whole) > 0 {
		return
	}
	mark := len(in.data) - len(bytes.TrimPrefix(in.data, []byte("\ufeff")))
	tried := map[int]bool{}
	for _, r := range whole {
		p := r.Pos()
		if _, ok := r.(*record.Result); !ok || p.File != in.name || p.Line == 0 || p.Col == 0 || len(tried) == most {
			continue
		}
		at := mark + p.Col - 1
		for range p.Line - 1 {
			at += bytes.IndexByte(in.data[at-p.Col+1:], '\n') + 1
		}
		if at >= len(in.data) || in.data[at] != '{' || tried[at] {
			continue
		}
		tried[at] = true
		text := slices.Insert(slices.Clone(in.data), at+1, []byte(`"`+key+`": 7.25, `)...)
		if rest := bytes.TrimLeft(in.data[at+1:], " \t\r\n"); len(rest) > 0 && rest[0] == '}' {
			continue
		}
		rs, ok, _ := read(f, file{in.name, text})
		if !ok || errorsIn(rs) > 0 {
			continue // an error says so
		}
		kept, counted := false, false
		for _, r := range append(rs, finish(f, rs)...) {
			switch r := r.(type) {
			case *record.Result:
				kept = kept || bytes.Contains(r.Raw, []byte(key))
				counted = counted || slices.ContainsFunc(r.Unmapped,
					func(s string) bool { return strings.Contains(s, key) }) ||
					slices.ContainsFunc(r.Setup, func(kv record.KV) bool { return strings.Contains(kv.Key, key) })
			case *record.Params:
				counted = counted || slices.ContainsFunc(r.Params,
					func(p record.Param) bool { return strings.Contains(p.Name, key) })
			}
		}
		if !kept {
			t.Errorf("%s:%d: a key added to the record is in no Raw: nothing may be lost", in.name, p.Line)
		}
		if !counted {
			t.Errorf("%s:%d: a key added to the record is in no Unmapped and no Setup: what is not used is counted",
				in.name, p.Line)
		}
	}
}

func errorsIn(records []record.Record) (n int) {
	for _, r := range records {
		if _, ok := r.(*record.SyntaxError); ok {
			n++
		}
	}
	return n
}

// Survives reads a text of which one part is damaged and another is a result: the format claims it,
// says what is wrong and reads the one result.
func Survives(t *testing.T, f *reading.Format, text string) {
	t.Helper()
	results, errors := 0, 0
	for _, r := range Read(t, f, "x", text) {
		switch r.(type) {
		case *record.Result:
			results++
		case *record.SyntaxError:
			errors++
		}
	}
	if results != 1 || errors == 0 {
		t.Errorf("%.60q: %d results and %d errors, want one result and an error", text, results, errors)
	}
}

// Read returns the records of a text that a format has to claim.
func Read(t *testing.T, f *reading.Format, name, text string) []record.Record {
	t.Helper()
	records, claimed, err := read(f, file{name, []byte(text)})
	if !claimed || err != nil {
		t.Fatalf("%s: claimed %v, error %v: %.60q", name, claimed, err, text)
	}
	return records
}

// Result returns the one result of a text in which nothing is wrong, and the numbers of its values by
// quantity, statistic and unit: "ttft mean ms".
func Result(t *testing.T, f *reading.Format, name, text string) (res *record.Result, numbers map[string]float64) {
	t.Helper()
	for _, r := range Read(t, f, name, text) {
		switch r := r.(type) {
		case *record.Result:
			if res != nil {
				t.Fatalf("%s: a second result", r.Pos())
			}
			res = r
		case *record.SyntaxError:
			t.Error(r)
		}
	}
	if res == nil {
		t.Fatalf("%s: no result", name)
	}
	return res, Numbers(res)
}

// Numbers are those of a result's values by quantity, statistic and unit: "ttft mean ms".
func Numbers(res *record.Result) map[string]float64 {
	numbers := map[string]float64{}
	for _, v := range res.Values {
		numbers[fmt.Sprintf("%s %s %s", v.Quantity, v.Stat, v.Unit)] = v.Number
	}
	return numbers
}

// Fuzz fuzzes formats with the inputs of the cases of dirs, dir/*.txtar, as seeds.
func Fuzz(f *testing.F, formats []*reading.Format, dirs ...string) {
	f.Helper()
	for _, dir := range dirs {
		cases, err := loadCases(dir)
		if err != nil {
			f.Fatal(err)
		}
		for _, c := range cases {
			for _, in := range c.files {
				f.Add(in.name, in.data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		in := file{name, data}
		for _, format := range formats {
			rs, ok, err := read(format, in)
			if !ok {
				continue
			}
			if err != nil {
				t.Errorf("%s: Read returned %q: what is malformed is a record", format.Name, err)
			}
			all := append(slices.Clone(rs), finish(format, rs)...)
			for _, p := range check(all, []file{in}) {
				t.Errorf("%s: %s", format.Name, p)
			}
			dump(t, all)
		}
	})
}

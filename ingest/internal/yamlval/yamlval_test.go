package yamlval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/internal/yamlval"
	"github.com/inferdex/inferdex/ingest/reading"
)

// read returns each document as JSON and each error as "line:col: text".
func read(text string) (values, errors []string) {
	yamlval.Values([]byte(text), func(v reading.Value) {
		values = append(values, string(v.Compact(reading.Elide{})))
	}, func(e yamlval.Error) {
		errors = append(errors, fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Text))
	})
	return values, errors
}

func TestValues(t *testing.T) {
	tests := []struct {
		text   string
		values []string
		errors []string
	}{
		{"", nil, nil},
		{"# nothing\n---\n", nil, nil},
		{"a: 1\nb: [x, 2.50, .5, 0x10, 1_000]\n", []string{`{"a":1,"b":["x",2.50,0.5,16,1000]}`}, nil},
		{"r: .inf\ns: -.Inf\nn: .nan\n", []string{`{"r":"Infinity","s":"-Infinity","n":"NaN"}`}, nil},
		{"t: 2025-01-02T03:04:05Z\nv: 0.10\nw: 0.3.0\nq: '1'\n",
			[]string{`{"t":"2025-01-02T03:04:05Z","v":0.10,"w":"0.3.0","q":"1"}`}, nil},
		{"y: yes\nb: True\nn: ~\ne:\nx: !!bool 7\n", []string{`{"y":"yes","b":true,"n":null,"e":null,"x":"7"}`}, nil},
		{"a: &x {k: 1}\nb: *x\n", []string{`{"a":{"k":1},"b":{"k":1}}`}, nil},
		{"a: 1\n---\nb: 2\n", []string{`{"a":1}`, `{"b":2}`}, nil},
		{"a: [1\n---\nb: 2\n", []string{`{"b":2}`},
			[]string{"1:0: not YAML: \"did not find expected ',' or ']'\"; the document is left out"}},
		{"a: 1\n---\n? [x]\n: 2\n", []string{`{"a":1}`}, []string{"3:1: a list or an object as a key"}},
	}
	for _, tt := range tests {
		values, errors := read(tt.text)
		if diff := cmp.Diff(tt.values, values); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
		if diff := cmp.Diff(tt.errors, errors); diff != "" {
			t.Errorf("%q: errors (-want +got):\n%s", tt.text, diff)
		}
	}
}

// A person may leave out the end of the last line, a tool that writes a report does not: there the line was cut.
func TestLastLine(t *testing.T) {
	for text, want := range map[string]struct {
		typed, written string
		bad            bool
	}{
		"a: x\nb: 1\n": {`{"a":"x","b":1}`, `{"a":"x","b":1}`, false},
		"a: x\nb: 1":   {`{"a":"x","b":1}`, `{"a":"x"}`, true},
		"b: 1\na: x":   {`{"b":1,"a":"x"}`, `{"b":1,"a":"x"}`, false},
	} {
		if got, errors := read(text); strings.Join(got, "") != want.typed || len(errors) > 0 {
			t.Errorf("%q: %q, errors %q: want %s", text, got, errors, want.typed)
		}
		var got string
		bad := false
		yamlval.Report([]byte(text), func(v reading.Value) {
			got += string(v.Compact(reading.Elide{}))
		}, func(e yamlval.Error) { bad = e.Line == 2 })
		if got != want.written || bad != want.bad {
			t.Errorf("a report %q: %s, told %v: want %s, %v", text, got, bad, want.written, want.bad)
		}
	}
}

// The place of a value is that in the YAML text, columns in bytes, behind other documents and
// behind the line breaks that only YAML knows.
func TestPlace(t *testing.T) {
	const text = "first: 1\r\n---\nk: \"a\u2028é\"\nmap: {é: x, y: [10, here]}\n"
	var got []string
	yamlval.Values([]byte(text), func(v reading.Value) {
		if list := v.Get("map").Get("y"); list.Exists() {
			list.Items(func(_ int, e reading.Value) bool {
				line, col := e.Place()
				got = append(got, fmt.Sprintf("%s %d:%d", e.Scalar(), line, col))
				return true
			})
		}
	}, func(e yamlval.Error) { t.Error(e) })
	// The last line begins "map: {é: x, y: [": 17 bytes.
	if diff := cmp.Diff([]string{"10 4:18", "here 4:22"}, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

// Texts that are small and mean much: each gives an error in words.
func TestHostile(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 9; i++ {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i,
			strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	for name, text := range map[string]string{
		"anchors in anchors":     bomb,
		"an anchor in itself":    "a: &a [*a]\n",
		"brackets":               strings.Repeat("[", 100_000),
		"lists in a line":        strings.Repeat("- ", 100_000) + "x",
		"many values":            "[" + strings.Repeat("a,", 400_000) + "]",
		"a key that is a list":   strings.Repeat("? ", 50_000),
		"bytes that are no text": "a: \xff\xfe\n",
	} {
		if values, errors := read(text); len(values) > 0 || len(errors) != 1 {
			t.Errorf("%s: %d values, errors %q: want one error", name, len(values), errors)
		}
	}
}

func FuzzValues(f *testing.F) {
	f.Add("a: &x [1, .inf]\nb: *x\n---\n? x\n: - y\n")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		place := func(line, col int) {
			if line < 1 || line > lines || col < 0 || col > len(text)+1 {
				t.Errorf("place %d:%d in %d lines", line, col, lines)
			}
		}
		yamlval.Values([]byte(text), func(v reading.Value) {
			v.Fields(func(_ string, m reading.Value) bool { place(m.Place()); return true })
			if _, err := reading.Parse(v.Compact(reading.Elide{})); err != nil {
				t.Errorf("%q: %s", text, err)
			}
		}, func(e yamlval.Error) { place(e.Line, e.Col) })
	})
}

package catalog

import (
	"encoding/json"
	"testing"
)

func TestPython(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`null`, "None"}, {`true`, "True"}, {`false`, "False"}, {`"auto"`, "auto"}, {`""`, ""},
		{`8192`, "8192"}, {`0.9`, "0.9"}, {`1.0`, "1.0"}, {`1e5`, "100000.0"}, {`0.00001`, "1e-05"}, {`1e16`, "1e+16"},
		{`12345678901234567890`, "12345678901234567890"},
		{`["*"]`, "['*']"}, {`[]`, "[]"}, {`{}`, "{}"}, {`[1, 2.5, null, true]`, "[1, 2.5, None, True]"},
		{`{"b": 1, "a": {"c": "d"}}`, "{'b': 1, 'a': {'c': 'd'}}"},
		{`["it's"]`, `["it's"]`}, {`["it's \"x\""]`, `['it\'s "x"']`}, {`["a\nb"]`, `['a\nb']`},
	} {
		if got := python(json.RawMessage(c.in)); got != c.want {
			t.Errorf("Python(%s) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestParameterKey(t *testing.T) {
	for _, c := range []struct {
		a, b       string
		text, want bool // of b
	}{
		{`4`, `4.0`, false, true},
		{`0.90`, `0.9`, false, true},
		{`{"a":true,"b":1}`, `{"b": 1, "a": true}`, false, true},
		{`{"a":true}`, `{"a":1}`, false, false},
		{`["it's"]`, `"[\"it's\"]"`, true, true},
		{`{"a":true}`, `"{'a': True}"`, true, true},
		{`["a", "b"]`, `"['a',  'b']"`, true, true},
		{`true`, `"True"`, true, true},
		{`null`, `"None"`, true, true},
		{`""`, `"None"`, true, false},
		{`""`, `""`, true, true},
	} {
		a, b := Parameter{Value: json.RawMessage(c.a)}, Parameter{Value: json.RawMessage(c.b), Text: c.text}
		if got := a.Key(c.text) == b.Key(false); got != c.want {
			t.Errorf("%s and %s: equal is %t", c.a, c.b, got)
		}
	}
}

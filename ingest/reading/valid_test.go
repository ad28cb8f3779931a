package reading

import (
	"encoding/json"
	"strings"
	"testing"
)

// What is JSON is what encoding/json says is JSON.
func TestValid(t *testing.T) {
	for _, s := range []string{
		`{}`, ` [1, 2.5e-3, -0, "a\u00e9\n", true, false, null] `, `"\x"`, `"\u12"`, `"\u12g4"`, `"\`, `"a`, `NaN`,
		`-Infinity`,
		`Infinity`, `[NaN]`, `01`, `1.`, `.5`, `1e`, `+1`, `nul`, `{"a":1,}`, `[1,]`, `{"a" 1}`, ``, ` `,
		`1 2`, "\"\xff\"",
		"\"\x01\"", `"\ud800"`, `"aaaaaaaaaaaaaaaa\qaaaaaaaa"`, "\"aaaaaaaaaaaaaaa\x1f\"", "\"\x7f\"",
		"\"12345678\xc3\xa9\"",
		strings.Repeat("[", 300) + strings.Repeat("]", 300), strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001),
		strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
	} {
		if got, want := Valid([]byte(s)), json.Valid([]byte(s)); got != want {
			t.Errorf("Valid of %.40q is %v, encoding/json says %v", s, got, want)
		}
	}
}

func FuzzValid(f *testing.F) {
	for _, s := range []string{`{"a":[1,"\u00e9",null]}`, `"\q"`, `[NaN]`, "\"\xff\x00\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, want := Valid(b), json.Valid(b); got != want {
			t.Errorf("Valid of %q is %v, encoding/json says %v", b, got, want)
		}
	})
}

package reading

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/ingest/record"
)

// walk shows what Values gives: values as written, errors with place and text.
func walk(data string, flatten bool) string {
	var b strings.Builder
	t := NewText([]byte(data))
	t.Values(0, len(data), flatten,
		func(v Value) { fmt.Fprintf(&b, "%s\n", v.Bytes()) },
		func(e *SyntaxError) {
			line, col := t.Place(e.Off)
			fmt.Fprintf(&b, "%d:%d: %s\n", line, col, e.Text)
		})
	return b.String()
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		name, in string
		flatten  bool
		want     string
	}{
		{"nothing", " \n\t", false, ""},
		{"one", `{"a": [1, -2.5e+3, "x", true, false, null]}`, false,
			"{\"a\": [1, -2.5e+3, \"x\", true, false, null]}\n"},
		{"one a line, no final newline", "{}\n[]\n1", false, "{}\n[]\n1\n"},
		{"back to back", `{"a":1}{"a":2}[3]`, false, "{\"a\":1}\n{\"a\":2}\n[3]\n"},
		{"Python's numbers", `[NaN, Infinity, -Infinity]`, false, "[NaN, Infinity, -Infinity]\n"},
		{"array taken apart", " [ {} , [1] ,2 ] ", true, "{}\n[1]\n2\n"},
		{"empty array taken apart", "[]", true, ""},
		{"arrays one after the other", "[1]\n[2]", true, "1\n2\n"},
		{"array without commas", "[1 2\n, 3]", true,
			"1\n1:4: unexpected '2' in an array: a comma or ']' should stand here\n"},
		{"array cut short", "[1,\n2", true, "1\n2\n2:2: the file ends inside an array: it was cut short\n"},
		{"object cut short", "{\"a\": 1,\n\"b\"", false,
			"2:4: the file ends inside the object that began in line 1: it was cut short\n"},
		{"string cut short", "{\"a\": \"x", false,
			"1:9: the file ends inside the string that began in line 1: it was cut short\n"},
		{"value missing", "{\"a\":", false, "1:6: the file ends where a value should stand: it was cut short\n"},
		{"line break in a string", "{\"a\": \"x\ny\"}\n{\"b\": 1}", false,
			"1:9: a string holds the control character '\\n': the closing quote may be missing\n{\"b\": 1}\n"},
		{"words behind a value", "{}x\n{\"b\": 1}", false, "{}\n1:3: unexpected 'x' after a value\n{\"b\": 1}\n"},
		{"no JSON at all", "hello\n{}\n", false, "1:1: unexpected 'h' where a value should stand\n{}\n"},
		{"key without quotes", "{a: 1}", false, "1:2: unexpected 'a' where a key should stand\n"},
		{"no colon", `{"a" 1}`, false, "1:6: unexpected '1' after a key: a colon should stand here\n"},
		{"final comma", `{"a": 1,}`, false, "1:9: unexpected '}' where a key should stand\n"},
		{"bad words", "[nul]", false, "1:2: unexpected 'n' where a value should stand\n"},
		{"bad numbers", "[01]\n[1.]\n[-]\n[1e]\n[.5]\n[+1]\n[1]", false,
			"1:2: \"01\" is no JSON number\n2:2: \"1.\" is no JSON number\n3:2: \"-\" is no JSON number\n4:2: \"1e\" " +
				"is no JSON number\n5:2: unexpected '.' where a value should stand\n6:2: unexpected '+' where a value " +
				"should stand\n[1]\n"},
		{"no UTF-8", "{\"a\": \"\xff\"}\n{\"b\": \"é\"}", false,
			"1:7: text that is not UTF-8: unreadable bytes are shown as U+FFFD\n{\"a\": \"\xff\"}\n{\"b\": \"é\"}\n"},
		{"a line lacks its end, the next is read", "{\"a\": [1, 2,\n{\"a\": 2}\n{\"a\": 3}\n", false,
			"3:1: unexpected '{' in an array: a comma or ']' should stand here\n{\"a\": 2}\n{\"a\": 3}\n"},
		{"the last but one lacks its end", "{\"a\": [1, 2,\n{\"a\": 2}\n", false,
			"3:1: the file ends inside the array that began in line 1: it was cut short\n{\"a\": 2}\n"},
		{"pretty values, the first without an end", "{\n  \"a\": {\n    \"b\": 1\n  }\n{\n  \"a\": 2\n}\n", false,
			"5:1: unexpected '{' in an object: a comma or '}' should stand here\n{\n  \"a\": 2\n}\n"},
		{"pretty elements, the first bad",
			"[\n  {\n    \"a\": x,\n    \"l\": [\n      {\n      }\n    ]\n  },\n  {\n    \"a\": 2\n  }\n]\n", true,
			"3:10: unexpected 'x' where a value should stand\n{\n    \"a\": 2\n  }\n"},
		{"elements of one line, the second bad", `[{"a": [1]}, {"a": 1.0.0, "b": "]},{\""}, {"c": 1}]` + "\n{}", true,
			"{\"a\": [1]}\n1:23: unexpected '.' in an object: a comma or '}' should stand here\n{\"c\": 1}\n{}\n"},
		{"elements of one line, the last bad", `[{"a": 1}, {"a": x}]` + "\n{}", true,
			"{\"a\": 1}\n1:18: unexpected 'x' where a value should stand\n{}\n"},
		{"elements of one line, one without its quote", `[{"a": "x}, {"a": 1}, {"a": 2}]`, true,
			"1:15: unexpected 'a' in an object: a comma or '}' should stand here\n"},
		{"elements without commas", `[{"a": 1} {"a": 2}, {"a": 3}]`, true,
			"{\"a\": 1}\n1:11: unexpected '{' in an array: a comma or ']' should stand here\n{\"a\": 2}\n{\"a\": 3}\n"},
		{"files behind one another, each with its mark",
			"\ufeff{\"a\": 1}\n\ufeff{\"a\": 2}\ufeff{\"a\": 3}\r\n\ufeff[4]\ufeff\n", true,
			"{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n4\n"},
		{"a mark behind what is cut short", "{\"a\": 1,\n\ufeff{\"a\": 2}\n", false,
			"2:1: unexpected '\\ufeff' where a key should stand\n{\"a\": 2}\n"},
		{"tabs are no blanks", "\t{\"a\": x}\n {\"b\": 1}\n\t{\"c\": 1}\n", false,
			"1:8: unexpected 'x' where a value should stand\n{\"c\": 1}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, walk(c.in, c.flatten)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestDepth(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	if _, err := Parse([]byte(deep(MaxDepth))); err != nil {
		t.Errorf("%d deep: %v", MaxDepth, err)
	}
	if got, want := walk(deep(10_000)+"\n{}\n", false), "1:258: nested more than 256 deep\n{}\n"; got != want {
		t.Errorf("10,000 deep: got %q, want %q", got, want)
	}
}

// Text that is made to be read again and again is given up.
func TestDamageIsBounded(t *testing.T) {
	var b strings.Builder
	for range 200 {
		b.WriteString("[0,\n")
	}
	for b.Len() < 4<<20 {
		b.WriteString("[0],\n")
	}
	done := make(chan string)
	go func() { done <- walk(b.String(), false) }()
	select {
	case got := <-done:
		if !strings.Contains(got, "too damaged") {
			t.Errorf("got %.300q", got)
		}
	case <-time.After(time.Minute):
		t.Fatal("still reading")
	}
}

func parse(t *testing.T, data string) Value {
	t.Helper()
	v, err := Parse([]byte(data))
	if err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}

func TestParse(t *testing.T) {
	for in, want := range map[string]string{
		"":         "the file ends where a value should stand: it was cut short",
		"{} {}":    "unexpected '{' after the value",
		"[1,":      "the file ends where a value should stand: it was cut short",
		" {} \n\t": "",
	} {
		got := ""
		if _, err := Parse([]byte(in)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("Parse(%q) says %q, want %q", in, got, want)
		}
	}
}

func TestPlace(t *testing.T) {
	text := NewText([]byte("ab\n\ncd"))
	for off, want := range [][2]int{{1, 1}, {1, 2}, {1, 3}, {2, 1}, {3, 1}, {3, 2}, {3, 3}} {
		if line, col := text.Place(off); line != want[0] || col != want[1] {
			t.Errorf("offset %d is %d:%d, want %d:%d", off, line, col, want[0], want[1])
		}
	}
	v := parse(t, "{\n  \"a\": 1}")
	if line, col := v.Get("a").Place(); line != 2 || col != 8 {
		t.Errorf("the value is at %d:%d, want 2:8", line, col)
	}
	if line, col := v.Get("b").Place(); line != 0 || col != 0 {
		t.Errorf("a missing value is at %d:%d", line, col)
	}
}

func TestAccess(t *testing.T) {
	v := parse(t,
		`{"n": -1.5e1, "s": "a\"\\\u00e9\n", "t": true, "f": false, "z": null, "a": [1, [2], {"x": "]"}], "o": {"k": "v"}, "n": 7, "e\u0041": 1, "big": 9007199254740994, "bad\x": "\x"}`)
	if f, ok := v.Get("n").Float(); f != 7 || !ok {
		t.Errorf("of equal keys the last does not win: %v %v", f, ok)
	}
	if n, ok := v.Get("n").Int(); n != 7 || !ok {
		t.Errorf("Int: %v %v", n, ok)
	}
	if _, ok := v.Get("big").Int(); ok {
		t.Error("a number beyond 2^53 is taken for exact")
	}
	if _, ok := v.Get("s").Int(); ok {
		t.Error("a string is taken for a number")
	}
	if s, ok := v.Get("s").Str(); s != "a\"\\é\n" || !ok {
		t.Errorf("Str: %q %v", s, ok)
	}
	if s, _ := v.Get(`bad\x`).Str(); s != `\x` {
		t.Errorf("an unknown escape gives %q", s)
	}
	if b, ok := v.Get("t").Truth(); !b || !ok {
		t.Errorf("Truth: %v %v", b, ok)
	}
	if b, ok := v.Get("f").Truth(); b || !ok {
		t.Errorf("Truth: %v %v", b, ok)
	}
	if v.Get("z").Kind() != KindNull || !v.Get("z").Exists() || v.Get("none").Exists() || v.Get("n").Get("x").Exists() {
		t.Error("null, missing, and a key of what is no object")
	}
	if !v.Get("eA").Exists() {
		t.Error("an escape in a key is not decoded")
	}
	if got := v.Get("a").Len(); got != 3 {
		t.Errorf("Len of an array: %d", got)
	}
	if got := v.Len(); got != 11 {
		t.Errorf("Len of an object: %d", got)
	}
	if m := v.Map(); len(m) != 10 || string(m["n"].Bytes()) != "7" {
		t.Errorf("Map: %v", slices.Sorted(maps.Keys(m)))
	}
	for key, want := range map[string]string{"n": "7", "s": "a\"\\é\n", "t": "true", "z": "", "a": "", "o": "",
		"none": ""} {
		if got := v.Get(key).Scalar(); got != want {
			t.Errorf("Scalar of %s: %q, want %q", key, got, want)
		}
	}
	var items []string
	v.Get("a").Items(func(i int, e Value) bool {
		items = append(items, fmt.Sprintf("%d %s %s", i, e.Kind(), e.Bytes()))
		return i < 1
	})
	if diff := cmp.Diff([]string{"0 a number 1", "1 an array [2]"}, items); diff != "" {
		t.Error(diff)
	}
}

func TestFloat(t *testing.T) {
	for in, want := range map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1),
		"1e999": math.Inf(1), "-0.1": -0.1, "123456789.25": 123456789.25} {
		got, ok := parse(t, in).Float()
		if !ok || got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s: %v %v", in, got, ok)
		}
		if _, finite := parse(t, in).Finite(); finite != (!math.IsNaN(want) && !math.IsInf(want, 0)) {
			t.Errorf("%s: Finite says %v", in, finite)
		}
	}
}

func TestCompact(t *testing.T) {
	e := Elide{Longer: 3, Texts: []string{"prompt"}, Drop: []string{"drop"}}
	for _, c := range []struct{ in, want string }{
		{`{ "a" : [ 1.50 , NaN , -Infinity ] , "drop" : { "x" : 1 } , "b" : "<é\/>" }`,
			`{"a":[1.50,"NaN","-Infinity"],"b":"<é/>"}`},
		{`{"prompt": "secrét", "x": {"prompt": ["ab", "", 3]}}`,
			`{"prompt":{"elided":"text","length":7},"x":{"prompt":[{"elided":"text","length":2},"",3]}}`},
		{`[1, 2, 4.5, 3]`, `{"elided":"array","length":4,"sha256":"?","min":1,"mean":2.625,"max":4.5}`},
		{`[1, 2, "x", 3]`, `{"elided":"array","length":4,"sha256":"?"}`},
		{`[1, 2, NaN, 3]`, `{"elided":"array","length":4,"sha256":"?"}`},
		{"{\"a\": \"\xff\"}", `{"a":"�"}`},
	} {
		got := string(parse(t, c.in).Compact(e))
		if !json.Valid([]byte(got)) {
			t.Errorf("%s gives %s, which is no JSON", c.in, got)
		}
		if sum := digests(got); sum != "" {
			got, c.want = strings.ReplaceAll(got, sum, "?"), strings.ReplaceAll(c.want, digests(c.want), "?")
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
	if got := string(Value{}.Compact(Elide{})); got != "null" {
		t.Errorf("a missing value gives %s", got)
	}
	same := parse(t, `[[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 5]]`)
	var sums []string
	same.Items(func(_ int, v Value) bool { sums = append(sums, digests(string(v.Compact(e)))); return true })
	if sums[0] != sums[1] || sums[0] == sums[2] || len(sums[0]) != 64 {
		t.Errorf("digests: %v", sums)
	}
}

// digests returns the digest in a summary, "?" where there is none.
func digests(s string) string {
	_, after, ok := strings.Cut(s, `"sha256":"`)
	if !ok {
		return "?"
	}
	sum, _, _ := strings.Cut(after, `"`)
	return sum
}

func TestKeys(t *testing.T) {
	whole := `{"a": {"x": 1, "y": {"deep": 1}}, "b": [{"z": "}"}, 2], "c": "d: {\"no\": 1}", "e": [[{"no": 1}]]}`
	for _, in := range []string{whole, "[" + whole + `, {"other": 1}]`, " \n" + whole + `{"second": 1}`} {
		top, nested := Keys([]byte(in))
		if got, want := slices.Sorted(maps.Keys(top)), []string{"a", "b", "c", "e"}; !slices.Equal(got, want) {
			t.Errorf("%s: top %v, want %v", in, got, want)
		}
		if got, want := slices.Sorted(maps.Keys(nested)), []string{"a.x", "a.y", "b.z"}; !slices.Equal(got, want) {
			t.Errorf("%s: nested %v, want %v", in, got, want)
		}
	}
	// Cut anywhere, it gives a part of the keys and no others.
	all, allNested := Keys([]byte(whole))
	for i := range whole {
		top, nested := Keys([]byte(whole[:i]))
		for k := range top {
			if !all[k] {
				t.Errorf("cut at %d: key %q", i, k)
			}
		}
		for k := range nested {
			if !allNested[k] {
				t.Errorf("cut at %d: nested key %q", i, k)
			}
		}
	}
	for _, in := range []string{"", "1", `"a"`, "[", "[1, {\"a\": 1}]", "text {\"a\": 1}"} {
		if top, nested := Keys([]byte(in)); len(top)+len(nested) > 0 {
			t.Errorf("%s: %v %v", in, top, nested)
		}
	}
}

// The texts of a file are decoded as each would be alone, whichever were decoded before.
func TestTextsAreRemembered(t *testing.T) {
	var all []string
	for i := range 3000 {
		all = append(all, strings.Repeat("x", i%40)+strconv.Itoa(i/7), `a\n`+strconv.Itoa(i%50), "\xff and so on")
	}
	text := NewText([]byte(`["` + strings.Join(all, `","`) + `"]`))
	v, _ := text.Whole()
	v.Items(func(i int, v Value) bool {
		if s, _ := v.Str(); s != unquote(v.Bytes()) {
			t.Errorf("text %d, %q, is decoded as %q", i, v.Bytes(), s)
		}
		return true
	})
}

func FuzzValues(f *testing.F) {
	for _, s := range []string{
		`{"a": [1, -2.5e+3, "x", true, false, null]}`, "{}\n[]\n1", `{"a":1}{"a":2}[3]`, `[NaN, Infinity, -Infinity]`,
		"[1 2\n, 3]",
		"{\"a\": \"x\ny\"}\n{\"b\": 1}", "{\"a\": [1, 2,\n{\"a\": 2}\n", "{\"a\": \"\xff\\u12\\x\"}", `{"a\"":"\\"}`,
		"[\n  {\n    \"a\": x,\n  },\n  {\n    \"a\": 2\n  }\n]\n", "[[[[{\"a\":[", `"\ud800\udc00\ud800"`,
	} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, flatten bool) {
		text := NewText(data)
		last := 0
		use := func(v Value) {
			if v.Off() < last || v.end <= v.Off() || v.end > len(data) {
				t.Fatalf("a value from %d to %d after %d", v.Off(), v.end, last)
			}
			last = v.end
			for _, e := range []Elide{{},
				{Longer: 1, Texts: []string{"a"}, Drop: []string{"b"}}} {
				if c := v.Compact(e); !json.Valid(c) {
					t.Errorf("%q gives %q, which is no JSON", v.Bytes(), c)
				}
			}
			again, err := Parse(bytes.Clone(v.Bytes()))
			if err != nil || again.Kind() != v.Kind() || again.Len() != v.Len() {
				t.Errorf("%q is read as a value and not again: %v", v.Bytes(), err)
			}
			if v.Kind() == KindObject && len(v.Map()) > v.Len() {
				t.Errorf("%q has more keys than members", v.Bytes())
			}
			e := Elide{Longer: 1, Texts: []string{"a"}}
			if o := NewObject("f", v, func(record.Record) {}); len(o.members) > 0 {
				keys, values, ok := v.Parts(e, nil)
				r := &record.Result{}
				r.SetParts(keys, values)
				if c := v.Compact(e); !ok || !bytes.Equal(r.Raw, c) {
					t.Errorf("%q is %q in two parts, and %q in one", v.Bytes(), r.Raw, c)
				}
			}
		}
		text.Values(0, len(data), flatten, use, func(e *SyntaxError) {
			if line, col := text.Place(e.Off); e.Off < 0 || e.Off > len(data) || line < 1 || col < 1 || e.Text == "" {
				t.Errorf("error %q at offset %d, %d:%d", e.Text, e.Off, line, col)
			}
		})
		Keys(data)

		// What is JSON is read, and means the same.
		if !json.Valid(data) || bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > MaxDepth {
			return
		}
		v, err := Parse(data)
		if err != nil {
			t.Fatalf("%q is JSON: %v", data, err)
		}
		if overflows(decode(t, data)) {
			return // beyond the range of a float64: becomes a string, as infinities do
		}
		if diff := cmp.Diff(decode(t, data), decode(t, v.Compact(Elide{}))); diff != "" {
			t.Errorf("%q is changed:\n%s", data, diff)
		}
	})
}

func overflows(v any) bool {
	switch v := v.(type) {
	case json.Number:
		_, err := v.Float64()
		return err != nil
	case []any:
		return slices.ContainsFunc(v, overflows)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), overflows)
	}
	return false
}

func decode(t *testing.T, data []byte) (v any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Any number is read as strconv reads it, and no byte behind it is.
func TestDecimal(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	for range 200_000 {
		text := []byte(strconv.FormatFloat(math.Exp(rnd.Float64()*60-30), 'f', rnd.IntN(12), 64))
		if f := rnd.IntN(20); f == 0 {
			text = fmt.Appendf(nil, "%d", rnd.Uint64()>>rnd.IntN(64))
		} else if f == 1 {
			text = append(text, "e-07"...)
		} else if f == 2 {
			text = append([]byte{'-'}, text...)
		}
		want, err := strconv.ParseFloat(string(text), 64)
		if err != nil {
			t.Fatal(err)
		}
		if f, n := Decimal(append(text, ",1}"...)); f != want || n != len(text) {
			t.Fatalf("%s: got %v of %d bytes, want %v", text, f, n, want)
		}
	}
	for _, text := range []string{"", ".", "-", "1.2.3", "null", "e5"} {
		if f, n := Decimal([]byte(text)); n != 0 {
			t.Errorf("%q: got %v of %d bytes", text, f, n)
		}
	}
}

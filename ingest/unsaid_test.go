package ingest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/record"
)

func TestUnsaid(t *testing.T) {
	const nan = `in.csv:2:%d: "NaN" stands for a value, which is left out`
	for _, c := range []struct {
		data string
		rate float64
		want string
	}{
		{"a,b\n1,NaN\n", 1, fmt.Sprintf(nan, 3)},
		{"a,b\nnan,NaN\nnan,2\n", 1, fmt.Sprintf(nan, 1) + ", and so do 2 further ones"},
		{"a,b\n1,\"\tnan\"\n", 1, fmt.Sprintf(nan, 5)},
		{"x: 1\nTTFT (ms):   -inf ms\n", 1,
			`in.csv:2:14: "inf" stands for a value, which is left out: no measurement is that`},
		{"x\n| 1e400 | 12.5e+999 |", 1,
			`in.csv:2:3: "1e400" stands for a value, which is left out: no measurement is that, and so does 1 further one`},
		{"x\n{\"speed\": Infinity}", math.Inf(1),
			`in.csv:2:11: "Infinity" stands for a value, which is left out: no measurement is that`},
		{"x\n{\"generated\": Infinity}", 1,
			`in.csv:2:15: "Infinity" stands for a value, which is left out: no measurement is that`},
		// A rate of requests may be infinite, and words and digests are no values.
		{"x\n{\"request_rate\": Infinity, \"rate\": \"inf\"}\nTraffic request rate: inf\n", 1, ""},
		{"x\nNamespace(seed=0, max_len_sec=inf, rate=1.0)\n{'timeout': inf}", 1, ""},
		{"{\"text\": \"of 1, NaN, 2 and float('inf')\", \"list\": [1, 2, 3]}", 1, ""},
		{"{\"text\": [\"a\", \"NaN\", 1]}", 1, `in.csv:1:16: "NaN" stands for a value, which is left out`},
		{"a,rate\n1,inf\n", math.Inf(1), ""},
		{"x\n 0.00 ms / 1 runs ( 0.00 ms per token, inf tokens per second)\n0.00 ms / 0 runs ( nan ms per token, -inf tokens per second)", 1, ""},
		{"x\nvllm-infqps nan-proxy, the loss is nan. info, a/nan/b 1e308 de4000 e999 .e5", 1, ""},
		{"said\n1,NaN\nInfinity\n", 1, `in.csv:2: "NaN" is no speed`},
	} {
		src := &reading.Source{Head: reading.NewHead("in.csv", []byte(c.data)), Data: []byte(c.data)}
		rate := record.Float(c.rate)
		res := &record.Result{Base: record.Base{At: record.Pos{File: "in.csv", Line: 2}, Key: "k"},
			Load: record.Load{Rate: &rate}}
		before := []record.Record{res}
		if strings.HasPrefix(c.data, "said") {
			before = []record.Record{record.Errorf(record.Pos{File: "in.csv", Line: 2}, "%q is no speed", "NaN"),
				record.Errorf(record.Pos{File: "in.csv", Line: 3}, "%q is infinite", "a")}
		}
		var got []string
		for _, r := range unsaid(src, before) {
			switch r := r.(type) {
			case *record.Note:
				got = append(got, r.At.String()+": "+r.Text)
				if r.Key != "k" || r.Severity != record.Remark {
					t.Errorf("%q: a note of %q", c.data, r.Key)
				}
			case *record.SyntaxError:
				if r.At.File == "" {
					r.At.File = "in.csv"
				}
				if !strings.Contains(r.Text, "is infinite") {
					got = append(got, r.At.String()+": "+r.Text)
				}
			}
		}
		if s := strings.Join(got, "\n"); s != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.data, s, c.want)
		}
	}
}

// Of JSON that was gone over, what is looked at again tells as much as all of it does.
func TestDoubtsTellWhatAllTells(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	values := []string{"1", "-2.5e3", "1e999", "-1E+400", "NaN", "Infinity", "-Infinity", `"NaN"`, `"inf"`, `"-inf"`, `"1e999"`,
		`"nan of it"`, `", nan, it"`, `": 1e999,"`, `"{\"a\": NaN, \"b\": 1}"`, `" inf"`, `"x, inf"`, "null", `""`, `"\\"`, "[]"}
	keys := []string{`"a"`, `"nan"`, `", nan"`, `"rate"`, `"limit"`, `"\"inf\": "`, "\"é\""}
	var value func(depth int) string
	value = func(depth int) string {
		n := rnd.IntN(3)
		switch kind := rnd.IntN(8); {
		case kind == 0 && depth < 4:
			var items []string
			for range n {
				items = append(items, value(depth+1))
			}
			return "[" + strings.Join(items, ",\n") + "]"
		case kind < 3 && depth < 4:
			var members []string
			for range n {
				members = append(members, keys[rnd.IntN(len(keys))]+": "+value(depth+1))
			}
			return "{" + strings.Join(members, ", ") + "}"
		}
		return values[rnd.IntN(len(values))]
	}
	all := 0
	for range 5_000 {
		data := "{" + keys[rnd.IntN(len(keys))] + ": " + value(0) + ", \"rows\": [" + value(0) + "," + value(0) + "]}\n"
		told := func(read bool) string {
			src := reading.NewSource("in.json", []byte(data))
			if read {
				reading.Values(src, true, func(reading.Value) {}, func(r record.Record) { t.Fatal(data, r) })
			}
			var texts []string
			for _, r := range unsaid(src, []record.Record{&record.Result{Base: record.Base{At: record.Pos{Line: 2}}}}) {
				switch r := r.(type) {
				case *record.Note:
					texts = append(texts, r.At.String()+r.Text)
				case *record.SyntaxError:
					texts = append(texts, r.At.String()+r.Text)
				}
			}
			all += len(texts)
			return strings.Join(texts, "\n")
		}
		if got, want := told(true), told(false); got != want {
			t.Fatalf("%s\n got %s\nwant %s", data, got, want)
		}
	}
	if all < 1_000 {
		t.Errorf("only %d texts were told", all)
	}
}

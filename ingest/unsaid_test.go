package ingest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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

// Words and numbers are found wherever they stand among the eight bytes that are looked at together, and what looks at
// the bytes one by one finds the same.
func TestSuspects(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	parts := []string{"NaN", "nan", "Nan", "inf", "Infinity", "-INF", "1e999", "12.5E+400", "1e5", "e999", "\xff1e999", ":e", "n", "f",
		"a", "N\xc1N", " ", "0", "é", "/1e400", ":1e400"}
	for range 20_000 {
		var data []byte
		for range rnd.IntN(12) {
			data = append(data, parts[rnd.IntN(len(parts))]...)
		}
		var want, got [][2]int
		for i := 1; i < len(data); i++ {
			if from, to, ok := overflow(data, i); ok && data[i]|0x20 == 'e' {
				want = append(want, [2]int{from, to})
			}
			if n := wordAt(data[i-1:]); n > 0 && data[i]|0x20 == 'a' {
				want = append(want, [2]int{i - 1, i - 1 + n})
			}
			if i > 1 && data[i]|0x20 == 'f' {
				if n := wordAt(data[i-2:]); n > 0 {
					want = append(want, [2]int{i - 2, i - 2 + n})
				}
			}
		}
		for from, to := range suspects(data) {
			got = append(got, [2]int{from, to})
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: got %v, want %v", data, got, want)
		}
	}
}

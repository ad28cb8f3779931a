package table_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/format/table"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// read shows what a map of columns reads of a table: values and loads of rows, and the lines of what is wrong.
func read(t *testing.T, columns map[string]string, text string) string {
	t.Helper()
	m := table.Map{Files: func(string) bool { return true }}
	for name, meaning := range columns {
		if err := m.Column(name, meaning, nil); err != nil {
			t.Fatal(err)
		}
	}
	var out []string
	err := table.With([]table.Map{m}).Read(reading.NewSource("t.csv", []byte(text)), func(r record.Record) {
		switch r := r.(type) {
		case *record.SyntaxError:
			out = append(out, fmt.Sprintf("%d! %s", r.At.Line, r.Text))
		case *record.Result:
			s := fmt.Sprint(r.At.Line)
			if c := r.Load.MaxConcurrency; c != nil {
				s += fmt.Sprint(" users ", *c)
			}
			for _, v := range r.Values {
				s += fmt.Sprintf(" %s %v %s", v.Quantity, v.Number, v.Unit)
			}
			out = append(out, s)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, "\n")
}

// A percentage is a number of a fraction, and of nothing else.
func TestPercent(t *testing.T) {
	got := read(t, map[string]string{"users": "max_concurrency", "tok/s": "output_throughput tok/s",
		"acceptance": "spec_decode_acceptance fraction", "cache": "kv_cache_usage %"},
		"users,tok/s,acceptance,cache\n1,50,75%,11 %\n2,50,0.75,11\n11%,55%,75%,\n")
	want := `2 users 1 output_throughput 50 tok/s spec_decode_acceptance 75 % kv_cache_usage 11 %
3 users 2 output_throughput 50 tok/s spec_decode_acceptance 0.75 fraction kv_cache_usage 11 %
4! "users" is "11%", which is no number of its column: the value is left out: map it to a fraction, or take the sign out
4! "tok/s" is "55%", which is no number of its column: the value is left out: map it to a fraction, or take the sign out
4 spec_decode_acceptance 75 %`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Where the decimals of a table have commas, they are read; a point alone may be one of thousands, and is not read as one of
// decimals.
func TestDecimalCommas(t *testing.T) {
	columns := map[string]string{"tok/s": "output_throughput tok/s", "ttft": "ttft mean ms"}
	got := read(t, columns, "tok/s;ttft\n1.234;41\n1.234,5;40\n50;41,5\n1,250;1.2,5\n")
	const why = " in a table whose decimals have commas, and its point may be one of thousands: the value is left out: " +
		"write nothing between thousands\n"
	want := `2! "tok/s" is "1.234"` + why + `2 ttft 41 ms
3 output_throughput 1234.5 tok/s ttft 40 ms
4 output_throughput 50 tok/s ttft 41.5 ms
5! "ttft" is "1.2,5"` + why + "5 output_throughput 1.25 tok/s"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for text, want := range map[string]string{
		"tok/s;ttft\n1.234;41\n":             "2 output_throughput 1.234 tok/s ttft 41 ms",
		"tok/s,ttft\n1.234,41\n50,5\n":       "2 output_throughput 1.234 tok/s ttft 41 ms\n3 output_throughput 50 tok/s ttft 5 ms",
		"tok/s;ttft;note\n1.234;41;a, b,5\n": "2 output_throughput 1.234 tok/s ttft 41 ms",
	} {
		if got := read(t, columns, text); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// The reciprocal of a speed is a time for medians and percentiles alone.
func TestReciprocal(t *testing.T) {
	for meaning, ok := range map[string]bool{
		"tpot p99 1/(tok/s)": true, "tpot median 1/(tok/s)": true, "tpot std 1/(tok/s)": false, "tpot min 1/(tok/s)": false,
		"tpot max 1/(tok/s)": false, "itl mean 1/(tok/s)": false,
	} {
		if _, err := table.Parse(meaning, nil); (err == nil) != ok {
			t.Errorf("%q: %v", meaning, err)
		}
	}
}

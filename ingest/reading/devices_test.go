package reading_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"
)

// Equal names are listed once, where the first of them stands, and as many as one likes take no longer than they are.
func TestNames(t *testing.T) {
	var many []string
	for i := range 500_000 { // each held against all before it would take minutes
		many = append(many, fmt.Sprint("GPU ", i))
	}
	for want, names := range map[string][]string{
		"":                                  nil,
		"A":                                 {"A"},
		"2x A, B":                           {"A", "B", "A"},
		"B, 3x A":                           {"B", "A", "A", "A"},
		"2x A, 2x B":                        {"A", "B", "B", "A"},
		strings.Join(many, ", "):            many,
		"2x X, " + strings.Join(many, ", "): append([]string{"X", "X"}, many...),
	} {
		if got := reading.Names(names); got != want {
			t.Errorf("%.60q: %.60q, want %.60q", names[:min(len(names), 5)], got, want)
		}
	}
}

// Each size is one factor, whatever names it has; what is unreadable or contradicts itself gives no number.
func TestAccelerators(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "0",
		"tp=8 dp=8":                            "64",
		"tp=8 dp=8 enable_dp_attention=True":   "8",
		"tp=8 pp=2 dp=2 enable_dp_attention=1": "16",
		"tp=8 pp=2 dp=None enable_dp_attention=false": "16",
		"dp=2":                                  "2",
		"tp=2 tensor_parallel_size=2 tp_size=2": "2",
		"tp=2 dp=2 replicas=2":                  "4",
		"tp=2 dp_size=0 replicas=2":             "4",
		"tp=$TP pp=2":                           "0",
		"tp=1.5":                                "0",
		"tp=65536 pp=65536":                     "0",
		"tp=2 tp_size=4 pp=2": `0 "tp_size" is 4 and "tp" is 2, which are two names of one size: how many accelerators serve is ` +
			`not known: leave one of them`,
	} {
		said := map[string]string{}
		for _, kv := range strings.Fields(text) {
			k, v, _ := strings.Cut(kv, "=")
			said[k] = v
		}
		n, _, err := reading.Accelerators(func(name string) string { return said[name] })
		got := fmt.Sprint(n)
		if err != nil {
			got += " " + err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

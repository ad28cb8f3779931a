package llamabench

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// powers are the names under which scripts keep the power that they read during a test, in watts.
var powers = [][2]string{
	{"avg_power_w", metric.Mean}, {"mean_power_w", metric.Mean}, {"median_power_w", metric.Median},
	{"max_power_w", metric.Max}, {"min_power_w", metric.Min},
}

// repeats are members of a script's object that the test says itself, or that say only when it ran.
var repeats = []string{
	"start_time", "end_time", "timestamp", "time", "date", "mode", "value", "test", "id", "run", "command", "cmd",
	"log", "output", "stdout", "stderr",
}

// unwrap finds the test in the object of a script that ran it, and takes what stands beside: words
// and switches (the build, hipBLASLt, the driver, the image) tell runs apart, power is measured,
// other numbers are kept and not used.
func (w *row) unwrap(v reading.Value, at func(off int) record.Pos) (test reading.Value) {
	fields := v.Map()
	v.Fields(func(k string, f reading.Value) bool {
		if f.Kind() == reading.KindObject && f.Get("build_commit").Exists() && f.Get("n_prompt").Exists() {
			test = f
		}
		return !test.Exists()
	})
	if !test.Exists() {
		return test
	}
	v.Fields(func(k string, f reading.Value) bool {
		switch kind := f.Kind(); {
		case f.Off() == test.Off() || f.Off() != fields[k].Off() || kind == reading.KindNull:
		case reading.Second(powers, k) != "":
			if n, ok := f.Finite(); ok && n > 0 {
				w.values = append(w.values, record.Value{Quantity: metric.Power, Stat: reading.Second(powers, k), Number: n,
					Unit: "W", Key: k})
			}
		case (kind == reading.KindString || kind == reading.KindBool) && !slices.Contains(repeats, k):
			if text := f.Scalar(); text != "" {
				w.setup = append(w.setup, record.KV{Key: k, Value: text})
				w.facts = append(w.facts, record.Fact{Key: "labels." + reading.Clip(k),
					Value: reading.Clip(text), At: at(f.Off())})
			}
		default:
			w.unmapped = append(w.unmapped, k)
		}
		return true
	})
	if label := w.label(); label != "" {
		w.facts = append(w.facts, record.Fact{Key: record.FactSeries, Value: label, At: w.at})
	}
	// The raw record is the script's; what it holds is the test's and more.
	w.raw = json.RawMessage(v.Compact(reading.Elide{Longer: 64}))
	return test
}

// labels are the keys of a script that make a label. Others are kept under their own names only: a
// label is read without its key, by which a secret would be known.
var labels = []string{
	"build", "backend", "driver", "fa", "flash_attn", "b", "hipblaslt", "rocwmma", "config", "variant",
}

// label says in few words what the script says of a test: "llama.cpp-hip, -fa 1, hipblaslt".
func (w *row) label() string {
	var words []string
	for _, kv := range w.setup {
		switch {
		case !slices.Contains(labels, strings.ToLower(kv.Key)):
		case kv.Key == "build" || strings.HasPrefix(kv.Value, "-"):
			words = append(words, kv.Value)
		case kv.Value == "1" || kv.Value == "true":
			words = append(words, kv.Key)
		case kv.Value != "0" && kv.Value != "false":
			words = append(words, kv.Key+" "+kv.Value)
		}
	}
	return reading.Clip(strings.Join(words, ", "))
}

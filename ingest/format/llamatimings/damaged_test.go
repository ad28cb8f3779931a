package llamatimings

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"
)

// A log that ends behind the time of a prompt is no unknown text; a program or a record that has such a line is.
func TestDamaged(t *testing.T) {
	const prompt = "prompt eval time =      24.00 ms /    12 tokens (    2.00 ms per tok"
	for text, line := range map[string]int{
		"build: 4567 (abc1234)\nllama_perf_context_print: " + prompt:             2,
		"slot print_timing: id  0 | task 7 |\n" + prompt + "\n":                  2,
		`x = "llama_perf_context_print: ` + prompt + `"`:                         0,
		`{"function":"print_timings","msg":"` + prompt + `"}`:                    0,
		"llama_perf_context_print: " + prompt + "\nsomething else was said then": 0,
	} {
		e := damaged(&reading.Head{Data: []byte(text)})
		if e == nil && line > 0 || e != nil && e.At.Line != line {
			t.Errorf("%q: %v, want line %d", text, e, line)
		}
	}
}

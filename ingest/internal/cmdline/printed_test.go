package cmdline

import (
	"maps"
	"testing"
)

// What a command above a result says is its own alone, and a variable of its script says nothing.
func TestPrinted(t *testing.T) {
	above := NewPrinted(`bench serve`, "model", "num_prompts", "request_rate")
	a := Arguments{}
	for n, line := range []string{"$ bench serve --model acme/tiny --num-prompts 8 \\", "  --request-rate=4",
		`bench serve --model "$MODEL" --num-prompts ${N} --request-rate 2`} {
		above.Read(a, line, n+1)
		if n == 1 && !maps.Equal(a, Arguments{CommandLine: {Line: 1}, "model": {"acme/tiny", 1}, "num_prompts": {"8", 1},
			"request_rate": {"4", 2}}) {
			t.Errorf("the first command has %v", a)
		}
	}
	if !maps.Equal(a, Arguments{CommandLine: {Line: 3}, "request_rate": {"2", 3}}) {
		t.Errorf("the second command has %v", a)
	}
}

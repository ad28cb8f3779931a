package cmdline

import (
	"maps"
	"testing"
)

// What a command above a result says is its own alone, a variable of its script says nothing, and what a reader fills in is
// one value.
func TestPrinted(t *testing.T) {
	above := NewPrinted(`bench serve`, "model", "num_prompts", "request_rate")
	a := Arguments{}
	for n, line := range []string{"$ bench serve --model acme/tiny --num-prompts 8 \\", "  --request-rate=4",
		`bench serve --model "$MODEL" --num-prompts ${N} --request-rate 2`,
		"bench serve --model <your model> --request-rate 3"} {
		above.Read(a, line, n+1)
		if n == 1 && !maps.Equal(a, Arguments{CommandLine: {Line: 1}, "model": {"acme/tiny", 1}, "num_prompts": {"8", 1},
			"request_rate": {"4", 2}}) {
			t.Errorf("the first command has %v", a)
		}
		if n == 2 && !maps.Equal(a, Arguments{CommandLine: {Line: 3}, "request_rate": {"2", 3}}) {
			t.Errorf("the second command has %v", a)
		}
	}
	if !maps.Equal(a, Arguments{CommandLine: {Line: 4}, "model": {"<your model>", 4}, "request_rate": {"3", 4}}) {
		t.Errorf("the third command has %v", a)
	}
}

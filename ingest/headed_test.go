package ingest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// The head of a report in Markdown states model and hardware of its results, and its prose, its lists and its tables
// state nothing.
func TestHeaded(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"run.md", "\n# Run\n\n**Date:** 2026-05-05\n**Model:** org/M\n- **Hardware**: 2x H100 80GB  \n\nProse.\nGPU: B200\n",
			"model=org/M:5 hardware=2x H100 80GB:6"},
		{"a/RUN.MD", "# Run\r\n* __GPUs:__ 8× MI300X\r\n", "hardware=8× MI300X:2"},
		{"in.zip!run.markdown", "# Run\nGPU : `L40S`\nHardware: H100\n", "hardware=L40S:2"},
		{"run.log", "# Run\nGPU: L40S\n", ""},
		{"run.md", "# Run\n**Engine:** vLLM 0.9.1\n", "engine=vLLM:2 engine_version=0.9.1:2"},
		{"run.md", "# Run\nModel server: SGLang v0.5.1.post2\nEngine: SGLang 0.5.1.post2", "engine=SGLang:2 engine_version=0.5.1.post2:2"},
		{"run.md", "# Run\n- vLLM Version: 0.6.3.post2.dev308+gb489fc3c\n", "engine=vLLM:2 engine_version=0.6.3.post2.dev308+gb489fc3c:2"},
		{"run.md", "# Run\nVersion: llama.cpp b6327\nVersion: 3.1\n", "engine=llama.cpp:2 engine_version=b6327:2"},
		{"run.md", "# Run\nInference engine: TensorRT-LLM (1.0.0rc2)\nGPU: L40S\n", "hardware=L40S:3 engine=TensorRT-LLM:2 engine_version=1.0.0rc2:2"},
		{"run.md", "# Run\nEngine: vLLM 0.9.1\nBackend: SGLang 0.5.1\nGPU: L40S\n", "hardware=L40S:4"},
		{"run.md", "# Run\nEngine: vLLM\nVersion: 0.9.1\nServer: nginx 1.2\nEngine: vLLM 0.9.x\nEngine: vLLM 0.9 or later\n" +
			"Tool: vLLM 0.9.1\nBaseline: vLLM 0.8.2\nEngine: faster than vLLM 0.9.1\nEngine: vLLM 0.9.1 nightly\n", ""},
		{"run.md", "GPU: L40S\n", ""},
		{"run.md", "# Run\nAll of it was measured at night.\nGPU: L40S\n", ""},
		{"run.md", "# Run\n## Requirements\n- GPU: RTX 3090\n", ""},
		{"run.md", "# Run\n| a | b |\nGPU: L40S\n", ""},
		{"run.md", "# Run\nHardware: see below\nGPUs: many\nGPU:\n", ""},
		{"run.md", "# Run\nModel: " + strings.Repeat("m", 300) + "\n", ""},
		{"run.md", "# Run\n" + strings.Repeat("Note: 1\n", longestHead) + "GPU: L40S\n", ""},
	} {
		var got []string
		for _, f := range headed(reading.NewSource(c.name, []byte(c.text))) {
			if f.At.File != c.name {
				t.Errorf("%q: a fact of %q", c.text, f.At.File)
			}
			got = append(got, fmt.Sprintf("%s=%s:%d", f.Key, f.Value, f.At.Line))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: %q, want %q", c.text, s, c.want)
		}
	}
}

// What a result says itself stays, and a model is given to none where a tool names one.
func TestUnder(t *testing.T) {
	head := reading.Facts{{Key: record.FactModel, Value: "org/M"}, {Key: record.FactHardware, Value: "H100"}}
	result := func(model string, facts ...record.Fact) *record.Result {
		return &record.Result{Base: record.Base{Identity: record.Identity{Model: model}, Facts: facts}}
	}
	said := record.Fact{Key: record.FactHardware, Value: "L40S"}
	for _, c := range []struct {
		of   []record.Record
		want string
	}{
		{[]record.Record{result(""), result("", said)}, "[model=org/M hardware=H100] [hardware=L40S model=org/M]"},
		{[]record.Record{result("org/N"), result("")}, "[hardware=H100] [hardware=H100]"},
	} {
		under(head, c.of)
		var got []string
		for _, r := range c.of {
			var facts []string
			for _, f := range r.Header().Facts {
				if facts = append(facts, f.Key+"="+f.Value); f.Head == (f == said) {
					t.Errorf("%s=%s: of the head is %v", f.Key, f.Value, f.Head)
				}
			}
			got = append(got, fmt.Sprint(facts))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s, want %s", s, c.want)
		}
	}
}

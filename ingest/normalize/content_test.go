package normalize

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

// What is read in the text around a result, its client's command or the engine that a person wrote above it, is none of what
// a run is found by.
func TestContentWithoutWhatStandsAround(t *testing.T) {
	res := func(facts ...record.Fact) string { return content(&record.Result{Base: record.Base{Facts: facts}}) }
	model := record.Fact{Key: record.FactModel, Value: "m"}
	if res(model) != res(model, record.Fact{Key: record.FactClientCommand, Value: "bench"}) ||
		res(model) != res(model, record.Fact{Key: record.FactEngine, Value: "vllm", Head: true}) {
		t.Error("the content of a result depends on the text around it")
	}
	if res(model) == res(model, record.Fact{Key: record.FactEngine, Value: "vllm"}) {
		t.Error("the content of a result does not depend on the engine that it names")
	}
}

// The version of an engine that the head of a report names is none of another engine, whoever names that one.
func TestVersionOfHead(t *testing.T) {
	head := []claim{{key: record.FactEngine, value: "vLLM", from: catalog.FromHead, file: "r.md"},
		{key: record.FactEngineVersion, value: "0.9.1", from: catalog.FromHead, file: "r.md"}}
	for _, c := range []struct {
		from  catalog.Authority
		value string
		want  string
	}{
		{catalog.FromRecord, "vllm", "vLLM 0.9.1 vllm"},
		{catalog.FromRecord, "sglang", "vLLM sglang"},
		{catalog.FromSidecar, "sglang", "vLLM sglang"},
		{catalog.FromName, "sglang", "vLLM 0.9.1 sglang"},
	} {
		var got []string
		for _, x := range (names{}).ofEngine(append(head[:2:2], claim{key: record.FactEngine, value: c.value, from: c.from})) {
			got = append(got, x.value)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s says %q: %q, want %q", c.from, c.value, s, c.want)
		}
	}
}

package normalize

import (
	"testing"

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

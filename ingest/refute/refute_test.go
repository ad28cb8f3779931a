package refute

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// sweep is a run of one workload: 100, 190 and 180 tok/s at 1, 2 and 4 parallel requests.
func sweep() *catalog.Catalog {
	r := &catalog.Run{ID: "r"}
	for i, v := range []float64{100, 190, 180} {
		c, n := int64(1<<i), 128.0
		r.Points = append(r.Points,
			catalog.Point{Workload: record.Workload{Nominal: record.Lengths{Input: &n, Output: &n}},
				Load:    record.Load{MaxConcurrency: &c},
				Metrics: map[metric.ID]catalog.Stat{metric.OutputThroughput: {Value: &v, Unit: "tok/s"}}})
	}
	return &catalog.Catalog{Runs: []*catalog.Run{r}}
}

const at2 = `{"run":"r","workload":"128 → 128","points":[1],"axis":"concurrency","load":2,"metric":"output_throughput","stat":"value","value":190}`

// A peak is held against all loads of its workload, its text against its numbers, and what cannot be
// checked is not believed.
func TestPeak(t *testing.T) {
	k := New(sweep())
	for _, c := range []struct{ name, kind, text, claim, why string }{
		{"true", "peak", "Output throughput peaks at 190 tok/s at 2 parallel requests with 128 → 128.",
			`{"at":` + at2 + `}`, ""},
		{"another load", "peak", "It peaks at 180 tok/s.",
			`{"at":` + strings.NewReplacer("[1]", "[2]", `"load":2`, `"load":4`, "190", "180").Replace(at2) +
				`}`, "highest"},
		{"another value", "peak", "It peaks at 191 tok/s.", `{"at":` + strings.Replace(at2, "190", "191", 1) + `}`,
			"is 190, not 191"},
		{"another text", "peak", "Output throughput peaks at 200 tok/s at 2 parallel requests with 128 → 128.",
			`{"at":` + at2 + `}`, "does not say what its claim does"},
		{"rising", "peak", "It peaks.", `{"at":` + at2 + `,"rising":true}`, "largest load"},
		{"a point too many", "peak", "It peaks.", `{"at":` + strings.Replace(at2, "[1]", "[1,2]", 1) + `}`,
			"by the points"},
		{"no such point", "peak", "It peaks.", `{"at":` + strings.Replace(at2, "[1]", "[7]", 1) + `}`,
			"has no point 7"},
		{"a member that nobody checks", "peak", "It peaks.", `{"at":` + at2 + `,"certain":true}`, "cannot be read"},
		{"a kind that nobody checks", "best-ever", "It is the best.", `{}`, "nobody can check"},
	} {
		got := k.Check([]Statement{{Run: "r", Kind: c.kind, Text: c.text, Claim: json.RawMessage(c.claim)}})
		switch {
		case c.why == "" && len(got) > 0:
			t.Errorf("%s: %s", c.name, got[0].Why)
		case c.why != "" && (len(got) != 1 || !strings.Contains(got[0].Why, c.why)):
			t.Errorf("%s: %+v, want a reason with %q", c.name, got, c.why)
		}
	}
}

// How many files a run was read from is no version of its engine, whatever number it is.
func TestSources(t *testing.T) {
	c := sweep()
	r := c.Runs[0]
	r.Identity.Tool = "vllm-bench-serve"
	r.Attributes = map[string]catalog.Attribute{"engine": {Value: "vllm"}, "engine_version": {Value: "0.13.2"}}
	for _, n := range []int{13, 2000} {
		r.Sources = make([]catalog.Source, n)
		count := strconv.Itoa(n)
		got := New(c).Check([]Statement{{Kind: "tally", Names: []string{"this run"},
			Text: "The " + metric.Count(int64(n)) + " files that this run was read from, with their digests.",
			Claim: json.RawMessage(`{"of":"chosen","runs":[{"run":"r","has":{"sources":` + count +
				`}}],"counts":[{"what":"sources","n":` + count + `}]}`)}})
		if len(got) > 0 {
			t.Errorf("%d files: %s", n, got[0].Why)
		}
	}
}

// What records no failures keeps no limit of them and breaks none: that is said of it, with the right reason, and of
// nothing else.
func TestUnjudged(t *testing.T) {
	c := sweep()
	silent := *c.Runs[0]
	silent.ID, silent.Points = "s", slices.Clone(silent.Points)
	all := int64(10)
	for i := range c.Runs[0].Points {
		c.Runs[0].Points[i].Submitted, c.Runs[0].Points[i].Completed = &all, &all
	}
	c.Runs = append(c.Runs, &silent)
	k := New(c)
	const text = "A: 190 tok/s at 2 parallel requests within errors ≤ 1\u202f%, 128 → 128."
	number := func(run, called string) string {
		return strings.NewReplacer(`"run":"r"`, `"run":"`+run+`"`, "190}", `190,"is":190,"called":"`+called+`"}`).Replace(at2)
	}
	related := func(is, at, least string) string {
		return `{"is":"` + is + `","among":[` + at + `],"limits":[{"metric":"success_rate","stat":"value","least":` + least + `}]}`
	}
	for _, c := range []struct{ name, text, second, least, why string }{
		{"true", text + " Not judged on B: failures are not known.", "s", "0.99", ""},
		{"another reason", text + " Not judged on B: TTFT p99 is not known.", "s", "0.99", "does not say"},
		{"not said", text, "s", "0.99", "does not say"},
		{"other limits", text + " Not judged on B: failures are not known.", "s", "0.9", "other limits"},
		{"judged", text + " Not judged on B: failures are not known.", "r", "0.99", "keeps or breaks"},
	} {
		claim := `{"of":[` + number("r", "A") + `,` + number(c.second, "B") + `],"relations":[` +
			related("keeps", "0", "0.99") + `,` + related("unjudged", "1", c.least) + `]}`
		got := k.Check([]Statement{{Kind: "use", Text: c.text, Claim: json.RawMessage(claim)}})
		switch {
		case c.why == "" && len(got) > 0:
			t.Errorf("%s: %s", c.name, got[0].Why)
		case c.why != "" && (len(got) != 1 || !strings.Contains(got[0].Why, c.why)):
			t.Errorf("%s: %+v, want a reason with %q", c.name, got, c.why)
		}
	}
}

// What lists call the model that a run records is its name, though it shares no word with what is recorded; the name of
// another model of the catalog is not, and without lists only a shared word tells.
func TestListedModels(t *testing.T) {
	c := sweep()
	other := *c.Runs[0]
	other.ID = "s"
	c.Runs[0].Identity.Model, other.Identity.Model = "weights/ckpt-0042", "weights/ckpt-0043"
	c.Runs[0].Attributes = map[string]catalog.Attribute{"count": {Value: "1"}, "engine": {Value: "vllm"}}
	c.Runs = append(c.Runs, &other)
	lists := func(what string, r *catalog.Run) []string {
		return map[string][]string{"model weights/ckpt-0042": {"A"}, "model weights/ckpt-0043": {"Weights B"},
			"engine weights/ckpt-0042": {"Quickly"}}[what+" "+r.Identity.Model]
	}
	for _, c := range []struct {
		name, model, engine string
		k                   *Checker
		why                 string
	}{
		{"the listed names", "A", "Quickly", New(c).With(lists), ""},
		{"the card of it", "A on X", "Quickly", New(c).With(lists), ""},
		{"another model", "Weights B", "Quickly", New(c).With(lists), "does not say"},
		{"what is recorded", "ckpt-0042", "Quickly", New(c).With(lists), "does not say"},
		{"another engine", "A", "Slowly", New(c).With(lists), "does not say"},
		{"a word, without lists", "ckpt-0042", "vLLM", New(c), ""},
		{"no word, without lists", "A", "vLLM", New(c), "does not say"},
	} {
		got := c.k.Check([]Statement{{Kind: "top", Names: []string{c.model, c.engine},
			Text: "The highest output with 128 → 128 is 190 tok/s per accelerator: " + c.model +
				" on X, at 2 parallel requests, " + c.engine + ".",
			Claim: json.RawMessage(`{"of":[` + strings.Replace(at2, "190}", `190,"is":190,"over":1,"called":"X"}`, 1) +
				`],"relations":[{"is":"highest","among":[0]}]}`)}})
		switch {
		case c.why == "" && len(got) > 0:
			t.Errorf("%s: %s", c.name, got[0].Why)
		case c.why != "" && (len(got) != 1 || !strings.Contains(got[0].Why, c.why)):
			t.Errorf("%s: %+v, want a reason with %q", c.name, got, c.why)
		}
	}
}

// Of eight values the ranks 1 and 7 hold the median with 1 - (1 + 8 + 1) / 256 = 0.9609375: narrower than
// the smallest and the largest. Of six only all of them do, with 1 - 2 / 64.
func TestIntervals(t *testing.T) {
	vs := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	if !holds(vs, 1, 7, 0.9609375) || holds(vs, 1, 8, 1-2.0/256) || holds(vs, 2, 7, 1-18.0/256) ||
		holds(vs, 1, 7, 0.97) {
		t.Error("intervals of eight values")
	}
	if !holds(vs[:6], 1, 6, 1-2.0/64) || holds(vs[:6], 1, 5, 1-8.0/64) {
		t.Error("intervals of six values")
	}
}

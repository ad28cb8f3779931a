package claim

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// KVFull: the KV cache is full at a smaller load than the peak: more load then waits for memory.
type KVFull struct {
	Usage Operand `json:"usage"`
	Peak  Operand `json:"peak"`
	// Others is how many further workloads it holds of.
	Others int `json:"others,omitempty"`
}

func (KVFull) head() (Kind, bool) { return KindKVFull, true }

func kvFull(r *figure.Run) []Claim {
	var list []KVFull
	for _, sc := range r.Scenarios {
		p := sc.KVFull()
		top, _, ok := sc.Peak(metric.OutputThroughput)
		if p != nil && ok && figure.LoadOf(p) < figure.LoadOf(top) {
			list = append(list, KVFull{Usage: central(r, sc, p, metric.KVCacheUsage),
				Peak: central(r, sc, top, metric.OutputThroughput)})
		}
	}
	if len(list) == 0 {
		return nil
	}
	list[0].Others = len(list) - 1
	return []Claim{list[0]}
}

func (c KVFull) write(s *sentence) {
	s.say("With %s, the KV cache is ", c.Usage.Scenario.Title).cite(c.Usage, "%s full",
		figure.PercentText(c.Usage.Value)).
		say(" %s, before throughput peaks at ", figure.LoadPhrase(c.Usage.Point)).
		cite(c.Peak, "%s tok/s", metric.Format(c.Peak.Value)).say(" %s", figure.LoadPhrase(c.Peak.Point))
	if c.Others > 0 {
		s.say("; so it is in %s", metric.Plural(c.Others, "more workload"))
	}
	s.say(".")
}

// Completion: at these points not all requests were completed.
type Completion struct {
	// Points are those with requests that were not completed, or without output, all of them where they are few, else
	// the worst first.
	Points []Completed `json:"points"`
	// The counts are of all points of the run that record both Completed and Submitted.
	Completed int64 `json:"completed"`
	NoOutput  int64 `json:"no_output,omitempty"`
	Submitted int64 `json:"submitted"`
}

// Completed is how many of the submitted requests of a point were completed, and how many of these without output.
type Completed struct {
	At        Operand `json:"at"` // success rate
	Completed int64   `json:"completed"`
	NoOutput  int64   `json:"no_output,omitempty"`
	Submitted int64   `json:"submitted"`
}

func (Completion) head() (Kind, bool) { return KindCompletion, true }

// fewPoints is how many incomplete points are all named.
const fewPoints = 3

func completion(r *figure.Run) []Claim {
	var c Completion
	for _, sc := range r.Scenarios {
		for _, p := range sc.Points {
			o, ok := figure.Success(p)
			if !ok {
				continue
			}
			c.Submitted, c.Completed, c.NoOutput = c.Submitted+o.Submitted, c.Completed+o.Completed, c.NoOutput+o.NoOutput
			if o.Short() {
				at := operand(r, sc, p, metric.SuccessRate, metric.Value)
				at.Value = o.Ratio()
				c.Points = append(c.Points, Completed{at, o.Completed, o.NoOutput, o.Submitted})
			}
		}
	}
	if len(c.Points) == 0 {
		return nil
	}
	if len(c.Points) > fewPoints {
		slices.SortStableFunc(c.Points, func(a, b Completed) int { return cmp.Compare(a.At.Value, b.At.Value) })
	}
	return []Claim{c}
}

func (c Completion) write(s *sentence) {
	words := func(p Completed) string { return metric.Count(p.Completed) + " of " + metric.Count(p.Submitted) }
	without := func(n int64, end string) string {
		if n == 0 {
			return ""
		}
		return ", " + metric.Count(n) + " of them without output" + end
	}
	place := func(p Completed) string { return strings.TrimSuffix(afterwards(p.At), ",") }
	if len(c.Points) > fewPoints {
		worst := c.Points[0]
		s.say("%s of %s requests completed%s; %d points are incomplete, most of all ", metric.Count(c.Completed),
			metric.Count(c.Submitted), without(c.NoOutput, ""), len(c.Points)).
			cite(worst.At, "%s", words(worst)).say("%s", without(worst.NoOutput, ",")).
			say(" with %s", worst.At.Scenario.Title).say("%s.", place(worst))
		return
	}
	for i, p := range c.Points {
		if i > 0 {
			s.say(", ")
		}
		title := p.At.Scenario.Title
		s.cite(p.At, "%s", words(p))
		if i > 0 && title == c.Points[i-1].At.Scenario.Title { // said before
			s.say("%s", without(p.NoOutput, ","))
		} else {
			s.say(" completed%s with %s", without(p.NoOutput, ","), title)
		}
		s.say("%s", place(p))
	}
	if !slices.ContainsFunc(c.Points, func(p Completed) bool { return p.Completed > 0 }) {
		s.say(".") // there are no latencies
		return
	}
	s.say("; the latencies there describe the completed requests alone")
	if slices.ContainsFunc(c.Points, func(p Completed) bool { return p.NoOutput > 0 }) {
		s.say(", and may have zeros for those without output") // as some tools do: see [record.DoubtNoOutput]
	}
	s.say(".")
}

// FewPrompts: a point was measured with fewer prompts than its concurrency, which was never reached. The peak
// of the main workload says it of itself.
type FewPrompts struct {
	At      Operand `json:"at"`
	Prompts int64   `json:"prompts"`
}

func (FewPrompts) head() (Kind, bool) { return KindFewPrompts, true }

// fewPrompts names, of each workload, the smallest such load.
func fewPrompts(r *figure.Run) (claims []Claim) {
	main := mainScenario(r)
	for _, sc := range r.Scenarios {
		top, _, _ := sc.Peak(metric.OutputThroughput)
		for _, p := range sc.Points {
			if n, above := figure.AboveNumPrompts(p); above && (sc != main || p != top) {
				claims = append(claims, FewPrompts{central(r, sc, p, metric.OutputThroughput), n})
				break
			}
		}
	}
	return claims
}

func (c FewPrompts) write(s *sentence) {
	s.say("Concurrency ").cite(c.At, "%s", figure.LoadText(c.At.Point)).say(" with %s was measured with ",
		c.At.Scenario.Title).
		cite(c.At, "%s prompts", metric.Count(c.Prompts)).say(": no more than those ran at once.")
}

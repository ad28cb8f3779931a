package claim

import (
	"strings"

	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Replication: how many other authors measured the same, and how far from this run. By are what they measured, the
// farthest first: see [compare.Replication].
type Replication struct {
	By []Replica `json:"by"`
}

// Replica is what one other author measured: the place at which it lies farthest from the run.
type Replica struct {
	Here       Operand            `json:"here"`
	There      Operand            `json:"there"`
	Difference compare.Difference `json:"difference"`
	// Amber says that Cautions are to be told with the numbers.
	Amber    bool     `json:"amber,omitempty"`
	Cautions []string `json:"cautions,omitempty"`
	// Gap is how much less the smaller of the two is, as a share of the larger.
	Gap float64 `json:"gap"`
}

// Replicated is the sentence that says how runs of other authors stand to a run; ok is false where there is none.
func Replicated(r *figure.Run, known *compare.Arguments) (s Sentence, ok bool) {
	for _, c := range replications(r, known) {
		s, ok = New(c), true
		s.Run = r
	}
	return s, ok
}

// replications says it of runs with an author.
func replications(r *figure.Run, known *compare.Arguments) []Claim {
	var c Replication
	for _, p := range compare.Replications(r, known) {
		c.By = append(c.By, Replica{
			Here:       Operand{r, p.A, p.A.At(p.Load), metric.OutputThroughput, "central", p.Difference.A.Median},
			There:      Operand{p.Run, p.B, p.B.At(p.Load), metric.OutputThroughput, "central", p.Difference.B.Median},
			Difference: p.Difference, Amber: p.Amber, Cautions: p.Cautions, Gap: p.Gap})
	}
	if len(c.By) == 0 {
		return nil
	}
	return []Claim{c}
}

// reproduced is how many of the others are within the limit, and how far the farthest of these is.
func (c Replication) reproduced() (n int, within float64) {
	for _, p := range c.By {
		if p.Gap <= compare.ReplicationLimit {
			n, within = n+1, max(within, p.Gap)
		}
	}
	return n, within
}

func (c Replication) head() (Kind, bool) {
	n, _ := c.reproduced()
	return KindReplication, n < len(c.By)
}

func (c Replication) write(s *sentence) {
	switch n, within := c.reproduced(); {
	case n == len(c.By):
		s.say("Reproduced by %s, within %s", metric.Plural(n, "other author"), figure.PercentText(within))
	case n > 0:
		s.say("Reproduced by %s, within %s, and not by %s", metric.Plural(n, "other author"),
			figure.PercentText(within), metric.Count(int64(len(c.By)-n)))
	default:
		s.say("Not reproduced by %s", metric.Plural(len(c.By), "other author"))
	}
	p := c.By[0]
	here, there := metric.Format(p.Difference.A.Median), metric.Format(p.Difference.B.Median)
	s.say(": farthest apart with %s%s, output throughput is ", p.Here.Scenario.Title,
		strings.TrimSuffix(afterwards(p.Here), ",")).
		cite(p.Here, "%s tok/s here", here).say(" against ").cite(p.There, "%s there", there)
	switch {
	case p.Gap == 0:
	case p.There.Value < p.Here.Value:
		s.say(", %s lower", figure.PercentText(p.Gap))
	default:
		s.say(": here it is %s lower", figure.PercentText(p.Gap))
	}
	caution := ""
	if p.Amber {
		caution = "; " + p.Cautions[0]
	}
	s.say(" (%s%s).", p.Difference.Words(), caution)
}

package claim

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Insight is one sentence written from the numbers. It is made only where its condition holds.
type Insight struct {
	// Label is the sentence's topic in a word or two: "Knee".
	Label string
	// Caution marks what a reader has to know before quoting.
	Caution bool
	Parts   []Part
}

// Part is a piece of a sentence. Where Point is set, the text is a number read at that point, or
// computed from it.
type Part struct {
	Text     string
	Scenario *figure.Scenario
	Point    *catalog.Point
	// Run is the run that the point belongs to where that is another than the sentence's own:
	// the sentence compares with it. Nil for most.
	Run *figure.Run
}

// Text is the sentence without its links.
func (in Insight) Text() string {
	var b strings.Builder
	for _, p := range in.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// sentence builds the parts of an Insight.
type sentence struct{ parts []Part }

func (s *sentence) say(format string, args ...any) *sentence {
	s.parts = append(s.parts, Part{Text: fmt.Sprintf(format, args...)})
	return s
}

func (s *sentence) cite(sc *figure.Scenario, p *catalog.Point, format string, args ...any) *sentence {
	s.parts = append(s.parts, Part{Text: fmt.Sprintf(format, args...), Scenario: sc, Point: p})
	return s
}

// citeOf cites a point of another run.
func (s *sentence) citeOf(r *figure.Run, sc *figure.Scenario, p *catalog.Point, format string, args ...any) *sentence {
	s.parts = append(s.parts, Part{Text: fmt.Sprintf(format, args...), Scenario: sc, Point: p, Run: r})
	return s
}

// adder takes a finished sentence with its label.
type adder func(label string, caution bool, s *sentence)

// Insights are the sentences of a run, in the order of their use to a reader. Those that compare
// with other runs are made for runs of an [Index] alone.
func Insights(r *figure.Run) []Insight {
	var out []Insight
	add := adder(func(label string, caution bool, s *sentence) {
		out = append(out, Insight{Label: label, Caution: caution, Parts: s.parts})
	})
	sweetInsight(r, add)
	if main := mainScenario(r); main != nil {
		peakInsights(main, add)
	}
	againstPrevious(r, add)
	againstHardware(r, add)
	tailInsights(r, add)
	steadyInsights(r, add)
	phaseInsight(r, add)
	kvInsight(r, add)
	completionInsight(r, add)
	loadInsights(r, add)
	return out
}

// number writes a rate with one more digit than three where that is how people quote it: below
// 1000 with one decimal.
func number(v float64) string {
	if v >= 100 && v < 999.95 {
		return fmt.Sprintf("%.1f", v)
	}
	return metric.Format(v)
}

// numbers writes two rates that stand against each other: with as many decimals as the smaller
// needs for three digits, and more digits where they would look the same and are not.
func numbers(a, b float64) (string, string) {
	if x, y := number(a), number(b); a == b || x != y {
		return x, y
	}
	texts := metric.Column([]*float64{&a, &b})
	return texts[0], texts[1]
}

// times writes two times that stand against each other, the longer first: in one unit, with the
// decimals that the shorter one needs for three digits, "645.9 ms" and "90.4 ms". Where they lie
// too far apart for one unit each has its own.
func times(long, short float64) (string, string) {
	factor, name := 1.0, "s"
	switch {
	case long < 0.001:
		factor, name = 1e6, "µs"
	case long < 1:
		factor, name = 1e3, "ms"
	}
	l, s := long*factor, short*factor
	if s <= 0 || s < 1 && name != "s" || s < 0.1 || l >= 1000 {
		return figure.Seconds(long), figure.Seconds(short)
	}
	// Rounding first decides: 9.996 is "10.0".
	e := strconv.FormatFloat(s, 'e', 2, 64)
	exp, _ := strconv.Atoi(e[strings.IndexByte(e, 'e')+1:])
	decimals := max(2-exp, 0)
	write := func(v float64) string { return fmt.Sprintf("%.*f\u202f%s", decimals, v, name) }
	return write(l), write(s)
}

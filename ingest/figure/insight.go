package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
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
	Scenario *Scenario
	Point    *catalog.Point
	// Run is the run that the point belongs to where that is another than the sentence's own:
	// the sentence compares with it. Nil for most.
	Run *Run
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

func (s *sentence) cite(sc *Scenario, p *catalog.Point, format string, args ...any) *sentence {
	s.parts = append(s.parts, Part{Text: fmt.Sprintf(format, args...), Scenario: sc, Point: p})
	return s
}

// citeOf cites a point of another run.
func (s *sentence) citeOf(r *Run, sc *Scenario, p *catalog.Point, format string, args ...any) *sentence {
	s.parts = append(s.parts, Part{Text: fmt.Sprintf(format, args...), Scenario: sc, Point: p, Run: r})
	return s
}

// adder takes a finished sentence with its label.
type adder func(label string, caution bool, s *sentence)

// Insights are the sentences of a run, in the order of their use to a reader. Those that compare
// with other runs are made for runs of an [Index] alone.
func (r *Run) Insights() []Insight {
	var out []Insight
	add := adder(func(label string, caution bool, s *sentence) {
		out = append(out, Insight{Label: label, Caution: caution, Parts: s.parts})
	})
	r.sweetInsight(add)
	if main := r.mainScenario(); main != nil {
		peakInsights(main, add)
	}
	r.againstPrevious(add)
	r.againstHardware(add)
	r.tailInsights(add)
	r.steadyInsights(add)
	r.phaseInsight(add)
	r.kvInsight(add)
	r.completionInsight(add)
	r.loadInsights(add)
	return out
}

// percent writes a share or a difference in a sentence: whole from 10 % on.
func percent(v float64) string {
	p := v * 100
	switch {
	case p >= 99.5 && v < 1:
		return "just under 100\u202f%"
	case p >= 1000:
		return metric.Format(p) + "\u202f%"
	case p >= 10:
		return fmt.Sprintf("%.0f\u202f%%", math.Round(p))
	case p >= 1:
		return fmt.Sprintf("%.1f\u202f%%", p)
	}
	return metric.Format(p) + "\u202f%"
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

// Seconds writes a time in the unit people read: "36.2 µs", "646 ms", "26.7 s".
func Seconds(v float64) string {
	switch {
	case v < 0.001:
		return metric.Format(v*1e6) + "\u202fµs"
	case v < 1:
		return metric.Format(v*1e3) + "\u202fms"
	}
	return metric.Format(v) + "\u202fs"
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
		return Seconds(long), Seconds(short)
	}
	// Rounding first decides: 9.996 is "10.0".
	e := strconv.FormatFloat(s, 'e', 2, 64)
	exp, _ := strconv.Atoi(e[strings.IndexByte(e, 'e')+1:])
	decimals := max(2-exp, 0)
	write := func(v float64) string { return fmt.Sprintf("%.*f\u202f%s", decimals, v, name) }
	return write(l), write(s)
}

package view

import (
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

const (
	// closeMargin is how far below a limit a single measurement is called close to it.
	closeMargin = 0.03
	// leastLoss is the fall of output between two loads that is said beside an answer.
	leastLoss = 0.3
)

// firmness is what to know of the answer of a row that keeps limits before building on it: how close it is to a limit,
// that a smaller load breaks them, and what is lost beyond it.
func firmness(row figure.SLORow, say func(topic string, s claim.Sentence)) {
	if s, ok := closeCall(row); ok {
		say("Close", s)
	}
	if s, ok := keepsAgain(row); ok {
		say("Not monotonic", s)
	}
	if s, ok := lossBeyond(row); ok {
		say("Falls", s)
	}
}

// limitedAt is the number of a time that a limit is set on at a load of a row; ok is false where it is not recorded.
func limitedAt(row figure.SLORow, h figure.Held, load float64) (o claim.Operand, ok bool) {
	o = claim.Statistic(row.Run, row.Scenario, load, h.Metric, h.Stat)
	return o, h.Most != nil && o.Value > 0
}

// closeCall says of the time that is nearest to its limit at the best load how near it is, where that is at most 3 % and
// one measurement: another one may be over it. The next smaller load is named with its own distance.
func closeCall(row figure.SLORow) (s claim.Sentence, ok bool) {
	var nearest figure.Held
	least := closeMargin
	var at claim.Operand
	for _, h := range row.Held {
		o, has := limitedAt(row, h, row.Load)
		if !has {
			continue
		}
		if margin := 1 - o.Value / *h.Most; margin <= least {
			nearest, least, at, ok = h, margin, o, true
		}
	}
	if !ok || len(row.Scenario.AllAt(row.Load)) != 1 {
		return s, false
	}
	c := claim.State(claim.KindClose)
	ref := c.At(at)
	c.Within(claim.Held, []figure.Held{nearest}, ref).Makes(claim.Measured, 1, ref).Makes(claim.Margin, metric.Round12(least), ref)
	c.Calls(ref, row.Card.Hardware.Name).Run(ref).Say(": %s is ", nearest.Name()).
		Cite(ref, "%s", figure.SecondsBeside(at.Value, *nearest.Most)).
		Say(" %s, %s below its limit of %s, in one measurement; another one may be over it.",
			figure.LoadPhrase(row.Point), figure.PercentText(least), figure.LimitText(*nearest.Most))
	loads := row.Scenario.Loads()
	for i := 1; i < len(loads); i++ {
		if loads[i] != row.Load {
			continue
		}
		if before, has := limitedAt(row, nearest, loads[i-1]); has && before.Value < at.Value {
			o := c.At(before)
			margin := 1 - before.Value / *nearest.Most
			c.Is(claim.Before, o, ref).Makes(claim.Margin, metric.Round12(margin), o).
				Say(" %s it is ", page.Capital(figure.LoadPhrase(before.Point))).
				Cite(o, "%s", figure.PercentText(margin)).Say(" below.")
		}
	}
	return c.Sentence(), true
}

// keepsAgain says that a load keeps the limits of which a smaller one breaks some: the first that breaks them and the
// first above it that keeps them.
func keepsAgain(row figure.SLORow) (s claim.Sentence, ok bool) {
	var broken *figure.LoadHeld
	for _, l := range row.Loads() {
		switch {
		case broken == nil && l.Verdict == figure.Fails:
			broken = &l
		case broken != nil && l.Verdict == figure.Passes:
			c := claim.State(claim.KindAgain)
			a, b := c.At(limited(row, broken.Load)), c.At(limited(row, l.Load))
			c.Within(claim.Exceeds, row.Held, a).Within(claim.Held, row.Held, b)
			again := " again"
			if broken.Load == row.Scenario.Loads()[0] {
				again = "" // it kept them at no smaller one
			}
			c.Calls(b, row.Card.Hardware.Name).Run(b).Say(" breaks the limits %s and keeps them%s %s.",
				figure.LoadPhrase(row.Scenario.At(broken.Load)), again, figure.LoadPhrase(row.Scenario.At(l.Load)))
			return c.Sentence(), true
		}
	}
	return s, false
}

// lossBeyond says that from the best load or one above it to the next the output falls by at least three tenths: the
// largest such fall.
func lossBeyond(row figure.SLORow) (s claim.Sentence, ok bool) {
	loads := row.Scenario.Loads()
	least := -leastLoss
	var from, to claim.Operand
	for i := 0; i+1 < len(loads); i++ {
		if loads[i] < row.Load {
			continue
		}
		a := claim.Statistic(row.Run, row.Scenario, loads[i], metric.OutputThroughput, metric.Value)
		b := claim.Statistic(row.Run, row.Scenario, loads[i+1], metric.OutputThroughput, metric.Value)
		if a.Value <= 0 || b.Value <= 0 {
			continue
		}
		if change := (b.Value - a.Value) / a.Value; change <= least {
			least, from, to, ok = change, a, b, true
		}
	}
	if !ok {
		return s, false
	}
	c := claim.State(claim.KindBeyond)
	a, b := c.At(from), c.At(to)
	c.Is(claim.Before, a, b).Makes(claim.Change, metric.Round12(least), b, a)
	c.Calls(a, row.Card.Hardware.Name).Run(a).
		Say(": output falls by %s, from ", figure.PercentText(-least)).Cite(a, "%s tok/s", metric.Format(from.Value)).
		Say(" %s to ", figure.LoadPhrase(from.Point)).Cite(b, "%s tok/s", metric.Format(to.Value)).
		Say(" %s.", figure.LoadPhrase(to.Point))
	return c.Sentence(), true
}

// mostFirm is how many sentences a ranking has of how firm its answers are.
const mostFirm = 12

// firm says of the answers of a use what to know before building on them.
func (d *draft) firm(list []*ranked) {
	var says []page.Sentence
	for _, r := range list {
		if r.passes == 0 {
			continue
		}
		row := r.rows[0]
		names := map[string]string{row.Card.Hardware.Name: d.Place.To(page.PathCard(row.Card.Slug), "")}
		firmness(row, func(topic string, s claim.Sentence) {
			if len(says) < mostFirm && topic != "Falls" { // the model's page says what is lost beyond
				says = append(says, page.Sentence{Topic: r.model.Name + ", " + strings.ToLower(topic),
					Parts: withLinks(d.stated(s), names)})
			}
		})
	}
	if len(says) > 0 {
		d.section("firm", "How firm the answers are", page.Paragraph("Of the best hardware of each model: what is "+
			"at most 3 % below a limit in one measurement, and what keeps the limits again at a larger load."),
			page.Block{Says: says})
	}
}

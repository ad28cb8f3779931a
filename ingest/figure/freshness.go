package figure

import (
	"time"

	"github.com/inferdex/inferdex/ingest/settings"
)

// Freshen sets [Card.Stale] of all cards, and Undated of those that have a maximum age and no dated run. Nothing is
// asked of the clock: ages are counted to f.AsOf, or to the day of the newest run that is not withdrawn.
func (ix *Index) Freshen(f settings.Freshness) {
	asOf := f.AsOf
	if asOf == "" {
		asOf = newestDay(ix.Runs)
	}
	end, err := time.Parse(time.DateOnly, asOf)
	for _, c := range ix.Cards {
		c.Stale, c.Undated = nil, false
		allowed := f.For(c.known())
		if allowed == 0 {
			continue
		}
		newest := newestDay(c.Runs)
		began, undated := time.Parse(time.DateOnly, newest)
		if undated != nil || err != nil {
			c.Undated = len(Active(c.Runs)) > 0
			continue
		}
		if days := int(end.Sub(began).Hours() / 24); days > allowed {
			c.Stale = &Stale{newest, asOf, days, allowed, f.AsOf != ""}
		}
	}
}

// known are the names that a rule of freshness knows a card by.
func (c *Card) known() (card string, model, hardware []string) {
	return c.Slug, []string{c.Model.Name, c.Model.ID, c.Model.Slug},
		[]string{c.Hardware.Name, c.Hardware.Slug, c.Hardware.Accelerator.Name, c.Hardware.Accelerator.Slug}
}

// InVain are the rules that are those of no card.
func (ix *Index) InVain(f settings.Freshness) (rules []settings.FreshnessRule) {
	for _, r := range f.Cards {
		matches := false
		for _, c := range ix.Cards {
			matches = matches || r.Match(c.known())
		}
		if !matches {
			rules = append(rules, r)
		}
	}
	return rules
}

// newestDay is the day of the newest of some runs that is not withdrawn and has a date.
func newestDay(runs []*Run) (newest string) {
	for _, r := range Active(runs) {
		if len(r.Started) >= 10 && settings.IsDay(r.Started[:10]) {
			newest = max(newest, r.Started[:10])
		}
	}
	return newest
}

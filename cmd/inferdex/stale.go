package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// dayOf reads the day of --as-of. What follows from today is never written into pages.
func dayOf(s string) (string, error) {
	switch {
	case s == "today":
		return time.Now().UTC().Format(time.DateOnly), nil
	case s != "" && !settings.IsDay(s):
		return "", usage("--as-of %q: give a day such as 2026-11-01, or today", s)
	}
	return s, nil
}

// dayAfter is the day after one: where it is early, a run elsewhere may be of it.
func dayAfter(day string) string {
	t, _ := time.Parse(time.DateOnly, day) // dayOf asked for a day
	return t.AddDate(0, 0, 1).Format(time.DateOnly)
}

// stale are findings of cards that are older than the settings allow, of those whose age nobody knows, of runs that are
// later than that day, and of rules that are those of no card. asOf is the day that ages are counted to and that makes
// them errors; "" for neither.
func (a *app) stale(ix *figure.Index, asOf string) (list []found, err error) {
	conf, err := a.config()
	if err != nil {
		return nil, err
	}
	f := conf.Freshness
	f.AsOf = cmp.Or(asOf, f.AsOf)
	ix.Freshen(f)
	severity := record.Warning
	if asOf != "" {
		severity = record.Error
	}
	for _, c := range ix.Cards {
		if s := c.Stale; s != nil {
			to := s.AsOf
			if !s.Fixed {
				to += ", the day of the newest run of the catalog"
			}
			list = append(list, found{configFile, 0, severity, "stale", "", fmt.Sprintf(
				"card %s: its newest run is of %s, %s before %s: at most %d are allowed; measure again, or raise max_age", c.Slug,
				s.Newest, metric.Plural(s.Days, "day"), to, s.Allowed)})
		}
		if c.Undated {
			list = append(list, found{configFile, 0, record.Warning, "age-unknown", "",
				fmt.Sprintf("card %s: none of its runs says when it was measured, so max_age cannot be held: write date into a "+
					"run.toml", c.Slug)})
		}
	}
	for _, r := range figure.Active(ix.Runs) {
		if day := r.Started[:min(10, len(r.Started))]; asOf != "" && settings.IsDay(day) && day > dayAfter(asOf) {
			list = append(list, found{cmp.Or(r.Elsewhere(), catalogDir+"/"+r.Path()), 0, record.Warning, "date-ahead", r.ID,
				fmt.Sprintf("the run is of %s, after %s, so it does not grow old: where a clock was wrong, write date into an "+
					"[override] of a run.toml", day, asOf)})
		}
	}
	for _, r := range ix.InVain(f) {
		list = append(list, found{r.File, r.Line, record.Warning, "vain", "",
			"this rule of freshness is that of no card: 'inferdex list cards' shows their names"})
	}
	return list, nil
}

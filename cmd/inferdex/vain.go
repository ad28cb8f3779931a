package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// vainSetting is something a person wrote that changed nothing.
var vainSetting = sort{record.Warning, "vain"}

// reportVain says what was written by hand and changed nothing: path rules and [[run]] that match no file, codes of accept that
// no finding has, and statements of a run.toml that a record overrules.
func (a *app) reportVain(done *ingestion, ix *figure.Index) {
	var paths []string
	for _, f := range done.reading.Files {
		if f.Ignored == "" {
			paths = append(paths, f.Path)
		}
	}
	if len(paths) > 0 { // of nothing that was read nothing can be said
		for _, r := range done.options.Config.Unmatched(done.options.Inputs, paths) {
			a.diagnostic(vainSetting, r.File, r.Line, 0,
				fmt.Sprintf("path rule %q matches none of the files that were read: correct it, or remove it", r.Pattern))
		}
	}
	for _, f := range done.options.Sidecars.Unmatched(paths) {
		if slices.Contains(paths, f.File) { // one above the inputs may speak of files that are read at another time
			a.diagnostic(vainSetting, f.File, f.Line, 0,
				fmt.Sprintf("a [[run]] of file %q, which matches none of the files that were read: correct it, or remove it", f.Value))
		}
	}
	a.reportAccept(done.options.Sidecars, ix)
	a.reportBaselines(ix)
	a.reportOverruled(done, ix)
	a.reportSet(done.options.Set, ix.Runs)
	if done.stored != nil {
		for _, f := range vainNotes(done.options.Notes, done.stored.Runs, done.out.Runs) {
			a.diagnostic(vainSetting, f.file, 0, 0, f.message)
		}
	}
}

// vainNotes are findings of notes that speak of none of the runs: of one whose id is nearly theirs, which is a slip, and of one
// that does not say what became of a run that is gone.
func vainNotes(notes settings.Notes, runs ...[]*catalog.Run) (list []found) {
	var ids []string
	for _, r := range slices.Concat(runs...) {
		ids = append(append(ids, r.ID), r.Formerly...)
	}
	for _, id := range slices.Sorted(maps.Keys(notes)) {
		message := fmt.Sprintf("the catalog has no run %q", id)
		switch near, n := settings.Nearest(id, ids), notes[id]; {
		case slices.Contains(ids, id):
			continue
		case near != "":
			message += fmt.Sprintf(": did you mean %q?", near)
		case n.Withdrawn != "" || n.SameAs != "":
			continue
		default:
			message += ": name the file after the run it is about, or remove it"
		}
		list = append(list, found{notesDir + "/" + id + ".toml", 0, record.Warning, vainSetting.code, "", message})
	}
	return list
}

// reportAccept says which codes a sidecar accepts that none of the runs has. Sidecars of other runs are not asked.
func (a *app) reportAccept(s *settings.Sidecars, ix *figure.Index) {
	accepted, had := map[string]bool{}, map[string]bool{}
	for _, r := range ix.Runs {
		for _, code := range r.Accept {
			accepted[code] = true
		}
		for _, f := range r.Findings {
			had[f.Code] = true
		}
	}
	codes := slices.Sorted(maps.Keys(had))
	for _, f := range s.Accepts() {
		if !accepted[f.Value] || had[f.Value] {
			continue
		}
		message := fmt.Sprintf("accept has %q, and no run read here has such a finding", f.Value)
		if near := settings.Nearest(f.Value, codes); near != "" {
			message += fmt.Sprintf(": did you mean %q?", near)
		} else {
			message += ": remove it"
		}
		a.diagnostic(vainSetting, f.File, f.Line, 0, message)
	}
}

// reportBaselines says which statements of a run.toml name a series as the baseline that none of its runs has.
func (a *app) reportBaselines(ix *figure.Index) {
	type place struct {
		file string
		line int
	}
	value, series := map[place]string{}, map[place][]string{}
	for _, r := range ix.Runs {
		b := r.Attributes["baseline"]
		if at := (place{b.File, b.Line}); b.From == catalog.FromSidecar && b.Value != "true" && b.Value != "false" {
			value[at], series[at] = b.Value, append(series[at], r.Series)
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(value), func(x, y place) int {
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.line, y.line))
	}) {
		if slices.Contains(series[at], value[at]) {
			continue
		}
		slices.Sort(series[at])
		a.diagnostic(vainSetting, at.file, at.line, 0, fmt.Sprintf("baseline is %q, and no run that it is about has that series: "+
			"write true, or one of %q", value[at], slices.Compact(series[at])))
	}
}

// reportSet says which statements of --set anything overrules in some runs, each once.
func (a *app) reportSet(set []settings.Fact, runs []*figure.Run) {
	type overruled struct {
		runs int
		by   catalog.Attribute // in the first of them
	}
	flags := map[string]*overruled{}
	for _, r := range runs {
		for _, f := range set {
			won, said := r.Attributes[f.Key], f.Key+"="+f.Value
			if !slices.ContainsFunc(won.Others, func(o catalog.Other) bool { return o.From == catalog.FromFlag && o.Value == f.Value }) {
				continue
			}
			if flags[said] == nil {
				flags[said] = &overruled{by: won}
			}
			flags[said].runs++
		}
	}
	for _, said := range slices.Sorted(maps.Keys(flags)) {
		o := flags[said]
		a.diagnostic(vainSetting, "", 0, 0, fmt.Sprintf("--set %q is overruled in %s: %s says %q; --set gives what nothing else states, "+
			"[override] in a run.toml replaces what is stated", said, metric.Plural(o.runs, "run"), cmp.Or(o.by.File, "--set"), o.by.Value))
	}
}

// reportOverruled says which statements of a run.toml what was measured overrules, each once.
func (a *app) reportOverruled(done *ingestion, ix *figure.Index) {
	shown, said := done.shown(), map[string]bool{}
	say := func(o catalog.Other, won catalog.Attribute, key, of string) {
		message := fmt.Sprintf("%s = %q is overruled: %s says %s%q; [override] with a reason replaces it", key, o.Value,
			won.File, of, won.Value)
		if place := fmt.Sprintf("%s:%d:%s", o.File, o.Line, message); !said[place] {
			said[place] = true
			a.diagnostic(vainSetting, o.File, o.Line, 0, message)
		}
	}
	for _, r := range ix.Runs {
		if !shown(r) {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(r.Attributes)) {
			won := r.Attributes[key]
			if !recorded(won) {
				continue
			}
			for _, o := range won.Others {
				if o.From == catalog.FromSidecar {
					say(o, won, key, "")
				}
			}
		}
		// The number of accelerators stands in the text of the hardware too.
		hardware, count := r.Attributes[record.FactHardware], r.Attributes[record.FactCount]
		if stated := done.names.Hardware(hardware.Value, 0); hardware.From == catalog.FromSidecar && recorded(count) &&
			!stated.CountAssumed && stated.Count != r.Hardware.Count {
			say(catalog.Other{Value: hardware.Value, File: hardware.File, Line: hardware.Line}, count,
				record.FactHardware, "count ")
		}
	}
}

// recorded reports whether an attribute is what was measured says, and no person.
func recorded(a catalog.Attribute) bool {
	return a.From == catalog.FromRecord || a.From == catalog.FromMetadata
}

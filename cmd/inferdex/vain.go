package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// vainSetting is something a person wrote that changed nothing.
var vainSetting = sort{record.Warning, "vain"}

// reportVain says what was written by hand and changed nothing: path rules that match no file, codes of accept that
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
				fmt.Sprintf("path rule %q matches none of the files that were read", r.Pattern))
		}
	}
	a.reportAccept(done.options.Sidecars, ix)
	a.reportOverruled(done.shown(), ix)
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
		}
		a.diagnostic(vainSetting, f.File, f.Line, 0, message)
	}
}

// reportOverruled says which statements of a run.toml what was measured overrules, each once.
func (a *app) reportOverruled(shown func(*figure.Run) bool, ix *figure.Index) {
	said := map[string]bool{}
	for _, r := range ix.Runs {
		if !shown(r) {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(r.Attributes)) {
			won := r.Attributes[key]
			if won.From != catalog.FromRecord && won.From != catalog.FromMetadata {
				continue
			}
			for _, o := range won.Others {
				if o.From != catalog.FromSidecar {
					continue
				}
				message := fmt.Sprintf("%s = %q is overruled: %s says %q; [override] with a reason replaces it", key, o.Value,
					won.File, won.Value)
				place := fmt.Sprintf("%s:%d:%s", o.File, o.Line, message)
				if !said[place] {
					said[place] = true
					a.diagnostic(vainSetting, o.File, o.Line, 0, message)
				}
			}
		}
	}
}

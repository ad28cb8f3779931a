package figure

import (
	"maps"
	"slices"

	"github.com/inferdex/inferdex/ingest/settings"
)

// Unlisted is a name that runs have and no list of data/names has.
type Unlisted struct {
	settings.Suggestion
	// Runs that have the name, in the order of the index.
	Runs []*Run
}

// kinds is the order of the files.
var kinds = []string{"model", "accelerator", "engine", "quantization"}

// Unlisted are the names of the catalog that no list has: models, accelerators, engines, and what
// runs say of precision and quantization. Each kind is in the order of the names.
func (ix *Index) Unlisted() []Unlisted {
	found := map[string]map[string]*Unlisted{}
	add := func(r *Run) func(settings.Suggestion, bool) {
		return func(s settings.Suggestion, ok bool) {
			if !ok {
				return
			}
			if found[s.Kind] == nil {
				found[s.Kind] = map[string]*Unlisted{}
			}
			u := found[s.Kind][s.Name]
			if u == nil {
				u = &Unlisted{Suggestion: s}
				found[s.Kind][s.Name] = u
			}
			if !slices.Contains(u.Runs, r) {
				u.Runs = append(u.Runs, r)
			}
		}
	}
	for _, r := range ix.Runs {
		put := add(r)
		put(ix.Names.SuggestModel(r.Model))
		put(ix.Names.SuggestAccelerator(r.Hardware.Accelerator))
		put(ix.Names.SuggestEngine(r.Engine))
		for _, w := range []string{r.Attr("precision"), r.Param("quantization"), r.Param("kv_cache_dtype")} {
			if w != "" && w != "auto" && w != "None" && w != "null" {
				put(ix.Names.SuggestQuantization(ix.Names.Quantization(w)))
			}
		}
	}
	var out []Unlisted
	for _, k := range kinds {
		for _, name := range slices.Sorted(maps.Keys(found[k])) {
			out = append(out, *found[k][name])
		}
	}
	return out
}

package data

import (
	"cmp"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// pathSearch is the index of the search box. It lies beside the script that asks for it.
const pathSearch = "js/search.js"

// searchIndex is what the search box finds, as assets/ts/search.ts reads it: short rows, and cards as
// places in the list of hardware, so that a catalog of thousands of cards needs no more than tens
// of kilobytes.
type searchIndex struct {
	Models       [][]any `json:"models"`       // name, slug, further names, facts, places in hardware of its cards
	Hardware     [][]any `json:"hardware"`     // name, slug, further names
	Accelerators [][]any `json:"accelerators"` // name, slug, further names, facts
	Engines      [][]any `json:"engines"`      // name, further names and versions, runs, slug
	Runs         [][]any `json:"runs"`         // id as its address has it, places in models and hardware or -1
	Pages        [][]any `json:"pages"`        // title, further words, address below the root
	Workloads    [][]any `json:"workloads"`    // name, further words, cells, address below the root
	Tools        [][]any `json:"tools"`        // name, further words, runs, address below the root
}

// writeSearch writes the index as a script that calls one function: a browser loads scripts from
// files too, which it does with no other form of data.
func (g *Set) writeSearch(w io.Writer) error {
	ix := searchIndex{Models: [][]any{}, Hardware: [][]any{}, Accelerators: [][]any{}, Engines: [][]any{},
		Runs: [][]any{}, Pages: [][]any{}, Workloads: [][]any{}, Tools: g.searchedTools()}
	places, models := map[string]int{}, map[string]int{}
	for _, m := range g.Index.Models {
		cards := []int{}
		for _, c := range m.Cards {
			i, ok := places[c.Hardware.Slug]
			if !ok {
				i = len(ix.Hardware)
				places[c.Hardware.Slug] = i
				ix.Hardware = append(ix.Hardware, []any{c.Hardware.Name, c.Hardware.Slug,
					acceleratorWords(c.Hardware.Accelerator)})
			}
			cards = append(cards, i)
		}
		models[m.Slug] = len(ix.Models)
		ix.Models = append(ix.Models, []any{m.Name, m.Slug,
			furtherWords(m.Name, append([]string{m.ID, m.Quantization, m.Precision}, m.Aliases...)...),
			view.ModelFacts(m.Model), cards})
	}
	for _, h := range g.Index.Hardware {
		ix.Accelerators = append(ix.Accelerators, []any{h.Accelerator.Name, h.Slug, acceleratorWords(h.Accelerator),
			h.Accelerator.Vendor})
	}
	for _, e := range g.Index.Engines {
		if e.Name != "" {
			ix.Engines = append(ix.Engines, []any{e.Name, furtherWords(e.Name, append([]string{e.Slug}, versions(e)...)...),
				len(e.Runs), e.Slug})
		}
	}
	for _, r := range g.Index.Runs[:min(len(g.Index.Runs), mostSearchedRuns)] {
		at := func(places map[string]int, slug string) int {
			if i, ok := places[slug]; ok {
				return i
			}
			return -1
		}
		ix.Runs = append(ix.Runs, []any{catalog.Slug(r.ID), at(models, r.Model.Slug), at(places, r.Hardware.Slug)})
	}
	cards := g.Scorecards()
	for _, s := range cards[:min(len(cards), mostSearchedWorkloads)] {
		at := page.Place("").To(s.Path, s.Anchor)
		if s.Path == page.PathHome {
			at = "index.html" + at // else an address within the page that is open
		}
		ix.Workloads = append(ix.Workloads,
			[]any{s.Name, furtherWords(s.Name, append(s.Words, "workload")...), s.Cells, at})
	}
	add := func(title, words, path, anchor string) {
		ix.Pages = append(ix.Pages, []any{title, words, page.Place("").To(path, anchor)})
	}
	add("Scorecard", "home matrix", page.PathHome, "")
	add("Models", "", page.PathModels, "")
	add("Hardware", "accelerators gpus specifications", page.PathHardware, "")
	add("Engines", "versions over time history regressions", view.PathEngines, "")
	add("Runs", "newest", page.PathRuns, "")
	add("Rankings", "slo limits cost fastest cheapest hardware", page.PathRankings, "")
	for _, p := range g.UsedPresets() {
		add("Ranking: "+p.Name, "slo limits hardware "+p.Limits.Words(), view.PathRanking(p.ID), "")
	}
	add("Downloads", "data csv json coverage not recognised", page.PathData, "")
	add("Methodology", "formulas how computed", page.PathMethodology, "")
	add("Glossary", "terms definitions", page.PathGlossary, "")
	add("Formats", "tools files read", page.PathFormats, "")
	add("Try a file", "check drop read validate upload own results", view.PathCheck, "")
	for _, f := range g.Options.Formats {
		add("Format: "+f.Title, f.Tool+" "+f.Name, page.PathFormats, "format-"+catalog.Slug(f.Name))
	}
	for _, m := range metric.All() {
		add(m.Label, m.Long+" "+string(m.ID)+" metric", page.PathMethodology, "metric-"+view.IdOf(m.ID))
	}
	for _, f := range figure.Formulas {
		add(f.Name, "formula", page.PathMethodology, f.ID)
	}
	return writeCall(w, "search", ix)
}

// searchedTools are the tools that runs were measured with, those of most runs first, each with the list of its runs.
// What a tool's formats are called finds it too: "happy_vllm" is the suite of benchmark_llm_serving.
func (g *Set) searchedTools() [][]any {
	runs := map[string]int{}
	for _, r := range g.Index.Runs {
		if r.Tool.Name != "" {
			runs[r.Tool.Name]++
		}
	}
	list := [][]any{}
	for _, name := range slices.SortedFunc(maps.Keys(runs), func(a, b string) int {
		return cmp.Or(cmp.Compare(runs[b], runs[a]), cmp.Compare(a, b))
	}) {
		words := []string{"tool"}
		for _, f := range g.Options.Formats {
			if f.Tool == name || f.Name == name {
				words = append(words, f.Name, f.Title, f.Tool)
			}
		}
		list = append(list, []any{page.Clip(name, 80), furtherWords(name, words...), runs[name],
			page.Place("").To(page.PathRuns, "") + "#filter=" + url.QueryEscape(name)})
	}
	return list
}

// mostSearchedWorkloads bounds the scorecards that the search box finds.
const mostSearchedWorkloads = 1000

// mostSearchedRuns bounds the runs that the search box finds: those of a larger catalog are found on its pages.
const mostSearchedRuns = 5000

// versions are those of an engine that its runs record, each once.
func versions(e *figure.Engine) []string {
	var all []string
	for _, r := range e.Runs {
		all = append(all, r.Engine.Version)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// acceleratorWords are the words that find an accelerator beside its name.
func acceleratorWords(a settings.Accelerator) string {
	return furtherWords(a.Name, append([]string{a.Vendor, a.ID, a.Short}, a.Aliases...)...)
}

// furtherWords joins the names that the first one does not hold already.
func furtherWords(name string, others ...string) string {
	have := strings.ToLower(name)
	var list []string
	for _, o := range others {
		if o = strings.TrimSpace(o); o != "" && !strings.Contains(have, strings.ToLower(o)) {
			have += " " + strings.ToLower(o)
			list = append(list, page.Clip(o, 120))
		}
	}
	return strings.Join(list, " ")
}

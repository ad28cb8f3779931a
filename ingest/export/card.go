package export

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Card is a model on a hardware for other programs and sites, with all numbers of its runs. Its JSON is what
// `inferdex export hugo` and `jekyll` give to templates.
type Card struct {
	Name         string `json:"name"` // part of an address: small letters, digits, "-" and "."
	Title        string `json:"title"`
	Model        string `json:"model"`
	Hardware     string `json:"hardware"`
	Accelerators *int64 `json:"accelerators"` // null where it is not recorded
	// Head is the id of the run that stands for the card; "" where all are withdrawn.
	Head string `json:"head"`
	// Stale says that the newest run is older than the catalog allows; absent where it is not.
	Stale *figure.Stale `json:"stale,omitempty"`
	Runs  []Run         `json:"runs"`
}

// Run is one of a card. One that is withdrawn has the reason and no numbers.
type Run struct {
	ID            string `json:"id"`
	Started       string `json:"started,omitempty"`
	Engine        string `json:"engine,omitempty"`
	EngineVersion string `json:"engine_version,omitempty"`
	Series        string `json:"series"`
	Tool          string `json:"tool"`
	Withdrawn     string `json:"withdrawn,omitempty"`
	Commit        string `json:"commit,omitempty"`
	// Origins are the catalogs that have the run; absent where it is in this one alone.
	Origins []catalog.Origin `json:"origins,omitempty"`

	Headlines  []Headline                 `json:"headlines,omitempty"`
	Figures    []catalog.Figure           `json:"figures,omitempty"`
	Workloads  []Workload                 `json:"workloads,omitempty"`
	Parameters map[string]json.RawMessage `json:"parameters,omitempty"`
	Findings   []Finding                  `json:"findings,omitempty"`
	Sources    []string                   `json:"sources,omitempty"`

	run *figure.Run
}

// Headline is a number that a run is known by; Value is null where only the published text is known.
type Headline struct {
	Name   string         `json:"name"`
	Label  string         `json:"label"`
	Value  catalog.Number `json:"value"`
	Unit   string         `json:"unit"`
	Text   string         `json:"text"` // for readers
	Detail string         `json:"detail,omitempty"`
}

// Workload has the points of one workload, ordered by load.
type Workload struct {
	Key    string  `json:"key"`
	Title  string  `json:"title"`
	Axis   string  `json:"axis,omitempty"` // what Load counts: concurrency, rate, batch
	Points []Point `json:"points"`
}

// Point is one measurement. Its metrics are in base units; one that cannot be believed has the code of the finding.
type Point struct {
	Load       *record.Float              `json:"load"` // "inf": all requests at once; null where none is recorded
	Repetition int                        `json:"repetition,omitempty"`
	Submitted  *int64                     `json:"submitted"`
	Completed  *int64                     `json:"completed"`
	NoOutput   *int64                     `json:"no_output,omitempty"` // of the completed: known to have no output token
	Metrics    map[metric.ID]catalog.Stat `json:"metrics"`
	Source     string                     `json:"source"`
	Line       int                        `json:"line,omitempty"`
}

// Finding is what a reader has to know before quoting a number.
type Finding struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Text     string `json:"text"`
}

// Cards are all cards of a catalog, and behind them each run that has none of its own, because its model or hardware is
// not recorded, by the name of its id.
func Cards(ix *figure.Index) (cards []Card) {
	for name, c := range Names(ix) {
		cards = append(cards, NewCard(name, c))
	}
	return cards
}

// Names are the cards by their names: those of [Cards], in its order.
func Names(ix *figure.Index) iter.Seq2[string, *figure.Card] {
	return func(yield func(string, *figure.Card) bool) {
		listed := map[string]bool{}
		for _, c := range ix.Cards {
			if !yield(c.Slug, c) {
				return
			}
			for _, r := range c.Runs {
				listed[r.ID] = true
			}
		}
		for _, r := range ix.Runs {
			alone := figure.Card{Slug: "run-" + r.ID, Model: r.Model, Hardware: r.Hardware, Runs: []*figure.Run{r}}
			if !listed[r.ID] && !yield(alone.Slug, &alone) {
				return
			}
		}
	}
}

// NewCard is a card with the numbers of its runs.
func NewCard(name string, of *figure.Card) Card {
	c := Summary(name, of)
	for i, r := range of.Runs {
		c.Runs[i] = NewRun(r)
	}
	return c
}

// Summary is a card with the headline figures of its runs, and no other number.
func Summary(name string, of *figure.Card) Card {
	c := Card{Name: name, Title: of.Title(), Model: of.Model.Name, Hardware: of.Hardware.Name,
		Accelerators: accelerators(of.Runs[0]), Stale: of.Stale}
	if head := of.Head(); head.Withdrawn == "" {
		c.Head = head.ID
	}
	for _, r := range of.Runs {
		c.Runs = append(c.Runs, summary(r))
	}
	return c
}

func summary(r *figure.Run) Run {
	out := Run{ID: r.ID, Started: r.Started, Engine: r.Engine.Name, EngineVersion: r.Engine.Version, Series: r.Series,
		Tool: r.Identity.Tool, Withdrawn: r.Withdrawn, Commit: r.Commit(), Origins: r.Origins, run: r}
	if r.Withdrawn != "" {
		return out
	}
	for _, h := range r.Headlines() {
		text, unit := h.Text()
		if text == "" {
			text = h.Published
		} else {
			text += " " + unit
		}
		out.Headlines = append(out.Headlines, Headline{h.Name, h.Label, h.Value, h.Unit, text, h.Detail})
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, Finding{f.Code, string(f.Severity), f.Message})
	}
	return out
}

// NewRun is a run with all of its numbers.
func NewRun(r *figure.Run) Run {
	out := summary(r)
	if r.Withdrawn != "" {
		return out
	}
	out.Figures = r.Marked().Figures
	for _, s := range r.Scenarios {
		w := Workload{Key: s.Key, Title: s.Title, Axis: s.Axis, Points: []Point{}}
		for _, p := range s.Measured {
			metrics := s.Marked(p)
			if metrics == nil {
				metrics = map[metric.ID]catalog.Stat{} // {} is kinder to programs than null
			}
			w.Points = append(w.Points, Point{loadAt(p), p.Repetition, p.Submitted, p.Completed, p.NoOutput, metrics,
				Row{Run: r, Point: p}.Source(), p.At.Line})
		}
		out.Workloads = append(out.Workloads, w)
	}
	for name, p := range r.Parameters {
		if out.Parameters == nil {
			out.Parameters = map[string]json.RawMessage{}
		}
		out.Parameters[name] = p.Value
	}
	for _, s := range r.Sources {
		out.Sources = append(out.Sources, s.Path)
	}
	return out
}

func loadAt(p *catalog.Point) *record.Float {
	_, v, ok := p.Load.Axis()
	if !ok {
		return nil
	}
	return (*record.Float)(&v)
}

// Newest is the latest day of the runs, "" where none is known.
func (c Card) Newest() string {
	day := ""
	for _, r := range c.Runs {
		day = max(day, r.Started[:min(10, len(r.Started))])
	}
	return day
}

// head is the run that stands for the card.
func (c Card) head() (Run, bool) {
	i := slices.IndexFunc(c.Runs, func(r Run) bool { return r.ID == c.Head })
	if i < 0 {
		return Run{}, false
	}
	return c.Runs[i], true
}

// engine is the engine with its version.
func (r Run) engine() string { return r.run.EngineName() }

// label is how a run is told from the others of its card.
func (r Run) label() string { return cmp.Or(r.Series, r.engine(), r.ID) + ", run " + r.ID }

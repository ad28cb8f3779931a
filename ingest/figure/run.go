package figure

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Run is a run with its names resolved and its points sorted into scenarios.
type Run struct {
	*catalog.Run
	Model    settings.Model
	Hardware settings.Hardware
	Engine   settings.Engine
	// Tool is what measured.
	Tool settings.Tool
	// Series is the label that tells the run apart on a chart: what a sidecar says, else the
	// engine's version, else the date, else the engine or the tool. Named says that a sidecar gave it.
	Series string
	Named  bool
	// Baseline marks the series that others are compared with.
	Baseline bool
	// Demo marks a run for show: it stands for nothing and in no list of the newest while there is another.
	Demo bool
	// Scenarios in the order of their first points.
	Scenarios []*Scenario
	// Findings are those of the catalog and those that need names: what a memory cannot hold.
	Findings []catalog.Finding
	// Forbidden is the code of the finding that forbids all numbers of the run, "" for nearly every run: it can
	// not have been measured on the recorded hardware. They stand in tables with a mark and in no figure.
	Forbidden string
	// doubts are the metrics that cannot be believed at some point, with the code of the finding that says why.
	doubts map[metric.ID]string
	// Card is the run's own where it is not listed: see [Run.Listed].
	Card *Card

	names      *settings.Names
	configured *configured // nil outside of an index
}

// Unrecorded are the words for what no source says of a run and it would need to stand beside
// others: "model", "hardware". Two runs of unknown hardware are not of one machine. Scores depend on none.
func (r *Run) Unrecorded() []string {
	var out []string
	if r.Model.Slug == settings.NotRecorded {
		out = append(out, "model")
	}
	if r.Hardware.Accelerator.Slug == settings.NotRecorded && !r.OnlyScores() {
		out = append(out, "hardware")
	}
	return out
}

// OnlyScores reports whether a run measured how well a model answers, and nothing else. Such a run has no card:
// its scores stand beside the speeds of others, see [Index.Scores].
func (r *Run) OnlyScores() bool {
	return len(r.Points) == 0 && len(r.Profiles) == 0 && len(r.Figures) > 0 &&
		!slices.ContainsFunc(r.Figures, func(f catalog.Figure) bool { return f.Score == nil })
}

// Requests is the outcome of the requests of a run.
func (r *Run) Requests() Outcome {
	points := make([]*catalog.Point, len(r.Points))
	for i := range r.Points {
		points[i] = &r.Points[i]
	}
	return Requests(points)
}

// WholeFigures are the quantities of a whole run but for the loads within a limit, of which each workload has its own,
// and for scores, which have a table of their own.
func (r *Run) WholeFigures() []catalog.Figure {
	return slices.DeleteFunc(slices.Clone(r.Figures),
		func(f catalog.Figure) bool { return IsThreshold(f) || f.Score != nil })
}

// IsThreshold reports whether a figure is a load within a limit.
func IsThreshold(f catalog.Figure) bool { return strings.HasPrefix(string(f.Metric), "threshold_") }

// Listed reports whether a run has a card in the index: model and hardware are recorded, and it measured more
// than scores.
func (r *Run) Listed() bool { return len(r.Unrecorded()) == 0 && !r.OnlyScores() }

// FromName says in words where the model or the hardware of a run stands if only a name states it, such as "from the
// name of the folder"; "" where a record or a person states it, or nothing does.
func (r *Run) FromName(fact string) string {
	switch {
	case r.Attributes[fact].From != catalog.FromName:
		return ""
	case fact == record.FactModel:
		return "from the name of the file"
	}
	return "from the name of the folder"
}

// Division is that of a benchmark which a run was entered in, "closed" or "open"; "" for none. An open one sets neither
// the model nor its accuracy.
func (r *Run) Division() string { return r.Attr("labels.division") }

// RankedDivision is the division of a benchmark that some runs are ranked in where they were entered in several: the closed
// one, which sets model and accuracy for all, else that of most runs. "" where all are of one, or of none.
func RankedDivision(runs []*Run) (division string) {
	n := map[string]int{}
	for _, r := range runs {
		if name := strings.ToLower(r.Division()); name != "" {
			n[name]++
		}
	}
	if len(n) < 2 {
		return ""
	}
	if n["closed"] > 0 {
		return "closed"
	}
	for _, name := range slices.Sorted(maps.Keys(n)) {
		if n[name] > n[division] {
			division = name
		}
	}
	return division
}

// Outside tells a run of another division than the one that is ranked, "" for none. What is of no division is of none of
// these.
func (r *Run) Outside(ranked string) bool {
	division := r.Division()
	return ranked != "" && division != "" && !strings.EqualFold(division, ranked)
}

func (r *Run) cardSlug() string { return cardSlug(r.Model.Slug, r.Hardware.Slug) }

// Card is everything known of one model on one hardware.
type Card struct {
	// Slug is "codellama-7b-instruct-hf-on-a100-80gb". Cards of runs that lack model or hardware may
	// have one slug: none is listed, and none has a page.
	Slug     string
	Model    settings.Model
	Hardware settings.Hardware
	// Runs are ordered by engine, that of the newest run first, then by version, the highest first, then by date; withdrawn
	// runs last.
	Runs []*Run
	// Stale is set where the newest run is older than the catalog allows, Undated where no run says how old it is and
	// the catalog has a limit: see [Index.Freshen].
	Stale   *Stale
	Undated bool

	of *Model
	on *Hardware
}

// Title is the card's name: "CodeLlama 7B Instruct on A100 80GB".
func (c *Card) Title() string {
	switch {
	case c.Hardware.Accelerator.Slug != settings.NotRecorded:
		return c.Model.Name + " on " + c.Hardware.Name
	case c.Model.Slug == settings.NotRecorded:
		return "Model and hardware not recorded"
	}
	return c.Model.Name + ", hardware not recorded"
}

// Active are the runs that may be quoted: those that are not withdrawn.
func Active(runs []*Run) []*Run {
	return slices.DeleteFunc(slices.Clone(runs), func(r *Run) bool { return r.Withdrawn != "" })
}

// Model is one model with its cards.
type Model struct {
	settings.Model
	Cards []*Card
}

// Runs are the runs of all cards of the model.
func (m *Model) Runs() []*Run { return runsOf(m.Cards) }

// Hardware is one accelerator with its cards, whatever their counts.
type Hardware struct {
	Accelerator settings.Accelerator
	Slug        string
	Cards       []*Card
}

// Runs are the runs of all cards of the hardware.
func (h *Hardware) Runs() []*Run { return runsOf(h.Cards) }

// Engine is one engine with its runs by version, the newest first.
type Engine struct {
	Name, Slug string
	Runs       []*Run
}

func runsOf(cards []*Card) []*Run {
	var rs []*Run
	for _, c := range cards {
		rs = append(rs, c.Runs...)
	}
	return rs
}

// Compares returns the runs of a card that share a class of workload with other runs of the
// card, class by class: what one chart can hold. Each list is in the order of time.
func (c *Card) Compares() [][]*Run {
	byClass := map[string][]*Run{}
	var order []string
	for _, r := range c.Runs {
		if r.Withdrawn != "" {
			continue
		}
		for _, s := range r.Scenarios {
			rs := byClass[s.Class]
			if len(rs) == 0 {
				order = append(order, s.Class)
			}
			if len(rs) == 0 || rs[len(rs)-1] != r {
				byClass[s.Class] = append(rs, r)
			}
		}
	}
	var out [][]*Run
	for _, class := range order {
		if rs := byClass[class]; len(rs) > 1 {
			rs = slices.Clone(rs)
			slices.SortStableFunc(rs, func(a, b *Run) int { return NewestFirst(b, a) })
			if !slices.ContainsFunc(out, func(o []*Run) bool { return slices.Equal(o, rs) }) {
				out = append(out, rs)
			}
		}
	}
	return out
}

// OfModel are the cards of the card's model, itself among them; none of a card outside of an [Index].
func (c *Card) OfModel() []*Card {
	if c.of == nil {
		return nil
	}
	return c.of.Cards
}

// OnHardware are the cards on the card's accelerator, in whatever number, itself among them; none of a card outside of an
// [Index].
func (c *Card) OnHardware() []*Card {
	if c.on == nil {
		return nil
	}
	return c.on.Cards
}

// Errors are the findings that say not to believe something of the run, but for those a person has acknowledged.
func (r *Run) Errors() []catalog.Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings),
		func(f catalog.Finding) bool { return f.Severity != record.Error || f.Accepted })
}

// Doubt is the code of the finding that says why a figure of the whole run cannot be believed, "" for nearly every
// one: what it is of is suspect at a point of the run, and of times and of loads within a limit any time is.
func (r *Run) Doubt(f catalog.Figure) string {
	if r.Forbidden != "" || f.Score != nil {
		return r.Forbidden
	}
	info, _ := metric.Lookup(f.Metric)
	ofTimes := f.Unit == metric.Seconds || info.Unit == metric.Seconds ||
		strings.HasPrefix(string(f.Metric), "threshold_")
	for _, m := range slices.Sorted(maps.Keys(r.doubts)) {
		of, _ := metric.Lookup(m)
		if m == f.Metric || ofTimes && of.Unit == metric.Seconds {
			return r.doubts[m]
		}
	}
	return ""
}

// Marked is the run for programs: what of it cannot be believed names the finding that says so.
func (r *Run) Marked() *catalog.Run {
	out := *r.Run
	out.Points, out.Figures = slices.Clone(r.Points), slices.Clone(r.Figures)
	marked := false
	for i, f := range out.Figures {
		out.Figures[i].Suspect = r.Doubt(f)
		marked = marked || out.Figures[i].Suspect != ""
	}
	for _, s := range r.Scenarios {
		for _, p := range s.Measured {
			if len(s.Suspects(p)) == 0 {
				continue
			}
			for i := range r.Points {
				if &r.Points[i] == p {
					out.Points[i].Metrics, marked = s.Marked(p), true
				}
			}
		}
	}
	if !marked {
		return r.Run
	}
	out.Findings = r.Findings
	return &out
}

// Commit is the one that the CI job of the run's files says it measured; "" where none or more than one is named.
func (r *Run) Commit() string {
	commit := ""
	for _, s := range r.Sources {
		switch {
		case s.CI == nil || s.CI.Commit == "":
		case commit != "" && commit != s.CI.Commit:
			return ""
		default:
			commit = s.CI.Commit
		}
	}
	return commit
}

// ScenarioOf returns the scenario that a point of the run belongs to.
func (r *Run) ScenarioOf(p *catalog.Point) *Scenario {
	for _, s := range r.Scenarios {
		if slices.Contains(s.Points, p) || slices.Contains(s.Measured, p) || slices.Contains(s.Believed, p) {
			return s
		}
	}
	return nil
}

// PerAccelerator is the output throughput divided by the accelerators that served. It is
// missing where their number is assumed.
func (r *Run) PerAccelerator(p *catalog.Point) (float64, bool) {
	v, ok := Throughput(p)
	if !ok || r.Hardware.CountAssumed || r.Hardware.Count < 1 {
		return 0, false
	}
	return metric.Round12(v / float64(r.Hardware.Count)), true
}

// NewestFirst orders runs by date, runs without one last, equal ones by id.
func NewestFirst(a, b *Run) int {
	if (a.Started == "") != (b.Started == "") {
		if a.Started == "" {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(b.Started, a.Started), cmp.Compare(a.ID, b.ID))
}

// folderOf is the folder of a run's first result, "a.zip!" at the top of an archive, and the name of the file in it.
func folderOf(r *Run) (dir, base string) {
	if len(r.Sources) == 0 {
		return ".", ""
	}
	p := r.Sources[0].Path
	for _, s := range r.Sources {
		if len(r.Points) > 0 && s.ID() == r.Points[0].At.Source {
			p = s.Path
			break
		}
	}
	i := strings.LastIndexAny(p, "/!")
	switch {
	case i < 0:
		return ".", p
	case p[i] == '!': // at the top of an archive
		return p[:i+1], p[i+1:]
	}
	return p[:i], p[i+1:]
}

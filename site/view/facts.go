package view

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"
)

// runTally is what there is of a run in a sentence.
func runTally(r *figure.Run) claim.Sentence {
	c := claim.NewTally(claim.Chosen, r)
	c.Name(cmp.Or(r.Tool.Name, "Run"))
	if day := c.NewestDay(); day != "" {
		c.Say(" of ").Name(day)
	}
	switch {
	case r.OnlyScores():
		c.Say(": ").Much(claim.ScoreCount, "score")
	case len(r.Points) == 0:
		c.Say(": headline figures only, no single measured point is recorded")
	default:
		c.Say(": ").Much(claim.WorkloadCount, "workload")
		if from, to, ok := loadRange(r); ok {
			c.Between(figure.LoadOf(from), figure.LoadOf(to))
			of, k := "", kindOf(r.Scenarios[0].Axis)
			if k.unit == "" { // "batch size 1 to 4"
				of = k.noun + " "
			}
			c.Say(", %s%s to %s%s", of, figure.LoadText(from), figure.LoadText(to), k.unit)
			if math.IsInf(figure.LoadOf(to), 1) {
				c.Say(" (all at once)")
			}
		}
		c.Say(", ").Much(claim.PointCount, "point")
	}
	switch e, versioned := EngineText(r.Engine); {
	case versioned:
		c.Say(", ").Name(e)
	case e != "":
		c.Say(", ").Name(e).Say(" of unrecorded version")
	}
	return c.Say(".").Sentence()
}

// loadRange are the points of the smallest and the largest load of a run with one axis; ok is false where they are
// one load.
func loadRange(r *figure.Run) (min, max *catalog.Point, ok bool) {
	axis, first := "", true
	for _, s := range r.Scenarios {
		if s.Axis == "" || !first && s.Axis != axis {
			return nil, nil, false
		}
		axis, first = s.Axis, false
		for _, p := range s.Points {
			if min == nil || figure.LoadOf(p) < figure.LoadOf(min) {
				min = p
			}
			if max == nil || figure.LoadOf(p) > figure.LoadOf(max) {
				max = p
			}
		}
	}
	return min, max, min != nil && figure.LoadOf(min) != figure.LoadOf(max)
}

// runFacts are the six facts below the heading.
func (d *draft) runFacts(r *figure.Run) {
	written := r.Attr("model")
	if written == "" {
		written = r.Identity.Model
	}
	engine := page.Fact{Name: "Engine"}
	e, versioned := EngineText(r.Engine)
	if w := r.Attr("wrapper"); w != "" && e != "" {
		engine.Parts = page.Text(e + ", " + w)
	} else {
		engine.Parts = page.Text(cmp.Or(e, "not recorded"))
	}
	if e != "" && !versioned {
		engine.Flag = &page.Link{Text: "version not recorded"}
	}
	tool := r.Tool.Name
	if v := r.Attr("tool_version"); v != "" {
		tool += " " + v
	}
	started := page.Fact{Name: "Started", Parts: page.Text(cmp.Or(strings.Replace(r.Started, "T", " ", 1),
		"not recorded"))}
	if s := r.Started; len(s) > 10 && !strings.ContainsAny(s[10:], "Z+") && !strings.Contains(s[10:], "-") {
		started.Parts = append(started.Parts, page.Part{Text: ", zone not recorded"})
	}
	points := page.Fact{Name: "Points"}
	if len(r.Points) == 0 {
		points.Parts = page.Text("none recorded")
	} else {
		t := metric.Plural(len(r.Points), "point")
		o := r.Requests()
		if o.Submitted > 0 {
			t += ", " + metric.Count(o.Submitted) + " requests"
		}
		points.Parts = page.Text(t)
		if lacks := o.Lacks(); lacks != "" {
			points.Flag = &page.Link{Text: lacks, Href: d.Place.To(PathRun(r.ID), "data")}
		}
	}
	named := page.Fact{Name: "Model", Parts: page.Text(cmp.Or(written, "not recorded"))}
	if r.Model.ID == "" && written != "" { // "<model>", "$MODEL"
		named.Parts = append(page.Text("not recorded: the sources say "), page.Part{Text: page.Clip(written, 60), Code: true})
	}
	d.view.Facts = append(d.view.Facts, fromName(d.traced(r, named, "model"), record.FactModel, r),
		fromName(d.traced(r, d.hardwareFact(r), "hardware"), record.FactHardware, r),
		d.traced(r, engine, "engine_version", "engine"),
		page.Fact{Name: "Tool", Parts: page.Text(cmp.Or(tool, "not recorded"))}, started)
	if !r.OnlyScores() {
		d.view.Facts = append(d.view.Facts, points)
	}
	if v := r.Param("max_model_len"); v != "" {
		d.view.Facts = append(d.view.Facts,
			page.Fact{Name: "Context limit", Parts: page.Text(page.Thousands(v) + " tokens")})
	}
	if in, out, beyond := longestServed([]*figure.Run{r}); in > 0 {
		d.view.Facts = append(d.view.Facts, page.Fact{Name: "Longest context served",
			Parts: page.Text(countText(in) + " in + " + countText(out) + " out tokens on average" + beyond)})
	}
	if f, ok := sourceFact([]*figure.Run{r}); ok {
		d.view.Facts = append(d.view.Facts, f)
	}
	if labels := runLabels(r); labels != "" {
		d.view.Facts = append(d.view.Facts, page.Fact{Name: "Labels", Parts: page.Text(labels)})
	}
}

// hardwareFact is what a run was measured on, with what is not known of it.
func (d *draft) hardwareFact(r *figure.Run) page.Fact {
	hw := page.Fact{Name: "Hardware"}
	switch {
	case r.Attr("hardware") == "":
		hw.Parts = page.Text("not recorded")
	case r.Hardware.CountAssumed:
		hw.Parts = page.Text(r.Hardware.Accelerator.Name)
	default:
		hw.Parts = page.Text(itoa(r.Hardware.Count) + " × " + r.Hardware.Accelerator.Name)
	}
	switch {
	case r.Attributes["hardware"].Was != "":
		hw.Flag = &page.Link{Text: "overridden", Href: d.Place.To(PathRun(r.ID), "provenance")}
	case r.Hardware.Accelerator.FormFactorUnknown:
		hw.Flag = &page.Link{Text: "form factor not recorded", Href: d.Place.To(PathRun(r.ID), "findings")}
	case r.Hardware.CountAssumed && r.Attr("hardware") != "":
		hw.Flag = &page.Link{Text: "count not recorded"}
		if !r.OnlyScores() { // for which it is no finding
			hw.Flag.Href = d.Place.To(PathRun(r.ID), "findings")
		}
	}
	return hw
}

// fromName says behind the first part of a fact that only a name states it, where none of the runs has it from elsewhere.
func fromName(f page.Fact, fact string, runs ...*figure.Run) page.Fact {
	for _, r := range runs {
		if r.FromName(fact) == "" {
			return f
		}
	}
	f.Parts = slices.Insert(slices.Clone(f.Parts), 1, page.Part{Text: " (" + runs[0].FromName(fact) + ")"})
	return f
}

// traced gives the first part of a fact the place it was read from as its title. Of several keys
// the first recorded one counts.
func (d *draft) traced(r *figure.Run, f page.Fact, keys ...string) page.Fact {
	for _, k := range keys {
		a, ok := r.Attributes[k]
		if !ok || len(f.Parts) == 0 || f.Parts[0].Title != "" {
			continue
		}
		t := string(a.From)
		if a.File != "" {
			t += ", " + placeText(a.File, a.Line)
		}
		if a.Value != f.Parts[0].Text {
			t += ": " + strconv.Quote(page.Clip(a.Value, 80))
		}
		if a.Was != "" {
			t += ", before " + strconv.Quote(page.Clip(a.Was, 80))
		}
		f.Parts = slices.Clone(f.Parts)
		f.Parts[0].Title = t
		return f
	}
	return f
}

// sourceFact is where the results were published, by whom and under which licence.
func sourceFact(runs []*figure.Run) (page.Fact, bool) {
	f := page.Fact{Name: "Source"}
	seen := map[string]bool{}
	for _, r := range runs {
		for _, s := range r.Sources {
			title := cmp.Or(s.Title, s.Address)
			if title == "" || seen[title] {
				continue
			}
			seen[title] = true
			if len(seen) > 2 {
				continue
			}
			if len(f.Parts) > 0 {
				f.Parts = append(f.Parts, page.Part{Text: " · "})
			}
			f.Parts = append(f.Parts,
				page.Part{Text: page.Clip(title, 60), Href: page.WebAddress(s.Address), Title: s.Date})
			if s.Author != "" && !strings.Contains(title, s.Author) {
				f.Parts = append(f.Parts, page.Part{Text: " by " + page.Clip(s.Author, 40)})
			}
			f.Parts = append(f.Parts, page.Part{Text: "; licence: " + page.Clip(cmp.Or(s.License, "not recorded"), 40)})
		}
	}
	if n := len(seen) - 2; n > 0 {
		f.Parts = append(f.Parts, page.Part{Text: " and " + itoa(n) + " more"})
	}
	return f, len(seen) > 0
}

// runLabels are the labels of a run: "region eu, batch 3".
func runLabels(r *figure.Run) string {
	var ls []string
	for _, k := range slices.Sorted(maps.Keys(r.Attributes)) {
		if name, ok := strings.CutPrefix(k, "labels."); ok {
			ls = append(ls, name+" "+r.Attributes[k].Value)
		}
	}
	return strings.Join(ls, ", ")
}

// longestServed is the longest prompt and answer together that were really served, as tokens in and
// out on average over the requests of a workload; zero where no lengths were measured. Beyond is what follows these in
// words where more was asked for than that and not counted: it may have been served too.
func longestServed(runs []*figure.Run) (in, out float64, beyond string) {
	asked := 0.0
	for _, r := range figure.Active(runs) {
		for _, s := range r.Scenarios {
			if !slices.ContainsFunc(s.Believed, func(p *catalog.Point) bool { return len(p.Metrics) > 0 }) {
				continue // of what cannot be believed nothing is derived
			}
			i, o := s.ActualLengths()
			if i > 0 && o > 0 {
				if i+o > in+out {
					in, out = i, o
				}
				continue
			}
			if n := s.Workload.Nominal; n.Input != nil && n.Output != nil {
				asked = max(asked, *n.Input+*n.Output)
			}
		}
	}
	if asked > in+out {
		beyond = ", of those counted; " + countText(asked) + " were asked for"
	}
	return in, out, beyond
}

package change

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// parts are what a run has beside metadata, points and findings, where it differs.
func parts(was, r *figure.Run) (ds []Difference) {
	ds = differ(ds, "origin of the id", idFrom(was), idFrom(r))
	ds = differ(ds, "tool", was.Identity.Tool, r.Identity.Tool)
	ds = differ(ds, "session", was.Identity.Session, r.Identity.Session)
	ds = differ(ds, "model as written", was.Identity.Model, r.Identity.Model)
	ds = differ(ds, "start", was.Started, r.Started)
	for _, named := range []func(*figure.Run) map[string]string{devices, figures, unused} {
		ds = append(ds, texts(named(was), named(r))...)
	}
	ds = append(ds, profiles(was, r)...)
	ds = differ(ds, "accepted codes of findings", strings.Join(was.Accept, ", "), strings.Join(r.Accept, ", "))
	return slices.Concat(ds, sources(was, r), statements(was, r))
}

// texts are the parts that differ, of two sets of them by name.
func texts(before, now map[string]string) (ds []Difference) {
	for _, name := range union(before, now) {
		ds = differ(ds, name, before[name], now[name])
	}
	return ds
}

func idFrom(r *figure.Run) string {
	if r.IDFrom == "" {
		return "tool, session and model"
	}
	return "a run.toml"
}

func devices(r *figure.Run) map[string]string {
	all := map[string]string{}
	for i, d := range r.Devices {
		words := []string{d.Name}
		for _, q := range []struct {
			format string
			value  *float64
		}{{"%v MiB", d.MemoryMiB}, {"%v MiB in use", d.MemoryUsedMiB}, {"at most %v W", d.PowerLimit}} {
			if q.value != nil {
				words = append(words, fmt.Sprintf(q.format, *q.value))
			}
		}
		all["device "+metric.Count(i+1)] = strings.Join(words, ", ")
	}
	return all
}

// figures are the quantities of the whole run.
func figures(r *figure.Run) map[string]string {
	all := map[string]string{}
	for _, f := range r.Figures {
		info, _ := metric.Lookup(f.Metric)
		name := cmp.Or(info.Label, string(f.Metric)) + " of the whole run"
		if f.Of != "" {
			name += ", " + f.Of
		}
		text := f.Published
		if f.Value != nil {
			text = strings.TrimSpace(metric.Exact(*f.Value) + " " + f.Unit)
		}
		if f.Basis != "" {
			text += ", " + f.Basis
		}
		if all[name] != "" {
			text = all[name] + "; " + text
		}
		all[name] = text
	}
	return all
}

// profiles are the scatters and time lines that differ.
func profiles(was, r *figure.Run) (ds []Difference) {
	named := func(r *figure.Run) map[string]record.Curves {
		all := map[string]record.Curves{}
		for _, p := range r.Profiles {
			all[p.Name] = p.Curves
		}
		return all
	}
	before, now := named(was), named(r)
	shape := func(all map[string]record.Curves, name string) string {
		if p, ok := all[name]; ok {
			return metric.Plural(len(p.Lines), "line") + " of " + metric.Plural(len(p.X), "value")
		}
		return ""
	}
	for _, name := range union(before, now) {
		old, text := shape(before, name), shape(now, name)
		if old == text && !reflect.DeepEqual(before[name], now[name]) {
			text += ", some of which differ"
		}
		ds = differ(ds, "profile "+name, old, text)
	}
	return ds
}

// unused are the keys of the records that no figure is made of.
func unused(r *figure.Run) map[string]string {
	all := map[string]string{}
	for key, n := range r.Unmapped {
		all["key "+key+", which is kept and not used"] = metric.Plural(n, "time")
	}
	return all
}

// sources are the files that the run was read from, where they or what is known of them differ.
func sources(was, r *figure.Run) (ds []Difference) {
	named := func(r *figure.Run) map[string]catalog.Source {
		all := map[string]catalog.Source{}
		for _, s := range r.Sources {
			all[s.Path] = s
		}
		return all
	}
	content := func(s catalog.Source) string {
		if s.SHA256 == "" {
			return ""
		}
		return "content with SHA-256 " + s.ID()
	}
	before, now := named(was), named(r)
	for _, name := range union(before, now) {
		old, s := before[name], now[name]
		ds = differ(ds, "source file "+name, content(old), content(s))
		if old.Path != s.Path {
			continue
		}
		for _, of := range []struct{ what, before, after string }{{"format", old.Format, s.Format},
			{"title", old.Title, s.Title}, {"address", old.Address, s.Address}, {"author", old.Author, s.Author},
			{"date", old.Date, s.Date}, {"licence", old.License, s.License}, {"CI job", job(old.CI), job(s.CI)}} {
			ds = differ(ds, of.what+" of source file "+name, of.before, of.after)
		}
	}
	return ds
}

// job is what is known of a CI job.
func job(ci *record.CI) string {
	if ci == nil {
		return ""
	}
	var known []string
	for _, of := range []struct{ what, value string }{{"", ci.URL}, {"attempt ", ci.Attempt}, {"workflow ", ci.Workflow},
		{"started by ", ci.Event}, {"branch ", ci.Branch}, {"pull request ", ci.PullRequest}, {"fork ", ci.Fork},
		{"commit ", ci.Commit}} {
		if of.value != "" {
			known = append(known, of.what+of.value)
		}
	}
	return strings.Join(known, ", ")
}

// statements are who states metadata whose value is as it was, and what else is stated of it.
func statements(was, r *figure.Run) (ds []Difference) {
	for _, key := range union(was.Attributes, r.Attributes) {
		old, a := was.Attributes[key], r.Attributes[key]
		if old.Value != a.Value {
			continue
		}
		ds = differ(ds, key+" is stated by", by(old.From, old.File), by(a.From, a.File))
		ds = differ(ds, key+" replaces", old.Was, a.Was)
		ds = differ(ds, "reason of "+key, old.Reason, a.Reason)
		ds = differ(ds, key+" is otherwise stated as", others(old), others(a))
	}
	return ds
}

// by names who states something: a file, else its authority.
func by(from catalog.Authority, file string) string { return cmp.Or(file, string(from)) }

func others(a catalog.Attribute) string {
	var texts []string
	for _, o := range a.Others {
		texts = append(texts, o.Value+" by "+by(o.From, o.File))
	}
	return strings.Join(texts, "; ")
}

// remaining is what differs where nothing else does: the raw records, or where the values stand.
func remaining(was, r *figure.Run) Difference {
	if was.Records != r.Records {
		sum := func(r *figure.Run) string {
			if r.Records == "" {
				return ""
			}
			return "content with SHA-256 " + r.Records[:min(12, len(r.Records))]
		}
		return Difference{"raw records", sum(was), sum(r)}
	}
	return Difference{What: "no value differs: what is noted beside them does, such as the lines they stand in"}
}

// conditions are what one point has beside its statistics and counts, where it differs.
func conditions(where string, p, q *catalog.Point) (ds []Difference) {
	ds = differ(ds, "date, "+where, p.Date, q.Date)
	seconds := func(n catalog.Number) string {
		if n == nil {
			return ""
		}
		return metric.Exact(*n) + " s"
	}
	ds = differ(ds, "duration, "+where, seconds(p.Duration), seconds(q.Duration))
	failures := func(p *catalog.Point) string {
		var texts []string
		for _, e := range p.Errors {
			texts = append(texts, metric.Count(e.Count)+" of "+e.Text)
		}
		return strings.Join(texts, "; ")
	}
	ds = differ(ds, "errors, "+where, failures(p), failures(q))
	for _, m := range union(p.Distributions, q.Distributions) {
		before, after := spread(p.Distributions[m]), spread(q.Distributions[m])
		if before == after && !reflect.DeepEqual(p.Distributions[m], q.Distributions[m]) {
			after += ", some of which differ"
		}
		info, _ := metric.Lookup(m)
		ds = differ(ds, "distribution of "+cmp.Or(info.Label, string(m))+", "+where, before, after)
	}
	return ds
}

// spread says of how much a distribution is made; "" where there is none.
func spread(d catalog.Distribution) string {
	if len(d.Quantiles) == 0 {
		return ""
	}
	return metric.Plural(d.N, "value")
}

package normalize

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/internal/order"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
	"github.com/inferdex/inferdex/ingest/settings"
)

// build makes the run. It is a function of the plan and the options alone.
func (o *Options) build(p *plan, hide *redact.Redactor) *catalog.Run {
	f := &p.findings
	n := names{o.Names}
	w, named := n.folderWord(p.records)
	side := o.sidecars(p, hide)
	records := expand(n.trusted(p, w, named, side.claims), o.Formats, hide)
	r := &catalog.Run{
		Version: catalog.FormatVersion, ID: p.id, IDFrom: p.idFrom, Identity: p.identity, Formerly: p.formerly,
	}
	r.Sources = o.sources(p, side, hide)
	r.Withdrawn = side.withdrawn
	r.Accept = slices.Sorted(maps.Keys(side.accepted))
	r.Points = points(ofKind(records, "result"), f)
	r.Figures = figures(ofKind(records, "figure"), f)
	r.Profiles = profiles(ofKind(records, "profile"))
	r.Parameters = parameters("server", records, f)
	r.Client = parameters("client", records, f)
	r.Env = parameters("env", records, f)
	r.Devices = devices(records)

	near := nearness(records)
	claims := claimsOf(records, p.identity.Model, near)
	for _, c := range side.claims {
		c.depth = near(c.file)
		claims = append(claims, c)
	}
	if named {
		claims = append(claims, w.claim())
	}
	claims = append(claims, p.beside...)
	r.Attributes = n.attributes(claims, f)
	if model := p.identity.Model; r.Attributes[record.FactModel].Value == "" && settings.Placeholder(model) {
		at := slices.IndexFunc(records, func(x *entry) bool { return x.Header().Identity.Model == model })
		f.add(CodePlaceholder, record.Remark, records[max(0, at)], "%q stands where the name of a model should: none is taken from it",
			reading.Clip(model))
	}
	n.judgeFolders(claims, r.Sources, f)
	if named {
		w.judge(n, r.Attributes[record.FactHardware], f)
	}
	fewDevices(r, f)
	r.Started = runStarted(r)

	paths := map[string]string{}
	for _, s := range r.Sources {
		if paths[s.ID()] == "" {
			paths[s.ID()] = s.Path
		}
	}
	judge(r, paths, f)
	if len(r.Points) == 0 && slices.ContainsFunc(r.Figures, func(f catalog.Figure) bool { return f.Score == nil }) {
		at := ofKind(records, "figure")[0]
		f.add(CodeFiguresOnly, record.Remark, at, "only figures of the whole run are known, no measured point")
	}
	for _, x := range ofKind(records, "note") {
		note := x.Record.(*record.Note)
		severity := note.Severity
		if _, ok := severities[severity]; !ok {
			severity = record.Remark
		}
		f.at(cmp.Or(note.Code, "note"), severity, x.path, note.At.Line, "%s", note.Text)
	}
	r.Findings = f.sorted(side.accepted)

	for _, x := range records {
		if x.computed {
			continue
		}
		for _, key := range unmapped(x.Record) {
			if r.Unmapped == nil {
				r.Unmapped = map[string]int{}
			}
			r.Unmapped[key]++
		}
	}
	return r
}

// runStarted is the beginning of the run as well as it is known: the earliest of the tool's own
// name for the session, where that is a date, and the dates of the points; else the date somebody
// stated. An override goes before all.
func runStarted(r *catalog.Run) string {
	date := r.Attributes[record.FactDate]
	if date.From == catalog.FromOverride {
		if s := started(date.Value); s != "" {
			return s
		}
	}
	first := started(r.Identity.Session)
	for i := range r.Points {
		s := started(r.Points[i].Date)
		// A time says more than its day alone.
		sooner := s < first && !strings.HasPrefix(first, s) || len(s) > len(first) && strings.HasPrefix(s, first)
		if s != "" && (first == "" || sooner) {
			first = s
		}
	}
	return cmp.Or(first, started(date.Value))
}

// scoreOf is what an accuracy is of, its standard error in the base unit.
func scoreOf(x *record.Figure) *record.Score {
	if x.Score == nil {
		return nil
	}
	s := *x.Score
	if s.StdErr != nil {
		v, err := metric.ToBase(x.Quantity, *s.StdErr, x.Unit)
		if s.StdErr = &v; err != nil || v < 0 {
			s.StdErr = nil
		}
	}
	return &s
}

// figures merges the figures of a run: of one metric the exact value computed from most records
// stands, with the text that a page publishes for it.
func figures(records []*entry, f *findings) []catalog.Figure {
	type key struct {
		metric metric.ID
		of     string
	}
	groups := map[key][]*entry{}
	for _, r := range records {
		fig := r.Record.(*record.Figure)
		k := key{fig.Quantity, fig.Of}
		groups[k] = append(groups[k], r)
	}
	var out []catalog.Figure
	for k, group := range groups {
		slices.SortStableFunc(group, func(a, b *entry) int {
			x, y := a.Record.(*record.Figure), b.Record.(*record.Figure)
			value := func(f *record.Figure) int {
				if f.Value == nil {
					return 1
				}
				return 0
			}
			return cmp.Or(cmp.Compare(value(x), value(y)), cmp.Compare(y.From, x.From), byPlace(a, b))
		})
		m := merging{findings: f, name: strings.TrimSpace(string(k.metric) + " " + k.of)}
		info, known := metric.Lookup(k.metric)
		if !known {
			f.add("unknown-metric", record.Remark, group[0], "figure %q is not known and was left out", m.name)
			continue
		}
		m.name = strings.TrimSpace(info.Label + " " + k.of)
		m.fig = catalog.Figure{Metric: k.metric, Of: k.of, Unit: info.Unit}
		for _, r := range group {
			m.value(r)
			m.published(r)
		}
		if m.complete() {
			out = append(out, m.fig)
		}
	}
	order.Stable(out, func(a, b catalog.Figure) int {
		return cmp.Or(cmp.Compare(a.Metric, b.Metric), cmp.Compare(a.Of, b.Of))
	})
	return out
}

// merging makes one figure of its records, which come in the order of their weight.
type merging struct {
	fig      catalog.Figure
	name     string
	findings *findings
	// exact is the record of the value, page the first of a published text, rounded the first computed
	// one with a text that a page would publish.
	exact, page, rounded *entry
}

// value takes the value of a record, if it is the first.
func (m *merging) value(r *entry) {
	x := r.Record.(*record.Figure)
	if x.Value == nil {
		return
	}
	v, err := metric.ToBase(x.Quantity, *x.Value, x.Unit)
	switch {
	case err != nil:
		m.findings.add("unknown-unit", record.Warning, r, "figure %s was left out: %v", m.name, err)
	case m.exact == nil:
		if r.computed || x.From > 0 {
			v = metric.Round(v)
		}
		m.fig.Value, m.fig.Basis, m.fig.At, m.exact = &v, x.Basis, r.place(), r
		m.fig.Score = scoreOf(x)
	case !agreeAs(*m.fig.Value, v, m.exact.Record.(*record.Figure).Unit, x.Unit):
		shown := metric.Texts(m.fig.Unit, *m.fig.Value, v)
		m.findings.add(CodeFigure, record.Warning, r, "%s is %s in %s and %s in %s; the first is shown", m.name,
			shown[0], where(m.exact), shown[1], where(r))
	}
}

// published takes the published text of a record, if it is the first.
func (m *merging) published(r *entry) {
	text := publishedBy(r)
	switch {
	case text == "":
	case r.computed:
		if m.rounded == nil {
			m.rounded = r
		}
	case m.page == nil:
		m.page = r
	case !samePublished(publishedBy(m.page), text):
		m.findings.add(CodeFigure, record.Warning, r, "%s is published as %q in %s and as %q in %s; the first is shown",
			m.name, publishedBy(m.page), where(m.page), text, where(r))
	}
}

func publishedBy(r *entry) string { return r.Record.(*record.Figure).Published }

// complete adds the published text, and reports whether there is anything to show.
func (m *merging) complete() bool {
	fig := &m.fig
	switch {
	case m.page != nil:
		fig.Published, fig.PublishedAt = strings.TrimSpace(publishedBy(m.page)), m.page.place()
		if m.rounded != nil && !samePublished(publishedBy(m.rounded), fig.Published) {
			m.findings.add(CodeFigure, record.Warning, m.page,
				"%s is published as %q in %s, and what the records give would be %q",
				m.name, fig.Published, where(m.page), strings.TrimSpace(publishedBy(m.rounded)))
		}
	case m.rounded != nil:
		fig.Published = strings.TrimSpace(publishedBy(m.rounded))
	}
	if fig.Value == nil {
		if m.page == nil {
			return false
		}
		fig.At = m.page.place()
		fig.Basis = m.page.Record.(*record.Figure).Basis
	}
	return true
}

// samePublished compares published texts; older pages end a cell in a blank.
func samePublished(a, b string) bool {
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}

// profiles are the profiles of a run, one a name: the one with most places stands.
func profiles(records []*entry) []catalog.Profile {
	byName := map[string]*entry{}
	for _, r := range records {
		p := r.Record.(*record.Profile)
		if old := byName[p.Name]; old == nil || len(p.X) > len(old.Record.(*record.Profile).X) {
			byName[p.Name] = r
		}
	}
	var out []catalog.Profile
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		r := byName[name]
		p := r.Record.(*record.Profile)
		q := catalog.Profile{Curves: p.Curves, At: r.place()}
		q.Lines = nil
		for _, l := range p.Lines {
			if len(l.Y) == len(p.X) {
				q.Lines = append(q.Lines, l)
			}
		}
		out = append(out, q)
	}
	return out
}

// devices are the accelerators of the nearest metadata file that lists most of them.
func devices(records []*entry) []record.Device {
	var best *record.System
	depth := -1
	for _, r := range records {
		s, ok := r.Record.(*record.System)
		if !ok || len(s.Devices) == 0 {
			continue
		}
		d := strings.Count(treeDir(r.path), "/")
		if best == nil || d > depth || d == depth && len(s.Devices) > len(best.Devices) {
			best, depth = s, d
		}
	}
	if best == nil {
		return nil
	}
	return best.Devices
}

// fewDevices tells where a report lists fewer accelerators than served: it is of one of several machines, or of
// one that had no part in it.
func fewDevices(r *catalog.Run, f *findings) {
	count := r.Attributes[record.FactCount]
	n, err := strconv.Atoi(count.Value)
	if err != nil || len(r.Devices) == 0 || n <= len(r.Devices) ||
		r.Attributes[record.FactHardware].From != catalog.FromMetadata {
		return
	}
	f.at(CodeHardware, record.Warning, r.Attributes[record.FactHardware].File, r.Attributes[record.FactHardware].Line,
		"the report lists %d of the %d accelerators that served: it is of one of several machines, or of another one",
		len(r.Devices), n)
}

// sources are the files of a run, each path of each. Bytes that were seen again have the paths
// they were seen at.
func (o *Options) sources(p *plan, s side, hide *redact.Redactor) []catalog.Source {
	stored := map[string][]catalog.Source{}
	for _, r := range p.replaced {
		for _, x := range r.Sources {
			stored[x.SHA256] = append(stored[x.SHA256], x)
		}
	}
	// Where a session was found says which SOURCE.toml is above it.
	origin := map[string]string{}
	for _, x := range p.sessions {
		maps.Copy(origin, x.origin)
	}
	type key struct{ path, digest string }
	seen := map[key]bool{}
	var out []catalog.Source
	add := func(x catalog.Source) {
		if k := (key{x.Path, x.SHA256}); !seen[k] {
			seen[k] = true
			out = append(out, x)
		}
	}
	for _, r := range p.records {
		for _, x := range r.sources() {
			add(x)
		}
		for _, q := range r.paths {
			if seen[key{q, r.key.digest}] {
				continue
			}
			x := o.source(r, q, cmp.Or(origin[q], q), hide)
			for _, old := range stored[r.key.digest] {
				if x.CI == nil {
					x.CI = old.CI
				}
				if x.Title+x.Address+x.Author+x.Date+x.License == "" && !s.fresh {
					x.Title, x.Address, x.Author, x.Date, x.License = old.Title, old.Address, old.Author, old.Date, old.License
				}
			}
			add(x)
		}
	}
	order.Stable(out, func(a, b catalog.Source) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.SHA256, b.SHA256))
	})
	return out
}

// source is the file of a record that this ingest found at a path, published and as read.
func (o *Options) source(r *entry, published, found string, hide *redact.Redactor) catalog.Source {
	x := catalog.Source{Path: published, SHA256: r.key.digest, Format: r.Header().Format, CI: o.CI}
	if info := o.Sidecars.For(settings.RunMatch{Path: found}).Source; info != nil {
		x.Title, x.Address, x.Author = hide.Text(info.Title), hide.Text(info.Address), hide.Text(info.Author)
		x.Date, x.License = hide.Text(info.Date), hide.Text(info.License)
		if x.CI == nil && info.CI != nil {
			x.CI = hide.CI(info.CI)
		}
	}
	return x
}

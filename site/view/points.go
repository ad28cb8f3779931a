package view

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// pointTables are all points of a run. Workloads of one load each share a table; the others
// have one of their own, collapsed where there are several.
func (d *draft) pointTables(r *figure.Run, ids bool) {
	if len(r.Points) == 0 {
		return
	}
	p := d.g.placesOf(r)
	var blocks []page.Block
	if all := fewPoints(r); all != nil && ids {
		for i, q := range all {
			if len(q.s.Points) > 1 && (i == 0 || all[i-1].s != q.s) {
				blocks = append(blocks, page.Block{Heading: &page.Heading{ID: anchorOf(q.s),
					Text: q.s.Title + ", " + metric.Plural(loads(q.s), "load")}})
			}
			blocks = append(blocks, page.Block{Heading: &page.Heading{ID: PointID(q.s, q.p), Text: page.Capital(strings.TrimSuffix(
				q.s.Title+", "+figure.LoadPhrase(q.p), ", "))}},
				d.table("point-"+PointID(q.s, q.p), func() *page.Grid { return d.onePoint(r, q) }))
			if from := d.sourceCell(r, q.p.At); from.Href != "" {
				blocks = append(blocks, page.Text("From ").Link(from.Text, from.Href).Text(".").Block())
			}
		}
	} else {
		blocks = append([]page.Block{further(d.Place, p.spans, 0)}, d.pointBlocks(r, p, p.spans[0], ids)...)
	}
	where := "Exact numbers are in the title of each cell and in "
	if len(r.Points) > maxAcross {
		where = "Exact numbers are in the titles of medians and single values, and all of them in "
	}
	intro := page.Text(where).Link(path.Base(pathPointsOf(r)), d.File(pathPointsOf(r))).
		Text(", with all other statistics.")
	if slices.ContainsFunc(r.Scenarios, func(s *figure.Scenario) bool {
		return slices.ContainsFunc(s.Points, func(p *catalog.Point) bool {
			return len(s.MeasuredAt(figure.LoadOf(p))) > figure.MostRepetitions
		})
	}) {
		intro = intro.Text(" Of more than " + itoa(figure.MostRepetitions) + " measurements at one load the first " +
			itoa(figure.MostRepetitions) + " are listed.")
	}
	if note := varyingLengths(r); note != "" {
		intro = intro.Text(" " + note)
	}
	d.section("data", "Measured points", append([]page.Block{intro.Block()}, blocks...)...)
}

// varyingLengths says how the lengths of the requests of a run are spread where they are not those of the workload's name.
func varyingLengths(r *figure.Run) string {
	var how []string
	longest := false
	for _, s := range r.Scenarios {
		if w := s.Workload; w.Distribution != "" && w.Distribution != "fixed" {
			if !slices.Contains(how, w.Distribution) {
				how = append(how, w.Distribution)
			}
			longest = longest || w.LengthSemantics == upperBound
		}
	}
	if len(how) == 0 {
		return ""
	}
	text := "Lengths vary from request to request: " + strings.Join(how, "; ")
	if longest {
		text += ", so that a workload is called by the longest and not by the average"
	}
	return text + "."
}

// pointsPage is a further page of the points of a run.
func (g *Site) pointsPage(r *figure.Run, i int) *draft {
	p := g.placesOf(r)
	d := g.spanPage(r, p.spans, i, "data", pointsName)
	d.section("data", "Measured points", append([]page.Block{further(d.Place, p.spans, i)},
		d.pointBlocks(r, p, p.spans[i], true)...)...)
	return d.done()
}

// pointBlocks are the tables of the points of a run that stand on a page, that of a workload under a heading or, where
// there are several, folded.
func (d *draft) pointBlocks(r *figure.Run, of *pointPlaces, here span, ids bool) (blocks []page.Block) {
	if here.begin < of.single {
		single := span{begin: here.begin, end: min(here.end, of.single)}
		blocks = append(blocks, d.table("single-points", func() *page.Grid {
			return d.pointTable(r, "Workloads measured at one load", of.rows[:of.single], single, true, ids)
		}))
	}
	var group []page.Details
	for i := max(here.begin, of.single); i < here.end; {
		s, first := of.rows[i].s, of.at[anchorOf(of.rows[i].s)]
		end := first
		for end < len(of.rows) && of.rows[end].s == s {
			end++
		}
		rows, some := of.rows[first:end], span{begin: i - first, end: min(end, here.end) - first}
		i = min(end, here.end)
		title := s.Title + ", " + metric.Plural(loads(s), "load")
		grid := func() *page.Grid { return d.pointTable(r, s.Title+" by load", rows, some, false, ids) }
		if group == nil && i == here.end {
			return append(blocks, page.Block{Heading: &page.Heading{ID: anchorOf(s), Text: title}},
				d.table("points-"+s.Key, grid))
		}
		de := d.details("points-"+s.Key, title, grid)
		de.ID = anchorOf(s)
		group = append(group, *de)
	}
	if group != nil {
		blocks = append(blocks, page.Block{Group: group})
	}
	return blocks
}

// pointTable is some points with all metrics that any of them has. With named, each row is
// headed by its workload; else by its load. Here are the rows of it on this page.
func (d *draft) pointTable(r *figure.Run, caption string, ps []pointRow, here span, named, ids bool) *page.Grid {
	t := page.NewTable(caption, "compact", ps)
	t.Only(here.rows())
	t.Each(func(_ int, q pointRow, row *page.Row) {
		if ids {
			row.ID = PointID(q.s, q.p)
		}
		if o, ok := figure.Success(q.p); ok && o.Ratio() < 0.95 {
			row.Class = "amber"
		}
	})
	if named {
		t.Col("Workload", func(q pointRow) page.Cell { return page.Cell{Text: q.s.Title, Head: true} })
		t.Col("Load", func(q pointRow) page.Cell {
			return page.Cell{Text: strings.TrimPrefix(rowShort(q.s, q.p), "load "), Class: "nw"} // "not recorded"
		})
	} else {
		t.Add(kindOf(ps[0].s.Axis).column, func(q pointRow) page.Cell {
			return page.Cell{Text: q.s.RowText(q.p), Head: true, Exact: infTitle(figure.LoadOf(q.p))}
		})
	}
	for _, info := range metric.Shown(metric.Run) {
		statColumns(t, r, ps, info)
	}
	// What one request sees of prefill and decode, where the tool does not say it itself.
	said := func(q pointRow) bool { return len(q.p.Metrics) > 0 && has(q.s, metric.PPSpeed) }
	if named && !slices.ContainsFunc(ps, said) && slices.ContainsFunc(ps,
		func(q pointRow) bool { a, b := figure.PrefillDecode(q.p); return a > 0 && b > 0 }) {
		t.Num("Prefill", "tok/s, one request", func(q pointRow) page.Cell {
			v, _ := figure.PrefillDecode(q.p)
			return page.NumberIf(v, v > 0, metric.Scale{})
		})
		t.Num("Decode", "tok/s, one request", func(q pointRow) page.Cell {
			_, v := figure.PrefillDecode(q.p)
			return page.NumberIf(v, v > 0, metric.Scale{})
		})
	}
	tokenColumn(t, ps)
	t.Num("TTFT tail", "p99 / median", func(q pointRow) page.Cell {
		v, ok := figure.TailRatio(q.p, metric.TTFT)
		if !ok {
			return page.Missing("")
		}
		return page.Cell{Text: metric.Format(v)} // of two cells beside it
	})
	t.Num("Completed", "of submitted", completedOf)
	t.Col("Source", func(q pointRow) page.Cell {
		c := d.sourceCell(r, q.p.At)
		if d.g.manySources(r) && c.Href != "" {
			// Names and digests of many files would be most of the page. The page of the files has the
			// anchors of the points too.
			if !slices.Contains(q.s.Measured, q.p) { // the median of several
				return page.Cell{Text: "files", Href: d.Place.To(d.g.pathSources(r), ""), Class: "nw"}
			}
			return page.Cell{Text: "file", Href: d.Place.To(d.g.pathSource(r, q.p.At.Source), PointID(q.s, q.p)), Class: "nw"}
		}
		return c
	})
	g := t.Done()
	if len(ps) > mostApart {
		g.Above("Load", "Tokens", "Completed")
	}
	return g
}

// mostApart is how many rows a table of points has at most with a column for what is the same in all of them.
const mostApart = 5

// mostFew is how many points have a table each, a row a metric, because all their statistics do not fit into one row.
const mostFew = 2

// mostInRow is how many statistics fit into one row of a table, on a phone with a scroll.
const mostInRow = 4

// fewPoints are the points of a run that has no more than [mostFew]; nil where it has more, or where a row holds all that
// is known of one.
func fewPoints(r *figure.Run) (all []pointRow) {
	for _, s := range r.Scenarios {
		for _, p := range s.Rows() {
			all = append(all, pointRow{s, p})
		}
	}
	if len(all) > mostFew || r.Phased() {
		return nil
	}
	for _, q := range all {
		n := 0
		for _, row := range statRows(r, q) {
			n += len(row.stats)
		}
		if n > mostInRow {
			return all
		}
	}
	return nil
}

// statRow is what a point records of one metric.
type statRow struct {
	info  metric.Info
	scale metric.Scale
	stats map[string]float64
	// label and cell are of what is no metric: the requests that were completed.
	label string
	cell  page.Cell
}

// statRows are the metrics of a point that a run shows, in the order of its tables.
func statRows(r *figure.Run, q pointRow) (rows []statRow) {
	for _, info := range metric.Shown(metric.Run) {
		row := statRow{info: info, stats: map[string]float64{}}
		var all []*float64
		for _, stats := range info.Columns(metric.Run) {
			for _, stat := range stats {
				if v, ok := figure.Get(q.p, info.ID, stat); ok {
					row.stats[stat] = v
					all = append(all, &v)
					break
				}
			}
		}
		if v, stat, ok := figure.Stated(q.p, info.ID); ok && len(all) == 0 {
			row.stats[stat], all = v, []*float64{&v}
		}
		for _, stat := range []string{metric.Mean, metric.Std} { // a mean also where its columns begin with the median
			if v, ok := figure.Get(q.p, info.ID, stat); ok && len(all) > 0 {
				row.stats[stat] = v
			}
		}
		if len(all) > 0 {
			row.scale = pivotScale(info, all)
			rows = append(rows, row)
		}
	}
	return rows
}

// besideStats are what a point tells beside its metrics: what one request sees of prefill and decode where the tool does
// not say it, the tokens, the tail of TTFT and the requests that were completed.
func besideStats(q pointRow) (rows []statRow) {
	add := func(label string, c page.Cell) {
		if c.Text != "" && c.Class != page.Missing("").Class {
			rows = append(rows, statRow{label: label, cell: c})
		}
	}
	if a, b := figure.PrefillDecode(q.p); a > 0 && b > 0 && !has(q.s, metric.PPSpeed) {
		add("Prefill, one request, tok/s", page.Number(a, metric.Scale{}))
		add("Decode, one request, tok/s", page.Number(b, metric.Scale{}))
	}
	for _, kind := range tokenKinds {
		if c, ok := tokenCell(q, kind.stat, countText); ok {
			add("Tokens, "+kind.unit, c)
			break
		}
	}
	if v, ok := figure.TailRatio(q.p, metric.TTFT); ok {
		add("TTFT tail, p99 / median", page.Cell{Text: metric.Format(v)})
	}
	add("Completed of submitted", completedOf(q))
	return rows
}

// onePoint is all that is known of a point: a row a metric, a column a statistic.
func (d *draft) onePoint(r *figure.Run, q pointRow) *page.Grid {
	rows := append(statRows(r, q), besideStats(q)...)
	t := page.NewTable("What was measured with "+q.s.Title, "dense", rows)
	t.Col("Metric", func(row statRow) page.Cell {
		if row.label != "" {
			return page.Cell{Text: row.label, Head: true}
		}
		return page.Cell{Text: row.info.Label, Note: row.scale.Unit, Head: true,
			Exact: statNote(r, []pointRow{q}, row.info.ID, row.info, row.scale.Unit)}
	})
	for i, row := range rows { // what has one number has no mean: both fit into one column
		if v, ok := row.stats[metric.Value]; ok && len(row.stats) == 1 {
			rows[i].stats = map[string]float64{metric.Mean: v}
		}
	}
	columns := []string{metric.Mean}
	for _, row := range rows {
		for stat := range row.stats {
			if !slices.Contains(columns, stat) {
				columns = append(columns, stat)
			}
		}
	}
	order := []string{metric.Value, metric.Mean, metric.Std, metric.Min, metric.Median}
	slices.SortFunc(columns, func(a, b string) int {
		place := func(stat string) int {
			if i := slices.Index(order, stat); i >= 0 {
				return i
			}
			return len(order)
		}
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	for _, stat := range columns {
		title := page.Upper(stat)
		switch {
		case stat == metric.Mean:
			title = "Value or mean"
		case strings.HasPrefix(stat, "p"):
			title = stat
		}
		t.Num(title, "", func(row statRow) page.Cell {
			if row.label != "" && stat == metric.Mean {
				return row.cell
			}
			v, ok := row.stats[stat]
			c := page.NumberIf(v, ok, row.scale)
			if ok && q.s.Suspects(q.p)[row.info.ID] != "" {
				c.Class, c.Sub = "warn", "suspect" // the finding says why
			}
			return c
		})
	}
	return t.Done()
}

// completedOf is how many requests of a point were completed, with the errors of the others.
func completedOf(q pointRow) page.Cell {
	c := completedCell([]*catalog.Point{q.p})
	if c.Text != "" && q.p.Errors != nil {
		var es []string
		for _, e := range q.p.Errors {
			es = append(es, metric.Count(e.Count)+" × "+e.Text)
		}
		c.Exact = strings.Join(es, "; ")
	}
	return c
}

// tokenKinds are the ways to count tokens, the first that is recorded counts.
var tokenKinds = []struct{ stat, unit string }{{metric.Value, "in → out, of all requests"},
	{metric.Mean, "in → out, mean of a request"}}

// tokenColumn says how many tokens were read and written: of all requests, or of one on average where no row has sums.
func tokenColumn(t *page.Table[pointRow], ps []pointRow) {
	write := countText
	if len(ps) > maxAcross/2 {
		write = metric.Format // digits are most of a large page
	}
	for _, kind := range tokenKinds {
		if !slices.ContainsFunc(ps, func(q pointRow) bool { _, ok := tokenCell(q, kind.stat, write); return ok }) {
			continue
		}
		t.Num("Tokens", kind.unit, func(q pointRow) page.Cell {
			c, ok := tokenCell(q, kind.stat, write)
			if !ok {
				return page.Missing("")
			}
			return c
		})
		return
	}
}

// tokenCell is how many tokens were read and written, by one statistic; ok is false where neither is recorded.
func tokenCell(q pointRow, stat string, write func(float64) string) (c page.Cell, ok bool) {
	in, hasIn := figure.Get(q.p, metric.InputTokens, stat)
	out, hasOut := figure.Get(q.p, metric.OutputTokens, stat)
	text := func(v float64, ok bool) string {
		if !ok {
			return "?"
		}
		return write(v)
	}
	return page.Cell{Text: text(in, hasIn) + " → " + text(out, hasOut), Class: "nw"}, hasIn || hasOut
}

// statColumns adds the statistics of a metric that a table of points shows.
func statColumns(t *page.Table[pointRow], r *figure.Run, ps []pointRow, info metric.Info) {
	m, columns := info.ID, info.Columns(metric.Run)
	large := len(r.Points) > maxAcross
	medians := large && has(ps[0].s, m) && slices.ContainsFunc(columns,
		func(c []string) bool { return c[0] == metric.Median })
	var all []*float64
	var said []string
	for _, q := range ps {
		if v, stat, ok := figure.Stated(q.p, m); ok {
			all = append(all, &v)
			said = append(said, stat)
		}
	}
	if len(all) == 0 {
		return
	}
	if !slices.ContainsFunc(columns,
		func(stats []string) bool { _, vs := statColumn(ps, m, stats); return vs != nil }) {
		columns = [][]string{said} // a record that says little of the metric
	}
	scale, first := pivotScale(info, all), true
	for _, stats := range columns {
		if _, ok := figure.Get(ps[0].p, m, metric.Median); ok && medians && stats[0] == metric.Mean {
			continue // the page of a large run is long enough with medians
		}
		stat, vs := statColumn(ps, m, stats)
		if vs == nil {
			continue
		}
		c := page.Column{Title: info.Label, Unit: scale.Unit}
		if stat != metric.Value && stat != metric.Max {
			c.Unit = stat + ", " + scale.Unit
		}
		if first {
			c.Note = statNote(r, ps, m, info, scale.Unit)
		} else {
			c.Title, c.Unit = stat, scale.Unit
		}
		first = false
		if m == metric.KVCacheUsage {
			c.Title = "KV max"
		}
		t.Scaled(c, scale, vs, func(i int, c *page.Cell) {
			if code := ps[i].s.Suspects(ps[i].p)[m]; code != "" && c.Text != "" {
				c.Class, c.Sub = "warn", "suspect" // the finding says why
			}
			if large && stat != metric.Median && stat != metric.Value && stat != metric.Max {
				c.Exact = "" // in the file: digits that nothing compresses are most of a large page
			}
		})
	}
}

// statNote is the title of a metric's heading: what it is, the unit its sources have it in and
// whether it was computed here.
func statNote(r *figure.Run, ps []pointRow, m metric.ID, info metric.Info, shown string) string {
	s := page.Upper(info.Long)
	if t := meaningNote(r, m); t != "" {
		s = t
	}
	for _, q := range ps {
		st, ok := q.p.Metrics[m]
		if !ok {
			continue
		}
		if st.Computed != "" {
			return s + "; computed by inferdex: " + st.Computed
		}
		if u := cmp.Or(st.OrigUnit, st.Unit); u != shown && u != "" {
			return s + "; recorded in " + u
		}
		break
	}
	return s
}

// meaningNote says what a tool measures by the name of a metric, where it uses it in a way of its own.
func meaningNote(r *figure.Run, m metric.ID) string {
	for _, x := range compare.Meanings(r.Identity.Tool) {
		if x.Metric == m {
			info, _ := metric.Lookup(m)
			return info.Label + " is " + x.Text
		}
	}
	return ""
}

// statColumn are the values of the first of some statistics that any point has, nil where none has one.
func statColumn(ps []pointRow, m metric.ID, stats []string) (stat string, values []*float64) {
	for _, stat := range stats {
		vs := make([]*float64, len(ps))
		any := false
		for i, q := range ps {
			if v, ok := figure.Get(q.p, m, stat); ok {
				vs[i], any = &v, true
			}
		}
		if any {
			return stat, vs
		}
	}
	return "", nil
}

package main

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/metric"
)

// comparison prints itself.
type comparison struct{ *compare.Comparison }

// metricTable is one statistic of one metric over the loads of a workload, as it is printed.
type metricTable struct {
	title string
	rows  []metricRow
}

type metricRow struct {
	load, a, b, change, certainty string

	by float64 // the relative change, infinite from 0
}

// metricTables turns the rows of loads around: what one wants to see below each other is one
// metric at all loads.
func metricTables(loads []compare.Row) []metricTable {
	type key struct {
		m    metric.ID
		stat string
	}
	var order []key
	rows := map[key][]compare.Difference{}
	texts := map[key][]string{}
	for _, l := range loads {
		for _, r := range l.Differences {
			k := key{r.Metric, r.Stat}
			if rows[k] == nil {
				order = append(order, k)
			}
			rows[k] = append(rows[k], r)
			texts[k] = append(texts[k], loadWords(l.A[0]))
		}
	}
	var out []metricTable
	for _, k := range order {
		var medians []*float64
		for _, r := range rows[k] {
			medians = append(medians, &r.A.Median, &r.B.Median)
		}
		info, _ := metric.Lookup(k.m)
		scale := metric.ScaleFor(info.Unit, medians)
		cells := scale.Column(medians)
		t := metricTable{title: info.Label}
		if k.stat != metric.Value {
			t.title += " " + k.stat
		}
		if !strings.HasSuffix(t.title, "/s") { // "Requests/s"
			t.title += ", " + scale.Unit
		}
		for i, r := range rows[k] {
			by := math.Inf(1)
			if r.Change != nil {
				by = *r.Change
			}
			t.rows = append(t.rows, metricRow{texts[k][i], summaryText(cells[2*i], r.A, scale),
				summaryText(cells[2*i+1], r.B, scale), changeText(r), certaintyText(r), by})
		}
		out = append(out, t)
	}
	return out
}

// summaryText is a median with its interval and the number of measurements behind it.
func summaryText(median string, s figure.Summary, scale metric.Scale) string {
	switch {
	case s.Requests > 0:
		return fmt.Sprintf("%s [%s to %s] of %s requests", median, scale.Format(s.RequestLo),
			scale.Format(s.RequestHi), metric.Count(s.Requests))
	case s.N == 1:
		return median
	}
	return fmt.Sprintf("%s [%s to %s] n=%d", median, scale.Format(s.Lo), scale.Format(s.Hi), s.N)
}

func changeText(d compare.Difference) string {
	switch {
	case d.Change != nil:
		return metric.Change(*d.Change)
	case d.Delta == 0:
		return metric.Change(0)
	}
	return "from 0"
}

// certaintyText is the certainty as one or two words, with the direction where there is one.
func certaintyText(d compare.Difference) string {
	switch {
	case d.Certainty == compare.NoClaim:
		return "no claim"
	case d.Certainty == compare.Distinguishable && d.Winner != 0:
		return "B is " + d.Verdict()
	}
	return d.Certainty.String()
}

// certaintyNotes explain the words of the certainty column that occur.
func (c comparison) certaintyNotes() []string {
	var single, repeated, claims, requests bool
	for _, p := range c.Pairs {
		for _, w := range p.Workloads {
			for _, l := range w.Loads {
				for _, r := range l.Differences {
					switch {
					case r.A.Requests > 0 || r.B.Requests > 0:
						requests = true
					case r.Certainty != compare.NoClaim:
						claims = true
					case r.A.N == 1 && r.B.N == 1:
						single = true
					default:
						repeated = true
					}
				}
			}
		}
	}
	var notes []string
	if claims {
		notes = append(notes, "[x to y] from six measurements is the 95\u202f% interval of the median; \"not "+
			"distinguishable\": the two overlap")
	}
	if requests {
		notes = append(notes, "[x to y] of requests holds the median of one measurement's requests with 95\u202f%: "+
			"how far repeated measurements lie apart is not known")
	}
	switch {
	case repeated:
		notes = append(notes, "\"no claim\": fewer than six measurements on a side, so the data cannot tell a "+
			"change from chance; [x to y] are then the smallest and the largest")
	case single:
		notes = append(notes, "\"no claim\": one measurement on each side, so the data cannot tell a change from "+
			"chance")
	}
	return notes
}

// describe is a run in one line, for the head of a comparison.
func describe(r compare.Measured) string {
	card := figure.Card{Model: r.Model, Hardware: r.Hardware} // a run that is in no card may lack one of the two
	parts := []string{card.Title()}
	words := append([]string{r.EngineName()}, strings.Split(r.Series, ", ")...)
	for _, word := range append(words, day(r.Started)) {
		if word != "" && !slices.Contains(parts, word) { // a series may be named after engine and day
			parts = append(parts, word)
		}
	}
	if n := len(r.Of); n > 1 {
		parts = append(parts, fmt.Sprintf("run %s and %d that repeat it", r.Of[0].ID, n-1))
	} else {
		parts = append(parts, "run "+r.Of[0].ID)
	}
	if c := r.Commit(); c != "" {
		parts = append(parts, "commit "+c[:min(12, len(c))])
	}
	if r.Withdrawn != "" {
		parts = append(parts, "withdrawn: "+r.Withdrawn)
	}
	if n := len(r.Past); n > 0 {
		parts = append(parts, fmt.Sprintf("the last of %s that limits are held against", metric.Plural(n, "run")))
	}
	return strings.Join(parts, ", ")
}

// noBaseline says why limits are held against nothing.
func (c comparison) noBaseline() string {
	if c.A.Kind == compare.OfHistory {
		return "no baseline: no earlier run of this card, engine and series has a date and a workload in common; " +
			"nothing is held against limits"
	}
	return fmt.Sprintf("no baseline: %q holds no results so far; nothing is held against limits", c.A.Name)
}

func loadWords(p *catalog.Point) string { return cmp.Or(figure.LoadPhrase(p), "load not recorded") }

// heading is a workload with its axis.
func heading(w *compare.Workload) string {
	by := map[string]string{record.AxisConcurrency: ", by parallel requests", record.AxisRate: ", by request rate",
		record.AxisBatch: ", by batch"}
	return w.Title + by[w.Axis]
}

// remarks are what has to be known of a workload's comparison.
func remarks(w *compare.Workload) (rs []string) {
	for _, c := range w.Cautions {
		rs = append(rs, "caution: "+c)
	}
	for _, only := range []struct {
		name  string
		loads []record.Float
	}{{"A", w.OnlyA}, {"B", w.OnlyB}} {
		if len(only.loads) > 0 {
			rs = append(rs, fmt.Sprintf("only %s was measured at %s", only.name, loadsText(only.loads)))
		}
	}
	return rs
}

// alone is a workload that only one side has, as a clause.
func alone(x compare.Mismatch) string {
	s := fmt.Sprintf("only %s has %s", strings.ToUpper(x.Side), x.Workload)
	if len(x.Reasons) > 0 {
		s += " (" + strings.Join(x.Reasons, "; ") + ")"
	}
	return s
}

// parameterCounts says how many parameters stand where.
func parameterCounts(d compare.ParameterDiff) string {
	parts := []string{fmt.Sprintf("%d differ", len(d.Differs))}
	if n := len(d.OneVersion); n > 0 {
		parts = append(parts, fmt.Sprintf("%d known to one of the two versions alone", n))
	}
	if n := len(d.Unclear); n > 0 {
		parts = append(parts, fmt.Sprintf("%d recorded on one side alone", n))
	}
	return strings.Join(append(parts, fmt.Sprintf("%d the same", len(d.Same))), ", ")
}

// heldAt is where a limit is not kept, as a clause.
func heldAt(p compare.HeldAt, pairs int) string {
	where := loadWords(p.At) + ", " + p.Workload
	if pairs > 1 {
		where = p.Pair + ", " + where
	}
	switch {
	case p.Change == nil:
		return where + ": " + p.Why
	case math.IsInf(float64(*p.Change), 0):
		return where + ": from 0, " + p.Why
	}
	return where + ": " + metric.Change(float64(*p.Change)) + ", " + p.Why
}

// held is a limit's state in words.
func held(l compare.Held) string {
	switch {
	case l.State == compare.GateKept:
		return fmt.Sprintf("kept at %s", metric.Plural(l.KeptAt, "load"))
	case l.State == compare.GateMissing && len(l.Places) == 0 && len(l.Unreadable) == 0:
		return "missing: A has no such figure at a load that both were measured at"
	}
	n := 0
	for _, p := range l.Places {
		if p.State == l.State {
			n++
		}
	}
	if n == 0 { // what could not be read weighs more than any load
		return fmt.Sprintf("%s: %s of B cannot be read", l.State, metric.Plural(len(l.Unreadable), "place"))
	}
	return fmt.Sprintf("%s at %d of %s", l.State, n, metric.Plural(l.KeptAt+len(l.Places), "load"))
}

// loadsText writes loads for a sentence.
func loadsText(ls []record.Float) string {
	var ws []string
	for _, l := range ls {
		if math.IsInf(float64(l), 1) {
			ws = append(ws, "inf")
		} else {
			ws = append(ws, metric.Exact(float64(l)))
		}
	}
	return strings.Join(ws, ", ")
}

// text prints the comparison for a terminal.
func (c comparison) text(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	line := func(format string, args ...any) {
		for i, x := range args {
			if s, ok := x.(string); ok {
				args[i] = oneLine(s)
			}
		}
		fmt.Fprintf(tw, format+"\n", args...)
	}
	for i, p := range c.Pairs {
		if i > 0 {
			line("")
		}
		c.pairText(line, p)
		_ = tw.Flush()
	}
	if c.Verdict == compare.NoBaseline {
		line("%s", c.noBaseline())
	}
	if len(c.Limits) > 0 && c.Verdict != compare.Refused {
		line("")
		line("Limits:")
		for _, l := range c.Limits {
			line("  %s\t%s", l.Limit, held(l))
		}
		_ = tw.Flush()
		for _, l := range c.Limits {
			for _, p := range l.Places {
				line("  %s: %s: %s", l.Limit, p.State.String(), heldAt(p, len(c.Pairs)))
			}
			for _, u := range l.Unreadable {
				line("  %s: missing: %s", l.Limit, u)
			}
		}
	}
	notes := append(c.certaintyNotes(), c.Notes...)
	if len(notes) > 0 {
		line("")
	}
	for _, n := range notes {
		line("%s", n)
	}
	return tw.Flush()
}

// printer prints a line; texts among args are made fit for where they go.
type printer func(format string, args ...any)

func (c comparison) pairText(line printer, p compare.PairOfRuns) {
	line("A %s: %s", c.A.Name, describe(p.A))
	line("B %s: %s", c.B.Name, describe(p.B))
	if p.Refused != "" {
		line("not compared: %s", p.Refused)
	} else if s := p.Counts(); s != "" {
		line("caution: %s", s)
	}
	for _, l := range p.Labels {
		line("the tools differ: %s", l)
	}
	for _, w := range p.Workloads {
		if len(w.Loads) > 0 {
			workloadText(line, w)
		}
	}
	if p.Refused == "" && len(p.Alone) > 0 {
		line("")
		for _, x := range p.Alone {
			line("not compared: %s", alone(x))
		}
	}
	line("")
	line("Parameters: %s", parameterCounts(p.Parameters))
	for _, r := range slices.Concat(p.Parameters.Differs, p.Parameters.OneVersion) {
		line("  %s\t%s\tA %s\tB %s", string(r.Kind), r.Name,
			shorten(oneLine(r.Cells[0].String())), shorten(oneLine(r.Cells[1].String())))
	}
}

func workloadText(line printer, w *compare.Workload) {
	line("")
	line("%s", heading(w))
	for _, r := range remarks(w) {
		line("%s", r)
	}
	var rows [][]string
	for _, t := range metricTables(w.Loads) {
		rows = append(rows, nil, []string{t.title, "A", "B", "change"})
		for _, r := range t.rows {
			rows = append(rows, []string{"  " + r.load, r.a, r.b, r.change, r.certainty})
		}
	}
	for _, l := range aligned(rows) {
		line("%s", l)
	}
}

// aligned puts rows into columns of one width, numbers to the right: all columns but the first and
// the fifth.
func aligned(rows [][]string) []string {
	var widths []int
	for _, r := range rows {
		for i, cell := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	lines := make([]string, len(rows))
	for n, r := range rows {
		var b strings.Builder
		for i, cell := range r {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			switch {
			case i == 0:
				b.WriteString(cell + pad)
			case i < 4:
				b.WriteString("  " + pad + cell)
			default:
				b.WriteString("  " + cell)
			}
		}
		lines[n] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// unfolding is the summary of what is to unfold: text within an element, where Markdown's escapes are none.
type unfolding string

// markdown prints the comparison as GitHub shows it, in a job's summary, a comment, an issue: one table, and all
// else to unfold.
func (c comparison) markdown(w io.Writer) {
	line := func(format string, args ...any) {
		for i, x := range args {
			switch s := x.(type) {
			case string:
				args[i] = markdownText(s)
			case unfolding:
				args[i] = html.EscapeString(oneLine(string(s)))
			}
		}
		fmt.Fprintf(w, format+"\n", args...)
	}
	if c.Verdict == compare.NoBaseline {
		line("%s", c.noBaseline())
		line("")
	}
	if len(c.Pairs) == 1 {
		c.sidesMarkdown(line, c.Pairs[0])
		line("")
	}
	if len(c.Limits) > 0 && c.Verdict != compare.Refused {
		c.limitsMarkdown(line)
	} else {
		c.changesMarkdown(line)
	}
	for _, p := range c.Pairs {
		c.pairMarkdown(line, p)
	}
	for _, n := range append(c.certaintyNotes(), c.Notes...) {
		line("%s", n)
		line("")
	}
}

// limitsMarkdown are the limits, and where they are not kept.
func (c comparison) limitsMarkdown(line printer) {
	line("| limit | state | where |")
	line("| --- | --- | --- |")
	for _, l := range c.Limits {
		line("| %s | **%s** | %s |", l.Limit, held(l), c.worst(l))
	}
	line("")
	for _, l := range c.Limits {
		if len(l.Places)+len(l.Unreadable) < 2 {
			continue // the table has it
		}
		line("<details><summary>%s</summary>", unfolding(l.Limit+": "+held(l)))
		line("")
		for _, p := range l.Places {
			line("- **%s**: %s", p.State.String(), heldAt(p, len(c.Pairs)))
		}
		for _, u := range l.Unreadable {
			line("- **missing**: %s", u)
		}
		line("")
		line("</details>")
		line("")
	}
}

// worst is the first place where a limit has the state that it comes to.
func (c comparison) worst(l compare.Held) string {
	for _, p := range l.Places {
		if p.State == l.State {
			return heldAt(p, len(c.Pairs))
		}
	}
	if len(l.Unreadable) > 0 {
		return l.Unreadable[0]
	}
	return ""
}

// mostChanges is how many rows the table of a comparison without limits has at most.
const mostChanges = 40

// changesMarkdown has a row for each figure of each workload, with the least and the largest change.
func (c comparison) changesMarkdown(line printer) {
	n := 0
	for _, p := range c.Pairs {
		for _, w := range p.Workloads {
			for _, t := range metricTables(w.Loads) {
				if n++; n == 1 {
					line("| figure | workload | change | |")
					line("| --- | --- | ---: | --- |")
				}
				where := heading(w)
				if len(c.Pairs) > 1 {
					where = p.A.Card.Title() + ", " + where
				}
				if n <= mostChanges {
					line("| %s | %s | %s | %s |", t.title, where, t.changes(), t.certainties())
				}
			}
		}
	}
	if n > mostChanges {
		line("| and %s below | | | |", metric.Plural(n-mostChanges, "figure"))
	}
	if n > 0 {
		line("")
	}
}

// changes are the least and the largest change of a table.
func (t metricTable) changes() string {
	first, last := t.rows[0], t.rows[0]
	for _, r := range t.rows {
		if r.by < first.by {
			first = r
		}
		if r.by > last.by {
			last = r
		}
	}
	if first.change == last.change {
		return first.change
	}
	return first.change + " to " + last.change
}

// certainties count what is known of the changes of a table, the most frequent first.
func (t metricTable) certainties() string {
	if len(t.rows) == 1 {
		return t.rows[0].certainty
	}
	var words []string
	n := map[string]int{}
	for _, r := range t.rows {
		if n[r.certainty]++; n[r.certainty] == 1 {
			words = append(words, r.certainty)
		}
	}
	slices.SortStableFunc(words, func(a, b string) int { return n[b] - n[a] })
	for i, w := range words {
		words[i] = fmt.Sprintf("%s at %d of %d", w, n[w], len(t.rows))
	}
	return strings.Join(words, ", ")
}

// sidesMarkdown say what A and B are, and what has to be known of both.
func (c comparison) sidesMarkdown(line printer, p compare.PairOfRuns) {
	line("- **A**, %s: %s", c.A.Name, describe(p.A))
	line("- **B**, %s: %s", c.B.Name, describe(p.B))
	if p.Refused != "" {
		line("- **Not compared**: %s", p.Refused)
	} else if s := p.Counts(); s != "" {
		line("- Caution: %s", s)
	}
	for _, l := range p.Labels {
		line("- The tools differ: %s", l)
	}
}

func (c comparison) pairMarkdown(line printer, p compare.PairOfRuns) {
	n := len(p.Loads())
	line("<details><summary>%s</summary>", unfolding(p.A.Card.Title()+": "+metric.Plural(n, "load")+" compared"))
	line("")
	if len(c.Pairs) > 1 {
		c.sidesMarkdown(line, p)
		line("")
	}
	for _, w := range p.Workloads {
		if len(w.Loads) > 0 {
			workloadMarkdown(line, w)
		}
	}
	if p.Refused == "" && len(p.Alone) > 0 {
		for _, x := range p.Alone {
			line("- Not compared: %s", alone(x))
		}
		line("")
	}
	line("Parameters: %s", parameterCounts(p.Parameters))
	line("")
	if rows := slices.Concat(p.Parameters.Differs, p.Parameters.OneVersion); len(rows) > 0 {
		line("| | parameter | A | B |")
		line("| --- | --- | --- | --- |")
		for _, r := range rows {
			line("| %s | %s | %s | %s |", string(r.Kind), r.Name, r.Cells[0].String(), r.Cells[1].String())
		}
		line("")
	}
	line("</details>")
	line("")
}

func workloadMarkdown(line printer, w *compare.Workload) {
	line("### %s", heading(w))
	line("")
	for _, r := range remarks(w) {
		line("- %s", r)
	}
	if len(remarks(w)) > 0 {
		line("")
	}
	for _, t := range metricTables(w.Loads) {
		line("| %s | A | B | change | |", t.title)
		line("| --- | ---: | ---: | ---: | --- |")
		for _, r := range t.rows {
			line("| %s | %s | %s | %s | %s |", r.load, r.a, r.b, r.change, r.certainty)
		}
		line("")
	}
}

// oneLine is foreign text for a terminal: no control characters, no line break, no tab.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, printable(s))
}

// markdownText is foreign text that Markdown shows as it is, in a cell too.
func markdownText(s string) string {
	var b strings.Builder
	for _, r := range oneLine(s) {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '@' || r == '#':
			fmt.Fprintf(&b, "&#%d;", r) // GitHub links what looks like an account or an issue
		case r < unicode.MaxASCII && strings.ContainsRune("\\`*_{}[]|~$", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return cmp.Or(b.String(), " ")
}

package view

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"
)

// mostAlike is how many findings of one kind stand on the page of a run.
const mostAlike = 100

// findings are what a reader has to know before quoting, errors first.
func (d *draft) findings(r *figure.Run) {
	fs := slices.Clone(r.Findings)
	if len(fs) == 0 {
		return
	}
	slices.SortStableFunc(fs, func(a, b catalog.Finding) int {
		return cmp.Compare(severityRank(a.Severity),
			severityRank(b.Severity))
	})
	var ss []page.Sentence
	alike, more := map[string]int{}, 0
	for _, f := range fs {
		if alike[f.Code]++; alike[f.Code] > mostAlike {
			more++
			continue
		}
		parts := message(f)
		if f.Path != "" {
			parts = append(parts, page.Part{Text: " "}, page.Part{Text: placeText(f.Path, f.Line), Code: true})
		}
		if f.Accepted {
			parts = append(parts, page.Part{Text: " Acknowledged in a sidecar."})
		}
		ss = append(ss, page.Sentence{Topic: findingTopic(f.Code), Warn: f.Severity != record.Remark && !f.Accepted,
			Parts: parts})
	}
	blocks := []page.Block{page.Paragraph("What reading the sources turned up: contradictions, gaps and overrides."),
		{Says: ss}}
	if more > 0 {
		file := PathRunJSON(r.ID)
		blocks = append(blocks, page.Text(metric.Plural(more, "more finding")+" of these kinds: all are in ").
			Link(path.Base(file), d.File(file)).Text(".").Block())
	}
	d.section("findings", "Findings", blocks...)
}

// withdrawn says below the title of a page that its run must not be used.
func (d *draft) withdrawn(r *figure.Run) {
	if r.Withdrawn != "" {
		d.section("withdrawn", "Withdrawn", page.Block{Says: []page.Sentence{{Topic: "Do not use", Warn: true,
			Parts: page.Text(metric.FullStop(r.Withdrawn))}}})
	}
}

// distrust says below the title of a page what of its runs must not be used: what their findings of severity error
// are about. Runs of a page that has several are named.
func (d *draft) distrust(runs ...*figure.Run) {
	const most = 8
	var ss []page.Sentence
	for _, r := range runs {
		for _, s := range warned(r, record.Error) {
			if len(runs) > 1 {
				name := page.Text(strings.TrimSuffix(r.Card.Title()+", "+r.OwnName(), ", ") + ": ")
				s.Parts = append(append(name, s.Parts...), page.Part{Text: " "}).Link("Evidence",
					d.Place.To(PathRun(r.ID), "findings"))
			}
			ss = append(ss, s)
		}
	}
	if len(ss) == 0 {
		return
	}
	blocks := []page.Block{{Says: ss[:min(most, len(ss))]}}
	if n := len(ss) - most; n > 0 {
		blocks = append(blocks, page.Linked(metric.Plural(n, "more finding"),
			d.Place.To(page.PathData, "findings")).Block())
	}
	d.section("errors", "Not to be believed", blocks...)
}

// warned are the findings of one severity that nobody accepted, as sentences.
func warned(r *figure.Run, s record.Severity) (out []page.Sentence) {
	for _, f := range r.Findings {
		if f.Severity == s && !f.Accepted {
			out = append(out, page.Sentence{Topic: findingTopic(f.Code), Warn: true,
				Parts: message(f)})
		}
	}
	return out
}

// message is the sentence of a finding.
func message(f catalog.Finding) page.Parts {
	return page.Quoting(page.Capital(parted(metric.FullStop(f.Message))))
}

// messageNumbers are the counts, lengths and rates that messages hold: "1015 of 2000", "4096 in, 128 out", "2262 tok/s".
var messageNumbers = regexp.MustCompile(`\b\d{4,9} (?:of|in|out|requests|prompts|tokens|tok/s|req/s)\b|\b(?:of|are) \d{4,9}\b`)

// parted parts the thousands of counts and lengths in a message as everywhere else on the page.
func parted(s string) string {
	return messageNumbers.ReplaceAllStringFunc(s, func(m string) string {
		ws := strings.Split(m, " ")
		for i, w := range ws {
			ws[i] = page.Thousands(w)
		}
		return strings.Join(ws, " ")
	})
}

// findingTopic turns a code into words: "report-differs" is "Report differs".
func findingTopic(code string) string {
	s := strings.ReplaceAll(code, "-", " ")
	if s == "" {
		return "Finding"
	}
	words := strings.Fields(s)
	for i, w := range words {
		if short[w] {
			words[i] = strings.ToUpper(w)
		}
	}
	return page.Upper(strings.Join(words, " "))
}

// short are the words of codes that the field writes in capitals.
var short = map[string]bool{"tpot": true, "ttft": true, "ttfo": true, "itl": true, "ntpot": true,
	"e2e": true, "kv": true,
	"gpu": true, "cpu": true, "id": true, "csv": true, "json": true, "yaml": true}

func severityRank(s record.Severity) int {
	switch s {
	case record.Error:
		return 0
	case record.Warning:
		return 1
	}
	return 2
}

// attention lists what reading the files turned up, errors first, one sentence for each kind of
// finding and run.
func (d *draft) attention() []page.Block {
	type item struct {
		r *figure.Run
		f catalog.Finding
		// n are the runs of the card that say the same, elsewhere those that say it of other lines.
		n         int
		elsewhere bool
	}
	var items []item
	for _, r := range d.g.Index.Identified {
		if r.Withdrawn != "" {
			items = append(items,
				item{r: r, f: catalog.Finding{Code: "withdrawn", Severity: record.Error, Message: r.Withdrawn}, n: 1})
		}
		seen := map[string]bool{}
		for _, f := range r.Findings {
			if f.Severity != record.Remark && !f.Accepted && !seen[f.Code] {
				seen[f.Code] = true
				if i := slices.IndexFunc(items, func(o item) bool {
					return o.r.Card == r.Card && o.f.Code == f.Code && sameButLines(o.f.Message, f.Message)
				}); i >= 0 {
					items[i].n++
					items[i].elsewhere = items[i].elsewhere || items[i].f.Message != f.Message
					continue
				}
				items = append(items, item{r: r, f: f, n: 1})
			}
		}
	}
	if len(items) == 0 {
		return nil
	}
	slices.SortStableFunc(items, func(a, b item) int {
		return cmp.Compare(severityRank(a.f.Severity), severityRank(b.f.Severity))
	})
	const most = 8
	var says []page.Sentence
	for _, it := range items[:min(most, len(items))] {
		where := "findings"
		if it.f.Code == "withdrawn" {
			where = "withdrawn"
		}
		says = append(says, page.Sentence{Topic: findingTopic(it.f.Code), Warn: true,
			Parts: slices.Concat(page.Text(it.r.Card.Title()+inRuns(it.n, it.elsewhere)+": "), page.Quoting(parted(metric.FullStop(it.f.Message))+" ")).
				Link("Evidence", d.Place.To(PathRun(it.r.ID), where))})
	}
	blocks := []page.Block{page.Paragraph("What reading the files turned up. Each is also stated on the page of its " +
		"run."), {Says: says}}
	if n := len(items) - most; n > 0 {
		blocks = append(blocks, page.Linked(metric.Plural(n, "more finding"),
			d.Place.To(page.PathData, "findings")).Block())
	}
	return blocks
}

// inRuns says in how many runs of a card a finding occurs, where that is more than one; elsewhere, that its lines are those
// of one.
func inRuns(n int, elsewhere bool) string {
	switch {
	case n < 2:
		return ""
	case elsewhere:
		return ", one of " + itoa(n) + " such runs"
	}
	return ", " + itoa(n) + " runs"
}

// lineNumbers are the places in a file that a message names.
var lineNumbers = regexp.MustCompile(`\bline \d+`)

// sameButLines reports whether two messages say the same of other lines.
func sameButLines(a, b string) bool {
	return a == b || lineNumbers.ReplaceAllString(a, "") == lineNumbers.ReplaceAllString(b, "")
}

// yearBefore is the same day a year earlier, for comparison as text.
func yearBefore(day string) string {
	y := 0
	for _, c := range day[:4] {
		if c < '0' || c > '9' {
			return ""
		}
		y = y*10 + int(c-'0')
	}
	s := itoa(y - 1)
	return strings.Repeat("0", max(0, 4-len(s))) + s + day[4:]
}

// allFindings lists the findings of all runs, errors first.
func (d *draft) allFindings() {
	type item struct {
		r *figure.Run
		f catalog.Finding
	}
	var items []item
	for _, r := range d.g.Index.Runs {
		for _, f := range r.Findings {
			items = append(items, item{r, f})
		}
	}
	if len(items) == 0 {
		return
	}
	slices.SortStableFunc(items, func(a, b item) int {
		return cmp.Compare(severityRank(a.f.Severity),
			severityRank(b.f.Severity))
	})
	const most = 300
	blocks := []page.Block{d.table("findings", func() *page.Grid {
		t := page.NewTable("Findings", "compact attn", items[:min(most, len(items))])
		t.Head("Finding", func(it item) (string, string) { return findingTopic(it.f.Code), "" })
		t.Col("Severity", func(it item) page.Cell {
			c := page.Cell{Text: string(it.f.Severity), Class: "nw"}
			switch {
			case it.f.Accepted:
				c.Sub = "acknowledged"
			case it.f.Severity != record.Remark:
				c.Class = "nw warn"
			}
			return c
		})
		t.Col("Run", func(it item) page.Cell {
			return page.Cell{Text: it.r.Card.Title(), Href: d.Place.To(PathRun(it.r.ID), "findings")}
		})
		t.Col("What", func(it item) page.Cell {
			return page.Cell{Parts: page.Quoting(metric.FullStop(it.f.Message)), Class: "wrap-any"}
		})
		return t.Done()
	})}
	if n := len(items) - most; n > 0 {
		blocks = append(blocks, page.Paragraph(metric.Plural(n, "more is", "more are")+" on the pages of their runs."))
	}
	d.section("findings", "Findings", blocks...)
}

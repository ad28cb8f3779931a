package export

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// inert is foreign text that every Markdown shows as it is, in a cell too: what GitHub, kramdown, Goldmark, Liquid or a
// shortcode could take for markup is an entity, which none of them reads as such.
func inert(s string) string {
	var b strings.Builder
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd")))
	for i, r := range s {
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		harmless, markup := false, "\\`*_{}[]<>|~$@#&:'\"-."
		switch r {
		case '-', '.': // two make a dash, three dots one character
			harmless = before != r && after != r
		case '_': // emphasis begins and ends at words
			harmless = word(before) && word(after)
		case ':': // of an address
			harmless = after != '/'
		}
		if harmless && r == '.' && autolinked.MatchString(s[:i]) {
			harmless = false
		}
		if i == opening(s) {
			harmless, markup = false, markup+"+=)"
		}
		if !harmless && strings.ContainsRune(markup, r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// autolinked is what an address ends in, before its first dot, that needs no scheme to become a link.
var autolinked = regexp.MustCompile(`(?i)(^|[^\pL\pN])www$`)

// block is what begins a list, a definition or the line below a heading where it begins a line.
var block = regexp.MustCompile(`^(?:[0-9]*[-+:.)](?: |$)|=)`)

// opening is where the character of a text stands that makes it more than a paragraph, -1 where none does.
func opening(s string) int {
	return len(strings.TrimRight(block.FindString(s), " ")) - 1
}

// document is a Markdown text that is written.
type document struct{ bytes.Buffer }

// heading writes a heading of a level.
func (d *document) heading(level int, text string) {
	fmt.Fprintf(d, "\n%s %s\n\n", strings.Repeat("#", level), inert(text))
}

// table writes a table; columns whose names end in a unit or count something are numbers, which stand at the right.
func (d *document) table(head []string, numbers []int, rows [][]string) {
	line := func(cells []string) {
		for _, c := range cells {
			d.WriteString("| " + cmp.Or(inert(c), " ") + " ")
		}
		d.WriteString("|\n")
	}
	line(head)
	for i := range head {
		if slices.Contains(numbers, i) {
			d.WriteString("| ---: ")
		} else {
			d.WriteString("| --- ")
		}
	}
	d.WriteString("|\n")
	for _, r := range rows {
		line(r)
	}
}

// Markdown is the card as a text for a repository, a model card or a site, with the sections of a happy_vllm model
// card: main metrics, total speed, speed and latency of a request, parameters; below them every number of every run,
// exact and in base units, in an element that GitHub folds.
func (c Card) Markdown() []byte {
	d := &document{}
	d.heading(1, "Model card for "+c.Title)
	d.body(c, onGitHub)
	return bytes.TrimLeft(d.Bytes(), "\n")
}

// target is what the program that shows a text needs in it.
type target struct {
	open, end string // before and behind a long table, so that it opens on demand
	charts    string // where the charts stand, "" for none
}

const folded = "in base units, exact"

var (
	onGitHub = target{open: "<details><summary>" + folded + "</summary>\n\n", end: "\n</details>\n"}
	// kramdown reads Markdown inside of HTML where it is told to, CommonMark behind an empty line.
	inJekyll = target{open: "<details markdown=\"1\"><summary>" + folded + "</summary>\n<div style=\"overflow-x: auto\" " +
		"tabindex=\"0\" markdown=\"1\">\n\n", end: "\n</div>\n</details>\n",
		charts: "\n\x00\n"} // no text has it; Liquid puts them there
	// Hugo drops HTML of Markdown: a shortcode writes it.
	inHugo = target{open: "{{< inferdex-fold \"" + folded + "\" >}}\n", end: "{{< /inferdex-fold >}}\n"}
	// A page of the layouts that come as a module has charts too.
	inHugoPage = target{inHugo.open, inHugo.end, "\n{{< inferdex-charts >}}\n"}
)

// body is all below the title.
func (d *document) body(c Card, in target) {
	if c.Stale != nil {
		fmt.Fprintf(d, "Stale: %s\n", inert(c.Stale.Text()))
	}
	if head, ok := c.head(); ok {
		d.main(head)
		d.WriteString(in.charts)
		d.speed(head)
		d.latency(head)
		d.parameters(head)
	}
	d.runs(c)
	for _, r := range c.Runs {
		if r.Withdrawn == "" {
			d.values(r, in)
		}
	}
}

func (d *document) main(r Run) {
	d.heading(2, "Main metrics")
	fmt.Fprintf(d, "Of %s, measured by %s.\n\n", inert(r.label()), inert(r.Tool))
	var rows [][]string
	for _, h := range r.Headlines {
		rows = append(rows, []string{h.Label, strings.TrimSpace(h.Text + " " + h.Detail)})
	}
	if len(rows) > 0 {
		d.table([]string{"Metric", "Value"}, []int{1}, rows)
	}
}

// speed is the throughput of all requests together by load.
func (d *document) speed(r Run) {
	d.byLoad(r, "Total generation speed", metric.OutputThroughput, metric.TotalThroughput, metric.RequestThroughput)
}

// latency is what one request sees by load.
func (d *document) latency(r Run) {
	d.byLoad(r, "Generation speed and latency", metric.SpeedPerRequest, metric.TTFT, metric.TPOT, metric.ITL,
		metric.E2ELatency)
}

// byLoad has a table a workload with the central value of some metrics, for readers; the exact ones stand below.
func (d *document) byLoad(r Run, title string, ids ...metric.ID) {
	headed := false
	for _, s := range r.run.Scenarios {
		var head []string
		var columns [][]string
		for _, id := range ids {
			info, _ := metric.Lookup(id)
			var values []*float64
			any := false
			for _, p := range s.Points {
				v, _, ok := figure.Central(p, id)
				if any = any || ok; ok {
					values = append(values, &v)
				} else {
					values = append(values, nil)
				}
			}
			if any {
				scale := metric.ScaleFor(info.Unit, values)
				head, columns = append(head, info.Label+", "+scale.Unit), append(columns, scale.Column(values))
			}
		}
		if len(head) == 0 {
			continue
		}
		if !headed {
			d.heading(2, title)
			headed = true
		}
		var rows [][]string
		for i, p := range s.Points {
			row := []string{cmp.Or(figure.LoadPhrase(p), "load not recorded")}
			for _, col := range columns {
				row = append(row, col[i])
			}
			rows = append(rows, row)
		}
		fmt.Fprintf(d, "%s\n\n", inert(s.Title))
		var numbers []int
		for i := range head {
			numbers = append(numbers, i+1)
		}
		d.table(append([]string{"Load"}, head...), numbers, rows)
		d.WriteByte('\n')
	}
}

func (d *document) parameters(r Run) {
	if len(r.Parameters) == 0 {
		return
	}
	d.heading(2, "Parameters")
	var rows [][]string
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		rows = append(rows, []string{name, parameterText(r.Parameters[name])})
	}
	d.table([]string{"Parameter", "Value"}, nil, rows)
}

// runs are all runs of the card, with what has to be known of each.
func (d *document) runs(c Card) {
	d.heading(2, "Runs")
	head := []string{"Run", "Started", "Engine", "Series", "Tool", "Commit", "Remarks"}
	federated := slices.ContainsFunc(c.Runs, func(r Run) bool { return len(r.Origins) > 0 })
	if federated {
		head = append(head, "Origins")
	}
	var rows [][]string
	for _, r := range c.Runs {
		var remarks []string
		if r.Withdrawn != "" {
			remarks = append(remarks, "withdrawn: "+r.Withdrawn)
		}
		for _, f := range r.Findings {
			if f.Severity != "note" {
				remarks = append(remarks, f.Severity+": "+f.Text)
			}
		}
		row := []string{r.ID, r.Started, r.engine(), r.Series, r.Tool, r.Commit, strings.Join(remarks, "; ")}
		if federated {
			row = append(row, Origins(r.Origins))
		}
		rows = append(rows, row)
	}
	d.table(head, nil, rows)
}

// values are all numbers of a run.
func (d *document) values(r Run, in target) {
	d.heading(2, "All values of "+r.label())
	d.WriteString(in.open)
	if len(r.Figures) > 0 {
		var rows [][]string
		for _, f := range r.Figures {
			info, _ := metric.Lookup(f.Metric)
			rows = append(rows, []string{cmp.Or(info.Label, string(f.Metric)), f.Of, numberText(f.Value), f.Unit, f.Published,
				f.Suspect})
		}
		d.table([]string{"Figure", "Of", "Value", "Unit", "Published", "Suspect"}, []int{2}, rows)
		d.WriteByte('\n')
	}
	var rows [][]string
	for row := range Rows([]*figure.Run{r.run}) {
		rows = append(rows, []string{row.Scenario.Title, row.Scenario.Axis, figure.LoadKey(row.Point),
			strconv.Itoa(row.Point.Repetition), string(row.Metric.ID), row.Stat, metric.Exact(row.Value), row.Metric.Unit,
			row.Suspect})
	}
	if len(rows) > 0 {
		d.table([]string{"Workload", "By", "Load", "Repetition", "Metric", "Statistic", "Value", "Unit", "Suspect"},
			[]int{2, 3, 6}, rows)
	}
	d.WriteString(in.end)
}

// parameterText is the value of a parameter as people read it: a text without its quotes, all else as JSON.
func parameterText(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil && s != "" {
		return s
	}
	return string(value)
}

package aiperf

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// configured are the arguments of a command that the configuration of an export has by the same names.
var configured = []string{
	"model", "tokenizer", "concurrency", "request_rate", "synthetic_input_tokens_mean", "synthetic_input_tokens_stddev",
	"output_tokens_mean", "output_tokens_stddev", "input_dataset",
}

var (
	boxHead = regexp.MustCompile(`(?m)^[ \t]*[┃│][ \t]*(?:Metric|Statistic)[ \t]*[┃│][ \t]*avg[ \t]*[┃│]`)
	// The title of a box, of which these tell more of the measurement above.
	boxTitle = regexp.MustCompile(`\b(AI|GenAI-)Perf \| (.*:|HTTP|GPU|Power|Energy|Error|Internal|Experimental|Server|Agent|Steady-State)?`)
	// What is printed behind a box.
	behind = regexp.MustCompile(`^(Benchmark Duration|Output token throughput|Request (?:throughput|goodput))` +
		`(?: \(per sec\))?: ([0-9.,]+)`)
	client  = cmdline.NewPrinted(`aiperf profile|genai-perf(?: profile| \\| -.*)`, configured...)
	aliases = strings.NewReplacer(" -m ", " --model ", "-range ", " ", "--isl-", "--synthetic-input-tokens-", "--isl ",
		"--synthetic-input-tokens-mean ", "--osl-", "--output-tokens-", "--osl ", "--output-tokens-mean ",
		"--input-file", "--input-dataset", "--public-dataset", "--input-dataset")
)

// printed is a text in which the tools printed their boxes, each below its command or above it.
type printed struct {
	*table // of the measurement that is open, nil for none; its first box has a line
	line   int
	title  []string // of the last box
	tool   string
	args   cmdline.Arguments
	rows   bool // are expected
	part   bool // they are of a part of the time
	// AIPerf repeats its command behind the boxes, wrapped.
	repeats bool
	row     []string // the row that is being read, whose name may go on below
	at      int
}

// printed reads a text with boxes.
func (r *reader) printed(text []byte) {
	p, n := printed{args: cmdline.Arguments{}}, 0
	for l := range bytes.Lines(text) {
		n++
		line := strings.TrimSpace(string(l[:min(len(l), 16<<10)]))
		switch {
		case boxHead.MatchString(line):
			p.begin(r, reading.Cells(line), n)
		case !p.rows && !reading.Torn(l):
			p.text(line, n)
		case strings.HasSuffix(line, "│"):
			p.cells(reading.Cells(line), n)
		case p.table != nil && (p.repeats || strings.HasPrefix(line, "│") || strings.HasPrefix(line, "┏") ||
			behind.MatchString(line)):
			p.bad(n, "the line has no end: a part of it may be missing, and it is left out")
		case line == "" || strings.HasPrefix(line, "└") && strings.HasSuffix(line, "┘"):
			p.cells(nil, n)
			p.rows = false
		}
	}
	if p.rows {
		p.bad(p.line, "a printed table: the text ends inside of it: it was cut short, and what stands in it is kept")
	}
	p.end()
}

// begin reads the head of a box.
func (p *printed) begin(r *reader, head []string, n int) {
	if p.part = p.title != nil && p.title[2] == "Steady-State"; p.part {
		p.rows = p.table != nil
		return
	}
	if p.title == nil || p.title[2] == "" {
		p.end()
		p.table, p.line = &table{reader: r, boxed: true, seen: map[string]bool{}}, n
		if p.tool = genaiPerf; p.title == nil && head[0] == "Metric" || p.title != nil && p.title[1] == "AI" {
			p.tool = aiperf
		}
	}
	if p.rows = p.table != nil; p.rows {
		head[0] = "Metric"
		p.head = head
	}
}

// cells reads a line of a box: a row, or more of the name of the one above. Nil is its end.
func (p *printed) cells(cells []string, n int) {
	if p.part {
		p.part = cells != nil
		return
	}
	if len(cells) > 1 && p.row != nil && strings.Join(cells[1:], "") == "" {
		p.row[0] += " " + cells[0]
		return
	}
	if p.row != nil {
		p.table.row(p.at, p.row)
	}
	p.row, p.at = cells, n
}

// text reads a line outside of boxes.
func (p *printed) text(line string, n int) {
	if m := boxTitle.FindStringSubmatch(line); m != nil {
		p.title = m
		return
	}
	if m := behind.FindStringSubmatch(line); m != nil && p.table != nil {
		p.row = append([]string{m[1], m[2]}, make([]string, len(p.head)-2)...)
		p.cells(nil, n)
		return
	}
	line = aliases.Replace(" " + line)
	p.repeats = p.repeats && line != " " || p.table != nil && strings.Contains(line, "CLI Command:")
	if p.repeats || strings.Contains(line, "perf_analyzer -") {
		line = "--" + line
	}
	if p.table == nil || p.repeats {
		client.Read(p.args, line, n)
		return
	}
	next := cmdline.Arguments{}
	if client.Read(next, line, n); len(next) > 0 {
		p.end()
		p.args = next
	}
}

// end emits what is open, as the export that says the same. A command is that of one measurement: the next one has its
// model, and another load.
func (p *printed) end() {
	if p.table == nil {
		return
	}
	p.cells(nil, 0)
	p.args.NoNumbers(p.bad, "concurrency", "request_rate", "synthetic_input_tokens_mean", "output_tokens_mean")
	var config reading.Builder
	for _, name := range configured {
		if v := p.args[name].Value; v != "" {
			config.Text(name, reading.Clip(v))
		}
	}
	p.blocks.Add("input_config", config.JSON())
	v, _ := reading.Parse(p.blocks.JSON()) // what was written is JSON
	at, tool := record.Pos{File: p.file, Line: p.line}, p.tool
	(&reader{p.file, record.SessionKey(p.key, p.args["model"].Value), func(r record.Record) {
		switch x := r.(type) {
		case *record.SyntaxError:
			x.At = at
		case *record.Result:
			x.At, x.Identity.Tool = at, tool
			for i := range x.Facts {
				x.Facts[i].At = at
			}
		}
		p.emit(r)
	}}).export(v)
	p.table, p.args = nil, cmdline.Arguments{"model": p.args["model"]}
}

package evalscope

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

var (
	// shown is the first row of a printed summary.
	shown = regexp.MustCompile(`(?:Time taken for tests|Test Duration) \(s\)\s*[|│]\s*[0-9.]+\s*[|│]`)
	// client is how the command begins; numbers are how many requests it sends at each load.
	client = cmdline.NewPrinted(`evalscope perf`, wanted...)
	number = regexp.MustCompile(`\s(?:--number|-n)[= ]+([0-9]+(?: +[0-9]+)*)`)
	// argument is one of those that the tool logs, a member of an object.
	argument = regexp.MustCompile(`^\s+"([a-z_]+)": ("[^"]*"|[0-9]+|true),?$`)
	// row is one with bars at both of its ends.
	row = regexp.MustCompile(`^\s*[|│].*[|│]\s*$`)
	// tornBorder is a line of a border without the corner at its end.
	tornBorder = regexp.MustCompile(`^\s*[+┌├└╒╘][-=─═+┬┴┼]*[-=─═]$`)
	unmeasured = regexp.MustCompile(`^(?i:nan|n/a|none|null|-*)$`)
	ranked     = regexp.MustCompile(`^(?:min|max|[0-9.]+%)$`)
)

var wanted = []string{
	"model", "dataset", "tokenizer_path", "min_prompt_length", "max_prompt_length", "min_tokens", "max_tokens",
	openLoop,
}

// openLoop is the argument of a client that does not wait for answers: it has no limit of requests at once.
const openLoop = "open_loop"

// printed is a text in which the tool printed tables: of each measurement a summary, and below it the percentiles.
type printed struct {
	file string
	args cmdline.Arguments
	sent []string // how many requests the command sends at each load
	n    int      // the line

	open  bool            // a table has no end yet
	at    int             // the line of the open summary, 0 for none
	over  bool            // its table has ended: another one may have rows of the same names
	total string          // how many requests it has
	sums  reading.Builder // its members
	ranks []string        // of the columns of the table that is open, or else
	names []string        // of the columns of one with a row for each percentile
	rows  []rank
	sessions.Batch
}

// rank is a row of percentiles: its name, and its members.
type rank struct {
	name string
	reading.Builder
}

func readPrinted(src *reading.Source, emit func(record.Record)) {
	p := &printed{file: src.Path(), args: cmdline.Arguments{}}
	for line := range bytes.Lines(src.Data) {
		p.n++
		p.line(strings.TrimRight(string(line[:min(len(line), 16<<10)]), " \r\n"))
	}
	if p.open {
		p.Add(record.Errorf(record.Pos{File: p.file, Line: p.n}, "the text ends inside of a printed table: it was cut short, and what "+
			"stands in it is kept"))
	}
	p.end()
	folder, name := sessions.Split(p.file)
	container := p.Container(p.file)
	p.Emit(func(res *record.Result) string {
		if name == "benchmark.log" { // the tool's own, in the folder of its files: it has the same measurements
			return record.SessionKey(tool, folder)
		}
		return sessions.Key(tool, container, res)
	}, nil, emit)
}

func (p *printed) line(s string) {
	if m := argument.FindStringSubmatch(s); m != nil && slices.Contains(wanted, m[1]) {
		if m[1] == "model" {
			clear(p.args)
			p.sent = nil
		}
		p.args.Set(m[1], m[2], p.n)
		return
	}
	if client.Read(p.args, s, p.n) {
		if strings.Contains(s, "evalscope perf") {
			p.sent = nil
		}
		if m := number.FindStringSubmatch(s); m != nil {
			p.sent = strings.Fields(m[1])
		}
		if strings.Contains(s, "--open-loop") {
			p.args.Set(openLoop, "true", p.n)
		}
		return
	}
	p.over = p.over || s == "" || strings.HasPrefix(s, "```")
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(s))
	p.open = p.at > 0 && s != "" && strings.ContainsRune("|│├\ufffd", first) || tornBorder.MatchString(s) // as a row is torn
	var cells []string
	if row.MatchString(s) {
		cells = reading.Cells(s)
	}
	switch {
	case len(cells) < 2:
		return
	case len(cells) == 2 && strings.EqualFold(cells[1], "value"):
		p.end()
		p.at, p.over, p.names, p.ranks = p.n, false, nil, nil
	case p.at == 0:
	case cells[0] == "Percentile" || cells[0] == "Percentiles":
		p.names, p.ranks = cells, nil
	case ranked.MatchString(cells[1]) && cells[0] == "Metric":
		p.names, p.ranks = nil, cells
		for _, name := range cells[1:] {
			p.rows = append(p.rows, rank{name: name})
		}
	case len(p.names) == len(cells):
		p.rows = append(p.rows, rank{name: cells[0]})
		for i, text := range cells[1:] {
			p.add(&p.rows[len(p.rows)-1].Builder, p.names[i+1], text)
		}
	case len(p.ranks) == len(cells) && len(p.rows) == len(cells)-1:
		for i, text := range cells[1:] {
			p.add(&p.rows[i].Builder, cells[0], text)
		}
	case len(cells) == 2 && len(p.names)+len(p.ranks) == 0 && !p.over:
		if all := strings.Split(cells[1], " / "); cells[0] == "Total / Success / Failed" && len(all) == 3 {
			p.total = all[0]
			for i, name := range counts[3:] {
				p.add(&p.sums, name[0], all[i])
			}
			return
		}
		if strings.HasPrefix(cells[0], "Total request") {
			p.total = cells[1]
		}
		p.add(&p.sums, cells[0], cells[1])
	}
}

// add adds a number to an object, unless the text says that it was not measured. What is no number, or one with commas, of
// which nobody knows what they part, is added as a text, for whoever wants a number to be told.
func (p *printed) add(o *reading.Builder, name, text string) {
	switch f, err := strconv.ParseFloat(text, 64); {
	case math.IsInf(f, 0):
		p.Add(record.Errorf(record.Pos{File: p.file, Line: p.n}, "%q is infinite, or beyond what a number can be: the value is "+
			"left out", reading.Clip(name)))
	case len(name) >= 80 || slices.Contains(private, name) || unmeasured.MatchString(text):
	case err == nil:
		o.Add(name, []byte(strconv.FormatFloat(f, 'f', -1, 64)))
	default:
		o.Text(name, reading.Clip(text))
	}
}

// end adds the result of the open summary.
func (p *printed) end() {
	if p.at == 0 {
		return
	}
	at := record.Pos{File: p.file, Line: p.at}
	object := func(b *reading.Builder) *reading.Object {
		v, _ := reading.Parse(b.JSON()) // made of numbers
		return reading.NewObject(p.file, v, func(r record.Record) {
			if e, ok := r.(*record.SyntaxError); ok {
				e.At = at
			}
			p.Add(r)
		})
	}
	o := object(&p.sums)
	if o.Has("Succeed requests") || o.Has("Success Requests") {
		sums := part(summary, at)
		summarize(o, sums)
		args := p.arguments(at, sums)
		res := point(sums, sums, args)
		rows := part(percentiles, at)
		for i := range p.rows {
			r := &p.rows[i]
			if percentile(object(&r.Builder), rows, r.name) {
				p.sums.Add(r.name, r.JSON())
			}
		}
		if len(rows.Values) > 0 {
			res.Values = reading.Measured(slices.Concat(res.Values, point(rows, sums, args).Values), true)
		}
		reading.FirstTokens(res)
		res.Raw, res.Unmapped = p.sums.JSON(), o.Unmapped()
		p.Add(res)
	} else if o.Has("Time taken for tests (s)") || o.Has("Test Duration (s)") {
		p.Add(record.Errorf(at, "a printed summary of EvalScope without the number of requests that succeeded: the log may have "+
			"been cut short"))
	}
	p.at, p.total, p.sums, p.rows, p.names, p.ranks = 0, "", reading.Builder{}, nil, nil, nil
}

// arguments are those of the command above a summary, unless it sends other numbers of requests: notes are written with
// the results of several commands, and not with each command.
func (p *printed) arguments(at record.Pos, sums *record.Samples) *record.Samples {
	if p.sent != nil && !slices.Contains(p.sent, strings.TrimSuffix(p.total, ".0")) {
		clear(p.args)
		p.sent = nil
	}
	s := part(arguments, at)
	for _, name := range names {
		if f, err := strconv.ParseFloat(p.args[name[0]].Value, 64); err == nil {
			s.Nums[name[1]] = f
		}
	}
	if n, ok := sums.Nums["submitted"]; ok {
		s.Nums["prompts"] = n
	}
	model := p.args["model"]
	s.Texts["model"], s.Texts["dataset"] = reading.Clip(model.Value), reading.Clip(p.args["dataset"].Value)
	s.Texts[openLoop] = p.args[openLoop].Value
	facts := (*reading.Facts)(&s.Facts)
	facts.Add(record.FactModel, s.Texts["model"], record.Pos{File: p.file, Line: model.Line})
	t := p.args["tokenizer_path"]
	facts.Add(record.FactTokenizer, reading.Clip(t.Value), record.Pos{File: p.file, Line: t.Line})
	return s
}

package benchreport

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
	"github.com/inferdex/inferdex/ingest/internal/mdtable"
	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// field is what a number of the report means. The quantities "input", "output", "concurrency"
// and "prompts" are those of the workload and the load.
type field struct {
	quantity metric.ID
	stat     string
}

func (f field) String() string { return strings.TrimSuffix(string(f.quantity)+" "+f.stat, " value") }

const (
	nominalInput  metric.ID = "input"
	nominalOutput metric.ID = "output"
	concurrency   metric.ID = "concurrency"
	prompts       metric.ID = "prompts"
)

// order is the order of values in a result.
var order = []field{
	{nominalInput, ""}, {nominalOutput, ""}, {concurrency, ""}, {prompts, ""},
	{metric.OutputThroughput, metric.Value}, {metric.PeakOutputThroughput, metric.Value},
	{metric.TTFT, metric.Mean}, {metric.TTFT, metric.Median}, {metric.TTFT, "p99"},
	{metric.TPOT, metric.Mean}, {metric.TPOT, metric.Median}, {metric.TPOT, "p99"},
	{metric.ITL, metric.Mean}, {metric.ITL, metric.Median}, {metric.ITL, "p99"},
	{metric.E2ELatency, metric.Mean}, {metric.E2ELatency, metric.Median}, {metric.E2ELatency, "p99"},
	{metric.PPSpeed, metric.Value}, {metric.TGSpeed, metric.Value},
}

// stated is a number as the report states it at one place.
type stated struct {
	number   float64
	decimals int
	text     string
	key      string // column or label
	at       record.Pos
}

// scenario is everything that the report says of one scenario, from all of its parts.
type scenario struct {
	name     string
	at       record.Pos
	fields   map[field]stated
	sections []rawSection
	unmapped []string
	errors   []string
}

// rawSection is one part of the report as written, for Raw.
type rawSection struct {
	title string
	cells []record.KV
}

// report is the state of reading one Markdown file.
type report struct {
	file  string
	emit  func(record.Record)
	id    record.Identity
	facts []record.Fact

	scenarios []*scenario
	current   *scenario // whose key metrics are being read
	command   *command
	system    *record.System
	sweetSpot *claim
	peak      *claim
	late      []record.Record // notes and errors found before the identity was complete
}

// command is the start-up command with the line of each of its lines.
type command struct {
	text  string
	lines []mdtable.Line
}

// claim is a sentence of the report that can be computed from its tables.
type claim struct {
	concurrency float64
	value       stated
	at          record.Pos
}

func readReport(src *reading.Source, emit func(record.Record)) {
	p := &report{file: src.Path(), emit: emit, id: record.Identity{Tool: tool}}
	if i := notUTF8(src.Data); i > 0 {
		p.bad(record.Pos{File: p.file, Line: i}, "text that is not UTF-8: unreadable bytes are shown as U+FFFD")
	}
	data, cut := reading.CutRow(src.Data)
	if cut > 0 {
		p.bad(record.Pos{File: p.file, Line: cut}, "the report ends inside of the row: it is left out")
	}
	doc := mdtable.Parse(data)
	if doc.Cut > 0 {
		p.bad(record.Pos{File: p.file, Line: doc.Cut}, "no report has so many lines: the rest is left out")
	}
	var h2, h3 string
	waiting := false // a start-up command is expected in a code block
	for _, b := range doc.Blocks {
		switch b := b.(type) {
		case *mdtable.Comment:
			p.comment(b)
		case *mdtable.Heading:
			if b.Level <= 2 {
				h2, h3 = b.Text, ""
			} else {
				h3 = b.Text
			}
			p.current = nil
			if h3 != "" && strings.EqualFold(h2, "Scenario Results") {
				p.current = p.scenario(h3, record.Pos{File: p.file, Line: b.Line})
				p.current.at.Line, p.current.at.Col = b.Line, 0
			}
		case *mdtable.Table:
			p.table(h2, b)
		case *mdtable.Item:
			if p.current != nil && b.Depth == 0 {
				p.item(b)
			}
		case *mdtable.Rule:
			p.current = nil // what follows is the model's interpretation
		case *mdtable.Paragraph:
			if waiting = p.paragraph(b, h2 == "" || strings.Contains(h2, "Report")); waiting {
				continue
			}
		case *mdtable.Code:
			if waiting && p.command == nil {
				p.codeCommand(b)
			}
		}
		waiting = false
	}
	p.finish()
}

// notUTF8 returns the number of the first line that is no UTF-8, 0 if all are.
func notUTF8(data []byte) int {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if !bytes.Equal(line, bytes.ToValidUTF8(line, nil)) {
			return n
		}
	}
	return 0
}

func (p *report) pos(l mdtable.Line) record.Pos {
	return record.Pos{File: p.file, Line: l.Line, Col: l.Col}
}

func (p *report) bad(at record.Pos, format string, args ...any) {
	p.late = append(p.late, record.Errorf(at, format, args...))
}

func (p *report) note(at record.Pos, format string, args ...any) {
	p.late = append(p.late, &record.Note{Base: record.Base{At: at}, Code: "page-contradicts-itself",
		Severity: record.Warning, Text: fmt.Sprintf(format, args...)})
}

// scenario returns the scenario of that name and makes it if there is none yet.
func (p *report) scenario(name string, at record.Pos) *scenario {
	for _, s := range p.scenarios {
		if s.name == name {
			return s
		}
	}
	s := &scenario{name: name, at: at, fields: map[field]stated{}}
	p.scenarios = append(p.scenarios, s)
	return s
}

// comment reads the header, an HTML comment of "key: value" lines.
func (p *report) comment(c *mdtable.Comment) {
	for _, l := range c.Lines {
		if k, v, ok := strings.Cut(l.Text, ":"); ok {
			p.header(strings.TrimSpace(k), strings.TrimSpace(v), p.pos(l))
		}
	}
}

// header takes model, hardware and date. The comment comes first and wins over the lines below
// the title, which write the date for people.
func (p *report) header(key, value string, at record.Pos) {
	if value == "" {
		return
	}
	switch strings.ToLower(key) {
	case "benchmark report generated", "date":
		if p.id.Session == "" {
			p.id.Session = value
		}
	case "model":
		if p.id.Model == "" {
			p.id.Model = value
			p.facts = append(p.facts, record.Fact{Key: record.FactModel, Value: value, At: at})
		}
	case "hardware":
		if !slices.ContainsFunc(p.facts, func(f record.Fact) bool { return f.Key == record.FactHardware }) {
			p.facts = append(p.facts, hardwareFacts(value, at)...)
		}
	}
}

var (
	sweetSpot = regexp.MustCompile(`^Interactive sweet spot:\s*c=([0-9]+)(?:.*per-user ([0-9.]+) tok/s)?`)
	peakLine  = regexp.MustCompile(`^Peak throughput \(scaling\):\s*c=([0-9]+)(?:\s*\(([0-9.]+) tok/s\))?`)
)

// paragraph reads the lines below the title, the start-up command and the two sentences about
// scaling. It reports whether a start-up command should follow in a code block.
func (p *report) paragraph(b *mdtable.Paragraph, top bool) bool {
	for i, l := range b.Lines {
		if m := sweetSpot.FindStringSubmatch(l.Text); m != nil && p.sweetSpot == nil {
			p.sweetSpot = p.claim(m, l)
		}
		if m := peakLine.FindStringSubmatch(l.Text); m != nil && p.peak == nil {
			p.peak = p.claim(m, l)
		}
		if strings.HasPrefix(l.Text, "Interpretation:") {
			p.current = nil
		}
		key, value, ok := strings.Cut(l.Text, ":")
		if !ok || !top {
			continue
		}
		if strings.EqualFold(key, "Startup Command") && p.command == nil {
			lines := slices.Clone(b.Lines[i+1:])
			if rest := strings.TrimSpace(value); rest != "" {
				raw := l.Raw[strings.LastIndex(l.Raw, rest[:1]):]
				if j := strings.Index(l.Raw, rest); j >= 0 {
					raw = l.Raw[j:]
				}
				first := l
				first.Raw, first.Col = raw, l.Col+len(l.Raw)-len(raw)
				lines = append([]mdtable.Line{first}, lines...)
			}
			if len(lines) == 0 {
				return true
			}
			p.setCommand(lines)
			return false
		}
		p.header(strings.TrimSpace(key), strings.TrimSpace(value), p.pos(l))
	}
	return false
}

func (p *report) claim(m []string, l mdtable.Line) *claim {
	c := &claim{at: p.pos(l)}
	c.concurrency, _ = strconv.ParseFloat(m[1], 64) // digits only
	c.value, _ = number(m[2])
	return c
}

func (p *report) setCommand(lines []mdtable.Line) {
	c := &command{lines: lines}
	for i, l := range lines {
		if i > 0 {
			c.text += "\n"
		}
		c.text += l.Raw
	}
	p.command = c
}

func (p *report) codeCommand(b *mdtable.Code) {
	var lines []mdtable.Line
	for i, t := range strings.Split(strings.TrimRight(b.Text, "\n"), "\n") {
		lines = append(lines, mdtable.Line{Text: t, Raw: t, Line: b.Line + i, Col: 1})
	}
	p.setCommand(lines)
}

var (
	decimal = regexp.MustCompile(`^-?[0-9][0-9,]*(?:\.([0-9]+))?$`) // which of them are numbers, reading.Amount says
	latency = regexp.MustCompile(`(?i)^(ttft|tpot|itl|e2el) (mean|median|p99) \(ms\)$`)
	several = regexp.MustCompile(`(?i)^(ttft|tpot|itl|e2el) mean/median/p99$`)
)

// number reads a decimal number as written.
func number(text string) (stated, bool) {
	m := decimal.FindStringSubmatch(text)
	n, ok := reading.Amount(text)
	if m == nil || !ok {
		return stated{}, false
	}
	return stated{number: n, decimals: len(m[1]), text: text}, true
}

// columns are those of the tables in lower case, without the statistics of times.
var columns = [...]struct {
	name string
	of   field
}{
	{"input (tok)", field{nominalInput, ""}},
	{"output (tok)", field{nominalOutput, ""}},
	{"concurrency", field{concurrency, ""}},
	{"prompts", field{prompts, ""}},
	{"output throughput (tok/s)", field{metric.OutputThroughput, metric.Value}},
	{"peak output throughput (tok/s)", field{metric.PeakOutputThroughput, metric.Value}},
	{"prefill (pp) tok/s", field{metric.PPSpeed, metric.Value}},
	{"token generation (tg) tok/s", field{metric.TGSpeed, metric.Value}},
}

// column returns what a column of a table means; ok is false for those that are no data.
func column(header string) (f field, ok bool) {
	if m := latency.FindStringSubmatch(header); m != nil {
		return field{servingjson.Quantity(strings.ToLower(m[1])), strings.ToLower(m[2])}, true
	}
	for _, c := range columns {
		if c.name == strings.ToLower(header) {
			return c.of, true
		}
	}
	return field{}, false
}

// table reads one table below a heading of level 2.
func (p *report) table(title string, t *mdtable.Table) {
	if t.Column("Component") == 0 && t.Column("Value") == 1 {
		p.configuration(t)
		return
	}
	name, load := t.Column("Scenario"), t.Column("Concurrency")
	if name != 0 && (load != 0 || t.Column("Output Throughput (tok/s)") < 0) {
		return // a table of the prose
	}
	for _, row := range t.Rows {
		at := record.Pos{File: p.file, Line: row[0].Line, Col: row[0].Col}
		if row[0].Text == "" {
			p.bad(at, "a row without a name in the table %q: it is left out", title)
			continue
		}
		if !slices.ContainsFunc(row[1:], func(c mdtable.Cell) bool { return c.Text != "" }) { // a line that follows a table
			p.bad(at, "a row with nothing but its first cell in the table %q: it is left out", title)
			continue
		}
		var s *scenario
		if name == 0 {
			s = p.scenario(row[0].Text, at)
		} else {
			s = p.scaling(row[0].Text, at)
		}
		sec := rawSection{title: title}
		for i, c := range row {
			head := t.Header[i].Text
			sec.cells = append(sec.cells, record.KV{Key: head, Value: c.Text})
			f, ok := column(head)
			if !ok || isMissing(c.Text) {
				continue
			}
			p.state(s, f, c.Text, head, record.Pos{File: p.file, Line: c.Line, Col: c.Col})
		}
		s.sections = append(s.sections, sec)
	}
}

// scaling returns the scenario of the scaling test with that concurrency.
func (p *report) scaling(c string, at record.Pos) *scenario {
	for _, s := range p.scenarios {
		if v, ok := s.fields[field{concurrency, ""}]; ok && v.text == c && strings.Contains(s.name, "Scaling") {
			return s
		}
	}
	return p.scenario("Concurrency Scaling (c="+c+")", at)
}

// state adds a number to a scenario. One that contradicts what was stated before is a note; of
// two that agree the one with more decimals stays.
func (p *report) state(s *scenario, f field, text, key string, at record.Pos) {
	v, ok := number(text)
	if !ok {
		switch strings.ToLower(text) {
		case "failed", "error", "timeout", "timed out":
			s.errors = append(s.errors, text)
		default:
			p.bad(at, "%q of %q is %q, a number was expected: the value is left out", key, s.name, clip(text))
		}
		return
	}
	v.key, v.at = key, at
	old, seen := s.fields[f]
	switch {
	case !seen:
	case !agree(old, v):
		p.note(at, "%s of %q is %s here and %s in line %d: the first is kept", f, s.name, v.text, old.text, old.at.Line)
		return
	case v.decimals <= old.decimals:
		return
	}
	s.fields[f] = v
}

// agree reports whether two numbers are one number rounded to different places.
func agree(a, b stated) bool {
	if a.decimals == b.decimals {
		return a.number == b.number
	}
	return math.Abs(a.number-b.number) <= 0.5000001*math.Pow(10, -float64(min(a.decimals, b.decimals)))
}

var (
	slash      = regexp.MustCompile(`^(.*?)\s*/\s*(.*?)\s*(?:tokens|tok/s)$`)
	threeTimes = regexp.MustCompile(`^(.*?)\s*/\s*(.*?)\s*/\s*(.*?)\s*ms$`)
	throughput = regexp.MustCompile(`^(.*?)\s*tok/s(?:\s*\(peak ([^)]*)\))?$`)
)

// item reads one key metric of the scenario at hand.
func (p *report) item(b *mdtable.Item) {
	s, l := p.current, b.Lines[0]
	at := p.pos(l)
	label, text, ok := strings.Cut(l.Text, ":")
	label, text = strings.TrimSpace(label), strings.TrimSpace(text)
	if !ok || text == "" {
		return
	}
	if n := len(s.sections); n == 0 || s.sections[n-1].title != "Key metrics" {
		s.sections = append(s.sections, rawSection{title: "Key metrics"})
	}
	sec := &s.sections[len(s.sections)-1]
	sec.cells = append(sec.cells, record.KV{Key: label, Value: text})
	put := func(f field, text string) {
		if !isMissing(text) {
			p.state(s, f, text, label, at)
		}
	}
	// parts reads several numbers of one metric.
	parts := func(form *regexp.Regexp, fields ...field) {
		n := form.FindStringSubmatch(text)
		if n == nil {
			p.bad(at, "%q of %q is %q, numbers were expected: they are left out", label, s.name, clip(text))
			return
		}
		for i, f := range fields {
			put(f, n[i+1])
		}
	}
	if m := several.FindStringSubmatch(label); m != nil {
		q := servingjson.Quantity(strings.ToLower(m[1]))
		parts(threeTimes, field{q, metric.Mean}, field{q, metric.Median}, field{q, "p99"})
		return
	}
	switch strings.ToLower(label) {
	case "input/output":
		parts(slash, field{nominalInput, ""}, field{nominalOutput, ""})
	case "concurrency":
		put(field{concurrency, ""}, text)
	case "prompts":
		put(field{prompts, ""}, text)
	case "output throughput":
		parts(throughput, field{metric.OutputThroughput, metric.Value},
			field{metric.PeakOutputThroughput, metric.Value})
	case "pp/tg (derived)":
		parts(slash, field{metric.PPSpeed, metric.Value}, field{metric.TGSpeed, metric.Value})
	case "error", "status":
		s.errors = append(s.errors, reading.LastLine(text))
	default:
		s.unmapped = append(s.unmapped, label)
	}
}

// components are the rows of the table of the system's configuration that are known.
var components = [][2]string{
	{"gpu(s)", record.FactHardware}, {"gpu", record.FactHardware}, {"gpus", record.FactHardware},
	{"os", record.FactOS}, {"kernel", record.FactKernel},
	{"cpu", record.FactCPU}, {"system ram", record.FactRAM}, {"ram", record.FactRAM},
	{"rock module version", record.FactDriver}, {"driver version", record.FactDriver}, {"nvidia driver", record.FactDriver},
	{"rocm version", record.FactROCm}, {"cuda version", record.FactCUDA}, {"vllm version", record.FactEngineVersion},
}

// hive is the number of one machine's link between its accelerators.
var hive = regexp.MustCompile(`\s*\(hive_id [^)]*\)`)

func (p *report) configuration(t *mdtable.Table) {
	if p.system != nil {
		return
	}
	p.system = &record.System{Base: record.Base{At: record.Pos{File: p.file, Line: t.Line}}}
	raw := rawSection{}
	for _, row := range t.Rows {
		key, value := row[0].Text, hive.ReplaceAllString(row[1].Text, "")
		raw.cells = append(raw.cells, record.KV{Key: key, Value: value})
		at := record.Pos{File: p.file, Line: row[1].Line, Col: row[1].Col}
		if isMissing(value) || strings.EqualFold(value, "unknown") {
			continue
		}
		if k := reading.Second(components, strings.ToLower(key)); k != "" {
			p.system.Facts = append(p.system.Facts, record.Fact{Key: k, Value: value, At: at})
		} else if strings.EqualFold(key, "xGMI") || strings.EqualFold(key, "NVLink") {
			p.system.Facts = append(p.system.Facts, record.Fact{Key: record.FactTopology,
				Value: key + ": " + value, At: at})
		}
	}
	p.system.Raw = object(raw.cells)
}

// finish emits everything, now that the header is known.
func (p *report) finish() {
	key := session(p.id, p.file)
	if p.system != nil {
		p.system.Key, p.system.Identity = key, p.id
		p.emit(p.system)
	}
	p.emitCommand(key)
	if p.id.Model == "" {
		p.bad(record.Pos{File: p.file}, "the report names no model: a line \"Model: ...\" in the comment at "+
			"its top is missing")
	}
	if len(p.scenarios) == 0 {
		p.bad(record.Pos{File: p.file}, "the report holds no table of scenarios")
	}
	p.checkClaims()
	for _, r := range p.late {
		if n, ok := r.(*record.Note); ok {
			n.Key, n.Identity = key, p.id
		}
		p.emit(r)
	}
	var pp prefill
	for _, s := range p.scenarios {
		p.emitScenario(s, key)
		get := func(q metric.ID, stat string) float64 { return s.fields[field{q, stat}].number }
		if speed := get(metric.PPSpeed, metric.Value); speed > 0 {
			pp.add(speed, get(nominalInput, ""), get(metric.TTFT, metric.Mean), get(metric.TTFT, metric.Median))
		}
	}
	if len(p.scenarios) > 0 {
		if n := pp.note(record.Base{At: p.scenarios[0].at, Key: key, Identity: p.id}); n != nil {
			p.emit(n)
		}
	}
}

func (p *report) emitCommand(key string) {
	c := p.command
	if c == nil {
		return
	}
	place := func(off int) record.Pos {
		n := strings.Count(c.text[:off], "\n")
		return record.Pos{File: p.file, Line: c.lines[n].Line,
			Col: c.lines[n].Col + off - (strings.LastIndexByte(c.text[:off], '\n') + 1)}
	}
	cmd, problems := cmdline.Parse(c.text)
	for _, pr := range problems {
		p.bad(place(pr.Off), "%s in the start-up command", pr.Text)
	}
	text := strings.TrimSpace(c.text[:cmd.End])
	if cmd.Program == "" || text == "" {
		return
	}
	at := p.pos(c.lines[0])
	server := &record.Params{Base: record.Base{At: at, Key: key, Identity: p.id}, Of: "server", Command: text,
		Params: []record.Param{}}
	server.Facts = append(server.Facts, record.Fact{Key: record.FactCommand, Value: text, At: at})
	if strings.HasPrefix(cmd.Program, "vllm") {
		server.Facts = append(server.Facts, record.Fact{Key: record.FactEngine, Value: "vllm", At: at})
	}
	if cmd.Sub == "serve" && len(cmd.Args) > 0 {
		model := record.Param{Name: "model", Value: reading.Quote(cmd.Args[0].Text), At: place(cmd.Args[0].Off)}
		server.Params = append(server.Params, model)
	}
	flags, again := cmd.Last()
	for _, a := range again {
		p.emit(record.Errorf(place(a.Off), "%s", a.Text))
	}
	for _, f := range flags {
		server.Params = append(server.Params, record.Param{Name: f.Key(), Value: f.Value, At: place(f.Off)})
	}
	p.emit(server)
	if len(cmd.Env) > 0 {
		env := &record.Params{Base: record.Base{At: at, Key: key, Identity: p.id}, Of: "env"}
		for _, f := range cmd.Env {
			env.Params = append(env.Params, record.Param{Name: f.Name, Value: f.Value, At: place(f.Off)})
		}
		p.emit(env)
	}
}

func (p *report) emitScenario(s *scenario, key string) {
	r := &record.Result{
		Base: record.Base{At: s.at, Key: key, Identity: p.id, Date: p.id.Session, Facts: p.facts},
		Kept: record.Kept{Unmapped: s.unmapped},
	}
	describe(r, s.name)
	for _, f := range order {
		v, ok := s.fields[f]
		if !ok || v.number <= 0 { // the script writes 0 for what it did not find
			continue
		}
		n := v.number
		count := int64(n)
		if c := f.quantity; (c == concurrency || c == prompts) && (n != math.Trunc(n) || n > 1<<53) {
			p.emit(record.Errorf(v.at, "%q of %q is %s, a count was expected: the value is left out",
				v.key, s.name, v.text))
			continue
		}
		switch f.quantity {
		case nominalInput:
			r.Workload.Nominal.Input = &n
		case nominalOutput:
			r.Workload.Nominal.Output = &n
		case concurrency:
			r.Load.MaxConcurrency = &count
		case prompts:
			r.Workload.NumPrompts, r.Submitted = &count, &count
		default:
			unit := "ms"
			if f.stat == metric.Value {
				unit = "tok/s"
			}
			r.Values = append(r.Values, record.Value{Quantity: f.quantity, Stat: f.stat, Number: n,
				Unit: unit, Key: v.key})
		}
	}
	for _, e := range s.errors {
		r.Errors = append(r.Errors, record.ErrorCount{Text: e, Count: 1})
	}
	var raw reading.Builder
	raw.Text("name", s.name)
	for _, sec := range s.sections {
		raw.Add(sec.title, object(sec.cells))
	}
	r.Raw = raw.JSON()
	p.emit(r)
}

// checkClaims computes what the two sentences about scaling say and notes where they differ.
func (p *report) checkClaims() {
	type row struct{ c, out, ttft, tpot float64 }
	var rows []row
	for _, s := range p.scenarios {
		if !strings.Contains(s.name, "Scaling") || len(s.errors) > 0 {
			continue
		}
		r := row{s.fields[field{concurrency, ""}].number, s.fields[field{metric.OutputThroughput, metric.Value}].number,
			s.fields[field{metric.TTFT, "p99"}].number, s.fields[field{metric.TPOT, "p99"}].number}
		if r.c > 0 && r.out > 0 && r.ttft > 0 && r.tpot > 0 {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return
	}
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].c < rows[j].c })
	ttft, tpot := rows[0].ttft, rows[0].tpot
	best := rows[0]
	for _, r := range rows {
		ttft, tpot = min(ttft, r.ttft), min(tpot, r.tpot)
		if r.out > best.out {
			best = r
		}
	}
	kept := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.ttft > 2*ttft || r.tpot > 2*tpot })
	if len(kept) == 0 {
		kept = rows
	}
	spot := kept[0] // ties go to the lower concurrency
	for _, r := range kept {
		if r.out/r.c > spot.out/spot.c {
			spot = r
		}
	}
	p.checkClaim(p.sweetSpot, "interactive sweet spot", spot.c, spot.out/spot.c)
	p.checkClaim(p.peak, "peak throughput", best.c, best.out)
}

func (p *report) checkClaim(c *claim, what string, load, value float64) {
	if c == nil {
		return
	}
	if c.concurrency != load {
		p.note(c.at, "the report names c=%v as %s, its tables give c=%v", c.concurrency, what, load)
		return
	}
	// The tables are rounded too, so one unit of the last place is no contradiction.
	if c.value.text != "" && math.Abs(c.value.number-value) > math.Pow(10, -float64(c.value.decimals)) {
		p.note(c.at, "the report gives %s tok/s at the %s, its tables give %v", c.value.text, what, metric.Round(value))
	}
}

func clip(s string) string {
	if len(s) <= 100 {
		return s
	}
	return strings.ToValidUTF8(s[:100], "") + "..."
}

// object writes cells as a JSON object in their order; of equal names the later get a number.
func object(cells []record.KV) []byte {
	var raw reading.Builder
	seen := map[string]int{}
	for _, c := range cells {
		k := c.Key
		if seen[k]++; seen[k] > 1 {
			k += " " + strconv.Itoa(seen[k])
		}
		raw.Text(k, c.Value)
	}
	return raw.JSON()
}

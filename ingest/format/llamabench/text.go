package llamabench

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
	"github.com/inferdex/inferdex/ingest/internal/llamacpp"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// maxRows are far more tests than anybody has llama-bench print as a table: each becomes kilobytes of records.
const maxRows = 10_000

// enough says that a table goes on after maxRows rows.
func (r *reader) enough(at record.Pos) {
	r.bad(at, "more than %d rows: the rest is not read: let llama-bench print JSON lines", maxRows)
}

// csv reads the tables of a text line by line: the tool writes no line breaks into cells, so a
// quote that is not closed costs one line and not the rest.
func (r *reader) csv() {
	var header []string
	off, rows, all := 0, 0, 0
	in := bufio.NewReader(nil) // of all lines: one of each costs a short one 4 KB
	for line := range bytes.Lines(r.src.Data) {
		start := off
		off += len(line)
		text := strings.TrimRight(string(line), "\r\n")
		if strings.TrimSpace(text) == "" {
			continue
		}
		if n := strings.Count(text, ",") + 1; n > reading.MaxColumns {
			r.Add(reading.TooWide(r.place(start), n))
			return
		}
		in.Reset(strings.NewReader(text))
		rd := csv.NewReader(in)
		fields, err := rd.Read()
		if csvHeader.MatchString(text) && err == nil {
			header = fields
			continue
		}
		switch {
		case header == nil:
		case err != nil:
			if strings.HasPrefix(text, `"`) {
				r.bad(r.place(start), "a row of the table cannot be read: a quote is missing or in excess")
			}
		case len(fields) != len(header):
			// A line of the log has few cells by chance.
			if text[0] == '"' || len(fields) > len(header)/2 {
				r.bad(r.place(start), "the row has %s and the header %d: the row is left out",
					metric.Plural(len(fields), "cell"), len(header))
			}
		default:
			if rows, all = rows+1, all+len(fields); rows > maxRows || all > reading.MaxCells {
				r.enough(r.place(start))
				return
			}
			w := row{at: r.place(start), behind: -1}
			for i, f := range fields {
				_, col := rd.FieldPos(i)
				w.cells = append(w.cells, cell{key: header[i], text: strings.ToValidUTF8(f, "\ufffd"),
					at: r.place(start + col - 1)})
			}
			r.add(w)
		}
	}
}

var sqlInsert = regexp.MustCompile(`INSERT INTO (?:test|llama_bench)\b`)

// sql reads the INSERT statements. A value is a literal in single quotes.
func (r *reader) sql() {
	data := r.src.Data
	starts := sqlInsert.FindAllIndex(data, maxRows+1)
	for i, s := range starts {
		if i == maxRows {
			r.enough(r.place(s[0]))
			return
		}
		to := end(starts, i, 0, len(data))
		p := &statement{data: data[:to], i: s[1]}
		names, ok := p.list(false)
		p.word("VALUES")
		var values []literal
		if ok {
			values, ok = p.list(true)
		}
		switch at := r.place(s[0]); {
		case !ok:
			r.bad(r.place(min(p.i, to)), "the statement cannot be read: a list in brackets was expected")
		case len(names) != len(values):
			r.bad(at, "the statement has %s and %s: it is left out", metric.Plural(len(names), "column"),
				metric.Plural(len(values), "value"))
		default:
			w := row{at: at, behind: -1}
			for i, v := range values {
				w.cells = append(w.cells, cell{key: names[i].text, text: v.text, at: r.place(v.off)})
			}
			r.add(w)
		}
	}
}

type literal struct {
	text string
	off  int
}

type statement struct {
	data []byte
	i    int
}

func (p *statement) space() {
	for p.i < len(p.data) && strings.IndexByte(" \t\r\n", p.data[p.i]) >= 0 {
		p.i++
	}
}

func (p *statement) word(w string) {
	p.space()
	if bytes.HasPrefix(p.data[p.i:], []byte(w)) {
		p.i += len(w)
	}
}

// list reads "(a, b)": names, or literals with quotes, in which two quotes are one.
func (p *statement) list(quoted bool) (items []literal, ok bool) {
	p.space()
	if p.i >= len(p.data) || p.data[p.i] != '(' {
		return nil, false
	}
	p.i++
	for {
		p.space()
		l := literal{off: p.i}
		if quoted && p.i < len(p.data) && p.data[p.i] == '\'' {
			var b []byte
			for p.i++; ; p.i++ {
				if p.i >= len(p.data) || p.data[p.i] == '\n' {
					return nil, false
				}
				if p.data[p.i] == '\'' {
					if p.i++; p.i >= len(p.data) || p.data[p.i] != '\'' {
						break
					}
				}
				b = append(b, p.data[p.i])
			}
			l.text = string(b)
		} else {
			n := bytes.IndexAny(p.data[p.i:], ",)\n'")
			if n < 0 {
				p.i = len(p.data)
				return nil, false
			}
			l.text = strings.TrimSpace(string(p.data[p.i : p.i+n]))
			p.i += n
		}
		l.text = strings.ToValidUTF8(l.text, "\ufffd")
		items = append(items, l)
		p.space()
		if p.i >= len(p.data) {
			return nil, false
		}
		switch p.i++; p.data[p.i-1] {
		case ')':
			return items, true
		case ',':
		default:
			p.i--
			return nil, false
		}
	}
}

// columns are the short names of settings in the Markdown table.
var columns = [][2]string{
	{"model", "model_type"}, {"size", "model_size"},
	{"params", "model_n_params"}, {"backend", "backends"}, {"ngl", "n_gpu_layers"},
	{"threads", "n_threads"}, {"th", "n_threads"}, {"ncmoe", "n_cpu_moe"},
	{"sm", "split_mode"}, {"mg", "main_gpu"}, {"nkvo", "no_kv_offload"},
	{"fa", "flash_attn"}, {"mmap", "use_mmap"}, {"dio", "use_direct_io"},
	{"embd", "embeddings"}, {"nopo", "no_op_offload"}, {"noh", "no_host"},
	{"dev", "devices"}, {"ts", "tensor_split"}, {"ot", "tensor_buft_overrides"},
}

var (
	separator = regexp.MustCompile(`^\s*\|(?:\s*:?-+:?\s*\|)+\s*$`)
	build     = regexp.MustCompile(`^build: ([0-9a-f]{6,40}) \(([0-9]+)\)\s*$`)
)

// tables is the state of reading the Markdown tables of a text.
type tables struct {
	*reader
	header  []string
	devices llamacpp.Devices
	at      record.Pos // where the log named them last
	unbuilt int        // index of the first record that no build line followed
	asked   command    // what the tables up to the next build line came of
}

// markdown reads the tables of a text. Lines of the log may stand between the rows of one; a
// line "build: commit (number)" ends the tables above it, and the accelerators are those that
// the log named last since then or since the command.
func (r *reader) markdown() {
	t := &tables{reader: r}
	data, cut := reading.CutRow(r.src.Data)
	if cut > 0 {
		r.bad(record.Pos{File: r.src.Path(), Line: cut}, "the text ends inside of the row: it is left out")
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	off, rows := 0, 0
	for i, raw := range lines {
		start := off
		off += len(raw)
		line := strings.ToValidUTF8(strings.TrimRight(string(raw), "\r\n"), "\ufffd")
		is, one := t.devices.Read(line)
		if one {
			t.at = t.place(start)
		}
		if is || t.built(line, start) {
			continue
		}
		if c, ok := commandOf(line); ok {
			t.asked, t.asked.at = c, r.place(start)
			t.devices = llamacpp.Devices{} // another process, which names its own
			continue
		}
		if !strings.HasPrefix(strings.TrimSpace(line), "|") || separator.MatchString(line) {
			continue
		}
		cells, offs := split(line)
		if ours := mdHeader.MatchString(line); ours {
			t.header = cells
			continue
		}
		if i+1 < len(lines) && separator.Match(bytes.TrimRight(lines[i+1], "\r\n")) {
			t.header = nil // another table
		}
		if t.header == nil {
			continue
		}
		if len(cells) != len(t.header) {
			r.bad(r.place(start), "the row has %s and the header %d: the row is left out",
				metric.Plural(len(cells), "cell"), len(t.header))
			continue
		}
		if rows++; rows > maxRows {
			r.enough(r.place(start))
			return
		}
		for k := range offs {
			offs[k] = start + min(offs[k], len(bytes.TrimRight(raw, "\r\n")))
		}
		t.row(cells, offs, start)
	}
}

// built reads a line that names the build of the tables above it.
func (t *tables) built(line string, start int) bool {
	m := build.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	for _, rec := range t.Records[t.unbuilt:] {
		if res, ok := rec.(*record.Result); ok {
			addFact(res, record.Fact{Key: record.FactEngineVersion, Value: m[2], At: t.place(start)})
			addFact(res, record.Fact{Key: record.FactEngineCommit, Value: m[1], At: t.place(start)})
			res.Setup = append(res.Setup, record.KV{Key: "build_commit", Value: m[1]},
				record.KV{Key: "build_number", Value: m[2]})
		}
	}
	t.unbuilt = len(t.Records)
	t.header, t.asked, t.devices = nil, command{}, llamacpp.Devices{}
	return true
}

// row reads a row of a table.
func (t *tables) row(cells []string, offs []int, start int) {
	w := row{at: t.place(start), behind: slices.Index(t.header, "test"), setup: t.asked.env}
	var raws []cell
	backend := ""
	for k, text := range cells {
		c := cell{key: t.header[k], text: text, at: t.place(offs[k])}
		raws = append(raws, c)
		c.key = cmp.Or(reading.Second(columns, c.key), c.key)
		if c.key == "backends" {
			backend = c.text
		}
		w.cells = append(w.cells, c)
	}
	w.raw = rawOf(raws)
	if t.asked.model != "" {
		w.cells = append(w.cells, cell{}) // a browser would load a slices.Insert for each type
		copy(w.cells[w.behind+1:], w.cells[w.behind:])
		w.cells[w.behind] = cell{key: "model_filename", text: t.asked.model, at: t.asked.at}
		w.behind++
	}
	if backend != "CPU" && backend != "BLAS" {
		text := func(key string) string {
			if i := index(w.cells, key); i >= 0 {
				return w.cells[i].text
			}
			return ""
		}
		for _, f := range hardware(t.devices.Names, backend, text("devices"), text("split_mode")) {
			f.At = t.at
			w.facts, w.on = append(w.facts, f), strings.Join(t.devices.Names, ", ")
		}
	}
	t.add(w)
}

// command is what a command line of the tool says of the table below it and the table does not say.
type command struct {
	env   []record.KV // what was set in front of it, for builds ask the environment too
	model string      // the file of the only model
	at    record.Pos
}

var prompt = regexp.MustCompile(`((?:[A-Z][A-Z0-9_]*=\S+ +)*)(?:\S*/)?llama-bench(?:\.exe)? (.*)$`)

// commandOf reads a line of a terminal that starts the tool.
func commandOf(line string) (c command, ok bool) {
	if !strings.Contains(line, "llama-bench") || strings.HasPrefix(strings.TrimSpace(line), "|") { // of rows there are many
		return command{}, false
	}
	m := prompt.FindStringSubmatch(line)
	if m == nil {
		return command{}, false
	}
	parsed, _ := cmdline.Parse(m[1] + "llama-bench " + m[2])
	for _, e := range parsed.Env {
		c.env = append(c.env, record.KV{Key: e.Name, Value: text(e.Value)})
	}
	models := 0
	for _, f := range parsed.Flags {
		if f.Name == "m" || f.Name == "model" {
			models++
			c.model = text(f.Value)
		}
	}
	if models != 1 || strings.ContainsAny(c.model, ",$[") {
		c.model = ""
	}
	return c, len(parsed.Flags) > 0
}

// text is a JSON string without its quotes, other JSON as it is.
func text(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

// split cuts a row of a table into its cells and their offsets in the line.
func split(line string) (cells []string, offs []int) {
	first := strings.IndexByte(line, '|') + 1
	from := first
	for i := first; i <= len(line); i++ {
		if i == len(line) || line[i] == '|' && line[i-1] != '\\' {
			text := strings.TrimSpace(line[from:i])
			if i == len(line) && text == "" {
				break // behind the last bar
			}
			cells = append(cells, text)
			offs = append(offs, from+len(line[from:i])-len(strings.TrimLeft(line[from:i], " \t")))
			from = i + 1
		}
	}
	return cells, offs
}

package llamabenchy

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

var (
	tableHead = regexp.MustCompile(`(?m)^\s*\|\s*model\s*\|\s*test\s*\|\s*t/s(?: \(total\))?\s*\|.*\be2e_ttft \(ms\)`)
	footer    = regexp.MustCompile(`^llama-benchy \(([^)]{1,40})\)\s*$`)
	measured  = regexp.MustCompile(`^date: (\S+ \S+) \| latency mode: (\S+)`)
	named     = regexp.MustCompile(`^(ctx_)?(pp|tg)([0-9]{0,9})(?: @ d([0-9]{1,9}))?(?: \(c([0-9]{1,6})\))?$`)
	running   = regexp.MustCompile(`^Running test: pp=[0-9]+, tg=[0-9]+, depth=[0-9]+, concurrency=([0-9]{1,6})\b`)
)

// headless is a row of the table behind no head: a test, its speed, and times with deviations.
var headless = regexp.MustCompile(
	`(?m)^[ \t]*\|[^|\n]*\|[ \t]*(?:ctx_)?(?:pp|tg)[0-9]*(?: @ d[0-9]+)?(?: \(c[0-9]+\))?[ \t]*\|[ \t]*[0-9.,]+ ± [0-9.,]+[ \t]*\|(?:[^|\n]*\|){3,}`)

// Of a table without the tool's name below it a row of each half tells that it is one: no other tool leaves the peak of a
// prefill empty in front of three times, and the times of a decode behind its speeds.
var (
	footing = regexp.MustCompile(`(?m)^llama-benchy \([^)\n]{1,40}\)\s*$`)
	prefill = regexp.MustCompile(
		`(?m)^[ \t]*\|[^|\n]*\|[ \t]*(?:ctx_)?pp[0-9]*(?: @ d[0-9]+)?(?: \(c[0-9]+\))?[ \t]*(?:\|[^|\n]*±[^|\n]*){1,2}(?:\|[ \t]*){1,2}(?:\|[^|\n]*±[^|\n]*){3}\|[ \t\r]*$`)
	decode = regexp.MustCompile(
		`(?m)^[ \t]*\|[^|\n]*\|[ \t]*(?:ctx_)?tg[0-9]*(?: @ d[0-9]+)?(?: \(c[0-9]+\))?[ \t]*(?:\|[^|\n]*±[^|\n]*){2,4}(?:\|[ \t]*){3}\|[ \t\r]*$`)
)

// damaged says of a text with rows of the table that it has no head to read them by.
func damaged(h *reading.Head) *record.SyntaxError {
	if !bytes.Contains(h.Data, []byte("±")) { // most texts have none: the search takes longer
		return nil
	}
	row := headless.FindIndex(h.Data)
	if row == nil || !footing.Match(h.Data) && !(prefill.Match(h.Data) && decode.Match(h.Data)) {
		return nil
	}
	return record.Errorf(record.Pos{File: h.Path, Line: 1 + bytes.Count(h.Data[:row[0]], []byte{'\n'})},
		"rows of llama-benchy without the head of their table, \"| model | test | t/s | ... | e2e_ttft (ms) |\": which column is "+
			"which is not known, and none is read: put the head back as the tool printed it")
}

// line is one row of the table: the prefill or the decode half of a test.
type line struct {
	at    record.Pos
	model string
	half  string // "pp" or "tg"
	count int64  // tokens
	key   string // what the halves of one test share: depth and concurrency
	depth string
	conc  string
	cells map[string]string
}

// text is a log or a page in which the tool printed its table.
type text struct {
	file string
	emit func(record.Record)
	head []string
	at   int // the line of head
	// closed says that head ends with "|", as the tool prints it.
	closed bool
	rows   int // below head, what is wrong with them or not
	lines  []line
	beside bool   // something stands beside the table: the tool saves nothing but it
	n      int    // tables so far
	conc   string // the only concurrency that ran; "-" where there were several
}

func readText(src *reading.Source, emit func(record.Record)) {
	t := &text{file: src.Path(), emit: emit}
	version, n := "", 0
	for raw := range bytes.Lines(src.Data) {
		n++
		s := strings.ToValidUTF8(strings.TrimRight(string(raw[:min(len(raw), 16<<10)]), "\r\n"), "\ufffd")
		switch {
		case tableHead.MatchString(s):
			t.flush("", "", "")
			t.head, t.at, t.closed = reading.Cells(s), n, strings.HasSuffix(strings.TrimSpace(s), "|")
		case t.head != nil && (strings.HasPrefix(strings.TrimSpace(s), "|") || strings.Count(s, "|") > 2):
			t.row(strings.TrimSpace(s), n)
		default:
			t.beside = t.beside || s != ""
			if m := running.FindStringSubmatch(s); m != nil {
				if t.conc != "" && t.conc != m[1] {
					m[1] = "-"
				}
				t.conc = m[1]
			} else if m := footer.FindStringSubmatch(s); m != nil {
				version = m[1]
			} else if m := measured.FindStringSubmatch(s); m != nil {
				t.flush(m[1], m[2], version)
			}
		}
	}
	t.flush("", "", "")
}

func (t *text) bad(n int, format string, args ...any) {
	t.emit(record.Errorf(record.Pos{File: t.file, Line: n}, format, args...))
}

// row keeps a row of the table.
func (t *text) row(s string, n int) {
	cs := reading.Cells(s)
	if strings.Trim(s, "|:- \t") == "" {
		return
	}
	t.rows++
	if s[0] != '|' || t.closed && s[len(s)-1] != '|' {
		t.bad(n, "the row does not begin and end with \"|\": a part of it is missing, and it is left out")
		return
	}
	if len(cs) != len(t.head) {
		t.bad(n, "the row has %s and the header %d: the row is left out", metric.Plural(len(cs), "cell"), len(t.head))
		return
	}
	cells := map[string]string{}
	for i, h := range t.head {
		cells[h] = cs[i]
	}
	t.add(n, cs[0], cs[1], cells)
}

// add keeps the row of a test.
func (t *text) add(n int, model, test string, cells map[string]string) {
	l := line{at: record.Pos{File: t.file, Line: n}, model: model, cells: cells}
	m := named.FindStringSubmatch(test)
	switch {
	case m == nil:
		t.bad(n, "%q is no test: \"pp1024\" or \"tg32 @ d4096 (c8)\" was expected", reading.Clip(test))
		return
	case m[1] != "":
		return // it fills the context of the next test and is no operating point
	}
	l.half, l.depth, l.conc = m[2], m[4], m[5]
	l.count, _ = strconv.ParseInt(m[3], 10, 64) // empty: 0
	l.key = m[4] + " " + m[5]
	t.lines = append(t.lines, l)
}

// isCSV reports whether a text begins like the table that the tool saves as CSV.
func isCSV(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, "\r\n"), []byte("model,test_name,t_s_mean,t_s_std,"))
}

// columns are those of the printed table by what they are called in CSV.
var columns = map[string]string{"t_s": "t/s", "t_s_req": "t/s (req)", "peak_ts": "peak t/s", "e2e_ttft": "e2e_ttft (ms)"}

// readCSV reads the table that the tool saves as CSV: one of the concurrency 1 alone has no speeds of a request.
func readCSV(src *reading.Source, emit func(record.Record)) {
	t := &text{file: src.Path(), emit: emit}
	for n, cs := range reading.Rows(reading.CSV(src.Data), t.file, emit) {
		switch {
		case t.head == nil || cs[0] == t.head[0]: // tables may be put behind one another
			t.head, t.at = cs, n
			continue
		case len(cs) != len(t.head):
			t.bad(n, "the row has %s and the header %d: the row is left out", metric.Plural(len(cs), "cell"), len(t.head))
			continue
		}
		t.rows++
		row, cells := map[string]string{}, map[string]string{}
		for i, h := range t.head {
			row[h] = strings.TrimSpace(cs[i])
		}
		for key, column := range columns {
			if mean := row[key+"_mean"]; mean != "" {
				cells[column] = mean + " ± " + row[key+"_std"]
			}
		}
		t.add(n, row["model"], row["test_name"], cells)
	}
	t.flush("", "", "")
}

// flush emits the tests of a table, whose end says date, mode of the latency and version.
func (t *text) flush(date, mode, version string) {
	lines := t.lines
	if t.head != nil && t.rows == 0 {
		t.bad(t.at, "the table has no rows: it was cut short behind its head")
	}
	t.lines, t.head, t.rows = nil, nil, 0
	if len(lines) == 0 {
		return
	}
	if date == "" && t.beside {
		t.bad(lines[0].at.Line, "the table has no end with the date: it was cut short or copied without it, and what "+
			"stands in it is kept")
	}
	t.n++
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		halves := []line{l}
		if i+1 < len(lines) && l.half == "pp" && lines[i+1].half == "tg" && lines[i+1].key == l.key &&
			lines[i+1].model == l.model {
			halves = append(halves, lines[i+1])
			i++
		}
		res := t.result(halves)
		res.Date, res.Identity.Model = date, l.model
		facts := reading.Facts{}
		facts.Add(record.FactModel, l.model, l.at)
		facts.Add(record.FactToolVersion, version, l.at)
		res.Facts = facts
		if mode != "" {
			res.Setup = []record.KV{{Key: "latency_mode", Value: mode}}
		}
		res.Key = record.SessionKey(tool, t.file, date, strconv.Itoa(t.n))
		if len(res.Values) == 0 {
			t.bad(l.at.Line, "the test has no speed: it is left out")
			continue
		}
		t.emit(res)
	}
}

// result joins the prefill and the decode half of a test.
func (t *text) result(halves []line) *record.Result {
	res := &record.Result{Base: record.Base{At: halves[0].at, Identity: record.Identity{Tool: tool}}}
	w := &res.Workload
	w.Distribution, w.LengthSemantics = "fixed", "tool nominal"
	if d := halves[0].depth; d != "" && d != "0" {
		w.Name = "context of " + d
	}
	conc := halves[0].conc
	if conc == "" && t.conc != "-" {
		conc = t.conc
	}
	if n, err := strconv.ParseInt(conc, 10, 64); err == nil && n > 0 {
		res.Load.MaxConcurrency = &n
	}
	raw := map[string]map[string]string{}
	for _, l := range halves {
		raw[l.half] = l.cells
		n := float64(l.count)
		speed, length := metric.PPSpeed, &w.Nominal.Input
		if l.half == "tg" {
			speed, length = metric.TGSpeed, &w.Nominal.Output
		}
		if n > 0 {
			*length = &n
		}
		requests := "t/s (req)"
		if _, ok := l.cells[requests]; !ok {
			requests = "t/s"
		}
		t.value(res, l, requests, speed, "tok/s")
		t.value(res, l, "peak t/s", metric.PeakOutputThroughput, "tok/s")
		t.value(res, l, "e2e_ttft (ms)", metric.TTFT, "ms")
	}
	res.Raw, _ = json.Marshal(raw) // maps of strings always encode
	return res
}

// value reads a cell "mean ± deviation".
func (t *text) value(res *record.Result, l line, column string, q metric.ID, unit string) {
	s := l.cells[column]
	if s == "" {
		return
	}
	mean, deviation, ok := reading.Spread(s)
	if !ok {
		t.bad(l.at.Line, "%q is %q, \"mean ± deviation\" was expected: the value is left out", column, reading.Clip(s))
		return
	}
	add := func(stat string, n float64) {
		if _, err := metric.ToBase(q, n, unit); err == nil {
			res.Values = append(res.Values, record.Value{Quantity: q, Stat: stat, Number: n, Unit: unit,
				Key: l.half + " " + column})
		}
	}
	if mean != 0 {
		add(metric.Mean, mean)
	}
	if deviation != nil {
		add(metric.Std, *deviation)
	}
}

package guidellm

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Until 0.3 the tool printed two tables at its end: what was sent, and the statistics of it. A row of both is made the
// benchmark that the report would hold.
const (
	infoHead  = "Benchmark|Start Time|End Time|Duration (s)|Comp|Inc|Err|Comp|Inc|Err|Comp|Inc|Err|"
	statsHead = "Benchmark|Per Second|Concurrency|mean|mean|mean|median|p99|mean|median|p99|mean|median|p99|mean|median|p99"
)

var (
	// The names above those of the columns of the statistics. Latencies are in seconds, whatever their name says.
	statsGroups = regexp.MustCompile(`(?m)^[^\n]*\| *Request Stats *\|\| *Out Tok/sec\| *Tot Tok/sec\| *` +
		`Req Latency \(\w+\) *\|\|\| *TTFT \(ms\) *\|\|\| *ITL \(ms\) *\|\|\| *TPOT \(ms\)`)
	// What is printed above the tables of model, data and run, maybe wrapped.
	above = regexp.MustCompile(`(Run id:|\bbackend_model=|\bdata=) *(?:'([^']+)'|([^'\s]+))`)
	later = regexp.MustCompile(`(?m)^.{0,8}Request Latency Statistics \(Completed Requests\)`)
	// The names of the columns of the first table.
	sent = regexp.MustCompile(`(?m)^[ \t]*Benchmark\| *Start Time\| *End Time\| *Duration \(s\)\|`)
)

// printedColumns are the columns of a row: what its name says, what stands above the tables, and what stands in them.
var printedColumns = []column{
	{name: "Benchmark", path: []string{"args", "strategy", "type_"}},
	{name: "rate", path: []string{"args", "strategy", "rate"}},
	{name: "streams", path: []string{"args", "strategy", "streams"}},
	{name: "Run id:", path: []string{"run_id"}},
	{name: "backend_model=", path: []string{"worker", "backend_model"}},
	{name: "data=", path: []string{"request_loader", "data"}},
	{name: "Duration (s)", path: []string{"duration"}},
	{name: "Comp", path: []string{"request_totals", "successful"}},
	{name: "Inc", path: []string{"request_totals", "incomplete"}},
	{name: "Err", path: []string{"request_totals", "errored"}},
	{name: "Prompt Tok/Req Comp", path: []string{"metrics", "prompt_token_count", "successful", "mean"}},
	{name: "Output Tok/Req Comp", path: []string{"metrics", "output_token_count", "successful", "mean"}},
	{name: "Per Second", path: []string{"metrics", "requests_per_second", "successful", "mean"}},
	{name: "Concurrency", path: []string{"metrics", "request_concurrency", "successful", "mean"}},
	{name: "Out Tok/sec", path: []string{"metrics", "output_tokens_per_second", "successful", "mean"}},
	{name: "Tot Tok/sec", path: []string{"metrics", "tokens_per_second", "successful", "mean"}},
	{name: "Req Latency mean", path: []string{"metrics", "request_latency", "successful", "mean"}},
	{name: "Req Latency median", path: []string{"metrics", "request_latency", "successful", "median"}},
	{name: "Req Latency p99", path: []string{"metrics", "request_latency", "successful", "percentiles", "p99"}},
	{name: "TTFT mean", path: []string{"metrics", "time_to_first_token_ms", "successful", "mean"}},
	{name: "TTFT median", path: []string{"metrics", "time_to_first_token_ms", "successful", "median"}},
	{name: "TTFT p99", path: []string{"metrics", "time_to_first_token_ms", "successful", "percentiles", "p99"}},
	{name: "ITL mean", path: []string{"metrics", "inter_token_latency_ms", "successful", "mean"}},
	{name: "ITL median", path: []string{"metrics", "inter_token_latency_ms", "successful", "median"}},
	{name: "ITL p99", path: []string{"metrics", "inter_token_latency_ms", "successful", "percentiles", "p99"}},
	{name: "TPOT mean", path: []string{"metrics", "time_per_output_token_ms", "successful", "mean"}},
	{name: "TPOT median", path: []string{"metrics", "time_per_output_token_ms", "successful", "median"}},
	{name: "TPOT p99", path: []string{"metrics", "time_per_output_token_ms", "successful", "percentiles", "p99"}},
}

// damaged says of a text with tables that the tool prints from 0.4 on that its report is wanted: they have no load. Of one
// that has the first table of an older one alone it says that the second is missing.
func damaged(h *reading.Head) *record.SyntaxError {
	at, text := later.FindIndex(h.Data), "tables that guidellm prints from 0.4 on say neither the rate nor the model of a "+
		"row, and none is read: give the report that it saves, benchmarks.json"
	if at == nil {
		at, text = sent.FindIndex(h.Data), "the table of what guidellm sent has none of its statistics below it: it was cut short"
	}
	if at == nil {
		return nil
	}
	return record.Errorf(record.Pos{File: h.Path, Line: 1 + bytes.Count(h.Data[:at[0]], []byte{'\n'})}, "%s", text)
}

// printed reads a text with the tables.
func (r *reader) printed(text []byte) {
	said := map[string]string{}
	var info [][]string
	head, n, tables, stats := "", 0, 0, 0
	bad := func(format string, args ...any) {
		r.emit(record.Errorf(record.Pos{File: r.file, Line: n}, format, args...))
	}
	for l := range bytes.Lines(text) {
		n++
		line := strings.TrimSpace(string(l[:min(len(l), 16<<10)]))
		for _, m := range above.FindAllStringSubmatch(line, -1) {
			said[m[1]] = m[2] + m[3]
		}
		row := strings.Split(line, "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		switch joined := strings.Join(row, "|"); {
		case strings.HasPrefix(joined, infoHead):
			head, info = infoHead, nil
		case joined == statsHead:
			head, stats = statsHead, 0
			tables++
		case strings.HasPrefix(line, "===") && head != "":
			if head == statsHead {
				info = nil
				clear(said)
			}
			head = ""
		case head == "" || strings.Trim(line, "-|") == "":
		case reading.Torn(l) || len(row) < strings.Count(head, "|")+1:
			bad("the row has no end: a part of it may be missing, and it is left out")
		case head == infoHead:
			info = append(info, row)
		default:
			kind, rate, _ := strings.Cut(row[0], "@")
			cells := []string{kind, rate, "", said["Run id:"], said["backend_model="], said["data="], "", "", "", "", "", ""}
			if kind == "concurrent" {
				cells[1], cells[2] = "", rate
			}
			if stats < len(info) && info[stats][0] == row[0] {
				i := info[stats]
				copy(cells[6:], []string{i[3], i[4], i[5], i[6], i[7], i[10]})
			}
			r.row(printedColumns, slices.Concat(cells, row[1:17]), n, &report{number: tables, old: true}, nil, stats)
			stats++
		}
	}
	if head != "" {
		bad("the text ends inside of a table of guidellm: it was cut short, and what stands in it is kept")
	}
}

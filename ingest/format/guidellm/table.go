package guidellm

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// The two kinds of tables: with one line of headings up to 0.3, with three from 0.4 on.
const (
	notTable = iota
	oldTable
	newTable
)

func tableKind(head []byte) int {
	head = bytes.TrimLeft(head, "\r\n")
	switch {
	case bytes.HasPrefix(head, []byte("Type,Run Id,Id,Name,Start Time")):
		return oldTable
	case bytes.HasPrefix(head, []byte("Run Info,Run Info,")):
		return newTable
	}
	return notTable
}

// A row is made a benchmark of the report of its time and then read as one: the columns' names are
// those of the members, written for people.

// column is what a heading means: the path of a member of the benchmark; nil for one that is not
// known. List says that the cell is the list of minimum, percentiles and maximum; Object that it
// is JSON.
type column struct {
	name         string // as in the file
	path         []string
	list, object bool
}

// listed are the members of a list of percentiles, "" for the extremes.
var listed = []string{"min", "p001", "p01", "p05", "p10", "p25", "p75", "p90", "p95", "p99", "max"}

var oldStatistic = regexp.MustCompile(`^(Successful|Errored|Incomplete|Total) (.+) ` +
	`(mean|median|std dev|\[min, 0\.1, 1, 5, 10, 25, 75, 90, 95, 99, max\])$`)

var oldColumns = []column{
	{name: "Type", path: []string{"type_"}}, {name: "Run Id", path: []string{"run_id"}}, {name: "Id", path: []string{"id_"}},
	{name: "Duration", path: []string{"duration"}},
	{name: "Args", path: []string{"args"}, object: true}, {name: "Worker", path: []string{"worker"}, object: true},
	{name: "Request Loader", path: []string{"request_loader"}, object: true},
	{name: "Extras", path: []string{"extras"}, object: true},
	{name: "Successful Requests", path: []string{"request_totals", "successful"}},
	{name: "Errored Requests", path: []string{"request_totals", "errored"}},
	{name: "Incomplete Requests", path: []string{"request_totals", "incomplete"}},
	{name: "Total Requests", path: []string{"request_totals", "total"}},
}

// named is the column of a name among those of a list, the zero one where there is none.
func named(list []column, name string) column {
	for _, c := range list {
		if c.name == name {
			return c
		}
	}
	return column{}
}

func oldColumn(name string) column {
	c := named(oldColumns, name)
	if m := oldStatistic.FindStringSubmatch(name); c.path == nil && m != nil {
		key := strings.ReplaceAll(strings.ToLower(m[2]), " ", "_")
		c.path = []string{"metrics", key, strings.ToLower(m[1]),
			strings.ReplaceAll(strings.TrimPrefix(m[3], "std "), "dev", "std_dev")}
		if c.list = m[3][0] == '['; c.list {
			c.path = c.path[:3]
		}
	}
	c.name = name
	return c
}

var newColumns = []column{
	{name: "Run Info/Run ID", path: []string{"config", "run_id"}},
	{name: "Run Info/Run Index", path: []string{"config", "run_index"}},
	{name: "Run Info/Profile", path: []string{"config", "profile"}, object: true},
	{name: "Run Info/Requests", path: []string{"config", "requests"}, object: true},
	{name: "Run Info/Backend", path: []string{"config", "backend"}, object: true},
	{name: "Run Info/Environment", path: []string{"config", "environment"}, object: true},
	{name: "Benchmark/Type", path: []string{"type_"}}, {name: "Benchmark/ID", path: []string{"config", "id_"}},
	{name: "Benchmark/Strategy", path: []string{"config", "strategy", "type_"}},
	{name: "Benchmark/Constraints", path: []string{"config", "constraints"}, object: true},
	{name: "Timings/Duration", path: []string{"duration"}}, {name: "Timings/Warmup", path: []string{"warmup_duration"}},
	{name: "Timings/Cooldown", path: []string{"cooldown_duration"}},
	{name: "Request Counts/Successful", path: []string{"metrics", "request_totals", "successful"}},
	{name: "Request Counts/Errored", path: []string{"metrics", "request_totals", "errored"}},
	{name: "Request Counts/Incomplete", path: []string{"metrics", "request_totals", "incomplete"}},
	{name: "Request Counts/Total", path: []string{"metrics", "request_totals", "total"}},
}

// newMetrics are the metrics by their group and unit in the headings.
var newMetrics = [][2]string{
	{"Request Latency/Sec", "request_latency"}, {"Streaming Iterations/Count", "request_streaming_iterations_count"},
	{"Time to First Token/ms", "time_to_first_token_ms"},
	{"Time to First Output Token/ms", "time_to_first_output_token_ms"},
	{"Time per Output Token/ms", "time_per_output_token_ms"}, {"Inter Token Latency/ms", "inter_token_latency_ms"},
	{"Server Throughput/Requests/Sec", "requests_per_second"}, {"Server Throughput/Concurrency", "request_concurrency"},
	{"Token Metrics/Input Tokens", "prompt_token_count"},
	{"Token Metrics/Output Tokens", "output_token_count"}, {"Token Metrics/Total Tokens", "total_token_count"},
	{"Token Throughput/Input Tokens/Sec", "prompt_tokens_per_second"},
	{"Token Throughput/Output Tokens/Sec", "output_tokens_per_second"},
	{"Token Throughput/Total Tokens/Sec", "tokens_per_second"},
	{"Token Streaming/Output Tokens/Iter", "output_tokens_per_iteration"},
	{"Token Streaming/Iter Tokens/Iter", "iter_tokens_per_iteration"},
}

var newStatistics = map[string]string{"Mean": "mean", "Median": "median", "Std Dev": "std_dev", "Percentiles": ""}

func newColumn(group, field, third string) column {
	c := named(newColumns, group+"/"+field)
	if stat, is := newStatistics[third]; is && c.path == nil {
		status, unit, _ := strings.Cut(field, " ")
		if key := reading.Second(newMetrics, group+"/"+unit); key != "" && (status == "Successful" || status == "Errored" ||
			status == "Incomplete") {
			c.path = []string{"metrics", key, strings.ToLower(status)}
			if c.list = stat == ""; !c.list {
				c.path = append(c.path, stat)
			}
		}
	}
	c.name = group + " / " + field
	if third != "" {
		c.name += " / " + third
	}
	return c
}

// maxColumns is far above what the tool writes: 1,100 or so.
const maxColumns = 20_000

// table reads a CSV report.
func (r *reader) table(data []byte) {
	rows := reading.CSV(data)
	bad := func(line int, format string, args ...any) {
		r.emit(record.Errorf(record.Pos{File: r.file, Line: line}, format, args...))
	}
	n := 1 // lines of headings
	if tableKind(data) == newTable {
		n = 3
	}
	var head [][]string
	for range n {
		row, err := rows.Read()
		if err != nil || len(head) > 0 && len(row) != len(head[0]) || len(row) > maxColumns {
			bad(max(1, len(head)), "a table of guidellm begins with %s: this one does not, nothing is read",
				metric.Plural(n, "line of headings", "lines of headings of equal length"))
			return
		}
		head = append(head, row)
		rows.Head(row)
	}
	columns := make([]column, len(head[0]))
	for i := range columns {
		if n == 1 {
			columns[i] = oldColumn(head[0][i])
		} else {
			columns[i] = newColumn(head[0][i], head[1][i], head[2][i])
		}
	}
	top := &report{number: 1, old: n == 1}
	seen := map[string]int{} // rows of a strategy
	before := rows.InputOffset()
	i := 0
	for line, row := range reading.Rows(rows, r.file, r.emit) {
		if len(row) == len(columns) {
			r.row(columns, row, line, top, seen, i)
		} else {
			why := ""
			if n == 3 {
				why = ", because the tool writes columns for the ways in which requests of the first benchmark ended " +
					"and cells for those of each"
			}
			bad(line, "the row has %s and the headings %d%s: it is left out, use the JSON report",
				metric.Plural(len(row), "cell"), len(columns), why)
		}
		i++
	}
	if rows.InputOffset() == before {
		bad(n, "a table without rows: no benchmark was finished")
	}
}

// tree is a JSON object that is being put together; a leaf is JSON.
type tree struct {
	keys []string
	sub  map[string]*tree
	leaf []byte
}

func (t *tree) at(path ...string) *tree {
	for _, k := range path {
		if t.sub == nil {
			t.sub = map[string]*tree{}
		}
		s := t.sub[k]
		if s == nil {
			s = &tree{}
			t.sub[k] = s
			t.keys = append(t.keys, k)
		}
		t = s
	}
	return t
}

func (t *tree) json() []byte {
	if t.leaf != nil {
		return t.leaf
	}
	var out reading.Builder
	for _, k := range t.keys {
		out.Add(k, t.sub[k].json())
	}
	return out.JSON()
}

// benchmarkOf puts a row together: the benchmark that the report of its time would hold, the row as it
// is kept, and what it says of the whole report.
func (r *reader) benchmarkOf(columns []column, row []string, at record.Pos) (bench, kept tree, facts reading.Facts) {
	for j, c := range columns {
		cell := strings.TrimSpace(row[j])
		value := scalar(cell)
		kept.at(c.name).leaf = value
		switch {
		case c.name == "Start Time" || c.name == "Timings / Measure Start Time":
			// Local time without a zone: where the JSON report is at hand too, that has the date.
			facts.Add(record.FactDate, cell, at)
		case c.name == "Runtime Info / Metadata" || c.name == "Runtime Info / Arguments":
			v, err := reading.Parse([]byte(cell))
			if err != nil {
				continue
			}
			if c.name == "Runtime Info / Metadata" {
				facts.Add(record.FactToolVersion, v.Get("guidellm_version").Scalar(), at)
				continue
			}
			facts.Add(record.FactModel, v.Get("model").Scalar(), at)
			bench.at("data").leaf = v.Get("data").Compact(reading.Elide{Longer: 64})
		case cell == "" || c.name == "End Time":
		case c.path == nil:
			bench.at(c.name).leaf = value
		case c.list:
			bench.at(c.path...).percentiles(cell)
		case c.object:
			if v, err := reading.Parse([]byte(cell)); err == nil {
				value = v.Compact(reading.Elide{Longer: 64, Texts: texts})
				kept.at(c.name).leaf = value
			}
			bench.at(c.path...).leaf = value
		default:
			bench.at(c.path...).leaf = value
		}
	}
	return bench, kept, facts
}

// percentiles adds a cell that lists minimum, percentiles and maximum.
func (t *tree) percentiles(cell string) {
	for i, part := range strings.Split(strings.Trim(cell, "[]"), ",") {
		if i >= len(listed) {
			return
		}
		to := []string{"percentiles", listed[i]}
		if listed[i] == "min" || listed[i] == "max" {
			to = to[1:]
		}
		t.at(to...).leaf = scalar(strings.TrimSpace(part))
	}
}

// row reads the i-th row, which begins at a line.
func (r *reader) row(columns []column, row []string, line int, top *report, seen map[string]int, i int) {
	at := record.Pos{File: r.file, Line: line}
	bench, kept, facts := r.benchmarkOf(columns, row, at)
	v, err := reading.Parse(bench.json())
	if err != nil { // what is no UTF-8
		r.emit(record.Errorf(at, "%s", err.Text))
		return
	}
	t := *top
	for _, f := range facts {
		t.facts.Add(f.Key, f.Value, at)
		if f.Key == record.FactModel {
			t.model = f.Value
		}
	}
	if d := v.Get("data"); d.Kind() != reading.KindObject {
		t.addData(d)
	}
	if !t.old {
		kind := v.Get("config").Get("strategy").Get("type_").Scalar()
		t.rate = rateOf(v.Get("config").Get("profile"), kind, seen[kind])
		seen[kind]++
	}
	t.place, t.row, t.raw = &at, i, kept.json()
	b := reading.NewObject(r.file, v, func(rec record.Record) {
		if e, ok := rec.(*record.SyntaxError); ok {
			e.At = at
		}
		r.emit(rec)
	})
	b.Use("data")
	r.benchmark(b, &t)
}

// rateOf is the load of the n-th row of a strategy: the table names the strategy, and only the
// profile of the whole report lists its rates.
func rateOf(profile reading.Value, kind string, n int) reading.Value {
	key := "rate"
	if kind == "concurrent" {
		key = "streams"
	}
	v := profile.Get(key)
	if v.Kind() == reading.KindArray {
		var nth reading.Value
		v.Items(func(i int, e reading.Value) bool {
			if i == n {
				nth = e
			}
			return true
		})
		return nth
	}
	return v
}

// scalar writes a cell as JSON: a number where it is one.
func scalar(cell string) []byte {
	switch cell {
	case "", "None", "nan", "NaN":
		return []byte("null")
	case "True", "False":
		return []byte(strings.ToLower(cell))
	}
	if f, err := strconv.ParseFloat(cell, 64); err == nil && !strings.ContainsAny(cell, "xX_iInN") {
		return strconv.AppendFloat(nil, f, 'g', -1, 64)
	}
	return reading.Quote(cell)
}

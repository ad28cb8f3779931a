package happyvllm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Names of the Samples of a report: one of the fit, one a point of the two graphs, one a row of
// thresholds.csv.
const (
	reportOfIngestion  = "report: prompt ingestion"
	reportOfTotal      = "report: total speed"
	reportOfSpeed      = "report: speed"
	reportOfThresholds = "report: thresholds"
)

// sample is a record of a report file. It has no session: see the package comment.
func (r *reader) sample(at record.Pos, name string) *record.Samples {
	return &record.Samples{Base: record.Base{At: at, Identity: record.Identity{Tool: tool}}, Name: name,
		Nums: map[string]float64{}}
}

// parameters reads report/parameters.json: what all raw files have in common, and gpu_name.
func (r *reader) parameters(v reading.Value) {
	id, session := r.identity(v)
	if id.Model == "" {
		r.bad(v, "no \"model\": it cannot be told what was measured")
		return
	}
	server := &record.Params{Base: r.base(v, session, id), Of: "server"}
	server.Facts = r.facts(v)
	client := &record.Params{Base: r.base(v, session, id), Of: "client"}
	seen := map[string]bool{}
	last := v.Map() // of equal keys the last one counts
	v.Fields(func(key string, p reading.Value) bool {
		if slices.Contains(elsewhere, key) || key == "" || seen[key] {
			return true
		}
		seen[key] = true
		param := record.Param{Name: key, Value: last[key].Compact(reading.Elide{}), At: r.pos(p.Off())}
		if slices.Contains(ofClient, key) {
			client.Params = append(client.Params, param)
		} else {
			server.Params = append(server.Params, param)
		}
		return true
	})
	r.emit(server)
	if len(client.Params) > 0 {
		r.emit(client)
	}
}

// ingestionFit reads the coefficients of the fit. The two lists beside them do not belong
// together: the lengths are those that were fitted, the times are all.
func (r *reader) ingestionFit(v reading.Value) {
	s := r.sample(r.pos(v.Off()), reportOfIngestion)
	fit := v.Get("fit_coefficients")
	fit.Items(func(i int, c reading.Value) bool {
		if f, ok := r.number(c, "fit_coefficients"); ok && i < 2 {
			s.Nums[[]string{"slope", "intercept"}[i]] = f
		}
		return true
	})
	if fit.Len() != 2 || len(s.Nums) != 2 {
		r.bad(fit, "\"fit_coefficients\" is no pair of slope and intercept")
		return
	}
	s.Nums["requests"] = float64(v.Get("times_to_first_token").Len())
	s.Nums["fitted"] = float64(v.Get("prompt_lengths").Len())
	s.Raw = v.Compact(reading.Elide{Longer: 64})
	r.emit(s)
}

// numbers copies those of keys that are there to nums.
func (r *reader) numbers(nums map[string]float64, v reading.Value, keys ...string) {
	for _, k := range keys {
		if f, ok := r.float(v, k); ok {
			nums[k] = f
		}
	}
}

// totalSpeeds reads the points of the graph of the total generation speed.
func (r *reader) totalSpeeds(v reading.Value) {
	v.Fields(func(key string, s reading.Value) bool {
		if s.Kind() != reading.KindObject {
			r.bad(s, "%s is %s: a scenario should stand here", strconv.Quote(key), s.Kind())
			return true
		}
		nums := map[string]float64{}
		if r.numbers(nums, s, "input_length", "output_length"); len(nums) != 2 {
			r.bad(s, "scenario %s lacks \"input_length\" or \"output_length\"", strconv.Quote(key))
			return true
		}
		s.Get("data").Items(func(_ int, p reading.Value) bool {
			r.reportPoint(p, reportOfTotal, nums, func(s *record.Samples) {
				r.numbers(s.Nums, p, "total_time", "actual_total_time", "total_number_of_generated_tokens", "speed")
			}, "nb_parallel_requests")
			return true
		})
		return true
	})
}

// reportPoint emits one point of a graph, whose load is at key.
func (r *reader) reportPoint(p reading.Value, name string, lengths map[string]float64,
	fill func(*record.Samples), key string) {
	if p.Kind() != reading.KindObject {
		r.bad(p, "%s where a point should stand", p.Kind())
		return
	}
	s := r.sample(r.pos(p.Off()), name)
	for k, f := range lengths {
		s.Nums[k] = f
	}
	n, ok := r.float(p, key)
	if !ok || n < 1 || n != math.Trunc(n) || n > 1<<53 {
		r.bad(p, "no %s: the point has no load", strconv.Quote(key))
		return
	}
	s.Nums["n"] = n
	fill(s)
	s.Raw = p.Compact(reading.Elide{Longer: 64})
	r.emit(s)
}

// scenarioInName finds the lengths in the name of a file whose content does not tell them.
var scenarioInName = regexp.MustCompile(`input_(\d{1,9})_output_(\d{1,9})`)

// speeds reads the points of one graph of speed, latency and cache.
func (r *reader) speeds(v reading.Value) {
	name := r.path[len(reading.Dir(r.path)):]
	m := scenarioInName.FindStringSubmatch(name)
	if m == nil {
		r.bad(v, "the scenario is not in the file: name it like speed_generation_graph_data_input_1024_output_128.json")
		return
	}
	lengths := map[string]float64{}
	for i, k := range []string{"input_length", "output_length"} {
		lengths[k], _ = strconv.ParseFloat(m[i+1], 64) // digits only
	}
	v.Fields(func(_ string, p reading.Value) bool {
		r.reportPoint(p, reportOfSpeed, lengths, func(s *record.Samples) {
			r.numbers(s.Nums, p, "max_kv_cache")
			for _, q := range []string{"speed_generation", "time_to_first_token"} {
				// The median between the distances to the quartiles.
				var three []float64
				p.Get(q).Items(func(_ int, e reading.Value) bool {
					if f, ok := r.number(e, q); ok {
						three = append(three, f)
					}
					return true
				})
				if len(three) != 3 {
					r.bad(p.Get(q), "%s is no list of three numbers", strconv.Quote(q))
					continue
				}
				s.Nums[q+" below"], s.Nums[q], s.Nums[q+" above"] = three[0], three[1], three[2]
			}
		}, "parallel_requests_nb")
		return true
	})
}

// thresholds reads thresholds.csv.
func (r *reader) thresholds() {
	rows := reading.CSV(r.data)
	rows.LazyQuotes = true
	header, err := rows.Read()
	if err != nil {
		r.emit(record.Errorf(record.Pos{File: r.path}, "no header"))
		return
	}
	if strings.Contains(strings.Join(header, ""), "\n") {
		r.emit(record.Errorf(record.Pos{File: r.path, Line: 1, Col: 1}, "a quote in the header is not closed: no threshold is read"))
		return
	}
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
	}
	const most = 10_000 // couples of lengths; a suite has some twenty
	n := 0
	for line, row := range reading.Rows(rows, r.path, r.emit) {
		if n++; n > most {
			r.emit(record.Errorf(record.Pos{File: r.path, Line: line}, "more than %d thresholds: the rest is left out",
				most))
			return
		}
		s := r.sample(record.Pos{File: r.path, Line: line, Col: 1}, reportOfThresholds)
		if len(row) != len(header) {
			r.emit(record.Errorf(s.At, "%s in a row of a table with %s", metric.Plural(len(row), "cell"),
				metric.Plural(len(header), "column")))
			continue
		}
		bad := slices.IndexFunc(row, func(cell string) bool {
			f, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
			return err != nil || math.IsNaN(f) || math.IsInf(f, 0)
		})
		if bad >= 0 {
			_, s.At.Col = rows.FieldPos(bad)
			r.emit(record.Errorf(s.At, "%q in column %q: a number should stand here", row[bad], header[bad]))
			continue
		}
		for i, cell := range row {
			s.Nums[header[i]], _ = strconv.ParseFloat(strings.TrimSpace(cell), 64)
		}
		s.Raw, _ = json.Marshal(s.Nums) // finite numbers only
		r.emit(s)
	}
}

// settings reads params.txt: the settings that the suite was started with.
func (r *reader) settings() {
	p := &record.Params{Base: record.Base{At: record.Pos{File: r.path, Line: 1, Col: 1}}, Of: "client"}
	line := 0
	for text := range strings.Lines(string(r.data)) {
		line++
		text = strings.ToValidUTF8(strings.TrimSpace(text), "\ufffd")
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		at := record.Pos{File: r.path, Line: line, Col: 1}
		key, value, ok := strings.Cut(text, "=")
		if !ok || key == "" {
			r.emit(record.Errorf(at, "no KEY=VALUE: the line is left out")) // unquoted: it may be a line of a key
			continue
		}
		p.Params = append(p.Params, record.Param{Name: strings.TrimSpace(key), Value: reading.Quote(value), At: at})
	}
	r.emit(p)
}

// timeInLog is how the tool writes a time.
var timeInLog = regexp.MustCompile(`\d{4}-\d\d-\d\d, \d\d:\d\d:\d\d`)

// log sums up bench-suite.log: all that it knows of results is in the raw files.
func (r *reader) log() {
	text := bytes.TrimRight(r.data, "\r\n")
	first, _, _ := bytes.Cut(text, []byte{'\n'})
	last := text[bytes.LastIndexByte(text, '\n')+1:]
	reason := "log of a benchmark suite, " + metric.Plural(1+bytes.Count(text, []byte{'\n'}), "line")
	if from, to := timeInLog.Find(first), timeInLog.Find(last); from != nil && to != nil {
		reason += fmt.Sprintf(" from %s to %s", from, to)
	}
	if n := bytes.Count(text, []byte("\nWARNING:")) + bytes.Count(text, []byte("\nERROR:")); n > 0 {
		reason += ", " + metric.Plural(n, "warning")
	}
	r.emit(&record.Ignored{Base: record.Base{At: record.Pos{File: r.path}},
		Reason: reason + ": its results are in the raw files"})
}

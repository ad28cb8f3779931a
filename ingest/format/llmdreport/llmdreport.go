// Package llmdreport reads the Benchmark Report of llm-d-benchmark, versions 0.1, 0.2 and 0.2.1, as
// YAML and JSON. It is one report a load: what was served ("scenario"), how hard it was driven, and
// the statistics, each with its unit. `inferdex export benchmark-report` writes version 0.2.1.
//
// The converters that write such reports keep the words of the tool that measured. Where these mean
// something else there, they do here: the inter_token_latency of AIPerf and guidellm is one value a
// request and so a TPOT, the time_per_output_token of guidellm may include the TTFT, and that of old
// releases of inference-perf counts tokens twice.
//
// What inferdex exports and the report has no place for stands in scenario.load.native.config,
// below "inferdex".
package llmdreport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/internal/clean"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/internal/object"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/internal/yamlval"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads Benchmark Reports.
var Format = &ingest.Format{
	Name: "llm-d-benchmark-report",
	Doc: ingest.Doc{
		Title:    "llm-d Benchmark Reports",
		Tool:     "llm-d-benchmark",
		Command:  "benchmark-report -w TOOL RESULTS REPORT, inferdex export benchmark-report RUN",
		Versions: "0.1, 0.2 and 0.2.1",
		Files:    "benchmark_report_v0.2,_*.yaml, *.yaml, *.json",
		Reads: "Each report with model, engines, accelerators, parallelism and launch arguments, the load, counts, lengths, throughputs and the statistics of TTFT, TPOT, ITL, NTPOT " +
			"and end-to-end latency in the units it states; of the engines that were observed the highest use of the KV cache.",
		Unknown: "The memory of the accelerators in versions 0.2 and 0.2.1; whether a field that an importer left at its default was ever known.",
	},
	MaxSize: 64 << 20,
	Match:   match,
	Read:    read,
}

var (
	topKey = regexp.MustCompile(`(?m)^"?(version|run|scenario|metrics|results)"?:`)
	// The parts of "results"; a report in the order of the alphabet has nothing else at its beginning.
	part = regexp.MustCompile(`(?m)^results:[ \t\r]*\n(?:[ \t]*#.*\n)*[ ]+(component_health|observability|profiling|request_performance|session_performance):`)
)

func match(h *ingest.Head) bool {
	switch h.Kind {
	case '{', '[':
		return h.Has("version", "scenario", "metrics") && (h.HasNested("metrics.latency") || h.HasNested("metrics.requests")) ||
			h.Has("results") && (h.HasNested("results.request_performance") || h.HasNested("results.observability") || h.HasNested("results.component_health") ||
				h.Has("run", "scenario") && h.HasNested("run.uid"))
	case 't':
		top := map[string]bool{}
		for _, m := range topKey.FindAllSubmatch(h.Data, -1) {
			top[string(m[1])] = true
		}
		return top["version"] && top["scenario"] && top["metrics"] || top["run"] && top["scenario"] && top["results"] || top["results"] && part.Match(h.Data)
	}
	return false
}

// reader is the state of reading one file.
type reader struct {
	file, folder string
	emit         func(record.Record)
}

func read(src *ingest.Source, emit func(record.Record)) error {
	r := &reader{file: src.Path(), emit: emit}
	r.folder, _ = sessions.Split(r.file)
	bad := func(line, col int, text string) {
		emit(&record.SyntaxError{Base: record.Base{At: record.Pos{File: r.file, Line: line, Col: col}}, Text: text})
	}
	if src.Head.Kind == 't' {
		found := false
		yamlval.Values(src.Data, func(v jsonval.Value) { found = true; r.read(v) }, func(e yamlval.Error) { found = true; bad(e.Line, e.Col, e.Text) })
		if !found {
			bad(1, 0, "no report in this file")
		}
		return nil
	}
	object.Values(src, true, r.read, emit)
	return nil
}

// report is one report on its way to a result.
type report struct {
	*object.Object
	r      *reader
	res    *record.Result
	facts  clean.Facts
	params map[string][]record.Param // by what they are of
	tool   string                    // that measured, as written
	notes  []*record.Note
	own    bool // inferdex wrote it: what it does not say is not known
}

// tools are the families of tools by the names that reports have for them, where these differ.
var tools = map[string]string{"vllm-benchmark": "vllm-bench-serve", "inferencemax": "inferencex"}

// read reads one report.
func (r *reader) read(v jsonval.Value) {
	o := object.New(r.file, v, r.emit)
	if v.Kind() != jsonval.Object || !o.Has("results") && !o.Has("metrics") {
		o.Bad("", "no Benchmark Report: it has neither \"results\" nor \"metrics\"")
		return
	}
	p := &report{Object: o, r: r, res: &record.Result{Base: record.Base{At: o.Pos()}}, params: map[string][]record.Param{}}
	version := o.Text("version")
	suite := ""
	if o.Has("results") {
		suite = p.v02()
	} else {
		p.v01()
	}
	switch version {
	case "0.1", "0.2", "0.2.1", "":
	default:
		p.note("unknown-version", record.Remark, "version", "Benchmark Report of version %q: it is read as version 0.2.1, and what is new in it is kept and not used", clean.Clip(version))
	}
	res := p.res
	if len(res.Values) == 0 && res.Submitted == nil && !p.own {
		r.emit(&record.Ignored{Base: record.Base{At: o.Pos()}, Reason: "Benchmark Report without the performance of requests"})
		return
	}
	res.Identity.Tool = strings.ToLower(p.tool)
	if t := tools[res.Identity.Tool]; t != "" {
		res.Identity.Tool = t
	}
	if res.Identity.Tool == "" {
		res.Identity.Tool = "llm-d-benchmark"
	}
	if res.Identity.Tool == "inference-perf" && !p.own {
		var share float64
		if res.Values, share = clean.CountedTwice(p.sameUnit()); share > 0 {
			p.note("tpot-counted-twice", record.Warning, "", "the mean time_per_output_token is %.2f of (request_latency - time_to_first_token) / (output_length - 1): "+
				"this release of inference-perf counted tokens of a stream twice; the TPOT is computed from the means, its other statistics and the inter_token_latency are left out", share)
		}
	}
	res.Values = clean.Measured(res.Values, p.own || res.Completed == nil || *res.Completed > 0)
	w := &res.Workload
	if w.Actual == (record.Lengths{}) && !p.own {
		w.Actual = record.Lengths{Input: clean.Mean(res.Values, metric.InputTokens), Output: clean.Mean(res.Values, metric.OutputTokens)}
	}
	for i := range res.Values {
		if p.own {
			break
		}
		x := &res.Values[i]
		if x.Quantity == metric.TTFT && w.Streaming == nil {
			yes := true // a first token is seen on a stream only
			w.Streaming = &yes
		}
		if (x.Quantity == metric.TTFT || x.Quantity == metric.E2ELatency) && res.Completed != nil && *res.Completed > 0 {
			x.N = *res.Completed
		}
	}
	digest := sessions.Digest(sessions.Setup(res.Setup))
	if suite != "" && res.Identity.Session == "" {
		// An experiment may compare several stacks: each is a run.
		res.Identity.Session = suite + " " + digest
	}
	container := r.folder
	if suite != "" {
		container = "experiment " + suite
	} else if r.file == "-" {
		container = r.file
	}
	res.Key = record.SessionKey("llm-d-report", container, res.Identity.Tool, res.Identity.Model, digest)
	res.Facts = p.facts
	res.Unmapped = o.Unmapped()
	res.Raw = v.Compact(jsonval.Elide{Longer: 64})
	r.emit(res)
	for _, of := range []string{"server", "client", "env"} {
		if len(p.params[of]) > 0 {
			r.emit(&record.Params{Base: record.Base{At: res.At, Key: res.Key, Identity: res.Identity}, Of: of, Params: p.params[of]})
		}
	}
	for _, n := range p.notes {
		n.Key, n.Identity = res.Key, res.Identity
		r.emit(n)
	}
}

func (p *report) note(code string, severity record.Severity, key, format string, args ...any) {
	p.notes = append(p.notes, &record.Note{Base: record.Base{At: p.At(key)}, Code: code, Severity: severity, Text: fmt.Sprintf(format, args...)})
}

// sameUnit turns latencies in milliseconds to seconds, so that they can be held against each other.
func (p *report) sameUnit() []record.Value {
	out := make([]record.Value, len(p.res.Values))
	for i, v := range p.res.Values {
		if v.Unit == "ms" || v.Unit == "ms/token" {
			v.Number, v.Unit = clean.Round(v.Number/1000), "s"
		}
		out[i] = v
	}
	return out
}

// statistic is the name of a statistic by its key in a report.
func statistic(key string) string {
	switch key {
	case "mean", "min", "max":
		return key
	case "stddev":
		return metric.Std
	case "p50":
		return metric.Median
	case "p0p1":
		return "p0.1"
	case "p99p9":
		return "p99.9"
	case "p1", "p5", "p10", "p25", "p75", "p90", "p95", "p99":
		return key
	case "P25": // of one converter
		return "p25"
	}
	return ""
}

// statistics reads a Statistics object. Of a quantity that is one number, a throughput, the mean is
// the value. unit replaces the unit of the report where that counts without saying what.
func statistics(o *object.Object, key string, q metric.ID, one bool, unit, prefix string) []record.Value {
	if !o.Has(key) {
		o.Use(key)
		return nil
	}
	s := o.Sub(key)
	stated := s.Text("units")
	switch {
	case unit != "" && (stated == "count" || stated == "tokens"):
	case stated == "" && s.Pos() != o.Pos():
		o.Bad(key, "%q has no \"units\": it is left out", prefix+key)
		s.Each(func(k string, _ jsonval.Value) { s.Use(k) })
		return nil
	default:
		unit = stated
	}
	var out []record.Value
	s.Each(func(k string, _ jsonval.Value) {
		stat := statistic(k)
		if stat == "" {
			return
		}
		if one && stat == metric.Mean {
			stat = metric.Value
		}
		if n, ok := s.Number(k); ok {
			out = append(out, record.Value{Quantity: q, Stat: stat, Number: n, Unit: unit, Key: prefix + key + "." + k})
		}
	})
	return out
}

// known is a text that says something: the converters write "" and inferdex "unknown" where the
// report wants a text and none is known.
func known(s string) string {
	switch s = strings.TrimSpace(s); strings.ToLower(s) {
	case "unknown", "none", "n/a", "null":
		return ""
	}
	return s
}

func (p *report) setup(key, value string) {
	if value != "" {
		p.res.Setup = append(p.res.Setup, record.KV{Key: key, Value: value})
	}
}

// engine is one inference engine of the stack.
type engine struct {
	at                       record.Pos
	tool, version            string
	role, accelerator, model string
	count                    int64 // of all replicas; 0 is unknown
	args                     jsonval.Value
}

// image is the name of a container image with its tag.
var image = regexp.MustCompile(`^[a-z0-9.-]+(?::[0-9]+)?/.*:([A-Za-z0-9._-]+)$`)

// stack states what served.
func (p *report) stack(engines []engine) {
	type part struct {
		name  string
		count int64
	}
	var parts []part
	all, complete := int64(0), true
	for i, e := range engines {
		p.setup("engine", strings.Join([]string{e.role, e.tool, e.version, e.accelerator, strconv.FormatInt(e.count, 10), e.model}, " "))
		if p.res.Identity.Model == "" {
			p.res.Identity.Model = e.model
		}
		p.facts.Add(record.FactModel, e.model, e.at)
		p.facts.Add(record.FactEngine, e.tool, e.at)
		if m := image.FindStringSubmatch(e.version); m != nil {
			p.facts.Add(record.FactImage, e.version, e.at)
			p.facts.Add(record.FactEngineVersion, m[1], e.at)
		} else {
			p.facts.Add(record.FactEngineVersion, e.version, e.at)
		}
		all += e.count
		complete = complete && e.count > 0
		j := 0
		for ; j < len(parts) && parts[j].name != e.accelerator; j++ {
		}
		if j == len(parts) {
			parts = append(parts, part{name: e.accelerator})
		}
		parts[j].count += e.count
		p.args(engines, i)
	}
	var names []string
	for _, x := range parts {
		switch {
		case x.name == "":
		case len(parts) > 1 && x.count > 0:
			names = append(names, fmt.Sprintf("%dx %s", x.count, x.name))
		default:
			names = append(names, x.name)
		}
	}
	if len(engines) > 0 {
		p.facts.Add(record.FactHardware, strings.Join(names, ", "), engines[0].at)
		if complete && all > 0 {
			p.facts.Add(record.FactCount, strconv.FormatInt(all, 10), engines[0].at)
		}
	}
}

// args are the launch arguments of an engine. Where there are several, each has its role before its
// arguments.
func (p *report) args(engines []engine, i int) {
	prefix := ""
	if len(engines) > 1 {
		same, n := 0, 0
		for j, e := range engines {
			if e.role == engines[i].role {
				same++
				if j <= i {
					n++
				}
			}
		}
		if prefix = engines[i].role; same > 1 {
			prefix += strconv.Itoa(n)
		}
		prefix += "."
	}
	p.flags("server", prefix, engines[i].args)
}

// flags reads arguments: "--block-size: 16", and "--disable-log: null" for a flag.
func (p *report) flags(of, prefix string, args jsonval.Value) {
	args.Fields(func(k string, v jsonval.Value) bool {
		name := strings.ReplaceAll(strings.TrimLeft(k, "-"), "-", "_")
		if name == "" {
			return true
		}
		value := json.RawMessage("true")
		if v.Kind() != jsonval.Null || !strings.HasPrefix(k, "-") {
			value = v.Compact(jsonval.Elide{Longer: 64})
		}
		line, col := v.Place()
		p.params[of] = append(p.params[of], record.Param{Name: prefix + name, Value: value, At: record.Pos{File: p.r.file, Line: line, Col: col}})
		if of == "server" {
			p.setup(prefix+name, string(value))
		}
		return true
	})
}

// counts reads the numbers of requests.
func (p *report) counts(q *object.Object) {
	res := p.res
	res.Submitted = q.Count("total")
	res.Failed = q.Count("failures")
	incomplete := q.Count("incomplete")
	if res.Submitted == nil || res.Failed == nil && incomplete == nil {
		return
	}
	n := *res.Submitted
	for _, x := range []*int64{res.Failed, incomplete} {
		if x != nil {
			n -= *x
		}
	}
	if n < 0 {
		q.Bad("total", "\"total\" is less than \"failures\" and \"incomplete\" together: the number of completed requests is not known")
		res.Failed = nil
		return
	}
	res.Completed = &n
}

// latencies are the members of "latency" by what they mean with most tools.
var latencies = []struct {
	key string
	is  metric.ID
}{
	{"request_latency", metric.E2ELatency},
	{"normalized_time_per_output_token", metric.NTPOT},
	{"time_per_output_token", metric.TPOT},
	{"time_to_first_token", metric.TTFT},
	{"inter_token_latency", metric.ITL},
}

// latency reads the latencies.
func (p *report) latency(o *object.Object, prefix string) {
	by := map[metric.ID][]record.Value{}
	for _, l := range latencies {
		by[l.is] = statistics(o, l.key, l.is, false, "", prefix)
	}
	become := func(from, to metric.ID) {
		for _, v := range by[from] {
			v.Quantity = to
			by[to] = append(by[to], v)
		}
		delete(by, from)
	}
	tool := strings.ToLower(p.tool)
	if p.own {
		tool = "" // inferdex has told them apart already
	}
	switch tool {
	case "aiperf", "genai-perf":
		if len(by[metric.TPOT]) == 0 {
			become(metric.ITL, metric.TPOT)
		}
	case "guidellm":
		// e2e / n, or a TPOT of an old release that divides by n: of that nothing can be made.
		e2e, per, n := clean.Mean(by[metric.E2ELatency], metric.E2ELatency), clean.Mean(by[metric.TPOT], metric.TPOT), clean.Mean(p.res.Values, metric.OutputTokens)
		if e2e != nil && per != nil && n != nil && *e2e > 0 {
			// The units may differ by a thousand.
			x := *per * *n / *e2e
			normalized := func(x float64) bool { return math.Abs(x-1) < 0.1 }
			if len(by[metric.NTPOT]) == 0 && (normalized(x) || normalized(x/1000)) {
				become(metric.TPOT, metric.NTPOT)
			}
		}
		if len(by[metric.ITL]) > 0 {
			delete(by, metric.TPOT)
			become(metric.ITL, metric.TPOT)
		}
	}
	for _, l := range latencies {
		p.res.Values = append(p.res.Values, by[l.is]...)
	}
}

// seconds is a duration of ISO 8601: "PT1H2M3.5S".
func seconds(s string) (float64, bool) {
	m := iso.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return 0, false
	}
	total := 0.0
	for i, scale := range []float64{86400, 3600, 60, 1} {
		if m[i+1] != "" {
			f, err := strconv.ParseFloat(m[i+1], 64)
			if err != nil {
				return 0, false
			}
			total += f * scale
		}
	}
	return total, total > 0 && !math.IsInf(total, 0)
}

var iso = regexp.MustCompile(`^P(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9.]+)S)?)?$`)

// epoch is a date of seconds since 1970, in UTC.
func epoch(f float64) string {
	if f < 631152000 || f > 7e9 { // 1990 to 2191
		return ""
	}
	return time.Unix(int64(f), 0).UTC().Format("2006-01-02T15:04:05Z")
}

// base is the last element of a path, for data sets that are files.
func base(s string) string {
	if strings.ContainsAny(s, `/\`) && strings.HasPrefix(s, "/") {
		return path.Base(strings.ReplaceAll(s, `\`, "/"))
	}
	return s
}

// isObject reports whether raw is a JSON object.
func isObject(raw []byte) bool { return bytes.HasPrefix(raw, []byte{'{'}) }

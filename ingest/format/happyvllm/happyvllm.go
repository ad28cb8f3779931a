// Package happyvllm reads the suites of benchmark_llm_serving, the tool behind the cards of
// happy_vllm: its raw files, the report it makes of them, its settings and its log.
//
// # Which records come from which file
//
// A raw file gives a *Samples named "parameters" (the launch arguments, which all files of a
// suite share, and the facts) and, by its content, a *Result (generation speed at one load),
// a *Samples named "prompt ingestion" (lengths and times to first token of one file), or a
// *Samples named "kv cache" with a *Profile. What needs several files is in Finish: the fit of
// the ingestion speed, the total generation speed, thresholds, the KV-cache estimate, the
// parameters that the files have in common, and the comparison of raw files and report.
//
// # Report files
//
// Of the files of a report only parameters.json says which suite it is of. The others give
// *Samples without a session, one a point, and [ingest.Sessions] finds the session: that of the
// records of this format in the nearest directory upwards, which is where parameters.json lies.
// Finish makes points and figures of them where there is no raw file for the same load, and
// compares otherwise; a number of a report never wins over one of a raw file.
//
// # What Finish adds to points
//
// Finish emits, for a load whose scenario has a one-request file, a *Result with place,
// identity, workload and load of the raw one that holds nothing but TotalGenerationSpeed: its
// value belongs to the same point.
package happyvllm

import (
	"bytes"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads all files that a suite leaves behind but the card, which is a published page.
var Format = &reading.Format{
	Name: "happy-vllm",
	Doc: reading.Doc{
		Title:    "happy_vllm suite: raw files and report",
		Tool:     tool,
		Command:  "bench-suite",
		Versions: "vLLM 0.4.3 to 0.8.2 behind happy_vllm; the mistral backend without KV cache",
		Files: "raw_results.zip or its members (generation_speed_*.json, prompt_ingestion_*.json, " +
			"kv_cache_profile_*.json), report/parameters.json, report/data/*.json, " +
			"report/speed_generation/data/*.json, report/thresholds.csv, params.txt, bench-suite.log",
		Reads: "One point a load of each scenario, the launch arguments, the fit of the prompt ingestion speed, " +
			"KV-cache profiles, thresholds, and the three figures of the card; a report is compared with its raw " +
			"files and stands in for those that are missing. A percentile of TPOT is the reciprocal of the " +
			"opposite percentile of speed_from_first_token, p99 that of p1: these files divide by all n output " +
			"tokens, other tools by n − 1, so that theirs is higher by n / (n − 1), 0.8 % at 128 tokens.",
		Unknown: "The accelerator, which only the report names, without a count; the time between tokens pooled " +
			"over requests (the files have the median gap of each request, which is neither ITL nor TPOT and stays " +
			"in the raw record); tokens, since chunks with text are counted for them.",
	},
	Match:   match,
	Damaged: damaged,
	Read:    read,
	Finish:  finish,
}

// tool is Identity.Tool; the card has the same.
const tool = "benchmark_llm_serving"

// shape is what a file of a suite is.
type shape int

const (
	none shape = iota
	rawFile
	reportParameters
	reportIngestion
	reportTotal
	reportSpeed
	reportThresholds
	settings
	suiteLog
)

func match(h *reading.Head) bool { return shapeOf(h) != none }

// shapeOf finds the shape by the content alone.
func shapeOf(h *reading.Head) shape {
	switch h.Kind {
	case '{':
		switch {
		case h.HasNested("general_metrics.total_number_of_ingested_tokens"),
			h.HasNested("parameters.query_profile", "parameters.n_workers"):
			return rawFile
		case h.Has("suite_id", "step_live_metrics", "backend"):
			return reportParameters
		case h.Has("fit_coefficients", "prompt_lengths"):
			return reportIngestion
		}
		for k := range h.Keys {
			switch {
			case h.HasNested(k+".data", k+".input_length"):
				return reportTotal
			case h.HasNested(k+".speed_generation", k+".parallel_requests_nb"):
				return reportSpeed
			}
		}
	case 't':
		first, _, _ := strings.Cut(string(h.Data[:min(len(h.Data), 512)]), "\n")
		switch {
		case strings.HasPrefix(first, "INFO:Benchmark suite:"), strings.HasPrefix(first, "INFO:Benchmark for LLMs:"):
			return suiteLog
		case strings.Contains(first, "speed_threshold") && strings.Contains(first, "input_length,output_length"):
			return reportThresholds
		}
		for _, k := range []string{"MAX_DURATION_PROMPT_INGESTION=", "MAX_DURATION_SPEED_GENERATION=",
			"TARGET_QUERIES_NB_SPEED_GENERATION="} {
			if bytes.HasPrefix(h.Data, []byte(k)) || bytes.Contains(h.Data, []byte("\n"+k)) {
				return settings
			}
		}
	}
	return none
}

// damaged says of thresholds.csv that it ends inside of its header.
func damaged(h *reading.Head) *record.SyntaxError {
	const columns = ",speed_threshold,kv_cache_threshold,input_length,output_length,"
	names := strings.Split(strings.TrimRight(string(h.Data[:min(len(h.Data), 512)]), "\r\n"), ",")
	whole := names[:len(names)-1]
	if strings.Contains(columns, ","+names[len(whole)]+",") {
		whole = names
	}
	for _, name := range names[:len(whole)] {
		if !strings.Contains(columns, ","+name+",") {
			return nil
		}
	}
	if !strings.Contains(columns, ","+names[len(names)-1]) ||
		h.Name != "thresholds.csv" && !strings.Contains(strings.Join(whole, ","), "threshold") {
		return nil
	}
	return record.Errorf(record.Pos{File: h.Path, Line: 1},
		"thresholds of happy_vllm that end inside of their header: they were cut short, and none is read")
}

func read(src *reading.Source, emit func(record.Record)) error {
	r := &reader{src: src, path: src.Path(), data: src.Data, emit: emit}
	switch shapeOf(src.Head) {
	case rawFile:
		r.values(r.raw)
	case reportParameters:
		r.values(r.parameters)
	case reportIngestion:
		r.values(r.ingestionFit)
	case reportTotal:
		r.values(r.totalSpeeds)
	case reportSpeed:
		r.values(r.speeds)
	case reportThresholds:
		r.thresholds()
	case settings:
		r.settings()
	case suiteLog:
		r.log()
	}
	return nil
}

// reader reads one file.
type reader struct {
	src    *reading.Source
	places *reading.Text // for pos; made when first asked for
	path   string
	data   []byte
	emit   func(record.Record)
}

// values calls f for each JSON object of the file.
func (r *reader) values(f func(reading.Value)) {
	reading.Values(r.src, false, func(v reading.Value) {
		if v.Kind() != reading.KindObject {
			r.bad(v, "%s where an object should stand", v.Kind())
			return
		}
		f(v)
	}, r.emit)
}

// pos is the place of an offset. It counts line ends up to there instead of making a table of
// all lines: what is asked for lies near the beginning of files of many megabytes.
func (r *reader) pos(off int) record.Pos {
	if r.places == nil {
		r.places = reading.NewText(r.data)
	}
	line, col := r.places.Place(min(off, len(r.data)))
	return record.Pos{File: r.path, Line: line, Col: col}
}

func (r *reader) base(v reading.Value, session string, id record.Identity) record.Base {
	return record.Base{At: r.pos(v.Off()), Key: session, Identity: id}
}

func (r *reader) bad(v reading.Value, format string, args ...any) {
	r.emit(record.Errorf(r.pos(v.Off()), format, args...))
}

// float reads a number of an object. NaN, infinities, null and what is not there are missing;
// another kind of value is an error.
func (r *reader) float(of reading.Value, key string) (float64, bool) {
	v := of.Get(key)
	return r.number(v, key)
}

func (r *reader) number(v reading.Value, key string) (float64, bool) {
	switch v.Kind() {
	case reading.KindMissing, reading.KindNull:
		return 0, false
	case reading.KindNumber:
		return v.Finite()
	}
	r.bad(v, "%s is %s: a number should stand here", strconv.Quote(key), v.Kind())
	return 0, false
}

// count reads a whole number that is not negative: -1 says "not measured" in these files.
func (r *reader) count(of reading.Value, key string) *int64 {
	f, ok := r.float(of, key)
	if !ok || f < 0 {
		return nil
	}
	if f != math.Trunc(f) || f > 1<<53 {
		r.bad(of.Get(key), "%s is no whole number", strconv.Quote(key))
		return nil
	}
	n := int64(f)
	return &n
}

// identity is that of a suite, by its parameters. Without a suite_id it was a single benchmark: then
// the folder is a part of the session.
func (r *reader) identity(params reading.Value) (id record.Identity, session string) {
	id.Tool = tool
	id.Session, _ = params.Get("suite_id").Str()
	id.Model, _ = params.Get("model").Str()
	if id.Session != "" {
		return id, record.SessionKey(tool, id.Session, id.Model)
	}
	return id, record.SessionKey(tool, id.Session, id.Model, suiteFolder(r.path))
}

// suiteFolder is the folder that holds raw_results.zip and report.
func suiteFolder(file string) string {
	dir := reading.Dir(file)
	for {
		switch path.Base(strings.ReplaceAll(dir, "!", "/")) {
		case "raw_results", "raw_results.zip", "report", "data", "speed_generation":
			dir = reading.Dir(dir)
			continue
		}
		return dir
	}
}

// workload is the workload of a scenario. What the tool does in every suite is stated: it
// streams, it asks for exactly the output length, and a random beginning of each prompt keeps
// the prefix cache out.
func workload(input, output *float64) record.Workload {
	yes, no := true, false
	return record.Workload{
		Dataset:         "benchmark_llm_serving prompts",
		Nominal:         record.Lengths{Input: input, Output: output},
		LengthSemantics: "scenario name",
		PrefixCache:     &no,
		IgnoreEOS:       &yes,
		Streaming:       &yes,
		TokenCounting:   "chunks",
	}
}

// scenario is a couple of nominal lengths in tokens.
type scenario struct{ input, output float64 }

func (s scenario) String() string {
	return number(s.input) + "/" + number(s.output)
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

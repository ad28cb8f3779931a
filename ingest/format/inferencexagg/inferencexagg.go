// Package inferencexagg reads results of InferenceX, before that InferenceMAX: the rows that its
// process_result.py writes (agg_*.json, and agg_bmk.json with an array of them), the results of
// its agentic scenarios, and a dialect of the raw results in seconds. Its usual raw results are
// those of vLLM's serving benchmark and are read as such.
//
// A row is flat, its times are in seconds without a suffix, and its throughputs are per GPU. They
// are multiplied with the number of GPUs where that is known: on one node tensor x pipeline
// parallel, for experts share those GPUs; on several nodes what the row counts for prefill and
// decoding. The "interactivity" statistics are 1 / TPOT of the same percentile, and so is the mean.
package inferencexagg

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads results of InferenceX.
var Format = &reading.Format{
	Name: "inferencex-agg",
	Doc: reading.Doc{
		Title:    "InferenceX results",
		Tool:     "InferenceX (InferenceMAX)",
		Command:  "utils/process_result.py, utils/collect_results.py, process_agentic_result.py",
		Versions: "2025 to 2026, rows of versions 1 and 2",
		Files: "agg_<config>_conc<n>_<runner>.json, agg_bmk.json, <config>_conc<n>_<runner>.json " +
			"of agentic scenarios",
		Reads: "Each row with hardware, image, model, engine, precision and parallelism, the statistics of TTFT, " +
			"TPOT, ITL and end-to-end latency, power, and the throughput, for the whole deployment where the number " +
			"of GPUs is known.",
		Unknown: "The date stands in no row, nor do the duration and the number of requests outside of agentic " +
			"scenarios; the number of GPUs is known on one node and where prefill and decoding GPUs are counted.",
	},
	MaxSize: 8 << 20,
	Match: func(h *reading.Head) bool {
		return (h.Kind == '{' || h.Kind == '[') && shapeOf(func(k string) bool { return h.Keys[k] }) != unknown
	},
	Read: read,
}

const tool = "inferencex"

// shape is one of the kinds of objects that are read here.
type shape int

const (
	unknown   shape = iota
	row             // of agg_*.json
	agentic         // an agentic result
	inSeconds       // a raw result in seconds
)

func shapeOf(has func(string) bool) shape {
	switch {
	case has("hw") && has("conc") && has("request_metrics"):
		return agentic
	case has("hw") && has("conc") && (has("tput_per_gpu") || has("infmax_model_prefix")):
		return row
	case has("model_id") && has("duration") && has("completed") && has("total_input_tokens") && !has("hw") &&
		(has("median_ttft") || has("mean_ttft") || has("median_e2el") || has("mean_e2el")):
		return inSeconds
	}
	return unknown
}

func read(src *reading.Source, emit func(record.Record)) error {
	r := &reader{of: map[*record.Result]*measurement{}, noted: map[*record.Note]*record.Result{}}
	r.folder, r.name = sessions.Split(src.Path())
	reading.Values(src, true, func(v reading.Value) {
		if m := r.record(reading.NewObject(src.Path(), v, r.Add)); m != nil {
			r.of[m.res] = m
			r.Add(m.res)
		}
	}, r.Add)

	// A file with several rows is a container of its own. Files with one row each are joined by
	// their folder; an artifact of a workflow has a folder for each file, below a common one.
	container := src.Path()
	if r.Results <= 1 && container != "-" {
		container = r.folder
		if artifact.MatchString(path.Base(container)) {
			container = reading.Dir(container)
		}
	}
	key := func(res *record.Result) string { return sessions.Key("inferencex", container, res) }
	for n, res := range r.noted {
		n.Key = key(res)
	}
	r.Emit(key, func(res *record.Result) { r.of[res].server(emit) }, emit)
	return nil
}

// artifact is the name of a folder that a workflow's artifact is unpacked to.
var artifact = regexp.MustCompile(`^(bmk|agentic)_.+`)

// reader is the state of reading one file.
type reader struct {
	sessions.Batch
	folder, name string
	of           map[*record.Result]*measurement
	noted        map[*record.Note]*record.Result
}

// measurement is one record with what it says of the server.
type measurement struct {
	*reading.Object
	r        *reader
	res      *record.Result
	facts    reading.Facts
	params   []record.Param
	unmapped []string // of the objects in it
	kvTokens *float64
	kvAt     record.Pos
}

// note says something about a result.
func (m *measurement) note(code string, severity record.Severity, key, format string, args ...any) {
	n := &record.Note{
		Base: record.Base{At: m.At(key), Identity: m.res.Identity}, Code: code, Severity: severity,
		Text: fmt.Sprintf(format, args...),
	}
	m.r.noted[n] = m.res
	m.r.Add(n)
}

// server emits what the measurement says of the server, if it does.
func (m *measurement) server(emit func(record.Record)) {
	if len(m.params) == 0 {
		return
	}
	emit(&record.Params{Base: m.res.Beside(), Of: "server", Params: m.params})
	if m.kvTokens != nil {
		emit(&record.Figure{
			Base: m.res.BesideAt(m.kvAt), Quantity: metric.KVCacheTokens, Value: m.kvTokens, Unit: "tokens",
			Basis: "server_metrics.kv_cache.gpu_total_tokens",
		})
	}
}

// record reads one value. It returns nil, after saying why, for what is no result.
func (r *reader) record(o *reading.Object) *measurement {
	if !o.Is("a result") {
		return nil
	}
	fields := o.Self().Map()
	s := shapeOf(func(k string) bool { return fields[k].Exists() })
	if s == unknown {
		o.Bad("", "no result of InferenceX: it lacks \"hw\", \"conc\" and \"tput_per_gpu\"")
		return nil
	}
	m := &measurement{Object: o, r: r, res: &record.Result{Base: record.Base{At: o.Pos(),
		Identity: record.Identity{Tool: tool}}}}
	switch s {
	case row:
		m.identity()
		m.row()
	case agentic:
		m.identity()
		m.agentic()
	case inSeconds:
		m.raw()
	}
	res := m.res
	res.Values = reading.Measured(res.Values, res.Completed == nil || *res.Completed > 0)
	reading.FirstTokens(res)
	m.Each(func(k string, f reading.Value) {
		// A text that is not known tells configurations apart, unless it is a number in quotes.
		if s, ok := f.Str(); ok && !m.Used(k) {
			if _, err := strconv.ParseFloat(s, 64); err != nil {
				m.setup(k, s)
			}
		}
	})
	res.Facts = m.facts
	m.Rest(res)
	res.Unmapped = append(res.Unmapped, m.unmapped...)
	res.Raw = o.Self().Compact(reading.Elide{Longer: 64})
	return m
}

func (m *measurement) setup(key, value string) {
	m.Use(key)
	if value != "" {
		m.res.Setup = append(m.res.Setup, record.KV{Key: key, Value: value})
	}
}

// computed adds a number that stands nowhere.
func (m *measurement) computed(q metric.ID, stat, unit string, n float64) {
	m.res.Values = append(m.res.Values, record.Value{Quantity: q, Stat: stat, Number: metric.Round(n), Unit: unit})
}

// facts are the keys whose meaning is known to all.
var facts = [][2]string{
	{"hw", record.FactHardware}, {"image", record.FactImage}, {"model", record.FactModel},
	{"framework", record.FactEngine}, {"precision", record.FactPrecision},
}

// launch are the keys that say how the server was started.
var launch = []string{
	"spec_decoding", "disagg", "is_multinode", "tp", "pp", "ep", "dcp_size", "pcp_size", "dp_attention",
	"recipe_fingerprint", "router", "kv_p2p_transfer", "num_prefill_gpu", "num_decode_gpu", "prefill_hw",
	"decode_hw", "kv_offloading", "kv_offload_backend", "allocated_cpu_dram_gb",
}

// role is a parameter of the prefill or of the decoding workers.
var role = regexp.MustCompile(`^(prefill|decode)_(tp|pp|ep|dcp_size|pcp_size|dp_attention|num_workers)$`)

// identity reads the keys that say what was measured.
func (m *measurement) identity() {
	res := m.res
	res.Identity.Model = m.Text("model")
	if res.Identity.Model == "" {
		res.Identity.Model = m.Text("infmax_model_prefix")
		m.facts.Add(record.FactModel, res.Identity.Model, m.At("infmax_model_prefix"))
	}
	m.Each(func(k string, f reading.Value) {
		switch {
		case reading.Second(facts, k) != "":
			m.facts.Add(reading.Second(facts, k), f.Scalar(), m.At(k))
			m.setup(k, f.Scalar())
		case k == "infmax_model_prefix":
			m.setup(k, f.Scalar())
		case slices.Contains(launch, k) || role.MatchString(k):
			m.Use(k)
			if f.Kind() == reading.KindNull {
				return
			}
			value := f.Compact(reading.Elide{Longer: 64})
			m.params = append(m.params, record.Param{Name: k, Value: value, At: m.At(k)})
			text := f.Scalar()
			if f.Kind() == reading.KindObject || f.Kind() == reading.KindArray {
				text = string(value)
			}
			m.setup(k, text)
		}
	})
	if v := versionOf(m.Text("image")); v != "" {
		m.facts.Add(record.FactEngineVersion, v, m.At("image"))
	}
	if n := m.gpus(); n > 0 {
		key := "num_gpus"
		if !m.Has(key) {
			key = "tp"
		}
		if !m.Has(key) {
			key = "num_decode_gpu"
		}
		m.Use("num_gpus")
		m.facts.Add(record.FactCount, strconv.FormatInt(n, 10), m.At(key))
	}
	res.Load.MaxConcurrency = m.Count("conc")
}

// release is an official image of an engine whose tag is the engine's version. The names of
// artifacts have "#" for "/".
var release = regexp.MustCompile(`(?:^|/)(?:vllm[/#]vllm-openai[a-z-]*|lmsysorg[/#]sglang):` +
	`v?([0-9]+\.[0-9]+\.[0-9]+(?:\.?(?:post|rc)[0-9]+)?)(?:-[A-Za-z0-9.-]+)?$`)

func versionOf(image string) string {
	if m := release.FindStringSubmatch(image); m != nil {
		return m[1]
	}
	return ""
}

// whole is a number of GPUs or workers, 0 if there is none.
func (m *measurement) whole(key string) int64 {
	n, ok := m.Value(key).Int()
	if s, text := m.Value(key).Str(); text {
		var err error
		n, err = strconv.ParseInt(s, 10, 64)
		ok = err == nil
	}
	if !ok || n < 0 || n > 1<<16 {
		return 0
	}
	return n
}

// split returns the GPUs counted for prefill and for decoding.
func (m *measurement) split() (prefill, decode int64) {
	return m.whole("num_prefill_gpu"), m.whole("num_decode_gpu")
}

// gpus is how many GPUs served, 0 if unknown. Tensor and pipeline parallel count them; experts
// and attention in data parallel are spread over the same ones. How the two parallelisms of the
// context count is not the same in all engines.
func (m *measurement) gpus() int64 {
	if p, d := m.split(); p+d > 0 {
		return p + d
	}
	if n := m.whole("num_gpus"); n > 0 {
		return n
	}
	multi, disagg := m.Truth("is_multinode"), m.Truth("disagg")
	if multi != nil && *multi || disagg != nil && *disagg || m.whole("pcp_size") > 1 {
		return 0
	}
	return m.whole("tp") * max(1, m.whole("pp"))
}

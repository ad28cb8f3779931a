// Package lmeval reads the results of lm-evaluation-harness: how many answers of a model to known tasks are
// right. They are figures of a run of their own, which measures no speed.
package lmeval

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const tool = "lm-evaluation-harness"

// Format reads the results of one evaluation.
var Format = &reading.Format{
	Name: "lm-eval",
	Doc: reading.Doc{
		Title:    "accuracy by task",
		Tool:     "lm-evaluation-harness",
		Command:  "lm_eval --model vllm --model_args pretrained=...,dtype=... --tasks ... --output_path DIR",
		Versions: "0.4.0 to 0.4.9; results of 0.3 have no filters",
		Files:    "results_*.json",
		Reads: "Each task with metric, filter, number of examples, score and its standard error; model, engine and " +
			"arguments. The scores stand beside speeds of the same model, precision and engine.",
		Unknown: "A server that was asked over HTTP names no engine, and its arguments are not known: engine, " +
			"precision and hardware are for run.toml to say.",
	},
	Match: func(h *reading.Head) bool {
		return h.Kind == '{' && h.Has("results") && !h.Has("config_general") && scored.Match(h.Data)
	},
	Read: read,
}

// scored is the key of a standard error, which each metric of a task has.
var scored = regexp.MustCompile(`"[^"\n]{1,100}_stderr(?:,[^"\n]{1,100})?"\s*:`)

// engines are the ways to run a model inside the tool; others ask a server, of which they say nothing.
var engines = [][2]string{
	{"vllm", "vllm"}, {"vllm-vlm", "vllm"}, {"sglang", "sglang"}, {"openvino", "openvino"},
	{"hf", "transformers"}, {"hf-auto", "transformers"}, {"huggingface", "transformers"}, {"hf-multimodal", "transformers"},
	{"hf-causal", "transformers"}, {"hf-causal-experimental", "transformers"}, {"hf-seq2seq", "transformers"},
}

// details are members of a task that are no metrics.
var details = []string{"alias", "name", "sample_len", "sample_count"}

func read(src *reading.Source, emit func(record.Record)) error {
	reading.Values(src, false, func(v reading.Value) {
		o := reading.NewObject(src.Path(), v, emit)
		if v.Get("results").Kind() != reading.KindObject {
			o.Bad("results", "no results of lm-evaluation-harness: \"results\" holds no tasks")
			return
		}
		e := evaluation{Object: o, emit: emit, args: arguments(o.Sub("config"))}
		e.identify()
		e.tasks()
		if e.found == 0 {
			o.Bad("results", "no task has a score")
			return
		}
		e.parameters()
	}, emit)
	return nil
}

// evaluation is the state of reading one file.
type evaluation struct {
	*reading.Object
	emit   func(record.Record)
	args   []argument // of the model
	base   record.Base
	facts  reading.Facts // of the run: its first score states them
	inside string        // the engine that ran inside the tool; empty where a server was asked
	found  int
}

type argument struct {
	name  string
	value reading.Value // of arguments that are an object
	text  string
}

// arguments are those of the model: a text "pretrained=org/m,dtype=auto", or an object.
func arguments(config *reading.Object) []argument {
	var out []argument
	args := config.Value("model_args")
	args.Fields(func(k string, v reading.Value) bool {
		out = append(out, argument{k, v, v.Scalar()})
		return true
	})
	text, _ := args.Str()
	for _, part := range strings.Split(text, ",") {
		if k, v, ok := strings.Cut(part, "="); ok {
			out = append(out, argument{name: strings.TrimSpace(k), text: strings.TrimSpace(v)})
		} else if n := len(out); n > 0 && part != "" {
			out[n-1].text += "," + part // a comma within a value
		}
	}
	return out
}

func (e *evaluation) arg(names ...string) string {
	for _, n := range names {
		for _, a := range e.args {
			if a.name == n && a.text != "" {
				return a.text
			}
		}
	}
	return ""
}

// identify reads what was evaluated, with what.
func (e *evaluation) identify() {
	config := e.Sub("config")
	model := e.arg("pretrained", "model")
	if model == "" {
		model = e.Text("model_name")
	}
	if adapter := e.arg("peft", "lora_local_path", "delta"); adapter != "" {
		model += " with " + adapter // other weights
	}
	var fs reading.Facts
	fs.Add(record.FactModel, model, config.At("model_args"))
	kind := config.Text("model")
	if kind == "" {
		kind = e.Text("model_source")
	}
	e.inside = reading.Second(engines, strings.ToLower(kind))
	fs.Add(record.FactEngine, e.inside, config.At("model"))
	if e.inside == "transformers" {
		fs.Add(record.FactEngineVersion, e.Text("transformers_version"), e.At("transformers_version"))
	}
	fs.Add("labels.backend", kind, config.At("model"))
	version := e.Text("lm_eval_version")
	if version == "" {
		version = e.Text("git_hash")
	}
	fs.Add(record.FactToolVersion, version, e.Pos())
	if t := strings.TrimPrefix(config.Text("model_dtype"), "torch."); e.arg("quantization", "load_in_8bit",
		"load_in_4bit", "gptqmodel", "autogptq") == "" {
		fs.Add(record.FactPrecision, t, config.At("model_dtype"))
	}
	if e.inside != "" {
		e.machine(&fs)
	}
	e.base = record.Base{At: e.Pos(), Date: e.date()}
	e.base.Identity = record.Identity{Tool: tool, Session: e.base.Date, Model: model}
	when := e.base.Date
	if when == "" {
		when = e.Pos().File
	}
	e.base.Key = record.SessionKey(tool, model, when,
		sessions.Digest(string(config.Value("model_args").Compact(reading.Elide{}))))
	e.facts = fs
}

// date is the beginning as UTC: the tool writes seconds since 1970.
func (e *evaluation) date() string {
	if s, ok := e.Value("date").Str(); ok {
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			return s
		}
	}
	n, ok := e.Number("date")
	if !ok || n <= 0 || n > 1e11 {
		return ""
	}
	return time.Unix(int64(n), 0).UTC().Format(time.RFC3339)
}

var (
	gpu    = regexp.MustCompile(`(?m)^GPU [0-9]+: ([^\r\n(]{1,100})`)
	driver = regexp.MustCompile(`(?m)^Nvidia driver version: ([0-9.]{1,30})\s*$`)
)

// machine is what the report on the environment says of the machine on which the model ran: GPUs of one kind.
// How many of them ran it, the arguments say.
func (e *evaluation) machine(fs *reading.Facts) {
	at := e.At("pretty_env_info")
	text := e.Text("pretty_env_info")
	var names []string
	for _, m := range gpu.FindAllStringSubmatch(text, -1) {
		if n := strings.TrimSpace(m[1]); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) == 1 {
		fs.Add(record.FactHardware, names[0], at)
	}
	if m := driver.FindStringSubmatch(text); m != nil {
		fs.Add(record.FactDriver, m[1], at)
	}
	at = e.Sub("config").At("model_args")
	if count, _, err := reading.Accelerators(func(name string) string { return e.arg(name) }); err != nil {
		e.emit(record.Errorf(at, "%v", err))
	} else if count > 0 {
		fs.Add(record.FactCount, strconv.FormatInt(count, 10), at)
	}
}

// shares are the metrics that count right answers; others have scales of their own.
var shares = regexp.MustCompile(`(?i)(^|_)(acc|accuracy|em|f1|mc1|mc2)(_|$)|exact_match|^pass@|pass_at|^mcc$|_match$`)

// tasks emits the scores in the order of the file.
func (e *evaluation) tasks() {
	group := map[string]string{} // of a task
	e.Sub("group_subtasks").Each(func(g string, list reading.Value) {
		list.Items(func(_ int, t reading.Value) bool {
			if name := t.Scalar(); name != g && group[name] == "" {
				group[name] = g
			}
			return true
		})
	})
	shots, samples, versions, results := e.Sub("n-shot"), e.Sub("n-samples"), e.Sub("versions"), e.Sub("results")
	results.Each(func(task string, v reading.Value) {
		if v.Kind() != reading.KindObject {
			results.Bad(task, "the task %q is %v, an object was expected: it is left out", reading.Clip(task), v.Kind())
			return
		}
		of := results.Sub(task)
		s := record.Score{Task: task, Group: group[task], Version: versions.Text(task)}
		if n, ok := shots.Value(task).Int(); ok && n >= 0 {
			s.Shots = &n
		}
		if samples.Has(task) {
			n := samples.Sub(task)
			s.Samples, s.Whole = n.Count("effective"), n.Count("original")
		}
		of.Each(func(key string, _ reading.Value) { e.score(of, key, s) })
	})
}

// score emits one metric of a task: "exact_match,strict-match", or "acc" before there were filters.
func (e *evaluation) score(of *reading.Object, key string, s record.Score) {
	name, filter, filtered := strings.Cut(key, ",")
	if slices.Contains(details, key) || strings.HasSuffix(name, "_stderr") {
		return
	}
	if kind := of.Value(key).Kind(); kind != reading.KindNumber &&
		kind != reading.KindNull { // a text is not quoted: nobody knows what it is
		of.Bad(key, "a score is %v, a number was expected: it is left out", kind)
		return
	}
	n, ok := of.Number(key)
	if !ok {
		if of.Value(key).Kind() == reading.KindNumber {
			of.Bad(key, "a score is no finite number: it is left out")
		}
		return
	}
	if filter == "none" {
		filter = ""
	}
	s.Metric, s.Filter = name, filter
	deviation := name + "_stderr"
	if filtered {
		deviation += key[len(name):]
	}
	if x := of.Value(deviation); x.Kind() == reading.KindNumber { // "N/A" is missing
		if f, ok := x.Finite(); ok && f >= 0 {
			s.StdErr = &f
		}
	}
	q, unit := metric.TaskScore, metric.Points
	if shares.MatchString(name) && math.Abs(n) <= 1 {
		q, unit = metric.Accuracy, metric.Fraction
	}
	words := []string{s.Task, s.Metric}
	if s.Filter != "" {
		words = append(words, s.Filter)
	}
	if s.Shots != nil {
		words = append(words, strconv.FormatInt(*s.Shots, 10)+"-shot")
	}
	f := &record.Figure{Base: e.base, Quantity: q, Of: strings.Join(words, ", "), Value: &n, Unit: unit, Score: &s,
		Basis: "as lm-evaluation-harness writes it"}
	f.At = of.At(key)
	f.Facts, e.facts = e.facts, nil
	e.emit(f)
	e.found++
}

// parameters emits the arguments of the model. Of the rest nothing is kept: it holds prompts and the report on
// a machine.
func (e *evaluation) parameters() {
	p := &record.Params{Base: e.base, Of: "server"}
	if e.inside == "" {
		p.Of = "client" // how the server was asked
	}
	at := e.Sub("config").At("model_args")
	for _, a := range e.args {
		if a.name == "base_url" || a.name == "pretrained" || a.name == "model" { // an address; the model is known
			continue
		}
		value, _ := json.Marshal(a.text) // a string always encodes
		if a.value.Exists() {
			value = a.value.Compact(reading.Elide{Longer: 64})
		} else if parsed, err := reading.Parse([]byte(a.text)); err == nil && parsed.Kind() == reading.KindNumber {
			value = parsed.Compact(reading.Elide{})
		} else if t := strings.ToLower(a.text); t == "true" || t == "false" {
			value = []byte(t)
		}
		p.Params = append(p.Params, record.Param{Name: a.name, Value: value, At: at})
	}
	if len(p.Params) > 0 {
		e.emit(p)
	}
}

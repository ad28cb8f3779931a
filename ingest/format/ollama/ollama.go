// Package ollama reads what `ollama run --verbose` prints behind each answer, in the log of a
// terminal with all its control sequences, and what Ollama's API says of an answer. Prompts and answers are not kept.
package ollama

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const tool = "ollama"

// Format reads the statistics of answers.
var Format = &reading.Format{
	Name: "ollama",
	Doc: reading.Doc{
		Title:    "Statistics of answers",
		Tool:     "Ollama",
		Command:  "ollama run MODEL --verbose; curl <host>/api/generate, /api/chat",
		Versions: "0.1 to 0.12",
		Files:    "*.log, *.txt, *.json, JSON lines",
		Reads: "Each answer with the tokens of prompt and answer, their speeds and durations; the model where a line " +
			"of the log names it; of answers of the API the model and the date too.",
		Unknown: "The machine, the version and the quantization stand in no such file; prompts are told apart by " +
			"their number.",
	},
	Match: func(h *reading.Head) bool {
		return h.Kind == 't' && statistics.Match(h.Data) && bytes.Contains(h.Data, []byte("total duration:")) ||
			(h.Kind == '{' || h.Kind == '[') && h.Has(answers...)
	},
	Marks: []string{"total duration: "},
	Read:  read,
}

var (
	statistics = regexp.MustCompile(`(?m)^(?:prompt )?eval rate:\s+[0-9.]+ tokens/s`)
	control    = regexp.MustCompile(`\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])`)
	pair       = regexp.MustCompile(`(total duration|load duration|(?:prompt )?eval (?:count|duration|rate)):\s+` +
		`(\S+)( (?:token\(s\)|tokens/s))?\s*$`)
	// What a script or a shell says of the model: "model_name = gemma3:1b", "ollama run gemma3:1b".
	modelIs  = regexp.MustCompile(`^\s*model(?:_name)?\s*[=:]\s*([A-Za-z0-9][\w./:-]{0,200})\s*$`)
	modelRun = regexp.MustCompile(`\bollama run((?:\s.*)?)$`)
	name     = regexp.MustCompile(`^["']?([A-Za-z0-9][\w./:-]{0,200}|<[^<>]{0,200}>)`) // "<model>" stands for one
	// What waits for a prompt, with what it shows where nothing is typed yet.
	prompt = regexp.MustCompile(`^>>>\s*(?:Send a message \(/\? for help\))?\s*(.*)$`)
	// A folder that bears the name of an instance of a cloud.
	instance = regexp.MustCompile(`(?i)^(?:aws|ec2|gcp|gce|azure|oci)[-_].+`)
)

// longest is how much of a line is read: a terminal redraws one for as long as it waits, and what is
// said stands at its end.
const longest = 4 << 10

// reader is the state of reading one log.
type reader struct {
	file  string
	emit  func(record.Record)
	model string
	named record.Pos
	count map[string]int // answers by model
	open  []stat         // of the answer that is being read
	at    record.Pos
	// Until the statistics of an answer its text may stand in the log, and name any model: asked is behind a prompt, ran
	// behind a command, below which only another command says what runs.
	asked, ran bool
}

type stat struct{ key, value string }

func read(src *reading.Source, emit func(record.Record)) error {
	if src.Head.Kind != 't' {
		readAPI(src, emit)
		return nil
	}
	r := &reader{file: src.Path(), emit: emit, count: map[string]int{}}
	n := 0
	for raw := range bytes.Lines(src.Data) {
		n++
		torn := reading.Torn(raw)
		raw = bytes.TrimRight(raw, "\r\n")
		line := control.ReplaceAllString(string(raw[max(0, len(raw)-longest):]), "")
		at := record.Pos{File: r.file, Line: n}
		if m := pair.FindStringSubmatch(line); m != nil {
			if torn && (m[1] != "eval rate" || m[3] == "") {
				break // of its number a part may be missing
			}
			r.statistic(m[1], m[2], at)
			continue
		}
		r.says(line, at)
	}
	r.finish("the log ends inside of it: it was cut short")
	return nil
}

// says takes what a line that is no statistic says of the model.
func (r *reader) says(line string, at record.Pos) {
	if m := prompt.FindStringSubmatch(line); m != nil {
		r.asked = m[1] != "" && m[1][0] != '/' // "/bye"
		return
	}
	if r.asked {
		return
	}
	if m := modelRun.FindStringSubmatch(line); m != nil {
		r.model, r.named, r.ran = started(m[1]), at, true
	} else if m := modelIs.FindStringSubmatch(line); m != nil && !r.ran {
		r.model, r.named = m[1], at
	}
}

// valued are the flags of the command whose value is a word of its own.
var valued = []string{"--format", "--keepalive", "--dimensions"}

// started is the model that the command runs with these arguments, "" where they name none; "$MODEL" is said to be none by
// whoever reads names.
func started(arguments string) string {
	words := strings.Fields(arguments)
	for i := 0; i < len(words); i++ {
		switch {
		case slices.Contains(valued, words[i]):
			i++
		case !strings.HasPrefix(words[i], "-"):
			if m := name.FindStringSubmatch(strings.Join(words[i:], " ")); m != nil {
				return m[1]
			}
			return reading.Clip(strings.Trim(words[i], `"'`))
		}
	}
	return ""
}

// statistic takes one line of the block behind an answer: it begins with the total duration and ends
// with the speed of the answer.
func (r *reader) statistic(key, value string, at record.Pos) {
	if key == "total duration" {
		r.finish("another begins inside of it")
		r.at, r.asked, r.ran = at, false, false
	}
	if r.at.Line == 0 {
		return // its beginning was not seen
	}
	r.open = append(r.open, stat{key, value})
	if key == "eval rate" {
		r.finish("")
	}
}

// values are the statistics that are metrics; durations are in seconds once read.
var values = []record.Value{
	{Key: "total duration", Quantity: metric.Duration, Stat: metric.Value, Unit: "s"},
	{Key: "prompt eval rate", Quantity: metric.PPSpeed, Stat: metric.Value, Unit: "tok/s"},
	{Key: "eval rate", Quantity: metric.TGSpeed, Stat: metric.Value, Unit: "tok/s"},
}

// finish emits the answer that was being read; broken says what is wrong with its end.
func (r *reader) finish(broken string) {
	open, at := r.open, r.at
	r.open, r.at = nil, record.Pos{}
	if len(open) == 0 {
		return
	}
	bad := func(format string, args ...any) { r.emit(record.Errorf(at, format, args...)) }
	if broken != "" {
		bad("the statistics of an answer: %s", broken)
	}
	r.count[r.model]++
	one := int64(1)
	res := &record.Result{Base: record.Base{At: at, Identity: record.Identity{Tool: tool, Model: r.model}}}
	res.Key = record.SessionKey(tool, r.file, r.model)
	res.Load.MaxConcurrency, res.Completed = &one, &one
	res.Workload.Name = "prompt " + strconv.Itoa(r.count[r.model])
	raw := map[string]string{}
	for _, s := range open {
		raw[s.key] = s.value
		n, err := number(s.value)
		if err != nil || n < 0 || n > 1e15 {
			bad("%q is %q, a number or a duration was expected: the value is left out", s.key, reading.Clip(s.value))
			continue
		}
		switch v, ok := servingjson.Named(values, s.key); {
		case ok && n > 0:
			v.Number, v.Key, v.N = n, s.key, 1
			res.Values = append(res.Values, v)
		case s.key == "prompt eval count":
			res.Workload.Actual.Input = &n
		case s.key == "eval count":
			res.Workload.Actual.Output = &n
		}
	}
	res.Raw, _ = json.Marshal(raw) // a map of strings always encodes
	facts := reading.Facts{}
	facts.Add(record.FactModel, r.model, r.named)
	facts.Add(record.FactEngine, "ollama", at)
	for _, folder := range strings.FieldsFunc(r.file, func(c rune) bool { return c == '/' || c == '!' }) {
		if instance.MatchString(folder) && folder != lastName(r.file) {
			facts.Add("labels.instance", folder, at)
		}
	}
	res.Facts = facts
	if len(res.Values) == 0 {
		bad("the statistics of an answer hold no value: they are left out")
		return
	}
	r.emit(res)
}

func lastName(file string) string { return file[strings.LastIndexAny(file, "/!")+1:] }

// number reads a number, or a duration such as "1m16.88s" as seconds.
func number(s string) (float64, error) {
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		return n, nil
	}
	d, err := time.ParseDuration(s)
	return metric.Round(d.Seconds()), err
}

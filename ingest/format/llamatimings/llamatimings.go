// Package llamatimings reads the timings that llama.cpp's own programs print of what they generated: llama-cli, main and
// others that use its library at their end, llama-server behind each request. What they printed above, when they loaded
// the model, says which it is and where it ran.
package llamatimings

import (
	"bytes"
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/cmdline"
	"github.com/inferdex/inferdex/ingest/internal/llamacpp"
	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

const tool = "llama.cpp"

// Format reads printed timings.
var Format = &reading.Format{
	Name: "llama-timings",
	Doc: reading.Doc{
		Title:    "printed timings of requests",
		Tool:     tool,
		Command:  "llama-cli, llama-server, llama-completion; main, server",
		Versions: "builds of 2023 to 10580",
		Files:    "*.log, *.txt, *.md",
		Reads: "Each request with the tokens of prompt and answer and their speeds; from what is printed above it the " +
			"model, its quantization, the build and the accelerators.",
		Unknown: "How many requests a server with several slots had at once, and how much of a prompt was cached. Several " +
			"turns of one process may be printed as one; forks print the same.",
	},
	Match: func(h *reading.Head) bool {
		return h.Kind == 't' && !bytes.HasPrefix(h.Data, []byte("---")) && answered.Match(h.Data)
	},
	Damaged: damaged,
	Marks:   []string{"prompt eval time ", "t/s | Generation: "},
	Read:    read,
}

// damaged says of a text whose last line of timings is that of a prompt that those of its answer are missing.
func damaged(h *reading.Head) *record.SyntaxError {
	if !bytes.Contains(h.Data, []byte("prompt eval time =")) { // most texts have none: the search takes longer
		return nil
	}
	prompt := unanswered.FindSubmatchIndex(h.Data)
	if prompt == nil {
		return nil
	}
	return record.Errorf(record.Pos{File: h.Path, Line: 1 + bytes.Count(h.Data[:prompt[2]], []byte{'\n'})}, "%s", lacking)
}

// lacking is what is wrong with a request of which only the prompt was read.
const lacking = "the timings of a request lack those of its answer: the log may have been cut short"

var (
	// answered are the times of a prompt with those of its answer in the next line, or the speeds of both. A server that
	// logs JSON has a text for each time, and of which model it was stands in none.
	answered = regexp.MustCompile(`prompt eval time += +\S+ ms /.*\n.*eval time +=|t/s \| Generation: \S+ t/s \]`)
	timing   = regexp.MustCompile(`(prompt eval time|eval time|total time|draft acceptance)(?: rate)? += +(\S+) ` +
		`(?:ms|\()(?: */ +(\S+) (?:tokens|runs)(?: +\( *\S+ ms per token(?:(\))|, +(\S+) tokens per second))?)?|` +
		`\[ Prompt: (\S+) t/s \| Generation: (\S+) t/s \]`)
	// unanswered is the time of a prompt where a log ends, and no text of a program.
	unanswered = regexp.MustCompile(`(?m)^[^"'{\n]*(?:_timings:|_print:|print_timing[^"'{\n]*\n?)[ \t]*(prompt) eval time = +` +
		`[0-9.,]+ ms[^\n]*\s*\z`)
	// amount is a number as these programs print it, in any locale.
	amount = regexp.MustCompile(`^[0-9]{1,15}(?:[.,][0-9]{1,10})?$`)
	// said is what a line says of the process that prints it: its build, the file of the model, or a value by its name.
	said = regexp.MustCompile(`\bbuild(?:_info)? *[=:] *b?([0-9]+)(?: \(|-| commit=")([0-9a-f]{6,40})|` +
		`(?:llama_model_loader: loaded meta data with .* from |loading model from |loading model '|^model +: )([^']+?)` +
		`(?:'| \(version .*)?$|` +
		`\b(general\.name|file type|ftype|n_seq_max|n_slots|offloaded)(?: +str)?[ =:]+(?:mostly |all )?([^,(]+)$`)
)

// settings are what tells runs apart: of what is said and of the accelerators, each with the fact it is.
var settings = [][2]string{
	{"model", record.FactModel}, {"build", record.FactEngineVersion}, {"commit", record.FactEngineCommit},
	{"file type", record.FactPrecision}, {"ftype", record.FactPrecision}, {"devices", record.FactHardware},
	{"count", record.FactCount}, {"offloaded"},
}

// reader is the state of reading one log.
type reader struct {
	sessions.Batch
	file, engine string
	said         cmdline.Arguments // by the process whose lines are read
	devices      llamacpp.Devices
	used         bool // timings of it were read: what says how one starts is of another
	theirs       bool // it prints the table of a benchmark, and below it timings of that
	routed       bool // lines of servers of several models stand between each other
	turns        int

	open  *record.Result
	raw   reading.Builder
	alone bool // it is all that its process did
	whole bool // the time of its answer was read
	wrong bool // a number of it was left out
}

func read(src *reading.Source, emit func(record.Record)) error {
	r := &reader{file: src.Path(), engine: tool, said: cmdline.Arguments{}}
	if bytes.Contains(src.Data, []byte("ollama")) || bytes.Contains(src.Data, []byte("ik_llama")) {
		r.engine = "" // a part of another one, or a fork
	}
	n := 0
	for l := range bytes.Lines(src.Data) {
		n++
		line := strings.TrimRight(string(l[:min(len(l), 4<<10)]), " \r\n")
		if m := timing.FindStringSubmatch(line); m == nil {
			r.says(line, n)
		} else if before, _, _ := strings.Cut(line, m[0]); !strings.ContainsAny(before, "\"'`") { // else a text of a program
			r.timing(before, m, n)
		}
	}
	r.finish()
	if len(r.Records) == 0 {
		emit(&record.Ignored{Base: record.Base{At: record.Pos{File: r.file, Line: 1}},
			Reason: "timings of llama.cpp of which none is of one request that was answered"})
	}
	r.Emit(func(res *record.Result) string {
		container := r.file
		if res.Workload.Actual.Output != nil { // else prompts of other logs bear the same names
			container = r.Container(container)
		}
		return sessions.Key(tool, container, res)
	}, nil, emit)
	return nil
}

// says takes what a line says of the process that prints it.
func (r *reader) says(line string, n int) {
	switch {
	case r.routed:
		return
	case strings.Contains(line, "spawning server instance"):
		r.renew()
		r.routed = true
	case strings.HasPrefix(line, "|") && (strings.Contains(line, " t/s |") || strings.Contains(line, "T_PP s")):
		r.theirs = true
	}
	is, one := r.devices.Read(line)
	if one {
		r.say("devices", reading.Names(r.devices.Names), n)
		r.say("count", strconv.Itoa(len(r.devices.Names)), n)
	} else if is && r.used || strings.HasSuffix(line, "device_info:") {
		r.renew()
	}
	m := said.FindStringSubmatch(line)
	if m == nil {
		return
	}
	if r.used && m[4] == "" {
		r.devices = llamacpp.Devices{}
		r.renew()
	} else if m[1] != "" && r.said["build"].Value != "" { // of one that measured nothing
		r.renew()
	}
	switch {
	case m[1] != "":
		r.theirs = false
		r.say("build", m[1], n)
		r.say("commit", m[2], n)
	case m[3] != "":
		file := llamacpp.Model(m[3])
		if old, ok := r.said["model"]; ok && old.Value != file {
			file = "" // which of several gave the results is not said
		}
		r.say("model", file, n)
	case r.said[m[4]].Line == 0: // of a draft model or a projector it is said later
		r.say(m[4], m[5], n)
	}
}

func (r *reader) say(key, value string, n int) {
	r.said[key] = cmdline.Argument{Value: reading.Clip(value), Line: n}
}

// renew forgets a process: another one starts.
func (r *reader) renew() {
	r.finish()
	clear(r.said)
	r.used, r.turns = false, 0
}

// timing reads the time of a prompt, of an answer or of both, or the speeds of both.
func (r *reader) timing(before string, m []string, n int) {
	alone := m[1] == "" || strings.Contains(before, "llama_print_timings:") || strings.Contains(before, "_print:")
	if r.theirs && alone {
		return
	}
	if m[1] == "prompt eval time" || m[1] == "" || m[1] == "eval time" && (r.open == nil || r.whole) {
		r.finish()
		r.used = true
		r.open = &record.Result{Base: record.Base{At: record.Pos{File: r.file, Line: n}}}
		r.alone, r.whole, r.wrong, r.raw = alone, false, false, reading.Builder{}
	}
	if r.open == nil {
		return
	}
	r.raw.Text(cmp.Or(m[1], "speeds"), m[0])
	w := &r.open.Workload
	first, tokens := r.number(m[2], n), r.number(m[3], n)
	q, length, of := metric.TGSpeed, &w.Actual.Output, " out"
	switch m[1] {
	case "":
		r.turns++
		w.Name = "prompt " + strconv.Itoa(r.turns)
		r.value("Prompt", metric.PPSpeed, r.number(m[6], n), "tok/s")
		r.value("Generation", metric.TGSpeed, r.number(m[7], n), "tok/s")
		r.whole = true
	case "draft acceptance":
		r.value(m[1], metric.SpecDecodeAcceptance, first, "fraction")
	case "total time":
		if !alone { // from its start on, with what it waited for
			r.value(m[1], metric.Duration, first, "ms")
		}
	case "prompt eval time":
		q, length, of = metric.PPSpeed, &w.Actual.Input, " in, "
	default:
		r.whole = m[4]+m[5] != ""
		if alone {
			w.TokenCounting = "runs of the decoder"
		}
	}
	if first <= 0 || tokens <= 0 || m[1] == "total time" {
		return
	}
	*length = &tokens
	w.Name += m[3] + of
	speed := metric.Round(tokens / first * 1000)
	if m[5] != "" {
		told := decimal(m[5])
		if !(math.Abs(told-speed) <= 0.006*(1+speed/first)) { // both are rounded to two decimals
			r.Add(record.Errorf(record.Pos{File: r.file, Line: n}, "%v tokens in %v ms are %v tokens per second and not %q: the "+
				"speed is left out", tokens, first, speed, reading.Clip(m[5])))
			return
		}
		speed = told
	}
	r.value(m[1], q, speed, "tok/s")
}

// number reads what stands in line n, 0 where nothing does.
func (r *reader) number(s string, n int) float64 {
	if s != "" && !amount.MatchString(s) {
		r.wrong = true
		r.Add(record.Errorf(record.Pos{File: r.file, Line: n}, "%q is no time, no speed and no number of tokens: it is left out",
			reading.Clip(s)))
		return 0
	}
	return decimal(s)
}

// decimal is a number with the comma or the point of any locale, 0 where it is none.
func decimal(s string) float64 {
	f, _ := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	return f
}

// value adds a number above 0 to the request.
func (r *reader) value(key string, q metric.ID, f float64, unit string) {
	if f > 0 && !slices.ContainsFunc(r.open.Values, func(v record.Value) bool { return v.Quantity == q }) {
		r.open.Values = append(r.open.Values,
			record.Value{Quantity: q, Stat: metric.Value, Number: f, Unit: unit, Key: key, N: 1})
	}
}

// finish adds the request that was being read.
func (r *reader) finish() {
	res := r.open
	if r.open = nil; res == nil {
		return
	}
	if !r.whole {
		r.Add(record.Errorf(res.At, "%s", lacking))
	}
	w, parallel := &res.Workload, cmp.Or(r.said["n_slots"].Value, r.said["n_seq_max"].Value)
	w.Name = strings.TrimSuffix(w.Name, ", ")
	if w.Name == "" || len(res.Values) == 0 ||
		r.alone && (w.Actual.Output == nil && w.Actual.Input != nil && !r.wrong || parallel != "" && parallel != "1") {
		return // what computes embeddings or a perplexity reads many texts at once
	}
	one := int64(1)
	if res.Completed = &one; r.alone || parallel == "1" {
		res.Load.MaxConcurrency = &one
	}
	if m, ok := r.said["model"]; !ok || strings.HasPrefix(m.Value, "sha256") { // a file of Ollama
		r.said["model"] = r.said["general.name"]
	}
	if len(r.devices.Names) == 0 || strings.HasPrefix(r.said["offloaded"].Value, "0/") {
		delete(r.said, "devices") // none of them has a layer
		delete(r.said, "count")
	}
	res.Identity = record.Identity{Tool: tool, Model: r.said["model"].Value}
	facts := reading.Facts{}
	facts.Add(record.FactEngine, r.engine, res.At)
	for _, s := range settings {
		said := r.said[s[0]]
		if said.Value == "" {
			continue
		}
		res.Setup = append(res.Setup, record.KV{Key: s[0], Value: said.Value})
		if s[1] != "" {
			facts.Add(s[1], said.Value, record.Pos{File: r.file, Line: said.Line})
		}
	}
	res.Facts, res.Raw = facts, r.raw.JSON()
	r.Add(res)
}

// Package record has what files say: records with their places, and the plain types that every later
// layer shares. It knows no file and no format.
package record

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
)

// Pos is a place in an input. Line and Col count from 1; 0 means unknown. Col counts bytes.
//
// File is the path as it was reached, with forward slashes, relative to the directory the
// command ran in; a member of an archive follows its archive after an exclamation mark:
// "artifact.zip!raw_results.zip!name.json".
type Pos struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
}

// String formats p as "file:line:col" and leaves out what is unknown.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return p.File + ":" + strconv.Itoa(p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Record is one thing a file says. The kinds are *Result, *Figure, *Profile, *Samples, *Params,
// *System, *Facts, *Note, *Ignored and *SyntaxError.
type Record interface {
	// Pos is where the record begins.
	Pos() Pos
	// Session names the session of measuring that the record belongs to. Records of equal
	// Session describe one run. Empty means that the record describes whatever lies beside
	// it and below it in the tree of files.
	Session() string
	// Kind is the name of the kind: "result", "syntax error".
	Kind() string
	// Header gives access to the shared part of the record; it is never nil.
	Header() *Base
}

// kinds are those that stay with a run, each with an empty record of it.
var kinds = map[string]func() Record{
	"result":  func() Record { return &Result{} },
	"figure":  func() Record { return &Figure{} },
	"profile": func() Record { return &Profile{} },
	"samples": func() Record { return &Samples{} },
	"params":  func() Record { return &Params{} },
	"system":  func() Record { return &System{} },
	"facts":   func() Record { return &Facts{} },
	"note":    func() Record { return &Note{} },
}

// New returns an empty record of a kind that stays with a run; nil for any other.
func New(kind string) Record {
	if f := kinds[kind]; f != nil {
		return f()
	}
	return nil
}

// Stays reports whether a record stays with a run. An *Ignored and a *SyntaxError do not: they
// say what became of a file.
func Stays(r Record) bool { return kinds[r.Kind()] != nil }

// Measures reports whether a record says what was measured, not only how or where.
func Measures(r Record) bool {
	switch r.(type) {
	case *Result, *Figure, *Samples:
		return true
	}
	return false
}

// Clone is a shallow copy of a record.
func Clone(r Record) Record {
	c := reflect.New(reflect.TypeOf(r).Elem())
	c.Elem().Set(reflect.ValueOf(r).Elem())
	return c.Interface().(Record)
}

// Source is what a record keeps of its source; nil for a kind that keeps nothing.
func Source(r Record) *Kept {
	if k, ok := r.(interface{ source() *Kept }); ok {
		return k.source()
	}
	return nil
}

// Kind is "result": see [Record].
func (*Result) Kind() string { return "result" }

// Kind is "figure": see [Record].
func (*Figure) Kind() string { return "figure" }

// Kind is "profile": see [Record].
func (*Profile) Kind() string { return "profile" }

// Kind is "samples": see [Record].
func (*Samples) Kind() string { return "samples" }

// Kind is "params": see [Record].
func (*Params) Kind() string { return "params" }

// Kind is "system": see [Record].
func (*System) Kind() string { return "system" }

// Kind is "facts": see [Record].
func (*Facts) Kind() string { return "facts" }

// Kind is "note": see [Record].
func (*Note) Kind() string { return "note" }

// Kind is "ignored": see [Record].
func (*Ignored) Kind() string { return "ignored" }

// Kind is "syntax error": see [Record].
func (*SyntaxError) Kind() string { return "syntax error" }

// Base is the part that all records share; it implements Record.
type Base struct {
	At Pos `json:"at"`
	// Key is what Session returns. Formats build it with [SessionKey].
	Key string `json:"session,omitempty"`
	// Digest is the SHA-256 of the file the record was read from, in lower-case hex. Files
	// sets it; formats leave it alone.
	Digest string `json:"digest,omitempty"`
	// Format is the name of the format that read the record. Files sets it.
	Format string `json:"format,omitempty"`
	// Identity says which run the record belongs to; zero where it does not say.
	Identity Identity `json:"identity,omitzero"`
	// Own says that inferdex wrote the record of a run of a catalog: its identity is that run's, and it is of no
	// other one, whatever else tells the same numbers.
	Own bool `json:"own,omitempty"`
	// Date is the record's date as written; empty if it has none.
	Date string `json:"date,omitempty"`
	// Facts are what the record states of its run beside what it measures. [Stated] knows those of a folded result too.
	Facts []Fact `json:"facts,omitempty"`
}

// Beside is the base of a record that stands where b stands and belongs to the same run, without
// what b states itself.
func (b *Base) Beside() Base {
	return Base{At: b.At, Key: b.Key, Digest: b.Digest, Format: b.Format, Identity: b.Identity}
}

// BesideAt is as Beside for a record that stands at another place.
func (b *Base) BesideAt(at Pos) Base {
	beside := b.Beside()
	beside.At = at
	return beside
}

// Kept is what a record keeps of its source beside what the format understood.
type Kept struct {
	// Raw is the record as read: JSON with the keys and numbers of the source. Long arrays,
	// prompts and generated texts are already replaced (see ingest.Elide). Secrets are not yet
	// redacted: normalize does that for all formats. It may be empty.
	Raw json.RawMessage `json:"raw,omitempty"`
	// Unmapped lists keys that the format kept in Raw and did not use.
	Unmapped []string `json:"unmapped,omitempty"`
}

func (k *Kept) source() *Kept { return k }

// Pos implements [Record].
func (b *Base) Pos() Pos { return b.At }

// Session implements [Record].
func (b *Base) Session() string { return b.Key }

// Header implements [Record].
func (b *Base) Header() *Base { return b }

// SessionKey joins parts to a session name so that different parts never give equal names.
func SessionKey(parts ...string) string {
	var s []byte
	for i, p := range parts {
		if i > 0 {
			s = append(s, ' ')
		}
		s = strconv.AppendQuote(s, p)
	}
	return string(s)
}

// Fact is one statement of metadata in its source's own words.
type Fact struct {
	// Key is one of the Fact* constants, or "labels.x".
	Key string `json:"key"`
	// Value is the text as written. It is never empty: what is unknown is not stated.
	Value string `json:"value"`
	// At is where the fact stands. A zero At means the place of its record.
	At Pos `json:"at,omitzero"`
	// Named says that no record states the value: it stands in the name of the file.
	Named bool `json:"named,omitempty"`
	// Head says that it stands in the head of a report around the record, where a person wrote it.
	Head bool `json:"head,omitempty"`
}

// Keys of facts. They are the vocabulary of run.toml, path rules and --set as well.
const (
	FactModel         = "model"
	FactHardware      = "hardware"       // "H100", "4x AMD Instinct MI100 (gfx908)"
	FactCount         = "count"          // accelerators that served, a whole number
	FactEngine        = "engine"         // "vllm", "sgl"
	FactEngineVersion = "engine_version" // "0.6.4.post1"
	FactEngineCommit  = "engine_commit"
	FactImage         = "image"   // container image
	FactWrapper       = "wrapper" // "happy_vllm 1.2.4": what stands around the engine
	FactPrecision     = "precision"
	FactSeries        = "series" // label that tells runs apart on one chart
	FactDate          = "date"
	FactNotes         = "notes"
	FactGPUMemory     = "gpu_memory" // "80 GB": claimed or reported memory of one accelerator
	FactDriver        = "driver"
	FactCUDA          = "cuda"
	FactROCm          = "rocm"
	FactOS            = "os"
	FactKernel        = "kernel"
	FactCPU           = "cpu"
	FactRAM           = "ram"
	FactTopology      = "topology"
	FactPowerLimit    = "power_limit"
	FactTokenizer     = "tokenizer"
	FactServedName    = "served_name"    // what clients call the model
	FactCommand       = "command"        // launch command of the server
	FactClientCommand = "client_command" // command of the measuring client
	FactToolVersion   = "tool_version"
)

// Value is one number with its meaning.
type Value struct {
	Quantity metric.ID `json:"quantity"`
	Stat     string    `json:"stat"`
	// Number is as read. It is never NaN and never infinite: those are missing.
	Number float64 `json:"number"`
	// Unit is the source's own: "ms", "s", "tok/s", "req/s", "tokens", "fraction", "%", "W".
	Unit string `json:"unit"`
	// Key is the key or column the number was read from; empty when it was computed.
	Key string `json:"key,omitempty"`
	// N is how many samples stand behind the statistic; 0 is unknown.
	N int64 `json:"n,omitempty"`
}

// MaxQuantiles is how many quantiles a distribution has at most: more than a chart can show.
const MaxQuantiles = 64

// Distribution is how the values of a quantity are distributed, thinned to what a chart can show.
type Distribution struct {
	Quantity metric.ID `json:"quantity"`
	Unit     string    `json:"unit"`
	// N is how many values there are.
	N int64 `json:"n"`
	// Quantiles are pairs of a percentile, 0 to 100 and ascending, and its value; at most [MaxQuantiles].
	Quantiles [][2]float64 `json:"quantiles"`
	// MedianLow and MedianHigh are the order-statistics interval of the median at 95 %; nil where
	// there are too few values for one.
	MedianLow  *float64 `json:"median_low,omitempty"`
	MedianHigh *float64 `json:"median_high,omitempty"`
}

// Lengths are input and output tokens of a request. Nil is not recorded.
type Lengths struct {
	Input  *float64 `json:"input,omitempty"`
	Output *float64 `json:"output,omitempty"`
}

// Workload is what was asked for, apart from how hard.
type Workload struct {
	// Name is the scenario's own name, if it has one: "Long Context (16K)".
	Name    string `json:"name,omitempty"`
	Dataset string `json:"dataset,omitempty"` // "random", "sharegpt"
	// Nominal are the lengths asked for, in the tool's own semantics; Actual the mean lengths
	// served, in tokens.
	Nominal Lengths `json:"nominal,omitzero"`
	Actual  Lengths `json:"actual,omitzero"`
	// Distribution of the lengths: "fixed", "uniform +-50%"; empty is not recorded.
	Distribution string `json:"distribution,omitempty"`
	// LengthSemantics says what a nominal length counts: "tool nominal", "client tokenizer".
	LengthSemantics string `json:"length_semantics,omitempty"`
	NumPrompts      *int64 `json:"num_prompts,omitempty"`
	PrefixCache     *bool  `json:"prefix_cache,omitempty"`
	IgnoreEOS       *bool  `json:"ignore_eos,omitempty"`
	Warmup          *int64 `json:"warmup,omitempty"`
	Streaming       *bool  `json:"streaming,omitempty"`
	// TokenCounting says what was counted as an output token: "server usage", "chunks".
	TokenCounting string `json:"token_counting,omitempty"`
}

// SharesPrefix reports whether prompts are meant to begin with what earlier ones had, so that a prefix cache may hold it:
// turns of conversations, by which formats name such a workload, and prompts with a prefix that is named as theirs.
func (w *Workload) SharesPrefix() bool {
	return strings.Contains(w.Name, "multi-turn") || strings.HasSuffix(w.Name, " turns") ||
		strings.Contains(w.Name, "shared prefix") || strings.Contains(w.Dataset, "prefix")
}

// Load is how hard the server was driven. Nil is not recorded or not limited.
type Load struct {
	// Rate is in requests a second; +Inf means all at once. JSON: "inf".
	Rate           *Float   `json:"rate,omitempty"`
	MaxConcurrency *int64   `json:"max_concurrency,omitempty"`
	Batch          *int64   `json:"batch,omitempty"`
	Burstiness     *float64 `json:"burstiness,omitempty"`
}

// Float is a float64 that may be infinite: JSON has no such number, so it is written as the
// field's own word, the string "inf".
type Float float64

// KV is one setup or metadata key of a record as text, for grouping records to runs.
type KV struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Result is one measured operating point.
type Result struct {
	Base
	// Setup holds every setup and metadata key that is neither load nor date nor result, in
	// the order of the file. Records whose Setup differs are different runs; formats put it
	// into the session name.
	Setup    []KV     `json:"setup,omitempty"`
	Workload Workload `json:"workload,omitzero"`
	Load     Load     `json:"load,omitzero"`
	// Repetition counts from 0: the number of a repetition the tool numbered itself.
	Repetition int    `json:"repetition,omitempty"`
	Submitted  *int64 `json:"submitted,omitempty"`
	Completed  *int64 `json:"completed,omitempty"`
	// NoOutput is how many of the completed requests are known to have no output token: see [DoubtNoOutput].
	NoOutput *int64 `json:"no_output,omitempty"`
	Failed   *int64 `json:"failed,omitempty"`
	TimedOut *int64 `json:"timed_out,omitempty"`
	// Values in the order of the file. A number that means "missing" in its tool is left out.
	Values []Value `json:"values,omitempty"`
	// Distributions are those of quantities of which the file holds a value a request or a gap.
	// The values themselves are not kept.
	Distributions []Distribution `json:"distributions,omitempty"`
	// Errors holds, for failed requests, the class and last line of each distinct error with
	// its count: never a prompt, a text or a traceback.
	Errors []ErrorCount `json:"errors,omitempty"`
	// Doubts are what the reader found wrong with the measurement. Each becomes a finding of the run,
	// those of one code of all its results together.
	Doubts []Doubt `json:"doubts,omitempty"`
	Kept
	folded *folded // the values of a result that a Folder has
}

// Doubt is something that a reader of a result must know. Text holds nothing of the source but numbers
// and the names of quantities and, in quotes, of members.
type Doubt struct {
	Code     string   `json:"code"` // as of a Note
	Severity Severity `json:"severity"`
	Text     string   `json:"text"`
}

// Codes of doubts.
const (
	DoubtNoOutput   = "no-output"        // requests that "completed" without an output token
	DoubtNotANumber = "not-a-number"     // values that are NaN and left out
	DoubtStatistics = "statistics-unfit" // the values of single requests do not give the tool's own statistics
)

// Doubt notes what is wrong with the result.
func (r *Result) Doubt(code string, severity Severity, text string) {
	r.Doubts = append(r.Doubts, Doubt{Code: code, Severity: severity, Text: text})
}

// ErrorCount is one kind of failure and how often it happened.
type ErrorCount struct {
	Text  string `json:"text"`
	Count int64  `json:"count"`
}

// Figure is a quantity of a whole run: one measured or published number that belongs to no load.
type Figure struct {
	Base
	Quantity metric.ID `json:"quantity"`
	// Of tells figures of one quantity apart: the scenario "input 1024, output 128". Empty for most.
	Of string `json:"of,omitempty"`
	// Value is exact; nil where only a rounded text is known.
	Value *float64 `json:"value,omitempty"`
	Unit  string   `json:"unit"`
	// Published is the text a published page gives: "~8500 t/s".
	Published string `json:"published,omitempty"`
	// Basis says in words how the value was computed and from which records.
	Basis string `json:"basis,omitempty"`
	// Score says what an accuracy is of; nil for other quantities.
	Score *Score `json:"score,omitempty"`
	// From counts the records the value was computed from: of two computed values the one
	// with more records stands. 0 means that it was read, not computed.
	From int `json:"from,omitempty"`
}

// Score is what the accuracy of answers was measured by.
type Score struct {
	// Task is the task, or the scenario, that was answered: "gsm8k". Metric counts what is right:
	// "exact_match", "ROUGE1". Filter is what takes the answer out of the text: "strict-match"; empty for none.
	Task   string `json:"task"`
	Metric string `json:"metric"`
	Filter string `json:"filter,omitempty"`
	// Group is the group of tasks that the task is a part of, empty for none.
	Group string `json:"group,omitempty"`
	// Shots is how many examples stood before a question, Samples how many questions were asked of
	// those that there are, Whole. Nil is not recorded.
	Shots   *int64 `json:"shots,omitempty"`
	Samples *int64 `json:"samples,omitempty"`
	Whole   *int64 `json:"whole,omitempty"`
	// StdErr is the standard error, in the unit of the figure; nil is not recorded.
	StdErr *float64 `json:"stderr,omitempty"`
	// Version is that of the task's definition, empty where it is not recorded: scores of two are not of one task.
	Version string `json:"version,omitempty"`
}

// Profile is a scatter or a time line of a run.
type Profile struct {
	Base
	Curves
}

// Curves are what a scatter or a time line shows, thinned to what a chart can show.
type Curves struct {
	// Name is unique within the run: "prompt ingestion", "kv cache, 1024 in, 128 out".
	Name string `json:"name"`
	// Kind is "scatter" or "time".
	Kind         string    `json:"kind"`
	XLabel       string    `json:"x_label"`
	XUnit        string    `json:"x_unit"`
	X            []float64 `json:"x"`
	Lines        []Line    `json:"lines"`
	FitSlope     *float64  `json:"fit_slope,omitempty"`
	FitIntercept *float64  `json:"fit_intercept,omitempty"`
}

// Line is one set of y values of Curves, parallel to its X.
type Line struct {
	Label string    `json:"label"`
	Unit  string    `json:"unit"`
	Y     []float64 `json:"y"`
}

// Samples is what a format's Finish needs of one file to compute a figure over several files.
// It is stored with the run's records, so that a run can be completed by a later ingest.
type Samples struct {
	Base
	// Name says what the numbers are; only the format that wrote them reads it.
	Name string    `json:"name"`
	X    []float64 `json:"x,omitempty"`
	Y    []float64 `json:"y,omitempty"`
	// Nums are further named numbers, Texts further named texts.
	Nums  map[string]float64 `json:"nums,omitempty"`
	Texts map[string]string  `json:"texts,omitempty"`
	// Values and Distributions are those that a Finish puts into a result.
	Values        []Value        `json:"values,omitempty"`
	Distributions []Distribution `json:"distributions,omitempty"`
	Errors        []ErrorCount   `json:"errors,omitempty"`
	Kept
}

// Count is the named number as a whole one, nil where it is not recorded.
func (s *Samples) Count(name string) *int64 {
	f, ok := s.Nums[name]
	if !ok {
		return nil
	}
	n := int64(f)
	return &n
}

// Params are launch parameters: of a server ("server"), a client ("client") or the environment ("env").
type Params struct {
	Base
	Of     string  `json:"of"`
	Params []Param `json:"params"`
	// Command is the command line as written, if that is what was read.
	Command string `json:"command,omitempty"`
	// Text says that the values are Python's str() on a published page and not typed: a typed
	// value at hand wins over them.
	Text bool `json:"text,omitempty"`
}

// Param is one parameter as recorded.
type Param struct {
	Name string `json:"name"`
	// Value is JSON: a string, number, boolean, null, list or object, as recorded.
	Value json.RawMessage `json:"value"`
	At    Pos             `json:"at,omitzero"`
}

// System is hardware and software metadata.
type System struct {
	Base
	// Devices are the accelerators found, in the file's order.
	Devices []Device `json:"devices,omitempty"`
	// Kept is the file as JSON or text, without serials, UUIDs, host names and addresses.
	Kept
}

// Device is one accelerator as a tool reports it.
type Device struct {
	Name      string   `json:"name"`
	MemoryMiB *float64 `json:"memory_mib,omitempty"`
	// MemoryUsedMiB is what was in use when the tool looked.
	MemoryUsedMiB *float64 `json:"memory_used_mib,omitempty"`
	PowerLimit    *float64 `json:"power_limit_w,omitempty"`
}

// Facts is metadata without a measurement.
type Facts struct{ Base }

// Severity of a Note, and of a finding of a run.
type Severity string

// The severities, in descending order.
const (
	Error   Severity = "error"   // a number cannot be trusted
	Warning Severity = "warning" // a contradiction or an override
	Remark  Severity = "note"
)

// Note is something the reader noticed while reading: a difference between a report and its raw
// files, an incomplete suite. It becomes a finding of the run.
type Note struct {
	Base
	Code     string   `json:"code"` // "report-differs", lower case, words joined by "-"
	Severity Severity `json:"severity"`
	Text     string   `json:"text"`
}

// Ignored is a file that is no result, with the reason in words.
type Ignored struct {
	Base
	Reason string `json:"reason"`
}

// SyntaxError is a place that cannot be read. Reading goes on behind it.
type SyntaxError struct {
	Base
	// Text says what is wrong and what to do, in lower case and without a full stop; foreign
	// text in it is quoted.
	Text string `json:"text"`
}

// Errorf is a place that cannot be read, with what is wrong with it.
func Errorf(at Pos, format string, args ...any) *SyntaxError {
	return &SyntaxError{Base: Base{At: at}, Text: fmt.Sprintf(format, args...)}
}

// Error implements error: "file:line:col: text".
func (e *SyntaxError) Error() string { return e.At.String() + ": " + e.Text }

// CI is the job that produced a file. Each member may be empty: not recorded.
type CI struct {
	URL      string `json:"url,omitempty"`
	Commit   string `json:"commit,omitempty"`
	Workflow string `json:"workflow,omitempty"`
	Attempt  string `json:"attempt,omitempty"`
	// Branch was measured, for the pull request of that number where there is one. Event is what started
	// the job, in the words of its system: "push", "schedule".
	Branch      string `json:"branch,omitempty"`
	PullRequest string `json:"pull_request,omitempty"`
	Event       string `json:"event,omitempty"`
	// Fork is the repository whose code was measured where that is not the one that the job belongs to.
	Fork string `json:"fork,omitempty"`
}

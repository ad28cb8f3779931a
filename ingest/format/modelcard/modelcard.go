// Package modelcard reads the card that benchmark_llm_serving writes of a suite: three rounded
// figures and the launch arguments as Python prints them. Raw files and report of the suite are
// read by package happyvllm; the suite_id in the table of parameters makes them one run.
package modelcard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest/internal/mdtable"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads model cards.
var Format = &reading.Format{
	Name: "happy-vllm-card",
	Doc: reading.Doc{
		Title:    "happy_vllm model card",
		Tool:     tool,
		Command:  "bench-suite",
		Versions: "vLLM 0.4.3 to 0.8.2 behind happy_vllm",
		Files:    "report/README.md, or the card under any name",
		Reads:    "The three figures as published, the accelerator, and the launch arguments as text.",
		Unknown:  "Exact values of the figures, and all points: they are in the pictures only.",
	},
	Match:   match,
	MaxSize: 4 << 20,
	Read:    read,
}

const tool = "benchmark_llm_serving"

const title = "Model card for "

var titleLine = regexp.MustCompile(`(?m)^(# )?` + title)

func match(h *reading.Head) bool {
	if h.Kind != 't' {
		return false
	}
	return titleLine.Match(h.Data) && bytes.Contains(h.Data, []byte("|Prompt ingestion speed|"))
}

// row is one row of a table as written.
type row struct {
	key, value string
	at         record.Pos
}

func read(src *reading.Source, emit func(record.Record)) error {
	c := &card{path: src.Path(), emit: emit, lines: bytes.Split(src.Data, []byte{'\n'})}
	c.titleAt.File = c.path
	doc := mdtable.Parse(src.Data)
	if doc.Cut > 0 {
		c.bad(record.Pos{File: c.path, Line: doc.Cut}, "no card has so many lines: the rest is left out")
	}
	for _, b := range doc.Blocks {
		switch b := b.(type) {
		case *mdtable.Heading:
			if t, ok := strings.CutPrefix(b.Text, title); ok && c.title == "" {
				c.title, c.titleAt = t, record.Pos{File: c.path, Line: b.Line}
			}
		case *mdtable.Table:
			switch {
			case b.Column("Metric") == 0 && b.Column("Value") == 1:
				c.metrics = append(c.metrics, c.rows(b)...)
			case b.Column("Parameter") == 0 && b.Column("Value") == 1:
				c.parameters = append(c.parameters, c.rows(b)...)
			}
		}
	}
	c.write()
	return nil
}

type card struct {
	path                string
	emit                func(record.Record)
	lines               [][]byte
	title               string     // behind "Model card for "
	titleAt             record.Pos // without a line where no heading was found
	metrics, parameters []row
}

// rows are the rows of a table of two columns. Their text is taken from the line as written: a
// value is what Python printed, in which stars and bars are no Markdown.
func (c *card) rows(t *mdtable.Table) []row {
	var rows []row
	for _, cells := range t.Rows {
		n := cells[0].Line
		if n < 1 || n > len(c.lines) {
			continue
		}
		text := strings.TrimSpace(strings.ToValidUTF8(string(c.lines[n-1]), "\ufffd"))
		text = strings.TrimSuffix(strings.TrimPrefix(text, "|"), "|")
		key, value, ok := strings.Cut(text, "|")
		if key = strings.TrimSpace(key); !ok || key == "" {
			c.bad(record.Pos{File: c.path, Line: n}, fmt.Sprintf("%.60q is no row of two cells", text))
			continue
		}
		rows = append(rows, row{key, strings.TrimSpace(value), record.Pos{File: c.path, Line: n}})
	}
	return rows
}

func (c *card) bad(at record.Pos, text string) {
	c.emit(&record.SyntaxError{Base: record.Base{At: at}, Text: text})
}

// parameter returns a row of the parameters; Python's None is not there.
func (c *card) parameter(key string) (row, bool) {
	for _, r := range c.parameters {
		if r.key == key {
			return r, r.value != "" && r.value != "None"
		}
	}
	return row{}, false
}

// Parameters that are told otherwise, and those of the client, as in package happyvllm: all others are launch arguments of
// the server.
var (
	elsewhere = []string{
		"model", "prompt_length", "n_workers", "query_profile", "output_length", "suite_id", "happy_vllm_version",
		"vllm_version", "gpu_name",
	}
	ofClient = []string{"step_live_metrics", "max_queries", "request_rate", "backend"}
)

func (c *card) write() {
	// "Model card for X on Y": neither is sure to hold no " on ".
	titleModel, titleGPU := c.title, ""
	if i := strings.LastIndex(c.title, " on "); i >= 0 {
		titleModel, titleGPU = c.title[:i], c.title[i+len(" on "):]
	}
	model, suite := row{value: titleModel, at: c.titleAt}, ""
	if r, ok := c.parameter("model"); ok {
		model = r
	}
	if model.value == "" {
		c.bad(c.titleAt, "neither the title nor the parameters name a model")
		return
	}
	if r, ok := c.parameter("suite_id"); ok {
		suite = r.value
	}
	id := record.Identity{Tool: tool, Session: suite, Model: model.value}
	session := record.SessionKey(tool, suite, id.Model)
	if suite == "" {
		c.bad(c.titleAt,
			"no suite_id among the parameters: the card cannot be joined with raw files of the suite by itself")
		session = record.SessionKey(tool, suite, id.Model, suiteFolder(c.path))
	}

	facts := c.facts(model, titleGPU)
	for _, r := range c.metrics {
		f := figure(r)
		if f == nil {
			if r.value != "NA" {
				c.bad(r.at, fmt.Sprintf("%.120q with the value %.60q is no figure that is known", r.key, r.value))
			}
			continue
		}
		f.Base = record.Base{At: r.at, Key: session, Identity: id, Facts: f.Facts}
		c.emit(f)
	}
	at := c.titleAt
	if len(c.parameters) > 0 {
		at = c.parameters[0].at
	}
	server := &record.Params{Base: record.Base{At: at, Key: session, Identity: id, Facts: facts},
		Of: "server", Text: true}
	client := &record.Params{Base: record.Base{At: at, Key: session, Identity: id}, Of: "client", Text: true}
	seen := map[string]bool{}
	for _, r := range c.parameters {
		if slices.Contains(elsewhere, r.key) {
			continue
		}
		if seen[r.key] {
			c.bad(r.at, fmt.Sprintf("parameter %.60q stands here a second time: the first counts", r.key))
			continue
		}
		seen[r.key] = true
		v, _ := json.Marshal(r.value) // a string always encodes
		p := record.Param{Name: r.key, Value: v, At: r.at}
		if slices.Contains(ofClient, r.key) {
			client.Params = append(client.Params, p)
		} else {
			server.Params = append(server.Params, p)
		}
	}
	c.emit(server)
	if len(client.Params) > 0 {
		c.emit(client)
	}
}

// facts are what the card says of model, hardware and engine. A title that names another
// accelerator than the parameters is stated as well: which is right is not known here.
func (c *card) facts(model row, titleGPU string) []record.Fact {
	facts := []record.Fact{{Key: record.FactModel, Value: model.value, At: model.at}}
	add := func(key, value string, at record.Pos) {
		facts = append(facts, record.Fact{Key: key, Value: value, At: at})
	}
	gpu, ok := c.parameter("gpu_name")
	if ok {
		add(record.FactHardware, gpu.value, gpu.at)
	}
	if titleGPU != "" && titleGPU != "None" && titleGPU != gpu.value {
		add(record.FactHardware, titleGPU, c.titleAt)
	}
	if r, ok := c.parameter("vllm_version"); ok {
		add(record.FactEngine, "vllm", r.at)
		add(record.FactEngineVersion, r.value, r.at)
	}
	if r, ok := c.parameter("happy_vllm_version"); ok {
		add(record.FactWrapper, "happy_vllm "+r.value, r.at)
	}
	if tp, ok := c.parameter("tensor_parallel_size"); ok {
		count := 1
		for _, key := range []string{"tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size"} {
			r, _ := c.parameter(key)
			if n, err := strconv.Atoi(r.value); err == nil && n > 0 && n < 1<<16 {
				count *= n
			}
		}
		add(record.FactCount, strconv.Itoa(count), tp.at)
	}
	if r, ok := c.parameter("suite_id"); ok {
		add(record.FactDate, r.value, r.at)
	}
	return facts
}

// The rows of the table of metrics and what a rounded figure looks like.
var (
	meanSpeed = regexp.MustCompile(`^Mean generation speed for (\d+) parallel requests ` +
		`with a prompt of (\d+) tokens and (\d+) tokens generated$`)
	rounded = regexp.MustCompile(`^~\d+(k tokens| t/s( for each request)?)$`)
)

// figure reads one row of the table of metrics; nil if it is none that is known.
func figure(r row) *record.Figure {
	if !rounded.MatchString(r.value) {
		return nil
	}
	f := &record.Figure{Published: r.value, Unit: "tok/s"}
	switch m := meanSpeed.FindStringSubmatch(r.key); {
	case r.key == "Prompt ingestion speed":
		f.Quantity = metric.PromptIngestionSpeed
	case m != nil: // called a mean, computed as a median
		f.Quantity, f.Of = metric.SpeedPerRequest, m[2]+"/"+m[3]+" at "+m[1]
	case r.key == "Estimate of the max nb of tokens in KV cache":
		f.Quantity, f.Unit = metric.KVCacheTokens, "tokens"
	default:
		return nil
	}
	return f
}

// suiteFolder is the folder above the report.
func suiteFolder(file string) string {
	dir := reading.Dir(file)
	if path.Base(strings.ReplaceAll(dir, "!", "/")) == "report" {
		dir = reading.Dir(dir)
	}
	return dir
}

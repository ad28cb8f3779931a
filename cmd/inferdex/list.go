package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

func (a *app) listCommand() *cobra.Command {
	var asCSV bool
	cmd := &cobra.Command{
		Use:   "list cards|runs|points",
		Short: "Show the catalog in the terminal",
		Long: `Show the catalog as a table, as JSON (an object a line) or as CSV.

cards   each model on each hardware with its runs, newest first; CARD is the name that chart, compare
        and the site's addresses have
runs    one line a run
points  every measured point with its load and all statistics in base units
        (seconds, tokens a second); CSV has one statistic a line, and one without any
        for a point of which nothing but its requests is known`,
		Example: `  inferdex list cards
  inferdex list runs --csv > runs.csv
  inferdex list points --json | jq 'select(.load.max_concurrency == 8)'`,
		ValidArgs: []string{"cards", "runs", "points"},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 && slices.Contains(cmd.ValidArgs, args[0]) {
				return atMost(1)(cmd, args)
			}
			if len(args) != 1 || !slices.Contains(cmd.ValidArgs, args[0]) {
				if len(args) == 1 {
					if near := settings.Nearest(args[0], cmd.ValidArgs); near != "" {
						return usage("list %q: did you mean %q?", args[0], near)
					}
				}
				return usage("list what? give one of cards, runs, points")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if asCSV && a.json {
				return usage("--json and --csv exclude each other")
			}
			if args[0] == "points" { // larger than what it is made of
				return a.list(a.stdout, args[0], asCSV)
			}
			form := "txt"
			if asCSV {
				form = "csv"
			} else if a.json {
				form = "jsonl"
			}
			text, err := a.remembered(args[0]+"."+form, func() ([]byte, bool, error) {
				var b bytes.Buffer
				err := a.list(&b, args[0], asCSV)
				return b.Bytes(), len(a.mistakes) == 0, err
			})
			if err != nil {
				return err
			}
			_, _ = a.stdout.Write(text) // run says what it could not
			if args[0] == "cards" && form == "txt" && bytes.Count(text, []byte("\n")) == 1 {
				a.note("no run says both its model and its hardware, so that there is no card: 'inferdex list runs' shows all runs")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asCSV, "csv", false, "comma-separated values")
	return cmd
}

// list writes cards, runs or points of the catalog.
func (a *app) list(w io.Writer, kind string, asCSV bool) error {
	ix, _, err := a.load()
	if err != nil {
		return err
	}
	var t table
	switch kind {
	case "cards":
		t = cardTable(ix)
	case "runs":
		t = runTable(ix)
	case "points":
		t = pointTable(ix)
	}
	switch {
	case a.json:
		return writeLines(w, t.objects)
	case asCSV:
		return writeCSV(w, t)
	}
	return writeText(w, t)
}

// table is a listing in its three forms: rows of exact texts for CSV, a narrower set for the
// terminal, objects for JSON.
type table struct {
	head    []string
	rows    [][]string
	text    [][]string // rows for the terminal; its first row is the head. Nil: head and rows
	objects []any
}

type cardObject struct {
	Model        string `json:"model"`
	Hardware     string `json:"hardware"`
	Slug         string `json:"slug"`
	ModelName    string `json:"model_name"`
	HardwareSlug string `json:"hardware_slug"`
	// Stale is there where the newest run is older than [freshness] of inferdex.toml allows.
	Stale *figure.Stale `json:"stale,omitempty"`
	Runs  []runObject   `json:"runs"`
}

type runObject struct {
	ID       string                    `json:"id"`
	Started  *string                   `json:"started"`
	Engine   *string                   `json:"engine"`
	Series   string                    `json:"series"`
	Tool     string                    `json:"tool"`
	Points   int                       `json:"points"`
	Headline map[string]headlineObject `json:"headline"`
	Findings []catalog.Finding         `json:"findings,omitempty"`
	// Withdrawn is why the run must not be quoted; such a run has no headline.
	Withdrawn string `json:"withdrawn,omitempty"`
	// Replication says how runs of other authors stand to this one.
	Replication string `json:"replication,omitempty"`
	Model       string `json:"model,omitempty"`
	Hardware    string `json:"hardware,omitempty"`
}

type headlineObject struct {
	Value     catalog.Number `json:"value"`
	Unit      string         `json:"unit"`
	Published *string        `json:"published"`
}

func newRunObject(r *figure.Run) runObject {
	o := runObject{ID: r.ID, Started: orNull(r.Started), Engine: orNull(engineText(r)), Series: r.Series,
		Tool: r.Identity.Tool, Points: len(r.Points), Headline: map[string]headlineObject{}, Withdrawn: r.Withdrawn}
	for _, h := range headlines(r) {
		o.Headline[h.Name] = headlineObject{h.Value, h.Unit, orNull(h.Published)}
	}
	return o
}

// asNamed is the name of a run's model or hardware, and where only the name of a folder or file says so, that.
func asNamed(r *figure.Run, fact, name string) string {
	if from := r.FromName(fact); from != "" {
		return name + " (" + from + ")"
	}
	return name
}

// headlines are what a run may be quoted by: nothing where it is withdrawn.
func headlines(r *figure.Run) []figure.Headline {
	if r.Withdrawn != "" {
		return nil
	}
	return r.Headlines()
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func engineText(r *figure.Run) string {
	return strings.TrimSpace(r.Engine.Name + " " + r.Engine.Version)
}

func cardTable(ix *figure.Index) table {
	t := table{head: []string{"model", "hardware", "run", "started", "engine", "series", "points", "metric", "value",
		"unit", "published", "withdrawn", "card", "stale"}}
	t.text = [][]string{{"CARD", "MODEL", "HARDWARE", "RUNS", "NEWEST", "ENGINE", "HEADLINE"}}
	var objects []any
	for _, c := range ix.Cards {
		o := cardObject{Model: c.Model.ID, Hardware: c.Hardware.Name, Slug: c.Slug, ModelName: c.Model.Name,
			HardwareSlug: c.Hardware.Slug, Stale: c.Stale}
		stale, mark := "", ""
		if c.Stale != nil {
			stale, mark = c.Stale.Text(), " (stale)"
		}
		runs := slices.Clone(c.Runs)
		slices.SortStableFunc(runs, func(x, y *figure.Run) int { return strings.Compare(y.Started, x.Started) })
		for _, r := range runs {
			o.Runs = append(o.Runs, newRunObject(r))
			hs := headlines(r)
			if len(hs) == 0 {
				hs = []figure.Headline{{}}
			}
			for _, h := range hs {
				t.rows = append(t.rows, []string{c.Model.ID, c.Hardware.Name, r.ID, r.Started, engineText(r), r.Series,
					fmt.Sprint(len(r.Points)), h.Name, exact(h.Value), h.Unit, h.Published, r.Withdrawn, c.Slug, stale})
			}
		}
		n, newest := c.Head(), runs[0]
		if i := slices.IndexFunc(runs, func(r *figure.Run) bool { return r.Withdrawn == "" }); i > 0 {
			newest = runs[i]
		}
		t.text = append(t.text, []string{c.Slug, c.Model.Name, c.Hardware.Name, fmt.Sprint(len(c.Runs)), day(newest.Started) + mark,
			engineText(n), headlineText(n)})
		objects = append(objects, o)
	}
	t.objects = objects
	return t
}

func headlineText(r *figure.Run) string {
	if r.Withdrawn != "" {
		return "withdrawn: " + r.Withdrawn
	}
	var parts []string
	for _, h := range r.Headlines() {
		v, unit := h.Text()
		switch {
		case v != "" && h.Name == figure.PrefillSpeed:
			parts = append(parts, v+" "+unit+" prefill")
		case v != "" && h.Name == figure.DecodeSpeed:
			parts = append(parts, v+" "+unit+" decode")
		case v != "":
			parts = append(parts, ofWhat(h)+v+" "+unit)
		case h.Published != "":
			parts = append(parts, ofWhat(h)+h.Published)
		}
	}
	return strings.Join(parts, ", ")
}

// ofWhat is the word before a number that its unit does not explain: "TTFT " before 90 ms.
func ofWhat(h figure.Headline) string {
	if h.Name == figure.SuiteSpeed {
		return "Speed per request, 10 parallel "
	}
	info, ok := metric.Lookup(metric.ID(h.Name))
	if !ok || h.Name == figure.PeakThroughput || info.ID == metric.RequestThroughput {
		return ""
	}
	return info.Label + " "
}

func runTable(ix *figure.Index) table {
	t := table{head: []string{"run", "model", "hardware", "engine", "series", "started", "tool", "points", "findings",
		"withdrawn"}}
	t.text = [][]string{{"RUN", "MODEL", "HARDWARE", "SERIES", "STARTED", "POINTS", "HEADLINE"}}
	var objects []any
	known := compare.NewArguments(ix.Names, ix.Runs)
	for _, r := range ix.Runs {
		o := newRunObject(r)
		replicated, _ := claim.Replicated(r, known)
		o.Replication = replicated.Text()
		o.Model, o.Hardware, o.Findings = r.Model.ID, r.Hardware.Name, r.Findings
		objects = append(objects, o)
		t.rows = append(t.rows, []string{r.ID, r.Model.ID, r.Hardware.Name, engineText(r), r.Series, r.Started,
			r.Identity.Tool,
			fmt.Sprint(len(r.Points)), fmt.Sprint(len(r.Findings)), r.Withdrawn})
		t.text = append(t.text, []string{r.ID, asNamed(r, record.FactModel, r.Model.Name),
			asNamed(r, record.FactHardware, r.Hardware.Name), r.Series, day(r.Started),
			fmt.Sprint(len(r.Points)), headlineText(r)})
	}
	t.objects = objects
	return t
}

type pointObject struct {
	Run      string          `json:"run"`
	Series   string          `json:"series"`
	Model    string          `json:"model"`
	Hardware string          `json:"hardware"`
	Engine   *string         `json:"engine"`
	Scenario string          `json:"scenario"`
	Workload record.Workload `json:"workload"`
	Load     record.Load     `json:"load"`
	Axis     string          `json:"axis,omitempty"`
	// Counts are null where they are not recorded.
	Submitted  *int64                     `json:"submitted"`
	Completed  *int64                     `json:"completed"`
	NoOutput   *int64                     `json:"no_output"` // of the completed
	Failed     *int64                     `json:"failed"`
	TimedOut   *int64                     `json:"timed_out"`
	Repetition int                        `json:"repetition"`
	Duration   catalog.Number             `json:"duration_s"`
	Metrics    map[metric.ID]catalog.Stat `json:"metrics"`
	Source     string                     `json:"source"`
}

func pointTable(ix *figure.Index) table {
	t := table{head: []string{"run", "series", "model", "hardware", "engine", "scenario", "axis", "load", "repetition",
		"submitted", "completed", "no_output", "failed", "metric", "statistic", "value", "unit", "source", "suspect"}}
	t.text = [][]string{{"RUN", "SERIES", "WORKLOAD", "LOAD", "COMPLETED", "OUTPUT TOK/S", "TTFT", "TPOT"}}
	var objects []any
	for _, r := range ix.Runs {
		paths := map[string]string{}
		for _, s := range r.Sources {
			paths[s.ID()] = s.Path
		}
		for _, s := range r.Scenarios {
			for _, p := range s.Measured {
				source := paths[p.At.Source]
				if p.At.Line > 0 {
					source += fmt.Sprintf(":%d", p.At.Line)
				}
				metrics := s.Marked(p)
				if metrics == nil {
					metrics = map[metric.ID]catalog.Stat{} // {} is kinder to programs than null
				}
				objects = append(objects,
					pointObject{r.ID, r.Series, r.Model.ID, r.Hardware.Name, orNull(engineText(r)), s.Key, p.Workload,
						p.Load, s.Axis,
						p.Submitted, p.Completed, p.NoOutput, p.Failed, p.TimedOut, p.Repetition, p.Duration, metrics, source})
				base := []string{r.ID, r.Series, r.Model.ID, r.Hardware.Name, engineText(r), s.Key, s.Axis,
					figure.LoadKey(p), fmt.Sprint(p.Repetition),
					count(p.Submitted), count(p.Completed), count(p.NoOutput), count(p.Failed)}
				if len(metrics) == 0 { // its requests are counted all the same
					t.rows = append(t.rows, append(slices.Clone(base), "", "", "", "", source, ""))
				}
				for _, m := range metric.All() {
					st, ok := metrics[m.ID]
					if !ok {
						continue
					}
					for _, sv := range statistics(st) {
						t.rows = append(t.rows,
							append(slices.Clone(base), string(m.ID), sv.name, metric.Exact(sv.value), st.Unit, source,
								st.Suspect))
					}
				}
				t.text = append(t.text, []string{r.ID, r.Series, s.Title, figure.LoadText(p), completedText(p),
					central(s, p, metric.OutputThroughput, metric.Format), central(s, p, metric.TTFT, figure.Seconds),
					central(s, p, metric.TPOT, figure.Seconds)})
			}
		}
	}
	t.objects = objects
	return t
}

// central is what stands for a metric at a point; what a finding says not to believe is marked.
func central(s *figure.Scenario, p *catalog.Point, m metric.ID, f func(float64) string) string {
	v, _, ok := figure.Central(p, m)
	switch {
	case !ok:
		return ""
	case s.Suspects(p)[m] != "":
		return f(v) + " (suspect)"
	}
	return f(v)
}

func completedText(p *catalog.Point) string {
	o, ok := figure.Success(p)
	switch {
	case !ok:
		return ""
	case o.NoOutput > 0:
		return fmt.Sprintf("%d of %d, %d without output", o.Completed, o.Submitted, o.NoOutput)
	}
	return fmt.Sprintf("%d of %d", o.Completed, o.Submitted)
}

type statistic struct {
	name  string
	value float64
}

// statistics lists what is known of a metric, in a fixed order.
func statistics(s catalog.Stat) []statistic {
	var out []statistic
	for _, e := range []struct {
		name string
		v    catalog.Number
	}{{metric.Value, s.Value}, {metric.Mean, s.Mean}, {metric.Median, s.Median}, {metric.Std, s.Std},
		{metric.Min, s.Min}, {metric.Max, s.Max}} {
		if e.v != nil {
			out = append(out, statistic{e.name, *e.v})
		}
	}
	for _, p := range s.Percentiles {
		out = append(out, statistic{"p" + metric.Exact(p.P), p.Value})
	}
	return out
}

func exact(n catalog.Number) string {
	if n == nil || math.IsNaN(*n) {
		return ""
	}
	return metric.Exact(*n)
}

func count(n *int64) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

func day(s string) string { return s[:min(10, len(s))] }

// writeLines writes one JSON object a line, so that millions of points need no memory to be read.
func writeLines(w io.Writer, objects []any) error {
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for _, o := range objects {
		if err := enc.Encode(o); err != nil {
			return failed(err)
		}
	}
	if err := b.Flush(); err != nil {
		return failed(err)
	}
	return nil
}

func writeCSV(w io.Writer, t table) error {
	c := catalog.NewCSV(w)
	c.Write(t.head)
	for _, r := range t.rows {
		c.Write(r)
	}
	if err := c.Flush(); err != nil {
		return failed(err)
	}
	return nil
}

func writeText(w io.Writer, t table) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, r := range t.text {
		cells := make([]string, len(r))
		for i, c := range r {
			cells[i] = strings.ReplaceAll(printable(c), "\t", " ")
			if i > 0 { // the first is a name to type
				cells[i] = shorten(cells[i])
			}
		}
		fmt.Fprintln(tw, strings.Join(cells, "\t"))
	}
	if err := tw.Flush(); err != nil {
		return failed(err)
	}
	return nil
}

// shorten cuts a cell of a table to at most 60 characters.
func shorten(s string) string {
	const n = 60
	s = strings.ReplaceAll(s, "\n", " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

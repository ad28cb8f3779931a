package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/redact"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex"
	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

type compareFlags struct {
	format    string
	failOn    []string
	uncertain bool
	all       bool
}

func (a *app) compareCommand() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two runs, cards, catalogs or sets of result files",
		Long: `Compare A, the baseline, with B. Each is one of

  a run        its id or the beginning of it
  a card       its name, as in its address: the run that heads it
  a catalog    a directory with data/catalog; cards of both are paired by model and hardware
  files        results as for 'inferdex ingest', or - for standard input; nothing is written.
               Runs that nothing tells apart but their date count as repetitions of each other

What names a run or a card is one; write ./NAME for a file of that name. Only workloads of one
class are compared, load by load. A difference is distinguishable where the 95 % intervals of the
two medians do not overlap; below six measurements on a side nothing is claimed, but of a median
over requests whose interval is known.

--fail-on gives limits, separated by commas: a metric, with a statistic behind a dot (p99, mean;
else the value or the median), < or >, and a percentage of A with its sign. A limit that only an
improvement exceeds is refused.

  exceeded              the medians are outside the limit and distinguishable, or a rate fell to
                        zero: exit status 1
  not distinguishable   the medians are outside, the intervals overlap: exit status 0
  no claim              the medians are outside, fewer than six measurements on a side: exit
                        status 0, with --fail-uncertain 1
  missing               B lacks the figure, or no load holds it: exit status 1
  kept                  exit status 0

--format json is one object on one line: "a" and "b", "verdict" (compared, kept, uncertain, exceeded, refused),
"pairs" with runs, workloads, loads and rows in base units, parameters that differ, and "limits".

Exit status: 0 done; 1 a limit is exceeded or cannot be held, or nothing can be compared; 2 usage;
3 something could not be read.`,
		Example: `  inferdex compare jaxpmmiy6jlr kxsrxvf5lxvo
  inferdex compare results-main/ results-pr/ --fail-on 'output_throughput<-5%,ttft.p99>+10%'
  inferdex compare ../baseline . --format markdown >> "$GITHUB_STEP_SUMMARY"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage("compare what? give two of run, card, catalog, result files")
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 1 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return a.subjects(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.json {
				if cmd.Flags().Changed("format") && f.format != "json" {
					return usage("--json and --format %s exclude each other", f.format)
				}
				f.format = "json"
			}
			return a.compare(cmd.Context(), f, args[0], args[1])
		},
	}
	cmd.Flags().StringVar(&f.format, "format", "text", "text, markdown or json")
	cmd.Flags().StringArrayVar(&f.failOn, "fail-on", nil, "`LIMITS` such as 'output_throughput<-5%,ttft.p99>+10%'")
	cmd.Flags().BoolVar(&f.uncertain, "fail-uncertain", false, "exit with 1 also where a limit is exceeded and the data make no claim")
	cmd.Flags().BoolVar(&f.all, "all", false, "every statistic, not only value, median and p99")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"text", "markdown", "json"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// subjects are the names of runs and cards, for completion.
func (a *app) subjects() (names []string) {
	a.resolveDirs() // completion runs no hook before the command
	c, err := catalog.Open(os.DirFS(a.path(catalogDir)))
	if err != nil {
		return nil
	}
	own, _ := fs.Sub(inferdex.Files, dataDir)
	n, _ := settings.LoadNames(own, os.DirFS(a.path(dataDir)))
	ix := figure.NewIndex(c, n)
	for _, c := range ix.Cards {
		names = append(names, c.Slug+"\t"+oneLine(c.Title()))
	}
	for _, r := range ix.Runs {
		names = append(names, r.ID+"\t"+oneLine(r.Card.Title()+", "+r.Series))
	}
	return names
}

// side is A or B with the runs it names.
type side struct {
	name string // as the user wrote it
	kind string // "run", "card", "catalog", "files"
	// ix has all runs of the side's catalog or files.
	ix    *figure.Index
	runs  []sideRun
	notes []string
}

// sideRun is one run to compare: of files the points of all that repeat it.
type sideRun struct {
	*figure.Run
	of []*figure.Run
}

func (a *app) compare(ctx context.Context, f compareFlags, nameA, nameB string) error {
	if !slices.Contains([]string{"text", "markdown", "json"}, f.format) {
		return usage("--format %q: give text, markdown or json", f.format)
	}
	var gates []compare.Gate
	for _, list := range f.failOn {
		gs, err := compare.ParseGates(list)
		if err != nil {
			return usage("--fail-on %w", err)
		}
		gates = append(gates, gs...)
	}
	if nameA == "-" && nameB == "-" {
		return usage("standard input cannot be both sides")
	}
	sa, err := a.side(ctx, nameA)
	if err != nil {
		return err
	}
	sb, err := a.side(ctx, nameB)
	if err != nil {
		return err
	}
	out := newComparison(sa, sb, gates, f)
	var b bytes.Buffer
	switch f.format {
	case "json":
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		err = enc.Encode(out)
	case "markdown":
		out.markdown(&b)
	default:
		err = out.text(&b)
	}
	if err != nil {
		return failed(err)
	}
	a.progress.clear()
	w := bufio.NewWriter(a.stdout)
	_, _ = w.Write(b.Bytes()) // Flush has the error
	if err := w.Flush(); err != nil {
		return failed(err)
	}
	return a.gate(out, f)
}

// gate says what the limits came to, and decides the exit status.
func (a *app) gate(out *comparison, f compareFlags) error {
	if out.Verdict == verdictRefused {
		return &exit{exitFindings, fmt.Errorf("nothing can be compared: %s", out.Refused)}
	}
	var bad, open []string
	for _, l := range out.Limits {
		switch {
		case l.State == compare.GateExceeded.String(), l.State == compare.GateMissing.String():
			bad = append(bad, l.Limit+": "+l.State)
		case l.State == compare.GateNoClaim.String() && f.uncertain:
			bad = append(bad, l.Limit+": exceeded, --fail-uncertain")
		case l.State != compare.GateKept.String():
			open = append(open, l.Limit+" is exceeded by the medians, but the data cannot tell: "+l.State)
		}
	}
	for _, o := range open {
		if a.json {
			a.object(a.stderr, map[string]any{"kind": "note", "message": o})
		} else {
			a.say("inferdex: %s", o)
		}
	}
	if len(bad) > 0 {
		return &exit{exitFindings, errors.New(strings.Join(bad, "; "))}
	}
	return nil
}

// side finds what an argument names.
func (a *app) side(ctx context.Context, name string) (*side, error) {
	if name == "-" {
		return a.filesSide(ctx, name)
	}
	info, statErr := os.Stat(a.path(name))
	plain := !strings.ContainsAny(name, `/\`) && name != "." && name != ".." && name != ""
	if plain {
		c, err := a.stored()
		switch {
		case err != nil && statErr != nil:
			return nil, err
		case err == nil && len(c.Runs) > 0:
			s, err := named(figure.NewIndex(c, a.names()), name)
			if s != nil || err != nil && statErr != nil {
				return s, err
			}
		case statErr != nil:
			return nil, usage("%q is no file, and %s holds no runs", name, a.path(catalogDir))
		}
	}
	if statErr != nil {
		if errors.Is(statErr, fs.ErrNotExist) {
			return nil, failed(fmt.Errorf("%q does not exist", name))
		}
		return nil, failed(statErr)
	}
	if info.IsDir() {
		if ci, err := os.Stat(filepath.Join(a.path(name), catalogDir)); err == nil && ci.IsDir() {
			return a.catalogSide(name)
		}
	}
	return a.filesSide(ctx, name)
}

// named finds a run or a card.
func named(ix *figure.Index, name string) (*side, error) {
	if i := slices.IndexFunc(ix.Cards, func(c *figure.Card) bool { return c.Slug == name }); i >= 0 {
		r := ix.Cards[i].Newest()
		return &side{name: name, kind: "card", ix: ix, runs: []sideRun{{r, []*figure.Run{r}}}}, nil
	}
	var found []*figure.Run
	for _, r := range ix.Runs {
		if r.ID == name || slices.Contains(r.Formerly, name) {
			found = []*figure.Run{r}
			break
		}
		if strings.HasPrefix(r.ID, name) {
			found = append(found, r)
		}
	}
	switch len(found) {
	case 0:
		return nil, usage("no run, no card and no file is named %q; inferdex list runs has the ids, inferdex list cards --json the names of cards", name)
	case 1:
		return &side{name: name, kind: "run", ix: ix, runs: []sideRun{{found[0], found}}}, nil
	}
	return nil, usage("%d runs begin with %q; write more of the id", len(found), name)
}

// catalogSide opens another catalog with its own names.
func (a *app) catalogSide(name string) (*side, error) {
	other := *a
	other.dir = a.path(name)
	ix, _, err := other.load()
	if err != nil {
		return nil, err
	}
	s := &side{name: name, kind: "catalog", ix: ix}
	for _, c := range ix.Cards {
		r := c.Newest()
		s.runs = append(s.runs, sideRun{r, []*figure.Run{r}})
	}
	return s, nil
}

// filesSide reads result files in memory.
func (a *app) filesSide(ctx context.Context, name string) (*side, error) {
	conf, err := a.config()
	if err != nil {
		return nil, err
	}
	o := normalize.Options{Config: conf, Formats: format.All(), Names: a.names()}
	inputs, sidecars, err := a.inputs([]string{name})
	if err != nil {
		return nil, failed(err)
	}
	reading, err := ingest.Read(ctx, inputs, ingest.Options{Formats: o.Formats, Limits: limits(conf), Sidecar: settings.IsSidecar, TempFile: tempFile})
	if err != nil {
		return nil, failed(err)
	}
	for _, s := range reading.Sidecars {
		sidecars[s.Path] = s.Data
	}
	var diags []settings.Diagnostic
	o.Sidecars, diags = settings.LoadSidecars(sidecars)
	a.diagnose(diags)
	o.Inputs = []string{inputs[0].Name}
	done, err := normalize.Catalog(reading, nil, o)
	if err != nil {
		return nil, failed(err)
	}
	broken := 0
	for _, r := range reading.Records {
		if e, ok := r.(*record.SyntaxError); ok {
			a.diagnostic(e.At.File, e.At.Line, e.At.Col, redact.Message(e.Text))
			broken++
		}
	}
	s := &side{name: name, kind: "files", ix: figure.NewIndex(&catalog.Catalog{Runs: done.Runs}, o.Names)}
	if len(s.ix.Runs) == 0 {
		return nil, &exit{exitFindings, fmt.Errorf("%q: nothing was recognised: 'inferdex formats' lists what can be read, 'inferdex ingest -v' says why each file was ignored", name)}
	}
	if broken > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%d places of %q could not be read", broken, name))
	}
	args := compare.NewArguments(s.ix.Names, s.ix.Runs)
	for _, c := range s.ix.Cards {
		var groups [][]*figure.Run
		for _, r := range c.Runs {
			i := slices.IndexFunc(groups, func(g []*figure.Run) bool { return args.Repeat(g[0], r) })
			if i < 0 {
				groups = append(groups, []*figure.Run{r})
			} else {
				groups[i] = append(groups[i], r)
			}
		}
		head := c.Newest()
		of := groups[slices.IndexFunc(groups, func(g []*figure.Run) bool { return slices.Contains(g, head) })]
		s.runs = append(s.runs, sideRun{compare.Pool(of), of})
		left := 0
		for _, g := range groups {
			switch {
			case g[0] == of[0]:
			case g[0].Named:
				s.runs = append(s.runs, sideRun{compare.Pool(g), g})
			default:
				left += len(g)
			}
		}
		if left > 0 {
			s.notes = append(s.notes, fmt.Sprintf("%q holds %s of %s that nobody named and that differ in more than their date: %s is compared, with what repeats it",
				name, counted(len(c.Runs), "run"), c.Title(), head.Series))
		}
	}
	return s, nil
}

// The verdicts of a comparison.
const (
	verdictCompared  = "compared"  // no limits were given
	verdictKept      = "kept"      // all limits are kept
	verdictUncertain = "uncertain" // a limit is exceeded by medians that the data cannot tell apart
	verdictExceeded  = "exceeded"  // a limit is exceeded or cannot be held
	verdictRefused   = "refused"   // nothing of the two can be compared
)

// comparison is all that is printed, in the form of --format json. Numbers are in base units.
type comparison struct {
	A       sideObject    `json:"a"`
	B       sideObject    `json:"b"`
	Verdict string        `json:"verdict"`
	Refused string        `json:"refused,omitempty"`
	Pairs   []pairObject  `json:"pairs"`
	Limits  []limitObject `json:"limits,omitempty"`
	Notes   []string      `json:"notes,omitempty"`
}

type sideObject struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// pairObject is two runs.
type pairObject struct {
	A comparedRun `json:"a"`
	B comparedRun `json:"b"`
	// Refused is why nothing of the two is compared.
	Refused   string           `json:"refused,omitempty"`
	Labels    []string         `json:"labels,omitempty"`
	Workloads []workloadObject `json:"workloads"`
	// Alone are workloads that only one of the two has, with what the nearest differs in.
	Alone      []aloneObject     `json:"not_compared,omitempty"`
	Parameters parameterDiffered `json:"parameters"`
}

type comparedRun struct {
	Runs      []string `json:"runs"`
	Model     string   `json:"model"`
	Hardware  string   `json:"hardware"`
	Engine    string   `json:"engine,omitempty"`
	Series    string   `json:"series"`
	Started   string   `json:"started,omitempty"`
	Withdrawn string   `json:"withdrawn,omitempty"`
	card      string
}

type workloadObject struct {
	Title    string       `json:"title"`
	Axis     string       `json:"axis,omitempty"`
	Amber    bool         `json:"amber"`
	Cautions []string     `json:"cautions,omitempty"`
	Loads    []loadObject `json:"loads"`
	// OnlyA and OnlyB are loads that one side alone was measured at.
	OnlyA []record.Float `json:"loads_only_a,omitempty"`
	OnlyB []record.Float `json:"loads_only_b,omitempty"`
}

type loadObject struct {
	Load record.Float `json:"load"`
	text string
	Rows []rowObject `json:"rows"`
}

type rowObject struct {
	Metric    metric.ID      `json:"metric"`
	Stat      string         `json:"stat"`
	Unit      string         `json:"unit"`
	A         summaryObject  `json:"a"`
	B         summaryObject  `json:"b"`
	Delta     float64        `json:"delta"`
	Ratio     catalog.Number `json:"ratio"`
	Change    catalog.Number `json:"change"`
	Better    string         `json:"better,omitempty"` // "a", "b", "" where neither is
	Certainty string         `json:"certainty"`
	d         compare.Difference
}

type summaryObject struct {
	N      int     `json:"n"`
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	// Confidence is that of the interval from low to high; null: they are the smallest and the largest.
	Confidence catalog.Number `json:"confidence"`
	// Requests are those of too few measurements, whose median has the interval from RequestLow to
	// RequestHigh: it says nothing of what another measurement would give.
	Requests    int64    `json:"requests,omitempty"`
	RequestLow  *float64 `json:"request_low,omitempty"`
	RequestHigh *float64 `json:"request_high,omitempty"`
}

type aloneObject struct {
	Side     string   `json:"side"`
	Workload string   `json:"workload"`
	Nearest  string   `json:"nearest,omitempty"`
	Differs  []string `json:"differs"`
}

type parameterDiffered struct {
	Differs    []parameterObject `json:"differs"`
	OneVersion []parameterObject `json:"one_version,omitempty"`
	// Unclear counts parameters of which one side's effective value is not known.
	Unclear int `json:"unclear"`
	Same    int `json:"same"`
}

type parameterObject struct {
	Kind compare.ParameterKind `json:"kind"`
	Name string                `json:"name"`
	// A and B are the effective values, null where not known.
	A *string `json:"a"`
	B *string `json:"b"`
	a string
	b string
}

// limitObject is one limit with the places it was held against.
type limitObject struct {
	Limit string `json:"limit"`
	State string `json:"state"`
	// Places are all loads where it is not kept; KeptAt counts the others.
	Places []limitPlace `json:"places,omitempty"`
	KeptAt int          `json:"kept_at"`
}

type limitPlace struct {
	Pair     string        `json:"pair"`
	Workload string        `json:"workload"`
	Load     record.Float  `json:"load"`
	Stat     string        `json:"stat"`
	State    string        `json:"state"`
	Change   *record.Float `json:"change"`
	Why      string        `json:"why"`
	text     string
}

// newComparison pairs the runs of two sides and compares each pair.
func newComparison(a, b *side, gates []compare.Gate, f compareFlags) *comparison {
	c := &comparison{A: sideObject{a.name, a.kind}, B: sideObject{b.name, b.kind}, Pairs: []pairObject{}, Notes: slices.Concat(a.notes, b.notes)}
	type held struct {
		state  compare.GateState
		result limitObject
		any    bool
	}
	limits := make([]held, len(gates))
	for i, g := range gates {
		limits[i].result.Limit = g.Text
	}
	// What both sides teach of the arguments of engine versions.
	learn := compare.NewArguments(a.ix.Names, slices.Concat(a.ix.Runs, b.ix.Runs))
	pairs, onlyA, onlyB := pairUp(a, b)
	for _, only := range []struct {
		s     *side
		cards []string
	}{{a, onlyA}, {b, onlyB}} {
		if n := len(only.cards); n > 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("only %q has %s", only.s.name, strings.Join(firstOf(only.cards, 10), "; ")))
		}
	}
	for _, p := range pairs {
		o := pairObject{A: newComparedRun(p[0]), B: newComparedRun(p[1]), Workloads: []workloadObject{}}
		comparable := compare.Comparable(p[0].Run, p[1].Run)
		o.Refused, o.Labels = comparable.Refused(), comparable.Labels
		for _, m := range comparable.Matches {
			w := workloadObject{Title: m.A.Title, Axis: m.A.Axis, Amber: m.Amber, Cautions: m.Cautions, Loads: []loadObject{}}
			w.OnlyA, w.OnlyB = onlyLoads(m.A, m.B), onlyLoads(m.B, m.A)
			for _, row := range compare.Rows(m.A, m.B) {
				w.Loads = append(w.Loads, newLoad(row, gates, f.all))
			}
			o.Workloads = append(o.Workloads, w)
			for i, g := range gates {
				for _, r := range g.Check(m.A, m.B) {
					l := &limits[i]
					l.any, l.state = true, max(l.state, r.State)
					if r.State == compare.GateKept {
						l.result.KeptAt++
						continue
					}
					place := limitPlace{Pair: o.A.card, Workload: m.A.Title, Load: record.Float(r.Load), Stat: r.Stat, State: r.State.String(), Why: r.Why, text: loadWords(m.A.AllAt(r.Load)[0])}
					if r.State != compare.GateMissing {
						change := record.Float(r.Change)
						place.Change = &change
					}
					l.result.Places = append(l.result.Places, place)
				}
			}
		}
		if len(o.Workloads) > 0 && !slices.ContainsFunc(o.Workloads, func(w workloadObject) bool { return len(w.Loads) > 0 }) {
			o.Refused = "no load in common"
		}
		for _, m := range comparable.Mismatches {
			x := aloneObject{Side: "a", Differs: m.Reasons}
			switch {
			case m.A == nil:
				x.Side, x.Workload = "b", m.B.Title
			case m.B == nil:
				x.Workload = m.A.Title
			default:
				x.Workload, x.Nearest = m.A.Title, m.B.Title
			}
			o.Alone = append(o.Alone, x)
		}
		o.Parameters = newParameters(learn.Diff(p[0].Run, p[1].Run))
		c.Pairs = append(c.Pairs, o)
	}
	c.Verdict = verdictCompared
	if len(gates) > 0 {
		c.Verdict = verdictKept
	}
	for i := range limits {
		l := &limits[i]
		if !l.any {
			l.state = compare.GateMissing
		}
		l.result.State = l.state.String()
		c.Limits = append(c.Limits, l.result)
		switch l.state {
		case compare.GateExceeded, compare.GateMissing:
			c.Verdict = verdictExceeded
		case compare.GateNoClaim, compare.GateNotDistinguishable:
			if c.Verdict == verdictKept {
				c.Verdict = verdictUncertain
			}
		}
	}
	if !slices.ContainsFunc(c.Pairs, func(p pairObject) bool { return p.Refused == "" }) {
		c.Verdict, c.Refused = verdictRefused, "no model on one hardware is in both"
		if len(c.Pairs) > 0 {
			c.Refused = c.Pairs[0].Refused
		}
	}
	return c
}

// pairUp joins the runs of two sides by model and hardware, whatever they are where each side has
// one card alone, and within a card by the name of their series: what has none or finds none is
// the first of its card. only are what one side alone has.
func pairUp(a, b *side) (pairs [][2]sideRun, onlyA, onlyB []string) {
	cards := func(s *side) (slugs []string) {
		for _, r := range s.runs {
			if !slices.Contains(slugs, r.Card.Slug) {
				slugs = append(slugs, r.Card.Slug)
			}
		}
		return slugs
	}
	same := func(x, y sideRun) bool { return x.Card.Slug == y.Card.Slug }
	if len(cards(a)) == 1 && len(cards(b)) == 1 {
		same = func(x, y sideRun) bool { return true }
	}
	ofA, ofB := make([]int, len(a.runs)), make([]int, len(b.runs)) // 1 + index in the other
	join := func(i, j int) { ofA[i], ofB[j] = j+1, i+1 }
	for i, ra := range a.runs {
		for j, rb := range b.runs {
			if ofA[i] == 0 && ofB[j] == 0 && same(ra, rb) && ra.Named && rb.Named && ra.Series == rb.Series {
				join(i, j)
			}
		}
	}
	paired := func(of []int, runs []sideRun, r sideRun) bool {
		for i, o := range of {
			if o > 0 && runs[i].Card.Slug == r.Card.Slug {
				return true
			}
		}
		return false
	}
	for i, ra := range a.runs {
		j := slices.IndexFunc(b.runs, func(rb sideRun) bool { return same(ra, rb) })
		if j >= 0 && !paired(ofA, a.runs, ra) && !paired(ofB, b.runs, b.runs[j]) {
			join(i, j)
		}
	}
	for i, ra := range a.runs {
		if ofA[i] == 0 {
			onlyA = append(onlyA, ra.title())
			continue
		}
		rb := b.runs[ofA[i]-1]
		if b.kind == "catalog" && len(compare.Comparable(ra.Run, rb.Run).Matches) == 0 {
			// The head of the card measured something else; an older run may have the workload.
			for _, o := range rb.Card.Runs {
				if o.Withdrawn == "" && len(compare.Comparable(ra.Run, o).Matches) > 0 {
					rb = sideRun{o, []*figure.Run{o}}
					break
				}
			}
		}
		pairs = append(pairs, [2]sideRun{ra, rb})
	}
	for j, rb := range b.runs {
		if ofB[j] == 0 {
			onlyB = append(onlyB, rb.title())
		}
	}
	if a.kind == "run" || a.kind == "card" {
		onlyB = nil // nobody asked for the rest of the catalog
	}
	if b.kind == "run" || b.kind == "card" {
		onlyA = nil
	}
	return pairs, onlyA, onlyB
}

func (r sideRun) title() string {
	if r.Named {
		return r.Card.Title() + ", " + r.Series
	}
	return r.Card.Title()
}

func firstOf(ss []string, n int) []string {
	if len(ss) <= n {
		return ss
	}
	return append(slices.Clone(ss[:n]), fmt.Sprintf("%d more", len(ss)-n))
}

func newComparedRun(r sideRun) comparedRun {
	o := comparedRun{Model: r.Model.Name, Hardware: r.Hardware.Name, Engine: engineText(r.Run), Series: r.Series, Started: r.Started, Withdrawn: r.Withdrawn, card: r.Card.Title()}
	for _, m := range r.of {
		o.Runs = append(o.Runs, m.ID)
	}
	return o
}

func onlyLoads(a, b *figure.Scenario) (ls []record.Float) {
	of := b.Loads()
	for _, l := range a.Loads() {
		if !slices.Contains(of, l) {
			ls = append(ls, record.Float(l))
		}
	}
	return ls
}

func loadWords(p *catalog.Point) string {
	if s := figure.LoadPhrase(p); s != "" {
		return s
	}
	return "load not recorded"
}

// newLoad are the rows of a load: value, median and p99, the mean where there is no median, and
// what a limit names; with all every statistic.
func newLoad(row compare.Row, gates []compare.Gate, all bool) loadObject {
	o := loadObject{Load: record.Float(row.Load), text: loadWords(row.A[0]), Rows: []rowObject{}}
	add := func(d compare.Difference) {
		info, _ := metric.Lookup(d.Metric)
		r := rowObject{Metric: d.Metric, Stat: d.Stat, Unit: info.Unit, A: newSummary(d.A), B: newSummary(d.B),
			Delta: d.Delta, Ratio: d.Ratio, Change: d.Change, Certainty: d.Certainty.String(), d: d}
		switch d.Winner {
		case -1:
			r.Better = "a"
		case 1:
			r.Better = "b"
		}
		o.Rows = append(o.Rows, r)
	}
	has := func(m metric.ID, stat string) bool {
		return slices.ContainsFunc(row.Differences, func(d compare.Difference) bool { return d.Metric == m && d.Stat == stat })
	}
	for _, d := range row.Differences {
		shown := all || d.Stat == metric.Value || d.Stat == metric.Median || d.Stat == metric.P99 || d.Stat == metric.Mean && !has(d.Metric, metric.Median) ||
			slices.ContainsFunc(gates, func(g compare.Gate) bool { return g.Metric == d.Metric && g.Stat == d.Stat })
		if shown && (all || compared(d)) {
			add(d)
		}
	}
	for _, g := range gates {
		if has(g.Metric, g.Stat) || g.Stat == "" {
			continue
		}
		if d, ok := compare.DifferPoints(g.Metric, g.Stat, row.A, row.B); ok {
			add(d)
		}
	}
	if d, ok := compare.Differ(metric.SuccessRate, metric.Value, compare.Measurements(row.A, metric.SuccessRate, metric.Value), compare.Measurements(row.B, metric.SuccessRate, metric.Value)); ok && (all || d.A.Lo < 1 || d.B.Lo < 1) {
		add(d)
	}
	return o
}

// compared leaves out what describes a measurement rather than what was measured.
func compared(d compare.Difference) bool {
	info, _ := metric.Lookup(d.Metric)
	return !info.Describes
}

func newSummary(s figure.Summary) summaryObject {
	o := summaryObject{N: s.N, Median: s.Median, Low: s.Lo, High: s.Hi}
	if s.Confidence > 0 {
		o.Confidence = &s.Confidence
	}
	if s.Requests > 0 {
		o.Requests, o.RequestLow, o.RequestHigh = s.Requests, &s.RequestLo, &s.RequestHi
	}
	return o
}

func newParameters(d compare.ParameterDiff) parameterDiffered {
	rows := func(of []compare.ParameterRow) []parameterObject {
		os := []parameterObject{}
		for _, r := range of {
			o := parameterObject{Kind: r.Kind, Name: r.Name, a: cellText(r.Cells[0]), b: cellText(r.Cells[1])}
			for i, to := range []**string{&o.A, &o.B} {
				if r.Cells[i].Known {
					v := r.Cells[i].Effective
					*to = &v
				}
			}
			os = append(os, o)
		}
		return os
	}
	out := parameterDiffered{Differs: rows(d.Differs), Unclear: len(d.Unclear), Same: len(d.Same)}
	if len(d.OneVersion) > 0 {
		out.OneVersion = rows(d.OneVersion)
	}
	return out
}

// cellText is an effective value with what has to be known of it.
func cellText(c compare.ParameterCell) string {
	switch {
	case c.Known && c.Default:
		return c.Effective + " (default)"
	case c.Known:
		return c.Effective
	case c.State == compare.StateUnknownToVersion:
		return "unknown to this version"
	case c.State == compare.StateRedacted:
		return "redacted"
	}
	return "not recorded"
}

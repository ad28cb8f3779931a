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

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/redact"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/normalize"
	"github.com/inferdex/inferdex/ingest/record"
)

type compareFlags struct {
	format    string
	failOn    []string
	uncertain bool
	all       bool
	set       []string
	baseline  string
	last      int
}

// The words of --baseline; any other is the name of a card.
const (
	baselineRun  = "run"
	baselineCard = "card"
)

const compareWhat = "compare what? give two of run, card, catalog, result files, or a snapshot"

func (a *app) compareCommand() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two runs, cards, catalogs or sets of result files",
		Long: `Compare A, the baseline, with B. Each is one of

  a run        its id or the beginning of it
  a card       its name, as in its address: the run that heads it
  a snapshot   its tag; given alone it is compared with the catalog as it is now
  a catalog    a directory with data/catalog; cards of both are paired by model and hardware
  files        results as for 'inferdex ingest', or - for standard input; nothing is written.
               Runs that nothing tells apart but their date count as repetitions of each other.
               --set says what they do not, as for 'inferdex ingest'

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
  missing               A has the figure at a load and B has not, a file of B cannot be read, or
                        no load holds it: exit status 1
  kept                  exit status 0

Where A has nothing yet (an empty folder, a catalog without runs or, with --baseline, without earlier
runs of the card), there is no baseline: that is said, and the exit status is 0.

--baseline card holds the limits against the last runs of B's card, in this catalog or in A, each run one
value: the change is that from the mean of the present level, which begins at the last change point
(E-divisive, t-test with p < 0.001), and it is exceeded where B also lies outside of the interval that
these runs let expect with 95 %. With fewer than six runs there is no claim. --baseline NAME takes the
runs of another card. Runs without a date are left out, and so are those of another engine or series.

--format json is one object on one line: "a" and "b", "verdict" (compared, kept, uncertain, exceeded, refused,
no baseline),
"pairs" with runs, workloads, loads and rows in base units, parameters that differ, and "limits".

Exit status: 0 done; 1 a limit is exceeded or cannot be held, or nothing can be compared; 2 usage;
3 something could not be read.`,
		Example: `  inferdex compare qfvysyj647pz jaxpmmiy6jlr
  inferdex compare results-main/ results-pr/ --fail-on 'output_throughput<-5%,ttft.p99>+10%'
  inferdex compare 2026-q3
  inferdex compare ../baseline . --format markdown >> "$GITHUB_STEP_SUMMARY"
  inferdex compare results/ --baseline card --set hardware=H100 --fail-on 'output_throughput<-5%'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 {
				return usage(compareWhat)
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 1 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			cards, runs := a.subjects()
			tags, _ := a.snapshots() // nothing is said while a line is typed
			return slices.Concat(tags, cards, runs), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.agree(a, cmd); err != nil {
				return err
			}
			if len(args) == 1 && f.baseline == baselineRun {
				if tags, err := a.snapshots(); err != nil {
					return err
				} else if !slices.Contains(tags, args[0]) {
					return usage(compareWhat)
				}
				args = append(args, ".")
			}
			return a.compare(cmd.Context(), f, args)
		},
	}
	f.register(a, cmd)
	return cmd
}

// agree says which flags exclude each other; --json is the format json.
func (f *compareFlags) agree(a *app, cmd *cobra.Command) error {
	if a.json {
		if cmd.Flags().Changed("format") && f.format != "json" {
			return usage("--json and --format %s exclude each other", f.format)
		}
		f.format = "json"
	}
	if f.baseline == baselineRun && cmd.Flags().Changed("last") {
		return usage("--last counts the runs of --baseline card")
	}
	if f.last < 1 {
		return usage("--last %d: give how many runs to look back", f.last)
	}
	return nil
}

// register adds the flags to a command.
func (f *compareFlags) register(a *app, cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.format, "format", "text", "text, markdown or json")
	cmd.Flags().StringArrayVar(&f.failOn, "fail-on", nil, "`LIMITS` such as 'output_throughput<-5%,ttft.p99>+10%'")
	cmd.Flags().BoolVar(&f.uncertain, "fail-uncertain", false,
		"exit with 1 also where a limit is exceeded and the data make no claim")
	cmd.Flags().BoolVar(&f.all, "all", false, "every statistic, not only value, median and p99")
	cmd.Flags().StringVar(&f.baseline, "baseline", baselineRun, "what limits are held against: run, the newest one "+
		"of A; card, the last runs of each card; or the name of a `CARD`")
	cmd.Flags().IntVar(&f.last, "last", 20, "how many `RUNS` --baseline card looks back")
	cmd.Flags().StringArrayVar(&f.set, "set", nil,
		"metadata that nothing else states of result files, as `KEY=VALUE` (keys as in run.toml)")
	_ = cmd.RegisterFlagCompletionFunc("baseline", func(*cobra.Command, []string, string) (
		[]string, cobra.ShellCompDirective,
	) {
		cards, _ := a.subjects()
		return append([]string{baselineRun, baselineCard}, cards...), cobra.ShellCompDirectiveNoFileComp
	})
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"text", "markdown", "json"},
		cobra.ShellCompDirectiveNoFileComp))
}

func (a *app) compare(ctx context.Context, f compareFlags, names []string) error {
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
	if len(names) == 2 && names[0] == "-" && names[1] == "-" {
		return usage("standard input cannot be both sides")
	}
	sa, sb, err := a.sides(ctx, f, names)
	if err != nil {
		return err
	}
	out := comparison{compare.Sides(sa, sb, gates, f.all)}
	var b bytes.Buffer
	switch f.format {
	case "json":
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		err = enc.Encode(out.Comparison)
	case "markdown":
		out.markdown(&b)
	default:
		err = out.text(&b)
	}
	if err != nil {
		return failed(err)
	}
	w := bufio.NewWriter(a.stdout)
	_, _ = w.Write(b.Bytes()) // Flush has the error
	if err := w.Flush(); err != nil {
		return failed(err)
	}
	return a.gate(out, f)
}

// gate says what the limits came to, and decides the exit status.
func (a *app) gate(out comparison, f compareFlags) error {
	switch out.Verdict {
	case compare.Refused:
		return &exit{exitFindings, fmt.Errorf("nothing can be compared: %s", out.Refused)}
	case compare.NoBaseline:
		a.remark(out.noBaseline())
		return nil
	}
	var bad, open []string
	for _, l := range out.Limits {
		switch {
		case l.State == compare.GateExceeded, l.State == compare.GateMissing:
			bad = append(bad, l.Limit+": "+l.State.String())
		case l.State == compare.GateNoClaim && f.uncertain:
			bad = append(bad, l.Limit+": exceeded, --fail-uncertain")
		case l.State != compare.GateKept:
			open = append(open, l.Limit+" is exceeded by the medians, but the data cannot tell: "+l.State.String())
		}
	}
	for _, o := range open {
		a.remark(o)
	}
	if len(bad) > 0 {
		return &exit{exitFindings, errors.New(strings.Join(bad, "; "))}
	}
	if n := len(out.B.Unreadable); n > 0 && len(out.Limits) == 0 {
		return failed(fmt.Errorf("%s of %q cannot be read", metric.Plural(n, "place"), out.B.Name))
	}
	return nil
}

// remark says what a reader has to know of a result that is none the less one.
func (a *app) remark(text string) {
	if a.json && !a.quiet {
		a.object(a.stderr, map[string]any{"kind": "note", "severity": record.Remark, "code": "compare", "message": text})
		return
	}
	a.note("inferdex: %s", text)
}

// sides finds what the arguments name. The first of two is the baseline.
func (a *app) sides(ctx context.Context, f compareFlags, names []string) (first, second *compare.Subject, err error) {
	nameB := names[len(names)-1]
	if f.baseline == baselineRun {
		if first, err = a.side(ctx, f, names[0], true); err == nil {
			second, err = a.side(ctx, f, nameB, false)
		}
		return first, second, err
	}
	if second, err = a.side(ctx, f, nameB, false); err != nil {
		return nil, nil, err
	}
	from := *a
	name := f.baseline
	if len(names) == 2 {
		from.dir, name = a.path(names[0]), names[0]
		if info, err := os.Stat(from.dir); err != nil || !info.IsDir() {
			return nil, nil, usage("--baseline takes the runs of a catalog: %q is no directory", names[0])
		}
	}
	c, err := from.catalogOf()
	if err != nil {
		return nil, nil, err
	}
	ix, err := from.index(c)
	if err != nil {
		return nil, nil, err
	}
	if f.baseline == baselineCard {
		return compare.HistorySide(name, ix, second, f.last), second, nil
	}
	i := slices.IndexFunc(ix.Cards, func(c *figure.Card) bool { return c.Slug == f.baseline })
	if i < 0 {
		return nil, nil, usage("--baseline %q: give run, card or the name of a card: 'inferdex list cards' has "+
			"them", f.baseline)
	}
	return compare.HistoryOfCard(name, ix, ix.Cards[i], second, f.last), second, nil
}

// side finds what an argument names. A baseline may be empty: the first change has none.
func (a *app) side(ctx context.Context, f compareFlags, name string, baseline bool) (*compare.Subject, error) {
	if name == "-" {
		return a.filesSide(ctx, f, name, baseline)
	}
	info, statErr := os.Stat(a.path(name))
	plain := !strings.ContainsAny(name, `/\`) && name != "." && name != ".." && name != ""
	if plain {
		if tags, err := a.snapshots(); err != nil {
			return nil, err
		} else if slices.Contains(tags, name) {
			return a.snapshotSide(name)
		}
		ix, err := a.around(name)
		switch {
		case err != nil && statErr != nil:
			return nil, err
		case err == nil && ix != nil:
			s, err := named(ix, name)
			if s != nil || err != nil && statErr != nil {
				return s, err
			}
		case statErr != nil:
			return nil, usage("%q is no file, and %s holds no runs", name, a.path(catalogDir))
		}
	}
	if statErr != nil {
		if errors.Is(statErr, fs.ErrNotExist) && baseline {
			return nil, failed(fmt.Errorf("%q does not exist; where there is no baseline yet, give an empty "+
				"folder", name))
		}
		if errors.Is(statErr, fs.ErrNotExist) {
			return nil, failed(fmt.Errorf("%q does not exist", name))
		}
		return nil, failed(statErr)
	}
	if info.IsDir() {
		for _, of := range []string{catalogDir, configFile} {
			if _, err := os.Stat(filepath.Join(a.path(name), of)); err == nil {
				return a.catalogSide(name, baseline)
			}
		}
	}
	return a.filesSide(ctx, f, name, baseline)
}

// named finds a run or a card.
func named(ix *figure.Index, name string) (*compare.Subject, error) {
	card, r, err := ix.Find(name)
	if _, unnamed := errors.AsType[*figure.Unnamed](err); unnamed {
		return nil, usage("no file, %w", err)
	} else if err != nil {
		return nil, usage("%w", err)
	}
	s := &compare.Subject{Name: name, Kind: compare.OfRun, Index: ix,
		Runs: []compare.Measured{compare.NewMeasured(r)}}
	if card != nil {
		s.Kind = compare.OfCard
	}
	return s, nil
}

// snapshotSide opens what a snapshot froze, with the names of this catalog.
func (a *app) snapshotSide(tag string) (*compare.Subject, error) {
	fsys, err := openZip(a.path(filepath.Join(snapshotsDir, tag, datasetFile)))
	if err != nil {
		return nil, err
	}
	c, err := catalog.Open(fsys)
	if err != nil {
		return nil, failed(fmt.Errorf("snapshot %q: %w", tag, err))
	}
	ix, err := a.index(c)
	if err != nil {
		return nil, err
	}
	return headsOf(tag, ix), nil
}

// headsOf is a catalog as the run of each card that heads it.
func headsOf(name string, ix *figure.Index) *compare.Subject {
	s := &compare.Subject{Name: name, Kind: compare.OfCatalog, Index: ix}
	for _, c := range ix.Cards {
		s.Runs = append(s.Runs, compare.NewMeasured(c.Head()))
	}
	return s
}

// catalogSide opens another catalog with its own names.
func (a *app) catalogSide(name string, baseline bool) (*compare.Subject, error) {
	other := *a
	other.dir = a.path(name)
	c, err := other.catalogOf()
	if err != nil {
		return nil, err
	}
	if len(c.Runs) == 0 && !baseline {
		return nil, failed(fmt.Errorf("%s holds no runs: run 'inferdex ingest' first", other.path(catalogDir)))
	}
	ix, err := other.index(c)
	if err != nil {
		return nil, err
	}
	return headsOf(name, ix), nil
}

// filesSide reads result files in memory.
func (a *app) filesSide(ctx context.Context, f compareFlags, name string, baseline bool) (*compare.Subject, error) {
	o, err := a.ingestOptions(ingestFlags{set: f.set})
	if err != nil {
		return nil, err
	}
	inputs, sidecars, err := a.inputs([]string{name}, standardInput(o.Config))
	if err != nil {
		return nil, failed(err)
	}
	reading, diags, err := a.read(ctx, &o, inputs, sidecars)
	if err != nil {
		return nil, failed(err)
	}
	if reading.Unreadable > 0 && baseline {
		a.reportSyntax(reading)
		return nil, failed(fmt.Errorf("%s: %s could not be read: nothing is compared with what is not known", name,
			metric.Plural(reading.Unreadable, "file")))
	}
	a.diagnose(diags)
	done, err := normalize.Alone(reading, o)
	if err != nil {
		return nil, failed(err)
	}
	s := &compare.Subject{Name: name, Kind: compare.OfFiles, Index: figure.NewIndex(&catalog.Catalog{Runs: done.Runs},
		o.Names)}
	a.reportSet(o.Set, s.Index.Runs)
	for _, r := range reading.Records {
		if e, ok := r.(*record.SyntaxError); ok {
			a.diagnostic(syntaxMistake, e.At.File, e.At.Line, e.At.Col, redact.Message(e.Text))
			s.Unreadable = append(s.Unreadable, redact.File(e.At.String())+": "+redact.Message(e.Text))
		}
	}
	if len(s.Index.Runs) == 0 && !(baseline && len(reading.Files) == 0) {
		return nil, &exit{exitFindings, fmt.Errorf("%q: nothing was recognised: 'inferdex formats' lists what can "+
			"be read, 'inferdex ingest -v' says why each file was ignored", name)}
	}
	if n := len(s.Unreadable); n > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%s of %q could not be read", metric.Plural(n, "place"), name))
	}
	gather(s)
	return s, nil
}

// gather fills in the runs of files: of each card the newest, those of other series that somebody
// named, each with what repeats it. Who names files says that what they hold belongs together,
// whatever machine it was.
func gather(s *compare.Subject) {
	args := compare.NewArguments(s.Index.Names, s.Index.Runs)
	for _, c := range append(slices.Clone(s.Index.Cards), figure.Gathered(s.Index.Unidentified())...) {
		var groups [][]*figure.Run
		for _, r := range c.Runs {
			i := slices.IndexFunc(groups, func(g []*figure.Run) bool { return args.Repeat(g[0], r) })
			if i < 0 {
				groups = append(groups, []*figure.Run{r})
			} else {
				groups[i] = append(groups[i], r)
			}
		}
		head := c.Head()
		of := groups[slices.IndexFunc(groups, func(g []*figure.Run) bool { return slices.Contains(g, head) })]
		s.Runs = append(s.Runs, compare.NewMeasured(of...))
		left := 0
		for _, g := range groups {
			switch {
			case g[0] == of[0]:
			case g[0].Named:
				s.Runs = append(s.Runs, compare.NewMeasured(g...))
			default:
				left += len(g)
			}
		}
		if left > 0 {
			s.Notes = append(s.Notes, fmt.Sprintf("%q holds %s of %s that nobody named and that differ in more "+
				"than their date: %s is compared, with what repeats it",
				s.Name, metric.Plural(len(c.Runs), "run"), c.Title(), head.Series))
		}
	}
}

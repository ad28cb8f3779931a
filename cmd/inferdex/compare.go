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

	"github.com/inferdex/inferdex"
	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
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
	cmd.Flags().BoolVar(&f.uncertain, "fail-uncertain", false,
		"exit with 1 also where a limit is exceeded and the data make no claim")
	cmd.Flags().BoolVar(&f.all, "all", false, "every statistic, not only value, median and p99")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"text", "markdown", "json"},
		cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// subjects are the names of runs and cards, for completion.
func (a *app) subjects() (names []string) {
	a.resolveDirs() // completion runs no hook before the command
	c, err := catalog.Open(folder(a.path(catalogDir)))
	if err != nil {
		return nil
	}
	own, _ := fs.Sub(inferdex.Files, dataDir)
	n, _ := settings.LoadNames(own, folder(a.path(dataDir)))
	ix := figure.NewIndex(c, n)
	for _, c := range ix.Cards {
		names = append(names, c.Slug+"\t"+oneLine(c.Title()))
	}
	for _, r := range ix.Runs {
		names = append(names, r.ID+"\t"+oneLine(r.Card.Title()+", "+r.Series))
	}
	return names
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
	a.progress.clear()
	w := bufio.NewWriter(a.stdout)
	_, _ = w.Write(b.Bytes()) // Flush has the error
	if err := w.Flush(); err != nil {
		return failed(err)
	}
	return a.gate(out, f)
}

// gate says what the limits came to, and decides the exit status.
func (a *app) gate(out comparison, f compareFlags) error {
	if out.Verdict == compare.Refused {
		return &exit{exitFindings, fmt.Errorf("nothing can be compared: %s", out.Refused)}
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
func (a *app) side(ctx context.Context, name string) (*compare.Subject, error) {
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
func named(ix *figure.Index, name string) (*compare.Subject, error) {
	if i := slices.IndexFunc(ix.Cards, func(c *figure.Card) bool { return c.Slug == name }); i >= 0 {
		r := ix.Cards[i].Newest()
		return &compare.Subject{Name: name, Kind: compare.OfCard, Index: ix,
			Runs: []compare.Measured{compare.NewMeasured(r)}}, nil
	}
	found := ix.Named(name)
	switch len(found) {
	case 0:
		return nil, usage("no run, no card and no file is named %q; inferdex list runs has the ids, inferdex list "+
			"cards --json the names of cards", name)
	case 1:
		return &compare.Subject{Name: name, Kind: compare.OfRun, Index: ix,
			Runs: []compare.Measured{compare.NewMeasured(found...)}}, nil
	}
	return nil, usage("%d runs begin with %q; write more of the id", len(found), name)
}

// catalogSide opens another catalog with its own names.
func (a *app) catalogSide(name string) (*compare.Subject, error) {
	other := *a
	other.dir = a.path(name)
	ix, _, err := other.load()
	if err != nil {
		return nil, err
	}
	s := &compare.Subject{Name: name, Kind: compare.OfCatalog, Index: ix}
	for _, c := range ix.Cards {
		r := c.Newest()
		s.Runs = append(s.Runs, compare.NewMeasured(r))
	}
	return s, nil
}

// filesSide reads result files in memory.
func (a *app) filesSide(ctx context.Context, name string) (*compare.Subject, error) {
	conf, err := a.config()
	if err != nil {
		return nil, err
	}
	formats, err := a.formats(conf)
	if err != nil {
		return nil, err
	}
	o := normalize.Options{Config: conf, Formats: formats, Names: a.names()}
	inputs, sidecars, err := a.inputs([]string{name}, standardInput(conf))
	if err != nil {
		return nil, failed(err)
	}
	reading, err := ingest.Read(ctx, inputs, ingest.Options{Formats: o.Formats, Limits: limits(conf),
		Sidecar: settings.IsSidecar, TempFile: tempFile})
	if err != nil {
		return nil, failed(err)
	}
	if reading.Unreadable > 0 {
		return nil, failed(fmt.Errorf("%s: %d of the files cannot be read", name, reading.Unreadable))
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
	s := &compare.Subject{Name: name, Kind: compare.OfFiles, Index: figure.NewIndex(&catalog.Catalog{Runs: done.Runs},
		o.Names)}
	if len(s.Index.Runs) == 0 {
		return nil, &exit{exitFindings, fmt.Errorf("%q: nothing was recognised: 'inferdex formats' lists what can "+
			"be read, 'inferdex ingest -v' says why each file was ignored", name)}
	}
	if broken > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d places of %q could not be read", broken, name))
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
		head := c.Newest()
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

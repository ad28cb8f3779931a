package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/export"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

func (a *app) exportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "export FORMAT",
		Short:   "Write runs in a format of other programs",
		Example: `  inferdex export benchmark-report jaxpmmiy6jlr > report.yaml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("export to what? give benchmark-report")
			}
			return usage("export %q: give benchmark-report", args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.exportReportCommand())
	return cmd
}

func (a *app) exportReportCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "benchmark-report RUN...",
		Short: "llm-d Benchmark Reports of version 0.2.1",
		Long: `Write the points of runs as llm-d Benchmark Reports of version 0.2.1: one report a point, as
YAML documents to standard output, or with --output as a file each. --json writes JSON instead, one
report a line; an infinite rate of requests, which JSON cannot write, is null there.

RUN is a run's id or the beginning of one ('inferdex list runs'). Statistics without a mean, which
such a report has no place for, stand in scenario.load.native.config.inferdex, and so do values that cannot be
believed, with the code of the finding; 'inferdex ingest' gets every number of a point back. Figures and profiles of a whole run are left out.`,
		Example: `  inferdex export benchmark-report jaxpmmiy6jlr > report.yaml
  inferdex export benchmark-report jaxpmmiy6jlr --output reports/`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("which run? give a run's id: inferdex list runs")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			ix, _, err := a.load()
			if err != nil {
				return err
			}
			var runs []*figure.Run
			for _, id := range args {
				r, err := findRun(ix, id)
				if err != nil {
					return err
				}
				if !slices.Contains(runs, r) {
					runs = append(runs, r)
				}
			}
			if output != "" {
				return a.exportFiles(runs, output)
			}
			w := bufio.NewWriter(a.stdout)
			for i, r := range runs {
				if err := export.WriteBenchmarkReports(w, r, a.json, i == 0); err != nil {
					return failed(err)
				}
			}
			return asFailed(w.Flush())
		},
	}
	cmd.Flags().StringVar(&output, "output", "", "write a file a report into `DIR`")
	return cmd
}

// findRun is the run of an id or of the beginning of one. A withdrawn run is not handed on.
func findRun(ix *figure.Index, id string) (*figure.Run, error) {
	found := ix.Named(id)
	switch {
	case len(found) == 0:
		return nil, usage("no run is named %q: inferdex list runs has their ids", id)
	case len(found) > 1:
		return nil, usage("%d runs begin with %q: write more of the id", len(found), id)
	case found[0].Withdrawn != "":
		return nil, usage("run %s is withdrawn: %q", found[0].ID, found[0].Withdrawn)
	case len(found[0].Points) == 0:
		return nil, usage("run %s has no measured point: there is nothing to report", found[0].ID)
	}
	return found[0], nil
}

// exportFiles writes a file a report.
func (a *app) exportFiles(runs []*figure.Run, dir string) error {
	dir = a.path(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return failed(err)
	}
	ext, n := ".yaml", 0
	if a.json {
		ext = ".json"
	}
	for _, r := range runs {
		docs, err := export.BenchmarkReports(r, a.json)
		if err != nil {
			return failed(err)
		}
		for i, doc := range docs {
			name := filepath.Join(dir, fmt.Sprintf("benchmark_report_v0.2.1_%s_%02d%s", r.ID, i+1, ext))
			if err := os.WriteFile(name, doc, 0o666); err != nil {
				return failed(err)
			}
			n++
		}
	}
	a.say("%s in %s", metric.Plural(n, "report"), dir)
	return nil
}

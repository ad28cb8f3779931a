package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

func (a *app) formatsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "formats",
		Short: "Show what can be read, and what cannot be known from it",
		Example: `  inferdex formats
  inferdex formats --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for i, f := range format.All() {
				if a.json {
					a.object(a.stdout,
						map[string]string{"name": f.Name, "title": f.Doc.Title, "tool": f.Doc.Tool,
							"command":  f.Doc.Command,
							"versions": f.Doc.Versions, "files": f.Doc.Files, "reads": f.Doc.Reads,
							"unknown": f.Doc.Unknown})
					continue
				}
				if i > 0 {
					fmt.Fprintln(a.stdout)
				}
				fmt.Fprintf(a.stdout, "%s: %s\n", f.Name, f.Doc.Title)
				for _, l := range [][2]string{{"tool", f.Doc.Tool}, {"command", f.Doc.Command},
					{"versions", f.Doc.Versions}, {"files", f.Doc.Files},
					{"reads", f.Doc.Reads}, {"not known", f.Doc.Unknown}} {
					if l[1] != "" {
						fmt.Fprintf(a.stdout, "  %-10s %s\n", l[0], l[1])
					}
				}
			}
			return nil
		},
	}
}

// formats are those that the program knows, with the tables that the settings map.
func (a *app) formats(conf *settings.Config) ([]*ingest.Format, error) {
	var tables []format.Table
	var diags []settings.Diagnostic
	for _, t := range conf.Tables {
		m := format.Table{Files: t.Match, Tool: t.Tool, Computed: t.Computed}
		for _, c := range t.Columns {
			if err := m.Column(c.Name, c.Meaning, settings.FactKeys()); err != nil {
				diags = append(diags,
					settings.Diagnostic{File: t.File, Line: c.Line, Message: fmt.Sprintf("column %q: %v", c.Name, err)})
			}
		}
		for _, f := range t.Facts {
			m.Facts = append(m.Facts,
				record.Fact{Key: f.Key, Value: f.Value, At: record.Pos{File: f.File, Line: f.Line}})
		}
		tables = append(tables, m)
	}
	if len(diags) > 0 {
		slices.SortStableFunc(diags, func(a, b settings.Diagnostic) int { return cmp.Compare(a.Line, b.Line) })
		a.diagnose(diags)
		return nil, &exit{exitUsage, fmt.Errorf("%s: %d to mend", configFile, len(diags))}
	}
	return format.With(tables), nil
}

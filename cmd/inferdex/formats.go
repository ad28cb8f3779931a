package main

import (
	"fmt"
	"strings"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/settings"
)

func (a *app) formatsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "formats [WORD]",
		Short: "Show what can be read, and what cannot be known from it",
		Long: `Show what can be read, and what cannot be known from it: all formats, the one that is named WORD, or those
in whose name, title, tool, command or files WORD stands.

Exit status: 0 done; 2 usage, a WORD that no format has among it.`,
		Example: `  inferdex formats
  inferdex formats sglang
  inferdex formats --json`,
		Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := formatsOf(strings.Join(args, ""))
			if err != nil {
				return err
			}
			for i, f := range list {
				a.describe(f, i > 0)
			}
			return nil
		},
	}
}

// formatsOf are the formats that a word names, or else those that have it; all of them for an empty one.
func formatsOf(word string) ([]*reading.Format, error) {
	var out []*reading.Format
	var names []string
	for _, f := range format.All() {
		if f.Name == word {
			return []*reading.Format{f}, nil
		}
		names = append(names, f.Name)
		for _, text := range []string{f.Name, f.Doc.Title, f.Doc.Tool, f.Doc.Command, f.Doc.Files} {
			if strings.Contains(strings.ToLower(text), strings.ToLower(word)) {
				out = append(out, f)
				break
			}
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	if near := settings.Nearest(word, names); near != "" {
		return nil, usage("no format has %q: did you mean %q?", word, near)
	}
	return nil, usage("no format has %q: 'inferdex formats' lists all", word)
}

// describe prints one format, behind an empty line where it is not the first.
func (a *app) describe(f *reading.Format, later bool) {
	if a.json {
		a.object(a.stdout, map[string]string{"kind": "format", "name": f.Name, "title": f.Doc.Title, "tool": f.Doc.Tool,
			"command": f.Doc.Command, "versions": f.Doc.Versions, "files": f.Doc.Files, "reads": f.Doc.Reads,
			"unknown": f.Doc.Unknown})
		return
	}
	if later {
		fmt.Fprintln(a.stdout)
	}
	fmt.Fprintf(a.stdout, "%s: %s\n", f.Name, f.Doc.Title)
	for _, l := range [][2]string{{"tool", f.Doc.Tool}, {"command", f.Doc.Command}, {"versions", f.Doc.Versions},
		{"files", f.Doc.Files}, {"reads", f.Doc.Reads}, {"not known", f.Doc.Unknown}} {
		if l[1] != "" {
			fmt.Fprintf(a.stdout, "  %-10s %s\n", l[0], l[1])
		}
	}
}

// formats are those that the program knows, with the tables that the settings map.
func (a *app) formats(conf *settings.Config) ([]*reading.Format, error) {
	list, diags := format.Mapped(conf.Tables)
	if len(diags) > 0 {
		a.diagnose(diags)
		return nil, &exit{exitUsage, fmt.Errorf("%s: %d to mend", configFile, len(diags))}
	}
	return list, nil
}

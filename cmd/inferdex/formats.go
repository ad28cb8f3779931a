package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/format"
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
					a.object(a.stdout, map[string]string{"name": f.Name, "title": f.Doc.Title, "tool": f.Doc.Tool, "command": f.Doc.Command,
						"versions": f.Doc.Versions, "files": f.Doc.Files, "reads": f.Doc.Reads, "unknown": f.Doc.Unknown})
					continue
				}
				if i > 0 {
					fmt.Fprintln(a.stdout)
				}
				fmt.Fprintf(a.stdout, "%s: %s\n", f.Name, f.Doc.Title)
				for _, l := range [][2]string{{"tool", f.Doc.Tool}, {"command", f.Doc.Command}, {"versions", f.Doc.Versions}, {"files", f.Doc.Files},
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

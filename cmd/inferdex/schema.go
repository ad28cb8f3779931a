package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/settings"
)

func (a *app) schemaCommand() *cobra.Command {
	files := settings.ReferenceFiles()
	return &cobra.Command{
		Use:   "schema [FILE]",
		Short: "The JSON Schema of a settings file, for editors",
		Long: `Print the JSON Schema (draft 7) of inferdex.toml, run.toml or SOURCE.toml; without a FILE, list these. An editor
that knows Taplo completes and checks keys where the first line of a file names its schema:

  #:schema ./schemas/inferdex.toml.json

'inferdex init' writes the schemas of a new catalog, and that line.`,
		Example: `  inferdex schema run.toml > schemas/run.toml.json`,
		Args:    atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, f := range files {
					if a.json {
						a.object(a.stdout, map[string]string{"kind": "file", "file": f})
					} else {
						fmt.Fprintln(a.stdout, f)
					}
				}
				return nil
			}
			if !slices.Contains(files, args[0]) {
				if near := settings.Nearest(args[0], files); near != "" {
					return usage("there is no schema of %q: did you mean %q?", args[0], near)
				}
				return usage("there is no schema of %q: give one of %s", args[0], strings.Join(files, ", "))
			}
			_, err := a.stdout.Write(settings.Schema(args[0]))
			return asFailed(err)
		},
	}
}

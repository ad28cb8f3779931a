package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/record"
)

// namesDir is where the names of a catalog lie, below its root.
const namesDir = dataDir + "/names"

func (a *app) namesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "names",
		Short:   "Names of models, accelerators, engines and quantizations",
		Example: `  inferdex names suggest`,
		Args:    knownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "suggest",
		Short: "Show the names that no list has, as entries to paste",
		Long: `Show the names in the catalog that data/names does not list, as TOML to paste: models to
data/names/models.toml, accelerators, engines and quantizations to the files named after them.
Fill in what is known and leave out the rest. Where a name is another spelling of a listed one,
add it to that one's aliases instead; a comment says which are spelled alike.

Such names are published all the same, as they were recorded.`,
		Example: `  inferdex names suggest
  inferdex names suggest --json | jq -r .name`,
		Args: atMost(0),
		RunE: func(*cobra.Command, []string) error {
			ix, _, err := a.load()
			if err != nil {
				return err
			}
			all := ix.Unlisted()
			if len(all) == 0 {
				a.note("every name in the catalog is listed")
				return nil
			}
			a.suggest(all)
			return nil
		},
	})
	return cmd
}

// suggest writes names that no list has to standard output: as TOML, or an object each.
func (a *app) suggest(all []figure.Unlisted) {
	file := ""
	for _, u := range all {
		var ids []string
		for _, r := range u.Runs {
			ids = append(ids, r.ID)
		}
		if a.json {
			a.object(a.stdout, map[string]any{"kind": "unlisted", "severity": record.Remark, "code": "unlisted",
				"what": u.Kind, "name": u.Name, "file": namesDir +
					"/" + u.File, "toml": u.TOML, "near": u.Near, "runs": ids})
			continue
		}
		if file != "" {
			fmt.Fprintln(a.stdout)
		}
		if u.File != file {
			file = u.File
			fmt.Fprintf(a.stdout, "# %s/%s\n\n", namesDir, file)
		}
		more := ""
		if n := len(ids) - 1; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		fmt.Fprintf(a.stdout, "# run %s%s\n", ids[0], more)
		if len(u.Near) > 0 {
			fmt.Fprintln(a.stdout, printable("# spelled alike: "+strings.Join(u.Near, ", ")))
		}
		for line := range strings.SplitSeq(u.TOML, "\n") {
			fmt.Fprintln(a.stdout, printable(line))
		}
	}
}

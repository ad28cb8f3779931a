package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/settings"
)

func (a *app) removeCommand() *cobra.Command {
	var yes bool
	var reason string
	cmd := &cobra.Command{
		Use:   "remove RUN...",
		Short: "Take runs out of the catalog",
		Long: `Say which files of data/catalog a run is made of and which files it was read from; with --yes, take
the run away. Its result files stay where they are, and the next ingest of them brings the run back.

--reason writes data/notes/RUN.toml: the address of the run then has a page that says why, and a run that comes
back is withdrawn. Without it the page goes too, unless a snapshot has the run.

Exit status: 0 done; 2 usage, an unknown run among it; 3 something could not be read or written.`,
		Example: `  inferdex remove qfvysyj647pz
  inferdex remove --yes --reason "a fan had failed" qfvysyj647pz`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("remove what? give runs: 'inferdex list runs' shows all")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.remove(cmd.Context(), args, reason, yes) },
	}
	cmd.Flags().StringVar(&reason, "reason", "", "leave a page that says `WHY`")
	cmd.Flags().BoolVar(&yes, "yes", false, "remove it")
	return cmd
}

func (a *app) remove(ctx context.Context, ids []string, reason string, yes bool) error {
	if yes {
		unlock, err := a.lock(ctx)
		if err != nil {
			return failed(err)
		}
		defer unlock()
	}
	c, err := a.stored()
	if err != nil {
		return err
	}
	reason = strings.Join(strings.FieldsFunc(reason, func(r rune) bool { return r == ' ' || unicode.IsControl(r) }), " ")
	var change catalog.Update
	var runs []*catalog.Run
	for _, id := range ids {
		i := slices.IndexFunc(c.Runs,
			func(r *catalog.Run) bool { return r.ID == id || slices.Contains(r.Formerly, id) })
		if i < 0 {
			return usage("no run %q: 'inferdex list runs' shows all", id)
		}
		r := c.Runs[i]
		if slices.Contains(runs, r) {
			continue
		}
		runs = append(runs, r)
		change.Remove = append(change.Remove, r.Path(), r.RawPath())
		for _, in := range c.Inputs {
			if slices.Contains(in.Runs, r.ID) {
				in.Runs = slices.DeleteFunc(in.Runs, func(x string) bool { return x == r.ID })
				if !slices.Contains(change.Inputs, in) {
					change.Inputs = append(change.Inputs, in)
				}
			}
		}
		if _, err := os.Lstat(a.path(noteOn(r))); err == nil && reason != "" {
			return usage("%s is there already: write withdrawn = %q into it instead of --reason", noteOn(r), reason)
		}
	}
	if yes {
		if err := a.take(ctx, runs, &change, reason); err != nil {
			return failed(err)
		}
	}
	for _, r := range runs {
		a.removal(r, reason, yes)
	}
	if !yes {
		a.note("nothing was removed: 'inferdex remove --yes' does it")
	}
	return nil
}

// noteOn is the file of the note on a run.
func noteOn(r *catalog.Run) string { return path.Join(notesDir, r.ID+".toml") }

// take takes runs away, and leaves a note on each where there is a reason; or neither.
func (a *app) take(ctx context.Context, runs []*catalog.Run, change *catalog.Update, reason string) error {
	u := beginUpdate(ctx, a.path(catalogDir))
	err := change.Write(u.Write, u.Remove)
	var noted []string
	for _, r := range runs {
		if err != nil || reason == "" {
			break
		}
		if err = a.withdraw(noteOn(r), reason); err == nil {
			noted = append(noted, a.path(noteOn(r)))
		}
	}
	if err = u.End(err); err != nil {
		for _, note := range noted {
			_ = os.Remove(note)
		}
	}
	return err
}

// withdraw writes the note that says why a run is withdrawn.
func (a *app) withdraw(note, reason string) error {
	quoted, err := json.Marshal(reason) // a basic string of TOML is one of JSON
	if err != nil {
		return err
	}
	return writeNew(a.path(note), fmt.Appendf(nil, "%swithdrawn = %s\n", a.schemaLine(note, settings.RunFile), quoted))
}

// removal says what goes with a run, and what stays and brings it back.
func (a *app) removal(r *catalog.Run, reason string, yes bool) {
	does := "would remove"
	if yes {
		does = "removed"
	}
	line := func(does, file, why string) {
		if a.json {
			a.object(a.stdout, map[string]string{"kind": "removal", "run": r.ID, "does": strings.TrimSuffix(does, ":"),
				"file": file})
			return
		}
		fmt.Fprintln(a.stdout, printable(does+" "+file+why))
	}
	for _, name := range []string{r.Path(), r.RawPath()} {
		line(does, path.Join(catalogDir, name), "")
	}
	for _, s := range r.Sources {
		if _, err := os.Stat(a.path(s.Path)); !errors.Is(err, fs.ErrNotExist) {
			line("stays:", s.Path, ", which the next ingest reads again")
		}
	}
	if _, err := os.Stat(a.path(noteOn(r))); err == nil && reason == "" {
		line("stays:", noteOn(r), ", a note on the run")
	} else if yes && reason != "" {
		a.note("%s: says why at the address of the run", noteOn(r))
	}
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"

	"github.com/inferdex/inferdex"
	"github.com/inferdex/inferdex/ingest/bundle"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Where things lie in a catalog's directory.
const (
	configFile = "inferdex.toml"
	rawDir     = bundle.RawDir
	catalogDir = bundle.CatalogDir
	notesDir   = "data/notes"
	dataDir    = "data"
	outputDir  = "public"
	schemasDir = "schemas"   // schemas of its settings files, for editors
	stateDir   = ".inferdex" // what commands keep for themselves
	// The states of other catalogs that are pinned, and where their files lie.
	lockFile    = "inferdex.lock"
	catalogsDir = stateDir + "/catalogs"
)

// madeOf are the folders that a site is made of.
var madeOf = []string{dataDir, "content", "layouts", "assets"}

// config reads inferdex.toml; a catalog without one has none of its settings set. A mistake in
// it ends the command: half a configuration gives a site nobody asked for.
func (a *app) config() (*settings.Config, error) {
	data, err := a.readSettings(configFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, failed(err)
	}
	c, diags := settings.LoadConfig(data, configFile)
	if len(diags) > 0 {
		a.diagnose(diags)
		return nil, &exit{exitUsage, fmt.Errorf("%s: %d to mend", configFile, len(diags))}
	}
	if a.part != nil {
		a.part.configure(c)
	}
	return c, nil
}

// names reads the names of models, accelerators and engines: the program's own, and over them
// the catalog's. A mistake in a file costs the entry it stands in.
func (a *app) names() *settings.Names {
	n, diags := settings.LoadNames(ownData(), a.inside(dataDir))
	a.diagnose(diags)
	return n
}

// ownData is the folder of data that the program carries.
func ownData() fs.FS {
	own, err := fs.Sub(inferdex.Files, dataDir)
	if err != nil {
		panic(err) // the files are part of the program
	}
	return own
}

func (a *app) diagnose(diags []settings.Diagnostic) {
	for _, d := range diags {
		a.mistakes = append(a.mistakes, d.String())
		a.diagnostic(settingsMistake, d.File, d.Line, d.Col, d.Message)
	}
}

// sort is what kind of diagnostic one is, for programs.
type sort struct {
	severity record.Severity
	code     string
}

// The sorts of diagnostics.
var (
	settingsMistake = sort{record.Error, "settings"}
	syntaxMistake   = sort{record.Error, "syntax"}
	differentFile   = sort{record.Error, "differs"}
	ignoredFile     = sort{record.Remark, "ignored"}
	unusedKey       = sort{record.Remark, "unused-key"}
	nothingFound    = sort{record.Error, "nothing"}
	artifactLost    = sort{record.Error, "artifact"}
	foreignFile     = sort{record.Warning, "foreign-file"}
	buildWarning    = sort{record.Warning, "build"}
	noAddress       = sort{record.Remark, "no-base-url"}
	oldCopy         = sort{record.Warning, "old-copy"}
	notMerged       = sort{record.Warning, "not-merged"}
)

// diagnostic says "file:line:col: message" or the same as an object. Quiet leaves what is no error out.
func (a *app) diagnostic(s sort, file string, line, col int, message string) {
	if a.quiet && s.severity != record.Error {
		return
	}
	file = redact.File(file)
	if a.json {
		o := map[string]any{"kind": "diagnostic", "severity": s.severity, "code": s.code, "file": file,
			"message": message}
		if line > 0 {
			o["line"] = line
		}
		if col > 0 {
			o["col"] = col
		}
		a.object(a.stderr, o)
		return
	}
	switch {
	case line > 0 && col > 0:
		a.say("%s:%d:%d: %s", file, line, col, message)
	case line > 0:
		a.say("%s:%d: %s", file, line, message)
	case file != "":
		a.say("%s: %s", file, message)
	default:
		a.say("%s", message)
	}
}

// stored opens the catalog as it lies on disk; one that does not exist is empty.
func (a *app) stored() (*catalog.Catalog, error) {
	a.progress.begin("reading " + catalogDir)
	c, err := a.decoded.Open(a.runFiles())
	if err != nil {
		return nil, failed(inCatalog(err))
	}
	nameRaw(c)
	return c, nil
}

// sound is stored for an ingest, which may make runs anew whose files are damaged: they are left out, and
// said, and of damaged raw records nothing is taken.
func (a *app) sound() (*catalog.Catalog, *damage, error) {
	a.progress.begin("reading " + catalogDir)
	c, problems, err := a.decoded.OpenSound(a.runFiles())
	if err != nil {
		return nil, nil, failed(inCatalog(err))
	}
	d := &damage{points: map[string]int{}}
	for _, e := range problems {
		a.say("%s", inCatalog(e))
		var p *catalog.Problem
		if errors.As(e, &p) {
			d.files = append(d.files, p.File)
		}
	}
	nameRaw(c)
	raw := c.Raw
	c.Raw = func(id string) ([]catalog.RawRecord, error) {
		records, err := raw(id)
		var pe *fs.PathError
		if len(records) > 0 || errors.As(err, &pe) {
			return records, err
		}
		if err != nil {
			a.say("%s", err)
		}
		if i := slices.IndexFunc(c.Runs, func(r *catalog.Run) bool { return r.ID == id }); i >= 0 {
			d.points[id] = len(c.Runs[i].Points)
		}
		return nil, nil
	}
	return c, d, nil
}

// damage is what an ingest found damaged in its catalog.
type damage struct {
	files  []string       // of runs and inputs
	points map[string]int // of runs whose raw records are damaged or missing, by id
}

// lost says which run would lose points, since not all of its sources are read again.
func (d *damage) lost(r *catalog.Run) error {
	if n := d.points[r.ID]; len(r.Points) < n {
		return fmt.Errorf("%s/%s: its raw records are damaged or missing, and these inputs have %d of its %d "+
			"points: nothing is written; ingest all of its sources", catalogDir, r.Path(), len(r.Points), n)
	}
	return nil
}

// left says which damaged files an update has not written anew.
func (d *damage) left(u *catalog.Update) error {
	left := slices.Clone(d.files)
	for _, r := range u.Runs {
		left = slices.DeleteFunc(left, func(name string) bool { return name == r.Path() })
	}
	for _, in := range u.Inputs {
		left = slices.DeleteFunc(left, func(name string) bool { return name == in.File() })
	}
	if len(left) == 0 {
		return nil
	}
	return fmt.Errorf("%s/%s: is as it was: none of these inputs is what it was made of; restore it or remove it "+
		"(%s in all)", catalogDir, left[0], metric.Plural(len(left), "such file"))
}

// nameRaw gives the errors of raw records the names by which the user knows their files.
func nameRaw(c *catalog.Catalog) {
	raw := c.Raw
	c.Raw = func(id string) ([]catalog.RawRecord, error) {
		records, err := raw(id)
		if err != nil {
			err = inCatalog(err)
		}
		return records, err
	}
}

// inCatalog gives the files of a catalog in an error the names by which the user knows them.
func inCatalog(err error) error {
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	for i, e := range all {
		var pe *fs.PathError
		switch {
		case errors.As(e, &pe):
			all[i] = fmt.Errorf("%s: %w", path.Join(catalogDir, pe.Path), pe.Err)
		default:
			all[i] = fmt.Errorf("%s/%w", catalogDir, e)
		}
	}
	return errors.Join(all...)
}

// schemaLine is the first line of a new settings file, which tells an editor the schema of file. It is empty where
// the catalog has no such schema, or where name is no path within the catalog.
func (a *app) schemaLine(name, file string) string {
	schema := path.Join(schemasDir, file+".json")
	if _, err := os.Stat(a.path(schema)); err != nil || !filepath.IsLocal(filepath.FromSlash(name)) {
		return ""
	}
	up := strings.Repeat("../", strings.Count(path.Clean(name), "/"))
	if up == "" {
		up = "./"
	}
	return "#:schema " + up + schema + "\n"
}

// notes reads data/notes: what was said later of runs whose files are gone.
func (a *app) notes() (map[string][]byte, error) {
	dir := a.inside(notesDir)
	files, err := fs.ReadDir(dir, ".")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, below(notesDir, err)
	}
	notes := map[string][]byte{}
	for _, f := range files {
		if path.Ext(f.Name()) != ".toml" {
			continue
		}
		if notes[notesDir+"/"+f.Name()], err = readSettingsOf(dir, f.Name()); err != nil {
			return nil, below(notesDir, err)
		}
	}
	return notes, nil
}

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
		Example: `  inferdex remove kwq6vzbrb5kd
  inferdex remove --yes --reason "a fan had failed" kwq6vzbrb5kd`,
		Args: cobra.MinimumNArgs(1),
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
	var notes []string
	for _, id := range ids {
		i := slices.IndexFunc(c.Runs,
			func(r *catalog.Run) bool { return r.ID == id || slices.Contains(r.Formerly, id) })
		if i < 0 {
			return usage("no run %q: 'inferdex list runs' shows all", id)
		}
		r := c.Runs[i]
		change.Remove = append(change.Remove, r.Path(), r.RawPath())
		for _, in := range c.Inputs {
			if slices.Contains(in.Runs, r.ID) {
				in.Runs = slices.DeleteFunc(in.Runs, func(x string) bool { return x == r.ID })
				if !slices.Contains(change.Inputs, in) {
					change.Inputs = append(change.Inputs, in)
				}
			}
		}
		note := path.Join(notesDir, r.ID+".toml")
		if _, err := os.Lstat(a.path(note)); err == nil && reason != "" {
			return usage("%s is there already: write withdrawn = %q into it instead of --reason", note, reason)
		}
		notes = append(notes, note)
		a.removal(r, yes)
	}
	if !yes {
		a.note("nothing was removed: 'inferdex remove --yes' does it")
		return nil
	}
	for _, note := range notes {
		if reason == "" {
			break
		}
		quoted, err := json.Marshal(reason) // a basic string of TOML is one of JSON
		if err == nil {
			err = writeNew(a.path(note), fmt.Appendf(nil, "%swithdrawn = %s\n", a.schemaLine(note, settings.RunFile), quoted))
		}
		if err != nil {
			return failed(err)
		}
		a.note("%s: says why at the address of the run", note)
	}
	u := beginUpdate(ctx, a.path(catalogDir))
	if err := u.End(change.Write(u.Write, u.Remove)); err != nil {
		return failed(err)
	}
	return nil
}

// removal says what goes with a run, and what stays and brings it back.
func (a *app) removal(r *catalog.Run, yes bool) {
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
	note := path.Join(notesDir, r.ID+".toml")
	if _, err := os.Stat(a.path(note)); err == nil {
		line("stays:", note, ", a note on the run")
	}
}

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/inferdex/inferdex"
	"github.com/inferdex/inferdex/ingest/bundle"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
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
	schemasDir = "schemas" // schemas of its settings files, for editors
	gitDir     = ".git"
	stateDir   = ".inferdex" // what commands keep for themselves
	// The states of other catalogs that are pinned, and where their files lie.
	lockFile    = "inferdex.lock"
	catalogsDir = stateDir + "/catalogs"
)

// madeOf are the folders that a site is made of.
var madeOf = []string{dataDir, "content", "layouts", "assets"}

// taken are the folders of a catalog that have a use: see [app.apart].
var taken = append([]string{stateDir, outputDir, catalogDir, rawDir}, madeOf...)

// apart says where what a command writes would lie in a folder of the catalog that has another use, or in one of git: the
// next command would take it for what lies there, or for results. Only the folders in may are its place.
func (a *app) apart(what, output string, may ...string) error {
	to := real(a.path(output))
	within := func(dir string) bool {
		rel, err := filepath.Rel(real(a.path(dir)), to)
		return err == nil && filepath.IsLocal(rel)
	}
	if slices.ContainsFunc(may, within) {
		return nil
	}
	in := ""
	if slices.Contains(strings.Split(filepath.ToSlash(output), "/"), gitDir) {
		in = gitDir
	} else if i := slices.IndexFunc(taken, within); i >= 0 {
		in = taken[i]
	} else {
		return nil
	}
	return usage("%q lies in %s, which is no place for %s: name another with --output", output, in, what)
}

// real is where a path leads to, as far as it is there.
func real(name string) string {
	full, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	if to, err := filepath.EvalSymlinks(full); err == nil {
		return to
	}
	if full == filepath.Dir(full) {
		return full
	}
	return filepath.Join(real(filepath.Dir(full)), filepath.Base(full))
}

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
// the catalog's. A mistake in a file costs the entry it stands in; a file that cannot be read ends the command: other names
// give other pages and numbers.
func (a *app) names() (*settings.Names, error) {
	n, diags := settings.LoadNames(ownData(), a.inside(dataDir))
	for _, d := range diags {
		if d.Unread {
			return nil, failed(errors.New(d.String()))
		}
	}
	a.diagnose(diags)
	return n, nil
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
	noRun           = sort{record.Warning, "no-run"}
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

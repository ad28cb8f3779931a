package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// skeleton is a catalog that has no results yet.
//
//go:embed all:skeleton
var skeleton embed.FS

// newCatalog is what the skeleton's inferdex.toml is filled in with; what is empty stays an example there.
type newCatalog struct {
	Title, BaseURL, Repository string
	slices                     int // that jobs build the site in; 0 is the whole by one
}

func (a *app) initCommand() *cobra.Command {
	var n newCatalog
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Begin a catalog: settings, folders and workflows",
		Long: `Write what a catalog begins with to DIR, or to the current directory: inferdex.toml with its keys
explained, schemas of it and of run.toml for editors, data/raw for result files, data/names and content with
examples, .gitignore, .gitattributes, and workflows that publish the site and preview pull requests. A file that is
there already stays as it is. With --shards, the workflow that publishes has so many jobs build a slice of the site
each, which the last one merges: for catalogs of thousands of cards.

Exit status: 0 done; 2 usage; 3 something could not be written.`,
		Example: `  inferdex init <my-benchmarks> && cd <my-benchmarks>
  inferdex ingest <results/> && inferdex build
  inferdex init --title "Our GPUs" --base-url https://example.org/benchmarks/`,
		Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			if n.slices < 0 || n.slices > mostJobs {
				return usage("--shards %d: give a number from 0 to %d, the most jobs that a matrix of a workflow has", n.slices, mostJobs)
			}
			return a.init(dir, n)
		},
	}
	cmd.Flags().StringVar(&n.Title, "title", "LLM inference benchmarks", "the `TITLE` of the site")
	cmd.Flags().StringVar(&n.BaseURL, "base-url", "", "where the site is published, as `URL`")
	cmd.Flags().StringVar(&n.Repository, "repository", "", "the address of the repository, as `URL`")
	cmd.Flags().IntVar(&n.slices, "shards", 0, "have `N` jobs of the workflow build a slice of the site each")
	return cmd
}

func (a *app) init(dir string, n newCatalog) error {
	if n.BaseURL != "" && !strings.HasSuffix(n.BaseURL, "/") {
		n.BaseURL += "/"
	}
	conf, err := n.fill()
	if err != nil {
		return err
	}
	var written, kept int
	err = fs.WalkDir(skeleton, "skeleton", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := skeleton.ReadFile(name)
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(name, "skeleton/")
		if rel == configFile {
			data = conf
		}
		if rel == publishWorkflow && n.slices > 0 {
			data = slicedWorkflow(n.slices)
		}
		switch err := writeNew(filepath.Join(a.path(dir), filepath.FromSlash(rel)), data); {
		case errors.Is(err, fs.ErrExist):
			kept++
			a.note("%s: is there already and stays as it is", filepath.ToSlash(filepath.Join(dir, rel)))
			return nil
		default:
			if err == nil {
				written++
			}
			return err
		}
	})
	for _, file := range settings.ReferenceFiles() {
		name := filepath.Join(a.path(dir), schemasDir, file+".json")
		switch e := writeNew(name, settings.Schema(file)); {
		case errors.Is(e, fs.ErrExist):
			kept++
		case e != nil:
			err = errors.Join(err, e)
		default:
			written++
		}
	}
	if err != nil {
		return failed(err)
	}
	if where := a.folderOfRepository(dir); where != "" && written > 0 {
		a.note("%[1]s is a folder of a repository, and GitHub reads workflows at its top alone: move .github there, give each use "+
			"of inferdex/inferdex in it 'directory: %[1]s', and write %[1]s/data/catalog for data/catalog and 'inferdex diff %[1]s' "+
			"for 'inferdex diff .'", where)
	}
	if a.json {
		a.object(a.stdout, map[string]any{"kind": "catalog", "dir": dir, "written": written, "kept": kept})
		return nil
	}
	then := "then"
	if dir != "." {
		then += " in " + dir
	}
	fmt.Fprintf(a.stdout, "%s written. Put results into %s, %s: inferdex ingest && inferdex build\n",
		metric.Plural(written, "file", "files"), printable(filepath.ToSlash(filepath.Join(dir, rawDir))), printable(then))
	return nil
}

// folderOfRepository is the path of a catalog from the top of the repository of git that it lies in; "" where it is the top
// itself, or there is none.
func (a *app) folderOfRepository(dir string) string {
	abs, err := filepath.Abs(a.path(dir))
	if err != nil {
		return ""
	}
	for top := abs; ; top = filepath.Dir(top) {
		if _, err := os.Stat(filepath.Join(top, ".git")); err == nil { // a file in a worktree and in a submodule
			where, err := filepath.Rel(top, abs)
			if err != nil || where == "." {
				return ""
			}
			return filepath.ToSlash(where)
		}
		if top == filepath.Dir(top) {
			return ""
		}
	}
}

// fill writes the settings of a new catalog. What no command would take afterwards is an error.
func (n newCatalog) fill() ([]byte, error) {
	t, err := template.New(configFile).Funcs(template.FuncMap{"quote": settings.Quote}).ParseFS(skeleton, "skeleton/"+configFile)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, n); err != nil {
		return nil, err
	}
	if _, mistakes := settings.LoadConfig(b.Bytes(), configFile); len(mistakes) > 0 {
		return nil, usage("%s", mistakes[0].Message)
	}
	return b.Bytes(), nil
}

// writeNew writes a file that must not be there yet, whole or not at all.
func writeNew(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return notMade(name, err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

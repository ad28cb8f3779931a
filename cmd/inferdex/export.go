package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/export"
	"github.com/inferdex/inferdex/ingest/export/parquet"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/view"
)

const benchmarkReport = "benchmark-report"

// exportFormat is one that a whole catalog is written in.
type exportFormat struct {
	name, short, long, example string
	// write writes the one text that goes to standard output where no folder is named; nil where there are several.
	write func(io.Writer, *figure.Index, *catalog.Catalog) error
	files func(*figure.Index, *catalog.Catalog) ([]export.File, error)
	// data are the files without templates; nil where there are none to leave out.
	data func(*figure.Index) ([]export.File, error)
	// pages are those and what layouts of whole pages show besides; nil where there are no such layouts.
	pages func(*figure.Index, *catalog.Catalog) ([]export.File, error)
}

func (a *app) exportCommand() *cobra.Command {
	formats := a.exportFormats()
	described := a.describedFormats()
	names := []string{benchmarkReport}
	for _, f := range described {
		names = append(names, f.name)
	}
	for _, f := range formats {
		names = append(names, f.name)
	}
	slices.Sort(names)
	list := strings.Join(names, ", ")
	cmd := &cobra.Command{
		Use:   "export FORMAT",
		Short: "Write the catalog for other programs and sites",
		Long: `Write the catalog, or some of it, for other programs and sites. Every number is kept, exact and in base units.

A file that inferdex did not write is never overwritten, nor one that was changed since: .inferdex-export.json in
the folder lists what it wrote. What a former export wrote and this one does not is removed.`,
		Example: `  inferdex export markdown --output cards/
  inferdex export hugo --output ../my-hugo-site
  inferdex export parquet > points.parquet
  inferdex export benchmark-report jaxpmmiy6jlr > report.yaml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("export to what? give one of %s", list)
			}
			return usage("export %q: give one of %s", args[0], list)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, f := range formats {
		cmd.AddCommand(a.exportFormatCommand(f))
	}
	for _, f := range described {
		cmd.AddCommand(a.exportDescribedCommand(f))
	}
	cmd.AddCommand(a.exportReportCommand())
	return cmd
}

// exportFormats are the formats of a whole catalog that nothing has to be said of.
func (a *app) exportFormats() []exportFormat {
	return []exportFormat{{
		name: "csv", short: "Points and runs as CSV",
		long: `Write points.csv, one statistic of one metric a row, and runs.csv, one run a row; without --output the points to
standard output. No cell is a formula for a spreadsheet.`,
		example: `  inferdex export csv > points.csv
  inferdex export csv --output csv/`,
		write: func(w io.Writer, ix *figure.Index, _ *catalog.Catalog) error { return export.WritePoints(w, ix.Runs) },
		files: func(ix *figure.Index, _ *catalog.Catalog) ([]export.File, error) {
			return written(func(w io.Writer) error { return export.WritePoints(w, ix.Runs) }, "points.csv",
				func(w io.Writer) error { return export.WriteRuns(w, ix.Runs) }, "runs.csv")
		},
	}, {
		name: "json", short: "The whole catalog as one JSON document",
		long: `Write all runs with points, figures, parameters, sources and findings as one document, to standard output or to
catalog.json in the folder of --output. The site's data/catalog.schema.json is its schema.`,
		example: `  inferdex export json | jq '.runs | length'`,
		write:   export.WriteCatalog,
		files: func(ix *figure.Index, c *catalog.Catalog) ([]export.File, error) {
			return written(func(w io.Writer) error { return export.WriteCatalog(w, ix, c) }, "catalog.json", nil, "")
		},
	}, {
		name: "parquet", short: "Points as a Parquet file",
		long: `Write the points as Parquet with the columns of points.csv and their types, what is not recorded as null, to
standard output or to points.parquet in the folder of --output. A load of all requests at once is null too, with its
axis.`,
		example: `  inferdex export parquet > points.parquet
  duckdb -c "select model, max(value) from 'points.parquet' where metric = 'output_throughput' group by 1"`,
		write: func(w io.Writer, ix *figure.Index, _ *catalog.Catalog) error { return parquet.Write(w, ix.Runs) },
		files: func(ix *figure.Index, _ *catalog.Catalog) ([]export.File, error) {
			return written(func(w io.Writer) error { return parquet.Write(w, ix.Runs) }, "points.parquet", nil, "")
		},
	}, {
		name: "markdown", short: "A Markdown card for each model on each hardware",
		long: `Write a file a card, with the sections of a happy_vllm model card: main metrics, total speed, speed and latency
of a request, parameters; below them every number of every run. GitHub shows it as it is. Runs whose model or hardware is
not recorded have a file each. Withdrawn runs are listed with the reason, without their numbers.`,
		example: `  inferdex export markdown --output cards/`,
		files: func(ix *figure.Index, _ *catalog.Catalog) ([]export.File, error) {
			return export.Markdown(ix), nil
		},
	}, {
		name: "jekyll", short: "Data, pages, charts and includes for a Jekyll site",
		long: `Write into the folder of a Jekyll site (3.9 or later): _data/inferdex/cards.json, a page a card in the collection
_inferdex, which _config.inferdex.yml declares, its charts in assets/inferdex/charts, and the includes inferdex/card.html
and inferdex/charts.html, which show the figures and the charts of a card in any page. Layouts and theme are the site's.`,
		example: `  inferdex export jekyll --output ../my-site
  jekyll build --config _config.yml,_config.inferdex.yml`,
		files: a.jekyllPages,
	}, {
		name: "hugo", short: "Data, pages and a shortcode for a Hugo site",
		long: `Write into the folder of a Hugo site (0.146 or later): the cards in assets/inferdex, a content adapter in
content/inferdex that makes a page of each, and the shortcode inferdex-card with its partial. Layouts and theme are the
site's. A site that imports these templates as a Hugo module, from ingest/export/hugo of inferdex's repository, gets the
cards alone with --data-only. One that imports the layouts of ingest/export/hugomodule too, with a list of all cards and
a page for each card and run, gets what these show with --pages: cards, runs and charts.`,
		example: `  inferdex export hugo --output ../my-site && hugo --source ../my-site
  inferdex export hugo --data-only --output ../my-site
  inferdex export hugo --pages --output ../my-site`,
		files: func(ix *figure.Index, _ *catalog.Catalog) ([]export.File, error) { return export.Hugo(ix) },
		data:  export.HugoData,
		pages: a.hugoPages,
	}}
}

// hugoPages are what the layouts of whole pages show: cards, runs and the charts of both.
func (a *app) hugoPages(ix *figure.Index, c *catalog.Catalog) ([]export.File, error) {
	files, err := export.HugoPages(ix)
	if err != nil {
		return nil, err
	}
	drawn, err := a.chartFiles(ix, c, export.HugoCharts, true)
	return append(files, drawn...), err
}

// jekyllPages are those of a Jekyll site, with the charts of the cards.
func (a *app) jekyllPages(ix *figure.Index, c *catalog.Catalog) ([]export.File, error) {
	files, err := export.Jekyll(ix)
	if err != nil {
		return nil, err
	}
	drawn, err := a.chartFiles(ix, c, export.JekyllCharts, false)
	return append(files, drawn...), err
}

// chartFiles are the charts of all cards, and where runs have pages those of all runs, with the list of them.
func (a *app) chartFiles(ix *figure.Index, c *catalog.Catalog, list string, runs bool) ([]export.File, error) {
	conf, err := a.config()
	if err != nil {
		return nil, err
	}
	chartsOf := view.Charts(ix, c, view.Options{Config: conf})
	all := map[string][]export.Chart{}
	draw := func(name, subject string) {
		charts, wrong := chartsOf(subject)
		err = errors.Join(err, wrong)
		for _, n := range charts {
			var b bytes.Buffer
			err = errors.Join(err, n.Chart.SVG(&b, chart.Options{Size: chart.Half, SelfContained: true, Titled: true}))
			all[name] = append(all[name], export.Chart{File: n.Name + ".svg", Title: n.Chart.Title, SVG: b.Bytes()})
		}
	}
	for name, card := range export.Names(ix) {
		listed := slices.Contains(ix.Cards, card)
		if listed {
			draw(name, name)
		}
		for _, r := range figure.Active(card.Runs) {
			switch {
			case !listed: // it has one run
				draw(name, r.ID)
				if runs {
					all[r.ID] = all[name]
				}
			case runs:
				draw(r.ID, r.ID)
			}
		}
	}
	drawn, failed := export.ChartFiles(list, all)
	return drawn, errors.Join(err, failed)
}

// written are the files that one or two functions write.
func written(first func(io.Writer) error, name string, second func(io.Writer) error, other string) (
	[]export.File, error,
) {
	var files []export.File
	for _, e := range []struct {
		write func(io.Writer) error
		name  string
	}{{first, name}, {second, other}} {
		if e.write == nil {
			continue
		}
		var b bytes.Buffer
		if err := e.write(&b); err != nil {
			return nil, err
		}
		files = append(files, export.File{Path: e.name, Data: b.Bytes()})
	}
	return files, nil
}

func (a *app) exportFormatCommand(f exportFormat) *cobra.Command {
	var output string
	var dataOnly, pages bool
	cmd := &cobra.Command{
		Use: f.name, Short: f.short, Long: f.long, Example: f.example,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if output == "" && f.write == nil {
				return usage("export %s writes several files: give --output and the folder they go to", f.name)
			}
			ix, c, err := a.load()
			if err != nil {
				return err
			}
			a.progress.begin("writing " + f.name)
			if output == "" {
				w := bufio.NewWriter(a.stdout)
				if err := f.write(w, ix, c); err != nil {
					return failed(err)
				}
				return asFailed(w.Flush())
			}
			var files []export.File
			switch {
			case pages:
				files, err = f.pages(ix, c)
			case dataOnly:
				files, err = f.data(ix)
			default:
				files, err = f.files(ix, c)
			}
			if err != nil {
				return failed(err)
			}
			return a.writeExport(cmd.Context(), f.name, output, files)
		},
	}
	outputFlag(cmd, &output)
	if f.data != nil {
		cmd.Flags().BoolVar(&dataOnly, "data-only", false, "no templates: the site imports them as a module")
	}
	if f.pages != nil {
		cmd.Flags().BoolVar(&pages, "pages", false, "as --data-only, and runs and charts for the layouts of the module")
	}
	return cmd
}

func outputFlag(cmd *cobra.Command, output *string) {
	cmd.Flags().StringVarP(output, "output", "o", "", "write files into `DIR`")
	_ = cmd.MarkFlagDirname("output")
}

// describedFormat is one that says of the data what results do not say, such as who made it.
type describedFormat struct {
	name, short, long, example string
	// needs are the flags without which it cannot be written, where nothing else says what they do.
	needs []string
	files func(*figure.Index, export.Described) ([]export.File, error)
}

// exportDescribed is said of each format that describes the data.
const exportDescribed = ` Title, description, address, author and licence are those of
inferdex.toml, author and licence else those of SOURCE.toml where all results have the same; the day is that of the
newest run. What is not known has to be said.`

func (a *app) describedFormats() []describedFormat {
	return []describedFormat{{
		name: "citation", short: "CITATION.cff",
		long: `Write CITATION.cff, which says how to cite the data, to standard output or into the folder of --output: GitHub
shows the one in the root of a repository.` + exportDescribed,
		example: `  inferdex export citation --creator "ACME" > CITATION.cff`,
		needs:   []string{"--name", "--creator"},
		files: func(_ *figure.Index, about export.Described) ([]export.File, error) {
			data, err := export.Citation(about)
			return []export.File{{Path: "CITATION.cff", Data: data}}, err
		},
	}, {
		name: "croissant", short: "Points and runs as CSV with a description in Croissant 1.1",
		long: `Write points.csv, runs.csv and croissant.json, which describes both in Croissant 1.1, so that programs load
them as a data set.` + exportDescribed,
		example: `  inferdex export croissant --output dataset/ --license CC-BY-4.0 --creator "ACME"`,
		needs:   []string{"--name", "--url", "--license", "--creator", "--published"},
		files: func(ix *figure.Index, about export.Described) ([]export.File, error) {
			tables, err := export.Tables(ix)
			if err != nil {
				return nil, err
			}
			doc, err := export.Croissant(tables, about)
			files := []export.File{{Path: "croissant.json", Data: doc}}
			for _, t := range tables {
				files = append(files, t.File)
			}
			return files, err
		},
	}, {
		name: "huggingface", short: "A data set for the Hugging Face Hub",
		long: `Write a data set for the Hugging Face Hub: points.parquet, runs.csv and README.md, a card whose configurations
make a table of each, so that the Hub shows them and load_dataset loads them.` + exportDescribed,
		example: `  inferdex export huggingface --output dataset/ --license CC-BY-4.0
  huggingface-cli upload <owner>/<dataset> dataset/ --repo-type dataset`,
		needs: []string{"--name"},
		files: huggingFace,
	}}
}

func huggingFace(ix *figure.Index, about export.Described) ([]export.File, error) {
	var points, runs bytes.Buffer
	if err := parquet.Write(&points, ix.Runs); err != nil {
		return nil, err
	}
	if err := export.WriteRuns(&runs, ix.Runs); err != nil {
		return nil, err
	}
	rows := 0
	for range export.Rows(ix.Runs) {
		rows++
	}
	return export.HuggingFace([]export.HubFile{
		{File: export.File{Path: "points.parquet", Data: points.Bytes()}, Config: "points", About: export.PointsAbout,
			Columns: parquet.Columns(ix.Runs), Rows: rows},
		{File: export.File{Path: "runs.csv", Data: runs.Bytes()}, Config: "runs", About: export.RunsAbout,
			Columns: export.RunColumns(ix.Runs), Rows: len(ix.Runs)},
	}, about)
}

func (a *app) exportDescribedCommand(f describedFormat) *cobra.Command {
	var output, license string
	var said export.Described
	cmd := &cobra.Command{
		Use: f.name, Short: f.short, Long: f.long, Example: f.example,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if output == "" && f.name != "citation" {
				return usage("export %s writes several files: give --output and the folder they go to", f.name)
			}
			conf, err := a.config()
			if err != nil {
				return err
			}
			if _, err := time.Parse(time.DateOnly, said.Published); said.Published != "" && err != nil {
				return usage("--published is %q, want a day such as 2025-01-31", said.Published)
			}
			if u, err := url.Parse(said.URL); said.URL != "" && (err != nil || !strings.HasPrefix(u.Scheme, "http") ||
				u.Host == "") {
				return usage("--url is %q, want an address that begins with https://", said.URL)
			}
			ix, _, err := a.load()
			if err != nil {
				return err
			}
			about := export.Describe(ix, conf)
			about.Name, about.URL = cmp.Or(said.Name, conf.Title), cmp.Or(said.URL, about.URL)
			about.Creator, about.Published = cmp.Or(said.Creator, about.Creator), cmp.Or(said.Published, about.Published)
			if license != "" {
				about.License = export.LicenseOf(license)
			}
			missing := slices.DeleteFunc(about.Missing(), func(flag string) bool { return !slices.Contains(f.needs, flag) })
			if len(missing) > 0 {
				return usage("%s needs what nothing here says: give %s", f.name, strings.Join(missing, ", "))
			}
			a.progress.begin("writing " + f.name)
			files, err := f.files(ix, about)
			if err != nil {
				return failed(err)
			}
			if output == "" {
				_, err := a.stdout.Write(files[0].Data)
				return asFailed(err)
			}
			return a.writeExport(cmd.Context(), f.name, output, files)
		},
	}
	outputFlag(cmd, &output)
	cmd.Flags().StringVar(&said.Name, "name", "", "name of the data set (title of inferdex.toml)")
	cmd.Flags().StringVar(&said.URL, "url", "", "address of the data set (base_url of inferdex.toml)")
	cmd.Flags().StringVar(&license, "license", "", "SPDX name or address of the licence")
	cmd.Flags().StringVar(&said.Creator, "creator", "", "who made the data set (author of inferdex.toml)")
	cmd.Flags().StringVar(&said.Published, "published", "", "`DAY` of publication (day of the newest run)")
	return cmd
}

// exportList is the file that lists what exports wrote into a folder, by format: paths with the digests of their
// content.
const exportList = ".inferdex-export.json"

type exported struct {
	Version int                          `json:"inferdex"`
	Files   map[string]map[string]string `json:"exports"`
}

// writeExport writes the files of an export all together or not at all, and nothing over a file of somebody else.
func (a *app) writeExport(ctx context.Context, format, output string, files []export.File) error {
	root := a.path(output)
	folders := map[string]bool{".": true}
	for _, f := range files {
		folders[path.Dir(f.Path)] = true
	}
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		if err := a.apart("an export", path.Join(filepath.ToSlash(output), dir)); err != nil {
			return err
		}
	}
	if info, err := os.Stat(root); err == nil && !info.IsDir() {
		return usage("%q is no folder: name one with --output", output)
	}
	list, err := readExportList(root)
	if err != nil {
		return failed(err)
	}
	before, now := list.Files[format], map[string]string{}
	if format == benchmarkReport { // of some runs, not of all
		now, before = maps.Clone(before), nil
		if now == nil {
			now = map[string]string{}
		}
	}
	owned := func(name, digest string) bool {
		for _, of := range list.Files {
			if of[name] == digest {
				return true
			}
		}
		return false
	}
	var foreign []string
	for _, f := range files {
		now[f.Path] = digestOf(f.Data)
		digest, err := digestAt(root, f.Path)
		if err != nil {
			return failed(err)
		}
		if digest != "" && digest != now[f.Path] && !owned(f.Path, digest) {
			foreign = append(foreign, f.Path)
		}
	}
	if len(foreign) > 0 {
		for _, name := range foreign {
			a.diagnostic(foreignFile, path.Join(filepath.ToSlash(output), name), 0, 0, "inferdex did not write this file, or it was "+
				"changed since: move it away, or export to another folder")
		}
		return failed(fmt.Errorf("%s would be overwritten: nothing is written", metric.Plural(len(foreign), "file")))
	}
	u := beginUpdate(ctx, root)
	err = func() error {
		for _, f := range files {
			if err := u.Write(f.Path, f.Data); err != nil {
				return err
			}
		}
		for name, digest := range before {
			if there, err := digestAt(root, name); now[name] == "" && err == nil && there == digest {
				if err := u.Remove(name); err != nil {
					return err
				}
			}
		}
		list.Files[format] = now
		data, err := json.MarshalIndent(list, "", "  ")
		if err != nil {
			return err
		}
		return u.Write(exportList, append(data, '\n'))
	}()
	if err := u.End(err); err != nil {
		return failed(err)
	}
	if a.json {
		a.object(a.stdout, map[string]any{"kind": "export", "format": format, "folder": output, "files": len(files)})
		return nil
	}
	a.note("%s in %s", metric.Plural(len(files), "file"), output)
	return nil
}

// readExportList reads what exports wrote into a folder. A list is a file that anybody can write: a path that leads out
// of the folder is an error.
func readExportList(root string) (exported, error) {
	list := exported{Version: 1, Files: map[string]map[string]string{}}
	data, err := readFile(filepath.Join(root, exportList))
	if errors.Is(err, fs.ErrNotExist) {
		return list, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			return list, err
		}
		return list, fmt.Errorf("%s: %w: remove it where nothing of the folder is to be overwritten", exportList, err)
	}
	if list.Files == nil {
		list.Files = map[string]map[string]string{}
	}
	for _, of := range list.Files {
		for name := range of {
			if !filepath.IsLocal(filepath.FromSlash(name)) {
				return list, fmt.Errorf("%s: %q is no path within the folder", exportList, name)
			}
		}
	}
	return list, nil
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// digestAt is the digest of a file below a folder, "" where there is none. What is no plain file, or is reached through a
// link, is an error: nothing is written there.
func digestAt(root, name string) (string, error) {
	at := root
	parts := strings.Split(name, "/")
	for i, part := range parts {
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return "", nil
		case err != nil:
			return "", err
		case i < len(parts)-1 && !info.IsDir(), i == len(parts)-1 && !info.Mode().IsRegular():
			return "", fmt.Errorf("%q is no plain file or folder: nothing is written through it", at)
		}
	}
	data, err := readFile(at)
	if err != nil {
		return "", err
	}
	return digestOf(data), nil
}

func (a *app) exportReportCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "benchmark-report RUN...",
		Short: "llm-d Benchmark Reports of version 0.2.1",
		Long: `Write the points of runs as llm-d Benchmark Reports of version 0.2.1: one report a point, as
YAML documents to standard output, or with --output as a file each. --json writes JSON instead, one
report a line. An infinite rate of requests is null: JSON cannot write it.

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
		RunE: func(cmd *cobra.Command, args []string) error {
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
				return a.exportFiles(cmd.Context(), runs, output)
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
	outputFlag(cmd, &output)
	return cmd
}

// findRun is the run of an id or of the beginning of one. A withdrawn run is not handed on.
func findRun(ix *figure.Index, id string) (*figure.Run, error) {
	found := ix.Named(id)
	switch {
	case len(found) == 0:
		return nil, usage("no run is named %q: 'inferdex list runs' shows all", id)
	case len(found) > 1:
		return nil, usage("%d runs begin with %q: write more of the id", len(found), id)
	case found[0].Withdrawn != "":
		return nil, usage("run %s is withdrawn: %q", found[0].ID, found[0].Withdrawn)
	case len(found[0].Points) == 0:
		return nil, usage("run %s has no measured point: there is nothing to report", found[0].ID)
	}
	return found[0], nil
}

// exportFiles writes a file a report. Those of other runs stay.
func (a *app) exportFiles(ctx context.Context, runs []*figure.Run, dir string) error {
	ext := ".yaml"
	if a.json {
		ext = ".json"
	}
	var files []export.File
	for _, r := range runs {
		docs, err := export.BenchmarkReports(r, a.json)
		if err != nil {
			return failed(err)
		}
		for i, doc := range docs {
			files = append(files, export.File{Path: fmt.Sprintf("benchmark_report_v0.2.1_%s_%02d%s", r.ID, i+1, ext),
				Data: doc})
		}
	}
	return a.writeExport(ctx, benchmarkReport, dir, files)
}

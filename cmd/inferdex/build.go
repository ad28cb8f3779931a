package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex"
	"github.com/inferdex/inferdex/ingest/federation"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site"
	"github.com/inferdex/inferdex/site/data"
	"github.com/inferdex/inferdex/site/hugo"
	"github.com/inferdex/inferdex/site/incremental"
	"github.com/inferdex/inferdex/site/publish"
	"github.com/inferdex/inferdex/site/reader"
	"github.com/inferdex/inferdex/site/view"
)

type buildFlags struct {
	output, baseURL string
	previews, png   bool // flags of build alone
	full            bool
	slice, merge    string // of build alone
	split           splitFlags
}

// splitFlags are those of build and check for a site that is several: see [app.split].
type splitFlags struct {
	by  string // "" is one site
	url string // the address of each part, with {part} for its name
}

func (s *splitFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.by, "split", "", "a site for each `organisation` of the models, below a common front page")
	cmd.Flags().StringVar(&s.url, "part-url", "", "`ADDRESS` of each part of --split, with {part} for its name, where "+
		"parts are published in places of their own")
}

// siteFlags are those of whoever builds a site, as long as nothing else is asked for: what serve builds is what build does,
// so each keeps what the other made.
func siteFlags() buildFlags { return buildFlags{previews: true} }

func (a *app) buildCommand() *cobra.Command {
	f := siteFlags()
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Build the site from the catalog",
		Long: `Build the site of data/catalog into public/. Nothing else is needed: Hugo is part of the
program, and nothing is fetched.

The site works from any place: a project page, a root page, a folder of another site, or opened
as files. With --base-url, or base_url in inferdex.toml, it also gets what needs absolute
addresses: canonical links, the sitemap, Atom feeds, pictures for link previews (unless
--previews=false), badges and frames of cards for other sites, and a styled 404 page.

Pages that are made of the same as in the last build are taken from it: after a new run only what
it changes is rendered, and the site is that of a full build. --full builds everything.

Files below content, layouts and assets beside the catalog win over the built-in ones. The new
site takes the place of the old one when it is complete; a build that fails leaves the old one.

A large site can be built by several machines: --shard 2/8 builds the second of eight slices, the
pages and files of a part of the catalog, into slices/2-of-8. --merge slices puts the slices that lie
in that folder together, and builds what is made of the whole catalog: the site is that of a
build without slices. All have to be of the same catalog, program and flags, and none may miss.

A site that is too large for its host can be several: --split organisation builds a site for each
organisation of the models, the part of their names before the slash, into parts/ORGANISATION, and
parts/index.html, which lists them. Each is whole by itself and can be published elsewhere: with
--part-url https://OWNER.github.io/{part}/ the front page leads there. Pages of different parts are
not compared and not linked; snapshots and pages of runs that are gone are in none.`,
		Example: `  inferdex build
  inferdex build --base-url https://user.github.io/repo/
  inferdex -C example build --output /srv/www/bench
  inferdex build --shard 1/2 && inferdex build --shard 2/2 && inferdex build --merge slices
  inferdex build --split organisation && inferdex check --split organisation`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			thrift(buildRoom)
			if f.split.by == "" && f.split.url != "" {
				return usage("--part-url says where the parts of --split are")
			}
			if f.split.by != "" {
				if !cmd.Flags().Changed("output") {
					f.output = partsDir
				}
				return a.buildSplit(cmd.Context(), f)
			}
			if f.slice == "" {
				return a.build(cmd.Context(), f)
			}
			s, err := incremental.ParseSlice(f.slice)
			if err != nil {
				return usage("--shard: %w", err)
			}
			if !cmd.Flags().Changed("output") {
				f.output = filepath.Join(slicesDir, fmt.Sprintf("%d-of-%d", s.Number, s.Of))
			}
			return a.buildSlice(cmd.Context(), f, s)
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.slice, "shard", "", "build the slice `N/OF` of the site, for --merge")
	cmd.Flags().StringVar(&f.merge, "merge", "", "take what is built from the slices that lie in `DIR`")
	cmd.MarkFlagsMutuallyExclusive("shard", "merge", "full")
	f.split.register(cmd)
	cmd.MarkFlagsMutuallyExclusive("shard", "merge", "split")
	cmd.Flags().BoolVar(&f.previews, "previews", f.previews,
		"draw a picture for link previews of home, each model and each card")
	cmd.Flags().BoolVar(&f.png, "png", false, "write each chart as PNG beside its SVG file")
	return cmd
}

func (f *buildFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.full, "full", false, "render every page, also those that are as they were in the last build")
	f.registerSite(cmd, "write the site to `DIR`")
}

func (f *buildFlags) registerSite(cmd *cobra.Command, output string) {
	cmd.Flags().StringVarP(&f.output, "output", "o", outputDir, output)
	baseURLFlag(cmd, &f.baseURL)
}

func baseURLFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().Var((*siteAddress)(to), "base-url", "`ADDRESS` of the home page, instead of base_url in inferdex.toml")
}

// siteAddress is a flag with the address of a home page.
type siteAddress string

func (s *siteAddress) String() string { return string(*s) }
func (s *siteAddress) Type() string   { return "string" }

// Set implements pflag.Value.
func (s *siteAddress) Set(text string) error {
	if text != "" && !settings.BaseURL(text) {
		return errors.New("write an address such as https://user.github.io/repository/")
	}
	*s = siteAddress(text)
	return nil
}

func (a *app) build(ctx context.Context, f buildFlags) error {
	a.outlining = true
	in, o, err := a.toBuild(f)
	if err != nil {
		return err
	}
	memory, err := a.digests(&in, &o)
	if err != nil {
		memory = noMemory // What cannot be read is said by whoever needs it.
	}
	names := sync.OnceValues(a.names)
	// What is known of the last build is asked for when pages are made: in.Since is there by then.
	last := func(name, of string) ([]byte, bool) { return in.Since.Content(name, of) }
	known := data.Last{Content: func(name, of string) ([]byte, bool) { return last(name, of) },
		Size: func(name, of string) (int64, bool) { return in.Since.Size(name, of) }}
	made := sync.OnceValues(func() (*site.Site, error) {
		ix, m, err := a.loadBy(names)
		if err != nil {
			return nil, err
		}
		o.Published = withdrawn(o.Published, m)
		return site.Again(ix, m.Catalog, o, known), nil
	})
	draft := sync.OnceValues(func() (*publish.Draft, error) {
		return a.draft(f.output, func() []view.Published {
			_, _ = made() // What is withdrawn is known then.
			return o.Published
		})
	})
	remembered := publish.Remembered(a.place(f.output), a.keptFiles())
	if len(remembered) > 0 {
		go draft() // It looks at each file of the last site, while the catalog is read.
	}
	same := memory.same(remembered, in.Catalog) && !f.full && f.merge == ""
	a.progress.begin("making the pages")
	if same {
		_, err = names() // What is wrong in them is said by each build.
	} else {
		_, err = made()
	}
	if err != nil {
		if len(remembered) > 0 {
			if out, err := draft(); err == nil {
				_ = out.Abort()
			}
		}
		return err
	}
	out, err := draft()
	if err != nil {
		return failed(err)
	}
	defer out.Abort()
	in.Since = memory.build(out, f.full)
	if f.merge != "" {
		if in.Since, last, err = a.merged(f.merge, out, memory, in.Catalog); err != nil {
			return failed(err)
		}
	}
	in.Pages = later(made, (*site.Site).Pages)
	in.Files = a.withExchange(o.Config, memory.files, known.Content, a.withSnapshots(o.Snapshots, later(made, (*site.Site).Files)))
	report, err := a.render(ctx, in, out, f.output)
	if err != nil {
		return failed(err)
	}
	if in.Since != nil {
		out.Remember(in.Since.Memory())
	}
	if err := out.Commit(); err != nil {
		return failed(err)
	}
	a.lagging()
	a.tell(report, o.Config.BaseURL != "", f.output)
	return nil
}

// toBuild is what a build of the site, or of a slice of it, is made with.
func (a *app) toBuild(f buildFlags) (in hugo.Input, o view.Options, err error) {
	if err := a.siteApart(f.output); err != nil {
		return in, o, err
	}
	conf, in, err := a.siteInput(f.baseURL)
	if err != nil {
		return in, o, err
	}
	if o, err = a.options(conf, f, in.Content); err != nil {
		return in, o, failed(err)
	}
	return in, o, nil
}

// siteApart is [app.apart] for a site.
func (a *app) siteApart(output string) error {
	return a.apart("a site", output, outputDir)
}

// keptFiles is where lists of the files of sites are kept, with what is remembered of their builds.
func (a *app) keptFiles() string { return filepath.Join(real(a.path(".")), stateDir, "publish") }

// place is where a site lies, with no link above it: one that is named in two ways is one site, of which one build is made
// at a time and one memory is kept.
func (a *app) place(output string) string {
	output = filepath.Clean(a.path(output))
	return filepath.Join(real(filepath.Dir(output)), filepath.Base(output))
}

// draft begins the site at output, which is of this catalog or not there; published, which is asked where nothing is
// remembered of it, were runs and cards of it.
func (a *app) draft(output string, published func() []view.Published) (*publish.Draft, error) {
	to := a.place(output)
	return publish.Begin(to, a.keptFiles(), func(files []string) error { return a.own(to, files, published()) })
}

// render renders in as the draft of the site at output.
func (a *app) render(ctx context.Context, in hugo.Input, out *publish.Draft, output string) (*hugo.Report, error) {
	files := 0
	report, err := hugo.Build(ctx, in, func(name string, data []byte) error {
		files++
		a.progress.show(0, 0, "building: %s", metric.Plural(files, "file"))
		return out.Write(name, data)
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("%w\nthe site in %s is as it was", err, output)
	}
	return report, nil
}

// own says whether the site at output, of which nothing is remembered, is of this catalog: it lies in no other one, and
// more than half of the runs it shows are in this one or in those that it merges, or were. A site without runs is of any.
func (a *app) own(output string, files []string, gone []view.Published) error {
	const instead = "name another output directory, or remove this one"
	up := filepath.Dir(output)
	if info, err := os.Stat(filepath.Join(up, catalogDir)); err == nil && info.IsDir() && !sameFile(up, a.path(".")) {
		return fmt.Errorf("is the site of the catalog in %s; %s", up, instead)
	}
	found, err := fs.Glob(a.runFiles(), "*/*.json")
	if err != nil {
		return err
	}
	ours, err := a.pinnedRuns()
	if err != nil {
		return err
	}
	for _, name := range found {
		ours[strings.TrimSuffix(path.Base(name), ".json")] = true
	}
	for _, g := range gone {
		ours[g.Run] = true
	}
	shown, known := 0, 0
	for _, name := range files {
		if dir, file := path.Split(name); file == "index.html" && path.Dir(path.Clean(dir)) == "runs" {
			shown++
			if ours[path.Base(dir)] {
				known++
			}
		}
	}
	if shown == 0 || 2*known > shown {
		return nil
	}
	return fmt.Errorf("is the site of another catalog: of its %s, %d in this one; %s",
		metric.Plural(shown, "run"), known, instead)
}

// sameFile tells whether two names are of one file or directory that is there.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// siteInput is what a site is rendered with, without its pages; baseURL wins over that of the settings.
func (a *app) siteInput(baseURL string) (conf *settings.Config, in hugo.Input, err error) {
	if conf, err = a.config(); err != nil {
		return nil, in, err
	}
	conf.BaseURL = cmp.Or(baseURL, conf.BaseURL)
	conf.Title = cmp.Or(conf.Title, "inferdex")
	for _, name := range []string{"layouts", "assets", "content"} {
		info, err := os.Stat(a.path(name))
		if err == nil && !info.IsDir() {
			return nil, in, failed(fmt.Errorf("%s: is no folder: it holds what wins over the built-in %s", name, name))
		}
		if err == nil {
			if _, err := os.ReadDir(a.path(name)); err != nil {
				return nil, in, failed(fmt.Errorf("%s: cannot be read: %w", name, errors.Unwrap(err)))
			}
		}
	}
	in = hugo.Input{
		Title: conf.Title, BaseURL: conf.BaseURL, Language: conf.Language,
		Layouts: a.layers("layouts"), Assets: a.layers("assets"), Content: a.layers("content"),
		Kinds: view.Kinds(), Nearest: settings.Nearest,
	}
	for _, e := range conf.Site.Menu {
		if !e.Away() {
			in.Leads = append(in.Leads, hugo.Lead{File: conf.Site.File, Line: e.Line, Written: e.Written, Address: e.Address})
		}
	}
	in.Params, err = a.siteParams(conf, in)
	return conf, in, err
}

// tell says what a build made, what is wrong in it, and what was left out where the site's address is not known.
func (a *app) tell(report *hugo.Report, addressed bool, output string) {
	for _, x := range report.Findings {
		a.diagnostic(buildWarning, x.File, x.Line, x.Col, x.Message)
	}
	if !addressed {
		a.diagnostic(noAddress, configFile, 0, 0,
			"no base_url: canonical links, the sitemap, feeds, link previews, badges, frames and the look of 404.html "+
				"need the site's address and are left out")
	}
	const pagesLimit = 1 << 30
	if report.Bytes > pagesLimit {
		a.diagnostic(buildWarning, output, 0, 0,
			fmt.Sprintf("the site has %.1f GB: GitHub Pages takes 1 GB; --split organisation builds a site for each "+
				"organisation of the models", float64(report.Bytes)/1e9))
	}
	if a.json {
		a.object(a.stderr, map[string]any{"kind": "summary", "pages": report.Pages, "rendered": report.Rendered,
			"files": report.Files, "bytes": report.Bytes, "output": output})
		return
	}
	pages := metric.Plural(report.Pages, "page")
	if report.Rendered < report.Pages {
		pages += fmt.Sprintf(", %s rendered anew,", metric.Count(report.Rendered))
	}
	a.note("%s: %s and %s, %.1f MB", output, pages, metric.Plural(report.Files, "other file"),
		float64(report.Bytes)/1e6)
}

// options are what the pages are made with beside the catalog; content are the layers of hand-written pages.
func (a *app) options(conf *settings.Config, f buildFlags, content []fs.FS) (o view.Options, err error) {
	o = view.Options{Config: conf, NoPreviews: !f.previews, PNG: f.png}
	if o.Snapshots, err = a.snapshotsOfSite(); err != nil {
		return o, err
	}
	if o.Published, err = a.published(); err != nil {
		return o, err
	}
	if o.Reader, err = a.reader(); err != nil {
		return o, err
	}
	written, err := hugo.Documents(content)
	for _, d := range written {
		o.Written = append(o.Written, d.Path)
	}
	for _, x := range format.All() {
		o.Formats = append(o.Formats,
			view.FormatDoc{Name: x.Name, Title: x.Doc.Title, Tool: x.Doc.Tool, Command: x.Doc.Command,
				Versions: x.Doc.Versions, Files: x.Doc.Files, Reads: x.Doc.Reads, Unknown: x.Doc.Unknown})
	}
	return o, err
}

// reader is what browsers read files with, by the names of the catalog; nil where the program was built without it.
func (a *app) reader() (*view.Reader, error) {
	module, starter, ok := reader.Built()
	if !ok {
		return nil, nil
	}
	names, err := reader.PackNames(ownData(), a.inside(dataDir))
	if err != nil {
		return nil, below(dataDir, err)
	}
	return &view.Reader{Module: module, Starter: starter, Names: names}, nil
}

// later is a sequence of a site that is made when the sequence is asked for.
func later[T any](made func() (*site.Site, error), of func(*site.Site) iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		s, err := made()
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		of(s)(yield)
	}
}

// remembering is how builds are remembered: by the digest of what all pages share, or not at all.
type remembering struct {
	shared incremental.Digest
	files  incremental.Parts // those of the catalog
	on     bool
}

// noMemory remembers nothing and knows of no last build.
var noMemory = remembering{}

// digests says how the build of in is remembered, and sets in.Catalog and o.Origins. It is not where layouts ask for
// more than their page.
func (a *app) digests(in *hugo.Input, o *view.Options) (r remembering, err error) {
	for _, l := range in.Layouts {
		if alone, err := incremental.Alone(l); err != nil || !alone {
			return r, err
		}
	}
	program, err := a.programDigest()
	if err != nil {
		return r, err
	}
	shared := []any{in.Title, in.BaseURL, in.Language, in.Params, in.BuildDate}
	if r.shared, err = incremental.Shared(strings.NewReader(program), shared, slices.Concat(in.Layouts, in.Assets)...); err != nil {
		return r, err
	}
	conf, err := a.readSettings(configFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r, err
	}
	runs, err := a.catalogFiles()
	if err != nil {
		return r, err
	}
	r.files = runs
	lock, err := a.readSettings(lockFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r, err
	}
	rest, err := incremental.Shared(strings.NewReader(""),
		[]any{string(conf), string(lock), in.BaseURL, o.NoPreviews, o.PNG}, a.inside(namesDir))
	if err != nil {
		return r, err
	}
	in.Catalog, err = incremental.Shared(strings.NewReader(""), []any{rest.String(), runs.Digest().String(), o.Written},
		a.inside(notesDir), a.inside(snapshotsDir))
	if r.on = err == nil; r.on {
		// Where catalogs are merged, the lock is part of Rest: a new state of one makes all pages anew.
		o.Origins = view.Origins{Rest: rest.String(), Runs: byRun(runs)}
	}
	return r, err
}

// catalogFiles are the digests of all files of the catalog. Those that did not change are not opened: see [sums].
func (a *app) catalogFiles() (incremental.Parts, error) {
	s, dir := a.sums(builtSums), a.runFiles()
	files, err := incremental.Files(dir, func(name string, e fs.DirEntry) (d incremental.Digest, err error) {
		sum, err := s.of(name, e, func() ([]byte, error) { return fs.ReadFile(dir, name) })
		if err == nil {
			_, err = hex.Decode(d[:], []byte(sum))
		}
		return d, err
	})
	if err == nil {
		s.keep()
	}
	return files, err
}

// program is the digest of the file of this program. It is asked for once: what serves, or builds several sites, stays
// the program that it was.
var program struct {
	sync.Once
	sum string
	err error
}

// programDigest is that of program. The file is large: one that did not change since the last build is not read.
func (a *app) programDigest() (string, error) {
	program.Do(func() { program.sum, program.err = a.sumOfProgram() })
	return program.sum, program.err
}

func (a *app) sumOfProgram() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	s := a.sums(programSums)
	sum, err := s.ofFile(name, info, func() (string, error) {
		sum, _, err := federation.SumOf(f)
		return sum, err
	})
	s.keep()
	return sum, err
}

// byRun are the digests of the files of runs by the ids that the files are named by.
func byRun(files incremental.Parts) map[string]string {
	all := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		id, _, _ := strings.Cut(path.Base(name), ".")
		all[id] += files[name].String()
	}
	return all
}

// same says whether memory is of a build of that catalog.
func (r remembering) same(memory []byte, catalog incremental.Digest) bool {
	if !r.on {
		return false
	}
	_, ok := incremental.New(nil, memory, r.shared).Pages(catalog)
	return ok
}

// build is one build of the site that out becomes; with full, of which nothing is kept. Nil: nothing is remembered.
func (r remembering) build(out *publish.Draft, full bool) *incremental.Build {
	switch {
	case !r.on:
		return nil
	case full:
		return incremental.New(out, nil, r.shared)
	}
	return incremental.New(out, out.Remembered(), r.shared)
}

// layers are the catalog's own folder of that name over the program's.
func (a *app) layers(name string) []fs.FS {
	var list []fs.FS
	if info, err := os.Stat(a.path(name)); err == nil && info.IsDir() {
		list = append(list, a.inside(name))
	}
	own, err := fs.Sub(inferdex.Files, name)
	if err != nil {
		panic(err) // the files are part of the program
	}
	return append(list, own)
}

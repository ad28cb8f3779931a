// Package hugo renders pages with Hugo inside the process: from values and file systems in memory
// to a write function. It needs no hugo program, no temporary tree and no network, and it is the
// only package that knows Hugo.
//
// Hugo serves as a template engine with a Markdown renderer and asset pipelines. What a site holds,
// where its pages lie and what its sitemap, feeds and search index say is decided by package site;
// Hugo's taxonomies, feeds and listings are off, and no layout asks it for other pages. So each
// page is a function of its own parameters, its fragments, the layouts and the site's parameters.
//
// # What a layout sees
//
// A page of kind "run" is rendered by layouts/run.html, which may fill blocks of layouts/baseof.html.
// A hand-written page of content/ is rendered by layouts/page.html unless its front matter names a
// layout. In both, the context is Hugo's page with
//
//	.Title .Description   text
//	.Content              the hand-written Markdown, rendered: Page.Body and the page's note in content/
//	.Params.page          Page.Params as JSON has it: keys in lower snake case, numbers as text or integers
//	.Params.root          what a link to another page begins with: "" on the home page, "../../" on models/x
//	.Params.kind          Page.Kind; "page" for hand-written pages without a layout of their own
//	.Params.path          Page.Path
//	.Params.canonical     the absolute address in directory form where a base URL is set, otherwise ""
//	.Params.note          the front matter of the page's note in content/, where it has one
//	site.Title            Input.Title
//	site.Params           Input.Params, and base_url: with a slash at its end, or "" where there is none
//
// Links are relative and name the file: {{ .Params.root }}models/x/index.html. On 404.html, which a
// server shows at any depth, .Params.root is the path of the base URL, or "" where there is none.
//
//	{{ partial "fragment.html" (dict "page" . "name" "x") }}             the place of Page.Fragments["x"]
//	{{ partial "asset.html" (dict "page" . "name" "css/site.css") }}    the link to a file of assets/
//
// asset.html minifies style sheets, turns TypeScript into JavaScript and puts a digest of the
// content into the name.
package hugo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bep/logg"
	"github.com/gohugoio/hugo/common/loggers"
	"github.com/gohugoio/hugo/config"
	"github.com/gohugoio/hugo/config/allconfig"
	"github.com/gohugoio/hugo/deps"
	"github.com/gohugoio/hugo/hugofs"
	"github.com/gohugoio/hugo/hugolib"
	"github.com/spf13/afero"

	"github.com/inferdex/inferdex/site"
)

// Input is what Build makes a site of.
type Input struct {
	Title string
	// BaseURL is the address of the site's home page. Empty where it is not known: then canonical
	// addresses are empty and 404.html has no link to the rest of the site.
	BaseURL string
	// Language is a language tag such as "en", which is what empty means.
	Language string
	// Params reach layouts as site.Params. Keys in lower snake case.
	Params map[string]any
	// Layouts, Assets and Content hold what lies below the folders of these names. A file of an
	// earlier file system wins over one of the same name in a later one.
	Layouts, Assets, Content []fs.FS
	// Pages are the generated pages. They are asked for once. An error ends the build.
	Pages iter.Seq2[*site.Page, error]
	// Files are written beside the pages. They are asked for once, after the pages.
	Files iter.Seq2[site.File, error]
	// BuildDate is site.Params.build_date as 2006-01-02 where it is not zero. No clock is asked.
	BuildDate time.Time
}

// Report tells what Build wrote and what in the input deserves a look.
type Report struct {
	// Pages counts generated and hand-written pages, Files everything else that was written.
	Pages, Files int
	// Bytes is the sum of the sizes of all files.
	Bytes    int64
	Findings []Finding
}

// Finding is something in the input that did not stop the build.
type Finding struct {
	// File is a path such as "content/cards/x.md"; empty where no file is to blame.
	File string
	// Line counts from 1; 0 is unknown.
	Line    int
	Message string
}

func (f Finding) String() string {
	switch {
	case f.File == "":
		return f.Message
	case f.Line == 0:
		return f.File + ": " + f.Message
	}
	return f.File + ":" + strconv.Itoa(f.Line) + ": " + f.Message
}

// kindsOfHugo are names of layouts that Hugo keeps for pages of its own kinds: it would render a
// scorecard of kind "home" that is not the home page with page.html. So such a layout gets a
// second name.
var kindsOfHugo = []string{"404", "home", "index", "page", "section", "taxonomy", "term", "list", "single", "all"}

// standIn begins the second name of a layout.
const standIn = "inferdex--"

// workDir is where Hugo believes the site to lie. It exists in memory only.
const workDir = "/site"

// building keeps builds apart: Hugo has state in package variables.
var building sync.Mutex

// Build renders in and gives every file of the site to write: its name below the site's root with
// forward slashes and its content, which is reused after write returns. Calls of write do not
// overlap; their order is not defined. After the first error nothing more is written, and what was
// written so far is not a site.
func Build(ctx context.Context, in Input, write func(name string, data []byte) error) (_ *Report, err error) {
	building.Lock()
	defer building.Unlock()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("hugo stopped unexpectedly: %v", r)
		}
	}()

	source := afero.NewMemMapFs()
	for _, part := range []struct {
		dir    string
		layers []fs.FS
	}{{"layouts", in.Layouts}, {"assets", in.Assets}} {
		if err := mount(source, part.dir, part.layers); err != nil {
			return nil, err
		}
	}
	content, err := readContent(in.Content)
	if err != nil {
		return nil, err
	}
	base, err := baseURL(in.BaseURL)
	if err != nil {
		return nil, err
	}
	out := newSink(write)
	feed := &Feed{in: in, base: base, content: content, out: out, log: &log{}, layouts: map[string]string{}}
	layouts, err := afero.ReadDir(source, path.Join(workDir, "layouts"))
	if err != nil {
		return nil, err
	}
	for _, l := range layouts {
		name, ok := strings.CutSuffix(l.Name(), ".html")
		if !ok {
			continue
		}
		feed.layouts[name] = name
		if slices.Contains(kindsOfHugo, name) {
			feed.layouts[name] = standIn + name
			data, err := afero.ReadFile(source, path.Join(workDir, "layouts", l.Name()))
			if err != nil {
				return nil, err
			}
			if err := afero.WriteFile(source, path.Join(workDir, "layouts", standIn+l.Name()), data, 0o666); err != nil {
				return nil, err
			}
		}
	}
	if err := feed.collect(ctx); err != nil {
		return nil, err
	}
	if err := rehearse(ctx, source, feed); err != nil {
		return nil, err
	}
	if err := render(ctx, source, feed); err != nil {
		return nil, err
	}
	if err := out.finish(); err != nil {
		return nil, err
	}
	for _, f := range content.files {
		if err := out.put(f.name, f.data); err != nil {
			return nil, err
		}
	}
	if in.Files != nil {
		var b bytes.Buffer
		for f, err := range in.Files {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			b.Reset()
			if err := guard(func() error { return f.Write(&b) }); err != nil {
				return nil, fmt.Errorf("%s: %w", f.Path, err)
			}
			if err := out.put(f.Path, b.Bytes()); err != nil {
				return nil, err
			}
		}
	}
	return &Report{Pages: out.pages, Files: out.files - out.pages, Bytes: out.bytes, Findings: feed.findings()}, nil
}

// mount copies the layers of one folder into fsys, the first file of a name winning.
func mount(fsys afero.Fs, dir string, layers []fs.FS) error {
	if err := fsys.MkdirAll(path.Join(workDir, dir), 0o777); err != nil {
		return err
	}
	return walkLayers(layers, func(name string, _ int, read func() ([]byte, error)) error {
		data, err := read()
		if err != nil {
			return fmt.Errorf("%s/%s: %w", dir, name, err)
		}
		return afero.WriteFile(fsys, path.Join(workDir, dir, name), data, 0o666)
	})
}

// walkLayers calls f for every regular file of the layers once: for the one in the first layer
// that has the name.
func walkLayers(layers []fs.FS, f func(name string, layer int, read func() ([]byte, error)) error) error {
	seen := map[string]bool{}
	for i, layer := range layers {
		if layer == nil {
			continue
		}
		err := fs.WalkDir(layer, ".", func(name string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && name == "." {
				return nil // A catalog need not have the folder.
			}
			if err != nil || d.IsDir() || seen[name] || strings.HasPrefix(path.Base(name), ".") {
				return err
			}
			seen[name] = true
			return f(name, i, func() ([]byte, error) { return fs.ReadFile(layer, name) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// baseURL returns u with a slash at its end.
func baseURL(u string) (string, error) {
	if u == "" {
		return "", nil
	}
	p, err := url.Parse(u)
	if err != nil || (p.Scheme != "https" && p.Scheme != "http") || p.Host == "" || p.RawQuery != "" || p.Fragment != "" {
		return "", fmt.Errorf("base URL %q: write an address such as https://user.github.io/repository/", u)
	}
	return strings.TrimSuffix(u, "/") + "/", nil
}

// contentAdapter is the one file in Hugo's content folder: it takes all pages from Feed.Pages.
const contentAdapter = `{{ range site.Params.inferdex.Pages }}{{ $.AddPage . }}{{ end }}`

// atOnce is how many pages may fail in one rendering. Hugo stops after ten, and may then wait for
// itself forever: the one that hands out pages for those that have stopped rendering them.
const atOnce = 9

// rehearse renders one page of each layout to nowhere, few at a time, so that a mistake in a layout
// is found before thousands of pages meet it.
func rehearse(ctx context.Context, source afero.Fs, feed *Feed) error {
	seen := map[string]bool{}
	var jobs []*job
	for _, j := range feed.jobs {
		if !seen[j.layout] {
			seen[j.layout] = true
			jobs = append(jobs, j)
		}
	}
	for some := range slices.Chunk(jobs, atOnce) {
		f := *feed
		f.jobs, f.out, f.log = some, feed.out.rehearsal(), &log{}
		if err := render(ctx, source, &f); err != nil {
			return err
		}
	}
	return nil
}

// errStuck is what render says when Hugo stopped without saying why.
var errStuck = errors.New("hugo stopped after ten pages that it could not render")

// render has Hugo render the pages of feed with the layouts and assets in source. The error says
// where and why.
func render(ctx context.Context, source afero.Fs, feed *Feed) error {
	sites, err := load(source, feed)
	if err != nil {
		return feed.explain(err)
	}
	result := make(chan error, 1)
	go func() {
		result <- guard(func() error { return sites.Build(hugolib.BuildCfg{NoBuildLock: true}) })
		sites.Close()
	}()
	select {
	case err = <-result:
	case <-ctx.Done():
		return feed.out.fail(ctx.Err())
	case <-feed.out.stopped:
		return feed.out.failed()
	case <-sites.Done():
		select {
		case err = <-result:
		case <-time.After(time.Second):
			return feed.out.fail(diagnose(ctx, source, feed))
		}
	}
	if own := feed.out.failed(); own != nil {
		return own
	}
	if err != nil {
		return feed.explain(err)
	}
	return nil
}

// diagnose renders the first pages that were not written again, few enough to be told why.
func diagnose(ctx context.Context, source afero.Fs, feed *Feed) error {
	f := *feed
	f.jobs, f.out, f.log = feed.out.unwritten(feed.jobs, atOnce), feed.out.rehearsal(), &log{}
	if len(f.jobs) == len(feed.jobs) {
		return errStuck
	}
	if err := render(ctx, source, &f); err != nil {
		return err
	}
	return errStuck
}

// load has Hugo read the layouts and assets in source.
func load(source afero.Fs, feed *Feed) (*hugolib.HugoSites, error) {
	for name, text := range map[string]string{"hugo.toml": "", "content/_content.gotmpl": contentAdapter} {
		if err := afero.WriteFile(source, path.Join(workDir, name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	params := map[string]any{}
	for k, v := range feed.in.Params {
		params[k] = v
	}
	params["inferdex"] = feed
	params["base_url"] = feed.base
	if !feed.in.BuildDate.IsZero() {
		params["build_date"] = feed.in.BuildDate.UTC().Format(time.DateOnly)
	}
	language := feed.in.Language
	if language == "" {
		language = "en"
	}
	flags := config.New()
	for k, v := range map[string]any{
		"workingDir":                 workDir,
		"publishDir":                 "public",
		"cacheDir":                   workDir + "/cache",
		"baseURL":                    feed.base,
		"title":                      feed.in.Title,
		"defaultContentLanguage":     strings.ToLower(language),
		"locale":                     language,
		"disableKinds":               []string{"section", "taxonomy", "term", "rss", "sitemap", "robotstxt", "404"},
		"disableHugoGeneratorInject": true,
		"enableRobotsTXT":            false,
		"timeout":                    "10m",
		"params":                     params,
		"markup": map[string]any{
			"goldmark": map[string]any{
				"renderer":   map[string]any{"unsafe": false},
				"extensions": map[string]any{"linkify": true},
				"parser":     map[string]any{"autoHeadingID": true},
			},
			"highlight": map[string]any{"noClasses": false, "style": "github"},
		},
		"outputs": map[string]any{"home": []string{"html"}, "page": []string{"html"}},
		// Layouts come from whoever wrote the catalog, but a build asks for nothing outside it.
		"security": map[string]any{
			"exec":  map[string]any{"allow": []string{"none"}, "osEnv": []string{"none"}},
			"funcs": map[string]any{"getenv": []string{"none"}},
			"http":  map[string]any{"urls": []string{"none"}, "methods": []string{"none"}},
		},
	} {
		flags.Set(k, v)
	}
	logger := loggers.New(loggers.Options{StdOut: feed.log, StdErr: feed.log, Level: logg.LevelWarn, DistinctLevel: logg.LevelWarn})
	configs, err := allconfig.LoadConfig(allconfig.ConfigSourceDescriptor{
		Fs:       source,
		Flags:    flags,
		Filename: workDir + "/hugo.toml",
		Logger:   logger,
		// Not empty, so that no variable HUGO_... of the machine has a say.
		Environ:      []string{"INFERDEX=1"},
		Environment:  "production",
		SkipNpmCheck: true,
	})
	if err != nil {
		return nil, err
	}
	return hugolib.NewHugoSites(deps.DepsCfg{
		Configs:  configs,
		Fs:       hugofs.NewFromSourceAndDestination(source, &publishFS{out: feed.out}, flags),
		StdOut:   feed.log,
		StdErr:   feed.log,
		LogLevel: logg.LevelWarn,
	})
}

// plain turns a view struct into what templates can walk: maps, lists, text, booleans and integers.
// Any other number becomes text, so that no template prints it with an exponent.
func plain(v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil {
		return nil, err
	}
	return withoutFloats(x), nil
}

func withoutFloats(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = withoutFloats(e)
		}
	case []any:
		for i, e := range v {
			v[i] = withoutFloats(e)
		}
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil {
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
		return v.String()
	}
	return v
}

// guard turns a panic of f into an error.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("stopped unexpectedly: %v", r)
		}
	}()
	return f()
}

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
// A page of kind "run" is rendered by layouts/run.html, or by layouts/report.html where there is no
// such file; either may fill blocks of layouts/baseof.html. A hand-written page of content/ is
// rendered by layouts/page.html unless its front matter names a layout. In both, the context is Hugo's page with
//
//	.Title .Description   text
//	.Content              the hand-written Markdown, rendered: of a generated page its note in content/
//	.Params.page          Page.Params as JSON has it: keys in lower snake case, numbers as text or integers
//	                      (of page.Sectioned the places of sections, for the partial sections.html)
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
	"context"
	"fmt"
	"io/fs"
	"iter"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/spf13/afero"

	"github.com/inferdex/inferdex/site/incremental"
	"github.com/inferdex/inferdex/site/page"
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
	// Leads are links that every page has and that settings state: where one leads to nothing, Build says so.
	Leads []Lead
	// Kinds are the kinds that generated pages can have. A layout of another name is said to be in vain; none is where
	// there are none.
	Kinds []string
	// Nearest finds among known words the one that another word was meant to be, "" where none is near. Nil: nobody is
	// asked, and keys of front matter that are misspelt are not said.
	Nearest func(word string, known []string) string
	// Pages are the generated pages. They are asked for once. An error ends the build.
	Pages iter.Seq2[*page.Page, error]
	// Files are written beside the pages. They are asked for once, after the pages.
	Files iter.Seq2[page.File, error]
	// Unwritten leaves out the pages of Content, of which notes are taken and files written.
	Unwritten bool
	// BuildDate is site.Params.build_date as 2006-01-02 where it is not zero. No clock is asked.
	BuildDate time.Time
	// Since knows the last build: a page that it calls unchanged is not rendered. It takes layouts, assets and what
	// stands above Layouts here for those of the last build. Nil: all pages are rendered.
	Since *incremental.Build
	// Catalog is the digest of all that Pages and Files are made of. Where it is that of the last build, they are not
	// asked for. Zero: it is not known.
	Catalog incremental.Digest
}

// Lead is a link below the site's root, such as "team/index.html", with the place and the words it is written with.
type Lead struct {
	File             string
	Line             int
	Written, Address string
}

// Report tells what Build wrote and what in the input deserves a look.
type Report struct {
	// Pages counts generated and hand-written pages, Rendered those of them that are not of the last build, Files
	// everything else.
	Pages, Rendered, Files int
	// Bytes is the sum of the sizes of all files.
	Bytes    int64
	Findings []Finding
}

// Finding is something in the input that did not stop the build.
type Finding struct {
	// File is a path such as "content/cards/x.md"; empty where no file is to blame.
	File string
	// Line and Col count from 1; 0 is unknown.
	Line, Col int
	Message   string
}

// String is the finding with its place: "content/a.md:3:1: what is wrong".
func (f Finding) String() string {
	switch {
	case f.File == "":
		return f.Message
	case f.Line == 0:
		return f.File + ": " + f.Message
	case f.Col == 0:
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Col, f.Message)
}

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
	layouts, err := nameLayouts(source)
	if err != nil {
		return nil, err
	}
	out := newSink(func(name string, data []byte) error {
		if err := ctx.Err(); err != nil { // before anybody notices that it was cancelled
			return err
		}
		return write(name, data)
	})
	out.since = in.Since
	feed := &Feed{in: in, base: base, source: source, content: content, out: out, log: &log{}, layouts: layouts}
	if err := feed.keepAll(); err != nil {
		return nil, err
	}
	if err := feed.collect(ctx); err != nil {
		return nil, err
	}
	if err := out.renderAll(ctx, feed); err != nil {
		return nil, err
	}
	for _, f := range content.files {
		if _, err := out.put(f.name, "content/"+f.name, f.data); err != nil {
			return nil, err
		}
	}
	if err := out.putAll(ctx, feed.in.Files); err != nil {
		return nil, err
	}
	return &Report{
		Pages: out.pages, Rendered: len(feed.jobs), Files: out.files - out.pages, Bytes: out.bytes,
		Findings: feed.findings(),
	}, nil
}

// renderAll renders the pages of feed and takes what the others use from the last site.
func (s *sink) renderAll(ctx context.Context, feed *Feed) error {
	if len(feed.jobs) > 0 {
		if err := renderParts(ctx, feed); err != nil {
			return err
		}
	}
	if err := s.publishLate(); err != nil {
		return err
	}
	if err := s.finish(); err != nil {
		return err
	}
	if s.since != nil {
		for _, a := range s.assets {
			if !a.named {
				s.since.ForgetAll() // No page says that it needs this file.
			}
		}
	}
	return s.keepUsed()
}

// baseURL returns u with a slash at its end.
func baseURL(u string) (string, error) {
	if u == "" {
		return "", nil
	}
	p, err := url.Parse(u)
	if err != nil || (p.Scheme != "https" && p.Scheme != "http") || p.Host == "" || p.RawQuery != "" ||
		p.Fragment != "" {
		return "", fmt.Errorf("base URL %q: write an address such as https://user.github.io/repository/", u)
	}
	return strings.TrimSuffix(u, "/") + "/", nil
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

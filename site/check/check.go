// Package check reads a built site and says what is wrong with it: links and anchors that lead
// nowhere, pages that break their own content security policy, pages over their budget, missing
// titles, and traces of Go or Python values in the text that people read.
//
// It judges the finished files and knows nothing about how they were made, so it finds what a
// test of a template cannot: a fragment spliced in at the wrong place, a file that a link names
// and nobody wrote.
package check

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Policy is the content security policy that every page states first in its head.
const Policy = policyBegin + policyEnd

// ReaderPolicy is that of pages that read files of their readers, [ReaderPages]: they run WebAssembly, in a worker made
// of a blob, because such a worker is held by the policy of its page and one with an address is not.
const ReaderPolicy = policyBegin + " 'wasm-unsafe-eval'; worker-src blob:" + policyEnd

const (
	policyBegin = "default-src 'none'; script-src 'self'"
	policyEnd   = "; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'self'; " +
		"form-action 'none'"
)

// ReaderPages are the pages that may state ReaderPolicy.
var ReaderPages = []string{"check/index.html", "compare/index.html"}

// Options say what the tree alone does not. The zero value checks a site without a base URL
// against the default limits.
type Options struct {
	// BaseURL is the absolute address of the site's root: "https://example.org/bench/". With it,
	// absolute addresses below it (canonical links, sitemap, feeds) must lead to files of the
	// tree. Empty: they are not followed.
	BaseURL string
	// Claimed reports whether a text is that of a claim: see [Spaced]. Captions and sentences that state
	// results must be. Nil: nobody knows, and nothing is said of them.
	Claimed func(text string) bool
	// Limits are the budgets; zero means [DefaultLimits].
	Limits Limits
	// Sizes asks for the HTML of each [Kind]. Without it only pages that may come near their budget are packed to learn
	// their size, because that takes longer than to read them.
	Sizes bool
	// Progress is told how many of all files are read, by several goroutines at a time; nil tells nobody.
	Progress func(done, total int)
	// Workers is the number of files read at once; zero means one for each processor.
	Workers int
}

// Limits are budgets: of bytes, and of elements on one page.
type Limits struct {
	// CardHTML bounds the HTML of a card's page, gzipped, without its raw records.
	CardHTML int64
	// CSS bounds the style sheets of one page, gzipped.
	CSS int64
	// Script bounds the scripts of one page, gzipped; CompareScript those of compare/index.html, ReaderScript those of
	// another page that reads files.
	Script, CompareScript, ReaderScript int64
	// Reader bounds the program that reads files, which is loaded when one is chosen.
	Reader int64
	// Nodes is the number of elements that a page must stay below.
	Nodes int64
	// Loaded bounds each file that a page loads, and each page, as it is on the disk.
	Loaded int64
	// Site is the size of all files above which a host may refuse the site.
	Site int64
	// File is the size of one file above which a repository may refuse it.
	File int64
}

// DefaultLimits are the budgets of this program's own sites. A KB is 1024 bytes.
var DefaultLimits = Limits{
	CardHTML:      60 << 10,
	CSS:           12 << 10,
	Script:        10 << 10,
	CompareScript: 40 << 10,
	ReaderScript:  16 << 10,
	Reader:        5 << 20,
	Nodes:         15_000,
	Loaded:        1 << 20,
	Site:          1 << 30,
	File:          100 << 20,
}

// Finding is one thing that is wrong at one place.
type Finding struct {
	// File is the path below the site's root; "." is the site as a whole.
	File string
	// Line counts from 1; 0 is the file as a whole.
	Line int
	// Code is the Code of one of the [Rules].
	Code     string
	Severity Severity
	Message  string
}

// String returns the finding on one line: "a/index.html:12: error: message [code]".
func (f Finding) String() string {
	place := f.File
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	return fmt.Sprintf("%s: %s: %s [%s]", place, f.Severity, f.Message, f.Code)
}

// Site checks the site whose root is fsys. The error is one of reading it, or of o; what is wrong
// with the site is in the report, which is the same whatever o.Workers is.
func Site(fsys fs.FS, o Options) (*Report, error) {
	s, err := newSite(o)
	if err != nil {
		return nil, err
	}
	names, err := s.list(fsys)
	if err != nil {
		return nil, err
	}
	files := make([]*file, len(names))
	var g errgroup.Group
	var done atomic.Int64
	g.SetLimit(cmp.Or(max(o.Workers, 0), runtime.GOMAXPROCS(0)))
	for i, name := range names {
		g.Go(func() error {
			f, err := s.read(fsys, name)
			files[i] = f
			if n := done.Add(1); o.Progress != nil {
				o.Progress(int(n), len(names))
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if err := s.weigh(fsys, files); err != nil {
		return nil, err
	}
	r := s.judge(files)
	slices.SortFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
	r.Findings = slices.Compact(r.Findings)
	return r, nil
}

// site is what all files are judged by. It does not change once the tree is listed.
type site struct {
	limits   Limits
	sizes    bool
	claimed  func(string) bool
	base     *url.URL // nil where it is unknown; its path has a slash at both ends
	size     map[string]int64
	dirs     map[string]bool
	findings []Finding // of the tree itself
}

func newSite(o Options) (*site, error) {
	s := &site{limits: cmp.Or(o.Limits, DefaultLimits), claimed: o.Claimed, sizes: o.Sizes, size: map[string]int64{},
		dirs: map[string]bool{".": true}}
	if o.BaseURL != "" {
		u, err := url.Parse(o.BaseURL)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return nil, fmt.Errorf("base URL %q is not an absolute http address", o.BaseURL)
		}
		if u.Path = "/" + strings.Trim(u.Path, "/"); u.Path != "/" {
			u.Path += "/"
		}
		s.base = u
	}
	return s, nil
}

// list walks the tree and returns the names of the files to read, sorted.
func (s *site) list(fsys fs.FS) ([]string, error) {
	var names []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			s.dirs[name] = true
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			info, problem := followed(fsys, name)
			if problem != "" {
				s.findings = append(s.findings, finding(name, 0, "symlink", "%s", problem))
				return nil
			}
			s.size[name] = info.Size()
		case !d.Type().IsRegular():
			s.findings = append(s.findings,
				finding(name, 0, "symlink", "is neither a file nor a directory, which no host can publish"))
			return nil
		default:
			info, err := d.Info()
			if err != nil {
				return err
			}
			s.size[name] = info.Size()
		}
		names = append(names, name)
		return nil
	})
	slices.Sort(names)
	return names, err
}

// followed returns what the symbolic link of that name leads to, or why it may not stand in a
// published tree. A link to a file inside the tree is served as that file.
func followed(fsys fs.FS, name string) (info fs.FileInfo, problem string) {
	for at, n := name, 0; ; n++ {
		to, err := fs.ReadLink(fsys, at)
		if err != nil {
			return nil, fmt.Sprintf("is a symbolic link that cannot be read: %v", err)
		}
		if path.IsAbs(to) || strings.Contains(to, `\`) {
			return nil, fmt.Sprintf("is a symbolic link out of the site, to %q", to)
		}
		next := path.Join(path.Dir(at), to)
		if !fs.ValidPath(next) {
			return nil, fmt.Sprintf("is a symbolic link out of the site, to %q", to)
		}
		if info, err = fs.Lstat(fsys, next); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Sprintf("is a symbolic link to %q, which does not exist", to)
		} else if err != nil {
			return nil, fmt.Sprintf("is a symbolic link that cannot be read: %v", err)
		}
		switch {
		case info.Mode().IsRegular():
			return info, ""
		case info.IsDir():
			return nil, fmt.Sprintf("is a symbolic link to the directory %q; write the files at both places", to)
		case n == 16:
			return nil, "is a symbolic link that leads round in a circle"
		}
		at = next
	}
}

package check

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Report is what Site found and measured.
type Report struct {
	// Findings are sorted by file, line and code.
	Findings []Finding
	// Kinds are the kinds of pages, sorted by name, and what the largest of each needs.
	Kinds []Kind
	// Types are the types of files, sorted by extension.
	Types []Type
	// Largest are the ten pages with the most HTML, gzipped, the largest first.
	Largest []Page
	// Pages counts all pages, Redirects those of them that only send a reader on.
	Pages, Redirects int
	// Files and Bytes count the whole site.
	Files int
	Bytes int64
}

// Kind is all pages at one place in the scheme of addresses.
type Kind struct {
	// Name is the pattern of their paths: "/", "/cards/", "/cards/*/", "/404.html".
	Name  string
	Pages int
	Bytes int64
	// The largest values, gzipped where they are bytes: HTML leaves raw records out.
	HTML, CSS, Script, Nodes Peak
}

// Peak is the largest value among several pages.
type Peak struct {
	Value int64
	File  string // the first page with it
	Limit int64  // zero: there is none
}

// Page is one page and its size.
type Page struct {
	File  string
	Bytes int64
	// HTML is its size gzipped, without raw records.
	HTML  int64
	Nodes int64
}

// Type is all files with one extension: ".html", ".json.gz", "" for none.
type Type struct {
	Ext   string
	Files int
	Bytes int64
}

func count(n int64) string { return fmt.Sprint(n) }

// size writes a number of bytes; a KB is 1024 bytes.
func size(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.2f GB", float64(n)/(1<<30))
}

// kind returns the pattern of a page's path: what stands below its first directory is a name.
func kind(name string) string {
	dir, base := path.Split(name)
	parts := strings.Split(strings.Trim(dir, "/"), "/")
	for i := 1; i < len(parts); i++ {
		parts[i] = "*"
	}
	pattern := "/"
	if parts[0] != "" {
		pattern = "/" + strings.Join(parts, "/") + "/"
	}
	if base != "index.html" {
		pattern += base
	}
	return pattern
}

// judge looks at what needs all files, and gathers the numbers. The files are sorted by name.
func (s *site) judge(files []*file) *Report {
	r := &Report{Files: len(files), Findings: slices.Clone(s.findings)}
	add := func(name string, code, format string, args ...any) {
		r.Findings = append(r.Findings, finding(name, 0, code, format, args...))
	}
	byName := make(map[string]*file, len(files))
	for _, f := range files {
		byName[f.name] = f
	}
	if f := byName["index.html"]; f == nil || f.page == nil {
		add(".", "no-home", "there is no index.html at the root; is this a built site?")
	}
	titles := map[string]string{}
	kinds := map[string]*Kind{}
	types := map[string]*Type{}
	loaded := map[string]bool{}
	budgets := budgets{seen: map[string]int{}}
	for _, f := range files {
		bytes := s.size[f.name]
		r.Bytes += bytes
		ext := strings.ToLower(path.Ext(f.name))
		if ext == ".gz" {
			ext = strings.ToLower(path.Ext(strings.TrimSuffix(f.name, path.Ext(f.name)))) + ext
		}
		t := types[ext]
		if t == nil {
			t = &Type{Ext: ext}
			types[ext] = t
		}
		t.Files++
		t.Bytes += bytes
		switch ext {
		// A script may load these at any time, so no page need name them.
		case ".html", ".htm", ".xhtml", ".css", ".js", ".mjs", ".woff", ".woff2":
			loaded[f.name] = true
		}
		for _, name := range f.loaded {
			loaded[name] = true
		}
		s.anchors(byName, f)

		p := f.page
		if p == nil {
			continue
		}
		r.Pages++
		if p.redirect {
			r.Redirects++
		} else if p.title != "" {
			if first, ok := titles[p.title]; ok {
				f.add(p.titleLine, "title-unique", "%q has the same title %q", first, p.title)
			} else {
				titles[p.title] = f.name
			}
		}
		k := kinds[kind(f.name)]
		if k == nil {
			k = &Kind{Name: kind(f.name)}
			kinds[k.Name] = k
		}
		k.Pages++
		k.Bytes += bytes
		k.Nodes.measure(f.name, p.nodes, s.limits.Nodes)
		// The budget says "fewer than", those of bytes "at most".
		budgets.judge(f, "budget-nodes", "", p.nodes, s.limits.Nodes-1, count, "elements on the page")
		limit := int64(0)
		if strings.HasPrefix(k.Name, "/cards/*/") {
			limit = s.limits.CardHTML
			budgets.judge(f, "budget-html", "", p.html, limit, size, "HTML gzipped without raw records")
		}
		k.HTML.measure(f.name, p.html, limit)
		css, all := sum(byName, p.styles)
		k.CSS.measure(f.name, css, s.limits.CSS)
		budgets.judge(f, "budget-css", all, css, s.limits.CSS, size, "style sheets gzipped: "+all)
		limit = s.limits.Script
		if f.name == "compare/index.html" {
			limit = s.limits.CompareScript
		}
		script, all := sum(byName, p.scripts)
		k.Script.measure(f.name, script, limit)
		budgets.judge(f, "budget-script", fmt.Sprint(all, limit), script, limit, size, "scripts gzipped: "+all)
		r.Largest = append(r.Largest, Page{f.name, bytes, p.html, p.nodes})
	}
	for _, f := range files {
		if loaded[f.name] {
			budgets.judge(f, "budget-loaded", "", s.size[f.name], s.limits.Loaded, size, "in one file that a page loads")
		}
		r.Findings = append(r.Findings, f.findings...)
	}
	if s.limits.Site < r.Bytes {
		add(".", "site-size", "the site has %s, more than the %s that a host takes", size(r.Bytes), size(s.limits.Site))
	} else if near(r.Bytes, s.limits.Site) {
		add(".", "near-budget", "the site has %s of %s", size(r.Bytes), size(s.limits.Site))
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		r.Kinds = append(r.Kinds, *kinds[name])
	}
	for _, ext := range slices.Sorted(maps.Keys(types)) {
		r.Types = append(r.Types, *types[ext])
	}
	slices.SortFunc(r.Largest, func(a, b Page) int {
		return cmp.Or(cmp.Compare(b.HTML, a.HTML), cmp.Compare(a.File, b.File))
	})
	r.Largest = r.Largest[:min(len(r.Largest), 10)]
	return r
}

func (p *Peak) measure(file string, value, limit int64) {
	p.Limit = limit
	if value > p.Value || p.File == "" {
		p.Value, p.File = value, file
	}
}

func near(value, limit int64) bool { return value*5 > limit*4 }

// budgets remembers what was reported: all pages share a style sheet, and it is too large once.
type budgets struct{ seen map[string]int }

// judge reports a value that is above its limit or near it. Values with the same key, unless it
// is empty, are reported on the first page that has them.
func (b budgets) judge(f *file, code, key string, value, limit int64, form func(int64) string, what string) {
	if !near(value, limit) {
		return
	}
	if key != "" {
		if b.seen[code+key]++; b.seen[code+key] > 1 {
			return
		}
	}
	if value > limit {
		f.add(0, code, "%s %s; the budget is %s", form(value), what, form(limit))
	} else {
		f.add(0, "near-budget", "%s %s, near the budget of %s", form(value), what, form(limit))
	}
}

// sum adds up what files need on their way to a reader, each once.
func sum(files map[string]*file, names []string) (bytes int64, all string) {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	for _, name := range names {
		bytes += files[name].zipped
	}
	return bytes, strings.Join(names, ", ")
}

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
	// Kinds are the kinds of pages, sorted by name.
	Kinds []Kind
	// Pages counts the pages that somebody reads, Redirects those that send their reader on at once, Files and Bytes the
	// whole site.
	Pages, Redirects, Files int
	Bytes                   int64
}

// Kind is all pages at one place in the scheme of addresses.
type Kind struct {
	// Name is the pattern of their paths: "/", "/cards/", "/cards/*/", "/404.html".
	Name  string
	Pages int
	// HTML, CSS and Script are the most bytes that one of them needs, gzipped, HTML without raw
	// records and where [Options] ask for it; Nodes the most elements.
	HTML, CSS, Script, Nodes int64
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

// survey looks at what needs all files, and gathers the numbers.
type survey struct {
	*site
	report  *Report
	files   map[string]*file
	titles  map[string]string // and the first page with it
	kinds   map[string]*Kind
	loaded  map[string]bool // files that a page loads, or is
	budgets budgets
}

// judge makes the report of all files, which are sorted by name.
func (s *site) judge(files []*file) *Report {
	v := survey{
		site: s, report: &Report{Files: len(files), Findings: slices.Clone(s.findings)}, files: map[string]*file{},
		titles: map[string]string{}, kinds: map[string]*Kind{}, loaded: map[string]bool{}, budgets: budgets{},
	}
	for _, f := range files {
		v.files[f.name] = f
	}
	r := v.report
	if f := v.files["index.html"]; f == nil || f.page == nil {
		r.Findings = append(r.Findings,
			finding(".", 0, "no-home", "there is no index.html at the root; is this a built site?"))
	}
	for _, f := range files {
		r.Bytes += s.size[f.name]
		if scripted[strings.ToLower(path.Ext(f.name))] {
			v.loaded[f.name] = true
		}
		for _, name := range f.loaded {
			v.loaded[name] = true
		}
		s.anchors(v.files, f)
		if f.page != nil {
			v.page(f)
		}
	}
	for _, f := range files {
		if n := s.size[f.name]; n > s.limits.File {
			f.add(0, "file-size", "the file has %s, more than the %s that a repository takes", size(n), size(s.limits.File))
		}
		if v.loaded[f.name] {
			limit := s.limits.Loaded
			if strings.HasSuffix(f.name, ".wasm.gz") {
				limit = s.limits.Reader
			}
			v.budgets.judge(f, "budget-loaded", "", s.size[f.name], limit, size,
				"in one file that a page loads")
		}
		r.Findings = append(r.Findings, f.findings...)
	}
	if s.limits.Site < r.Bytes {
		r.Findings = append(r.Findings, finding(".", 0, "site-size",
			"the site has %s, more than the %s that a host takes: %s", size(r.Bytes), size(s.limits.Site), s.largest(files)))
	} else if near(r.Bytes, s.limits.Site) {
		r.Findings = append(r.Findings, finding(".", 0, "near-budget",
			"the site has %s of %s: %s", size(r.Bytes), size(s.limits.Site), s.largest(files)))
	}
	for _, name := range slices.Sorted(maps.Keys(v.kinds)) {
		r.Kinds = append(r.Kinds, *v.kinds[name])
	}
	return r
}

// largest says what a site's size is made of: the kinds of files that take most, a folder and an extension each, and
// the ten largest files.
func (s *site) largest(files []*file) string {
	const mostKinds, mostFiles = 5, 10
	sums := map[string]int64{}
	counts := map[string]int{}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.name
		kind := "*" + path.Ext(f.name)
		if top, _, below := strings.Cut(f.name, "/"); below {
			kind = top + "/**/" + kind
		}
		sums[kind] += s.size[f.name]
		counts[kind]++
	}
	// Those that are equally large are in the order of their names.
	bySize := func(size map[string]int64) func(a, b string) int {
		return func(a, b string) int { return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(a, b)) }
	}
	kinds := slices.SortedFunc(maps.Keys(sums), bySize(sums))
	slices.SortFunc(names, bySize(s.size))
	var parts []string
	for _, k := range kinds[:min(mostKinds, len(kinds))] {
		parts = append(parts, fmt.Sprintf("%s in %d of %s", size(sums[k]), counts[k], k))
	}
	var list []string
	for _, n := range names[:min(mostFiles, len(names))] {
		list = append(list, fmt.Sprintf("%s (%s)", n, size(s.size[n])))
	}
	return strings.Join(parts, ", ") + "; the largest files are " + strings.Join(list, ", ")
}

// scripted are the extensions of pages and of what a script may load at any time, so that no page
// need name it.
var scripted = set(".html", ".htm", ".xhtml", ".css", ".js", ".mjs", ".woff", ".woff2")

// page judges the title and the budgets of a page.
func (v *survey) page(f *file) {
	p := f.page
	if p.redirect {
		v.report.Redirects++
	} else {
		v.report.Pages++
	}
	if !p.redirect && p.title != "" {
		if first, ok := v.titles[p.title]; ok {
			f.add(p.titleLine, "title-unique", "%q has the same title %q", first, p.title)
		} else {
			v.titles[p.title] = f.name
		}
	}
	k := v.kinds[kind(f.name)]
	if k == nil {
		k = &Kind{Name: kind(f.name)}
		v.kinds[k.Name] = k
	}
	css, sheets := v.sum(p.styles)
	script, scripts := v.sum(p.scripts)
	k.Pages++
	k.HTML, k.CSS, k.Script, k.Nodes = max(k.HTML, p.html), max(k.CSS, css), max(k.Script,
		script), max(k.Nodes, p.nodes)

	// The budget says "fewer than", those of bytes "at most".
	v.budgets.judge(f, "budget-nodes", "", p.nodes, v.limits.Nodes-1, count, "elements on the page")
	if strings.HasPrefix(k.Name, "/cards/*/") {
		v.budgets.judge(f, "budget-html", "", p.html, v.limits.CardHTML, size, "HTML gzipped without raw records")
	}
	v.budgets.judge(f, "budget-css", sheets, css, v.limits.CSS, size, "style sheets gzipped: "+sheets)
	limit := v.limits.Script
	switch {
	case f.name == "compare/index.html":
		limit = v.limits.CompareScript
	case slices.Contains(ReaderPages, f.name):
		limit = v.limits.ReaderScript
	}
	v.budgets.judge(f, "budget-script", fmt.Sprint(scripts, limit), script, limit, size, "scripts gzipped: "+scripts)
}

func near(value, limit int64) bool { return value*5 > limit*4 }

// budgets remembers what was reported: all pages share a style sheet, and it is too large once.
type budgets map[string]int

// judge reports a value that is above its limit or near it. Values with the same key, unless it
// is empty, are reported on the first page that has them.
func (b budgets) judge(f *file, code, key string, value, limit int64, form func(int64) string, what string) {
	if !near(value, limit) {
		return
	}
	if key != "" {
		if b[code+key]++; b[code+key] > 1 {
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
func (v *survey) sum(names []string) (bytes int64, all string) {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	for _, name := range names {
		bytes += v.files[name].zipped
	}
	return bytes, strings.Join(names, ", ")
}

package check

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Budgets bound what a reader has to load. Sizes are in bytes; "gzipped" is what a server sends.
type Budgets struct {
	CardPage      int64 // HTML of a page below cards/, gzipped, without raw records.
	Styles        int64 // All style sheets of a page, gzipped.
	Scripts       int64 // All scripts of a page, gzipped.
	CompareScript int64 // The same below compare/.
	Elements      int   // Elements of a page.
	Loaded        int64 // Any one file that a page loads, and the page.
	Site          int64 // All files.
}

// DefaultBudgets are those of this program's sites. What is loaded is bounded by what a phone takes
// in well below a second, the site by what GitHub Pages takes.
var DefaultBudgets = Budgets{
	CardPage:      60_000,
	Styles:        12_000,
	Scripts:       10_000,
	CompareScript: 40_000,
	Elements:      15_000,
	Loaded:        1_000_000,
	Site:          1_000_000_000,
}

// near is the part of a budget above which it is said that it gets close.
const near = 0.9

// built is a whole site: what one file cannot know of the others.
type built struct {
	base    *url.URL // Its path ends in a slash.
	known   bool     // The base URL is known, not assumed.
	files   map[string]*file
	budgets Budgets
}

// check follows the links of a file and weighs it.
func (s *built) check(f *file) []Finding {
	var list []Finding
	add := func(line int, severity Severity, format string, args ...any) {
		list = append(list, Finding{f.name, line, severity, fmt.Sprintf(format, args...)})
	}
	budget := func(what string, size, limit int64) {
		switch {
		case size > limit:
			add(0, Error, "%s: %s, above the budget of %s", what, amount(size), amount(limit))
		case float64(size) > near*float64(limit):
			add(0, Warning, "%s: %s, near the budget of %s", what, amount(size), amount(limit))
		}
	}
	var styles, scripts int64
	loaded := map[string]bool{}
	for _, l := range f.links {
		to, problem := s.follow(f, l)
		if problem != "" {
			add(l.line, Error, "%s", problem)
		}
		if to == nil || !l.loads || loaded[to.name] {
			continue
		}
		loaded[to.name] = true
		budget("loads "+to.name, to.size, s.budgets.Loaded)
		switch {
		case l.style:
			styles += to.gzipped
		case l.script:
			scripts += to.gzipped
		}
	}
	if f.page == nil {
		return list
	}
	budget("the page", f.size, s.budgets.Loaded)
	budget("its style sheets, gzipped", styles, s.budgets.Styles)
	limit := s.budgets.Scripts
	if strings.HasPrefix(f.name, "compare/") {
		limit = s.budgets.CompareScript
	}
	budget("its scripts, gzipped", scripts, limit)
	if strings.HasPrefix(f.name, "cards/") {
		budget("HTML without raw records, gzipped", f.gzipped, s.budgets.CardPage)
	}
	switch n := f.page.elements; {
	case n > s.budgets.Elements:
		add(0, Error, "%d elements, above the budget of %d", n, s.budgets.Elements)
	case float64(n) > near*float64(s.budgets.Elements):
		add(0, Warning, "%d elements, near the budget of %d", n, s.budgets.Elements)
	}
	return list
}

func amount(n int64) string {
	switch {
	case n >= 10_000_000:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}

// follow returns the file that a link leads to, and what is wrong with the link.
func (s *built) follow(f *file, l link) (to *file, problem string) {
	if l.target == "" {
		return nil, "a link leads nowhere: its address is empty"
	}
	u, err := url.Parse(l.target)
	if err != nil {
		return nil, fmt.Sprintf("the address %q cannot be read", l.target)
	}
	switch u.Scheme {
	case "":
	case "data":
		if !l.loads || l.script || l.style {
			return nil, fmt.Sprintf("the address %.40q is blocked", l.target)
		}
		return nil, ""
	case "http", "https":
		if s.known && u.Scheme == s.base.Scheme && u.Host == s.base.Host && strings.HasPrefix(u.Path, s.base.Path) {
			return s.find(f, u, strings.TrimPrefix(u.Path, s.base.Path), true)
		}
		if l.loads {
			return nil, fmt.Sprintf("loads %q from another host", l.target)
		}
		return nil, ""
	case "mailto", "tel":
		return nil, ""
	default:
		return nil, fmt.Sprintf("the address %q has a scheme that is no link", l.target)
	}
	if u.Host != "" {
		if l.loads {
			return nil, fmt.Sprintf("loads %q from another host", l.target)
		}
		return nil, ""
	}
	if strings.HasPrefix(u.Path, "/") {
		if f.name != "404.html" {
			return nil, fmt.Sprintf("the link %q counts from the server's root; make it relative to the page", l.target)
		}
		below, ok := strings.CutPrefix(u.Path, s.base.Path)
		if !ok {
			return nil, fmt.Sprintf("the link %q leads out of the site, whose path is %q", l.target, s.base.Path)
		}
		return s.find(f, u, below, false)
	}
	if f.name == "404.html" && s.known && u.Path != "" {
		return nil, fmt.Sprintf("the link %q is relative; 404.html is shown at any depth", l.target)
	}
	if u.Path == "" {
		return f, s.anchor(f, u.Fragment, l.target)
	}
	name := path.Join(path.Dir(f.name), u.Path)
	if name == ".." || strings.HasPrefix(name, "../") {
		return nil, fmt.Sprintf("the link %q leads out of the site", l.target)
	}
	if strings.HasSuffix(u.Path, "/") || u.Path == "." || u.Path == ".." || strings.HasSuffix(u.Path, "/..") {
		return nil, fmt.Sprintf("the link %q leads to a folder; from file:// only index.html in it can be opened", l.target)
	}
	return s.find(f, u, name, false)
}

// find returns the file of this name and what is wrong with a link to it. An absolute address may
// name a folder: a server finds its index.html.
func (s *built) find(from *file, u *url.URL, name string, absolute bool) (*file, string) {
	if absolute && (name == "" || strings.HasSuffix(name, "/")) {
		name += "index.html"
	}
	to := s.files[name]
	if to == nil {
		return nil, fmt.Sprintf("the link %q leads to nothing", u)
	}
	return to, s.anchor(to, u.Fragment, u.String())
}

func (s *built) anchor(to *file, id, target string) string {
	// What a script keeps in the fragment is not an anchor.
	if id == "" || id == "top" || strings.ContainsAny(id, "=&") || to.page == nil || to.page.ids[id] {
		return ""
	}
	return fmt.Sprintf("the link %q leads to an anchor that %s does not have", target, to.name)
}

// whole finds what concerns more than one file.
func (s *built) whole(files []*file, size int64) []Finding {
	var list []Finding
	titles := map[string][]string{}
	for _, f := range files {
		if f.page != nil && !f.page.redirect && f.page.title != "" {
			titles[f.page.title] = append(titles[f.page.title], f.name)
		}
	}
	for title, names := range titles {
		slices.Sort(names)
		for _, name := range names[1:] {
			list = append(list, Finding{File: name, Severity: Error, Message: fmt.Sprintf("has the title %q, as %s has", title, names[0])})
		}
	}
	switch limit := s.budgets.Site; {
	case size > limit:
		list = append(list, Finding{Severity: Error, Message: fmt.Sprintf("the site: %s, above the %s that GitHub Pages takes", amount(size), amount(limit))})
	case float64(size) > near*float64(limit):
		list = append(list, Finding{Severity: Warning, Message: fmt.Sprintf("the site: %s, near the %s that GitHub Pages takes", amount(size), amount(limit))})
	}
	if s.files["index.html"] == nil {
		list = append(list, Finding{Severity: Error, Message: "there is no index.html"})
	}
	return list
}

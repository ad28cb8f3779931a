package check

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"net/url"
	"path"
	"slices"
	"strings"
)

// use is what a browser does with an address.
type use int

const (
	follows  use = iota // a reader follows it
	loads               // the browser loads it with the page
	shows               // the browser loads it as a picture, so that data: is allowed
	mentions            // it is read by programs: canonical, alternate, sitemap, feed
)

// asked is an address and its use in one file.
type asked struct {
	href string
	use  use
}

// An anchor is a link with a fragment, judged when all pages have been read.
type anchor struct {
	line     int
	href     string
	file     string
	fragment string
}

// lost is the one page that is served at any address.
const lost = "404.html"

// link judges an address as it stands in f, and returns the file of the site that it leads to:
// "" where it leads elsewhere or nowhere.
func (s *site) link(f *file, line int, href string, u use) string {
	key := asked{href, u}
	if target, ok := f.good[key]; ok {
		return target // a page has the same link often
	}
	target, fragment, wrong := s.resolve(f.name, href, u)
	if wrong != nil {
		f.add(line, wrong.code, "%s", wrong.problem)
		return ""
	}
	if target != "" && fragment != "" && fragment != "top" {
		f.anchors = append(f.anchors, anchor{line, href, target, fragment})
	}
	if target != "" && (u == loads || u == shows) && !slices.Contains(f.loaded, target) {
		f.loaded = append(f.loaded, target)
	}
	f.good[key] = target
	return target
}

// unseen are the characters that a browser drops before it looks at the scheme:
// "java\nscript:" is a script.
var unseen = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// fault is the rule that an address breaks, and what is wrong with it.
type fault struct{ code, problem string }

func broken(code, format string, args ...any) *fault {
	return &fault{code, fmt.Sprintf(format, args...)}
}

// resolve finds the file that an address leads to when it stands in the file named from: "" where
// it leads elsewhere.
func (s *site) resolve(from, href string, use use) (target, fragment string, f *fault) {
	plain := unseen.Replace(strings.TrimFunc(href, func(r rune) bool { return r <= ' ' }))
	if plain == "" || plain == "#" {
		if use == follows || plain == "" {
			return "", "", broken("empty-link", "the address %q leads nowhere", href)
		}
		return "", "", nil
	}
	scheme := ""
	if i := strings.IndexAny(plain, ":/?#"); i > 0 && plain[i] == ':' {
		scheme = strings.ToLower(plain[:i])
	}
	switch scheme {
	case "javascript", "vbscript":
		return "", "", broken("script-url", "the address %.60q is a script, which the policy blocks", href)
	case "data":
		if use == shows {
			return "", "", nil
		}
		return "", "", broken("blocked",
			"the address %.60q holds data, which the policy allows for pictures only", href)
	}
	if strings.Contains(plain, "ZgotmplZ") {
		return "", "", broken("accident", "the template engine refused an address and left %q", href)
	}
	u, err := url.Parse(plain)
	if err != nil {
		return "", "", broken("bad-url", "the address %q cannot be parsed", href)
	}
	switch {
	case scheme != "" || strings.HasPrefix(plain, "//"):
		target, f = s.absolute(u, href, scheme, use)
	case strings.HasPrefix(u.Path, "/"):
		target, f = s.rooted(from, u, href, use)
	case u.Path == "":
		target = from // "#part" or "?query"
	default:
		target, f = s.relative(from, u, href)
	}
	return target, u.Fragment, f
}

// absolute finds what an address leads to that names its host, or a scheme that has none.
func (s *site) absolute(u *url.URL, href, scheme string, use use) (target string, f *fault) {
	loaded := use == loads || use == shows
	switch scheme {
	case "mailto", "tel":
		if loaded {
			return "", broken("bad-url", "%q cannot be loaded", href)
		}
		return "", nil
	case "http", "https", "":
	default:
		return "", broken("bad-url", "the address %.60q has a scheme that a page cannot link to", href)
	}
	name, own := s.below(u)
	switch own = own && scheme != ""; {
	case !own && loaded:
		return "", broken("foreign-resource", "%q is loaded from another host, which the policy blocks", href)
	case scheme == "":
		return "", broken("bad-url", "%q has no scheme, so it leads nowhere from a folder; write https:", href)
	case !own:
		return "", nil
	case use != mentions:
		return "", broken("absolute-link",
			"%q leads to this site by its full address; make it relative, so that it works from a folder and a "+
				"preview", href)
	}
	return s.find(name, href, true)
}

// rooted finds what an address leads to that begins at the root of the host: only the page that is
// served at any address has such links.
func (s *site) rooted(from string, u *url.URL, href string, use use) (target string, f *fault) {
	if from != lost {
		return "", broken("rooted-link", "%q leads from the root of the host; make it relative to the page", href)
	}
	if s.base == nil {
		// The root of the host is the best guess of a page that does not know where it is.
		if u.Path == "/" && use == follows {
			return "", nil
		}
		return "", broken("rooted-link",
			"%q needs a base URL, and none is known: where the site was built with --base-url, check it with the "+
				"same", href)
	}
	name, ok := strings.CutPrefix(u.Path, s.base.Path)
	if !ok {
		return "", broken("rooted-link", "%q does not begin with the base path %q", href, s.base.Path)
	}
	return s.find(name, href, true)
}

// relative finds what an address leads to that counts from the page it stands in.
func (s *site) relative(from string, u *url.URL, href string) (target string, f *fault) {
	if from == lost {
		return "", broken("relative-404",
			"%q is relative, but this page is shown at any depth; begin with the base path", href)
	}
	name := path.Join(path.Dir(from), u.Path)
	if strings.HasSuffix(u.Path, "/") {
		name += "/"
	}
	if name == ".." || strings.HasPrefix(name, "../") {
		return "", broken("broken-link", "%q leads out of the site", href)
	}
	return s.find(name, href, false)
}

// below returns the name of the file that an absolute address of this site means.
func (s *site) below(u *url.URL) (name string, own bool) {
	if s.base == nil || !strings.EqualFold(u.Host, s.base.Host) {
		return "", false
	}
	if u.Path+"/" == s.base.Path {
		return "", true
	}
	return strings.CutPrefix(u.Path, s.base.Path)
}

// find looks for a file. Where a server answers, a directory means the index.html in it.
func (s *site) find(name, href string, served bool) (target string, f *fault) {
	clean := path.Clean(name)
	dir := name == "" || strings.HasSuffix(name, "/")
	if _, ok := s.size[clean]; ok && !dir {
		return clean, nil
	}
	if !s.dirs[clean] {
		return "", broken("broken-link", "%q leads to %q, which does not exist", href, clean)
	}
	index := path.Join(clean, "index.html")
	switch _, ok := s.size[index]; {
	case !ok:
		return "", broken("broken-link", "%q leads to a directory without an index.html", href)
	case served && dir:
		return index, nil
	}
	return "", broken("directory-link", "%q leads to a directory; name the index.html in it", href)
}

// linkData judges data attributes that hold a path: those whose name says so, and any value that
// is written as a relative one.
func (s *site) linkData(f *file, line int, key, val string) {
	named := strings.HasSuffix(key, "href") || strings.HasSuffix(key, "src") || strings.HasSuffix(key, "url")
	if !named && !strings.HasPrefix(val, "./") && !strings.HasPrefix(val, "../") {
		return
	}
	// A directory is what a script puts before the names of files.
	if val == "" || strings.HasSuffix(val, "/") || val == ".." {
		if dir := path.Join(path.Dir(f.name), val); !s.dirs[dir] {
			f.add(line, "broken-link", "%s=%q leads to the directory %q, which does not exist", key, val, dir)
		}
		return
	}
	u := loads
	plain, _, _ := strings.Cut(strings.ReplaceAll(val, "?", "#"), "#")
	if plain == "" || strings.HasSuffix(plain, ".html") || strings.Contains(val, "://") {
		u = follows
	}
	s.link(f, line, val, u)
}

// hash makes an id small: a large site has millions, and all of them are kept until the last
// page has been read.
func hash(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id)) // never fails
	return h.Sum64()
}

// absent is the first name in a fragment, "a,b&more=1", for which a folder of data has no script; ""
// where it has all of them.
func (s *site) absent(folder, fragment string) string {
	names, _, _ := strings.Cut(fragment, "&")
	for name := range strings.SplitSeq(names, ",") {
		if _, ok := s.size[folder+"/"+name+".js"]; !ok {
			return cmp.Or(name, fragment)
		}
	}
	return ""
}

// anchors judges the fragments of links, now that the ids of all files are known.
func (s *site) anchors(files map[string]*file, f *file) {
	for _, a := range f.anchors {
		to := files[a.file]
		if to == nil || to.ids == nil {
			continue // not a file with ids: a PDF's page, a CSV's row
		}
		if _, ok := slices.BinarySearch(to.ids, hash(a.fragment)); ok {
			continue
		}
		// A script may keep its state behind #, as "a=1&b=2"; no id has such a form.
		if to.page != nil && len(to.page.scripts) > 0 && strings.Contains(a.fragment, "=") {
			continue
		}
		if to.page != nil && to.page.shards != "" {
			if name := s.absent(to.page.shards, a.fragment); name != "" {
				f.add(a.line, "broken-anchor", "%q leads to no id of %q and chooses %q, of which there is no data",
					a.href, a.file, name)
			}
			continue
		}
		where := "this page"
		if a.file != f.name {
			where = fmt.Sprintf("%q", a.file)
		}
		f.add(a.line, "broken-anchor", "%q leads to the id %q, which %s does not have", a.href, a.fragment, where)
	}
}

// Package selfcontained makes one file of a page of a built site: style sheets and pictures stand in it, links to
// other pages lead to the published site, and nothing is left that a browser would ask for or carry out. It judges the
// finished page, so layouts, style sheets and notes of a catalog's own are in it as they are on its site.
package selfcontained

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Page is the page of that name as one file. files are those of the site by their names, base is the address of its
// home page with a slash at its end; where it is "", a link to another page becomes its text. A picture that is not
// among files becomes the text that stands for it.
func Page(files map[string][]byte, name, base string) ([]byte, error) {
	data, ok := files[name]
	if !ok {
		return nil, fmt.Errorf("the site has no %s", name)
	}
	w := &writer{files: files, name: name, base: base, policy: -1}
	w.page(data)
	if w.policy < 0 {
		return nil, fmt.Errorf("%s has no <head>: its content security policy would have no place", name)
	}
	policy := "default-src 'none'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
	if len(w.styles) > 0 {
		policy += "; style-src " + strings.Join(w.styles, " ")
	}
	out := w.out.Bytes()
	return slices.Concat(out[:w.policy], []byte("\n<meta http-equiv=\"Content-Security-Policy\" content=\""+policy+"\">"),
		out[w.policy:]), nil
}

// writer writes one page.
type writer struct {
	files      map[string][]byte
	name, base string
	out        bytes.Buffer
	policy     int      // where the content security policy goes; -1 before the head
	styles     []string // the digests of the style elements, as the policy has them
	left       string   // the element that is left out with what is in it
	style      bool     // inside of a style element
	links      []string // the names of the elements that open links became, "" for none
}

func (w *writer) page(data []byte) {
	t := html.NewTokenizer(bytes.NewReader(data))
	for {
		kind := t.Next()
		raw := t.Raw()
		switch kind {
		case html.ErrorToken: // the end: nothing else goes wrong with bytes
			return
		case html.TextToken:
			w.text(raw)
		case html.StartTagToken, html.SelfClosingTagToken:
			raw = slices.Clone(raw) // reading its attributes changes it
			w.start(t.Token(), raw)
		case html.EndTagToken:
			raw = slices.Clone(raw)
			name, _ := t.TagName()
			w.end(string(name), raw)
		case html.DoctypeToken:
			w.out.Write(raw)
		}
	}
}

func (w *writer) text(raw []byte) {
	switch {
	case w.left != "":
	case w.style:
		w.sheet(string(raw), w.name)
	default:
		w.out.Write(raw)
	}
}

// start writes the beginning of an element, or what stands in its place.
func (w *writer) start(t html.Token, raw []byte) {
	if w.left != "" {
		return
	}
	switch t.Data {
	case "script", "iframe", "noembed", "noframes":
		w.left = t.Data
	case "base", "noscript": // There are no scripts: what stands for them is shown.
	case "link":
		w.linked(t)
	case "meta":
		if at := attr(t, "http-equiv"); at == "" {
			w.out.Write(raw)
		}
	case "style":
		w.style = true
		w.out.WriteString("<style>")
	case "a", "area":
		w.anchor(t)
	case "img", "image":
		w.picture(t)
	default:
		w.tag(t, raw)
		if t.Data == "head" && w.policy < 0 {
			w.policy = w.out.Len()
		}
	}
}

func (w *writer) end(name string, raw []byte) {
	if w.left != "" || name == "noscript" {
		if name == w.left {
			w.left = ""
		}
		return
	}
	switch name {
	case "style":
		w.style = false
	case "a":
		if n := len(w.links); n > 0 {
			is := w.links[n-1]
			if w.links = w.links[:n-1]; is == "" {
				return
			}
			raw = []byte("</" + is + ">")
		}
	}
	w.out.Write(raw)
}

// asks are the attributes by which an element asks for another file, or runs or sends something.
var asks = regexp.MustCompile(`^(src|srcset|srcdoc|href|xlink:href|poster|data|action|formaction|background|manifest|ping|` +
	`archive|classid|codebase|imagesrcset|longdesc|on.*)$`)

// within says whether an address leads nowhere but into the page.
func within(address string) bool {
	address = strings.TrimSpace(address)
	return strings.HasPrefix(address, "#") || strings.HasPrefix(strings.ToLower(address), "data:image/")
}

// tag writes a start tag without attributes that lead out of the file.
func (w *writer) tag(t html.Token, raw []byte) {
	leads := func(a html.Attribute) bool {
		return asks.MatchString(key(a)) && !within(a.Val) ||
			key(a) == "style" && strings.Contains(strings.ToLower(a.Val), "url(")
	}
	if !slices.ContainsFunc(t.Attr, leads) {
		w.out.Write(raw)
		return
	}
	w.write(t, slices.DeleteFunc(t.Attr, leads))
}

// key is the name of an attribute.
func key(a html.Attribute) string {
	if a.Namespace != "" {
		return a.Namespace + ":" + a.Key
	}
	return a.Key
}

// attr is the value of an attribute, "" where there is none.
func attr(t html.Token, name string) string {
	for _, a := range t.Attr {
		if key(a) == name {
			return a.Val
		}
	}
	return ""
}

// write writes a start tag with these attributes.
func (w *writer) write(t html.Token, attrs []html.Attribute) {
	w.out.WriteString("<" + t.Data)
	for _, a := range attrs {
		w.out.WriteString(" " + key(a) + `="` + html.EscapeString(a.Val) + `"`)
	}
	if t.Type == html.SelfClosingTagToken {
		w.out.WriteString("/")
	}
	w.out.WriteString(">")
}

// linked writes what a link of the head stands for: a style sheet, or the address of the page. Nothing else is kept.
func (w *writer) linked(t html.Token) {
	rel := strings.Fields(strings.ToLower(attr(t, "rel")))
	switch href := attr(t, "href"); {
	case slices.Contains(rel, "stylesheet"):
		file := w.target(href, w.name)
		if css, ok := w.files[file]; ok {
			w.out.WriteString("<style>")
			w.sheet(string(css), file)
			w.out.WriteString("</style>\n")
		}
	case slices.Contains(rel, "canonical") && away(href):
		w.write(t, t.Attr)
	}
}

// away says whether an address is that of another site, or of a person.
func away(address string) bool {
	u, err := url.Parse(address)
	return err == nil && ((u.Scheme == "http" || u.Scheme == "https") && u.Host != "" || u.Scheme == "mailto")
}

// resolved is the address, seen from a file of the site; its path begins with a slash. Nil where it is none of the
// site.
func (w *writer) resolved(address, from string) *url.URL {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "" || u.Host != "" || u.Opaque != "" {
		return nil
	}
	return (&url.URL{Path: "/" + from}).ResolveReference(u)
}

// target is the file of the site that an address means from another one, "" for none.
func (w *writer) target(address, from string) string {
	u := w.resolved(address, from)
	if u == nil {
		return ""
	}
	return strings.TrimPrefix(u.Path, "/")
}

// anchor writes the beginning of a link: to a place in the file, to the published site, or to what is away from both.
// A link that leads nowhere else becomes its text, which keeps its title and its name.
func (w *writer) anchor(t html.Token) {
	href := attr(t, "href")
	if href == "" {
		href = attr(t, "xlink:href")
	}
	to, u := "", w.resolved(href, w.name)
	switch {
	case away(href):
		to = href
	case href == "" || u == nil:
	case strings.TrimPrefix(u.Path, "/") == w.name && u.RawQuery == "":
		to = "#" + u.EscapedFragment()
	case w.base != "":
		if dir, file := path.Split(u.Path); file == "index.html" {
			u.Path, u.RawPath = dir, ""
		}
		to = w.base + strings.TrimPrefix(u.String(), "/")
	}
	keep := []string{"id", "class", "title", "lang", "dir"}
	if to != "" {
		keep = append(keep, "aria-label", "rel", "target", "hreflang", "type")
	}
	attrs := slices.DeleteFunc(slices.Clone(t.Attr), func(a html.Attribute) bool {
		return !slices.Contains(keep, key(a))
	})
	is := t.Data
	switch {
	case to != "":
		attrs = append([]html.Attribute{{Key: "href", Val: to}}, attrs...)
	case len(attrs) == 0 || t.Data == "area":
		is = ""
	default:
		is = "span"
	}
	if is != "" {
		w.write(html.Token{Type: t.Type, Data: is}, attrs)
	}
	if t.Data == "a" && t.Type == html.StartTagToken {
		w.links = append(w.links, is)
	}
}

// picture writes a picture with its content, or the text that stands for it.
func (w *writer) picture(t html.Token) {
	src := ""
	for _, name := range []string{"src", "href", "xlink:href"} {
		if src == "" {
			src = attr(t, name)
		}
	}
	if !within(src) {
		src = w.content(src, w.name)
	}
	if src == "" {
		w.out.WriteString(html.EscapeString(attr(t, "alt")))
		return
	}
	attrs := slices.DeleteFunc(slices.Clone(t.Attr), func(a html.Attribute) bool {
		return asks.MatchString(key(a)) || key(a) == "style" || key(a) == "sizes"
	})
	name := "src"
	if t.Data == "image" {
		name = "href"
	}
	w.write(t, append(attrs, html.Attribute{Key: name, Val: src}))
}

// mediaTypes are those of what pages and style sheets show, by extension.
var mediaTypes = map[string]string{".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg",
	".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif", ".ico": "image/x-icon",
	".woff2": "font/woff2", ".woff": "font/woff", ".ttf": "font/ttf", ".otf": "font/otf"}

// content is a file of the site as an address that holds it, "" where there is no such file.
func (w *writer) content(address, from string) string {
	file := w.target(address, from)
	data, ok := w.files[file]
	if !ok {
		return ""
	}
	kind := mediaTypes[strings.ToLower(path.Ext(file))]
	if kind == "" {
		kind = http.DetectContentType(data)
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)
}

var (
	urlInCSS = regexp.MustCompile(`(?i)url\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*?))\s*\)`)
	imported = regexp.MustCompile(`(?i)@import[^;]*(;|$)`)
)

// sheet writes a style sheet that stands in a file of the site, with what it shows, and notes its digest.
func (w *writer) sheet(css, file string) {
	css = imported.ReplaceAllString(css, "")
	css = urlInCSS.ReplaceAllStringFunc(css, func(s string) string {
		m := urlInCSS.FindStringSubmatch(s)
		address := m[1] + m[2] + m[3]
		if strings.HasPrefix(address, "#") || strings.HasPrefix(strings.ToLower(address), "data:") {
			return s
		}
		if content := w.content(address, file); content != "" {
			return `url("` + content + `")`
		}
		return `url("data:,")`
	})
	css = strings.ReplaceAll(css, "</", `<\/`) // would end the element
	sum := sha256.Sum256([]byte(css))
	w.styles = append(w.styles, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	w.out.WriteString(css)
}

package check

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// page is what is kept of one HTML file.
type page struct {
	title     string
	titleLine int
	redirect  bool  // it sends its reader on at once
	nodes     int64 // elements
	html      int64 // bytes gzipped, without raw records
	styles    []string
	scripts   []string
	// shards is the folder of data that a script of the page loads by the names behind #.
	shards string
}

// element is an element that is open.
type element struct {
	name string
	line int
	svg  bool // it is drawn: its names, titles and ends follow other rules
	// quiet text is not the site's own: code, quoted and recorded text.
	quiet bool
	// raw begins a part that the budget of HTML leaves out.
	raw bool
	// hidden from people who hear the page.
	hidden bool
	// needs is the code of the rule that is broken if nothing names the element; named is set
	// once something does.
	needs string
	named bool
	// Of a table: its rows so far, and whether the first has a header cell.
	layout bool
	rows   int
	header bool
	// Of a head: its children so far.
	children int
	// data is set for a script that holds JSON.
	data bool
}

// attribute is one of a start tag. Its bytes last until the next token.
type attribute struct{ key, val []byte }

// idref is an attribute that names an id of its page.
type idref struct {
	line    int
	key, id string
}

// scanner reads one page from its beginning to its end.
type scanner struct {
	*site
	f       *file
	p       *page
	data    []byte
	line    int // of the token at hand
	offset  int // of the token at hand
	end     int // behind it
	kept    int // from here on, bytes are not yet counted
	zip     *meter
	open    []element
	attrs   []attribute
	ids     map[string]int // and the line of each
	refs    []idref
	rawOpen bool
	naming  int // open elements that still need a name
	broken  bool

	doctype, charset, viewport, description, lang, policy bool
	h1, heading                                           int

	canonical     string // the file that the page calls its own address
	canonicalLine int
}

// readPage reads an HTML file.
func (s *site) readPage(f *file, data []byte) {
	p := &page{}
	f.page = p
	z := scanner{site: s, f: f, p: p, data: data, line: 1, zip: newMeter(), ids: map[string]int{}}
	z.scan()
	f.ids = make([]uint64, 0, len(z.ids))
	for id := range z.ids {
		f.ids = append(f.ids, hash(id))
	}
	slices.Sort(f.ids)
}

func (z *scanner) add(code, format string, args ...any) { z.f.add(z.line, code, format, args...) }

func (z *scanner) scan() {
	if !utf8.Valid(z.data) {
		z.f.add(0, "utf8", "the page has bytes that are not UTF-8")
	}
	t := html.NewTokenizer(bytes.NewReader(z.data))
	for {
		kind := t.Next()
		if kind == html.ErrorToken {
			break // the only error of a reader of bytes is the end
		}
		raw := t.Raw()
		z.end = z.offset + len(raw)
		lines := bytes.Count(raw, []byte{'\n'})
		switch kind {
		case html.DoctypeToken:
			z.doctype = z.doctype || len(z.open) == 0 && strings.EqualFold(string(t.Text()), "html")
		case html.TextToken:
			z.text(t.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := t.TagName()
			z.attrs = z.attrs[:0]
			for more {
				var a attribute
				a.key, a.val, more = t.TagAttr()
				z.attrs = append(z.attrs, a)
			}
			z.start(tagName(name), kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := t.TagName()
			z.close(tagName(name))
		}
		z.line += lines
		z.offset = z.end
	}
	z.finish()
}

// tagName avoids making a string of each tag.
func tagName(name []byte) string {
	if a := atom.Lookup(name); a != 0 {
		return a.String()
	}
	return string(name)
}

func (z *scanner) attr(key string) (val []byte, ok bool) {
	for _, a := range z.attrs {
		if string(a.key) == key {
			return a.val, true
		}
	}
	return nil, false
}

func (z *scanner) value(key string) string {
	v, _ := z.attr(key)
	return string(v)
}

// has reports whether an attribute of words has one of them, in whatever case.
func (z *scanner) has(key string, any ...string) bool {
	v, ok := z.attr(key)
	if !ok {
		return false
	}
	for w := range bytes.FieldsSeq(v) {
		for _, a := range any {
			if strings.EqualFold(string(w), a) {
				return true
			}
		}
	}
	return false
}

func (z *scanner) top() *element {
	if len(z.open) == 0 {
		return nil
	}
	return &z.open[len(z.open)-1]
}

// void elements have no end.
var void = set("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")

// optional elements end by themselves.
var optional = set("html", "head", "body", "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "colgroup", "option", "optgroup", "rt", "rp")

// implied says which open elements a start tag closes.
var implied = func() map[string]map[string]bool {
	m := map[string]map[string]bool{
		"body": set("head"),
		"li":   set("p", "li"),
		"dt":   set("p", "dt", "dd"), "dd": set("p", "dt", "dd"),
		"td": set("p", "td", "th"), "th": set("p", "td", "th"),
		"tr":     set("p", "td", "th", "tr", "colgroup"),
		"thead":  set("p", "td", "th", "tr", "thead", "tbody", "tfoot", "colgroup"),
		"tbody":  set("p", "td", "th", "tr", "thead", "tbody", "tfoot", "colgroup"),
		"tfoot":  set("p", "td", "th", "tr", "thead", "tbody", "tfoot", "colgroup"),
		"option": set("option"), "optgroup": set("option", "optgroup"),
	}
	for name := range set("address", "article", "aside", "blockquote", "details", "dialog", "div", "dl", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "main", "menu", "nav", "ol", "p", "pre", "search", "section", "table", "ul") {
		m[name] = set("p")
	}
	return m
}()

// verbatim elements hold text that is shown as it was found, or none that is shown.
var verbatim = set("pre", "code", "samp", "kbd", "textarea", "script", "style")

// blocked elements load what default-src 'none' forbids.
var blocked = set("iframe", "frame", "object", "embed", "video", "audio", "track", "applet", "portal")

// idAttributes name ids of the page, one or several.
var idAttributes = set("for", "headers", "list", "form", "popovertarget", "commandfor", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-details", "aria-errormessage", "aria-activedescendant", "aria-flowto")

// spoken attributes are text for people.
var spoken = set("title", "alt", "label", "placeholder", "aria-label", "aria-description", "aria-roledescription", "aria-valuetext")

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// start opens an element.
func (z *scanner) start(name string, selfClosing bool) {
	z.p.nodes++
	top := z.top()
	if top == nil || !top.svg {
		for closes := implied[name]; top != nil && closes[top.name]; top = z.top() {
			z.pop(z.offset)
		}
	}
	e := element{name: name, line: z.line}
	if top != nil {
		e.svg = top.svg && top.name != "foreignobject"
		e.quiet, e.hidden = top.quiet, top.hidden
		top.children++
	}
	e.svg = e.svg || name == "svg"
	e.hidden = e.hidden || z.value("aria-hidden") == "true"
	_, raw := z.attr("data-raw")
	_, foreign := z.attr("data-foreign")
	raw = raw || z.has("class", "raw")
	e.quiet = e.quiet || raw || foreign || verbatim[name] || z.has("class", "foreign")
	z.attributes(&e)
	if e.svg {
		z.drawn(&e)
	} else {
		z.known(&e, top)
	}
	if !e.svg && void[name] || e.svg && selfClosing {
		return
	}
	if raw && !z.rawOpen {
		z.rawOpen, e.raw = true, true
		z.zip.Write(z.data[z.kept:z.offset])
	}
	if e.needs != "" && e.named {
		e.needs = ""
	}
	if e.needs != "" {
		z.naming++
	}
	z.open = append(z.open, e)
}

// attributes judges what any element may have.
func (z *scanner) attributes(e *element) {
	for _, a := range z.attrs {
		switch key := string(a.key); {
		case key == "id":
			id := string(a.val)
			if first, ok := z.ids[id]; ok {
				z.add("duplicate-id", "the id %q stands already on line %d", id, first)
			} else {
				z.ids[id] = z.line
			}
			if id == "" || strings.ContainsAny(id, " \t\n\r\f") {
				z.add("bad-id", "the id %q is not one word", id)
			}
		case idAttributes[key]:
			for id := range bytes.FieldsSeq(a.val) {
				z.refs = append(z.refs, idref{z.line, key, string(id)})
			}
		case key == "style":
			z.add("inline-style", "<%s> has a style attribute, which the policy blocks; use a class", e.name)
		case strings.HasPrefix(key, "on"):
			z.add("event-attribute", "<%s> has the attribute %s, which the policy blocks; listen in a script", e.name, key)
		case key == "data-shards":
			z.p.shards = path.Join(path.Dir(z.f.name), string(a.val))
		case strings.HasPrefix(key, "data-"):
			z.linkData(z.f, z.line, key, string(a.val))
		case spoken[key] && !e.quiet:
			z.accident(a.val, key)
		}
	}
}

// drawn judges an element of an inline drawing.
func (z *scanner) drawn(e *element) {
	href, ok := z.attr("href")
	if !ok {
		href, ok = z.attr("xlink:href")
	}
	switch e.name {
	case "svg":
		_, label := z.attr("aria-label")
		_, by := z.attr("aria-labelledby")
		if z.value("role") == "img" && !label && !by && !e.hidden {
			z.add("img-alt", "a drawing with the role of a picture has no label; give it aria-labelledby")
		}
		if label {
			z.name()
		}
	case "script":
		z.add("inline-script", "a drawing has a script, which the policy blocks")
	case "style":
		z.add("inline-style", "a drawing has a style element, which the policy blocks")
	case "a":
		if ok {
			z.link(z.f, z.line, string(href), follows)
		}
	default:
		if ok && !bytes.HasPrefix(href, []byte("#")) {
			z.link(z.f, z.line, string(href), shows)
		} else if ok && len(href) > 1 {
			z.refs = append(z.refs, idref{z.line, "href", string(href[1:])})
		}
	}
}

// known judges an element of the document.
func (z *scanner) known(e *element, parent *element) {
	switch e.name {
	case "html":
		z.lang = strings.TrimSpace(z.value("lang")) != ""
	case "base":
		z.add("base-element", "a base element changes where every link leads; remove it")
	case "meta":
		z.meta(parent)
	case "link":
		z.linkElement()
	case "script":
		z.script(e)
	case "style":
		z.add("inline-style", "a style element, which the policy blocks; use a style sheet")
	case "a", "area":
		if href, ok := z.attr("href"); ok {
			z.link(z.f, z.line, string(href), follows)
			if e.name == "a" && !e.hidden {
				e.needs, e.named = "empty-link", z.labelled()
			}
			if _, ok := z.attr("alt"); e.name == "area" && !ok {
				z.add("img-alt", "an area of a picture has no alt")
			}
		}
	case "button":
		e.needs, e.named = "empty-button", z.labelled() || e.hidden
	case "img":
		z.picture()
		alt, ok := z.attr("alt")
		if !ok {
			z.add("img-alt", "a picture has no alt; write what it shows, or alt=\"\" where the text says it already")
		}
		if len(bytes.TrimSpace(alt)) > 0 && !e.hidden {
			z.name()
		}
	case "source":
		z.picture()
	case "input":
		if src, ok := z.attr("src"); ok {
			z.link(z.f, z.line, string(src), shows)
		}
		if _, ok := z.attr("alt"); !ok && z.has("type", "image") {
			z.add("img-alt", "a button made of a picture has no alt")
		}
	case "h1", "h2", "h3", "h4", "h5", "h6":
		level := int(e.name[1] - '0')
		if level == 1 {
			z.h1++
		}
		if level > z.heading+1 {
			if z.heading == 0 {
				z.add("heading-order", "the first heading is an h%d; begin with an h1", level)
			} else {
				z.add("heading-order", "an h%d follows an h%d, which skips a level", level, z.heading)
			}
		}
		z.heading = level
		e.needs, e.named = "empty-heading", z.labelled() || e.hidden
	case "table":
		e.layout = z.has("role", "presentation", "none") || e.hidden
	case "tr", "th":
		for i := len(z.open) - 1; i >= 0; i-- {
			if t := &z.open[i]; t.name == "table" {
				if e.name == "tr" {
					t.rows++
				} else if t.rows <= 1 {
					t.header = true
				}
				break
			}
		}
	case "inferdex-fragment":
		z.add("leftover", "the place of the fragment %q was never filled", z.value("data-name"))
	case "no": // "<no value>", written without escaping
		if _, ok := z.attr("value"); ok && !e.quiet {
			z.add("accident", "%q got into the markup: a Go template that read a field which does not exist", "<no value>")
		}
	case "nil":
		if !e.quiet {
			z.add("accident", "%q got into the markup: a nil printed by Go", "<nil>")
		}
	}
	if blocked[e.name] {
		z.add("blocked", "<%s> is not shown, because the policy blocks what it loads", e.name)
	}
	for _, key := range []string{"action", "formaction"} {
		if v, ok := z.attr(key); ok {
			z.add("blocked", "%s=%q is never reached, because the policy forbids to send forms", key, v)
		}
	}
}

// labelled reports whether attributes name an element.
func (z *scanner) labelled() bool {
	for _, key := range []string{"aria-label", "aria-labelledby", "title"} {
		if v, ok := z.attr(key); ok && len(bytes.TrimSpace(v)) > 0 {
			return true
		}
	}
	return false
}

// name names the open elements that wait for it.
func (z *scanner) name() {
	if z.naming == 0 {
		return
	}
	for i := range z.open {
		if e := &z.open[i]; e.needs != "" && !e.named {
			e.named = true
		}
	}
}

func (z *scanner) meta(parent *element) {
	content := z.value("content")
	switch equiv := z.value("http-equiv"); strings.ToLower(equiv) {
	case "content-security-policy":
		z.policy = true
		if parent == nil || parent.name != "head" || parent.children != 1 {
			z.add("csp-first", "the policy stands behind another element; put it first in the head")
		}
		if content != Policy {
			z.add("csp-policy", "the policy is %q, not %q", content, Policy)
		}
	case "refresh":
		delay, address, ok := strings.Cut(content, ";")
		address = strings.TrimSpace(address)
		if len(address) >= 4 && strings.EqualFold(address[:4], "url=") {
			address = strings.Trim(strings.TrimSpace(address[4:]), `"'`)
		}
		if ok {
			z.p.redirect = strings.TrimSpace(delay) == "0"
			z.link(z.f, z.line, address, follows)
		}
	}
	if v, ok := z.attr("charset"); ok {
		z.charset = strings.EqualFold(string(v), "utf-8") && z.end <= 1024
	}
	name := strings.ToLower(z.value("name"))
	if name == "" {
		name = strings.ToLower(z.value("property"))
	}
	switch name {
	case "viewport":
		z.viewport = true
	case "description":
		z.description = strings.TrimSpace(content) != ""
		z.accident([]byte(content), "description")
	case "og:url", "og:image", "twitter:image":
		z.link(z.f, z.line, content, mentions)
	case "og:title", "og:description", "twitter:title", "twitter:description":
		z.accident([]byte(content), name)
	}
}

func (z *scanner) linkElement() {
	href := z.value("href")
	switch {
	case z.has("rel", "stylesheet"):
		if name := z.link(z.f, z.line, href, loads); name != "" {
			z.p.styles = append(z.p.styles, name)
		}
	case z.has("rel", "icon", "apple-touch-icon", "mask-icon"):
		z.link(z.f, z.line, href, shows)
	case z.has("rel", "preload", "prefetch", "prerender", "modulepreload", "manifest", "preconnect", "dns-prefetch"):
		z.link(z.f, z.line, href, loads)
	case z.has("rel", "canonical"):
		if name := z.link(z.f, z.line, href, mentions); name != "" {
			z.canonical, z.canonicalLine = name, z.line
		}
	default:
		z.link(z.f, z.line, href, mentions)
	}
}

func (z *scanner) script(e *element) {
	kind := strings.ToLower(strings.TrimSpace(z.value("type")))
	src, ok := z.attr("src")
	switch {
	case !ok && (kind == "application/json" || kind == "application/ld+json"):
		e.data = true
		return
	case !ok:
		z.add("inline-script", "a script without src, which the policy blocks")
		return
	case kind == "module":
		z.add("module-script", "%q is a module, which does not load from a folder; make it a classic script", src)
	default:
		if _, ok := z.attr("defer"); !ok {
			z.add("script-defer", "%q holds up the page; defer it", src)
		}
	}
	if name := z.link(z.f, z.line, string(src), loads); name != "" {
		z.p.scripts = append(z.p.scripts, name)
	}
}

// picture judges the addresses of an img or a source.
func (z *scanner) picture() {
	if src, ok := z.attr("src"); ok {
		z.link(z.f, z.line, string(src), shows)
	}
	srcset, ok := z.attr("srcset")
	if !ok || bytes.HasPrefix(bytes.TrimSpace(srcset), []byte("data:")) {
		return
	}
	for candidate := range strings.SplitSeq(string(srcset), ",") {
		address, _, _ := strings.Cut(strings.TrimSpace(candidate), " ")
		z.link(z.f, z.line, address, shows)
	}
}

// text judges what stands between tags, unescaped.
func (z *scanner) text(text []byte) {
	top := z.top()
	if top == nil {
		return
	}
	if top.name == "script" {
		if top.data && !json.Valid(text) {
			z.add("json-block", "the data block is not valid JSON")
		}
		top.data = false
		return
	}
	if blank(text) {
		return
	}
	if !top.hidden {
		z.name()
	}
	if top.name == "title" && !top.svg {
		z.p.title += string(text)
		z.p.titleLine = z.line
	}
	if !top.quiet {
		z.accident(text, "")
	}
}

func blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// accident judges text that people read; key is the attribute it stands in, "" for none.
func (z *scanner) accident(text []byte, key string) {
	what, from := accident(text)
	if what == "" {
		return
	}
	where := "the text"
	if key != "" {
		where = key
	}
	z.add("accident", "%q got into %s %q: %s", what, where, clip(text, what), from)
}

// clip returns the part of a long text around what.
func clip(text []byte, what string) string {
	const around = 30
	i := bytes.Index(text, []byte(what))
	from, to := max(i-around, 0), min(i+len(what)+around, len(text))
	return strings.ToValidUTF8(string(bytes.TrimSpace(text[from:to])), "")
}

// close ends the innermost open element of that name.
func (z *scanner) close(name string) {
	at := len(z.open) - 1
	for at >= 0 && z.open[at].name != name {
		at--
	}
	if at < 0 {
		z.unbalanced(z.line, "</%s> closes nothing", name)
		return
	}
	for len(z.open) > at+1 {
		if e := z.top(); e.svg || !optional[e.name] {
			z.unbalanced(e.line, "<%s> is not closed before </%s> on line %d", e.name, name, z.line)
		}
		z.pop(z.offset)
	}
	z.pop(z.end)
}

// unbalanced reports the first fault in the nesting of a page: others follow from it.
func (z *scanner) unbalanced(line int, format string, args ...any) {
	if !z.broken {
		z.broken = true
		z.f.add(line, "unclosed", format, args...)
	}
}

// pop closes the innermost element; end is the offset behind it.
func (z *scanner) pop(end int) {
	e := z.top()
	if e.raw {
		z.rawOpen, z.kept = false, end
	}
	if e.needs != "" {
		z.naming--
		if !e.named {
			z.f.add(e.line, e.needs, "<%s> has no text, and no attribute names it", e.name)
		}
	}
	switch {
	case e.name == "table" && !e.layout && !e.header:
		z.f.add(e.line, "table-header", "the first row of a table has no header cell; use <th>")
	case e.data:
		z.f.add(e.line, "json-block", "the data block is empty")
	}
	z.open = z.open[:len(z.open)-1]
}

// finish judges the page as a whole.
func (z *scanner) finish() {
	for len(z.open) > 0 {
		if e := z.top(); e.svg || !optional[e.name] {
			z.unbalanced(e.line, "<%s> is never closed", e.name)
		}
		z.pop(len(z.data))
	}
	z.zip.Write(z.data[z.kept:])
	z.p.html = z.zip.size()
	for _, r := range z.refs {
		if _, ok := z.ids[r.id]; !ok {
			z.f.add(r.line, "missing-id", "%s names the id %q, which this page does not have", r.key, r.id)
		}
	}
	z.p.title = strings.Join(strings.Fields(z.p.title), " ")
	must := func(ok bool, code, message string) {
		if !ok {
			z.f.add(0, code, "%s", message)
		}
	}
	must(z.doctype, "doctype", "the page does not begin with <!DOCTYPE html>")
	must(z.policy, "csp-missing", "the page states no content security policy")
	must(z.charset, "charset", "<meta charset=\"utf-8\"> does not stand in the first 1024 bytes")
	must(z.lang, "lang", "<html> has no lang")
	must(z.p.title != "", "title", "the page has no title")
	if z.p.redirect {
		return // nobody reads it
	}
	if z.canonical != "" && z.canonical != z.f.name {
		z.f.add(z.canonicalLine, "canonical", "the canonical address is that of %q", z.canonical)
	}
	must(z.viewport, "viewport", "the page has no viewport, so a phone shows it too small")
	must(z.description, "description", "the page has no meta description")
	if z.h1 != 1 {
		z.f.add(0, "h1", "the page has %d h1 elements, not one", z.h1)
	}
}

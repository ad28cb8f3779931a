package check

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"
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
	// class is its class attribute.
	class string
	// raw begins a part that the budget of HTML leaves out.
	raw bool
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

// description is what the head says that a page is about, on a line, under a name such as "og:description".
type description struct {
	line       int
	name, text string
}

// tag is a start or end tag.
type tag struct {
	name  string
	attrs []attribute
}

// tags reads tags, and keeps those that name no place and no number: a site has few of them, each in thousands of places.
type tags struct {
	met  map[string]tag // by their text
	room []attribute    // of the tag that was read last
}

// mostTags is how many tags are kept, and longestTag of how many bytes.
const (
	mostTags   = 1024
	longestTag = 64
)

// readers are used again: the next page has the same tags.
var readers = sync.Pool{New: func() any { return &tags{met: map[string]tag{}} }}

// read is the tag that a tokenizer stands at, until the next one is read.
func (r *tags) read(t *html.Tokenizer) tag {
	raw := t.Raw()
	if known, ok := r.met[string(raw)]; ok {
		return known
	}
	kept := ""
	if len(r.met) < mostTags && len(raw) <= longestTag && !bytes.ContainsAny(raw, "0123456789") {
		kept = string(raw) // before the tokenizer changes it
	}
	name, more := t.TagName()
	for r.room = r.room[:0]; more; {
		var a attribute
		a.key, a.val, more = t.TagAttr()
		r.room = append(r.room, a)
	}
	of := tag{tagName(name), r.room}
	if kept != "" {
		of.attrs = slices.Clone(of.attrs)
		for i, a := range of.attrs {
			of.attrs[i] = attribute{bytes.Clone(a.key), bytes.Clone(a.val)}
		}
		r.met[kept] = of
	}
	return of
}

// scanner reads one page from its beginning to its end.
type scanner struct {
	*site
	f       *file
	p       *page
	data    []byte
	line    int    // of the token at hand
	offset  int    // of the token at hand
	end     int    // behind it
	kept    int    // from here on, bytes are not yet counted
	zip     *meter // nil where nobody asks
	open    []element
	attrs   []attribute
	ids     map[string]int // and the line of each
	refs    []idref
	rawOpen bool
	broken  bool

	doctype, charset, viewport, description, policy bool

	h1, heading int

	said stating
	// described are judged at the end: where people wrote the page, a description may be how its text begins, with the
	// code that is no accident there.
	described []description
	byHand    bool

	canonical     string // the file that the page calls its own address
	canonicalLine int
}

// readPage reads an HTML file.
func (s *site) readPage(f *file, data []byte) {
	p := &page{}
	f.page = p
	z := scanner{site: s, f: f, p: p, data: data, line: 1, ids: map[string]int{}}
	if s.sizes || near(int64(len(data)), s.limits.CardHTML) {
		z.zip = newMeter()
	}
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
	reader := readers.Get().(*tags)
	defer readers.Put(reader)
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
			of := reader.read(t)
			z.attrs = of.attrs
			z.start(of.name, kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			z.close(reader.read(t).name)
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

// start opens an element.
func (z *scanner) start(name string, selfClosing bool) {
	z.p.nodes++
	top, is := z.top(), traits[name]
	if top == nil || !top.svg {
		for top != nil && is.closes[top.name] {
			z.pop(z.offset)
			top = z.top()
		}
	}
	e := element{name: name, line: z.line, class: z.value("class")}
	if top != nil {
		e.svg = top.svg && top.name != "foreignobject"
		e.quiet = top.quiet
		top.children++
	}
	e.svg = e.svg || name == "svg"
	_, raw := z.attr("data-raw")
	_, foreign := z.attr("data-foreign")
	raw = raw || z.has("class", "raw")
	e.quiet = e.quiet || raw || foreign || is.verbatim || z.has("class", "foreign")
	z.attributes(&e)
	if e.svg {
		z.drawn(&e)
	} else {
		z.known(&e, is, top)
	}
	if !e.svg && is.void || e.svg && selfClosing {
		return
	}
	if raw && !z.rawOpen {
		z.rawOpen, e.raw = true, true
		z.count(z.offset)
	}
	z.open = append(z.open, e)
	if kind := z.value("data-kind"); name == "body" {
		z.byHand = kind == "page"
		z.said.generated = kind != "" && !z.byHand && kind != "notfound"
	}
	in := ""
	if len(z.open) > 1 {
		in = z.open[len(z.open)-2].class
	}
	z.said.begin(name, e.class, z.value("id"), in, len(z.open), z.line)
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
	z.said.hear(text, top.class)
	if blank(text) {
		return
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
	if text := z.said.end(len(z.open)); text != "" && z.claimed != nil && !composed(text, z.claimed) {
		z.f.add(z.said.line, "unclaimed", "%q is the text of no claim", text)
	}
	if e.raw {
		z.rawOpen, z.kept = false, end
	}
	if e.data {
		z.f.add(e.line, "json-block", "the data block is empty")
	}
	z.open = z.open[:len(z.open)-1]
}

// count packs what is not yet counted, up to end.
func (z *scanner) count(end int) {
	if z.zip != nil {
		z.zip.Write(z.data[z.kept:end])
	}
}

// finish judges the page as a whole.
func (z *scanner) finish() {
	for len(z.open) > 0 {
		if e := z.top(); e.svg || !optional[e.name] {
			z.unbalanced(e.line, "<%s> is never closed", e.name)
		}
		z.pop(len(z.data))
	}
	if z.count(len(z.data)); z.zip != nil {
		z.p.html = z.zip.size()
	}
	for _, d := range z.described {
		if z.line = d.line; !z.byHand {
			z.accident([]byte(d.text), d.name)
		}
	}
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
	must(z.p.title != "", "title", "the page has no title")
	if z.p.redirect {
		return // nobody reads it
	}
	if z.canonical != "" && z.canonical != z.f.name {
		z.f.add(z.canonicalLine, "canonical", "the canonical address is that of %q", z.canonical)
	}
	must(z.viewport, "viewport", "the page has no viewport, so a phone shows it too small")
	must(z.description, "description", "the page has no meta description")
	if about := Spaced(z.said.about); about != "" && z.said.generated && z.claimed != nil &&
		!composed(about, z.claimed) {
		z.f.add(z.said.aboutLine, "unclaimed", "the description %q is the text of no claim", about)
	}
	if z.h1 != 1 {
		z.f.add(0, "h1", "the page has %d h1 elements, not one", z.h1)
	}
}

package check

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// A page is what the check keeps of a file with HTML.
type page struct {
	title    string
	elements int
	ids      map[string]bool
	redirect bool // It leads elsewhere at once; nobody reads it.
}

// Attributes that name elements of the same page, by identifier.
var references = []string{"aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-activedescendant", "aria-details", "aria-errormessage", "aria-flowto", "for", "headers", "list", "form", "popovertarget", "commandfor"}

// Attributes whose value a reader sees or hears.
var spoken = []string{"title", "alt", "aria-label", "aria-description", "placeholder", "content", "label"}

// Elements whose text is shown as it was found.
var verbatim = []string{"pre", "code", "samp", "kbd", "textarea"}

// accidents are what a program leaves in a text when it prints what it should not.
var accidents = []struct {
	name string
	re   *regexp.Regexp
}{
	{"<no value>", regexp.MustCompile(`<no value>`)},
	{"<nil>", regexp.MustCompile(`<nil>`)},
	{"map[", regexp.MustCompile(`\bmap\[`)},
	{"%!", regexp.MustCompile(`%![a-zA-Z(]`)},
	// As a word in a sentence it is English.
	{"None", regexp.MustCompile(`^\s*None\s*$|[=:(\[]\s*None\b|\bNone[,)\]]`)},
	{"NaN", regexp.MustCompile(`\bNaN\b`)},
	{"Inf", regexp.MustCompile(`[+-]Inf\b`)},
	{"a number with an exponent", regexp.MustCompile(`(?:^|[^\w.-])-?\d+(?:\.\d+)?e[+-]\d{2,3}\b`)},
	{"ZgotmplZ", regexp.MustCompile(`ZgotmplZ`)},
	{"undefined", regexp.MustCompile(`^\s*undefined\s*$|\[object Object\]`)},
	{"&amp;", regexp.MustCompile(`&(?:amp|lt|gt|quot|#34|#39|nbsp);`)}, // After one round of unescaping.
}

// An identified is a reference to an element of the same page.
type identified struct {
	line      int
	attribute string
	id        string
}

// readPage reads a page in one pass.
func (f *file) readPage(data []byte) {
	p := &page{ids: map[string]bool{}}
	f.page = p
	var (
		refs     []identified
		skip     int    // Depth in elements whose text is shown as it was found.
		raw      string // The element that holds raw records, and its depth.
		rawDepth int
		inTitle  bool
		pictures int  // Depth in <svg>, whose titles are its own.
		policy   bool // The content security policy has been stated.
		late     bool // Something was loaded before it.
		headings int
		language bool
		reading  []byte // The page without its raw records.
	)
	z := html.NewTokenizer(bytes.NewReader(data))
	for line := 1; ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		at := line
		source := z.Raw()
		line += bytes.Count(source, []byte("\n"))
		if raw == "" {
			reading = append(reading, source...)
		}
		switch kind {
		case html.TextToken:
			text := string(z.Text())
			if inTitle && pictures == 0 {
				p.title += text
			}
			if skip == 0 && raw == "" {
				f.readText(at, text)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			open := kind == html.StartTagToken
			p.elements++
			at := &tag{f, at, t}
			switch t.Data {
			case "html":
				language = at.value("lang") != ""
			case "title":
				inTitle = open
			case "svg":
				if open {
					pictures++
				}
			case "h1":
				headings++
			case "style":
				at.find("<style> is blocked; put it into a style sheet")
			case "script":
				late = late || !policy
				if _, ok := at.attr("src"); !ok && !dataBlock(at.value("type")) {
					at.find("an inline script is blocked; put it into a file")
				}
			case "meta":
				switch strings.ToLower(at.value("http-equiv")) {
				case "content-security-policy":
					policy = true
					if late {
						at.find("the content security policy stands after something that loads; put it first in <head>")
					}
					if v := at.value("content"); v != Policy {
						at.find("the content security policy is %q, not %q", v, Policy)
					}
				case "refresh":
					p.redirect = true
					if _, target, ok := strings.Cut(at.value("content"), "url="); ok {
						f.links = append(f.links, link{line: at.line, target: strings.TrimSpace(target)})
					}
				}
			case "img", "area":
				if _, ok := at.attr("alt"); !ok && (t.Data == "img" || at.value("href") != "") {
					at.find("<%s> has no alt; write what it shows, or alt=\"\"", t.Data)
				}
			case "base":
				at.find("<base> changes where every link leads; leave it out")
			}
			refs = append(refs, at.read(&late, policy)...)
			if open && slices.Contains(verbatim, t.Data) {
				skip++
			}
			switch {
			case !open:
			case raw == "" && slices.Contains(strings.Fields(at.value("class")), "raw"):
				raw, rawDepth = t.Data, 1
			case raw == t.Data:
				rawDepth++
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			switch n := string(name); {
			case n == "title":
				inTitle = false
			case n == "svg" && pictures > 0:
				pictures--
			case slices.Contains(verbatim, n) && skip > 0:
				skip--
			}
			if raw != "" && raw == string(name) {
				if rawDepth--; rawDepth == 0 {
					raw = ""
				}
			}
		}
	}
	f.gzipped = gzippedSize(reading)
	for _, r := range refs {
		if !p.ids[r.id] {
			f.find(r.line, Error, "%s names %q, which the page does not have", r.attribute, r.id)
		}
	}
	p.title = strings.Join(strings.Fields(p.title), " ")
	if p.title == "" {
		f.find(0, Error, "has no title")
	}
	if p.redirect {
		return
	}
	if headings != 1 {
		f.find(0, Error, "has %d <h1>, not one", headings)
	}
	if !policy {
		f.find(0, Error, "has no content security policy")
	}
	if !language {
		f.find(0, Error, "<html> does not say its language; write lang=")
	}
}

// dataBlock tells whether a script element of this type only holds data.
func dataBlock(t string) bool {
	return t == "application/json" || t == "application/ld+json" || t == "text/plain"
}

// readText looks for accidents in a text that people read, unescaped once.
func (f *file) readText(line int, text string) {
	for _, a := range accidents {
		if i := a.re.FindStringIndex(text); i != nil {
			f.find(line+strings.Count(text[:i[0]], "\n"), Error, "%s got into the text by accident: %q", a.name, around(text, i[0], i[1]))
		}
	}
}

// around returns a piece of text with a little of what stands beside it.
func around(text string, from, to int) string {
	from, to = max(0, from-20), min(len(text), to+20)
	return strings.Join(strings.Fields(strings.ToValidUTF8(text[from:to], "")), " ")
}

// A tag is a start tag at its place.
type tag struct {
	f    *file
	line int
	html.Token
}

func (t *tag) attr(key string) (string, bool) {
	for _, a := range t.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}

func (t *tag) value(key string) string {
	v, _ := t.attr(key)
	return v
}

func (t *tag) find(format string, args ...any) { t.f.find(t.line, Error, format, args...) }

// read takes identifiers, links and references out of a tag's attributes, and finds those that the
// policy blocks.
func (t *tag) read(late *bool, policy bool) (refs []identified) {
	relation := strings.Fields(strings.ToLower(t.value("rel")))
	for _, a := range t.Attr {
		switch key := a.Key; {
		case key == "id":
			switch {
			case a.Val == "" || strings.ContainsAny(a.Val, " \t\n"):
				t.find("the id %q is empty or has a space", a.Val)
			case t.f.page.ids[a.Val]:
				t.find("the id %q stands twice", a.Val)
			}
			t.f.page.ids[a.Val] = true
		case key == "name" && t.Data == "a":
			t.f.page.ids[a.Val] = true
		case key == "style":
			t.find("the attribute style is blocked; use a class")
		case strings.HasPrefix(key, "on"):
			t.find("the attribute %s is blocked; put the script into a file", key)
		case slices.Contains(references, key):
			for _, id := range strings.Fields(a.Val) {
				refs = append(refs, identified{t.line, key, id})
			}
		case key == "href" || key == "xlink:href" || key == "src" || key == "data" && t.Data == "object" || key == "poster":
			l := link{line: t.line, target: strings.TrimSpace(a.Val), loads: true}
			switch {
			case t.Data == "a" || t.Data == "area":
				l.loads = false
			case t.Data == "link":
				l.style = slices.Contains(relation, "stylesheet")
				l.loads = l.style || slices.Contains(relation, "icon") || slices.Contains(relation, "preload") || slices.Contains(relation, "modulepreload") || slices.Contains(relation, "manifest")
			case t.Data == "script":
				l.script = true
			}
			*late = *late || l.loads && !policy
			t.f.links = append(t.f.links, l)
		case key == "srcset":
			for candidate := range strings.SplitSeq(a.Val, ",") {
				if u := strings.Fields(candidate); len(u) > 0 {
					t.f.links = append(t.f.links, link{line: t.line, target: u[0], loads: true})
				}
			}
		}
		if slices.Contains(spoken, a.Key) && a.Val != Policy {
			t.f.readText(t.line, a.Val)
		}
	}
	return refs
}

package check

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
)

// void elements have no end.
var void = set(
	"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
	"track", "wbr",
)

// optional elements end by themselves.
var optional = set(
	"html", "head", "body", "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot",
	"colgroup", "option", "optgroup", "rt", "rp",
)

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
	for name := range set(
		"address", "article", "aside", "blockquote", "details", "dialog", "div", "dl", "fieldset",
		"figcaption", "figure",
		"footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "main", "menu", "nav", "ol", "p", "pre",
		"search", "section", "table", "ul",
	) {
		m[name] = set("p")
	}
	return m
}()

// verbatim elements hold text that is shown as it was found, or none that is shown.
var verbatim = set("pre", "code", "samp", "kbd", "textarea", "script", "style")

// blocked elements load what default-src 'none' forbids.
var blocked = set("iframe", "frame", "object", "embed", "video", "audio", "track", "applet", "portal")

// idAttributes name ids of the page, one or several.
var idAttributes = set(
	"for", "headers", "list", "form", "popovertarget", "commandfor", "aria-labelledby",
	"aria-describedby", "aria-controls", "aria-owns", "aria-details", "aria-errormessage",
	"aria-activedescendant", "aria-flowto",
)

// spoken attributes are text for people.
var spoken = set(
	"title", "alt", "label", "placeholder", "aria-label", "aria-description", "aria-roledescription",
	"aria-valuetext",
)

// attributeNames are the names of attributes that are judged by what they are called as a whole.
var attributeNames = func() map[string]string {
	m := map[string]string{}
	for _, names := range []map[string]bool{idAttributes, spoken, set("id", "style", "data-shards")} {
		for n := range names {
			m[n] = n
		}
	}
	return m
}()

// trait is what elements of a name are.
type trait struct {
	void, verbatim, blocked bool
	closes                  map[string]bool // open elements that it closes
}

var traits = func() map[string]trait {
	m := map[string]trait{}
	for name, closes := range implied {
		m[name] = trait{closes: closes}
	}
	for _, names := range []map[string]bool{void, verbatim, blocked} {
		for n := range names {
			m[n] = trait{void[n], verbatim[n], blocked[n], implied[n]}
		}
	}
	return m
}()

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// attributes judges what any element may have.
func (z *scanner) attributes(e *element) {
	for _, a := range z.attrs {
		key, known := attributeNames[string(a.key)]
		if !known {
			if !bytes.HasPrefix(a.key, []byte("on")) && !bytes.HasPrefix(a.key, []byte("data-")) {
				continue
			}
			key = string(a.key)
		}
		switch {
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
			z.add("event-attribute", "<%s> has the attribute %s, which the policy blocks; listen in a script",
				e.name, key)
		case key == "data-shards":
			z.p.shards = path.Join(path.Dir(z.f.name), string(a.val))
		case strings.HasPrefix(key, "data-"):
			z.linkData(z.f, z.line, key, string(a.val))
		case spoken[key] && !e.quiet:
			z.accident(a.val, key)
		}
	}
}

// known judges an element of the document.
func (z *scanner) known(e *element, is trait, parent *element) {
	switch e.name {
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
		}
	case "img", "source", "input":
		z.picture()
	case "h1", "h2", "h3", "h4", "h5", "h6":
		z.headingOf(int(e.name[1] - '0'))
	case "inferdex-fragment":
		z.add("leftover", "the place of the fragment %q was never filled", z.value("data-name"))
	case "no": // "<no value>", written without escaping
		if _, ok := z.attr("value"); ok && !e.quiet {
			z.add("accident", "%q got into the markup: a Go template that read a field which does not exist",
				"<no value>")
		}
	case "nil":
		if !e.quiet {
			z.add("accident", "%q got into the markup: a nil printed by Go", "<nil>")
		}
	}
	if is.blocked {
		z.add("blocked", "<%s> is not shown, because the policy blocks what it loads", e.name)
	}
	for _, key := range [...]string{"action", "formaction"} {
		if v, ok := z.attr(key); ok {
			z.add("blocked", "%s=%q is never reached, because the policy forbids to send forms", key, v)
		}
	}
}

// headingOf judges the level of a heading by the one before it.
func (z *scanner) headingOf(level int) {
	if level == 1 {
		z.h1++
	}
	switch {
	case level <= z.heading+1:
	case z.heading == 0:
		z.add("heading-order", "the first heading is an h%d; begin with an h1", level)
	default:
		z.add("heading-order", "an h%d follows an h%d, which skips a level", level, z.heading)
	}
	z.heading = level
}

// drawn judges an element of an inline drawing.
func (z *scanner) drawn(e *element) {
	href, ok := z.attr("href")
	if !ok {
		href, ok = z.attr("xlink:href")
	}
	switch e.name {
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

func (z *scanner) meta(parent *element) {
	content := z.value("content")
	switch equiv := z.value("http-equiv"); strings.ToLower(equiv) {
	case "content-security-policy":
		z.policy = true
		if parent == nil || parent.name != "head" || parent.children != 1 {
			z.add("csp-first", "the policy stands behind another element; put it first in the head")
		}
		if content != Policy && (content != ReaderPolicy || !slices.Contains(ReaderPages, z.f.name)) {
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
	switch name := strings.ToLower(cmp.Or(z.value("name"), z.value("property"))); name {
	case "viewport":
		z.viewport = true
	case "description":
		z.description = strings.TrimSpace(content) != ""
		z.described = append(z.described, description{z.line, name, content})
		z.said.about, z.said.aboutLine = content, z.line
	case "og:url", "og:image", "twitter:image":
		z.link(z.f, z.line, content, mentions)
	case "og:description", "twitter:description":
		z.described = append(z.described, description{z.line, name, content})
	case "og:title", "twitter:title":
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

// picture judges the addresses of an img, a source or a button made of a picture.
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

package site

import (
	"bufio"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"
)

// markup writes HTML. Fixed markup goes through raw; whatever comes from a catalog goes through
// text and attr, which escape. The first error sticks, so callers check once, at the end.
type markup struct {
	w   *bufio.Writer
	err error
}

// fragment makes a Fragment of a function that writes markup.
func fragment(f func(m *markup)) Fragment {
	return func(w io.Writer) error {
		m := &markup{w: bufio.NewWriter(w)}
		f(m)
		if m.err == nil {
			m.err = m.w.Flush()
		}
		return m.err
	}
}

// raw writes markup as it is. Its arguments are constants of this package or text that text or
// attr would not change.
func (m *markup) raw(parts ...string) {
	for _, s := range parts {
		if m.err == nil {
			_, m.err = m.w.WriteString(s)
		}
	}
}

var textEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\x00", "\uFFFD")

// escape makes text safe between tags and in quoted attributes, and valid UTF-8.
func escape(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return textEscaper.Replace(s)
}

// text writes text that is no markup.
func (m *markup) text(s string) { m.raw(escape(glue(s))) }

// attr writes an attribute with a space before it; nothing where the value is empty.
func (m *markup) attr(name, value string) {
	if value != "" {
		m.raw(" ", name, `="`, escape(value), `"`)
	}
}

// elem writes an element that holds text alone.
func (m *markup) elem(name, class, text string) {
	m.raw("<", name)
	m.attr("class", class)
	m.raw(">")
	m.text(text)
	m.raw("</", name, ">")
}

// link writes an anchor, or the bare text where there is no address.
func (m *markup) link(href, text string) {
	if href == "" {
		m.text(text)
		return
	}
	m.raw("<a")
	m.attr("href", href)
	m.raw(">")
	m.text(text)
	m.raw("</a>")
}

// draw lets another package write finished markup, a chart or a mark, at this place.
func (m *markup) draw(f func(w io.Writer) error) {
	if m.err == nil {
		m.err = f(m.w)
	}
}

// webAddress returns s if it is an address that a page may link to, else "": an address from a
// catalog may be anything, "javascript:" too.
func webAddress(s string) string {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return u.String()
}

package page

import (
	"bufio"
	"bytes"
	"io"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markup writes HTML. Fixed markup goes through Raw; whatever comes from a catalog goes through
// Text and Attr, which escape.
type Markup struct {
	w interface {
		io.Writer
		io.StringWriter
	}
	// Err is the first error; after it nothing more is written.
	Err       error
	longWords bool // a line may end at the separators within words
	cell      bool // within a table, where a date within a text stays on one line
}

// FragmentOf makes a Fragment of a function that writes markup.
func FragmentOf(f func(m *Markup)) Fragment {
	return func(w io.Writer) error {
		if b, ok := w.(*bytes.Buffer); ok {
			m := &Markup{w: b}
			f(m)
			return m.Err
		}
		b := bufio.NewWriter(w)
		m := &Markup{w: b}
		f(m)
		if m.Err == nil {
			m.Err = b.Flush()
		}
		return m.Err
	}
}

// Raw writes markup as it is. Its arguments are constants of the program or text that Text or
// Attr would not change.
func (m *Markup) Raw(parts ...string) {
	for _, s := range parts {
		if m.Err == nil {
			_, m.Err = m.w.WriteString(s)
		}
	}
}

var textEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\x00",
	"\uFFFD")

// betweenTags leaves quotation marks as they are, which mean nothing there.
var betweenTags = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\x00", "\uFFFD")

// Escape makes text safe between tags and in quoted attributes, and valid UTF-8.
func Escape(s string) string { return textEscaper.Replace(valid(s)) }

func valid(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return s
}

// Text writes text that is no markup.
func (m *Markup) Text(s string) {
	if s = Glue(s); m.longWords {
		s = broken(s)
	} else {
		s = Escape(s)
	}
	if m.cell && len(s) > len("2025-04-14") {
		s = unbrokenDays(s)
	}
	m.Raw(s)
}

var day = regexp.MustCompile(`\b\d{4}-\d\d-\d\d\b`)

// unbrokenDays keeps each date within HTML on one line.
func unbrokenDays(s string) string {
	for i := len("2025"); i+len("-04-14") <= len(s); i++ {
		if s[i] == '-' && s[i+len("-04")] == '-' && digit(s[i-1]) && digit(s[i+1]) {
			return day.ReplaceAllString(s, `<span class="nw">$0</span>`)
		}
	}
	return s
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// separated cuts a text where its lines may end within words. A word that is longer than a narrow column ends its line
// at the separators of names and versions, "0.8.5|.post1|+gabc", and not within a number or a unit, "tok/s".
func separated(s string) (parts []string) {
	from := 0
	cut := func(at int) {
		parts = append(parts, s[from:at])
		from = at
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '+':
			cut(i)
		case '.':
			if r, _ := utf8.DecodeRuneInString(s[i+1:]); unicode.IsLetter(r) {
				cut(i)
			}
		case '_', '/', '|', '=':
			if i+2 < len(s) && lettered(s[i+1]) && (lettered(s[i+2]) || s[i+2] == '-') {
				cut(i + 1)
				i += 2
			}
		}
	}
	return append(parts, s[from:])
}

// lettered says whether a byte is of a name.
func lettered(c byte) bool {
	return digit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

// broken makes text safe, with a place for the end of a line at each separator.
func broken(s string) string {
	parts := separated(s)
	for i, p := range parts {
		parts[i] = Escape(p)
	}
	return strings.Join(parts, "<wbr>")
}

// Broken is the HTML of a text outside of tables, which breaks where the text of a cell does.
func Broken(s string) string {
	if longWord(s) {
		return broken(s)
	}
	return Escape(s)
}

// HTML is the sentence as pages show it.
func (ps Parts) HTML() string {
	var b strings.Builder
	m := &Markup{w: &b}
	m.Sentence(ps)
	return b.String()
}

// Sentence writes pieces of text. A date stays on one line.
func (m *Markup) Sentence(ps Parts) {
	for _, p := range ps {
		text := Broken(p.Text)
		switch href := leading(p.Href); {
		case href != "":
			if len(p.Text) > len("2025-04-14") {
				text = unbrokenDays(text)
			}
			m.Raw("<a")
			m.Attr("href", href)
			m.Attr("title", p.Title)
			m.Raw(">", text, "</a>")
		case p.Code:
			m.Raw("<code>", text, "</code>")
		case p.Title != "":
			m.Raw("<span")
			m.Attr("title", p.Title)
			m.Raw(">", text, "</span>")
		default:
			m.Raw(unbrokenDays(text))
		}
	}
}

// leading is an address that is a link, as html/template has it: no script.
func leading(href string) string {
	if strings.HasPrefix(href, "#") || strings.HasPrefix(href, "../") {
		return href
	}
	u, err := url.Parse(href)
	if err != nil || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto" {
		return ""
	}
	return href
}

// Records writes JSON that is no markup, between tags: a tenth of it is quotation marks, and escaped ones are five
// bytes each.
func (m *Markup) Records(s string) { m.Raw(betweenTags.Replace(valid(Glue(s)))) }

// Attr writes an attribute with a space before it; nothing where the value is empty. A word of plain signs has no
// quotation marks, which HTML does not ask for there: they were a fiftieth of the pages.
func (m *Markup) Attr(name, value string) {
	switch {
	case value == "":
	case word(value):
		m.Raw(" ", name, "=", value)
	default:
		m.Raw(" ", name, `="`, Escape(value), `"`)
	}
}

// word says whether the value of an attribute can stand without quotation marks. It does not end in a slash, which some
// take for that of an element without content.
func word(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', 'A' <= c && c <= 'Z', c == '-', c == '_', c == '.', c == '#', c == ':':
		case c == '/' && i < len(s)-1:
		default:
			return false
		}
	}
	return true
}

// Elem writes an element that holds text alone.
func (m *Markup) Elem(name, class, text string) {
	m.Raw("<", name)
	m.Attr("class", class)
	m.Raw(">")
	m.Text(text)
	m.Raw("</", name, ">")
}

// Link writes an anchor, or the bare text where there is no address.
func (m *Markup) Link(href, text string) {
	if href == "" {
		m.Text(text)
		return
	}
	m.Raw("<a")
	m.Attr("href", href)
	m.Raw(">")
	m.Text(text)
	m.Raw("</a>")
}

// Draw lets another package write finished markup, a chart or a mark, at this place.
func (m *Markup) Draw(f func(w io.Writer) error) {
	if m.Err == nil {
		m.Err = f(m.w)
	}
}

// WebAddress returns s if it is an address that a page may link to, else "": an address from a
// catalog may be anything, "javascript:" too.
func WebAddress(s string) string {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return u.String()
}

// PullRequest is the address that opens a pull request against a repository; "" where that is no web address.
func PullRequest(repository string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(WebAddress(repository), "/"), ".git")
	u, err := url.Parse(base)
	if base == "" || err != nil {
		return ""
	}
	if strings.Contains(u.Host, "gitlab") {
		return base + "/-/merge_requests/new"
	}
	return base + "/compare"
}

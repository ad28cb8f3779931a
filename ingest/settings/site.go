package settings

import (
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// Site is what a catalog changes of the looks of its pages: [site]. The zero Site changes nothing.
type Site struct {
	// Logo is a picture below assets/ of the catalog, "assets/logo.svg"; empty for none.
	Logo string
	// Accent is the colour of links as "#0b57a4", AccentDark that in the dark theme; empty for the built-in one, and an
	// empty AccentDark for Accent.
	Accent, AccentDark string
	// Menu has entries behind the built-in ones, in the order of the file.
	Menu []MenuEntry
	// Footer is a text at the foot of every page.
	Footer string
	// File and the lines are where Logo and Accent stand; 0 where they do not.
	File                 string
	LogoLine, AccentLine int
}

// MenuEntry is a link in the menu of every page.
type MenuEntry struct {
	Text string
	// Address is a path below the site's root, "team/index.html", with what a query or a fragment chooses there, or an
	// address that begins with https:// or http://.
	Address string
	// Written is the address as Line of the file has it.
	Written string
	Line    int
}

// Away reports whether the entry leads to another site.
func (e MenuEntry) Away() bool { return strings.Contains(e.Address, "://") }

var hexColor = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// pictures are the ends of names that a logo may have.
var pictures = []string{".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif"}

// site reads [site].
func (t *table) site() (s Site) {
	s = Site{Logo: t.text("logo"), Accent: t.text("accent"), AccentDark: t.text("accent_dark"), Footer: t.text("footer"),
		File: t.doc.file, LogoLine: t.doc.line(t.at("logo")), AccentLine: t.doc.line(t.at("accent"))}
	if s.AccentLine == 0 {
		s.AccentLine = t.doc.line(t.at("accent_dark"))
	}
	if s.Logo != "" && (!fs.ValidPath(s.Logo) || !strings.HasPrefix(s.Logo, "assets/") || !isPicture(s.Logo)) {
		t.doc.report(t.at("logo"), "logo is %q, want a picture below assets/ of the catalog, such as \"assets/logo.svg\": %s",
			s.Logo, strings.Join(pictures, ", "))
		s.Logo = ""
	}
	for _, c := range []struct {
		key   string
		value *string
	}{{"accent", &s.Accent}, {"accent_dark", &s.AccentDark}} {
		if *c.value != "" && !hexColor.MatchString(*c.value) {
			t.doc.report(t.at(c.key), "%s is %q, want a colour such as \"#0b57a4\"", c.key, *c.value)
			*c.value = ""
		}
	}
	for _, m := range t.tables("menu") {
		e := MenuEntry{Text: strings.TrimSpace(m.text("text"))}
		written := m.text("url")
		address, ok := menuAddress(written)
		switch {
		case e.Text == "" || written == "":
			t.doc.report(m.path, `an entry of the menu without text or url: write text = "Team" and url = "team/"`)
		case !ok:
			t.doc.report(m.at("url"), "url is %q, want a page of the site such as \"team/\", or an address that begins with "+
				"https:// or http://", written)
		default:
			e.Address, e.Written, e.Line = address, written, t.doc.line(m.at("url"))
			s.Menu = append(s.Menu, e)
		}
		m.close()
	}
	t.close()
	return s
}

func isPicture(name string) bool {
	for _, end := range pictures {
		if strings.EqualFold(path.Ext(name), end) {
			return true
		}
	}
	return false
}

// menuAddress is where an entry leads: a page by its folder or its file, or another site.
func menuAddress(written string) (address string, ok bool) {
	if strings.ContainsFunc(written, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }) {
		return "", false
	}
	u, err := url.Parse(written)
	switch {
	case err != nil:
		return "", false
	case u.Scheme == "https" || u.Scheme == "http":
		return written, u.Host != "" && u.User == nil
	case u.Scheme != "" || u.Host != "" || u.Opaque != "":
		return "", false
	}
	p := strings.Trim(u.Path, "/")
	if !fs.ValidPath(p) || p == "." {
		return "", false
	}
	if path.Ext(p) == "" {
		p += "/index.html"
	}
	u.Path, u.RawPath = p, ""
	return u.String(), true
}

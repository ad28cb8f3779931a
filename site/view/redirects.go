package view

import (
	"io"

	"github.com/inferdex/inferdex/site/page"
)

// Redirects are small pages at the inverse addresses of pairs: who writes "b-vs-a" means "a-vs-b".
// They are files and no pages, so that neither the sitemap nor a search lists them.
func (g *Site) Redirects() []page.File {
	taken := map[string]bool{}
	for _, c := range g.pairs.paged() {
		taken[c.Slug] = true
	}
	var out []page.File
	for _, c := range g.pairs.paged() {
		if taken[c.Inverse] {
			continue
		}
		taken[c.Inverse] = true
		out = append(out, page.File{Path: pathPair(c.Inverse) + "/index.html", Of: g.OfRun(c.base.Run),
			Write: func(w io.Writer) error { return g.writeRedirect(w, c) }})
	}
	return out
}

func (g *Site) writeRedirect(w io.Writer, c *comparison) error {
	to := "../" + c.Slug + "/index.html"
	return page.FragmentOf(func(m *page.Markup) {
		m.Raw(
			`<!DOCTYPE html><html lang="en"><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'self'; form-action 'none'"><meta charset="utf-8">`,
			`<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url=`, page.Escape(to), `">`)
		if base := g.Base(); base != "" {
			m.Raw(`<link rel="canonical" href="`, page.Escape(base+pathPair(c.Slug)+"/"), `">`)
		}
		title := c.of + ": " + c.baseName + " against " + c.otherName + ", moved"
		m.Raw("<title>")
		m.Text(title)
		m.Raw(`</title><meta name="description" content="`,
			page.Escape("This comparison stands the other way round: "+c.title), `"></head><body><h1>`)
		m.Text(c.title)
		m.Raw("</h1><p>")
		m.Link(to, "The comparison stands at its other address")
		m.Raw("</p></body></html>\n")
	})(w)
}

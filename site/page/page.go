// Package page is what a page of the site is: plain structs of text that layouts render, tables,
// markup and links. It knows no catalog, no template and no Hugo.
package page

import (
	"io"
	"iter"
)

// Page is one page to be rendered.
type Page struct {
	// Path is the page's place below the site's root without slashes at its ends:
	// "models/codellama-7b", "" for home. The page becomes Path/index.html.
	Path string
	// Of is the digest of all that the page is made of: two pages of one path and one digest are equal. A page that
	// has one need not be made before it is known that it is not that of the last build: until then it has a Path, a
	// Kind, Head and Make alone. "": it is made, and what it is made of is not known.
	Of string
	// Head says of a page that is not made what Title and Description it will have, so that it is made when it is
	// rendered and not before. Nil: that is not known.
	Head func() (title string, description Said)
	// Kind selects the layout: layouts/<kind>.html.
	Kind  string
	Title string
	// Description says what the page has, for search engines and link previews: claims and nothing else.
	Description Said
	// Params reach the layout as .Params.page: a struct of text, booleans and sort keys with
	// lower snake case JSON names. Numbers are formatted already. Small: large things are
	// Fragments.
	Params any
	// Fragments are spliced in where the layout calls the partial "fragment" with their name.
	Fragments map[string]Fragment
	// Files are written with the page: its charts. Nil: there are none.
	Files iter.Seq[File]
	// Late says that the fragments are made of what all pages say: they may be called when all are made.
	Late bool
	// Make makes the page again, where that is cheaper than to hold it until its turn comes: then of this
	// value only what stands above Params is kept. It may be called at any time, by several at once, and
	// makes the same page each time. Nil: the page is held.
	Make func() (*Page, error)
}

// Fragment writes a piece of finished HTML: a chart, a large table, raw records. It is called
// when the page is written and never held for all pages. What it writes is not escaped again.
type Fragment func(io.Writer) error

// File is something a site holds beside its pages: a download, an SVG file, a feed.
type File struct {
	// Path below the site's root: "data/catalog.json.gz".
	Path  string
	Write func(io.Writer) error
	// Of is the digest of all that the file is made of, as that of a [Page]; "" is not known.
	Of string
	// All, where it is set, makes several files instead of this one, which is only their name: they are made of one
	// thing, and made only where that is not what the last build made them of.
	All func() ([]File, error)
}

package view

import (
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
)

// Beside is what pages say of the files beside them, which package data makes.
type Beside struct {
	// Downloads are the files of the whole catalog.
	Downloads []Download
	// Dataset writes the data block that describes the data set to search engines; nil for none.
	Dataset page.Fragment
	// Badges are those of a card; nil for none.
	Badges func(*figure.Card) []Badge
}

// Download is a file of the data page, with what it is in words.
type Download struct {
	page.File
	What string
}

// Badge is a small picture of one figure of a card.
type Badge struct {
	// Path is the file without its extension, of which there are .svg and .json.
	Path string
	// Title is the whole of what the badge says, with the load.
	Title string
}

package view

import "github.com/inferdex/inferdex/ingest/settings"

// Options are what a site is made with beside its catalog.
type Options struct {
	// Config is the catalog's inferdex.toml; nil is a configuration with nothing set.
	Config *settings.Config
	// Formats are what the formats page lists.
	Formats []FormatDoc
	// Written are the paths of the hand-written pages, for the sitemap.
	Written []string
	// NoPreviews leaves out the pictures of link previews.
	NoPreviews bool
	// PNG writes each chart's file as PNG too.
	PNG bool
}

// FormatDoc is what is said of one kind of file that can be read. It mirrors ingest.Doc: this
// package does not know the formats.
type FormatDoc struct {
	Name, Title, Tool, Command, Versions, Files, Reads, Unknown string
}

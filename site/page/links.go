package page

import "strings"

// Addresses. Links are relative to the page they stand on and name the file, so that a site works
// from a folder, below any path and from a project page alike. A slug depends on nothing but the
// name; a run's address is its id.

// Paths of the pages that exist once.
const (
	PathHome        = ""
	PathModels      = "models"
	PathHardware    = "hardware"
	PathRuns        = "runs"
	PathRankings    = "rankings"
	PathData        = "data"
	PathMethodology = "about/methodology"
	PathFormats     = "about/formats"
	PathGlossary    = "about/glossary"
)

// PathModel is the page of a model, by its slug.
func PathModel(slug string) string { return "models/" + slug }

// PathAccelerator is the page of an accelerator, by its slug.
func PathAccelerator(slug string) string { return "hardware/" + slug }

// PathCard is the page of a model on a hardware, by the slug of the card.
func PathCard(slug string) string { return "cards/" + slug }

// PathScorecard is the page of a scorecard, by its key.
func PathScorecard(key string) string { return "scorecard/" + key }

// Place is the page that links start from: its Path.
type Place string

// root is what leads from the page to the site's root: "", "../", "../../".
func (p Place) root() string {
	if p == "" {
		return ""
	}
	return strings.Repeat("../", strings.Count(string(p), "/")+1)
}

// To is the link to another page, anchor may be empty: "../models/x/index.html#ranked".
func (p Place) To(path, anchor string) string {
	if path == string(p) && anchor != "" {
		return "#" + anchor
	}
	href := p.root()
	if path != "" {
		href += path + "/"
	}
	href += "index.html"
	if anchor != "" {
		href += "#" + anchor
	}
	return href
}

// File is the link to a file below the root.
func (p Place) File(path string) string { return p.root() + path }

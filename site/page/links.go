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

// PathScorecards lists all scorecards.
const PathScorecards = "scorecard"

// PathScorecard is the page of a scorecard, by its key.
func PathScorecard(key string) string { return PathScorecards + "/" + key }

// Place is the page that links start from: its Path.
type Place string

// To is the link to another page, anchor may be empty: "../x/index.html#ranked".
func (p Place) To(path, anchor string) string {
	if path == string(p) && anchor != "" {
		return "#" + anchor
	}
	if path != "" {
		path += "/"
	}
	href := p.File(path + "index.html")
	if anchor != "" {
		href += "#" + anchor
	}
	return href
}

// File is the shortest link to a file below the root: "../x/y.svg" from a page beside x, "y.svg" from x itself.
func (p Place) File(path string) string {
	from := string(p)
	if from != "" {
		from += "/"
	}
	for {
		folder, rest, ok := strings.Cut(from, "/")
		within, left := strings.CutPrefix(path, folder+"/")
		if !ok || !left {
			break
		}
		from, path = rest, within
	}
	up := strings.Repeat("../", strings.Count(from, "/"))
	if first, _, _ := strings.Cut(path, "/"); up == "" && strings.Contains(first, ":") {
		up = "./" // or it would be read as a scheme
	}
	return up + path
}

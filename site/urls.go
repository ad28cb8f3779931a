package site

import (
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// Addresses. Links are relative to the page they stand on and name the file, so that a site works
// from a folder, below any path and from a project page alike. A slug depends on nothing but the
// name; a run's address is its id.

// Paths of the pages that exist once.
const (
	pathHome        = ""
	pathModels      = "models"
	pathHardware    = "hardware"
	pathRuns        = "runs"
	pathRankings    = "rankings"
	pathData        = "data"
	pathMethodology = "about/methodology"
	pathFormats     = "about/formats"
	pathGlossary    = "about/glossary"
)

func pathModel(slug string) string    { return "models/" + slug }
func pathAccelerator(s string) string { return "hardware/" + s }
func pathCard(slug string) string     { return "cards/" + slug }
func pathRun(id string) string        { return "runs/" + catalog.Slug(id) }
func pathScorecard(key string) string { return "scorecard/" + key }

// place is the page that links start from: its Path.
type place string

// root is what leads from the page to the site's root: "", "../", "../../".
func (p place) root() string {
	if p == "" {
		return ""
	}
	return strings.Repeat("../", strings.Count(string(p), "/")+1)
}

// page is the link to another page, anchor may be empty: "../models/x/index.html#ranked".
func (p place) page(path, anchor string) string {
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

// file is the link to a file below the root.
func (p place) file(path string) string { return p.root() + path }

func itoa[T int | int64](n T) string { return strconv.FormatInt(int64(n), 10) }

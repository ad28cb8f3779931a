package view

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
)

// PathRun is the page of a run.
func PathRun(id string) string { return "runs/" + catalog.Slug(id) }

// PathRunJSON is the run with all of its numbers, of the API.
func PathRunJSON(id string) string { return "api/v1/runs/" + id + ".json" }

// PathCatalog is the whole catalog as one file, and PathPoints all points.
const (
	PathCatalog = "data/catalog.json.gz"
	PathPoints  = "data/points.csv.gz"
)

// PathModelPoints is the file of the points of a model.
func PathModelPoints(slug string) string { return "data/models/" + slug + ".csv.gz" }

// pathPointsOf is the smallest file with the points of a run.
func pathPointsOf(r *figure.Run) string {
	if r.Listed() {
		return PathModelPoints(r.Model.Slug)
	}
	return PathPoints
}

func pathEngine(slug string) string { return PathEngines + "/" + slug }

// PathEngines is the list of engines.
const PathEngines = "engines"

// PathCompare is the list of all pairs, and the place where readers choose runs of their own.
const PathCompare = "compare"

// PathUnits is the file that says in which units the numbers of a catalog stand, which the page of comparisons loads
// with its reader.
const PathUnits = PathCompare + "/units.json"

// PathPackage describes the tables that can be downloaded.
const PathPackage = page.PathData + "/datapackage.json"

func pathPair(slug string) string { return PathCompare + "/" + slug }

// PathRanking is the page of the ranking of a use.
func PathRanking(preset string) string { return page.PathRankings + "/" + preset }

// pathPreview is the file of a page's picture.
func pathPreview(page string) string {
	if page == "" {
		page = "home"
	}
	return "previews/" + page + ".png"
}

// PathFeed is the feed of a page.
func PathFeed(page string) string {
	if page == "" {
		return "feed.xml"
	}
	return page + "/feed.xml"
}

// maxSources is how many source files stand on the page of their run; more have a page of their own.
const maxSources = 12

// manySources says whether they do; a page that is one file has all.
func (g *Site) manySources(r *figure.Run) bool {
	return len(r.Sources) > maxSources && !g.Options.SelfContained
}

// pathSources is the page that lists the source files of a run.
func (g *Site) pathSources(r *figure.Run) string {
	if g.manySources(r) {
		return PathRun(r.ID) + "/sources"
	}
	return PathRun(r.ID)
}

// sourceSpans are the pages that list the source files of a run.
func (g *Site) sourceSpans(r *figure.Run) []span {
	if !g.manySources(r) {
		return []span{{path: PathRun(r.ID), end: len(r.Sources)}}
	}
	return spans(g.pathSources(r), g.pathSources(r), len(r.Sources), mostTogether, even)
}

// pathSource is the page that lists the source file of a digest, or of its beginning.
func (g *Site) pathSource(r *figure.Run, digest string) string {
	i := slices.IndexFunc(r.Sources, func(s catalog.Source) bool { return strings.HasPrefix(s.SHA256, digest) })
	return pageOf(g.sourceSpans(r), max(0, i)).path
}

// pathAcross is the page that sets the workloads of a large run side by side.
func pathAcross(r *figure.Run) string { return PathRun(r.ID) + "/workloads" }

// pathUnidentified is the page of what runs without model or hardware lack.
const pathUnidentified = page.PathData + "/not-recorded"

// PointID is the anchor of a point on its run's page. The prefix keeps it apart from sections.
func PointID(s *figure.Scenario, p *catalog.Point) string { return "p-" + figure.Anchor(s, p) }

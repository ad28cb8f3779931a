package site

import "github.com/inferdex/inferdex/ingest/catalog"

// pathRun is the page of a run.
func pathRun(id string) string { return "runs/" + catalog.Slug(id) }

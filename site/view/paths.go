package view

import "github.com/inferdex/inferdex/ingest/catalog"

// PathRun is the page of a run.
func PathRun(id string) string { return "runs/" + catalog.Slug(id) }

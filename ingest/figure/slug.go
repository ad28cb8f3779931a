package figure

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// tellModelsApart gives models that nobody listed, are of several organisations and have one name a slug each.
// The one that was measured first keeps the plain slug, so that a model added later moves no page; the slugs
// of the others end in a digest, and all are called by their whole names.
// Spellings that differ in case alone are one model. A name without an organisation means the only
// organisation that has a model of that name, as with listed ones.
func tellModelsApart(runs []*Run) {
	bySlug := map[string][]*Run{}
	for _, r := range runs {
		if !r.Model.Known && r.Model.ID != "" {
			bySlug[r.Model.Slug] = append(bySlug[r.Model.Slug], r)
		}
	}
	for slug, rs := range bySlug {
		slices.SortStableFunc(rs, func(a, b *Run) int {
			if a.Started == "" || b.Started == "" {
				return NewestFirst(a, b)
			}
			return NewestFirst(b, a)
		})
		var ids []string // lower case, the one that was measured first in front
		for _, r := range rs {
			if id := strings.ToLower(r.Model.ID); !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		named := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !strings.Contains(id, "/") })
		if len(named) < 2 {
			continue
		}
		for _, r := range rs {
			r.Model.Name = r.Model.ID
			if id := strings.ToLower(r.Model.ID); id != ids[0] {
				r.Model.Slug = record.DistinctSlug(slug, id)
			}
		}
	}
}

// cardSlug is the address of a model on hardware. Where the words between the two stand in one of them too,
// a digest says which is which.
func cardSlug(model, hardware string) string {
	slug := model + "-on-" + hardware
	if strings.Count(slug, "-on-") > 1 {
		return record.DistinctSlug(slug, model)
	}
	return slug
}

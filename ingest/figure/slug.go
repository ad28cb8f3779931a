package figure

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// tellModelsApart gives models that nobody listed, are of several organisations and have one name a slug each.
// The one that was measured first keeps the plain slug, so that a model added later moves no page; the slugs
// of the others end in a digest, and all are called by their whole names.
// Spellings that differ in case or in the width of a blank alone are one model, at the address of the one that was
// measured first. A name without an organisation means the only organisation that has a model of that name, as with listed
// ones.
func tellModelsApart(runs []*Run) {
	var unlisted []*Run
	for _, r := range runs {
		if !r.Model.Known && r.Model.ID != "" {
			unlisted = append(unlisted, r)
		}
	}
	slices.SortStableFunc(unlisted, func(a, b *Run) int {
		if a.Started == "" || b.Started == "" {
			return NewestFirst(a, b)
		}
		return NewestFirst(b, a)
	})
	spelt := map[string]string{} // the slug of the first of each spelling: a digest in it is of the letters as written
	bySlug := map[string][]*Run{}
	for _, r := range unlisted {
		id := spelling(r.Model.ID)
		if spelt[id] == "" {
			spelt[id] = r.Model.Slug
		}
		r.Model.Slug = spelt[id]
		bySlug[r.Model.Slug] = append(bySlug[r.Model.Slug], r)
	}
	for slug, rs := range bySlug {
		var ids []string // as [spelling] has them, the one that was measured first in front
		for _, r := range rs {
			if id := spelling(r.Model.ID); !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		named := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !strings.Contains(id, "/") })
		if len(named) < 2 {
			continue
		}
		for _, r := range rs {
			r.Model.Name = r.Model.ID
			if id := spelling(r.Model.ID); id != ids[0] {
				r.Model.Slug = record.DistinctSlug(slug, id)
			}
		}
	}
}

// spelling is the name of a model without what tells no two apart: the case of its letters and the width of its blanks.
func spelling(id string) string { return strings.ToLower(strings.Join(strings.Fields(id), " ")) }

// cardSlug is the address of a model on hardware. Where the words between the two stand in one of them too,
// a digest says which is which.
func cardSlug(model, hardware string) string {
	slug := model + "-on-" + hardware
	if strings.Count(slug, "-on-") > 1 {
		return record.DistinctSlug(slug, model)
	}
	return slug
}

package federation

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// Member is a catalog that another one merges.
type Member struct {
	// URL is the address below which the index lies, with a slash at its end.
	URL     string
	Index   *Index
	Catalog *catalog.Catalog
}

// Merged is what several catalogs have together.
type Merged struct {
	*catalog.Catalog
	// Withdrawn are the runs that a catalog calls withdrawn and none has, with the reasons by their ids.
	Withdrawn map[string]string
	// Problems say which runs were left out, or stand in two catalogs with other numbers.
	Problems []string
}

// version is a run as one catalog has it.
type version struct {
	run    *catalog.Run
	origin catalog.Origin
	entry  *Entry // nil in the own catalog
	raw    func(string) ([]catalog.RawRecord, error)
}

// Merge is the union of a catalog and those that others publish, whatever the order of these. A run is the same one
// where id and identity are equal: it is there once, with all its origins. Where they have other measurements under
// it, that of the own catalog is shown, else the one with more points, and the origins say who differs. An id that
// stands for two identities is that of the own catalog, else of the run whose identity the id is made of, else of the
// catalog whose address comes first; the other run is left out. What one catalog calls withdrawn is withdrawn.
// Withdrawn are the reasons of the own catalog for runs that it need not have, by id.
func Merge(own *catalog.Catalog, withdrawn map[string]string, members []Member) *Merged {
	members = slices.Clone(members)
	slices.SortFunc(members, func(a, b Member) int { return strings.Compare(a.URL, b.URL) })
	m := &Merged{Catalog: &catalog.Catalog{Inputs: own.Inputs}, Withdrawn: map[string]string{}}
	byID := map[string][]version{}
	for _, r := range own.Runs {
		byID[r.ID] = append(byID[r.ID], version{r, catalog.Origin{Withdrawn: r.Withdrawn}, nil, own.Raw})
	}
	says := map[string][]catalog.Origin{} // who calls a run withdrawn without having it
	for id, why := range withdrawn {
		if byID[id] != nil {
			continue // its file says what counts
		}
		says[id] = append(says[id], catalog.Origin{Withdrawn: why, Gone: true})
	}
	for _, x := range members {
		of := catalog.Origin{Catalog: x.URL, Title: x.Index.Title, License: x.Index.License}
		entries := map[string]*Entry{}
		for i := range x.Index.Runs {
			entries[x.Index.Runs[i].ID] = &x.Index.Runs[i]
		}
		for _, r := range x.Catalog.Runs {
			o := of
			o.Page, o.Withdrawn = siteOf(x.URL)+"runs/"+r.ID+"/", r.Withdrawn
			byID[r.ID] = append(byID[r.ID], version{r, o, entries[r.ID], x.Catalog.Raw})
		}
		for _, w := range x.Index.Withdrawn {
			o := of
			o.Withdrawn, o.Gone = w.Reason, true
			says[w.ID] = append(says[w.ID], o)
		}
	}
	raw := map[string]func(string) ([]catalog.RawRecord, error){}
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		r, from := m.run(id, byID[id], says[id])
		m.Runs = append(m.Runs, r)
		raw[id] = from
	}
	for _, id := range slices.Sorted(maps.Keys(says)) {
		if byID[id] == nil {
			m.Withdrawn[id] = reasons(says[id])
		}
	}
	m.Sort()
	m.alone()
	m.Raw = func(id string) ([]catalog.RawRecord, error) {
		if raw[id] == nil {
			return nil, nil
		}
		return raw[id](id)
	}
	return m
}

// siteOf is the address of the home page of the site that publishes a catalog at url.
func siteOf(url string) string {
	url = strings.TrimSuffix(url, "/")
	return url[:strings.LastIndexByte(url, '/')+1]
}

// run is the one run of an id, and where its raw records are.
func (m *Merged) run(id string, vs []version, says []catalog.Origin) (*catalog.Run,
	func(string) ([]catalog.RawRecord, error)) {
	first := slices.MinFunc(vs, func(a, b version) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), strings.Compare(a.origin.Catalog, b.origin.Catalog))
	})
	vs = slices.DeleteFunc(vs, func(v version) bool {
		other := v.run.Identity != first.run.Identity
		if other {
			m.Problems = append(m.Problems, fmt.Sprintf("the run %q of %s is left out: %s has another run of this id, of %q",
				id, v.origin.Catalog, cmp.Or(first.origin.Catalog, "this catalog"), first.run.Identity.Model))
		}
		return other
	})
	best := slices.MinFunc(vs, func(a, b version) int {
		return cmp.Or(cmp.Compare(a.others(), b.others()), cmp.Compare(len(b.run.Points), len(a.run.Points)),
			cmp.Compare(len(b.run.Figures), len(a.run.Figures)), strings.Compare(a.digest(), b.digest()))
	})
	if len(vs) == 1 && best.entry == nil && len(says) == 0 {
		return best.run, best.raw
	}
	r := *best.run
	measured := contentOf(best.run)
	for _, v := range vs {
		if v.origin.Differs = contentOf(v.run) != measured; v.origin.Differs {
			m.Problems = append(m.Problems, fmt.Sprintf("the run %q of %s has other measurements than that of %s, which is shown",
				id, cmp.Or(v.origin.Catalog, "this catalog"), cmp.Or(best.origin.Catalog, "this catalog")))
		}
		r.Origins = append(r.Origins, v.origin)
	}
	// Who withdraws a run has it or had it.
	for _, o := range says {
		if !slices.ContainsFunc(r.Origins, func(x catalog.Origin) bool { return x.Catalog == o.Catalog && x.Withdrawn != "" }) {
			r.Origins = append(r.Origins, o)
		}
	}
	slices.SortStableFunc(r.Origins, func(a, b catalog.Origin) int { return strings.Compare(a.Catalog, b.Catalog) })
	r.Withdrawn = reasons(r.Origins)
	return &r, best.raw
}

// rank says whose meaning of an id counts, the lowest first.
func (v version) rank() int {
	switch {
	case v.entry == nil:
		return 0
	case v.run.IDFrom == "":
		return 1
	}
	return 2
}

// others is 0 of the own catalog.
func (v version) others() int { return min(v.rank(), 1) }

// digest is that of the file of a run and of its records; "" in the own catalog.
func (v version) digest() string {
	if v.entry == nil {
		return ""
	}
	s := v.entry.SHA256
	if v.entry.Records != nil {
		s += " " + v.entry.Records.SHA256
	}
	return s
}

// contentOf is the digest of what a run measured and from what, and of no path, name or note.
func contentOf(r *catalog.Run) string {
	var sources []string
	for _, s := range r.Sources {
		sources = append(sources, s.SHA256)
	}
	slices.Sort(sources)
	data, err := catalog.Compact([]any{r.Identity, r.Points, r.Figures, r.Profiles, slices.Compact(sources)})
	if err != nil {
		return err.Error() // numbers that JSON has not: no file of a catalog holds them
	}
	return Sum(data)
}

// reasons are those for which catalogs call a run withdrawn, each with who says it; "" where none does.
func reasons(of []catalog.Origin) string {
	var list []string
	for _, o := range of {
		switch {
		case o.Withdrawn == "":
		case o.Catalog == "":
			list = append(list, o.Withdrawn)
		default:
			list = append(list, fmt.Sprintf("%s (says %s)", strings.TrimRight(o.Withdrawn, ". "), cmp.Or(o.Title, o.Catalog)))
		}
	}
	return strings.Join(list, "; ")
}

// alone takes former ids away that are those of other runs: an id leads to its run and to no other.
func (m *Merged) alone() {
	ids := map[string]bool{}
	for _, r := range m.Runs {
		ids[r.ID] = true
	}
	for i, r := range m.Runs {
		left := slices.DeleteFunc(slices.Clone(r.Formerly), func(id string) bool { return ids[id] || !catalog.ValidID(id) })
		for _, id := range left {
			ids[id] = true
		}
		if len(left) < len(r.Formerly) {
			copied := *r
			copied.Formerly = left
			m.Runs[i] = &copied
		}
	}
}

package normalize

import (
	"bytes"
	"fmt"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

// owners says which stored runs each plan replaces: a stored run goes to the plan that has most of its records; one whose
// records are lost, to that of its identity.
func (j *joiner) owners(plans []*plan) (map[*plan][]*catalog.Run, error) {
	same, err := j.store.readAgain(j.runs, plans)
	if err != nil {
		return nil, err
	}
	has := map[recordKey][]*catalog.Run{}
	lost := map[record.Identity]*catalog.Run{}
	for _, r := range j.runs {
		known := j.store.loaded[r]
		if len(known) == 0 && same[r] == nil {
			lost[r.Identity] = r
		}
		for _, e := range known {
			if !e.attached {
				has[e.key] = append(has[e.key], r)
			}
		}
	}
	common := map[*catalog.Run]map[*plan]int{}
	place := make(map[*plan]int, len(plans))
	for i, p := range plans {
		place[p] = i
		count := func(r *catalog.Run) {
			if common[r] == nil {
				common[r] = map[*plan]int{}
			}
			common[r][p]++
		}
		if r := lost[p.identity]; r != nil {
			count(r)
		}
		for _, s := range p.sessions {
			for _, e := range s.records {
				for _, r := range has[e.key] {
					count(r)
				}
			}
		}
	}
	out := map[*plan][]*catalog.Run{}
	for _, r := range j.runs {
		best := same[r] // else the first of those that have the most
		for p, n := range common[r] {
			if most := common[r][best]; best == nil || n > most || n == most && place[p] < place[best] {
				best = p
			}
		}
		if best != nil {
			out[best] = append(out[best], r)
		}
	}
	return out, nil
}

// readAgain says which plan has the records of each run that is read again, all of them and no others: their text is the
// same. Runs of which no plan has are loaded.
func (x *store) readAgain(runs []*catalog.Run, plans []*plan) (map[*catalog.Run]*plan, error) {
	if len(x.again) == 0 {
		return nil, nil
	}
	catalog.Each(len(plans), func(i int) {
		if p := plans[i]; p.whole() {
			p.sum, _, _ = p.pack(nil) // an error is told where the run is built
		}
	})
	bySum := make(map[string]*plan, len(plans))
	for _, p := range plans {
		if p.sum != "" {
			bySum[p.sum] = p
		}
	}
	out := make(map[*catalog.Run]*plan, len(x.again))
	var left []*catalog.Run
	for _, r := range runs {
		if !x.again[r] {
			continue
		}
		if out[r] = bySum[x.text[r.ID]]; out[r] == nil {
			left = append(left, r)
		}
	}
	return out, each(len(left), func(i int) error {
		_, err := x.load(left[i])
		return err
	})
}

func (j *joiner) hold(p *plan) error {
	if p.held {
		return nil
	}
	p.held = true
	for i, r := range p.replaced {
		whole, err := j.store.whole(r)
		if err != nil {
			return err
		}
		if p.replaced[i] = whole; r == p.stored {
			p.stored = whole
		}
	}
	return nil
}

func (j *joiner) same(p *plan, run *catalog.Run) (bool, error) {
	if j.store.text[run.ID] != run.Records {
		return false, j.hold(p)
	}
	now, err := catalog.Marshal(run)
	if err != nil {
		return false, err
	}
	if j.store.catalog.File != nil && !p.held {
		if was, err := j.store.catalog.File(p.stored); err == nil && bytes.Equal(was, now) {
			return true, nil
		}
	}
	if err := j.hold(p); err != nil {
		return false, err
	}
	was, err := catalog.Marshal(p.stored)
	return err == nil && bytes.Equal(was, now), err
}

func (j *joiner) count(out *Outcome, p *plan, b *built) {
	fresh := map[catalog.Place]bool{}
	for _, r := range p.records {
		if len(r.paths) > 0 {
			fresh[r.place()] = true
		}
	}
	old := map[string]*catalog.Point{}
	if b.changed {
		for i := range p.stored.Points {
			x := &p.stored.Points[i]
			old[pointKey(x)] = x
		}
	}
	for i := range b.run.Points {
		x := &b.run.Points[i]
		was := x // of a run that is as it was, which may be an outline
		if b.changed {
			was = old[pointKey(x)]
		}
		if was != nil && !fresh[x.At] {
			continue
		}
		out.Points++
		if was == x || was != nil && samePlain(was, x) {
			out.UnchangedPoints++
		} else {
			out.NewPoints++
		}
	}
}

func pointKey(p *catalog.Point) string {
	return fmt.Sprintf("%s|%s|%d", p.Workload.Key(), p.Load.Key(), p.Repetition)
}

// samePlain reports whether two points state the same, wherever they stand.
func samePlain(a, b *catalog.Point) bool {
	x, y := *a, *b
	x.At, y.At = catalog.Place{}, catalog.Place{}
	return equalJSON(&x, &y)
}

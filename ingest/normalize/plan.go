package normalize

import (
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

// plan is what a run is built from.
type plan struct {
	id       string
	idFrom   catalog.Authority
	identity record.Identity
	formerly []string
	stored   *catalog.Run   // the stored run that this one is; nil for a new one
	replaced []*catalog.Run // all stored runs that are this run now
	held     bool           // these are whole
	sum      string         // digest of the text of the records; "" as long as nobody asked
	sessions []*session
	records  []*entry // all records, in order of place
	findings findings // what was noticed on the way here
	beside   []claim  // models that other results of the same folders state in full
	// disputed are the reports that results of this run or of another contradict, by the digest of their file:
	// what these say.
	disputed map[string]string
	// files are those with results of the run.
	files map[string]bool
	// inFile are the models of other runs whose results stand in the files of this one, where it names none.
	inFile []string
}

// fresh reports whether this ingest found a record of the run.
func (p *plan) fresh() bool {
	return slices.ContainsFunc(p.records, func(e *entry) bool { return len(e.paths) > 0 })
}

// whole reports whether this ingest found all records of the run, wherever they lie.
func (p *plan) whole() bool {
	return !slices.ContainsFunc(p.records, func(e *entry) bool { return len(e.paths) == 0 || len(e.known) > 0 })
}

// first is the first record of a run that measures something.
func (p *plan) first() record.Record {
	for _, r := range p.records {
		if !r.attached && r.key.kind == "result" {
			return r.Record
		}
	}
	return p.records[0].Record
}

// replacing is what [joining] does for plans.
type replacing interface {
	// owners says which stored runs each plan replaces.
	owners([]*plan) (map[*plan][]*catalog.Run, error)
}

// plans gives each group its records, the stored runs that it replaces, and an id. It is a function
// of the groups alone, but for ids that people chose.
func (j *joiner) plans(groups []*group) ([]*plan, error) {
	plans := make([]*plan, len(groups))
	for i, g := range groups {
		p := &plan{identity: g.identity(), sessions: g.sessions, findings: g.findings}
		for _, s := range g.sessions {
			p.records = append(p.records, s.records...)
		}
		p.records = unique(p.records)
		plans[i] = p
	}
	if stored, ok := j.joining.(replacing); ok {
		owned, err := stored.owners(plans)
		if err != nil {
			return nil, err
		}
		for _, p := range plans {
			p.replaced = owned[p]
		}
	}
	taken := map[string]bool{}
	if j.store.catalog != nil {
		for _, r := range j.store.catalog.Runs {
			taken[r.ID] = true
		}
		for _, r := range j.runs {
			delete(taken, r.ID)
		}
	}
	for i, p := range plans {
		p.stored = p.winner()
		p.beside = j.modelsBeside(p)
		j.name(p, groups[i], taken)
		taken[p.id] = true
	}
	return plans, nil
}

// winner is the stored run that a plan continues: that of its identity, else the one that began first.
func (p *plan) winner() *catalog.Run {
	var best *catalog.Run
	for _, r := range p.replaced {
		if r.Identity == p.identity {
			return r
		}
		if best == nil || r.Started != "" && (best.Started == "" || r.Started < best.Started) {
			best = r
		}
	}
	return best
}

// name gives a plan its id: the one that a sidecar asks for, else that of its identity; of two runs of
// one identity the digest of the second's first record tells them apart.
func (j *joiner) name(p *plan, g *group, taken map[string]bool) {
	natural := p.identity.ID()
	wanted, file := j.wanted(p)
	switch {
	case wanted != "" && !catalog.ValidID(wanted):
		p.findings.at(CodeID, record.Warning, file, 0,
			"id %q cannot be used: write 1 to 64 lower-case letters, digits and -", wanted)
		wanted = ""
	case wanted != "" && taken[wanted]:
		p.findings.at(CodeID, record.Warning, file, 0, "id %q belongs to another run: it names one run only", wanted)
		wanted = ""
	}
	switch {
	case wanted != "":
		p.id, p.idFrom = wanted, catalog.FromOverride
	case p.stored != nil && p.stored.IDFrom != "" && !j.o.sidecars(p, j.hide).fresh:
		p.id, p.idFrom = p.stored.ID, p.stored.IDFrom
	case !taken[natural]:
		p.id = natural
	default:
		digest := record.Digest([]byte(content(p.first())))
		for i := 0; i+4 <= len(digest); i++ {
			p.id = natural + "-" + digest[i:i+4]
			if !taken[p.id] {
				break
			}
		}
	}
	if _, suffix := catalog.SplitID(p.id); suffix != "" && p.idFrom == "" {
		p.findings.at(CodeIdentity, record.Warning, p.records[0].path, p.records[0].key.line,
			"run %s has the same tool, session and model and other results: these are two runs", natural)
	}
	p.formerly = j.former(p, g)
}

// wanted is the id that a sidecar or a note asks for, and where.
func (j *joiner) wanted(p *plan) (id, file string) {
	for _, s := range p.sessions {
		for _, a := range s.applied {
			if a.ID != "" {
				return a.ID, s.firstResult().path
			}
		}
	}
	for _, r := range p.replaced {
		if a, ok := j.o.Notes[r.ID]; ok && a.ID != "" {
			return a.ID, ""
		}
	}
	return "", ""
}

// former are the ids by which people may know the run. An id that only followed from fewer files is
// none: the same files give the same ids, whatever was ingested first.
func (j *joiner) former(p *plan, g *group) []string {
	all := slices.Clone(g.former)
	if p.idFrom != "" {
		all = append(all, p.identity.ID())
	}
	for _, r := range p.replaced {
		all = append(all, r.Formerly...)
		if _, ok := j.o.Notes[r.ID]; ok || r.IDFrom != "" || noted(r) {
			all = append(all, r.ID)
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(id string) bool { return id == p.id })
}

package normalize

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

// namedModel reports whether a session knows its model from the name of a file alone.
func (s *session) namedModel() bool {
	return slices.ContainsFunc(s.records, func(e *entry) bool {
		named := false
		for f := range record.Stated(e.Record) {
			named = named || f.Key == record.FactModel && f.Named
		}
		return named && !e.attached
	})
}

// folders are those in which the results of a session lie.
func (s *session) folders() map[string]bool {
	out := map[string]bool{}
	for _, e := range s.records {
		if !e.attached {
			out[treeDir(e.path)] = true
		}
	}
	return out
}

// modelsBeside are the models that other results of the folders of a plan state in full, where the plan
// knows its own from the name of a file: "org_model" is then "org/model".
func (j *joiner) modelsBeside(p *plan) []claim {
	var out []claim
	for _, s := range p.sessions {
		if !s.namedModel() {
			continue
		}
		mine := s.folders()
		for _, o := range j.sessions {
			model := o.id.Model
			if o.namedModel() || !strings.Contains(model, "/") || strings.ReplaceAll(model, "/", "_") != s.id.Model {
				continue
			}
			for _, e := range o.records {
				if !e.attached && mine[treeDir(e.path)] {
					out = append(out, claim{key: record.FactModel, value: model, from: catalog.FromName, file: e.path,
						line: e.key.line})
					break
				}
			}
		}
	}
	return out
}

package normalize

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

// report is a file that describes the runs beside and below it.
type report struct {
	first    *entry
	hardware []string
	depth    int
}

// reportsOf are the files that describe a run, in the order of its records.
func reportsOf(records []*entry, near func(file string) int) []*report {
	var out []*report
	byFile := map[string]*report{}
	for _, e := range records {
		if !e.attached {
			continue
		}
		r := byFile[e.key.digest]
		if r == nil {
			r = &report{first: e, depth: near(e.path)}
			byFile[e.key.digest] = r
			out = append(out, r)
		}
		for x := range record.Stated(e.Record) {
			if x.Key == record.FactHardware && states(x.Key, x.Value) {
				r.hardware = append(r.hardware, x.Value)
			}
		}
	}
	return out
}

// ownHardware are the texts of hardware that the results of a run state.
func ownHardware(records []*entry) (own []string) {
	for _, e := range records {
		if !record.Measures(e.Record) {
			continue
		}
		for x := range record.Stated(e.Record) {
			if x.Key == record.FactHardware {
				own = append(own, x.Value)
			}
		}
	}
	return own
}

// against is what the results themselves, or the name of their folder, say against a report: what it says
// and what they say. ok is false where they do not contradict it; agrees says that they say the same.
func (n names) against(r *report, own []string, w word, named bool) (said, why string, agrees bool) {
	for _, value := range r.hardware {
		for _, x := range own {
			if n.differentHardware(x, value) {
				return value, fmt.Sprintf("the results say %q", x), false
			}
			agrees = true
		}
		if !named {
			continue
		}
		if n.differentHardware(w.Accelerator.Name, value) {
			return value, fmt.Sprintf("the results lie in %q", w.name), false
		}
		agrees = true
	}
	return "", "", agrees
}

// dispute notes the reports that the results of one of their runs contradict: such a report is not of all
// that lies below it, and of the runs that do not agree with it nobody knows whether it is.
func (o *Options) dispute(plans []*plan) {
	n := names{o.Names}
	disputed := map[string]string{} // by the digest of the file
	for _, p := range plans {
		w, named := n.folderWord(p.records)
		own := ownHardware(p.records)
		for _, r := range reportsOf(p.records, func(string) int { return 0 }) {
			if _, why, _ := n.against(r, own, w, named); why != "" &&
				(disputed[r.first.key.digest] == "" || why < disputed[r.first.key.digest]) {
				disputed[r.first.key.digest] = why
			}
		}
	}
	var bare []*plan // that name no model
	for _, p := range plans {
		p.disputed, p.files = disputed, filesOf(p.records)
		if p.identity.Model == "" {
			bare = append(bare, p)
		}
	}
	if len(bare) == 0 {
		return
	}
	models := map[string]map[string]bool{} // by file
	for _, p := range plans {
		for path := range p.files {
			if m := p.identity.Model; m != "" {
				if models[path] == nil {
					models[path] = map[string]bool{}
				}
				models[path][m] = true
			}
		}
	}
	for _, p := range bare {
		for _, path := range slices.Sorted(maps.Keys(p.files)) {
			p.inFile = append(p.inFile, slices.Sorted(maps.Keys(models[path]))...)
		}
	}
}

// filesOf are the files with results of a run.
func filesOf(records []*entry) map[string]bool {
	out := map[string]bool{}
	last := ""
	for _, e := range records { // most stand in the file of the one before
		if !e.attached && (e.path != last || len(out) == 0) {
			last = e.path
			out[last] = true
		}
	}
	return out
}

// trusted leaves out the descriptions that the record itself, the name of its folder, a nearer description or
// another of the same folder contradicts: a report of an H100 beside results of an MI300X says nothing of
// these, and the command of another model's server nothing of this one. Each is told.
func (n names) trusted(p *plan, w word, named bool, stated []claim) []*entry {
	near, f := nearness(p.records), &p.findings
	own, reports := ownHardware(p.records), reportsOf(p.records, near)
	bad := map[string]bool{}
	for _, r := range reports {
		said, why, agrees := n.against(r, own, w, named)
		other := p.disputed[r.first.key.digest]
		switch {
		case why != "":
			f.add(CodeHardware, record.Error, r.first, "the report says %q and %s: nothing is taken from it", said, why)
		case other != "" && !agrees && len(r.hardware) > 0:
			f.add(CodeHardware, record.Error, r.first,
				"the report says %q, and of other results below it %s: nothing says whether it is of these results, "+
					"so nothing is taken from it", r.hardware[0], other)
		default:
			continue
		}
		bad[r.first.key.digest] = true
	}
	n.nearer(reports, stated, bad, near, f)
	n.rivals(reports, stated, bad, near, f)
	var first *entry
	var others []string
	kept := slices.DeleteFunc(slices.Clone(p.records), func(e *entry) bool {
		if !e.attached || bad[e.key.digest] {
			return e.attached
		}
		why := n.ofAnother(e, p)
		if why != "" {
			first = cmp.Or(first, e)
			others = append(others, why)
		}
		return why != ""
	})
	kept = withoutRivals(kept, near, f)
	if first != nil {
		f.add(CodeMetadata, record.Remark, first, "nothing is taken from commands of other servers: %s", some(others))
	}
	return kept
}

// nearer marks the reports that a nearer one, or a nearer run.toml, contradicts.
func (n names) nearer(reports []*report, stated []claim, bad map[string]bool, near func(string) int, f *findings) {
	ordered := slices.Clone(reports)
	slices.SortStableFunc(ordered, func(a, b *report) int { return b.depth - a.depth })
	for i, r := range ordered {
		for _, value := range r.hardware {
			where := ""
			for _, q := range ordered[:i] {
				if q.depth > r.depth && !bad[q.first.key.digest] &&
					slices.ContainsFunc(q.hardware, func(v string) bool { return n.differentHardware(v, value) }) {
					where = q.first.path
				}
			}
			for _, c := range stated {
				if c.key == record.FactHardware && c.from == catalog.FromSidecar && near(c.file) > r.depth &&
					n.differentHardware(c.value, value) {
					where = c.file
				}
			}
			if where != "" && !bad[r.first.key.digest] {
				bad[r.first.key.digest] = true
				f.add(CodeHardware, record.Remark, r.first,
					"the report says %q and %q, nearer to the results, another machine: nothing is taken from it",
					value, where)
			}
		}
	}
}

// rivals marks the reports that stand equally near and name different accelerators: which of them is of
// the results nobody knows, unless a run.toml beside them says so.
func (n names) rivals(reports []*report, stated []claim, bad map[string]bool, near func(string) int, f *findings) {
	confirmed := func(r *report, value string) bool {
		return slices.ContainsFunc(stated, func(c claim) bool {
			return c.key == record.FactHardware && c.from == catalog.FromSidecar && near(c.file) >= r.depth &&
				!n.differentHardware(c.value, value)
		})
	}
	var out []*report
	for i, r := range reports {
		for j, q := range reports {
			if i == j || r.depth != q.depth || bad[r.first.key.digest] || bad[q.first.key.digest] {
				continue
			}
			for _, a := range r.hardware {
				for _, b := range q.hardware {
					if x, _ := n.hardware(a, false); len(x) > 0 && n.differentCountsOnly(a, b) ||
						!n.differentHardware(a, b) || confirmed(r, a) || slices.Contains(out, r) {
						continue
					}
					out = append(out, r)
					f.add(CodeHardware, record.Error, r.first,
						"the report says %q and %q, as near to the results, says %q: nothing says which of them is "+
							"of these results, so nothing is taken from it", a, q.first.path, b)
				}
			}
		}
	}
	for _, r := range out {
		bad[r.first.key.digest] = true
	}
}

// differentCountsOnly reports whether two texts name one accelerator and different numbers of it.
func (n names) differentCountsOnly(a, b string) bool {
	x, _ := n.hardware(a, false)
	y, _ := n.hardware(b, false)
	return slices.ContainsFunc(x, func(id string) bool { return slices.Contains(y, id) })
}

// ofAnother says in what a description is of a server of another model or engine than the results of a run
// name, "" where it may be theirs: one folder may hold the commands of several servers.
func (n names) ofAnother(e *entry, p *plan) string {
	params, ok := e.Record.(*record.Params)
	if !ok || params.Of == "env" {
		return ""
	}
	said := map[string]string{}
	for x := range record.Stated(e.Record) {
		said[x.Key] = x.Value
	}
	for _, x := range params.Params {
		var text string
		if (x.Name == "model" || x.Name == "model_path") && said[record.FactModel] == "" &&
			json.Unmarshal(x.Value, &text) == nil {
			said[record.FactModel] = text
		}
	}
	if params.Of == "server" && slices.Contains(offline, p.identity.Tool) && !p.files[e.path] && // an engine logs beside its own results
		(params.Command != "" || said[record.FactEngineVersion] != "") {
		return fmt.Sprintf("that in %s is of a server and the results were measured without one", where(e))
	}
	model, served, engine := p.identity.Model, said[record.FactModel], said[record.FactEngine]
	if differentModel(served, model) && !n.sameModel(served, model) &&
		!serves(params, said[record.FactServedName], model) {
		return fmt.Sprintf("that in %s is of %q and the results are of %q", where(e), served, model)
	}
	for _, other := range p.inFile {
		if differentModel(served, other) && !n.sameModel(served, other) {
			return fmt.Sprintf("that in %s is of %q, and other results of the same file are of %q", where(e), served, other)
		}
	}
	if engine == "" || params.Of != "server" {
		return ""
	}
	for _, o := range p.records {
		for x := range record.Stated(o.Record) {
			if !o.attached && x.Key == record.FactEngine && !n.same(x.Key, x.Value, engine) {
				return fmt.Sprintf("that in %s starts %q and the results name %q", where(e), engine, x.Value)
			}
		}
	}
	return ""
}

// offline are the tools that run the engine in their own process: no server beside them served their results.
var offline = []string{
	"vllm-bench-latency", "vllm-bench-throughput", "vllm-bench-startup", "sglang-bench-one-batch",
	"sglang-bench-offline-throughput", "llama-bench", "llama-batched-bench", "llama-sweep-bench", "trtllm-bench",
	"optimum-benchmark",
}

// withoutRivals leaves out the descriptions of servers of which two files, equally near, say different things
// of one parameter: which of the two served the results nobody knows.
func withoutRivals(records []*entry, near func(string) int, f *findings) []*entry {
	type stated struct {
		name  string
		depth int
	}
	first := map[stated]*entry{}
	values := map[stated]string{}
	bad := map[string]bool{}
	for _, e := range records {
		p, ok := e.Record.(*record.Params)
		if !ok || !e.attached || p.Of != "server" {
			continue
		}
		for _, x := range p.Params {
			k := stated{x.Name, near(e.path)}
			switch o := first[k]; {
			case o == nil:
				first[k], values[k] = e, string(x.Value)
			case o.key.digest != e.key.digest && values[k] != string(x.Value) && !bad[e.key.digest]:
				bad[o.key.digest], bad[e.key.digest] = true, true
				f.add(CodeParameter, record.Warning, e,
					"parameter %q is %s in %s and %s in %s: nothing says which of the two servers gave the results, "+
						"so nothing is taken from either",
					x.Name, values[k], where(o), x.Value, where(e))
			}
		}
	}
	return slices.DeleteFunc(records, func(e *entry) bool {
		_, ok := e.Record.(*record.Params)
		return ok && e.attached && bad[e.key.digest]
	})
}

// serves reports whether a server answers to a name: one of those it was given, or to any.
func serves(p *record.Params, name, model string) bool {
	if strings.Contains(p.Command, "llama-server") { // it does not look at the name
		return true
	}
	return slices.Contains(strings.FieldsFunc(fold(name),
		func(r rune) bool { return strings.ContainsRune(` ,[]"'`, r) }), fold(model))
}

// differentModel reports whether the last parts of two names differ, and neither holds the other.
func differentModel(a, b string) bool {
	x, y := record.Slug(path.Base(a)), record.Slug(path.Base(b))
	return a != "" && b != "" && states(record.FactModel, a) && states(record.FactModel, b) &&
		!strings.Contains(x, y) && !strings.Contains(y, x)
}

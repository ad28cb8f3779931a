package normalize

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/redact"
	"github.com/inferdex/inferdex/ingest/settings"
)

// session is what one ingest found of one session of measuring.
type session struct {
	key     string
	records []*entry // in order of place
	id      record.Identity
	suite   bool // the identity's session is the tool's own name for it, not a date
	points  []catalog.Point
	ready   bool // points are made
	// applied is what sidecars say, one a place at which the session was found.
	applied []settings.Applied
	// rules is what path rules say, and origin the paths as given by their redacted forms.
	rules  []claim
	origin map[string]string
}

// treePath is a path in the tree of files: an archive is a directory.
func treePath(p string) string { return path.Clean(strings.ReplaceAll(p, "!", "/")) }

// treeDir is the directory of a path in the tree of files, "." for a bare name.
func treeDir(p string) string { return path.Dir(treePath(p)) }

// within reports whether a path of the tree lies in dir or below it.
func within(dir, p string) bool {
	if dir == "." {
		return p != ".." && !strings.HasPrefix(p, "../") && !strings.HasPrefix(p, "/")
	}
	return p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/")
}

// stem is a path of the tree without the extension of its base name.
func stem(p string) string { return strings.TrimSuffix(p, path.Ext(p)) }

// attachLevels is how many directories above its own a description that stands beside no result
// is tried at, and then only where that gives one session.
const attachLevels = 2

// sessions divides the records of a reading. rest are records that describe nothing that was
// found. redact is applied to every record that is kept.
func sessions(reading *ingest.Reading, hide *redact.Redactor) (found []*session, rest []record.Record) {
	var kept []record.Record
	for _, r := range reading.Records {
		if !record.Stays(r) {
			continue // ignored or no record: the inputs say so
		}
		if r.Session() == "" && r.Kind() == "result" {
			// A result belongs to a run whatever its format forgot: its file is one.
			c := *r.(*record.Result)
			c.Key = record.SessionKey("file", c.At.File)
			r = &c
		}
		kept = append(kept, r)
	}
	keys, groups, loose := ingest.Sessions(kept)

	// Where results of each session lie.
	type spot struct {
		s     int
		stems map[string]bool
	}
	bySpot := map[string][]*spot{} // by directory
	for i, key := range keys {
		spots := map[string]*spot{}
		for _, r := range groups[key] {
			p := treePath(r.Pos().File)
			d := path.Dir(p)
			if spots[d] == nil {
				spots[d] = &spot{s: i, stems: map[string]bool{}}
				bySpot[d] = append(bySpot[d], spots[d])
			}
			spots[d].stems[stem(p)] = true
		}
	}
	dirs := make([]string, 0, len(bySpot))
	for d := range bySpot {
		dirs = append(dirs, d)
	}
	slices.Sort(dirs)
	below := func(dir string) []int {
		var out []int
		// Sorted paths that begin with dir are not all adjacent ("a", "a-b", "a/b"): look at each.
		for _, d := range dirs {
			if within(dir, d) {
				for _, sp := range bySpot[d] {
					out = append(out, sp.s)
				}
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	cache := map[string][]int{} // by directory: most trees have many descriptions a directory
	described := func(r record.Record) []int {
		p := treePath(r.Pos().File)
		d := path.Dir(p)
		// "x.commands" beside "x.json" describes that file and no other.
		var same []int
		for _, sp := range bySpot[d] {
			if sp.stems[stem(p)] {
				same = append(same, sp.s)
			}
		}
		if len(same) > 0 {
			slices.Sort(same)
			return slices.Compact(same)
		}
		if out, ok := cache[d]; ok {
			return out
		}
		out := below(d)
		for up, level := d, 0; len(out) == 0 && level < attachLevels && up != "." && up != "/"; level++ {
			up = path.Dir(up)
			if out = below(up); len(out) > 1 {
				out = nil
				break
			}
		}
		cache[d] = out
		return out
	}
	attached := make([][]record.Record, len(keys))
	for _, r := range loose {
		to := described(r)
		if len(to) == 0 {
			rest = append(rest, r)
		}
		for _, i := range to {
			attached[i] = append(attached[i], r)
		}
	}

	for i, key := range keys {
		s := &session{key: key, origin: map[string]string{}}
		s.records = collect(append(slices.Clone(groups[key]), attached[i]...), hide, s.origin)
		s.identify()
		found = append(found, s)
	}
	slices.SortStableFunc(found, func(a, b *session) int { return byPlace(a.records[0], b.records[0]) })
	return found, rest
}

// collect makes the records of one session: each file counts once, however often it was found.
// origin is given the paths as read by their redacted forms.
func collect(in []record.Record, hide *redact.Redactor, origin map[string]string) []*entry {
	byKey := map[recordKey]*entry{}
	// The numbers of records at one place are counted path by path.
	byPath := map[string][]*entry{}
	var paths []string
	for _, rec := range in {
		b := rec.Header()
		r := &entry{Record: rec, path: b.At.File, attached: b.Key == "" && rec.Kind() != "samples",
			key: recordKey{digest: b.Digest, line: b.At.Line, col: b.At.Col, kind: rec.Kind()}}
		if byPath[r.path] == nil {
			paths = append(paths, r.path)
		}
		byPath[r.path] = append(byPath[r.path], r)
	}
	slices.Sort(paths)
	var out []*entry
	for _, p := range paths {
		numbered(byPath[p])
		for _, r := range byPath[p] {
			q := hide.Path(r.path)
			origin[q] = r.path
			if known := byKey[r.key]; known != nil {
				if !slices.Contains(known.paths, q) {
					known.paths = append(known.paths, q)
				}
				continue
			}
			r.Record, r.path, r.paths = hide.Record(r.Record), q, []string{q}
			byKey[r.key] = r
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, byPlace)
	return out
}

// identify finds what makes the run the same run wherever its files are found again: the tool,
// its own name for the session, else the date of the earliest record, else the digest of the
// first, and the model as written.
func (s *session) identify() {
	var id record.Identity
	earliest, first := "", ""
	for _, r := range s.records {
		if r.attached {
			continue
		}
		if first == "" && record.Measures(r.Record) {
			first = content(r.Record)
		}
		of, date := r.Header().Identity, r.Header().Date
		if id.Tool == "" {
			id = of
		}
		if of.Tool == id.Tool { // a part of a measurement may say less than its whole
			id.Session, id.Model = cmp.Or(id.Session, of.Session), cmp.Or(id.Model, of.Model)
		}
		if date != "" && (earliest == "" || earlier(date, earliest)) {
			earliest = date
		}
	}
	if id.Tool == "" && len(s.records) > 0 {
		id.Tool = s.records[0].Header().Format
	}
	if first == "" && len(s.records) > 0 {
		first = content(s.records[0].Record)
	}
	s.suite = id.Session != ""
	s.id = record.Identity{Tool: id.Tool, Session: cmp.Or(id.Session, earliest, first), Model: id.Model}
}

// earlier reports whether the date text a is before b. Texts that are no dates come last, in
// their own order.
func earlier(a, b string) bool {
	x, y := started(a), started(b)
	switch {
	case x != "" && y != "" && x != y:
		return x < y
	case (x == "") != (y == ""):
		return x != ""
	}
	return a < b
}

// firstResult is the first record that a session is found by: a result, else a figure, else
// whatever comes first.
func (s *session) firstResult() *entry {
	for _, want := range []string{"result", "figure", "samples"} {
		for _, r := range s.records {
			if r.key.kind == want && !r.attached {
				return r
			}
		}
	}
	return s.records[0]
}

// sharesPoint reports whether two lists of points that have one identity hold one measurement
// both: equal workload, load, and every statistic that both have.
func sharesPoint(a, b []catalog.Point) bool {
	type key struct{ workload, load string }
	at := map[key][]*catalog.Point{}
	for i := range a {
		k := key{a[i].Workload.Key(), a[i].Load.Key()}
		at[k] = append(at[k], &a[i])
	}
	for i := range b {
		for _, p := range at[key{b[i].Workload.Key(), b[i].Load.Key()}] {
			if common := commonStats(p, &b[i]); common > 0 {
				return true
			}
		}
	}
	return false
}

// samePoint reports whether two points of equal workload and load are one measurement, whatever
// run they are of. A few equal numbers may be chance: it takes a common date or four common
// statistics.
func samePoint(p, q *catalog.Point) bool {
	common := commonStats(p, q)
	return common >= 4 || common >= 1 && p.Date != "" && p.Date == q.Date
}

// commonStats counts the statistics that two points have in common; 0 where any differs or
// where they were measured at different times.
func commonStats(p, q *catalog.Point) int {
	if p.Date != "" && q.Date != "" && p.Date != q.Date {
		return 0
	}
	common := 0
	for m, s := range p.Metrics {
		t, ok := q.Metrics[m]
		if !ok {
			continue
		}
		n, equal := compareStats(s, t)
		if !equal {
			return 0
		}
		common += n
	}
	return common
}

// compareStats counts the statistics that both have and reports whether they agree.
func compareStats(a, b catalog.Stat) (common int, equal bool) {
	other := map[string]float64{}
	for _, v := range statistics(b) {
		other[v.name] = v.value
	}
	for _, v := range statistics(a) {
		w, ok := other[v.name]
		if !ok {
			continue
		}
		if !agree(v.value, w) {
			return 0, false
		}
		common++
	}
	return common, true
}

// agree reports whether two numbers state one: equal to 1e-9, or equal once the longer is
// rounded to the decimals of the shorter, where that leaves an error below 1 %. A page that
// prints 1479.34 and a file with 1479.3412 agree.
func agree(a, b float64) bool {
	if a == b || math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) {
		return true
	}
	if math.Abs(a-b) > 0.01*math.Min(math.Abs(a), math.Abs(b)) {
		return false
	}
	d := min(decimals(a), decimals(b))
	// Half a unit in the last place, and a little for numbers that are no binary fractions.
	return math.Abs(a-b) <= 0.5000001*math.Pow10(-d)
}

// conflict reports whether two groups of one identity are two runs: both have points, and in the
// workloads that both measured none is in common. Where the tool names the session itself, loads
// that only one of the two has are a part each of the same session.
func conflict(a, b []catalog.Point, suite bool) bool {
	if len(a) == 0 || len(b) == 0 || sharesPoint(a, b) {
		return false
	}
	workloads, loads := map[string]bool{}, map[string]bool{}
	for i := range a {
		w := a[i].Workload.Key()
		workloads[w] = true
		loads[w+"|"+a[i].Load.Key()] = true
	}
	for i := range b {
		w := b[i].Workload.Key()
		if loads[w+"|"+b[i].Load.Key()] || workloads[w] && !suite {
			return true
		}
	}
	return false
}

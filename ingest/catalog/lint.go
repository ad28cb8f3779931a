package catalog

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Lint holds a catalog against the rules of its types and returns what breaks one, ordered by
// file. A catalog that ingest wrote breaks none; one edited by hand or merged by git may.
func Lint(c *Catalog) []Finding {
	var out []Finding
	ids := map[string]string{}
	for i, r := range c.Runs {
		l := linter{path: r.Path()}
		if i > 0 {
			prev := c.Runs[i-1]
			if prev.dir() > r.dir() || prev.dir() == r.dir() && prev.ID >= r.ID {
				l.add("unsorted", "stands behind %q", prev.Path())
			}
		}
		if other, twice := ids[r.ID]; twice {
			l.add("duplicate-id", "id %q belongs to %q as well", r.ID, other)
		}
		ids[r.ID] = r.Path()
		l.run(r)
		if c.Raw != nil {
			l.raw(r, c.Raw)
		}
		out = append(out, l.found...)
	}
	for _, r := range c.Runs {
		for _, f := range r.Formerly {
			if other, taken := ids[f]; taken {
				l := linter{path: r.Path()}
				l.add("duplicate-id", "the former id %q belongs to %q", f, other)
				out = append(out, l.found...)
			}
		}
	}
	for _, in := range c.Inputs {
		l := linter{path: in.File()}
		l.input(in)
		out = append(out, l.found...)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out
}

type linter struct {
	path  string
	found []Finding
	// sourced are the ids of the run's sources.
	sourced map[string]bool
	// stated are the codes of the run's findings: what ingest says itself breaks no rule.
	stated map[string]bool
}

// add notes a broken rule. All are errors: a catalog that breaks one cannot be trusted.
func (l *linter) add(code, format string, args ...any) {
	l.found = append(l.found, Finding{Code: code, Severity: record.Error, Path: l.path,
		Message: fmt.Sprintf(format, args...)})
}

func (l *linter) run(r *Run) {
	if r.Version != FormatVersion {
		l.add("version", "version %d: ingest the sources again to write version %d", r.Version, FormatVersion)
	}
	l.identity(r)
	l.numbers(&step{field: "run"}, reflect.ValueOf(r))
	if t, _, ok := record.ParseDate(r.Started); r.Started != "" && (!ok || !record.PossibleYear(t.Year())) {
		l.add("date", "started is %q, which is no date", r.Started)
	}

	l.sources(r)
	l.findings(r)
	l.points(r)
	l.figures(r)
	l.profiles(r)
	l.parameters(r)
	l.attributes(r)
}

// sources looks at the sources, and keeps them for the places that name one.
func (l *linter) sources(r *Run) {
	l.sourced = map[string]bool{}
	if len(r.Sources) == 0 {
		l.add("source", "the run has no sources: ingest them again")
	}
	for i, s := range r.Sources {
		switch {
		case !hexDigest(s.SHA256):
			l.add("source", "source %q has no SHA-256: %q", s.Path, s.SHA256)
		case s.Path == "":
			l.add("source", "source %s has no path", s.ID())
		case s.Format == "":
			l.add("source", "source %q has no format", s.Path)
		}
		if i > 0 && (r.Sources[i-1].Path > s.Path || r.Sources[i-1].Path == s.Path &&
			r.Sources[i-1].SHA256 >= s.SHA256) {
			l.add("unsorted", "source %q stands behind %q", s.Path, r.Sources[i-1].Path)
		}
		l.sourced[s.ID()] = true
	}
}

// at looks at the place of something: its source must be among the run's.
func (l *linter) at(what string, p Place) {
	if !l.sourced[p.Source] {
		l.add("source", "%s: source %q is not among the run's sources", what, p.Source)
	}
	if p.Line < 0 || p.Col < 0 {
		l.add("source", "%s: line %d, column %d", what, p.Line, p.Col)
	}
}

// atIfAny is at for what need not have a place.
func (l *linter) atIfAny(what string, p Place) {
	if p != (Place{}) {
		l.at(what, p)
	}
}

// findings looks at the findings of the run, and keeps their codes.
func (l *linter) findings(r *Run) {
	l.stated = map[string]bool{}
	for _, f := range r.Findings {
		l.stated[f.Code] = true
		switch f.Severity {
		case record.Error, record.Warning, record.Remark:
		default:
			l.add("finding", "finding %q has the unknown severity %q", f.Code, f.Severity)
		}
		if f.Line < 0 {
			l.add("finding", "finding %q is of line %d", f.Code, f.Line)
		}
		if f.Code == "" || f.Message == "" {
			l.add("finding", "a finding without code or message")
		}
	}
}

func (l *linter) points(r *Run) {
	keys := map[string]int{}
	for i := range r.Points {
		p := &r.Points[i]
		what := fmt.Sprintf("point %d", i+1)
		l.at(what, p.At)
		key := fmt.Sprintf("%s|%s|%d", p.Workload.Key(), p.Load.Key(), p.Repetition)
		if first, twice := keys[key]; twice {
			l.add("duplicate-point", "%s has workload, load and repetition of point %d", what, first+1)
		}
		keys[key] = i
		if i > 0 && r.Points[i-1].Compare(p) > 0 {
			l.add("unsorted", "%s stands behind one that comes after it", what)
		}
		l.counts(what, p)
		for m, s := range p.Metrics {
			l.stat(what, m, s)
		}
		for m, d := range p.Distributions {
			l.distribution(what, m, d)
		}
	}
}

func (l *linter) figures(r *Run) {
	for i, f := range r.Figures {
		what := fmt.Sprintf("figure %q", strings.TrimSpace(string(f.Metric)+" "+f.Of))
		l.atIfAny(what, f.At)
		l.atIfAny(what, f.PublishedAt)
		if f.Value == nil && f.Published == "" {
			l.add("figure", "%s has neither a value nor a published text", what)
		}
		l.unit(what, f.Metric, f.Unit)
		if i > 0 {
			prev := r.Figures[i-1]
			if prev.Metric > f.Metric || prev.Metric == f.Metric && prev.Of >= f.Of {
				l.add("unsorted", "%s stands behind %q", what, strings.TrimSpace(string(prev.Metric)+" "+prev.Of))
			}
		}
	}
}

func (l *linter) profiles(r *Run) {
	for i, p := range r.Profiles {
		what := fmt.Sprintf("profile %q", p.Name)
		l.atIfAny(what, p.At)
		for _, line := range p.Lines {
			if len(line.Y) != len(p.X) {
				l.add("profile", "%s: line %q has %s for %d", what, line.Label, metric.Plural(len(line.Y), "value"), len(p.X))
			}
		}
		if i > 0 && r.Profiles[i-1].Name >= p.Name {
			l.add("unsorted", "%s stands behind %q", what, r.Profiles[i-1].Name)
		}
	}
}

func (l *linter) parameters(r *Run) {
	for _, set := range []struct {
		name   string
		params map[string]Parameter
	}{{"parameter", r.Parameters}, {"client parameter", r.Client}, {"variable", r.Env}} {
		for _, name := range slices.Sorted(maps.Keys(set.params)) {
			p := set.params[name]
			l.atIfAny(fmt.Sprintf("%s %q", set.name, name), p.At)
			if len(p.Value) == 0 {
				l.add("parameter", "%s %q has no value: null is written null", set.name, name)
			}
		}
	}
}

func (l *linter) attributes(r *Run) {
	for _, key := range slices.Sorted(maps.Keys(r.Attributes)) {
		if a := r.Attributes[key]; a.Value == "" {
			l.add("attribute", "attribute %q is empty: what is not known is absent", key)
		} else if !slices.Contains(Authorities, a.From) {
			l.add("attribute", "attribute %q comes from the unknown authority %q", key, a.From)
		} else if a.Line < 0 {
			l.add("attribute", "attribute %q stands in line %d", key, a.Line)
		}
	}
}

func (l *linter) identity(r *Run) {
	if r.Identity.Tool == "" || r.Identity.Session == "" {
		l.add("identity", "the identity lacks its tool or its session")
	}
	if !ValidID(r.ID) {
		l.add("id", "the id %q is no name: write 1 to 64 of a-z, 0-9, %q and %q", r.ID, ".", "-")
	}
	if base, _ := SplitID(r.ID); base != r.Identity.ID() && r.IDFrom == "" {
		l.add("id", "the id %q is not that of its identity, %q", r.ID, r.Identity.ID())
	}
	for i, f := range r.Formerly {
		if f == r.ID {
			l.add("id", "the id %q is among its former ids", f)
		}
		if i > 0 && r.Formerly[i-1] >= f {
			l.add("unsorted", "former id %q stands behind %q", f, r.Formerly[i-1])
		}
	}
}

// positive looks for numbers below zero in what was asked for.
func (l *linter) positive(what string, v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.Pointer && !f.IsNil() {
			f = f.Elem()
		}
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",") // as the file has it
		name := what + "." + key
		switch {
		case f.Kind() == reflect.Struct:
			l.positive(name, f)
		case f.CanInt() && f.Int() < 0 || f.CanFloat() && f.Float() < 0:
			l.add("count", "%s is %v: it cannot be below zero", name, f)
		}
	}
}

func (l *linter) counts(what string, p *Point) {
	l.positive(what+": workload", reflect.ValueOf(p.Workload))
	l.positive(what+": load", reflect.ValueOf(p.Load))
	for _, n := range []struct {
		name string
		n    *int64
	}{{"submitted", p.Submitted}, {"completed", p.Completed}, {"without output", p.NoOutput},
		{"failed", p.Failed}, {"timed out", p.TimedOut}} {
		if n.n != nil && *n.n < 0 {
			l.add("count", "%s: %s %d", what, n.name, *n.n)
		}
	}
	if p.Repetition < 0 {
		l.add("count", "%s: repetition %d", what, p.Repetition)
	}
	if r := p.Load.Rate; r != nil && math.IsNaN(float64(*r)) {
		l.add("count", "%s: rate %v", what, *r)
	}
}

func (l *linter) stat(what string, m metric.ID, s Stat) {
	what = fmt.Sprintf("%s: %s", what, m)
	l.unit(what, m, s.Unit)
	if s.Value == nil && s.Mean == nil && s.Median == nil && s.Std == nil && s.Min == nil && s.Max == nil && len(s.Percentiles) == 0 {
		l.add("missing", "%s has no number: what was not measured is absent", what)
	}
	for i, p := range s.Percentiles {
		switch {
		case p.P == 50:
			l.add("percentile", "%s: the 50th percentile is the median", what)
		case p.P < 0 || p.P > 100:
			l.add("percentile", "%s: percentile %v", what, p.P)
		case i > 0 && s.Percentiles[i-1].P >= p.P:
			l.add("unsorted", "%s: percentile %v stands behind %v", what, p.P, s.Percentiles[i-1].P)
		}
	}
	if s.N < 0 {
		l.add("count", "%s: %d samples", what, s.N)
	}
	if info, ok := metric.Lookup(m); ok && info.Latency {
		for _, v := range append([]Number{s.Mean, s.Median}, percentileValues(s)...) {
			// A request that completed without a token counts as 0 among those of the tool's own statistics.
			if v != nil && (*v < 0 || *v == 0 && !l.stated[record.DoubtNoOutput]) {
				l.add("missing", "%s: %v is no latency: what was not measured is absent", what, *v)
			}
		}
	} else {
		for _, v := range []Number{s.Value, s.Mean, s.Median, s.Max} {
			if v != nil && *v < 0 {
				l.add("negative", "%s: %v cannot be below zero: what was not measured is absent", what, *v)
			}
		}
	}
	if why := s.Implausible(); len(why) > 0 && !l.stated[CodeImplausible] {
		l.add(CodeImplausible, "%s: %s", what, strings.Join(why, ", "))
	}
}

func (l *linter) distribution(what string, m metric.ID, d Distribution) {
	l.unit(what, m, d.Unit)
	ascending := d.N > 0 && len(d.Quantiles) > 0
	for j := 1; j < len(d.Quantiles); j++ {
		q, prev := d.Quantiles[j], d.Quantiles[j-1]
		ascending = ascending && q.P > prev.P && q.Value >= prev.Value
	}
	if !ascending {
		l.add("distribution", "%s: the distribution of %s is empty or not in ascending order", what, m)
	}
}

func percentileValues(s Stat) []Number {
	var out []Number
	for i := range s.Percentiles {
		out = append(out, &s.Percentiles[i].Value)
	}
	return out
}

func (l *linter) unit(what string, m metric.ID, u string) {
	info, ok := metric.Lookup(m)
	switch {
	case !ok:
		l.add("metric", "%s: unknown metric %q", what, string(m))
	case u != info.Unit:
		l.add("unit", "%s: unit %q where %q is the base unit", what, u, info.Unit)
	}
}

// step is where a value stands in another: in a field, at an index or under a key. It is made a text for a finding alone.
type step struct {
	in    *step
	field string
	key   reflect.Value
	index int
}

func (s *step) String() string {
	switch {
	case s.in == nil:
		return s.field
	case s.field != "":
		return s.in.String() + "." + s.field
	case s.key.IsValid():
		return fmt.Sprintf("%s[%q]", s.in, s.key.String())
	}
	return fmt.Sprintf("%s[%d]", s.in, s.index)
}

// numbers looks for NaN and infinities: JSON has none, and the only one allowed is a Float.
func (l *linter) numbers(at *step, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			l.numbers(at, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if holdsNumbers(v.Type().Field(i).Type.Kind()) {
				l.numbers(&step{in: at, field: v.Type().Field(i).Name}, v.Field(i))
			}
		}
	case reflect.Slice:
		if !holdsNumbers(v.Type().Elem().Kind()) {
			return
		}
		for i := range v.Len() {
			l.numbers(&step{in: at, index: i}, v.Index(i))
		}
	case reflect.Map:
		if !holdsNumbers(v.Type().Elem().Kind()) {
			return
		}
		keys := v.MapKeys()
		sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
		for _, k := range keys {
			l.numbers(&step{in: at, key: k}, v.MapIndex(k))
		}
	case reflect.Float64:
		f := v.Float()
		if math.IsNaN(f) || math.IsInf(f, 0) && v.Type() != reflect.TypeFor[record.Float]() {
			l.add("number", "%s is %v: what is not known is absent", at, f)
		}
	}
}

// holdsNumbers says whether values of a kind may have a number with a fraction in them.
func holdsNumbers(k reflect.Kind) bool {
	switch k {
	case reflect.Pointer, reflect.Struct, reflect.Slice, reflect.Map, reflect.Float64:
		return true
	}
	return false
}

func (l *linter) raw(r *Run, open func(string) ([]RawRecord, error)) {
	records, err := open(r.ID)
	if err != nil {
		l.add("raw", "%v", err)
		return
	}
	if len(records) == 0 {
		l.add("raw", "the raw records are missing: restore %s or ingest the run's sources again", r.RawPath())
		return
	}
	if sum, err := RawSum(records); r.Records != "" && (err != nil || sum != r.Records) {
		l.add("raw", "the raw records are not those that the run was made of: "+
			"restore %s or ingest the run's sources again", r.RawPath())
	}
	if err := CheckRecords(records); err != nil {
		l.add("raw", "%v", err)
	}
	for i := range records {
		if !l.sourced[records[i].Source] {
			l.add("raw", "raw record %d comes from %q, which is not among the run's sources", i+1, records[i].File)
		}
	}
	for i := range r.Points {
		if !hasSource(records, r.Points[i].At.Source) {
			l.add("raw", "point %d: there is no raw record of its source %q", i+1, r.Points[i].At.Source)
		}
	}
}

func hasSource(records []RawRecord, source string) bool {
	for i := range records {
		if records[i].Source == source {
			return true
		}
	}
	return false
}

func (l *linter) input(in *Input) {
	if in.Version != FormatVersion {
		l.add("version", "version %d: ingest again to write version %d", in.Version, FormatVersion)
	}
	if !hexDigest(in.SHA256) {
		l.add("source", "no SHA-256: %q", in.SHA256)
	}
	if !sort.StringsAreSorted(in.Runs) {
		l.add("unsorted", "the ids of runs are not in order")
	}
	for _, id := range in.Runs {
		if !ValidID(id) {
			l.add("id", "the id %q is no name: write 1 to 64 of a-z, 0-9, %q and %q", id, ".", "-")
		}
	}
	for _, f := range slices.Concat(in.Read, in.Ignored) {
		if f.Path == "" {
			l.add("source", "a file without a path")
		}
	}
}

func hexDigest(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}

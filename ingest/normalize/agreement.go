package normalize

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// Two results of different files are twins when they tell of one measurement: nothing that both state
// differs, and so many digits of what was measured are equal that it cannot be chance. Numbers in common
// are counted in significant digits of the coarser one.
const (
	// proof is how many digits two results have in common that need no other hint.
	proof = 10
	// proofNear is how many they have where their files have one name but for its end.
	proofNear = 6
	// proofDated is how many they have where both began in the same second.
	proofDated = 3
	// crowd is how many results may have one trace: a number that more of them have tells nothing.
	crowd = 100
)

// wall are metrics that are one measured time, divided by what was asked for: together they prove no
// more than one of them.
var wall = map[metric.ID]bool{metric.Duration: true, metric.RequestThroughput: true, metric.OutputThroughput: true,
	metric.InputThroughput: true, metric.TotalThroughput: true, metric.TotalGenerationSpeed: true, metric.Goodput: true}

// asked are metrics that follow from what was asked for: two machines that get the same prompts agree.
var asked = map[metric.ID]bool{metric.InputTokens: true, metric.OutputTokens: true, metric.PeakConcurrency: true}

// common counts the digits of what two results of different files both measured. ok is false where
// they state anything differently.
func common(a, b *candidate) (digits int, ok bool) {
	p, q := &a.point, &b.point
	if !fits(p, q) {
		return 0, false
	}
	longest := 0
	count := func(m metric.ID, x, y float64, unitX, unitY string) bool {
		if !agreeAs(x, y, unitX, unitY) {
			return false
		}
		n := min(significant(x), significant(y))
		switch {
		case n < telling || asked[m]:
		case wall[m]:
			longest = max(longest, n)
		default:
			digits += n
		}
		return true
	}
	if p.Duration != nil && q.Duration != nil && !count(metric.Duration, *p.Duration, *q.Duration, "", "") {
		return 0, false
	}
	for m, s := range p.Metrics {
		t, both := q.Metrics[m]
		if !both {
			continue
		}
		for _, x := range s.All() {
			// What was computed here may be of other requests than what the tool printed.
			if y, there := t.Get(x.Name); there && !derived(s, x.Name) && !derived(t, x.Name) &&
				!count(m, x.Value, y, s.OrigUnit, t.OrigUnit) {
				return 0, false
			}
		}
	}
	return digits + longest, true
}

// fits reports whether two results may be of one measurement by what they say of start, workload, load
// and requests: each part that both state is equal.
func fits(p, q *catalog.Point) bool {
	return oneStart(p.Date, q.Date) && fitsLoad(p.Load, q.Load) && fitsWorkload(p.Workload, q.Workload) &&
		either(p.Submitted, q.Submitted) && either(p.Completed, q.Completed) && either(p.Failed, q.Failed) &&
		(p.Repetition == q.Repetition || p.Repetition == 0 || q.Repetition == 0)
}

func fitsLoad(a, b record.Load) bool {
	return sameRate(a.Rate, b.Rate) && either(a.MaxConcurrency, b.MaxConcurrency) && either(a.Batch, b.Batch) &&
		either(a.Burstiness, b.Burstiness)
}

// sameRate reports whether two rates do not differ: one is missing, or they are equal but for places that a log does not
// print.
func sameRate(x, y *record.Float) bool {
	return either(x, y) || !math.IsInf(float64(*x-*y), 0) && agree(float64(*x), float64(*y))
}

func fitsWorkload(a, b record.Workload) bool {
	text := func(x, y string) bool { return x == "" || y == "" || x == y }
	return text(a.Name, b.Name) && text(a.Dataset, b.Dataset) && text(a.Distribution, b.Distribution) &&
		either(a.Nominal.Input, b.Nominal.Input) && either(a.Nominal.Output, b.Nominal.Output) &&
		either(a.NumPrompts, b.NumPrompts) &&
		either(a.PrefixCache, b.PrefixCache) && either(a.IgnoreEOS, b.IgnoreEOS) && either(a.Streaming, b.Streaming)
}

// either reports whether two values do not differ: one is missing, or they are equal.
func either[T comparable](x, y *T) bool { return x == nil || y == nil || *x == *y }

// filled is what two results say of their workload and load together. They fit each other.
func filled(a, b *catalog.Point) (record.Workload, record.Load) {
	w, v := a.Workload, b.Workload
	w.Name, w.Dataset, w.Distribution = cmp.Or(w.Name, v.Name), cmp.Or(w.Dataset, v.Dataset), cmp.Or(w.Distribution,
		v.Distribution)
	if w.Nominal == (record.Lengths{}) {
		w.LengthSemantics = v.LengthSemantics
	}
	w.LengthSemantics, w.TokenCounting = cmp.Or(w.LengthSemantics, v.LengthSemantics), cmp.Or(w.TokenCounting,
		v.TokenCounting)
	w.Nominal.Input, w.Nominal.Output = cmp.Or(w.Nominal.Input, v.Nominal.Input), cmp.Or(w.Nominal.Output,
		v.Nominal.Output)
	w.NumPrompts, w.PrefixCache = cmp.Or(w.NumPrompts, v.NumPrompts), cmp.Or(w.PrefixCache, v.PrefixCache)
	w.IgnoreEOS, w.Streaming = cmp.Or(w.IgnoreEOS, v.IgnoreEOS), cmp.Or(w.Streaming, v.Streaming)
	l, m := a.Load, b.Load
	if l.Rate != nil && m.Rate != nil && decimals(float64(*m.Rate)) > decimals(float64(*l.Rate)) {
		l.Rate = m.Rate
	}
	l.Rate, l.MaxConcurrency = cmp.Or(l.Rate, m.Rate), cmp.Or(l.MaxConcurrency, m.MaxConcurrency)
	l.Batch, l.Burstiness = cmp.Or(l.Batch, m.Batch), cmp.Or(l.Burstiness, m.Burstiness)
	return w, l
}

// fill gives results of several files that are one measurement the workload, load and date that they state
// together: a log names the lengths that were asked for, the JSON beside it the numbers in full.
func fill(all []*candidate) {
	if !slices.ContainsFunc(all, func(c *candidate) bool { return c.record.path != all[0].record.path }) {
		return
	}
	byTrace := map[trace][]*candidate{}
	computed := map[catalog.Place][]*candidate{}
	all = slices.DeleteFunc(slices.Clone(all), func(c *candidate) bool { return c.record.Header().Own })
	for _, c := range all {
		if c.record.computed { // it goes with the record it was computed for
			computed[c.record.place()] = append(computed[c.record.place()], c)
			continue
		}
		traced(&c.point, func(x trace) {
			if of := byTrace[x]; len(of) == 0 || of[len(of)-1] != c {
				byTrace[x] = append(of, c)
			}
		})
	}
	class := map[*candidate]*[]*candidate{}
	for _, c := range all {
		class[c] = &[]*candidate{c}
	}
	for _, c := range all {
		if c.record.computed {
			continue
		}
		traced(&c.point, func(x trace) {
			for _, o := range uncommon(byTrace[x]) {
				a, b := class[c], class[o]
				if a == b || o.record.path == c.record.path || !sameResult(c, o) {
					continue
				}
				*a = append(*a, *b...)
				for _, m := range *b {
					class[m] = a
				}
			}
		})
	}
	for _, c := range all {
		of := class[c]
		if len(*of) == 1 || (*of)[0] != c {
			continue
		}
		p, agreed, date := c.point, true, c.date
		for _, o := range *of {
			agreed = agreed && fitsLoad(p.Load, o.point.Load) && fitsWorkload(p.Workload, o.point.Workload)
			p.Workload, p.Load = filled(&p, &o.point)
			if !dated(date) && o.date != "" {
				date = o.date
			}
		}
		if !agreed { // two of them differ in what a third one leaves out
			continue
		}
		for _, o := range *of {
			o.say(p.Workload, p.Load, date, of)
			for _, c := range computed[o.record.place()] {
				c.say(p.Workload, p.Load, date, of)
			}
		}
	}
}

// say gives an account the workload, load and date that several of one measurement state together.
func (c *candidate) say(w record.Workload, l record.Load, date string, of *[]*candidate) {
	c.point.Workload, c.point.Load = withActual(w, c.point.Workload), l
	c.date, c.same = date, of
}

// withActual is a workload with the lengths that a result of it served.
func withActual(w, of record.Workload) record.Workload {
	w.Actual, w.Warmup = of.Actual, of.Warmup
	return w
}

// sameResult reports whether two results of one run are one measurement: of a load that both state fewer
// digits say so than where none is known.
func sameResult(a, b *candidate) bool {
	none, need := record.Load{}, proofNear
	switch x, y := a.point.Load, b.point.Load; {
	case x == none || y == none:
		need = proof
	case x.Key() == y.Key():
		need = telling
	}
	digits, ok := common(a, b)
	return ok && digits >= need
}

// trace is a number of a result to four digits, in the base unit of its metric.
type trace struct {
	metric metric.ID
	digits int64
}

// String is the trace as text, by which results of several machines are brought together.
func (t trace) String() string { return string(t.metric) + " " + strconv.FormatInt(t.digits, 10) }

// uncommon are the results of one trace where they are few.
func uncommon[T any](of []T) []T {
	if len(of) > crowd {
		return nil
	}
	return of
}

// tracesOf are the traces of a number. Numbers that round to each other have one in common; one of three
// digits stands for all of four that it may be. A number so small that its digits cannot be counted has none.
func tracesOf(m metric.ID, v float64, yield func(trace)) {
	n := significant(v)
	if v <= 0 || n < telling {
		return
	}
	exp := math.Floor(math.Log10(v))
	scale := math.Pow(10, 3-exp)
	if math.IsInf(scale, 1) {
		return
	}
	first, last := math.Floor(v*scale), math.Floor(v*scale)+1
	if n == telling {
		first, last = first-5, last+5
	}
	for d := first; d <= last; d++ {
		yield(trace{m, int64(exp)*10000 + int64(d)})
	}
}

// traced are the traces of a point.
func traced(p *catalog.Point, yield func(trace)) {
	for _, m := range traces {
		if m == metric.Duration && p.Duration != nil {
			tracesOf(m, *p.Duration, yield)
			continue
		}
		s := p.Metrics[m]
		for _, v := range []catalog.Number{s.Value, s.Mean} {
			if v != nil {
				tracesOf(m, *v, yield)
			}
		}
	}
}

// tracedRecord are the traces of a result as read.
func tracedRecord(r *record.Result, yield func(trace)) {
	for v := range r.Each() {
		if (v.Stat == metric.Value || v.Stat == metric.Mean) && slices.Contains(traces, v.Quantity) {
			if n, err := metric.ToBase(v.Quantity, v.Number, v.Unit); err == nil {
				tracesOf(v.Quantity, n, yield)
			}
		}
	}
}

// traces are the metrics by which twins are looked for: one of them is in every table.
var traces = []metric.ID{metric.OutputThroughput, metric.TotalThroughput, metric.RequestThroughput, metric.Duration,
	metric.E2ELatency, metric.TTFT, metric.TPOT, metric.ITL, metric.PPSpeed, metric.TGSpeed}

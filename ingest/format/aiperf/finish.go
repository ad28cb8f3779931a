package aiperf

import (
	"math"
	"slices"

	"github.com/inferdex/inferdex/ingest/internal/quantile"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// finish makes results of tables and of records of requests. One that lies beside the export of its
// measurement adds to that one's point; one that lies alone is a point of its own, with the load
// that its folder names.
func finish(group []record.Record, emit func(record.Record)) {
	type key struct{ folder, stem string }
	exports := map[key][]*record.Result{}
	for _, r := range group {
		if res, ok := r.(*record.Result); ok && (res.Identity.Tool == aiperf || res.Identity.Tool == genaiPerf) {
			folder, stem := place(res.At.File)
			exports[key{folder, stem}] = append(exports[key{folder, stem}], res)
		}
	}
	for _, r := range group {
		s, ok := r.(*record.Samples)
		if !ok || s.Name != partTable && s.Name != partRequests {
			continue
		}
		folder, stem := place(s.At.File)
		switch of := exports[key{folder, stem}]; len(of) {
		case 0:
			emit(alone(s))
		case 1:
			if res := beside(s, of[0]); res != nil {
				emit(res)
			}
		}
		// Of several exports in one file nobody can say which one a table repeats.
	}
}

// alone is the point that a part makes by itself.
func alone(s *record.Samples) *record.Result {
	res := &record.Result{
		Base: record.Base{At: s.At, Key: s.Key, Identity: s.Identity}, Load: loadOf(s.At.File),
		Values: s.Values, Distributions: s.Distributions, Errors: s.Errors,
	}
	res.Completed, res.Failed = s.Count("completed"), s.Count("failed")
	reading.Submitted(res)
	doubt(res, s)
	if n, ok := s.Nums["isl"]; ok {
		res.Workload.Actual.Input = &n
	}
	if n, ok := s.Nums["osl"]; ok {
		res.Workload.Actual.Output = &n
	}
	return res
}

// doubt says of the requests which completed without an output token.
func doubt(res *record.Result, s *record.Samples) {
	if n := int64(s.Nums[noOutput]); n > 0 {
		quantile.NoOutput(res, n, s.Count("completed"))
	}
}

// beside is what a part adds to the export of its measurement, nil for nothing: of a table the numbers
// that differ, so that a finding names them; of the requests the distributions, and statistics that the
// export lacks.
func beside(s *record.Samples, of *record.Result) *record.Result {
	res := &record.Result{
		Base:     record.Base{At: s.At, Key: of.Key, Identity: of.Identity, Date: of.Date},
		Workload: of.Workload, Load: of.Load, Repetition: of.Repetition, Distributions: s.Distributions,
	}
	type statistic struct {
		quantity metric.ID
		stat     string
	}
	stated := map[statistic]record.Value{}
	for _, v := range of.Values {
		stated[statistic{v.Quantity, v.Stat}] = v
	}
	if s.Name == partTable {
		for _, v := range s.Values {
			// Tables have two decimals: of small numbers little is left.
			old, is := stated[statistic{v.Quantity, v.Stat}]
			if !is || old.Unit != v.Unit || math.Abs(old.Number-v.Number) > 0.00500001 {
				res.Values = append(res.Values, v)
			}
		}
		if len(res.Values) == 0 {
			return nil
		}
		return res
	}
	doubt(res, s)
	var unlike []metric.ID // other requests than those that the export sums up
	for _, d := range s.Distributions {
		if why, _ := quantile.Unlike(of.Values, s.Values, d.Quantity); why != "" {
			unlike = append(unlike, d.Quantity)
			res.Doubt(record.DoubtStatistics, record.Remark, why)
		}
	}
	res.Distributions = slices.DeleteFunc(slices.Clone(s.Distributions),
		func(d record.Distribution) bool { return slices.Contains(unlike, d.Quantity) })
	is := func(q metric.ID, stat string) bool { _, ok := stated[statistic{q, stat}]; return ok }
	n := map[metric.ID]int64{} // what the export counts
	for _, v := range of.Values {
		n[v.Quantity] = max(n[v.Quantity], v.N)
	}
	for _, v := range s.Values {
		if v.N == 0 || slices.Contains(unlike, v.Quantity) { // computed of all requests together: the export has it
			continue
		}
		want := n[v.Quantity]
		if want == 0 && v.Quantity != metric.ITL && of.Completed != nil {
			want = *of.Completed
		}
		// Statistics of a part of the requests do not belong among those of all.
		if (want == 0 || want == v.N) && !is(v.Quantity, v.Stat) &&
			!(v.Stat == "p50" && is(v.Quantity, metric.Median)) {
			res.Values = append(res.Values, v)
		}
	}
	if len(res.Distributions) == 0 && len(res.Values) == 0 && len(res.Doubts) == 0 {
		return nil
	}
	return res
}

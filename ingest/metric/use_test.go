package metric

import (
	"slices"
	"testing"
)

// TestTable holds that a row of the table is whole: whoever adds a metric decides what it is called,
// what it is measured in, and where it is shown at which place.
func TestTable(t *testing.T) {
	for _, i := range All() {
		switch {
		case i.ID == "" || i.Label == "" || i.Name == "" || i.Long == "":
			t.Errorf("%q lacks a label, a name or a definition", i.ID)
		case !slices.Contains(bases, i.Unit) || i.Shown == "":
			t.Errorf("%s: %q is no base unit", i.ID, i.Unit)
		case len(i.In) == 0:
			t.Errorf("%s is shown nowhere: give it a place, Listed or Derived", i.ID)
		case i.Latency && (i.Unit != Seconds || i.Better != Lower):
			t.Errorf("%s: a latency is in seconds and better when lower", i.ID)
		}
		if _, base, err := Convert(1, i.Shown); err != nil && i.Shown != i.Unit || err == nil && base != i.Unit {
			t.Errorf("%s: %q does not convert to %q", i.ID, i.Shown, i.Unit)
		}
	}
}

// TestRanks holds that each place has one order: ranks from 1 on, none twice and none left out.
func TestRanks(t *testing.T) {
	for u, list := range shown {
		for n, i := range list {
			p := i.In.Of(u)
			switch {
			case u == Listed || u == Derived:
				if p.Rank != 0 || len(i.In) > 1 {
					t.Errorf("%s: %s is no place, and excludes all others", i.ID, u)
				}
			case p.Rank != n+1:
				t.Errorf("%s has rank %d in %s, want %d", i.ID, p.Rank, u, n+1)
			}
			for _, stats := range i.Columns(u) {
				if len(stats) == 0 || slices.Contains(stats, "") {
					t.Errorf("%s has a column without a statistic in %s", i.ID, u)
				}
			}
		}
	}
	for _, u := range []Use{Run, Verdict, Headline, Pair, PairLoads, Limits, Shard} {
		if len(Shown(u)) == 0 {
			t.Errorf("no metric is shown in %s", u)
		}
	}
	if got := Shown(Limits)[0].Columns(Pair); len(got) != 2 || got[0][0] != Value || got[1][0] != P99 {
		t.Errorf("columns of TTFT in the table of a pair: %v", got)
	}
	if got := Shown(Listed)[0].Columns(Pair); got != nil {
		t.Errorf("columns of a metric that a pair does not show: %v", got)
	}
	Shown(Pair)[0].Label = "changed"
	if Shown(Pair)[0].Label == "changed" {
		t.Error("Shown gives away its own list")
	}
}

// TestReported holds that each part of a Benchmark Report has one order and no key twice, and that what is
// written there is read back in the same unit.
func TestReported(t *testing.T) {
	keys := map[string]bool{}
	for _, part := range []ReportPart{ReportRequests, ReportLatency, ReportThroughput, ReportObserved} {
		for n, i := range Reported(part) {
			f := i.Report
			if f.Rank != n+1 || f.Key == "" || keys[f.Key] {
				t.Errorf("%s has rank %d and key %q in %s, want rank %d and a key of its own", i.ID, f.Rank,
					f.Key, part, n+1)
			}
			keys[f.Key] = true
			if v, err := ToBase(i.ID, 1, f.Unit); f.Unit != "count" && (err != nil || v != 1) {
				t.Errorf("%s: 1 %q is %v, %v, want 1 %s", i.ID, f.Unit, v, err, i.Unit)
			}
		}
	}
	for _, i := range All() {
		if i.Report != (Report{}) && !keys[i.Report.Key] {
			t.Errorf("%s stands in no part of a report: %v", i.ID, i.Report)
		}
	}
}

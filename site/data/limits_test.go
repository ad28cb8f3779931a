package data

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/site/sitetest"
	"github.com/inferdex/inferdex/site/view"
)

// The file of the script holds what the ranking is made of; missing is null, never zero.
func TestLimitsFile(t *testing.T) {
	ix, c := sitetest.LimitedIndex(t, sitetest.LimitedPrices)
	var b bytes.Buffer
	for f, err := range NewSet(view.New(ix, c, view.Options{}), Last{}).Files() {
		if err != nil {
			t.Fatal(err)
		}
		if f.Path == "models/x-7b/limits.js" {
			if err := f.Write(&b); err != nil {
				t.Fatal(err)
			}
		}
	}
	text := strings.TrimSuffix(strings.TrimPrefix(sitetest.Unpacked(t, b.String()), "inferdex.limits("), ");\n")
	if strings.ContainsAny(text, "<>&") {
		t.Error("a name stands in the script as it is written")
	}
	var d limitsData
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatalf("%v: %s", err, b.String())
	}
	if diff := cmp.Diff(map[string]int{"chat": 0, "code-completion": 0, "batch": 0}, d.Uses); diff != "" {
		t.Error(diff)
	}
	note := "at 3\u202fUSD an hour on 2025-01-13, Invented & <Cloud>; 1 more price on the card"
	if p := d.Prices["card-a"]; len(d.Prices) != 1 || p.PerHour != 3 || p.Note != note {
		t.Errorf("prices %+v", d.Prices)
	}
	for _, r := range d.Workloads[0].Rows {
		l := r.Loads[len(r.Loads)-1]
		switch r.Card {
		case "x-7b-on-2x-card-a":
			p := l.Points[0]
			if r.Count != 2 || l.Load != 16.0 || l.Name != "16 parallel" || *l.Output != 1500 || *l.PerJoule != 1.5 ||
				l.Basis != "board power" || *p[0] != 100 || *p[1] != 0 || *p[2] != 100 || *p[3] != 3 || r.Instead[3] != "" ||
				*p[4] != 3 || r.Instead[4] != "p99" || *p[7] != 1.5 || *p[9] != 0.04 {
				t.Errorf("%+v %q", l, r.Instead)
			}
			if want := "../runs/r1/index.html#p-1024-128-c16"; l.Href != want {
				t.Errorf("leads to %s, want %s", l.Href, want)
			}
		case "x-7b-on-card-c":
			if p := l.Points[0]; *p[3] != 0.1 || r.Instead[3] != "median" || *p[9] != 0.02 || l.PerJoule != nil {
				t.Errorf("%+v %q", l, r.Instead)
			}
		}
	}
}

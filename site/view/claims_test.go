package view

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/refute"
	"github.com/inferdex/inferdex/ingest/settings"
)

// said are the sentences that the pages of a catalog state, as a site publishes them.
func said(t *testing.T, c *catalog.Catalog, names *settings.Names) (out []refute.Statement) {
	t.Helper()
	for m, err := range New(figure.NewIndex(c, names), c, Options{}).Pages() {
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range m.Said {
			b, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			st := refute.Statement{Page: m.Page.Path}
			if err := json.Unmarshal(b, &st); err != nil {
				t.Fatal(err)
			}
			st.Names = s.Names
			for _, p := range s.Parts {
				if p.Of != nil {
					st.Names = append(st.Names, p.Of.Run.Hardware.Name, p.Of.Run.EngineName())
				}
			}
			if s.Run != nil {
				st.Run = s.Run.ID
				st.Names = append(st.Names, s.Run.Hardware.Name, s.Run.EngineName())
			}
			out = append(out, st)
		}
	}
	return out
}

// TestPagesHold makes the pages of catalogs with random numbers. Package refute finds each sentence of them
// true, and finds each lie that differs from one in a number, a relation or a run.
func TestPagesHold(t *testing.T) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	rnd := rand.New(rand.NewPCG(7, 8))
	claims, told := 0, 0
	kinds := map[string]int{}
	for range 80 {
		c := figuretest.Invented(rnd)
		k := refute.New(c)
		all := said(t, c, names)
		for _, f := range k.Check(all) {
			t.Errorf("%s on %q: %q: %s\n%s", f.Kind, f.Page, f.Text, f.Why, f.Claim)
		}
		claims += len(all)
		for _, s := range all {
			if kinds[s.Kind]++; kinds[s.Kind] > 5 {
				continue // lies of one kind are alike
			}
			for path, damaged := range figuretest.Lies(t, s.Claim, "nosuchrun") {
				told++
				lie := s
				lie.Claim = damaged
				if len(k.Check([]refute.Statement{lie})) == 0 {
					t.Errorf("%s: %q: a lie at %s is not found: %s", s.Kind, s.Text, path, damaged)
				}
			}
		}
		if t.Failed() {
			break
		}
	}
	for _, kind := range []string{"span", "spread", "top", "lead", "wins", "pair", "everywhere", "step", "few-runs", "use", "tally",
		"named"} {
		if kinds[kind] == 0 {
			t.Errorf("no claim of the kind %q was made", kind)
		}
	}
	t.Logf("%d claims, all true; %d lies, all found; %v", claims, told, kinds)
}

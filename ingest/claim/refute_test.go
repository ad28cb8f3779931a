package claim

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

// stated are all sentences of a catalog, as a site writes them.
func stated(t *testing.T, c *catalog.Catalog, names *settings.Names) []refute.Statement {
	t.Helper()
	var out []refute.Statement
	for _, r := range figure.NewIndex(c, names).Runs {
		for _, s := range Sentences(r, nil) {
			b, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			st := refute.Statement{Run: r.ID}
			if err := json.Unmarshal(b, &st); err != nil {
				t.Fatal(err)
			}
			st.Names = []string{r.Hardware.Name, r.EngineName()}
			for _, p := range s.Parts {
				if p.Of != nil {
					st.Names = append(st.Names, p.Of.Run.Hardware.Name, p.Of.Run.EngineName())
				}
			}
			out = append(out, st)
		}
	}
	return out
}

// TestClaimsHold makes catalogs with random numbers. Package refute, which shares no code with the makers of
// sentences, finds each of them true, and finds each lie that differs from a sentence in one operand.
func TestClaimsHold(t *testing.T) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	rnd := rand.New(rand.NewPCG(5, 6))
	claims, told := 0, 0
	kinds := map[string]int{}
	for range 150 {
		c := figuretest.Invented(rnd)
		k := refute.New(c)
		all := stated(t, c, names)
		for _, f := range k.Check(all) {
			t.Errorf("%s of run %s: %q: %s\n%s", f.Kind, f.Run, f.Text, f.Why, f.Claim)
		}
		claims += len(all)
		for _, s := range all {
			kinds[s.Kind]++
			if kinds[s.Kind] > 40 {
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
	for _, kind := range []Kind{KindSweetSpot, KindPeak, KindKnee, KindScaling, KindVersion, KindHardware, KindTail, KindMoreTails, KindSteady, KindPhase, KindKVFull, KindCompletion, KindFewPrompts} {
		if kinds[string(kind)] == 0 {
			t.Errorf("no claim of the kind %q was made", kind)
		}
	}
	t.Logf("%d claims, all true; %d lies, all found", claims, told)
}

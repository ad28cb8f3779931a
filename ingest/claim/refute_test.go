package claim

import (
	"math/rand/v2"
	"os"
	"slices"
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
			st := figuretest.Statement(t, s)
			st.Run = r.ID
			st.Names = append(slices.Clone(s.Names), r.Hardware.Name, r.EngineName())
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

// TestClaimsHold checks the sentences of runs.
func TestClaimsHold(t *testing.T) {
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	var kinds []string
	for _, k := range []Kind{KindSweetSpot, KindPeak, KindKnee, KindScaling, KindVersion, KindHardware, KindTail,
		KindDrop, KindKept, KindPace, KindSteady, KindPhase, KindKVFull, KindCompletion, KindFewPrompts,
		KindReplication} {
		kinds = append(kinds, string(k))
	}
	figuretest.Holds(t, rand.New(rand.NewPCG(5, 6)), 150, 40, func(c *catalog.Catalog) []refute.Statement {
		return stated(t, c, names)
	}, kinds...)
}

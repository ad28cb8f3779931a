package refute

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
)

type versusClaim struct {
	Here       operand    `json:"here"`
	There      operand    `json:"there"`
	Difference difference `json:"difference"`
	Amber      bool       `json:"amber"`
	Cautions   []string   `json:"cautions"`
}

type difference struct {
	Metric    string          `json:"metric"`
	Stat      string          `json:"stat"`
	Unit      string          `json:"unit"`
	A         summary         `json:"a"`
	B         summary         `json:"b"`
	Delta     float64         `json:"delta"`
	Ratio     *float64        `json:"ratio"`
	Change    *float64        `json:"change"`
	Better    json.RawMessage `json:"better"`
	Certainty string          `json:"certainty"`
}

type summary struct {
	N           int      `json:"n"`
	Median      float64  `json:"median"`
	Low         float64  `json:"low"`
	High        float64  `json:"high"`
	Confidence  *float64 `json:"confidence"`
	Requests    int64    `json:"requests"`
	RequestLow  float64  `json:"request_low"`
	RequestHigh float64  `json:"request_high"`
}

// summarizes holds a summary against the measurements it is of.
func (s summary) summarizes(vs []float64) error {
	if len(vs) == 0 || s.N != len(vs) || !near(s.Median, middle(vs)) {
		return fmt.Errorf("%d measurements have another median", len(vs))
	}
	switch {
	case len(vs) < fewestForInterval &&
		(s.Confidence != nil || !near(s.Low, slices.Min(vs)) || !near(s.High, slices.Max(vs))):
		return fmt.Errorf("%d measurements lie between %v and %v, and allow no interval", len(vs), slices.Min(vs),
			slices.Max(vs))
	case len(vs) >= fewestForInterval && (s.Confidence == nil || !holds(vs, s.Low, s.High, *s.Confidence)):
		return fmt.Errorf("%v to %v is no interval of the median of %d measurements", s.Low, s.High, len(vs))
	case s.Requests != 0 || s.RequestLow != 0 || s.RequestHigh != 0:
		return fmt.Errorf("a throughput has no interval over requests")
	}
	return nil
}

func (c versusClaim) cites() ([]operand, int) { return []operand{c.Here, c.There}, 1 }

// certainty is what the measurements of two sides allow to be claimed of their difference.
func certainty(as, bs []float64, a, b summary) string {
	switch {
	case len(as) < fewestForInterval || len(bs) < fewestForInterval:
		return "no claim: fewer than six samples"
	case a.High < b.Low || b.High < a.Low:
		return "distinguishable"
	}
	return "not distinguishable"
}

// holds holds two places against each other: the same workload and load of two runs.
func (c versusClaim) holds(k *Checker, r *catalog.Run, at []place) error {
	o := k.runs[c.There.Run]
	d := c.Difference
	switch {
	case o == r:
		return fmt.Errorf("a run is held against itself")
	case attribute(r, "hardware") == "" || attribute(o, "hardware") == "" || r.Withdrawn != "" || o.Withdrawn != "":
		return fmt.Errorf("a run without hardware, or a withdrawn one, is compared")
	case at[0].load != at[1].load || at[0].of.axis != at[1].of.axis || c.Here.Metric != output ||
		c.There.Metric != output || d.Metric != output || d.Stat != "central" || d.Unit != metric.TokensPerSecond:
		return fmt.Errorf("two different things are compared")
	}
	as, bs := at[0].samples(output, "central"), at[1].samples(output, "central")
	if err := d.A.summarizes(as); err != nil {
		return err
	}
	if err := d.B.summarizes(bs); err != nil {
		return err
	}
	x, y := middle(as), middle(bs)
	if !near(c.Here.Value, x) || !near(c.There.Value, y) || !near(d.Delta, y-x) || d.Ratio == nil ||
		!near(*d.Ratio, y/x) || d.Change == nil || !nearChange(*d.Change, (y-x)/x) {
		return fmt.Errorf("%v against %v is a change of %v", y, x, (y-x)/x)
	}
	if allowed := certainty(as, bs, d.A, d.B); d.Certainty != allowed {
		return fmt.Errorf("the measurements allow %q, not %q", allowed, d.Certainty)
	}
	return nil
}

type versionClaim struct {
	versusClaim
	// Called is what the text calls the other version.
	Called string `json:"called"`
}

func (c versionClaim) holds(k *Checker, r *catalog.Run, at []place) error {
	if err := c.versusClaim.holds(k, r, at); err != nil {
		return err
	}
	o := k.runs[c.There.Run]
	if k.fits(k.name(c.Called), o) < k.fits(k.name(c.Called), r) {
		return fmt.Errorf("%q is no name of run %q", c.Called, o.ID)
	}
	here, there := attribute(r, "engine_version"), attribute(o, "engine_version")
	switch {
	case here == "" || there == "" || here == there:
		return fmt.Errorf("the versions are %q and %q", here, there)
	case count(r) != count(o) && count(r) != "" && count(o) != "":
		return fmt.Errorf("%s accelerators are compared with %s as versions", count(r), count(o))
	}
	for _, key := range []string{"topology", "precision", "tokenizer", "driver"} {
		if a, b := attribute(r, key), attribute(o, key); a != "" && b != "" && a != b {
			return fmt.Errorf("a version is blamed where %s is %q and %q", key, a, b)
		}
	}
	return nil
}

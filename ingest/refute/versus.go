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
	case len(vs) < fewestForInterval && (s.Confidence != nil || !near(s.Low, slices.Min(vs)) || !near(s.High, slices.Max(vs))):
		return fmt.Errorf("%d measurements lie between %v and %v, and allow no interval", len(vs), slices.Min(vs), slices.Max(vs))
	case len(vs) >= fewestForInterval && (s.Confidence == nil || !holds(vs, s.Low, s.High, *s.Confidence)):
		return fmt.Errorf("%v to %v is no interval of the median of %d measurements", s.Low, s.High, len(vs))
	case s.Requests != 0 || s.RequestLow != 0 || s.RequestHigh != 0:
		return fmt.Errorf("a throughput has no interval over requests")
	}
	return nil
}

// versus holds two places against each other: the same workload and load of two runs.
func (k *Checker) versus(r *catalog.Run, c versusClaim) error {
	a, err := k.curve(c.Here, r.ID)
	if err != nil {
		return err
	}
	b, err := k.curve(c.There, "")
	if err != nil {
		return err
	}
	d := c.Difference
	switch {
	case c.There.Run == r.ID:
		return fmt.Errorf("a run is held against itself")
	case c.Here.Load != c.There.Load || c.Here.Axis != c.There.Axis || c.Here.Metric != output || c.There.Metric != output || d.Metric != output || d.Stat != "central" || d.Unit != metric.TokensPerSecond:
		return fmt.Errorf("two different things are compared")
	}
	as, bs := a.at(float64(c.Here.Load)).samples(output, "central"), b.at(float64(c.There.Load)).samples(output, "central")
	if err := d.A.summarizes(as); err != nil {
		return err
	}
	if err := d.B.summarizes(bs); err != nil {
		return err
	}
	x, y := middle(as), middle(bs)
	if !near(c.Here.Value, x) || !near(c.There.Value, y) || !near(d.Delta, y-x) || d.Ratio == nil || !near(*d.Ratio, y/x) || d.Change == nil || !near(*d.Change, (y-x)/x) {
		return fmt.Errorf("%v against %v is a change of %v", y, x, (y-x)/x)
	}
	certainty := "no claim: fewer than six samples"
	if len(as) >= fewestForInterval && len(bs) >= fewestForInterval {
		certainty = "not distinguishable"
		if d.A.High < d.B.Low || d.B.High < d.A.Low {
			certainty = "distinguishable"
		}
	}
	if d.Certainty != certainty {
		return fmt.Errorf("the measurements allow %q, not %q", certainty, d.Certainty)
	}
	return nil
}

// attribute is what a run records of itself, "" for nothing.
func attribute(r *catalog.Run, key string) string { return r.Attributes[key].Value }

// count is the number of accelerators, 0 where it is not recorded.
func count(r *catalog.Run) string { return attribute(r, "count") }

func (k *Checker) version(r *catalog.Run, c versusClaim) error {
	if err := k.versus(r, c); err != nil {
		return err
	}
	o := k.runs[c.There.Run]
	here, there := attribute(r, "engine_version"), attribute(o, "engine_version")
	switch {
	case here == "" || there == "" || here == there:
		return fmt.Errorf("the versions are %q and %q", here, there)
	case attribute(r, "hardware") == "" || r.Withdrawn != "" || o.Withdrawn != "":
		return fmt.Errorf("a run without hardware, or a withdrawn one, is compared")
	case count(r) != count(o) && count(r) != "" && count(o) != "":
		return fmt.Errorf("%s accelerators are compared with %s as versions", count(r), count(o))
	}
	return nil
}

type hardwareClaim struct {
	versusClaim
	Others    int     `json:"others"`
	EachHere  float64 `json:"each_here"`
	EachThere float64 `json:"each_there"`
}

func (k *Checker) hardware(r *catalog.Run, c hardwareClaim) error {
	if err := k.versus(r, c.versusClaim); err != nil {
		return err
	}
	o := k.runs[c.There.Run]
	if attribute(r, "hardware") == "" || attribute(o, "hardware") == "" || r.Withdrawn != "" || o.Withdrawn != "" {
		return fmt.Errorf("a run without hardware, or a withdrawn one, is compared")
	}
	if c.Others < 1 || c.Others >= len(k.runs) {
		return fmt.Errorf("%d other hardware configurations", c.Others)
	}
	if (c.EachHere == 0) != (c.EachThere == 0) {
		return fmt.Errorf("only one side is given an accelerator")
	}
	if c.EachHere == 0 {
		if a, b := count(r), count(o); a != "" && b != "" && a != b {
			return fmt.Errorf("%s accelerators are compared with %s, and nothing is said of one", a, b)
		}
		return nil
	}
	// The counts may stand in the names of the hardware: the ratios must be whole numbers of accelerators.
	for _, each := range [][2]float64{{c.Here.Value, c.EachHere}, {c.There.Value, c.EachThere}} {
		n := each[0] / each[1]
		if whole := float64(int(n + 0.5)); whole < 1 || !near(n, whole) {
			return fmt.Errorf("%v an accelerator of %v is no whole number of them", each[1], each[0])
		}
	}
	return nil
}

package claim

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// What is written by hand is what encoding/json writes of the same members, of any text and number.
func TestJSONIsThatOfTheLibrary(t *testing.T) {
	type cited struct {
		place
		Metric metric.ID `json:"metric"`
		Stat   string    `json:"stat"`
		Value  float64   `json:"value"`
	}
	type number struct {
		cited
		Over    int     `json:"over,omitempty"`
		Inverse bool    `json:"inverse,omitempty"`
		Is      float64 `json:"is"`
		Called  string  `json:"called,omitempty"`
	}
	texts := []string{"", "a b", `"`, `\`, "<&>", "\x01\x7f", "1\u202f024 → 128", "a\u2028b", "\u2029", "a\xffb", "\ufffd", "x\xe2\x80"}
	values := []float64{0, math.Copysign(0, -1), 1, -2.5, 320.294944, 1e-6, 9.9e-7, -1e-9, 1e21, 1.5e300, 1e20, 0.1 + 0.2}
	run := &figure.Run{Run: &catalog.Run{Points: make([]catalog.Point, 3)}}
	for i, text := range texts {
		for j, v := range values {
			run.ID = text
			s := &figure.Scenario{Title: text}
			if i%2 > 0 {
				s.Axis = record.AxisConcurrency
			}
			for k := range run.Points[:j%3] {
				s.Measured = append(s.Measured, &run.Points[k])
			}
			n := Number{Operand{run, s, &run.Points[0], metric.ID(text), text, v}, j % 3, i%3 == 0, text}
			want := number{cited{placeOf(n.Operand), n.Metric, n.Stat, v}, n.Over, n.Inverse, n.Is(), text}
			equal(t, n, want)
			equal(t, n.Operand, want.cited)
			c := State(KindSpan)
			equal(t, c, struct {
				Numbers   []number   `json:"of"`
				Relations []relation `json:"relations"`
			}{})
			c.Makes(Ratio, v, c.Of(n), c.Of(n))
			equal(t, c, struct {
				Numbers   []number   `json:"of"`
				Relations []relation `json:"relations"`
			}{[]number{want, want}, c.Relations})
		}
	}
	for _, load := range []float64{math.Inf(1), math.Inf(-1), 0.5} {
		p := place{Load: record.Float(load)}
		b, err := object(p.members)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, json.RawMessage(b), p)
	}
	if _, err := json.Marshal(Operand{run, &figure.Scenario{}, &run.Points[0], "", "", math.NaN()}); err == nil {
		t.Error("what is no number is written")
	}
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	a, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("%s, want %s", a, b)
	}
}

package chart

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFrontier holds who is beaten against a check of all pairs, and never across groups.
func TestFrontier(t *testing.T) {
	line := func(pts ...Point) (kept, gone []Point) {
		tr := &track{}
		var run []spot
		for i := range pts {
			run = append(run, spot{p: &pts[i]})
		}
		tr.runs = [][]spot{run}
		frontier{}.arrange(tr)
		for _, s := range tr.runs[0] {
			kept = append(kept, Point{X: s.p.X, Y: s.p.Y})
		}
		for _, s := range tr.gone {
			gone = append(gone, Point{X: s.p.X, Y: s.p.Y})
		}
		return kept, gone
	}
	at := func(v ...float64) (out []Point) {
		for i := 0; i+1 < len(v); i += 2 {
			out = append(out, Point{X: v[i], Y: v[i+1]})
		}
		return out
	}
	for _, k := range []struct {
		name           string
		in, kept, gone []Point
	}{
		{"more is better", at(10, 100, 20, 90, 15, 80, 30, 20, 30, 10), at(10, 100, 20, 90, 30, 20),
			at(30, 10, 15, 80)},
		{"measured twice", at(10, 5, 10, 5), at(10, 5, 10, 5), nil},
	} {
		kept, gone := line(k.in...)
		if d := cmp.Diff(k.kept, kept); d != "" {
			t.Errorf("%s: the line (-want +got):\n%s", k.name, d)
		}
		if d := cmp.Diff(k.gone, gone); d != "" {
			t.Errorf("%s: the beaten (-want +got):\n%s", k.name, d)
		}
	}
	r := noise(3)
	for range 200 {
		var in []Point
		for range 1 + int(r.next()*30) {
			in = append(in, Point{X: math.Floor(r.next() * 12), Y: math.Floor(r.next() * 12)})
		}
		kept, gone := line(in...)
		beaten := func(p Point) bool {
			for _, q := range in {
				if q.X >= p.X && q.Y >= p.Y && (q.X > p.X || q.Y > p.Y) {
					return true
				}
			}
			return false
		}
		for _, p := range kept {
			if beaten(p) {
				t.Fatalf("%v is on the line of %v", p, in)
			}
		}
		for _, p := range gone {
			if !beaten(p) {
				t.Fatalf("%v is not on the line of %v", p, in)
			}
		}
		if len(kept)+len(gone) != len(in) {
			t.Fatalf("%d and %d of %d points", len(kept), len(gone), len(in))
		}
	}
	// Card B is beaten by Card A everywhere and still has its line.
	s := quoted(draw(t, groups(), Options{ID: "a"}))
	if n := strings.Count(s, `class="ln"`) + strings.Count(s, `class="ln so"`); n != 3 {
		t.Errorf("%d lines for three groups", n)
	}
}

func TestSamples(t *testing.T) {
	var vs []float64
	for i := 200; i > 0; i-- {
		vs = append(vs, float64(i))
	}
	s := Samples("a", append(vs, math.NaN()))
	marks := map[string]Point{}
	for _, p := range s.Points {
		if p.Label != "" {
			marks[p.Label] = Point{X: p.X, Y: p.Y}
		}
	}
	// Nearest rank of 1 to 200: the 100th, the 180th and the 198th value.
	want := map[string]Point{"median": {X: 100, Y: 50}, "p90": {X: 180, Y: 90}, "p99": {X: 198, Y: 99}}
	if d := cmp.Diff(want, marks); d != "" {
		t.Errorf("marks (-want +got):\n%s", d)
	}
	if first, last := s.Points[0], s.Points[len(s.Points)-1]; first.Y != 0 || first.X != 1 || last.Y != 100 ||
		last.X != 200 {
		t.Errorf("from %v to %v", first, last)
	}
	for i := 1; i < len(s.Points); i++ {
		if s.Points[i].X < s.Points[i-1].X || s.Points[i].Y < s.Points[i-1].Y {
			t.Fatalf("falls at %d", i)
		}
	}
	few := Samples("b", []float64{3, 1, 2})
	for _, p := range few.Points {
		if p.Label == "p90" || p.Label == "p99" {
			t.Errorf("three values have a %s", p.Label)
		}
	}
	if n := len(Samples("c", waiting(1, 100000, 80)).Points); n > 700 {
		t.Errorf("100 000 values keep %d points", n)
	}
	if n := len(Samples("d", nil).Points); n != 0 {
		t.Errorf("no values give %d points", n)
	}
}

// TestDates: round dates inside the axis, none twice, whatever the span.
func TestDates(t *testing.T) {
	labels := func(lo, hi float64) string {
		var e extent
		e.add(lo)
		e.add(hi)
		s := dateAxis(&Axis{}, e, 7000, 8)
		labelDates(s.ticks)
		var out []string
		for _, k := range s.ticks {
			out = append(out, k.label)
		}
		return strings.Join(out, ", ")
	}
	const y2024 = 1704067200.0
	for _, k := range []struct {
		lo, hi float64
		want   string
	}{
		{y2024, y2024 + 181*day, "Jan 2024, Feb, Mar, Apr, May, Jun"},
		{y2024 - 61*day, y2024 + 40*day, "Nov 2023, Dec, Jan 2024, Feb"},
		{y2024 + 2*day, y2024 + 7*day, "3 Jan 2024, 4 Jan, 5 Jan, 6 Jan, 7 Jan, 8 Jan"},
		{y2024, y2024 + 5*366*day, "2024, 2025, 2026, 2027, 2028, 2029"},
		{y2024 + 5*day, y2024 + 5*day, "6 Jan 2024"},
		{y2024, y2024 + 12*3600, "1 Jan 2024, 03:00, 06:00, 09:00, 12:00"},
	} {
		if got := labels(k.lo, k.hi); got != k.want {
			t.Errorf("%g to %g: %s, want %s", k.lo, k.hi, got, k.want)
		}
	}
	r := noise(21)
	for range 3000 {
		a, b := earliest+r.next()*(latest-earliest), 0.0
		b = math.Min(latest, a+math.Pow(10, 1+r.next()*10))
		var e extent
		e.add(a)
		e.add(b)
		s := dateAxis(&Axis{}, e, 7000, 8)
		if n := len(s.ticks); n < 1 || n > 9 {
			t.Fatalf("%g to %g: %d ticks", a, b, n)
		}
		for i, k := range s.ticks {
			if !s.holds(k.v) || i > 0 && k.v <= s.ticks[i-1].v {
				t.Fatalf("%g to %g: tick %g", a, b, k.v)
			}
		}
	}
}

// TestHooks holds what scripts rely on: the names of series, and what the title of a mark says.
func TestHooks(t *testing.T) {
	c := &Chart{Title: "a", X: Axis{Title: "parallel requests (log scale)", Scale: Pow2},
		Panels: []Panel{{Y: Axis{Title: "Speed", Unit: "tok/s"}, Series: []Series{
			{Name: `H"1`, Interval: Confidence95,
				Points: []Point{{X: 1, Y: 1234.5, Low: 1200, High: 1300}, {X: 8, Y: 900}}},
			xy("b", 1, 500, 8, 800), xy(strings.Repeat("a name that needs a key ", 9), 1, 400, 8, 700),
		}}}}
	s := quoted(draw(t, c, Options{}))
	for _, want := range []string{
		`<g class="s1" data-n="H&quot;1">`,
		"<title>H&quot;1, 1 parallel request: 1\u202f230 tok/s (95\u202f% interval 1\u202f200 to 1\u202f300)</title>",
		"<title>b, 8 parallel requests: 800 tok/s</title>",
	} {
		if !strings.Contains(s, want) {
			t.Errorf("no %s in\n%s", want, strings.ReplaceAll(s, "><", ">\n<"))
		}
	}
	// Of names of any length, what tells them apart is left where they are cut.
	sweep := strings.Repeat("max-num-seqs 512, ", 12)
	c.Panels[0].Series = []Series{xy(sweep+"capture 8192", 1, 5, 8, 8), xy(sweep+"capture 16384", 1, 4, 8, 7)}
	s = draw(t, c, Options{})
	for _, want := range []string{`8192">`, `16384">`, "8192, 1 parallel request: 5.00 tok/s"} {
		if !strings.Contains(s, want) {
			t.Errorf("no %s in\n%s", want, strings.ReplaceAll(s, "><", ">\n<"))
		}
	}
}

// dotted is a kind of its own: a type in one file.
type dotted struct{ points }

func (dotted) traits() traits { return traits{keyed: true, title: atValue} }

func (dotted) draw(p pen, pl *plot) {
	pl.eachTrack(p, func(t *track) { drawDots(p, "dots", t.spots()) })
}

// TestNewKind: a kind needs nothing but its type; axes, key, annotations and description are there.
func TestNewKind(t *testing.T) {
	c := versions()
	c.Kind, c.X.Names = dotted{}, nil
	s := quoted(draw(t, c, Options{ID: "dotted"}))
	check(t, "dotted", s, Wide)
	for _, want := range []string{`<path class="dots"`, `data-n="Card A 80 GB"`, `class="chh"`,
		`Card A 80 GB: first 560 tok/s at 0`} {
		if !strings.Contains(s, want) {
			t.Errorf("no %s in\n%s", want, strings.ReplaceAll(s, "><", ">\n<"))
		}
	}
}

// The second drawing of a chart in a page leaves the names of series and what marks say to the first, in the same
// order; one whose series the first does not draw says all itself.
func TestSaidOnce(t *testing.T) {
	var b bytes.Buffer
	if err := throughput().Inline(&b, "load"); err != nil {
		t.Fatal(err)
	}
	_, drawings, _ := strings.Cut(b.String(), "<svg")
	first, second, _ := strings.Cut(drawings, "<svg")
	marks := regexp.MustCompile(`class="?mk`)
	series := strings.Count(first, ` data-n="`)
	if series == 0 || strings.Count(second, " data-n>") != series || strings.Contains(second, ` data-n="`) {
		t.Errorf("%d series in the first drawing, in the second:\n%s", series, second)
	}
	said, drawn := strings.Count(first, "<title>"), len(marks.FindAllString(second, -1))
	if said == 0 || said != drawn || strings.Contains(second, "<title>") {
		t.Errorf("%d marks with titles in the first drawing, %d without in the second", said, drawn)
	}
	var own bytes.Buffer
	if _, err := throughput().svg(&own, Options{Size: Narrow}, naming{marks: []string{"another"}}); err != nil {
		t.Fatal(err)
	}
	if strings.Count(own.String(), "<title>") != said+1 || strings.Contains(own.String(), " data-n>") {
		t.Errorf("marks that another drawing does not say have no titles of their own:\n%s", &own)
	}
}

package chart

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/inferdex/inferdex/goldentest"
)

// hardData are what every kind of drawing has to bear. Each gives one value a series and place.
var hardData = []struct {
	name, says string
	series     int
	points     int
	value      func(series, point int) float64
	label      string // of series, axes, categories and marks
	log        bool
}{
	{"one-point", "one point", 1, 1, func(int, int) float64 { return 41.7 }, "", false},
	{"equal", "all values equal", 2, 5, func(int, int) float64 { return 7 }, "", false},
	{"nonpositive-log", "zeros and negatives, a logarithm asked for", 2, 6,
		func(s, p int) float64 { return []float64{0, -4, 12, 300, -0.5, 900}[(s+p)%6] }, "", true},
	{"span", "1e-9 to 1e12", 2, 6, func(s, p int) float64 {
		return []float64{1e-9, 1e12, 3e-4, 1, 5e3, 2e8}[(s*2+p)%6]
	},
		"", false},
	{"forty", "40 series of 12 points", 40, 12,
		func(s, p int) float64 { return float64(50+s*9) + 40*math.Sin(float64(p*(s%5+1))) }, "", false},
	{"long", "labels of 120 characters", 4, 5, func(s, p int) float64 { return float64(3*s + p*p + 1) },
		strings.Repeat("a long label ", 10)[:120], false},
	{"right-to-left", "right-to-left text", 4, 5, func(s, p int) float64 { return float64(3*s + p*p + 1) },
		"מודל שפה גדול 7B", false},
	{"emoji", "emoji, one of several characters", 3, 5, func(s, p int) float64 { return float64(3*s + p*p + 1) },
		"😀 👩‍🚀 model", false},
	{"missing", "missing and infinite values among others", 3, 6,
		func(s, p int) float64 { return []float64{math.NaN(), 5, inf, -inf, 8, 1e308}[(s+p)%6] }, "", false},
}

// hardKinds make a drawing of one of hardData.
var hardKinds = []struct {
	name string
	make func(i int) *Chart
}{
	{"lines", func(i int) *Chart { return hardChart(Lines, i) }},
	{"panels", func(i int) *Chart {
		c := hardChart(Lines, i)
		c.Panels = append(c.Panels, hardChart(Lines, i).Panels[0], hardChart(Lines, i).Panels[0])
		return c
	}},
	{"bars", func(i int) *Chart { return hardChart(Bars, i) }},
	{"scatter", func(i int) *Chart {
		c := hardChart(Scatter, i)
		c.Panels[0].Refs = append(c.Panels[0].Refs, Fitted(1.5, 2, 0, 12, or(hardData[i].label, "1.5 a step")))
		return c
	}},
	{"distribution", func(i int) *Chart {
		h := hardData[i]
		c := hardChart(Distribution, i)
		for s := range c.Panels[0].Series {
			var vs []float64
			for p := range h.points {
				vs = append(vs, h.value(s, p))
			}
			c.Panels[0].Series[s] = Samples(c.Panels[0].Series[s].Name, vs)
			if s%2 == 1 {
				c.Panels[0].Series[s] = xy(c.Panels[0].Series[s].Name, vs[0], 50, vs[len(vs)-1], 99)
				c.Panels[0].Series[s].Points[0].Label, c.Panels[0].Series[s].Points[1].Label = "median", "p99"
			}
		}
		return c
	}},
	{"frontier", func(i int) *Chart { return hardChart(Frontier, i) }},
	{"timeline", func(i int) *Chart { return hardChart(Timeline, i) }},
	{"versions", func(i int) *Chart {
		c := hardChart(Lines, i)
		for p := range hardData[i].points {
			c.X.Names = append(c.X.Names, or(hardData[i].label, fmt.Sprintf("0.%d.0", p)))
		}
		return c
	}},
	{"dates", func(i int) *Chart {
		c := hardChart(Lines, i)
		c.X.Scale = Date
		for s := range c.Panels[0].Series {
			for p := range c.Panels[0].Series[s].Points {
				c.Panels[0].Series[s].Points[p].X = 1.7e9 + float64(p*p)*9*day
			}
		}
		return c
	}},
}

func or(s, other string) string {
	if s != "" {
		return s
	}
	return other
}

func hardChart(k Kind, i int) *Chart {
	h := hardData[i]
	c := &Chart{Kind: k, Title: h.says, X: Axis{Title: or(h.label, "load")},
		Panels: []Panel{{Y: Axis{Title: or(h.label, "TTFT"), Unit: "ms"}}}}
	p := &c.Panels[0]
	if h.log {
		p.Y.Scale = Log
	}
	for s := range h.series {
		e := Series{Name: or(h.label, "series"), Interval: Interval(s % 3)}
		e.Name += fmt.Sprint(" ", s+1)
		for n := range h.points {
			v := h.value(s, n)
			e.Points = append(e.Points, Point{X: float64(n), Y: v, Low: v * .8, High: v * 1.2, Label: h.label})
		}
		p.Series = append(p.Series, e)
	}
	at := float64(h.points / 2)
	p.Refs = []Ref{Horizontal(h.value(0, 0), or(h.label, "limit")), ChangePoint(at, or(h.label, "+9 %"), true)}
	p.Notes = []Note{{X: at, Y: h.value(0, h.points/2), Text: or(h.label, "a remark")}}
	p.Bands = []Band{{X: at + 1, Label: or(h.label, "incomplete")}}
	return c
}

// TestHard draws every kind with all hard data, narrow, where room is shortest: one file a kind. Wide
// drawings are held to the same properties without a golden file.
func TestHard(t *testing.T) {
	for _, k := range hardKinds {
		t.Run(k.name, func(t *testing.T) {
			var a txtar.Archive
			a.Comment = []byte("Drawings of the kind \"" + k.name +
				"\" with data that are hard to draw, 358 px wide.\n\n")
			for i, h := range hardData {
				s := draw(t, k.make(i), Options{Size: Narrow, ID: h.name})
				check(t, h.name, s, Narrow)
				for _, o := range []Options{{Size: Wide, ID: h.name}, {Size: Wide, Titled: true},
					{Size: PanelLow, Keyless: true}} {
					check(t, h.name, draw(t, k.make(i), o), o.Size)
				}
				a.Files = append(a.Files, txtar.File{Name: h.name + ".svg",
					Data: []byte("<!-- " + h.says + " -->\n" + strings.ReplaceAll(s, "><", ">\n<") + "\n")})
			}
			goldentest.File(t, filepath.Join("testdata", "hard", k.name+".txtar"), txtar.Format(&a))
		})
	}
}

// TestHardSmall draws what stands in table cells with the same data.
func TestHardSmall(t *testing.T) {
	var a txtar.Archive
	a.Comment = []byte("Bars, ratio bars and swatches with data that are hard to draw.\n\n")
	for _, h := range hardData {
		var b bytes.Buffer
		var vs []float64
		for p := range h.points {
			vs = append(vs, h.value(0, p))
		}
		last := vs[len(vs)-1]
		for _, err := range []error{HBar(&b, 3, last), RatioBar(&b, 4, last, vs[0], last, 4),
			writeSwatch(&b, KeyItem{Name: h.label, Slot: h.series})} {
			if err != nil {
				t.Fatal(err)
			}
		}
		b.WriteByte('\n')
		for one := range strings.SplitSeq(strings.TrimSuffix(b.String(), "</svg>\n"), "</svg>") {
			inCanvas(t, h.name, one)
		}
		a.Files = append(a.Files, txtar.File{Name: h.name + ".svg",
			Data: []byte(strings.ReplaceAll(b.String(), "><", ">\n<"))})
	}
	goldentest.File(t, filepath.Join("testdata", "hard", "small.txtar"), txtar.Format(&a))
}

var (
	viewBox  = regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)"`)
	pathData = regexp.MustCompile(` d="([^"]*)"`)
)

// inCanvas holds the paths of a little drawing inside it.
func inCanvas(t *testing.T, name, s string) {
	t.Helper()
	var w, h float64
	m := viewBox.FindStringSubmatch(s)
	if m == nil {
		t.Fatalf("%s: no viewBox in %s", name, s)
	}
	if _, err := fmt.Sscan(m[1]+" "+m[2], &w, &h); err != nil {
		t.Fatal(err)
	}
	for _, p := range pathData.FindAllStringSubmatch(s, -1) {
		walk(p[1], func(x, y float64) {
			if !(x >= 0 && x <= w && y >= 0 && y <= h) {
				t.Errorf("%s: %g,%g leaves the canvas of %g x %g in %s", name, x, y, w, h, s)
			}
		})
	}
}

// TestBandLabel draws the label of a band that has room, that has room for its short form alone, and that has none: no
// label is cut within a word, and what is not written is in the description.
func TestBandLabel(t *testing.T) {
	for _, k := range []struct {
		label, short string
		rows         []string // as they are written
		told         bool     // in the description
	}{
		{"all at once", "", []string{">all at<", ">once<"}, false},
		{"9 of 10 incommunicado", "9 of 10", []string{"<title>9 of 10 incommunicado</title>9 of 10<"}, false},
		{"9 of 10 incommunicado", "", nil, true},
		{"9 of 10 incommunicado", "incommunicado", nil, true},
	} {
		c := waits()
		c.Panels[0].Bands = []Band{{X: 5, Label: k.label, Short: k.short}}
		s := draw(t, c, Options{Size: Narrow, ID: "band"})
		for _, row := range k.rows {
			if !strings.Contains(s, row) {
				t.Errorf("%q, %q: the drawing has no %q", k.label, k.short, row)
			}
		}
		if told := strings.Contains(s, " "+k.label+".</desc>"); told != k.told {
			t.Errorf("%q, %q: told in the description: %t, want %t", k.label, k.short, told, k.told)
		}
		for _, no := range []string{">incomm", ">9 of 10 inc"} {
			if strings.Contains(strings.ReplaceAll(s, "<title>", ""), no) && len(k.rows) == 0 {
				t.Errorf("%q, %q: the drawing has %q", k.label, k.short, no)
			}
		}
	}
}

// Bands that touch and say the same say it once, between them; apart, or with other words, each says its own.
func TestTouchingBandLabels(t *testing.T) {
	for _, k := range []struct {
		x     float64
		label string
		want  int
	}{{5.01, "late", 1}, {9, "late", 2}, {5.01, "slow", 1}} {
		c := waits()
		c.Panels[0].Bands = []Band{{X: 5, Label: "late"}, {X: k.x, Label: k.label}}
		if n := strings.Count(draw(t, c, Options{Size: Wide, ID: "band"}), ">late<"); n != k.want {
			t.Errorf("%q at %g: \"late\" is written %d times, want %d", k.label, k.x, n, k.want)
		}
	}
}

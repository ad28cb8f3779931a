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
	{"nonpositive-log", "zeros and negatives, a logarithm asked for", 2, 6, func(s, p int) float64 { return []float64{0, -4, 12, 300, -0.5, 900}[(s+p)%6] }, "", true},
	{"span", "1e-9 to 1e12", 2, 6, func(s, p int) float64 { return []float64{1e-9, 1e12, 3e-4, 1, 5e3, 2e8}[(s*2+p)%6] }, "", false},
	{"forty", "40 series of 12 points", 40, 12, func(s, p int) float64 { return float64(50+s*9) + 40*math.Sin(float64(p*(s%5+1))) }, "", false},
	{"long", "labels of 120 characters", 4, 5, func(s, p int) float64 { return float64(3*s + p*p + 1) }, strings.Repeat("a long label ", 10)[:120], false},
	{"right-to-left", "right-to-left text", 4, 5, func(s, p int) float64 { return float64(3*s + p*p + 1) }, "מודל שפה גדול 7B", false},
	{"emoji", "emoji, one of several characters", 3, 5, func(s, p int) float64 { return float64(3*s + p*p + 1) }, "😀 👩‍🚀 model", false},
	{"missing", "missing and infinite values among others", 3, 6, func(s, p int) float64 { return []float64{math.NaN(), 5, inf, -inf, 8, 1e308}[(s+p)%6] }, "", false},
}

// hardKinds make a drawing of one of hardData.
var hardKinds = []struct {
	name string
	make func(i int) drawer
}{
	{"lines", func(i int) drawer { return hardChart(Lines, i) }},
	{"panels", func(i int) drawer {
		c := hardChart(Lines, i)
		c.Panels = append(c.Panels, hardChart(Lines, i).Panels[0], hardChart(Lines, i).Panels[0])
		return c
	}},
	{"bars", func(i int) drawer { return hardChart(Bars, i) }},
	{"scatter", func(i int) drawer {
		c := hardChart(Scatter, i)
		c.Panels[0].Refs = append(c.Panels[0].Refs, Fitted(1.5, 2, 0, 12, or(hardData[i].label, "1.5 a step")))
		return c
	}},
	{"distribution", func(i int) drawer {
		h := hardData[i]
		c := hardChart(Distribution, i)
		for s := range c.Panels[0].Series {
			var vs []float64
			for p := range h.points {
				vs = append(vs, h.value(s, p))
			}
			c.Panels[0].Series[s] = Samples(c.Panels[0].Series[s].Name, vs)
			if s%2 == 1 {
				c.Panels[0].Series[s] = Percentiles(c.Panels[0].Series[s].Name, Quantile{50, vs[0]}, Quantile{99, vs[len(vs)-1]}, Quantile{120, 4})
			}
		}
		return c
	}},
	{"frontier", func(i int) drawer { return hardChart(Frontier, i) }},
	{"timeline", func(i int) drawer { return hardChart(Timeline, i) }},
	{"versions", func(i int) drawer {
		c := hardChart(Lines, i)
		for p := range hardData[i].points {
			c.X.Names = append(c.X.Names, or(hardData[i].label, fmt.Sprintf("0.%d.0", p)))
		}
		return c
	}},
	{"dates", func(i int) drawer {
		c := hardChart(Lines, i)
		c.X.Scale = Date
		for s := range c.Panels[0].Series {
			for p := range c.Panels[0].Series[s].Points {
				c.Panels[0].Series[s].Points[p].X = 1.7e9 + float64(p*p)*9*day
			}
		}
		return c
	}},
	{"matrix", func(i int) drawer {
		h := hardData[i]
		m := &Matrix{Title: h.says, Value: or(h.label, "TTFT"), Unit: "ms", RowTitle: h.label, ColumnTitle: h.label, Lower: i%2 == 0}
		for s := range h.series {
			var row []Cell
			for p := range h.points {
				row = append(row, Cell{Value: h.value(s, p), Text: h.label, Strong: p == 0})
			}
			m.Rows, m.Cells = append(m.Rows, or(h.label, fmt.Sprintf("row %d", s+1))), append(m.Cells, row[:len(row)-s%2])
		}
		for p := range h.points {
			m.Columns = append(m.Columns, or(h.label, fmt.Sprint(1<<p)))
		}
		return m
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
	c := &Chart{Kind: k, Title: h.says, X: Axis{Title: or(h.label, "load")}, Panels: []Panel{{Y: Axis{Title: or(h.label, "TTFT"), Unit: "ms"}}}}
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
	p.Bands = []Band{{From: at, To: at + 1, Label: or(h.label, "incomplete")}}
	return c
}

// TestHard draws every kind with all hard data, narrow, where room is shortest: one file a kind. Wide
// drawings are held to the same properties without a golden file.
func TestHard(t *testing.T) {
	for _, k := range hardKinds {
		t.Run(k.name, func(t *testing.T) {
			var a txtar.Archive
			a.Comment = []byte("Drawings of the kind \"" + k.name + "\" with data that are hard to draw, 358 px wide.\n\n")
			for i, h := range hardData {
				s := draw(t, k.make(i), Options{Size: Narrow, ID: h.name})
				check(t, h.name, s, Narrow)
				for _, o := range []Options{{Size: Wide, ID: h.name, Key: KeyAbove}, {Size: Wide, Titled: true}, {Size: PanelLow, Key: KeyNone}} {
					check(t, h.name, draw(t, k.make(i), o), o.Size)
				}
				a.Files = append(a.Files, txtar.File{Name: h.name + ".svg", Data: []byte("<!-- " + h.says + " -->\n" + strings.ReplaceAll(s, "><", ">\n<") + "\n")})
			}
			golden(t, filepath.Join("testdata", "hard", k.name+".txtar"), string(txtar.Format(&a)))
		})
	}
}

// TestRandomMatrix holds matrices of any shape to the properties of all drawings.
func TestRandomMatrix(t *testing.T) {
	for seed := range 150 {
		r := noise(uint64(seed)*0x9e3779b97f4a7c15 + 77)
		for range 5 {
			r.next()
		}
		pick := func(n int) int { return int(r.next() * float64(n)) }
		words := []string{"", "a", "H100", "a rather long name of a row", hostile, "מודל", "模型名称很长很长很长", "😀", strings.Repeat("W", 130)}
		word := func() string { return words[pick(len(words))] }
		m := &Matrix{Title: "random", Value: word(), Unit: word(), RowTitle: word(), ColumnTitle: word(), Missing: word(), Lower: pick(2) == 0}
		if pick(4) == 0 {
			m.Limits = []float64{r.next(), math.NaN(), 1, 5, 1, inf, 1e12, 2}[:pick(9)]
		}
		for range 1 + pick(1+pick(30)) {
			var row []Cell
			for range pick(20) {
				v := math.Pow(10, (r.next()-.5)*float64(pick(30)))
				row = append(row, Cell{Value: []float64{v, v, -v, 0, math.NaN(), inf}[pick(6)], Text: word(), Strong: pick(4) == 0})
			}
			m.Rows, m.Cells = append(m.Rows, word()), append(m.Cells, row)
		}
		for range 1 + pick(1+pick(maxColumns)) {
			m.Columns = append(m.Columns, word())
		}
		size := []Size{Wide, Narrow, Half, {W: 160, H: 100}, {W: 1200, H: 630}}[pick(5)]
		check(t, fmt.Sprintf("matrix %d", seed), draw(t, m, Options{Size: size, ID: "m", Titled: pick(3) == 0}), size)
	}
}

func TestMatrixErrors(t *testing.T) {
	big := make([]string, maxRows+1)
	for _, m := range []*Matrix{{Title: "a"}, {Title: "a", Rows: []string{"x"}}, {Title: "a", Rows: big, Columns: []string{"x"}}, {Title: "a", Rows: []string{"x"}, Columns: big}} {
		var b bytes.Buffer
		if err := m.SVG(&b, Options{}); err == nil || b.Len() > 0 {
			t.Errorf("%d x %d: error %v and %d bytes, want an error alone", len(m.Rows), len(m.Columns), err, b.Len())
		}
	}
	var b bytes.Buffer
	if err := heat().PNG(&b, Options{Size: Half, Titled: true, Dark: true}); err != nil || b.Len() < 500 {
		t.Errorf("PNG of a matrix: %v, %d bytes", err, b.Len())
	}
}

// TestHardSmall draws what stands in table cells with the same data.
func TestHardSmall(t *testing.T) {
	var a txtar.Archive
	a.Comment = []byte("Sparklines, bars and ratio bars with data that are hard to draw.\n\n")
	for _, h := range hardData {
		var b bytes.Buffer
		var vs []float64
		for p := range h.points {
			vs = append(vs, h.value(0, p))
		}
		last := vs[len(vs)-1]
		for _, err := range []error{Sparkline(&b, 2, vs, h.label), HBar(&b, 3, last), RatioBar(&b, 4, last, vs[0], last, 4), Swatch(&b, KeyItem{Name: h.label, Slot: h.series})} {
			if err != nil {
				t.Fatal(err)
			}
		}
		b.WriteByte('\n')
		for one := range strings.SplitSeq(strings.TrimSuffix(b.String(), "</svg>\n"), "</svg>") {
			inCanvas(t, h.name, one)
		}
		a.Files = append(a.Files, txtar.File{Name: h.name + ".svg", Data: []byte(strings.ReplaceAll(b.String(), "><", ">\n<"))})
	}
	golden(t, filepath.Join("testdata", "hard", "small.txtar"), string(txtar.Format(&a)))
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

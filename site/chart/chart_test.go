package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/metric"
)

const styleSheet = "../../assets/css/chart.css"

func draw(t testing.TB, c *Chart, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.SVG(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	startTag = regexp.MustCompile(`<[a-z][^>]*>`)
	bareWord = regexp.MustCompile(` ([a-z-]+)=([^" >][^ >]*)`)
)

// quoted is a drawing of a page as XML, which has quotation marks around the value of every attribute.
func quoted(s string) string {
	return startTag.ReplaceAllStringFunc(s, func(tag string) string {
		return bareWord.ReplaceAllString(tag, ` $1="$2"`)
	})
}

// TestGolden draws every case and compares. One element a line makes a difference readable.
func TestGolden(t *testing.T) {
	known := map[string]bool{}
	for _, k := range cases() {
		t.Run(k.name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("<!-- " + k.says + " -->\n")
			for _, o := range k.drawings() {
				s := draw(t, k.chart, o)
				if again := draw(t, k.chart, o); again != s {
					t.Error("drawn twice, differs")
				}
				b.WriteString(strings.ReplaceAll(s, "><", ">\n<") + "\n")
			}
			goldentest.File(t, filepath.Join("testdata", k.name+".svg"), b.String())
		})
		known[k.name+".svg"] = true
	}
	known["self-contained.svg"] = true
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !f.IsDir() && !known[f.Name()] {
			t.Errorf("testdata/%s belongs to no case", f.Name())
		}
	}
}

func TestSelfContained(t *testing.T) {
	c := throughput()
	s := draw(t, c, Options{Size: Half, ID: "x", SelfContained: true, Titled: true})
	goldentest.File(t, "testdata/self-contained.svg", strings.ReplaceAll(s, "><", ">\n<")+"\n")
	check(t, "self-contained", s, Half)
	for _, want := range []string{`xmlns="http://www.w3.org/2000/svg"`, "prefers-color-scheme:dark", light.series[1],
		dark.series[3], "Hollow marks: KV cache full", `class="hd"`} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q in a self-contained drawing", want)
		}
	}
	if strings.Contains(s, "var(") {
		t.Error("custom property in a self-contained drawing")
	}
}

// TestStyleSheet holds assets/css/chart.css and the classes in use together.
func TestStyleSheet(t *testing.T) {
	goldentest.File(t, styleSheet, chartCSS())
	rules := chartCSS()
	class := regexp.MustCompile(`class="([^"]*)"`)
	var b bytes.Buffer
	for _, k := range cases() {
		for _, o := range k.drawings() {
			b.WriteString(draw(t, k.chart, o))
		}
	}
	for _, f := range []func() error{
		func() error { return WriteKey(&b, KeyOf(throughput(), tokens())) },
		func() error { return Mark(&b, 6) },
		func() error { return HBar(&b, 2, .5) },
		func() error { return RatioBar(&b, 1, 1.5, 1.2, 1.7, 2) },
		func() error { return RatioAxis(&b, 2) },
	} {
		if err := f(); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for _, m := range class.FindAllStringSubmatch(quoted(b.String()), -1) {
		for c := range strings.FieldsSeq(m[1]) {
			if seen[c] {
				continue
			}
			seen[c] = true
			if !regexp.MustCompile(`\.` + regexp.QuoteMeta(c) + `[ .{,]`).MatchString(rules) {
				t.Errorf("class %q has no rule in the style sheet", c)
			}
		}
	}
}

// TestProperties checks every case against what holds of all drawings.
func TestProperties(t *testing.T) {
	for _, k := range cases() {
		for _, o := range k.drawings() {
			check(t, k.name, draw(t, k.chart, o), o.Size)
		}
	}
}

// check reads a drawing back: well-formed, everything inside the canvas, no two texts on each other (by
// this package's measure, less the room above capitals and below the line), no styles, no NaN, no
// id twice.
func check(t testing.TB, name, s string, size Size) {
	t.Helper()
	for _, bad := range []string{"style=", "NaN", "Inf ", "<script", "onload", "%!"} {
		if strings.Contains(s, bad) {
			t.Errorf("%s: %q in the drawing", name, bad)
		}
	}
	type box struct {
		area
		text, class string
	}
	var texts []box
	ids := map[string]bool{}
	d := xml.NewDecoder(strings.NewReader(quoted(s)))
	var class, group string
	var x, y, gx, gy float64
	inText, depth := false, 0
	var content strings.Builder
	var x0, y0, w, h float64
	inside := func(what string, px, py float64) {
		if px < x0-0.05 || px > x0+w+0.05 || py < y0-0.05 || py > y0+h+0.05 || math.IsNaN(px+py) {
			t.Errorf("%s: %s at %g,%g leaves the canvas of %g x %g", name, what, px, py, w, h)
		}
	}
	number := func(a string) float64 {
		v, err := strconv.ParseFloat(a, 64)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		return v
	}
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			attr := map[string]string{}
			for _, a := range e.Attr {
				attr[a.Name.Local] = a.Value
			}
			if id := attr["id"]; id != "" {
				if ids[id] {
					t.Errorf("%s: id %q twice", name, id)
				}
				ids[id] = true
			}
			switch e.Name.Local {
			case "svg":
				if _, err := fmt.Sscanf(attr["viewBox"], "%g %g %g %g", &x0, &y0, &w, &h); err != nil ||
					w != float64(size.W) ||
					h < float64(size.H) {
					t.Errorf("%s: viewBox %q for a size of %v", name, attr["viewBox"], size)
				}
			case "g":
				// A group may place its texts, all of one class.
				group, gx, gy = attr["class"], 0, 0
				if at, ok := strings.CutPrefix(attr["transform"], "translate("); ok {
					across, down, _ := strings.Cut(strings.TrimSuffix(at, ")"), ",")
					gx, gy = number(across), number("0"+down)
				}
			case "text":
				inText, depth = true, 0
				x, y = gx+number("0"+attr["x"]), gy+number("0"+attr["y"])
				if class = attr["class"]; group == "m" || group == "e" {
					class = group
				}
				content.Reset()
				inside("text", x, y)
			case "circle":
				inside("circle", number(attr["cx"]), number(attr["cy"]))
			case "path":
				walk(attr["d"], func(px, py float64) { inside("path", px, py) })
			default:
				if inText {
					depth++
				}
			}
		case xml.EndElement:
			switch {
			case e.Name.Local == "g":
				group, gx, gy = "", 0, 0
			case e.Name.Local == "text":
				inText = false
				class = " " + class
				size, bold := 120, strings.Contains(class, " th")
				switch {
				case strings.HasPrefix(class, " lb"):
					size, bold = 125, true
				case strings.HasPrefix(class, " hd"):
					size, bold = 140, true
				case strings.HasPrefix(class, " pt"):
					size = 105
				case strings.HasPrefix(class, " ky"):
					size = 125
				case strings.HasPrefix(class, " an"), strings.HasPrefix(class, " sb"):
					size = 115
				}
				anchor := ""
				if strings.HasSuffix(class, " e") {
					anchor = "e"
				} else if strings.HasSuffix(class, " m") {
					anchor = "m"
				}
				a := textArea(anchor, int(math.Round(x*10)), int(math.Round(y*10)),
					textWidth(content.String(), size, bold), size)
				if a.x0 < -15 || a.x1 > size2(w) || a.y0 < -15 || a.y1 > size2(h) {
					t.Errorf("%s: text %q (%s) leaves the canvas: %v", name, content.String(), class, a)
				}
				a = area{a.x0 + 5, a.y0 + size*8/100, a.x1 - 5, a.y1 - size*18/100}
				for _, o := range texts {
					if a.meets(o.area) {
						t.Errorf("%s: text %q (%s) at %v overlaps %q (%s) at %v", name, content.String(), class, a,
							o.text, o.class,
							o.area)
					}
				}
				texts = append(texts, box{a, content.String(), class})
			case inText:
				depth--
			}
		case xml.CharData:
			if inText && depth == 0 {
				content.Write(e)
			}
		}
	}
}

func size2(v float64) int { return int(v*10) + 15 }

var pathToken = regexp.MustCompile(`[a-zA-Z]|-?(?:\d+\.?\d*|\.\d+)`)

// walk calls f for every place of a path as our pen writes them.
func walk(d string, f func(x, y float64)) {
	var x, y, sx, sy float64
	toks := pathToken.FindAllString(d, -1)
	cmd := ""
	next := func(i *int) float64 {
		v, _ := strconv.ParseFloat(toks[*i], 64)
		*i++
		return v
	}
	for i := 0; i < len(toks); {
		if c := toks[i][0]; c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			cmd = toks[i]
			i++
			if cmd == "z" {
				x, y = sx, sy
				continue
			}
		}
		switch cmd {
		case "M":
			x, y = next(&i), next(&i)
			sx, sy = x, y
		case "m":
			x, y = x+next(&i), y+next(&i)
			sx, sy = x, y
		case "l":
			x, y = x+next(&i), y+next(&i)
		case "h":
			x += next(&i)
		case "H":
			x = next(&i)
		case "v":
			y += next(&i)
		default:
			f(math.NaN(), math.NaN())
			return
		}
		f(x, y)
	}
}

// TestRandom draws what nobody would: every kind, scale and option with values of all magnitudes.
func TestRandom(t *testing.T) {
	n := 600
	if testing.Short() {
		n = 100
	}
	for seed := range n {
		drawRandom(t, uint64(seed))
	}
}

func FuzzDraw(f *testing.F) {
	f.Add(uint64(1), "name")
	f.Add(uint64(99), hostile)
	f.Fuzz(func(t *testing.T, seed uint64, name string) {
		c, o := random(seed)
		c.Title, c.X.Title = name, name
		for i := range c.Panels {
			c.Panels[i].Y.Unit = name
			for j := range c.Panels[i].Series {
				c.Panels[i].Series[j].Name += name
			}
		}
		check(t, fmt.Sprintf("seed %d", seed), draw(t, c, o), o.Size)
	})
}

func drawRandom(t *testing.T, seed uint64) {
	c, o := random(seed)
	check(t, fmt.Sprintf("seed %d", seed), draw(t, c, o), o.Size)
}

func random(seed uint64) (*Chart, Options) {
	r := noise(seed*0x9e3779b97f4a7c15 + 0x1234567)
	for range 5 {
		r.next()
	}
	pick := func(n int) int { return int(r.next() * float64(n)) }
	odd := []float64{0, math.NaN(), inf, -inf, 1e308, -1e308, 1e-320, 1e12, -5, 1}
	spread := float64(pick(14))
	value := func() float64 {
		if r.next() < .06 {
			return odd[pick(len(odd))]
		}
		v := math.Pow(10, (r.next()-.5)*spread)
		if spread > 9 && r.next() < .1 {
			v = -v
		}
		return v
	}
	words := []string{"", "a", "H100", "a rather long name of a series", hostile, "מודל", "模型名称很长很长很长", "😀",
		strings.Repeat("W", 130)}
	word := func() string { return words[pick(len(words))] }
	sizes := []Size{Wide, Narrow, Half, HalfNarrow, PanelSize, PanelLow, PanelTall, {W: 160, H: 100}, {W: 1200, H: 630}}
	c := &Chart{Kind: []Kind{Lines, Bars, Scatter, Frontier, Timeline, Distribution, Scored}[pick(7)], Title: "random",
		Hollow: word(), X: Axis{Title: word(), Unit: word(), Scale: Scale(pick(5)), Free: pick(2) == 0}}
	if pick(8) == 0 {
		c.X.Max = ptr(value())
	}
	if (c.Kind == Bars || c.Kind == Lines) && pick(3) == 0 {
		for range pick(12) {
			c.X.Names = append(c.X.Names, word())
		}
	}
	for range 1 + pick(3) {
		p := Panel{Y: Axis{Title: word(), Unit: word(), Scale: Scale(pick(4)), Free: pick(3) == 0}}
		if pick(8) == 0 {
			p.Y.Max = ptr(value())
		}
		if pick(8) == 0 {
			p.Y.Format = Seconds
		}
		for range pick(13) {
			s := Series{Name: word(), Slot: pick(12) - 1, Solid: pick(3) == 0, Marker: pick(11) - 1,
				NoLine:  pick(6) == 0,
				NoLabel: pick(9) == 0, Interval: Interval(pick(3))}
			n := pick(25)
			if pick(30) == 0 {
				n = 900
			}
			for i := range n {
				pt := Point{X: value(), Y: value(), Hollow: pick(5) == 0, Strong: pick(5) == 0}
				if pick(2) == 0 {
					pt.X = float64(i + 1)
				}
				if pick(4) == 0 {
					pt.Low, pt.High, pt.Label = value(), value(), word()
				}
				s.Points = append(s.Points, pt)
			}
			p.Series = append(p.Series, s)
		}
		for range pick(3) {
			p.Refs = append(p.Refs, Horizontal(value(), word()), Vertical(value(), word()),
				Ref{X1: value(), Y1: value(), X2: value(), Y2: value(), Label: word(), Fit: pick(2) == 0},
				ChangePoint(value(), word(), pick(2) == 0))
			p.Notes = append(p.Notes, Note{value(), value(), word()})
			p.Bands = append(p.Bands, Band{X: value(), Label: word()})
		}
		c.Panels = append(c.Panels, p)
	}
	o := Options{Size: sizes[pick(len(sizes))], ID: "r", Keyless: pick(3) == 0, Titled: pick(4) == 0}
	return c, o
}

// fourLines is what the bounds of size and time are about.
func fourLines() *Chart {
	c := &Chart{Title: "Output throughput against parallel requests on four cards", X: concurrency,
		Panels: []Panel{{Y: Axis{Title: "Output throughput", Unit: "tok/s"}}}}
	for i, name := range []string{"H100 80 GB", "A100 80 GB", "A100 40 GB", "V100 32 GB"} {
		c.Panels[0].Series = append(c.Panels[0].Series, rising(name, 90-12*float64(i), 1400-280*float64(i), 8))
	}
	return c
}

func TestSize(t *testing.T) {
	if n := len(draw(t, fourLines(), Options{ID: "throughput"})); n > 8<<10 {
		t.Errorf("four lines of eight points take %d bytes, want at most 8 KiB", n)
	}
}

func BenchmarkFourLines(b *testing.B) {
	c := fourLines()
	n := 0
	for b.Loop() {
		n = len(draw(b, c, Options{ID: "throughput"}))
	}
	b.ReportMetric(float64(n), "bytes/chart")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "charts/s")
}

// BenchmarkKinds draws one of each kind.
func BenchmarkKinds(b *testing.B) {
	for _, k := range []struct {
		name string
		c    *Chart
	}{
		{"panels", scenario()}, {"bars", tokens()}, {"scatter", ingestion(900)}, {"distribution", distributions()},
		{"frontier", groups()},
		{"timeline", profile(3000)}, {"versions", versions()}, {"dates", calendar()},
	} {
		b.Run(k.name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				n = len(draw(b, k.c, Options{ID: "a"}))
			}
			b.ReportMetric(float64(n), "bytes/chart")
		})
	}
}

func BenchmarkPNG(b *testing.B) {
	c := fourLines()
	for b.Loop() {
		if err := c.PNG(io.Discard, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestKey: names that a key would cut to one text keep what tells them apart, and a key is read in the order in
// which the lines end.
func TestKey(t *testing.T) {
	names := []string{
		"vLLM 0.10.1, tensor parallel 8, prefix caching, fp8", "vLLM 0.10.1, tensor parallel 8, prefix caching, bf16",
		"SGLang",
	}
	var got []string
	for _, row := range keyRows([]KeyItem{{Name: names[0]}, {Name: names[1]}, {Name: names[2]}}, 2400) {
		for _, k := range row {
			got = append(got, k.text)
		}
	}
	if want := []string{"…fp8", "…bf16", "SGLang"}; !slices.Equal(got, want) {
		t.Errorf("a narrow key has %q, want %q", got, want)
	}
	machines := []KeyItem{
		{Name: "8× B200, TensorRT 10.8"}, {Name: "8× B200, TensorRT 10.11"}, {Name: "8× H200, TensorRT 10.8"},
		{Name: "8× H200, TensorRT 10.11"},
	}
	got = nil
	for _, row := range keyRows(machines, 3400) {
		for _, k := range row {
			got = append(got, k.text)
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(got)))) != len(machines) ||
		!strings.HasPrefix(got[0], "8× B200") || !strings.HasSuffix(got[0], "…10.8") {
		t.Errorf("a narrow key has %q, want each name with its beginning and end", got)
	}
	var sweep []KeyItem
	for _, of := range []string{"1, capture 8192", "1, capture 16384", "1, capture 4096", "5, capture 8192"} {
		sweep = append(sweep, KeyItem{Name: "max-num-seqs 512, num-scheduler-step " + of})
	}
	for _, room := range []int{2600, 3400, 5000, 9000} {
		seen := map[string]bool{}
		for _, row := range keyRows(sweep, room) {
			for _, k := range row {
				seen[k.text] = true
			}
		}
		if len(seen) != len(sweep) {
			t.Errorf("with %d to spend, the key has %q, want a text for each of %d", room, slices.Sorted(maps.Keys(seen)),
				len(sweep))
		}
	}
	line := func(name string, ys ...float64) Series {
		s := Series{Name: name}
		for i, y := range ys {
			s.Points = append(s.Points, Point{X: float64(i + 1), Y: y})
		}
		return s
	}
	series := []Series{line("falls", 9, 1), line("none"), line("rises", 1, 5), line("first", 3, 7)}
	got = nil
	for _, k := range KeyOf(&Chart{Panels: []Panel{{Series: series}}}) {
		got = append(got, k.Name)
	}
	if want := []string{"first", "rises", "falls", "none"}; !slices.Equal(got, want) {
		t.Errorf("the key lists %q, want %q", got, want)
	}
}

// TestNearest: an axis from zero ends near the largest value, with three to five intervals.
func TestNearest(t *testing.T) {
	for _, c := range []struct {
		top  float64
		room int
		ends float64
		step float64
	}{
		{2060, 7, 2500, 500}, {2060, 3, 3000, 1000}, {2060, 2, 3000, 1000}, {1510, 7, 2000, 500}, {100, 7, 100, 25},
		{9.9, 7, 10, 2}, {52, 7, 60, 20}, {0.00213, 7, 0.0025, 0.0005}, {340000, 7, 400000, 100000}, {7, 3, 10, 5},
		{1e300, 7, 1e300, 2.5e299}, {1e-299, 7, 1e-299, 2.5e-300},
	} {
		_, h, st := nearest(0, c.top, false, c.room)
		if math.Abs(h-c.ends) > 1e-9*h || math.Abs(st-c.step) > 1e-9*st {
			t.Errorf("up to %g with room for %d: 0 to %g by %g, want %g by %g", c.top, c.room, h, st, c.ends, c.step)
		}
	}
}

// TestLadder: the axes that others draw with are those of this package, without a gap between them.
func TestLadder(t *testing.T) {
	l := NewLadder(6)
	for _, top := range []float64{0.00213, 3, 52, 97.3, 2060, 2500, 340000, 7.5e6} {
		i := slices.IndexFunc(l.Linear, func(row []any) bool { return row[0].(float64) >= top })
		s := newScale(&Axis{}, extent{hi: top, n: 1}, Linear, 3000, 7, true, true)
		want := []any{metric.Round12(s.max), labelTicks(s, nil)}
		for _, k := range s.ticks {
			want = append(want, k.label)
		}
		if i < 0 || !slices.Equal(l.Linear[i], want) {
			t.Errorf("up to %g: %v, want %v", top, l.Linear[i], want)
		}
	}
	if len(l.Linear) > 200 {
		t.Errorf("%d axes: more than a page should load", len(l.Linear))
	}
	if want := [2]any{1e3, "1\u202f000"}; l.Log[21] != want || l.Log[0][0] != ladderFrom {
		t.Errorf("logarithmic: %v to %v", l.Log[0], l.Log[21])
	}
	want := [3]string{"m-3 -3l6 0l0 6l-6 0z", "m-2 -2l4 0l0 4l-4 0z", "mk"}
	if l.Marks[1] != want || l.Marks[5][2] != "mk x" || !strings.Contains(l.Marks[0][0], "a3.4 3.4") {
		t.Errorf("marks: %q", l.Marks)
	}
}

func TestPNG(t *testing.T) {
	for _, dark := range []bool{false, true} {
		var b bytes.Buffer
		if err := waits().PNG(&b, Options{Size: Size{W: 400, H: 210}, Density: 1.5, Dark: dark,
			Titled: true}); err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Bounds().Size(); got.X != 600 || got.Y != 315 {
			t.Errorf("the image is %v, want 600x315", got)
		}
		colors := map[string]bool{}
		for y := range m.Bounds().Dy() {
			for x := range m.Bounds().Dx() {
				r, g, bl, _ := m.At(x, y).RGBA()
				colors[fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, bl>>8)] = true
			}
		}
		th := &light
		if dark {
			th = &darkTheme
		}
		for _, c := range []string{th.tokens["bg"], th.tokens["warn-bg"], th.series[1], th.series[2], th.series[3]} {
			if !colors[c] {
				t.Errorf("dark %v: colour %s is not in the image", dark, c)
			}
		}
	}
}

var darkTheme = dark

func TestErrors(t *testing.T) {
	for _, k := range []struct {
		name string
		c    Chart
		o    Options
	}{
		{"no panel", Chart{Title: "a"}, Options{}},
		{"too small", *throughput(), Options{Size: Size{W: 20, H: 20}}},
		{"too large", *throughput(), Options{Size: Size{W: 90000, H: 200}}},
	} {
		var b bytes.Buffer
		if err := k.c.SVG(&b, k.o); err == nil || b.Len() > 0 {
			t.Errorf("%s: error %v and %d bytes, want an error alone", k.name, err, b.Len())
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, k := range []struct {
		f    func(float64) string
		v    float64
		want string
	}{
		{number, 1460.4, "1\u202f460"}, {number, 0.0417, "0.0417"}, {number, 2e18, "2×10¹⁸"},
		{place, 38, "38"}, {place, 0.5, "0.500"}, {place, 1024, "1\u202f024"}, {place, -7, "−7"},
		{Seconds, 0.1, "100\u202fms"}, {Seconds, 10, "10\u202fs"}, {Seconds, 1.5, "1.50\u202fs"},
		{Seconds, 2.5e-5, "25\u202fµs"}, {Seconds, 0, "0\u202fs"}, {Seconds, 0.9999, "1.00\u202fs"},
		{exactTick, 0.0001, "0.0001"}, {exactTick, 100000, "100\u202f000"}, {exactTick, 1e-12, "10⁻¹²"},
	} {
		if got := k.f(k.v); got != k.want {
			t.Errorf("%g is written %q, want %q", k.v, got, k.want)
		}
	}
}

// TestTicks holds 3 to 8 round ticks inside the axis, on many ranges.
func TestTicks(t *testing.T) {
	r := noise(7)
	for range 20000 {
		lo, hi := math.Pow(10, r.next()*16-8), math.Pow(10, r.next()*16-8)
		if lo > hi {
			lo, hi = hi, lo
		}
		var e extent
		e.add(lo)
		e.add(hi)
		for _, kind := range []Scale{Linear, Log} {
			for _, zero := range []bool{true, false} {
				s := newScale(&Axis{}, e, kind, 3000, 6, zero, true)
				labelTicks(s, nil)
				if n := len(s.ticks); n < 3 || n > 8 {
					t.Fatalf("%v from %g to %g (zero %v): %d ticks: %v", kind, lo, hi, zero, n, s.ticks)
				}
				seen := map[string]bool{}
				for _, k := range s.ticks {
					if !s.holds(k.v) {
						t.Fatalf("%v from %g to %g: tick %g outside %v", kind, lo, hi, k.v, s)
					}
					if seen[k.label] {
						t.Fatalf("%v from %g to %g: label %q twice: %v", kind, lo, hi, k.label, s.ticks)
					}
					seen[k.label] = true
				}
				if !s.holds(lo) || !s.holds(hi) {
					t.Fatalf("%v: %g or %g outside %v", kind, lo, hi, s)
				}
			}
		}
	}
}

func TestBarsFit(t *testing.T) {
	if !BarsFit(tokens().Panels[0].Series) {
		t.Error("bars of 17 to 258 do not fit")
	}
	if BarsFit(waits().Panels[0].Series) {
		t.Error("bars of 0.13 to 61 fit")
	}
	if BarsFit([]Series{xy("a", 1, -2, 2, 3)}) {
		t.Error("a negative value fits")
	}
}

// TestShare: charts that share have equal ticks and equal plots.
func TestShare(t *testing.T) {
	tick := regexp.MustCompile(`<text class="[em]" x="[^"]*" y="[^"]*">[^<]*`)
	var first []string
	for i, c := range smallMultiples() {
		got := tick.FindAllString(quoted(draw(t, c, Options{Size: PanelSize})), -1)
		if i == 0 {
			first = got
		} else if d := cmp.Diff(first, got); d != "" {
			t.Errorf("chart %d has other ticks (-first +this):\n%s", i, d)
		}
	}
}

func TestText(t *testing.T) {
	for _, k := range []struct{ in, want string }{
		{"plain", "plain"}, {"a\n\tb", "a b"}, {"nul\x00", "nul�"}, {"\u202eevil", "evil"},
		{"עברית", "\u2068עברית\u2069"},
		{"bad\xff", "bad�"}, {"1\u202f024", "1\u202f024"},
	} {
		if got := clean(k.in); got != k.want {
			t.Errorf("clean(%q) = %q, want %q", k.in, got, k.want)
		}
	}
	long := strings.Repeat("é́", 300)
	if got, was := cut(long, 120, false, 500); !was || textWidth(got, 120, false) > 500 ||
		!strings.HasSuffix(got, "…") {
		t.Errorf("cut to %q", got)
	}
}

// TestWorth: two points, and points that are equal, are no drawing; a percentile over a line adds none.
func TestWorth(t *testing.T) {
	line := func(ys ...float64) Series {
		var s Series
		for i, y := range ys {
			s.Points = append(s.Points, Point{X: float64(i), Y: y})
		}
		return s
	}
	tail := line(7, 8)
	tail.NoLine = true
	for _, c := range []struct {
		name   string
		panels []Panel
		want   bool
	}{
		{"two points", []Panel{{Series: []Series{line(1, 2)}}}, false},
		{"two points and their tails", []Panel{{Series: []Series{line(1, 2), tail}}}, false},
		{"two points in each of two panels",
			[]Panel{{Series: []Series{line(1, 2)}}, {Series: []Series{line(3, 4)}}}, false},
		{"equal values", []Panel{{Series: []Series{line(5, 5, 5, 5)}}}, false},
		{"a value that is missing", []Panel{{Series: []Series{line(1, math.NaN(), 2)}}}, false},
		{"three points", []Panel{{Series: []Series{line(1, 2, 1)}}}, true},
		{"two lines of two points", []Panel{{Series: []Series{line(1, 2), line(2, 3)}}}, true},
	} {
		if got := (&Chart{Title: c.name, Panels: c.panels}).Worth(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A file of several charts has each of them, at the place that its link leads to, and tells what marks are only where
// it is asked to.
func TestStack(t *testing.T) {
	charts := []*Chart{
		{Title: "One", Panels: []Panel{{Series: []Series{{Name: "a", Points: []Point{{X: 1, Y: 2}, {X: 2, Y: 3}}}}}}},
		{Title: "Two & more", Panels: []Panel{{Series: []Series{{Name: "b", Points: []Point{{X: 1, Y: 5}, {X: 9, Y: 3}}}}}}},
	}
	for _, untold := range []bool{false, true} {
		var b bytes.Buffer
		if err := Stack(&b, charts, Options{Size: Wide, Titled: true, Untold: untold}); err != nil {
			t.Fatal(err)
		}
		ids, circles, titles := map[string]bool{}, 0, 0
		for d := xml.NewDecoder(&b); ; {
			token, err := d.Token()
			if err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			e, ok := token.(xml.StartElement)
			for _, a := range e.Attr {
				if a.Name.Local == "id" {
					ids[a.Value] = true
				}
			}
			switch {
			case ok && (e.Name.Local == "circle" || e.Name.Local == "path" && slices.Contains(e.Attr, xml.Attr{Name: xml.Name{Local: "class"}, Value: "mk"})):
				circles++
			case ok && e.Name.Local == "title":
				titles++
			}
		}
		want := len(charts)
		if !untold {
			want += circles
		}
		if len(ids) != len(charts) || !ids[StackID(0)] || !ids[StackID(1)] || circles != 4 || titles != want {
			t.Errorf("untold %v: ids %v, %d marks, %d titles, want %d", untold, ids, circles, titles, want)
		}
	}
}

// Marks without titles are one path in a file, each where it is when it has a path of its own.
func TestMarksOfFilesAreJoined(t *testing.T) {
	c := &Chart{Title: "Squares", Panels: []Panel{{Series: []Series{{Name: "a", Slot: 2,
		Points: []Point{{X: 1, Y: 2}, {X: 2, Y: 3}, {X: 7, Y: 1}, {X: 9, Y: 4}}}}}}}
	starts := func(untold bool) (at [][2]float64, paths int) {
		var b bytes.Buffer
		if err := c.SVG(&b, Options{Size: Wide, SelfContained: true, Untold: untold}); err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`<path class="mk" d="([^"]*)"`).FindAllStringSubmatch(b.String(), -1) {
			paths++
			x, y := 0.0, 0.0 // a square ends where it begins
			for _, move := range regexp.MustCompile(`[Mm](-?[\d.]+)[ ]?(-?[\d.]+)`).FindAllStringSubmatch(m[1], -1) {
				dx, _ := strconv.ParseFloat(move[1], 64)
				dy, _ := strconv.ParseFloat(move[2], 64)
				x, y = math.Round((x+dx)*10)/10, math.Round((y+dy)*10)/10
				at = append(at, [2]float64{x, y})
			}
		}
		return at, paths
	}
	told, many := starts(false)
	untold, one := starts(true)
	if many != 4 || one != 1 || !slices.Equal(told, untold) {
		t.Errorf("%d marks at %v became %d paths at %v", many, told, one, untold)
	}
}

// A picture has few colours, each close to what was drawn, on the ground of the theme.
func TestReduced(t *testing.T) {
	inks := []color.RGBA{{255, 255, 255, 255}, {22, 27, 34, 255}, {88, 96, 105, 255}, {29, 67, 155, 255}}
	img := image.NewRGBA(image.Rect(0, 0, 400, 64*len(inks)))
	for y := range img.Bounds().Dy() {
		for x := range 400 {
			c := inks[y/64]
			tone := color.NRGBA{c.R, c.G, c.B, 255}
			if x == 399 {
				tone.A -= uint8(4 * (y % 64)) // an edge
			}
			img.Set(x, y, tone)
		}
	}
	out := reduced(img)
	if len(out.Palette) > 100 { // 253 tones were drawn
		t.Errorf("%d colours, want no more than 100", len(out.Palette))
	}
	for y := range img.Bounds().Dy() {
		for _, x := range []int{0, 200, 398, 399} {
			drawn, got := img.RGBAAt(x, y), out.At(x, y).(color.RGBA)
			for _, c := range [][2]uint8{{drawn.R, got.R}, {drawn.G, got.G}, {drawn.B, got.B}} {
				if off := int(c[0]) + int(255-drawn.A) - int(c[1]); off < -15 || off > 15 { // over white
					t.Errorf("the pixel %d, %d is %v, far from %v over white", x, y, got, drawn)
				}
			}
		}
	}
}

// A chart of many points keeps the first, the last, the highest and the lowest of each line, at most so many more, the same
// places in all lines, and what an axis has no place for; one of few keeps all.
func TestThinned(t *testing.T) {
	for _, scale := range []Scale{Linear, Pow2} {
		var a, b []Point
		for i := 1; i <= 1000; i++ {
			y := 100.0
			switch i {
			case 337:
				y = 900
			case 771:
				y = 1
			}
			a, b = append(a, Point{X: float64(i), Y: y}), append(b, Point{X: float64(i), Y: 7})
		}
		a = append(a, Point{X: math.Inf(1), Y: 50})
		c := &Chart{Title: "many", X: Axis{Scale: scale}, Panels: []Panel{{Series: []Series{{Points: a}, {Points: b}}}}}
		got := c.Thinned(100).Panels[0].Series
		at := map[float64]bool{}
		for _, p := range got[0].Points {
			at[p.X] = true
		}
		for _, x := range []float64{1, 337, 771, 1000, math.Inf(1)} {
			if !at[x] {
				t.Errorf("scale %d: no point at %g", scale, x)
			}
		}
		for _, p := range got[1].Points {
			if !at[p.X] {
				t.Errorf("scale %d: %g in one line alone", scale, p.X)
			}
		}
		if n := len(got[0].Points); n > 105 || n < 60 {
			t.Errorf("scale %d: %d points", scale, n)
		}
		if len(c.Panels[0].Series[0].Points) != 1001 || c.Thinned(1001) != c {
			t.Errorf("scale %d: the chart itself is another one", scale)
		}
	}
	if got := Spread(Pow2, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, math.Inf(1)}, 3); !slices.Equal(got, []float64{0, 1, 2, 4, 8, math.Inf(1)}) {
		t.Errorf("got %v", got)
	}
}

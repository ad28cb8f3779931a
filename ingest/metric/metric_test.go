package metric

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLookup(t *testing.T) {
	seen := map[ID]bool{}
	for _, i := range All() {
		if seen[i.ID] {
			t.Errorf("%s is listed twice", i.ID)
		}
		seen[i.ID] = true
		if got, ok := Lookup(i.ID); !ok || got.ID != i.ID || got.Unit != i.Unit {
			t.Errorf("Lookup(%s) = %v, %v", i.ID, got, ok)
		}
	}
	if i, ok := Lookup("no_such"); ok || i.Label != "no_such" || i.Better != Neutral {
		t.Errorf("Lookup of an unknown name = %v, %v", i, ok)
	}
	ttft, _ := Lookup(TTFT)
	want := []string{"s", "ms", "TTFT", "Time to first token"}
	if got := []string{ttft.Unit, ttft.Shown, ttft.Label, ttft.Name}; !slices.Equal(got, want) {
		t.Errorf("TTFT is %q, want %q", got, want)
	}
	if i, _ := Lookup(Goodput); i.Shown != RequestsPerSecond || i.Name != "Goodput" {
		t.Errorf("what the row of goodput leaves out is %q and %q", i.Shown, i.Name)
	}
	All()[0].Label = "changed"
	if All()[0].Label == "changed" {
		t.Error("All gives away its own list")
	}
}

// TestConstants: each constant of a metric has a row in the table.
func TestConstants(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "metric.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	constants := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != "ID" {
			return true
		}
		for i, name := range spec.Names {
			id, err := strconv.Unquote(spec.Values[i].(*ast.BasicLit).Value)
			if _, listed := Lookup(ID(id)); err != nil || !listed {
				t.Errorf("%s has no row in the table", name.Name)
			}
			constants++
		}
		return true
	})
	if constants != len(All()) {
		t.Errorf("%d constants and %d rows", constants, len(All()))
	}
}

func TestToBase(t *testing.T) {
	for _, c := range []struct {
		metric ID
		v      float64
		unit   string
		want   float64
	}{
		{"ttft", 1479.3392439450447, "ms", 1479.3392439450447 / 1000},
		{"ttft", 3, "ms", 0.003},
		{"ttft", 1.5, "s", 1.5},
		{"itl", 250, "us", 0.00025},
		{"itl", 250, "µs", 0.00025},
		{"itl", 250, "μs", 0.00025},
		{"itl", 7, "ns", 7e-9},
		{"tpot", 12, "ms/token", 0.012},
		{"e2e_latency", 2, " Seconds ", 2},
		{"e2e_latency", 2, "min", 120},
		{"output_throughput", 10, "tok/s", 10},
		{"output_throughput", 10, "tokens/s", 10},
		{"output_throughput", 10, "t/s", 10},
		{"output_throughput", 10, "tokens/sec", 10},
		{"output_throughput", 10, "Tokens per second", 10},
		{"output_throughput", 10, "tokens_per_second", 10},
		{"output_throughput", 1.5, "ktok/s", 1500},
		{"request_throughput", 90, "req/min", 1.5},
		{"request_throughput", 90, "RPM", 1.5},
		{"request_throughput", 9, "requests per second", 9},
		{"kv_cache_usage", 95, "%", 0.95},
		{"kv_cache_usage", 95, "percent", 0.95},
		{"kv_cache_usage", 0.95, "fraction", 0.95},
		{"power", 300, "W", 300},
		{"power", 300000, "mW", 300},
		{"power", 0.3, "kW", 300},
		{"energy_per_token", 250, "mJ/token", 0.25},
		{"energy_per_token", 250, "mJ per token", 0.25},
		{"energy_per_token", 2, "MJ/tok", 2e6},
		{"energy_per_token", 2, "Joules per token", 2},
		{"power", 2, "MW", 2e6},
		{"kv_cache_usage", 95, "pct", 0.95},
		{"kv_cache_usage", 95, "PCT", 0.95},
	} {
		got, err := ToBase(c.metric, c.v, c.unit)
		if err != nil || got != c.want {
			t.Errorf("ToBase(%s, %v, %q) = %v, %v; want %v", c.metric, c.v, c.unit, got, err, c.want)
		}
	}
	for _, c := range []struct {
		metric     ID
		v          float64
		unit, want string
	}{
		{"ttft", 1, "furlong", `ttft: unknown unit "furlong": write one that converts to s`},
		{"ttft", 1, "", `ttft: unknown unit "": write one that converts to s`},
		{"energy_per_token", 1, "mj/tok", `energy_per_token: unknown unit "mj/tok": write one that converts to J/tok`},
		{"ttft", 1, "tokens", `ttft: unit "tokens" does not convert to s`},
		{"no_such", 1, "s", `unknown metric "no_such"`},
		{"output_throughput", math.MaxFloat64, "ktok/s",
			"output_throughput: 1.7976931348623157e+308 ktok/s is not a finite number"},
		{"ttft", math.NaN(), "s", "ttft: NaN s is not a finite number"},
	} {
		if _, err := ToBase(c.metric, c.v, c.unit); err == nil || err.Error() != c.want {
			t.Errorf("ToBase(%s, %v, %q): error %v, want %s", c.metric, c.v, c.unit, err, c.want)
		}
	}
	for u, want := range map[string]float64{"MiB": 1 << 20, "GiB": 1 << 30, "GB": 1e9, "kB": 1e3, "B": 1} {
		if v, base, err := Convert(1, u); err != nil || base != Bytes || v != want {
			t.Errorf("Convert(1, %q) = %v %s, %v", u, v, base, err)
		}
	}
}

// TestConversions holds the rule that a factor is a whole number of at least 1, to one side.
func TestConversions(t *testing.T) {
	for u, c := range conversions {
		whole := c.mul == math.Trunc(c.mul) && c.div == math.Trunc(c.div)
		if !slices.Contains(bases, c.base) || c.mul < 1 || c.div < 1 || c.mul != 1 && c.div != 1 || !whole {
			t.Errorf("%q: %+v", u, c)
		}
		if _, ok := conversions[strings.ToLower(u)]; ok && strings.ToLower(u) != u {
			t.Errorf("%q stands there in lower case too: its case does not decide", u)
		}
		if strings.ContainsAny(u, " ") || strings.Contains(u, "per") {
			t.Errorf("%q cannot be reached: spellings are without blanks, with / for per", u)
		}
	}
	for _, b := range bases { // tidy twice is tidy once
		if v, got, err := Convert(0.1, b); v != 0.1 || got != b || err != nil {
			t.Errorf("Convert(0.1, %q) = %v, %q, %v", b, v, got, err)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0"},
		{math.Copysign(0, -1), "0"},
		{math.NaN(), ""},
		{math.Inf(1), "inf"},
		{math.Inf(-1), "−inf"},
		{1, "1.00"},
		{0.001, "0.00100"},
		{0.000999, "< 0.001"},
		{-0.000999, "> −0.001"},
		{5e-324, "< 0.001"},
		{0.0123456, "0.0123"},
		{0.9996, "1.00"},
		{9.996, "10.0"},
		{19.011915821632254, "19.0"},
		{99.96, "100"},
		{139.51298266959685, "140"},
		{999.4, "999"},
		{999.5, "1 000"},
		{1479.3392439450447, "1 480"},
		{60121.90333198242, "60 100"},
		{115804, "116 000"},
		{123456789, "123 000 000"},
		{-1479.3, "−1 480"},
		{-0.5, "−0.500"},
		// Halves go away from zero, of the decimal and not of the binary number: as milliseconds and as seconds.
		{6165, "6 170"},
		{6.165, "6.17"},
		{-6.165, "−6.17"},
		{0.9995, "1.00"},
		{6164.999, "6 160"},
		{61.75 * 100.0 / 1000, "6.18"}, // 6.175, computed
	} {
		want := strings.ReplaceAll(c.want, " ", ThinSpace)
		if strings.HasPrefix(c.want, "<") || strings.HasPrefix(c.want, ">") {
			want = c.want
		}
		if got := Format(c.v); got != want {
			t.Errorf("Format(%v) = %q, want %q", c.v, got, want)
		}
	}
}

// A share has the same digits wherever it stands, and so has a number in any unit.
func TestOneRounding(t *testing.T) {
	percents := ScaleIn(Fraction, Percents)
	for v, want := range map[float64]string{0.00405: "0.41", 0.004: "0.40", 0.0005: "0.05", 0.00005: "0.00500",
		0.9057: "90.6", 0.00996: "1.00", 0.1235: "12.4"} {
		cell, text := percents.Format(v), strings.TrimSuffix(Percent(v), ThinSpace+"%")
		if column := percents.Column(numbers(v))[0]; cell != want || text != want || column != want {
			t.Errorf("%v: cell %q, sentence %q, column %q, want %q", v, cell, text, column, want)
		}
	}
	for n := 1000; n < 10000; n++ {
		in, of := strings.ReplaceAll(Format(float64(n)), ThinSpace, ""), Format(float64(n)/1000)
		if whole := strings.Replace(of, ".", "", 1) + "0"; in != whole && in != whole+"0" {
			t.Fatalf("%d ms is written as %s, in seconds as %s", n, in, of)
		}
	}
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{{0.25, 1, "0.3"}, {0.35, 1, "0.4"}, {-0.25, 1, "−0.3"}, {0.04, 1, "0.0"}, {-0.04, 1, "0.0"}, {0.5, 0, "1"},
		{0.4, 0, "0"}, {1234.5, 0, "1 235"}, {9.96, 1, "10.0"}, {0, 2, "0.00"}, {999.95, 1, "1 000.0"}, {3, 2, "3.00"}} {
		if got := Decimals(c.v, c.decimals); got != strings.ReplaceAll(c.want, " ", ThinSpace) {
			t.Errorf("Decimals(%v, %d) = %q, want %q", c.v, c.decimals, got, c.want)
		}
	}
}

func TestTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Exact(8612.585256187003), "8612.585256187003"},
		{Exact(1e21), "1000000000000000000000"},
		{Exact(123456789), "123456789"},
		{Exact(1e-7), "0.0000001"},
		{Exact(-2.5), "-2.5"},
		{Exact(math.Copysign(0, -1)), "0"},
		{Exact(math.NaN()), ""},
		{Exact(math.Inf(1)), "inf"},
		{Count(0), "0"},
		{Count(999), "999"},
		{Count(1015), "1\u202f015"},
		{Count(-1234567), "\u22121\u202f234\u202f567"},
		{Count(math.MinInt64), "\u22129\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808"},
		{Percent(0.9057), "90.6\u202f%"},
		{Percent(1), "100\u202f%"},
		{Percent(0), "0\u202f%"},
		{Percent(math.NaN()), ""},
		{Change(0.052), "+5.20\u202f%"},
		{Change(-1), "\u2212100\u202f%"},
		{Change(0), "0\u202f%"},
		{Ratio(1.7777), "1.78×"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func numbers(vs ...float64) []*float64 {
	out := make([]*float64, len(vs))
	for i, v := range vs {
		if !math.IsNaN(v) {
			out[i] = &v
		}
	}
	return out
}

func TestColumn(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		in   []*float64
		want []string
	}{
		{nil, []string{}},
		{numbers(nan, 1), []string{"", "1.00"}},
		{numbers(387.10, 384.74, 56.28), []string{"387", "385", "56.3"}},
		{numbers(387.10, 387.34, 56.28), []string{"387.1", "387.3", "56.3"}},
		{numbers(387.1, 387.1, 387.1), []string{"387", "387", "387"}},
		{numbers(1997.9, 2000.4), []string{"1\u202f998", "2\u202f000"}},
		{numbers(1.00000001, 1.00000002, 2), []string{"1.00000001", "1.00000002", "2.00"}},
		{numbers(0.0001, 0.0002), []string{"< 0.001", "< 0.001"}},
	} {
		if diff := cmp.Diff(c.want, Column(c.in)); diff != "" {
			t.Errorf("Column: %s", diff)
		}
	}
}

func TestScale(t *testing.T) {
	for _, c := range []struct {
		base   string
		in     []*float64
		unit   string
		column []string
		exact  string // of the first
	}{
		{Seconds, numbers(1479.3392439450447/1000, 0.1395, 0.1424), "ms", []string{"1\u202f480", "140", "142"},
			"1479.3392439450447"}, // as read, in ms
		{Seconds, numbers(1.5, 60, 90), "s", []string{"1.50", "60.0", "90.0"}, "1.5"},
		{Seconds, numbers(0.00025), "µs", []string{"250"}, "250"},
		{Seconds, numbers(600, 1200), "min", []string{"10.0", "20.0"}, "10"},
		{Fraction, numbers(0.5075), "%", []string{"50.8"}, "50.75"},
		{Bytes, numbers(32e9), "GB", []string{"32.0"}, "32"},
		{Bytes, numbers(1.5e6), "MB", []string{"1.50"}, "1.5"},
		{TokensPerSecond, numbers(123456.7), "tok/s", []string{"123\u202f000"}, "123456.7"},
		{Seconds, numbers(-0.0182), "ms", []string{"\u221218.2"}, "-18.2"},
	} {
		s := ScaleFor(c.base, c.in)
		if s.Unit != c.unit {
			t.Errorf("%s %v: unit %q, want %q", c.base, Exact(*c.in[0]), s.Unit, c.unit)
		}
		if diff := cmp.Diff(c.column, s.Column(c.in)); diff != "" {
			t.Errorf("%s: %s", c.base, diff)
		}
		if got := s.Format(*c.in[0]); got != c.column[0] {
			t.Errorf("Scale.Format = %q, want %q", got, c.column[0])
		}
		if got := s.Exact(*c.in[0]); got != c.exact {
			t.Errorf("Scale.Exact = %q, want %q", got, c.exact)
		}
	}
	if s := ScaleFor(Seconds, numbers(math.NaN())); s.Unit != Seconds || s.Of(2) != 2 {
		t.Errorf("scale of an empty column: %+v", s)
	}
}

func TestRound12(t *testing.T) {
	for _, c := range [][2]float64{
		{0.1 + 0.2, 0.3}, {1.23456789012345e300, 1.23456789012e300}, {-2.0 / 3, -0.666666666667},
		{0, 0}, {math.Inf(1), math.Inf(1)}, {math.MaxFloat64, 1.79769313486e308},
	} {
		if got := Round12(c[0]); got != c[1] {
			t.Errorf("Round12(%v) = %v, want %v", c[0], got, c[1])
		}
	}
}

// checkNumber holds what is true of every number as text.
func checkNumber(t *testing.T, v float64) {
	t.Helper()
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	s := Format(v)
	if strings.ContainsAny(s, "eE-") || strings.Contains(s, "NaN") {
		t.Errorf("Format(%v) = %q", v, s)
	}
	if !strings.Contains(s, "0.001") || math.Abs(v) >= 0.001 {
		plain := strings.NewReplacer(ThinSpace, "", Minus, "-").Replace(s)
		back, err := strconv.ParseFloat(plain, 64)
		if err != nil && math.Abs(v) < 1.79e308 {
			t.Errorf("Format(%v) = %q: %v", v, s, err)
		} else if d := math.Abs(back - v); err == nil && v != 0 && d > math.Abs(v)*0.0050001 {
			t.Errorf("Format(%v) = %q is off by more than half of the third digit", v, s)
		}
	}
	if back, err := strconv.ParseFloat(Exact(v), 64); err != nil || back != v {
		t.Errorf("Exact(%v) = %q reads back as %v", v, Exact(v), back)
	}
	if r := Round12(v); Round12(r) != r {
		t.Errorf("Round12 twice of %v: %v, then %v", v, r, Round12(r))
	}
	for _, sc := range []Scale{{}, {pow: 3}, {pow: 6}, {pow: 2}, {pow: -9}} {
		if strings.ContainsAny(sc.Exact(v), "e"+ThinSpace) {
			t.Errorf("%+v.Exact(%v) = %q", sc, v, sc.Exact(v))
		}
	}
	if ms, err := ToBase("ttft", v, "ms"); err == nil && ms != v/1000 {
		t.Errorf("%v ms = %v s", v, ms)
	}
}

func TestProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		checkNumber(t, math.Float64frombits(r.Uint64()))
		checkNumber(t, math.Exp(r.NormFloat64()*6)*float64(1-2*r.IntN(2)))
	}
	for range 500 { // different values of a column never look the same
		base := math.Exp(r.NormFloat64() * 5)
		vs := make([]float64, 2+r.IntN(8))
		for i := range vs {
			vs[i] = base * (1 + float64(r.IntN(50))/1e4)
		}
		texts := Column(numbers(vs...))
		for i := range vs {
			for j := range i {
				if (texts[i] == texts[j]) != (vs[i] == vs[j]) && math.Abs(vs[i]) >= 0.002 {
					t.Fatalf("column %v: %q", vs, texts)
				}
			}
		}
	}
}

func FuzzNumber(f *testing.F) {
	for _, v := range []float64{0, 1, -1, 999.5, 0.001, 1e21, 5e-324, math.MaxFloat64} {
		f.Add(v, "ms")
	}
	f.Fuzz(func(t *testing.T, v float64, u string) {
		checkNumber(t, v)
		if got, err := ToBase("ttft", v, u); err == nil && (math.IsNaN(got) || math.IsInf(got, 0)) {
			t.Errorf("ToBase(ttft, %v, %q) = %v", v, u, got)
		}
	})
}

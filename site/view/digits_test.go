package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// measuredText is a number with the unit of what was measured, or a difference.
var measuredText = regexp.MustCompile(`([+−]?)(\d{1,3}(?:\x{202f}\d{3})+|\d+)(\.\d+)?[\x{202f}\x{a0} ]` +
	`(tok/s|requests/s|ms|µs|s|min|GB|tokens|%)(?:[^\w/]|$)`)

// roundings are the texts of numbers that a page writes in two ways: "300 tok/s" and "300.0 tok/s". Shares have the
// digits of what they are of: limits and intervals are whole, so of percentages only differences count.
func roundings(text string) (out []string) {
	first := map[string]string{}
	for _, m := range measuredText.FindAllStringSubmatch(text, -1) {
		sign, whole, decimals, unit := m[1], m[2], m[3], m[4]
		if unit == "%" && sign == "" {
			continue
		}
		v, err := strconv.ParseFloat(strings.ReplaceAll(whole, "\u202f", "")+decimals, 64)
		if err != nil {
			continue
		}
		key := sign + strconv.FormatFloat(v, 'f', -1, 64) + " " + unit
		if was, seen := first[key]; seen && was != whole+decimals {
			out = append(out, was+" and "+whole+decimals+" "+unit)
			continue
		}
		first[key] = whole + decimals
	}
	return out
}

// exactCell is a number in a table with its exact value.
var exactCell = regexp.MustCompile(` title="(-?\d+\.\d+)"[^>]*>(?:<[^>]*>)*((?:[−<>] ?)?[\d.\x{202f}]+)<`)

// manyDigits are numbers with more digits than the three that measured ones have wherever they stand, and, in the
// tables, exact numbers that are written in two ways. Where a standard deviation sets the digits of its mean, the
// mean has them everywhere; what a finding or a published figure says in its own digits is quoted.
func manyDigits(text, markup, quoted string) (out []string) {
	for _, m := range measuredText.FindAllStringSubmatch(text, -1) {
		whole, decimals, unit := strings.ReplaceAll(m[2], "\u202f", ""), m[3], m[4]
		digits := strings.TrimLeft(strings.Replace(whole+decimals, ".", "", 1), "0")
		if decimals == "" {
			digits = strings.TrimRight(digits, "0")
		}
		measured := unit == "tok/s" || unit == "requests/s" || unit == "ms" || unit == "µs"
		if measured && len(digits) > 3 && !strings.Contains(text, m[2]+decimals+" ±") &&
			!strings.Contains(quoted, whole+decimals) {
			out = append(out, m[2]+decimals+" "+unit)
		}
	}
	first := map[string]string{}
	for _, m := range exactCell.FindAllStringSubmatch(markup, -1) {
		if was, seen := first[m[1]]; seen && was != m[2] {
			out = append(out, m[1]+" as "+was+" and "+m[2])
		}
		first[m[1]] = m[2]
	}
	return out
}

// quotations are what the findings of runs say, and figures as they were published.
func quotations(c *catalog.Catalog) string {
	var b strings.Builder
	for _, r := range c.Runs {
		for _, f := range r.Findings {
			fmt.Fprintln(&b, f.Message)
		}
		for _, f := range r.Figures {
			fmt.Fprintln(&b, f.Published)
		}
	}
	return b.String()
}

// chartTitle is what the mark of a chart says of its value.
var chartTitle = regexp.MustCompile(`<title>[^<]*</title>`)

// written are all words of a page: those of its view, and of its tables and charts.
func written(t *testing.T, p *page.Page) (text, markup string) {
	t.Helper()
	var all []string
	var walk func(v any)
	walk = func(v any) {
		switch x := v.(type) {
		case string:
			all = append(all, x)
		case []any:
			for _, e := range x {
				walk(e)
			}
		case map[string]any:
			if text, ok := x["text"].(string); ok { // a piece of a sentence
				all = append(all, text)
				return
			}
			for _, e := range x {
				walk(e)
			}
		}
	}
	b, err := json.Marshal(p.Params)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	walk(v)
	strip, tables, markup := visible(t, p)
	return strings.Join(all, "\n") + "\n" + strip + tables, markup
}

// chartTitles are what the marks of a page's charts say.
func chartTitles(t *testing.T, p *page.Page) string {
	t.Helper()
	var b bytes.Buffer
	for name, f := range p.Fragments {
		if strings.HasPrefix(name, "chart") {
			if err := f(&b); err != nil {
				t.Fatal(err)
			}
		}
	}
	return html.UnescapeString(strings.Join(chartTitle.FindAllString(b.String(), -1), "\n"))
}

// TestOneRounding reads the pages of a few models of the demonstration, and those of the samples of every format: a
// number that stands on a page twice, in a sentence, a table or a chart, has the same digits.
func TestOneRounding(t *testing.T) {
	c, err := catalog.Open(os.DirFS("../../data/catalog"))
	if err != nil {
		t.Fatal(err)
	}
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	several := regexp.MustCompile(`(?i)mistral-small-24b|phi-3-vision|llama-3-70b`)
	c.Runs = slices.DeleteFunc(c.Runs, func(r *catalog.Run) bool { return !several.MatchString(r.Identity.Model) })
	seen := map[string]int{}
	for i, g := range []*Site{New(figure.NewIndex(c, names), c, Options{Config: &settings.Config{}}), sampleSite(t)} {
		quoted := quotations(g.Catalog)
		for m, err := range g.Pages() {
			if err != nil {
				t.Fatal(err)
			}
			if _, is := m.Page.Params.(page.ReportView); !is {
				continue
			}
			seen[m.Page.Kind]++
			text, markup := written(t, m.Page)
			wrong := manyDigits(text+"\n"+chartTitles(t, m.Page), markup, quoted)
			if i == 0 { // samples have values that equal a limit, and this one none
				wrong = append(wrong, roundings(text)...)
			}
			for _, two := range wrong {
				t.Errorf("%s: %s", m.Page.Path, two)
			}
		}
	}
	if seen["card"] < 4 || seen["run"] < 12 || seen["compare"] < 4 {
		t.Errorf("too few pages were read: %v", seen)
	}
}

func TestRoundings(t *testing.T) {
	for text, want := range map[string]string{
		"300\u202ftok/s, then 300.0 tok/s":      "300 and 300.0 tok/s",
		"+5 % and +5.0 %":                       "5 and 5.0 %",
		"1\u202f300 tok/s and 1300 tok/s":       "1\u202f300 and 1300 tok/s",
		"5 % of 5.0 %, 300 tok/s of 300.0 ms":   "",
		"+5 % and −5.0 %":                       "",
		"20 tok/s and 20 tok/s and 20.1 tok/s.": "",
	} {
		if got := strings.Join(roundings(text), "; "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"105.4\u202ftok/s, 1\u202f234 ms, 105 tok/s":     "105.4 tok/s; 1\u202f234 ms",
		"141.75 tok/s; 141.75 ± 0.05":                    "",
		"as it says, 90.25 ms; 1\u202f230 ms, 0.0312 ms": "",
	} {
		if got := strings.Join(manyDigits(text, "", "it took 90.25 ms"), "; "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	cells := `<td title="105.42">105</td><td title="105.42"><a href="#x">105.4</a></td><td title="105.43">105</td>`
	if got := manyDigits("", cells, ""); len(got) != 1 {
		t.Errorf("%q, want the cell that has other digits", got)
	}
}

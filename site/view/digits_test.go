package view

import (
	"encoding/json"
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

// written are all words of a page: those of its view, and of its tables and charts.
func written(t *testing.T, p *page.Page) string {
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
	strip, tables, _ := visible(t, p)
	return strings.Join(all, "\n") + "\n" + strip + tables
}

// TestOneRounding reads the pages of a few models of the demonstration: a number that stands on a page twice has the
// same digits.
func TestOneRounding(t *testing.T) {
	c, err := catalog.Open(os.DirFS("../../data/catalog"))
	if err != nil {
		t.Fatal(err)
	}
	names, _ := settings.LoadNames(os.DirFS("../../data"))
	several := regexp.MustCompile(`(?i)mistral-small-24b|phi-3-vision|llama-3-70b`)
	c.Runs = slices.DeleteFunc(c.Runs, func(r *catalog.Run) bool { return !several.MatchString(r.Identity.Model) })
	seen := map[string]int{}
	for m, err := range New(figure.NewIndex(c, names), c, Options{Config: &settings.Config{}}).Pages() {
		if err != nil {
			t.Fatal(err)
		}
		if _, is := m.Page.Params.(page.ReportView); !is {
			continue
		}
		seen[m.Page.Kind]++
		for _, two := range roundings(written(t, m.Page)) {
			t.Errorf("%s: %s", m.Page.Path, two)
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
}

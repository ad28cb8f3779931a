//go:build e2e

package e2e

import (
	"bytes"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestCharts holds every chart of every page against the critical points of Chartability: it has a title and a summary
// in words, each value that is drawn stands in a table on the page or on one that the chart leads to, series are told
// apart by more than their colour, and the page says how sure its results are. What the keyboard reaches is held by
// TestPages and TestScripts.
func TestCharts(t *testing.T) {
	for _, c := range []*catalog{demonstration, example, corpus, field} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.need(t)
			held := &charts{catalog: c, numbers: map[string]map[string]bool{}}
			drawn := 0
			for _, p := range c.pages {
				faults, n := held.page(t, p.path)
				drawn += n
				for _, f := range faults {
					t.Errorf("%s: %s", p.path, f)
				}
			}
			if drawn < 50 {
				t.Errorf("%d charts: the test looks for something else", drawn)
			}
		})
	}
}

// charts holds the charts of a catalog's pages.
type charts struct {
	*catalog
	numbers map[string]map[string]bool // in the tables of a page, by its path
}

// sure is what a page says of certainty: by repetition, by an interval, by a spread, by what was completed, or that
// nothing of it is known.
var sure = regexp.MustCompile(`(?i)measured once|once each|one run|single|interval|±|quartile|percentile|standard deviation|repeat|sure|too few`)

// page says what is wrong with the charts of a page, each fault once, and how many charts there are.
func (c *charts) page(t *testing.T, name string) (faults []string, drawn int) {
	t.Helper()
	doc := c.parse(t, name)
	ids := map[string]*html.Node{}
	for n := range doc.Descendants() {
		if id := attribute(n, "id"); id != "" {
			ids[id] = n
		}
	}
	said := map[string]bool{}
	for svg := range doc.Descendants() {
		if svg.Type != html.ElementNode || svg.Data != "svg" || attribute(svg, "aria-hidden") == "true" {
			continue
		}
		drawn++
		for _, f := range c.chart(t, name, svg, ids) {
			if !said[f] {
				said[f] = true
				faults = append(faults, f)
			}
		}
	}
	if drawn > 0 && !sure.MatchString(words(doc)) {
		faults = append(faults, "has charts, and nothing says how sure they are")
	}
	return faults, drawn
}

// strip holds a row of marks in a cell of a table: its words say at which loads each limit is kept and broken, its marks
// differ in shape and not in colour, and its row leads to the numbers.
func strip(svg *html.Node) (faults []string) {
	fault := func(text string) { faults = append(faults, "a strip of loads "+text+": "+attribute(svg, "aria-label")) }
	if attribute(svg, "role") != "img" || !judgedLoads.MatchString(attribute(svg, "aria-label")) {
		fault("does not say in words what it draws")
	}
	row := svg.Parent
	for row != nil && row.Data != "tr" {
		row = row.Parent
	}
	if row == nil {
		fault("stands in no row")
		return faults
	}
	leads := false
	for n := range row.Descendants() {
		leads = leads || n.Data == "a" && strings.Contains(attribute(n, "href"), "#")
	}
	if !leads {
		fault("leads to no measured point")
	}
	colours, shapes := map[string]bool{}, map[string]bool{}
	for n := range svg.Descendants() {
		if n.Data == "g" {
			colours[attribute(n, "class")] = true
		}
		if n.Data == "path" {
			if shapes[attribute(n, "class")] {
				fault("draws two states alike")
			}
			shapes[attribute(n, "class")] = true
		}
	}
	if len(colours) > 1 {
		fault("has several colours")
	}
	return faults
}

// judgedLoads is what the words of a strip say of each limit.
var judgedLoads = regexp.MustCompile(`\S+ (kept|broken|not judged) at (\d|inf)`)

func (c *charts) chart(t *testing.T, page string, svg *html.Node, ids map[string]*html.Node) (faults []string) {
	t.Helper()
	figure := svg.Parent
	for figure != nil && figure.Data != "figure" {
		figure = figure.Parent
	}
	if figure == nil && slices.Contains(strings.Fields(attribute(svg, "class")), "strip") {
		return strip(svg)
	}
	if figure == nil {
		return []string{"a chart stands in no figure: " + attribute(svg, "aria-labelledby") + attribute(svg, "aria-label")}
	}
	at := "#" + attribute(figure, "id")
	fault := func(text string) { faults = append(faults, at+" "+text) }
	named := strings.Fields(attribute(svg, "aria-labelledby"))
	for _, id := range named {
		if ids[id] == nil || strings.TrimSpace(words(ids[id])) == "" {
			fault("is named by " + id + ", which says nothing")
		}
	}
	if attribute(svg, "role") != "img" || len(named) != 2 {
		fault("has no title and no summary")
	}
	caption := ""
	for n := range figure.Descendants() {
		if n.Data == "figcaption" {
			caption = strings.TrimSpace(words(n))
		}
	}
	if len(strings.Fields(caption)) < 3 {
		fault("has no caption that states a result")
	}
	series := map[string]bool{}
	looks := map[*html.Node]map[string]string{} // by the part of the drawing that they share
	for n := range svg.Descendants() {
		name := attribute(n, "data-n")
		if n.Data != "g" || name == "" {
			continue
		}
		if series[name] {
			fault("has two series named " + strconv.Quote(name))
		}
		series[name] = true
		if strings.Contains(name, "interval of the median") { // lies on the line of its series
			continue
		}
		if look := lookOf(n); look != "" {
			if looks[n.Parent] == nil {
				looks[n.Parent] = map[string]string{}
			}
			if other := looks[n.Parent][look]; other != "" {
				fault("tells " + strconv.Quote(other) + " and " + strconv.Quote(name) + " apart by colour alone: " + look)
			}
			looks[n.Parent][look] = name
		}
	}
	stated := maps.Clone(c.inTables(t, page))
	for n := range figure.Descendants() {
		if n.Data == "a" && strings.HasPrefix(words(n), "Data table") {
			to, _, _ := strings.Cut(attribute(n, "href"), "#")
			if to != "" {
				maps.Copy(stated, c.inTables(t, path.Join(path.Dir(page), to)))
			}
		}
	}
	missing := 0
	for n := range svg.Descendants() {
		if n.Data != "title" || n.Parent == svg {
			continue
		}
		text := words(n)
		_, value, ok := cutLast(text, ": ")
		if !ok {
			continue
		}
		value, _, _ = strings.Cut(value, "; ")
		value, _, _ = strings.Cut(value, " (")
		first := number.FindString(value)
		if first == "" {
			continue
		}
		if !isStated(stated, valueOf(first), strings.HasSuffix(value, "%")) {
			if missing++; missing == 1 {
				fault("draws what stands in no table that it leads to: " + text)
			}
		}
	}
	return faults
}

// lookOf is how a series of lines is drawn but for its colour.
func lookOf(series *html.Node) (look string) {
	for n := range series.Descendants() {
		class := " " + attribute(n, "class") + " "
		switch {
		case n.Data == "path" && strings.Contains(class, " ln "):
			if strings.Contains(class, " so ") {
				look += " solid"
			} else {
				look += " " + attribute(series, "class")
			}
		case strings.Contains(class, " mk ") && !strings.Contains(look, "mark"):
			look += " mark " + n.Data + strings.TrimLeft(attribute(n, "d"), "M0123456789.- ")
		}
	}
	return look
}

var number = regexp.MustCompile(`\d{1,3}(?:[\x{202f}\x{a0} ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`)

func valueOf(text string) float64 {
	v, _ := strconv.ParseFloat(strings.NewReplacer("\u202f", "", "\u00a0", "", " ", "").Replace(text), 64)
	return v
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

func share(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) + "%" }

// isStated reports whether a number that was drawn is among those of tables. A chart may have another unit of time
// than a table, a share below one per cent has two decimals, and what both rounded may differ in the last digit.
func isStated(stated map[string]bool, v float64, percent bool) bool {
	last := math.Pow(10, math.Floor(math.Log10(v))-2)
	for _, off := range []float64{0, -1, 1} {
		for _, unit := range []float64{1, 1000, .001} {
			if v == 0 && stated["0"] || stated[short((v+off*last)*unit)] {
				return true
			}
		}
		if percent && stated[share(v+off/100)] {
			return true
		}
	}
	return false
}

// inTables are the numbers in the tables of a page.
func (c *charts) inTables(t *testing.T, name string) map[string]bool {
	t.Helper()
	if known := c.numbers[name]; known != nil {
		return known
	}
	out := map[string]bool{}
	for table := range c.parse(t, name).Descendants() {
		if table.Data != "table" {
			continue
		}
		for cell := range table.Descendants() {
			if cell.Data == "td" || cell.Data == "th" {
				for _, n := range number.FindAllString(words(cell), -1) {
					v := valueOf(n)
					out[short(v)] = true
					if v < 1 {
						out[share(v)] = true
					}
				}
			}
		}
	}
	c.numbers[name] = out
	return out
}

func (c *charts) parse(t *testing.T, name string) *html.Node {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// words is the text of an element, its parts with a space between.
func words(n *html.Node) string {
	var parts []string
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			parts = append(parts, d.Data)
		}
	}
	return strings.Join(parts, " ")
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

package page

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/inferdex/inferdex/ingest/metric"
)

// Grid is a table on its way into a page: plain text in cells, escaped when written.
type Grid struct {
	// Caption is read by screen readers and names the scrolling region.
	Caption string
	// ID is the anchor of the table; empty where its section has one. With Link the caption is shown,
	// with a link to the anchor, which may be that of the disclosure the table is in.
	ID, Link string
	// Intro is a paragraph above the table: what is the same in all rows.
	Intro Parts
	// Class is added to "d": "compact", "fit". A "list" is a table where there is room for one; elsewhere each row is a
	// block whose values have the titles of their columns before them and their units behind them. Nothing is cut there,
	// and what is missing is left out, but for figures of a column that is in Front.
	Class  string
	Groups []Group // a row of headings above the columns; nil for most
	// Filter asks for a filter and for sorting where the script runs; tables of more than FilterRows
	// rows have them in any case.
	Filter  bool
	Columns []Column
	Rows    []Row
	// Parts are headings above rows that follow one another; nil for most. The rows of all parts are those of the table.
	Parts []RowGroup
}

// RowGroup is a heading above so many rows: what they have in common, with a muted note behind it.
type RowGroup struct {
	Title, Note string
	Rows        int
}

// Group is a heading over several columns. An empty title spans without a heading.
type Group struct {
	Title string
	Span  int
}

// Column is a heading: the unit stands below the title. Hidden titles are for screen readers.
type Column struct {
	Title, Unit string
	Num, Hidden bool
	// Front stands first in the blocks of a list, below the name and without its title: where something was measured,
	// and at the end of that line what came out.
	Front bool
	// Keep keeps a column of which no row has a value, because that is an answer too.
	Keep bool
	// Group is the heading above this column and its neighbours of the same group.
	Group string
	// Draw adds a mark below the title: the axis of the column's bars.
	Draw func(w io.Writer) error
	// Note is the title of the heading: in which unit it was recorded, how it is defined.
	Note string
	// Href makes the heading a link: to the same rows in the order of this column. Sorted says that they stand in it,
	// "ascending" or "descending".
	Href, Sorted string
}

// Row is a row with an anchor of its own where ID is set.
type Row struct {
	ID, Class string
	// Same says that the row is what the default is anyway: where the script runs, a switch beside
	// the filter hides such rows.
	Same  bool
	Cells []Cell
}

// Cell is one cell. The zero value is an empty cell.
type Cell struct {
	Text string
	// Sub is a second, smaller line; SubWarn sets it in amber.
	Sub     string
	SubWarn bool
	// Exact is the whole number behind a rounded one: the title of the cell.
	Exact string
	// Unit is that of this cell in the blocks of a list, where it is not what the unit of its column begins with.
	Unit string
	// Sort is the key that the script sorts the column by, a number or a text. Empty: the number in Exact,
	// else the number shown in a numeric column, else the text.
	Sort string
	Href string
	// Parts are pieces behind the link or text: further links with what stands beside them.
	Parts []Part
	// Note is muted text behind the link or text.
	Note  string
	Flag  string // amber flag behind the text
	ID    string
	Class string
	// Head makes the cell the heading of its row.
	Head bool
	Code bool
	// Soft lets names break behind underscores, slashes and hyphens where the column is narrow.
	Soft bool
	// Was is an older value, struck through before the text.
	Was string
	// Before and After draw a mark or a bar beside the text.
	Before, After func(w io.Writer) error

	label string // the title of the column, where the row may stand as a block
}

// Above moves columns of which all rows say the same to the paragraph above the table: numbers that are no more than they
// show, without links. Other columns stay.
func (t *Grid) Above(titles ...string) {
	if len(t.Rows) < 2 || t.Groups != nil {
		return
	}
	var said []string
	for _, title := range titles {
		i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Title == title })
		if i < 0 {
			continue
		}
		c := t.Rows[0].Cells[i]
		if c.Text == "" || c.Class == Missing("").Class || slices.ContainsFunc(t.Rows, func(r Row) bool {
			o := &r.Cells[i]
			return o.Text != c.Text || o.Sub != c.Sub || o.Class != c.Class || o.Exact != "" || o.Href != "" || o.SubWarn
		}) {
			continue
		}
		s := title + " " + c.Text
		if unit := t.Columns[i].Unit; c.Sub != "" {
			s += " " + c.Sub // it says what the unit does
		} else if unit != "" {
			s += " (" + unit + ")"
		}
		said = append(said, s)
		t.Columns = slices.Delete(t.Columns, i, i+1)
		for j := range t.Rows {
			t.Rows[j].Cells = slices.Delete(t.Rows[j].Cells, i, i+1)
		}
	}
	if said != nil {
		t.Intro = append(t.Intro, Text("In each row: "+strings.Join(said, ", ")+".")...)
	}
}

// list says whether the rows stand as blocks where there is no room for a table.
func (t *Grid) list() bool { return slices.Contains(strings.Fields(t.Class), "list") }

// Missing is the cell of a value that is not there: the reason in words, or a dot with words for
// a screen reader.
func Missing(reason string) Cell { return Cell{Text: reason, Class: "na"} }

// mostInList is how many columns of a list fit a desk screen: its cells end their lines.
const mostInList = 10

// FilterRows is how many rows a table has at most without a filter.
const FilterRows = 20

// Write writes the table in its scrolling region. What the script may do with it is said by its markup
// (assets/ts/table.ts): an empty div.tbar before the region keeps the place of the filter; data-filter on the table
// asks for it; data-same on a row and data-sort on a cell are the members Same and Sort. Cells and rows have no end tags,
// which HTML adds where the next one begins. A line ends within the tag of a row: behind it, it would be content of a cell.
func (t *Grid) Write(m *Markup) {
	filter := t.Filter || len(t.Rows) > FilterRows
	if t.Intro != nil {
		m.Raw("<p class=mut>")
		m.Sentence(t.Intro)
		m.Raw("</p>")
	}
	switch {
	case filter && slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Same }):
		m.Raw(`<div class="tbar two"></div>`) // on a phone the switch takes a second line
	case filter:
		m.Raw(FilterBar)
	}
	// Tables that a desk screen may not hold scroll in their own region on every screen; in the
	// others the head sticks to the window.
	if t.list() && len(t.Columns) > mostInList {
		m.Raw(`<div class="scroll flat always" role=region tabindex=0`)
	} else if t.list() {
		m.Raw(`<div class="scroll flat" role=region tabindex=0`)
	} else if len(t.Columns) > 7 && len(t.Rows) > 40 {
		m.Raw(`<div class="scroll always tall" role=region tabindex=0`)
	} else if len(t.Columns) > 7 {
		m.Raw(`<div class="scroll always" role=region tabindex=0`)
	} else {
		m.Raw(`<div class=scroll role=region tabindex=0`)
	}
	m.Attr("aria-label", t.Caption)
	m.Raw(`><table`)
	m.Attr("class", joinClass("d", t.Class))
	m.Attr("id", t.ID)
	if t.list() {
		m.Raw(` role=table`)
	}
	if filter {
		m.Raw(" data-filter")
	}
	if t.Link != "" {
		m.Raw("><caption>")
		m.place(t.Link, Escape(Glue(t.Caption)))
	} else {
		m.Raw(`><caption class=vh>`)
		m.Text(t.Caption)
	}
	m.Raw("</caption><thead>")
	t.writeHead(m)
	m.Raw("</thead>")
	rows := t.Rows
	for _, g := range t.Parts {
		m.Raw("<tbody>")
		t.writeGroup(m, g)
		for _, r := range rows[:g.Rows] {
			t.writeRow(m, r)
		}
		m.Raw("</tbody>")
		rows = rows[g.Rows:]
	}
	if t.Parts == nil {
		m.Raw("<tbody>")
		for _, r := range rows {
			t.writeRow(m, r)
		}
		m.Raw("</tbody>")
	}
	m.Raw("</table></div>")
}

// writeGroup writes the heading above some rows.
func (t *Grid) writeGroup(m *Markup, g RowGroup) {
	row, cell := "", ""
	if t.list() {
		row, cell = ` role=row`, ` role=rowheader`
	}
	m.Raw(`<tr class=part`, row, `><th scope=rowgroup`, cell, ` colspan=`, strconv.Itoa(len(t.Columns)), `>`)
	m.Text(g.Title)
	if g.Note != "" {
		m.Raw(" ")
		m.Elem("span", "mut", g.Note)
	}
}

// writeHead writes the headings of the columns, those of groups above them.
func (t *Grid) writeHead(m *Markup) {
	if t.Groups != nil {
		m.Raw(`<tr class=grp>`)
		for _, g := range t.Groups {
			switch {
			case g.Title == "" && g.Span == 1:
				m.Raw("<td>")
			case g.Title == "":
				m.Raw(`<td colspan=`, strconv.Itoa(g.Span), `>`)
			default:
				m.Raw(`<th scope=colgroup colspan=`, strconv.Itoa(g.Span), `><span>`)
				m.Text(g.Title)
				m.Raw("</span>")
			}
		}
	}
	m.Raw("<tr>")
	titles := t.titles()
	for i, c := range t.Columns {
		m.Raw(`<th scope=col`)
		if c.Num {
			m.Raw(` class=n`)
		}
		m.Attr("title", c.Note)
		m.Attr("aria-sort", c.Sorted)
		m.Raw(">")
		if c.Hidden {
			m.Elem("span", "vh", c.Title)
		} else {
			m.longWords, m.cell = longWord(titles[i]), true
			m.Link(c.Href, titles[i])
			m.longWords, m.cell = false, false
		}
		if c.Unit != "" {
			m.Raw(" ")
			m.Raw(`<span class=u>`)
			m.cell = true
			m.Text(c.Unit)
			m.cell = false
			m.Raw("</span>")
		}
		if c.Draw != nil {
			m.Draw(c.Draw)
		}
	}
}

// titles are those of the columns, cut where a series has a name of any length. Where some would become one text, or
// lose a part of a number, so that 15 would be read as 5, they have room for twice as much.
func (t *Grid) titles() []string {
	const most = 60
	of := map[string]string{} // by what is left of it
	wide := false
	for _, c := range t.Columns {
		short := Clip(c.Title, most)
		if other, ok := of[short]; ok && other != c.Title || cutsNumber(short) {
			wide = true
		}
		of[short] = c.Title
	}
	out := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = Clip(c.Title, most)
		if wide {
			out[i] = Clip(c.Title, 2*most)
		}
	}
	return out
}

// cutsNumber says whether a text was cut beside a digit.
func cutsNumber(short string) bool {
	before, after, cut := strings.Cut(short, "…")
	return cut && (strings.TrimRightFunc(before, unicode.IsDigit) != before ||
		strings.TrimLeftFunc(after, unicode.IsDigit) != after)
}

func (t *Grid) writeRow(m *Markup, r Row) {
	m.Raw("<tr\n")
	m.Attr("id", r.ID)
	m.Attr("class", r.Class)
	if t.list() {
		m.Raw(` role=row`)
	}
	if r.Same {
		m.Raw(" data-same")
	}
	m.Raw(">")
	for i, c := range r.Cells {
		if c.Head && r.ID != "" && c.Href == "" && c.Text != "" {
			// The anchor of a row is the link of its heading.
			c.Href, c.Class = "#"+r.ID, joinClass("self", c.Class)
		}
		num := i < len(t.Columns) && t.Columns[i].Num
		if t.list() {
			col := t.Columns[i]
			if c.label = col.Title; col.Front {
				c.Class = joinClass("front", c.Class)
			}
			if unit, _, _ := strings.Cut(col.Unit, ", "); !num || !endsInDigit(c.Text) {
				c.Unit = "" // none, or it stands in the text
			} else if c.Unit == "" {
				c.Unit = unit
			}
		}
		c.write(m, num)
	}
}

func endsInDigit(s string) bool { return strings.TrimRightFunc(s, unicode.IsDigit) != s }

// FilterBar keeps the line above a table for what the script puts there.
const FilterBar = `<div class=tbar></div>`

func (c *Cell) write(m *Markup, num bool) {
	class := c.Class
	if num {
		class = joinClass("n", class)
	}
	text := c.Text
	if isDay(text) {
		class = joinClass("day", class)
	}
	if strings.Contains(c.Class, "nw") {
		// What does not wrap must not be of any length.
		if text = Clip(text, 48); text != c.Text && c.Exact == "" {
			c.Exact = c.Text
		}
	}
	if c.words(longWord) {
		class = joinClass("lw", class)
		if c.words(solid) {
			class = joinClass("any", class)
		}
		m.longWords = true
		defer func() { m.longWords = false }()
	}
	if c.Head {
		m.Raw(`<th scope=row`)
	} else {
		m.Raw("<td")
	}
	m.Attr("id", c.ID)
	m.Attr("class", class)
	if !sameNumber(text, c.Exact) {
		m.Attr("title", c.Exact)
	}
	if !num || c.Sort != c.Exact {
		m.Attr("data-sort", c.Sort)
	}
	if c.label != "" {
		// Without quotation marks, which are a kilobyte of a page of lists.
		m.Raw(` role=`, map[bool]string{true: "rowheader", false: "cell"}[c.Head])
		if !c.Head {
			m.Attr("data-l", c.label)
			m.Attr("data-u", c.Unit)
		}
	}
	m.Raw(">")
	if c.Before != nil {
		m.Draw(c.Before)
	}
	if c.Was != "" {
		m.Raw("<del>")
		m.Text(c.Was)
		m.Raw("</del> ")
	}
	if text != "" || len(c.Parts) == 0 {
		c.writeText(m, text)
	}
	for _, p := range c.Parts {
		if p.Code {
			m.Elem("code", "", p.Text)
		} else {
			m.Link(p.Href, p.Text)
		}
	}
	if c.Note != "" {
		m.Raw(" ")
		m.Elem("span", "mut", c.Note)
	}
	if c.Flag != "" {
		m.Raw(" ")
		m.Elem("span", "flag", c.Flag)
	}
	if c.Sub != "" {
		if c.SubWarn {
			m.Elem("span", "sub warn", c.Sub)
		} else {
			m.Elem("span", "sub", c.Sub)
		}
	}
	if c.After != nil {
		m.Raw(" ")
		m.Draw(c.After)
	}
}

// words says whether any text of a cell is of a kind.
func (c *Cell) words(kind func(string) bool) bool {
	texts := []string{c.Text, c.Sub, c.Note, c.Flag}
	for _, p := range c.Parts {
		texts = append(texts, p.Text)
	}
	return slices.ContainsFunc(texts, kind)
}

// longWord says whether a text has a word that is longer than a narrow column: where the column is narrow, its line may
// end at separators within it. Other words never break: a number that is cut in two is read as another one.
func longWord(t string) bool { return longest(t) > 16 }

// solid says whether a text has a long word without separators, a digest: it alone breaks anywhere.
func solid(t string) bool { return longest(strings.Join(separated(Glue(t)), " ")) > 24 }

// longest is the length of the longest word of a text in runes.
func longest(t string) (most int) {
	n, before := 0, rune(0)
	for _, r := range Glue(t) {
		// A line may end at a space, and behind a hyphen before a letter.
		if r == ' ' || before == '-' && unicode.IsLetter(r) {
			n = 0
		}
		n++
		most, before = max(most, n), r
	}
	return most
}

// writeText writes the text of a cell: a link, code, a name that may break, or the sign of a value
// that is missing.
func (c *Cell) writeText(m *Markup, text string) {
	m.cell = true
	defer func() { m.cell = false }()
	missing := strings.TrimPrefix(c.Class, "front ") == "na"
	if missing && c.label != "" && c.Sub != "" && text != "" {
		m.Elem("span", "why", text)
		return
	}
	if text == "" && missing && !(c.Soft && c.Href == "") {
		m.Raw(`<span aria-hidden=true>·</span><span class=vh>not recorded</span>`)
		return
	}
	if c.Code {
		m.Raw("<code>")
		defer m.Raw("</code>")
	}
	if !c.Soft || c.Href != "" {
		m.Link(c.Href, text)
		return
	}
	for i, s := range softBreaks(text) {
		if i > 0 {
			m.Raw("<wbr>")
		}
		m.Text(s)
	}
}

// isDay says whether a text is a date alone: it does not wrap at its hyphens.
func isDay(s string) bool {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return false
	}
	return strings.Trim(s, "0123456789-") == ""
}

// sameNumber says whether what is shown is exact already: "2.00" is 2.
func sameNumber(shown, exact string) bool {
	if shown == exact {
		return true
	}
	a, err1 := strconv.ParseFloat(strings.ReplaceAll(shown, metric.ThinSpace, ""), 64)
	b, err2 := strconv.ParseFloat(exact, 64)
	return err1 == nil && err2 == nil && a == b
}

// softBreaks cuts a name where a line may end.
func softBreaks(s string) []string {
	var out []string
	for {
		i := strings.IndexAny(s, "_/")
		if i < 0 || i == len(s)-1 {
			return append(out, s)
		}
		out, s = append(out, s[:i+1]), s[i+1:]
	}
}

func joinClass(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}

// Swatch draws a small square in the colour of a class before a text.
func Swatch(class string) func(w io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w,
			`<svg class=sq viewBox="0 0 10 10" width=10 height=10 aria-hidden=true><rect class="`+class+`" width="10" height="10"/></svg>`)
		return err
	}
}

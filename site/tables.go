package site

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
)

// table is a large table on its way into a page: plain text in cells, escaped when written.
type table struct {
	// caption is read by screen readers and names the scrolling region.
	caption string
	// id is the anchor of the table; empty where its section has one. With link the caption is shown,
	// with a link to the anchor, which may be that of the disclosure the table is in.
	id, link string
	// class is added to "d": "compact", "fit".
	class  string
	groups []group // a row of headings above the columns; nil for most
	// filter asks for a filter and for sorting where the script runs; tables of more than filterRows
	// rows have them in any case.
	filter  bool
	columns []column
	rows    []row
}

// group is a heading over several columns. An empty title spans without a heading.
type group struct {
	title string
	span  int
}

// column is a heading: the unit stands below the title. Hidden titles are for screen readers.
type column struct {
	title, unit string
	num, hidden bool
	// draw adds a mark below the title: the axis of the column's bars.
	draw func(w io.Writer) error
	// note is the title of the heading: in which unit it was recorded, how it is defined.
	note string
}

// row is a row with an anchor of its own where id is set.
type row struct {
	id, class string
	// same says that the row is what the default is anyway: where the script runs, a switch beside
	// the filter hides such rows.
	same  bool
	cells []cell
}

// cell is one cell. The zero value is an empty cell.
type cell struct {
	text string
	// sub is a second, smaller line; subWarn sets it in amber.
	sub     string
	subWarn bool
	// exact is the whole number behind a rounded one: the title of the cell.
	exact string
	// sort is the key that the script sorts the column by, a number or a text. Empty: the number in exact,
	// else the number shown in a numeric column, else the text.
	sort string
	href string
	// note is muted text behind the link or text.
	note  string
	flag  string // amber flag behind the text
	id    string
	class string
	// head makes the cell the heading of its row.
	head bool
	code bool
	// soft lets names break behind underscores, slashes and hyphens where the column is narrow.
	soft bool
	// was is an older value, struck through before the text.
	was string
	// before and after draw a mark or a bar beside the text.
	before, after func(w io.Writer) error
}

// missing is the cell of a value that is not there: the reason in words, or a dot with words for
// a screen reader.
func missing(reason string) cell { return cell{text: reason, class: "na"} }

// fragment writes the table in its scrolling region.
func (t *table) fragment() Fragment { return fragment(t.write) }

// filterRows is how many rows a table has at most without a filter.
const filterRows = 20

// write writes the table. What the script may do with it is said by its markup (assets/ts/table.ts):
// an empty div.tbar before the region keeps the place of the filter; data-filter on the table asks
// for it; data-same on a row and data-sort on a cell are the members same and sort.
func (t *table) write(m *markup) {
	filter := t.filter || len(t.rows) > filterRows
	switch {
	case filter && slices.ContainsFunc(t.rows, func(r row) bool { return r.same }):
		m.raw(`<div class="tbar two"></div>`) // on a phone the switch takes a second line
	case filter:
		m.raw(filterBar)
	}
	// Tables that a desk screen may not hold scroll in their own region on every screen; in the
	// others the head sticks to the window.
	if len(t.columns) > 7 && len(t.rows) > 40 {
		m.raw(`<div class="scroll always tall" role="region" tabindex="0"`)
	} else if len(t.columns) > 7 {
		m.raw(`<div class="scroll always" role="region" tabindex="0"`)
	} else {
		m.raw(`<div class="scroll" role="region" tabindex="0"`)
	}
	m.attr("aria-label", t.caption)
	m.raw(`><table class="d`)
	if t.class != "" {
		m.raw(" ", t.class)
	}
	m.raw(`"`)
	m.attr("id", t.id)
	if filter {
		m.raw(" data-filter")
	}
	if t.link != "" {
		m.raw("><caption>")
		m.text(t.caption)
		m.raw(` <a class="pin" href="#`, escape(t.link), `" aria-label="Link to this table">#</a>`)
	} else {
		m.raw(`><caption class="vh">`)
		m.text(t.caption)
	}
	m.raw("</caption><thead>")
	if t.groups != nil {
		m.raw(`<tr class="grp">`)
		for _, g := range t.groups {
			switch {
			case g.title == "" && g.span == 1:
				m.raw("<td></td>")
			case g.title == "":
				m.raw(`<td colspan="`, itoa(g.span), `"></td>`)
			default:
				m.raw(`<th scope="colgroup" colspan="`, itoa(g.span), `"><span>`)
				m.text(g.title)
				m.raw("</span></th>")
			}
		}
		m.raw("</tr>")
	}
	m.raw("<tr>")
	for _, c := range t.columns {
		m.raw(`<th scope="col"`)
		if c.num {
			m.raw(` class="n"`)
		}
		m.attr("title", c.note)
		m.raw(">")
		if c.hidden {
			m.elem("span", "vh", c.title)
		} else {
			m.text(clip(c.title, 60)) // a series may have any name
		}
		if c.unit != "" {
			m.raw(" ")
			m.elem("span", "u", c.unit)
		}
		if c.draw != nil {
			m.draw(c.draw)
		}
		m.raw("</th>")
	}
	m.raw("</tr></thead><tbody>\n")
	for _, r := range t.rows {
		m.raw("<tr")
		m.attr("id", r.id)
		m.attr("class", r.class)
		if r.same {
			m.raw(" data-same")
		}
		m.raw(">")
		for i, c := range r.cells {
			if c.head && r.id != "" && c.href == "" && c.text != "" {
				// The anchor of a row is the link of its heading.
				c.href, c.class = "#"+r.id, joinClass("self", c.class)
			}
			num := i < len(t.columns) && t.columns[i].num
			c.write(m, num)
		}
		m.raw("</tr>\n")
	}
	m.raw("</tbody></table></div>")
}

// filterBar keeps the line above a table for what the script puts there.
const filterBar = `<div class="tbar"></div>`

func (c *cell) write(m *markup, num bool) {
	class := c.class
	if num {
		class = joinClass("n", class)
	}
	text := c.text
	if isDay(text) {
		class = joinClass("day", class)
	}
	if strings.Contains(c.class, "nw") {
		// What does not wrap must not be of any length.
		if text = clip(text, 48); text != c.text && c.exact == "" {
			c.exact = c.text
		}
	}
	tag := "td"
	if c.head {
		tag = "th"
		m.raw(`<th scope="row"`)
	} else {
		m.raw("<td")
	}
	m.attr("id", c.id)
	m.attr("class", class)
	if !sameNumber(text, c.exact) {
		m.attr("title", c.exact)
	}
	m.attr("data-sort", c.sort)
	m.raw(">")
	if c.before != nil {
		m.draw(c.before)
	}
	if c.was != "" {
		m.raw("<del>")
		m.text(c.was)
		m.raw("</del> ")
	}
	switch {
	case c.soft && c.href == "":
		if c.code {
			m.raw("<code>")
		}
		for i, s := range softBreaks(text) {
			if i > 0 {
				m.raw("<wbr>")
			}
			m.text(s)
		}
		if c.code {
			m.raw("</code>")
		}
	case text == "" && c.class == "na":
		m.raw(`<span aria-hidden="true">·</span><span class="vh">not recorded</span>`)
	case c.code:
		m.raw("<code>")
		m.link(c.href, text)
		m.raw("</code>")
	default:
		m.link(c.href, text)
	}
	if c.note != "" {
		m.raw(" ")
		m.elem("span", "mut", c.note)
	}
	if c.flag != "" {
		m.raw(" ")
		m.elem("span", "flag", c.flag)
	}
	if c.sub != "" {
		if c.subWarn {
			m.elem("span", "sub warn", c.sub)
		} else {
			m.elem("span", "sub", c.sub)
		}
	}
	if c.after != nil {
		m.raw(" ")
		m.draw(c.after)
	}
	m.raw("</", tag, ">")
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

// swatchSquare draws a small square in the colour of a class before a text.
func swatchSquare(class string) func(w io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, `<svg class="sq" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true"><rect class="`+class+`" width="10" height="10"/></svg>`)
		return err
	}
}

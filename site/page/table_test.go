package page

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/metric"
)

func TestTableOfColumns(t *testing.T) {
	type reading struct {
		name  string
		value *float64
	}
	v := 1.5
	tb := NewTable("Readings", "fit", []reading{{"a", &v}, {"b", nil}})
	tb.Each(func(i int, r reading, row *Row) { row.ID = r.name })
	tb.Col("Name", func(r reading) Cell { return Cell{Text: r.name, Head: true} })
	tb.Num("Nothing", "", func(reading) Cell { return Missing("") })
	tb.Num("Reason", "", func(reading) Cell { return Missing("not recorded") })
	scaled := Column{Title: "Value", Group: "Measured"}
	tb.Scaled(scaled, metric.Scale{}, []*float64{&v, nil}, func(i int, c *Cell) { c.Sub = "x" })
	g := tb.Done()
	var titles []string
	for _, c := range g.Columns {
		titles = append(titles, c.Title)
	}
	if len(titles) != 3 || titles[0] != "Name" || titles[1] != "Reason" || titles[2] != "Value" {
		t.Errorf("columns %q, want those that say something", titles)
	}
	if c := g.Rows[0].Cells[2]; c.Text != "1.50" || c.Sub != "x" || g.Rows[1].Cells[2].Class != "na" ||
		g.Rows[1].ID != "b" {
		t.Errorf("rows %+v", g.Rows)
	}
	if len(g.Groups) != 2 || g.Groups[0] != (Group{Span: 2}) || g.Groups[1] != (Group{Title: "Measured", Span: 1}) {
		t.Errorf("groups %+v", g.Groups)
	}
}

// What is the same in all rows is said once above a table, and what differs, leads somewhere or is rounded stays.
func TestAbove(t *testing.T) {
	of := func(rows ...Cell) *Grid {
		g := &Grid{Columns: []Column{{Title: "Load"}, {Title: "Completed", Unit: "of submitted"}}}
		for _, c := range rows {
			g.Rows = append(g.Rows, Row{Cells: []Cell{{Text: "1"}, c}})
		}
		g.Above("Nothing", "Completed")
		return g
	}
	g := of(Cell{Text: "20", Sub: "of 20"}, Cell{Text: "20", Sub: "of 20"})
	if want := "In each row: Completed 20 of 20."; len(g.Columns) != 1 || len(g.Rows[1].Cells) != 1 || g.Intro.HTML() != want {
		t.Errorf("%d columns below %q, want one below %q", len(g.Columns), g.Intro.HTML(), want)
	}
	for _, second := range []Cell{{Text: "19", Sub: "of 20"}, {Text: "20", Sub: "of 20", Exact: "20.4"}, {Text: "20", Sub: "of 20", Href: "#a"}} {
		if g := of(Cell{Text: "20", Sub: "of 20"}, second); len(g.Columns) != 2 || g.Intro != nil {
			t.Errorf("%+v is said above: %q", second, g.Intro.HTML())
		}
	}
	if g := of(Missing(""), Missing("")); len(g.Columns) != 2 {
		t.Error("what is missing is said above")
	}
}

// Headings of columns that differ only where they would be cut stay different, and no part of a number is left.
func TestHeadingsStayApart(t *testing.T) {
	const before, behind = "max-num-seqs 512, num-scheduler-step ", ", max-seq-len-to-capture 8192"
	tb := &Grid{}
	for _, step := range []string{"5", "15"} {
		tb.Columns = append(tb.Columns, Column{Title: before + step + behind})
	}
	for i, got := range tb.titles() {
		if want := tb.Columns[i].Title; got != want {
			t.Errorf("the heading %q became %q", want, got)
		}
	}
	tb.Columns = []Column{{Title: strings.Repeat("word ", 20) + "end"}, {Title: "b"}}
	if got := tb.titles(); len([]rune(got[0])) != 60 || got[1] != "b" {
		t.Errorf("long headings became %q", got)
	}
}

// The lengths of a workload stay on one line; between two versions a line may end.
func TestGlue(t *testing.T) {
	for text, want := range map[string]string{
		"with 1\u202f024 → 128 and ≤ 1 %":           "with 1\u202f024\u00a0→\u00a0128 and ≤\u00a01 %",
		"131\u202f072 → 16\u202f384":                "131\u202f072\u00a0→\u00a016\u202f384",
		"vLLM 0.6.5.dev964 → 0.9.0.2.dev108, 4 → 5": "vLLM 0.6.5.dev964\u00a0→ 0.9.0.2.dev108, 4\u00a0→\u00a05",
	} {
		if got := Glue(text); got != want {
			t.Errorf("Glue(%q) = %q, want %q", text, got, want)
		}
		if got := Glue(Glue(text)); got != want {
			t.Errorf("Glue twice of %q is %q, want %q", text, got, want)
		}
	}
}

// A table in several orders is one table each, with links to the others, headings that say how it is ordered, and
// headings above its rows. In the blocks of a list a number has its unit, and what is missing beside a second line only
// that.
func TestOrders(t *testing.T) {
	g := func(sorted string) *Grid {
		return &Grid{Caption: "Things", Class: "list",
			Columns: []Column{{Title: "Thing", Href: "#by-name"}, {Title: "Speed", Unit: "tok/s, best", Num: true, Front: true, Sorted: sorted},
				{Title: "Engine"}},
			Parts: []RowGroup{{Title: "Small", Note: "1 thing", Rows: 1}, {Title: "Large", Rows: 2}},
			Rows: []Row{{Cells: []Cell{{Text: "a", Head: true}, {Text: "5", Exact: "5"}, {Text: "not recorded", Class: "na", Sub: "tool"}}},
				{Cells: []Cell{{Text: "b", Head: true}, {Text: "6", Unit: "tok/s each"}, {Text: "x"}}},
				{Cells: []Cell{{Text: "c", Head: true}, {Text: "7 ms"}, {Text: "y"}}}}}
	}
	var b strings.Builder
	f := FragmentOf(func(m *Markup) {
		WriteOrders(m, []Order{{"by-speed", "speed", g("descending")}, {"by-name", "name", g("")}})
	})
	if err := f(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<div class=orders><div id=by-speed><nav`, `<span class=on aria-current=true>speed</span><li><a href=#by-name>name</a>`,
		`<th scope=col class=n aria-sort=descending>Speed`, `<th scope=col><a href=#by-name>Thing</a>`,
		`<tr class=part role=row><th scope=rowgroup role=rowheader colspan=3>Small <span class=mut>1 thing</span>`,
		`class="n front" role=cell data-l=Speed data-u=tok/s>5<`, `data-u="tok/s each">6<`, `data-l=Speed>7 ms<`,
		`<span class=why>not recorded</span><span class=sub>tool</span>`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	if n := strings.Count(b.String(), "<tbody>"); n != 4 {
		t.Errorf("%d bodies of tables, want one a heading", n)
	}
}

// Long words end their lines at separators; those without any break anywhere.
func TestLongWords(t *testing.T) {
	for text, want := range map[string]string{
		"multiprocessing":                    `<td>multiprocessing`,
		"latency|throughput|startup":         `<td class=lw>latency|<wbr>throughput|<wbr>startup`,
		"VLLM_WORKER=multiprocessing":        `<td class=lw>VLLM_<wbr>WORKER=<wbr>multiprocessing`,
		"0123456789abcdef0123456789abcdef&x": `<td class="any lw">0123456789abcdef0123456789abcdef&amp;x`,
	} {
		var b strings.Builder
		err := FragmentOf(func(m *Markup) { (&Cell{Text: text}).write(m, false) })(&b)
		if got := b.String(); err != nil || got != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}

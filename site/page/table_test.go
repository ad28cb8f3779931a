package page

import (
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

package trial

import (
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
)

// Table is what was measured under one workload: a row a measurement, as text for readers.
type Table struct {
	Title string   `json:"title"`
	Heads []Head   `json:"heads"`
	Rows  [][]Cell `json:"rows"`
}

// Head names a column and the unit of its numbers, "" where it has none.
type Head struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
}

// Cell is a value for readers and, behind it, all its digits in the unit of the column. The zero Cell is not recorded.
type Cell struct {
	Text  string `json:"text"`
	Exact string `json:"exact,omitempty"`
}

// tables are the measurements of a run, of each metric the one number that stands for it.
func tables(r *figure.Run) (list []Table) {
	for _, s := range r.Scenarios {
		rows := s.Measured
		t := Table{Title: s.Title, Heads: []Head{{Name: "Load"}}, Rows: make([][]Cell, len(rows))}
		for i, p := range rows {
			t.Rows[i] = []Cell{{Text: figure.LoadText(p)}}
		}
		for _, info := range metric.Shown(metric.Run) {
			t.columns(info, rows)
		}
		list = append(list, t)
	}
	return list
}

// columns adds a metric that any of the points has, with a column for each statistic that stands for it.
func (t *Table) columns(info metric.Info, points []*catalog.Point) {
	var stats []string
	values := map[string][]*float64{}
	for i, p := range points {
		v, stat, ok := figure.Central(p, info.ID)
		if !ok {
			continue
		}
		if values[stat] == nil {
			stats, values[stat] = append(stats, stat), make([]*float64, len(points))
		}
		values[stat][i] = &v
	}
	for _, stat := range stats {
		scale := metric.ScaleFor(info.Unit, values[stat])
		head := Head{Name: info.Label, Unit: scale.Unit}
		if stat != metric.Value {
			head.Name += " " + stat
		}
		t.Heads = append(t.Heads, head)
		for i, text := range scale.Column(values[stat]) {
			c := Cell{Text: text}
			if v := values[stat][i]; v != nil {
				c.Exact = scale.Exact(*v)
			}
			t.Rows[i] = append(t.Rows[i], c)
		}
	}
}

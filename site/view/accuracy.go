package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// accuracy is how well the model of a run answers, by the run itself or by runs of scores with the same model,
// precision and engine. Where nobody measured it, a fact says so.
func (d *draft) accuracy(r *figure.Run) {
	scores := d.g.Index.Scores(r)
	d.view.Facts = append(d.view.Facts, d.accuracyFact(scores))
	whole := slices.DeleteFunc(slices.Clone(scores), isPart)
	parts := slices.DeleteFunc(slices.Clone(scores), func(s figure.Scored) bool { return !isPart(s) })
	if len(scores) == 0 {
		return
	}
	blocks := []page.Block{d.table("accuracy", func() *page.Grid { return d.scoreTable("Accuracy", r, whole) })}
	if len(parts) > 0 {
		blocks = append(blocks,
			page.Block{Details: d.details("accuracy-parts", metric.Plural(len(parts), "part")+" of groups",
				func() *page.Grid {
					return d.scoreTable("Parts of groups of tasks", r, parts)
				})})
	}
	if slices.ContainsFunc(scores, func(s figure.Scored) bool { return s.By != r }) {
		text := "Measured in other runs of the same model, precision and engine"
		if slices.ContainsFunc(scores,
			func(s figure.Scored) bool { return (s.By.Engine.Version == "") != (r.Engine.Version == "") }) {
			text += "; of one side the version of the engine is not recorded"
		}
		blocks = append(blocks, page.Paragraph(text+"."))
	}
	d.section("accuracy", "Accuracy", blocks...)
}

func isPart(s figure.Scored) bool { return s.Score.Group != "" }

// accuracyFact is the first score, or that there is none.
func (d *draft) accuracyFact(scores []figure.Scored) page.Fact {
	f := page.Fact{Name: "Accuracy", Parts: page.Text("not recorded")}
	if len(scores) > 0 {
		text := scoreText(scores[0]) + ", " + scoreName(scores[0])
		f.Parts = []page.Part{{Text: text, Href: "#accuracy"}}
	}
	return f
}

// scoreName is what a score is of: "gsm8k, exact_match".
func scoreName(s figure.Scored) string { return s.Score.Task + ", " + s.Score.Metric }

// scoreText is a score with its standard error, where it has one, as headlines have it: "41.3 ± 1.4 %".
func scoreText(s figure.Scored) string {
	v, unit := figure.Headline{Value: s.Value, Std: s.Score.StdErr, Unit: s.Unit}.Text()
	if s.Metric == metric.Accuracy {
		return v + metric.ThinSpace + unit
	}
	return v
}

// scoredCell is a score of a table, with the exact number in its title.
func scoredCell(s figure.Scored) page.Cell {
	info, _ := metric.Lookup(s.Metric)
	scale := metric.ScaleFor(info.Unit, []*float64{s.Value})
	return page.Cell{Text: scoreText(s), Exact: scale.Exact(*s.Value)}
}

// scoreFacts are what tools record of how a score came about.
var scoreFacts = []struct {
	title string
	text  func(figure.Scored) string
}{
	{"Examples", func(s figure.Scored) string {
		if s.Score.Shots == nil {
			return ""
		}
		return strconv.FormatInt(*s.Score.Shots, 10) + "-shot"
	}},
	{"Questions", func(s figure.Scored) string {
		switch n, of := s.Score.Samples, s.Score.Whole; {
		case n == nil:
			return ""
		case of != nil && *of > *n:
			return metric.Count(*n) + " of " + metric.Count(*of)
		default:
			return metric.Count(*n)
		}
	}},
	{"Version", func(s figure.Scored) string { return s.Score.Version }},
}

// scoreTable are scores of a run and of others, a row each.
func (d *draft) scoreTable(caption string, r *figure.Run, scores []figure.Scored) *page.Grid {
	t := page.NewTable(caption, "", scores)
	t.Col("Task", func(s figure.Scored) page.Cell {
		sub := s.Score.Metric
		if s.Score.Filter != "" {
			sub += ", " + s.Score.Filter
		}
		return page.Cell{Text: s.Score.Task, Head: true, Sub: sub}
	})
	t.Num("Score", "", scoredCell)
	for _, c := range scoreFacts { // what no score records is no column
		if slices.ContainsFunc(scores, func(s figure.Scored) bool { return c.text(s) != "" }) {
			t.Text(c.title, "not recorded", c.text)
		}
	}
	if slices.ContainsFunc(scores, func(s figure.Scored) bool { return s.By != r }) {
		t.Col("Measured in", func(s figure.Scored) page.Cell {
			e, _ := EngineText(s.By.Engine)
			c := page.Cell{Text: "run " + s.By.ID, Href: d.Place.To(PathRun(s.By.ID), ""), Sub: e}
			if s.By == r {
				c.Text, c.Href = "this run", ""
			}
			return c
		})
	}
	t.Col("Source", func(s figure.Scored) page.Cell { return d.sourceCell(s.By, s.At) })
	return t.Done()
}

// taskKey tells scores of different questions apart: only equal ones stand in one column.
func taskKey(s figure.Scored) string {
	shots := ""
	if s.Score.Shots != nil {
		shots = strconv.FormatInt(*s.Score.Shots, 10) + "-shot"
	}
	return strings.Join([]string{s.Score.Task, s.Score.Metric, s.Score.Filter, shots, s.Score.Version}, "|")
}

// mostTasks is how many columns of scores a table has beside speeds.
const mostTasks = 4

// accuracyBeside is the speed of each entry of a model beside its scores: the tasks that most of them have. What
// nobody measured is told as such.
func (d *draft) accuracyBeside(es []entry, class string) {
	of := map[*figure.Run]map[string]figure.Scored{}
	first, count := map[string]figure.Scored{}, map[string]int{}
	var tasks []string
	for _, e := range es {
		of[e.run] = map[string]figure.Scored{}
		for _, s := range d.g.Index.Scores(e.run) {
			k := taskKey(s)
			if _, seen := of[e.run][k]; seen || isPart(s) {
				continue // the newest stands
			}
			of[e.run][k] = s
			if count[k]++; count[k] == 1 {
				tasks, first[k] = append(tasks, k), s
			}
		}
	}
	if len(tasks) == 0 {
		d.view.Facts = append(d.view.Facts, d.accuracyFact(nil))
		return
	}
	slices.SortStableFunc(tasks, func(a, b string) int { return cmp.Compare(count[b], count[a]) })
	tasks = tasks[:min(mostTasks, len(tasks))]
	var blocks []page.Block
	if f := d.speedByScore(resultsOf(es, class), of, first[tasks[0]]); f != nil {
		blocks = append(blocks, page.Block{Figure: f})
	}
	d.section("accuracy", "Speed and accuracy", append(blocks, d.table("accuracy", func() *page.Grid {
		speed := func(e entry) (float64, bool) {
			if _, p, _ := PeakOf(e.run); p != nil {
				return e.run.PerAccelerator(p)
			}
			return 0, false
		}
		es := slices.Clone(es)
		slices.SortStableFunc(es, func(a, b entry) int { // the fastest first, as in the ranking
			x, _ := speed(a)
			y, _ := speed(b)
			return cmp.Compare(y, x)
		})
		t := page.NewTable("Speed and accuracy", "list", es)
		t.Col("Hardware", func(e entry) page.Cell { return d.rankName(rankedEntry{entry: e}) })
		if slices.ContainsFunc(es, func(e entry) bool { _, p, _ := PeakOf(e.run); return p != nil }) {
			t.Add(page.Column{Title: "Peak output", Unit: "tok/s per accelerator", Num: true, Front: true},
				func(e entry) page.Cell {
					if v, ok := speed(e); ok {
						return page.Number(v, metric.Scale{})
					}
					return page.Missing("not recorded")
				})
		}
		if slices.ContainsFunc(es, func(e entry) bool { return e.run.Precision() != "" }) {
			t.Text("Precision", "not recorded", func(e entry) string { return e.run.Precision() })
		}
		for _, k := range tasks {
			s := first[k]
			title := scoreName(s)
			if s.Score.Shots != nil {
				title += ", " + strconv.FormatInt(*s.Score.Shots, 10) + "-shot"
			}
			t.Num(title, s.Score.Filter, func(e entry) page.Cell {
				s, ok := of[e.run][k]
				if !ok {
					return page.Missing("not recorded")
				}
				c := scoredCell(s)
				c.Href = d.Place.To(PathRun(s.By.ID), "accuracy")
				return c
			})
		}
		return t.Done()
	}))...)
}

// fewestScored is how many results need both a speed and a score to be drawn.
const fewestScored = 3

// speedByScore draws the throughput of one accelerator of results of one workload against their scores of a task, a
// series for each precision; nil where fewer than three have both. The others stand in the table alone.
func (d *draft) speedByScore(rs []result, of map[*figure.Run]map[string]figure.Scored,
	task figure.Scored) *page.Figure {
	x := chart.Axis{Title: scoreName(task)}
	factor := 1.0
	if task.Metric == metric.Accuracy {
		factor, x.Unit = 100, "%"
	}
	var series []chart.Series
	n := 0
	for _, r := range rs {
		s, scored := of[r.run][taskKey(task)]
		p, _, measured := r.scenario.Peak(metric.OutputThroughput)
		if !scored || !measured {
			continue
		}
		y, ok := r.run.PerAccelerator(p)
		if !ok {
			continue
		}
		name := cmp.Or(r.run.Precision(), "precision not recorded")
		i := slices.IndexFunc(series, func(s chart.Series) bool { return s.Name == name })
		if i < 0 {
			i = len(series)
			series = append(series, chart.Series{Name: name, Slot: i%9 + 1})
		}
		series[i].Points = append(series[i].Points,
			chart.Point{X: metric.Round12(*s.Value * factor), Y: y, Label: r.name})
		n++
	}
	if n < fewestScored {
		return nil
	}
	what := "Peak output throughput of one accelerator with " + rs[0].scenario.Title + ", by " + scoreName(task) +
		"; a mark for each result that has both. Where the accuracy is not recorded, a result stands in the " +
		"table alone."
	return d.figure("speed-by-score", claim.Plain("Speed against accuracy"), what, func() *chart.Chart {
		return &chart.Chart{Kind: chart.Scored, Title: "Output throughput per accelerator against " +
			scoreName(task), X: x,
			Panels: []chart.Panel{{Y: chart.Axis{Title: throughputTitle(true), Unit: "tok/s"}, Series: series}}}
	}, chart.Wide, chart.Narrow)
}

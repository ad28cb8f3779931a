package view

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
)

// rankValue is what an entry is ranked by: a measured peak, else published figures.
type rankValue struct {
	peak             float64
	p                *catalog.Point
	hasPeak          bool
	speed, ttft      *float64
	speedText        string
	ingestion, kv    figure.Headline
	hasIngest, hasKV bool
}

func rankOf(e entry, class string, load float64) rankValue {
	var v rankValue
	if s := e.run.Scenario(class); s != nil && class != "" {
		v.p, v.peak, v.hasPeak = s.Peak(metric.OutputThroughput)
		if p := s.At(load); p != nil {
			if x, _, ok := figure.SpeedPerUser(p); ok {
				v.speed = &x
			}
			if x, _, ok := figure.Central(p, metric.TTFT); ok {
				v.ttft = &x
			}
		}
	}
	for _, h := range e.run.SuiteHeadlines() {
		switch h.Name {
		case "prompt_ingestion_speed":
			v.ingestion, v.hasIngest = h, true
		case "kv_cache_tokens":
			v.kv, v.hasKV = h, true
		case "generation_speed_10_parallel":
			if v.speed == nil {
				v.speed, v.speedText = h.Value, strings.TrimSpace(h.Published)
				if h.Value != nil {
					v.speedText = ""
				}
			}
		}
	}
	return v
}

// ranking is the ranked table of some entries under one workload. what heads the column of names.
func (d *draft) ranking(es []entry, class string, sc *figure.Scenario, what, of string) {
	if len(es) == 0 {
		return
	}
	load := 0.0
	if sc != nil {
		k := &scoreClass{key: class, axis: sc.Axis, runs: map[*figure.Card]*figure.Run{}}
		for _, e := range es {
			if e.run.Scenario(class) != nil {
				k.runs[e.card] = e.run
			}
		}
		load = k.commonLoad()
	}
	values := make(map[*figure.Run]rankValue, len(es))
	anyPeak, anySpeed, anyTTFT, anyIngest, anyKV := false, false, false, false, false
	for _, e := range es {
		v := rankOf(e, class, load)
		values[e.run] = v
		anyPeak = anyPeak || v.hasPeak
		anySpeed = anySpeed || v.speed != nil || v.speedText != ""
		anyTTFT = anyTTFT || v.ttft != nil
		anyIngest = anyIngest || v.hasIngest
		anyKV = anyKV || v.hasKV
	}
	if !anyPeak && !anySpeed && !anyIngest && !anyKV {
		return
	}
	es = slices.Clone(es)
	speedOf := func(v rankValue) float64 {
		if v.speed != nil {
			return *v.speed
		}
		x, _ := publishedNumber(v.speedText)
		return x
	}
	slices.SortStableFunc(es, func(a, b entry) int {
		x, y := values[a.run], values[b.run]
		px, py := x.peak, y.peak
		if !x.hasPeak {
			px = -1
		}
		if !y.hasPeak {
			py = -1
		}
		return cmp.Or(cmp.Compare(py, px), cmp.Compare(speedOf(y), speedOf(x)), cmp.Compare(headlineValue(y.ingestion), headlineValue(x.ingestion)), cmp.Compare(a.name, b.name))
	})
	intro, title := "", "Ranked"
	switch {
	case anyPeak:
		intro = "By peak output throughput with " + sc.Title + "."
	case anySpeed:
		intro = "By speed per request at 10 parallel requests, 1" + metric.ThinSpace + "024 in and 128 out."
	default:
		intro = "By prompt ingestion speed."
	}
	intro += " One run each: no interval, so differences of a few per cent carry no claim."
	const mostRanked = 300 // a longer table is slow on a phone
	if n := len(es) - mostRanked; n > 0 {
		es = es[:mostRanked]
		intro += " The first " + itoa(mostRanked) + "; " + metric.Count(int64(n)) + " more are in the downloads."
	}
	if len(es) == 1 {
		title, intro = "At a glance", strings.TrimSuffix(strings.TrimPrefix(intro, "By "), " One run each: no interval, so differences of a few per cent carry no claim.")
		intro = strings.ToUpper(intro[:1]) + intro[1:]
	}
	d.section("ranked", title, page.Paragraph(intro), d.table("ranked", func() *page.Grid {
		t := &page.Grid{Caption: of + ", ranked", Class: "rank tight"}
		if len(es) > 1 {
			t.Columns = append(t.Columns, page.Column{Title: "Rank", Hidden: true, Num: true})
		}
		t.Columns = append(t.Columns, page.Column{Title: what})
		if anyPeak {
			t.Columns = append(t.Columns, page.Column{Title: "Peak output", Unit: "tok/s", Num: true})
			if len(es) > 1 {
				t.Columns = append(t.Columns, page.Column{Title: "Relative to best"})
			}
			t.Columns = append(t.Columns, page.Column{Title: "At", Unit: map[string]string{record.AxisConcurrency: "parallel", record.AxisRate: "req/s"}[sc.Axis], Num: true})
			t.Columns = append(t.Columns, page.Column{Title: "Per accelerator", Unit: "tok/s", Num: true})
		}
		at := ""
		if load > 0 {
			at = ", at " + rowLoad(load)
		} else if !anyPeak {
			at = ", at 10"
		}
		if anySpeed {
			t.Columns = append(t.Columns, page.Column{Title: "Speed per request", Unit: "tok/s" + at, Num: true})
		}
		bySpeed := anySpeed && !anyPeak && len(es) > 1
		if bySpeed {
			t.Columns = append(t.Columns, page.Column{Title: "Relative to best"})
		}
		tscale := metric.Scale{Unit: metric.Seconds}
		if anyTTFT {
			var vs []*float64
			for _, e := range es {
				vs = append(vs, values[e.run].ttft)
			}
			tscale = metric.ScaleFor(metric.Seconds, vs)
			t.Columns = append(t.Columns, page.Column{Title: "TTFT", Unit: tscale.Unit + at, Num: true})
		}
		if anyIngest {
			t.Columns = append(t.Columns, page.Column{Title: "Prompt ingestion", Unit: "tok/s", Num: true})
		}
		if anyKV {
			t.Columns = append(t.Columns, page.Column{Title: "KV cache", Unit: "tokens", Num: true})
		}
		best, bestSpeed := 0.0, 0.0
		for _, v := range values {
			best, bestSpeed = max(best, v.peak), max(bestSpeed, speedOf(v))
		}
		for i, e := range es {
			v := values[e.run]
			rw := page.Row{}
			if len(es) > 1 {
				rw.Cells = append(rw.Cells, page.Cell{Text: itoa(i + 1), Class: "mut"})
			}
			eng, versioned := EngineText(e.run.Engine)
			name := page.Cell{Text: e.name, Href: d.Place.To(page.PathCard(e.card.Slug), ""), Head: true, Sub: eng}
			if !versioned && eng != "" {
				name.Sub = eng + ", version not recorded"
			}
			if strings.Contains(e.name, e.run.Engine.Version) && versioned {
				name.Sub = ToolText(e.run)
			}
			rw.Cells = append(rw.Cells, name)
			if anyPeak {
				if !v.hasPeak {
					word := "other workload"
					if len(e.run.Points) == 0 {
						word = "figures only"
					}
					rw.Cells = append(rw.Cells, page.Missing(word))
					if len(es) > 1 {
						rw.Cells = append(rw.Cells, page.Cell{})
					}
					rw.Cells = append(rw.Cells, page.Cell{}, page.Missing(""))
				} else {
					c := page.Cell{Text: metric.Format(v.peak), Exact: metric.Exact(v.peak), Href: d.pointHref(e.run, e.run.Scenario(class), v.p)}
					if v.peak == best && len(es) > 1 {
						c.Class = "best"
					}
					if ratio, done, sent, ok := figure.Success(v.p); ok && ratio < 1 {
						c.Sub, c.SubWarn = metric.Count(done)+" of "+metric.Count(sent), true
					}
					rw.Cells = append(rw.Cells, c)
					if len(es) > 1 {
						rw.Cells = append(rw.Cells, shareCell(i%9+1, v.peak/best))
					}
					load := page.Cell{Text: figure.LoadText(v.p), Exact: infTitle(figure.LoadOf(v.p))}
					if e.run.Scenario(class).StillRising(metric.OutputThroughput) {
						load.Sub = "still rising"
					}
					rw.Cells = append(rw.Cells, load)
					if x, ok := e.run.PerAccelerator(v.p); ok {
						rw.Cells = append(rw.Cells, page.Cell{Text: metric.Format(x), Exact: metric.Exact(x)})
					} else {
						rw.Cells = append(rw.Cells, page.Missing("count not recorded"))
					}
				}
			}
			if anySpeed {
				switch {
				case v.speed != nil:
					rw.Cells = append(rw.Cells, page.Cell{Text: metric.Format(*v.speed), Exact: metric.Exact(*v.speed)})
				case v.speedText != "":
					rw.Cells = append(rw.Cells, page.Cell{Text: publishedShort(v.speedText), Exact: "published " + v.speedText, Sub: "published"})
				default:
					rw.Cells = append(rw.Cells, page.Missing(""))
				}
			}
			if bySpeed {
				if x := speedOf(v); x > 0 {
					rw.Cells = append(rw.Cells, shareCell(i%9+1, x/bestSpeed))
				} else {
					rw.Cells = append(rw.Cells, page.Cell{})
				}
			}
			if anyTTFT {
				if v.ttft != nil {
					rw.Cells = append(rw.Cells, page.Cell{Text: tscale.Format(*v.ttft), Exact: tscale.Exact(*v.ttft)})
				} else {
					rw.Cells = append(rw.Cells, page.Missing(""))
				}
			}
			if anyIngest {
				rw.Cells = append(rw.Cells, headlineRankCell(v.ingestion, v.hasIngest))
			}
			if anyKV {
				rw.Cells = append(rw.Cells, headlineRankCell(v.kv, v.hasKV))
			}
			t.Rows = append(t.Rows, rw)
		}
		return t
	}))
}

// shareCell is a bar with the share of the best as a percentage.
func shareCell(slot int, share float64) page.Cell {
	return page.Cell{Before: func(w io.Writer) error { return chart.HBar(w, slot, share) }, Text: " " + itoa(int(math.Round(share*100))) + metric.ThinSpace + "%", Class: "nw"}
}

func numberCell(v float64, ok bool, scale metric.Scale) page.Cell {
	if !ok {
		return page.Missing("")
	}
	return page.Cell{Text: scale.Format(v), Exact: scale.Exact(v)}
}

package view

import (
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// MaxInline bounds the raw records on one page, in bytes of text. Larger runs get pages of their
// own below the run, each within the bound.
const MaxInline = 64 << 10

// rawSet says where a run's raw records stand. It holds places and sizes, not the records:
// those are read again when their page is written.
type rawSet struct {
	records int
	bytes   int
	chunks  []rawChunk // nil where all stand on the run's page
}

// rawChunk is the records from one index to another on a page of their own.
type rawChunk struct {
	path     string
	title    string
	from, to int
	bytes    int
}

// Raw reads a run's raw records that have something to show.
func (g *Site) Raw(id string) ([]catalog.RawRecord, error) {
	if g.Catalog == nil || g.Catalog.Raw == nil {
		return nil, nil
	}
	return g.rawCache.get(id, func() ([]catalog.RawRecord, error) {
		all, err := g.Catalog.Raw(id)
		if err != nil {
			return nil, err
		}
		var out []catalog.RawRecord
		for _, r := range all {
			if len(r.Raw) > 0 && string(r.Raw) != "null" {
				r.Record = nil // what merging works from: nobody reads it here
				out = append(out, r)
			}
		}
		if len(out) == 0 {
			// Rows of a table and pages have no JSON of their own: what was read from them stands
			// for them.
			for _, r := range all {
				r.Raw, r.Record = r.Record, nil
				out = append(out, r)
			}
		}
		return out, nil
	})
}

// rawRecords measures a run's raw records and divides them over pages where they are large:
// records of one kind and file stand together, in their order.
func (g *Site) rawRecords(r *figure.Run) (*rawSet, error) {
	records, err := g.Raw(r.ID)
	if err != nil {
		return nil, err
	}
	s := &rawSet{records: len(records)}
	for i := range records {
		s.bytes += shownSize(&records[i])
	}
	if s.bytes <= MaxInline {
		return s, nil
	}
	titles := pointTitles(r)
	c := rawChunk{}
	for i := range records {
		n, t := shownSize(&records[i]), chunkTitle(titles, &records[i])
		if i > c.from && (c.bytes+n > MaxInline || t != c.title) {
			c.to = i
			s.chunks = append(s.chunks, c)
			c = rawChunk{from: i}
		}
		c.title = t
		c.bytes += n
	}
	c.to = len(records)
	s.chunks = append(s.chunks, c)
	// Many small groups are one page as long as they fit.
	merged := s.chunks[:0]
	for _, c := range s.chunks {
		if n := len(merged); n > 0 && merged[n-1].bytes+c.bytes <= MaxInline {
			last := &merged[n-1]
			if last.title != c.title {
				last.title = ""
			}
			last.to, last.bytes = c.to, last.bytes+c.bytes
			continue
		}
		merged = append(merged, c)
	}
	s.chunks = merged
	for i := range s.chunks {
		s.chunks[i].path = PathRun(r.ID) + "/records-" + itoa(i+1)
	}
	return s, nil
}

// pointTitles names the scenario of the record at a place.
func pointTitles(r *figure.Run) map[catalog.Place]string {
	m := map[catalog.Place]string{}
	for _, s := range r.Scenarios {
		for _, p := range s.Measured {
			m[p.At] = s.Title
		}
	}
	return m
}

func chunkTitle(titles map[catalog.Place]string, r *catalog.RawRecord) string {
	if t, ok := titles[catalog.Place{Source: r.Source, Line: r.Line, Col: r.Col}]; ok {
		return t
	}
	return "other records"
}

// shownSize is what a record takes on a page: one that is larger than the bound is cut.
func shownSize(r *catalog.RawRecord) int { return min(len(r.Raw), MaxInline) + 1 }

// writeRaw writes records one a line.
func writeRaw(m *page.Markup, records []catalog.RawRecord) {
	m.Raw(`<pre class="raw" tabindex="0">`)
	for i := range records {
		s := records[i].Raw
		if len(s) > MaxInline {
			cut := MaxInline - 200
			for cut > 0 && !utf8.RuneStart(s[cut]) {
				cut--
			}
			m.Text(string(s[:cut]))
			m.Text("… cut after " + sizeText(int64(cut)) + " of " + sizeText(int64(len(s))) + ": the download has all of it")
		} else {
			m.Text(string(s))
		}
		m.Raw("\n")
	}
	m.Raw("</pre>")
}

// rawSection is the last section of a run's page: downloads, and the records themselves
// collapsed or as links to their pages.
func (d *draft) rawSection(r *figure.Run, raw *rawSet) {
	base := PathRun(r.ID)
	links := page.Linked("run.json", d.File(base+"/run.json"))
	if len(r.Points) > 0 {
		links = append(links, page.Part{Text: ", "}, page.Part{Text: "points.csv.gz", Href: d.File(base + "/points.csv.gz")})
	}
	blocks := []page.Block{{}}
	if raw != nil && raw.records > 0 {
		links = append(links, page.Part{Text: ", "},
			page.Part{Text: "records.jsonl.gz", Href: d.File(base + "/records.jsonl.gz")}, page.Part{Text: " (" +
				metric.Plural(raw.records, "record") + ", " + sizeText(int64(raw.bytes)) + ")"})
		links = append(links, page.Part{Text: ". Prompts and generated texts are not published; long arrays are summarised."})
		if raw.chunks == nil {
			name := d.fragment("raw", func(m *page.Markup) {
				records, err := d.g.Raw(r.ID)
				if err != nil {
					m.Err = err
					return
				}
				writeRaw(m, records)
			})
			blocks = append(blocks, page.Block{Details: &page.Details{Summary: metric.Plural(raw.records, "record") +
				", one a line", Fragment: name}})
		} else {
			var list [][]page.Part
			for _, c := range raw.chunks {
				list = append(list, page.Linked(c.name(), d.Place.To(c.path, "")).Text(", "+sizeText(int64(c.bytes))))
			}
			blocks = append(blocks, page.Block{List: list})
		}
	} else {
		links = append(links, page.Part{Text: ". The records that this run was read from are not in the catalog."})
	}
	blocks[0] = page.Block{Text: links}
	d.section("raw", "Raw records", blocks...)
}

func (c rawChunk) name() string {
	s := "Records " + itoa(c.from+1) + " to " + itoa(c.to)
	if c.to == c.from+1 {
		s = "Record " + itoa(c.to)
	}
	if c.title != "" {
		s += ", " + c.title
	}
	return s
}

// rawPages are the pages of raw records that are too large for the run's own page.
func (g *Site) rawPages(r *figure.Run, raw *rawSet) []*draft {
	var out []*draft
	for _, c := range raw.chunks {
		title := r.Card.Title() + ", run " + r.ID + ": " + c.name()
		d := g.draft(c.path, "records", "models", title, c.name()+" of run "+r.ID+", as they were read.")
		d.view.Heading = c.name()
		d.view.Crumbs = append(d.crumbsTo(r), page.Link{Text: "run " + r.ID, Href: d.Place.To(PathRun(r.ID), "raw")},
			page.Link{Text: c.name()})
		d.view.Lede = page.Text("As they were read, one a line. Prompts and generated texts are not published; long " +
			"arrays are summarised.")
		name := d.fragment("raw", func(m *page.Markup) {
			records, err := g.Raw(r.ID)
			if err != nil {
				m.Err = err
				return
			}
			writeRaw(m, records[min(c.from, len(records)):min(c.to, len(records))])
		})
		d.section("records", "Records", page.Block{Table: name})
		out = append(out, d.done())
	}
	return out
}

// sizeText writes a size in bytes as people read it.
func sizeText(n int64) string {
	v := float64(n)
	s := metric.ScaleFor(metric.Bytes, []*float64{&v})
	if s.Unit == metric.Bytes {
		return metric.Count(n) + metric.ThinSpace + "B"
	}
	return s.Format(v) + metric.ThinSpace + s.Unit
}

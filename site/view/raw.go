package view

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"path"
	"slices"
	"sync"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// MaxInline bounds the raw records that stand as text on the page of a run, or packed on that of its card where that has
// no other, in bytes of text. Those of larger runs are packed in scripts, which the page unpacks where a reader asks for
// them, and in a download.
const MaxInline = 4 << 10

// rawSet says how many raw records a run has and how large they are. It does not hold them:
// they are read again when they are written.
type rawSet struct {
	records, bytes, parts int
	// packed is how large they are when packed, in bytes; 0 where they are larger than what a page shows.
	packed int
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

// rawRecords measures a run's raw records, once.
func (g *Site) rawRecords(r *figure.Run) (*rawSet, error) {
	if s, ok := g.rawSets.Load(r.ID); ok {
		return s.(*rawSet), nil
	}
	records, err := g.Raw(r.ID)
	if err != nil {
		return nil, err
	}
	s := &rawSet{records: len(records)}
	for i := range records {
		s.bytes += len(records[i].Raw) + 1
	}
	if s.bytes > MaxInline {
		s.parts = len(RawParts(records))
	}
	if s.bytes <= maxShown {
		s.packed = packedSize(records)
	}
	g.rawSets.Store(r.ID, s)
	return s, nil
}

// maxPart bounds the records of one script that a browser unpacks, in bytes of text.
const maxPart = 1 << 20

// RawParts divides the raw records of a run into those of one script each. A run whose records
// stand on its page has none.
func RawParts(records []catalog.RawRecord) [][]catalog.RawRecord {
	var parts [][]catalog.RawRecord
	from, bytes, all := 0, 0, 0
	for i := range records {
		n := len(records[i].Raw) + 1
		if i > from && bytes+n > maxPart {
			parts = append(parts, records[from:i])
			from, bytes = i, 0
		}
		bytes, all = bytes+n, all+n
	}
	if all <= MaxInline {
		return nil
	}
	return append(parts, records[from:])
}

// PathRecords is the script with a part of a run's raw records; the first is 0.
func PathRecords(id string, part int) string {
	return PathRun(id) + "/records-" + itoa(part+1) + ".js"
}

// writeRaw writes records one a line.
func writeRaw(m *page.Markup, records []catalog.RawRecord) {
	m.Raw(`<pre class=raw tabindex=0>`)
	for i := range records {
		m.Records(string(records[i].Raw))
		m.Raw("\n")
	}
	m.Raw("</pre>")
}

// What the page of a card or a model holds of the raw records of its runs: so many bytes in all as text and when
// each is packed. What is beyond is loaded where a reader opens it.
const (
	maxShown       = 200 << 10
	maxShownPacked = 50 << 10
	mostRawRuns    = 60
)

// packers are used again: one takes longer to make than to pack a few records.
var packers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// packedSize is how large records are when packed.
func packedSize(records []catalog.RawRecord) int {
	var n counter
	z := packers.Get().(*gzip.Writer)
	defer packers.Put(z)
	z.Reset(&n)
	for i := range records {
		z.Write(records[i].Raw)
		z.Write([]byte("\n"))
	}
	z.Close()
	return int(n)
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// held are the raw records of several runs that their page has packed: one after the other, because runs of a model have
// nearly all words in common.
type held struct {
	text    bytes.Buffer // gzip in base64
	base64  io.WriteCloser
	gzip    *gzip.Writer
	records int
}

// add packs the records of a run and says in which lines of the text they stand.
func (h *held) add(records []catalog.RawRecord) (lines string) {
	if h.gzip == nil {
		h.base64 = base64.NewEncoder(base64.StdEncoding, &h.text)
		h.gzip = packers.Get().(*gzip.Writer)
		h.gzip.Reset(h.base64)
	}
	for i := range records { // a buffer takes all
		h.gzip.Write(records[i].Raw)
		h.gzip.Write([]byte("\n"))
	}
	from := h.records
	h.records += len(records)
	return itoa(from) + "-" + itoa(h.records)
}

// packed is what was packed, "" for nothing.
func (h *held) packed() string {
	if h.gzip != nil {
		h.gzip.Close()
		h.base64.Close()
		packers.Put(h.gzip)
	}
	return h.text.String()
}

// rawOfRuns is the last section of a page with several runs: the records of each, collapsed. A script unpacks them: as
// text they were a tenth of a card and a fifth of a model, which few readers open.
func (d *draft) rawOfRuns(runs []*figure.Run) {
	if len(runs) == 0 {
		return
	}
	more := len(runs) - mostRawRuns
	runs = runs[:min(len(runs), mostRawRuns)]
	name := d.fragment("raw", func(m *page.Markup) {
		text, packed := 0, 0
		var within held
		sets, lines := make([]*rawSet, len(runs)), make([]string, len(runs))
		for i, r := range runs {
			raw, err := d.g.rawRecords(r)
			if err != nil {
				m.Err = err
				return
			}
			sets[i] = raw
			if raw.packed == 0 || text+raw.bytes > maxShown || packed+raw.packed > maxShownPacked {
				continue
			}
			text, packed = text+raw.bytes, packed+raw.packed
			records, err := d.g.Raw(r.ID)
			if err != nil {
				m.Err = err
				return
			}
			lines[i] = within.add(records)
		}
		m.Raw(`<div class=raw data-packed="`, within.packed(), `">`)
		for i, r := range runs {
			d.writeRunRaw(m, r, sets[i], lines[i], len(runs) == 1)
		}
		m.Raw("</div>")
	})
	blocks := []page.Block{{Details: &page.Details{ID: "records", Fragment: name,
		Summary: "The records that " + metric.Plural(len(runs), "run was", "runs were") + " read from"}}}
	if more > 0 {
		blocks = append(blocks, page.Paragraph(metric.Plural(more, "more run has", "more runs have")+
			" theirs on their own pages."))
	}
	d.section("raw", "Raw records", blocks...)
}

// writeRunRaw writes the place of the records of one run of several, collapsed unless open: lines says where in those
// that the page holds they stand, "" that they are to be loaded.
func (d *draft) writeRunRaw(m *page.Markup, r *figure.Run, raw *rawSet, lines string, open bool) {
	base := PathRun(r.ID)
	title := r.Card.Title()
	for _, s := range []string{r.OwnName(), page.Day(r.Started), "run " + r.ID} {
		if s != "" {
			title += ", " + s
		}
	}
	if open && lines != "" {
		m.Raw(`<details class=data open><summary>`)
	} else {
		m.Raw(`<details class=data><summary>`)
	}
	m.Text(title + ", " + metric.Plural(raw.records, "record"))
	m.Raw("</summary><p>")
	m.Link(d.Place.To(base, ""), "The run")
	if raw.records == 0 {
		m.Text(": its records are not in the catalog.")
		m.Raw("</p></details>")
		return
	}
	packed := d.File(base + "/records.jsonl.gz")
	m.Text(", ")
	m.Link(packed, "records.jsonl.gz")
	m.Text(" (" + sizeText(int64(raw.bytes)) + " unpacked)")
	m.Raw("</p>")
	if lines != "" || raw.parts > 0 {
		d.writeLoaded(m, r, raw, lines)
	}
	m.Raw("</details>")
}

// writeLoaded writes what a script unpacks the records of a run in place of: from the lines of what the page holds, or
// from scripts of their own.
func (d *draft) writeLoaded(m *page.Markup, r *figure.Run, raw *rawSet, lines string) {
	m.Raw(`<p class=records`)
	if lines != "" {
		m.Attr("data-lines", lines)
	} else {
		m.Attr("data-src", d.File(PathRecords(r.ID, 0)))
		m.Attr("data-parts", itoa(raw.parts))
	}
	m.Raw(">A script unpacks the records here. Without it, ")
	m.Link(d.File(PathRun(r.ID)+"/records.jsonl.gz"), "records.jsonl.gz")
	m.Raw(" has all of them, one a line.</p>")
}

// rawSection is the last section of a run's page: downloads, and the records themselves
// collapsed.
func (d *draft) rawSection(r *figure.Run, raw *rawSet) {
	base := PathRun(r.ID)
	packed := d.File(base + "/records.jsonl.gz")
	links := page.Text("All numbers: ").Link(path.Base(PathRunJSON(r.ID)), d.File(PathRunJSON(r.ID)))
	if len(r.Points) > 0 {
		points := pathPointsOf(r)
		links = links.Text(", as a table with other runs ").Link(path.Base(points), d.File(points))
	}
	links = links.Text(". With the place of each: ").Link(path.Base(PathCatalog), d.File(PathCatalog))
	if raw == nil || raw.records == 0 {
		links = append(links, page.Part{Text: ". The records that this run was read from are not in the catalog."})
		d.section("raw", "Raw records", page.Block{Text: links})
		return
	}
	links = links.Text(". As they were read: ").Link("records.jsonl.gz", packed).
		Text(" (" + metric.Plural(raw.records, "record") + ", " + sizeText(int64(raw.bytes)) + " unpacked)")
	links = append(links,
		page.Part{Text: ". Prompts and generated texts are not published; long arrays are summarised."})
	if raw.parts == 0 && aloneOnCard(r) { // the card has them, since they are small
		name := d.fragment("raw", func(m *page.Markup) {
			m.Raw(`<p id=records>The page of `)
			m.Link(d.Place.To(page.PathCard(r.Card.Slug), "records"), r.Card.Title())
			m.Text(" shows the " + metric.Plural(raw.records, "record") + ".")
			m.Raw("</p>")
		})
		d.section("raw", "Raw records", page.Block{Text: links}, page.Block{Table: name})
		return
	}
	name := d.fragment("raw", func(m *page.Markup) {
		if raw.parts > 0 {
			d.writeLoaded(m, r, raw, "")
			return
		}
		records, err := d.g.Raw(r.ID)
		if err != nil {
			m.Err = err
			return
		}
		writeRaw(m, records)
	})
	d.section("raw", "Raw records", page.Block{Text: links}, page.Block{Details: &page.Details{ID: "records",
		Summary: metric.Plural(raw.records, "record") + ", one a line", Fragment: name}})
}

// MaxReported bounds the raw records of a file of its own, in bytes of text: mail carries about ten million bytes
// everywhere.
const MaxReported = 4 << 20

// rawWithin is the last section of a page that stands alone: the records of its runs, collapsed. Where they are larger
// than MaxReported, those that come last are left out, and it is said how many.
func (d *draft) rawWithin(runs []*figure.Run) {
	name := d.fragment("raw", func(m *page.Markup) {
		room := MaxReported
		for _, r := range runs {
			records, err := d.g.Raw(r.ID)
			if err != nil {
				m.Err = err
				return
			}
			shown := within(records, room)
			for i := range shown {
				room -= len(shown[i].Raw) + 1
			}
			d.writeWithin(m, r, records, len(shown))
		}
	})
	d.section("raw", "Raw records", page.Paragraph("What the runs were read from. Prompts and generated texts are "+
		"not in it, and long arrays are summarised."), page.Block{Table: name})
}

// within are the first of some records, as many as have room in so many bytes of text.
func within(records []catalog.RawRecord, room int) []catalog.RawRecord {
	over := slices.IndexFunc(records, func(r catalog.RawRecord) bool {
		room -= len(r.Raw) + 1
		return room < 0
	})
	if over < 0 {
		return records
	}
	return records[:over]
}

// writeWithin writes the first records of a run, collapsed, and what is left out of them.
func (d *draft) writeWithin(m *page.Markup, r *figure.Run, records []catalog.RawRecord, shown int) {
	title := "Run " + r.ID
	for _, s := range []string{page.Day(r.Started), r.OwnName()} {
		if s != "" {
			title += ", " + s
		}
	}
	if len(records) == 0 {
		m.Elem("p", "", title+": its records are not in the catalog.")
		return
	}
	if shown > 0 {
		m.Raw(`<details class="data records"><summary>`)
		m.Text(title + ": " + metric.Plural(len(records), "record") + ", one a line")
		m.Raw("</summary>")
		writeRaw(m, records[:shown])
		m.Raw("</details>")
	}
	if left := records[shown:]; len(left) > 0 {
		bytes := 0
		for i := range left {
			bytes += len(left[i].Raw) + 1
		}
		m.Raw("<p>")
		m.Text(title + ": left out " + metric.Plural(len(left), "record") + " of " +
			metric.Count(int64(len(records))) + " (" + sizeText(int64(bytes)) + "), because this file holds at most " +
			sizeText(MaxReported) + " of records. ")
		m.Text("All are in ")
		m.Link(d.File(PathRun(r.ID)+"/records.jsonl.gz"), "records.jsonl.gz")
		m.Text(" of the site.")
		m.Raw("</p>")
	}
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

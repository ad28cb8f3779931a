package view

import (
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// What a browser is asked to read at most: bytes of all files together, and seconds without a sign of life.
const (
	mostChosen = 200_000_000
	patience   = 60
)

// ReaderFiles are the files that a browser reads files with; none where the program has no readers for browsers.
func (g *Site) ReaderFiles() []page.File {
	if g.Options.Reader == nil {
		return nil
	}
	files := g.Options.Reader.files()
	return files[:]
}

// checkPage reads files that readers drop on it.
func (g *Site) checkPage() *draft {
	d := g.draft(PathCheck, "check", "about", "Try a file",
		claim.Plain("What inferdex reads in a result file: which format claims it, what was measured, what is wrong and "+
			"what is missing. The file stays on your device."))
	d.view.Crumbs = []page.Link{{Text: "About", Href: d.Place.To("about", "")}, {Text: "Try a file"}}
	const lede = "What inferdex reads in a result file of yours, before it is in any catalog. The file is read on your " +
		"device by the program that makes catalogs, and nothing of it is sent."
	d.view.Lede = d.lede(claim.Plain(lede), nil)
	v := page.DropView{}
	command := page.Block{Code: []page.CodeLine{
		{Text: "inferdex init tried"}, {Text: "inferdex -C tried ingest --verbose results/"}}}
	if g.Options.Reader == nil {
		d.section("without", "Not on this site", page.Paragraph("The program that built this site came without the "+
			"reader for browsers, so no file can be dropped here: a release of inferdex has it, and so has a program that "+
			"make built. In a terminal these say the same:"), command)
	} else {
		v.Reader = d.reader()
	}
	d.section("told", "What is told", page.Block{List: [][]page.Part{
		page.Text("Which format claims each file, or why none does. ").Link("Formats", d.Place.To(page.PathFormats, "")).
			Text(" lists what can be read, and what cannot be known from it."),
		page.Text("What was measured, as a catalog would store it, and what no file says of model, hardware and engine, " +
			"with the lines of a run.toml that would supply it. A run.toml among the files counts; rules of an " +
			"inferdex.toml for paths do not."),
		page.Text("Places that cannot be read, with line and column, and findings: what has to be known before a number " +
			"is quoted."),
		page.Text("What would be taken out before anything is stored: keys, prompts, names of machines and people. And " +
			"keys that are kept with the raw records and not used."),
	}})
	if g.Options.Reader != nil {
		d.section("limits", "Limits", page.Paragraph("All files together may have "+megabytes(mostChosen)+", and "+
			"what archives unpack to "+megabytes(mostChosen)+". This needs JavaScript, and the page to come from a web "+
			"server. In a terminal there is no such limit:"), command)
	}
	d.close()
	v.ReportView = d.view
	d.page.Params = v
	return d
}

// reader is what a page reads files with; nil where the program has none.
func (d *draft) reader() *page.Reader {
	r := d.g.Options.Reader
	if r == nil {
		return nil
	}
	at := func(f page.File) string { return d.Place.File(f.Path) }
	files := r.files()
	return &page.Reader{Module: at(files[0]), Starter: at(files[1]), Names: at(files[2]),
		Size: megabytes(len(r.Module)), Most: strconv.Itoa(mostChosen), Patience: strconv.Itoa(patience),
		Formats: d.Place.To(page.PathFormats, ""), Submit: page.PullRequest(d.g.Config.Repository)}
}

// megabytes is a size for readers: "3.4 MB", "200 MB".
func megabytes(bytes int) string {
	return strings.TrimSuffix(metric.Decimals(float64(bytes)/1e6, 1), ".0") + " MB"
}

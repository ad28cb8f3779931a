package view

import (
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// unidentifiedPage lists, folder by folder, the runs that lack model or hardware, with the lines
// that would supply it.
func (g *Site) unidentifiedPage() *draft {
	d := g.draft(pathUnidentified, "unidentified", "data", "Not recorded", "Runs whose files do not say which model or which hardware was measured, with the lines that would.")
	d.view.Crumbs = []page.Link{{Text: "Data", Href: d.Place.To(page.PathData, "")}, {Text: "Not recorded"}}
	d.view.Lede = page.Text("The files of these runs do not say which model or which hardware was measured. Nobody can know what they may be compared with, so they stand in the list of runs and on pages of their own, in no ranking, no pair and no sentence about others.")
	const mostFolders, mostRuns, mostLines = 200, 100, 120
	gaps := g.Index.Gaps()
	for i, gap := range gaps[:min(len(gaps), mostFolders)] {
		id := "folder-" + itoa(i+1)
		code := []page.CodeLine{{Text: gap.File, Comment: true}}
		lines := strings.Split(gap.TOML, "\n")
		for _, line := range lines[:min(len(lines), mostLines)] {
			code = append(code, page.CodeLine{Text: line})
		}
		if more := len(lines) - mostLines; more > 0 {
			code = append(code, page.CodeLine{Text: "and so on: " + metric.Plural(more, "more line"), Comment: true})
		}
		title := gap.Folder
		if title == "." {
			title = "Files in no folder"
		}
		d.section(id, page.Clip(title, 120), page.Paragraph(metric.Plural(len(gap.Runs), "run lacks ", "runs lack ")+page.Enumerate(gap.Missing)+". These lines beside the files would say it:"),
			page.Block{Code: code},
			d.table(id, func() *page.Grid {
				return d.runsTable("Runs of "+title, gap.Runs[:min(len(gap.Runs), mostRuns)])
			}))
	}
	if more := len(gaps) - mostFolders; more > 0 {
		d.section("more", "More folders", page.Paragraph(metric.Plural(more, "more folder has", "more folders have")+" such runs; inferdex ingest -v prints the lines for all."))
	}
	d.section("rules", "A whole scheme of folders", page.Paragraph("Where folders are named after models or machines, one rule in inferdex.toml says it for all of them:"),
		page.Block{Code: []page.CodeLine{{Text: "inferdex.toml", Comment: true}, {Text: "[[ingest.path]]"}, {Text: `pattern = "{hardware}/{model}/**"`}}})
	return d.done()
}

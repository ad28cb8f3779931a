package view

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/record"
)

// A frame says in a sentence why the numbers of a card are not shown.
func TestFrameSaysWhyNot(t *testing.T) {
	ix, c, o := testCatalog(t)
	for want, spoil := range map[string]func(*figure.Run){
		"Withdrawn: the wrong machine.": func(r *figure.Run) { r.Withdrawn = "the wrong machine" },
		"Not to be believed: 140 GB do not fit 80 GB.": func(r *figure.Run) {
			r.Forbidden = catalog.CodeMemory
			r.Findings = append(r.Findings, catalog.Finding{Code: catalog.CodeMemory, Severity: record.Error,
				Message: "140 GB do not fit 80 GB"})
		},
	} {
		run := *ix.Cards[0].Head()
		run.Run = new(*run.Run)
		spoil(&run)
		card := *ix.Cards[0]
		card.Runs = []*figure.Run{&run}
		d := New(ix, c, o).draft("cards/x", "card", "", "", claim.Plain("x"))
		if e := d.embedOf(&card); e.warn != want || len(e.rows) > 0 {
			t.Errorf("got %q and %d rows, want %q", e.warn, len(e.rows), want)
		}
	}
}

func TestMarkdownPictureIsOnePicture(t *testing.T) {
	got := markdownPicture("a](x) [b\n\n`c`", "https://e/p.svg", "https://e/")
	if want := "[![a\\](x) \\[b \\`c\\`](https://e/p.svg)](https://e/)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

package figure_test

import (
	"cmp"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
)

// at is a run read from a file.
func at(id, model, hardware, path string) *catalog.Run {
	r := figuretest.Run(id, model, cmp.Or(hardware, "1x big"), "1.0", figuretest.Point(4, 1, 1, 1, 1, 1))
	for key, v := range map[string]string{"model": model, "hardware": hardware} {
		if v == "" {
			delete(r.Attributes, key)
		}
	}
	r.Identity.Model = model
	r.Sources = []catalog.Source{{Path: path, SHA256: id + "000000000000"}}
	r.Points[0].At.Source = r.Sources[0].ID()
	return r
}

// Runs that lack model or hardware are on no card, and their folders are listed with the lines that
// would supply it: one text where one machine is missing, a [[run]] for each file where the models
// are, or where the rest of the folder says what it is.
func TestGaps(t *testing.T) {
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{
		at("a", "o/Dense-10B", "", "in/2x-big/a.json"),
		at("b", "o/Dense-10B", "", "in/2x-big/b.json"),
		at("c", "", "1x big", "in/models/c.json"),
		at("d", "", "1x big", "in/models/dense-10b.json"),
		at("e", "o/Dense-10B", "1x big", "in/some/e.json"),
		at("f", "o/Dense-10B", "", "in/some/f{1}.json"),
		at("g", "o/Dense-10B", "", "in/old.zip!x/g.json"),
		at("i", "o/Dense-10B", "", "in/new.zip!i.json"),
		at("h", "", "", "h.json"),
	}}, figuretest.Names(t))
	if len(ix.Cards) != 1 || len(ix.Cards[0].Runs) != 1 || len(ix.Identified) != 1 || len(ix.Unidentified()) != 8 {
		t.Errorf("%d cards, %d identified, %d not", len(ix.Cards), len(ix.Identified), len(ix.Unidentified()))
	}
	got := ""
	for _, g := range ix.Gaps() {
		got += "# " + g.Folder + " > " + g.File + "\n" + g.TOML + "\n"
	}
	if want := `# . > run.toml
model = "" # to fill in
hardware = "" # to fill in
# in/2x-big > in/2x-big/run.toml
hardware = "2x big" # as "2x-big" says
# in/models > in/models/run.toml
[[run]]
file = "c.json"
model = "" # to fill in

[[run]]
file = "dense-10b.json"
model = "o/Dense-10B" # as "dense-10b.json" says
# in/new.zip! > in/run.toml
[[run]]
file = "new.zip/**"
hardware = "" # to fill in
# in/old.zip!x > in/run.toml
[[run]]
file = "old.zip/x/**"
hardware = "" # to fill in
# in/some > in/some/run.toml
[[run]]
file = "f?1?.json"
hardware = "" # to fill in
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

package main

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/ingesttest"
)

// edited is how many edits TestEdits makes; make torture has it make 50.
var edited = flag.Int("edits", 8, "how many random edits a catalog gets between two builds each")

// A desk is a catalog that somebody edits.
type desk struct {
	*rand.Rand
	t   *testing.T
	dir string
	// drawer holds results that are not measured yet, by their names below the catalog.
	drawer map[string][]byte
	edit   int
}

// newDesk is a generated catalog, ingested, without the results that are not measured yet.
func newDesk(t *testing.T, size ingesttest.Size, missing ...string) *desk {
	d := &desk{Rand: rand.New(rand.NewPCG(11, 50)), t: t, dir: t.TempDir(), drawer: map[string][]byte{}}
	err := ingesttest.Generate(1, size, func(name string, data []byte) error {
		if slices.Contains(missing, strings.TrimPrefix(name, rawDir+"/wide/")) {
			d.drawer[name] = data
			return nil
		}
		return writeFile(filepath.Join(d.dir, filepath.FromSlash(name)), data)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.drawer) != len(missing) {
		t.Fatalf("there are not all of %q", missing)
	}
	d.write("inferdex.toml", "title = \"Edits\"\nbase_url = \"https://example.org/edits/\"\n")
	ingestInto(t, d.dir)
	return d
}

// write writes a file of the catalog; an empty one is removed.
func (d *desk) write(name, text string) {
	d.t.Helper()
	name = filepath.Join(d.dir, filepath.FromSlash(name))
	var err error
	if text == "" {
		err = os.Remove(name)
	} else {
		err = writeFile(name, []byte(text))
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

// some is one of the files below a folder, "" where there is none.
func (d *desk) some(folder, ext string) string {
	var list []string
	for name := range goldentest.Tree(d.t, filepath.Join(d.dir, filepath.FromSlash(folder))) {
		if strings.HasSuffix(name, ext) {
			list = append(list, folder+"/"+name)
		}
	}
	if len(list) == 0 {
		return ""
	}
	slices.Sort(list)
	return list[d.IntN(len(list))]
}

// other is a text that no edit before has written.
func (d *desk) other() string { return fmt.Sprintf("Edit %d", d.edit) }

// allPages is a layout that asks for other pages.
const allPages = "layouts/_partials/header.html"

// edits are what people do with a catalog.
var edits = []struct {
	name string
	do   func(*desk)
}{
	{"a new run", func(d *desk) {
		if names := slices.Sorted(maps.Keys(d.drawer)); len(names) > 0 {
			d.write(names[0], string(d.drawer[names[0]]))
			delete(d.drawer, names[0])
		}
	}},
	{"a removed run", func(d *desk) {
		name := d.some(rawDir, "")
		data, err := os.ReadFile(filepath.Join(d.dir, name))
		if err != nil {
			d.t.Fatal(err)
		}
		d.drawer[name] = data
		d.write(name, "")
	}},
	{"a folder of results less", func(d *desk) {
		folder := filepath.Join(d.dir, filepath.Dir(d.some(rawDir, "")))
		if err := os.RemoveAll(folder); err != nil {
			d.t.Fatal(err)
		}
		d.write(rawDir+"/last/y.json", served("org/"+d.other(), "03"))
	}},
	{"another number", func(d *desk) {
		name := d.some(rawDir, "")
		data, err := os.ReadFile(filepath.Join(d.dir, name))
		if err != nil {
			d.t.Fatal(err)
		}
		if all := numbersOf(data); len(all) > 0 {
			at := all[d.IntN(len(all))]
			d.write(name, string(data[:at[0]])+fmt.Sprint(1+d.IntN(9))+string(data[at[0]:]))
		}
	}},
	{"a withdrawn run", func(d *desk) {
		run := strings.TrimSuffix(filepath.Base(d.some(outputDir+"/api/v1/runs", ".json")), ".json")
		d.write(notesDir+"/"+run+".toml", "withdrawn = \"a fan failed, "+d.other()+"\"\n")
	}},
	{"runs of a model on no machine", func(d *desk) {
		name := d.some(rawDir, ".jsonl")
		if name == "" {
			return
		}
		data, err := os.ReadFile(filepath.Join(d.dir, name))
		if err != nil {
			d.t.Fatal(err)
		}
		date := regexp.MustCompile(`"date": *"[0-9]+`)
		for i := range 3 {
			d.write(fmt.Sprintf("%s/nowhere%d/%d.jsonl", rawDir, d.edit, i),
				date.ReplaceAllString(string(data), fmt.Sprintf(`"date": "2026%02d%02d`, 1+d.edit%12, 1+i)))
		}
	}},
	{"a fact of a sidecar", func(d *desk) {
		if name := d.some(rawDir, "run.toml"); name != "" {
			d.write(name, fmt.Sprintf("hardware = \"H100 SXM\"\nengine = \"vLLM\"\nengine_version = \"0.%d.1\"\n", 6+d.IntN(5)))
		}
	}},
	{"the names of models", func(d *desk) {
		name := "data/names/models.toml"
		text, err := os.ReadFile(filepath.Join(d.dir, name))
		if os.IsNotExist(err) {
			text, err = []byte("[[model]]\nid = \"org/Alpha-7B\"\nname = \"Alpha\"\nparams_b = 7\n"), nil
		}
		if err != nil {
			d.t.Fatal(err)
		}
		d.write(name, strings.Replace(string(text), "name = \"", "name = \""+d.other()+" ", 3))
	}},
	{"a price", func(d *desk) {
		d.write("data/names/prices.toml",
			fmt.Sprintf("[[price]]\nprovider = \"Cloud\"\naccelerator = \"h100-sxm5\"\nper_hour = %d.5\n"+
				"currency = \"USD\"\ndate = 2025-03-26\naddress = \"https://example.com/prices\"\n", 1+d.IntN(9)))
	}},
	{"a layout", func(d *desk) {
		d.write("layouts/_partials/footer.html",
			"<footer>"+d.other()+"{{ with .Params.page.feed }}{{ .href }}{{ end }}</footer>")
	}},
	{"a layout of all pages", func(d *desk) { d.write(allPages, "{{ len site.RegularPages }}"+d.other()) }},
	{"a style", func(d *desk) { d.write("assets/css/custom.css", fmt.Sprintf("body{margin:%dpx}\n", d.edit)) }},
	{"a page", func(d *desk) {
		d.write("content/about/ours.md",
			"---\ntitle: "+d.other()+"\n---\nSee [a model](/models/x/) and [all](/models/).\n")
	}},
	{"a note", func(d *desk) {
		card := strings.TrimSuffix(d.some(outputDir+"/cards", "/index.html"), "/index.html")
		d.write("content/notes/"+filepath.Base(card)+".md", d.other()+[]string{"", ", <b>by hand</b>"}[d.IntN(2)]+"\n")
	}},
	{"a note less", func(d *desk) {
		if name := d.some("content", ".md"); name != "" {
			d.write(name, "")
		}
	}},
	{"the title", func(d *desk) {
		d.write("inferdex.toml", "title = \""+d.other()+"\"\nbase_url = \"https://example.org/edits/\"\n")
	}},
	{"a page edited in the site", func(d *desk) { d.write(d.some(outputDir, ".html"), "x") }},
	{"a file gone from the site", func(d *desk) { d.write(d.some(outputDir, ""), "") }},
	{"damaged memory", func(d *desk) { d.write(stateDir+"/publish/"+outputDir+"/memory", d.other()) }},
	{"nothing", func(*desk) {}},
}

// built builds the site and returns how many pages it has and how many of them were rendered.
func (d *desk) built(args ...string) (pages, rendered int) {
	d.t.Helper()
	said, code := typed(d.dir, append([]string{"build", "--json"}, args...)...)
	if code != 0 {
		d.t.Fatalf("build: exit status %d\n%s", code, said)
	}
	return number(said, `"pages":(\d+)`), number(said, `"rendered":(\d+)`)
}

// builtAsWhole is built, and compares the site with that of a full build.
func (d *desk) builtAsWhole(edit string) (pages, rendered int) {
	d.t.Helper()
	pages, rendered = d.built()
	if all, anew := d.built("--full", "-o", "whole"); anew != all || all != pages {
		d.t.Fatalf("%s: %d of %d pages anew by --full, %d before", edit, anew, all, pages)
	}
	got, want := goldentest.Tree(d.t, filepath.Join(d.dir, outputDir)), goldentest.Tree(d.t, filepath.Join(d.dir, "whole"))
	for name := range want {
		if got[name] != want[name] {
			d.t.Errorf("%s: %s is not that of a full build", edit, name)
		}
	}
	if len(got) != len(want) {
		d.t.Errorf("%s: %d files, want %d", edit, len(got), len(want))
	}
	return pages, rendered
}

// oneNewRun is how many pages a catalog has, and how many of them are rendered, after one new run.
func oneNewRun(t *testing.T, size ingesttest.Size, file string) (pages, rendered int) {
	d := newDesk(t, size, file)
	d.built()
	edits[0].do(d)
	ingestInto(t, d.dir)
	return d.built()
}

// After one new run most pages are kept; make torture counts them at 1,000 cards.
func TestOneNewRun(t *testing.T) {
	pages, rendered := oneNewRun(t, ingesttest.Size{Models: 6, Machines: 4, Wide: true}, "h100/brindle-3b.jsonl")
	if pages < 100 || 2*rendered > pages {
		t.Errorf("%d of %d pages are rendered after one new run", rendered, pages)
	}
}

// Runs that no page of the model is made of lie between those of the model in the catalog, and do not any more.
func TestRunsBetween(t *testing.T) {
	d := newDesk(t, ingesttest.Size{Models: 1, Machines: 8, Wide: true})
	d.built()
	for _, e := range edits {
		if e.name == "runs of a model on no machine" {
			e.do(d)
		}
	}
	ingestInto(t, d.dir)
	d.builtAsWhole("three more runs")
	for i := range 3 {
		d.write(fmt.Sprintf("%s/nowhere0/%d.jsonl", rawDir, i), "")
	}
	ingestInto(t, d.dir, "--prune")
	d.builtAsWhole("the three runs are gone")
}

// After any edit the site is that of a full build, byte by byte.
func TestEdits(t *testing.T) {
	d := newDesk(t, ingesttest.Size{Models: 3, Machines: 2, Wide: true}, "4x-a100-80gb/brindle-1.5b.jsonl",
		"a100-80gb/brindle-1.5b-fp8.jsonl")
	d.built()
	var order []int
	kept := 0
	for d.edit = range *edited {
		if len(order) == 0 {
			order = d.Perm(len(edits))
		}
		if _, err := os.Stat(filepath.Join(d.dir, allPages)); err == nil {
			d.write(allPages, "")
		}
		e := edits[order[0]]
		order = order[1:]
		e.do(d)
		ingestInto(t, d.dir, "--prune")
		pages, rendered := d.builtAsWhole(fmt.Sprintf("edit %d, %s", d.edit, e.name))
		kept += pages - rendered
		t.Logf("edit %d, %s: %d of %d pages anew", d.edit, e.name, rendered, pages)
		if t.Failed() {
			return
		}
	}
	if kept == 0 {
		t.Error("no page was kept after any edit")
	}
	t.Logf("torture: %d edits, each with the site of a full build", *edited)
}

// TestAnyEdits is TestEdits of catalogs drawn at random, with results of all formats.
func TestAnyEdits(t *testing.T) {
	samples := samplesOfFormats(t)
	for i := range *anyCatalogs / 3 {
		seed := *anyFrom + uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := chance{rand.New(rand.NewPCG(seed, 37))}
			d := &desk{Rand: random.Rand, t: t, dir: t.TempDir(), drawer: map[string][]byte{}}
			random.catalog(func(name, text string) {
				if text != "" {
					d.write(name, text)
				}
			})
			for i := range 1 + d.IntN(8) {
				random.sample(of(random, samples...), fmt.Sprintf("data/raw/sample-%d", i), d.write)
			}
			ingest := func() {
				if said, code := typed(d.dir, "ingest", "--prune"); code > exitFindings {
					t.Fatalf("ingest: exit status %d\n%s", code, said)
				}
			}
			ingest()
			d.built()
			for d.edit = range *edited / 2 {
				if _, err := os.Stat(filepath.Join(d.dir, allPages)); err == nil {
					d.write(allPages, "")
				}
				e := of(random, edits...)
				e.do(d)
				ingest()
				pages, rendered := d.builtAsWhole(fmt.Sprintf("edit %d, %s", d.edit, e.name))
				t.Logf("edit %d, %s: %d of %d pages anew", d.edit, e.name, rendered, pages)
				if t.Failed() {
					return
				}
			}
		})
	}
}

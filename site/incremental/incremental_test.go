package incremental

import (
	"crypto/sha256"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/inferdex/inferdex/site/page"
)

// disk is a site in memory and what was kept of it.
type disk struct {
	files map[string]string
	mu    sync.Mutex
	kept  []string
}

func (d *disk) Last(name string) ([]byte, bool) {
	data, ok := d.files[name]
	return []byte(data), ok
}

func (d *disk) Is(name string, size int64, sum [sha256.Size]byte) bool {
	data, ok := d.Last(name)
	return ok && FileOf(name, data) == File{name, size, sum}
}

func (d *disk) Keep(name string) error {
	if _, ok := d.files[name]; !ok {
		return errors.New(name + " is not there")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept = append(d.kept, name)
	return nil
}

func file(name, text string) File { return FileOf(name, []byte(text)) }

// built is what is remembered of a build of two pages with one style sheet.
func built(shared Digest) ([]byte, map[string]string) {
	b := New(&disk{}, nil, shared)
	style := []File{file("style.css", "s")}
	b.Made("a", Digest{}, Sum([]byte("made a")), []File{file("a.html", "A"), file("a.svg", "picture")}, style)
	b.Made("b \"\n=", Digest{}, Sum([]byte("made b")), []File{file("b.html", "B")}, style)
	return b.Memory(), map[string]string{"a.html": "A", "a.svg": "picture", "b.html": "B", "style.css": "s"}
}

func TestUnchanged(t *testing.T) {
	shared := Sum([]byte("layouts"))
	for _, test := range []struct {
		name string
		edit func(files map[string]string, memory *[]byte, shared *Digest)
		want []string // of the files
		made string   // of the page a
	}{
		{"nothing changed", func(map[string]string, *[]byte, *Digest) {},
			[]string{"a.html", "a.svg", "b.html", "style.css"}, "made a"},
		{"a page is made of something else", func(map[string]string, *[]byte, *Digest) {},
			[]string{"b.html", "style.css"}, "other"},
		{"a file is another", func(f map[string]string, _ *[]byte, _ *Digest) { f["a.svg"] = "pictur!" },
			[]string{"b.html", "style.css"}, "made a"},
		{"a file is gone", func(f map[string]string, _ *[]byte, _ *Digest) { delete(f, "b.html") },
			[]string{"a.html", "a.svg", "style.css"}, "made a"},
		{"what all use is another", func(f map[string]string, _ *[]byte, _ *Digest) { f["style.css"] = "" },
			nil, "made a"},
		{"another shared digest", func(_ map[string]string, _ *[]byte, d *Digest) { d[0]++ }, nil, "made a"},
		{"no memory", func(_ map[string]string, m *[]byte, _ *Digest) { *m = nil }, nil, "made a"},
		{"memory that breaks off", func(_ map[string]string, m *[]byte, _ *Digest) { *m = (*m)[:len(*m)-40] },
			nil, "made a"},
		{"memory with another bit", func(_ map[string]string, m *[]byte, _ *Digest) { (*m)[len(*m)-9] ^= 1 },
			nil, "made a"},
		{"memory without its heading", func(_ map[string]string, m *[]byte, _ *Digest) { *m = []byte("\n\n") },
			nil, "made a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			memory, files := built(shared)
			now := shared
			test.edit(files, &memory, &now)
			site := &disk{files: files}
			b := New(site, memory, now)
			for name, made := range map[string]string{"a": test.made, "b \"\n=": "made b", "c": "made a"} {
				kept, ok, err := b.Unchanged(name, Digest{}, Sum([]byte(made)))
				if err != nil {
					t.Fatal(err)
				}
				if ok != (len(kept.Own) > 0) {
					t.Errorf("%q: %v, with the files %v", name, ok, kept.Own)
				}
			}
			if _, err := b.Finish(func(string) bool { return false }); err != nil {
				t.Fatal(err)
			}
			slices.Sort(site.kept)
			if !slices.Equal(site.kept, test.want) {
				t.Errorf("kept %q, want %q", site.kept, test.want)
			}
		})
	}
}

// What was kept is remembered as what was made is; what is forgotten is not.
func TestMemory(t *testing.T) {
	shared := Sum([]byte("layouts"))
	memory, files := built(shared)
	b := New(&disk{files: files}, memory, shared)
	for name, made := range map[string]string{"a": "made a", "b \"\n=": "made b"} {
		if _, ok, err := b.Unchanged(name, Digest{}, Sum([]byte(made))); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if got := b.Memory(); string(got) != string(memory) {
		t.Errorf("got %s\nwant %s", got, memory)
	}
	b.Forget("a")
	units, _ := remembered(b.Memory(), shared)
	if got := slices.Collect(maps.Keys(units)); !slices.Equal(got, []string{"b \"\n="}) {
		t.Errorf("remembered %q", got)
	}
	b.ForgetAll()
	if got := b.Memory(); got != nil {
		t.Errorf("remembered %s", got)
	}
}

// What says that it is made of the same is kept without being made; what is made of nothing known is not.
func TestSame(t *testing.T) {
	shared, of := Sum([]byte("layouts")), Sum([]byte("run 1"))
	first := New(&disk{}, nil, shared)
	first.Made("a", of, Sum([]byte("parts")), []File{file("a.html", "A")}, nil)
	first.Made("b", Digest{}, Sum([]byte("parts")), []File{file("b.html", "B")}, nil)
	first.Made(FileUnit+"c", of, Digest{}, []File{file("c", "C")}, nil)
	site := &disk{files: map[string]string{"a.html": "A", "b.html": "B", "c": "C"}}
	b := New(site, first.Memory(), shared)
	for _, test := range []struct {
		name string
		of   Digest
		want bool
	}{{"a", of, true}, {"a", Sum([]byte("run 2")), false}, {"a", Digest{}, false}, {"b", Digest{}, false}, {"z", of, false}} {
		if _, ok, err := b.Same(test.name, test.of); ok != test.want || err != nil {
			t.Errorf("%s of %s: %v, %v", test.name, test.of, ok, err)
		}
	}
	if data, ok := b.Content("c", ""); !ok || string(data) != "C" {
		t.Errorf("%q, %v", data, ok)
	}
	if _, ok := b.Content("c", "run 1"); !ok {
		t.Error("what is made of the same is not known")
	}
	if _, ok := b.Content("c", "run 2"); ok {
		t.Error("took a file that is made of something else")
	}
	if n, ok := b.Size("c", "run 1"); n != 1 || !ok {
		t.Errorf("%d bytes, %v", n, ok)
	}
	if _, ok := b.Size("c", "run 2"); ok {
		t.Error("took the size of a file that is made of something else")
	}
	site.files["a.html"], site.files["c"] = "another", "another"
	if _, ok, _ := b.Same("a", of); ok {
		t.Error("kept a page that somebody edited")
	}
	if _, ok := b.Content("c", ""); ok {
		t.Error("took a file that somebody edited for that of the last build")
	}
	var none *Build
	if _, ok := none.Content("c", ""); ok {
		t.Error("no last build had a file")
	}
	if _, ok := none.Size("c", ""); ok {
		t.Error("no last build had a file of a size")
	}
}

// A used file that was written again is not kept too.
func TestFinish(t *testing.T) {
	shared := Sum([]byte("layouts"))
	memory, files := built(shared)
	site := &disk{files: files}
	b := New(site, memory, shared)
	if _, ok, err := b.Unchanged("a", Digest{}, Sum([]byte("made a"))); !ok || err != nil {
		t.Fatal(ok, err)
	}
	list, err := b.Finish(func(name string) bool { return name == "style.css" })
	if err != nil || len(list) > 0 || slices.Contains(site.kept, "style.css") {
		t.Errorf("%v, %v, kept %q", list, err, site.kept)
	}
}

func TestParts(t *testing.T) {
	digest := func(p Parts) string { return p.Digest().String() }
	a := Parts{"x": Sum([]byte("1")), "y": Sum([]byte("2"))}
	for _, other := range []Parts{{}, {"x": Sum([]byte("1"))}, {"x": Sum([]byte("2")), "y": Sum([]byte("1"))},
		{"x": Sum([]byte("1")), "z": Sum([]byte("2"))}} {
		if digest(a) == digest(other) {
			t.Errorf("%v and %v have one digest", a, other)
		}
	}
	if err := a.Add("z", func() {}); err == nil {
		t.Error("a function became JSON")
	}
}

func TestShared(t *testing.T) {
	of := func(program string, settings any, files ...string) Digest {
		folder := fstest.MapFS{}
		for i := 0; i < len(files); i += 2 {
			folder[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
		}
		d, err := Shared(strings.NewReader(program), settings, folder)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	seen := map[Digest]int{}
	for i, d := range []Digest{of("p", 1), of("q", 1), of("p", 2), of("p", 1, "a", "b"), of("p", 1, "a", "c"),
		of("p", 1, "b", "b"), of("p", 1, "x/a", "b")} {
		if first, ok := seen[d]; ok {
			t.Errorf("cases %d and %d have one digest", first, i)
		}
		seen[d] = i
	}
	if of("p", 1) != of("p", 1, ".card.html.swp", "x") {
		t.Error("a hidden file is a layout")
	}
}

func TestAlone(t *testing.T) {
	for text, want := range map[string]bool{
		"{{ .Params.page.next }} {{ site.Title }} {{ partialCached \"x\" . }} {{ .Site.Params.base_url }} {{ .IsHome }}": true,
		"{{ range site.RegularPages }}{{ end }}":                        false,
		"{{ range (where site.Pages \"Kind\" \"page\") }}{{ end }}":     false,
		"{{ with site.GetPage \"/x\" }}{{ end }}":                       false,
		"{{ .Site.Home.Title }}":                                        false,
		"{{ with site }}{{ .Home.Title }}{{ end }}":                     false,
		"{{ now.Year }}":                                                false,
		"{{ time.Now }}":                                                false,
		"{{ .NextInSection }}":                                          false,
		"{{ site.Menus.main }}":                                         false,
		"{{ hugo.Store.Add \"x\" 1 }}":                                  false,
		"{{ with (templates.Defer (dict \"key\" \"x\")) }}{{ end }}":    false,
		"{{ relref . \"x\" }}":                                          false,
		"{{ range (shuffle (slice 1 2)) }}{{ end }}":                    false,
		"{{ .RenderString \"[a](/models/a)\" }}":                        false,
		"{{ .Params.lede | markdownify }}":                              false,
		"{{ site.Params.inferdex.Link .Params.root \"\" \"/models\" }}": false,
		"<a href=\"{{ site.Params.inferdex.Link .PageInner.Params.root .PageInner.Params.dir .Destination }}\">": true,
	} {
		alone, err := Alone(fstest.MapFS{"_partials/x.html": &fstest.MapFile{Data: []byte(text)}})
		if err != nil || alone != want {
			t.Errorf("%s: %v, %v, want %v", text, alone, err, want)
		}
	}
}

// What is made of one catalog is kept as a whole, texts apart, and only where all of it is what it was.
func TestKeepAll(t *testing.T) {
	shared, of, notes := Sum([]byte("layouts")), Sum([]byte("catalog")), Sum([]byte("notes"))
	first := New(&disk{}, nil, shared)
	style := []File{file("style.css", "s")}
	first.Made(PageUnit+"z", Digest{}, Sum([]byte("z")), []File{file("z.html", "Z")}, style)
	first.Made(PageUnit+"", Digest{}, Sum([]byte("home")), []File{file("index.html", "H")}, style)
	first.Made(FileUnit+"feed.xml", Digest{}, Digest{}, []File{file("feed.xml", "F")}, nil)
	first.Made(TextUnit+"about", Digest{}, Sum([]byte("about")), []File{file("about.html", "A")}, style)
	first.MadeOf(of, notes, []string{"z", ""})
	memory := first.Memory()
	for _, test := range []struct {
		name       string
		of, notes  Digest
		edit       func(map[string]string)
		pages, all bool
	}{
		{"the same", of, notes, func(map[string]string) {}, true, true},
		{"another catalog", notes, notes, func(map[string]string) {}, false, false},
		{"an unknown catalog", Digest{}, notes, func(map[string]string) {}, false, false},
		{"other notes", of, of, func(map[string]string) {}, true, false},
		{"a file is another", of, notes, func(f map[string]string) { f["feed.xml"] = "f" }, true, false},
		{"a style sheet is gone", of, notes, func(f map[string]string) { delete(f, "style.css") }, true, false},
		{"a text is gone", of, notes, func(f map[string]string) { delete(f, "about.html") }, true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			site := &disk{files: map[string]string{"z.html": "Z", "index.html": "H", "feed.xml": "F", "about.html": "A",
				"style.css": "s"}}
			test.edit(site.files)
			b := New(site, memory, shared)
			pages, ok := b.Pages(test.of)
			if ok != test.pages || ok && !slices.Equal(pages, []string{"z", ""}) {
				t.Fatalf("%q, %v", pages, ok)
			}
			if !ok {
				return
			}
			kept, ok, err := b.KeepAll(test.notes)
			if err != nil || ok != test.all {
				t.Fatal(ok, err)
			}
			slices.Sort(site.kept)
			want := []string{"feed.xml", "index.html", "z.html"}
			if !ok {
				want = nil
			}
			if !slices.Equal(site.kept, want) || len(kept.Own) != len(want) {
				t.Errorf("kept %q", site.kept)
			}
		})
	}
	// What a page was warned of is not the whole.
	first.Forget(PageUnit + "z")
	if _, ok := New(&disk{}, first.Memory(), shared).Pages(of); ok {
		t.Error("a page that is not remembered is taken for kept")
	}
}

// A page that is compared and has changed is given back as it was made: with the same fragments and files, which are not
// made again, where there is room for them.
func TestCompareHolds(t *testing.T) {
	calls := 0
	write := func(text string) func(io.Writer) error {
		return func(w io.Writer) error {
			calls++
			_, err := io.WriteString(w, text)
			return err
		}
	}
	of := func(text string) *page.Page {
		return &page.Page{Path: "a", Params: "params", Fragments: map[string]page.Fragment{"table": write(text)},
			Files: slices.Values([]page.File{{Path: "a.svg", Write: write("picture of " + text)}})}
	}
	parts := Parts{}
	partsOf(of("numbers"), parts)
	first := New(&disk{}, nil, Digest{})
	first.Made("a", Digest{}, parts.Digest(), nil, nil)
	second := New(&disk{}, first.Memory(), Digest{})
	if _, same, made, err := second.Compare("a", Digest{}, Parts{}, of("numbers")); !same || made != nil || err != nil {
		t.Errorf("the same page: %v, %v, %v", same, made, err)
	}
	_, same, made, err := second.Compare("a", Digest{}, Parts{}, of("others"))
	if same || made == nil || err != nil {
		t.Fatalf("another page: %v, %v, %v", same, made, err)
	}
	before := calls
	again := Parts{}
	if partsOf(made, again); calls != before {
		t.Error("what was made is made again")
	}
	others := Parts{}
	if partsOf(of("others"), others); !maps.Equal(again, others) {
		t.Error("what is held is not what was made")
	}
	second.held.Store(mostHeld)
	if _, _, made, _ := second.Compare("a", Digest{}, Parts{}, of("others")); made != nil {
		t.Error("a page is held without room")
	}
	broken := of("others")
	broken.Fragments["table"] = func(io.Writer) error { panic("no ink") }
	if _, same, made, err := second.Compare("a", Digest{}, Parts{}, broken); same || made != nil || err != nil {
		t.Errorf("a page that cannot be made: %v, %v, %v", same, made, err)
	}
}

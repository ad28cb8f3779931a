package settings

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/record"
)

// TestGolden runs the cases of testdata/*.txtar. The files of a case are settings files under
// their own names; "ask" holds one question a line; "want" the diagnostics and the answers.
func TestGolden(t *testing.T) {
	goldentest.Run(t, "testdata/*.txtar", func(t *testing.T, c *goldentest.Case) { c.Want(t, answer(c.Archive)) })
}

func answer(a *txtar.Archive) string {
	var out strings.Builder
	say := func(diags []Diagnostic) {
		for _, d := range diags {
			fmt.Fprintln(&out, d)
		}
	}
	config := &Config{}
	sidecars, noteFiles := map[string][]byte{}, map[string][]byte{}
	layers := []fstest.MapFS{{}, {}}
	for _, f := range a.Files {
		switch {
		case f.Name == "inferdex.toml":
			var diags []Diagnostic
			config, diags = LoadConfig(f.Data, f.Name)
			say(diags)
		case strings.HasPrefix(f.Name, "data/notes/"):
			noteFiles[f.Name] = f.Data
		case strings.HasPrefix(f.Name, "names/"):
			layers[0][f.Name] = &fstest.MapFile{Data: f.Data}
		case strings.HasPrefix(f.Name, "own/names/"):
			layers[1][strings.TrimPrefix(f.Name, "own/")] = &fstest.MapFile{Data: f.Data}
		default:
			sidecars[f.Name] = f.Data
		}
	}
	side, diags := LoadSidecars(sidecars)
	say(diags)
	notes, diags := LoadNotes(noteFiles)
	say(diags)
	names, diags := LoadNames(layers[0], layers[1])
	say(diags)
	for _, f := range a.Files {
		if f.Name != "ask" {
			continue
		}
		for _, q := range strings.Split(strings.TrimSpace(string(f.Data)), "\n") {
			fmt.Fprintf(&out, "> %s\n", q)
			verb, rest, _ := strings.Cut(q, " ")
			switch verb {
			case "config":
				fmt.Fprintf(&out, "title %q description %q base_url %q repository %q notice %q language %q\n",
					config.Title, config.Description, config.BaseURL, config.Repository, config.Notice, config.Language)
				fmt.Fprintf(&out, "limits %+v, %d path rules\n", config.Limits, len(config.PathRules))
			case "rule":
				sayFacts(&out, config.Rule(rest))
			case "set":
				fact, err := ParseSet(rest)
				if err != nil {
					fmt.Fprintln(&out, err)
					break
				}
				sayFacts(&out, []Fact{fact})
			case "for":
				i := strings.LastIndexByte(rest, ' ')
				n, _ := strconv.Atoi(rest[i+1:])
				sayApplied(&out, side.For(RunMatch{Path: rest[:i], Index: n}))
			case "note":
				sayApplied(&out, notes[rest])
			case "model":
				sayModel(&out, names.Model(rest))
			case "hardware":
				n, text, _ := strings.Cut(rest, " ")
				count, _ := strconv.Atoi(n)
				sayHardware(&out, names.Hardware(text, count))
			case "engine":
				name, version, _ := strings.Cut(rest, " ")
				fmt.Fprintf(&out, "%+v\n", names.Engine(name, version))
			case "default":
				w := strings.Fields(rest)
				v, state := names.Default(w[0], w[1], w[2])
				fmt.Fprintf(&out, "%s %s\n", [...]string{"unknown", "known", "unknown to version"}[state], v)
			case "price":
				for _, p := range names.Prices(rest) {
					fmt.Fprintf(&out, "%s: %v %s an hour, %s, %s (%s:%d)\n", p.Provider, p.PerHour, p.Currency, p.Date,
						p.Address, p.File, p.Line)
				}
			case "changes":
				for _, c := range names.Changes(rest) {
					fmt.Fprintf(&out, "%q version %q date %q: %s, %q (%s:%d)\n", c.Engine, c.Version, c.Date, c.Text,
						c.Address, c.File, c.Line)
				}
			case "owner":
				fmt.Fprintf(&out, "%q\n", names.Owner(rest))
			default:
				fmt.Fprintln(&out, "no such question")
			}
		}
	}
	return out.String()
}

func sayFacts(out *strings.Builder, facts []Fact) {
	for _, f := range facts {
		fmt.Fprintf(out, "%s = %q (%s:%d)\n", f.Key, f.Value, f.File, f.Line)
	}
}

func sayApplied(out *strings.Builder, a Applied) {
	sayFacts(out, a.Facts)
	for _, o := range a.Overrides {
		fmt.Fprintf(out, "override %s = %q (%s:%d): %s\n", o.Key, o.Value, o.File, o.Line, o.Reason)
	}
	for _, s := range []struct{ name, value string }{{"id", a.ID}, {"same as", a.SameAs}, {"withdrawn", a.Withdrawn},
		{"accept", strings.Join(a.Accept, " ")}} {
		if s.value != "" {
			fmt.Fprintf(out, "%s: %s\n", s.name, s.value)
		}
	}
	if a.Source != nil {
		fmt.Fprintf(out, "source %s:\n%s", a.Source.File, a.Source.TOML())
	}
}

func number(f *float64) string {
	if f == nil {
		return "-"
	}
	return strconv.FormatFloat(*f, 'g', -1, 64)
}

func whole(n *int) string {
	if n == nil {
		return "-"
	}
	return strconv.Itoa(*n)
}

func sayModel(out *strings.Builder, m Model) {
	fmt.Fprintf(out, "%s %q id %q org %q known %v\n", m.Slug, m.Name, m.ID, m.Org, m.Known)
	bytes, ok := m.WeightBytes()
	fmt.Fprintf(out,
		"  params %s active %s size %q layers %s kv %s head %s attention %q precision %q quantization %q base %q "+
			"weights %v %v parsed %v\n",
		number(m.ParamsB), number(m.ActiveParamsB), m.Size, whole(m.Layers), whole(m.KVHeads), whole(m.HeadDim),
		m.Attention, m.Precision, m.Quantization, m.Base, bytes, ok, m.Parsed)
}

func sayHardware(out *strings.Builder, h Hardware) {
	a := h.Accelerator
	fmt.Fprintf(out, "%s %q count %d assumed %v note %q\n", h.Slug, h.Name, h.Count, h.CountAssumed, h.Note)
	fmt.Fprintf(out, "  id %q vendor %q name %q known %v memory %s bandwidth %s bf16 %s power %s year %s variants %v\n",
		a.ID, a.Vendor, a.Name, a.Known, number(a.MemoryGB), number(a.BandwidthGBs), number(a.BF16), number(a.PowerW),
		whole(a.Year), a.Variants)
}

func TestPlaces(t *testing.T) {
	const text = `# comment with [brackets] and = signs
a = 1 # b = 2
"q k".'r.s' = "x = ]"
long = """
no = key
"""
raw = '''it's [[fine]]'''
list = [ "one", # two
  "three", [4.50, 5] ]
inline = { x = 1, y.z = 0.10, w = [ { v = true } ] }
[t]
k = 2025-01-02T03:04:05Z
[t.sub]
  k=1_000
[[arr]]
n = 1
[arr.in]
m = 2
[[arr]]
n = 3
  [arr.in]
  m = 4
[[arr.deep]]
d = 5
`
	places := findPlaces(text)
	for path, want := range map[string]place{
		"a": {2, 1, "1"}, `"q k"`: {3, 1, ""}, `"q k"."r.s"`: {3, 1, ""}, "long": {4, 1, ""}, "raw": {7, 1, ""},
		"list": {8, 1, ""}, "list[0]": {8, 10, ""}, "list[1]": {9, 3, ""}, "list[2]": {9, 12, ""},
		"list[2][0]": {9, 13, "4.50"}, "list[2][1]": {9, 19, "5"},
		"inline": {10, 1, ""}, "inline.x": {10, 12, "1"}, "inline.y.z": {10, 19, "0.10"},
		"inline.w[0].v": {10, 39, "true"},
		"t":             {11, 1, ""}, "t.k": {12, 1, "2025-01-02T03:04:05Z"}, "t.sub": {13, 1, ""}, "t.sub.k": {14, 3, "1_000"},
		"arr[0]": {15, 1, ""}, "arr[0].n": {16, 1, "1"}, "arr[0].in.m": {18, 1, "2"}, "arr[1]": {19, 1, ""},
		"arr[1].in": {21, 3, ""}, "arr[1].in.m": {22, 3, "4"},
		"arr[1].deep[0].d": {24, 1, "5"},
	} {
		if got := places[path]; got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
	if _, ok := places["no"]; ok {
		t.Error("a key inside a string was taken for one")
	}
}

func TestNearest(t *testing.T) {
	for _, c := range [][2]string{{"hardwear", "hardware"}, {"Model", "model"}, {"engin_version", "engine_version"},
		{"licence", ""}, {"xyz", ""}, {"", ""}} {
		if got := Nearest(c[0], factKeys); got != c[1] {
			t.Errorf("nearest(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

// A SOURCE.toml that is written is one that is read, whatever a workflow is called.
func TestWrittenSource(t *testing.T) {
	info := SourceInfo{Title: "a\x1b[31m \"1\"", Author: "\x00", CI: &record.CI{Workflow: "b\x07\n\x7f", Branch: "\u009b\x02"}}
	text := info.TOML()
	if _, wrong := LoadSidecars(map[string][]byte{SourceFile: text}); len(wrong) > 0 ||
		string(text) != "title = \"a[31m \\\"1\\\"\"\n\n[ci]\nworkflow = \"b\\u000a\"\n" {
		t.Errorf("%s\n%v", text, wrong)
	}
}

func TestNil(t *testing.T) {
	var c *Config
	var s *Sidecars
	var n *Names
	if c.Rule("a") != nil || s.For(RunMatch{Path: "a"}).Facts != nil || n.Accelerators() != nil || n.Owner("x") != "" {
		t.Error("nil settings know something")
	}
	if m := n.Model("org/Toy-7B"); m.Known || m.Slug != "toy-7b" {
		t.Errorf("%+v", m)
	}
	if h := n.Hardware("2x Toy 1000", 0); h.Slug != "2x-toy-1000" || h.Accelerator.Known {
		t.Errorf("%+v", h)
	}
	if e := n.Engine("vllm", "1"); e.Name != "vllm" || e.Known {
		t.Errorf("%+v", e)
	}
	if _, s := n.Default("vllm", "1", "x"); s != DefaultUnknown {
		t.Error("a default without names")
	}
}

// TestHostile has settings files that come out of archives of strangers.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"nested arrays":  "a = " + strings.Repeat("[", maxSize-4),
		"closed arrays":  "a = " + strings.Repeat("[", maxSize/2-4) + strings.Repeat("]", maxSize/2-4),
		"nested tables":  "a = " + strings.Repeat("{a=", maxSize/3-4),
		"dotted key":     strings.Repeat("a.", maxSize/2-4) + "a = 1",
		"many keys":      strings.Repeat("[[run]]\n", maxSize/8-1),
		"invalid UTF-8":  "a = \"\xff\"",
		"zero bytes":     "a\x00 = 1",
		"half a key":     "a",
		"carriage":       "a = 1\r",
		"too large":      strings.Repeat("#", maxSize+1),
		"only a comment": "# nothing",
	} {
		_, diags := LoadSidecars(map[string][]byte{RunFile: []byte(text)})
		if len(diags) == 0 && name != "only a comment" {
			t.Errorf("%s: no diagnostic", name)
		}
		for _, d := range diags {
			if len(d.String()) > 2000 {
				t.Errorf("%s: a message of %d bytes", name, len(d.String()))
			}
		}
	}
}

// FuzzSettings feeds every loader the same text. Whatever it is, diagnostics name the file and
// a place inside of it.
func FuzzSettings(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, p := range paths {
		a, err := txtar.ParseFile(p)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if strings.HasSuffix(file.Name, ".toml") {
				f.Add(file.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		check := func(file string, diags []Diagnostic) {
			lines := bytes.Count(data, []byte("\n")) + 1
			for _, d := range diags {
				if d.File != file || d.Line < 0 || d.Line > lines || d.Message == "" {
					t.Errorf("%s (of %d lines)", d, lines)
				}
			}
		}
		c, diags := LoadConfig(data, "inferdex.toml")
		check("inferdex.toml", diags)
		c.Rule("a/b/c.json")
		for _, name := range []string{RunFile, SourceFile} {
			s, diags := LoadSidecars(map[string][]byte{"d/" + name: data})
			check("d/"+name, diags)
			for _, fact := range s.For(RunMatch{Path: "d/x.json", Index: 1}).Facts {
				if !isFactKey(fact.Key) || fact.Value == "" {
					t.Errorf("fact %+v", fact)
				}
			}
		}
		_, diags = LoadNotes(map[string][]byte{"data/notes/abc.toml": data})
		check("data/notes/abc.toml", diags)
		n, diags := LoadNames(fstest.MapFS{"names/x.toml": &fstest.MapFile{Data: data}})
		check("data/names/x.toml", diags)
		checkModel(t, n, "a/b-7B")
		checkHardware(t, n, "2x h100 (gfx908)")
		n.Default("vllm", "0.5.0", "seed")
	})
}

func TestTooDeep(t *testing.T) {
	for _, c := range []struct {
		text string
		deep bool
	}{
		{"a = " + strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth), false},
		{"a = " + strings.Repeat("[", maxDepth+1), true},
		{strings.Repeat("a.", maxDepth) + "a = 1", false},
		{strings.Repeat("a.", maxDepth+1) + "a = 1", true},
		{strings.Repeat("[[run]]\nfile = \"x\"\n", 100), false},
		{`a = "` + strings.Repeat("[.", 100) + `\"[" # ` + strings.Repeat("[", 100) + "\nb = '" +
			strings.Repeat("[", 100) + `\'`, false},
		{`a = """` + strings.Repeat("[\n\"", 100) + `"""`, false},
		{`a = '''` + strings.Repeat("[\n'", 100) + `'''`, false},
		{"a = \"open\nb = " + strings.Repeat("[", 100), true},
	} {
		if got := tooDeep(c.text) >= 0; got != c.deep {
			t.Errorf("%.60q: %v", c.text, got)
		}
	}
}

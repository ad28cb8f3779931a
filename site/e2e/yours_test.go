//go:build e2e

package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// storedFrom is the id of the run of the demonstration that was measured in a file.
func storedFrom(t *testing.T, file string) string {
	t.Helper()
	var found []string
	names, err := filepath.Glob("../../data/catalog/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), file) && !strings.HasPrefix(filepath.Base(filepath.Dir(name)), "_") {
			found = append(found, strings.TrimSuffix(filepath.Base(name), ".json"))
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d runs of %s", len(found), file)
	}
	return found[0]
}

// told is what the page says of what is compared, without the word that tells a dropped run.
const told = `JSON.stringify([...document.querySelectorAll("#know dd, #charts .find, #side > p, #parameters > p")]
	.map(e => e.textContent.replaceAll(", yours", "")))`

// TestYours drops a file of a run of the catalog on the page of comparisons, with one value changed that is not shown:
// beside another run it gives the numbers, sentences and parameters that the run of the catalog gives. As it is, the run
// is shown from the catalog.
func TestYours(t *testing.T) {
	c, asked := readerSite(t)
	const folder = "rocm-v0-v1-mi300x/"
	mine, other := storedFrom(t, folder+"v0-main.jsonl"), storedFrom(t, folder+"v1-main.jsonl")
	var files []chosen
	var listed []chosen // as they are
	for _, name := range []string{"v0-main.jsonl", "run.toml", "SOURCE.toml"} {
		data, err := os.ReadFile("../../data/raw/" + folder + name)
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, choice("canary7q4x/"+name, data))
		files = append(files, choice("canary7q4x/"+name, bytes.Replace(data, []byte("889.220123716859"), []byte("889.3"), 1)))
	}
	v := view{width: 1440, script: true}
	type sides struct {
		Differs [][]string
		Numbers map[string][]string
	}
	shown := func(b *tab) (s sides, said []string) {
		t.Helper()
		b.until(t, `document.querySelector("#parameters")`)
		if err := json.Unmarshal([]byte(evaluate[string](t, b, readChosen)), &s); err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(s.Differs, slices.Compare)
		if err := json.Unmarshal([]byte(evaluate[string](t, b, told)), &said); err != nil {
			t.Fatal(err)
		}
		return s, said
	}
	a := newTab(t)
	a.compares(t, c, v, mine, other)
	want, wantSaid := shown(a)
	b := newTab(t)
	b.open(t, c, sitePage{path: "compare/index.html#" + other, kind: "comparisons"}, v)
	b.until(t, `document.querySelector(".chosen li")`)
	if list := strings.Join(asked(), " "); strings.Contains(list, ".wasm") {
		t.Errorf("the reader is loaded before a file is chosen: %s", list)
	}
	if said := b.choose(t, files...); !strings.HasPrefix(said, "Read: 3 files, 1 run, ") {
		t.Fatal(said)
	}
	// Of several files, a finding says which one it is about.
	if read := evaluate[string](t, b, `document.querySelector("#read").textContent`); !strings.Contains(read, "Warning in canary7q4x/v0-main.jsonl at line 7: ") {
		t.Errorf("what was read does not name the file of line 7: %s", read)
	}
	got, gotSaid := shown(b)
	if diff := cmp.Diff(want, got); diff != "" || len(got.Numbers) < 10 {
		t.Errorf("%d numbers, -of the catalog +dropped\n%s", len(got.Numbers), diff)
	}
	if diff := cmp.Diff(wantSaid, gotSaid); diff != "" || len(gotSaid) < 3 {
		t.Errorf("%d sentences, -of the catalog +dropped\n%s", len(gotSaid), diff)
	}
	before := len(asked())
	kept := evaluate[string](t, b, `(async () => JSON.stringify([location.href, history.state, name, document.cookie,
		document.title, {...localStorage}, {...sessionStorage}, await indexedDB.databases(), await caches.keys(), performance.getEntries().map(e => e.name),
		[...document.querySelectorAll("[href]")].map(e => e.href)]))()`)
	if strings.Contains(kept, "7q4x") || strings.Contains(kept, "~1") || !strings.Contains(kept, "#"+other) {
		t.Errorf("kept: %s", kept)
	}
	// The second drop replaces the first; what the run is near to is offered, and nothing but it is asked for.
	if said := b.choose(t, files...); !strings.HasPrefix(said, "Read: 3 files, 1 run, ") {
		t.Fatal(said)
	}
	if more := asked()[before:]; len(more) > 0 {
		t.Errorf("asked for once the reader was there: %q", more)
	}
	near := evaluate[string](t, b, `(b => (b.click(), b.textContent))(document.querySelector(".coffers button"))`)
	b.until(t, `document.querySelectorAll(".chosen li").length === 3 && !document.querySelector("#choose > p.mut").textContent`)
	for _, address := range asked()[before:] {
		if !strings.HasPrefix(address, "/compare/runs/") && !strings.HasPrefix(address, "/compare/versions/") {
			t.Errorf("%q beside asks for %q", near, address)
		}
	}
	if all := strings.Join(asked(), " "); strings.Contains(all, "7q4x") || strings.Contains(all, "~") {
		t.Errorf("asked for: %q", asked())
	}
	if read := evaluate[string](t, b, `document.querySelector("#read").textContent`); !strings.Contains(read, "with other values") {
		t.Errorf("what was read does not say that the catalog has the run: %s", read)
	}
	b.choose(t, listed...)
	b.until(t, `location.hash.includes("`+mine+`") && !document.querySelector("#choose > p.mut").textContent`)
	text := evaluate[string](t, b, `document.querySelector("#compare-app").textContent`)
	for _, want := range []string{"In the catalog already", "there is nothing to add"} {
		if !strings.Contains(text, want) {
			t.Errorf("of a run of the catalog the page does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(evaluate[string](t, b, `document.querySelector(".chosen").textContent`), "yours") {
		t.Error("a run of the catalog is not shown from there")
	}
	for _, f := range append(a.taken(), b.taken()...) {
		// What the test itself does: it looks for cookies, and clicks where a person would.
		if !strings.Contains(f, "DocumentCookie") && !strings.Contains(f, "NavigationEntryMarkedSkippable") {
			t.Error(f)
		}
	}
}

// TestYoursStated drops a file that does not say its hardware: the page asks for it, and what is stated is said to be.
func TestYoursStated(t *testing.T) {
	c, _ := readerSite(t)
	b := newTab(t)
	b.before(t, counter)
	b.open(t, c, sitePage{path: "compare/index.html", kind: "comparisons"}, view{width: 390, script: true})
	b.until(t, `document.querySelector(".drop")`)
	markup := `<img src=x onerror=alert(1)>`
	if said := b.choose(t, choice(markup+"/r.json", []byte(checkResult)), choice("b/r.json",
		[]byte(strings.ReplaceAll(checkResult, "50.0", "75.0")))); !strings.HasPrefix(said, "Read: 2 files, 2 runs, ") {
		t.Fatal(said)
	}
	b.until(t, `document.querySelector("#ask input") && document.querySelector("#side")`)
	text := evaluate[string](t, b, `document.querySelector("#compare-app").textContent`)
	for _, want := range []string{"Hardware not recorded", "b/run.toml", "api_key: 2 texts", "yours"} {
		if !strings.Contains(strings.ToLower(text), strings.ToLower(want)) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "sk-canary") {
		t.Error("the page shows what would be taken out")
	}
	evaluate[bool](t, b, `(document.querySelectorAll("#ask input").forEach(i => i.value = "H100"), document.querySelector("#ask form").requestSubmit(), true)`)
	b.read(t)
	b.until(t, `document.querySelector("#know")?.textContent.includes("states")`)
	text = evaluate[string](t, b, `document.querySelector("#runs").textContent`)
	if !strings.Contains(text, "H100") || evaluate[bool](t, b, `!!document.querySelector("#ask")`) {
		t.Errorf("what was stated is not used:\n%s", text)
	}
	if href := evaluate[string](t, b, `location.href`); strings.Contains(href, "#") {
		t.Errorf("the address is %s", href)
	}
	// Of files with one name, as from two folders, each is read; a name says once whose it is.
	if said := b.choose(t, choice("r.json", []byte(checkResult)), choice("r.json",
		[]byte(strings.ReplaceAll(checkResult, "50.0", "75.0")))); !strings.HasPrefix(said, "Read: 2 files, 2 runs, ") {
		t.Error(said)
	}
	if list := evaluate[string](t, b, `document.querySelector(".chosen").textContent`); strings.Contains(list, "yours, yours") ||
		strings.Count(list, "Remove") != 2 {
		t.Errorf("chosen: %s", list)
	}
	for _, data := range []string{"", "[[[[", "PK\x03\x04 no archive"} {
		if said := b.choose(t, choice("x.json", []byte(data))); said == "" {
			t.Errorf("%q: nothing is said", data)
		}
	}
	for _, f := range append(evaluate[[]string](t, b, planted), b.taken()...) {
		t.Error(f)
	}
}

// TestYoursPacked makes a bundle on the page: its bytes are those of the command, nothing is asked for, and no secret is
// in it.
func TestYoursPacked(t *testing.T) {
	c, asked := readerSite(t)
	b := newTab(t)
	b.before(t, `window.packed = "";
		const made = URL.createObjectURL;
		URL.createObjectURL = (blob) => {
			if (blob.type === "application/zip")
				blob.arrayBuffer().then((all) => (window.packed = btoa(Array.from(new Uint8Array(all), (x) => String.fromCharCode(x)).join(""))));
			return made(blob);
		};`)
	b.open(t, c, sitePage{path: "compare/index.html", kind: "comparisons"}, view{width: 1440, script: true})
	b.until(t, `document.querySelector(".drop")`)
	files := []chosen{choice("mine/r.json", []byte(checkResult)), choice("mine/run.toml", []byte("hardware = \"H100\"\n"))}
	if said := b.choose(t, files...); !strings.HasPrefix(said, "Read: 2 files, 1 run, ") {
		t.Fatal(said)
	}
	before := len(asked())
	evaluate[bool](t, b, `(document.querySelector("#share button").click(), true)`)
	b.until(t, `window.packed`)
	got, err := base64.StdEncoding.DecodeString(evaluate[string](t, b, `window.packed`))
	if err != nil {
		t.Fatal(err)
	}
	if said := b.read(t); !strings.HasPrefix(said, "Made on this device: submission.zip, ") {
		t.Error(said)
	}
	if more := asked()[before:]; len(more) > 0 {
		t.Errorf("asked for: %q", more)
	}
	dir := t.TempDir()
	written(t, dir, files)
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	if err := command(dir, bin, "submit", "mine/r.json", "mine/run.toml"); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(dir, "submission.zip"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, the command makes %d, %v", len(got), len(want), err)
	}
	b.taken() // which the browser tells: the test makes the address of the download
}

// TestYoursWithoutReader says what to do where the reader does not load, and loads it the next time.
func TestYoursWithoutReader(t *testing.T) {
	c, _ := readerSite(t)
	b := newTab(t)
	b.open(t, c, sitePage{path: "compare/index.html", kind: "comparisons"}, view{width: 390, script: true})
	b.until(t, `document.querySelector(".drop")`)
	module := evaluate[string](t, b, `(d => { const m = d.module; d.module = "nothing.gz"; return m; })(document.querySelector("#compare-app").dataset)`)
	said := b.choose(t, choice("r.json", []byte(checkResult)))
	for _, want := range []string{"could not be loaded", "404", "Try again", "inferdex compare"} {
		if !strings.Contains(said, want) {
			t.Errorf("without a reader the page does not say %q: %s", want, said)
		}
	}
	evaluate[bool](t, b, `(document.querySelector("#compare-app").dataset.module = "`+module+`", document.querySelector(".state button").click(), true)`)
	if said := b.read(t); !strings.HasPrefix(said, "Read: 1 file, ") {
		t.Error(said)
	}
	b.taken() // which the browser tells: a file that is not there
}

// TestDropMovesNothing drops files of which one is told much, one nothing and one an error, alone and beside runs of the
// catalog: what is told takes room below the box that nothing else had, and the box is in view. The browser counts what
// moves; what moves within half a second of a click would not count, and nothing is clicked here.
func TestDropMovesNothing(t *testing.T) {
	c, _ := readerSite(t)
	const folder = "rocm-v0-v1-mi300x/"
	listed := storedFrom(t, folder+"v0-main.jsonl") + "," + storedFrom(t, folder+"v1-main.jsonl")
	drops := []struct {
		name  string
		files []chosen
	}{
		{"a run", []chosen{choice("r.json", []byte(checkResult))}},
		{"two runs", []chosen{choice("a/r.json", []byte(checkResult)), choice("b/r.json",
			[]byte(strings.ReplaceAll(checkResult, "50.0", "75.0")))}},
		{"no result", []chosen{choice("README.md", []byte("# How it was measured\n"))}},
		{"a broken result", []chosen{choice("r.json", []byte(checkResult[:200]))}},
		{"a run again", []chosen{choice("r.json", []byte(checkResult))}},
	}
	const inView = `(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector(".drop").getBoundingClientRect())`
	for _, p := range []sitePage{{path: "check/index.html", kind: "check"}, {path: "compare/index.html", kind: "comparisons"},
		{path: "compare/index.html#" + listed, kind: "comparisons"}} {
		b := newTab(t)
		b.before(t, observer)
		for _, width := range []int64{390, 768, 1440} {
			b.open(t, c, sitePage{path: "index.html"}, view{width: width, script: true}) // else only the anchor is another one
			b.open(t, c, p, view{width: width, script: true})
			b.until(t, `document.querySelector(".drop")`)
			if strings.Contains(p.path, "#") {
				b.until(t, `document.querySelector("#parameters")`)
			}
			for i, d := range drops {
				if i == len(drops)-1 {
					evaluate[bool](t, b, `(scrollTo(0, document.body.scrollHeight), true)`)
				}
				evaluate[bool](t, b, `new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => {
					window.__shift = 0; window.__shifted = []; r(true); })))`)
				said := b.choose(t, d.files...)
				moved := evaluate[[]any](t, b, `new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() =>
					setTimeout(() => r([window.__shift, ...window.__shifted])))))`)
				t.Logf("%s, %d px, %s: %v", p.path, width, d.name, moved)
				if moved[0].(float64) > 0.1 {
					t.Errorf("%s, %d px, %s (%s): the page moved by %v", p.path, width, d.name, said, moved)
				}
				if !evaluate[bool](t, b, inView) {
					t.Errorf("%s, %d px, %s: the box is out of view", p.path, width, d.name)
				}
			}
		}
		for _, f := range b.taken() {
			t.Error(f)
		}
	}
}

// TestYoursCautions drops two results of one benchmark in two divisions: each division is named, and that they differ is a
// caution. So is that a result cannot be believed.
func TestYoursCautions(t *testing.T) {
	c, _ := readerSite(t)
	b := newTab(t)
	b.open(t, c, sitePage{path: "compare/index.html", kind: "comparisons"}, view{width: 1440, script: true})
	b.until(t, `document.querySelector(".drop")`)
	dropped := func(files ...chosen) string {
		t.Helper()
		if said := b.choose(t, files...); !strings.Contains(said, "2 runs, ") {
			t.Fatal(said)
		}
		b.until(t, `document.querySelector("#side")`)
		return evaluate[string](t, b, `document.querySelector("#compare-app").innerText.replace(/\s+/g, " ")`)
	}
	const entered = `{"Submitter": "Acme", "Category": "closed", "Platform": "A1x8", "UsedModel": "tinyllama-99",
		"Model": "tinyllama-99", "Scenario": "Offline", "Accelerator": "Acme A1 80GB", "a#": 8, "version": "v9.1",
		"Performance_Result": 8000, "Performance_Units": "Tokens/s"}`
	open := strings.Replace(strings.Replace(entered, "closed", "open", 1), "8000", "9000", 1)
	text := dropped(choice("summary_results.json", []byte("["+entered+","+open+"]")))
	for _, want := range []string{"Divisions differ", "and with them what may be changed of model and accuracy.", "Division closed open"} {
		if !strings.Contains(text, want) {
			t.Errorf("of two divisions the page does not say %q:\n%s", want, text)
		}
	}
	closed := strings.Replace(strings.Replace(open, "open", "closed", 1), "A1x8", "A1x8b", 1)
	text = dropped(choice("summary_results.json", []byte("["+entered+","+closed+"]")))
	if strings.Contains(text, "Divisions differ") {
		t.Errorf("of one division the page says that it differs:\n%s", text)
	}
	if strings.Contains(text, "Counts differ") {
		t.Errorf("of one count the page says that it differs:\n%s", text)
	}
	four := strings.Replace(strings.Replace(entered, "A1x8", "A1x4", 1), `"a#": 8`, `"a#": 4`, 1)
	text = dropped(choice("summary_results.json", []byte("["+entered+","+four+"]")))
	if !strings.Contains(text, "Counts differ Throughput is that of all accelerators together: ") {
		t.Errorf("of two counts of accelerators the page does not say what throughput is:\n%s", text)
	}
	wrong := strings.NewReplacer(`"request_throughput": 1.0`, `"request_throughput": 9.0`, "50.0", "75.0").Replace(checkResult)
	text = dropped(choice("a/r.json", []byte(checkResult)), choice("b/r.json", []byte(wrong)))
	if !strings.Contains(text, "Not to be believed") || !strings.Contains(text, "10 requests in 10 s are 1") {
		t.Errorf("that a rate cannot be is not said:\n%s", text)
	}
}

//go:build e2e

package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inferdex/inferdex/goldentest"
)

// chosen is a file that a reader chooses.
type chosen struct {
	Name string `json:"name"`
	Data string `json:"data"` // in base64
}

func choice(name string, data []byte) chosen {
	return chosen{name, base64.StdEncoding.EncodeToString(data)}
}

// samples are the files of each case of each format.
func samples(t *testing.T) (names []string, files [][]chosen) {
	t.Helper()
	for _, c := range goldentest.Cases(t, "../../ingest/format/*/testdata/*.txtar") {
		var list []chosen
		for _, f := range c.Files {
			if name, ok := strings.CutPrefix(f.Name, "in/"); ok {
				list = append(list, choice("in/"+name, f.Data))
			}
		}
		if len(list) > 0 {
			names, files = append(names, filepath.Base(filepath.Dir(filepath.Dir(c.Path)))+"/"+c.Name), append(files, list)
		}
	}
	if len(files) < 100 {
		t.Fatalf("%d cases: the test looks at the wrong place", len(files))
	}
	return names, files
}

// choose hands files to the page and waits until they are read; it gives what the page says of it.
func (b *tab) choose(t *testing.T, files ...chosen) string {
	t.Helper()
	list, err := json.Marshal(files)
	if err != nil {
		t.Fatal(err)
	}
	evaluate[bool](t, b, `(() => {
		const files = `+string(list)+`.map(f => {
			const file = new File([Uint8Array.from(atob(f.data), c => c.charCodeAt(0))], f.name.split("/").pop());
			Object.defineProperty(file, "webkitRelativePath", {value: f.name}); // as in a folder
			return file;
		});
		const input = document.querySelector(".drop input");
		Object.defineProperty(input, "files", {value: files, configurable: true});
		input.dispatchEvent(new Event("change"));
		return true;
	})()`)
	return b.read(t)
}

// read waits until the page has read what was chosen.
func (b *tab) read(t *testing.T) string {
	t.Helper()
	b.until(t, `document.querySelector("#check-result, #compare-read").getAttribute("aria-busy") === "false"`)
	return evaluate[string](t, b, `document.querySelector(".drop .state").textContent`)
}

// storedRun is a run as a catalog stores it.
type storedRun map[string]any

// ingested are the runs that the command line makes of files, by the names of their files.
func ingested(t *testing.T, files []chosen) map[string]storedRun {
	t.Helper()
	dir := t.TempDir()
	written(t, dir, files)
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	_ = command(dir, bin, "ingest", "in") // 1 says that some place could not be read
	out := map[string]storedRun{}
	runs := os.DirFS(filepath.Join(dir, "data", "catalog"))
	err = fs.WalkDir(runs, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "_") || !strings.HasSuffix(name, ".json") {
			return err
		}
		data, err := fs.ReadFile(runs, name)
		if err != nil {
			return err
		}
		run := parsed(t, string(data))
		out[fmt.Sprint(run["id"])] = run
		return nil
	})
	if err != nil && len(out) > 0 {
		t.Fatal(err)
	}
	return out
}

// written puts files into the directory of an empty catalog.
func written(t *testing.T, dir string, files []chosen) {
	t.Helper()
	for _, f := range append(files, choice("inferdex.toml", nil)) {
		data, err := base64.StdEncoding.DecodeString(f.Data)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func parsed(t *testing.T, text string) (run storedRun) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&run); err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
	return run
}

// shownRuns are the runs that the page shows, as a catalog would store them.
func (b *tab) shownRuns(t *testing.T) map[string]storedRun {
	t.Helper()
	texts := evaluate[[]string](t, b, `(async () => {
		const all = [...document.querySelectorAll("#runs details")];
		for (const d of all) d.open = true;
		while (all.some(d => !d.querySelector("pre"))) await new Promise(requestAnimationFrame);
		return all.map(d => d.querySelector("pre").textContent);
	})()`)
	out := map[string]storedRun{}
	for _, text := range texts {
		run := parsed(t, text)
		out[fmt.Sprint(run["id"])] = run
	}
	return out
}

// readerSite is a site with the readers in it, behind a server that notes what it is asked for.
func readerSite(t *testing.T) (c *catalog, asked func() []string) {
	t.Helper()
	demonstration.need(t)
	if found, _ := filepath.Glob(filepath.Join(demonstration.dir, "check", "*.wasm.gz")); len(found) == 0 {
		t.Fatal("the program was built without the readers for browsers: make reader")
	}
	var mu sync.Mutex
	var list []string
	files := &pagesServer{dir: os.DirFS(demonstration.dir)}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		list = append(list, r.URL.String())
		mu.Unlock()
		http.StripPrefix("/", files).ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return &catalog{name: "readers", dir: demonstration.dir, base: s.URL + "/"}, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(list)
	}
}

var checkView = view{width: 1440, script: true}

// TestCheckSamples drops each sample of each format: the page shows the runs that the command line stores, value by
// value, and asks for nothing once the reader is there. Two tabs share the samples.
func TestCheckSamples(t *testing.T) {
	names, files := samples(t)
	for half := range 2 {
		t.Run([]string{"even", "odd"}[half], func(t *testing.T) {
			t.Parallel()
			c, asked := readerSite(t)
			b := newTab(t)
			b.open(t, c, sitePage{path: "check/index.html", kind: "check"}, checkView)
			loaded, runs := 0, 0
			for i := half; i < len(files); i += 2 {
				said := b.choose(t, files[i]...)
				if loaded == 0 {
					loaded = len(asked())
				}
				if !strings.HasPrefix(said, "Read: ") {
					t.Errorf("%s: %s", names[i], said)
					continue
				}
				want, got := ingested(t, files[i]), b.shownRuns(t)
				runs += len(want)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: -command line +page\n%s", names[i], diff)
				}
			}
			if runs < 50 {
				t.Errorf("%d runs in half of the samples: too few to say anything", runs)
			}
			if more := asked()[loaded:]; len(more) > 0 {
				t.Errorf("asked for once the reader was there: %q", more)
			}
			for _, f := range b.taken() {
				t.Error(f)
			}
		})
	}
}

const checkResult = `{"date": "20250101-100000", "backend": "vllm", "model_id": "acme/canary-7q4x", "num_prompts": 10,
 "request_rate": 2.0, "duration": 10.0, "completed": 10, "total_input_tokens": 1000, "total_output_tokens": 500,
 "request_throughput": 1.0, "output_throughput": 50.0, "total_token_throughput": 150.0, "mean_ttft_ms": 20.0,
 "median_ttft_ms": 19.5, "p99_ttft_ms": 30.0, "api_key": "sk-canary7q4x0123456789abcdefABCDEF"}
`

// TestCheckStaysHere looks for what was dropped everywhere but on the page.
func TestCheckStaysHere(t *testing.T) {
	c, asked := readerSite(t)
	b := newTab(t)
	b.open(t, c, sitePage{path: "check/index.html", kind: "check"}, checkView)
	if said := b.choose(t, choice("canary7q4x/r.json", []byte(checkResult))); said != "Read: 1 file, 1 run, 1 measured point." {
		t.Fatal(said)
	}
	before := len(asked())
	text := evaluate[string](t, b, `document.querySelector("#check-result").textContent`)
	for _, want := range []string{"canary-7q4x", "api_key: 1 text", "canary7q4x/run.toml", "vllm-bench-serve"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "sk-canary") {
		t.Error("the page shows what would be taken out")
	}
	kept := evaluate[string](t, b, `(async () => JSON.stringify([location.href, history.length, history.state, name, document.cookie,
		document.title, {...localStorage}, {...sessionStorage}, await indexedDB.databases(), await caches.keys(), performance.getEntries().map(e => e.name)]))()`)
	if strings.Contains(kept, "7q4x") {
		t.Errorf("kept: %s", kept)
	}
	b.choose(t, choice("again.json", []byte(checkResult)))
	if more := asked()[before:]; len(more) > 0 || strings.Contains(strings.Join(asked(), " "), "7q4x") {
		t.Errorf("asked for: %q", asked())
	}
	// The worker is held by the policy of its page: what it would ask of another host is refused.
	if !evaluate[bool](t, b, `new Promise(r => {
		const w = new Worker(URL.createObjectURL(new Blob(["fetch('http://127.0.0.2:9/').then(() => postMessage(false), () => 0);" +
			"addEventListener('securitypolicyviolation', () => postMessage(true));"])));
		w.onmessage = e => r(e.data);
	})`) {
		t.Error("a worker of the page may ask other hosts")
	}
	b.taken() // which the browser tells
}

// TestCheckHostile drops what is meant to harm: each ends in a message, and the next file is read.
func TestCheckHostile(t *testing.T) {
	c, _ := readerSite(t)
	b := newTab(t)
	b.before(t, counter)
	b.open(t, c, sitePage{path: "check/index.html", kind: "check"}, checkView)
	markup := `<img src=x onerror=alert(1)><script>alert(2)</script>`
	cases := map[string][]chosen{
		"deep":       {choice("deep.json", bytes.Repeat([]byte("["), 1<<20))},
		"no archive": {choice("x.zip", []byte("PK\x03\x04 no archive"))},
		"no text":    {choice("x.json", bytes.Repeat([]byte{0xff, 0}, 1<<16))},
		"markup": {choice(markup+".json", []byte(strings.NewReplacer("acme/canary-7q4x", strings.ReplaceAll(markup, `"`, `\"`),
			`"api_key"`, `"`+markup+`"`).Replace(checkResult)))},
		"cut":       {choice("cut.json", []byte(checkResult[:200]))},
		"empty":     {choice("empty.json", nil)},
		"no member": {choice("empty.zip", []byte("PK\x05\x06"+strings.Repeat("\x00", 18)))},
		"many":      {choice("many.jsonl", bytes.Repeat([]byte("{\"date\": 1, \"model_id\": [}\n"), 20000))},
		"run.toml":  {choice("a/r.json", []byte(checkResult)), choice("a/run.toml", []byte("hardware = [[[\n"))},
	}
	for name, files := range cases {
		said := b.choose(t, files...)
		if said == "" {
			t.Errorf("%s: nothing is said", name)
		}
		t.Logf("%s: %s", name, said)
		for _, f := range evaluate[[]string](t, b, planted) {
			t.Errorf("%s: %s", name, f)
		}
		if said := b.choose(t, choice("good.json", []byte(checkResult))); said != "Read: 1 file, 1 run, 1 measured point." {
			t.Errorf("after %s: %s", name, said)
		}
	}
	names, files := samples(t)
	for i := 0; i < len(files); i += 10 {
		data, err := base64.StdEncoding.DecodeString(files[i][0].Data)
		if err != nil {
			t.Fatal(err)
		}
		for _, mutant := range [][]byte{data[:len(data)/2], bytes.ReplaceAll(data, []byte("1"), []byte("99999999999999999999")),
			bytes.ReplaceAll(data, []byte(":"), []byte(":[")), slices.Concat(data, data, []byte{0})} {
			if said := b.choose(t, choice(files[i][0].Name, mutant)); said == "" {
				t.Errorf("%s: nothing is said", names[i])
			}
		}
	}
	// Without a sign of life, and with more than there is memory for, reading ends and can begin again.
	evaluate[bool](t, b, `(document.querySelector("#check-app").dataset.patience = "0", true)`)
	if said := b.choose(t, choice("late.json", []byte(checkResult))); !strings.Contains(said, "No answer") {
		t.Errorf("without patience: %s", said)
	}
	evaluate[bool](t, b, `(document.querySelector("#check-app").dataset.patience = "60", document.querySelector("#check-app").dataset.most = "100", true)`)
	if said := b.choose(t, choice("large.json", []byte(checkResult))); !strings.Contains(said, "more than") {
		t.Errorf("above the limit: %s", said)
	}
	evaluate[bool](t, b, `(document.querySelector("#check-app").dataset.most = "200000000", true)`)
	if said := b.choose(t, choice("good.json", []byte(checkResult))); !strings.HasPrefix(said, "Read: 1 file") {
		t.Errorf("at the end: %s", said)
	}
	for _, f := range b.taken() {
		t.Error(f)
	}
}

// TestCheckReal drops real result files, a folder at a time: the page reads the runs that the command line stores, value
// by value. EVERY=1 asks for it, CORPUS=DIR and FIELD=DIR say where they are.
func TestCheckReal(t *testing.T) {
	if !*every {
		t.Skip("skipped: make e2e EVERY=1 CORPUS=DIR FIELD=DIR drops real result files")
	}
	for _, from := range []*catalog{corpus, field} {
		root := os.Getenv(from.real)
		if root == "" {
			continue
		}
		folders := map[string][]chosen{}
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, name)
			folder := filepath.ToSlash(filepath.Dir(rel))
			folders[folder] = append(folders[folder], choice("in/"+filepath.ToSlash(rel), data))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for folder, files := range folders {
			t.Run(from.name+"/"+folder, func(t *testing.T) {
				c, _ := readerSite(t)
				b := newTab(t)
				// A page shows some of the runs; the reader hands over all.
				b.before(t, `window.Worker = class extends Worker {
					constructor(...all) {
						super(...all);
						this.addEventListener("message", (e) => e.data.report && (window.given = JSON.parse(new TextDecoder().decode(e.data.report)).runs ?? []));
					}
				};`)
				b.open(t, c, sitePage{path: "check/index.html", kind: "check"}, checkView)
				if said := b.choose(t, files...); !strings.HasPrefix(said, "Read: ") {
					t.Fatal(said)
				}
				got := map[string]storedRun{}
				for _, text := range evaluate[[]string](t, b, `window.given.map((r) => r.stored)`) {
					run := parsed(t, text)
					got[fmt.Sprint(run["id"])] = run
				}
				want := ingested(t, files)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("-command line +page\n%.4000s", diff)
				}
				t.Logf("%d files, %d runs", len(files), len(got))
				for _, f := range b.taken() {
					t.Error(f)
				}
			})
		}
	}
}

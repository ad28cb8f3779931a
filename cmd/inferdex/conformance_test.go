package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// corpus returns the directory with real result files, which is no part of this repository.
func corpus(t testing.TB) string {
	dir := os.Getenv("INFERDEX_CORPUS")
	if dir == "" {
		t.Skip("skipped: INFERDEX_CORPUS names no directory with real result files (make conformance CORPUS=DIR)")
	}
	return dir
}

// ingested runs the command on paths into a new catalog and returns it with what was said.
func ingested(t testing.TB, paths ...string) (ix *figure.Index, c *catalog.Catalog, dir, said string) {
	t.Helper()
	dir = t.TempDir()
	said = ingestInto(t, dir, paths...)
	ix, c = loaded(t, dir)
	return ix, c, dir, said
}

func ingestInto(t testing.TB, dir string, paths ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(context.Background(), strings.NewReader(""), &out, &errs,
		append([]string{"-C", dir, "ingest"}, paths...)); code != 0 {
		t.Fatalf("ingest: exit status %d\n%s", code, errs.String())
	}
	return errs.String()
}

// loaded is the catalog in a directory.
func loaded(t testing.TB, dir string) (*figure.Index, *catalog.Catalog) {
	t.Helper()
	a := &app{stderr: os.Stderr, stdout: os.Stdout, dir: dir}
	ix, c, err := a.load()
	if err != nil {
		t.Fatal(err)
	}
	return ix, c
}

// hasSource reports whether a file of a folder is a source of a run.
func hasSource(r *figure.Run, part string) bool {
	return slices.ContainsFunc(r.Sources, func(s catalog.Source) bool { return strings.Contains(s.Path, part+"/") })
}

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b))
}

// TestConformanceSuites holds every number that inferdex computes from a suite's raw files
// against the suite's own published card and report.
func TestConformanceSuites(t *testing.T) {
	root := filepath.Join(corpus(t), "happy_vllm")
	ix, _, _, said := ingested(t, root)
	t.Logf("%s", lastLine(said))
	f, err := os.Open(filepath.Join(root, "published-cards.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]bool{}
	for _, row := range rows[1:] {
		suite := row[0]
		var r *figure.Run
		for _, c := range ix.Runs {
			if hasSource(c, suite) {
				if r != nil {
					t.Errorf("%s: two runs, %s and %s", suite, r.ID, c.ID)
				}
				r = c
			}
		}
		if r == nil {
			t.Errorf("%s: no run", suite)
			continue
		}
		runs[r.ID] = true
		raw := false
		for _, s := range r.Sources {
			raw = raw || strings.Contains(s.Path, "raw_results.zip!")
		}
		got := map[string]figure.Headline{}
		for _, h := range r.SuiteHeadlines() {
			got[h.Name] = h
		}
		for i, name := range []string{"prompt_ingestion_speed", "generation_speed_10_parallel", "kv_cache_tokens"} {
			h := got[name]
			if strings.TrimSpace(h.Published) != strings.TrimSpace(row[i+1]) {
				t.Errorf("%s: %s is published as %q, computed %v reads %q", suite, name, row[i+1], value(h.Value),
					h.Published)
			}
			if raw && h.Value == nil {
				t.Errorf("%s: %s has no exact value", suite, name)
			}
			// The exact value rounded as the card does gives the card's text.
			if v := h.Value; v != nil {
				var want string
				switch i {
				case 0:
					want = fmt.Sprintf("~%d t/s", 250*(int(*v)/250))
				case 1:
					want = fmt.Sprintf("~%d t/s for each request", int(*v))
				case 2:
					want = fmt.Sprintf("~%dk tokens", 25*(int(*v)/25000))
				}
				if want != strings.TrimSpace(row[i+1]) {
					t.Errorf("%s: %s: %v rounds to %q, the card says %q", suite, name, *v, want, row[i+1])
				}
			}
		}
		total, speed, thresholds := compareReport(t, r, filepath.Join(root, suite, "report"))
		t.Logf("%-90s %3d points, equal to the report: %3d total speeds, %3d speeds, %2d thresholds", suite,
			len(r.Points), total, speed, thresholds)
	}
	if len(runs) != 12 {
		t.Errorf("%d runs for 13 suites of which two are one, want 12", len(runs))
	}
	for _, r := range ix.Runs {
		if hasSource(r, "2xH100/Llama-3.3-70b") {
			if !hasSource(r, "happy_vllm/H100/Llama-3.3-70b") {
				t.Error("the doubled Llama 3.3 suite has one source")
			}
			if !slices.ContainsFunc(r.Findings,
				func(f catalog.Finding) bool { return strings.Contains(f.Message, "H100/Llama-3.3-70b") }) {
				t.Errorf("no finding says that the Llama 3.3 suite lies twice: %v", r.Findings)
			}
		}
	}
}

func value(n catalog.Number) any {
	if n == nil {
		return "missing"
	}
	return *n
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}

// compareReport counts the values of a report that equal those of the run.
func compareReport(t *testing.T, r *figure.Run, report string) (total, speed, thresholds int) {
	t.Helper()
	type key struct{ in, out, n int }
	points := map[key]*catalog.Point{}
	for i := range r.Points {
		p := &r.Points[i]
		points[key{int(*p.Workload.Nominal.Input), int(*p.Workload.Nominal.Output), int(*p.Load.MaxConcurrency)}] = p
	}
	var totals map[string]struct {
		Data []struct {
			N     int     `json:"nb_parallel_requests"`
			Speed float64 `json:"speed"`
		}
		In  int `json:"input_length"`
		Out int `json:"output_length"`
	}
	readJSON(t, filepath.Join(report, "data/total_speed_generation_graph_data.json"), &totals)
	for _, s := range totals {
		for _, d := range s.Data {
			p := points[key{s.In, s.Out, d.N}]
			if p == nil {
				t.Errorf("%s: no point for %d/%d at %d", report, s.In, s.Out, d.N)
				continue
			}
			if v, ok := figure.Get(p, "total_generation_speed", "value"); !ok || !near(v, d.Speed) {
				t.Errorf("%s: total generation speed %d/%d at %d is %v, the report says %v", report, s.In, s.Out,
					d.N, v, d.Speed)
				continue
			}
			total++
		}
	}
	name := regexp.MustCompile(`input_(\d+)_output_(\d+)\.json$`)
	files, _ := filepath.Glob(filepath.Join(report, "speed_generation/data/*.json"))
	for _, f := range files {
		m := name.FindStringSubmatch(f)
		in, _ := strconv.Atoi(m[1])
		out, _ := strconv.Atoi(m[2])
		var loads map[string]struct {
			Speed []float64 `json:"speed_generation"`
			TTFT  []float64 `json:"time_to_first_token"`
			KV    float64   `json:"max_kv_cache"`
		}
		readJSON(t, f, &loads)
		for n, d := range loads {
			load, _ := strconv.Atoi(n)
			p := points[key{in, out, load}]
			if p == nil {
				t.Errorf("%s: no point for %d/%d at %d", report, in, out, load)
				continue
			}
			ok := true
			for metric, want := range map[metric.ID][]float64{"speed_per_request": d.Speed, "ttft": d.TTFT} {
				med, has := figure.Get(p, metric, "median")
				lo, has2 := figure.Get(p, metric, "p25")
				hi, has3 := figure.Get(p, metric, "p75")
				// The outer two are distances from the median: compare the ends, whose digits survive.
				if !has || !has2 || !has3 || !near(med, want[1]) || !near(lo, want[1]-want[0]) ||
					!near(hi, want[1]+want[2]) {
					t.Errorf("%s: %s %d/%d at %d: %v %v %v, the report says %v", report, metric, in, out, load, lo,
						med, hi, want)
					ok = false
				}
			}
			if kv, _, has := figure.Central(p, "kv_cache_usage"); d.KV > 0 && (!has || !near(kv, d.KV)) {
				t.Errorf("%s: KV cache %d/%d at %d is %v, the report says %v", report, in, out, load, kv, d.KV)
				ok = false
			}
			if ok {
				speed++
			}
		}
	}
	f, err := os.Open(filepath.Join(report, "thresholds.csv"))
	if err != nil {
		return total, speed, 0
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	figures := map[string]catalog.Number{}
	for _, fg := range r.Figures {
		figures[string(fg.Metric)+" "+fg.Of] = fg.Value
	}
	for _, row := range rows[1:] {
		of := row[2] + "/" + row[3]
		for i, metric := range []string{"threshold_speed", "threshold_kv_cache"} {
			want, _ := strconv.ParseFloat(row[i], 64)
			v := figures[metric+" "+of]
			if v == nil || *v != want {
				t.Errorf("%s: %s of %s is %v, the report says %v", report, metric, of, value(v), want)
				continue
			}
			thresholds++
		}
	}
	return total, speed, thresholds
}

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestConformancePages reads the published pages.
func TestConformancePages(t *testing.T) {
	root := filepath.Join(corpus(t), "cards")
	ix, _, _, said := ingested(t, root)
	t.Logf("%s", lastLine(said))
	var rocm []*figure.Run
	reports := 0
	for _, r := range ix.Runs {
		switch {
		case hasSuffixSource(r, "rocm-vllm-v0-v1-mi300x.md"):
			rocm = append(rocm, r)
		case hasSuffixSource(r, "devstral-small-2-on-4x-mi100.md"):
			reports++
			sw, _, ok := r.SweetSpot()
			if len(r.Points) != 10 || !ok || figure.LoadOf(sw.Point) != 4 || math.Abs(sw.PerUser-41.99) > 0.01 {
				t.Errorf("MI100 report: %d points, sweet spot %+v", len(r.Points), sw)
			}
			for _, s := range r.Scenarios {
				if p, v, ok := s.Peak("output_throughput"); ok && len(s.Points) > 1 {
					n, above := figure.AboveNumPrompts(p)
					if figure.LoadOf(p) != 32 || v != 387.10 || !above || n != 30 {
						t.Errorf("MI100 report: peak %v at %v, prompts %d", v, figure.LoadOf(p), n)
					}
				}
			}
		}
	}
	if reports != 1 {
		t.Errorf("%d runs of the MI100 report, want 1", reports)
	}
	if len(rocm) != 3 {
		t.Fatalf("%d runs on the ROCm page, want 3", len(rocm))
	}
	slices.SortFunc(rocm, func(a, b *figure.Run) int { return strings.Compare(a.Started, b.Started) })
	for _, r := range rocm {
		s := r.Scenarios[0]
		if len(r.Scenarios) != 1 || len(s.Points) != 7 {
			t.Errorf("ROCm page: %d scenarios, %d points, want 1 and 7", len(r.Scenarios), len(s.Points))
			continue
		}
		last := s.Largest()
		if o, ok := figure.Success(last); !math.IsInf(figure.LoadOf(last), 1) || !ok || o.Completed != 1015 ||
			o.Submitted != 2000 {
			t.Errorf("ROCm page: at inf %d of %d", o.Completed, o.Submitted)
		}
	}
	// The table the page showed: mean TTFT in ms, fastest series, faster by in percent.
	rocm[0].Baseline = true
	pv, _ := compare.NewPivot(rocm, rocm[0].Scenarios[0].Class, "ttft", "mean")
	want := []struct {
		values  [3]float64
		fastest int
		by      float64
	}{
		{[3]float64{1479.34, 139.51, 142.41}, 1, 90.57}, {[3]float64{1536.68, 167.30, 162.35}, 2, 89.43},
		{[3]float64{979.34, 218.27, 203.21}, 2, 79.25},
		{[3]float64{2962.03, 361.79, 311.57}, 2, 89.48}, {[3]float64{5301.25, 4170.09, 493.50}, 2, 90.69},
		{[3]float64{16553.83, 18159.26, 7900.47}, 2, 52.27},
		{[3]float64{60121.90, 60725.67, 53667.96}, 2, 10.73},
	}
	if len(pv.Rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(pv.Rows), len(want))
	}
	for i, row := range pv.Rows {
		for j, v := range row.Values {
			if v == nil || math.Abs(*v*1000-want[i].values[j]) > 0.00501 {
				t.Errorf("row %d column %d: %v s, the page says %v ms", i, j, value(v), want[i].values[j])
			}
		}
		if row.Fastest != want[i].fastest || row.FasterBy == nil || math.Abs(*row.FasterBy*100-want[i].by) > 0.00501 {
			t.Errorf("row %d: fastest %d by %v, the page says %d by %v %%", i, row.Fastest, value(row.FasterBy),
				want[i].fastest, want[i].by)
		}
	}
}

func hasSuffixSource(r *figure.Run, base string) bool {
	return slices.ContainsFunc(r.Sources, func(s catalog.Source) bool { return strings.HasSuffix(s.Path, base) })
}

// TestConformanceAll reads everything there is and builds a site of it.
func TestConformanceAll(t *testing.T) {
	root := corpus(t)
	_, c, dir, said := ingested(t, root)
	t.Logf("%s", lastLine(said))
	for _, line := range strings.Split(said, "\n") {
		if strings.Contains(line, "panic") || strings.Contains(line, "please report it") {
			t.Errorf("%s", line)
		}
	}
	if fs := catalog.Lint(c); len(fs) > 0 {
		t.Errorf("%d problems in the catalog, first %+v", len(fs), fs[0])
	}
	before := treeDigest(t, filepath.Join(dir, "data/catalog"))
	again := lastLine(ingestInto(t, dir, root))
	if !strings.Contains(again, "(0 new") {
		t.Errorf("a second ingest is not idle: %s", again)
	}
	if after := treeDigest(t, filepath.Join(dir, "data/catalog")); after != before {
		t.Error("a second ingest changed the catalog")
	}
	var out, errs bytes.Buffer
	if code := run(context.Background(), strings.NewReader(""), &out, &errs, []string{"-C", dir, "build"}); code != 0 {
		t.Fatalf("build: exit status %d\n%s", code, errs.String())
	}
	t.Logf("%s", lastLine(errs.String()))
	out.Reset()
	errs.Reset()
	if code := run(context.Background(), strings.NewReader(""), &out, &errs,
		[]string{"-C", dir, "check", "--site-only"}); code != 0 {
		t.Errorf("check: exit status %d\n%.4000s", code, out.String()+errs.String())
	}
}

// TestConformanceTable prints what became of every file there is: by format the files, runs and
// points, the keys that were kept and not used, and the smallest and largest consistency of the
// times (see [catalog.Point.Consistency]). No file may have an error. Those that no format knows are
// listed, but for the ones that the directory's own README.md calls no results.
func TestConformanceTable(t *testing.T) {
	root := corpus(t)
	ix, c, _, _ := ingested(t, root)
	type total struct {
		files, points int
		runs          map[string]bool
		unmapped      map[string]bool
		least, most   float64
	}
	all := map[string]*total{}
	of := func(format string) *total {
		if all[format] == nil {
			all[format] = &total{runs: map[string]bool{}, unmapped: map[string]bool{}, least: math.Inf(1),
				most: math.Inf(-1)}
		}
		return all[format]
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range c.Inputs {
		for _, f := range in.Read {
			of(f.Format).files++
		}
		for format, keys := range in.Unmapped {
			for k := range keys {
				of(format).unmapped[k] = true
			}
		}
		for _, r := range in.Rejected {
			t.Errorf("rejected: %s:%d: %s", r.Path, r.Line, r.Message)
		}
		for _, f := range in.Ignored {
			if !strings.HasPrefix(f.Reason, "no known format") {
				continue
			}
			base := filepath.Base(f.Path)
			if i := strings.Index(string(readme), "not results, to be ignored"); i < 0 || base != "README.md" &&
				!strings.Contains(string(readme[i:]), base) {
				t.Logf("not read: %s: %s", f.Path, f.Reason)
			}
		}
	}
	for _, r := range ix.Runs {
		formats := map[string]string{}
		for _, s := range r.Sources {
			formats[s.SHA256[:12]] = s.Format
			of(s.Format).runs[r.ID] = true
		}
		for i := range r.Points {
			p := &r.Points[i]
			f := of(formats[p.At.Source])
			f.points++
			x, _, ok := p.Consistency()
			if !ok {
				x, _, ok = p.NormalizedConsistency()
			}
			if ok {
				f.least, f.most = min(f.least, x), max(f.most, x)
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-26s %6s %6s %7s %9s  %s\n", "format", "files", "runs", "points", "unmapped", "r")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		f := all[name]
		r := ""
		if f.least <= f.most {
			r = fmt.Sprintf("%.3f to %.3f", f.least, f.most)
		}
		fmt.Fprintf(&b, "%-26s %6d %6d %7d %9d  %s\n", name, f.files, len(f.runs), f.points, len(f.unmapped), r)
	}
	t.Logf("\n%s", b.String())
}

// treeDigest is one text for all files below a directory.
func treeDigest(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		fmt.Fprintf(&b, "%s %s\n", p, record.Digest(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestConformancePartThenWhole ingests 40 members of a suite, then the suite, and compares with
// the suite at once; and sees that names and sidecars change no id and no path.
func TestConformancePartThenWhole(t *testing.T) {
	root := filepath.Join(corpus(t), "happy_vllm/V100-32g/CodeLlama-7B/meta-llama--CodeLlama-7b-Instruct-hf")
	zip := filepath.Join(root, "raw_results.zip")
	partDir := t.TempDir()
	unzipSome(t, zip, partDir, 40)
	whole, parts := t.TempDir(), t.TempDir()
	ingestInto(t, whole, zip)
	t.Logf("part: %s", lastLine(ingestInto(t, parts, partDir)))
	t.Logf("whole: %s", lastLine(ingestInto(t, parts, zip)))
	for _, ext := range []string{"*.json", "*.raw.jsonl.gz"} {
		a, _ := filepath.Glob(filepath.Join(whole, "data/catalog/[a-z]*", ext))
		b, _ := filepath.Glob(filepath.Join(parts, "data/catalog/[a-z]*", ext))
		if len(a) != 1 || len(b) != 1 || filepath.Base(a[0]) != filepath.Base(b[0]) {
			t.Fatalf("files %v and %v", a, b)
		}
		x, _ := os.ReadFile(a[0])
		y, _ := os.ReadFile(b[0])
		if !bytes.Equal(x, y) {
			t.Errorf("%s differs when a part was ingested first", filepath.Base(a[0]))
		}
	}
}

// TestConformanceParameterDiff holds the parameter diff of four suites of one model against their
// own parameters.json: two accelerators, two versions of vLLM.
func TestConformanceParameterDiff(t *testing.T) {
	root := filepath.Join(corpus(t), "happy_vllm")
	model := "Phi-3/microsoft--phi-3-vision-128k-instruct"
	ix, _, _, _ := ingested(t, filepath.Join(root, "H100/Phi-3"), filepath.Join(root, "A100-80g/Phi-3"))
	type suite struct {
		r *figure.Run
		p map[string]any
	}
	find := func(hw, version string) (s suite) {
		dir := hw + "/" + model + "/vllm_" + version
		readJSON(t, filepath.Join(root, dir, "report/parameters.json"), &s.p)
		for _, r := range ix.Runs {
			// The folder is the input: a source's path begins below it.
			if r.Attr("hardware") == hw && strings.HasPrefix(strings.ReplaceAll(r.Engine.Version, ".", ""), version) {
				s.r = r
			}
		}
		if s.r == nil {
			t.Fatalf("no run of %s", dir)
		}
		return s
	}
	h61, h64, a61, a64 := find("H100", "061"), find("H100", "064"), find("A100-80g", "061"), find("A100-80g", "064")
	// What a suite's parameters.json states beside launch arguments: see data/names/engines.toml.
	identity := []string{"suite_id", "gpu_name", "vllm_version", "happy_vllm_version"}
	for _, c := range []struct {
		name     string
		a, b     suite
		oneSided int
		system   []string
	}{
		{"two accelerators, vLLM 0.6.4", h64, a64, 0, []string{"hardware"}},
		{"two accelerators, vLLM 0.6.1", h61, a61, 0, []string{"hardware"}},
		{"two versions on H100", h61, h64, 14, []string{"engine_version", "wrapper"}},
		{"two versions on A100", a61, a64, 14, []string{"engine_version", "wrapper"}},
	} {
		d := compare.NewArguments(ix.Names, ix.Runs).Diff(c.a.r, c.b.r)
		var differ, onlyA, onlyB []string
		for k, v := range c.a.p {
			w, ok := c.b.p[k]
			switch {
			case slices.Contains(identity, k):
			case !ok:
				onlyA = append(onlyA, k)
			case fmt.Sprint(v) != fmt.Sprint(w):
				differ = append(differ, k)
			}
		}
		for k := range c.b.p {
			if _, ok := c.a.p[k]; !ok {
				onlyB = append(onlyB, k)
			}
		}
		if len(differ) > 0 {
			t.Errorf("%s: parameters.json differ in %q: the corpus is another", c.name, differ)
		}
		names := func(rows []compare.ParameterRow) (out []string) {
			for _, r := range rows {
				out = append(out, r.Name)
			}
			slices.Sort(out)
			return out
		}
		for _, kind := range []compare.ParameterKind{compare.KindArgument, compare.KindWrapper} {
			if rows := compare.Of(d.Differs, kind); len(rows) > 0 {
				t.Errorf("%s: %s %q differ", c.name, kind, names(rows))
			}
		}
		if got := names(compare.Of(d.Differs, compare.KindSystem)); !slices.Equal(got, c.system) {
			t.Errorf("%s: system differs in %q, want %q", c.name, got, c.system)
		}
		want := append(slices.Clone(onlyA), onlyB...)
		slices.Sort(want)
		if got := names(d.OneVersion); !slices.Equal(got, want) || len(got) != c.oneSided {
			t.Errorf("%s: arguments of one version %q, parameters.json say %q", c.name, got, want)
		}
		for _, row := range d.OneVersion {
			side := 0 // who does not know it
			if slices.Contains(onlyA, row.Name) {
				side = 1
			}
			if row.Cells[side].State != catalog.StateUnknownToVersion ||
				row.Cells[1-side].State == catalog.StateUnknownToVersion {
				t.Errorf("%s: %s: states %v and %v", c.name, row.Name, row.Cells[0].State, row.Cells[1].State)
			}
		}
		if n := len(compare.Of(d.Unclear, compare.KindArgument)); n > 0 {
			t.Errorf("%s: %q are unclear", c.name, names(d.Unclear))
		}
		t.Logf("%s: %d differ, %d of one version, %d the same", c.name, len(d.Differs), len(d.OneVersion), len(d.Same))
	}
}

// TestConformanceComparison holds what may be compared of real files and what not.
func TestConformanceComparison(t *testing.T) {
	root := corpus(t)
	ix, _, _, _ := ingested(t, filepath.Join(root, "happy_vllm/V100-32g/CodeLlama-7B"),
		filepath.Join(root, "happy_vllm/A100-40g"), filepath.Join(root, "cards/rocm-vllm-v0-v1-mi300x.md"))
	var suites []*figure.Run
	var serving *figure.Run
	for _, r := range ix.Runs {
		if r.Identity.Tool == "benchmark_llm_serving" && r.Model.Slug == "codellama-7b-instruct-hf" {
			suites = append(suites, r)
		} else if serving == nil && r.Identity.Tool == "vllm-bench-serve" {
			serving = r
		}
	}
	if len(suites) != 2 || serving == nil {
		t.Fatalf("%d suites, serving run %v", len(suites), serving)
	}
	c := compare.NewPair(compare.NewMeasured(suites[0]), compare.NewMeasured(serving))
	if why := c.Refused; !strings.Contains(why, `measuring tool: "benchmark_llm_serving" and "vllm-bench-serve"`) {
		t.Errorf("a suite and a serving run are refused because %q", why)
	} else {
		t.Log(why)
	}
	c = compare.NewPair(compare.NewMeasured(suites[0]), compare.NewMeasured(suites[1]))
	if c.Refused != "" || len(c.Workloads) != 9 || len(c.Alone) != 0 {
		t.Errorf("two suites: %d workloads, %+v", len(c.Workloads), c.Alone)
	}
	for _, m := range c.Workloads {
		if m.Amber {
			t.Errorf("one tool and one tokenizer: %q", m.Cautions)
		}
	}
	for m, ps := range compare.Pairs(ix) {
		if m.Slug != "codellama-7b-instruct-hf" {
			continue
		}
		if len(ps) != 1 ||
			ps[0].Slug != "codellama-7b-instruct-hf-on-a100-40gb-vs-codellama-7b-instruct-hf-on-v100-32gb" {
			t.Errorf("pairs %+v", ps)
		}
		f, ok := figure.NewFrontier(m, c.Workloads[0].A.Class)
		if !ok || len(f.Groups) != 2 || len(f.Left) != 0 {
			t.Errorf("frontier %+v", f)
		}
	}
}

// TestConformanceFastest holds the page of three series by request rate: the patched one has the
// lowest TTFT from 3 requests a second upwards.
func TestConformanceFastest(t *testing.T) {
	ix, _, _, _ := ingested(t, filepath.Join(corpus(t), "cards/rocm-vllm-v0-v1-mi300x.md"))
	if len(ix.Runs) != 3 || len(ix.Runs[0].Scenarios) != 1 {
		t.Fatalf("%d runs", len(ix.Runs))
	}
	// The page names its series nowhere that a program reads; the patched one's records come last.
	patched := slices.MaxFunc(ix.Runs,
		func(a, b *figure.Run) int { return a.Points[0].At.Line - b.Points[0].At.Line }).ID
	for _, stat := range []string{"mean", "median"} {
		pv, ok := compare.NewPivot(ix.Runs, ix.Runs[0].Scenarios[0].Class, "ttft", stat)
		if !ok || len(pv.Series) != 3 || len(pv.Rows) < 5 {
			t.Fatalf("TTFT %s: %d series, %d loads", stat, len(pv.Series), len(pv.Rows))
		}
		for _, row := range pv.Rows {
			if row.Load < 3 {
				continue
			}
			if row.Fastest < 0 || pv.Series[row.Fastest].ID != patched {
				t.Errorf("TTFT %s at %v: the lowest is column %d", stat, row.Load, row.Fastest)
			}
		}
	}
}

// TestConformanceCompareCommand holds the command on real files: what is refused and why, and
// what a gate says of one measurement a load.
func TestConformanceCompareCommand(t *testing.T) {
	root := corpus(t)
	v100, a100 := filepath.Join(root, "happy_vllm/V100-32g/CodeLlama-7B"), filepath.Join(root, "happy_vllm/A100-40g")
	compare := func(args ...string) (code int, out, errs string) {
		var o, e bytes.Buffer
		code = run(context.Background(), strings.NewReader(""), &o, &e,
			append([]string{"-C", t.TempDir(), "compare"}, args...))
		return code, o.String(), e.String()
	}
	if code, _, errs := compare(v100, filepath.Join(root, "cards/rocm-vllm-v0-v1-mi300x.md")); code != exitFindings ||
		!strings.Contains(errs, `nothing can be compared: no workload in common`) ||
		!strings.Contains(errs, `measuring tool: "benchmark_llm_serving" and "vllm-bench-serve"`) {
		t.Errorf("a suite and a serving page: exit status %d\n%s", code, errs)
	} else {
		t.Log(errs)
	}
	jsonl := filepath.Join(root, "vllm/vllm-vs-sglang-h100/results.json")
	if code, _, errs := compare(v100, jsonl, "--fail-on", "output_throughput<-5%"); code != exitFindings ||
		!strings.Contains(errs, "nothing can be compared") {
		t.Errorf("a suite and a serving JSONL: exit status %d\n%s", code, errs)
	}
	code, out, errs := compare(a100, v100, "--fail-on", "output_throughput<-5%")
	// The A100 was measured at loads that the V100 was not: a gate that saw only the others would say nothing of these.
	if code != exitFindings || !strings.Contains(errs, "output_throughput<-5%: missing") ||
		strings.Count(out, "Output throughput, tok/s ") != 9 {
		t.Errorf("two accelerators, one measurement a load: exit status %d, %d workloads\n%s", code,
			strings.Count(out, "Output throughput, tok/s "), errs)
	}
	if code, _, errs := compare(a100, a100, "--fail-on", "output_throughput<-5%"); code != exitDone || errs != "" {
		t.Errorf("a suite and itself: exit status %d\n%s", code, errs)
	}
}

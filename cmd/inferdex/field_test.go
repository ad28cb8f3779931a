package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// field returns the directory with folders of result files as people leave them, which is no part
// of this repository.
func field(t testing.TB) string {
	dir := os.Getenv("INFERDEX_FIELD")
	if dir == "" {
		t.Skip("skipped: INFERDEX_FIELD names no directory with real result files (make conformance FIELD=DIR)")
	}
	return dir
}

// fieldRuns are the runs of a folder of [field], and what was said of them.
func fieldRuns(t *testing.T, folder string) (runs []*figure.Run, c *catalog.Catalog, said string) {
	t.Helper()
	ix, c, _, said := ingested(t, filepath.Join(field(t), folder))
	return ix.Runs, c, said
}

// fieldValue is a statistic of a point, -1 where it is not there.
func fieldValue(p *catalog.Point, m string, stat string) float64 {
	v, ok := figure.Get(p, metric.ID(m), stat)
	if !ok {
		return -1
	}
	return v
}

// Text inside of JSON is read as the text it is: model, tensor parallelism and rate come from the
// command in the text.
func TestConformanceFieldTextInJSON(t *testing.T) {
	runs, _, said := fieldRuns(t, "folder-names")
	points := 0
	for _, r := range runs {
		for i := range r.Points {
			p := &r.Points[i]
			if p.Load.Rate == nil || math.IsInf(float64(*p.Load.Rate), 0) { // a throughput test
				continue
			}
			points++
			if strings.Contains(r.Identity.Model, "_") || !strings.Contains(r.Identity.Model, "/") {
				t.Errorf("model %q is that of a file name", r.Identity.Model)
			}
			if fieldValue(p, "ttft", "mean") <= 0 || p.Completed == nil || *p.Completed != 180 && *p.Completed <= 0 {
				t.Errorf("%s at rate %v: %+v", r.Identity.Model, *p.Load.Rate, p)
			}
		}
	}
	if points != 14 {
		t.Errorf("%d points of printed results, want 14, a file each\n%s", points, lastLine(said))
	}
}

// The blocks of two formats in one file are all read.
func TestConformanceFieldSeveralFormats(t *testing.T) {
	runs, _, said := fieldRuns(t, "lhl/vllm")
	serving, bench := 0, 0
	for _, r := range runs {
		if r.Identity.Tool == "llama-bench" {
			bench += len(r.Points)
		} else {
			serving += len(r.Points)
		}
	}
	if serving != 11 || bench != 16 {
		t.Errorf("%d serving results and %d of llama-bench, want 11 and 16\n%s", serving, bench, lastLine(said))
	}
}

// The table that nvidia-smi prints gives the product, the count, the driver, CUDA and the memory.
func TestConformanceFieldNvidiaSMI(t *testing.T) {
	root := field(t)
	want := map[string]string{
		"nvidia-smi/sglang_20260607T115213Z_container_nvidia_smi.txt":    "NVIDIA GB10 580.159.03 13.2 1 0",
		"nvidia-smi/aeon_gemma26_dflash_20260608T0436JST_nvidia_smi.txt": "NVIDIA GB10 580.159.03 13.0 1 0",
		"dstack/nvidia/8xh100/gpu-stats-after-loading.txt": "8x NVIDIA H100 80GB HBM3 550.90.12 " +
			"12.4 8 72770",
		"dstack/comparison/h100sxm5_vs_mi300x/raw_data/gpu-usage.md":       "",
		"dstack/comparison/h100sxm5_vs_mi300x/README.md (several reports)": "",
	}
	for name, want := range want {
		name, several := strings.CutSuffix(name, " (several reports)")
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		records, _ := ingest.ReadFile(name, data, format.All())
		var got []string
		for _, r := range records {
			s, ok := r.(*record.System)
			if !ok {
				continue
			}
			facts := map[string]string{}
			for _, f := range s.Facts {
				facts[f.Key] = f.Value
			}
			used := 0.0
			if len(s.Devices) > 0 && s.Devices[0].MemoryUsedMiB != nil {
				used = *s.Devices[0].MemoryUsedMiB
			}
			got = append(got, fmt.Sprintf("%s %s %s %d %v", facts["hardware"], facts["driver"], facts["cuda"],
				len(s.Devices), used))
		}
		if several && len(got) != 3 || !several && strings.Join(got, "; ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// pointsOf is how many points of runs a condition holds for.
func pointsOf(runs []*figure.Run, is func(*figure.Run, *catalog.Point) bool) (n int) {
	for _, r := range runs {
		for i := range r.Points {
			if is(r, &r.Points[i]) {
				n++
			}
		}
	}
	return n
}

// Tables of serving results without a model, with printed labels, with a ratio of workers.
func TestConformanceFieldTables(t *testing.T) {
	runs, _, _ := fieldRuns(t, "dstack/amd/tgi_vs_vllm")
	tables := map[string]bool{}
	for _, r := range runs {
		for _, src := range r.Sources {
			printed := strings.HasSuffix(src.Path, "tgi_raw.txt")
			if strings.HasSuffix(src.Path, ".csv") {
				tables[src.Path] = true
				printed = strings.Contains(src.Path, "result_tgi")
			}
			if printed && (r.Attr(record.FactEngine) != "tgi" || r.Attr(record.FactEngineVersion) != "") {
				t.Errorf("%s: engine %q, version %q", src.Path, r.Attr(record.FactEngine),
					r.Attr(record.FactEngineVersion))
			}
		}
	}
	if len(tables) != 8 {
		t.Errorf("%d tables are sources of runs, want 8: %v", len(tables), tables)
	}

	runs, _, _ = fieldRuns(t, "dstack/comparison/pd_ratio")
	labels := map[string]bool{}
	for _, r := range runs {
		labels[r.Series] = true
	}
	for _, want := range []string{"P:D 1:3", "P:D 2:2", "P:D 3:1"} {
		if !labels[want] {
			t.Errorf("no series %q among %v", want, labels)
		}
	}

	runs, _, said := fieldRuns(t, "trtllm-console")
	lengths := map[record.Lengths]bool{}
	n := pointsOf(runs, func(_ *figure.Run, p *catalog.Point) bool {
		lengths[record.Lengths{Input: p.Workload.Nominal.Input, Output: p.Workload.Nominal.Output}] = true
		return fieldValue(p, "output_throughput", "value") > 0
	})
	if n != 63 || len(lengths) != 63 || strings.Contains(said, "repeated-load") {
		t.Errorf("%d points of %d pairs of lengths, want 63\n%s", n, len(lengths), lastLine(said))
	}

	_, c, said := fieldRuns(t, "dstack")
	for _, in := range c.Inputs {
		for _, f := range in.Ignored {
			if strings.HasSuffix(f.Path, ".csv") && !strings.Contains(f.Reason, "[[ingest.table]]") {
				t.Errorf("%s: ignored without a word of a map: %s", f.Path, f.Reason)
			}
		}
	}
	if strings.Contains(said, "np256.json:1: warning: the point: e2e_latency mean") {
		t.Error("a latency of 256 prompts contradicts that of 128")
	}
}

// A latency whose file names 256 prompts is a result of its own.
func TestConformanceFieldLatency(t *testing.T) {
	runs, _, _ := fieldRuns(t, "dstack/comparison/h100sxm5_vs_mi300x/raw_data/8xH100SXM5-throughput")
	batches := map[int64]float64{}
	pointsOf(runs, func(_ *figure.Run, p *catalog.Point) bool {
		if p.Load.Batch != nil {
			batches[*p.Load.Batch] = fieldValue(p, "e2e_latency", "mean")
			if in, out := p.Workload.Nominal.Input, p.Workload.Nominal.Output; in == nil || out == nil || *in != 2048 ||
				*out != 2048 {
				t.Errorf("batch %d: lengths %v", *p.Load.Batch, p.Workload.Nominal)
			}
		}
		return true
	})
	if len(batches) != 7 || math.Abs(batches[256]-879.761) > 0.001 || math.Abs(batches[128]-474.873) > 0.001 {
		t.Errorf("latencies by batch: %v", batches)
	}
}

// Tests that a script kept with power: one run a configuration and build, prefill and decode in it.
func TestConformanceFieldLlamaBench(t *testing.T) {
	var runs []*figure.Run
	for _, folder := range []string{"llama-2-7b.Q4_0", "GLM-4.5-Air-UD-Q4_K_XL"} {
		of, _, _ := fieldRuns(t, filepath.Join("lhl/llm-bench", folder, "results.jsonl"))
		runs = append(runs, of...)
	}
	powered := 0
	for _, r := range runs {
		prefill, decode := 0, 0
		for i := range r.Points {
			p := &r.Points[i]
			if fieldValue(p, "pp_speed", "mean") > 0 {
				prefill++
			}
			if fieldValue(p, "tg_speed", "mean") > 0 {
				decode++
			}
			if fieldValue(p, "power", "mean") > 0 {
				powered++
			}
		}
		if prefill != 13 || decode != 13 {
			t.Errorf("%s: %d prefill and %d decode tests, want 13 each", r.Series, prefill, decode)
		}
		if !strings.Contains(r.Series, r.Attr("labels.build")) {
			t.Errorf("run %s is called %q", r.ID, r.Series)
		}
		if !strings.Contains(r.Attr(record.FactHardware), "RYZEN AI MAX+ 395") {
			t.Errorf("hardware %q", r.Attr(record.FactHardware))
		}
	}
	if len(runs) != 18 || powered < 400 {
		t.Errorf("%d runs of builds, %d tests with power: want 18, of 468 tests most", len(runs), powered)
	}
}

// The same measurements as JSON, log and page are one run each, with all of its files; the log of llama-benchy
// is read where there is no JSON; meta.json names hardware, image, version and the model behind the name that
// clients call; samples of the machine are a series of their run, and the energy of a token where one
// measurement is covered.
func TestConformanceFieldPaired(t *testing.T) {
	runs, _, said := fieldRuns(t, "paired")
	kinds, energy := map[string]int{}, 0
	for _, r := range runs {
		kinds[r.Identity.Tool]++
		if !strings.Contains(r.Attr(record.FactHardware), "DGX Spark") || r.Attr(record.FactImage) == "" ||
			r.Attr(record.FactModel) != "LiquidAI/LFM2.5-2.6B" {
			t.Errorf("run %s of %s: hardware %q, image %q, model %q", r.ID, r.Identity.Tool,
				r.Attr(record.FactHardware), r.Attr(record.FactImage), r.Attr(record.FactModel))
		}
		if len(r.Profiles) != 1 || len(r.Profiles[0].Lines) != 3 {
			t.Errorf("run %s: %d series of samples, want power, temperature and memory", r.ID, len(r.Profiles))
		}
		if strings.Contains(r.Series, r.ID) || strings.Contains(r.Series, "2026") {
			t.Errorf("run %s is called %q", r.ID, r.Series)
		}
		stems := map[string]int{}
		for _, s := range r.Sources {
			stems[filepath.Ext(s.Path)]++
		}
		if stems[".log"] != 1 || r.Identity.Tool == "llama-benchy" && stems[".md"] != 1 {
			t.Errorf("run %s has the sources %v", r.ID, stems)
		}
		for i := range r.Points {
			p := &r.Points[i]
			if p.Repetition > 0 {
				t.Errorf("run %s: a measurement stands there twice", r.ID)
			}
			if fieldValue(p, "energy_per_token", "value") > 0 {
				energy++
			}
		}
	}
	if kinds["llama-benchy"] != 6 || kinds["vllm-bench-serve"] != 5 || energy != 4 {
		t.Errorf("runs by tool %v, %d points with energy: want 6, 5 and 4\n%s", kinds, energy, lastLine(said))
	}
}

// Tables beside JSON are sources of the same runs: no measurement of the H100 stands there twice, and none of
// 4 MI300X is one of 8.
func TestConformanceFieldTablesBesideJSON(t *testing.T) {
	runs, _, said := fieldRuns(t, "dstack")
	starts, both := map[string]string{}, 0
	for _, r := range runs {
		if other := starts[r.Started]; r.Started != "" && other != "" {
			t.Errorf("runs %s and %s both began %s", other, r.ID, r.Started)
		}
		starts[r.Started] = r.ID
		kinds := map[string]bool{}
		for _, s := range r.Sources {
			kinds[filepath.Ext(s.Path)] = true
			if four := strings.Contains(s.Path, "/4Mi300x"); four && r.Hardware.Count != 4 ||
				strings.Contains(s.Path, "i300x-serving") && !strings.Contains(r.Hardware.Name, "MI300X") {
				t.Errorf("run %s of %s: %s", r.ID, r.Hardware.Name, s.Path)
			}
		}
		if kinds[".csv"] && kinds[".json"] {
			both++
		}
		if r.Attr(record.FactModel) == "Llama-3.1-405B-FP8" && strings.Contains(r.Series, "no. ") {
			t.Errorf("run %s is called %q: its parameters tell it apart", r.ID, r.Series)
		}
	}
	if both < 8 {
		t.Errorf("%d runs have a table and JSON, want 8 at least\n%s", both, lastLine(said))
	}
}

// The raw results that say no build are those of the table beside them, each of the build it says.
func TestConformanceFieldRawAndResults(t *testing.T) {
	runs, _, said := fieldRuns(t, "lhl/llm-bench")
	builds := 0
	for _, r := range runs {
		if r.Attr("labels.build") == "" {
			continue
		}
		builds++
		if len(r.Sources) < 2 {
			t.Errorf("run %s of %q has one source", r.ID, r.Attr("labels.build"))
		}
		if r.Identity.Model == "llama-2-7b.Q4_0" {
			for i := range r.Points {
				if r.Points[i].Repetition > 0 {
					t.Errorf("run %s of %q: a load is repeated", r.ID, r.Series)
				}
			}
		}
	}
	if builds != 18 {
		t.Errorf("%d runs of builds, want 18\n%s", builds, lastLine(said))
	}
}

// Files without a model, named by three of them: none stands beside another, and what names them is
// proposed with the lines to add.
func TestConformanceFieldWithoutModel(t *testing.T) {
	ix, _, _, said := ingested(t, filepath.Join(field(t), "datacrunch"))
	runs := ix.Runs
	for _, g := range ix.Gaps() {
		if strings.Count(g.TOML, "[[run]]") != 4 || strings.Count(g.TOML, "model = ") != 4 ||
			strings.Count(g.TOML, "hardware = ") != 4 {
			t.Errorf("%s: %s", g.File, g.TOML)
		}
	}
	files := map[string]bool{}
	for _, r := range runs {
		for _, s := range r.Sources {
			files[filepath.Base(s.Path)] = true
		}
		if r.Attr(record.FactModel) != "" || r.Attr(record.FactHardware) != "" ||
			r.Attr(record.FactEngine) != "sglang" {
			t.Errorf("run %s: model %q, hardware %q, engine %q", r.ID, r.Attr(record.FactModel),
				r.Attr(record.FactHardware), r.Attr(record.FactEngine))
		}
		for _, o := range runs {
			if o != r && (o.Card != nil && o.Card == r.Card || o.Series == r.Series) {
				t.Errorf("runs %s and %s stand together as %q", r.ID, o.ID, r.Series)
			}
		}
	}
	if len(files) != 4 {
		t.Errorf("results of %v, want those of 4 files", files)
	}
	for _, want := range []string{"sglang/outputs/run.toml: a [[run]] for each file",
		"model and hardware of 4 runs not recorded"} {
		if !strings.Contains(said, want) {
			t.Errorf("the terminal does not say %q:\n%s", want, said)
		}
	}
}

// What was published of Llama 3.1 405B FP8 on the two machines of dstack's comparison, and what its files say
// of requests that completed without an output token.
func TestConformanceFieldTwoMachines(t *testing.T) {
	runs, _, _ := fieldRuns(t, "dstack/comparison/h100sxm5_vs_mi300x")
	best := map[string]float64{}
	for _, r := range runs {
		for i := range r.Points {
			p := &r.Points[i]
			machine := strings.Join(strings.Fields(r.Hardware.Accelerator.Short), " ")
			if r.Identity.Tool == "vllm-bench-serve" &&
				strings.HasSuffix(r.Attr(record.FactModel), "Llama-3.1-405B-FP8") {
				best[machine] = max(best[machine], fieldValue(p, "output_throughput", "value"))
			}
		}
		for _, s := range r.Sources {
			amd := strings.Contains(s.Path, "Mi300x") || strings.Contains(s.Path, "/amd-")
			if amd && strings.Contains(r.Attr(record.FactHardware), "H100") || strings.Contains(s.Path, "8xH100") &&
				strings.Contains(r.Attr(record.FactHardware), "MI300X") {
				t.Errorf("%s is of %q", s.Path, r.Attr(record.FactHardware))
			}
			if strings.HasSuffix(s.Path, ".json") && r.Attr(record.FactEngineVersion) != "" &&
				r.Attributes[record.FactEngineVersion].From != catalog.FromRecord {
				t.Errorf("%s: vLLM %s of %s", s.Path, r.Attr(record.FactEngineVersion),
					r.Attributes[record.FactEngineVersion].File)
			}
		}
	}
	if math.Round(best["H100"]) != 1252 || math.Abs(best["MI300X"]-624.7) > 0.05 {
		t.Errorf("peaks of Llama 3.1 405B FP8 are %v, want 1,252 on H100 and 624.7 on MI300X", best)
	}

	const file = "dstack/comparison/h100sxm5_vs_mi300x/raw_data/8xMi300x-serving-meta/amd-meta-vllm-16.0qps-Llama-3.1-405B-FP8-20241120-122022_RPC.json"
	runs, _, said := fieldRuns(t, file)
	if len(runs) != 1 || len(runs[0].Points) != 1 {
		t.Fatalf("%d runs of one file", len(runs))
	}
	p := &runs[0].Points[0]
	for stat, want := range map[string]float64{"p25": 0, "p75": 2.684, "p90": 4.115} {
		if got := fieldValue(p, "ttft", stat); math.Abs(got-want) > 0.0005 {
			t.Errorf("TTFT %s is %v, want %v", stat, got, want)
		}
	}
	if !strings.Contains(said, "378 of 1000") {
		t.Errorf("not told: 378 of 1000 requests completed without an output token\n%s", said)
	}
}

// A model that only the name of a file says is that of the results beside it; a client's backend is no engine.
func TestConformanceFieldFileNames(t *testing.T) {
	runs, _, _ := fieldRuns(t, "folder-names")
	for _, r := range runs {
		model := r.Attributes[record.FactModel]
		if strings.Contains(model.Value, "_") && !strings.HasPrefix(model.Value, "cpatonn_") {
			t.Errorf("run %s: model %q", r.ID, model.Value)
		}
		if r.Identity.Tool == "vllm-bench-serve" && r.Attributes[record.FactEngine].From == catalog.FromRecord {
			t.Errorf("run %s: engine %q of its record", r.ID, r.Attr(record.FactEngine))
		}
		if r.Identity.Tool == "vllm-bench-serve" {
			if v := r.Attr(record.FactEngineVersion); v != "0.12.0" && !strings.HasPrefix(v, "0.11.2.dev690") ||
				r.Param("max_model_len") == "" {
				t.Errorf("run %s: the log of its server is beside it, and its version is %q, max_model_len %q", r.ID, v,
					r.Param("max_model_len"))
			}
		} else if r.Attr(record.FactEngineVersion) != "" || r.Param("max_model_len") != "" {
			t.Errorf("run %s of %s: it has what the log of a server says", r.ID, r.Identity.Tool)
		}
		if name := r.Hardware.Accelerator.Short; !strings.HasSuffix(name, "4090") && !strings.HasSuffix(name, "R9700") {
			t.Errorf("run %s: hardware %q", r.ID, name)
		}
		if strings.Contains(r.Attr(record.FactCommand), "you should") {
			t.Errorf("run %s: command %q", r.ID, r.Attr(record.FactCommand))
		}
	}
}

// The statistics of answers in logs of terminals.
func TestConformanceFieldOllama(t *testing.T) {
	runs, _, said := fieldRuns(t, "ollama")
	n := pointsOf(runs, func(r *figure.Run, p *catalog.Point) bool {
		if r.Identity.Model == "" || r.Attr("labels.instance") != "aws-t2-med" {
			t.Errorf("run %s: model %q, instance %q", r.ID, r.Identity.Model, r.Attr("labels.instance"))
		}
		return fieldValue(p, "pp_speed", "value") > 0 && fieldValue(p, "tg_speed", "value") > 0
	})
	if n != 10 {
		t.Errorf("%d answers, want 5 in each of 2 logs\n%s", n, lastLine(said))
	}
}

// The language models of a round of MLPerf.
func TestConformanceFieldMLPerf(t *testing.T) {
	runs, _, said := fieldRuns(t, "mlperf")
	accuracies, power := 0, 0
	for _, r := range runs {
		for _, f := range r.Figures {
			switch f.Metric {
			case "accuracy":
				accuracies++
			case "power":
				power++
			}
		}
	}
	n := pointsOf(runs, func(*figure.Run, *catalog.Point) bool { return true })
	if n != 416 || accuracies < 416 || power != 8 {
		t.Errorf("%d points, %d accuracies and %d powers: want 416, one a point at least, and 8\n%s", n, accuracies,
			power, lastLine(said))
	}
}

package ingesttest

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"time"
)

// Size is how much Generate writes, and of what. The presets are [Small], [Example], [Large],
// [Wide], [Summed] and [Hostile].
type Size struct {
	// Models, Machines and Versions bound how many of each there are; a model that does not fit
	// into a machine's memory is not measured on it.
	Models, Machines, Versions int
	// Suites is how many happy_vllm suites there are, SuiteBytes about how many bytes of JSON
	// each unpacks to, apart from some 300 kB that it has anyway.
	Suites     int
	SuiteBytes int
	// Requests is how many requests the results with data of each request have; 0 is no such
	// results.
	Requests int
	// Summaries is how many results without data of each request one JSONL file holds, of 20 models
	// at as many loads as it takes; where it is not 0 nothing else is written.
	Summaries int
	// Wide measures each of up to 500 models on each of up to 20 machines at a few loads, and
	// writes nothing else: a card a pair. Hostile writes [HostileTexts] in the place of every name.
	Wide, Hostile bool
	// Nights measures one model on one machine at three loads, each night with a version of the engine of its own, and
	// writes nothing else.
	Nights int
}

// The sizes: Small for tests, Example for a catalog to look at, Large for benchmarks, where the
// suites are as large as real ones; Wide for pages of thousands of cards, Hostile for what must be
// shown as text; Summed for 200 MB of results of a kilobyte each.
var (
	Small   = Size{Models: 2, Machines: 2, Versions: 2, Suites: 1, SuiteBytes: 100_000, Requests: 20}
	Example = Size{Models: 6, Machines: 8, Versions: 3, Suites: 4, SuiteBytes: 1_000_000, Requests: 200}
	Large   = Size{Models: 6, Machines: 8, Versions: 3, Suites: 12, SuiteBytes: 65_000_000, Requests: 1000}
	Wide    = Size{Models: 200, Machines: 20, Wide: true}
	Summed  = Size{Summaries: 204_320}
	Hostile = Size{Models: 6, Machines: 3, Hostile: true}
)

// A model has a configuration as models have and a name that none has: what is invented about it
// is taken for nothing else.
type model struct {
	id, name             string
	params, active       float64 // 10^9
	layers, heads, width int     // key-value heads and their size
	bytes                float64 // of one weight
	precision            string
}

var models = []model{
	{"fenlark/Fenlark-8B-Instruct", "Fenlark 8B Instruct", 8.03, 8.03, 32, 8, 128, 2, "bf16"},
	{"fenlark/Fenlark-70B-Instruct", "Fenlark 70B Instruct", 70.6, 70.6, 80, 8, 128, 2, "bf16"},
	{"oakmoth/Oakmoth-24B", "Oakmoth 24B", 23.6, 23.6, 40, 8, 128, 2, "bf16"},
	{"oakmoth/Oakmoth-24B-FP8", "Oakmoth 24B FP8", 23.6, 23.6, 40, 8, 128, 1, "fp8"},
	{"tarn/Tarn-8x7B", "Tarn 8x7B", 46.7, 12.9, 32, 8, 128, 2, "bf16"},
	{"quillfin/Quillfin-3B", "Quillfin 3B", 3.1, 3.1, 28, 4, 128, 2, "bf16"},
}

// A machine is a number of accelerators in a box. The figures are those that data/names states,
// by a name that data/names knows.
type machine struct {
	slug, hardware string // hardware as a person writes it
	device         string // as nvidia-smi or rocm-smi writes it
	amd            bool
	count          int
	memory         float64 // GB of one
	bandwidth      float64 // GB/s
	compute        float64 // TFLOP/s, dense, 16 bit
	watts          int
}

var machines = []machine{
	{"h100", "H100 SXM", "NVIDIA H100 80GB HBM3", false, 1, 80, 3350, 989, 700},
	{"a100-80gb", "A100-SXM4-80GB", "NVIDIA A100-SXM4-80GB", false, 1, 80, 2039, 312, 400},
	{"4x-h100", "4x H100 SXM", "NVIDIA H100 80GB HBM3", false, 4, 80, 3350, 989, 700},
	{"mi300x", "MI300X", "AMD Instinct MI300X", true, 1, 192, 5300, 1307, 750},
	{"l40s", "L40S", "NVIDIA L40S", false, 1, 48, 864, 362, 350},
	{"2x-h200", "2x H200 SXM", "NVIDIA H200", false, 2, 141, 4800, 989, 700},
	{"4x-mi100", "4x MI100", "AMD Instinct MI100", true, 4, 32, 1229, 92, 300},
	{"b200", "B200 SXM", "NVIDIA B200", false, 1, 180, 8000, 2250, 1000},
}

// A version of the engine is better than the one before.
type version struct {
	text              string
	compute, transfer float64 // part of what the machine could do
	overhead          float64 // seconds a step
}

var versions = []version{
	{"0.6.4.post1", 0.38, 0.58, 0.0042},
	{"0.8.2", 0.46, 0.68, 0.0027},
	{"0.10.1", 0.52, 0.74, 0.0019},
}

// generator writes files and remembers the first error.
type generator struct {
	size  Size
	write func(path string, data []byte) error
	err   error
	rnd   *rand.Rand
	clock time.Time // of the invented measurements
}

// Generate writes a catalog directory with invented measurements: inferdex.toml, data/names and
// below data/raw results of several tools with metadata and sidecars beside them. The same seed
// and size give the same bytes. Write gets paths with forward slashes; its error ends the work.
func Generate(seed uint64, size Size, write func(path string, data []byte) error) error {
	g := &generator{size: size, write: write, rnd: rand.New(rand.NewPCG(seed, 0x1d5)),
		clock: time.Date(2025, 1, 13, 8, 0, 0, 0, time.UTC)}
	switch {
	case size.Hostile:
		g.hostile(size.Models, size.Machines)
		return g.err
	case size.Summaries > 0:
		ms := wideModels(20)
		g.catalog(ms)
		g.summaries("data/raw/summaries/results.jsonl", ms)
		return g.err
	case size.Nights > 0:
		g.catalog(models)
		g.nights(server{models[0], machines[0], versions[0]})
		return g.err
	case size.Wide:
		ms := wideModels(size.Models)
		g.catalog(ms)
		g.wide(ms, wideMachines[:min(size.Machines, len(wideMachines))])
		return g.err
	}
	g.catalog(models)
	ms := models[:min(size.Models, len(models))]
	hs := machines[:min(size.Machines, len(machines))]
	vs := versions[:min(size.Versions, len(versions))]
	for _, m := range ms {
		for i, h := range hs {
			if !fits(m, h) {
				continue
			}
			// Each model is on some machine in all versions, elsewhere in the last only.
			from := len(vs) - 1
			if i%3 == 0 {
				from = 0
			}
			g.machine(m, h, vs[max(0, from):])
		}
	}
	for i := range size.Suites {
		m, h, v := ms[i%len(ms)], hs[(i/len(ms)+i)%len(hs)], vs[i%len(vs)]
		if !fits(m, h) {
			m = ms[0]
		}
		g.suite(i, server{m, h, v})
	}
	for i, m := range ms {
		if h := machines[6]; i%2 == 0 && fits(m, h) {
			g.report(server{m, h, vs[len(vs)-1]})
		}
	}
	return g.err
}

// fits reports whether the weights leave room for a cache.
func fits(m model, h machine) bool {
	return m.params*m.bytes < 0.8*h.memory*float64(h.count)
}

func (g *generator) file(name, text string) { g.bytes(name, []byte(text)) }

func (g *generator) bytes(name string, data []byte) {
	if g.err == nil {
		g.err = g.write(name, data)
	}
}

// tick returns a later time: no two measurements have the same.
func (g *generator) tick() time.Time {
	g.clock = g.clock.Add(time.Duration(17+g.rnd.IntN(90))*time.Minute + time.Duration(g.rnd.IntN(60))*time.Second)
	return g.clock
}

func (g *generator) catalog(models []model) {
	g.file("inferdex.toml", `title       = "Synthetic example"
description = "Every number in this catalog is invented by a program"
notice      = "synthetic: every number here is invented"
`)
	g.file("data/raw/SOURCE.toml", `title   = "Seeded generator of inferdex"
date    = 2025-01-13
license = "Apache-2.0"
`)
	var b strings.Builder
	b.WriteString("# Models that do not exist, with configurations as models have them.\n")
	for _, m := range models {
		fmt.Fprintf(&b, `
[[model]]
id = %q
name = %q
params_b = %v
active_params_b = %v
layers = %d
kv_heads = %d
head_dim = %d
attention = "gqa"
precision = %q
source = "invented"
`, m.id, m.name, m.params, m.active, m.layers, m.heads, m.width, m.precision)
	}
	g.file("data/names/models.toml", b.String())
	g.prices()
}

// prices writes what an hour costs at providers that do not exist. MI100 has no price, H100 two,
// and that of L40S is in another currency.
func (g *generator) prices() {
	var b strings.Builder
	b.WriteString("# Prices that nobody asks: invented, as the providers are.\n")
	for _, p := range []struct {
		provider, accelerator, currency string
		hour                            float64
	}{
		{"Invented Cloud, on demand", "h100-sxm5", "USD", 3.2}, {"Imaginary Metal, reserved", "h100-sxm5", "USD", 2.4},
		{"Invented Cloud, on demand", "a100-sxm4-80gb", "USD", 1.6},
		{"Invented Cloud, on demand", "mi300x", "USD", 2.8},
		{"Invented Cloud, on demand", "h200-sxm", "USD", 4.1}, {"Invented Cloud, on demand", "b200-sxm", "USD", 6.5},
		{"Imaginary Metal, reserved", "l40s", "EUR", 0.7},
	} {
		fmt.Fprintf(&b, `
[[price]]
provider = %q
accelerator = %q
per_hour = %v
currency = %q
date = 2025-01-13
address = "https://example.com/prices"
`, p.provider, p.accelerator, p.hour, p.currency)
	}
	g.file("data/names/prices.toml", b.String())
}

// machine writes what was measured of one model on one machine: a folder with the hardware's
// metadata and below it one for each version.
func (g *generator) machine(m model, h machine, vs []version) {
	dir := path.Join("data/raw/serve", slug(m.id), h.slug)
	g.hardware(dir, h)
	for i, v := range vs {
		s := server{m, h, v}
		at := path.Join(dir, "vllm-"+v.text)
		baseline := ""
		if i == 0 && len(vs) > 1 {
			baseline = "baseline = true\n"
		}
		g.file(path.Join(at, "run.toml"),
			fmt.Sprintf("hardware = %q\nengine = \"vLLM\"\nengine_version = %q\nseries = %q\n%s", h.hardware, v.text,
				"vLLM "+v.text, baseline))
		g.file(path.Join(at, "serve.sh"),
			fmt.Sprintf("vllm serve %s \\\n  --tensor-parallel-size %d \\\n  --gpu-memory-utilization 0.9 \\\n  "+
				"--max-num-seqs %d\n", m.id, h.count, maxBatch))
		g.sweep(path.Join(at, "concurrency.jsonl"), s, 1024, 256, false)
		g.sweep(path.Join(at, "rate.jsonl"), s, 1024, 128, true)
		if i == len(vs)-1 {
			g.sweep(path.Join(at, "long.jsonl"), s, 8192, 512, false)
			if g.size.Requests > 0 {
				g.detailed(path.Join(at, "detailed.json"), s)
			}
		}
	}
}

// hardware writes metadata as the machine's own tools would.
func (g *generator) hardware(dir string, h machine) {
	if h.amd {
		var b strings.Builder
		b.WriteString("{")
		for i := range h.count {
			fmt.Fprintf(&b,
				`"card%d": {"Device ID": "0x74a1", "VBIOS version": "113-INVENTED-%03d", "Card Series": %q, "VRAM Total Memory (B)": "%d", "Max Graphics Package Power (W)": "%d.0"}, `,
				i, i, h.device, int64(h.memory)<<30, h.watts)
		}
		b.WriteString(`"system": {"Driver version": "6.10.5"}}` + "\n")
		g.file(path.Join(dir, "rocm-smi.json"), b.String())
	} else {
		var b strings.Builder
		b.WriteString("index, name, memory.total [MiB], driver_version, power.limit [W]\n")
		for i := range h.count {
			fmt.Fprintf(&b, "%d, %s, %d MiB, 570.86.15, %d.00 W\n", i, h.device, int(h.memory*1000)*1000/1049, h.watts)
		}
		g.file(path.Join(dir, "nvidia-smi.csv"), b.String())
	}
	g.file(path.Join(dir, "lscpu.txt"), `Architecture:        x86_64
CPU(s):              96
Model name:          Invented Processor 9000
Socket(s):           2
`)
}

func slug(id string) string { return strings.ToLower(path.Base(id)) }

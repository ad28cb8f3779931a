package ingesttest

import (
	"fmt"
	"math"
	"path"
	"strings"
)

// makers and marks make the names of the models of a wide catalog: makers x sizes x marks.
var (
	makers = []string{"brindle", "cinderwell", "dunlin", "eskerby", "fenlark", "gorsefield", "hollin", "oakmoth",
		"quillfin", "tarn", "applegarth", "birkdale", "corncrake", "dovecote", "elmsett", "foxglove", "greenshank",
		"hazelmere", "ironstone", "juniper", "kestrel", "lapwing", "merlin", "nightjar", "osprey"}
	sizes = []struct {
		text          string
		params        float64
		layers, heads int
	}{{"1.5B", 1.5, 28, 4}, {"3B", 3.1, 28, 4}, {"8B", 8.03, 32, 8}, {"14B", 14.2, 40, 8}, {"24B", 23.6, 40, 8}}
	marks = []struct {
		text, precision string
		bytes           float64
	}{{"", "bf16", 2}, {"-Instruct", "bf16", 2}, {"-FP8", "fp8", 1}, {"-Code", "bf16", 2}}
)

// wideMachines are twenty columns of a scorecard, all of them large enough for every model.
var wideMachines = []machine{
	{"a100-80gb", "A100-SXM4-80GB", "", false, 1, 80, 2039, 312, 400},
	{"4x-a100-80gb", "4x A100-SXM4-80GB", "", false, 4, 80, 2039, 312, 400},
	{"h100", "H100 SXM", "", false, 1, 80, 3350, 989, 700},
	{"2x-h100", "2x H100 SXM", "", false, 2, 80, 3350, 989, 700},
	{"4x-h100", "4x H100 SXM", "", false, 4, 80, 3350, 989, 700},
	{"8x-h100", "8x H100 SXM", "", false, 8, 80, 3350, 989, 700},
	{"h100-pcie", "H100 PCIe", "", false, 1, 80, 2000, 756, 350},
	{"h100-nvl", "H100 NVL", "", false, 1, 94, 3900, 835, 400},
	{"h200", "H200 SXM", "", false, 1, 141, 4800, 989, 700},
	{"8x-h200", "8x H200 SXM", "", false, 8, 141, 4800, 989, 700},
	{"b200", "B200 SXM", "", false, 1, 180, 8000, 2250, 1000},
	{"8x-b200", "8x B200 SXM", "", false, 8, 180, 8000, 2250, 1000},
	{"rtx-pro-6000", "RTX PRO 6000 Blackwell", "", false, 1, 96, 1792, 503, 600},
	{"mi250x", "MI250X", "", true, 1, 128, 3277, 383, 560},
	{"mi300x", "MI300X", "", true, 1, 192, 5300, 1307, 750},
	{"8x-mi300x", "8x MI300X", "", true, 8, 192, 5300, 1307, 750},
	{"mi325x", "MI325X", "", true, 1, 256, 6000, 1307, 1000},
	{"mi355x", "MI355X", "", true, 1, 288, 8000, 2300, 1400},
	{"gaudi-2", "Gaudi 2", "", false, 1, 96, 2450, 432, 600},
	{"gaudi-3", "Gaudi 3", "", false, 1, 128, 3700, 1835, 900},
}

// wideModels are the first n models of a wide catalog, 500 at most.
func wideModels(n int) []model {
	var list []model
	for _, m := range makers {
		for _, s := range sizes {
			for _, k := range marks {
				name := strings.ToUpper(m[:1]) + m[1:] + "-" + s.text + k.text
				list = append(list, model{m + "/" + name, strings.ReplaceAll(name, "-", " "), s.params, s.params,
					s.layers, s.heads, 128, k.bytes, k.precision})
			}
		}
	}
	return list[:min(n, len(list))]
}

// wide measures every model on every machine at three loads: a result file a pair, the machine in
// a run.toml above them. Every eleventh pair is measured under another workload.
func (g *generator) wide(ms []model, hs []machine) {
	v := versions[len(versions)-1]
	n := 0
	for _, h := range hs {
		dir := path.Join("data/raw/wide", h.slug)
		g.file(path.Join(dir, "run.toml"),
			fmt.Sprintf("hardware = %q\nengine = \"vLLM\"\nengine_version = %q\n", h.hardware, v.text))
		for _, m := range ms {
			s := server{m, h, v}
			in, out := 1024.0, 128.0
			if n%11 == 10 {
				in, out = 4096, 256
			}
			n++
			var lines []string
			for _, c := range []int{1, 16, 128} {
				p := s.closed(float64(c), in, out)
				p.prompts = max(20, 4*c)
				if n%37 == 0 && c == 128 {
					p.completed = p.prompts - 1 - g.rnd.IntN(40)
				}
				lines = append(lines, g.result(s, g.measured(p), math.Inf(1), c, nil))
			}
			g.file(path.Join(dir, slug(m.id)+".jsonl"), strings.Join(lines, "\n"))
		}
	}
}

// nights writes what a nightly job leaves behind: a folder a night, with a result at each load and a sidecar that says
// which build of the engine it was.
func (g *generator) nights(s server) {
	for n := range g.size.Nights {
		dir := path.Join("data/raw/nights", fmt.Sprintf("%05d", n))
		g.file(path.Join(dir, "run.toml"), fmt.Sprintf("hardware = %q\nengine = \"vLLM\"\nengine_version = \"0.%d.%d\"\n",
			s.h.hardware, n/100, n%100))
		var lines []string
		for _, c := range []int{1, 16, 128} {
			p := s.closed(float64(c), 1024, 128)
			p.prompts = max(20, 4*c)
			lines = append(lines, g.result(s, g.measured(p), math.Inf(1), c, nil))
		}
		g.file(path.Join(dir, "result.jsonl"), strings.Join(lines, "\n"))
	}
}

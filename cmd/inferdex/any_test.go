package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

var (
	anyCatalogs = flag.Int("catalogs", 6, "how many random catalogs TestAnyCatalog builds and checks")
	anyFrom     = flag.Uint64("from", 1, "the first of the random catalogs")
)

// TestAnyCatalog: of results drawn at random, with what people leave out, write otherwise and measure again, each
// sentence of the site follows from the catalog, and each page is as pages should be.
func TestAnyCatalog(t *testing.T) {
	samples := samplesOfFormats(t)
	for i := range *anyCatalogs {
		seed := *anyFrom + uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write := func(name, text string) {
				goldentest.Write(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(text))
			}
			d := chance{rand.New(rand.NewPCG(seed, 36))}
			d.catalog(write)
			if seed%2 == 0 {
				for i := range 1 + d.IntN(8) {
					d.sample(of(d, samples...), fmt.Sprintf("data/raw/sample-%d", i), write)
				}
			}
			if said, code := typed(dir, "ingest"); code > exitFindings {
				t.Fatalf("ingest: exit status %d\n%s", code, said)
			}
			if said, code := typed(dir, "build"); code != 0 {
				t.Fatalf("build: exit status %d\n%s", code, said)
			}
			said, _ := typed(dir, "check", "--json")
			for line := range strings.Lines(said) {
				var f struct{ Code, File, Severity, Message string }
				if err := json.Unmarshal([]byte(line), &f); err != nil {
					t.Fatalf("%v: %s", err, line)
				}
				if f.Severity == "error" && strings.HasPrefix(f.File, "public/") {
					t.Errorf("%s: %s [%s]", f.File, f.Message, f.Code)
				}
			}
		})
	}
}

// chance draws catalogs.
type chance struct{ *rand.Rand }

// of draws one of some.
func of[T any](d chance, all ...T) T { return all[d.IntN(len(all))] }

// maybe reports true so often.
func (d chance) maybe(share float64) bool { return d.Float64() < share }

// catalog writes the inputs of a catalog.
func (d chance) catalog(write func(name, text string)) {
	write("inferdex.toml", of(d, "title = \"Any\"\n", "title = \"Any\"\nbase_url = \"https://example.org/any/\"\n"))
	if d.maybe(0.5) {
		var b strings.Builder
		for _, a := range []string{"h100-sxm5", "mi300x", "l4", "a100-sxm4-80gb"} {
			for _, p := range []string{"A Cloud", "B Cloud, reserved"} {
				if d.maybe(0.7) {
					fmt.Fprintf(&b, "[[price]]\nprovider = %q\naccelerator = %q\nper_hour = %.2f\ncurrency = %q\ndate = 2025-03-0%d\n\n",
						p, a, 0.2+4*d.Float64(), of(d, "USD", "USD", "EUR"), 1+d.IntN(9))
				}
			}
		}
		write("data/names/prices.toml", b.String())
	}
	models := []string{"org/Alpha-7B", "org/Alpha-7B-Instruct", "org/Alpha-7B-FP8", "other/Beta-70B-AWQ", "Gamma-8x7B", "~", "模型-3B"}
	models = models[d.IntN(3):][:1+d.IntN(4)]
	hardware := []string{"8x H100", "H100 SXM", "4x MI300X", "MI300X", "2* A100-SXM4-80GB", "L4 x4", "RTX 4090 + RTX 3090", "Foo 9000",
		"", "NVIDIA L4", "B200"}
	d.Shuffle(len(hardware), func(i, j int) { hardware[i], hardware[j] = hardware[j], hardware[i] })
	engines := [][2]string{{"vllm", "0.6.3"}, {"vllm", "0.10.0rc1"}, {"vllm", "v0.6.3.post1"}, {"sglang", "0.4.1"}, {"llama.cpp", "b4000"},
		{"vllm", ""}, {"", ""}, {"tgi", "latest"}}
	day := 0
	for h, text := range hardware[:1+d.IntN(len(hardware)-2)] {
		for range 1 + d.IntN(3) {
			e := of(d, engines...)
			folder := fmt.Sprintf("data/raw/%d-%d", h, day)
			run := ""
			if text != "" {
				run += fmt.Sprintf("hardware = %q\n", text)
			}
			if e[0] != "" {
				run += fmt.Sprintf("engine = %q\n", e[0])
			}
			if e[1] != "" {
				run += fmt.Sprintf("engine_version = %q\n", e[1])
			}
			write(folder+"/run.toml", run)
			if d.maybe(0.3) {
				write(folder+"/serve.sh", fmt.Sprintf("vllm serve %s --tensor-parallel-size %d --max-num-seqs %d\n",
					models[0], of(d, 1, 2, 4, 8), of(d, 64, 256)))
			}
			for m := range models {
				if d.maybe(0.3) {
					continue
				}
				day++
				write(fmt.Sprintf("%s/%d.jsonl", folder, m), d.results(models[m], day))
			}
		}
	}
	write("data/raw/last/x.json", served(models[0], "02"))
}

// sample writes a sample of a format, with other numbers, in folders of other hardware.
func (d chance) sample(s sample, folder string, write func(name, text string)) {
	for i := range of(d, 1, 1, 2, 3) {
		other := of(d, 0, 0.02, 0.2, 1)
		for name, data := range s.inputs() {
			text, last := "", 0
			for _, at := range numbersOf(data) {
				text += string(data[last:at[0]])
				last = at[1]
				number := string(data[at[0]:at[1]])
				if v, err := strconv.ParseFloat(number, 64); err == nil && strings.Contains(number, ".") && d.maybe(other) {
					number = strconv.FormatFloat(v*math.Exp(d.NormFloat64()/2), 'f', 6, 64)
				}
				text += number
			}
			write(fmt.Sprintf("%s-%d/%s", folder, i, name), text+string(data[last:]))
		}
		if i > 0 {
			write(fmt.Sprintf("%s-%d/run.toml", folder, i),
				fmt.Sprintf("hardware = %q\n", of(d, "8x H100", "MI300X", "L4 x4", "2x A100-SXM4-80GB")))
		}
	}
}

// results are those of one session: loads of some workloads, each once or several times.
func (d chance) results(model string, day int) string {
	var b strings.Builder
	speed, wait := math.Exp(6*d.Float64()), math.Exp(3+3*d.Float64())
	byRate, noise := d.maybe(0.25), of(d, 0.0, 0, 0.001, 0.03, 0.3)
	lacks := of(d, nil, nil, nil, []string{"median_ttft_ms"}, []string{"p99_ttft_ms", "p99_tpot_ms"}, []string{"output_throughput"},
		[]string{"duration", "total_output_tokens"}, []string{"median_tpot_ms", "mean_tpot_ms", "p99_tpot_ms"}, []string{"completed"})
	minute := 0
	for range 1 + d.IntN(3) {
		in, out := of(d, 128, 1024, 1000, 8192), of(d, 1, 16, 128, 1024)
		dataset := of(d, "random", "random", "sharegpt", "sonnet")
		prompts := of(d, 4, 100, 1000)
		for _, load := range [][]int{{1}, {8}, {1, 8}, {1, 4, 16, 64}, {1, 2, 4, 8, 16, 32, 64, 128, 256}, {256, 1000}}[d.IntN(6)] {
			for range of(d, 1, 1, 1, 2, 3, 6) {
				vary := func(v float64) float64 { return v * math.Exp(noise*d.NormFloat64()) }
				tpot := vary(10 * (1 + float64(load)/speed))
				ttft := vary(wait * (1 + float64(load)/20))
				done := prompts - of(d, 0, 0, 0, 0, 1, prompts/2, prompts)
				took := vary(float64(prompts) / float64(load) * (ttft + tpot*float64(out)) / 1000)
				minute++
				r := map[string]any{
					"date":          fmt.Sprintf("2025%02d%02d-%02d%02d00", 1+day/28%12, 1+day%28, minute/60%24, minute%60),
					"endpoint_type": "vllm", "model_id": model, "num_prompts": prompts, "dataset_name": dataset,
					"request_rate": "inf", "max_concurrency": load, "duration": took, "completed": done,
					"total_input_tokens": done * in, "total_output_tokens": done * out,
					"request_throughput": float64(done) / took, "output_throughput": float64(done*out) / took,
					"total_token_throughput": float64(done*(in+out)) / took,
					"mean_ttft_ms":           ttft * 1.1, "median_ttft_ms": ttft, "p99_ttft_ms": ttft * of(d, 1.0, 1.5, 3, 30),
					"mean_tpot_ms": tpot, "median_tpot_ms": tpot, "p99_tpot_ms": tpot * of(d, 1.0, 1.2, 4),
					"mean_itl_ms": tpot, "median_itl_ms": tpot * of(d, 1.0, 0.9), "p99_itl_ms": tpot * of(d, 2.0, 10),
				}
				if dataset == "random" {
					r["random_input_len"], r["random_output_len"] = in, out
				}
				if byRate {
					r["request_rate"], r["max_concurrency"] = float64(load)/4, nil
				}
				if d.maybe(0.2) {
					r["failed"] = prompts - done
				}
				for _, key := range lacks {
					delete(r, key)
				}
				line, err := json.Marshal(r)
				if err != nil {
					panic(err) // no number of these is none
				}
				fmt.Fprintf(&b, "%s\n", line)
			}
		}
	}
	return b.String()
}

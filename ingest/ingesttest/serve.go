package ingesttest

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// server is a model served by a version of the engine on a machine. It follows a simple model:
// a step reads all weights and the cache of every request in the batch, or computes, whichever
// takes longer; filling in a prompt computes and holds up everybody else's step.
type server struct {
	m model
	h machine
	v version
}

// maxBatch is how many requests the engine works on at a time.
const maxBatch = 256

func (s server) kvBytes() float64 { // of one token
	return 2 * float64(s.m.layers*s.m.heads*s.m.width) * 2
}

// capacity is how many tokens the cache holds.
func (s server) capacity() float64 {
	free := 0.9*s.h.memory*float64(s.h.count) - s.m.params*s.m.bytes - 2*float64(s.h.count)
	return math.Floor(max(free, 1)*1e9/s.kvBytes()/16) * 16
}

// parallel is what several accelerators are worth together.
func (s server) parallel() float64 { return math.Pow(float64(s.h.count), 0.9) }

// step is the time for one more token of each of batch requests of that length, in seconds.
func (s server) step(batch, length float64) float64 {
	// Few requests use few of the experts.
	weights := min(s.m.active*(1+0.35*(batch-1)), s.m.params) * s.m.bytes * 1e9
	read := (weights + batch*length*s.kvBytes()) / (s.h.bandwidth * 1e9 * s.v.transfer * s.parallel())
	compute := 2 * s.m.active * 1e9 * batch / (s.h.compute * 1e12 * s.v.compute * s.parallel())
	return max(read, compute) + s.v.overhead
}

// prefill is the time to fill in a prompt.
func (s server) prefill(tokens float64) float64 {
	return 2*s.m.active*1e9*tokens/(s.h.compute*1e12*s.v.compute*s.parallel()) + 2*s.v.overhead + 0.004
}

// point is one operating point, in seconds and tokens.
type point struct {
	input, output             float64
	ttft, tpot, e2e           float64
	concurrency               float64 // requests in the engine at a time
	batch                     float64 // of them being worked on
	usage                     float64 // fraction of the cache
	prompts, completed        int
	duration                  float64
	ttftSpread, tpotDeviation float64 // p99 / mean, standard deviation / mean
}

// closed is the point with c clients, each sending its next request when it has its answer.
func (s server) closed(c, in, out float64) point {
	room := max(1, math.Floor(s.capacity()/(in+out)))
	batch := min(c, maxBatch, room)
	fill := s.prefill(in)
	tpot := s.step(batch, in+out/2) + (batch-1)*fill/out
	ttft := fill * (1 + 0.25*math.Sqrt(batch-1))
	service := ttft + (out-1)*tpot
	if c > batch {
		ttft += (c - batch) / batch * service
	}
	p := point{input: in, output: out, ttft: ttft, tpot: tpot, e2e: ttft + (out-1)*tpot, concurrency: c, batch: batch}
	p.usage = min(0.99, batch*(in+out/2)/s.capacity())
	p.ttftSpread, p.tpotDeviation = 1.5+0.6*math.Log2(batch+1)/4, 0.03+0.01*math.Log2(batch)
	return p
}

// open is the point with requests arriving at a rate, of which prompts are sent in all.
func (s server) open(rate, in, out float64, prompts int) point {
	full := s.closed(maxBatch, in, out)
	most := full.batch / s.closed(full.batch, in, out).e2e // where nobody waits for a place
	n := float64(prompts)
	if rate < 0.97*most {
		// As many at a time as rate x time: the smallest concurrency that serves the rate.
		lo, hi := 1.0, float64(maxBatch)
		for range 60 {
			if mid := (lo + hi) / 2; mid/s.closed(mid, in, out).e2e < rate {
				lo = mid
			} else {
				hi = mid
			}
		}
		p := s.closed(lo, in, out)
		p.ttft *= 1 + 0.8*math.Pow(rate/most, 4)
		p.e2e = p.ttft + (out-1)*p.tpot
		p.duration = n/rate + p.e2e
		return p
	}
	p := s.closed(full.batch, in, out)
	rate = min(rate, 1e6)
	p.concurrency = n
	p.ttft += max(0, n/most-n/rate) / 2
	p.e2e = p.ttft + (out-1)*p.tpot
	p.duration = n/most + p.e2e/2
	p.ttftSpread = 1.9
	return p
}

// noise is a factor close to 1.
func (g *generator) noise(width float64) float64 { return math.Exp(width * g.rnd.NormFloat64()) }

// measured is p as one measurement finds it.
func (g *generator) measured(p point) point {
	p.ttft *= g.noise(0.03)
	p.tpot *= g.noise(0.012)
	p.e2e = p.ttft + (p.output-1)*p.tpot
	if p.duration == 0 {
		p.duration = float64(p.prompts) / p.concurrency * p.e2e * g.noise(0.008)
	}
	if p.completed == 0 {
		p.completed = p.prompts
	}
	return p
}

// num writes a number with nine significant digits: the last bits differ between processors.
func num(f float64) string {
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', 9, 64), 64)
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// object builds a JSON object in the order of its keys.
type object struct{ b strings.Builder }

func (o *object) raw(key, value string) {
	if o.b.Len() > 0 {
		o.b.WriteString(", ")
	}
	o.b.WriteString(strconv.Quote(key) + ": " + value)
}

func (o *object) text(key, value string)    { o.raw(key, strconv.Quote(value)) }
func (o *object) num(key string, f float64) { o.raw(key, num(f)) }
func (o *object) whole(key string, n int)   { o.raw(key, strconv.Itoa(n)) }
func (o *object) String() string            { return "{" + o.b.String() + "}" }

// sweep writes results of vLLM's own benchmark, a line each, over concurrency or over rates.
func (g *generator) sweep(name string, s server, in, out float64, rates bool) {
	var lines []string
	if rates {
		for _, rate := range []float64{1, 2, 4, 8, 16, 32, math.Inf(1)} {
			prompts := 600
			if rate < 10 {
				prompts = int(60 * rate)
			}
			p := s.open(rate, in, out, prompts)
			p.prompts = prompts
			if math.IsInf(rate, 1) && g.rnd.IntN(4) == 0 {
				p.completed = prompts - 1 - g.rnd.IntN(prompts/3) // the client's limit of connections
			}
			lines = append(lines, g.result(s, g.measured(p), rate, 0, nil))
		}
	} else {
		for c := 1; c <= maxBatch; c *= 2 {
			p := s.closed(float64(c), in, out)
			p.prompts = max(20, 4*c)
			lines = append(lines, g.result(s, g.measured(p), math.Inf(1), c, nil))
		}
	}
	g.file(name, strings.Join(lines, "\n")) // the tool writes no final newline
}

// summaries writes one result after the other of all models in turn: loads differ in concurrency and
// prompts, and one in eight is measured again.
func (g *generator) summaries(name string, ms []model) {
	h, v := wideMachines[5], versions[len(versions)-1]
	var b strings.Builder
	for i := range g.size.Summaries {
		n := i / len(ms)
		n -= n % 8 / 7 // every eighth has the load of the one before
		s := server{ms[i%len(ms)], h, v}
		c := 1 + n%maxBatch
		p := s.closed(float64(c), 1024, 128)
		p.prompts = 4*c + n/maxBatch
		b.WriteString(g.result(s, g.measured(p), math.Inf(1), c, nil) + "\n")
	}
	g.file(name, b.String())
}

// requests are the data of each request.
type requests struct {
	ttfts []float64
	itls  [][]float64
}

// samples are the values that the client sums up under a name.
func (r *requests) samples(name string) (out []float64) {
	if name == "ttft" {
		return r.ttfts
	}
	for _, gaps := range r.itls {
		sum := 0.0
		for _, gap := range gaps {
			sum += gap
		}
		if name == "itl" {
			out = append(out, gaps...)
		} else {
			out = append(out, sum/float64(len(gaps)))
		}
	}
	return out
}

// summary computes the statistics of samples as numpy does.
func summary(samples []float64) (mean, median, std, p99 float64) {
	vs := slices.Sorted(slices.Values(samples))
	n := float64(len(vs))
	for _, v := range vs {
		mean += v / n
	}
	for _, v := range vs {
		std += (v - mean) * (v - mean) / n
	}
	at := func(p float64) float64 {
		i, f := math.Modf((n - 1) * p / 100)
		return vs[int(i)] + (vs[min(int(i)+1, len(vs)-1)]-vs[int(i)])*f
	}
	return mean, at(50), math.Sqrt(std), at(99)
}

// result writes one result as `vllm bench serve` does. A concurrency of 0 is no limit.
func (g *generator) result(s server, p point, rate float64, concurrency int, each *requests) string {
	var o object
	o.text("date", g.tick().Format("20060102-150405"))
	o.text("endpoint_type", "vllm")
	o.text("backend", "vllm")
	o.raw("label", "null")
	o.text("model_id", s.m.id)
	o.text("tokenizer_id", s.m.id)
	o.whole("num_prompts", p.prompts)
	o.text("tensor_parallel_size", strconv.Itoa(s.h.count))
	o.text("dataset_name", "random")
	o.text("random_input_len", strconv.Itoa(int(p.input)))
	o.text("random_output_len", strconv.Itoa(int(p.output)))
	if math.IsInf(rate, 1) {
		o.text("request_rate", "inf")
	} else {
		o.num("request_rate", rate)
	}
	o.num("burstiness", 1)
	if concurrency > 0 {
		o.whole("max_concurrency", concurrency)
	} else {
		o.raw("max_concurrency", "null")
	}
	n := float64(p.completed)
	o.num("duration", p.duration)
	o.whole("completed", p.completed)
	o.whole("failed", p.prompts-p.completed)
	o.whole("total_input_tokens", int(n*p.input))
	o.whole("total_output_tokens", int(n*p.output))
	o.num("request_throughput", n/p.duration)
	o.raw("request_goodput", "null")
	o.num("output_throughput", n*p.output/p.duration)
	o.num("total_token_throughput", n*(p.input+p.output)/p.duration)
	o.num("max_output_tokens_per_s", math.Round(n*p.output/p.duration*(1.15+0.1*g.rnd.Float64())))
	o.whole("max_concurrent_requests", int(min(n, p.concurrency+2)))
	if each != nil {
		o.raw("ttfts", list(each.ttfts))
		var all []string
		for _, gaps := range each.itls {
			all = append(all, list(gaps))
		}
		o.raw("itls", "["+strings.Join(all, ", ")+"]")
		lens := func(n float64) string {
			return "[" + strings.TrimSuffix(strings.Repeat(strconv.Itoa(int(n))+", ", len(each.ttfts)), ", ") + "]"
		}
		o.raw("input_lens", lens(p.input))
		o.raw("output_lens", lens(p.output))
		o.raw("errors", "["+strings.TrimSuffix(strings.Repeat(`"", `, len(each.ttfts)), ", ")+"]")
	}
	for _, q := range []struct {
		name                      string
		mean, median, spread, std float64
	}{
		{"ttft", p.ttft, 0.93, p.ttftSpread, 0.3},
		{"tpot", p.tpot, 0.995, 1 + 3*p.tpotDeviation, p.tpotDeviation},
		{"itl", p.tpot, 0.96, 1.6 + 4*p.tpotDeviation, 0.35},
	} {
		mean, median, std, p99 := q.mean, q.mean*q.median*g.noise(0.004), q.mean*q.std, q.mean*q.spread*g.noise(0.02)
		if each != nil {
			mean, median, std, p99 = summary(each.samples(q.name))
		}
		o.num("mean_"+q.name+"_ms", mean*1000)
		o.num("median_"+q.name+"_ms", median*1000)
		o.num("std_"+q.name+"_ms", std*1000)
		o.num("p99_"+q.name+"_ms", p99*1000)
	}
	return o.String()
}

func list(fs []float64) string {
	parts := make([]string, len(fs))
	for i, f := range fs {
		parts[i] = num(f)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// detailed writes one result with the data of each request.
func (g *generator) detailed(name string, s server) {
	const in, out, c = 512, 64, 16
	p := s.closed(c, in, out)
	p.prompts = g.size.Requests
	p = g.measured(p)
	each := &requests{}
	for range p.prompts {
		each.ttfts = append(each.ttfts, p.ttft*g.noise(0.25))
		gaps := make([]float64, out-1)
		for i := range gaps {
			gaps[i] = p.tpot * g.noise(0.1)
		}
		each.itls = append(each.itls, gaps)
	}
	g.file(name, g.result(s, p, math.Inf(1), c, each))
}

// scenario is one of the list: the lengths and the concurrency that it asks for, and how many requests it sends.
type scenario struct {
	name       string
	in, out, c int
	prompts    int
}

// two writes a number with two decimals.
func two(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }

// result is the scenario with what was measured as the script writes it; times are in ms.
func (r scenario) result(p point, speed, ttft, tpot, slow float64) string {
	n, median := float64(r.prompts), ttft*0.94
	var o object
	o.text("name", r.name)
	o.whole("input_len", r.in)
	o.whole("output_len", r.out)
	o.whole("concurrency", r.c)
	o.whole("num_prompts", r.prompts)
	for _, kv := range []struct {
		key   string
		value float64
	}{
		{"successful_requests", n}, {"failed_requests", 0}, {"duration_s", p.duration},
		{"total_input_tokens", n * float64(r.in)}, {"total_output_tokens", n * float64(r.out)},
		{"request_throughput", n / p.duration}, {"output_throughput", speed},
		{"peak_output_throughput", math.Round(speed * 1.2)},
		{"total_throughput", n * float64(r.in+r.out) / p.duration},
		{"ttft_mean_ms", ttft}, {"ttft_median_ms", median}, {"ttft_p99_ms", ttft * p.ttftSpread},
		{"tpot_mean_ms", tpot}, {"tpot_median_ms", tpot * 0.99}, {"tpot_p99_ms", slow},
		{"itl_mean_ms", tpot}, {"itl_median_ms", tpot * 0.97}, {"itl_p99_ms", slow * 1.5},
	} {
		o.raw(kv.key, two(kv.value))
	}
	o.raw("pp_speed", strconv.FormatFloat(1000*float64(r.in)/median, 'f', 1, 64))
	o.raw("tg_speed", strconv.FormatFloat(1000/tpot, 'f', 1, 64))
	o.raw("error", "null")
	return o.String()
}

// report writes what a script that runs a fixed list of scenarios leaves behind: JSON with two
// decimals as it read them off the screen, and a page that says the same.
func (g *generator) report(s server) {
	rows := []scenario{
		{name: "Single User Latency", in: 2048, out: 512, c: 1, prompts: 20},
		{name: "Short Context Throughput", in: 512, out: 256, c: 16, prompts: 50},
		{name: "Decode Stress Test", in: 128, out: 2048, c: 1, prompts: 5},
		{name: "Mixed Traffic", in: 2048, out: 512, c: 8, prompts: 30},
	}
	for _, c := range []int{2, 4, 8, 16, 32} {
		rows = append(rows, scenario{name: fmt.Sprintf("Concurrency Scaling (c=%d)", c), in: 1024, out: 256, c: c,
			prompts: 30})
	}
	date := g.tick()
	stamp := date.Format("2006-01-02T15:04:05") + ".250000"
	var results, summary, scaling []string
	for _, r := range rows {
		p := s.closed(float64(r.c), float64(r.in), float64(r.out))
		p.prompts, p.concurrency = r.prompts, float64(min(r.c, r.prompts))
		p = g.measured(p)
		ttft, tpot := p.ttft*1000, p.tpot*1000
		slow := tpot * (1 + 3*p.tpotDeviation)
		speed := float64(r.prompts*r.out) / p.duration
		results = append(results, "    "+r.result(p, speed, ttft, tpot, slow))
		category, _, _ := strings.Cut(r.name, " (")
		summary = append(summary, fmt.Sprintf("| %s | %s | %d | %d | %d | %s | %s | %s | %s |", r.name, category, r.in,
			r.out, r.c, two(speed), two(ttft), two(tpot), two(slow)))
		if strings.Contains(r.name, "Scaling") {
			scaling = append(scaling,
				fmt.Sprintf("| %d | %s | %s | %s | %s |", r.c, two(speed), two(speed/float64(r.c)),
					two(ttft*p.ttftSpread), two(slow)))
		}
	}
	dir := path.Join("data/raw/reports", slug(s.m.id)+"-on-"+s.h.slug)
	g.file(path.Join(dir, "run.toml"), fmt.Sprintf("engine = \"vLLM\"\nengine_version = %q\n", s.v.text))
	g.file(path.Join(dir, "benchmark.json"),
		fmt.Sprintf("{\n  \"model\": %q,\n  \"hardware\": %q,\n  \"date\": %q,\n  \"results\": [\n%s\n  ]\n}\n", s.m.id,
			s.h.hardware, stamp, strings.Join(results, ",\n")))
	g.file(path.Join(dir, "benchmark.md"), fmt.Sprintf(`<!--
Benchmark Report Generated: %s
Model: %s
Hardware: %s
Generated by: benchmark_and_report.py
-->

# LLM Inference Benchmark Report

## Performance Summary

| Scenario | Category | Input (tok) | Output (tok) | Concurrency | Output Throughput (tok/s) | TTFT mean (ms) | TPOT mean (ms) | TPOT p99 (ms) |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
%s

## Concurrency Scaling

| Concurrency | Output Throughput (tok/s) | Per-user Throughput (tok/s) | TTFT p99 (ms) | TPOT p99 (ms) |
|---:|---:|---:|---:|---:|
%s
`, stamp, s.m.id, s.h.hardware, strings.Join(summary, "\n"), strings.Join(scaling, "\n")))
}

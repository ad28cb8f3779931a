package ingesttest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"
	"time"
)

// couples are the lengths of the prompts and answers of a happy_vllm suite, parallel its loads.
var (
	inputs   = []int{32, 1024, 4096}
	outputs  = []int{16, 128, 1024}
	parallel = []int{1, 2, 3, 4, 6, 8, 10, 14, 18, 22, 26, 30, 34, 38}
)

// suite writes a happy_vllm suite as its tool leaves it: the raw files in an archive, and beside
// it the parameters that they share with the name of the GPU.
func (g *generator) suite(n int, s server) {
	dir := path.Join("data/raw/suites", fmt.Sprintf("%02d-%s-on-%s", n, slug(s.m.id), s.h.slug))
	id := g.tick()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	add := func(name string, parts ...string) {
		// Without a time: the same seed gives the same bytes.
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		for _, p := range parts {
			if err == nil {
				_, err = f.Write([]byte(p))
			}
		}
		if err != nil && g.err == nil {
			g.err = fmt.Errorf("%s: %w", name, err)
		}
	}
	for i := range 4 {
		add(fmt.Sprintf("prompt_ingestion_%d.json", i), g.ingestion(s, id))
	}
	for _, in := range inputs {
		for _, out := range outputs {
			add(fmt.Sprintf("kv_cache_profile_input_%d_output_%d.json", in, out), g.cacheProfile(s, id, in, out))
			for _, n := range parallel {
				add(fmt.Sprintf("generation_speed_input_%d_output_%d_nb_requests_%d.json", in, out, n),
					g.generation(s, id, in, out, n))
			}
		}
	}
	if err := z.Close(); err != nil && g.err == nil {
		g.err = err
	}
	g.bytes(path.Join(dir, "raw_results.zip"), buf.Bytes())
	var o object
	g.parameters(&o, s, id, nil)
	o.text("gpu_name", s.h.hardware)
	g.file(path.Join(dir, "report/parameters.json"), o.String()+"\n")
}

// load is what tells the raw files of a suite apart.
type load struct {
	input, output, workers int
	profile                string
}

func (g *generator) parameters(o *object, s server, id time.Time, l *load) {
	o.text("model", path.Base(s.m.id))
	if l != nil {
		o.text("prompt_length", strconv.Itoa(l.input))
		o.whole("n_workers", l.workers)
		o.text("query_profile", l.profile)
	}
	o.raw("step_live_metrics", "0.01")
	o.raw("max_queries", "200")
	o.raw("request_rate", "0")
	o.text("backend", "happy_vllm")
	if l != nil {
		o.whole("output_length", l.output)
	}
	o.text("suite_id", id.Format("2006-01-02, 15:04:05"))
	o.text("model_name", path.Base(s.m.id))
	o.text("happy_vllm_version", "1.1.10")
	o.text("vllm_version", s.v.text)
	for _, a := range []struct{ key, value string }{
		{"host", `"0.0.0.0"`}, {"port", "5000"}, {"allowed_origins", `["*"]`}, {"allow_credentials", "false"},
		{"block_size", "16"}, {"seed", "0"},
		{"swap_space", "4"}, {"gpu_memory_utilization", "0.9"}, {"max_num_seqs", strconv.Itoa(maxBatch)},
		{"max_model_len", "null"},
		{"dtype", `"auto"`}, {"kv_cache_dtype", `"auto"`}, {"enable_prefix_caching", "false"},
		{"enforce_eager", "false"}, {"quantization", "null"},
		{"tensor_parallel_size", strconv.Itoa(s.h.count)}, {"pipeline_parallel_size", "1"},
		{"trust_remote_code", "false"}, {"ignore_patterns", "[]"},
	} {
		o.raw(a.key, a.value)
	}
}

// raw joins the parts of a raw file.
func (g *generator) raw(s server, id time.Time, l load, general, aggregated, rest string) string {
	var p object
	g.parameters(&p, s, id, &l)
	var o object
	o.raw("parameters", p.String())
	o.raw("general_metrics", general)
	o.raw("aggregated_metrics", aggregated)
	o.raw("errored_queries", "[]")
	return strings.TrimSuffix(o.String(), "}") + rest + "}"
}

func general(p point, total, wall, actualIn float64) string {
	n := float64(p.prompts)
	var o object
	o.num("max_kv_cache", p.usage)
	o.num("max_requests_running", math.Round(p.batch))
	o.num("max_requests_waiting", math.Round(p.concurrency-p.batch))
	o.whole("total_number_of_queries", p.prompts)
	o.whole("nb_timeout_queries", 0)
	o.whole("nb_errored_queries", 0)
	o.num("total_time", total)
	o.num("total_time_from_first_token", total-n*p.ttft)
	o.num("total_time_without_waiting_time", total-n*p.ttft)
	o.whole("total_number_of_ingested_tokens", int(n*actualIn))
	o.whole("total_number_of_generated_tokens", int(n*p.output))
	o.num("speed", n*p.output/total)
	o.num("speed_without_waiting_time", n*p.output/(total-n*p.ttft))
	o.num("speed_from_first_token", n*p.output/(total-n*p.ttft))
	o.num("actual_total_time", wall)
	return o.String()
}

// statistics are those of a quantity that lies around a median.
func (g *generator) statistics(median, width float64) string {
	var o object
	o.num("mean", median*(1+width*width/2))
	o.num("median", median)
	for _, q := range []struct {
		p int
		z float64
	}{{1, -2.33}, {5, -1.64}, {10, -1.28}, {25, -0.67}, {75, 0.67}, {90, 1.28}, {95, 1.64}, {99, 2.33}} {
		o.num("percentile_"+strconv.Itoa(q.p), median*math.Exp(width*q.z))
	}
	return o.String()
}

func (g *generator) aggregated(p point, actualIn float64) string {
	var o object
	o.raw("time_to_first_token", g.statistics(p.ttft, 0.15))
	o.raw("prompt_length", g.statistics(actualIn, 0.01))
	o.raw("response_length", g.statistics(p.output, 0))
	o.raw("total_query_time", g.statistics(p.e2e, 0.04))
	o.raw("completion_time_from_first_token", g.statistics(p.e2e-p.ttft, 0.03))
	o.raw("median_time_between_tokens", g.statistics(p.tpot, 0.03))
	o.raw("total_waiting_time", g.statistics(p.ttft, 0.15))
	o.raw("speed_from_beginning", g.statistics(p.output/p.e2e, 0.04))
	o.raw("speed_from_first_token", g.statistics(1/p.tpot, 0.03))
	o.raw("speed_without_waiting_time", g.statistics(1/p.tpot, 0.03))
	return o.String()
}

// generation is a file of one load.
func (g *generator) generation(s server, id time.Time, in, out, n int) string {
	actual := math.Round(float64(in)*0.83) + 14 // another tokenizer counts otherwise
	p := s.closed(float64(n), actual, float64(out))
	p.prompts = 200
	p = g.measured(p)
	total := float64(p.prompts) * p.e2e
	wall := total/float64(n) + 0.35*float64(p.prompts)/100
	return g.raw(s, id, load{in, out, n, "constant_number_of_queries"}, general(p, total, wall, actual),
		g.aggregated(p, actual), "")
}

// ingestion is a file of growing prompts, one after the other.
func (g *generator) ingestion(s server, id time.Time) string {
	const queries = 120
	var list strings.Builder
	clock := float64(id.Unix())
	sum := 0.0
	for i := range queries {
		length := 30 + i*33 + g.rnd.IntN(20)
		ttft := s.prefill(float64(length)) * g.noise(0.008)
		if g.rnd.IntN(25) == 0 {
			ttft *= 1.4 // something else was going on
		}
		var o object
		o.text("prompt", "")
		o.num("starting_timestamp", clock)
		o.num("ending_timestamp", clock+ttft)
		o.whole("prompt_length", length)
		o.whole("response_length", 1)
		o.text("generated_text", "")
		o.num("total_query_time", ttft)
		o.num("timestamp_of_first_token", clock+ttft)
		o.num("time_to_first_token", ttft)
		o.raw("timestamp_of_tokens_arrival", "["+num(clock+ttft)+"]")
		o.raw("delta_time_of_tokens_arrival", "[]")
		for _, k := range []string{"completion_time_from_first_token", "median_time_between_tokens",
			"total_waiting_time", "speed_from_beginning", "speed_from_first_token", "speed_without_waiting_time"} {
			o.raw(k, "0.0")
		}
		o.raw("success", "true")
		o.text("error", "")
		o.raw("timeout", "false")
		if i > 0 {
			list.WriteString(", ")
		}
		list.WriteString(o.String())
		clock += ttft + 0.05
		sum += ttft
	}
	p := s.closed(1, 2000, 1)
	p.prompts, p.ttft, p.e2e = queries, sum/queries, sum/queries
	return g.raw(s, id, load{0, 1, 1, "constant_number_of_queries"}, general(p, sum*1.001, sum*1.05, 2000),
		g.aggregated(p, 2000), `, "individual_query": [`+list.String()+"]")
}

// cacheProfile is a file of a growing number of requests with the state of the cache over time.
func (g *generator) cacheProfile(s server, id time.Time, in, out int) string {
	actual := math.Round(float64(in)*0.83) + 14
	tokens := actual + float64(out)
	const sample = 125 // bytes of one
	samples := max(100, g.size.SuiteBytes/(len(inputs)*len(outputs)*sample))
	most := min(maxBatch, s.capacity()*0.98/tokens)
	var list strings.Builder
	list.Grow(samples * (sample + 10))
	start := float64(id.Unix()) + 3600
	used := 0.0
	for i := range samples {
		running := math.Floor(1 + (most-1)*float64(i)/float64(samples))
		usage := min(0.999, running*tokens/s.capacity()*(0.97+0.03*g.rnd.Float64()))
		used = max(used, usage)
		if i > 0 {
			list.WriteString(", ")
		}
		fmt.Fprintf(&list,
			`{"num_requests_running": %s, "num_requests_waiting": %s, "gpu_cache_usage_perc": %s, "timestamp": %.6f}`,
			num(running), num(0), num(usage), start+float64(i)*0.01)
	}
	p := s.closed(most, actual, float64(out))
	p.prompts, p.usage = 150, used
	p = g.measured(p)
	total := float64(p.prompts) * p.e2e
	return g.raw(s, id, load{in, out, 1, "growing_requests"}, general(p, total, total/10, actual),
		g.aggregated(p, actual), `, "kv_cache_profile": [`+list.String()+"]")
}

package inferencexagg

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/clean"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

var statistic = regexp.MustCompile(`^(mean|median|std|min|max|p[0-9]+(?:\.[0-9]+)?)_(ttft|tpot|itl|e2el|intvty)$`)

var quantities = map[string]metric.ID{"ttft": metric.TTFT, "tpot": metric.TPOT, "itl": metric.ITL, "e2el": metric.E2ELatency}

// statistics reads the keys such as "p99_ttft", in seconds.
func (m *measurement) statistics() {
	m.Each(func(k string, _ jsonval.Value) {
		if s := statistic.FindStringSubmatch(k); s != nil && s[2] != "intvty" {
			m.value(m.Object, quantities[s[2]], s[1], "s", k, k)
		}
	})
	// Interactivity says nothing new where the TPOT is stated. Its deviation means nothing.
	m.Each(func(k string, _ jsonval.Value) {
		s := statistic.FindStringSubmatch(k)
		if s == nil || s[2] != "intvty" {
			return
		}
		m.Use(k)
		if n, ok := m.Number(s[1] + "_tpot"); s[1] == metric.Std || s[1] == metric.Min || s[1] == metric.Max || ok && n > 0 {
			return
		}
		if n, ok := m.Number(k); ok && n > 0 {
			m.computed(metric.TPOT, s[1], "s", 1/n)
		}
	})
}

// row reads one row of agg_*.json.
func (m *measurement) row() {
	w := &m.res.Workload
	w.Nominal = record.Lengths{Input: m.Length("isl"), Output: m.Length("osl")}
	if in, out, ok := lengths(m.r.name); ok && w.Nominal == (record.Lengths{}) {
		w.Nominal = record.Lengths{Input: &in, Output: &out} // rows of version 1
	}
	if w.Nominal != (record.Lengths{}) {
		w.LengthSemantics = "tool nominal"
	}
	m.throughput()
	m.statistics()
	m.power()
}

// throughput multiplies the throughputs per GPU back.
func (m *measurement) throughput() {
	all := float64(m.gpus())
	if all == 0 {
		if m.Has("tput_per_gpu") {
			m.note("gpus-unknown", record.Remark, "tput_per_gpu", "the number of GPUs is not known: the throughputs per GPU were left out")
		}
		return
	}
	total, hasTotal := m.Number("tput_per_gpu")
	in, hasIn := m.Number("input_tput_per_gpu")
	out, hasOut := m.Number("output_tput_per_gpu")
	if hasTotal {
		m.computed(metric.TotalThroughput, metric.Value, "tok/s", total*all)
	}
	// A divided deployment gives the input per prefill GPU and the output per decoding GPU.
	inGPUs, outGPUs := all, all
	if p, d := m.split(); p > 0 && d > 0 {
		if disagg := m.Truth("disagg"); disagg == nil || *disagg {
			inGPUs, outGPUs = float64(p), float64(d)
		}
	}
	if hasTotal && hasIn && hasOut && total > 0 {
		adds := func(i, o float64) bool { return math.Abs(in*i+out*o-total*all) <= 0.01*total*all }
		if !adds(inGPUs, outGPUs) {
			if !adds(all, all) {
				m.note("throughput-parts-differ", record.Warning, "output_tput_per_gpu",
					"input and output throughput do not add up to the total with %v GPUs: both were left out", all)
				m.unmapped = append(m.unmapped, "input_tput_per_gpu", "output_tput_per_gpu")
				return
			}
			inGPUs, outGPUs = all, all
		}
	}
	if hasOut {
		m.computed(metric.OutputThroughput, metric.Value, "tok/s", out*outGPUs)
	}
	if hasIn {
		m.computed(metric.InputThroughput, metric.Value, "tok/s", in*inGPUs)
	}
}

// power reads what was measured at the GPUs. From version 2 on the numbers are of the whole
// deployment; before, of one role where prefill and decoding are divided.
func (m *measurement) power() {
	if valid := m.Truth("power_valid"); valid != nil && !*valid {
		m.note("power-not-valid", record.Remark, "power_valid", "the tool calls its measurement of power not valid: it was left out")
		return
	}
	m.value(m.Object, metric.Power, metric.Value, "W", "avg_total_gpu_power_w", "avg_total_gpu_power_w")
	version, _ := m.Number("power_metric_schema_version")
	divided := m.Truth("disagg")
	if version >= 2 || divided == nil || !*divided {
		m.value(m.Object, metric.EnergyPerToken, metric.Value, "J/tok", "joules_per_output_token", "joules_per_output_token")
	}
}

var (
	kilo    = regexp.MustCompile(`(?i)(?:^|[_./-])([0-9]{1,3})k[_-]?([0-9]{1,3})k(?:[_./-]|$)`)
	inName  = regexp.MustCompile(`(?i)(?:^|[_-])isl[_-]?([0-9]{1,7})(?:[_.-]|$)`)
	outName = regexp.MustCompile(`(?i)(?:^|[_-])osl[_-]?([0-9]{1,7})(?:[_.-]|$)`)
	config  = regexp.MustCompile(`_(fp4|fp8|fp16|bf16|int4|int8|nvfp4|mxfp4)_([a-z][a-z0-9-]*)_tp([1-9][0-9]{0,3})[_-]`)
)

// lengths finds the nominal lengths in a name: "_isl1024_osl128_", or "_1k8k_", of 1024.
func lengths(name string) (in, out float64, ok bool) {
	a, b := inName.FindStringSubmatch(name), outName.FindStringSubmatch(name)
	scale := 1.0
	if a != nil && b != nil {
		a = []string{a[1], b[1]}
	} else if a = kilo.FindStringSubmatch(name); a != nil {
		a, scale = a[1:], 1024
	} else {
		return 0, 0, false
	}
	in, _ = strconv.ParseFloat(a[0], 64)
	out, _ = strconv.ParseFloat(a[1], 64)
	return in * scale, out * scale, in > 0 && out > 0
}

// scalars are the results of a raw record that are one number.
var scalars = map[string]record.Value{
	"duration":               {Quantity: metric.Duration, Stat: metric.Value, Unit: "s"},
	"total_input_tokens":     {Quantity: metric.InputTokens, Stat: metric.Total, Unit: "tokens"},
	"total_output_tokens":    {Quantity: metric.OutputTokens, Stat: metric.Total, Unit: "tokens"},
	"request_throughput":     {Quantity: metric.RequestThroughput, Stat: metric.Value, Unit: "req/s"},
	"request_goodput":        {Quantity: metric.Goodput, Stat: metric.Value, Unit: "req/s"},
	"input_throughput":       {Quantity: metric.InputThroughput, Stat: metric.Value, Unit: "tok/s"},
	"output_throughput":      {Quantity: metric.OutputThroughput, Stat: metric.Value, Unit: "tok/s"},
	"total_token_throughput": {Quantity: metric.TotalThroughput, Stat: metric.Value, Unit: "tok/s"},
}

// raw reads a raw result whose times are in seconds. Precision, engine and number of GPUs stand
// in the file's name, which InferenceX builds of them.
func (m *measurement) raw() {
	res := m.res
	res.Identity.Model = m.Text("model_id")
	m.facts.Add(record.FactModel, res.Identity.Model, m.At("model_id"))
	m.facts.Add(record.FactTokenizer, m.Text("tokenizer_id"), m.At("tokenizer_id"))
	res.Date = m.Text("date")
	if b := m.Text("backend"); b == "vllm" || strings.HasPrefix(b, "sglang") {
		m.facts.Add(record.FactEngine, b, m.At("backend"))
	}
	for _, k := range []string{"model_id", "tokenizer_id", "backend"} {
		m.setup(k, m.Text(k))
	}
	if c := config.FindStringSubmatch(m.r.name); c != nil {
		m.facts.Add(record.FactPrecision, c[1], m.Pos())
		m.facts.Add(record.FactEngine, c[2], m.Pos())
		m.facts.Add(record.FactCount, c[3], m.Pos())
		for i, k := range []string{"precision", "framework", "tp"} {
			res.Setup = append(res.Setup, record.KV{Key: k, Value: c[i+1]})
		}
	}
	res.Load.Rate = m.Rate("request_rate")
	res.Load.MaxConcurrency = m.Count("max_concurrency")
	if n, ok := m.Number("burstiness"); ok {
		res.Load.Burstiness = &n
	}
	res.Completed = m.Count("completed")
	res.Submitted = m.Count("num_prompts")
	w := &res.Workload
	w.NumPrompts = res.Submitted
	if in, out, ok := lengths(m.r.name); ok {
		w.Nominal, w.LengthSemantics = record.Lengths{Input: &in, Output: &out}, "tool nominal"
	}
	m.Each(func(k string, _ jsonval.Value) {
		if v, ok := scalars[k]; ok {
			m.value(m.Object, v.Quantity, v.Stat, v.Unit, k, k)
		}
	})
	m.statistics()
	mean := func(key string) *float64 {
		n, ok := m.Number(key)
		if !ok || n <= 0 || res.Completed == nil || *res.Completed == 0 {
			return nil
		}
		f := clean.Round(n / float64(*res.Completed))
		return &f
	}
	w.Actual = record.Lengths{Input: mean("total_input_tokens"), Output: mean("total_output_tokens")}
}

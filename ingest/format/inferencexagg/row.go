package inferencexagg

import (
	"math"
	"regexp"
	"strings"

	"github.com/inferdex/inferdex/ingest/internal/servingjson"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

var statistic = regexp.MustCompile(`^(mean|median|std|min|max|p[0-9]+(?:\.[0-9]+)?)_(ttft|tpot|itl|e2el|intvty)$`)

// statistics reads the keys such as "p99_ttft", in seconds.
func (m *measurement) statistics() {
	m.Each(func(k string, _ reading.Value) {
		if s := statistic.FindStringSubmatch(k); s != nil && s[2] != "intvty" {
			m.Measure(&m.res.Values, servingjson.Quantity(s[2]), s[1], "s", k)
		}
	})
	// Interactivity says nothing new where the TPOT is stated. Its deviation means nothing.
	m.Each(func(k string, _ reading.Value) {
		s := statistic.FindStringSubmatch(k)
		if s == nil || s[2] != "intvty" {
			return
		}
		m.Use(k)
		if n, ok := m.Number(s[1] + "_tpot"); s[1] == metric.Std || s[1] == metric.Min ||
			s[1] == metric.Max || ok && n > 0 {
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
	if in, out, ok := servingjson.Lengths(m.r.name); ok && w.Nominal == (record.Lengths{}) {
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
			m.note("gpus-unknown", record.Remark, "tput_per_gpu",
				"the number of GPUs is not known: the throughputs per GPU were left out")
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
		m.note("power-not-valid", record.Remark, "power_valid",
			"the tool calls its measurement of power not valid: it was left out")
		return
	}
	m.Measure(&m.res.Values, metric.Power, metric.Value, "W", "avg_total_gpu_power_w")
	version, _ := m.Number("power_metric_schema_version")
	divided := m.Truth("disagg")
	if version >= 2 || divided == nil || !*divided {
		m.Measure(&m.res.Values, metric.EnergyPerToken, metric.Value, "J/tok", "joules_per_output_token")
	}
}

// config is what a file's name says of the server: "_fp8_vllm_tp4_".
var config = regexp.MustCompile(`_(fp4|fp8|fp16|bf16|int4|int8|nvfp4|mxfp4)_([a-z][a-z0-9-]*)_tp([1-9][0-9]{0,3})[_-]`)

// raw reads a raw result whose times are in seconds. Precision, engine and number of GPUs stand
// in the file's name, which InferenceX builds of them.
func (m *measurement) raw() {
	res := m.res
	res.Identity.Model = m.Text("model_id")
	m.Fact(&m.facts, record.FactModel, "model_id")
	m.Fact(&m.facts, record.FactTokenizer, "tokenizer_id")
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
	if in, out, ok := servingjson.Lengths(m.r.name); ok {
		w.Nominal, w.LengthSemantics = record.Lengths{Input: &in, Output: &out}, "tool nominal"
	}
	m.Each(func(k string, _ reading.Value) {
		if v, ok := servingjson.Scalar(nil, k); ok {
			m.Measure(&res.Values, v.Quantity, v.Stat, v.Unit, k)
		}
	})
	m.statistics()
	reading.MeanLengths(res)
}

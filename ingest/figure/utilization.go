package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Utilization is a share of what the accelerators could do, as a range: Lo and Hi are equal where
// every factor is one number.
type Utilization struct {
	Lo, Hi float64
	// Assumptions are what went into the figure beside what was measured, in whole clauses.
	Assumptions []string
	// Warning is set where the lower end is above 1: an assumption is then wrong.
	Warning string
}

// Range reports whether the two ends differ.
func (u Utilization) Range() bool { return u.Lo != u.Hi }

func (u *Utilization) assume(format string, args ...any) {
	u.Assumptions = append(u.Assumptions, fmt.Sprintf(format, args...))
}

func (u *Utilization) finish(what string) (Utilization, bool) {
	u.Lo, u.Hi = metric.Round12(u.Lo), metric.Round12(u.Hi)
	if !Finite(u.Lo) || !Finite(u.Hi) {
		return Utilization{}, false
	}
	if u.Lo > 1 {
		u.Warning = fmt.Sprintf("%s above 100\u202f%% cannot be: one of the assumptions is wrong", what)
	}
	return *u, true
}

// cells are the values of a specification cell: one where the accelerator has it, those of its
// variants where the form factor is not recorded, the smallest first.
func (ix *Index) cells(a settings.Accelerator, get func(settings.Accelerator) *float64) (lo, hi float64, ok bool) {
	if v := get(a); v != nil {
		return *v, *v, true
	}
	for _, id := range a.Variants {
		other, _ := ix.Names.Accelerator(id)
		v := get(other)
		if v == nil {
			return 0, 0, false // a range of what is known would leave one out
		}
		if !ok {
			lo, hi, ok = *v, *v, true
		}
		lo, hi = min(lo, *v), max(hi, *v)
	}
	return lo, hi, ok
}

// inFlight is how many requests were worked on at once, and what says so.
func inFlight(p *catalog.Point) (n float64, basis string, ok bool) {
	if v, _, has := Central(p, metric.AchievedConcurrency); has && v > 0 {
		return v, "achieved concurrency", true
	}
	axis, v, has := p.Load.Axis()
	if !has || axis == record.AxisRate || !Finite(v) || v <= 0 {
		return 0, "", false
	}
	if prompts, above := AboveNumPrompts(p); above {
		return float64(prompts), "number of prompts", true
	}
	return v, "concurrency", true
}

// lengthsOf are a point's tokens in and out of a request: the actual ones, else the nominal.
func lengthsOf(p *catalog.Point) (in, out float64, ok bool) {
	pick := func(a, n catalog.Number) float64 {
		switch {
		case a != nil:
			return *a
		case n != nil:
			return *n
		}
		return 0
	}
	in = pick(p.Workload.Actual.Input, p.Workload.Nominal.Input)
	out = pick(p.Workload.Actual.Output, p.Workload.Nominal.Output)
	return in, out, in > 0 && out > 0
}

// MBU is the model bandwidth utilization of a point while it decodes:
//
//	(bytes of active weights + bytes of KV cache read a step) / (TPOT × accelerators × bandwidth)
//
// The KV cache that a step reads is requests in flight × (input + output/2) × KV bytes a token. Of
// a mixture of experts the weights read lie between those that work on one token, and those of
// as many tokens as there are requests, at most all. ok is false where parameters, precision,
// TPOT, bandwidth, the number of accelerators or of requests in flight are not known.
func (ix *Index) MBU(r *Run, p *catalog.Point) (u Utilization, ok bool) {
	t, stat := 0.0, ""
	for _, s := range []string{metric.Median, metric.Mean} {
		if v, has := Get(p, metric.TPOT, s); has && v > 0 {
			t, stat = v, s
			break
		}
	}
	all, ok1 := r.Model.WeightBytes()
	loBW, hiBW, ok2 := ix.cells(r.Hardware.Accelerator,
		func(a settings.Accelerator) *float64 { return a.BandwidthGBs })
	n, basis, ok3 := inFlight(p)
	if t <= 0 || !ok1 || !ok2 || !ok3 || r.Hardware.CountAssumed || r.Hardware.Count < 1 || loBW <= 0 {
		return u, false
	}
	u.assume("%s TPOT; %s of %s", stat, basis, metric.Exact(metric.Round12(n)))
	loW, hiW := all, all
	if active, has := activeBytes(r.Model, all); has && active < all {
		loW, hiW = active, min(all, active*math.Max(1, n))
		u.assume("a mixture of experts reads between %s and %s GB of weights a step", metric.Format(loW/1e9),
			metric.Format(hiW/1e9))
	} else if !has {
		u.assume("all weights are active")
	}
	kvLo, kvHi := 0.0, 0.0
	per, ok4 := KVBytesPerToken(r.Model, r.KVValueBytes())
	in, out, ok5 := lengthsOf(p)
	switch {
	case ok4 && ok5:
		kvHi = n * (in + out/2) * per
		kvLo = kvHi
		u.assume("each request holds %s tokens in the KV cache on average", metric.Exact(metric.Round12(in+out/2)))
		if strings.Contains(r.Model.Attention, "sliding") {
			kvLo = 0
			u.assume("layers with a sliding window read between nothing and all of it")
		}
	default:
		u.assume("reading the KV cache is left out: the model's configuration or the lengths are not known")
	}
	if loBW != hiBW {
		u.assume("bandwidth of %s to %s GB/s: the form factor is not recorded", metric.Exact(loBW), metric.Exact(hiBW))
	} else {
		u.assume("bandwidth of %s GB/s an accelerator as on the data sheet", metric.Exact(loBW))
	}
	count := float64(r.Hardware.Count)
	u.Lo, u.Hi = (loW+kvLo)/(t*count*hiBW*1e9), (hiW+kvHi)/(t*count*loBW*1e9)
	return u.finish("MBU")
}

// activeBytes are the bytes of the weights that work on one token.
func activeBytes(m settings.Model, all float64) (float64, bool) {
	if m.ActiveParamsB == nil || m.ParamsB == nil || *m.ParamsB <= 0 {
		return 0, false
	}
	if *m.ActiveParamsB == *m.ParamsB {
		return all, true // and not what rounding makes of it, which is less for some: no mixture
	}
	return all * *m.ActiveParamsB / *m.ParamsB, true
}

// MFU is the model FLOPs utilization of a point:
//
//	2 × active parameters × total tok/s / (accelerators × dense peak at the run's type)
//
// Attention itself is left out, so that the true figure is higher with long contexts. Weights of
// 4 and 8 bits with 16-bit activations are computed in 16 bits. ok is false where the active
// parameters, the total throughput, the type or its peak, or the number of accelerators is not
// known.
func (ix *Index) MFU(r *Run, p *catalog.Point) (u Utilization, ok bool) {
	params := r.Model.ActiveParamsB
	if params == nil {
		// Only of a model with one set of weights are all parameters active.
		if r.Model.ParamsB == nil || strings.ContainsAny(r.Model.Size, "x") ||
			slices.Contains(r.Model.Parsed, "params_b") {
			return u, false
		}
		params = r.Model.ParamsB
		u.assume("all parameters are active")
	}
	total, ok := allThroughput(p)
	peak, name, ok2 := computeType(r)
	if !ok || !ok2 || r.Hardware.CountAssumed || r.Hardware.Count < 1 {
		return Utilization{}, false
	}
	lo, hi, ok := ix.cells(r.Hardware.Accelerator, peak)
	if !ok || lo <= 0 {
		return Utilization{}, false
	}
	u.assume("%s B active parameters; attention itself is left out", metric.Format(*params))
	if lo != hi {
		u.assume("dense %s peak of %s to %s TFLOP/s: the form factor is not recorded", name, metric.Exact(lo),
			metric.Exact(hi))
	} else {
		u.assume("dense %s peak of %s TFLOP/s an accelerator as on the data sheet", name, metric.Exact(lo))
	}
	work := 2 * *params * 1e9 * total
	count := float64(r.Hardware.Count)
	u.Lo, u.Hi = work/(count*hi*1e12), work/(count*lo*1e12)
	return u.finish("MFU")
}

// allThroughput are input and output tokens a second of wall time.
func allThroughput(p *catalog.Point) (float64, bool) {
	if v, ok := Get(p, metric.TotalThroughput, metric.Value); ok && v > 0 {
		return v, true
	}
	out, ok := Throughput(p)
	if !ok || out <= 0 {
		return 0, false
	}
	if in, ok := Get(p, metric.InputThroughput, metric.Value); ok && in > 0 {
		return metric.Round12(in + out), true
	}
	if in, n, ok := lengthsOf(p); ok {
		return metric.Round12(out * (in + n) / n), true
	}
	return 0, false
}

// computeType is the type a run's products are computed in: the specification cell and its name.
func computeType(r *Run) (peak func(settings.Accelerator) *float64, name string, ok bool) {
	fp16 := func(a settings.Accelerator) *float64 { return a.FP16 }
	bf16 := func(a settings.Accelerator) *float64 { return a.BF16 }
	typ := r.Model.Precision
	if q := r.Param("quantization"); r.Model.Quantization == "" && strings.HasPrefix(q, "fp8") {
		typ = "fp8"
	}
	switch typ {
	case "fp8":
		return func(a settings.Accelerator) *float64 { return a.FP8 }, "FP8", true
	case "int8", "w8a8":
		return func(a settings.Accelerator) *float64 { return a.INT8 }, "INT8", true
	case "fp16", "bf16", "int4", "w4a16", "w8a16":
		switch d := r.Param("dtype"); {
		case d == "float16" || d == "half" || (d == "" || d == "auto") && typ != "bf16":
			return fp16, "FP16", true
		case d == "bfloat16" || d == "" || d == "auto":
			return bf16, "BF16", true
		}
	}
	return nil, "", false
}

// KVCapacity is the measured size of a run's KV cache beside what its memory would hold.
type KVCapacity struct {
	// Measured and Estimated are in tokens; Measured is nil where the run has no such figure.
	Measured  catalog.Number
	Estimated float64
	// Share is Measured / Estimated.
	Share       catalog.Number
	Assumptions []string
	// Warning is set where more was measured than the memory can hold, even if the GB of the data
	// sheet were GiB.
	Warning string
}

// KVCapacity estimates how many tokens the KV cache holds at most:
//
//	(memory × accelerators × share the engine may use − weights) / KV bytes a token
//
// Activations and buffers are left out, so that a measured size is smaller. ok is false where the
// memory, the weights, the model's configuration or the number of accelerators is not known, or
// where the weights leave no room.
func (r *Run) KVCapacity() (k KVCapacity, ok bool) {
	per, ok1 := KVBytesPerToken(r.Model, r.KVValueBytes())
	weights, ok2 := r.Model.WeightBytes()
	mem := r.Hardware.Accelerator.MemoryGB
	if mem == nil {
		mem = gigabytes(r.Attr("gpu_memory"))
	}
	if !ok1 || !ok2 || mem == nil || r.Hardware.CountAssumed || r.Hardware.Count < 1 || per <= 0 {
		return k, false
	}
	usable, recorded := r.usableShare()
	k.Estimated = math.Floor((*mem*1e9*float64(r.Hardware.Count)*usable - weights) / per)
	if k.Estimated <= 0 {
		return KVCapacity{}, false
	}
	k.Assumptions = append(k.Assumptions, fmt.Sprintf("%s GB an accelerator as on the data sheet", metric.Exact(*mem)))
	if recorded {
		k.Assumptions = append(k.Assumptions, fmt.Sprintf("the engine may use %s of it", PercentText(usable)))
	} else {
		k.Assumptions = append(k.Assumptions, "the engine may use all of it: the share is not recorded")
	}
	if v, has := r.KVCacheTokens(); has {
		s := metric.Round12(v / k.Estimated)
		k.Measured, k.Share = &v, &s
		// Data sheets write GB where some mean GiB: only what is beyond either is impossible.
		if v > math.Floor((*mem*1.0737e9*float64(r.Hardware.Count)*usable-weights)/per) {
			k.Warning = "more was measured than the memory can hold: the hardware, the model or the measurement is " +
				"not what it seems"
		}
	}
	return k, true
}

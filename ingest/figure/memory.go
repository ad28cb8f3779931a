package figure

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// KVBytesPerToken is 2 * layers * kv heads * head size * bytes: what one token occupies in the
// KV cache. ok is false where the model's configuration is not known, or where it keeps its
// cache in another form than one key and one value a head (MLA).
func KVBytesPerToken(m settings.Model, bytesPerValue float64) (float64, bool) {
	if m.Layers == nil || m.KVHeads == nil || m.HeadDim == nil || strings.Contains(m.Attention, "mla") {
		return 0, false
	}
	return 2 * float64(*m.Layers) * float64(*m.KVHeads) * float64(*m.HeadDim) * bytesPerValue, true
}

// KVValueBytes is the size of one value in the run's KV cache: 1 for an fp8 cache, else 2.
func (r *Run) KVValueBytes() float64 {
	if strings.HasPrefix(r.Param("kv_cache_dtype"), "fp8") {
		return 1
	}
	return 2
}

// Param is a launch parameter of the run as plain text: strings without quotes, "" where it is
// absent or null.
func (r *Run) Param(name string) string {
	p, ok := r.Parameters[name]
	if !ok || p.Null() {
		return ""
	}
	return catalog.Plain(p.Value)
}

// KVCacheTokens is the measured capacity of the KV cache in tokens, where it is believed.
func (r *Run) KVCacheTokens() (float64, bool) {
	for _, f := range r.Figures {
		if r.Forbidden == "" && f.Metric == metric.KVCacheTokens && f.Value != nil {
			return *f.Value, true
		}
	}
	return 0, false
}

// Memory is what the weights and the measured KV cache of a run take.
type Memory struct {
	WeightBytes, KVBytes float64
	// NeededGB is what each accelerator must have at least, in 10^9 bytes, so that the share the
	// engine may use (gpu_memory_utilization) holds both; UsableShare is that share, 1 where it
	// is not recorded.
	NeededGB, UsableShare float64
}

// Memory computes what a run's weights and measured KV cache need. ok is false where the
// weights, the cache's form or its measured size are not known.
func (r *Run) Memory() (Memory, bool) {
	tokens, ok1 := r.KVCacheTokens()
	per, ok2 := KVBytesPerToken(r.Model, r.KVValueBytes())
	weights, ok3 := r.Model.WeightBytes()
	if !ok1 || !ok2 || !ok3 || r.Hardware.Count < 1 {
		return Memory{}, false
	}
	m := Memory{WeightBytes: weights, KVBytes: tokens * per}
	m.UsableShare, _ = r.usableShare()
	m.NeededGB = metric.Round12((m.WeightBytes + m.KVBytes) / float64(r.Hardware.Count) / m.UsableShare / 1e9)
	return m, true
}

// usableShare is the share of the memory that the engine may use; 1 where it is not recorded.
func (r *Run) usableShare() (share float64, recorded bool) {
	if u, err := strconv.ParseFloat(r.Param("gpu_memory_utilization"), 64); err == nil && u > 0 && u <= 1 {
		return u, true
	}
	return 1, false
}

// Fits says whether 16-bit or quantised weights of a model fit the memory of a hardware at all.
// known is false where either size is not known.
func Fits(m settings.Model, h settings.Hardware) (fits, known bool) {
	w, ok := m.WeightBytes()
	if !ok || h.Accelerator.MemoryGB == nil || h.Count < 1 {
		return false, false
	}
	return w <= *h.Accelerator.MemoryGB*1e9*float64(h.Count), true
}

// offloads are the engines that keep what does not fit in the memory of the host.
var offloads = []string{"llama.cpp", "ollama", "mlx", "mlx-lm", "deepspeed", "pytorch", "transformers"}

// weightsHeld is what the weights take that the accelerators of a run must hold. ok is false where it is not
// known, and where the weights may be smaller or elsewhere: the run quantised or moved them, or nobody recorded
// how many accelerators there were.
func (r *Run) weightsHeld() (bytes float64, ok bool) {
	if r.Hardware.CountAssumed || r.OnlyScores() || slices.Contains(offloads, r.Engine.ID) ||
		strings.HasPrefix(r.Model.Quantization, "GGUF") {
		return 0, false
	}
	for name := range r.Parameters {
		if strings.Contains(name, "quant") || strings.Contains(name, "offload") || name == "torchao_config" {
			switch strings.ToLower(r.Param(name)) {
			case "", "0", "false", "none", "null", "auto":
			default:
				return 0, false
			}
		}
	}
	return r.Model.WeightBytes()
}

// gigabytes reads "80 GB" or "81920 MiB" to 10^9 bytes; nil where it is neither.
func gigabytes(text string) *float64 {
	num, u, _ := strings.Cut(strings.TrimSpace(text), " ")
	v, err := strconv.ParseFloat(num, 64)
	if err != nil || v <= 0 {
		return nil
	}
	switch strings.TrimSpace(u) {
	case "GB":
	case "GiB":
		v *= 1.073741824
	case "MiB":
		v *= 0.001048576
	case "MB":
		v /= 1000
	default:
		return nil
	}
	return &v
}

// tolerance is how much more than its memory an accelerator may seem to need: data sheets write GB where some
// mean GiB, and only what is beyond either is impossible.
const tolerance = 1.0737

// memoryFindings are the findings that need names: a form factor that nobody recorded, and weights or a
// measured KV cache that the claimed memory cannot hold.
func memoryFindings(r *Run) []catalog.Finding {
	var fs []catalog.Finding
	a := r.Hardware.Accelerator
	m, ok := r.Memory()
	claimed := a.MemoryGB
	memoryText := r.Attributes["gpu_memory"]
	if claimed == nil && memoryText.Value != "" {
		claimed = gigabytes(memoryText.Value)
	}
	impossible := func(format string, args ...any) {
		fs = append(fs, catalog.Finding{Code: catalog.CodeMemory, Severity: record.Error,
			Path: r.Attributes["hardware"].File, Message: fmt.Sprintf(format, args...)})
	}
	switch weights, held := r.weightsHeld(); {
	case claimed == nil:
	case ok && m.NeededGB > *claimed*tolerance:
		impossible("weights of %s GB and %s GB of measured KV cache need at least %s GB an accelerator; %s has %s GB: "+
			"the recorded hardware or the model is wrong", metric.Format(m.WeightBytes/1e9),
			metric.Format(m.KVBytes/1e9),
			metric.Format(m.NeededGB), a.Name, metric.Exact(*claimed))
	case held && weights > *claimed*1e9*float64(r.Hardware.Count)*tolerance:
		impossible("weights of %s GB, in %s, do not fit %s with %s GB together: the recorded hardware, the model or its "+
			"precision is wrong", metric.Format(weights/1e9), r.Model.Precision, r.Hardware.Name,
			metric.Exact(*claimed*float64(r.Hardware.Count)))
	}
	if a.FormFactorUnknown {
		msg := fmt.Sprintf("the sources say %q and not which form factor: figures that need a cell in which the "+
			"variants differ are given as a range or not at all", r.Attr("hardware"))
		if ok && claimed == nil {
			msg += fmt.Sprintf("; weights and measured KV cache need at least %s GB an accelerator",
				metric.Format(m.NeededGB))
		}
		fs = append(fs, catalog.Finding{Code: "form-factor-not-recorded", Severity: record.Remark,
			Path: r.Attributes["hardware"].File, Message: msg})
	}
	if r.Hardware.CountAssumed && !r.OnlyScores() {
		are := "is"
		if r.Hardware.Count > 1 { // one of each kind
			are = "are"
		}
		fs = append(fs, catalog.Finding{Code: "count-assumed", Severity: record.Remark,
			Message: fmt.Sprintf("the number of accelerators is not recorded: %d %s assumed, and no figure is given an "+
				"accelerator", r.Hardware.Count, are)})
	}
	return fs
}

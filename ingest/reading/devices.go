package reading

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// SaysHardware reports whether what a person writes behind a word, in any case, is the hardware: "GPU: MI300X".
func SaysHardware(word string) bool {
	switch strings.ToLower(word) {
	case "gpu", "gpus", "gpu(s)", "hardware", "accelerator", "accelerators":
		return true
	}
	return false
}

// Names lists names, equal ones once with their number: "8x NVIDIA H100, NVIDIA A100".
func Names(names []string) string {
	counts := map[string]int{}
	for _, n := range names {
		counts[n]++
	}
	var list []string
	for _, n := range names {
		switch counts[n] {
		case 0: // listed
		case 1:
			list = append(list, n)
		default:
			list = append(list, fmt.Sprintf("%dx %s", counts[n], n))
		}
		counts[n] = 0
	}
	return strings.Join(list, ", ")
}

// Devices are the facts that accelerators state: their names, and the memory and the power limit of
// the first one.
func Devices(devices []record.Device) (facts Facts) {
	var names []string
	for _, d := range devices {
		names = append(names, d.Name)
	}
	facts.Add(record.FactHardware, Names(names), record.Pos{})
	if len(devices) == 0 {
		return facts
	}
	for _, x := range []struct {
		fact, unit string
		number     *float64
	}{{record.FactGPUMemory, " MiB", devices[0].MemoryMiB}, {record.FactPowerLimit, " W", devices[0].PowerLimit}} {
		if x.number != nil {
			facts.Add(x.fact, strconv.FormatFloat(*x.number, 'f', -1, 64)+x.unit, record.Pos{})
		}
	}
	return facts
}

// parallel are the names that servers and scripts have for the sizes of tensor, pipeline and data parallelism.
var parallel = [][]string{
	{"tensor_parallel_size", "tp_size", "tp"},
	{"pipeline_parallel_size", "pp_size", "pp"},
	{"data_parallel_size", "dp_size", "dp", "replicas"},
}

// Parallel are the keys of sizes that [Accelerators] reads.
var Parallel = func() map[string]bool {
	keys := map[string]bool{}
	for _, name := range slices.Concat(parallel...) {
		keys[name] = true
	}
	return keys
}()

// Accelerators is how many accelerators serve: tensor × pipeline × data parallel, 0 where that is not known. Text is what
// was stated under a name, "" for nothing; key is the first name under which something was. Experts are spread over the
// same accelerators, and with attention in data parallel its replicas are those of the tensor parallelism.
func Accelerators(text func(name string) string) (n int64, key string, err error) {
	n = 1
	on := strings.ToLower(text("enable_dp_attention"))
	shared := on == "true" || on == "1"
	for i, names := range parallel {
		was := ""
		for _, name := range names {
			s := text(name)
			size, wrong := strconv.ParseFloat(s, 64)
			switch {
			case s == "" || strings.EqualFold(s, "none") || wrong == nil && size == 0:
				continue
			case wrong != nil || size < 1 || size > 1<<16 || size != math.Trunc(size):
				n = 0 // "$TP"
			case was != "" && s != text(was):
				return 0, key, fmt.Errorf("%q is %s and %q is %s, which are two names of one size: how many accelerators "+
					"serve is not known: leave one of them", was, Clip(text(was)), name, Clip(s))
			case was == "" && (i < 2 || !shared):
				n *= int64(size)
			}
			was, key = name, cmp.Or(key, name)
		}
	}
	if key == "" || n > 1<<20 {
		n = 0
	}
	return n, key, nil
}

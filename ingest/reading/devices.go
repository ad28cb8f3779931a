package reading

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

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

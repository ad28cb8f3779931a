// Package amdsmi reads the JSON of `amd-smi static --json`: an array of GPUs, from ROCm 6.4 on
// inside {"gpu_data": [...]}. A value is text, a number or {"value": n, "unit": u}, from place to
// place.
package amdsmi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/record"
)

// Format reads it.
var Format = &ingest.Format{
	Name: "amd-smi",
	Doc: ingest.Doc{
		Title:    "AMD GPU description by amd-smi",
		Tool:     "amd-smi",
		Command:  "amd-smi static --json",
		Versions: "ROCm 6 and 7",
		Files:    "amd-smi.json",
		Reads:    "Name, memory and power limit of each GPU; for the runs beside and below the file.",
		Unknown:  "How many of the GPUs a server used.",
	},
	Match: func(h *ingest.Head) bool {
		return h.Has("gpu_data") || h.Kind == '[' && h.Has("gpu", "asic")
	},
	MaxSize: 16 << 20,
	Read: func(src *ingest.Source, emit func(record.Record)) error {
		read(src, emit)
		return nil
	},
}

// private are keys that name one machine.
var private = map[string]bool{"asic_serial": true, "product_serial": true, "fru_id": true, "uuid": true, "hsa_id": true, "bdf": true, "kfd_id": true, "node_id": true}

func read(src *ingest.Source, emit func(record.Record)) {
	t := jsonval.NewText(src.Data)
	at := func(off int) record.Pos {
		line, col := t.Place(off)
		return record.Pos{File: src.Path(), Line: line, Col: col}
	}
	bad := func(v jsonval.Value, format string, args ...any) {
		emit(&record.SyntaxError{Base: record.Base{At: at(v.Off())}, Text: fmt.Sprintf(format, args...)})
	}
	t.Values(0, len(src.Data), false, func(v jsonval.Value) {
		list := v
		if v.Kind() == jsonval.Object {
			list = v.Get("gpu_data")
		}
		if list.Kind() != jsonval.Array {
			bad(v, "no list of GPUs in this output of amd-smi")
			return
		}
		s := &record.System{Base: record.Base{At: at(v.Off())}}
		var names []string
		counts := map[string]int{}
		driver := ""
		list.Items(func(i int, g jsonval.Value) bool {
			asic := g.Get("asic")
			name := text(asic.Get("market_name"))
			if name == "" {
				name = text(asic.Get("target_graphics_version"))
			}
			if name == "" {
				bad(g, "GPU %d has no name: it is left out", i)
				return true
			}
			d := record.Device{Name: name, MemoryMiB: memory(g.Get("vram").Get("size")), PowerLimit: number(g.Get("limit").Get("max_power"))}
			if p := number(g.Get("limit").Get("socket_power")); p != nil {
				d.PowerLimit = p
			}
			if dv := g.Get("driver"); driver == "" && text(dv.Get("version")) != "" {
				driver = strings.TrimSpace(text(dv.Get("name")) + " " + text(dv.Get("version")))
			}
			s.Devices = append(s.Devices, d)
			if counts[name]++; counts[name] == 1 {
				names = append(names, name)
			}
			return true
		})
		if len(s.Devices) == 0 {
			bad(v, "no GPU with a name in this output of amd-smi")
			return
		}
		for i, n := range names {
			if counts[n] > 1 {
				names[i] = fmt.Sprintf("%dx %s", counts[n], n)
			}
		}
		fact := func(k, val string) { s.Facts = append(s.Facts, record.Fact{Key: k, Value: val}) }
		fact(record.FactHardware, strings.Join(names, ", "))
		if m := s.Devices[0].MemoryMiB; m != nil {
			fact(record.FactGPUMemory, strconv.FormatFloat(*m, 'f', -1, 64)+" MiB")
		}
		if p := s.Devices[0].PowerLimit; p != nil {
			fact(record.FactPowerLimit, strconv.FormatFloat(*p, 'f', -1, 64)+" W")
		}
		// Some releases put the kernel's whole version text here.
		if driver != "" && len(driver) < 60 {
			fact(record.FactDriver, driver)
		}
		s.Raw = v.Compact(jsonval.Elide{Longer: 64, Drop: private})
		emit(s)
	}, func(e *jsonval.SyntaxError) {
		emit(&record.SyntaxError{Base: record.Base{At: at(e.Off)}, Text: e.Text})
	})
}

func text(v jsonval.Value) string {
	s := strings.TrimSpace(v.Scalar())
	if s == "N/A" {
		return ""
	}
	return s
}

// number reads 300, "300 W" or {"value": 300, "unit": "W"}; nil where there is none above 0.
func number(v jsonval.Value) *float64 {
	if v.Kind() == jsonval.Object {
		v = v.Get("value")
	}
	s, _, _ := strings.Cut(text(v), " ")
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f > 0) || f > 1e12 {
		return nil
	}
	return &f
}

// memory reads a size to MiB; amd-smi writes MB and means MiB.
func memory(v jsonval.Value) *float64 {
	n := number(v)
	if n == nil {
		return nil
	}
	unit := text(v.Get("unit"))
	if _, u, ok := strings.Cut(text(v), " "); ok {
		unit = u
	}
	switch strings.ToUpper(unit) {
	case "GB", "GIB":
		g := *n * 1024
		return &g
	}
	return n
}

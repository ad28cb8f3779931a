package view

import (
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// systemKeys are the attributes that describe the machine, in the order of the table.
var systemKeys = []struct{ key, label string }{
	{"hardware", "Accelerators"}, {"gpu_memory", "Memory of one"}, {"power_limit", "Power limit"}, {"topology",
		"Topology"}, {"driver", "Driver"}, {"cuda", "CUDA"}, {"rocm", "ROCm"},
	{"cpu", "CPU"}, {"ram", "RAM"}, {"os", "Operating system"}, {"kernel", "Kernel"}, {"image",
		"Image"}, {"engine_commit", "Engine commit"}, {"tokenizer", "Tokenizer"}, {"precision", "Precision"},
}

// system is the machine a run was measured on, as far as its sources say.
func (d *draft) system(r *figure.Run) {
	n := 0
	for _, k := range systemKeys {
		if r.Attr(k.key) != "" && k.key != "hardware" {
			n++
		}
	}
	if n == 0 && len(r.Devices) == 0 {
		return
	}
	d.section("system", "System", d.table("system", func() *page.Grid {
		t := page.NewTable("System configuration", "fit", components(r))
		t.Head("Component", func(c component) (string, string) { return c.label, "" })
		t.Col("As recorded", func(c component) page.Cell { return c.value })
		t.Col("From", func(c component) page.Cell { return c.from })
		return t.Done()
	}))
}

// component is a part of a machine as a source describes it.
type component struct {
	label       string
	value, from page.Cell
}

// components are what the sources of a run say about its machine.
func components(r *figure.Run) (cs []component) {
	for _, k := range systemKeys {
		if a := r.Attributes[k.key]; a.Value != "" {
			from := page.Cell{Text: string(a.From), Sub: placeText(a.File, a.Line)}
			cs = append(cs, component{k.label, page.Cell{Text: a.Value, Was: a.Was, Class: "wrap-any"}, from})
		}
	}
	said := make([]string, len(r.Devices))
	for i, v := range r.Devices {
		s := v.Name
		if v.MemoryMiB != nil {
			s += ", " + metric.Exact(*v.MemoryMiB) + " MiB"
		}
		if v.PowerLimit != nil {
			s += ", limit " + metric.Exact(*v.PowerLimit) + " W"
		}
		said[i] = s
	}
	for i := 0; i < len(said); {
		last := i
		for last+1 < len(said) && said[last+1] == said[i] {
			last++
		}
		name := "Device " + itoa(i)
		if last > i {
			name = "Devices " + itoa(i) + " to " + itoa(last)
		}
		cs = append(cs, component{name, page.Cell{Text: said[i]}, page.Cell{}})
		i = last + 1
	}
	return cs
}

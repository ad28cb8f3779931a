package view

import (
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/site/page"
)

// systemKeys are the attributes that describe the machine, in the order of the table.
var systemKeys = []struct{ key, label string }{
	{"hardware", "Accelerators"}, {"gpu_memory", "Memory of one"}, {"power_limit", "Power limit"}, {"topology", "Topology"}, {"driver", "Driver"}, {"cuda", "CUDA"}, {"rocm", "ROCm"},
	{"cpu", "CPU"}, {"ram", "RAM"}, {"os", "Operating system"}, {"kernel", "Kernel"}, {"image", "Image"}, {"engine_commit", "Engine commit"}, {"tokenizer", "Tokenizer"}, {"precision", "Precision"},
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
		t := &page.Grid{Caption: "System configuration", Class: "fit", Columns: []page.Column{{Title: "Component"}, {Title: "As recorded"}, {Title: "From"}}}
		for _, k := range systemKeys {
			if a := r.Attributes[k.key]; a.Value != "" {
				t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{{Text: k.label, Head: true}, {Text: a.Value, Was: a.Was, Class: "wrap-any"}, fromCell(a)}})
			}
		}
		for i, v := range r.Devices {
			s := v.Name
			if v.MemoryMiB != nil {
				s += ", " + metric.Exact(*v.MemoryMiB) + " MiB"
			}
			if v.PowerLimit != nil {
				s += ", limit " + metric.Exact(*v.PowerLimit) + " W"
			}
			t.Rows = append(t.Rows, page.Row{Cells: []page.Cell{{Text: "Device " + itoa(i), Head: true}, {Text: s}, {}}})
		}
		return t
	}))
}

// fromCell names the authority and the file of an attribute.
func fromCell(a catalog.Attribute) page.Cell {
	c := page.Cell{Text: string(a.From)}
	if a.File != "" {
		c.Sub = a.File
		if a.Line > 0 {
			c.Sub += ":" + itoa(a.Line)
		}
	}
	return c
}

package view

import (
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// memoryText is the memory of a hardware: "80 GB", "32 GB each", the range over variants where
// the form factor is not recorded, "" where it is not known.
func (g *Site) memoryText(h settings.Hardware) string {
	a := h.Accelerator
	s := ""
	if a.MemoryGB != nil {
		s = metric.Exact(*a.MemoryGB)
	} else if vs := g.variantMemory(a); len(vs) > 0 {
		s = strings.Join(vs, " or ")
	}
	if s == "" {
		return ""
	}
	s += metric.ThinSpace + "GB"
	if h.Count > 1 {
		s += " each"
	}
	return s
}

// variantMemory lists the different memory sizes of the variants of a family, in GB.
func (g *Site) variantMemory(a settings.Accelerator) []string {
	if len(a.Variants) == 0 || g.Index.Names == nil {
		return nil
	}
	var vs []float64
	for _, v := range g.Index.Names.Accelerators() {
		if v.MemoryGB != nil && slices.Contains(a.Variants, v.ID) && !slices.Contains(vs, *v.MemoryGB) {
			vs = append(vs, *v.MemoryGB)
		}
	}
	slices.Sort(vs)
	var out []string
	for _, v := range vs {
		out = append(out, metric.Exact(v))
	}
	return out
}

package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// EngineText is an engine with its version, and whether the version is recorded.
func EngineText(e settings.Engine) (s string, versioned bool) {
	switch {
	case e.Name == "" && e.Version == "":
		return "", false
	case e.Name == "":
		return e.Version, true
	case e.Version == "":
		return e.Name, false
	}
	return e.Name + " " + e.Version, true
}

// placeText is a file with its line and column, counted from 1; 0 is one that is not known.
func placeText(file string, numbers ...int) string {
	for _, n := range numbers {
		if n > 0 && file != "" {
			file += ":" + itoa(n)
		}
	}
	return file
}

// ModelFacts is a model's size and precision in a few words: "6.74 B, 16-bit".
func ModelFacts(m settings.Model) string {
	var ws []string
	if m.ParamsB != nil {
		s := metric.Format(*m.ParamsB) + metric.ThinSpace + "B"
		if m.ActiveParamsB != nil && *m.ActiveParamsB < *m.ParamsB {
			s += ", " + metric.Format(*m.ActiveParamsB) + metric.ThinSpace + "B active"
		}
		ws = append(ws, s)
	}
	switch {
	case m.Quantization != "":
		ws = append(ws, m.Quantization)
	case m.Precision != "":
		ws = append(ws, m.Precision)
	}
	return strings.Join(ws, ", ")
}

// byModelSize orders models by their parameters, unknown sizes last, then by name.
func byModelSize(a, b settings.Model) int {
	x, y := 1e9, 1e9
	if a.ParamsB != nil {
		x = *a.ParamsB
	}
	if b.ParamsB != nil {
		y = *b.ParamsB
	}
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Slug, b.Slug))
}

// seriesName names a run among those it is compared with. Several may carry one name, such as two
// runs of one day and no recorded version: then the day or the time tells them apart, else the id.
func seriesName(r *figure.Run, among []*figure.Run) string {
	unique := func(name func(*figure.Run) string) bool {
		return !slices.ContainsFunc(among, func(o *figure.Run) bool {
			return o != r && o.Series == r.Series &&
				name(o) == name(r)
		})
	}
	if unique(func(o *figure.Run) string { return o.Series }) {
		return r.Series
	}
	day := page.Day(r.Started)
	if r.Series != day && day != "" && unique(func(o *figure.Run) string { return page.Day(o.Started) }) {
		return r.Series + ", " + day
	}
	minute := func(o *figure.Run) string { return strings.Replace(o.Started[:min(16, len(o.Started))], "T", " ", 1) }
	switch at := minute(r); {
	case !unique(minute) || len(at) < 16:
		return r.Series + ", " + r.ID[:min(6, len(r.ID))]
	case r.Series == day:
		return at
	default:
		return r.Series + ", " + at
	}
}

// OwnName is the series of a run where it says more than its engine's name and version.
func OwnName(r *figure.Run) string {
	if e, _ := EngineText(r.Engine); !r.Named || r.Series == e {
		return ""
	}
	return r.Series
}

// precisionText is the precision of the weights and how they were quantised: "int4, AWQ". One
// word for both is said once.
func precisionText(m settings.Model) string {
	switch {
	case m.Quantization == "" || strings.EqualFold(m.Precision, m.Quantization):
		return m.Precision
	case m.Precision == "":
		return m.Quantization
	}
	return m.Precision + ", " + m.Quantization
}

// hardwareShort is a hardware in the head of a column: "A100", "4× MI100".
func hardwareShort(h settings.Hardware) string {
	name := h.Accelerator.Short
	if name == "" {
		return h.Name
	}
	if h.Count > 1 {
		return itoa(h.Count) + "× " + name
	}
	return name
}

package view

import (
	"cmp"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/page"
)

// EngineText is an engine with its version, and whether the version is recorded. The version of nobody knows which
// engine says nothing.
func EngineText(e settings.Engine) (s string, versioned bool) {
	switch {
	case e.Name == "":
		return "", false
	case e.Version == "":
		return e.Name, false
	}
	return e.Name + " " + e.Version, true
}

// engineShort is an engine with its version in a list: what follows a "+" says how it was built.
func engineShort(e settings.Engine) string {
	s, _ := EngineText(e)
	s, _, _ = strings.Cut(s, "+")
	return page.Clip(s, 40)
}

// divided adds to what stands below a name the division of a benchmark that the run was entered in: results of another one
// are no equals of it.
func divided(below string, r *figure.Run) string {
	switch division := page.Clip(r.Division(), 30); {
	case division == "":
		return below
	case below == "":
		return division + " division"
	default:
		return below + ", " + division + " division"
	}
}

// divisionsOf are the divisions of a benchmark that some runs were entered in, sorted.
func divisionsOf(runs iter.Seq[*figure.Run]) []string {
	names := map[string]string{} // by what they are without regard to case
	for r := range runs {
		if name := page.Clip(r.Division(), 30); name != "" {
			names[strings.ToLower(name)] = name
		}
	}
	return slices.Sorted(maps.Values(names))
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
		return ownParts(r, among)
	}
	day := page.Day(r.Started)
	if r.Series != day && day != "" && unique(func(o *figure.Run) string { return page.Day(o.Started) }) {
		return r.Series + ", " + day
	}
	minute := func(o *figure.Run) string { return strings.Replace(o.Started[:min(16, len(o.Started))], "T", " ", 1) }
	switch at := minute(r); {
	case !unique(minute) || len(at) < 16:
		// Of runs that only their setups tell apart one has the id of another one, and more behind it.
		n := min(6, len(r.ID))
		for n < len(r.ID) && !unique(func(o *figure.Run) string { return o.ID[:min(n, len(o.ID))] }) {
			n++
		}
		return r.Series + ", " + r.ID[:n]
	case r.Series == day:
		return at
	default:
		return r.Series + ", " + at
	}
}

// startsWithDay finds the day that stands in a name where no version is known, before what tells runs of it apart.
var startsWithDay = regexp.MustCompile(`^\d{4}-\d\d-\d\d, `)

// longestSeries is how many characters of a name a key has room for.
const longestSeries = 40

// ownParts is the name of a run whose name is no other's, without the day where all began on it. Where names are so long
// that a key would cut them, it is without the traits that are not needed to tell all of them apart.
func ownParts(r *figure.Run, among []*figure.Run) string {
	if day := startsWithDay.FindString(r.Series); day != "" && len(among) > 1 &&
		!slices.ContainsFunc(among, func(o *figure.Run) bool {
			rest, same := strings.CutPrefix(o.Series, day)
			return !same || strings.HasPrefix(rest, "no. ")
		}) {
		return strings.TrimPrefix(r.Series, day)
	}
	if !slices.ContainsFunc(among, func(o *figure.Run) bool { return len([]rune(o.Series)) > longestSeries }) {
		return r.Series
	}
	names := make([][]string, len(among))
	for i, o := range among {
		names[i] = strings.Split(o.Series, ", ")
	}
	shorter, own := slices.Clone(names), strings.Split(r.Series, ", ")
	seen := map[string]bool{}
	for _, part := range slices.Concat(names...) {
		trait := traitOf(part)
		if seen[trait] {
			continue
		}
		seen[trait] = true
		without := func(name []string) []string {
			return slices.DeleteFunc(slices.Clone(name), func(p string) bool { return traitOf(p) == trait })
		}
		tried, texts := make([][]string, len(shorter)), map[string]bool{}
		for i, name := range shorter {
			tried[i] = without(name)
			texts[strings.Join(tried[i], ", ")] = true
		}
		if len(texts) == len(names) && !texts[""] {
			shorter, own = tried, without(own)
		}
	}
	// A key cuts what is long all the same: the trait with most values stands first.
	values := map[string]map[string]bool{}
	for _, part := range slices.Concat(shorter...) {
		if values[traitOf(part)] == nil {
			values[traitOf(part)] = map[string]bool{}
		}
		values[traitOf(part)][part] = true
	}
	slices.SortStableFunc(own, func(a, b string) int {
		return cmp.Compare(len(values[traitOf(b)]), len(values[traitOf(a)]))
	})
	return strings.Join(own, ", ")
}

// traitOf is what a part of a name is about, which stands before its value: "max-num-seqs 512".
func traitOf(part string) string { return part[:max(0, strings.LastIndexByte(part, ' '))] }

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

// acceleratorShort is an accelerator in the head of a column, whatever the number of it.
func acceleratorShort(a settings.Accelerator) string { return cmp.Or(a.Short, a.Name) }

// byName orders names as a reader looks them up: capitals make no difference, and counts of one accelerator stand
// together, "2× H100" before "10× H100".
func byName(a, b string) int {
	n, of := counted(a)
	m, other := counted(b)
	return cmp.Or(cmp.Compare(strings.ToLower(of), strings.ToLower(other)), cmp.Compare(n, m))
}

// counted parts a name from the count before it, which is 1 where there is none.
func counted(name string) (n int, of string) {
	if before, of, ok := strings.Cut(name, "× "); ok {
		if n, err := strconv.Atoi(before); err == nil {
			return n, of
		}
	}
	return 1, name
}

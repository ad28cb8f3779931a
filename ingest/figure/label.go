package figure

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/inferdex/inferdex/ingest/record"
)

// longestTrait is how many characters of one trait fit on a label.
const longestTrait = 40

// mostTraits is how many traits a label has at most.
const mostTraits = 5

// tellApart gives runs that stand together and would carry one label what they differ by: engine, quantization,
// labels, parameters, the part of the file's name that differs, and where all else is equal the day and the
// lengths of prompts. A label that a sidecar gave stays.
func tellApart(all []*Run) {
	groups := map[string][]*Run{}
	for _, r := range all {
		if !r.Named {
			groups[r.Series] = append(groups[r.Series], r)
		}
	}
	for _, series := range slices.Sorted(maps.Keys(groups)) {
		if runs := groups[series]; len(runs) > 1 {
			distinguish(runs)
		}
	}
}

// distinguish adds traits to the labels of runs of one label until no two are equal, and numbers them in the
// order of time where no trait is left.
func distinguish(runs []*Run) {
	labels := make([]string, len(runs))
	used := 0
	for _, trait := range traits(runs) {
		if used == mostTraits || distinct(labels) == len(labels) {
			break
		}
		longer := slices.Clone(labels)
		for i, r := range runs {
			if t := trait(r); t != "" {
				longer[i] += ", " + t
			}
		}
		if distinct(longer) > distinct(labels) {
			labels = longer
			used++
		}
	}
	count := map[string]int{}
	for _, l := range labels {
		count[l]++
	}
	nth := map[string]int{}
	for i, r := range slices.Backward(runs) { // the newest is the first
		if l := labels[i]; count[l] > 1 {
			nth[l]++
			labels[i] += ", no. " + strconv.Itoa(nth[l])
		}
		r.Series += labels[i]
	}
}

func distinct(labels []string) int {
	seen := map[string]bool{}
	for _, l := range labels {
		seen[l] = true
	}
	return len(seen)
}

// traits are what may tell some runs apart, what readers ask for first; a trait is "" where it is not known.
func traits(runs []*Run) []func(*Run) string {
	list := []func(*Run) string{
		func(r *Run) string { // a date stands in its place where the version is not known
			if strings.HasPrefix(r.Series, r.Engine.Name) {
				return ""
			}
			return r.Engine.Name
		},
		func(r *Run) string { return r.Attr("precision") },
		func(r *Run) string { return r.Param("quantization") },
	}
	attributes, parameters := map[string]bool{}, map[string]bool{}
	for _, r := range runs {
		for key := range r.Attributes { // how the client spoke to the server is read as an engine's name
			attributes[key] = strings.HasPrefix(key, "labels.") && key != "labels.client_backend"
		}
		for key := range r.Parameters {
			parameters[key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(attributes)) {
		if attributes[key] {
			shared := sync.OnceValue(func() map[string]bool { return sharedSegments(runs, key) })
			list = append(list, func(r *Run) string { return short("", ownSegments(r, key, shared())) })
		}
	}
	for _, key := range slices.Sorted(maps.Keys(parameters)) {
		if !record.PerLaunch(key) {
			list = append(list, func(r *Run) string {
				return short(strings.ReplaceAll(key, "_", "-")+" ", r.Param(key))
			})
		}
	}
	files := ownParts(runs, fileWords)
	folders := ownParts(runs, func(r *Run) []string {
		dir, _ := folderOf(r)
		return strings.FieldsFunc(dir, func(c rune) bool { return c == '/' || c == '!' })
	})
	return append(list, func(r *Run) string { return files[r] },
		func(r *Run) string {
			if len(telling(strings.FieldsFunc(folders[r], betweenWords))) == 0 {
				return ""
			}
			return folders[r]
		},
		func(r *Run) string { return r.Started[:min(10, len(r.Started))] }, inputs)
}

// inputs are the lengths of prompts that a run was measured with: "input 16 000–128 000".
func inputs(r *Run) string {
	var all []float64
	for _, s := range r.Scenarios {
		if in, _, _ := s.Lengths(); in > 0 {
			all = append(all, in)
		}
	}
	if len(all) == 0 {
		return ""
	}
	least, most := lengthText(slices.Min(all)), lengthText(slices.Max(all))
	if least == most {
		return "input " + least
	}
	return "input " + least + "–" + most
}

// remark is what stands in brackets behind a name.
var remark = regexp.MustCompile(`\s*\([^()]*\)$`)

// sharedSegments are the segments of an attribute, parted by commas, that all of some runs have.
func sharedSegments(runs []*Run, key string) map[string]bool {
	var shared map[string]bool
	for i, r := range runs {
		own := map[string]bool{}
		for _, segment := range strings.Split(r.Attr(key), ", ") {
			own[segment] = i == 0 || shared[segment]
		}
		shared = own
	}
	return shared
}

// ownSegments are the segments of an attribute that not all of some runs share and that the run's label does not
// hold: "CUDA 12.9" of "TensorRT 10.11, CUDA 12.9". Too long a name goes without its remark.
func ownSegments(r *Run, key string, shared map[string]bool) string {
	value := r.Attr(key)
	if len(value) > longestTrait {
		value = remark.ReplaceAllString(value, "")
	}
	known := func(segment string) bool { return shared[segment] || strings.HasSuffix(r.Series, segment) }
	return strings.Join(slices.DeleteFunc(strings.Split(value, ", "), known), ", ")
}

// short is a trait that fits on a label, with what it is of; paths and long texts do not.
func short(of, value string) string {
	if value == "" || len(value) > longestTrait || strings.ContainsAny(value, "/\\{[\n") {
		return ""
	}
	return of + value
}

// ownParts are the words of the names of the runs that the others do not share: "fa1" of "bench_fa1.json" beside
// "bench_fa0.json". A number has the word in front of it: "tp 2".
func ownParts(runs []*Run, of func(*Run) []string) map[*Run]string {
	words := make([][]string, len(runs))
	for i, r := range runs {
		words[i] = of(r)
	}
	shared := func(at func(ws []string, n int) string) (n int) {
		for ; ; n++ {
			w := at(words[0], n)
			if w == "" || slices.ContainsFunc(words, func(ws []string) bool { return at(ws, n) != w }) {
				return n
			}
		}
	}
	front := shared(func(ws []string, n int) string {
		if n < len(ws) {
			return ws[n]
		}
		return ""
	})
	back := shared(func(ws []string, n int) string {
		if n < len(ws)-front {
			return ws[len(ws)-1-n]
		}
		return ""
	})
	other := func(ws []string) bool { return front < len(ws) && !isNumber(ws[front]) }
	if front > 0 && !isNumber(words[0][front-1]) && !slices.ContainsFunc(words, other) {
		front--
	}
	out := map[*Run]string{}
	for i, r := range runs {
		if ws := words[i]; front+back < len(ws) {
			out[r] = short("", strings.Join(ws[front:len(ws)-back], " "))
		}
	}
	return out
}

func isNumber(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil
}

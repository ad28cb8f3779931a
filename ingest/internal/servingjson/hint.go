package servingjson

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
	"github.com/inferdex/inferdex/ingest/record"
)

var (
	hintIn  = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(?:in|ip|isl|input|in_?len|input_?len)` + tokens)
	hintOut = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(?:out|op|osl|output|out_?len|output_?len)` + tokens)
	// Prefill and decode workers of a disaggregated server: "1p3d".
	hintRatio = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])([1-9][0-9]{0,2})p([1-9][0-9]{0,2})d(?:[^a-z0-9]|$)`)
	hintKilo  = regexp.MustCompile(`(?i)(?:^|[_./-])([0-9]{1,3})k[_-]?([0-9]{1,3})k(?:[_./-]|$)`)
)

// tokens is a length behind its name.
const tokens = `[_=-]?([0-9]{1,7})(?:[^a-z0-9.]|\.[a-z]|$)`

// Ratio names the ratio of prefill to decode workers as the label of a series.
func Ratio(prefill, decode string) string { return "P:D " + prefill + ":" + decode }

// Lengths finds nominal lengths in a name: "in2048_out128", "isl1024_osl1024", "1k8k" (of 1024).
func Lengths(name string) (in, out float64, ok bool) {
	a, b := hintIn.FindStringSubmatch(name), hintOut.FindStringSubmatch(name)
	scale := 1.0
	if a != nil && b != nil {
		a = []string{a[1], b[1]}
	} else if a = hintKilo.FindStringSubmatch(name); a != nil {
		a, scale = a[1:], 1024
	} else {
		return 0, 0, false
	}
	in, _ = strconv.ParseFloat(a[0], 64)
	out, _ = strconv.ParseFloat(a[1], 64)
	return in * scale, out * scale, in > 0 && out > 0
}

// hint is what a name says of all records of a file.
type hint struct {
	in, out float64 // nominal lengths, 0 where it names none
	ratio   string  // of prefill to decode workers
}

func hintOf(name string) *hint {
	h := &hint{}
	if in, out, ok := Lengths(name); ok {
		h.in, h.out = in, out
	}
	if m := hintRatio.FindStringSubmatch(name); m != nil {
		h.ratio = Ratio(m[1], m[2])
	}
	return h
}

// Session names the session of a result in a container, as [sessions.Key] does: a record is of
// the same run whether it was found in a file, a table or a page.
func Session(container string, r *record.Result) string {
	return sessions.Key("vllm", container, r)
}

// Sessions is [Session] for the results of one container: of those with one model and setup the name is made once.
func Sessions(container string) func(*record.Result) string {
	type named struct {
		setup []record.KV
		name  string
	}
	last := map[string]named{}
	return func(r *record.Result) string {
		n := last[r.Identity.Model]
		if n.name == "" || !slices.Equal(n.setup, r.Setup) {
			n = named{r.Setup, Session(container, r)}
			last[r.Identity.Model] = n
		}
		return n.name
	}
}

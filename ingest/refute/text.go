package refute

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// written is a number in a text with what follows it: "1 230", "0.119 %", "3.94×", "645.9 ms".
var written = regexp.MustCompile(`(< )?([0-9]+(?:[\x{202f} ][0-9]{3})*(?:\.[0-9]+)?)[\x{202f} ]?(%|×|ms|µs|s\b)?`)

// noNumber is what holds digits and states nothing of the claim: names of percentiles, and the confidence
// that all intervals have.
var noNumber = regexp.MustCompile(`\bE2E\b|\b99 in 100\b|\bp[0-9]+(\.[0-9]+)?|95[\x{202f} ]?% interval`)

// numbersOf holds each number of a text against the numbers of its claim: it is one of them, their quotient
// or their count, in the unit it is written in, to the last digit written.
func numbersOf(s Statement) error {
	var v any
	if err := json.Unmarshal(s.Claim, &v); err != nil {
		return err
	}
	plain := func(s string) string { return strings.ReplaceAll(s, "\u00a0", " ") }
	text := plain(s.Text)
	var names []string
	collectTexts(v, &names)
	names = append(names, s.Names...)
	sort.Slice(names, func(i, j int) bool { return len(names[i]) > len(names[j]) })
	for _, n := range names {
		if n != "" {
			text = strings.ReplaceAll(text, plain(n), "")
		}
	}
	text = noNumber.ReplaceAllString(text, "")
	var counts, figures []float64
	collectNumbers(v, &counts, &figures)
	for _, m := range written.FindAllStringSubmatch(text, -1) {
		digits := strings.NewReplacer("\u202f", "", " ", "").Replace(m[2])
		n, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			return fmt.Errorf("%q is no number", m[0])
		}
		half := 0.5
		if _, decimals, ok := strings.Cut(digits, "."); ok {
			half *= math.Pow10(-len(decimals))
		} else {
			// Three significant digits: "1 230" may be 1 227.5.
			for t := digits; len(t) > 3 && strings.HasSuffix(t, "0"); t = t[:len(t)-1] {
				half *= 10
			}
		}
		factor := map[string]float64{"%": 100, "ms": 1e3, "µs": 1e6}[m[3]]
		if factor == 0 {
			factor = 1
		}
		fits := func(x float64) bool {
			x = math.Abs(x) * factor
			return m[1] == "" && math.Abs(x-n) <= half*1.000001 || m[1] != "" && x < n
		}
		isTime := strings.HasSuffix(m[3], "s")
		if !slices.ContainsFunc(figures, fits) && (isTime || !slices.ContainsFunc(counts, fits)) {
			return fmt.Errorf("nothing of the claim is %s", strings.TrimSpace(m[0]))
		}
	}
	return nil
}

// ranking are words that hold something against something else.
var ranking = regexp.MustCompile(`(?i)\b(best|better|worse|worst|most|least|highest|lowest|fastest|slowest|newest|peak|knee)\b`)

// figured is a number with a unit: no name.
var figured = regexp.MustCompile(`^[<≥≤+−-]? ?[0-9][0-9. \x{202f}]*(%|×|ms|µs|s|tok/s)$`)

// named is a text without a claim: it may hold names, and beside them neither a number nor a word that ranks.
func named(s Statement) error {
	text := s.Text
	for _, n := range slices.SortedFunc(slices.Values(s.Names), func(a, b string) int { return len(b) - len(a) }) {
		if figured.MatchString(strings.TrimSpace(n)) {
			return fmt.Errorf("%q is no name", n)
		}
		if n != "" {
			text = strings.ReplaceAll(text, n, "")
		}
	}
	if w := ranking.FindString(text); w != "" {
		return fmt.Errorf("a text without a claim says %q", w)
	}
	return nil
}

// collectTexts gathers the names of workloads, the days and the cautions of a claim, which may hold digits.
func collectTexts(v any, out *[]string) {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			if s, ok := x.(string); ok && (key == "workload" || key == "newest") {
				*out = append(*out, s)
			}
			if list, ok := x.([]any); ok && key == "cautions" {
				for _, c := range list {
					if s, ok := c.(string); ok {
						*out = append(*out, s)
					}
				}
			}
			collectTexts(x, out)
		}
	case []any:
		for _, x := range v {
			collectTexts(x, out)
		}
	}
}

// collectNumbers gathers what a claim counts (accelerators and the lengths of its lists) and its other figures, with
// what its text derives of them: the ratio of two loads and of two throughputs, a change seen from the other side.
func collectNumbers(v any, counts, figures *[]float64) {
	var loads, values, made []float64
	var walk func(v any, key string)
	walk = func(v any, key string) {
		switch v := v.(type) {
		case float64:
			if key == "over" {
				*counts = append(*counts, v)
				return
			}
			*figures = append(*figures, v)
			switch key {
			case "load":
				loads = append(loads, v)
			case "least": // of completed requests: the text has the most that may fail
				*figures = append(*figures, 1-v)
			case "value":
				values = append(values, v)
			case "is":
				made = append(made, v)
			}
		case map[string]any:
			for k, x := range v {
				walk(x, k)
			}
		case []any:
			if key == "among" { // places in a list are no numbers of a text
				return
			}
			if key == "points" {
				*counts = append(*counts, float64(len(v)))
				if len(v) > 0 {
					if _, indices := v[0].(float64); indices { // places of points are no numbers of a text
						return
					}
				}
			}
			for _, x := range v {
				walk(x, key)
			}
		}
	}
	walk(v, "")
	for _, list := range [][]float64{loads, values, made} {
		for _, a := range list {
			for _, b := range list {
				if b != 0 {
					*figures = append(*figures, a/b, (a-b)/b)
				}
			}
		}
	}
}

package refute

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// wording reads the beginning of a text: what is left behind each way to read it, none where it cannot be read.
// The wordings of a kind say once more, apart from who writes its sentences, which number, name and unit stands
// where: a sentence with two of them exchanged cannot be read.
type wording func(rest string) []string

// says reads a text in which each % is read by one of the slots, in their order.
func says(text string, slots ...wording) wording {
	pieces := strings.Split(text, "%")
	var all []wording
	for i, p := range pieces {
		all = append(all, say(p))
		if i < len(slots) {
			all = append(all, slots[i])
		}
	}
	if len(pieces) != len(slots)+1 {
		return nothing() // a mistake here: no text can be read
	}
	return then(all...)
}

func say(w string) wording {
	return func(rest string) []string {
		if after, ok := strings.CutPrefix(rest, w); ok {
			return []string{after}
		}
		return nil
	}
}

// nothing reads no text.
func nothing() wording { return func(string) []string { return nil } }

// then reads one behind the other.
func then(all ...wording) wording {
	return func(rest string) []string {
		left := []string{rest}
		for _, w := range all {
			var next []string
			for _, l := range left {
				next = append(next, w(l)...)
			}
			left = next
		}
		return left
	}
}

func either(all ...wording) wording {
	return func(rest string) (left []string) {
		for _, w := range all {
			left = append(left, w(rest)...)
		}
		return left
	}
}

// oneOf reads one of some texts.
func oneOf(texts ...string) wording {
	var all []wording
	for _, t := range texts {
		all = append(all, say(t))
	}
	return either(all...)
}

// where reads the first wording where something is so, else the second.
func where(so bool, yes, no wording) wording {
	if so {
		return yes
	}
	return no
}

// also reads a wording where something is so, and nothing otherwise.
func also(so bool, w wording) wording { return where(so, w, say("")) }

// spaced is a text with ordinary blanks where it has fixed ones.
func spaced(s string) string { return strings.ReplaceAll(s, "\u00a0", " ") }

// figures begins a text with a number.
var figures = regexp.MustCompile(`^(< |> )?([+−-]?)([0-9]+(?:\x{202f}[0-9]{3})*(?:\.[0-9]+)?)`)

// num reads a number to the last digit written, with its sign.
func num(v float64) wording { return scaled(v, 1) }

// scaled reads a number that is written in a unit of which the base unit has a factor.
func scaled(v, factor float64) wording {
	return func(rest string) []string {
		m := figures.FindStringSubmatch(rest)
		if m == nil || !written(v*factor, m[1], m[2], m[3]) {
			return nil
		}
		return []string{rest[len(m[0]):]}
	}
}

// written reports whether digits are how a number is written.
func written(v float64, bound, sign, digits string) bool {
	digits = strings.ReplaceAll(digits, "\u202f", "")
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return false
	}
	if sign == "−" || sign == "-" {
		n = -n
	}
	switch bound {
	case "< ":
		return v > 0 && v < n
	case "> ":
		return v < 0 && v > n
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
	// Halves go away from zero: 122.5 is written "123" and never "122".
	size, off := math.Abs(v), math.Abs(v)-math.Abs(n)
	if v*n < 0 || off > 0 && off > half-1e-12*size {
		return false
	}
	return off >= -half-1e-12*size
}

// whole reads how many there are.
func whole[N int | int64](n N) wording {
	return func(rest string) []string {
		m := figures.FindStringSubmatch(rest)
		if m == nil || m[1]+m[2] != "" || strings.ReplaceAll(m[3], "\u202f", "") != strconv.FormatInt(int64(n), 10) {
			return nil
		}
		return []string{rest[len(m[0]):]}
	}
}

// many reads how many there are, with their noun.
func many(n int, one, more string) wording {
	if n == 1 {
		return says("% "+one, whole(n))
	}
	return says("% "+more, whole(n))
}

// percent reads a share.
func percent(v float64) wording {
	almost := nothing()
	if v >= 0.995 && v < 1 {
		almost = say("just under 100\u202f%")
	}
	return either(almost, then(scaled(v, 100), say("\u202f%")))
}

// signed reads a change in per cent with its sign.
func signed(v float64) wording {
	return func(rest string) []string {
		if v > 0 != strings.HasPrefix(rest, "+") || v < 0 != strings.HasPrefix(rest, "−") {
			return nil
		}
		return percent(v)(rest)
	}
}

// ratio reads how many times as much something is.
func ratio(v float64) wording { return then(num(v), say("×")) }

// seconds reads a time.
func seconds(v float64) wording {
	return either(then(num(v), say("\u202fs")), then(scaled(v, 1e3), say("\u202fms")),
		then(scaled(v, 1e6), say("\u202fµs")))
}

// names reads names, at least one: each is a word that a statement says is one.
func names(all []string) wording {
	return func(rest string) (left []string) {
		for _, n := range all {
			after, ok := strings.CutPrefix(rest, spaced(n))
			if n == "" || !ok {
				continue
			}
			left = append(left, after)
			for _, between := range []string{", ", " and ", ""} {
				if next, ok := strings.CutPrefix(after, between); ok && len(next) < len(rest) {
					left = append(left, names(all)(next)...)
				}
			}
		}
		return left
	}
}

// reads reports a text that its wording does not read to the end.
func reads(s Statement, w wording) error {
	if slices.Contains(w(spaced(s.Text)), "") {
		return nil
	}
	return fmt.Errorf("the text does not say what its claim does")
}

package reading

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// amount is a number as people print it; in one with commas they stand between groups of three digits, of which the first
// does not begin with a zero: the comma of "0,012" is that of decimals.
const amount = `[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?`

var (
	grouped      = regexp.MustCompile(`^-?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?$`)
	oneComma     = regexp.MustCompile(`^-?[1-9][0-9]{0,2},[0-9]{3}$`)
	decimalComma = regexp.MustCompile(`^-?[0-9]+,[0-9]+$`)
	// The sign, what programs write in its place, and what became of its bytes, C2 B1, where they were read in another
	// encoding: that of Windows, of its terminal, of Russian, Chinese, Korean and Japanese, or none.
	spread = regexp.MustCompile(`^(` + amount + `)(?:\s*(?:±|\+/?-|&plusmn;|Â±|┬▒|В±|卤|짹|ﾂｱ|ï¿½|\x{fffd}{1,2}|\?{1,2})\s*(` +
		amount + `))?$`)
)

// Amount reads a finite number of a text. Commas may stand between groups of three digits, "1,422.28"; "49,26" is none:
// whether its comma is that of decimals nobody knows.
func Amount(text string) (n float64, ok bool) {
	if strings.ContainsAny(text, ",") {
		if !grouped.MatchString(text) {
			return 0, false
		}
		text = strings.ReplaceAll(text, ",", "")
	} else if strings.ContainsAny(text, "xX_") { // as programs write them, not people
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

// Undecided reports whether the comma of a number among others may be that of decimals, and whether it is nobody knows:
// "49,261" beside "40,1", which is no number by [Amount]; "1,050" beside "2,010.5" is one.
func Undecided(text string, others []string) bool {
	return oneComma.MatchString(text) && slices.ContainsFunc(others, func(o string) bool {
		return decimalComma.MatchString(strings.TrimSpace(o)) && !grouped.MatchString(strings.TrimSpace(o))
	})
}

// Spread reads "422.28 ± 1.78", a mean and a deviation, which is nil where the mean stands alone.
func Spread(text string) (mean float64, deviation *float64, ok bool) {
	m := spread.FindStringSubmatch(text)
	if m == nil {
		return 0, nil, false
	}
	if mean, ok = Amount(m[1]); !ok {
		return 0, nil, false
	}
	if n, ok := Amount(m[2]); ok {
		deviation = &n
	}
	return mean, deviation, true
}

package record

import (
	"regexp"
	"slices"
	"strings"
)

// Repetitions are the words that people put in front of the number of a repetition when they name files and
// folders, as alternatives of a regular expression.
const Repetitions = `run|rep|repeat|repetition|trial|iter|iteration|try|attempt|round|take`

var configurations = regexp.MustCompile(`(?i)^(?:tp|pp|dp|ep|sp|cp|gpus?|cards?|nodes?|v|ver|version|fp|int|bits?|q|fa)$`)

// Configures reports whether people put a word in front of a number that says how a server was started, and is no
// load: "tp_2", "v_2".
func Configures(word string) bool { return configurations.MatchString(word) }

// PerLaunch reports whether a parameter differs from launch to launch of one configuration: a seed, a port.
func PerLaunch(parameter string) bool {
	return slices.ContainsFunc([]string{"seed", "port", "host"},
		func(word string) bool { return strings.Contains(parameter, word) })
}

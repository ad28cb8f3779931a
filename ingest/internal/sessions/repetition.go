package sessions

import (
	"regexp"

	"github.com/inferdex/inferdex/ingest/record"
)

// numbered is the number of a repetition in a name, with what stands before and behind it; a lone letter is one
// where it is all of a folder's or file's name: a model may be called "r1".
var numbered = regexp.MustCompile(`(?i)(^|[/!"_. -])(?:` + record.Repetitions + `)[_ =-]?[0-9]{1,3}($|[/!"_. -])|` +
	`(^|[/!" ])r[0-9]{1,3}($|[/!" ])`)

// Unnumbered is a path or the key of a session without the numbers of repetitions in it: "out/run1" and "out/run2"
// are one. Longer numbers are those of jobs, and stay.
func Unnumbered(key string) string {
	for {
		shorter := numbered.ReplaceAllString(key, "$1$2$3$4")
		if shorter == key {
			return key
		}
		key = shorter
	}
}

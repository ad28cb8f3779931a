package settings

import (
	"regexp"
	"strings"
)

// Placeholder reports whether a text stands where a value should: "<model>", "$MODEL", "{{ model }}", "TODO",
// a variable that nobody set, a report that found nothing.
func Placeholder(text string) bool { return nothingSaid.MatchString(strings.TrimSpace(text)) }

var nothingSaid = regexp.MustCompile(`(?i)^(?:<[^<>]*>|«[^«»]*»|\{.*\}|\$.*|%.*%|@[a-z_]+@|__[a-z_]+__|[^\pL\pN]+|` +
	`none|null|nil|n/?a|unknown|undefined|unspecified|todo|tbd|fixme|x{3,}|change[-_ ]?me|placeholder|your[-_ ].*|` +
	`(?:not|none) (?:available|found|detected|set|known|recorded)|could not collect|.*\b(?:information )?not (?:available|found))$`)

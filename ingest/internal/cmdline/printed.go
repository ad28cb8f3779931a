package cmdline

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Argument is the value of an argument and the line that says it.
type Argument struct {
	Value string
	Line  int
}

// CommandLine is among the [Arguments] where a command line gave them, and no Namespace.
const CommandLine = ""

// Arguments are those of a client as a log has them above its result, by their names with underscores.
type Arguments map[string]Argument

// Printed knows where the arguments of a tool stand: in the "Namespace(...)" that Python prints, or in the command
// line that a script shows.
type Printed struct {
	client, option *regexp.Regexp
	wanted         []string
}

var namespace = regexp.MustCompile(`\b([a-z_]+)=('[^']*'|"[^"]*"|[^,()]+)`)

// NewPrinted takes what a command of the tool begins with, as alternatives of a regular expression, and the arguments
// that are wanted of it.
func NewPrinted(tools string, wanted ...string) *Printed {
	return &Printed{
		// The options stand behind it, or in the lines below.
		client: regexp.MustCompile(`\b(?:` + tools + `)(?:\s*|\s.*\\\s*|\s.*--[a-z].*)$`),
		option: regexp.MustCompile(`--(` + strings.ReplaceAll(strings.Join(wanted, "|"), "_", "-") + `|num-prompt)` +
			`[= ]+('[^']*'|"[^"]*"|<[^<>]*>|[^\s\\]+)`),
		wanted: wanted,
	}
}

// Read takes the arguments from the n-th line of a log, and reports whether it can have some. A new command line or
// Namespace replaces the old one.
func (p *Printed) Read(a Arguments, line string, n int) bool {
	switch i := strings.Index(line, "Namespace("); {
	case i >= 0 && strings.Contains(line, "model="):
		clear(a)
		for _, m := range namespace.FindAllStringSubmatch(line[i:], -1) {
			if slices.Contains(p.wanted, m[1]) {
				a.Set(m[1], m[2], n)
			}
		}
	case p.client.MatchString(line):
		clear(a)
		a[CommandLine] = Argument{Line: n}
		fallthrough
	case strings.HasPrefix(strings.TrimSpace(line), "--"):
		for _, m := range p.option.FindAllStringSubmatch(line, -1) {
			name := strings.ReplaceAll(m[1], "-", "_")
			switch { // what Python takes for the whole name
			case strings.HasSuffix(name, "put"): // "--random-input-len"
				name += "_len"
			case strings.HasSuffix(name, "prompt"):
				name += "s"
			}
			a.Set(name, m[2], n)
		}
	default:
		return false
	}
	return true
}

// Set sets an argument as the n-th line has it.
func (a Arguments) Set(name, value string, n int) {
	switch value = strings.Trim(value, `'"`); {
	case value == "":
	case value == "None", strings.Contains(value, "$"): // a variable of a script says nothing, nor does what was said before
		delete(a, name)
	default:
		a[name] = Argument{value, n}
	}
}

// NoNumbers says which of the arguments are no numbers, and forgets them: rates may be fractions and "inf", the others
// of the names are whole. Of what a reader fills in, "<n>" and "{n}", it says nothing.
func (a Arguments) NoNumbers(say func(line int, format string, args ...any), names ...string) {
	for _, name := range names {
		arg, ok := a[name]
		if !ok {
			continue
		}
		f, err := strconv.ParseFloat(arg.Value, 64)
		if err == nil && f >= 0 && (f == math.Trunc(f) && f <= 1<<53 || name == "request_rate" || name == "burstiness" ||
			name == "random_range_ratio") {
			continue
		}
		delete(a, name)
		if strings.ContainsAny(arg.Value, "<{") {
			continue
		}
		say(arg.Line, "%q is %q, a number was expected: the value is left out", name, arg.Value[:min(len(arg.Value), 60)])
	}
}

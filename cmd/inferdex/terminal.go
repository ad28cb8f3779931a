package main

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/inferdex/inferdex/ingest/change"
	"github.com/inferdex/inferdex/ingest/record"
)

// style is a parameter of SGR, the terminal's sequence for colours. It is one of the colours that every theme of a
// terminal sets itself, so that it can be read on any background.
type style string

const (
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"
)

var severityStyles = map[record.Severity]style{record.Error: red, record.Warning: yellow, record.Remark: cyan}

var changeStyles = map[change.Kind]style{change.Removed: red, change.Withdrawn: red, change.Restored: green,
	change.Changed: yellow, change.Added: green, change.Heads: cyan}

// painted is a text in a colour, where w is a terminal that shows colours. The text is not foreign: it is written as
// it is.
func (a *app) painted(w io.Writer, s style, text string) string {
	if s == "" || a.json || !colored(w) {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// colored reports whether what is written to w may have colours: https://no-color.org says what NO_COLOR means.
func colored(w io.Writer) bool { return os.Getenv("NO_COLOR") == "" && isTerminal(w) }

// isTerminal reports whether w is a terminal that understands more than lines.
func isTerminal(w io.Writer) bool {
	if os.Getenv("TERM") == "dumb" {
		return false
	}
	if o, ok := w.(*outcome); ok {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

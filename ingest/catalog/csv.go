package catalog

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// CSV writes rows of comma-separated values that a spreadsheet shows and never runs: a text that it
// would take for a formula gets an apostrophe in front. Numbers stay as they are.
type CSV struct {
	w    *csv.Writer
	safe []string // the row that is written, used again
}

// NewCSV returns a writer of rows to w. Call Flush at the end.
func NewCSV(w io.Writer) *CSV { return &CSV{w: csv.NewWriter(w)} }

// Write writes a row. An error shows in Flush.
func (c *CSV) Write(cells []string) {
	c.safe = c.safe[:0]
	for _, cell := range cells {
		c.safe = append(c.safe, inert(cell))
	}
	_ = c.w.Write(c.safe)
}

// Flush writes what is held back and returns the first error of all writing.
func (c *CSV) Flush() error {
	c.w.Flush()
	return c.w.Error()
}

// inert is a cell in UTF-8 that no spreadsheet takes for a formula and no terminal for a command.
func inert(cell string) string {
	cell = strings.ToValidUTF8(cell, "\uFFFD")
	if strings.ContainsFunc(cell, commands) {
		cell = strings.Map(func(r rune) rune {
			if commands(r) {
				return '\uFFFD'
			}
			return r
		}, cell)
	}
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return "'" + cell
}

// commands reports whether a terminal may take a character for the beginning of a command.
func commands(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0
}

package catalog

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// CSV writes rows of comma-separated values that a spreadsheet shows and never runs: a text that it
// would take for a formula gets an apostrophe in front. Numbers stay as they are.
type CSV struct {
	w    *bufio.Writer
	safe []string     // the cells that are encoded, used again
	text bytes.Buffer // what cells writes to
	// cells encodes some of a row.
	cells *csv.Writer
	row   Cells // the row that is written, used again
}

// Cells are cells of a row as they stand in a file: what many rows have in common is encoded once.
type Cells []byte

// NewCSV returns a writer of rows to w. Call Flush at the end.
func NewCSV(w io.Writer) *CSV {
	c := &CSV{w: bufio.NewWriter(w)}
	c.cells = csv.NewWriter(&c.text)
	return c
}

// Cells are those cells, which may take the place of some that are wanted no more.
func (c *CSV) Cells(old Cells, cells ...string) Cells {
	c.safe = c.safe[:0]
	for _, cell := range cells {
		c.safe = append(c.safe, inert(cell))
	}
	c.text.Reset()
	_ = c.cells.Write(c.safe) // to memory
	c.cells.Flush()
	return append(old[:0], bytes.TrimSuffix(c.text.Bytes(), []byte{'\n'})...)
}

// Write writes a row. An error shows in Flush.
func (c *CSV) Write(cells []string) {
	c.row = c.Cells(c.row, cells...)
	c.WriteCells(c.row)
}

// WriteCells writes a row of which every part has a cell at least. An error shows in Flush.
func (c *CSV) WriteCells(parts ...Cells) {
	for i, part := range parts {
		if i > 0 {
			c.w.WriteByte(',')
		}
		c.w.Write(part)
	}
	c.w.WriteByte('\n')
}

// Flush writes what is held back and returns the first error of all writing.
func (c *CSV) Flush() error { return c.w.Flush() }

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

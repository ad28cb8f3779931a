package catalog

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CSV writes rows of comma-separated values that a spreadsheet shows and never runs: a text that it
// would take for a formula gets an apostrophe in front. Numbers stay as they are.
type CSV struct {
	w   *bufio.Writer
	row Cells // the row that is written, used again
}

// Cells are cells of a row as they stand in a file: what many rows have in common is encoded once.
type Cells []byte

// NewCSV returns a writer of rows to w. Call Flush at the end.
func NewCSV(w io.Writer) *CSV { return &CSV{w: bufio.NewWriter(w)} }

// Write writes a row. An error shows in Flush.
func (c *CSV) Write(cells []string) {
	c.row = c.row.Of(cells...)
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

// Of are those cells, which may take the place of c.
func (c Cells) Of(cells ...string) Cells {
	c = c[:0]
	for i, cell := range cells {
		if i > 0 {
			c = append(c, ',')
		}
		c = appendCell(c, cell)
	}
	return c
}

func appendCell(to Cells, cell string) Cells {
	if bare(cell) {
		return append(to, cell...)
	}
	cell = inert(cell)
	if first, _ := utf8.DecodeRuneInString(cell); !unicode.IsSpace(first) && !strings.ContainsAny(cell, ",\"\r\n") &&
		cell != `\.` {
		return append(to, cell...)
	}
	to = append(to, '"')
	to = append(to, strings.ReplaceAll(cell, `"`, `""`)...)
	return append(to, '"')
}

// bare reports whether a cell is written as it is, for most that are.
func bare(cell string) bool {
	for i := range len(cell) {
		switch c := cell[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i > 0 && c != ',' && c != '"' && c >= ' ' && c < 0x7f:
		default:
			return false
		}
	}
	return true
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

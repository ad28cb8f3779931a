package hugo

import (
	"fmt"
	"strings"
)

// What a page written by hand may have. Markdown's work grows with the square of each of these, and a page far beyond
// all of them took minutes; nobody writes, or reads, as much.
const (
	mostText       = 2 << 20 // bytes
	mostQuotes     = 100     // quotes in each other
	mostIndent     = 400     // columns before a line, which lists in lists have
	mostColumns    = 500     // of a table
	mostCells      = 200_000 // of a table, rows that have fewer filled up
	mostDelimiters = 10_000  // of *, _ and ~ in one paragraph
)

// bounded is an error with its place where a text has more than a page may.
func bounded(file, body string, bodyLine int) error {
	if len(body) > mostText {
		return fmt.Errorf("%s: %d bytes of text, and a page may have %d: make several pages of it", file, len(body), mostText)
	}
	var (
		line, begin, delimiters = bodyLine - 1, 0, 0
		columns, rows           int
		fence                   string // that ends the block of code that the line is in
	)
	over := func(line, col int, what string, n, most int, do string) error {
		return fmt.Errorf("%s:%d:%d: %s: %d, and a page may have %d: %s", file, line, col, what, n, most, do)
	}
	for text := range strings.Lines(body) {
		line++
		text = strings.TrimRight(text, "\r\n")
		rest := strings.TrimLeft(text, " \t")
		indent := len(text) - len(rest)
		if fence != "" {
			if strings.HasPrefix(rest, fence) {
				fence = ""
			}
			continue
		}
		if strings.HasPrefix(rest, "```") || strings.HasPrefix(rest, "~~~") {
			fence = rest[:len(rest)-len(strings.TrimLeft(rest, rest[:1]))]
			continue
		}
		if indent > mostIndent {
			return over(line, 1, "blanks before a line", indent, mostIndent, "put fewer lists into each other")
		}
		if quotes := len(rest) - len(strings.TrimLeft(rest, "> \t")); quotes > mostQuotes {
			if n := strings.Count(rest[:quotes], ">"); n > mostQuotes {
				return over(line, indent+1, "quotes in each other", n, mostQuotes, "quote less deep")
			}
		}
		if rest == "" {
			delimiters, columns, rows = 0, 0, 0
			continue
		}
		cells := strings.Count(rest, "|")
		if columns == 0 && cells > 0 && strings.Trim(rest, "|-: \t>") == "" && strings.Contains(rest, "-") {
			columns = cells + 1
			if columns > mostColumns {
				return over(line, indent+1, "columns of a table", columns, mostColumns, "make several tables of it")
			}
		}
		if columns > 0 {
			if rows++; rows*columns > mostCells {
				return over(line, 1, "cells of a table", rows*columns, mostCells, "make several tables of it")
			}
		}
		if delimiters == 0 {
			begin = line
		}
		if n := strings.Count(rest, "*") + strings.Count(rest, "_") + strings.Count(rest, "~"); columns == 0 || n > mostDelimiters {
			if delimiters += n; delimiters > mostDelimiters {
				return over(begin, 1, "*, _ and ~ in one paragraph", delimiters, mostDelimiters,
					"make several paragraphs of it, or a block of code")
			}
		}
	}
	return nil
}

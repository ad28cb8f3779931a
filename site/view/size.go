package view

import "io"

// countBytes is a writer that only counts.
type countBytes struct{ n int64 }

func (c *countBytes) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

// size is what a file would have in bytes.
func size(f func(io.Writer) error) (int64, error) {
	var c countBytes
	err := f(&c)
	return c.n, err
}

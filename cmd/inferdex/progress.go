package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// progress shows one changing line on a terminal; anywhere else it shows nothing. A nil
// *progress is one that shows nothing.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	start time.Time
	last  time.Time
	shown bool
}

func newProgress(w io.Writer, silent bool) *progress {
	if silent || !isTerminal(w) {
		return nil
	}
	return &progress{w: w, start: time.Now()}
}

// show replaces the line, at most ten times a second. done and total give the estimate of what
// is left; total 0 means that it is not known.
func (p *progress) show(done, total int64, format string, args ...any) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.shown = now, true
	line := fmt.Sprintf(format, args...)
	if past := now.Sub(p.start); total > 0 && done > 0 && done < total && past > time.Second {
		left := time.Duration(float64(past) * float64(total-done) / float64(done))
		line += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", printable(line))
}

// begin says at once what is under way now, whose parts nobody counts.
func (p *progress) begin(what string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.start, p.last, p.shown = time.Now(), time.Time{}, true
	fmt.Fprintf(p.w, "\r\x1b[K%s", printable(what))
}

// clear removes the line before something else is written.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

func (p *progress) done() { p.clear() }

// printable replaces control characters other than newline and tab.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		// Controls, line separators, and what turns the direction of writing.
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= '\u2028' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' {
			return '\uFFFD'
		}
		return r
	}, s)
}

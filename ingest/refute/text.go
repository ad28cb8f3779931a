package refute

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// ranking are words that hold something against something else.
var ranking = regexp.MustCompile(
	`(?i)\b(best|better|worse|worst|most|least|highest|lowest|fastest|slowest|newest|peak|knee)\b`)

// figured is a number with a unit: no name.
var figured = regexp.MustCompile(`^[<≥≤+−-]? ?[0-9][0-9. \x{202f}]*(%|×|ms|µs|s|tok/s)$`)

// noNumber is what holds digits and states nothing: a metric's name.
var noNumber = regexp.MustCompile(`\bE2E\b`)

// bare is a text without the names in it, and without what is no number.
func bare(s Statement, names ...string) string {
	text := spaced(s.Text)
	names = append(names, s.Names...)
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	for _, n := range names {
		if n != "" {
			text = withoutName(text, spaced(n))
		}
	}
	return noNumber.ReplaceAllString(text, "")
}

// withoutName is a text without a name where that stands as words of its own: "con" is none of "configuration".
func withoutName(text, name string) string {
	var out strings.Builder
	first, _ := utf8.DecodeRuneInString(name)
	last, _ := utf8.DecodeLastRuneInString(name)
	for {
		before, after, found := strings.Cut(text, name)
		if !found {
			out.WriteString(text)
			return out.String()
		}
		left, _ := utf8.DecodeLastRuneInString(before)
		right, _ := utf8.DecodeRuneInString(after)
		out.WriteString(before)
		if unicode.IsLetter(left) && unicode.IsLetter(first) || unicode.IsLetter(last) && unicode.IsLetter(right) {
			out.WriteString(name)
		} else {
			out.WriteByte(0)
		}
		text = after
	}
}

// named is a text without a claim: it may hold names, and beside them neither a number nor a word that ranks.
func named(s Statement) error {
	for _, n := range s.Names {
		if figured.MatchString(strings.TrimSpace(n)) {
			return fmt.Errorf("%q is no name", n)
		}
	}
	text := bare(s)
	if i := strings.IndexAny(text, "0123456789"); i >= 0 {
		return fmt.Errorf("a text without a claim has a number: %q", text[i:])
	}
	if w := ranking.FindString(text); w != "" {
		return fmt.Errorf("a text without a claim says %q", w)
	}
	return nil
}

// nouns are what the things of a tally are called behind their number.
var nouns = map[string]string{"runs": "run|result", "points": "measured point|point", "sources": "file",
	"workloads": "workload", "scores": "score", "models": "model", "hardware": "hardware configuration",
	"accelerators": "accelerator", "engines": "engine", "versions": "version", "pairs": "of", "cells": "pair",
	"shared": "of"}

// day is a date that a tally may say.
var day = regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}`)

// reads holds the numbers of a tally's text against its counts, in their order and each with its noun.
func (c tallyClaim) reads(s Statement) error {
	for _, said := range day.FindAllString(s.Text, -1) {
		if said != c.Newest && slices.Contains(s.Names, said) {
			return fmt.Errorf("the newest is of %q, not %q", c.Newest, said)
		}
		if before, _, _ := strings.Cut(s.Text, said); said == c.Newest && !strings.HasSuffix(before, " of ") &&
			!strings.HasSuffix(before, ": ") {
			return fmt.Errorf("the text does not say what is of %q", said)
		}
	}
	rest := bare(s, c.workloads()...)
	next := func(w wording, what string) error {
		i := strings.IndexAny(rest, "0123456789")
		if i < 0 {
			return fmt.Errorf("the text does not say how many %s there are", what)
		}
		left := w(rest[i:])
		if len(left) == 0 {
			return fmt.Errorf("%q is not how many %s there are", rest[i:], what)
		}
		rest = left[0]
		return nil
	}
	for i, n := range c.Counts {
		var noun []wording
		for _, one := range strings.Split(nouns[n.What], "|") {
			noun = append(noun, say(" "+one))
		}
		if err := next(then(whole(n.N), either(noun...)), n.What); err != nil {
			return err
		}
		for _, load := range c.loadsBehind(n.What) {
			if err := next(num(load), "loads"); err != nil {
				return err
			}
		}
		if i == len(c.Counts)-1 {
			for _, n := range c.countedIn() {
				if err := next(whole(n), "accelerators"); err != nil {
					return err
				}
			}
		}
	}
	if i := strings.IndexAny(rest, "0123456789"); i >= 0 {
		return fmt.Errorf("nothing of the claim is %q", rest[i:])
	}
	return nil
}

// ofOne holds the tool and the engine that the tally of one run says, and the unit of its loads.
func (c tallyClaim) ofOne(s Statement, runs []*catalog.Run) error {
	if len(runs) != 1 || c.Of != "chosen" {
		return nil
	}
	r := runs[0]
	if len(c.Loads) == 2 {
		unit := map[string]string{"concurrency": " parallel requests", "rate": " requests/s"}[curves(r)[0].axis]
		_, behind, _ := strings.Cut(s.Text, " to ")
		if !strings.HasPrefix(strings.TrimLeft(behind, "0123456789.inf\u202f"), unit) {
			return fmt.Errorf("the loads are not counted in%s", unit)
		}
		if curves(r)[0].axis == "batch" && !strings.Contains(s.Text, ", batch size ") {
			return fmt.Errorf("the loads are not said to be sizes of a batch")
		}
	}
	if len(c.Counts) == 1 && c.Counts[0].What == "sources" { // its text has no tool and no engine, but a number
		return nil
	}
	before, after, _ := strings.Cut(s.Text, ":")
	shared := func(text, of string) (n int) {
		its := wordsOf(of)
		for _, w := range wordsOf(text) {
			if slices.Contains(its, w) {
				n++
			}
		}
		return n
	}
	engine := attribute(r, "engine") // a version may share a number with any text
	if tool := r.Identity.Tool; shared(before, tool)+shared(after, engine) < shared(before,
		engine)+shared(after, tool) {
		return fmt.Errorf("the tool is %q, the engine %q", tool, engine)
	}
	return nil
}

// workloads are the names of the workloads that a tally says are shared.
func (c tallyClaim) workloads() (out []string) {
	for _, o := range c.Shared {
		out = append(out, o.Workload)
	}
	return out
}

// loadsBehind are the loads that stand behind the number of workloads.
func (c tallyClaim) loadsBehind(what string) (out []float64) {
	for _, l := range c.Loads {
		if what == "workloads" && !math.IsInf(float64(l), 1) {
			out = append(out, float64(l))
		}
	}
	return out
}

// countedIn are the numbers of accelerators, the smallest first.
func (c tallyClaim) countedIn() (out []int) {
	for _, r := range c.Runs {
		if r.Count > 0 && !slices.Contains(out, r.Count) {
			out = append(out, r.Count)
		}
	}
	slices.Sort(out)
	return out
}

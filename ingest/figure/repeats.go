package figure

import (
	"crypto/sha256"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/record"
)

// Repeats reports whether two runs of one card measured one configuration as far as anything tells: what is recorded
// of engine, machine and parameters is the same, and the names of their files differ in nothing but numbers, dates and
// lone letters. What such runs differ in is chance and time, so that the better one stands for nothing.
func (r *Run) Repeats(o *Run) bool { return r.configuration() == o.configuration() }

func (r *Run) configuration() configuration {
	if r.configured == nil {
		return configurationOf(r)
	}
	r.configured.once.Do(func() { r.configured.configuration = configurationOf(r) })
	return r.configured.configuration
}

func configurationOf(r *Run) configuration {
	says := fmt.Appendf(nil, "%q", []string{r.Engine.ID, r.Engine.Name, r.Engine.Slug, r.Engine.Version, r.Identity.Tool})
	if r.Named {
		says = strconv.AppendQuote(says, r.Series)
	}
	var set []string // what is empty is as what is absent
	for key := range r.Attributes {
		if v := r.Attr(key); v != "" && !ofOneLaunch[key] {
			set = append(set, "a"+strconv.Quote(key)+strconv.Quote(v))
		}
	}
	for key := range r.Parameters {
		if v := r.Param(key); v != "" && !record.PerLaunch(key) {
			set = append(set, "p"+strconv.Quote(key)+strconv.Quote(v))
		}
	}
	slices.Sort(set)
	dir, _ := folderOf(r)
	words := telling(slices.Concat(strings.FieldsFunc(dir, betweenWords), fileWords(r)))
	return sha256.Sum256(fmt.Appendf(says, "%q%q", set, words))
}

// ofOneLaunch are the attributes that differ between runs of one configuration.
var ofOneLaunch = map[string]bool{record.FactDate: true, record.FactNotes: true, record.FactSeries: true,
	record.FactCommand: true, record.FactClientCommand: true}

// saysNothing is a word of a name that says nothing of a configuration: a number, a lone letter, a repetition.
var saysNothing = regexp.MustCompile(`(?i)^(?:[0-9.]+[a-z]?|[a-z]|r[0-9]+|[0-9]+[tT][0-9]+Z?)$|` +
	`^(?:nightly|` + record.Repetitions + `)[0-9]*$`)

// telling are the words of a name that may say something of a configuration.
func telling(words []string) (out []string) {
	for i, word := range words {
		if !saysNothing.MatchString(word) || i > 0 && record.Configures(words[i-1]) {
			out = append(out, word)
		}
	}
	return out
}

// fileWords are the words of the name of the file of a run's first result.
func fileWords(r *Run) []string {
	_, base := folderOf(r)
	return strings.FieldsFunc(strings.TrimSuffix(base, path.Ext(base)), betweenWords)
}

// betweenWords are the characters that part the words of a path.
func betweenWords(c rune) bool { return strings.ContainsRune("/!_- ", c) }

package refute

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// wordsOf are the words of a text: what stands between its blanks, slashes and signs.
func wordsOf(text string) []string {
	all := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	for i, w := range all { // "8x" is "8×"
		if n := strings.TrimSuffix(w, "x"); strings.Trim(n, "0123456789") == "" {
			all[i] = n
		}
	}
	return all
}

// words are the words that a run records of itself, and what up to four in a row say: of attributes, parameters,
// identity and sources. What lists call it is as good: they lead there from what it records.
func (k *Checker) words(r *catalog.Run) map[string]bool {
	if k.recorded[r] != nil {
		return k.recorded[r]
	}
	day, _, _ := strings.Cut(r.Started, "T") // which is not parted from a time behind it
	texts := []string{r.ID, r.Started, day, r.Identity.Tool, r.Identity.Session, r.Identity.Model}
	for _, a := range r.Attributes {
		texts = append(texts, a.Value)
	}
	for name, p := range r.Parameters {
		texts = append(texts, name, string(p.Value))
	}
	for _, s := range r.Sources {
		texts = append(texts, s.Path)
	}
	for _, what := range []string{"model", "hardware", "engine"} {
		texts = append(texts, k.nameOf(what, r)...)
	}
	// An engine with its version is one name, which files of other runs may have too.
	for _, engine := range append(k.nameOf("engine", r), attribute(r, "engine")) {
		texts = append(texts, engine+" "+attribute(r, "engine_version"))
	}
	all := map[string]bool{}
	for _, t := range texts {
		ws := wordsOf(t)
		for i, w := range ws {
			all[w] = true
			for n := 2; n <= 4 && i+n <= len(ws); n++ {
				all[strings.Join(ws[i:i+n], " ")] = true
			}
		}
	}
	k.recorded[r] = all
	return all
}

// name is a text as a name; it is taken apart once.
func (k *Checker) name(text string) *name {
	if n := k.names[text]; n != nil {
		return n
	}
	n := &name{text: text, fitting: map[*catalog.Run]int{}}
	ws := wordsOf(text)
	for i := range ws {
		for j := i + 1; j <= min(i+4, len(ws)); j++ {
			if phrase := strings.Join(ws[i:j], " "); strings.Trim(phrase, "0123456789") != "" {
				n.phrases = append(n.phrases, phrase)
			}
		}
	}
	k.names[text] = n
	return n
}

// fits is how many phrases of a name a run records.
func (k *Checker) fits(n *name, r *catalog.Run) (fitting int) {
	if fitting, ok := n.fitting[r]; ok {
		return fitting
	}
	recorded := k.words(r)
	for _, phrase := range n.phrases {
		if recorded[phrase] {
			fitting++
		}
	}
	n.fitting[r] = fitting
	return fitting
}

// title reads what a run is called before a sentence on it: names, each with a word that the run records.
func (k *Checker) title(s Statement, r *catalog.Run) wording {
	name := func(rest string) (left []string) {
		for _, n := range s.Names {
			if after, ok := strings.CutPrefix(rest, spaced(n)); ok && k.fits(k.name(n), r) > 0 {
				left = append(left, after)
			}
		}
		return left
	}
	return then(name, either(say(": "), then(name, say(": "))))
}

// exchanged reports two names that fit the runs of one another better than their own.
func (k *Checker) exchanged(a *name, r *catalog.Run, b *name, o *catalog.Run) error {
	if r != o && a != b && k.fits(a, r)+k.fits(b, o) < k.fits(a, o)+k.fits(b, r) {
		return fmt.Errorf("%q is a name of run %q, and %q one of run %q", a.text, o.ID, b.text, r.ID)
	}
	return nil
}

// rivals are the relations that hold runs against one another.
var rivals = []string{"ranked", "won", "open", "ratio", "change", "equal", "unequal"}

// fit holds what the runs of a claim are called against what they record, and reports two that are held against one
// another under one name.
func (f facts) fit() error {
	type called struct {
		*name
		run *catalog.Run
	}
	var all []called
	for i, n := range f.Of {
		if n.Called == "" {
			continue
		}
		if one := (called{f.k.name(n.Called), f.at[i].run}); !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	// Of two that are exchanged, one at least fits the run of the other better than its own.
	for _, one := range all {
		own := f.k.fits(one.name, one.run)
		if own == len(one.phrases) {
			continue
		}
		for _, other := range all {
			if f.k.fits(one.name, other.run) <= own {
				continue
			}
			if err := f.k.exchanged(one.name, one.run, other.name, other.run); err != nil {
				return err
			}
		}
	}
	for _, r := range f.Relations {
		if !slices.Contains(rivals, r.Is) {
			continue
		}
		for _, i := range r.Among[1:] {
			a, b := f.Of[r.Among[0]], f.Of[i]
			if a.Called != "" && a.Called == b.Called && a.Run != b.Run {
				return fmt.Errorf("%q is what two runs are called that are held against one another", a.Called)
			}
		}
	}
	return nil
}

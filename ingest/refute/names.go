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
// identity and sources.
func (k *Checker) words(r *catalog.Run) map[string]bool {
	if k.recorded[r] != nil {
		return k.recorded[r]
	}
	texts := []string{r.ID, r.Started, r.Identity.Tool, r.Identity.Session, r.Identity.Model}
	for _, a := range r.Attributes {
		texts = append(texts, a.Value)
	}
	for name, p := range r.Parameters {
		texts = append(texts, name, string(p.Value))
	}
	for _, s := range r.Sources {
		texts = append(texts, s.Path)
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

// phrases are the words of a name, alone and up to four in a row, without numbers alone: those say too little.
func (k *Checker) phrases(name string) []string {
	if all, ok := k.named[name]; ok {
		return all
	}
	var all []string
	ws := wordsOf(name)
	for i := range ws {
		for j := i + 1; j <= min(i+4, len(ws)); j++ {
			if text := strings.Join(ws[i:j], " "); strings.Trim(text, "0123456789") != "" {
				all = append(all, text)
			}
		}
	}
	k.named[name] = all
	return all
}

// fits is how many phrases of a name a run records.
func (k *Checker) fits(name string, r *catalog.Run) (n int) {
	key := called{name, r}
	if n, ok := k.fitting[key]; ok {
		return n
	}
	recorded := k.words(r)
	for _, text := range k.phrases(name) {
		if recorded[text] {
			n++
		}
	}
	k.fitting[key] = n
	return n
}

// fitsBest reports that no run could record more of a name.
func (k *Checker) fitsBest(name string, r *catalog.Run) bool {
	return k.fits(name, r) == len(k.phrases(name))
}

// title reads what a run is called before a sentence on it: names, each with a word that the run records.
func (k *Checker) title(s Statement, r *catalog.Run) wording {
	name := func(rest string) (left []string) {
		for _, n := range s.Names {
			if after, ok := strings.CutPrefix(rest, spaced(n)); ok && k.fits(n, r) > 0 {
				left = append(left, after)
			}
		}
		return left
	}
	return then(name, either(say(": "), then(name, say(": "))))
}

// exchanged reports two names that fit the runs of one another better than their own.
func (k *Checker) exchanged(a string, r *catalog.Run, b string, o *catalog.Run) error {
	if r == o || a == b || k.fitsBest(a, r) && k.fitsBest(b, o) {
		return nil
	}
	if k.fits(a, r)+k.fits(b, o) < k.fits(a, o)+k.fits(b, r) {
		return fmt.Errorf("%q is a name of run %q, and %q one of run %q", a, o.ID, b, r.ID)
	}
	return nil
}

// rivals are the relations that hold runs against one another.
var rivals = []string{"ranked", "won", "open", "ratio", "change", "equal", "unequal"}

// fit holds what the runs of a claim are called against what they record, and reports two that are held against one
// another under one name.
func (f facts) fit() error {
	for i, n := range f.Of {
		for j, m := range f.Of[:i] {
			if n.Called == "" || m.Called == "" {
				continue
			}
			if err := f.k.exchanged(n.Called, f.at[i].run, m.Called, f.at[j].run); err != nil {
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

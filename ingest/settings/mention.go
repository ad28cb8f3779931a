package settings

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Mention is an accelerator that the name of a file or folder names.
type Mention struct {
	Accelerator Accelerator
	// Count is how many the name states, in front of the accelerator or as tensor parallelism; 0 where
	// it states none.
	Count int
}

// Text is the mention as run.toml has it: "8x MI300X".
func (m Mention) Text() string {
	name := strings.ReplaceAll(m.Accelerator.Short, "\u202f", " ")
	if m.Count > 0 {
		return strconv.Itoa(m.Count) + "x " + name
	}
	return name
}

var (
	// countedWord is a count with the name behind it, as folders are named: "8xMi300x", "4mi300x".
	countedWord = regexp.MustCompile(`^([0-9]{1,3})x?(\pL.*)$`)
	timesWord   = regexp.MustCompile(`^([0-9]{1,3})x$`)
	tensorWord  = regexp.MustCompile(`^tp([0-9]{1,3})$`)
)

// shortestAlone is how many characters a spelling has that is an accelerator wherever it stands. A
// shorter one, or one of digits alone, is taken only behind its vendor or brand: "t4", "nvidia-4090".
const shortestAlone = 3

// Mentions are the listed accelerators that the name of a file or folder names, each once. Most
// names name none.
func (n *Names) Mentions(name string) []Mention {
	if n == nil {
		return nil
	}
	words := hardwareWords(clip(name, longestName))
	var out []Mention
	tensor, pending := 0, 0
	for i := 0; i < len(words); {
		if m := tensorWord.FindStringSubmatch(words[i].key); m != nil {
			tensor, _ = strconv.Atoi(m[1])
		}
		if m := timesWord.FindStringSubmatch(words[i].key); m != nil { // "8x-h100"
			pending, _ = strconv.Atoi(m[1])
			i++
			continue
		}
		acc, count, length := n.mention(words, i)
		if length == 0 {
			if vendors[words[i].key] == "" && brands[words[i].key] == "" {
				pending = 0
			}
			i++
			continue
		}
		if count == 0 {
			count = pending
		}
		pending = 0
		i += length
		if j := slices.IndexFunc(out, func(m Mention) bool { return same(m.Accelerator, acc) }); j >= 0 {
			if count > 0 && out[j].Count > 0 && count != out[j].Count {
				return nil // "2xh100-then-4xh100"
			}
			out[j].Count = max(out[j].Count, count)
			if len(out[j].Accelerator.Variants) > 0 { // a variant says more than its family
				out[j].Accelerator = acc
			}
			continue
		}
		out = append(out, Mention{acc, count})
	}
	if len(out) == 1 && out[0].Count == 0 {
		out[0].Count = tensor
	}
	return out
}

// mention is the accelerator whose spelling begins at a word: the longest one, with the count that is
// written into the word. length is how many words it takes, 0 for none.
func (n *Names) mention(words []word, at int) (acc Accelerator, count, length int) {
	branded := at > 0 && (vendors[words[at-1].key] != "" || brands[words[at-1].key] != "")
	for to := min(len(words), at+longestSpelling); to > at; to-- {
		rest, _ := bare(words[at:to])
		if len(rest) != to-at { // it begins or ends with a word that says nothing
			continue
		}
		key := joinKeys(rest)
		if i, ok := n.spelled(key, branded); ok {
			return n.accelerators.all[i].clone(), 0, to - at
		}
		if m := countedWord.FindStringSubmatch(rest[0].key); m != nil {
			if i, ok := n.spelled(m[2]+joinKeys(rest[1:]), branded); ok {
				count, _ = strconv.Atoi(m[1])
				return n.accelerators.all[i].clone(), count, to - at
			}
		}
	}
	return acc, 0, 0
}

// spelled finds the accelerator of a spelling. Behind a vendor the number of a model is enough, where
// one listed accelerator has it: "4090" of "rtx4090".
func (n *Names) spelled(key string, branded bool) (int, bool) {
	digits := strings.Trim(key, "0123456789") == ""
	if i, ok := n.accelerators.keys[key]; ok && (branded || len(key) >= shortestAlone && !digits) {
		return i, true
	}
	if len(key) < shortestAlone || digits && !branded {
		return 0, false
	}
	found := -1
	for k, i := range n.accelerators.keys {
		front, ok := strings.CutSuffix(k, key)
		if !ok || front == "" || strings.ContainsAny(front, "0123456789") || !branded && !numbered(key) {
			continue
		}
		if found >= 0 && !same(n.accelerators.all[found], n.accelerators.all[i]) {
			return 0, false
		}
		found = i
	}
	return found, found >= 0
}

// numbered reports whether a word is a letter or two and a number, as models are: "r9700".
func numbered(key string) bool { return modelNumber.MatchString(key) }

var modelNumber = regexp.MustCompile(`^[a-z]{1,2}[0-9]{4}$`)

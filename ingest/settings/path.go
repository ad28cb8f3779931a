package settings

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// countedWord is a count with the name behind it, as folders are named: "8xMi300x", "4mi300x".
var countedWord = regexp.MustCompile(`^([0-9]{1,3})x?(\pL.*)$`)

// HardwareIn returns what the name of a file or a folder says of hardware, as run.toml has it: one
// listed accelerator, with its count where that stands before it: "8x MI300X" of
// "8xMi300x-serving". Ok is false where the name holds no listed accelerator, or several.
func (n *Names) HardwareIn(name string) (text string, ok bool) {
	if n == nil {
		return "", false
	}
	var found []Accelerator
	count := 0
	words := hardwareWords(strings.TrimSpace(name))
	for i := 0; i < len(words); {
		acc, times, length := n.wordsAt(words, i)
		if length == 0 {
			i++
			continue
		}
		if j := slices.IndexFunc(found, func(o Accelerator) bool { return same(o, acc) }); j < 0 {
			found = append(found, acc)
		} else if slices.Contains(found[j].Variants, acc.ID) {
			found[j] = acc // "h100 h100-sxm": the variant says more
		}
		if times > 0 && count > 0 && times != count {
			return "", false
		}
		count = max(count, times)
		i += length
	}
	if len(found) != 1 {
		return "", false
	}
	text = strings.ReplaceAll(found[0].Short, "\u202f", " ")
	if count > 0 {
		text = strconv.Itoa(count) + "x " + text
	}
	return text, true
}

// wordsAt finds the longest spelling of an accelerator that begins at a word: how often it is there
// as the name says, 0 where it does not, and how many words it takes, 0 for none.
func (n *Names) wordsAt(words []word, i int) (acc Accelerator, times, length int) {
	at := slices.Clone(words[i:min(len(words), i+longestSpelling)])
	lookup := func() (Accelerator, int) {
		for j := len(at); j > 0; j-- {
			if k, known := n.accKeys[joinKeys(at[:j])]; known {
				return n.accelerators[k].clone(), j
			}
		}
		return Accelerator{}, 0
	}
	if acc, length = lookup(); length > 0 {
		if i > 0 && len(words[i-1].key) <= 4 {
			times, _ = strconv.Atoi(strings.TrimSuffix(words[i-1].key, "x"))
		}
		return acc, times, length
	}
	if m := countedWord.FindStringSubmatch(at[0].key); m != nil {
		at[0].key = m[2]
		if acc, length = lookup(); length > 0 {
			times, _ = strconv.Atoi(m[1])
			return acc, times, length
		}
		at[0].key = m[0]
	}
	// "nvidia-4090": the vendor's only accelerator with the word in its name.
	vendor := vendors[at[0].key]
	if vendor == "" || len(at) < 2 || len(at[1].key) < 4 {
		return acc, 0, 0
	}
	var fits []Accelerator
	for _, a := range n.accelerators {
		if ws := hardwareWords(a.Short); a.Vendor == vendor && len(ws) > 0 && ws[len(ws)-1].key == at[1].key {
			fits = append(fits, a)
		}
	}
	if len(fits) != 1 {
		return acc, 0, 0
	}
	return fits[0].clone(), 0, 2
}

// ModelIn returns the id of the one listed model that the name of a file or a folder spells out,
// whatever stands between its letters and digits. Ok is false where it holds none, or several.
func (n *Names) ModelIn(name string) (id string, ok bool) {
	if n == nil {
		return "", false
	}
	words := strings.FieldsFunc(modelKey(strings.ReplaceAll(name, "/", "-")), func(r rune) bool { return r == '-' })
	found := map[int]bool{}
	for i := 0; i < len(words); {
		length := 0
		for j := len(words); j > i && length == 0; j-- {
			if k, known := n.modelBases[strings.Join(words[i:j], "-")]; known && k >= 0 {
				found[k] = true
				length = j - i
			}
		}
		i += max(1, length)
	}
	if len(found) != 1 {
		return "", false
	}
	for k := range found {
		id = n.models[k].ID
	}
	return id, true
}

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
	// countedWord is a count with the name behind it, as folders are named: "8xMi300x", "4mi300x", "2x8xh100".
	countedWord = regexp.MustCompile(`^(?:([0-9]{1,3})x)?([0-9]{1,3})x?(\pL.*)$`)
	// wordCounted is a name with its count behind it: "b200x4".
	wordCounted = regexp.MustCompile(`^(.*[0-9\pL])x([0-9]{1,3})$`)
	timesWord   = regexp.MustCompile(`^([0-9]{1,3})(?:x|x?gpus?)$`)
	wordTimes   = regexp.MustCompile(`^(?:x([0-9]{1,3})|([0-9]{1,3})x?gpus?)$`)
	// parallelWord is a part of what a server's accelerators are divided into.
	parallelWord = regexp.MustCompile(`^([tpd]p)([0-9]{1,3})$`)
	nodesWord    = regexp.MustCompile(`^([0-9]{1,3})x?nodes?$`)
	// dotted is a dot that is not one of a number: an extension begins there.
	dotted = regexp.MustCompile(`\.([^0-9]|$)`)
)

// besides are words after which a name tells of a machine that was not, or not alone, measured.
var besides = []string{
	"vs", "versus", "not", "no", "non", "without", "than", "unlike", "like", "against", "except", "instead",
}

// shortestAlone is how many characters a spelling has that is an accelerator wherever it stands. A
// shorter one, or one of digits alone, is taken only behind its vendor or brand: "t4", "nvidia-4090".
const shortestAlone = 3

// Mentions are the listed accelerators that the name of a file or folder names, each once. Most
// names name none; one that says what a machine is not, or compares with, names none either, nor does one of what is
// made of a listed one, "rtx-3090-ti".
func (n *Names) Mentions(name string) []Mention {
	if n == nil {
		return nil
	}
	if len(name) > longestName {
		return n.mentionsIn(name)
	}
	out := slices.Clone(n.mentions.of(name, func() []Mention { return n.mentionsIn(name) }))
	for i := range out {
		out[i].Accelerator = out[i].Accelerator.clone()
	}
	return out
}

// mentionsIn is [Names.Mentions] of a name that was not asked for before.
func (n *Names) mentionsIn(name string) []Mention {
	words := hardwareWords(dotted.ReplaceAllString(clip(name, longestName), "-$1"))
	if pieceNamed(words) {
		return nil
	}
	var out []Mention
	pending := 0
	for i := 0; i < len(words); {
		if m := timesWord.FindStringSubmatch(words[i].key); m != nil { // "8x-h100", "8gpu-h100"
			pending, _ = strconv.Atoi(m[1])
			i++
			continue
		}
		acc, count, length := n.mention(words, i)
		if length == 0 {
			if maker(words[i].key) == "" {
				pending = 0
			}
			i++
			continue
		}
		if len(out) == 0 && i > 0 && slices.Contains(besides, words[i-1].key) || derives(words, i, i+length) {
			return nil
		}
		if count == 0 {
			count = pending
		}
		pending = 0
		i += length
		if i < len(words) && count == 0 {
			if m := wordTimes.FindStringSubmatch(words[i].key); m != nil { // "h100-x8", "h100-8gpu"
				count, _ = strconv.Atoi(m[1] + m[2])
			}
		}
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
	if len(out) == 1 {
		out[0].Count = divided(words, out[0].Count)
	}
	return out
}

// CountIn is how many accelerators the name of a file or folder states without naming them: its tensor and
// pipeline parallelism, 0 where it has none.
func (n *Names) CountIn(name string) int {
	return divided(hardwareWords(dotted.ReplaceAllString(clip(name, longestName), "-$1")), 0)
}

// Vendor is the one that a hardware text names, or that of the listed accelerator it names; "" where it
// names none.
func (n *Names) Vendor(text string) string {
	if n != nil {
		if h := n.Hardware(text, 0); h.Accelerator.Known && h.Accelerator.Vendor != "" {
			return h.Accelerator.Vendor
		}
	}
	for _, w := range hardwareWords(clip(text, longestName)) {
		if v := maker(w.key); v != "" {
			return v
		}
	}
	return ""
}

// divided is how many accelerators a name states that gives a count, 0 for none, and perhaps tensor and
// pipeline parallelism. Beside data parallelism these do not say how many there are in all, nor does the
// count of one of several nodes.
func divided(words []word, count int) int {
	parts := map[string]int{}
	for _, w := range words {
		if m := nodesWord.FindStringSubmatch(w.key); m != nil && m[1] != "1" {
			return 0
		}
		if m := parallelWord.FindStringSubmatch(w.key); m != nil {
			parts[m[1]], _ = strconv.Atoi(m[2])
		}
	}
	if count > 0 || parts["tp"] == 0 || parts["dp"] > 1 {
		return count
	}
	return parts["tp"] * max(1, parts["pp"])
}

// mention is the accelerator whose spelling begins at a word: the longest one, with the count that is
// written into the word. length is how many words it takes, 0 for none.
func (n *Names) mention(words []word, at int) (acc Accelerator, count, length int) {
	branded := at > 0 && maker(words[at-1].key) != ""
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
			if i, ok := n.spelled(m[3]+joinKeys(rest[1:]), branded); ok {
				return n.accelerators.all[i].clone(), product(m[1], m[2]), to - at
			}
		}
		if m := wordCounted.FindStringSubmatch(key); m != nil {
			for _, spelling := range []string{m[1], m[1] + "x"} { // "mi300x8" is eight of MI300X
				if i, ok := n.spelled(spelling, branded); ok {
					return n.accelerators.all[i].clone(), product(m[2]), to - at
				}
			}
		}
	}
	return acc, 0, 0
}

// product is that of counts in digits, of which one may be missing.
func product(counts ...string) int {
	out := 1
	for _, c := range counts {
		if n, err := strconv.Atoi(c); err == nil {
			out *= n
		}
	}
	return out
}

// spelled finds the accelerator of a spelling. Behind a vendor the number of a model is enough, where
// one listed accelerator has it: "4090" of "rtx4090".
func (n *Names) spelled(key string, branded bool) (int, bool) {
	digits := strings.Trim(key, "0123456789") == ""
	if i, ok := n.accelerators.keys[key]; ok && (branded || len(key) >= shortestAlone && !digits) {
		return i, true
	}
	if len(key) < shortestAlone || !branded && !numbered(key) {
		return 0, false
	}
	found := -1
	for k, i := range n.accelerators.keys {
		front, ok := strings.CutSuffix(k, key)
		if !ok || front == "" || strings.ContainsAny(front, "0123456789") {
			continue
		}
		if found >= 0 && !same(*n.accelerators.all[found], *n.accelerators.all[i]) {
			return 0, false
		}
		found = i
	}
	return found, found >= 0
}

// numbered reports whether a word is a letter or two and a number, as models are: "r9700".
func numbered(key string) bool { return modelNumber.MatchString(key) }

var modelNumber = regexp.MustCompile(`^[a-z]{1,2}[0-9]{4}$`)

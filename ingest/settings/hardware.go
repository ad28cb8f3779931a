package settings

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/inferdex/inferdex/ingest/record"
)

func (n *Names) readAccelerators(tables []namesTable) {
	n.accelerators.read(tables, func(id string) *Accelerator {
		return &Accelerator{ID: id, Name: id, Slug: record.Slug(id), Known: true}
	}, func(t namesTable, a *Accelerator) {
		a.Vendor = cmp.Or(t.text("vendor"), a.Vendor)
		a.Name = cmp.Or(t.text("name"), a.Name)
		a.Short = cmp.Or(t.text("short"), a.Short, a.Name)
		a.MemoryType = cmp.Or(t.text("memory_type"), a.MemoryType)
		a.Source = cmp.Or(t.text("source"), a.Source)
		a.MemoryGB = cmp.Or(t.number("memory_gb"), a.MemoryGB)
		a.BandwidthGBs = cmp.Or(t.number("bandwidth_gb_s"), a.BandwidthGBs)
		a.FP16 = cmp.Or(t.number("fp16_tflops"), a.FP16)
		a.BF16 = cmp.Or(t.number("bf16_tflops"), a.BF16)
		a.FP8 = cmp.Or(t.number("fp8_tflops"), a.FP8)
		a.FP4 = cmp.Or(t.number("fp4_tflops"), a.FP4)
		a.INT8 = cmp.Or(t.number("int8_tops"), a.INT8)
		a.PowerW = cmp.Or(t.number("board_power_w"), a.PowerW)
		a.Year = cmp.Or(t.whole("year"), a.Year)
		if v, ok := t.texts("variants"); ok {
			a.Variants = v
		}
		a.FormFactorUnknown = len(a.Variants) > 0
	}, func(t namesTable, i int, aliases []string) {
		a := n.accelerators.all[i]
		a.Aliases = append(slices.Clip(a.Aliases), aliases...)
		if a.Slug != a.ID {
			t.doc.report(t.at("id"), "id is %q, want lower-case letters, digits, . and -: it is the slug", a.ID)
		}
		// The name may repeat the id's letters; short names and aliases are listed the same.
		for _, w := range []struct{ key, text string }{{"name", a.Name}, {"short", a.Short}} {
			if _, stated := t.m[w.key]; stated {
				n.accelerators.spell(t, t.at(w.key), w.text, i)
			}
		}
	})
	for _, t := range tables {
		vs, _ := t.texts("variants")
		for j, v := range vs {
			if !slices.Contains(n.accelerators.ids, v) {
				t.doc.report(element(t.at("variants"), j), "variant %q has no entry", v)
			}
		}
	}
}

// Words that name a vendor or a brand, or that say what everything here is.
var (
	vendors = []string{"NVIDIA", "AMD", "Intel", "Google", "Apple", "AWS", "Huawei"}
	brands  = map[string]string{ // with the vendor they tell
		"geforce": "NVIDIA", "tesla": "NVIDIA", "quadro": "NVIDIA", "instinct": "AMD", "radeon": "AMD",
	}
	fillers = []string{
		"gpu", "gpus", "accelerator", "accelerators", "graphics", "card", "cards", "cluster", "hardware", "corporation",
		"device", "r", "tm", "w", "with",
	}
)

// vendorOf is the vendor that a word names, "" for any other word.
func vendorOf(word string) string {
	for _, v := range vendors {
		if strings.EqualFold(v, word) {
			return v
		}
	}
	return ""
}

// maker is the vendor that a word in lower case names or tells by its brand, "" for any other word.
func maker(word string) string { return cmp.Or(vendorOf(word), brands[word]) }

// nothing are words that sources write where they know no name.
var nothing = []string{"none", "null", "unknown", "n", "na", "nil", "unspecified"}

// pieces are words of a part of an accelerator, which a server had instead of the whole: NVIDIA's MIG and vGPU,
// AMD's compute partitions.
var pieces = []string{"mig", "vgpu", "tpx", "dpx", "qpx", "cpx", "slice", "slices", "partition", "partitions"}

// derived are words behind a name that make another accelerator of it, "RTX 3090 Ti"; "max" stands before "q".
var derived = []string{"ti", "super", "d", "laptop", "mobile", "notebook", "maxq", "max"}

// derives reports whether the words around a name, which ends before the word to, make another accelerator of it.
func derives(words []word, from, to int) bool {
	for to < len(words) && gigabytes.MatchString(words[to].key) {
		to++
	}
	if from > 0 && (words[from-1].key == "laptop" || words[from-1].key == "mobile") {
		return true
	}
	return to < len(words) && slices.Contains(derived, words[to].key) &&
		(words[to].key != "max" || to+1 < len(words) && words[to+1].key == "q")
}

var (
	migProfile  = regexp.MustCompile(`^[0-9]{1,2}[cg]\.[0-9]{1,3}g?b?$`) // "1g.10gb"
	vgpuProfile = regexp.MustCompile(`^[0-9]{1,3}[acq]$`)                // "40c" of "A100-40C"
	fraction    = regexp.MustCompile(`(?:^|[^0-9/.])1/[2-9](?:$|[^0-9/])`)
	ordinal     = regexp.MustCompile(`(?i)\b(?:node|host|machine|server|rank|worker)s? *#?[0-9]+/[0-9]+`) // "node 1/2"
	appleChip   = regexp.MustCompile(`^m[1-9]$`)                                                          // whose "76c" are cores
)

// pieceNamed reports whether words tell of a part of an accelerator, wherever they stand.
func pieceNamed(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool { return slices.Contains(pieces, w.key) || migProfile.MatchString(w.key) })
}

// piece reports whether a text that is about hardware tells of a part of an accelerator.
func piece(text string, words []word) bool {
	has := func(name *regexp.Regexp) bool {
		return slices.ContainsFunc(words, func(w word) bool { return name.MatchString(w.key) })
	}
	return pieceNamed(words) || fraction.MatchString(ordinal.ReplaceAllString(text, "")) ||
		has(vgpuProfile) && !has(appleChip)
}

var gigabytes = regexp.MustCompile(`^([0-9]+)g(?:i?b)?$`)

// word is one word of a hardware text: key for comparing, text as it is shown.
type word struct{ key, text string }

// hardwareWords cuts a text to words of letters and digits, with keys in lower case. Memory
// sizes get one spelling: 80GB, 80 GB, 80 GiB and 80g have the key "80g".
func hardwareWords(text string) []word {
	fields := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '+'
	})
	var words []word
	for i := 0; i < len(fields); i++ {
		w := word{text: strings.Trim(fields[i], ".")}
		w.key = strings.ToLower(w.text)
		if w.key == "" {
			continue
		}
		if _, err := strconv.Atoi(w.key); err == nil && i+1 < len(fields) {
			switch strings.ToLower(fields[i+1]) {
			case "gb", "gib", "g":
				w.key += "g"
				i++
			}
		}
		if m := gigabytes.FindStringSubmatch(w.key); m != nil {
			w = word{key: m[1] + "g", text: m[1] + "\u202fGB"}
		}
		words = append(words, w)
	}
	return words
}

// bare leaves out vendors, brands and fillers, and says which vendor they name.
func bare(words []word) (rest []word, vendor string) {
	for _, w := range words {
		switch m := maker(w.key); {
		case m != "":
			vendor = m
		case slices.Contains(fillers, w.key):
		default:
			rest = append(rest, w)
		}
	}
	return rest, vendor
}

// accKey is a spelling of an accelerator without vendor, brand, case and separators.
func accKey(text string) string {
	words, _ := bare(hardwareWords(text))
	return joinKeys(words)
}

func joinKeys(words []word) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.key)
	}
	return b.String()
}

var (
	brackets = regexp.MustCompile(`[(\[{]([^()\[\]{}]*)[)\]}]`)
	// The memory of each may stand between, "8x 80 GB H100", and a name may begin with its number, "2x 7900 XTX", or be it,
	// "2x 4090".
	countBefore = regexp.MustCompile(`^\s*([0-9]{1,5})\s*[x×X*]\s*((?:[0-9]{1,3}\s*Gi?B\s+|[0-9]{3,4}\s*)?\pL.*|[0-9]{4}\s*)$`)
	// countNodes is the count of machines and that of each: "2 nodes of 8x H100", "2x8 H100".
	countNodes = regexp.MustCompile(
		`(?i)^\s*([0-9]{1,4})\s*(?:nodes?|hosts?|machines?|servers?)?\s*(?:[x×*]|of|with)\s*([0-9]{1,3})(?:\s*[x×*]|[\s\-]*gpus?\b)?\s*(\pL.*)$`)
	countAlone = regexp.MustCompile(`^\s*([0-9]{1,5})\s+(\pL.*)$`)
	countWord  = regexp.MustCompile(`(?i)^\s*(single|one|dual|two|three|quad|four|eight|sixteen)[\s\-]+(\pL.*)$`)
	// countGPUs is a count of what the text names, "8-GPU H100"; the cores of one are none.
	countGPUs   = regexp.MustCompile(`(?i)^(|.*[\s,_\-])([0-9]{1,5})[\s\-]*(?:gpus?|cards?|accelerators?)(|[\s,_\-].*)$`)
	cores       = regexp.MustCompile(`(?i)^[\s\-]*cores?\b`)
	countBehind = regexp.MustCompile(`^(.*?[\pL0-9)])[\s_\-]*(?:[x×X*]\s*|[×*])([0-9]{1,5})\s*$`)
	countInside = regexp.MustCompile(`^\s*(?:[x×X*]\s*([0-9]{1,5})|([0-9]{1,5})[\s\-]*(?:[x×X*]|gpus?|cards?))\s*$`)
	countOnly   = regexp.MustCompile(`(?i)^\s*(?:([0-9]{1,2})\s*[x×*]|([0-9]{1,5})[\s\-]*(?:gpus?|cards?|accelerators?)?)\s*$`) // "300X" is of a name
	countsAside = regexp.MustCompile(`(?i)^(?:x[0-9]+|[0-9]+x[0-9]*|nodes|hosts|machines|servers)$`)
	perNode     = regexp.MustCompile(`(?i)\b(?:per|each)\s+(?:node|host|machine|server)\b`)
	watts       = regexp.MustCompile(`(?i)^w\b`)
	nameBegins  = regexp.MustCompile(`^\s*(?:[0-9]+\s+(?:X\pL|x\p{Ll})|[0-9]{3,}X\pL)`) // "2 Xeon", "780XT"
	bareNumber  = regexp.MustCompile(`^\s*[0-9]+\s*(?:$|[,;|+&/])`)
	separators  = regexp.MustCompile(`\s*(?:[,;|+&]|\s/\s|\band\b)\s*`)
)

// counts in words, by the beginning of a text: "dual RTX 4090".
var countWords = map[string]int{"single": 1, "one": 1, "dual": 2, "two": 2, "three": 3, "quad": 4, "four": 4, "eight": 8,
	"sixteen": 16}

// mostUnlisted is the largest count of an accelerator that no list has: "7900 XTX" is a name.
const mostUnlisted = 1024

// leastNamed is the least number that counts nothing where it stands alone: it is a year, or names a model.
const leastNamed = 1000

// part is one accelerator of a hardware text.
type part struct {
	acc   Accelerator
	named bool // it is one for certain: listed, made of a listed one, or called like one
	count int  // 0: not stated
	left  []string
}

// Hardware resolves a hardware text as a source writes it: [count x] vendor name [(...)]
// [, more]. count is the number of accelerators that served where the caller knows it, else 0;
// it wins over a number in the text. It never fails: an accelerator that is not listed has Known
// false and the name as written.
func (n *Names) Hardware(text string, count int) Hardware {
	if n == nil || len(text) > longestName {
		return n.hardwareOf(text, count)
	}
	h := n.hardware.of(asked{text, count}, func() Hardware { return n.hardwareOf(text, count) })
	h.Accelerator = h.Accelerator.clone()
	return h
}

// hardwareOf is [Names.Hardware] of what was not asked before.
func (n *Names) hardwareOf(text string, count int) Hardware {
	var parts []part
	var notes []string
	unnamed, numbers := 0, true
	for _, segment := range splitOutside(clip(text, longestName)) {
		p, ok := n.part(segment)
		numbers = numbers && bareNumber.MatchString(segment)
		switch {
		case ok && !numbers && bareNumber.MatchString(segment): // what a number behind a name is of nobody says: "H100, 4090"
			notes = append(notes, strings.TrimSpace(segment))
		case ok && slices.ContainsFunc(parts, func(q part) bool { return q.acc.ID == p.acc.ID }):
			i := slices.IndexFunc(parts, func(q part) bool { return q.acc.ID == p.acc.ID })
			parts[i].count = max(parts[i].count, 1) + max(p.count, 1)
			parts[i].left = append(parts[i].left, p.left...)
		case ok && (p.named || len(parts) == 0 && len(notes) == 0):
			parts = append(parts, p)
		case !ok:
			// "2 GPUs", "None": a number at most.
			if p.count > 0 && unnamed == 0 {
				unnamed = p.count
			}
			if p.count == 0 && bareNumber.MatchString(segment) {
				notes = append(notes, strings.TrimSpace(segment))
			}
		case strings.TrimSpace(segment) != "":
			notes = append(notes, strings.TrimSpace(segment))
		}
	}
	// An unknown name in front gives way to a listed one behind it: "cluster 7, H100".
	if len(parts) > 1 && !parts[0].named {
		notes = append([]string{parts[0].acc.Name}, notes...)
		parts = parts[1:]
	}
	h := Hardware{Count: count}
	if len(parts) > 1 && (count <= 0 || count != parts[0].count) {
		return mixed(parts, count, notes)
	}
	stated := 0
	if len(parts) == 0 {
		h.Accelerator = Accelerator{Name: "Hardware not recorded", Short: "Hardware not recorded", Slug: NotRecorded}
		stated = unnamed
	} else {
		h.Accelerator = parts[0].acc
		stated = parts[0].count
		if stated == 0 {
			stated = unnamed
		}
		notes = append(slices.Clone(parts[0].left), notes...)
		for _, p := range parts[1:] {
			notes = append(notes, fmt.Sprintf("%d× %s", max(p.count, 1), p.acc.Short))
		}
	}
	switch {
	case h.Count > 0 && stated > 0 && stated != h.Count:
		notes = append(notes, fmt.Sprintf("the text says %d", stated))
	case h.Count <= 0 && stated > 0:
		h.Count = stated
	case h.Count <= 0:
		h.Count, h.CountAssumed = 1, true
	}
	h.Slug, h.Name = h.Accelerator.Slug, h.Accelerator.Short
	if h.Count > 1 && len(parts) > 0 {
		h.Slug = fmt.Sprintf("%dx-%s", h.Count, h.Accelerator.Slug)
		h.Name = fmt.Sprintf("%d× %s", h.Count, h.Accelerator.Short)
	}
	h.Note = strings.Join(notes, ", ")
	return h
}

// mixed is hardware of several kinds of accelerators that served together, or where nobody says which kind
// served: the figures of one kind do not hold for it.
func mixed(parts []part, count int, notes []string) Hardware {
	var ids, shorts, slugs, names []string
	sum, least, all := 0, 0, true
	for _, p := range parts {
		ids, shorts, slugs = append(ids, p.acc.ID), append(shorts, p.acc.Short), append(slugs, p.acc.Slug)
		name := p.acc.Short
		if p.count > 1 {
			name = fmt.Sprintf("%d× %s", p.count, name)
		}
		names = append(names, name)
		notes = append(notes, p.left...)
		sum, least, all = sum+p.count, least+max(p.count, 1), all && p.count > 0
	}
	a := Accelerator{ID: strings.Join(ids, "+"), Name: strings.Join(shorts, " + "), Slug: strings.Join(slugs, "-"),
		Known: true}
	a.Short = a.Name
	h := Hardware{Accelerator: a, Count: count, Name: strings.Join(names, " + "), Slug: a.Slug}
	switch {
	case count <= 0 && all:
		h.Count = sum
	case count <= 0:
		h.Count, h.CountAssumed = least, true
	case all && sum != count:
		notes = append(notes, fmt.Sprintf("the text says %d", sum))
	}
	if h.Count != len(parts) { // one of each kind needs no number
		h.Slug = fmt.Sprintf("%dx-%s", h.Count, a.Slug)
		if !all || sum != h.Count { // The names of the parts do not say it.
			h.Name += fmt.Sprintf(", %d in all", h.Count)
		}
	}
	h.Note = strings.Join(notes, ", ")
	return h
}

// splitOutside cuts a list at separators outside of brackets.
func splitOutside(text string) []string {
	masked := []byte(text)
	depth := 0
	for i, c := range masked {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(depth-1, 0)
		default:
			if depth > 0 && c < 0x80 {
				masked[i] = 'x'
			}
		}
	}
	var out []string
	last := 0
	for _, loc := range separators.FindAllIndex(masked, -1) {
		// "Ryzen AI Max+ 395": a plus that ends a word belongs to it.
		if strings.TrimSpace(text[loc[0]:loc[1]]) == "+" && loc[0] > 0 && text[loc[0]-1] != ' ' && text[loc[0]] == '+' {
			continue
		}
		if strings.Contains(text[loc[0]:loc[1]], "/") && bareNumber.MatchString(text[loc[1]:]) { // "H100 / 80"
			continue
		}
		out = append(out, text[last:loc[0]])
		last = loc[1]
	}
	return append(out, text[last:])
}

// part resolves one element of the list. ok is false where nothing is left to name.
func (n *Names) part(text string) (p part, ok bool) {
	plain, inside := p.unbracket(text)
	if piece(text, hardwareWords(text)) { // its name is all that is said of it
		plain, inside = strings.Join(append([]string{plain}, inside...), " "), nil
	}
	acc, left, found, plain := n.counted(&p, plain)
	if found {
		p.acc, p.named, p.left = acc, true, left
		for _, s := range inside {
			if i, known := n.lookup(s); s != "" && (!known || !same(*n.accelerators.all[i], acc)) {
				p.left = append(p.left, s)
			}
		}
		return p, true
	}
	for j, s := range inside { // "Radeon Graphics (gfx1151)"
		if i, known := n.lookup(s); known {
			p.acc, p.named = n.accelerators.all[i].clone(), true
			if words, _ := bare(hardwareWords(plain)); len(words) > 0 {
				p.left = append(p.left, strings.TrimSpace(plain))
			}
			p.left = append(p.left, slices.Delete(slices.Clone(inside), j, j+1)...)
			return p, true
		}
	}
	if m := countOnly.FindStringSubmatch(plain); m != nil { // "2 GPUs"
		if c, _ := strconv.Atoi(m[1] + m[2]); c < leastNamed || !bareNumber.MatchString(plain) && c <= mostUnlisted {
			p.count = c
		}
		return p, false
	}
	if p.acc, ok = n.unlisted(plain); !ok {
		return p, false
	}
	p.named = series(plain)
	for _, s := range inside {
		if s != "" {
			p.left = append(p.left, s)
		}
	}
	return p, true
}

// seriesWord is the word that names of accelerators begin with, listed or not: "RX" of "RX 7800 XT", "A40". No processor,
// no version, no build and no type of a cloud's machine is called so.
var seriesWord = regexp.MustCompile(`^(?:[rg]tx|rx|arc$|titan$|gaudi|mi[0-9]{2,3}[a-z]?$|gb[0-9]{3}$|b[1-3]00$|` +
	`(?:a[0-9]{2,3}|h[0-9]{2,3}|l[24][0-9]|p[0-9]{2,3}|t4|v100)[gsx]?$)`)

// series reports whether the name of what no list has is that of an accelerator, by how it begins.
func series(name string) bool {
	for _, w := range hardwareWords(name) {
		if vendorOf(w.key) == "" {
			return maker(w.key) != "" || seriesWord.MatchString(w.key)
		}
	}
	return false
}

// unbracket takes the brackets out of a text and notes the count that stands in one, "(x8)"; inside is what
// the others hold.
func (p *part) unbracket(text string) (plain string, inside []string) {
	plain = brackets.ReplaceAllStringFunc(text, func(s string) string {
		s = strings.TrimSpace(s[1 : len(s)-1])
		if m := countInside.FindStringSubmatch(strings.ToLower(s)); m != nil {
			p.count, _ = strconv.Atoi(m[1] + m[2])
		} else {
			inside = append(inside, s)
		}
		return " "
	})
	return strings.ReplaceAll(plain, "_", " "), inside
}

// counted looks for a listed accelerator in a text with or without a count, "8x H100", and notes the count.
// name is the text without it.
func (n *Names) counted(p *part, plain string) (acc Accelerator, left []string, found bool, name string) {
	// The name as it stands comes first: "mi300x" ends in no count, "RTX 6000" begins with none.
	acc, left, times, found := n.find(plain)
	name = plain
	if !found || !acc.Known || len(left) > 0 {
		for _, cut := range []*regexp.Regexp{countNodes, countBefore, countAlone, countWord, countGPUs, countBehind} {
			rest, c := cutCount(cut, plain)
			if c == 0 {
				continue
			}
			a, l, t, f := n.find(rest)
			if f && counts(cut, plain, rest, c, l) || !f && !found && c <= mostUnlisted && unlistedCount(cut, plain, rest) {
				acc, left, times, found = a, l, t, f
				p.count = c
				name = rest
				break
			}
		}
	}
	if times > 1 {
		p.count = max(p.count, 1) * times
	}
	return acc, left, found, name
}

// unlistedCount reports whether a count can be cut off the name of an accelerator that no list has: "7900 XTX x2", but not
// "780XT" or "MI50x8", of which the x may be a part of the name.
func unlistedCount(cut *regexp.Regexp, plain, rest string) bool {
	switch cut {
	case countBefore:
		return !nameBegins.MatchString(plain) && strings.ContainsFunc(rest, unicode.IsLetter)
	case countBehind:
		return clearlyBehind.MatchString(plain) && strings.ContainsFunc(rest, unicode.IsLetter)
	}
	return false
}

var clearlyBehind = regexp.MustCompile(`(?:\s[x×X*]|[×*])\s*[0-9]{1,4}\s*$`)

// cutCount cuts the count off a text; it is 0 where there is none.
func cutCount(cut *regexp.Regexp, plain string) (rest string, count int) {
	m := cut.FindStringSubmatch(plain)
	if m == nil {
		return "", 0
	}
	number := func(i int) int { n, _ := strconv.Atoi(m[i]); return n }
	switch cut {
	case countBehind:
		rest, count = m[1], number(2)
	case countNodes:
		rest, count = m[3], number(1)*number(2)
	case countWord:
		rest, count = m[2], countWords[strings.ToLower(m[1])]
	case countGPUs:
		if !cores.MatchString(m[3]) {
			rest, count = m[1]+" "+m[3], number(2)
		}
	default:
		rest, count = m[2], number(1)
	}
	if count > 65536 {
		count = 0
	}
	return rest, count
}

// counts reports whether the number that was cut off a text counts the accelerator named in the rest: left are the words
// beside its name. What stands before another word counts that, "80 GB H100"; and another count, or machines, say that it
// is not the count of all.
func counts(cut *regexp.Regexp, plain, rest string, count int, left []string) bool {
	if cut == countAlone || cut == countNodes {
		first, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		if len(left) > 0 && left[0] == first || watts.MatchString(rest) || cut == countAlone && count >= leastNamed {
			return false
		}
	}
	return !perNode.MatchString(plain) && !slices.ContainsFunc(left, func(w string) bool {
		n, err := strconv.Atoi(w)
		return countsAside.MatchString(w) || cut == countBehind && err == nil && n <= 16 // "H100 8x2", not "A100 80 x2"
	})
}

// unlisted is an accelerator that no list has, named as it is written. ok is false where the text names none.
func (n *Names) unlisted(plain string) (acc Accelerator, ok bool) {
	words, vendor := bare(hardwareWords(plain))
	name := strings.Join(strings.Fields(plain), " ")
	if len(words) == 0 || len(words) == 1 && slices.Contains(nothing, words[0].key) ||
		record.Slug(name) == NotRecorded || Placeholder(name) || !strings.ContainsFunc(name, unicode.IsLetter) {
		return acc, false
	}
	if first, rest, ok := strings.Cut(name, " "); ok && vendorOf(first) != "" {
		name = rest
	}
	name = clip(name, 100)
	var keys []string
	for _, w := range words {
		keys = append(keys, w.key)
	}
	slug := record.Slug(strings.Join(keys, "-"))
	if slug == "" || len(slug) > 80 || record.ReservedSlug(slug) {
		slug = record.DistinctSlug(clip(slug, 80), strings.ToLower(name)) // names that differ in case alone are one
	}
	if n != nil {
		if _, taken := n.accelerators.keys[accKey(slug)]; taken {
			slug = record.DistinctSlug(slug, strings.ToLower(name))
		}
	}
	return Accelerator{ID: slug, Vendor: vendor, Name: name, Short: name, Slug: slug}, true
}

// lookup finds a text that is nothing but a spelling of an accelerator.
func (n *Names) lookup(text string) (int, bool) {
	if n == nil {
		return 0, false
	}
	key := accKey(text)
	i, ok := n.accelerators.keys[key]
	return i, ok && key != ""
}

// same reports whether two entries can mean one accelerator: they are equal, or one is a
// variant of the other.
func same(a, b Accelerator) bool {
	return a.ID == b.ID || slices.Contains(a.Variants, b.ID) || slices.Contains(b.Variants, a.ID)
}

// longestSpelling is how many words the spelling of an accelerator may have.
const longestSpelling = 6

// find looks for the spelling of an accelerator in a text: of all rows of words that are one,
// the longest. left are the other words, times how often it stands there. A part of an accelerator is not that
// accelerator. What is made of a listed one, and what names two, is found and not listed.
func (n *Names) find(text string) (acc Accelerator, left []string, times int, ok bool) {
	if n == nil {
		return acc, nil, 0, false
	}
	words, vendor := bare(hardwareWords(text))
	if piece(text, words) {
		return acc, nil, 0, false
	}
	best, from, to := "", 0, 0
	for i := range words {
		for j := i + 1; j <= min(len(words), i+longestSpelling); j++ {
			key := joinKeys(words[i:j])
			if _, known := n.accelerators.keys[key]; known && len(key) > len(best) {
				best, from, to = key, i, j
			}
		}
	}
	if best == "" {
		acc, ok = n.byNumber(words, vendor)
		return acc, nil, 1, ok
	}
	if from > 0 && slices.Contains(besides, words[from-1].key) { // "not H100"
		return acc, nil, 0, false
	}
	acc = *n.accelerators.all[n.accelerators.keys[best]]
	// nvidia-smi cuts long names: "GeForce RTX 4090 ..." is that of a laptop, or another.
	if derives(words, from, to) || len(acc.Variants) == 0 && strings.HasSuffix(strings.TrimSpace(text), "...") {
		acc, ok = n.unlisted(text)
		return acc, nil, 1, ok
	}
	times = 1
	var rest []word
	for i := 0; i < len(words); {
		switch {
		case i == from:
			i = to
		case i+to-from <= len(words) && joinKeys(words[i:i+to-from]) == best:
			times++
			i += to - from
		default:
			// Another spelling of the same thing says nothing more: "MI100 gfx908". Of two different things nobody knows
			// which one it was: "H100/H200".
			if n.another(words[i:], acc) {
				acc, ok = n.unlisted(text)
				return acc, nil, 1, ok
			}
			if j, known := n.accelerators.keys[words[i].key]; !known || !same(*n.accelerators.all[j], acc) {
				rest = append(rest, words[i])
			}
			i++
		}
	}
	// "H100 NVL": words that pick exactly one variant of a family.
	if len(rest) > 0 {
		var fits []Accelerator
		for _, id := range acc.Variants {
			if v, known := n.Accelerator(id); known && hasWords(v.Name, rest) {
				fits = append(fits, v)
			}
		}
		if len(fits) == 1 {
			return fits[0], nil, times, true
		}
	}
	for _, w := range rest {
		left = append(left, w.text)
	}
	return acc.clone(), left, times, true
}

// byNumber is the accelerator that a text about hardware names by its number alone, "4090": the one listed accelerator
// with that number in a name, whose short name is a word and the number. Its memory may stand beside it, and nothing else.
func (n *Names) byNumber(words []word, vendor string) (acc Accelerator, ok bool) {
	number := ""
	for _, w := range words {
		switch {
		case gigabytes.MatchString(w.key):
		case number == "" && fourDigits.MatchString(w.key):
			number = w.key
		default:
			return acc, false
		}
	}
	for _, a := range n.accelerators.all {
		if number == "" || !slices.ContainsFunc(append([]string{a.Name, a.Short}, a.Aliases...), func(name string) bool {
			return slices.ContainsFunc(hardwareWords(name), func(w word) bool { return w.key == number })
		}) {
			continue
		}
		short := hardwareWords(a.Short)
		if ok || len(short) != 2 || short[1].key != number || vendor != "" && a.Vendor != vendor {
			return Accelerator{}, false
		}
		acc, ok = a.clone(), true
	}
	return acc, ok
}

// another reports whether words begin with the spelling of an accelerator that cannot be acc.
func (n *Names) another(words []word, acc Accelerator) bool {
	for to := min(len(words), longestSpelling); to > 0; to-- {
		if i, known := n.accelerators.keys[joinKeys(words[:to])]; known {
			return !same(*n.accelerators.all[i], acc)
		}
	}
	return false
}

// hasWords reports whether a name has all of the words.
func hasWords(name string, words []word) bool {
	in := map[string]bool{}
	for _, w := range hardwareWords(name) {
		in[w.key] = true
	}
	for _, w := range words {
		if !in[w.key] {
			return false
		}
	}
	return true
}

// clone keeps callers from changing what Names holds.
func (a Accelerator) clone() Accelerator {
	a.Variants = slices.Clone(a.Variants)
	return a
}

// Accelerators returns the listed accelerators, in the order of the files.
func (n *Names) Accelerators() []Accelerator {
	if n == nil {
		return nil
	}
	var out []Accelerator
	for _, a := range n.accelerators.all {
		out = append(out, a.clone())
	}
	return out
}

// Accelerator returns a listed accelerator by id.
func (n *Names) Accelerator(id string) (Accelerator, bool) {
	if n != nil {
		for _, a := range n.accelerators.all {
			if a.ID == id {
				return a.clone(), true
			}
		}
	}
	return Accelerator{}, false
}

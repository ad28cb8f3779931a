package refute

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// accelerators are the numbers of accelerators that a run may mean, none where it records none.
func accelerators(r *catalog.Run) []int {
	out := countsIn(attribute(r, "hardware"))
	if n, err := strconv.Atoi(count(r)); err == nil {
		out = append([]int{n}, out...)
	}
	return out
}

// How people write how many accelerators a machine has, in small letters and with "x" for each sign of times.
var (
	// "2 nodes x 8 h100", "2x8 h100"
	machinesOf = regexp.MustCompile(`^\s*([0-9]{1,4})\s*(?:nodes?|hosts?|machines?|servers?)?\s*(?:x|of|with)\s*([0-9]{1,3})(?:\b|x)`)
	// "8x h100", "8 x h100", "4xl40s", and no "780xt"
	timesName = regexp.MustCompile(`(?:^|[^\w.])([0-9]{1,5})(?:\s*x[\s\d(]|x\pL)`)
	// "h100x8", "h100 (x4)", "l40sx8", and no "rx 580" or "gfx942"
	timesBehind = regexp.MustCompile(`(?:^|[\s\d()_\-])x\s*([0-9]{1,5})\s*(?:$|[),;])|\pLx([0-9]{1,2})\s*$`)
	// "dual rtx 4090"
	inWords    = regexp.MustCompile(`(?:^|[,;|+&]|\band\b)\s*(single|one|dual|two|three|quad|four|eight|sixteen)\b`)
	wordCounts = map[string]string{"single": "1", "one": "1", "dual": "2", "two": "2", "three": "3", "quad": "4", "four": "4",
		"eight": "8", "sixteen": "16"}
	// "h100 (4 gpus)", and no "40 gpu cores"
	gpus = regexp.MustCompile(`\b([0-9]{1,5})[\s\-]*(?:gpus?|cards?|accelerators?)\b(\s*cores?)?`)
	// "8 h100", and no "80 gb h100"
	before = regexp.MustCompile(`^\s*([0-9]{1,2})\s+(\pL+)`)
	parts  = regexp.MustCompile(`\s*(?:[,;|+&]|\band\b)\s*`)
)

// mostAccelerators is the largest number that counts: "7900 XTX" is a name.
const mostAccelerators = 1024

// countsIn are the numbers of accelerators that a text may mean.
func countsIn(hardware string) (out []int) {
	text := strings.NewReplacer("×", "x", "*", "x").Replace(strings.ToLower(hardware))
	add := func(digits string, times int) {
		if n, err := strconv.Atoi(digits); err == nil && n > 0 && n <= mostAccelerators && !slices.Contains(out, n*times) {
			out = append(out, n*times)
		}
	}
	if m := machinesOf.FindStringSubmatch(text); m != nil {
		if each, err := strconv.Atoi(m[2]); err == nil {
			add(m[1], each)
		}
	}
	sum := 0
	for _, m := range timesName.FindAllStringSubmatch(text, -1) {
		if len(m[1]) > 2 && strings.HasSuffix(m[0], "xt") {
			continue
		}
		add(m[1], 1)
		n, _ := strconv.Atoi(m[1])
		sum += n
	}
	add(strconv.Itoa(sum), 1)
	sum = 0
	for _, m := range timesBehind.FindAllStringSubmatch(text, -1) {
		add(m[1]+m[2], 1)
		n, _ := strconv.Atoi(m[1] + m[2])
		sum += n
	}
	add(strconv.Itoa(sum), 1)
	for _, m := range gpus.FindAllStringSubmatch(text, -1) {
		if m[2] == "" {
			add(m[1], 1)
		}
	}
	for _, m := range inWords.FindAllStringSubmatch(text, -1) {
		add(wordCounts[m[1]], 1)
	}
	if m := before.FindStringSubmatch(text); m != nil && !slices.Contains([]string{"gb", "gib", "g", "x"}, m[2]) {
		add(m[1], 1)
	}
	if n := repeated(parts.Split(strings.TrimSpace(text), -1)); n > 1 {
		add(strconv.Itoa(n), 1)
	}
	if n := repeated(strings.Fields(text)); n > 1 {
		add(strconv.Itoa(n), 1)
	}
	return out
}

// repeated is how many times words repeat what they begin with, 1 where they say one thing.
func repeated(words []string) int {
	for one := 1; one < len(words); one++ {
		if len(words)%one == 0 && slices.Equal(words[one:], words[:len(words)-one]) {
			return len(words) / one
		}
	}
	return 1
}

package settings

import (
	"cmp"
	"strconv"
	"strings"
)

// CompareVersions orders versions: numbers as numbers, pre-releases ("rc", "dev", "a", "b")
// before their release, "post" behind it. What follows a "+" says how it was built and is not
// compared.
func CompareVersions(a, b string) int {
	if a == b { // as most are, of many runs
		return 0
	}
	var rooms [2][8]versionPart // few versions have more: a run is compared with all others of its card
	as, bs := versionParts(a, rooms[0][:0]), versionParts(b, rooms[1][:0])
	for i := range max(len(as), len(bs)) {
		x, y := versionPart{}, versionPart{}
		if i < len(as) {
			x = as[i]
		}
		if i < len(bs) {
			y = bs[i]
		}
		if d := cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.word, y.word),
			cmp.Compare(x.number, y.number)); d != 0 {
			return d
		}
	}
	return 0
}

// versionPart is a number (rank 0, word empty), or a word with the number behind it: rank -1
// for a pre-release, 1 for "post" and others.
type versionPart struct {
	rank   int
	word   string
	number int
}

// versionParts adds the parts of a version to a list.
func versionParts(v string, parts []versionPart) []versionPart {
	v, _, _ = strings.Cut(strings.ToLower(strings.TrimPrefix(strings.TrimSpace(v), "v")), "+")
	for i := 0; i < len(v); {
		j := i
		switch c := v[i]; {
		case c >= '0' && c <= '9':
			for j < len(v) && v[j] >= '0' && v[j] <= '9' {
				j++
			}
			number, err := strconv.Atoi(v[i:j])
			if err != nil {
				number = int(^uint(0) >> 1)
			}
			if k := len(parts) - 1; k >= 0 && parts[k].word != "" && parts[k].number == 0 && v[i-1] != '.' {
				parts[k].number = number
			} else {
				parts = append(parts, versionPart{number: number})
			}
		case c >= 'a' && c <= 'z':
			for j < len(v) && v[j] >= 'a' && v[j] <= 'z' {
				j++
			}
			p := versionPart{rank: 1, word: v[i:j]}
			switch p.word {
			case "rc", "dev", "a", "alpha", "b", "beta", "pre", "preview":
				p.rank = -1
			}
			parts = append(parts, p)
		default:
			j++
		}
		i = j
	}
	return parts
}

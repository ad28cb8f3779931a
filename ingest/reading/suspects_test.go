package reading

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Words and numbers are found wherever they stand among the eight bytes that are looked at together, and what looks at
// the bytes one by one finds the same.
func TestSuspects(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	parts := []string{"NaN", "nan", "Nan", "inf", "Infinity", "-INF", "1e999", "12.5E+400", "1e5", "e999", "\xff1e999", ":e", "n", "f",
		"a", "N\xc1N", " ", "0", "é", "/1e400", ":1e400"}
	for range 20_000 {
		var data []byte
		for range rnd.IntN(12) {
			data = append(data, parts[rnd.IntN(len(parts))]...)
		}
		var want, got [][2]int
		for i := 1; i < len(data); i++ {
			if from, to, ok := overflow(data, i); ok && data[i]|0x20 == 'e' {
				want = append(want, [2]int{from, to})
			}
			if n := wordAt(data[i-1:]); n > 0 && data[i]|0x20 == 'a' {
				want = append(want, [2]int{i - 1, i - 1 + n})
			}
			if i > 1 && data[i]|0x20 == 'f' {
				if n := wordAt(data[i-2:]); n > 0 {
					want = append(want, [2]int{i - 2, i - 2 + n})
				}
			}
		}
		for from, to := range Suspects(data) {
			got = append(got, [2]int{from, to})
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: got %v, want %v", data, got, want)
		}
	}
}

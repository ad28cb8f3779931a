package reading

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/record"
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

// What is no finite number is found in each of the samples of one layout, as it is where all of the file is looked at.
func TestSuspectsOfRows(t *testing.T) {
	for _, odd := range []string{"NaN", "-Infinity", "Infinity", `"nan"`, `"inf"`, "1e999", "1e5"} {
		row := `{"timestamp": 1.5, "usage": ` + odd + `, "running": 3}`
		data := []byte(`{"samples": [` + strings.Repeat(row+", ", 20) + `{"timestamp": 1.5, "usage": 2, "running": 3}, ` + row + `]}`)
		src := &Source{Head: NewHead("x.json", data), Data: data}
		Values(src, false, func(Value) {}, func(r record.Record) { t.Errorf("%s: %v", odd, r) })
		var want, got [][2]int
		for from, to := range Suspects(data) {
			want = append(want, [2]int{from, to})
		}
		for from, to := range src.Suspects() {
			got = append(got, [2]int{from, to})
		}
		if !src.known || !slices.Equal(got, want) {
			t.Errorf("%s: known %v, %d suspects of %d", odd, src.known, len(got), len(want))
		}
	}
}

package reading

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Whatever samples have in common, they are checked as one by one, and their numbers are those of their members.
func TestRowsAreReadAsEachIs(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	numbers := []string{"0", "1.0", "-1", "12345678.87654321", "1e-05", "0.000406812593", "1740539873.010000", "99999999999999999999"}
	others := []string{"null", "1e999", "01", "NaN", `"x"`, "1.", "[1]", ""}
	sound := 0
	for range 20_000 {
		odd := rnd.IntN(40) // how many numbers are one of the others
		number := func() string {
			if odd--; odd == 0 {
				return others[rnd.IntN(len(others))]
			}
			return numbers[rnd.IntN(2+rnd.IntN(len(numbers)-1))]
		}
		var rows []string
		for range 1 + rnd.IntN(12) {
			row := fmt.Sprintf(`{"running": %s, "a longer name": %s, "time": %s}`, number(), number(), number())
			if rnd.IntN(20) == 0 {
				row = fmt.Sprintf(`{"time":%s,"more":%s}`, number(), number())
			}
			rows = append(rows, row)
		}
		one := func(row string) bool {
			_, err := Parse([]byte(row))
			return err == nil
		}
		all := true
		for _, row := range rows {
			all = all && one(row)
		}
		v, err := Parse([]byte("[" + strings.Join(rows, ", ") + "]"))
		if (err == nil) != all {
			t.Fatalf("%s: error %v, one by one they are well formed: %v", rows, err, all)
		}
		if err != nil {
			continue
		}
		sound++
		var want []float64
		wantOK := true
		v.Items(func(_ int, row Value) bool {
			both := [2]float64{math.NaN(), math.NaN()}
			row.Fields(func(key string, m Value) bool {
				n, ok := m.Finite()
				wantOK = wantOK && ok
				switch key {
				case "time":
					both[0] = n
				case "running":
					both[1] = n
				}
				return true
			})
			want = append(want, both[:]...)
			return wantOK
		})
		var got []float64
		ok := v.Columns([]string{"time", "running"}, func(n []float64) { got = append(got, n...) })
		if ok != wantOK || ok && fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s:\n got %v %v\nwant %v %v", rows, got, ok, want, wantOK)
		}
	}
	if sound < 5_000 {
		t.Errorf("only %d of the arrays were well formed", sound)
	}
}

// Numbers of arrays, and of arrays in arrays, are those that their elements are.
func TestNumbersAreThoseOfTheElements(t *testing.T) {
	for _, text := range []string{`[]`, `[1, 2.5 ,-3e2,null,"4", [5], NaN, -Infinity,1e999]`, `[[], [0.1,0.2], 3, [ 4 , null ], {"a": [5]}, [[6]]]`,
		`"no array"`, `{"0": 1}`} {
		v, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(text, err)
		}
		var got, want []string
		v.Numbers(func(i int, n float64, finite bool) bool {
			if finite {
				got = append(got, fmt.Sprint(i, n))
			}
			return true
		})
		v.Items(func(i int, e Value) bool {
			if n, ok := e.Finite(); ok {
				want = append(want, fmt.Sprint(i, n))
			}
			return true
		})
		v.Lists(func(i int, n float64) { got = append(got, fmt.Sprint("list", i, n)) })
		v.Items(func(i int, list Value) bool {
			if list.Kind() == KindArray {
				list.Items(func(_ int, e Value) bool {
					if n, ok := e.Finite(); ok {
						want = append(want, fmt.Sprint("list", i, n))
					}
					return true
				})
			}
			return true
		})
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s:\n got %v\nwant %v", text, got, want)
		}
	}
}

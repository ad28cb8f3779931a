package refute

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// What a history has to have at least: results, and results of each of two levels.
const (
	fewestOfHistory = 8
	fewestOfLevel   = 4
)

// series are the values of a relation's numbers in their order.
func (f facts) series(r relation) (out []float64) {
	for _, i := range r.Among {
		out = append(out, f.Of[i].Value)
	}
	return out
}

// level recomputes the last change of level of a history.
func (f facts) level(r relation) error {
	if err := f.alike(r.Among); err != nil {
		return err
	}
	for n, i := range r.Among[1:] {
		a, b := f.at[r.Among[n]], f.at[i]
		for _, key := range []string{"model", "hardware", "engine"} {
			if x, y := attribute(a.run, key), attribute(b.run, key); x != y && x != "" && y != "" {
				return fmt.Errorf("the %s of a history is %q and %q", key, x, y)
			}
		}
		if a.load != b.load || a.of.axis != b.of.axis {
			return fmt.Errorf("a history has the loads %v and %v", a.load, b.load)
		}
		later := newer(attribute(a.run, "engine_version"), attribute(b.run, "engine_version"))
		if later < 0 && a.run.Started >= b.run.Started || later == 0 && a.run.Started > b.run.Started {
			return fmt.Errorf("run %q does not come before run %q", a.run.ID, b.run.ID)
		}
	}
	series := f.series(r)
	levels := levelsOf(series)
	if len(levels) == 0 {
		return errors.New("the history has one level")
	}
	first, from := levels[len(levels)-1], 0
	if len(levels) > 1 {
		from = levels[len(levels)-2]
	}
	if float64(first) != *r.At || first-from < fewestOfLevel || len(series)-first < fewestOfLevel {
		return fmt.Errorf("the level changes at %d, of %d and %d results", first, first-from, len(series)-first)
	}
	before, after := average(series[from:first]), average(series[first:])
	if !near(*r.Value, (after-before)/before) {
		return fmt.Errorf("the level changes by %v", (after-before)/before)
	}
	return nil
}

// newer is 1 where the second of two versions is the later one, −1 where it is the earlier one: numbers by their
// value, part by part. Versions without any part in which they differ, and those that are not recorded, are 0.
func newer(a, b string) int {
	parts := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsDigit(r) })
	}
	as, bs := parts(a), parts(b)
	for i := range min(len(as), len(bs)) {
		x, errX := strconv.Atoi(as[i])
		y, errY := strconv.Atoi(bs[i])
		switch {
		case errX != nil || errY != nil:
			return 0
		case x < y:
			return 1
		case x > y:
			return -1
		}
	}
	return 0
}

func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// levelsOf are the places at which a series changes its level: splits of the largest energy distance, taken apart
// until none is likelier than one in a hundred to be chance, then put together again from the weakest on until all are
// less likely than one in a thousand.
func levelsOf(series []float64) []int {
	places := parted(series, 0, len(series))
	known := map[[3]int]float64{} // the chance of a place between two others
	for {
		bounds := append(append([]int{0}, places...), len(series))
		weakest, most := -1, 0.001
		for i := range places {
			between := [3]int(bounds[i : i+3])
			p, done := known[between]
			if !done {
				p = chance(series[between[0]:between[1]], series[between[1]:between[2]])
				known[between] = p
			}
			if p >= most && (weakest < 0 || p > most) {
				weakest, most = i, p
			}
		}
		if weakest < 0 {
			return places
		}
		places = append(append([]int{}, places[:weakest]...), places[weakest+1:]...)
	}
}

// parted are the candidates between two places of a series.
func parted(series []float64, from, to int) []int {
	if to-from < 4 {
		return nil
	}
	// One by one the values go from the right to the left, and with each its distances from all others.
	xs, ys := series[from:from+1], series[from+1:to]
	within, across, beyond := 0.0, 0.0, 0.0
	for i, y := range ys {
		across += math.Abs(y - xs[0])
		for _, z := range ys[:i] {
			beyond += math.Abs(y - z)
		}
	}
	best, at, unclear := 0.0, -1, 1e-12*(across+beyond)/float64(to-from)
	for cut := from + 2; cut <= to-2; cut++ {
		moved := series[cut-1]
		xs, ys = series[from:cut-1], series[cut:to]
		for _, x := range xs {
			across -= math.Abs(moved - x)
			within += math.Abs(moved - x)
		}
		for _, y := range ys {
			across += math.Abs(moved - y)
			beyond -= math.Abs(moved - y)
		}
		if d := energy(cut-from, to-cut, within, across, beyond); d > best+unclear {
			best, at = d, cut
		}
	}
	if at < 0 {
		return nil
	}
	left, right := parted(series, from, at), parted(series, at, to)
	if len(left) == 0 && len(right) == 0 && chance(series[from:at], series[at:to]) >= 0.01 {
		return nil
	}
	return append(append(left, at), right...)
}

// energy is the energy distance of two samples, times the harmonic weight of their sizes, from the sums of the distances
// of each two values within the first, across both and within the second.
func energy(m, n int, within, across, beyond float64) float64 {
	pairs := func(n int) float64 { return float64(n*(n-1)) / 2 }
	d := 2*across/float64(m*n) - within/pairs(m) - beyond/pairs(n)
	return d * float64(m*n) / float64(m+n)
}

// chance is how likely the means of two samples of one variance lie so far apart or farther: Student's t-test. With
// t = √v·tan θ its probability is the share of the integral of cos^(v−1) that lies beyond θ.
func chance(xs, ys []float64) float64 {
	a, b := average(xs), average(ys)
	squares := 0.0
	for _, x := range xs {
		squares += (x - a) * (x - a)
	}
	for _, y := range ys {
		squares += (y - b) * (y - b)
	}
	v := float64(len(xs) + len(ys) - 2)
	if squares == 0 {
		if a == b {
			return 1
		}
		return 0
	}
	t := math.Abs(a-b) / math.Sqrt(squares/v*(1/float64(len(xs))+1/float64(len(ys))))
	beyond := func(theta float64) float64 { // Simpson's rule
		const steps = 2000
		h, sum := (math.Pi/2-theta)/steps, 0.0
		for i := 0; i <= steps; i++ {
			weight := 2.0
			switch {
			case i == 0 || i == steps:
				weight = 1
			case i%2 == 1:
				weight = 4
			}
			sum += weight * math.Pow(math.Max(0, math.Cos(theta+float64(i)*h)), v-1)
		}
		return sum * h / 3
	}
	return beyond(math.Atan(t/math.Sqrt(v))) / beyond(0)
}

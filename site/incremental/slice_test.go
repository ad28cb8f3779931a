package incremental

import (
	"fmt"
	"os"
	"testing"
)

// Each path is in one slice, and slices are about as large as one another.
func TestSliceHas(t *testing.T) {
	for _, of := range []int{1, 2, 3, 7, 64} {
		count := make([]int, of+1)
		const paths = 6400
		for i := range paths {
			in := 0
			for n := 1; n <= of; n++ {
				if (Slice{n, of}).Has(fmt.Sprintf("runs/%d", i)) {
					in++
					count[n]++
				}
			}
			if in != 1 {
				t.Fatalf("a path is in %d of %d slices", in, of)
			}
		}
		for n, c := range count[1:] {
			if mean := paths / of; c < mean/2 || c > 2*mean {
				t.Errorf("slice %d/%d has %d of %d paths", n+1, of, c, paths)
			}
		}
	}
}

// What builds are made of on other machines decides which slice has a page, so it must not change.
func TestSliceIsStable(t *testing.T) {
	for n := 1; n <= 8; n++ {
		if (Slice{n, 8}).Has("models/codellama-7b") != (n == 8) {
			t.Errorf("slice %d/8: the page of a model moved", n)
		}
	}
}

// FuzzMerge: whatever stands in what is known of a slice, it is taken or refused.
func FuzzMerge(f *testing.F) {
	shared, catalog := Sum([]byte("shared")), Sum([]byte("catalog"))
	b := New(nil, nil, shared)
	b.Made("a", Sum([]byte("of")), Digest{}, []File{file("a.html", "A")}, nil)
	f.Add(b.Slice(Slice{1, 1}, catalog))
	f.Add([]byte(sliceHeading + " 1/1 \n"))
	f.Fuzz(func(t *testing.T, known []byte) {
		none := func(string) ([]byte, error) { return nil, os.ErrNotExist }
		merged, err := Merge(nil, shared, catalog, []Part{{"a", known, none}})
		if (merged == nil) == (err == nil) {
			t.Errorf("a build %v and an error %v", merged != nil, err)
		}
	})
}

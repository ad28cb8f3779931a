package hugo

import (
	"fmt"
	"slices"
	"testing"
)

// Hugo has no more than so many pages at once, each of them once, and at first one of each kind.
func TestDivided(t *testing.T) {
	for _, n := range []int{1, 3, together, together + 3, together + 4, 3*together + 7} {
		var jobs []*job
		for i := range n {
			jobs = append(jobs, &job{path: fmt.Sprint(i), kind: fmt.Sprint("kind", i%3)})
		}
		for _, proven := range []bool{false, true} {
			parts := divided(jobs, proven)
			if kinds := min(n, 3); !proven && kinds > 0 && len(parts[0]) != kinds {
				t.Errorf("%d pages: %d of them come first, not one of each kind", n, len(parts[0]))
			}
			seen := map[*job]int{}
			for i, part := range parts {
				if len(part) == 0 || len(part) > together {
					t.Errorf("%d pages, proven %t: part %d has %d", n, proven, i, len(part))
				}
				for _, j := range part {
					seen[j]++
				}
			}
			if len(seen) != n || slices.ContainsFunc(jobs, func(j *job) bool { return seen[j] != 1 }) {
				t.Errorf("%d pages, proven %t: not each of them is rendered once", n, proven)
			}
		}
	}
}

package normalize

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/internal/order"
)

// Difference is something that --check found: a file of the catalog that is not what its inputs
// give.
type Difference struct {
	// File is the name in the catalog's directory, Message what differs.
	File, Message string
}

// Check derives again what a catalog says came from the inputs at hand and returns what differs,
// in the order of file names. Runs of other inputs are not looked at.
func Check(reading *ingest.Reading, stored *catalog.Catalog, o Options) ([]Difference, *Outcome, error) {
	out, err := Catalog(reading, stored, o)
	if err != nil {
		return nil, nil, err
	}
	var diffs []Difference
	old := map[string]*catalog.Run{}
	for _, r := range stored.Runs {
		old[r.ID] = r
	}
	touched := map[string]bool{}
	for _, r := range out.Runs {
		touched[r.ID] = true
	}
	for _, r := range out.Update.Runs {
		was := old[r.ID]
		if was == nil {
			diffs = append(diffs, Difference{r.Path(), "is missing: the inputs give this run"})
			continue
		}
		message, err := firstDifference(was, r)
		if err != nil {
			return nil, nil, err
		}
		if message == "" {
			diffs = append(diffs, Difference{r.RawPath(), "the raw records are not those of the inputs"})
		} else {
			diffs = append(diffs, Difference{r.Path(), message})
		}
	}
	// Of what could not be read nobody knows what became of it.
	whole := reading.Unreadable == 0
	for _, name := range out.Update.Remove {
		if strings.HasPrefix(name, "_inputs/") && !whole {
			continue
		}
		diffs = append(diffs, Difference{name, "is stale: the inputs give it under another name"})
	}
	for _, in := range out.Update.Inputs {
		if !whole {
			break
		}
		diffs = append(diffs, Difference{in.File(), fmt.Sprintf("does not tell what became of %q: ingest it as a whole", in.Path)})
	}
	// What was once read from a path below these inputs must still be there.
	digests := map[string]bool{}
	unread := map[string]bool{}
	for _, f := range reading.Files {
		digests[f.SHA256] = true
		unread[f.Path] = !whole && f.SHA256 == "" && f.Errors > 0
	}
	hidden := func(p string) bool {
		for i := range len(p) {
			if (p[i] == '/' || p[i] == '!') && unread[p[:i]] {
				return true
			}
		}
		return unread[p]
	}
	for _, r := range stored.Runs {
		for _, s := range r.Sources {
			if _, ok := inputOf(o.Inputs, s.Path); ok && !digests[s.SHA256] && !hidden(s.Path) {
				diffs = append(diffs,
					Difference{r.Path(), fmt.Sprintf("source %q is no more what was read there", s.Path)})
				break
			}
		}
		if !touched[r.ID] && len(r.Sources) > 0 &&
			!slices.ContainsFunc(r.Sources, func(s catalog.Source) bool { return !digests[s.SHA256] }) {
			diffs = append(diffs, Difference{r.Path(), "the inputs give no such run"})
		}
	}
	order.Stable(diffs, func(a, b Difference) int { return cmp.Compare(a.File, b.File) })
	return slices.Compact(diffs), out, nil
}

// firstDifference names the first line in which two runs differ, "" where none does.
func firstDifference(a, b *catalog.Run) (string, error) {
	x, err := catalog.Marshal(a)
	if err != nil {
		return "", err
	}
	y, err := catalog.Marshal(b)
	if err != nil {
		return "", err
	}
	if bytes.Equal(x, y) {
		return "", nil
	}
	p, q := strings.Split(string(x), "\n"), strings.Split(string(y), "\n")
	for i := range p {
		if i >= len(q) || p[i] != q[i] {
			got := ""
			if i < len(q) {
				got = q[i]
			}
			return fmt.Sprintf("line %d is %q, and the inputs give %q", i+1, clip(p[i]), clip(got)), nil
		}
	}
	return fmt.Sprintf("ends at line %d, and the inputs give more", len(p)), nil
}

func clip(s string) string {
	s = strings.TrimSpace(s)
	if r := []rune(s); len(r) > 120 {
		return string(r[:120]) + "…"
	}
	return s
}

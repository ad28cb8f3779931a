package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// Measured is a digest of what was measured in the run, in lower-case hex: of all values of its points and figures,
// wherever they were read from and whatever sidecars say. Runs of one id with equal ones have the same results.
func (r *Run) Measured() string {
	var lines []string
	add := func(v any) {
		b, err := json.Marshal(v)
		if err != nil {
			b = []byte(err.Error()) // a number that JSON has not is in no run
		}
		lines = append(lines, string(b))
	}
	for _, p := range r.Points {
		q := p
		q.At = Place{}
		add(q)
	}
	for _, f := range r.Figures {
		g := f
		g.At, g.PublishedAt = Place{}, Place{}
		add(g)
	}
	slices.Sort(lines)
	sum := sha256.New()
	for _, l := range lines {
		sum.Write([]byte(l + "\n"))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

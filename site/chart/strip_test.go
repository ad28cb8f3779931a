package chart

import (
	"strings"
	"testing"
)

// A strip tells its four states apart by shape, outlines the answer, and writes the loads that have room.
func TestStrip(t *testing.T) {
	var b strings.Builder
	s := Strip{Loads: []string{"1", "2", "4", "1000", "2000"}, Answer: 2, Over: 3, Label: `a "b"`,
		Lanes: [][]Kept{{Keeps, Keeps, Keeps, Breaks, NotJudged}, {Keeps, Keeps, Keeps, Keeps, NotRun}}}
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	svg := quoted(b.String())
	for class, shapes := range map[string]int{"fillb": 7, "bl": 1, "ud": 1, "bn": 1, "wh": 1} {
		_, after, _ := strings.Cut(svg, `<path class="`+class+`" d="`)
		d, _, _ := strings.Cut(after, `"`)
		if n := strings.Count(d, "z"); n != shapes {
			t.Errorf("%d shapes of class %s, not %d: %s", n, class, shapes, d)
		}
	}
	if !strings.Contains(svg, `role="img" aria-label="a &quot;b&quot;"`) {
		t.Errorf("no label: %s", svg)
	}
	if !strings.Contains(svg, ">4</text>") || strings.Contains(svg, ">1000<") {
		t.Errorf("the answer is named, and its neighbour has no room: %s", svg)
	}
	b.Reset()
	if err := (Strip{Answer: -1, Over: -1}).Write(&b); err != nil || b.Len() > 0 {
		t.Errorf("no load, and %q is drawn: %v", b.String(), err)
	}
}

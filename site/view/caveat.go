package view

import (
	"strings"

	"github.com/inferdex/inferdex/ingest/claim"
	"github.com/inferdex/inferdex/site/page"
)

// caveat is what most of some differences say of how sure they are: it is said once, and a row says it only where it
// differs.
type caveat struct {
	most string
	all  bool
}

// commonCaveat is that of some certainties in words; the zero value where none is that of more than half.
func commonCaveat(texts []string) caveat {
	n := map[string]int{}
	for _, t := range texts {
		n[t]++
	}
	for _, t := range texts {
		if 2*n[t] > len(texts) {
			return caveat{t, n[t] == len(texts)}
		}
	}
	return caveat{}
}

// said is the caveat as a sentence; empty where there is none.
func (v caveat) said() claim.Sentence {
	subject, verb := "Each difference here", " is "
	if strings.HasPrefix(v.most, "no claim") {
		verb = " carries "
	}
	switch {
	case v.most == "":
		return claim.Sentence{}
	case !v.all:
		subject = "A difference without a word of its own"
	}
	return claim.Plain(subject+verb+v.most+".", v.most)
}

// cell is what a row says of itself: nothing where the caveat says it.
func (v caveat) cell(certainty string) page.Cell {
	if certainty == v.most {
		return page.Cell{}
	}
	return page.Cell{Text: certainty}
}

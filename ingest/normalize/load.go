package normalize

import (
	"slices"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// loadGroup is the records of one workload and load. It has at least one.
type loadGroup struct {
	all  []*candidate
	more map[string]bool // the paths they were found at, where there are several
}

// add puts more records of the same load into a group.
func (g *loadGroup) add(more ...*candidate) {
	g.all = append(g.all, more...)
	first := g.all[0].record.path
	for _, c := range more {
		if c.record.path != first && g.more == nil {
			g.more = map[string]bool{first: true}
		}
		if g.more != nil {
			g.more[c.record.path] = true
		}
	}
}

// has reports whether a group has a record of a file.
func (g *loadGroup) has(path string) bool { return g.more[path] || g.all[0].record.path == path }

// sharesFile reports whether two groups have records of one file: such are points of their own.
func (g *loadGroup) sharesFile(o *loadGroup) bool {
	if len(o.more) < len(g.more) {
		g, o = o, g
	}
	for path := range g.more {
		if o.has(path) {
			return true
		}
	}
	return o.has(g.all[0].record.path)
}

// byLoad groups results by workload and load, in the order in which loads first appear.
func byLoad(all []*candidate) []*loadGroup {
	groups := map[string]*loadGroup{}
	var out []*loadGroup
	var key []byte
	for _, c := range all {
		key = c.point.Load.AppendKey(c.point.Workload.AppendKey(key[:0]))
		g := groups[string(key)]
		if g == nil {
			g = &loadGroup{}
			groups[string(key)] = g
			out = append(out, g)
		}
		g.add(c)
	}
	return out
}

// adopted joins groups that are one. A page often leaves out what the raw file beside it states, the
// number of prompts say. Such an account belongs to the one fuller account from other files that states
// all it does.
func adopted(groups []*loadGroup) []*loadGroup {
	if !slices.ContainsFunc(groups, func(g *loadGroup) bool {
		return partsOf(&g.all[0].point) != partsOf(&groups[0].all[0].point)
	}) {
		return groups // none says more than another
	}
	said := make([]statement, len(groups))
	for i, g := range groups {
		said[i] = statementOf(&g.all[0].point)
	}
	// fuller has by what some groups state those that state it too, and more.
	fuller := map[parts]map[string][]int{}
	gone := make([]bool, len(groups))
	for i, g := range groups {
		s := said[i]
		if !s.namesOne() {
			continue
		}
		index := fuller[s.has]
		if index == nil {
			index = map[string][]int{}
			for j := range said {
				if said[j].has != s.has && said[j].has&s.has == s.has {
					k := said[j].text(s.has)
					index[k] = append(index[k], j)
				}
			}
			fuller[s.has] = index
		}
		if len(index) == 0 {
			continue
		}
		one, several := -1, false
		for _, j := range index[s.text(s.has)] {
			if !gone[j] && !g.sharesFile(groups[j]) {
				several = one >= 0
				one = j
			}
			if several {
				break
			}
		}
		if one >= 0 && !several {
			groups[one].add(g.all...)
			gone[i] = true
		}
	}
	var out []*loadGroup
	for i, g := range groups {
		if !gone[i] {
			out = append(out, g)
		}
	}
	return out
}

// parts is a set of the parts of a workload and a load that an account may leave out, a bit each.
type parts uint16

// statement is what an account says of a workload and a load: the texts of its parts, "" for what it
// leaves out, the name first.
type statement struct {
	name  string
	parts [14]string
	has   parts
}

// The parts that matter to statement.namesOne.
const (
	partInput, partOutput parts = 1 << 0, 1 << 1
	partsOfLoad           parts = 1<<2 | 1<<3 | 1<<4 | 1<<5
)

// partsOf are the parts that a point states, as [statementOf] has them.
func partsOf(p *catalog.Point) (has parts) {
	w, l := &p.Workload, &p.Load
	for i, there := range [...]bool{
		w.Nominal.Input != nil, w.Nominal.Output != nil,
		l.Rate != nil, l.MaxConcurrency != nil, l.Batch != nil, l.Burstiness != nil,
		w.Dataset != "", w.Distribution != "", w.LengthSemantics != "", w.TokenCounting != "",
		w.NumPrompts != nil, w.PrefixCache != nil, w.IgnoreEOS != nil, w.Streaming != nil,
	} {
		if there {
			has |= 1 << i
		}
	}
	return has
}

// statementOf is what a point states.
func statementOf(p *catalog.Point) statement {
	w, l := &p.Workload, &p.Load
	return statement{name: w.Name, has: partsOf(p), parts: [...]string{
		exact(w.Nominal.Input), exact(w.Nominal.Output),
		exact((*float64)(l.Rate)), whole(l.MaxConcurrency), whole(l.Batch), exact(l.Burstiness),
		w.Dataset, w.Distribution, w.LengthSemantics, w.TokenCounting,
		whole(w.NumPrompts), truth(w.PrefixCache), truth(w.IgnoreEOS), truth(w.Streaming),
	}}
}

// namesOne reports whether an account says enough to be about one thing: a load, and a name or all lengths.
func (s *statement) namesOne() bool {
	const lengths = partInput | partOutput
	return s.has&partsOfLoad != 0 && (s.name != "" || s.has&lengths == lengths)
}

// text is what the account says of some parts, of which it must state all.
func (s *statement) text(of parts) string {
	var b strings.Builder
	b.WriteString(strconv.Quote(s.name))
	for i, t := range s.parts {
		if of&(1<<i) != 0 {
			b.WriteByte(' ')
			b.WriteString(strconv.Quote(t))
		}
	}
	return b.String()
}

func exact(n *float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(*n, 'g', -1, 64)
}

func whole(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

func truth(b *bool) string {
	if b == nil {
		return ""
	}
	return strconv.FormatBool(*b)
}

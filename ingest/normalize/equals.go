package normalize

import (
	"encoding/binary"
	"math"
	"slices"
	"sort"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// member is a point of a session, and those that it equals.
type member struct {
	s  *session
	of *equals
}

// equals are points of one workload and load that state the same date and numbers: what one of them has in common with
// another point, all have. A file that repeats one result under thousands of setups has thousands.
type equals struct {
	point   *catalog.Point
	file    string      // of their sessions, "" where it does not matter or they have several
	members []int       // in the list of members, ascending
	all     *neighbours // of the workload and load, of which each stands for such points
}

// equalPoints are the points of sessions in order, and those of them that are unequal. Points of sessions that file
// tells apart are never put together; file may be nil.
func (j *joiner) equalPoints(sessions []*session, file func(*session) string) (all []member, unequal []*equals) {
	loads := map[string]*neighbours{}
	type key struct{ load, file, states string }
	known := map[key]*equals{}
	var room []number
	for _, s := range sessions {
		of := ""
		if file != nil {
			of = file(s)
		}
		points := j.pointsOf(s)
		for i := range points {
			p := &points[i]
			room = numbersOf(p, room)
			k := key{p.Workload.Key() + "|" + p.Load.Key(), of, said(p.Date, room)}
			e := known[k]
			if e == nil {
				if loads[k.load] == nil {
					loads[k.load] = &neighbours{}
				}
				e = &equals{point: p, file: of, all: loads[k.load]}
				known[k] = e
				e.all.add(p, len(unequal))
				unequal = append(unequal, e)
			}
			e.members = append(e.members, len(all))
			all = append(all, member{s, e})
		}
	}
	return all, unequal
}

// said is a text of all that [commonStats] asks of a point, of its date and its numbers, which are sorted: equal points have
// equal texts.
func said(date string, numbers []number) string {
	sort.Sort(byMark(numbers))
	text := append([]byte(date), 0)
	for _, n := range numbers {
		text = append(append(append(append(text, n.of.metric...), 0), n.of.stat...), 0)
		text = binary.BigEndian.AppendUint64(text, math.Float64bits(n.value))
	}
	return string(text)
}

// before are the members ahead of the nth, which is one of these, that may be one measurement with it: in their order,
// and without those of its file.
func (e *equals) before(n int, unequal []*equals) (out []int) {
	for _, i := range e.all.near(e.point) {
		o := unequal[e.all.numbers[i]]
		if o.file != "" && o.file == e.file {
			continue
		}
		ahead, _ := slices.BinarySearch(o.members, n)
		out = append(out, o.members[:ahead]...)
	}
	slices.Sort(out)
	return out
}

// onlyFile is the digest of the file that a session was read from, "" where there are several.
func onlyFile(s *session) string {
	files := s.files()
	if len(files) != 1 {
		return ""
	}
	for digest := range files {
		return digest
	}
	return ""
}

package view

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/page"
)

// scoreClass is one class of workload with the cards that were measured under it: one scorecard.
type scoreClass struct {
	key     string // of the class, as figure.Scenario.Class has it
	slug    string // in the page's path
	title   string // "1 024 → 128"
	byAxis  string // ", by rate" where the title says so, else ""
	tool    string
	kind    string // what a workload of its lengths is called, "" where nothing is known of it
	name    string // what its tool calls it, where that is made of words
	suite   bool   // measured by a suite, which says of speed what its card publishes
	dataset string
	axis    string
	input   float64 // tokens, 0 where not recorded
	output  float64
	longest bool                         // its lengths are the longest of its requests, not those of each
	off     float64                      // see [figure.Scenario.OffQuoted]
	runs    map[*figure.Card]*figure.Run // the run that stands for the card
	counts  map[*figure.Card]int         // runs of the card in this class
	// load is where speed and time to first token are read: the load most cards have.
	load float64
	// single says that all of its points were measured at that load.
	single bool
	// whole marks the stand-in class of a metric that belongs to a whole run, whatever its
	// workloads: prompt ingestion, KV-cache capacity.
	whole bool
	// views are its scorecards, a metric each; first is the one shown before one is chosen.
	views []*scoreView
	first *scoreView
}

// upperBound is what lengths mean where requests are drawn from shorter ones.
const upperBound = "upper bound"

// by is the title, joined by a word to the tool where the title does not name it.
func (s *scoreClass) by(word string) string {
	if strings.HasSuffix(s.title, ", "+s.tool) {
		return s.title
	}
	return s.title + word + s.tool
}

// scenario is the scenario of a run in the class, nil where the run has figures alone.
func (s *scoreClass) scenario(r *figure.Run) *figure.Scenario { return r.Scenario(s.key) }

// stands is the run of a card that stands for it in the class: see [figure.Best].
func (s *scoreClass) stands(c *figure.Card, newest *figure.Run) *figure.Run {
	if s.scenario(newest) == nil {
		return newest // figures alone
	}
	return figure.Best(figure.Active(c.Runs), s.key)
}

// standard is 1 for the lengths that cards are compared by where several classes have equally
// many: 1024 in, 128 out.
func (s *scoreClass) standard() int {
	if s.input == 1024 && s.output == 128 {
		return 1
	}
	return 0
}

// points counts the points of the class, to order classes with equally many cards.
func (s *scoreClass) points() int {
	n := 0
	for _, r := range s.runs {
		if sc := s.scenario(r); sc != nil {
			n += len(sc.Points)
		}
	}
	return n
}

// commonLoad is the load that most cards were measured at; of equals 10, at which happy_vllm
// cards publish their speed, else the smallest. single says that there is no other.
func (s *scoreClass) commonLoad() (best float64, single bool) {
	seen := map[float64]int{}
	for _, r := range s.runs {
		if sc := s.scenario(r); sc != nil {
			for _, p := range sc.Points {
				seen[figure.LoadOf(p)]++
			}
		}
	}
	n := 0
	for l, c := range seen {
		better := c > n || c == n && (l == 10 || best != 10 && l < best)
		if better {
			best, n = l, c
		}
	}
	return best, len(seen) == 1
}

// loadPhrase is the load that latencies are read at, in words.
func (s *scoreClass) loadPhrase() string {
	switch {
	case math.IsInf(s.load, 1):
		return "with all requests at once"
	case s.axis == record.AxisConcurrency && s.load == 1:
		return "one request at a time"
	case s.axis == record.AxisConcurrency:
		return "at " + metric.Parted(metric.Exact(s.load)) + " parallel requests"
	case s.axis == record.AxisRate:
		return "at " + metric.Parted(metric.Exact(s.load)) + " " + metric.Noun(s.load, "request/s", "requests/s")
	case s.axis == record.AxisBatch:
		return "at batch " + metric.Exact(s.load)
	}
	return "at the load measured"
}

// scoreClasses sorts the cards of a catalog by class of workload, the class with most cards
// first, of tests of one phase the one that is quoted. A suite of which only headline figures are known belongs to the
// class that its speed per request was measured under, 1024 in and 128 out.
func scoreClasses(ix *figure.Index) []*scoreClass {
	byKey := map[string]*scoreClass{}
	var list []*scoreClass
	get := func(r *figure.Run, key, title, axis string, input, output float64) *scoreClass {
		s := byKey[key]
		if s == nil {
			s = &scoreClass{key: key, title: title, tool: r.Tool.Name, suite: suite(r), axis: axis, input: input,
				output: output, kind: lengthsKind(input, output), runs: map[*figure.Card]*figure.Run{},
				counts: map[*figure.Card]int{}}
			byKey[key] = s
			list = append(list, s)
		}
		return s
	}
	suiteKey := suiteFiguresKey(ix)
	for _, c := range ix.Cards {
		for _, r := range figure.Active(c.Runs) { // the newest engine version first
			for _, s := range r.Scenarios {
				in, out, _ := s.Lengths()
				k := get(r, s.Class, s.Common(), s.Axis, in, out)
				if len(k.runs) == 0 {
					k.off, k.longest = s.OffQuoted(), s.Workload.LengthSemantics == upperBound
					k.dataset, k.kind, k.name = s.Workload.Dataset, workloadKind(s), workloadName(s)
				} else if k.dataset != s.Workload.Dataset {
					k.dataset = "" // none of several stands for the class
				}
				if k.counts[c]++; k.runs[c] == nil {
					k.runs[c] = r
				}
			}
			if suite(r) && r.Scenario(suiteKey) == nil {
				k := get(r, suiteKey, metric.Count(1024)+" → 128", record.AxisConcurrency, 1024, 128)
				if k.counts[c]++; k.runs[c] == nil {
					k.runs[c] = r
				}
			}
		}
	}
	for _, k := range list {
		for c, r := range k.runs {
			if k.counts[c] > 1 {
				k.runs[c] = k.stands(c, r)
			}
		}
		k.load, k.single = k.commonLoad()
	}
	slices.SortStableFunc(list, func(a, b *scoreClass) int {
		return cmp.Or(cmp.Compare(len(b.runs), len(a.runs)), cmp.Compare(b.standard(), a.standard()),
			cmp.Compare(a.off, b.off),
			cmp.Compare(b.points(), a.points()),
			cmp.Compare(a.input, b.input), cmp.Compare(a.output, b.output), cmp.Compare(a.key, b.key))
	})
	nameClasses(list)
	return list
}

// suiteFiguresKey is the class that the headline figures of suites belong to: of those of 1024 in and
// 128 out the one that most suites have.
func suiteFiguresKey(ix *figure.Index) string {
	best, counts := "suite figures", map[string]int{}
	for _, r := range ix.Identified {
		if !suite(r) {
			continue
		}
		for _, s := range r.Scenarios {
			if !s.Preferred() {
				continue
			}
			if counts[s.Class]++; counts[s.Class] > counts[best] {
				best = s.Class
			}
		}
	}
	return best
}

// paced says that some load of the class is less than all requests at once.
func (s *scoreClass) paced() bool {
	for _, r := range s.runs {
		if sc := s.scenario(r); sc != nil &&
			slices.ContainsFunc(sc.Loads(), func(l float64) bool { return !math.IsInf(l, 1) }) {
			return true
		}
	}
	return false
}

// nameClasses makes titles and addresses differ: what tells classes of one title apart is added.
func nameClasses(list []*scoreClass) {
	qualify := func(word func(*scoreClass) string, always func(*scoreClass) bool) {
		titles := map[string]int{}
		for _, k := range list {
			titles[k.title]++
		}
		for _, k := range list {
			if w := word(k); w != "" && (titles[k.title] > 1 || always(k)) {
				k.title += ", " + w
			}
		}
	}
	plain := map[*scoreClass]string{}
	for _, k := range list {
		plain[k] = k.title
	}
	never := func(*scoreClass) bool { return false }
	axes := map[string]string{record.AxisRate: "by rate", record.AxisBatch: "by batch"}
	qualify(func(k *scoreClass) string { return axes[k.axis] },
		func(k *scoreClass) bool { return k.axis == record.AxisRate && k.paced() })
	for _, k := range list {
		k.byAxis = strings.TrimPrefix(k.title, plain[k])
	}
	qualify(func(k *scoreClass) string { return k.tool }, never)
	qualify(func(k *scoreClass) string { return page.Clip(k.dataset, 40) }, never)
	titles := map[string]int{}
	used := map[string]bool{} // of addresses; those of metrics of whole runs are taken
	for _, m := range scoreMetrics() {
		used[m.id] = true
	}
	for _, k := range list {
		if titles[k.title]++; titles[k.title] > 1 {
			k.title += " (" + itoa(titles[k.title]) + ")"
		}
		k.slug = strings.Trim(catalog.Slug(strings.NewReplacer(" → ", "-", metric.ThinSpace, "").Replace(k.title)), "-")
		if k.slug == "" {
			k.slug = "workload"
		}
		k.slug = record.FreeName(k.slug, used)
	}
}

// otherWorkload says what a card was measured under: its workload with most loads, nil where it
// has no point.
func otherWorkload(c *figure.Card) (best *figure.Scenario, words string) {
	n := 0
	for _, r := range figure.Active(c.Runs) {
		n = max(n, len(r.Scenarios))
		for _, s := range r.Scenarios {
			if best == nil || len(s.Points) > len(best.Points) {
				best = s
			}
		}
	}
	if best == nil {
		return nil, "no measured point"
	}
	in, out, _ := best.Lengths()
	t := page.Clip(best.Title, 40)
	if in > 0 && out > 0 {
		t = metric.Count(int64(math.Round(in))) + " → " + metric.Count(int64(math.Round(out)))
	}
	if n > 1 {
		t += " and " + itoa(n-1) + " more"
	} else if len(best.Points) > 1 {
		if best.Axis == record.AxisRate {
			t += ", " + metric.Plural(len(best.Points), "rate")
		} else {
			t += ", " + metric.Plural(len(best.Points), "load")
		}
	}
	return best, page.Glue(t)
}

// short is a class beside others of its group: its lengths, else its title.
func (s *scoreClass) short() string {
	if s.input > 0 && s.output > 0 {
		return countText(s.input) + " → " + countText(s.output)
	}
	return s.title
}

// named is a class in the switch of workloads: what it is like, and its lengths.
func (s *scoreClass) named() string {
	if s.kind == "" || s.name != "" || strings.Contains(strings.ToLower(s.title), strings.ToLower(s.kind)) {
		return s.title
	}
	return s.kind + " " + s.title
}

// workloadGroup is the classes of workload of one name and tool: lengths that are alike are one.
type workloadGroup struct {
	kind, name, tool string
	classes          []*scoreClass // the one with most cells first
}

// short is a class of the group by its lengths, and by its whole title where another class has them too.
func (w *workloadGroup) short(k *scoreClass) string {
	for _, o := range w.classes {
		if o != k && o.short() == k.short() {
			return k.title
		}
	}
	return k.short()
}

// groupWorkloads puts classes of one kind, name and tool together, in the order of their first ones.
func groupWorkloads(classes []*scoreClass) (out []*workloadGroup) {
	for _, k := range classes {
		i := slices.IndexFunc(out, func(o *workloadGroup) bool {
			return o.tool == k.tool && o.name == k.name && o.kind == k.kind
		})
		if i < 0 {
			i = len(out)
			out = append(out, &workloadGroup{kind: k.kind, name: k.name, tool: k.tool})
		}
		out[i].classes = append(out[i].classes, k)
	}
	return out
}

// title is the name of a group: that of its kind, else what its tool calls it.
func (w *workloadGroup) title() string {
	switch {
	case w.kind != "":
		return w.kind
	case w.name != "":
		return page.Capital(w.name)
	}
	return "Lengths not recorded"
}

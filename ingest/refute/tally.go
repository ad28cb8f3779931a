package refute

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/record"
)

// tallyClaim is how many there are of some things among some runs.
type tallyClaim struct {
	Of     string         `json:"of"`
	Runs   []tallied      `json:"runs"`
	Counts []counted      `json:"counts"`
	Newest string         `json:"newest"`
	Loads  []record.Float `json:"loads"`
	Shared []operand      `json:"shared"`
}

type tallied struct {
	Run   string            `json:"run"`
	By    map[string]string `json:"by"`
	Has   map[string]int    `json:"has"`
	Count int               `json:"count"`
}

type counted struct {
	What string `json:"what"`
	N    int    `json:"n"`
}

// tally recounts a claim.
func tally(k *Checker, s Statement) error {
	c, err := read[tallyClaim](s)
	if err != nil {
		return err
	}
	runs := make([]*catalog.Run, len(c.Runs))
	in := map[*catalog.Run]bool{}
	for i, t := range c.Runs {
		r := k.runs[t.Run]
		if r == nil || in[r] {
			return fmt.Errorf("the run %q is not in the catalog, or counted twice", t.Run)
		}
		runs[i], in[r] = r, true
		if t.Count != 0 && !slices.Contains(accelerators(r), t.Count) {
			return fmt.Errorf("run %q has not %d accelerators", t.Run, t.Count)
		}
		for what, n := range t.Has {
			if got, ok := k.has(r, what); !ok || got != n {
				return fmt.Errorf("run %q has %d %s, not %d", t.Run, got, what, n)
			}
		}
	}
	if err := k.whole(c, runs, in); err != nil {
		return err
	}
	if err := c.resolved(k, runs); err != nil {
		return err
	}
	for _, n := range c.Counts {
		if err := c.counts(k, n, runs); err != nil {
			return err
		}
	}
	newest := ""
	for _, r := range runs {
		if len(r.Started) >= 10 {
			newest = max(newest, r.Started[:10])
		}
	}
	if c.Newest != "" && c.Newest != newest {
		return fmt.Errorf("the newest is of %q, not %q", newest, c.Newest)
	}
	if err := c.share(k, in); err != nil {
		return err
	}
	if err := c.between(k, runs); err != nil {
		return err
	}
	if err := c.reads(s); err != nil {
		return err
	}
	return c.ofOne(s, runs)
}

// share holds places of one workload: they are of different runs, and every other run has no such workload.
func (c tallyClaim) share(k *Checker, in map[*catalog.Run]bool) error {
	if len(c.Shared) == 0 {
		return nil
	}
	has := map[string]bool{}
	var one *catalog.Point
	var first [2]string
	for _, o := range c.Shared {
		o.Metric = output // the place alone is cited
		at, err := k.cited(o)
		if err != nil {
			return err
		}
		p := &at.run.Points[at.points[0]]
		size := at.of.sizes()
		if one == nil {
			one, first = p, size
		}
		if has[o.Run] || !in[at.run] || !oneKind(one, p) || size != first {
			return fmt.Errorf("run %q does not share the workload %q", o.Run, o.Workload)
		}
		has[o.Run] = true
	}
	return nil
}

// has is how many of a thing a run has.
func (k *Checker) has(r *catalog.Run, what string) (n int, ok bool) {
	switch what {
	case "points":
		return len(r.Points), true
	case "sources":
		return len(r.Sources), true
	case "workloads":
		return len(k.curvesOf(r)), true
	case "scores":
		return len(r.Figures), true
	}
	return 0, false
}

// counts recounts one thing.
func (c tallyClaim) counts(k *Checker, n counted, runs []*catalog.Run) error {
	want, err := c.recount(k, n.What, runs)
	if err == nil && want != n.N {
		err = fmt.Errorf("there are %d %s, not %d", want, n.What, n.N)
	}
	return err
}

// recount is how many of a thing the runs have.
func (c tallyClaim) recount(k *Checker, what string, runs []*catalog.Run) (int, error) {
	switch what {
	case "shared":
		return len(c.Shared), nil
	case "runs":
		return len(runs), nil
	case "cells":
		models, err := c.recount(k, "models", runs)
		if err != nil {
			return 0, err
		}
		hardware, err := c.recount(k, "hardware", runs)
		return models * hardware, err
	}
	sum, different := 0, map[string]bool{}
	for i, r := range runs {
		switch got, ok := k.has(r, what); {
		case ok:
			sum += got
		case words[what] == nil:
			return 0, fmt.Errorf("nobody can count %q", what)
		case c.Runs[i].By[what] != "":
			different[c.Runs[i].By[what]] = true
		case k.word(what, r) != "" && what != "versions":
			return 0, fmt.Errorf("run %q states %s, and is of none", r.ID, what)
		}
	}
	return sum + len(different), nil
}

// words are what a run states, in its own words, of what it is one of.
var words = map[string]func(*catalog.Run) string{
	"models": model,
	"hardware": func(r *catalog.Run) string {
		if h := machine(r); h != "" {
			return h + "\x00" + count(r)
		}
		return ""
	},
	"pairs": func(r *catalog.Run) string {
		m, h := model(r), machine(r)
		if m != "" && h != "" {
			return m + "\x00" + h + "\x00" + count(r)
		}
		return ""
	},
	"accelerators": machine,
	"engines":      func(r *catalog.Run) string { return attribute(r, "engine") },
	"versions": func(r *catalog.Run) string {
		if v := attribute(r, "engine_version"); v != "" {
			return attribute(r, "engine") + "\x00" + v
		}
		return ""
	},
}

// model is the model that a run states, "" where what it states is a blank to fill in.
func model(r *catalog.Run) string {
	m := strings.TrimSpace(cmp.Or(attribute(r, "model"), r.Identity.Model))
	if !strings.ContainsFunc(m, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) ||
		blank.MatchString(m) {
		return ""
	}
	return m
}

// blank is text that stands where a name should: a variable, a word in brackets, a word that says nothing is known.
var blank = regexp.MustCompile(
	`(?i)^(\$.*|[<«][^<>«»]*[>»]|\{.*\}|%.*%|@.*@|__.*__|xxx+|not[ _-]+\w+|none|null|nil|n/?a|un(known|defined|specified)|` +
		`to ?do|tbd|fixme|change.?me|placeholder|your[-_ ].*)$`)

// ofAny are words that stand beside the name of an accelerator and are none.
var ofAny = regexp.MustCompile(
	`(?i)\b(amd|ati|nvidia|intel|apple|advanced micro devices|inc|corporation|r|tm|radeon|geforce|` +
		`graphics|gpus?|accelerators?|devices?|cards?|none|null|unknown|n|a|nil|unspecified|not|recorded|[0-9]+x?)\b`)

// machine is the hardware that a run states, "" where it names none: "AMD Radeon Graphics" may be any.
func machine(r *catalog.Run) string {
	h := attribute(r, "hardware")
	if !strings.ContainsFunc(ofAny.ReplaceAllString(h, ""), unicode.IsLetter) &&
		!strings.ContainsFunc(ofAny.ReplaceAllString(h, ""), unicode.IsDigit) {
		return ""
	}
	return h
}

// resolved holds what runs are counted as against their own words: equal words are one thing, and no words none.
func (c tallyClaim) resolved(k *Checker, runs []*catalog.Run) error {
	for what := range words {
		one := map[string]string{}
		for i, r := range runs {
			key, counted := c.Runs[i].By[what]
			if !counted {
				continue
			}
			w := strings.ToLower(k.word(what, r))
			if known, seen := one[w]; w == "" || seen && known != key {
				return fmt.Errorf("run %q says %q and is counted among the %s as %q", r.ID, w, what, key)
			}
			one[w] = key
		}
	}
	return nil
}

// scoresOnly reports whether a run measured how well a model answers, and nothing else.
func scoresOnly(r *catalog.Run) bool {
	return len(r.Points) == 0 && len(r.Profiles) == 0 && len(r.Figures) > 0 &&
		!slices.ContainsFunc(r.Figures, func(f catalog.Figure) bool { return f.Score == nil })
}

// kin is what runs share by which a tally is of them: the words that are equal.
var kin = map[string][]string{"model": {"models"}, "card": {"models", "hardware"}, "accelerator": {"accelerators"},
	"engine": {"engines"}}

// whole holds the runs of a tally against the others of the catalog: none that it is of may be missing.
func (k *Checker) whole(c tallyClaim, runs []*catalog.Run, in map[*catalog.Run]bool) error {
	missing := func(of func(*catalog.Run) bool, among map[string]*catalog.Run) error {
		for _, r := range among {
			if !in[r] && of(r) {
				return fmt.Errorf("run %q is one of them and is not counted", r.ID)
			}
		}
		return nil
	}
	switch c.Of {
	case "all":
		return missing(func(*catalog.Run) bool { return true }, k.runs)
	case "listed":
		return missing(k.listed, k.runs)
	case "unlisted":
		for r := range in {
			if k.listed(r) {
				return fmt.Errorf("run %q states model and hardware", r.ID)
			}
		}
		return missing(func(r *catalog.Run) bool { return !k.listed(r) && !scoresOnly(r) }, k.runs)
	case "chosen":
		return nil
	}
	if kin[c.Of] == nil {
		return fmt.Errorf("nobody knows the runs %q", c.Of)
	}
	keys := map[string]bool{}
	for _, r := range runs {
		keys[k.shared(c.Of, r)] = true
	}
	for key := range keys {
		if err := missing(func(*catalog.Run) bool { return true }, k.grouped(c.Of)[key]); err != nil {
			return err
		}
	}
	return nil
}

// listed reports whether a run states model and hardware, and measured how fast they are.
func (k *Checker) listed(r *catalog.Run) bool {
	return k.word("models", r) != "" && k.word("hardware", r) != "" && !scoresOnly(r)
}

// word is what a run states of one of words.
func (k *Checker) word(what string, r *catalog.Run) string {
	if k.said[what] == nil {
		k.said[what] = map[*catalog.Run]string{}
	}
	said, known := k.said[what][r]
	if !known {
		said = words[what](r)
		k.said[what][r] = said
	}
	return said
}

// shared are the words of a run by which a tally is of it.
func (k *Checker) shared(of string, r *catalog.Run) (key string) {
	for _, what := range kin[of] {
		key += strings.ToLower(k.word(what, r)) + "\x00"
	}
	return key
}

// grouped are the listed runs of the catalog by what they share.
func (k *Checker) grouped(of string) map[string]map[string]*catalog.Run {
	if k.groups[of] == nil {
		k.groups[of] = map[string]map[string]*catalog.Run{}
		for id, r := range k.runs {
			if !k.listed(r) {
				continue
			}
			key := k.shared(of, r)
			if k.groups[of][key] == nil {
				k.groups[of][key] = map[string]*catalog.Run{}
			}
			k.groups[of][key][id] = r
		}
	}
	return k.groups[of]
}

// between holds the smallest and the largest load against all workloads.
func (c tallyClaim) between(k *Checker, runs []*catalog.Run) error {
	if len(c.Loads) == 0 {
		return nil
	}
	lo, hi, axis := math.Inf(1), math.Inf(-1), ""
	for _, r := range runs {
		for _, v := range k.curvesOf(r) {
			if axis != "" && v.axis != axis {
				return fmt.Errorf("loads of two kinds have no smallest")
			}
			axis = v.axis
			lo, hi = min(lo, v.loads[0].load), max(hi, v.loads[len(v.loads)-1].load)
		}
	}
	if len(c.Loads) != 2 || float64(c.Loads[0]) != lo || float64(c.Loads[1]) != hi {
		return fmt.Errorf("the loads are %v to %v", lo, hi)
	}
	return nil
}

package figure

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// SameTurn is by which part of a turn another one has to be longer to be told apart from it: 2 %.
const SameTurn = 0.02

// Shortest are the ranked configurations whose turn is not told apart from that of the first: it is less than
// [SameTurn] longer, or the ranges of the two touch. The first alone is one to take.
func (cs Configurations) Shortest() (same []Configuration) {
	first := cs.Ranked[0]
	for _, c := range cs.Ranked {
		if c.Apart(first) && first.Turn <= (1-SameTurn)*c.Turn {
			break
		}
		same = append(same, c)
	}
	return same
}

// Switch is a parameter that has two values in a table of configurations, with the pairs of runs that differ in it and
// in nothing else that is recorded.
type Switch struct {
	Key string
	// Off and On are its values; Off is "" where the runs do not record it.
	Off, On string
	Pairs   []SwitchPair
}

// SwitchPair are two configurations that differ in one parameter.
type SwitchPair struct{ Off, On Configuration }

// turnedOff are values of a parameter that mean that it is not in use; of two others the smaller one comes first.
var turnedOff = []string{"", "0", "false", "off", "no", "none"}

// Switches are the parameters that tell pairs of ranked configurations apart, by their names.
func (cs Configurations) Switches() (out []Switch) {
	type values struct{ key, off, on string }
	found := map[values][]SwitchPair{}
	for i, a := range cs.Ranked {
		for _, b := range cs.Ranked[i+1:] {
			key, ok := onlyDifference(a.Run, b.Run)
			if !ok {
				continue
			}
			off, on := a, b
			if later(off.Run.Param(key), on.Run.Param(key)) {
				off, on = on, off
			}
			v := values{key, off.Run.Param(key), on.Run.Param(key)}
			found[v] = append(found[v], SwitchPair{off, on})
		}
	}
	for _, v := range slices.SortedFunc(maps.Keys(found), func(a, b values) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.off, b.off), cmp.Compare(a.on, b.on))
	}) {
		out = append(out, Switch{v.key, v.off, v.on, found[v]})
	}
	return out
}

// later reports whether a value of a parameter stands behind another one: what is in use behind what is not.
func later(a, b string) bool {
	off := func(v string) int {
		if slices.Contains(turnedOff, strings.ToLower(v)) {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(off(a), off(b)), cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) > 0
}

// longNames are parameters of llama-bench by the short names of its options, under which scripts keep them a second time.
var longNames = map[string]string{"fa": "flash_attn", "b": "n_batch", "ub": "n_ubatch", "ngl": "n_gpu_layers",
	"t": "n_threads", "mmp": "use_mmap", "ctk": "type_k", "ctv": "type_v"}

// onlyDifference is the parameter that two runs of one engine version differ in, where they differ in nothing else that
// is recorded and the names of their files say nothing more.
func onlyDifference(a, b *Run) (key string, ok bool) {
	differ := map[string]bool{}
	for _, r := range []*Run{a, b} {
		for k := range r.Parameters {
			if !record.PerLaunch(k) && a.Param(k) != b.Param(k) {
				differ[cmp.Or(longNames[k], k)] = true
			}
		}
	}
	for _, r := range []*Run{a, b} {
		for k := range r.Attributes {
			label, is := strings.CutPrefix(k, "labels.")
			told := is && differ[cmp.Or(longNames[label], label)] // the parameter, as a label
			if !ofOneLaunch[k] && !told && a.Attr(k) != b.Attr(k) {
				return "", false
			}
		}
	}
	if len(differ) != 1 {
		return "", false
	}
	for k := range differ {
		key = k
	}
	same := func(of func(*Run) (string, string)) bool {
		x, _ := of(a)
		y, _ := of(b)
		return x == y
	}
	words := func(r *Run) []string {
		return slices.DeleteFunc(telling(fileWords(r)), func(word string) bool {
			return longNames[strings.TrimRight(word, "0123456789")] == key // "fa1"
		})
	}
	ok = a.Param(key) != b.Param(key) && same(folderOf) && slices.Equal(words(a), words(b))
	return key, ok
}

// Longest is the decode test that tells most of a long conversation: with the fullest context, of those the longest,
// among the tests that all ranked configurations of pairs have. ok is false where the context is no fuller than in the
// test that they are ranked by.
func (cs Configurations) Longest(pairs []SwitchPair) (long Test, ok bool) {
	full := func(t Test) float64 { return t.depth + t.Tokens }
	long = cs.Decode
	for _, t := range pairs[0].Off.Run.tests(metric.TGSpeed) {
		all := !slices.ContainsFunc(pairs, func(p SwitchPair) bool {
			_, off := t.Of(p.Off.Run)
			_, on := t.Of(p.On.Run)
			return !off || !on
		})
		if all && full(t) > full(long) {
			long = t
		}
	}
	return long, full(long) > full(cs.Decode)
}

// Backend is what computes, as the tool calls it: "ROCm", "Vulkan"; "" where it is not recorded.
func (r *Run) Backend() string { return r.Attr(backendLabel) }

// backendLabel is the attribute of the backend.
const backendLabel = "labels.backend"

// LargeFall is which part of its speed prefill loses at least, from a prompt to one twice as long, where that is said: 25 %.
const LargeFall = 0.25

// ShortestPrompt is how many tokens a prompt has at least of which a fall is said: shorter ones time the start.
const ShortestPrompt = 32

// Fall is where prefill loses more than [LargeFall] in all configurations of one backend.
type Fall struct {
	Backend string
	// Short and Long are prefill from an empty context, of prompts one of which is twice the other.
	Short, Long Test
	Runs        []*Run
}

// Falls are those of a table, one a backend: of several lengths the one where the configuration that loses least loses
// most. Of one configuration alone nothing is said.
func (cs Configurations) Falls() (out []Fall) {
	groups := map[string][]*Run{}
	for _, r := range cs.Runs() {
		groups[r.Backend()] = append(groups[r.Backend()], r)
	}
	for _, backend := range slices.Sorted(maps.Keys(groups)) {
		runs := groups[backend]
		if backend == "" || len(runs) < 2 {
			continue
		}
		var worst Fall
		least := LargeFall
		tests := runs[0].tests(metric.PPSpeed)
		for _, short := range tests {
			i := slices.IndexFunc(tests, func(t Test) bool { return t.Tokens == 2*short.Tokens && t.depth == 0 })
			if i < 0 || short.depth > 0 || short.Tokens < ShortestPrompt {
				continue
			}
			if lost, ok := leastLost(runs, short, tests[i]); ok && lost > least {
				least, worst = lost, Fall{backend, short, tests[i], runs}
			}
		}
		if worst.Runs != nil {
			out = append(out, worst)
		}
	}
	return out
}

// leastLost is what the run loses that loses least; ok is false where a run lacks a test.
func leastLost(runs []*Run, short, long Test) (least float64, ok bool) {
	for i, r := range runs {
		a, has := short.Of(r)
		b, too := long.Of(r)
		if !has || !too {
			return 0, false
		}
		if lost := 1 - b.Mean/a.Mean; i == 0 || lost < least {
			least = lost
		}
	}
	return least, true
}

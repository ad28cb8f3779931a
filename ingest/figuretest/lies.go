package figuretest

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/refute"
)

// Holds makes catalogs with random numbers, each with the statements that state makes of it. Package refute, which
// shares no code with the makers of statements, must find each of them true, and each lie that differs from one in a
// number, a truth or a run, of the first lies statements of each kind. Each of some kinds must come up.
func Holds(t *testing.T, rnd *rand.Rand, catalogs, lies int, state func(*catalog.Catalog) []refute.Statement, kinds ...string) {
	t.Helper()
	claims, told := 0, 0
	seen := map[string]int{}
	for range catalogs {
		c := Invented(rnd)
		k := refute.New(c)
		all := state(c)
		for _, f := range k.Check(all) {
			t.Errorf("%s of run %s on %q: %q: %s\n%s", f.Kind, f.Run, f.Page, f.Text, f.Why, f.Claim)
		}
		claims += len(all)
		for _, s := range all {
			if seen[s.Kind]++; seen[s.Kind] > lies {
				continue // lies of one kind are alike
			}
			for path, damaged := range lied(t, s.Claim) {
				told++
				lie := s
				lie.Claim = damaged
				if len(k.Check([]refute.Statement{lie})) == 0 {
					t.Errorf("%s: %q: a lie at %s is not found: %s", s.Kind, s.Text, path, damaged)
				}
			}
		}
		if t.Failed() {
			break
		}
	}
	for _, kind := range kinds {
		if seen[kind] == 0 {
			t.Errorf("no claim of the kind %q was made", kind)
		}
	}
	t.Logf("%d claims, all true; %d lies, all found; %v", claims, told, seen)
}

// Statement is a sentence as a site publishes it, read back.
func Statement(t *testing.T, sentence any) (s refute.Statement) {
	t.Helper()
	b, err := json.Marshal(sentence)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// lied are copies of a claim, each with one of its numbers, truths or runs damaged, by the place of what was.
func lied(t *testing.T, claim json.RawMessage) map[string]json.RawMessage {
	t.Helper()
	out := map[string]json.RawMessage{}
	var whole any
	if err := json.Unmarshal(claim, &whole); err != nil {
		t.Fatal(err)
	}
	var walk func(v any, path string, set func(any))
	lie := func(path string, set func(any), was, is any) {
		set(is)
		b, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		set(was)
		out[path] = b
	}
	walk = func(v any, path string, set func(any)) {
		switch x := v.(type) {
		case float64:
			if strings.Contains(path, ".among.") { // another place may be as true: none is
				lie(path, set, v, -1)
				return
			}
			lie(path, set, v, x*1.01+1)
		case bool:
			if !strings.HasSuffix(path, ".amber") { // a caution too many is none
				lie(path, set, v, !x)
			}
		case string:
			switch path[strings.LastIndexByte(path, '.')+1:] {
			case "run":
				lie(path, set, v, "nosuchrun")
			case "metric":
				lie(path, set, v, "input_throughput")
			case "stat":
				lie(path, set, v, "p12")
			case "load": // "inf"
				lie(path, set, v, 3.0)
			case "is", "of", "what":
				lie(path, set, v, "nothing")
			case "newest":
				lie(path, set, v, "2031-01-01")
			case "certainty":
				lie(path, set, v, "surely")
			}
		case map[string]any:
			for k, y := range x {
				walk(y, path+"."+k, func(z any) { x[k] = z })
			}
		case []any:
			for i, y := range x {
				walk(y, path+"."+string(rune('0'+i%10)), func(z any) { x[i] = z })
			}
		}
	}
	walk(whole, "", func(any) {})
	return out
}

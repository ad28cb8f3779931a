package figuretest

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/refute"
)

// Holds makes catalogs with random numbers, each with the statements that state makes of it. Package refute, which
// shares no code with the makers of statements, must find each of them true, and each lie that differs from one in a
// number, a truth or a run, of the first lies statements of each kind, and each whose text has two numbers or names
// exchanged, or another number, word or unit. Each of some kinds must come up.
func Holds(t *testing.T, rnd *rand.Rand, catalogs, lies int, state func(*catalog.Catalog) []refute.Statement,
	kinds ...string) {
	t.Helper()
	claims, told, worded := 0, 0, 0
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
			n, m := Lies(t, k, s)
			told, worded = told+n+m, worded+m
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
	t.Logf("%d claims, all true; %d lies, all found, %d of them in their words; %v", claims, told, worded, seen)
}

// Lies checks that package refute finds each lie that differs from a statement in a number, a truth or a run of its
// claim, and each in its words; it returns how many of both there are.
func Lies(t *testing.T, k *refute.Checker, s refute.Statement) (told, worded int) {
	t.Helper()
	for path, damaged := range lied(t, s.Claim) {
		told++
		lie := s
		lie.Claim = damaged
		if len(k.Check([]refute.Statement{lie})) == 0 {
			t.Errorf("%s: %q: a lie at %s is not found: %s", s.Kind, s.Text, path, damaged)
		}
	}
	for what, lie := range reworded(s) {
		worded++
		if len(k.Check([]refute.Statement{lie})) == 0 {
			t.Errorf("%s: %s is not found: %q, which is %q", s.Kind, what, lie.Text, s.Text)
		}
	}
	return told, worded
}

// inText is a number of a text.
var inText = regexp.MustCompile(`[0-9]+(?:\x{202f}[0-9]{3})*(?:\.[0-9]+)?`)

// sameNumber reports whether two texts are one number to different digits.
func sameNumber(x, y string) bool {
	number := func(s string) (float64, error) { return strconv.ParseFloat(strings.ReplaceAll(s, "\u202f", ""), 64) }
	a, errA := number(x)
	b, errB := number(y)
	return errA == nil && errB == nil && a == b
}

// opposites are words and units that mean something else: each stands for the next.
var opposites = [][2]string{{"higher", "lower"}, {"lower", "higher"}, {"longer", "shorter"}, {"shorter", "longer"},
	{"better", "worse"}, {"worse", "better"}, {"lowest", "highest"}, {"highest", "lowest"}, {" more", " less"},
	{" less", " more"}, {" fewer", " more"}, {"+", "−"}, {"−", "+"}, {"\u202fms", "\u202fs"}, {"\u202fs ", "\u202fms "},
	{"\u202fµs", "\u202fms"}, {"tok/s", "requests/s"}, {"requests/s", "tok/s"}, {"parallel requests", "requests/s"},
	{" per accelerator", ""}, {"tok/s ", "tok/s per accelerator "}, {"at all ", "at any of "}, {"Median ", "Mean "},
	{"Mean ", "Median "}, {"median ", "mean "}, {"mean ", "median "}, {"TTFT", "TPOT"}, {"TPOT", "TTFT"},
	{" models", " runs"},
	{" runs", " models"}, {"not distinguishable", "distinguishable"}, {"decode-bound", "prefill-bound"},
	{"None of", "Two of"}, {"; the two are not told apart", ""}, {"×", "\u202f%"}, {"\u202f%", "×"}}

// reworded are copies of a statement with a text of which something is not so: two numbers or two names stand in
// one another's place, a number is another one, a word or a unit its opposite.
func reworded(s refute.Statement) map[string]refute.Statement {
	out := map[string]refute.Statement{}
	tell := func(what, text string) {
		if lie := s; text != s.Text {
			lie.Text = text
			out[what] = lie
		}
	}
	if s.Kind == "named" {
		return out // says nothing that could be another way
	}
	masked := s.Text
	var names []string
	for _, n := range s.Names {
		if strings.Contains(s.Text, n) && n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	for _, n := range names {
		masked = strings.ReplaceAll(masked, n, strings.Repeat("\x00", len(n)))
	}
	for _, n := range []string{"p99", "95\u202f%", "99 in 100", "E2E", "10⁶"} { // say the same of all
		masked = strings.ReplaceAll(masked, n, strings.Repeat("\x00", len(n)))
	}
	at := inText.FindAllStringIndex(masked, -1)
	for i, a := range at {
		x := s.Text[a[0]:a[1]]
		tell("another number "+x, s.Text[:a[0]]+"7"+x+s.Text[a[1]:])
		for _, b := range at[i+1:] {
			y := s.Text[b[0]:b[1]]
			if sameNumber(x, y) {
				continue // 2 in the place of 2.00 is no lie
			}
			tell(x+" in the place of "+y, s.Text[:a[0]]+y+s.Text[a[1]:b[0]]+x+s.Text[b[1]:])
		}
	}
	for _, o := range opposites {
		if s.Kind == "tally" && strings.TrimSpace(o[0]+o[1]) == "per accelerator" {
			continue // what the page shows beside the counts
		}
		if i := strings.Index(masked, o[0]); i >= 0 {
			tell(o[1]+" for "+o[0], s.Text[:i]+o[1]+s.Text[i+len(o[0]):])
		}
	}
	for i, a := range names {
		for _, b := range names[i+1:] {
			if strings.Contains(a, b) {
				continue
			}
			tell(a+" in the place of "+b, strings.NewReplacer(a, b, b, a).Replace(s.Text))
			// The same in the claim: two runs have one another's name.
			called := func(n string) string { b, _ := json.Marshal(n); return `"called":` + string(b) }
			claim := strings.NewReplacer(called(a), called(b), called(b), called(a)).Replace(string(s.Claim))
			if strings.Contains(claim, called(a)) && strings.Contains(claim, called(b)) {
				lie := s
				lie.Text, lie.Claim = strings.NewReplacer(a, b, b, a).Replace(s.Text), json.RawMessage(claim)
				out["the run of "+a+" as "+b] = lie
			}
		}
	}
	return out
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

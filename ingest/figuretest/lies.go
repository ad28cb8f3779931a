package figuretest

import (
	"encoding/json"
	"strings"
	"testing"
)

// Lies are copies of a claim, each with one of its numbers, truths or runs damaged, and what was.
func Lies(t *testing.T, claim json.RawMessage, other string) map[string]json.RawMessage {
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
				lie(path, set, v, other)
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

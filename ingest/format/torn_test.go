package format_test

import (
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/record"
)

// A log or a report that ends inside of a number gives no part of it for the whole: 1 of 1500 tok/s is no speed.
func TestTornNumbers(t *testing.T) {
	cases, err := filepath.Glob("*/testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	type place struct{ key, quantity, stat string }
	numbers := func(name string, text []byte) map[place][]float64 {
		out := map[place][]float64{}
		records, _ := ingest.ReadFile(name, text, format.All())
		for _, r := range records {
			if res, ok := r.(*record.Result); ok {
				for _, v := range res.Values {
					at := place{v.Key, string(v.Quantity), v.Stat}
					out[at] = append(out[at], v.Number)
				}
			}
		}
		return out
	}
	inside := regexp.MustCompile(`[ \t|][0-9](?:[0-9,]|\.[0-9])`) // the beginning of a number that goes on
	torn := 0
	for _, path := range cases {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			ext := filepath.Ext(f.Name)
			whole := numbers(f.Name, f.Data)
			if ext == ".json" || ext == ".jsonl" || ext == ".csv" || ext == ".tsv" || len(whole) == 0 || len(f.Data) > 8<<10 {
				continue
			}
			for _, at := range inside.FindAllIndex(f.Data, -1) {
				torn++
				for place, ns := range numbers(f.Name, f.Data[:at[0]+2]) {
					for _, n := range ns {
						known := false
						for _, w := range whole[place] {
							known = known || math.Abs(n-w) <= 0.01*math.Abs(w)
						}
						if !known {
							t.Errorf("%s, %s cut behind %q: %v is %v, of the whole %v", path, f.Name,
								f.Data[max(0, at[0]-20):at[0]+2], place, n, whole[place])
						}
					}
				}
			}
		}
	}
	if torn < 500 {
		t.Errorf("%d numbers were torn: the test shows nothing", torn)
	}
}

// What amd-smi prints gives no part of a name or a size for the whole, and says where it was cut.
func TestTornDevices(t *testing.T) {
	const text = "GPU: 0\n    ASIC:\n        MARKET_NAME: AMD Instinct MI300X\n    VRAM:\n        SIZE: 196592 MB\n"
	for _, c := range []struct {
		ends   string
		name   string
		memory bool
		line   int
	}{
		{" MB\n", "AMD Instinct MI300X", true, 0},
		{"SIZE: 196", "AMD Instinct MI300X", false, 5},
		{"AMD Inst", "", false, 3},
	} {
		records, _ := ingest.ReadFile("amd-smi.txt", []byte(text[:strings.Index(text, c.ends)+len(c.ends)]), format.All())
		name, memory, cut := "", false, 0
		for _, r := range records {
			switch r := r.(type) {
			case *record.System:
				name, memory = r.Devices[0].Name, r.Devices[0].MemoryMiB != nil
			case *record.SyntaxError:
				cut = max(cut, r.At.Line)
			}
		}
		if name != c.name || memory != c.memory || cut != c.line {
			t.Errorf("up to %q: %q, memory %v, cut in line %d, want %q, %v, %d", c.ends, name, memory, cut, c.name, c.memory,
				c.line)
		}
	}
}

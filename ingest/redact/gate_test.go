package redact

import (
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What nextFlag and nextAssign find by hand.
var (
	reFlag = regexp.MustCompile(`(?:^|[\s"'` + "`" +
		`\[,(=:;])--?([A-Za-z][A-Za-z0-9_.-]*)(\s*\\\r?\n\s*|\\*["']?\s*[,=]\s*|\\*["']?[^\S\n]+)`)
	reAssign = regexp.MustCompile(`([A-Za-z_][A-Za-z0-9_.-]*)(\\*["']?\s*[=:]\s*)`)
)

// pieces are of what the expressions and their gates look at.
var pieces = strings.Split(`--api-key|-u|-p|--user|--proxy-user|curl|http|https|://|//|ab|wget|user|:|pass|@|host|.internal|.com|gpu17|RPC[|]|50052|`+
	`10.0.0.1|12.4.5.8|fe80::1:2|::|00:11:22:33:44:55|00-11-22-33-44-55|GPU-12345678-1234-1234-1234-123456789abc|-|_|.|,|;|=|&|?sig=|key=|signature=|`+
	`"|'|\\|\\"| |  |\n|\r\n|\t|\\n|name|value|Value|NAME|:|serial number|Host Name|host name|ſerial number|api \u212aey|ip addr|mac address|uuid|`+
	`authorization|Authorization|bearer|Bearer|hf_abcdefgh|hf_tokenizer|xsk-abcdefgh|sk-abcdefgh|AKIAABCDEFGHIJKL|eyJhbGciOi.eyJzdWIi.x|machine|login|password|`+
	`Authorization%3A%20x|Basic abcdefgh1|api-key |passwd |PASSWORD abcdefg1|IDENTIFIED BY x|set TOKEN x|redis-cli -a x|figd_abcdefgh|`+
	`sshpass -p|docker login|mysql|/home/|/Users/|jane|<|>|</|é|\u212a|ſ|\xff|`+"`"+`|[|(|)|{|}|%eth0|1|a|B|hooks.slack.com/x|~|git@|v1.2.3|$|\f`, "|")

// A gate lets through what its expression finds, and nothing else is found by hand.
func TestGates(t *testing.T) {
	shapes, err := os.ReadFile("testdata/shapes.txt")
	if err != nil {
		t.Fatal(err)
	}
	texts := strings.Split(string(shapes), "\n")
	random := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		var b strings.Builder
		for range 1 + random.IntN(14) {
			piece := pieces[random.IntN(len(pieces))]
			b.WriteString(strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\f`, "\f", `\xff`, "\xff", `\u212a`, "\u212a").Replace(piece))
		}
		texts = append(texts, b.String())
	}
	for _, s := range texts {
		for re := range gates {
			want := re.FindAllStringSubmatchIndex(s, -1)
			got := find(re, s)
			if re == reToken { // of what stands before a token nothing is taken
				for _, list := range [][][]int{want, got} {
					for i := range list {
						list[i] = slices.Clone(list[i][4:6])
					}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%q in %q (-want +got):\n%s", re, s, diff)
			}
		}
		for re, next := range map[*regexp.Regexp]func(string, int) (int, int, int, bool){reFlag: nextFlag, reAssign: nextAssign} {
			for at := 0; at <= len(s); at++ {
				var want [3]int
				x := re.FindStringSubmatchIndex(s[at:])
				if x != nil {
					want = [3]int{at + x[2], at + x[3], at + x[5]}
				}
				name, end, value, ok := next(s, at)
				if got := [3]int{name, end, value}; got != want && ok || ok != (x != nil) {
					t.Fatalf("%q in %q from %d: %v, %v, want %v, %v", re, s, at, got, ok, want, x != nil)
				}
			}
		}
	}
}

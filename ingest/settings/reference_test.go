package settings_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/settings"
)

var knownKeys = regexp.MustCompile(`unknown key "zzzzzzzzzzzzzzzzzzzz": known are (.*)`)

// The reference has the keys that the readers know, no fewer and no more: each table is read with a key that there is
// not, which lists those that there are.
func TestReferenceIsWhatIsRead(t *testing.T) {
	for file, keys := range settings.References() {
		// heads are the lines that open the table.
		var check func(path, heads string, keys []settings.Key)
		check = func(path, heads string, keys []settings.Key) {
			var want []string
			for _, k := range keys {
				if k.Name == "*" {
					return
				}
				if k.Doc == "" {
					t.Errorf("%s: %s %s: no doc", file, path, k.Name)
				}
				want = append(want, k.Name)
				if len(k.Keys) > 0 {
					below := strings.TrimPrefix(path+"."+k.Name, ".")
					head := "[" + below + "]\n"
					if k.Type == settings.Tables {
						head = "[" + strings.TrimSpace(head) + "]\n"
					}
					check(below, heads+head, k.Keys)
				}
			}
			got := known(file, heads+"zzzzzzzzzzzzzzzzzzzz = 1\n")
			slices.Sort(want)
			if strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("%s: [%s]:\nread      %s\nreference %s", file, path, got, want)
			}
		}
		check("", "", keys)
	}
}

// known are the keys that the reader of a file says it knows.
func known(file, text string) []string {
	var diags []settings.Diagnostic
	if file == "inferdex.toml" {
		_, diags = settings.LoadConfig([]byte(text), file)
	} else {
		_, diags = settings.LoadSidecars(map[string][]byte{file: []byte(text)})
	}
	for _, d := range diags {
		if m := knownKeys.FindStringSubmatch(d.Message); m != nil {
			all := strings.Split(m[1], ", ")
			slices.Sort(all)
			return slices.Compact(all)
		}
	}
	return nil
}

package settings_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
	"github.com/inferdex/inferdex/ingest/settings"
)

// What is written as a lock is read as it was; anything else is a mistake with its place.
func TestPins(t *testing.T) {
	sum := strings.Repeat("0a", 32)
	want := []settings.Pin{{URL: "https://a.example/data/", SHA256: sum, Bytes: 7},
		{URL: "https://b.example/data/", SHA256: sum, Runs: 3, Bytes: 9}}
	lock, err := settings.WritePins([]settings.Pin{want[1], want[0]})
	if err != nil {
		t.Fatal(err)
	}
	if got, wrong := settings.LoadPins(lock, "x.lock"); !slices.Equal(got, want) || wrong != nil {
		t.Errorf("%v, %v of %s", got, wrong, lock)
	}
	if got, wrong := settings.LoadPins(nil, "x.lock"); got != nil || wrong != nil {
		t.Errorf("%v, %v of nothing", got, wrong)
	}
	text := string(lock)
	said := func(s string) string {
		var list []string
		_, wrong := settings.LoadPins([]byte(s), "x.lock")
		for _, d := range wrong {
			list = append(list, d.String())
		}
		return strings.Join(list, "\n")
	}
	goldentest.Table(t, said, map[string]string{
		strings.Replace(text, "runs = 3", `runs = "three"`, 1): `x.lock:13:1: runs is no whole number from 0`,
		strings.Replace(text, "runs = 3", "runs = -3", 1):      `x.lock:13:1: runs is no whole number from 0`,
		strings.Replace(text, "bytes = 9", "bytes = nan", 1):   `x.lock:14:1: bytes is no whole number from 0`,
		strings.Replace(text, "runs = 3\n", "", 1):             `x.lock:10:1: runs is no whole number from 0`,
		strings.Replace(text, sum, "../../\\u001b[31m", 1):     `x.lock:6:1: sha256 is "../../\x1b[31m", want the 64 hex digits of a digest`,
		strings.Replace(text, "runs = 3", "run = 3", 1): "x.lock:10:1: runs is no whole number from 0\n" +
			`x.lock:13:1: unknown key "run": did you mean "runs"?`,
		text[:len(text)-4]: `x.lock:14:6: not valid TOML: unexpected EOF; expected key separator '='`,
	})
}

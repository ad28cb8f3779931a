package settings

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"

	"github.com/BurntSushi/toml"
)

// Pin is a state of a catalog that somebody publishes: the digest of its index, which has the digests of all else.
type Pin struct {
	URL    string `toml:"url"`    // as in inferdex.toml, with a slash at its end
	SHA256 string `toml:"sha256"` // of the index, in lower-case hex
	Runs   int64  `toml:"runs"`
	Bytes  int64  `toml:"bytes"` // of the index and the archives
}

var digest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// LoadPins reads the lock that [WritePins] wrote. No data are no pins. With a diagnostic the lock is not to be used.
func LoadPins(data []byte, file string) (pins []Pin, _ []Diagnostic) {
	doc, t := parse(file, data)
	for _, p := range t.tables("catalog") {
		pin := Pin{URL: p.remote(), SHA256: p.text("sha256"), Runs: p.count("runs"), Bytes: p.count("bytes")}
		if !digest.MatchString(pin.SHA256) {
			doc.report(p.at("sha256"), "sha256 is %q, want the 64 hex digits of a digest", clip(pin.SHA256, 80))
		}
		p.close()
		pins = append(pins, pin)
	}
	t.close()
	return pins, doc.sorted()
}

// count reads a whole number from 0.
func (t *table) count(key string) int64 {
	v, _ := t.get(key)
	n, ok := v.(int64)
	if !ok || n < 0 {
		t.doc.report(t.at(key), "%s is no whole number from 0", key)
	}
	return n
}

// WritePins is the lock of some catalogs, sorted by their addresses.
func WritePins(pins []Pin) ([]byte, error) {
	pins = slices.Clone(pins)
	slices.SortFunc(pins, func(a, b Pin) int { return cmp.Compare(a.URL, b.URL) })
	b := bytes.NewBufferString("# Written by 'inferdex fetch': the states of the catalogs that inferdex.toml names.\n" +
		"# 'inferdex fetch --update' takes what they have now.\n")
	for _, p := range pins {
		b.WriteString("\n[[catalog]]\n")
		if err := toml.NewEncoder(b).Encode(p); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

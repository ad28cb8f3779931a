package reading_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"
)

// Lines of a private key are hidden up to its end; of one that was cut, those that may be of it.
func TestUnkeyed(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb\n": "a\nb\n",
		"a\n-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4\n\n  MIIEowIBAAKC\r\nQ7=\n-----END RSA PRIVATE KEY-----\nb\n":          "a\n-----BEGIN RSA PRIVATE KEY-----\nredacted    \n\n  redacted    \r\nred\n-----END RSA PRIVATE KEY-----\nb\n",
		"-----BEGIN PGP PRIVATE KEY BLOCK-----\nMIIEowIBAAKC\n| a | 1 |\nb\n":                                                    "-----BEGIN PGP PRIVATE KEY BLOCK-----\nredacted    \n| a | 1 |\nb\n",
		"{\"k\": \"-----BEGIN PRIVATE KEY-----\\nMII\",\n7}\n-----END PRIVATE KEY-----":                                          "{\"k\": \"-----BEGIN PRIVATE KEY-----\\nMII\",\n7}\n-----END PRIVATE KEY-----",
		"-----BEGIN A PRIVATE KEY-----\nMIIEowIBAAKC\na b\n-----BEGIN B PRIVATE KEY-----\nMII\n-----END B PRIVATE KEY-----\nabc": "-----BEGIN A PRIVATE KEY-----\nredacted    \na b\n-----BEGIN B PRIVATE KEY-----\nred\n-----END B PRIVATE KEY-----\nabc",
	} {
		if got := string(reading.Unkeyed([]byte(text))); got != want {
			t.Errorf("%q\nbecame %q\nand not %q", text, got, want)
		}
	}
}

package reading_test

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"
)

// A table that begins with a time, or of which a cell is called as a container, is no log.
func TestLogged(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "2026-01-02T03:04:05Z,1,2\n": false, "2026-01-02T03:04:05.1Z a\nb\n": false,
		"| H100-8 | 5 |\n| H100-9 | 6 |\n": false, "gpu | t/s\nH100-8 | 5\n": false, "{\"a\": \"\\u001b[0m\"}": false,
		"2026-01-02T03:04:05.1Z a\n2026-01-02T03:04:05Z\nb\n": true, "\ufeff2026-01-02T03:04:05.1Z a": true,
		"web-1 | a\nbench-12  | b\n": true, "[pod/a-b/c] x\n[pod/a-b/c] 2026-01-02T03:04:05Z y\n": true, "x\x1b[1mb\x1b[0m": true,
	} {
		if got := reading.Logged([]byte(text)); got != want {
			t.Errorf("%q is a log: %t", text, got)
		}
	}
	text := "2026-01-02T03:04:05.1Z   a\r\n2026-01-02T03:04:05Z\r\nb\n[pod/a/c] 2026-01-02T03:04:05Z \x1b[1my\n"
	if got := string(reading.Unlogged([]byte(text))); got != "  a\r\n\r\nb\ny\n" {
		t.Errorf("%q", got)
	}
}

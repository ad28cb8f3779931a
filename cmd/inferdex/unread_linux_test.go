package main

import (
	"strings"
	"testing"
)

// A file that may be opened and not read, by root either, is one that could not be read, and none that nobody recognises.
func TestUnreadInput(t *testing.T) {
	const name = "/proc/self/mem"
	said, code := typed(t.TempDir(), "ingest", name)
	if code != exitIO || !strings.Contains(said, name+": cannot be read: ") || !strings.Contains(said, "1 file could not be read") ||
		strings.Contains(said, "recognised") {
		t.Errorf("exit status %d\n%s", code, said)
	}
	said, code = typed(t.TempDir(), "compare", name, "x")
	if code != exitIO || !strings.Contains(said, name+": cannot be read: ") || !strings.Contains(said, "1 file could not be read") {
		t.Errorf("compare: exit status %d\n%s", code, said)
	}
}

package record

import (
	"strings"
	"testing"
)

// A session that is told apart by thousands of parameters has a name that is put together once.
func TestSessionKeyOfManyParts(t *testing.T) {
	parts := strings.Fields(strings.Repeat("--max-model-len=4096 ", 2000))
	if n := testing.AllocsPerRun(1, func() { SessionKey(parts...) }); n > 100 {
		t.Errorf("a name of %d parts takes %.0f allocations, 100 are allowed", len(parts), n)
	}
}

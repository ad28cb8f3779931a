package main

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
)

func TestStandardInputIsBounded(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	for _, size := range []int64{0, 1, maxHeld - 1, maxHeld, maxHeld + 1, 2 * maxHeld} {
		data, err := readStandardInput(io.LimitReader(zeros{}, size), 2*maxHeld)
		if err != nil || int64(len(data)) != size || bytes.Count(data, []byte{0}) != len(data) {
			t.Errorf("of %d bytes %d were read: %v", size, len(data), err)
		}
	}
	for _, most := range []int64{0, 5, maxHeld - 1, maxHeld} {
		if _, err := readStandardInput(zeros{}, most); err == nil || !strings.Contains(err.Error(), "more than") {
			t.Errorf("more than %d bytes are read: %v", most, err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const most = 256 << 20
	if _, err := readStandardInput(zeros{}, most); err == nil {
		t.Error("what does not end is read")
	}
	runtime.ReadMemStats(&after)
	// Growing a slice to maxHeld allocates less than eight times as much in all.
	if took := after.TotalAlloc - before.TotalAlloc; took > 8*maxHeld {
		t.Errorf("to refuse more than %d bytes took %d of memory", most, took)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

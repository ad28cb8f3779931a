package main

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
)

// The head of a comparison says engine and day of a run once, also where its series is named after them.
func TestDescribe(t *testing.T) {
	for series, want := range map[string]string{
		"":                           "M on H100, vLLM 0.8.2, 2025-04-14, run a",
		"2025-04-14, vLLM 0.8.2":     "M on H100, vLLM 0.8.2, 2025-04-14, run a",
		"vLLM 0.8.2, patched":        "M on H100, vLLM 0.8.2, patched, 2025-04-14, run a",
		"llama.cpp-vulkan, -fa 1":    "M on H100, vLLM 0.8.2, llama.cpp-vulkan, -fa 1, 2025-04-14, run a",
		"2025-04-14, vLLM 0.8.2, v1": "M on H100, vLLM 0.8.2, 2025-04-14, v1, run a",
	} {
		r := &figure.Run{Run: &catalog.Run{ID: "a", Started: "2025-04-14T12:00:00"}, Model: settings.Model{Name: "M"},
			Hardware: settings.Hardware{Name: "H100"}, Engine: settings.Engine{Name: "vLLM", Version: "0.8.2"}, Series: series}
		if got := describe(compare.Measured{Run: r, Of: []*figure.Run{r}}); got != want {
			t.Errorf("series %q: %q, want %q", series, got, want)
		}
	}
	r := &figure.Run{Run: &catalog.Run{ID: "a"}, Model: settings.Model{Name: "M"}, Hardware: (&settings.Names{}).Hardware("", 0)}
	if got, want := describe(compare.Measured{Run: r, Of: []*figure.Run{r}}), "M, hardware not recorded, run a"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

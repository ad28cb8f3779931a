package view

import "testing"

func TestAtomTime(t *testing.T) {
	for in, want := range map[string]string{
		"2025-03-26T13:43:50": "2025-03-26T13:43:50Z", "2025-03-26": "2025-03-26T00:00:00Z", "2025-03-26T13:43:50+02:00": "2025-03-26T11:43:50Z",
		"2025-03-26T13:43": "2025-03-26T13:43:00Z", "": "", "yesterday": "", "2025-13-01": "",
	} {
		if got := AtomTime(in); got != want {
			t.Errorf("atomTime(%q) = %q, want %q", in, got, want)
		}
	}
}

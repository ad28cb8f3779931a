package view

import (
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

func TestAtomTime(t *testing.T) {
	goldentest.Table(t, AtomTime, map[string]string{
		"2025-03-26T13:43:50": "2025-03-26T13:43:50Z", "2025-03-26": "2025-03-26T00:00:00Z",
		"2025-03-26T13:43:50+02:00": "2025-03-26T11:43:50Z",
		"2025-03-26T13:43":          "2025-03-26T13:43:00Z", "": "", "yesterday": "", "2025-13-01": "",
	})
}

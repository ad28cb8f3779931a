package reading_test

import (
	"fmt"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"
)

// A comma parts groups of three digits, or the text is no number.
func TestAmount(t *testing.T) {
	for text, want := range map[string]string{
		"1,422.28": "1422.28", "-1,422": "-1422", "12,345,678": "12345678", "49.26": "49.26", "1e3": "1000", "4926": "4926",
		"49,26": "", "1,4222": "", "1422,280": "", ",422": "", "1,42,228": "", "1.234,5": "", "1,422e3": "", "0x10": "",
		"0,012": "", "-0,500": "", "00,123": "", "1_000": "", "": "", "nan": "", "inf": "", "1e999": "",
	} {
		got := ""
		if n, ok := reading.Amount(text); ok {
			got = fmt.Sprint(int64(n))
			if n != float64(int64(n)) {
				got = fmt.Sprint(n)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Only the sign parts a mean and its deviation, however its bytes were broken: no comma, no dash, no word.
func TestSpread(t *testing.T) {
	for text, want := range map[string]string{
		"422.28 ± 1.78": "422.28 1.78", "1500.00±2": "1500 2", "5 +- 1": "5 1", "5 +/- 1": "5 1", "5 Â± 1": "5 1",
		"5 ┬▒ 1": "5 1", "5 \ufffd 1": "5 1", "5 ? 1": "5 1", "1,422.28 ± 2.50": "1422.28 2.5", "1,422.28": "1422.28",
		"300.00":         "300",
		"45,123 ± 0,012": "", "0,981": "", "98,76": "", "2,011.1.3": "", "90-110": "", "5 - 1": "", "5 to 7": "", "5 x 7": "", "5 / 7": "", "5 ±": "", "5; 7": "",
	} {
		got := ""
		if mean, deviation, ok := reading.Spread(text); ok {
			if got = fmt.Sprint(mean); deviation != nil {
				got += fmt.Sprint(" ", *deviation)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A comma that may part thousands does so, unless one beside it is that of decimals.
func TestUndecided(t *testing.T) {
	for text, want := range map[string]bool{"49,261": true, "1,422.28": false, "12,345,678": false, "49": false, "1422,2": false} {
		if reading.Undecided(text, []string{"12", " 40,1 ", text}) != want {
			t.Errorf("%q beside 40,1: %v, want %v", text, !want, want)
		}
		if reading.Undecided(text, []string{"2,010.5", "1,050", "", "n/a"}) {
			t.Errorf("%q: the commas beside it are no decimals", text)
		}
	}
}

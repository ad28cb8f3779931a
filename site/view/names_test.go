package view

import (
	"slices"
	"testing"

	"github.com/inferdex/inferdex/ingest/figure"
)

// Long names that share what a key would show of them are cut to the traits that tell them apart; short ones stay.
func TestLongNames(t *testing.T) {
	run := func(series string) *figure.Run { return &figure.Run{Series: series} }
	long := []*figure.Run{
		run("vLLM 0.6.3.post2.dev308, enable-chunked-prefill true, max-num-seqs 512"),
		run("vLLM 0.6.3.post2.dev308, enable-chunked-prefill true, max-num-seqs 256"),
		run("vLLM 0.6.3.post2.dev308, enable-chunked-prefill true, max-num-seqs 1024"),
	}
	for i, want := range []string{"max-num-seqs 512", "max-num-seqs 256", "max-num-seqs 1024"} {
		if got := seriesName(long[i], long); got != want {
			t.Errorf("%q is called %q, want %q", long[i].Series, got, want)
		}
	}
	short := []*figure.Run{run("vLLM 0.8.1, fast"), run("vLLM 0.8.1, slow")}
	if got := seriesName(short[0], short); got != "vLLM 0.8.1, fast" {
		t.Errorf("a short name became %q", got)
	}
	for _, c := range []struct {
		among []*figure.Run
		want  string
	}{
		{[]*figure.Run{run("2025-04-14, SGLang"), run("2025-04-14, vLLM")}, "SGLang"},
		{[]*figure.Run{run("2025-04-14, SGLang"), run("2025-04-15, vLLM")}, "2025-04-14, SGLang"},
		{[]*figure.Run{run("2025-04-14, no. 1"), run("2025-04-14, no. 2")}, "2025-04-14, no. 1"},
		{[]*figure.Run{run("2025-04-14, SGLang")}, "2025-04-14, SGLang"},
	} {
		if got := seriesName(c.among[0], c.among); got != c.want {
			t.Errorf("%q is called %q, want %q", c.among[0].Series, got, c.want)
		}
	}
}

// Counts of one accelerator stand together and in their order, not in that of their first digits.
func TestNamesOfHardwareInOrder(t *testing.T) {
	got := []string{"16× H200", "10× H100", "a100", "2× H100", "H100", "8× H200", "x× H100"}
	slices.SortStableFunc(got, byName)
	if want := []string{"a100", "H100", "2× H100", "10× H100", "8× H200", "16× H200", "x× H100"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

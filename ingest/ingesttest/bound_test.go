package ingesttest

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/format"
)

// bounded are inputs that nobody meant, far larger than those of TestMemory: their readers stop.
func bounded() map[string]string {
	rows := func(head string, row func(i int) string, n int) string {
		var b strings.Builder
		b.WriteString(head)
		for i := range n {
			b.WriteString(row(i))
		}
		return b.String()
	}
	serving := "model_id,duration,completed,total_input_tokens,total_token_throughput,mean_ttft_ms,max_concurrency"
	return map[string]string{
		"bench.md": rows("| model | size | params | backend | ngl | test | t/s |\n| --- | ---: | ---: | --- | --: | ---: | ---: |\n",
			func(i int) string {
				return fmt.Sprintf("| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA | 99 | pp%d | %d.25 ± 0.5 |\n", i%4096+1, 100+i)
			}, 300_000),
		"rows.csv": rows(serving+"\n", func(i int) string { return fmt.Sprintf("m,10.5,20,400,%d.5,20.25,4\n", i) }, 300_000),
		"wide.csv": rows(serving, func(i int) string { return fmt.Sprintf(",c%d", i) }, 100_000) + "\n" +
			rows("m,10.5,20,400,100.5,20.25,4", func(int) string { return ",1.5" }, 100_000) + "\n",
		"line.csv": serving + "\n" + strings.Repeat("1", 16<<20),
	}
}

// What is read of a text of megabytes that nobody meant fits into memory: 300 MB at its highest.
func TestReadersAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: reads tens of megabytes")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	const allowed = 300 << 20
	for name, text := range bounded() {
		claimed := ""
		took := peak(func() any {
			records, by := ingest.ReadFile(name, []byte(text), format.All())
			claimed = by
			return records
		})
		if claimed == "" {
			t.Errorf("%s: no format reads it: the test shows nothing", name)
		}
		if took > allowed {
			t.Errorf("%s: reading %.0f MB took %.0f MB, 300 are allowed", name, float64(len(text))/1e6, float64(took)/(1<<20))
		}
		t.Logf("%s: reading %.1f MB took %.0f MB", name, float64(len(text))/1e6, float64(took)/(1<<20))
	}
}

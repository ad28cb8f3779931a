package launchparams

import (
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/reading"

	"github.com/inferdex/inferdex/ingest"
	"github.com/inferdex/inferdex/ingest/record"
)

// TestManyCommands: a file of tens of thousands of commands is cut, not read for hours.
func TestManyCommands(t *testing.T) {
	data := []byte(strings.Repeat("vllm serve org/x\n", 60000))
	records, format := ingest.ReadFile("cmds.sh", data, []*reading.Format{Format})
	if format != Format.Name || len(records) != maxCommands+1 {
		t.Errorf("%d records by %q, want %d commands and one error", len(records), format, maxCommands)
	}
	if _, ok := records[0].(*record.SyntaxError); !ok {
		t.Errorf("the first record is %T, want what says that the rest is left out", records[0])
	}
}

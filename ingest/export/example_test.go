package export_test

import (
	"fmt"
	"strings"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/export"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/figuretest"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Each point of a run is a Benchmark Report of its own.
func ExampleBenchmarkReports() {
	names, _ := settings.LoadNames()
	ix := figure.NewIndex(&catalog.Catalog{Runs: []*catalog.Run{figuretest.Report()}}, names)
	reports, err := export.BenchmarkReports(ix.Runs[0], false)
	if err != nil {
		fmt.Println(err)
		return
	}
	version, _, _ := strings.Cut(string(reports[0]), "\n")
	fmt.Println(len(reports), "reports,", version)
	// Output:
	// 9 reports, version: 0.2.1
}

package check_test

import (
	"fmt"
	"log"
	"testing/fstest"

	"github.com/inferdex/inferdex/site/check"
)

// A site is judged by its files alone.
func ExampleSite() {
	site := fstest.MapFS{
		"index.html":  {Data: []byte("<!DOCTYPE html>\n<p><a href=\"runs/x.html\">a run</a></p>\n")},
		"data/x.json": {Data: []byte("{\"a\": 1,\n \"b\": NaN}\n")},
	}
	report, err := check.Site(site, check.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Pages, "page,", report.Files, "files")
	for _, f := range report.Findings {
		if f.Code == "broken-link" || f.Code == "json" {
			fmt.Println(f)
		}
	}
	// Output:
	// 1 page, 2 files
	// data/x.json:2: error: the file is not valid JSON: invalid character 'N' looking for beginning of value [json]
	// index.html:2: error: "runs/x.html" leads to "runs/x.html", which does not exist [broken-link]
}

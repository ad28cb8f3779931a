package page

import (
	"slices"
	"strconv"
	"strings"
)

// labels are what the rows of lists call their values by where they stand as blocks, titles of columns and units: of
// these a cell has the number, and assets/css/labels.css the text. A tenth of the pages of models and of rankings was
// such texts, one in each cell. The order is of no meaning, but a new one comes last: another place is another number.
var labels = []string{
	"Relative to best", "Per accelerator", "Rank", "tok/s", "Difference", "In short", "Question", "Shared", "workloads",
	"Workload and load", "Tokens per joule", "Measured loads", "Output tokens", "Hardware", "output tok/s", "board power",
	"ms", "Engine, tool", "Best load", "Speed per request", "Output", "Peak output", "Cost", "for the money", "Result",
	"Points", "Remarks", "TTFT p99", "TPOT p99", "Date", "TTFT", "parallel", "At", "tok/s each", "Output per accelerator",
	"Other hardware", "Per user", "Best on",
}

// label is how a cell states a title or a unit: by its number, or as it is where it has none. It is never a number itself
// in the texts that views write.
func label(text string) string {
	if i := slices.Index(labels, text); i >= 0 {
		return strconv.Itoa(i + 1)
	}
	return text
}

// labelsCSS is assets/css/labels.css.
func labelsCSS() string {
	var b strings.Builder
	b.WriteString("/* Labels of the values of lists. Made of the table in site/page/labels.go: go test ./site/page -update writes it. */\n")
	for i, text := range labels {
		n := strconv.Itoa(i + 1)
		b.WriteString(`[data-l="` + n + `"] { --l: "` + text + `"; } [data-u="` + n + `"] { --u: "` + text + "\"; }\n")
	}
	return b.String()
}

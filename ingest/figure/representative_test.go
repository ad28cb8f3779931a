package figure

import (
	"testing"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/settings"
)

func TestRepresentative(t *testing.T) {
	r := func(id, started, version string, points int, withdrawn string) *Run {
		return &Run{Run: &catalog.Run{ID: id, Started: started, Points: make([]catalog.Point, points),
			Withdrawn: withdrawn}, Engine: settings.Engine{Name: "vLLM", Slug: "vllm", Version: version}}
	}
	for _, c := range []struct {
		what, want string
		runs       []*Run
	}{
		{"one point on the day of a sweep", "sweep",
			[]*Run{r("one", "2025-03-02T10:00:00", "0.8.2", 1, ""),
				r("sweep", "2025-03-02T08:00:00", "0.8.2", 12, "")}},
		{"30 days are recent", "sweep",
			[]*Run{r("one", "2025-03-31", "0.8.2", 1, ""), r("sweep", "2025-03-01", "0.8.2", 12, "")}},
		{"31 days are not", "one", []*Run{r("one", "2025-04-01", "0.8.2", 1, ""),
			r("sweep", "2025-03-01", "0.8.2", 12, "")}},
		{"of equals the newest", "new",
			[]*Run{r("new", "2025-03-02", "0.8.2", 12, ""), r("old", "2025-03-01", "0.8.2", 12, "")}},
		{"a version before", "one", []*Run{r("one", "2025-03-02", "0.8.2", 1, ""),
			r("sweep", "2025-03-02", "0.8.1", 12, "")}},
		{"withdrawn", "one", []*Run{r("one", "2025-03-02", "0.8.2", 1, ""),
			r("sweep", "2025-03-02", "0.8.2", 12, "debug build")}},
		{"without dates", "sweep", []*Run{r("one", "", "0.8.2", 1, ""), r("sweep", "", "0.8.2", 12, "")}},
		{"one without a date", "one", []*Run{r("one", "2025-03-02", "0.8.2", 1, ""), r("sweep", "", "0.8.2", 12, "")}},
	} {
		if got := Representative(c.runs).ID; got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, got, c.want)
		}
	}
}

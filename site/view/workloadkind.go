package view

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/site/page"
)

// workloadKind names what a workload is like: by its phase, by what its name or dataset says, else by its lengths.
// It is "" where nothing of that is known.
func workloadKind(s *figure.Scenario) string {
	said := strings.ToLower(s.Name + " " + s.Workload.Dataset)
	in, out, _ := s.Lengths()
	switch {
	case s.Phase != "":
		return page.Upper(string(s.Phase))
	case strings.Contains(said, "agent"):
		return "Agentic"
	case strings.Contains(said, "offline"):
		return "Offline"
	case strings.Contains(said, "sharegpt"), strings.Contains(said, "chat"):
		return "Chat"
	}
	return lengthsKind(in, out)
}

// lengthsKind names a workload by its tokens in and out, "" where one of them is not known.
func lengthsKind(in, out float64) string {
	switch {
	case in <= 0 || out <= 0:
		return ""
	case in <= 64 && out <= 64:
		return "Short"
	case in >= 8192:
		return "Long context"
	case in >= 4*out:
		return "Long prompt"
	case out >= 4*in:
		return "Long answer"
	case in <= 2048:
		return "Chat"
	}
	return "Balanced"
}

// workloadName is what a tool calls a workload, where that is made of words: a code such as "pp512" is no name.
func workloadName(s *figure.Scenario) string {
	if strings.ContainsFunc(s.Name, unicode.IsDigit) || !strings.Contains(strings.TrimSpace(s.Name), " ") &&
		utf8.RuneCountInString(s.Name) < 5 {
		return ""
	}
	return s.Name
}

package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// build is which inferdex this is. What was not recorded when it was compiled is empty.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"` // of the commit
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// thisBuild reads what the Go tool noted in the program.
func thisBuild() build {
	b := build{Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version = cmp.Or(info.Main.Version, b.Version)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func (b build) String() string {
	words := []string{"inferdex " + b.Version}
	if b.Commit != "" {
		commit := "commit " + b.Commit
		if b.Modified {
			commit += " with changes"
		}
		words = append(words, commit)
	}
	if b.Date != "" {
		words = append(words, b.Date)
	}
	return strings.Join(append(words, b.Go, b.Platform), ", ")
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Which inferdex this is: version, commit and its date, Go",
		Example: "  inferdex version --json",
		Args:    atMost(0),
		RunE: func(*cobra.Command, []string) error {
			if b := thisBuild(); a.json {
				a.object(a.stdout, b)
			} else {
				fmt.Fprintln(a.stdout, b)
			}
			return nil
		},
	}
}

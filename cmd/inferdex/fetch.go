package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/fetch"
)

// repositoryName is github:OWNER/REPO.
var repositoryName = regexp.MustCompile(`^github:([A-Za-z0-9](?:[A-Za-z0-9-]{0,98}))/([A-Za-z0-9._-]{1,100})$`)

func (a *app) fetchCommand() *cobra.Command {
	var q fetch.Query
	var o fetch.Options
	var output string
	var update bool
	cmd := &cobra.Command{
		Use:   "fetch [github:OWNER/REPO]",
		Short: "Bring the artifacts of CI jobs, or the catalogs that are merged",
		Long: `Without a repository: bring the catalogs that [[catalog]] in inferdex.toml names, in the states that
inferdex.lock pins, and pin what is new. --update takes what they have now. All other commands read
what was brought, below .inferdex/catalogs, and ask nobody.

With one: load artifacts of a repository's workflow runs into data/raw/github/OWNER/REPO, a directory for
each run and attempt, with a SOURCE.toml that says workflow, branch, commit and address of the run.
Without flags these are the artifacts of all successful runs of the default branch. What is there
already, with the digest that the API says, is not loaded again; a load that was cut goes on where
it ended.

A token is read from GITHUB_TOKEN or GH_TOKEN. It is sent to the API alone, never printed and never stored.

Exit status: 0 done; 1 nothing was found, or an artifact is gone; 2 usage; 3 something could not
be loaded or written; 130 interrupted.`,
		Example: `  inferdex fetch --update
  inferdex fetch github:<owner>/<repo>
  inferdex fetch github:<owner>/<repo> --workflow bench.yml --name 'results-*' --since 2026-01-01
  inferdex fetch github:<owner>/<repo> --branch '*' --event schedule
  inferdex fetch github:<owner>/<repo> --run 1234567890 && inferdex ingest`,
		Args: cobra.MatchAll(atMost(1), func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			m := repositoryName.FindStringSubmatch(args[0])
			if m == nil && strings.Contains(args[0], "://") {
				return usage("%q is no repository: write github:OWNER/REPO; to merge a catalog, write [[catalog]] and "+
					"url = %q into inferdex.toml and give fetch no argument", args[0], args[0])
			}
			if m == nil {
				return usage("%q is no repository: write github:OWNER/REPO", args[0])
			}
			q.Owner, q.Repo = m[1], m[2]
			return nil
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.fetchCatalogs(cmd.Context(), update)
			}
			o.Token = cmp.Or(os.Getenv("GITHUB_TOKEN"), os.Getenv("GH_TOKEN"))
			return a.fetch(cmd.Context(), q, o, cmp.Or(output, rawDir+"/github/"+q.Owner+"/"+q.Repo))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&update, "update", false, "take what the catalogs have now, instead of what is pinned")
	f.StringVar(&q.Workflow, "workflow", "", "only runs of this workflow: the name of its `FILE`")
	f.StringVar(&q.Branch, "branch", "", "runs of this `BRANCH` instead of the default branch, '*' for all")
	f.StringVar(&q.Event, "event", "", "only runs that this `EVENT` started: push, schedule, workflow_dispatch")
	f.StringVar(&q.Status, "status", "", "runs that ended with this `STATUS` instead of success, '*' for all")
	f.StringArrayVar(&q.Names, "name", nil,
		"only artifacts whose name matches this `PATTERN`, such as 'results-*'; several are alternatives")
	f.StringVar(&q.Since, "since", "", "only runs created on this `DAY` or later, as 2026-01-31")
	f.StringVar(&q.Until, "until", "", "only runs created on this `DAY` or before")
	f.Int64Var(&q.Run, "run", 0, "only the run with this `ID`, whatever its branch and status")
	f.BoolVar(&q.Forks, "forks", false, "also runs of forks, whose files anybody may have written")
	f.StringVar(&o.APIURL, "api-url", os.Getenv("GITHUB_API_URL"), "the API of a GitHub Enterprise server, as `URL`")
	f.StringVarP(&output, "output", "o", "", "the `DIR` to write to, instead of data/raw/github/OWNER/REPO")
	return cmd
}

func (a *app) fetch(ctx context.Context, q fetch.Query, o fetch.Options, output string) error {
	for _, day := range []string{q.Since, q.Until} {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			return usage("%q is no day: write it as 2026-01-31", day)
		}
	}
	if err := a.apart("artifacts", output, rawDir); err != nil {
		return err
	}
	if o.APIURL == "https://api.github.com" {
		o.APIURL = ""
	}
	if err := fetch.Check(q, o); err != nil {
		return usage("%s", err)
	}
	var made []string // folders that are not there yet
	for d := filepath.Clean(a.path(output)); ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); err == nil || d == filepath.Dir(d) {
			break
		}
		made = append(made, d)
	}
	if err := os.MkdirAll(a.path(output), 0o777); err != nil {
		return failed(err)
	}
	defer func() {
		for _, d := range made {
			_ = os.Remove(d) // where nothing came into it
		}
	}()
	dir, err := os.OpenRoot(a.path(output))
	if err != nil {
		return failed(err)
	}
	defer dir.Close()
	unlock, err := a.lockAs(ctx, "fetch.lock", "another fetch is writing into this catalog: waiting for it")
	if err != nil {
		return failed(err)
	}
	defer unlock()
	o.Progress = func(x *fetch.Artifact, done, total int64) {
		a.progress.show(done, total, "%s: %.1f MB", x.Name, float64(done)/1e6)
	}
	o.Wait = func(d time.Duration, why string) { a.note("waiting %s: %s", d, why) }
	n := map[string]int{}
	var broken error
	for x, err := range fetch.GitHub(ctx, dir, q, o) {
		switch {
		case x == nil:
			return failed(err)
		case err != nil:
			broken = errors.Join(broken, err)
			a.diagnostic(artifactLost, "", 0, 0, err.Error())
		case x.Gone != "":
			n["gone"]++
			a.diagnostic(artifactLost, "", 0, 0, fmt.Sprintf("artifact %q of %s is gone (%s)", x.Name, x.CI.URL, x.Gone))
		default:
			a.fetched(x, output)
			if x.Kept {
				n["kept"]++
			} else {
				n["loaded"]++
			}
		}
	}
	if a.json {
		a.object(a.stderr, map[string]any{"kind": "summary", "loaded": n["loaded"], "kept": n["kept"],
			"gone": n["gone"]})
	} else {
		a.note("%d loaded, %d there already, %d gone", n["loaded"], n["kept"], n["gone"])
	}
	switch {
	case broken != nil:
		return failed(errors.New("not everything could be loaded: run the same command again to go on"))
	case len(n) == 0:
		a.diagnostic(nothingFound, "", 0, 0,
			"no artifact was found: --branch, --status, --workflow and --name say what is looked for")
		return findings()
	case n["gone"] > 0:
		return findings()
	}
	return nil
}

// fetched says where an artifact lies.
func (a *app) fetched(x *fetch.Artifact, output string) {
	file := output + "/" + x.File
	if a.json {
		a.object(a.stdout, map[string]any{"kind": "artifact", "name": x.Name, "file": file, "bytes": x.Bytes,
			"kept": x.Kept, "ci": x.CI})
		return
	}
	if !x.Kept && !a.quiet {
		a.progress.clear()
		fmt.Fprintln(a.stdout, printable(file))
	}
}

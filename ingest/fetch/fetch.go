// Package fetch brings the artifacts of CI jobs into a directory that ingest reads, each beside a SOURCE.toml
// that says which job made it.
package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v92/github"

	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Query says which artifacts of a repository are wanted. The zero Query but for the repository is all
// artifacts of successful runs of the default branch.
type Query struct {
	Owner, Repo string
	// Workflow is the file name of a workflow, "bench.yml"; empty is every workflow.
	Workflow string
	// Branch is the branch that was measured; empty is the default branch, "*" every branch.
	Branch string
	// Event started the run: "push", "schedule", "pull_request"; empty is every event.
	Event string
	// Status is how the run ended; empty is "success", "*" every status.
	Status string
	// Names are patterns of [path.Match], one of which the name of an artifact must match; none is every name.
	Names []string
	// Since and Until are days, "2026-01-31", between which the run was created; either may be empty.
	Since, Until string
	// Run is the id of the one run that is wanted, whatever else the query says of runs; 0 is every run.
	Run int64
	// Forks takes runs of forks too, whose files anybody may have written.
	Forks bool
}

// Options are how artifacts are brought. The zero Options ask github.com without a token.
type Options struct {
	// APIURL is the address of the API of a GitHub Enterprise server; empty is that of github.com.
	APIURL string
	// Token is sent to the host of the API and to no other. It may be empty for public repositories, whose
	// artifacts can be listed but not downloaded without one.
	Token string
	// Progress is told of each artifact how many bytes are there and how many there will be, 0 where that is
	// not known; nil tells nobody.
	Progress func(a *Artifact, done, total int64)
	// Wait is told how long it waits and why before the same request is made again; nil tells nobody.
	Wait func(d time.Duration, why string)
	// Sleep waits, or returns early with the error of the context; nil is real time.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Artifact is what became of one artifact.
type Artifact struct {
	ID   int64
	Name string
	// File is where it lies below the directory, with forward slashes; empty where it could not be had.
	File string
	// Bytes is its size.
	Bytes int64
	// Kept is set where the file was there already, with the same digest.
	Kept bool
	// Gone says why there is no such artifact any more: "expired".
	Gone string
	// CI is the run that made it.
	CI record.CI
}

// maxBytes bounds an artifact whose size the API does not say.
const maxBytes = 4 << 30

// errGone is an artifact that was deleted or whose time has passed.
var errGone = errors.New("gone")

// GitHub brings the artifacts that a query asks for into a directory: <run>-<attempt>/<name>.zip, or the
// file itself where it was uploaded without an archive. An artifact that is there already is not loaded
// again, and one that was cut is continued. An error of one artifact is given with it and does not stop the
// others; an error without an artifact ends the sequence.
func GitHub(ctx context.Context, dir *os.Root, q Query, o Options) iter.Seq2[*Artifact, error] {
	return func(yield func(*Artifact, error) bool) {
		f, err := newFetcher(dir, q, o)
		if err != nil {
			yield(nil, err)
			return
		}
		for run, err := range f.runs(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !f.artifacts(ctx, run, yield) {
				return
			}
		}
	}
}

// fetcher answers one query.
type fetcher struct {
	dir *os.Root
	q   Query
	o   Options
	web *http.Client
	api *github.Client
}

func newFetcher(dir *os.Root, q Query, o Options) (*fetcher, error) {
	for _, p := range q.Names {
		if _, err := path.Match(p, ""); err != nil {
			return nil, fmt.Errorf("pattern %q of names: %w", p, err)
		}
	}
	f := &fetcher{dir: dir, q: q, o: o}
	base := cmp.Or(o.APIURL, "https://api.github.com/")
	var err error
	if f.web, err = newClient(base, o); err != nil {
		return nil, err
	}
	options := []github.ClientOptionsFunc{github.WithHTTPClient(f.web), github.WithDisableRateLimitCheck()}
	if o.APIURL != "" {
		options = append(options, github.WithEnterpriseURLs(o.APIURL, o.APIURL))
	}
	f.api, err = github.NewClient(options...)
	return f, err
}

// runs are the runs that the query asks for, newest first.
func (f *fetcher) runs(ctx context.Context) iter.Seq2[*github.WorkflowRun, error] {
	return func(yield func(*github.WorkflowRun, error) bool) {
		if f.q.Run != 0 {
			run, _, err := f.api.Actions.GetWorkflowRunByID(ctx, f.q.Owner, f.q.Repo, f.q.Run)
			yield(run, f.told(err))
			return
		}
		opts, err := f.listing(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		for {
			var list *github.WorkflowRuns
			var resp *github.Response
			if f.q.Workflow != "" {
				list, resp, err = f.api.Actions.ListWorkflowRunsByFileName(ctx, f.q.Owner, f.q.Repo, f.q.Workflow, opts)
			} else {
				list, resp, err = f.api.Actions.ListRepositoryWorkflowRuns(ctx, f.q.Owner, f.q.Repo, opts)
			}
			if err != nil {
				yield(nil, f.told(err))
				return
			}
			for _, run := range list.WorkflowRuns {
				if (f.q.Forks || fork(run) == "") && !yield(run, nil) {
					return
				}
			}
			if resp.NextPage == 0 {
				return
			}
			opts.Page = resp.NextPage
		}
	}
}

// listing turns the query into the options of a list of runs.
func (f *fetcher) listing(ctx context.Context) (*github.ListWorkflowRunsOptions, error) {
	all := func(s, otherwise string) string {
		if s == "*" {
			return ""
		}
		return cmp.Or(s, otherwise)
	}
	opts := &github.ListWorkflowRunsOptions{Event: f.q.Event, Status: all(f.q.Status, "success"),
		Branch: all(f.q.Branch, "")}
	opts.PerPage = 100
	if f.q.Since != "" || f.q.Until != "" {
		opts.Created = cmp.Or(f.q.Since, "*") + ".." + cmp.Or(f.q.Until, "*")
	}
	if f.q.Branch == "" {
		repo, _, err := f.api.Repositories.Get(ctx, f.q.Owner, f.q.Repo)
		if err != nil {
			return nil, f.told(err)
		}
		opts.Branch = repo.GetDefaultBranch()
	}
	return opts, nil
}

// artifacts brings those of one run. It reports whether the caller wants more.
func (f *fetcher) artifacts(ctx context.Context, run *github.WorkflowRun, yield func(*Artifact, error) bool) bool {
	opts := &github.ListOptions{PerPage: 100}
	taken := map[string]bool{strings.ToLower(settings.SourceFile): true}
	for {
		list, resp, err := f.api.Actions.ListWorkflowRunArtifacts(ctx, f.q.Owner, f.q.Repo, run.GetID(), opts)
		if err != nil {
			return yield(nil, f.told(err))
		}
		for _, x := range list.Artifacts {
			if !f.wanted(x.GetName()) {
				continue
			}
			a := &Artifact{ID: x.GetID(), Name: x.GetName(), Bytes: x.GetSizeInBytes(), CI: provenance(run)}
			if !yield(a, f.bring(ctx, a, x, run, taken)) {
				return false
			}
			if ctx.Err() != nil {
				yield(nil, ctx.Err())
				return false
			}
		}
		if resp.NextPage == 0 {
			return true
		}
		opts.Page = resp.NextPage
	}
}

func (f *fetcher) wanted(name string) bool {
	for _, p := range f.q.Names {
		if ok, _ := path.Match(p, name); ok {
			return true
		}
	}
	return len(f.q.Names) == 0
}

// bring loads one artifact into the directory of its run.
func (f *fetcher) bring(ctx context.Context, a *Artifact, x *github.Artifact, run *github.WorkflowRun,
	taken map[string]bool) error {
	if x.GetExpired() {
		a.Gone = "expired"
		return nil
	}
	folder := fmt.Sprintf("%d-%d", run.GetID(), max(1, run.GetRunAttempt()))
	if err := f.dir.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	if err := f.source(folder, run); err != nil {
		return err
	}
	l := &load{dir: f.dir, web: f.web, o: f.o, what: fmt.Sprintf("artifact %q", a.Name),
		name: folder + "/" + record.FreeName(record.PathName(a.Name), taken), digest: x.GetDigest(), most: maxBytes,
		address: func(ctx context.Context) (*url.URL, error) { return f.address(ctx, a.ID) }}
	if a.Bytes > 0 {
		l.most = a.Bytes + 1<<20 // the size that the API says may leave out the archive's own bytes
	}
	if f.o.Progress != nil {
		l.progress = func(done, total int64) { f.o.Progress(a, done, total) }
	}
	for _, name := range []string{l.name, l.name + ".zip"} {
		if l.whole(name, a.Bytes) {
			a.File, a.Kept = name, true
			return nil
		}
	}
	part, err := l.run(ctx)
	switch {
	case errors.Is(err, errGone):
		a.Gone = "deleted or expired"
		return nil
	case err != nil:
		return err
	}
	return f.end(a, part, l.name)
}

// address is where the bytes of an artifact lie. The API redirects there, for some minutes.
func (f *fetcher) address(ctx context.Context, id int64) (*url.URL, error) {
	at, resp, err := f.api.Actions.DownloadArtifact(ctx, f.q.Owner, f.q.Repo, id, 3)
	switch {
	case err == nil:
		return at, nil
	case resp == nil || resp.Response == nil:
		return nil, hidden(err)
	case resp.StatusCode == http.StatusGone:
		return nil, errGone
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return nil, errors.New("a token that may read actions is needed to load artifacts: it is read from " +
			"GITHUB_TOKEN or GH_TOKEN")
	}
	return nil, &statusError{resp.StatusCode}
}

// end gives a part its name: with .zip where it is an archive.
func (f *fetcher) end(a *Artifact, part, name string) error {
	file, err := f.dir.Open(part)
	if err != nil {
		return err
	}
	head := make([]byte, 4)
	n, _ := io.ReadFull(file, head)
	info, err := file.Stat()
	file.Close()
	if err != nil {
		return err
	}
	if h := string(head[:n]); (h == "PK\x03\x04" || h == "PK\x05\x06") &&
		!strings.HasSuffix(strings.ToLower(name), ".zip") {
		name += ".zip"
	}
	if err := f.dir.Rename(part, name); err != nil {
		return err
	}
	a.File, a.Bytes = name, info.Size()
	return nil
}

// source writes what is known of a run beside its artifacts. What is there stays: a person may have edited it.
func (f *fetcher) source(folder string, run *github.WorkflowRun) error {
	name := folder + "/" + settings.SourceFile
	if _, err := f.dir.Stat(name); err == nil {
		return nil
	}
	ci := provenance(run)
	info := settings.SourceInfo{Title: strings.TrimSpace(ci.Workflow + " " + strconv.Itoa(run.GetRunNumber())),
		Address: ci.URL, CI: &ci}
	if day := run.GetRunStartedAt(); !day.IsZero() {
		info.Date = day.UTC().Format(time.DateOnly)
	}
	return f.dir.WriteFile(name, info.TOML(), 0o666)
}

// provenance is what a catalog keeps of a run.
func provenance(run *github.WorkflowRun) record.CI {
	ci := record.CI{URL: run.GetHTMLURL(), Commit: run.GetHeadSHA(), Workflow: run.GetName(),
		Branch: run.GetHeadBranch(),
		Event:  run.GetEvent(), Fork: fork(run)}
	if n := run.GetRunAttempt(); n > 0 {
		ci.Attempt = strconv.Itoa(n)
	}
	if prs := run.PullRequests; len(prs) > 0 {
		ci.PullRequest = strconv.Itoa(prs[0].GetNumber())
	}
	return ci
}

// fork is the repository that a run measured where that is another than the one it ran in.
func fork(run *github.WorkflowRun) string {
	if head := run.GetHeadRepository(); head != nil && head.GetFullName() != "" &&
		head.GetFullName() != run.GetRepository().GetFullName() {
		return head.GetFullName()
	}
	return ""
}

// told says what to do about an error of the API.
func (f *fetcher) told(err error) error {
	var e *github.ErrorResponse
	if err == nil || !errors.As(err, &e) || e.Response == nil {
		return err
	}
	repo := f.q.Owner + "/" + f.q.Repo
	switch e.Response.StatusCode {
	case http.StatusUnauthorized:
		return fmt.Errorf("%s: the token is not accepted: it is read from GITHUB_TOKEN or GH_TOKEN", repo)
	case http.StatusForbidden, http.StatusTooManyRequests:
		return fmt.Errorf("%s: refused (%s): a token that may read actions is needed, or the limit of requests "+
			"is reached", repo, e.Response.Status)
	case http.StatusNotFound:
		return fmt.Errorf("%s: no such repository, workflow or run, or a token is needed to see it: it is read from "+
			"GITHUB_TOKEN or GH_TOKEN", repo)
	}
	return fmt.Errorf("%s: %s: %q", repo, e.Response.Status, e.Message)
}

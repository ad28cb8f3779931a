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
	"slices"
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

// stateDir has the parts of what is not loaded yet, by the ids of artifacts. It has the name of what inferdex keeps for
// itself, so that an ingest passes over it.
const stateDir = ".inferdex"

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
		defer func() { _ = dir.Remove(stateDir) }() // it stays where a part is in it
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
	// scheme is that of the API.
	scheme string
}

// Check says what is wrong with a query and its options, before anything is asked for.
func Check(q Query, o Options) error {
	for _, p := range q.Names {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("pattern %q of names: %w", p, err)
		}
	}
	u, err := url.Parse(o.APIURL)
	if o.APIURL != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		return fmt.Errorf("%q is no address of an API: write https://<host>/api/v3/", o.APIURL)
	}
	return nil
}

func newFetcher(dir *os.Root, q Query, o Options) (*fetcher, error) {
	if err := Check(q, o); err != nil {
		return nil, err
	}
	o.Token = strings.TrimSpace(o.Token) // a secret often ends with the end of its line
	f := &fetcher{dir: dir, q: q, o: o}
	base := cmp.Or(o.APIURL, "https://api.github.com/")
	var err error
	if f.web, f.scheme, err = newClient(base, o); err != nil {
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
			if err == nil && (list == nil || slices.Contains(list.WorkflowRuns, nil)) {
				err = errNull
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
		if err == nil && (list == nil || slices.Contains(list.Artifacts, nil)) {
			err = errNull
		}
		if err != nil {
			yield(nil, f.told(err))
			return false
		}
		for _, x := range list.Artifacts {
			if !f.wanted(x.GetName()) {
				continue
			}
			a := &Artifact{ID: x.GetID(), Name: x.GetName(), Bytes: x.GetSizeInBytes(), CI: provenance(run)}
			err := f.bring(ctx, a, x, run, taken)
			if ctx.Err() != nil {
				yield(nil, ctx.Err())
				return false
			}
			if !yield(a, err) {
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
	folder := fmt.Sprintf("%d-%d", run.GetID(), max(1, run.GetRunAttempt()))
	// An archive gets the ending .zip: "results" and "results.zip" are one name.
	bare := strings.TrimSuffix(record.PathName(a.Name), ".zip")
	name := folder + "/" + record.FreeName(bare, taken)
	l := &load{dir: f.dir, web: f.web, o: f.o, what: fmt.Sprintf("artifact %q", a.Name),
		part: fmt.Sprintf("%s/%d.part", stateDir, a.ID), digest: x.GetDigest(), most: maxBytes,
		address: func(ctx context.Context) (*url.URL, error) { return f.address(ctx, a.ID) }}
	if a.Bytes > 0 {
		l.most = a.Bytes + 1<<20 // the size that the API says may leave out the archive's own bytes
	}
	if f.o.Progress != nil {
		l.progress = func(done, total int64) { f.o.Progress(a, done, total) }
	}
	for _, name := range []string{name, name + ".zip"} {
		if l.whole(name, a.Bytes) {
			a.File, a.Kept = name, true
			return nil
		}
	}
	if x.GetExpired() {
		a.Gone = "expired"
		return nil
	}
	if err := errors.Join(f.dir.MkdirAll(folder, 0o777), f.dir.MkdirAll(stateDir, 0o777)); err != nil {
		return err
	}
	if err := f.source(folder, run); err != nil {
		return err
	}
	err := l.run(ctx)
	switch {
	case errors.Is(err, errGone):
		a.Gone = "deleted or expired"
		return nil
	case err != nil:
		return err
	}
	return f.end(a, l.part, name)
}

// address is where the bytes of an artifact lie. The API redirects there, for some minutes. Refused by the API, it is not
// asked for again: the client did that where it may help.
func (f *fetcher) address(ctx context.Context, id int64) (*url.URL, error) {
	at, resp, err := f.api.Actions.DownloadArtifact(ctx, f.q.Owner, f.q.Repo, id, 3)
	switch {
	case err == nil && (at.Host == "" || at.Scheme != "https" && at.Scheme != f.scheme):
		// What stands behind the host is signed: who has it may load the artifact.
		return nil, &finalError{fmt.Errorf("the API leads to %q, which is no address to load from", at.Scheme+"://"+at.Host)}
	case err == nil:
		return at, nil
	case resp == nil || resp.Response == nil:
		return nil, &finalError{hidden(err)}
	case resp.StatusCode == http.StatusGone:
		return nil, errGone
	case limited(resp.Response):
		return nil, &finalError{errors.New(f.limit(resp.Response))}
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return nil, &finalError{errors.New("a token that may read actions is needed to load artifacts: it is read from " +
			"GITHUB_TOKEN or GH_TOKEN")}
	}
	return nil, &finalError{&statusError{resp.StatusCode}}
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
	if info, err := f.dir.Stat(name); err == nil && info.Size() > 0 {
		return nil
	}
	ci := provenance(run)
	info := settings.SourceInfo{Title: strings.TrimSpace(ci.Workflow + " " + strconv.Itoa(run.GetRunNumber())),
		Address: ci.URL, CI: &ci}
	if day := run.GetRunStartedAt(); !day.IsZero() {
		info.Date = day.UTC().Format(time.DateOnly)
	}
	// Half of it, which a full disk leaves, would be taken for what a person wrote.
	part := stateDir + "/" + folder + ".toml"
	if err := f.dir.WriteFile(part, info.TOML(), 0o666); err != nil {
		_ = f.dir.Remove(part)
		return err
	}
	return f.dir.Rename(part, name)
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

// errNull is an answer of the API that has nothing where a list or a member of one should be.
var errNull = errors.New("null stands in place of a list, or in it")

// told says what to do about an error of the API.
func (f *fetcher) told(err error) error {
	if err == nil {
		return nil
	}
	repo := f.q.Owner + "/" + f.q.Repo
	var e *github.ErrorResponse
	var rate *github.RateLimitError
	var abuse *github.AbuseRateLimitError
	var lost *url.Error
	switch {
	case errors.As(err, &rate) && rate.Response != nil:
		return fmt.Errorf("%s: %s", repo, f.limit(rate.Response))
	case errors.As(err, &abuse) && abuse.Response != nil:
		return fmt.Errorf("%s: %s", repo, f.limit(abuse.Response))
	case errors.As(err, &lost):
		return fmt.Errorf("%s: the API cannot be reached: %w", repo, lost.Err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the answer of the API was cut short: run the same command again", repo)
	case !errors.As(err, &e) || e.Response == nil:
		return fmt.Errorf("%s: the answer is not that of GitHub's API (%w): see whether --api-url is its address", repo, err)
	}
	switch code := e.Response.StatusCode; {
	case code == http.StatusUnauthorized && f.o.Token != "":
		return fmt.Errorf("%s: the token is not accepted: it is read from GITHUB_TOKEN or GH_TOKEN", repo)
	case code == http.StatusUnauthorized:
		return fmt.Errorf("%s: a token is needed: it is read from GITHUB_TOKEN or GH_TOKEN", repo)
	case limited(e.Response):
		return fmt.Errorf("%s: %s", repo, f.limit(e.Response))
	case code == http.StatusForbidden:
		return fmt.Errorf("%s: refused: a token that may read actions is needed: it is read from GITHUB_TOKEN or "+
			"GH_TOKEN", repo)
	case code == http.StatusNotFound:
		return fmt.Errorf("%s: no such repository, workflow or run, or a token is needed to see it: it is read from "+
			"GITHUB_TOKEN or GH_TOKEN", repo)
	}
	return fmt.Errorf("%s: %s: %q", repo, e.Response.Status, e.Message)
}

// limit says of an answer that there were too many requests, and what to do.
func (f *fetcher) limit(resp *http.Response) string {
	until := "later"
	if d := wait(resp); d > 0 {
		until = "in " + d.Round(time.Second).String()
	}
	text := "the limit of requests is reached: run the same command again " + until
	if f.o.Token == "" {
		text += ", or with a token, which has a higher one: it is read from GITHUB_TOKEN or GH_TOKEN"
	}
	return text
}

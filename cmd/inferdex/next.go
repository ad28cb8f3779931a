package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/view"
)

func (a *app) nextCommand() *cobra.Command {
	var matrix bool
	most := 10
	cmd := &cobra.Command{
		Use:   "next [MODEL]",
		Short: "Say which measurement could change an answer most",
		Long: `Say for each model and use (` + uses() + `) which hardware should be measured next: what was not
measured, not to loads as large, or longer ago than [freshness] of inferdex.toml allows. Nothing is estimated; what
counts is how the hardware stands to today's answer at the other workloads that were measured on both.

` + folded(figure.NextRule, 100) + `

--matrix writes a workflow of GitHub Actions that measures them, one job each, on runners of your own with a label of
the hardware's name as in addresses. It is text to review: put it into .github/workflows/.`,
		Example: `  inferdex next
  inferdex next llama-3.1-8b-instruct --json
  inferdex next --matrix > .github/workflows/measure.yml`,
		Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case matrix && a.json:
				return usage("--json and --matrix exclude each other")
			case most < 1:
				return usage("--most %d: give a number above 0", most)
			}
			list, err := a.next(args)
			if err != nil {
				return err
			}
			list = list[:min(most, len(list))]
			switch {
			case matrix:
				return a.nextMatrix(list)
			case a.json:
				objects := []any{}
				for _, n := range list {
					objects = append(objects, newNextObject(n))
				}
				return writeLines(a.stdout, objects)
			}
			a.nextText(list)
			return nil
		},
	}
	cmd.Flags().BoolVar(&matrix, "matrix", false, "write a workflow of GitHub Actions")
	cmd.Flags().IntVar(&most, "most", most, "how many at most, `N`")
	return cmd
}

// uses are the names of the uses that hardware is ranked for.
func uses() string {
	var names []string
	for _, use := range figure.SLOPresets {
		names = append(names, strings.ToLower(use.Name))
	}
	return strings.Join(names, ", ")
}

// next are the cells to measure, of one model where it is named.
func (a *app) next(args []string) ([]figure.Next, error) {
	ix, _, err := a.load()
	if err != nil {
		return nil, err
	}
	conf, err := a.config()
	if err != nil {
		return nil, err
	}
	ix.Freshen(conf.Freshness)
	list := ix.Next()
	if len(args) == 0 {
		return list, nil
	}
	var names []string
	for _, m := range ix.Models {
		if names = append(names, m.Slug); m.Named(args[0]) {
			return slices.DeleteFunc(list, func(n figure.Next) bool { return n.Model != m }), nil
		}
	}
	if near := settings.Nearest(args[0], names); near != "" {
		return nil, usage("no model %q: did you mean %q?", args[0], near)
	}
	return nil, usage("no model %q: 'inferdex list cards' shows what there is", args[0])
}

// nextObject is a cell to measure for programs.
type nextObject struct {
	Use      string `json:"use"`
	Model    string `json:"model"`
	Hardware string `json:"hardware"`
	// Runner is the hardware as in addresses.
	Runner   string           `json:"runner"`
	State    figure.NextState `json:"state"`
	Workload string           `json:"workload"`
	// Answer is the card that answers now; null where none does. Ahead and Of are as in Why.
	Answer *string `json:"answer"`
	Ahead  int     `json:"ahead"`
	Of     int     `json:"of"`
	Why    string  `json:"why"`
	// Like is the run whose workload is to be measured. Serve and Load are null where no command is known.
	Like  string  `json:"like"`
	Serve *string `json:"serve"`
	Load  *string `json:"load"`
}

func newNextObject(n figure.Next) nextObject {
	o := nextObject{n.Use.ID, n.Model.ID, n.Hardware.Name, n.Hardware.Slug, n.State, n.Scenario.Title, nil, n.Ahead, n.Of,
		n.Why(), n.Like.ID, orNull(view.Serve(n.Like)), orNull(view.Measure(n.Like, n.Scenario))}
	if n.Answer != nil {
		o.Answer = &n.Answer.Card.Slug
	}
	return o
}

func (a *app) nextText(list []figure.Next) {
	if len(list) == 0 {
		a.note("nothing to measure: no use has a workload of fitting lengths, or all hardware was measured far enough")
		return
	}
	said := 0
	for i := 0; i < len(list); {
		n, uses := list[i], []string{}
		for ; i < len(list) && sameCell(list[i], n); i++ {
			uses = append(uses, strings.ToLower(list[i].Use.Name))
		}
		said++
		fmt.Fprintf(a.stdout, "%d. %s on %s, %s: %s\n   %s\n", said, printable(n.Model.Name),
			printable(n.Hardware.Name), strings.Join(uses, ", "), printable(n.Lacks()), printable(n.Why()))
		load := view.Measure(n.Like, n.Scenario)
		for l := range strings.SplitSeq(strings.TrimSpace(view.Serve(n.Like)+"\n"+load), "\n") {
			if l != "" {
				fmt.Fprintf(a.stdout, "     %s\n", printable(l))
			}
		}
		if load == "" {
			fmt.Fprintf(a.stdout, "     with %s as run %s did: its command is not known\n", printable(n.Like.Tool.Name), n.Like.ID)
		}
	}
}

// sameCell reports whether two cells are measured by one run, for two uses.
func sameCell(a, b figure.Next) bool {
	return a.Model == b.Model && a.Hardware.Slug == b.Hardware.Slug && a.State == b.State && a.Why() == b.Why() &&
		view.Measure(a.Like, a.Scenario) == view.Measure(b.Like, b.Scenario)
}

// nextJob is one job of the matrix.
type nextJob struct {
	Runner string `json:"runner"`
	Model  string `json:"model"`
	Use    string `json:"use"`
	Serve  string `json:"serve"`
	Load   string `json:"load"`
}

// workflow is around the jobs. What comes from the catalog reaches the shell as variables alone.
const workflow = `# Measures what could change an answer of the catalog most: review it, each job starts a server.
name: measure
on: workflow_dispatch
permissions:
  contents: read
jobs:
  measure:
    strategy:
      fail-fast: false
      max-parallel: 1
      matrix:
        include:
%s
    name: ${{ matrix.model }}, ${{ matrix.use }}
    runs-on: ${{ fromJSON(format('["self-hosted", "{0}"]', matrix.runner)) }}
    env:
      SERVE: ${{ matrix.serve }}
      LOAD: ${{ matrix.load }}
    steps:
      - name: measure
        run: |
          mkdir results
          bash -c "$SERVE" > server.log 2>&1 &
          server=$!
          trap 'kill "$server"' EXIT
          timeout 1800 bash -c 'until curl -fs http://localhost:8000/health > /dev/null; do sleep 5; done'
          cd results
          bash -euc "$LOAD" 2>&1 | tee client.log
      - uses: actions/upload-artifact@%s
        with:
          name: results-${{ strategy.job-index }}
          path: results
`

// upload is the version of the action that keeps the results.
const upload = "043fb46d1a93c77aae656e7c1c64a875d1fc6a0a # v7.0.1"

func (a *app) nextMatrix(list []figure.Next) error {
	var jobs []string
	seen := map[nextJob]bool{}
	left := map[string]bool{}
	leave := func(why string) {
		if !left[why] {
			a.note("%s", why)
		}
		left[why] = true
	}
	for _, n := range list {
		job := nextJob{n.Hardware.Slug, n.Model.ID, n.Use.Name, view.Serve(n.Like), view.Measure(n.Like, n.Scenario)}
		where := n.Model.Name + " on " + n.Hardware.Name
		text, err := oneJob(job)
		switch {
		case err != nil:
			return failed(err)
		case job.Load == "" || job.Serve == "":
			leave(fmt.Sprintf("%s: left out, no command is known for %s and %s", where, n.Like.EngineName(), n.Like.Tool.Name))
			continue
		case strings.Contains(text, "${{"):
			leave(where + ": left out, GitHub would compute a part of its name")
			continue
		case len(jobs) == mostJobs:
			leave(fmt.Sprintf("%d jobs are written: GitHub allows no more of a matrix", mostJobs))
		}
		of := job
		of.Use = ""
		if len(jobs) < mostJobs && !seen[of] {
			jobs = append(jobs, "          - "+text)
		}
		seen[of] = true
	}
	if len(jobs) == 0 {
		a.note("nothing to measure with commands that are known: no workflow is written")
		return findings()
	}
	b := bufio.NewWriter(a.stdout)
	fmt.Fprintf(b, workflow, strings.Join(jobs, "\n"), upload)
	if err := b.Flush(); err != nil {
		return failed(err)
	}
	return nil
}

// oneJob is a job as JSON, which YAML reads as it is.
func oneJob(job nextJob) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(job)
	return strings.ReplaceAll(strings.TrimSpace(b.String()), "\x7f", ""), err
}

// folded breaks a text into lines of at most n characters.
func folded(text string, n int) string {
	var b strings.Builder
	at := 0
	for i, w := range strings.Fields(text) {
		switch {
		case i > 0 && at+1+len(w) > n:
			b.WriteString("\n")
			at = 0
		case i > 0:
			b.WriteString(" ")
			at++
		}
		b.WriteString(w)
		at += len(w)
	}
	return b.String()
}

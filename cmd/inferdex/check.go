package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"sync"
	"text/tabwriter"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/refute"
	"github.com/inferdex/inferdex/site/data"

	"github.com/inferdex/inferdex/ingest/record"

	"github.com/klauspost/compress/gzip"
	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/federation"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/check"
)

func (a *app) checkCommand() *cobra.Command {
	var f buildFlags
	var catalogOnly, siteOnly, sizes, verbose bool
	var asOf string
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Lint the catalog and the built site",
		Long: `Check that data/catalog keeps its own rules, list the findings of its runs, and walk every page
of the built site: links and anchors, ids, content security policy, budgets of size, and values
that got into the text by accident. Where both are looked at, each sentence that the site writes from
numbers is recomputed from the points of the catalog, and a run that only one of the two has is an error.

A card whose newest run is older than [freshness] of inferdex.toml allows is a warning, counted to the newest
run of the catalog, as on its page: the same catalog has the same findings at any time. With --as-of its age is
counted to that day, and it is an error, so that a nightly job fails when nobody measures any more. A run that
is later than that day is a warning.

Findings are grouped by code, the worst first: a text that several places share stands once, and of each
code the first lines; --verbose and --json have them all.

Exit status: 0 nothing of severity error; 1 something; 2 usage; 3 something could not be read.`,
		Example: `  inferdex check
  inferdex check --site-only --sizes
  inferdex check --catalog-only --as-of today
  inferdex check --json | jq 'select(.severity == "error")'`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if catalogOnly && siteOnly {
				return usage("--catalog-only and --site-only exclude each other")
			}
			day, err := dayOf(asOf)
			if err != nil {
				return err
			}
			thrift(buildRoom)
			errors := 0
			check := func(a *app, f buildFlags) error {
				n, err := a.checked(f, catalogOnly, siteOnly, sizes, verbose, day)
				errors += n
				return err
			}
			if f.split.by == "" {
				err = check(a, f)
			} else {
				if !cmd.Flags().Changed("output") {
					f.output = partsDir
				}
				err = a.checkSplit(f, check)
			}
			if err != nil {
				return err
			}
			if errors > 0 {
				return findings()
			}
			return nil
		},
	}
	f.registerSite(cmd, "check the site in `DIR`")
	f.split.register(cmd)
	cmd.Flags().BoolVar(&catalogOnly, "catalog-only", false, "leave the site out")
	cmd.Flags().BoolVar(&siteOnly, "site-only", false, "leave the catalog out")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "every finding on a line of its own")
	cmd.Flags().StringVar(&asOf, "as-of", "", "cards that are stale on `DAY` are errors: 2026-11-01, or today")
	cmd.Flags().BoolVar(&sizes, "sizes", false, "print what the largest page of each kind needs")
	return cmd
}

// checked checks a catalog and its site; day is the day on which no card may be stale, "" for none.
func (a *app) checked(f buildFlags, catalogOnly, siteOnly, sizes, verbose bool, day string) (errors int, err error) {
	stored, names := sync.OnceValues(a.catalogOf), sync.OnceValues(a.names)
	claims := sync.OnceValues(func() (said, error) {
		if siteOnly {
			return a.said(f.output, nil)
		}
		c, err := stored()
		if err != nil {
			return said{}, err
		}
		known, err := names()
		if err != nil {
			return said{}, err
		}
		return a.said(f.output, refute.New(c).With(listed(known)))
	})
	if !siteOnly {
		n, err := a.checkCatalog(stored, names, day, verbose)
		if err != nil {
			return errors, err
		}
		errors += n
	}
	if !catalogOnly {
		n, err := a.checkSite(f, claims, sizes, verbose)
		if err != nil {
			return errors, err
		}
		errors += n
	}
	if !catalogOnly && !siteOnly {
		n, err := a.checkBuilt(f.output, stored, verbose)
		if err != nil {
			return errors, err
		}
		errors += n
		if n, err = a.checkClaims(f.output, claims, verbose); err != nil {
			return errors, err
		}
		errors += n
	}
	return errors, nil
}

// checkSplit checks each part of a site that is split.
func (a *app) checkSplit(f buildFlags, check func(*app, buildFlags) error) error {
	_, parts, err := a.split(f)
	if err != nil {
		return err
	}
	return a.each(parts, f, check)
}

// checkCatalog lints the catalog; asOf is the day on which no card may be stale, "" for none.
func (a *app) checkCatalog(stored func() (*catalog.Catalog, error), names func() (*settings.Names, error), asOf string,
	verbose bool) (errors int, err error) {
	c, err := stored()
	if err != nil {
		return 0, err
	}
	a.progress.begin("checking " + catalogDir)
	var list []found
	elsewhere := map[string]string{} // by the paths of the files of runs
	for _, r := range c.Runs {
		elsewhere[r.Path()] = r.Elsewhere()
	}
	for _, f := range catalog.Lint(c) {
		place := found{catalogDir + "/" + f.Path, f.Line, f.Severity, f.Code, "", f.Message}
		if at := elsewhere[f.Path]; at != "" {
			place.file, place.line = at, 0
		}
		list = append(list, place)
	}
	old, err := a.reused(c)
	if err != nil {
		return 0, err
	}
	list = append(list, old...)
	known, err := names()
	if err != nil {
		return 0, err
	}
	ix := figure.NewIndex(c, known)
	old, err = a.stale(ix, asOf)
	if err != nil {
		return 0, err
	}
	if a.part == nil { // which has not all runs
		files, err := a.notes()
		if err != nil {
			return 0, failed(err)
		}
		notes, _ := settings.LoadNotes(files) // mistakes in them are told by ingest
		old = append(old, vainNotes(notes, c.Runs)...)
	}
	list = append(list, old...)
	accepted := 0
	for _, r := range ix.Runs {
		for _, f := range r.Findings {
			if f.Accepted {
				accepted++
				continue
			}
			place := found{cmp.Or(f.Path, catalogDir+"/"+r.Path()), f.Line, f.Severity, f.Code, r.ID, f.Message}
			if at := r.Elsewhere(); at != "" { // neither file is here
				place.file, place.line = at, 0
			}
			list = append(list, place)
		}
	}
	counts := map[record.Severity]int{}
	for _, f := range list {
		counts[f.severity]++
	}
	a.findings(a.stdout, list, verbose)
	if !a.json {
		a.note("%s: %s; %s of severity error, %s, %s, %d accepted", catalogDir, metric.Plural(len(ix.Runs), "run"),
			metric.Plural(counts[record.Error], "finding"), metric.Plural(counts[record.Warning], "warning"),
			metric.Plural(counts[record.Remark], "note"), accepted)
	}
	return counts[record.Error], nil
}

// listed are the lists of names as claims are held against them; what is wrong in them is said of the catalog.
func listed(names *settings.Names) refute.Lists {
	return func(what string, r *catalog.Run) []string {
		switch what {
		case "model":
			m := names.Model(cmp.Or(r.Attr("model"), r.Identity.Model))
			return []string{m.Name, m.ID} // the id where two have one name
		case "engine":
			return []string{names.Engine(r.Attr("engine"), "").Name}
		case "tool":
			return []string{names.Tool(r.Identity.Tool).Name}
		}
		count, _ := strconv.Atoi(r.Attr("count"))
		return []string{names.Hardware(r.Attr("hardware"), count).Name}
	}
}

// checkBuilt says which runs the built site has and the catalog does not, and the other way round: the site was then
// built of another catalog. A site without an index has no runs.
func (a *app) checkBuilt(output string, stored func() (*catalog.Catalog, error), verbose bool) (errors int, err error) {
	c, err := stored()
	if err != nil {
		return 0, err
	}
	name := output + "/data/" + federation.IndexFile
	text, err := fs.ReadFile(folder(a.path(output)), "data/"+federation.IndexFile)
	if err != nil && !os.IsNotExist(err) {
		return 0, failed(below(output, err))
	}
	built := map[string]bool{}
	if err == nil {
		ix, err := federation.Parse(text)
		if err != nil {
			return 0, failed(fmt.Errorf("%s: %w: build the site again", name, err))
		}
		for _, r := range ix.Runs {
			built[r.ID] = true
		}
	}
	var list []found
	differs := func(id, message string) {
		list = append(list, found{name, 0, record.Error, "other-catalog", id, message + ": build the site again"})
	}
	for _, r := range c.Runs {
		if r.Elsewhere() == "" && !built[r.ID] {
			differs(r.ID, "the site lacks a run of the catalog")
		}
		delete(built, r.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(built)) {
		differs(id, "the site has a run that the catalog lacks")
	}
	a.findings(a.stdout, list, verbose)
	return len(list), nil
}

// said is what a built site says with claims.
type said struct {
	sentences int
	texts     map[string]bool // as sentences are compared
	refuted   []found
}

// said reads the sentences that the built site publishes with their claims, and has k recompute them where it is not
// nil. A site without runs has none.
func (a *app) said(output string, k *refute.Checker) (all said, err error) {
	name := output + "/" + data.ClaimsPath
	f, err := openFile(a.path(name))
	if os.IsNotExist(err) {
		return all, nil
	}
	if err != nil {
		return all, failed(err)
	}
	defer f.Close()
	unreadable := func(err error) error {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err
		}
		return failed(fmt.Errorf("%s: %w: build the site again", name, err))
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return all, unreadable(err)
	}
	a.progress.begin("recomputing the sentences of " + name)
	all.texts = map[string]bool{}
	for s, err := range refute.Read(z) {
		if err != nil {
			return all, unreadable(err)
		}
		all.sentences++
		all.texts[check.Spaced(s.Text)] = true
		if k == nil {
			continue
		}
		if err := k.Follows(s); err != nil {
			place := "run " + s.Run
			if s.Page != "" {
				place = "page " + s.Page
			}
			all.refuted = append(all.refuted, found{name, all.sentences, record.Error, "claim-refuted", s.Run,
				fmt.Sprintf("%s: %q: %s", place, s.Text, err)})
		}
	}
	return all, nil
}

// checkClaims says which sentences of the built site do not follow from the catalog.
func (a *app) checkClaims(output string, claims func() (said, error), verbose bool) (errors int, err error) {
	all, err := claims()
	if err != nil || all.sentences == 0 {
		return 0, err
	}
	a.findings(a.stdout, all.refuted, verbose)
	if !a.json {
		a.note("%s/%s: %s, %d of which %s not follow from the catalog", output, data.ClaimsPath,
			metric.Plural(all.sentences, "sentence"), len(all.refuted), metric.Noun(len(all.refuted), "does", "do"))
	}
	return len(all.refuted), nil
}

func (a *app) checkSite(f buildFlags, claims func() (said, error), sizes, verbose bool) (
	errors int, err error,
) {
	conf, err := a.config()
	if err != nil {
		return 0, err
	}
	if f.baseURL != "" {
		conf.BaseURL = f.baseURL
	}
	dir := a.path(f.output)
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		return 0, failed(fmt.Errorf("no site in %q: run 'inferdex build' first", f.output))
	} else if err != nil {
		return 0, failed(err)
	}
	all, err := claims()
	if err != nil {
		return 0, err
	}
	r, err := check.Site(folder(dir),
		check.Options{BaseURL: conf.BaseURL, Sizes: sizes, Claimed: func(text string) bool { return all.texts[text] },
			Progress: func(done, total int) {
				a.progress.show(int64(done), int64(total), "checking: %d of %s", done, metric.Plural(total, "file"))
			}})
	if err != nil {
		return 0, failed(below(f.output, err))
	}
	warnings := 0
	var list []found
	for _, x := range r.Findings {
		list = append(list, found{f.output + "/" + x.File, x.Line, record.Severity(x.Severity), x.Code, "", x.Message})
		if x.Severity == check.Error {
			errors++
		} else {
			warnings++
		}
	}
	a.findings(a.stdout, list, verbose)
	if sizes && a.json {
		for _, k := range r.Kinds {
			a.object(a.stdout, map[string]any{"kind": "size", "pages_of": k.Name, "pages": k.Pages, "html": k.HTML,
				"css": k.CSS, "script": k.Script, "elements": k.Nodes})
		}
	} else if sizes {
		tw := tabwriter.NewWriter(a.stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(tw, "PAGES\tHTML KB\tCSS KB\tSCRIPT KB\tELEMENTS\tKIND\t")
		for _, k := range r.Kinds {
			fmt.Fprintf(tw, "%d\t%.1f\t%.1f\t%.1f\t%d\t%s\t\n", k.Pages, kb(k.HTML), kb(k.CSS), kb(k.Script),
				k.Nodes, k.Name)
		}
		_ = tw.Flush() // the writer's errors show at the end
	}
	if a.json {
		a.object(a.stderr, map[string]any{"kind": "summary", "pages": r.Pages, "redirects": r.Redirects, "files": r.Files,
			"bytes": r.Bytes, "errors": errors, "warnings": warnings})
	} else {
		a.note("%s: %s and %s in %s, %.1f MB; %s, %s", f.output, metric.Plural(r.Pages, "page"),
			metric.Plural(r.Redirects, "redirect"), metric.Plural(r.Files, "file"), float64(r.Bytes)/1e6,
			metric.Plural(errors, "error"), metric.Plural(warnings, "other finding"))
	}
	return errors, nil
}

func kb(bytes int64) float64 { return float64(bytes) / 1024 }

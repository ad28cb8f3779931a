package data

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/compare"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/record"
	"github.com/inferdex/inferdex/site/chart"
	"github.com/inferdex/inferdex/site/page"
	"github.com/inferdex/inferdex/site/view"
)

// What the page of comparisons loads to compare runs that a reader chooses: a list of all runs, one
// file a run, one file a version of an engine. Each is a script that calls one function, which a
// browser loads from a folder too. assets/ts/compare.ts chooses and places what is written here.

const (
	pathRunList  = view.PathCompare + "/runs.js"
	pathShards   = view.PathCompare + "/runs/"
	pathVersions = view.PathCompare + "/versions/"
)

// listBytes bounds the list of runs: a browser should not load more.
const listBytes = 900 << 10

// runList is the list of runs to choose from, in short rows: names are places in lists. With it are
// the words that all runs share.
type runList struct {
	Quantities []compare.MemberQuantity `json:"quantities"` // in their order
	// Judged are the keys of those that tell which load is shown first.
	Judged   []string                         `json:"judged"`
	Facts    [][2]string                      `json:"facts"` // rows of the table of runs: label, what else stands there
	Axes     map[string]axis                  `json:"axes"`
	Sure     []string                         `json:"sure"`   // see compare.SureOf
	Says     map[string]string                `json:"says"`   // see compare.Sentences
	States   [][2]string                      `json:"states"` // of parameters: text where there is no value, second line
	Kinds    map[compare.ParameterKind]string `json:"kinds"`  // of parameters, in words
	System   [][2]string                      `json:"system"` // parts of the system in their order: key, in words
	Fields   []string                         `json:"fields"` // fields of a workload class in words
	Ladder   chart.Ladder                     `json:"ladder"`
	Models   [][2]string                      `json:"models"`   // name, further words
	Hardware [][2]string                      `json:"hardware"` // name, further words
	Engines  []string                         `json:"engines"`
	Classes  []string                         `json:"classes"` // digests of workload classes
	// Runs are id, model, hardware, engine, series, day, classes, 1 if withdrawn.
	Runs [][]any `json:"runs"`
	// More is how many runs are left out of a list that would be too large to load.
	More int `json:"more"`
}

// axis is the horizontal axis of a chart by load.
type axis struct {
	Title   string `json:"title"`
	Unit    string `json:"unit"`
	Pow2    bool   `json:"pow2"`
	Caption string `json:"caption"`
}

// mostChosen is how many runs a reader compares at most; assets/ts/compare.ts has it too.
const mostChosen = 6

// shardFiles are all files that the page of comparisons loads. A run whose model or hardware no
// source names is not offered: nobody knows what it would be compared with. Where all are such the list has its words
// alone, with which readers compare files of their own.
func (g *Set) shardFiles(yield func(page.File) bool) bool {
	runs := g.Index.Identified
	place := page.Place("")
	m := compare.NewMembers(g.Arguments, runs, compare.Units{}, &compare.MemberPages{
		Card:  func(c *figure.Card) string { return place.To(page.PathCard(c.Slug), "") },
		Run:   func(r *figure.Run) string { return place.To(view.PathRun(r.ID), "") },
		Point: g.PlaceOf,
	})
	short := m.Units.Short()
	sum := sha256.Sum256(fmt.Append(nil, short)) // maps are printed in the order of their keys
	units := hex.EncodeToString(sum[:5])
	shard := func(r *figure.Run) page.File {
		of := g.OfRun(r)
		if of != "" {
			of += " " + units + " " + m.VersionOf(r)
		}
		return page.File{Path: pathShards + catalog.Slug(r.ID) + ".js", Of: of,
			Write: func(w io.Writer) error { return writePackedCall(w, "run", m.Of(r)) }}
	}
	if g.Options.Reader != nil {
		all := sha256.New()
		for _, r := range runs {
			fmt.Fprintln(all, units, r.ID, r.Records)
		}
		if !yield(page.File{Path: view.PathUnits, Of: hex.EncodeToString(all.Sum(nil)[:5]), Write: func(w io.Writer) error {
			known := short
			known.Runs = map[string]string{}
			before := g.lastMeasured()
			for _, r := range runs {
				measured := before[r.ID]
				if _, same := g.lastSize(shard(r)); !same || measured == "" {
					measured = r.Measured()
				}
				known.Runs[r.ID] = measured
			}
			return json.NewEncoder(w).Encode(known)
		}}) {
			return false
		}
	}
	if !yield(page.File{Path: pathRunList, Write: g.writeRunList}) {
		return false
	}
	for _, v := range m.Versions {
		if !yield(page.File{Path: pathVersions + v.Name + ".js",
			Write: func(w io.Writer) error { return writeCall(w, "version", v) }}) {
			return false
		}
	}
	for _, r := range runs {
		if !yield(shard(r)) {
			return false
		}
	}
	return true
}

// lastMeasured is what runs of the last build measured, by their ids: see [compare.Units].
func (g *Set) lastMeasured() map[string]string {
	var u compare.Units
	if json.Unmarshal(g.lastFile(view.PathUnits), &u) != nil {
		return nil
	}
	return u.Runs
}

// writeCall writes a script that calls one function of the page with v. JSON as Go writes it is
// fit for a script: <, >, & and the two line ends that only JavaScript knows are escaped.
func writeCall(w io.Writer, function string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	b.WriteString("inferdex." + function + "(")
	b.Write(data)
	b.WriteString(");\n")
	return b.Flush()
}

// writePackedCall writes a script that calls one function of the page with v packed: its JSON in gzip in base64, which
// assets/ts/packed.ts unpacks. It is for what has the same words many times; a browser unpacks nothing itself in a folder.
func writePackedCall(w io.Writer, function string, v any) error {
	var b bytes.Buffer
	if err := packed(func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })(&b); err != nil {
		return err
	}
	return writeCall(w, function, base64.StdEncoding.EncodeToString(b.Bytes()))
}

// writeRunList writes the list of runs, the newest first.
func (g *Set) writeRunList(w io.Writer) error {
	list := runList{
		Quantities: compare.MemberQuantities, Judged: compare.MemberJudged, Facts: compare.MemberFacts, Axes: map[string]axis{}, Sure: compare.SureOf(),
		Says: compare.Sentences, States: view.ParameterStates(), Kinds: view.ParameterKinds(), Fields: []string{},
		Ladder: chart.NewLadder(mostChosen), Models: [][2]string{}, Hardware: [][2]string{}, Engines: []string{},
		Classes: []string{}, Runs: [][]any{},
	}
	for _, a := range []string{record.AxisConcurrency, record.AxisRate, record.AxisBatch, ""} {
		var x axis
		x.Title, x.Unit, x.Pow2, x.Caption = view.LoadAxis(a)
		list.Axes[a] = x
	}
	for _, k := range compare.SystemRows() {
		list.System = append(list.System, [2]string{k, view.AttributeLabel(k)})
	}
	models, hardware, engines, classes := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	at := func(m map[string]int, key string, add func()) int {
		i, ok := m[key]
		if !ok {
			i = len(m)
			m[key] = i
			add()
		}
		return i
	}
	for _, r := range g.Index.Runs {
		if len(r.Scenarios) > 0 {
			for _, f := range figure.ClassFields(r.Run, r.Scenarios[0]) {
				list.Fields = append(list.Fields, f.Name)
			}
			break
		}
	}
	for _, r := range g.Index.Identified {
		model := at(models, r.Model.Slug, func() {
			words := append([]string{r.Model.ID, r.Model.Quantization, r.Model.Precision}, r.Model.Aliases...)
			list.Models = append(list.Models, [2]string{r.Model.Name, furtherWords(r.Model.Name, words...)})
		})
		hw := at(hardware, r.Hardware.Slug, func() {
			list.Hardware = append(list.Hardware, [2]string{r.Hardware.Name, acceleratorWords(r.Hardware.Accelerator)})
		})
		e := r.EngineName()
		engine := at(engines, e, func() { list.Engines = append(list.Engines, e) })
		own := []int{}
		for _, s := range r.Scenarios[:min(len(r.Scenarios), compare.MostWorkloads)] {
			d := compare.ClassKey(s)
			if c := at(classes, d, func() { list.Classes = append(list.Classes, d) }); !slices.Contains(own, c) {
				own = append(own, c)
			}
		}
		row := []any{catalog.Slug(r.ID), model, hw, engine, page.Clip(r.OwnName(), 120), page.Day(r.Started), own}
		if r.Withdrawn != "" {
			row = append(row, 1)
		}
		list.Runs = append(list.Runs, row)
	}
	return writeCall(w, "runs", list.bounded())
}

// bounded is the list without what makes it too large to load: first the classes of runs, which
// only sort what is offered, then the oldest runs.
func (l runList) bounded() runList {
	large := func() bool {
		data, err := json.Marshal(l)
		return err == nil && len(data) > listBytes
	}
	if large() {
		l.Classes = []string{}
		for i := range l.Runs {
			l.Runs[i][6] = []int{}
		}
	}
	for large() && len(l.Runs) > 0 {
		n := cmp.Or(len(l.Runs)/8, 1)
		l.Runs, l.More = l.Runs[:len(l.Runs)-n], l.More+n
	}
	return l
}

package main

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/inferdex/inferdex"
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/figure"
	"github.com/inferdex/inferdex/ingest/format"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
	"github.com/inferdex/inferdex/site/view"
)

// What completes an argument that is a file, a folder, or nothing that is known here.
var (
	fileNames   = only(nil, cobra.ShellCompDirectiveDefault)
	folderNames = only(nil, cobra.ShellCompDirectiveFilterDirs)
	anyText     = only(nil, cobra.ShellCompDirectiveNoFileComp)
)

func only(words []string, d cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) { return words, d }
}

// oneOf completes one of a few.
func oneOf(list ...string) cobra.CompletionFunc {
	return only(list, cobra.ShellCompDirectiveNoFileComp)
}

// complete says how every argument of every command is completed. What stands in neither table is said by the
// command itself, or is free text.
func (a *app) complete(root *cobra.Command) {
	arguments := map[string]cobra.CompletionFunc{
		"inferdex init":   folderNames,
		"inferdex ingest": fileNames,
		"inferdex submit": fileNames,
		"inferdex fetch":  only([]string{"github:"}, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace),
		"inferdex diff": func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			a.resolveDirs()
			tags, _ := a.snapshots() // nothing is said while a line is typed
			return tags, cobra.ShellCompDirectiveDefault
		},
		"inferdex chart": a.named(true, 1), "inferdex report": a.named(true, 1),
		"inferdex remove":                  a.named(false, 0),
		"inferdex export benchmark-report": a.named(false, 0),
		"inferdex schema":                  oneOf(settings.ReferenceFiles()...),
		"inferdex formats":                 oneOf(formatNames()...),
		"inferdex next":                    a.completeModel,
	}
	flags := map[string]cobra.CompletionFunc{
		"dir": folderNames, "output": folderNames, "merge": folderNames, "submit output": fileNames, "set": completeSet, "theme": oneOf("light", "dark"),
		"status":       oneOf("success", "failure", "cancelled", "*"),
		"event":        oneOf("push", "schedule", "workflow_dispatch", "pull_request"),
		"metric":       a.completeChart,
		"fail-on":      completeLimit,
		"chart format": oneOf("svg", "png"),
		"split":        oneOf(byOrganisation),
	}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 && !cmd.HasSubCommands() {
			cmd.ValidArgsFunction = anyText
			if f := arguments[cmd.CommandPath()]; f != nil {
				cmd.ValidArgsFunction = f
			}
		}
		for _, name := range flagNames(cmd.LocalFlags().FlagUsages()) {
			f := cmd.LocalFlags().Lookup(name)
			if _, known := cmd.GetFlagCompletionFunc(name); known || f.Value.Type() == "bool" {
				continue
			}
			do := anyText
			for _, key := range []string{name, cmd.Name() + " " + name} {
				if flags[key] != nil {
					do = flags[key]
				}
			}
			_ = cmd.RegisterFlagCompletionFunc(name, do) // it fails for flags that there are not
		}
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk(root)
}

// known are the runs and cards of the catalog, for completion: one that is damaged has none.
func (a *app) known() (*figure.Index, *catalog.Catalog) {
	a.resolveDirs() // completion runs no hook before the command
	c, err := a.catalogOf()
	if err != nil {
		return nil, nil
	}
	own, _ := fs.Sub(inferdex.Files, dataDir)
	n, _ := settings.LoadNames(own, a.inside(dataDir))
	return figure.NewIndex(c, n), c
}

// subjects are the names of cards and runs, for completion.
func (a *app) subjects() (cards, runs []string) {
	a.resolveDirs() // completion runs no hook before the command
	var known struct{ Cards, Runs []string }
	text, err := a.remembered("names.json", func() ([]byte, bool, error) {
		ix, _ := a.known()
		if ix == nil {
			return nil, false, nil
		}
		for _, c := range ix.Cards {
			known.Cards = append(known.Cards, c.Slug+"\t"+oneLine(c.Title()))
		}
		for _, r := range ix.Runs {
			known.Runs = append(known.Runs, r.ID+"\t"+oneLine(r.Card.Title()+", "+r.Series))
		}
		text, err := json.Marshal(known)
		return text, true, err
	})
	if err == nil && len(text) > 0 {
		err = json.Unmarshal(text, &known)
	}
	if err != nil {
		return nil, nil
	}
	return known.Cards, known.Runs
}

// named completes ids of runs that are not given yet, and names of cards; most is how many arguments there may be,
// 0 is any number.
func (a *app) named(cards bool, most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		list, runs := a.subjects()
		if !cards {
			list = nil
		}
		return slices.DeleteFunc(append(list, runs...), func(word string) bool {
			id, _, _ := strings.Cut(word, "\t")
			return slices.Contains(args, id)
		}), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeModel completes the name of a model of the catalog.
func (a *app) completeModel(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	if ix, _ := a.known(); ix != nil && len(args) == 0 {
		for _, m := range ix.Models {
			names = append(names, m.Slug+"\t"+oneLine(m.Name))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeChart completes the name of a chart of the run or card that is given.
func (a *app) completeChart(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	ix, c := a.known()
	if ix == nil || len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	_, names, _ := view.ChartOf(ix, c, view.Options{Config: &settings.Config{}}, args[0], "")
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeSet completes the key of KEY=VALUE.
func completeSet(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var keys []string
	for _, k := range settings.FactKeys() {
		keys = append(keys, k+"=")
	}
	return keys, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeLimit completes the metric of a limit.
func completeLimit(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, m := range metric.All() {
		names = append(names, string(m.ID))
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func formatNames() []string {
	var names []string
	for _, f := range format.All() {
		names = append(names, f.Name+"\t"+oneLine(f.Doc.Title))
	}
	return names
}

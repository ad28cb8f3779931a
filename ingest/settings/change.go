package settings

import (
	"cmp"
	"sort"
	"strings"
	"time"
)

func (n *Names) readChanges(tables []namesTable) {
	type key struct{ engine, version, date, text string }
	layers := map[key]int{}
	for _, t := range tables {
		c := Change{Version: t.text("version"), Text: t.text("text"), Address: t.text("address"), File: t.doc.file,
			Line: t.doc.line(t.path)}
		engine := t.text("engine")
		c.Date, _ = t.scalar("date")
		at := func(k string) string {
			if _, written := t.m[k]; written {
				return t.at(k)
			}
			return t.path
		}
		t.close()
		ok := true
		wrong := func(k, format string, args ...any) {
			t.doc.report(at(k), format, args...)
			ok = false
		}
		if c.Text == "" {
			wrong("text", "a change without text: say in one clause what changed")
		}
		switch {
		case c.Version == "" && c.Date == "":
			wrong("version", "a change without version and date: write the first that has it")
		case c.Version != "" && engine == "":
			wrong("version", "a change with a version and without an engine: write whose version it is")
		}
		if _, err := time.Parse(time.DateOnly, c.Date); c.Date != "" && err != nil {
			wrong("date", "date is %q, want a day such as 2025-03-26", c.Date)
		}
		if c.Address != "" && !strings.HasPrefix(c.Address, "https://") && !strings.HasPrefix(c.Address, "http://") {
			wrong("address", "address is %q, want one that begins with https://", c.Address)
		}
		if engine != "" {
			e := n.Engine(engine, c.Version)
			c.Engine, c.Version = e.Slug, e.Version
		}
		if !ok {
			continue
		}
		k := key{c.Engine, c.Version, c.Date, c.Text}
		if layer, stands := layers[k]; stands {
			if layer == t.layer {
				t.doc.report(t.path, "this change stands twice: leave one out")
			}
			continue
		}
		layers[k] = t.layer
		n.changes = append(n.changes, c)
	}
	sort.SliceStable(n.changes, func(i, j int) bool {
		a, b := &n.changes[i], &n.changes[j]
		return cmp.Or(cmp.Compare(a.Engine, b.Engine), CompareVersions(a.Version, b.Version),
			cmp.Compare(a.Date, b.Date)) < 0
	})
}

// Changes are what was written down of an engine and of all, in the order of versions and of
// days: those of the engine first.
func (n *Names) Changes(engineSlug string) []Change {
	if n == nil {
		return nil
	}
	var own, all []Change
	for _, c := range n.changes {
		switch c.Engine {
		case "":
			all = append(all, c)
		case engineSlug:
			own = append(own, c)
		}
	}
	return append(own, all...)
}

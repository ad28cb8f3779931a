package refute

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/inferdex/inferdex/ingest/catalog"
)

// reproduced is how far apart two runs may lie of which one reproduces the other.
const reproduced = 0.05

type replicationClaim struct {
	By []replica `json:"by"`
}

type replica struct {
	versusClaim
	Gap float64 `json:"gap"`
}

func (c replicationClaim) cites() (all []operand, n int) {
	for _, p := range c.By {
		all = append(all, p.Here)
	}
	for _, p := range c.By {
		all = append(all, p.There)
	}
	return all, len(c.By)
}

func (c replicationClaim) holds(k *Checker, r *catalog.Run, at []place) error {
	taken := authors(r)
	if len(c.By) == 0 || len(taken) == 0 || attribute(r, "engine_version") == "" {
		return fmt.Errorf("nobody has replicated it, or its author or its engine's version is not recorded")
	}
	for i, p := range c.By {
		here, there := at[i], at[len(c.By)+i]
		o := there.run
		if err := p.versusClaim.holds(k, r, []place{here, there}); err != nil {
			return err
		}
		by := authors(o)
		if len(by) == 0 || slices.ContainsFunc(by, func(a string) bool { return slices.Contains(taken, a) }) {
			return fmt.Errorf("run %q has no author, or one that counts already", o.ID)
		}
		taken = append(taken, by...)
		if err := sameThing(r, o); err != nil {
			return err
		}
		a, b := p.Here.Value, p.There.Value
		if !near(p.Gap, math.Abs(a-b)/max(a, b)) || i > 0 && p.Gap > c.By[i-1].Gap {
			return fmt.Errorf("%v and %v do not lie %v apart, or one behind lies farther", a, b, p.Gap)
		}
		for _, m := range here.of.loads {
			x, first := m.central(output)
			n := there.of.at(m.load)
			if !first || n == nil {
				continue
			}
			if y, ok := n.central(output); ok && x > 0 && y > 0 && math.Abs(x-y)/max(x, y) > p.Gap+1e-9 {
				return fmt.Errorf("at %v they lie farther apart", m.load)
			}
		}
	}
	return nil
}

// authors are the names of who made the files of a run, in letters and digits alone.
func authors(r *catalog.Run) (out []string) {
	for _, s := range r.Sources {
		texts := strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(s.Author), " and ", ","),
			func(c rune) bool { return strings.ContainsRune(",;&+/\n", c) })
		for _, t := range texts {
			word := strings.Join(strings.FieldsFunc(t,
				func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }), "")
			if word != "" && word != "unknown" {
				out = append(out, word)
			}
		}
	}
	return out
}

// inVersion are the numbers and words of a version.
var inVersion = regexp.MustCompile(`[0-9]+|[a-z]+`)

// sameThing reports what two runs record that makes two things of what they measured.
func sameThing(r, o *catalog.Run) error {
	for _, key := range []string{"precision", "tokenizer", "topology", "wrapper", "count"} {
		if a, b := attribute(r, key), attribute(o, key); a != "" && b != "" && a != b {
			return fmt.Errorf("a replication where %s is %q and %q", key, a, b)
		}
	}
	version := func(r *catalog.Run) string {
		text, _, _ := strings.Cut(strings.ToLower(attribute(r, "engine_version")), "+")
		parts := inVersion.FindAllString(text[max(0, strings.IndexAny(text, "0123456789")):], -1)
		for len(parts) > 0 && parts[len(parts)-1] == "0" {
			parts = parts[:len(parts)-1]
		}
		return strings.Join(parts, " ")
	}
	if version(r) != version(o) {
		return fmt.Errorf("the versions are %q and %q", version(r), version(o))
	}
	return nil
}

func (c replicationClaim) reads(*Checker, *catalog.Run, []place) wording {
	if len(c.By) == 0 {
		return nothing()
	}
	n, within := 0, 0.0
	for _, p := range c.By {
		if p.Gap <= reproduced {
			n, within = n+1, max(within, p.Gap)
		}
	}
	begin := says("Reproduced by %, within %", many(n, "other author", "other authors"), percent(within))
	switch {
	case n == 0:
		begin = says("Not reproduced by %", many(len(c.By), "other author", "other authors"))
	case n < len(c.By):
		begin = says("%, and not by %", begin, whole(len(c.By)-n))
	}
	p := c.By[0]
	how := says(": here it is % lower", percent(p.Gap))
	switch {
	case p.Gap == 0:
		how = say("")
	case p.There.Value < p.Here.Value:
		how = says(", % lower", percent(p.Gap))
	}
	return says("%: farthest apart with %%, output throughput is % tok/s here against % there%%", begin, p.Here.titled(),
		p.Here.afterwards(), num(p.Here.Value), num(p.There.Value), how, p.basis())
}

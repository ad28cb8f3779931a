package settings

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Freshness says how old the newest run of a card may be: [freshness]. The zero Freshness allows any age.
type Freshness struct {
	// MaxAge is that of cards without a rule, in days; 0 allows any age.
	MaxAge int
	// AsOf is the day, "2026-11-01", that ages are counted to; "" is the day of the newest run of the catalog.
	AsOf string
	// Cards in the order of the file: the first that matches wins.
	Cards []FreshnessRule
}

// FreshnessRule is a maximum age of some cards. A card must match each pattern that is set; small and capital letters
// are the same.
type FreshnessRule struct {
	Card, Model, Hardware string
	// MaxAge in days; 0 allows any age.
	MaxAge int
	File   string
	Line   int
}

// Match reports whether the rule is for a card; model and hardware are the names that each of them has.
func (r FreshnessRule) Match(card string, model, hardware []string) bool {
	return glob(r.Card, card) && glob(r.Model, model...) && glob(r.Hardware, hardware...)
}

// glob reports whether a pattern matches one of the names; "" matches always.
func glob(pattern string, names ...string) bool {
	return pattern == "" || slices.ContainsFunc(names, func(name string) bool {
		ok, _ := path.Match(strings.ToLower(pattern), strings.ToLower(name)) // a bad pattern was told when it was read
		return ok
	})
}

// For is the maximum age of a card in days, 0 where any is allowed.
func (f Freshness) For(card string, model, hardware []string) int {
	for _, r := range f.Cards {
		if r.Match(card, model, hardware) {
			return r.MaxAge
		}
	}
	return f.MaxAge
}

// IsDay reports whether a text is a day as in "2026-11-01".
func IsDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// freshness reads [freshness].
func (t *table) freshness() (f Freshness) {
	f.MaxAge = t.age("max_age")
	if s, ok := t.scalar("as_of"); ok {
		if f.AsOf = s; !IsDay(s) {
			t.doc.report(t.at("as_of"), "as_of is %q, want a day such as 2026-11-01", s)
			f.AsOf = ""
		}
	}
	for _, c := range t.tables("card") {
		r := FreshnessRule{Card: c.text("card"), Model: c.text("model"), Hardware: c.text("hardware"), MaxAge: c.age("max_age"),
			File: t.doc.file, Line: t.doc.line(c.at("max_age"))}
		_, aged := c.m["max_age"]
		good := aged
		for key, pattern := range map[string]string{"card": r.Card, "model": r.Model, "hardware": r.Hardware} {
			if _, err := path.Match(pattern, ""); err != nil {
				t.doc.report(c.at(key), "%s %q is no pattern: * stands for any letters, ? for one, and a [ needs its ]", key, pattern)
				good = false
			}
		}
		if !aged || r.Card+r.Model+r.Hardware == "" {
			t.doc.report(c.path, `a rule without max_age, or without card, model or hardware: write model = "Llama-*" and `+
				`max_age = "30 days"`)
			good = false
		}
		if good {
			f.Cards = append(f.Cards, r)
		}
		c.close()
	}
	t.close()
	return f
}

var ageText = regexp.MustCompile(`^([0-9]{1,6}) ?(d|day|days|w|week|weeks)$`)

// age reads a number of days: a whole number, a text such as "90 days" or "12 weeks", or "never" for any age. 0 is any
// age, and what stands for an absent key.
func (t *table) age(key string) int {
	v, ok := t.get(key)
	if !ok {
		return 0
	}
	const want = `days as a whole number or a text such as "90 days", "12 weeks" or "never"`
	switch v := v.(type) {
	case int64:
		if v > 0 && v < 1_000_000 {
			return int(v)
		}
		t.doc.report(t.at(key), "%s is %d, want %s", key, v, want)
	case string:
		v = strings.ToLower(strings.TrimSpace(v))
		if v == "never" {
			return 0
		}
		if m := ageText.FindStringSubmatch(v); m != nil {
			if n, _ := strconv.Atoi(m[1]); n > 0 { // at most six digits
				return n * map[byte]int{'d': 1, 'w': 7}[m[2][0]]
			}
		}
		t.doc.report(t.at(key), "%s is %q, want %s", key, v, want)
	default:
		t.wrong(key, v, want)
	}
	return 0
}

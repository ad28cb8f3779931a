package refute

import (
	"fmt"
	"slices"
	"strings"
)

// needed are the relations that a sentence of a kind rests on: without one of each group it says more than its
// claim does.
var needed = map[string][][]string{
	"span":       {{"first"}, {"last"}},
	"spread":     {{"ranked"}, {"together"}},
	"top":        {{"highest", "best"}},
	"lead":       {{"ranked"}, {"together"}},
	"trade":      {{"highest"}, {"won"}, {"together"}},
	"wins":       {{"won", "open"}, {"places"}},
	"pair":       {{"change", "equal", "unequal"}, {"clear", "same", "few", "clear-within", "same-within", "unclear"}},
	"everywhere": {{"won", "open"}, {"places"}, {"least"}, {"most"}, {"middle"}},
	"depth":      {{"ratio"}},
	"turn":       {{"turn"}, {"shortest"}},
	"switch":     {{"only"}, {"ratio"}},
	"length":     {{"only"}, {"ratio"}},
	"fall":       {{"ratio"}, {"backend"}},
	"few-runs":   {{"few", "unclear"}},
	"step":       {{"change", "equal", "unequal"}, {"clear", "same", "few"}},
	"level":      {{"level"}},
	"frontier":   {{"between", "ranked", "highest"}},
	"use":        {{"keeps"}},
	"limits":     {{"keeps", "breaks"}, {"kept"}},
	"close":      {{"held"}, {"margin"}, {"measured"}},
	"again":      {{"exceeds"}, {"held"}},
	"beyond":     {{"before"}, {"change"}},
	"beside":     {{"beside"}, {"farthest"}},
	"cost":       {{"cost"}, {"cheapest"}, {"keeps"}},
	"energy":     {{"joule"}, {"thriftiest"}, {"keeps"}},
	"hardware":   {{"together"}, {"configurations"}, {"change", "equal"}, {"clear", "same", "few"}},
}

// stated recomputes a claim of numbers and of how they stand to one another.
func stated(k *Checker, s Statement) error {
	c, err := read[statedClaim](s)
	if err != nil {
		return err
	}
	f := facts{&c, k, make([]place, len(c.Of))}
	for i, n := range c.Of {
		var err error
		if f.at[i], err = k.locate(n.operand, ""); err != nil {
			return err
		}
		if err := n.made(f.at[i]); err != nil {
			return err
		}
	}
	for _, group := range needed[s.Kind] {
		if !slices.ContainsFunc(c.Relations, func(r relation) bool { return slices.Contains(group, r.Is) }) {
			return fmt.Errorf("a sentence of the kind %q without a relation %q", s.Kind, strings.Join(group, " or "))
		}
	}
	related := map[int]bool{}
	var limits []limit
	for _, r := range c.Relations {
		if limits == nil && r.Is != "unjudged" {
			limits = r.Limits
		}
		if len(r.Limits) > 0 && r.Is != "unjudged" && !slices.EqualFunc(limits, r.Limits, limit.same) {
			return fmt.Errorf("two relations have two limits")
		}
		if err := f.relation(r); err != nil {
			return err
		}
		for _, i := range r.Among {
			related[i] = true
		}
	}
	for i := range c.Of {
		if !related[i] {
			return fmt.Errorf("nothing is said of number %d", i)
		}
	}
	if err := f.fit(); err != nil {
		return err
	}
	w := wordings[s.Kind](f, s)
	if r := k.runs[s.Run]; r != nil {
		w = either(w, then(k.title(s, r), w))
	}
	return reads(s, w)
}

// relation holds one relation against the catalog.
func (f facts) relation(r relation) error {
	check := relations[r.Is]
	if check == nil {
		return fmt.Errorf("nobody can check the relation %q", r.Is)
	}
	for n, i := range r.Among {
		if i < 0 || i >= len(f.Of) || slices.Contains(r.Among[:n], i) && r.Is != "between" {
			return fmt.Errorf("there is no number %d, or it stands twice", i)
		}
	}
	if check.numbers > len(r.Among) || check.numbers < 0 && len(r.Among) != -check.numbers {
		return fmt.Errorf("%s is said of %d numbers", r.Is, len(r.Among))
	}
	interval, at := r.Is == "interval", slices.Contains([]string{"between", "cost", "joule", "level"}, r.Is)
	if r.Key != "" && r.Is != "only" {
		return fmt.Errorf("%s is of no parameter", r.Is)
	}
	if (r.Value != nil) != check.value || (r.At != nil) != at || (r.Low != nil) != interval ||
		(r.High != nil) != interval {
		return fmt.Errorf("%s has a value too many or too few", r.Is)
	}
	if err := check.holds(f, r); err != nil {
		return fmt.Errorf("%s: %w", r.Is, err)
	}
	return nil
}

// checked is how a relation is recomputed.
type checked struct {
	numbers int // how many it is of at least; exactly so many where it is below zero
	value   bool
	holds   func(facts, relation) error
}

var relations map[string]*checked

func init() {
	relations = map[string]*checked{
		"highest":        {1, false, each(facts.highest)},
		"best":           {1, false, each(facts.best)},
		"first":          {1, false, each(facts.first)},
		"last":           {1, false, each(facts.last)},
		"ranked":         {2, false, facts.ranked},
		"together":       {2, false, facts.together},
		"won":            {2, false, facts.won},
		"open":           {2, false, facts.open},
		"ratio":          {-2, true, facts.ratio},
		"change":         {-2, true, facts.change},
		"equal":          {-2, false, facts.equal},
		"unequal":        {-2, false, facts.unequal},
		"count":          {-1, true, facts.count},
		"places":         {0, true, facts.places},
		"open-places":    {0, true, facts.openPlaces},
		"prompts":        {-1, true, facts.prompts},
		"between":        {-4, true, facts.between},
		"turn":           {-2, true, facts.turn},
		"shortest":       {1, false, facts.shortest},
		"only":           {-2, false, facts.only},
		"backend":        {2, false, facts.backend},
		"level":          {fewestOfHistory, true, facts.level},
		"interval":       {-1, false, facts.interval},
		"measured":       {-1, true, facts.measurements},
		"requests":       {-1, true, facts.requests},
		"sure":           {0, true, facts.sure},
		"least":          {0, true, ofChanges(slices.Min[[]float64])},
		"most":           {0, true, ofChanges(slices.Max[[]float64])},
		"middle":         {0, true, ofChanges(middle)},
		"counts":         {-2, true, facts.counts},
		"configurations": {2, true, facts.configurations},
		"clear-within":   {-2, false, within(true)},
		"same-within":    {-2, false, within(false)},
		"unclear":        {-2, false, within(false)},
		"clear":          {-2, false, certain("clear")},
		"same":           {-2, false, certain("same")},
		"few":            {-2, false, certain("few")},
		"keeps":          {-1, false, facts.keeps},
		"breaks":         {-1, false, facts.breaks},
		"unjudged":       {-1, false, facts.unjudged},
		"held":           {-1, false, facts.heldAt},
		"exceeds":        {-1, false, facts.exceeds},
		"margin":         {-1, true, facts.margin},
		"before":         {-2, false, facts.before},
		"fails":          {0, true, facts.fails},
		"kept":           {0, true, facts.kept},
		"beside":         {-2, true, facts.beside},
		"farthest":       {0, true, facts.farthest},
		"cost":           {-1, true, facts.cost},
		"unpriced":       {0, true, keptWithout("cost")},
		"cheapest":       {0, true, ofAll("cost", slices.Min[[]float64])},
		"joule":          {-1, true, facts.joule},
		"thriftiest":     {0, true, ofAll("joule", slices.Max[[]float64])},
		"unpowered":      {0, true, keptWithout("joule")},
	}
}

// each holds a relation of one number against all of its numbers.
func each(holds func(f facts, i int) error) func(facts, relation) error {
	return func(f facts, r relation) error {
		for _, i := range r.Among {
			if err := holds(f, i); err != nil {
				return err
			}
		}
		return nil
	}
}

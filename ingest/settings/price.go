package settings

import (
	"cmp"
	"sort"
	"strings"
	"time"
)

func (n *Names) readPrices(tables []namesTable) {
	type key struct{ provider, accelerator, currency string }
	at := map[key]int{}
	layers := map[key]int{}
	for _, t := range tables {
		p := Price{Provider: t.text("provider"), Accelerator: t.text("accelerator"), Currency: t.text("currency"),
			Address: t.text("address"),
			File:    t.doc.file, Line: t.doc.line(t.path)}
		p.Date, _ = t.scalar("date")
		hour := t.number("per_hour")
		t.close()
		ok := true
		wrong := func(k, format string, args ...any) {
			t.doc.report(t.at(k), format, args...)
			ok = false
		}
		for _, need := range []struct{ key, value string }{{"provider", p.Provider}, {"accelerator", p.Accelerator},
			{"currency", p.Currency},
			{"date", p.Date}} {
			if need.value == "" {
				t.doc.report(t.path,
					"a price without %s: write who asks it, in what currency and when it was read", need.key)
				ok = false
			}
		}
		if _, written := t.m["per_hour"]; hour == nil && written {
			ok = false // reported
		} else if hour == nil {
			t.doc.report(t.path, "a price without per_hour: write the price of one accelerator for an hour")
			ok = false
		} else {
			p.PerHour = *hour
		}
		if p.Currency != "" && (len(p.Currency) != 3 || strings.ToUpper(p.Currency) != p.Currency) {
			wrong("currency", "currency is %q, want a code of three letters such as \"USD\"", p.Currency)
		}
		if _, err := time.Parse(time.DateOnly, p.Date); p.Date != "" && err != nil {
			wrong("date", "date is %q, want a day such as 2025-03-26", p.Date)
		}
		if p.Address != "" && !strings.HasPrefix(p.Address, "https://") && !strings.HasPrefix(p.Address, "http://") {
			wrong("address", "address is %q, want one that begins with https://", p.Address)
		}
		if _, known := n.Accelerator(p.Accelerator); p.Accelerator != "" && !known {
			wrong("accelerator", "%q is not the id of an accelerator in data/names", p.Accelerator)
		}
		if !ok {
			continue
		}
		k := key{p.Provider, p.Accelerator, p.Currency}
		if i, stands := at[k]; stands {
			if layers[k] == t.layer {
				t.doc.report(t.path, "%q has two prices of %q in %s: keep the newer", p.Provider,
					p.Accelerator, p.Currency)
			}
			n.prices[i], layers[k] = p, t.layer
			continue
		}
		at[k], layers[k] = len(n.prices), t.layer
		n.prices = append(n.prices, p)
	}
	sort.SliceStable(n.prices, func(i, j int) bool {
		a, b := &n.prices[i], &n.prices[j]
		return cmp.Or(cmp.Compare(a.Accelerator, b.Accelerator), cmp.Compare(a.Currency, b.Currency),
			cmp.Compare(a.PerHour, b.PerHour), cmp.Compare(a.Provider, b.Provider)) < 0
	})
}

// Prices are the prices of an accelerator, those of one currency together and the cheapest
// first; of all accelerators where the id is empty. Nil where nobody stated one.
func (n *Names) Prices(accelerator string) []Price {
	if n == nil {
		return nil
	}
	var out []Price
	for _, p := range n.prices {
		if accelerator == "" || p.Accelerator == accelerator {
			out = append(out, p)
		}
	}
	return out
}

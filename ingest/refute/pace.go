package refute

import (
	"fmt"
	"math"

	"github.com/inferdex/inferdex/ingest/catalog"
)

type paceClaim struct {
	At          operand  `json:"at"`
	Share       float64  `json:"share"`
	Beyond      *operand `json:"beyond"`
	BeyondShare float64  `json:"beyond_share"`
}

func (c paceClaim) cites() ([]operand, int) {
	all := []operand{c.At}
	if c.Beyond != nil {
		all = append(all, *c.Beyond)
	}
	return all, len(all)
}

// completes are the finite rates of a curve at which it is known how many requests a second were completed, until
// the first one of which a tenth is left.
func (c *curve) completes() (out []*measured) {
	for _, m := range c.loads {
		v, ok := m.central("request_throughput")
		if !ok || m.load <= 0 || math.IsInf(m.load, 1) {
			continue
		}
		out = append(out, m)
		if v/m.load < 0.9 && !near(v/m.load, 0.9) {
			break
		}
	}
	return out
}

func (c paceClaim) holds(_ *Checker, _ *catalog.Run, at []place) error {
	cited, shares := []operand{c.At}, []float64{c.Share}
	if c.Beyond != nil {
		cited, shares = append(cited, *c.Beyond), append(shares, c.BeyondShare)
	} else if c.BeyondShare != 0 {
		return fmt.Errorf("a part of no rate is stated")
	}
	rates := at[0].of.completes()
	if at[0].of.axis != "rate" || len(rates) < len(cited) {
		return fmt.Errorf("%d request rates are measured", len(rates))
	}
	for i, o := range cited {
		want := rates[len(rates)-len(cited)+i]
		if at[i].measured != want || o.Metric != "request_throughput" || !near(shares[i], o.Value/want.load) {
			return fmt.Errorf("at %v requests/s it is %v of the rate", want.load, o.Value/want.load)
		}
	}
	if c.Share < 0.9 || c.Beyond != nil && c.BeyondShare >= 0.9 {
		return fmt.Errorf("%v of one rate and %v of the next are completed", c.Share, c.BeyondShare)
	}
	return nil
}

func (c paceClaim) reads(*Checker, *catalog.Run, []place) wording {
	largest, more := say(", the largest measured"), say("")
	if c.Beyond != nil {
		largest, more = say(""), says("; of % it completes %, %", c.Beyond.load(), num(c.Beyond.Value),
			percent(c.BeyondShare))
	}
	return says("With %, the server completes at least nine tenths of each request rate up to %%: % a second, %%.",
		c.At.titled(), c.At.load(), largest, num(c.At.Value), percent(c.Share), more)
}

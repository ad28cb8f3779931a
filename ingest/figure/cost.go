package figure

import (
	"github.com/inferdex/inferdex/ingest/catalog"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/settings"
)

// Cost is what the output of a point costs at one price.
type Cost struct {
	Price settings.Price
	// PerMillion is the price of a million output tokens in Price.Currency.
	PerMillion float64
	// TokensPerUnit is how many output tokens one unit of the currency buys.
	TokensPerUnit float64
}

// costAt is the cost of output at a price of one accelerator for an hour; ok is false where the
// throughput or the number of accelerators that served is not known, or where the price is not
// above zero.
//
//	per million = 1e6 × accelerators × price per hour / (3600 × output tok/s)
func costAt(outputTokensPerSecond float64, accelerators int, price settings.Price) (Cost, bool) {
	if !(outputTokensPerSecond > 0) || accelerators < 1 || !(price.PerHour > 0) {
		return Cost{}, false
	}
	hour := float64(accelerators) * price.PerHour
	c := Cost{Price: price, PerMillion: metric.Round12(1e6 * hour / (3600 * outputTokensPerSecond)),
		TokensPerUnit: metric.Round12(3600 * outputTokensPerSecond / hour)}
	return c, Finite(c.PerMillion) && Finite(c.TokensPerUnit)
}

// Costs are the costs of a run's point at each known price of its accelerator, those of one
// currency together and the cheapest first; nil where no price is known.
func (ix *Index) Costs(r *Run, p *catalog.Point) []Cost {
	v, ok := Throughput(p)
	if !ok || r.Hardware.CountAssumed {
		return nil
	}
	var out []Cost
	for _, price := range ix.Names.Prices(r.Hardware.Accelerator.ID) {
		if c, ok := costAt(v, r.Hardware.Count, price); ok {
			out = append(out, c)
		}
	}
	return out
}

// The bases of an Energy.
const (
	MeasuredPower  = "measured power"
	MeasuredEnergy = "measured energy per token"
	BoardPower     = "board power, not measured"
)

// Energy is what a point's output takes of electricity.
type Energy struct {
	// TokensPerJoule is output tokens / energy of the accelerators.
	TokensPerJoule float64
	// Watts is the power of all accelerators that served; 0 where only energy is recorded.
	Watts float64
	// Basis is one of the constants above: what the watts are.
	Basis string
}

// TokensPerJoule is output tok/s / power of the accelerators: the measured one where it is
// recorded, else the board power times the number of accelerators, which is labelled: the true
// figure is then higher wherever the boards draw less.
func (r *Run) TokensPerJoule(p *catalog.Point) (Energy, bool) {
	v, ok := Throughput(p)
	if w, _, has := Central(p, metric.Power); ok && has && w > 0 && v > 0 {
		return Energy{metric.Round12(v / w), w, MeasuredPower}, true
	}
	if j, _, has := Central(p, metric.EnergyPerToken); has && j > 0 {
		return Energy{TokensPerJoule: metric.Round12(1 / j), Basis: MeasuredEnergy}, true
	}
	w := r.Hardware.Accelerator.PowerW
	if !ok || v <= 0 || w == nil || *w <= 0 || r.Hardware.CountAssumed {
		return Energy{}, false
	}
	watts := metric.Round12(*w * float64(r.Hardware.Count))
	return Energy{metric.Round12(v / watts), watts, BoardPower}, true
}

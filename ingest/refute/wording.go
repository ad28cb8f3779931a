package refute

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/inferdex/inferdex/ingest/metric"
)

// at reads the load of an operand where it stands behind a number: "at 4 parallel requests".
func (o operand) at() wording {
	l := float64(o.Load)
	switch {
	case o.Axis == "":
		return say("")
	case math.IsInf(l, 1):
		return say("all requests at once")
	case o.Axis == "concurrency" && l == 1:
		return say("one request at a time")
	case o.Axis == "batch":
		return says("at batch %", num(l))
	}
	return then(say("at "), o.load())
}

// placed reads the same with a space before it; nothing where no load is known.
func (o operand) placed() wording { return also(o.Axis != "", says(" %", o.at())) }

// behind reads the same behind a number within a sentence.
func (o operand) behind() wording {
	return either(also(o.Axis == "", say("")), says(" %", o.at()), says(", %,", o.at()))
}

// load reads the load of an operand as what does something: "4 parallel requests".
func (o operand) load() wording {
	l := float64(o.Load)
	switch {
	case o.Axis == "":
		return say("requests")
	case math.IsInf(l, 1):
		return say("all requests at once")
	case o.Axis == "concurrency" && l == 1:
		return say("requests one at a time")
	case o.Axis == "concurrency":
		return says("% parallel requests", num(l))
	case o.Axis == "rate" && l == 1:
		return say("1 request/s")
	case o.Axis == "rate":
		return says("% requests/s", num(l))
	}
	return says("batches of %", num(l))
}

// titled reads the name of the workload of an operand.
func (o operand) titled() wording { return say(spaced(o.Workload)) }

// lengthsIn finds the tokens in and out that the name of a workload has.
var lengthsIn = regexp.MustCompile(
	`([0-9]+(?:[\x{202f}\x{00a0} ][0-9]{3})*) → ([0-9]+(?:[\x{202f}\x{00a0} ][0-9]{3})*)`)

// unspaced takes out the spaces within a number.
var unspaced = strings.NewReplacer("\u202f", "", "\u00a0", "", " ", "")

// named reports a workload whose name has other lengths than its points.
func (o operand) named(at place) error {
	m := lengthsIn.FindStringSubmatch(o.Workload)
	if m == nil {
		return nil
	}
	for i, n := range []*float64{at.run.Points[at.points[0]].Workload.Nominal.Input,
		at.run.Points[at.points[0]].Workload.Nominal.Output} {
		said, err := strconv.ParseFloat(unspaced.Replace(m[i+1]), 64)
		if err != nil || n != nil && math.Abs(said-*n) > 0.5 {
			return fmt.Errorf("the workload %q has %v tokens", o.Workload, *n)
		}
	}
	return nil
}

// info is the metric of an operand.
func (o operand) info() metric.Info {
	info, _ := metric.Lookup(metric.ID(o.Metric))
	return info
}

// much reads a value of an operand's metric in its unit.
func (o operand) much(v float64) wording {
	if o.info().Unit == metric.Seconds {
		return seconds(v)
	}
	return then(num(v), say("\u202f"+o.info().Unit))
}

// label reads the name of an operand's metric within a sentence: "output throughput", "TTFT".
func (o operand) label() string {
	l := o.info().Label
	if len(l) > 1 && l[1] >= 'a' && l[1] <= 'z' {
		return strings.ToLower(l[:1]) + l[1:]
	}
	return l
}

// statistic reads a metric's name with the statistic that is meant before it: "Median TTFT".
func (o operand) statistic() wording {
	if o.Stat == "value" {
		return either(say(o.info().Label), say(upper(o.label())))
	}
	return either(say(upper(o.Stat)+" "+o.info().Label), say(upper(o.Stat)+" "+o.label()))
}

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// capital reads a wording that begins with a capital.
func capital(w wording) wording {
	return func(rest string) []string {
		if rest == "" {
			return w(rest)
		}
		return append(w(rest), w(strings.ToLower(rest[:1])+rest[1:])...)
	}
}

// calls reads what a text calls the run of a number.
func (n number) calls() wording { return say(spaced(n.Called)) }

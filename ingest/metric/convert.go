package metric

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// conversion turns a foreign unit to a base unit: value * mul / div, one of which is 1. Both
// are at least 1: a factor below 1 such as 0.001 is no binary fraction and would alter digits
// that a division by 1000 keeps.
type conversion struct {
	base     string
	mul, div float64
}

// conversions maps spellings to base units: without blanks, "per" written as "/", in lower case. Those with a capital are
// spellings whose case decides: mJ is a thousandth of a joule and MJ a million of them. In another case they are not
// known, rather than guessed.
var conversions = map[string]conversion{
	"s": {Seconds, 1, 1}, "sec": {Seconds, 1, 1}, "secs": {Seconds, 1, 1}, "second": {Seconds, 1, 1},
	"seconds": {Seconds, 1, 1},
	"ms":      {Seconds, 1, 1e3}, "msec": {Seconds, 1, 1e3}, "millisecond": {Seconds, 1, 1e3},
	"milliseconds": {Seconds, 1, 1e3},
	"us":           {Seconds, 1, 1e6}, "µs": {Seconds, 1, 1e6}, "μs": {Seconds, 1, 1e6}, "usec": {Seconds, 1, 1e6},
	"microsecond": {Seconds, 1, 1e6}, "microseconds": {Seconds, 1, 1e6},
	"ns": {Seconds, 1, 1e9}, "nsec": {Seconds, 1, 1e9}, "nanosecond": {Seconds, 1, 1e9},
	"nanoseconds": {Seconds, 1, 1e9},
	"min":         {Seconds, 60, 1}, "minute": {Seconds, 60, 1}, "minutes": {Seconds, 60, 1},
	"h": {Seconds, 3600, 1}, "hour": {Seconds, 3600, 1}, "hours": {Seconds, 3600, 1},
	"ms/tok": {Seconds, 1, 1e3}, "ms/token": {Seconds, 1, 1e3}, "s/tok": {Seconds, 1, 1},
	"s/token": {Seconds, 1, 1},

	"tok/s": {TokensPerSecond, 1, 1}, "toks/s": {TokensPerSecond, 1, 1}, "tok/sec": {TokensPerSecond, 1, 1},
	"t/s": {TokensPerSecond, 1, 1}, "tps": {TokensPerSecond, 1, 1},
	"token/s": {TokensPerSecond, 1, 1}, "token/sec": {TokensPerSecond, 1, 1},
	"token/second": {TokensPerSecond, 1, 1},
	"tokens/s":     {TokensPerSecond, 1, 1}, "tokens/sec": {TokensPerSecond, 1, 1},
	"tokens/second":   {TokensPerSecond, 1, 1},
	"tokens_/_second": {TokensPerSecond, 1, 1}, // tokens_per_second
	"ktok/s":          {TokensPerSecond, 1e3, 1}, "kt/s": {TokensPerSecond, 1e3, 1},
	"tok/min": {TokensPerSecond, 1, 60}, "tokens/min": {TokensPerSecond, 1, 60},

	"req/s": {RequestsPerSecond, 1, 1}, "reqs/s": {RequestsPerSecond, 1, 1},
	"req/sec": {RequestsPerSecond, 1, 1}, "rps": {RequestsPerSecond, 1, 1}, "qps": {RequestsPerSecond, 1, 1},
	"request/s": {RequestsPerSecond, 1, 1}, "requests/s": {RequestsPerSecond, 1, 1},
	"requests/sec": {RequestsPerSecond, 1, 1}, "requests/second": {RequestsPerSecond, 1, 1},
	"requests_/_second": {RequestsPerSecond, 1, 1}, "queries/s": {RequestsPerSecond, 1, 1},
	"queries/sec": {RequestsPerSecond, 1, 1},
	"req/min":     {RequestsPerSecond, 1, 60}, "reqs/min": {RequestsPerSecond, 1, 60},
	"requests/min": {RequestsPerSecond, 1, 60}, "requests/minute": {RequestsPerSecond, 1, 60},
	"rpm": {RequestsPerSecond, 1, 60},

	"tokens": {Tokens, 1, 1}, "token": {Tokens, 1, 1}, "tok": {Tokens, 1, 1}, "toks": {Tokens, 1, 1},
	"ktokens": {Tokens, 1e3, 1}, "ktok": {Tokens, 1e3, 1},
	"requests": {Requests, 1, 1}, "request": {Requests, 1, 1}, "req": {Requests, 1, 1},
	"reqs": {Requests, 1, 1}, "queries": {Requests, 1, 1},

	"fraction": {Fraction, 1, 1}, "ratio": {Fraction, 1, 1}, "1": {Fraction, 1, 1},
	"%": {Fraction, 1, 100}, "pct": {Fraction, 1, 100},
	"/cent": {Fraction, 1, 100}, // percent

	"watt": {Watts, 1, 1}, "watts": {Watts, 1, 1}, "kw": {Watts, 1e3, 1},
	"j/tok": {JoulesPerToken, 1, 1}, "j/token": {JoulesPerToken, 1, 1}, "joules/token": {JoulesPerToken, 1, 1},
	"tok/j": {TokensPerJoule, 1, 1}, "token/j": {TokensPerJoule, 1, 1}, "tokens/j": {TokensPerJoule, 1, 1},
	"tokens/joule": {TokensPerJoule, 1, 1},

	"byte": {Bytes, 1, 1}, "bytes": {Bytes, 1, 1},
	"kib": {Bytes, 1 << 10, 1}, "mib": {Bytes, 1 << 20, 1}, "gib": {Bytes, 1 << 30, 1},
	"tib": {Bytes, 1 << 40, 1},
	"kb":  {Bytes, 1e3, 1}, "mb": {Bytes, 1e6, 1}, "gb": {Bytes, 1e9, 1}, "tb": {Bytes, 1e12, 1},
	"tok/s/gpu": {TokensPerSecondGPU, 1, 1}, "tokens/s/gpu": {TokensPerSecondGPU, 1, 1},
	"tok/s/accelerator": {TokensPerSecondGPU, 1, 1},

	"W": {Watts, 1, 1}, "mW": {Watts, 1, 1e3}, "MW": {Watts, 1e6, 1}, "B": {Bytes, 1, 1},
	"mJ/tok": {JoulesPerToken, 1, 1e3}, "mJ/token": {JoulesPerToken, 1, 1e3},
	"MJ/tok": {JoulesPerToken, 1e6, 1}, "MJ/token": {JoulesPerToken, 1e6, 1},
}

// bases are the base units themselves, as stored.
var bases = []string{
	Seconds, TokensPerSecond, RequestsPerSecond, Tokens, Requests, Fraction, Points, Watts, JoulesPerToken, TokensPerJoule,
	Bytes, CostPerMillion, TokensPerSecondGPU,
}

// Convert turns a value of a unit as written to its base unit and says which that is. An
// unknown unit is an error.
func Convert(v float64, unitText string) (float64, string, error) {
	t := strings.TrimSpace(unitText)
	if slices.Contains(bases, t) {
		return v, t, nil
	}
	tidy := func(t string) string { return strings.ReplaceAll(strings.Join(strings.Fields(t), ""), "per", "/") }
	c, ok := conversions[t] // most are tidy
	if !ok {
		c, ok = conversions[tidy(t)]
	}
	if !ok {
		c, ok = conversions[tidy(strings.ToLower(t))]
	}
	if !ok {
		return 0, "", fmt.Errorf("unknown unit %q", unitText)
	}
	return v * c.mul / c.div, c.base, nil
}

// ToBase turns a value of a metric from a unit as written to the metric's base unit. It is an
// error when the metric or the unit is not known, when the unit measures something else (a TTFT
// in tokens), or when the result is no finite number.
func ToBase(m ID, v float64, unitText string) (float64, error) {
	info, ok := byID[m]
	if !ok {
		return 0, fmt.Errorf("unknown metric %q", string(m))
	}
	base, got, err := Convert(v, unitText)
	if err != nil {
		return 0, fmt.Errorf("%s: %w: write one that converts to %s", m, err, info.Unit)
	}
	if got != info.Unit {
		return 0, fmt.Errorf("%s: unit %q does not convert to %s", m, unitText, info.Unit)
	}
	if math.IsNaN(base) || math.IsInf(base, 0) {
		return 0, fmt.Errorf("%s: %v %s is not a finite number", m, v, unitText)
	}
	return base, nil
}

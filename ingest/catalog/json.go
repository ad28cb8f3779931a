package catalog

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/inferdex/inferdex/ingest/record"
)

// Marshal returns v as a file of a catalog: indented, and each element of a list or map that
// stands directly below v (a point, a figure, a source, an attribute) on one line, so that a
// change of one point is a change of one line.
func Marshal(v any) ([]byte, error) { return appendFile(nil, v) }

// appendFile is [Marshal] in room, which is given away.
func appendFile(room []byte, v any) ([]byte, error) {
	r, ok := v.(*Run)
	if !ok || len(r.Points) == 0 {
		b, err := Compact(v)
		if err != nil {
			return nil, err
		}
		return layout(room, b, -1, nil), nil
	}
	b, at, err := r.pointless()
	if err != nil {
		return nil, err
	}
	w := record.JSON{Spaced: true}
	b = layout(room, b, at, func(out []byte) []byte {
		w.Text = out
		for i := range r.Points {
			before := ",\n    "
			if i == 0 {
				before = ",\n  \"points\": [\n    "
			}
			w.Text = append(w.Text, before...)
			begin := len(w.Text)
			writePoint(&w, &r.Points[i])
			if i == 0 { // the others are as long
				w.Text = slices.Grow(w.Text, len(r.Points)*(len(w.Text)-begin+64))
			}
		}
		return append(w.Text, "\n  ]"...)
	})
	if w.Bad {
		_, err = Compact(v) // says what
	}
	return b, err
}

// pointless is the run as JSON on one line without its points, and the place at which they would stand.
func (r *Run) pointless() (b []byte, at int, err error) {
	rest, front := *r, Run{}
	rest.Points = nil
	from, to := reflect.ValueOf(&rest).Elem(), reflect.ValueOf(&front).Elem()
	for i := 0; to.Type().Field(i).Name != "Points"; i++ {
		to.Field(i).Set(from.Field(i))
	}
	if b, err = Compact(&front); err != nil {
		return nil, 0, err
	}
	at = len(b) - 1
	b, err = Compact(&rest)
	return b, at, err
}

// writePoint writes a point as encoding/json does.
func writePoint(j *record.JSON, p *Point) {
	j.Open('{')
	j.Load(&p.Workload, &p.Load)
	j.IntIf("repetition", int64(p.Repetition))
	j.StringIf("date", p.Date)
	j.Requests(p.Submitted, p.Completed, p.NoOutput, p.Failed, p.TimedOut)
	j.FloatIf("duration_s", p.Duration)
	record.Metrics(j, "metrics", p.Metrics, (*record.JSON).Stat)
	record.Metrics(j, "distributions", p.Distributions, func(j *record.JSON, d Distribution) {
		j.Open('{')
		j.Name("n")
		j.Int(d.N)
		j.Name("quantiles")
		j.Pairs(d.Quantiles)
		j.FloatIf("median_low", d.MedianLow)
		j.FloatIf("median_high", d.MedianHigh)
		j.Member("unit", d.Unit)
		j.Shut('}')
	})
	j.Errors(p.Errors)
	j.Name("at")
	writePlace(j, p.At)
	j.Shut('}')
}

func writePlace(j *record.JSON, p Place) {
	j.Open('{')
	j.Member("source", p.Source)
	j.IntIf("line", int64(p.Line))
	j.IntIf("col", int64(p.Col))
	j.Shut('}')
}

// Compact returns v as JSON on one line, without HTML escapes.
func Compact(v any) ([]byte, error) { return new(Compacter).Compact(v) }

// Compacter is [Compact] for many values, of which one is wanted at a time. The zero Compacter is ready.
type Compacter struct {
	b   bytes.Buffer
	enc *json.Encoder
}

// Compact returns v as JSON on one line, without HTML escapes. It holds until the next call.
func (c *Compacter) Compact(v any) ([]byte, error) {
	if c.enc == nil {
		c.enc = json.NewEncoder(&c.b)
		c.enc.SetEscapeHTML(false)
	}
	c.b.Reset()
	if err := c.enc.Encode(v); err != nil {
		c.enc = nil // it remembers
		return nil, err
	}
	return bytes.TrimSuffix(c.b.Bytes(), []byte{'\n'}), nil
}

// layout appends compact JSON with its lines broken at the first two levels. What is added, laid out already, goes in front of the
// byte at that place.
func layout(out, b []byte, at int, add func(out []byte) []byte) []byte {
	out = slices.Grow(out, len(b)+len(b)/16)
	depth := 0
	line := func() {
		out = append(out, '\n')
		for range depth {
			out = append(out, ' ', ' ')
		}
	}
	for i := 0; i < len(b); i++ {
		if i == at {
			out = add(out)
		}
		switch c := b[i]; c {
		case '"':
			j := i + 1
			for b[j] != '"' {
				if b[j] == '\\' {
					j++
				}
				j++
			}
			out = append(out, b[i:j+1]...)
			i = j
		case '{', '[':
			out = append(out, c)
			depth++
			if empty := b[i+1] == c+2; depth <= 2 && !empty { // '{'+2 is '}', '['+2 is ']'
				line()
			}
		case '}', ']':
			depth--
			if empty := b[i-1] == c-2; depth < 2 && !empty {
				line()
			}
			out = append(out, c)
		case ',':
			out = append(out, c)
			if depth <= 2 {
				line()
			} else {
				out = append(out, ' ')
			}
		case ':':
			out = append(out, c, ' ')
		default:
			out = append(out, c)
		}
	}
	return append(out, '\n')
}

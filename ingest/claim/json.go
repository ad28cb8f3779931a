package claim

import (
	"encoding/json"
	"errors"
	"math"

	"github.com/inferdex/inferdex/ingest/record"
)

// Operands are written without encoding/json, which goes over each value within a value once more: a file of claims has
// some of each run and of each page. The bytes are those that it writes.

// MarshalJSON writes the number with its place in the catalog.
func (o Operand) MarshalJSON() ([]byte, error) { return object(o.members) }

// MarshalJSON writes the operand with what is made of it.
func (n Number) MarshalJSON() ([]byte, error) { return object(n.members) }

// MarshalJSON writes the numbers and how they stand to one another.
func (c *Stated) MarshalJSON() ([]byte, error) {
	relations, err := json.Marshal(c.Relations)
	if err != nil {
		return nil, err
	}
	return object(func(j *record.JSON) {
		list(j, "of", c.Numbers, func(n Number) {
			j.Open('{')
			n.members(j)
			j.Shut('}')
		})
		j.Name("relations")
		j.Text = append(j.Text, relations...)
	})
}

// object is an object of members.
func object(members func(*record.JSON)) ([]byte, error) {
	var j record.JSON
	j.Open('{')
	members(&j)
	j.Shut('}')
	if j.Bad {
		return nil, errors.New("a number that is not finite has no JSON form")
	}
	return j.Text, nil
}

// list writes a member that is a list, null where it is nil.
func list[T any](j *record.JSON, name string, of []T, write func(T)) {
	j.Name(name)
	if of == nil {
		j.Text = append(j.Text, "null"...)
		return
	}
	j.Open('[')
	for _, v := range of {
		j.Next()
		write(v)
	}
	j.Shut(']')
}

func (n Number) members(j *record.JSON) {
	n.Operand.members(j)
	j.IntIf("over", int64(n.Over))
	if n.Inverse {
		j.TruthIf("inverse", &n.Inverse)
	}
	j.Name("is")
	j.Float(n.Is())
	j.StringIf("called", n.Called)
}

func (o Operand) members(j *record.JSON) {
	placeOf(o).members(j)
	j.Member("metric", string(o.Metric))
	j.Member("stat", o.Stat)
	j.Name("value")
	j.Float(o.Value)
}

func (p place) members(j *record.JSON) {
	j.Member("run", p.Run)
	j.Member("workload", p.Workload)
	list(j, "points", p.Points, func(at int) { j.Int(int64(at)) })
	j.StringIf("axis", p.Axis)
	j.Name("load")
	switch v := float64(p.Load); {
	case math.IsInf(v, 1):
		j.String("inf")
	case math.IsInf(v, -1):
		j.String("-inf")
	default:
		j.Float(v)
	}
}

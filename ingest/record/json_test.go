package record

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inferdex/inferdex/goldentest"
)

// What is written by hand is what encoding/json writes, folded or not.
func TestJSONOfResults(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	folded := 0
	for range 3000 {
		var r Result
		goldentest.Fill(chance, &r)
		r.Raw = nil
		if chance.IntN(2) == 0 {
			for i := range r.Values {
				r.Values[i].N = int64(chance.IntN(2) * 7)
			}
		}
		if r.Load.Rate != nil && chance.IntN(3) == 0 {
			*r.Load.Rate = Float(math.Inf(1 - 2*chance.IntN(2)))
		}
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(&r); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			var j JSON
			if j.Result(&r); j.Bad || string(j.Text)+"\n" != want.String() {
				t.Fatalf("a result is written as\n%s\nand by encoding/json as\n%s", j.Text, &want)
			}
			new(Folder).Fold(&r)
			if r.folded != nil {
				folded++
			}
		}
	}
	if folded < 500 {
		t.Errorf("only %d of the results were folded", folded)
	}
	var j JSON
	j.Result(&Result{Values: []Value{{Number: math.NaN()}}})
	if !j.Bad {
		t.Errorf("a number that JSON has not is written as %s", j.Text)
	}
}

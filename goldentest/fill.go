package goldentest

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
)

// Fill gives all exported members of what v points to values of chance: texts with quotes, controls and broken UTF-8,
// numbers of all sizes, lists, maps and pointers, each of them nothing now and then. It holds what is written by hand
// against what is made by reflection: a new member that one of the two forgets shows.
func Fill(chance *rand.Rand, v any) { fill(chance, reflect.ValueOf(v).Elem()) }

var texts = []string{"", "a", "plain text", `"\/`, "<&>", "a\x00\t\n\x7f", "é\u2028\u2029", "\xff\xfe", "\U0001F600"}

var numbers = []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 497, 1e15, 1e14 + 1, 123456789012345678, 1e20, 1e21, 1.5e300, 1e-6,
	9.99e-7, 1e-9, 1.25e-10, -5e-324, math.MaxFloat64}

func fill(chance *rand.Rand, v reflect.Value) {
	nothing := chance.IntN(3) == 0
	if v.Type() == reflect.TypeFor[json.RawMessage]() {
		v.SetBytes([]byte(`{"points":[{"at":{"source":""}}],"a":null}`))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(texts[chance.IntN(len(texts))])
	case reflect.Float64:
		if v.SetFloat(numbers[chance.IntN(len(numbers))]); nothing {
			v.SetFloat(math.Exp(200 * (chance.Float64() - 0.5)))
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(chance.Uint64()) >> chance.IntN(64))
	case reflect.Bool:
		v.SetBool(chance.IntN(2) == 0)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(chance, v.Field(i))
			}
		}
	case reflect.Pointer:
		if !nothing {
			v.Set(reflect.New(v.Type().Elem()))
			fill(chance, v.Elem())
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(chance, v.Index(i))
		}
	case reflect.Slice:
		if !nothing {
			v.Set(reflect.MakeSlice(v.Type(), chance.IntN(4), 4))
		}
		for i := range v.Len() {
			fill(chance, v.Index(i))
		}
	case reflect.Map:
		if nothing {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range chance.IntN(4) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(chance, key)
			fill(chance, value)
			v.SetMapIndex(key, value)
		}
	}
}

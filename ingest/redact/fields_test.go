package redact

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/inferdex/inferdex/ingest/record"
)

// ours are the texts of records that stay as they are: words of the readers and of metrics, and keys that a reader
// knows or a map of columns names.
var ours = []string{"Base.Digest", "Base.Format", ".Quantity", ".Stat", ".Unit", "Values.Key", ".Code", ".Severity",
	"params.Of", "Curves.Name", "Curves.Kind", "Curves.XLabel", "Curves.XUnit", "Lines.Label",
	"Workload.LengthSemantics", "Workload.TokenCounting", "samples.Name"}

// TestEveryText puts a secret into every text that reflection finds in a record of each kind, and looks for it in what
// would be stored: a field that is new is redacted, or somebody writes it down as a word of ours.
func TestEveryText(t *testing.T) {
	const secret = "hf_Zq3Zq3Zq3Zq3Zq3Zq3"
	for _, kind := range []string{"result", "figure", "profile", "samples", "params", "system", "facts", "note"} {
		r := record.New(kind)
		seen := 0
		eachText(reflect.ValueOf(r).Elem(), kind, func(path string, text reflect.Value) {
			seen++
			switch {
			case text.Kind() == reflect.Slice:
				text.SetBytes([]byte(`{"a":"` + secret + `"}`))
			case strings.HasSuffix(path, "Facts.Key"):
				text.SetString(labelPrefix + secret)
			default:
				text.SetString(secret)
			}
		})
		if seen < 11 {
			t.Errorf("%s: %d texts were found", kind, seen)
		}
		out := (&Redactor{}).Record(r)
		eachText(reflect.ValueOf(out).Elem(), kind, func(path string, text reflect.Value) {
			kept := text.Kind() == reflect.String && strings.Contains(text.String(), secret) ||
				text.Kind() == reflect.Slice && strings.Contains(string(text.Bytes()), secret)
			if kept && !slices.ContainsFunc(ours, func(end string) bool { return strings.HasSuffix(path, end) }) {
				t.Errorf("%s is stored as it was read", path)
			}
		})
	}
}

// eachText calls do with each text below v that can be set, and with each JSON. What is empty gets one element first.
func eachText(v reflect.Value, path string, do func(path string, text reflect.Value)) {
	switch {
	case v.Kind() == reflect.String, v.Type() == reflect.TypeFor[json.RawMessage]():
		do(path, v)
	case v.Kind() == reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		eachText(v.Elem(), path, do)
	case v.Kind() == reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			eachText(v.Index(i), path, do)
		}
	case v.Type() == reflect.TypeFor[map[string]string]():
		key, text := reflect.ValueOf("x"), reflect.New(v.Type().Elem()).Elem()
		if was := v.MapIndex(key); was.IsValid() {
			text.Set(was)
		} else {
			v.Set(reflect.MakeMap(v.Type()))
		}
		do(path, text)
		v.SetMapIndex(key, text)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				eachText(v.Field(i), path+"."+f.Name, do)
			}
		}
	}
}

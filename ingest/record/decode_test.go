package record_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/record"
)

// stored is a value of all forms that files of ours have.
type stored struct {
	Text  string                    `json:"text"`
	Whole int                       `json:"whole,omitempty"`
	Count *int64                    `json:"count,omitempty"`
	Real  *float64                  `json:"real,omitempty"`
	Yes   *bool                     `json:"yes,omitempty"`
	Rate  *record.Float             `json:"rate,omitempty"`
	Stats map[metric.ID]record.Stat `json:"stats,omitempty"`
	Pairs [][2]float64              `json:"pairs,omitempty"`
	Any   json.RawMessage           `json:"any,omitempty"`
	Lists map[string][]record.KV    `json:"lists,omitempty"`
	record.Curves
	Next record.Workload `json:"next,omitzero"`
	within
}

type within struct {
	Last bool `json:"last,omitempty"`
}

const storedText = `{"text": "a \"b\" \u00e9 é", "whole": -12, "count": 3, "real": 1.5e-7, "yes": false, "rate": "inf",
 "stats": {"ttft": {"mean": 0.25, "percentiles": [[90, 0.5], [99, 1]], "n": 4, "unit": "s"}, "itl": {"value": 7, "unit": "s"}},
 "pairs": [[0, 1], [2.5, -3]], "any": {"a": [null, "]", 1e3, {}], "b": "}"}, "lists": {"": [], "x": [{"key": "k", "value": "v"}]},
 "name": "n", "kind": "", "x_label": "x", "x_unit": "s", "x": [1, 2], "lines": [{"label": "l", "unit": "", "y": []}],
 "next": {"dataset": "random", "nominal": {"input": 1024}, "streaming": true}, "last": true}`

// strictly is what encoding/json makes of a text that has to be one value without unknown members.
func strictly(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return io.ErrNoProgress
	}
	return nil
}

func TestUnmarshal(t *testing.T) {
	var got, want stored
	if err := strictly([]byte(storedText), &want); err != nil {
		t.Fatal(err)
	}
	if !record.Unmarshal([]byte(storedText), &got) {
		t.Fatal("a text of ours is refused")
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, text := range []string{"", "{", "[]", `{"text": null}`, `{"TEXT": "a"}`, `{"whole": 1, "text": "a"}`, `{"text": "a", "text": "b"}`,
		`{"text": "a",}`, `{"text": "a"} {}`, `{"whole": 1.0}`, `{"whole": 01}`, `{"real": 1e999}`, `{"real": .5}`, `{"more": 1}`,
		"{\"text\": \"\n\"}", `{"text": "\x"}`, `{"any": tru}`, `{"any": [}`, `{"pairs": [[1]]}`, `{"pairs": [[1, 2, 3]]}`,
		`{"stats": {"ttft": {"percentiles": [[1]], "unit": ""}}}`, `{"stats": {"ttft": {"unit": ""}, }}`, `{"rate": "Inf"}`} {
		if record.Unmarshal([]byte(text), &stored{}) {
			t.Errorf("%s: is taken", text)
		}
	}
	if record.Unmarshal([]byte(`{}`), stored{}) || record.Unmarshal([]byte(`{}`), nil) || record.Unmarshal([]byte(`1`), new(any)) {
		t.Error("something is decoded into what cannot hold it")
	}
}

// Whatever is taken of a damaged text is what encoding/json makes of it.
func TestUnmarshalIsEncodingJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"", `"`, `\`, `{`, `}`, `[`, `]`, `,`, `:`, ` `, `null`, `0`, `-`, `.5`, `e9`, `\u0000`, "\xff", "é", `"text": "b", `, `1, `, `true`}
	taken := 0
	for range 60_000 {
		text := []byte(storedText)
		for range 1 + random.IntN(2) {
			at := random.IntN(len(text))
			end := min(len(text), at+random.IntN(4))
			text = append(append(bytes.Clone(text[:at]), pieces[random.IntN(len(pieces))]...), text[end:]...)
		}
		check(t, text, &taken)
		if t.Failed() {
			return
		}
	}
	if taken < 1000 {
		t.Errorf("no more than %d texts are taken: the test is about nothing", taken)
	}
}

func check(t *testing.T, text []byte, taken *int) {
	t.Helper()
	var got, want stored
	if !record.Unmarshal(text, &got) {
		return
	}
	*taken++
	if err := strictly(text, &want); err != nil {
		t.Errorf("%s: is taken: %v", text, err)
	} else if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\ngot  %+v\nwant %+v", text, got, want)
	}
}

// The numbers of one value are no others of the next one.
func TestUnmarshalSharesNoNumber(t *testing.T) {
	var a, b stored
	if !record.Unmarshal([]byte(`{"text": "", "count": 1, "real": 2}`), &a) || !record.Unmarshal([]byte(`{"text": "", "count": 1, "real": 2}`), &b) {
		t.Fatal("a text of ours is refused")
	}
	*a.Count, *a.Real = 7, 8
	if *b.Count != 1 || *b.Real != 2 {
		t.Errorf("got %d and %v", *b.Count, *b.Real)
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte(storedText))
	f.Fuzz(func(t *testing.T, text []byte) { check(t, text, new(int)) })
}

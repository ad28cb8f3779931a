package pipeline

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

// What steps are given and give.
type (
	keyed   = func(string, []byte)
	pair    = func(string, string)
	blobs   = func(*[]byte) bool
	texts   = func(*string) bool
	pairsOf = func(*string, *string) bool
)

func init() {
	register.DoFn3x1[context.Context, []byte, keyed, error](&list{})
	register.DoFn8x1[context.Context, string, []byte, keyed, func([]byte), keyed, func([]byte), func([]byte), error](
		&read{})
	register.DoFn5x1[context.Context, string, blobs, pair, func(string), error](&alike{})
	register.DoFn6x1[context.Context, []byte, blobs, pairsOf, blobs, pair, error](&divide{})
	register.DoFn4x1[string, texts, blobs, keyed, error](&assign{})
	register.DoFn6x1[context.Context, string, blobs, blobs, texts, func([]byte), error](&merge{})
	register.DoFn4x1[context.Context, []byte, blobs, blobs, error](&inputs{})
	register.Emitter1[[]byte]()
	register.Emitter1[string]()
	register.Emitter2[string, []byte]()
	register.Emitter2[string, string]()
	register.Iter1[[]byte]()
	register.Iter1[string]()
	register.Iter2[string, string]()
}

// Catalog adds the steps of a job to a pipeline. What a step writes has a name and bytes that follow from what it was
// given: a step that is run twice, or half and then again, leaves what one run leaves.
//
//	list → read ─┬─ traits ── by trace → alike ─┬─ ties, crowded traces
//	             ├─ marks ─── in one place → divide ─ parts by path ─┐
//	             ├─ readings ─ by path ───────────────────→ assign ──┴─ by part → merge → runs
//	             ├─ sidecars, to divide and merge                                  └─ shares ─┐
//	             └─ what became of each file ─────────────────────── in one place → inputs ───┘
func Catalog(s beam.Scope, j *Job) {
	start := beam.Impulse(s)
	batches := beam.Reshuffle(s.Scope("list"), beam.ParDo(s.Scope("list"), &list{Job: *j}, start))
	readings, marks, traits, told, sidecars := beam.ParDo5(s.Scope("read"), &read{Job: *j}, batches)
	ties, crowded := beam.ParDo2(s.Scope("alike"), &alike{}, beam.GroupByKey(s.Scope("alike"), traits))
	parts := beam.ParDo(s.Scope("divide"), &divide{Job: *j}, start, beam.SideInput{Input: marks},
		beam.SideInput{Input: ties}, beam.SideInput{Input: sidecars})
	assigned := beam.ParDo(s.Scope("assign"), &assign{}, beam.CoGroupByKey(s.Scope("assign"), parts, readings))
	shares := beam.ParDo(s.Scope("merge"), &merge{Job: *j}, beam.GroupByKey(s.Scope("merge"), assigned),
		beam.SideInput{Input: sidecars}, beam.SideInput{Input: crowded})
	beam.ParDo0(s.Scope("inputs"), &inputs{Job: *j}, start, beam.SideInput{Input: told}, beam.SideInput{Input: shares})
}

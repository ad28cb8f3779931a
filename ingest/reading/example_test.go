package reading_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

// Values follow each other as tools write them; a damaged one has a place, and the next one is read.
func ExampleText_Values() {
	text := []byte("{\"ttft\": NaN}\n{\"ttft\": 0.5\n{\"ttft\": 0.25}\n")
	reading.NewText(text).Values(0, len(text), false, func(v reading.Value) {
		f, _ := v.Get("ttft").Float()
		fmt.Println("ttft", f)
	}, func(err *reading.SyntaxError) {
		fmt.Println(err)
	})
	// Output:
	// ttft NaN
	// unexpected '{' in an object: a comma or '}' should stand here
	// ttft 0.25
}

// An object remembers what was asked of it, and reports a member that is not what it should be.
func ExampleObject() {
	v, _ := reading.Parse([]byte(`{"completed": 8, "duration": "long", "seed": 7}`))
	o := reading.NewObject("a.json", v, func(r record.Record) { fmt.Println(r.(*record.SyntaxError).Text) })
	fmt.Println(*o.Count("completed"))
	_, ok := o.Number("duration")
	fmt.Println(ok, o.Unmapped())
	// Output:
	// 8
	// "duration" is "long", a number was expected: the value is left out
	// false [seed]
}

// Of a traceback the last line says what went wrong.
func ExampleLastLine() {
	fmt.Println(
		reading.LastLine("Traceback (most recent call last):\n  File \"a.py\", line 3\nTimeoutError: no answer\n"))
	fmt.Println(metric.Round(0.1 + 0.2))
	// Output:
	// TimeoutError: no answer
	// 0.3
}

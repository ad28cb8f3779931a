package object_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/internal/jsonval"
	"github.com/inferdex/inferdex/ingest/internal/object"
	"github.com/inferdex/inferdex/ingest/record"
)

// An object remembers what was asked of it, and reports a member that is not what it should be.
func ExampleObject() {
	v, _ := jsonval.Parse([]byte(`{"completed": 8, "duration": "long", "seed": 7}`))
	o := object.New("a.json", v, func(r record.Record) { fmt.Println(r.(*record.SyntaxError).Text) })
	fmt.Println(*o.Count("completed"))
	_, ok := o.Number("duration")
	fmt.Println(ok, o.Unmapped())
	// Output:
	// 8
	// "duration" is "long", a number was expected: the value is left out
	// false [seed]
}

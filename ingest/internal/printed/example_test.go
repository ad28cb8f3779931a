package printed_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/internal/printed"
	"github.com/inferdex/inferdex/ingest/metric"
	"github.com/inferdex/inferdex/ingest/reading"
	"github.com/inferdex/inferdex/ingest/record"
)

func ExampleText() {
	text := printed.NewText(reading.NewSource("out.log", []byte("ttft 12.5\r\nttft nan\nttft 1")))
	text.Res = &record.Result{}
	for text.Next() {
		if text.Torn {
			text.Cut()
			break
		}
		text.Value(metric.TTFT, metric.Mean, text.Line[len("ttft "):], "ms", "ttft")
	}
	fmt.Println(text.Res.Values[0].Number, len(text.Res.Values))
	for _, r := range text.Records {
		fmt.Println(r.Pos(), r.(*record.SyntaxError).Text)
	}
	// Output:
	// 12.5 1
	// out.log:2 "ttft" is "nan", a number was expected: the value is left out
	// out.log:3 the text ends inside of its last line, which may be a part of a number: it is left out
}

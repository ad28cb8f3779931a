package page_test

import (
	"fmt"

	"github.com/inferdex/inferdex/site/page"
)

// A table is made of columns; one that no row has a value for is left out.
func ExampleTable() {
	type row struct{ gpu, driver string }
	t := page.NewTable("Accelerators", "", []row{{gpu: "MI100"}, {gpu: "H100"}})
	t.Head("GPU", func(r row) (text, href string) { return r.gpu, "" })
	t.Text("Driver", "", func(r row) string { return r.driver })
	g := t.Done()
	for _, c := range g.Columns {
		fmt.Println(c.Title, len(g.Rows))
	}
	// Output:
	// GPU 2
}

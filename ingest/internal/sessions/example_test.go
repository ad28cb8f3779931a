package sessions_test

import (
	"fmt"

	"github.com/inferdex/inferdex/ingest/internal/sessions"
)

// Files of one sweep differ in their loads and dates; what is left of their names tells sweeps apart.
func ExampleVariant() {
	fmt.Println(sessions.Variant("pd_1p1d_n100_in2048_out512_c128"), sessions.Variant("pd_1p1d_n100_in2048_out512_c64"))
	fmt.Println(sessions.Engine("result_tgi_short.csv"))
	// Output:
	// pd-1p1d pd-1p1d
	// tgi
}

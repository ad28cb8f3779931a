package look_test

import (
	"fmt"

	"github.com/inferdex/inferdex/site/look"
)

// A colour that reads well on white has too little contrast with a dark page.
func ExampleContrast() {
	fmt.Printf("%.1f %.1f\n", look.Contrast("#0b57a4", "#ffffff"), look.Contrast("#0b57a4", "#121619"))
	// Output: 7.2 2.5
}

package leftover_test

import (
	"fmt"

	"github.com/inferdex/inferdex/site/leftover"
)

func ExampleIs() {
	for _, name := range []string{"team.md", "team.md~", "#team.md#", ".team.md.swp", "4913", ".git", "#1.md"} {
		fmt.Println(name, leftover.Is(name))
	}
	// Output:
	// team.md false
	// team.md~ true
	// #team.md# true
	// .team.md.swp true
	// 4913 true
	// .git true
	// #1.md false
}

package reader_test

import (
	"fmt"
	"testing/fstest"

	"github.com/inferdex/inferdex/site/reader"
)

func ExamplePackNames() {
	packed, err := reader.PackNames(fstest.MapFS{}, fstest.MapFS{"names/models.toml": {Data: []byte("# none\n")}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(packed))
	// Output: [{},{"names/models.toml":"# none\n"}]
}

package reader_test

import (
	"archive/zip"
	"bytes"
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
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(z.File[0].Name)
	// Output: 1/names/models.toml
}
